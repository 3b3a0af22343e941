// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/instruction.h"

#include <bit>

namespace p2::inline synthesis {

// A pattern varies the levels (outer, inner]. Down to the devices themselves it is the inside of `outer`'s slices;
// otherwise it is the `inner` slices in parallel, or their masters, below `outer`.

namespace {

/// The levels below `outer` that the groups of a form vary.
LevelSet levelsAlong(int outer, int levels, Along along, LevelSet replicated) {
  const unsigned below = (1u << levels) - (1u << outer);
  return static_cast<LevelSet>(below & (along == Along::Shards ? ~unsigned{replicated} : replicated));
}

bool isRun(unsigned levels) { return std::has_single_bit((levels >> std::countr_zero(levels)) + 1); }

/// The groups of devices below the instances of `outer` that differ only on shard or replica levels. A run of levels is
/// a pattern with another spelling; other patterns equal the outermost slice with the same groups.
GroupPattern patternAlong(int outer, int levels, Along along, LevelSet replicated) {
  const LevelSet varying = levelsAlong(outer, levels, along, replicated);
  if (isRun(varying)) return {std::countr_zero(varying), std::bit_width(varying), false};
  while (outer > 0 && levelsAlong(outer - 1, levels, along, replicated) == varying) --outer;
  const unsigned below = (1u << levels) - (1u << outer);
  return {outer, levels, false, along, static_cast<LevelSet>(below & ~unsigned{varying})};
}

}  // namespace

std::vector<GroupPattern> groupPatterns(int levels, LevelSet replicated) {
  std::vector<GroupPattern> patterns;
  for (int outer = 0; outer < levels; ++outer) patterns.push_back({outer, levels, false});
  for (const bool master : {false, true}) {
    for (int inner = 1; inner < levels; ++inner) {
      for (int outer = 0; outer < inner; ++outer) patterns.push_back({outer, inner, master});
    }
  }
  if (replicated == 0) return patterns;
  for (const Along along : {Along::Shards, Along::Replicas}) {
    for (int outer = 0; outer < levels; ++outer) {
      if (levelsAlong(outer, levels, along, replicated) == 0) break;
      const GroupPattern pattern = patternAlong(outer, levels, along, replicated);
      if (pattern.along == along && pattern.outer == outer) patterns.push_back(pattern);
    }
  }
  return patterns;
}

std::vector<GroupPattern> groupPatterns(const SynthesisHierarchy& hierarchy) {
  return groupPatterns(hierarchy.levelCount(), hierarchy.replicatedLevels());
}

Goal goalOn(const SynthesisHierarchy& hierarchy, const Goal& goal) {
  const LevelSet replicated = hierarchy.replicatedLevels();
  if (replicated == 0 || goal != kReduceScatterGoal) return goal;
  if (levelsAlong(0, hierarchy.levelCount(), Along::Shards, replicated) == 0) return kAllReduceGoal;
  Goal own = goal;
  own.after.replicated = replicated;
  own.achieved = kShardsAchieved;
  return own;
}

Program singleProgram(const SynthesisHierarchy& hierarchy, const Goal& goal) {
  const int levels = hierarchy.levelCount();
  const Goal own = goalOn(hierarchy, goal);
  const LevelSet replicated = own.after.replicated;
  if (replicated == 0) return {{{0, levels, false}, own.single}};
  return {{patternAlong(0, levels, Along::Shards, replicated), Collective::ReduceScatter},
          {patternAlong(0, levels, Along::Replicas, replicated), Collective::AllReduce}};
}

Spelling spellingOf(const GroupPattern& pattern, int levels) {
  if (pattern.along == Along::Shards) return {pattern.outer, Form::Shards, 0};
  if (pattern.along == Along::Replicas) return {pattern.outer, Form::Replicas, 0};
  if (pattern.inner == levels) return {pattern.outer, Form::InsideGroup, 0};
  return {pattern.inner, pattern.master ? Form::Master : Form::Parallel, pattern.outer};
}

std::vector<Spelling> aliasesOf(const GroupPattern& pattern, int levels) {
  if (pattern.inner != levels || pattern.along != Along::All) return {};
  return {{levels, Form::Parallel, pattern.outer}, {levels, Form::Master, pattern.outer}};
}

namespace {

Result<GroupPattern> alongOf(const SynthesisHierarchy& hierarchy, const Spelling& spelling) {
  const bool shards = spelling.form == Form::Shards;
  const LevelSet replicated = hierarchy.replicatedLevels();
  if (replicated == 0) {
    return Error{
        "no axis that is reduced over is replicated, so there are no shards and replicas to tell apart; use "
        "InsideGroup, Parallel(level) or Master(level)"};
  }
  const Along along = shards ? Along::Shards : Along::Replicas;
  if (levelsAlong(spelling.slice, hierarchy.levelCount(), along, replicated) != 0) {
    return patternAlong(spelling.slice, hierarchy.levelCount(), along, replicated);
  }
  return Error{"below " + hierarchy.levelName(spelling.slice) + " no devices differ along " +
               (shards ? "the axes that are scattered over" : "replicated axes") +
               "; use an outer level, as in root:" + (shards ? "Shards" : "Replicas")};
}

}  // namespace

Result<GroupPattern> patternOf(const SynthesisHierarchy& hierarchy, const Spelling& spelling) {
  const int levels = hierarchy.levelCount();
  const std::string slice = hierarchy.levelName(spelling.slice);
  if (spelling.form == Form::InsideGroup) {
    if (spelling.slice < levels) return GroupPattern{spelling.slice, levels, false};
    return Error{"the groups inside " + slice + " are single devices; use an outer level, as in " +
                 hierarchy.levelName(levels - 1) + ":InsideGroup"};
  }
  if (spelling.form == Form::Shards || spelling.form == Form::Replicas) return alongOf(hierarchy, spelling);
  if (spelling.ancestor >= spelling.slice) {
    return Error{hierarchy.levelName(spelling.ancestor) + " is not above " + slice +
                 "; Parallel and Master need a level above the slice, as in root"};
  }
  // Below the innermost slice there is one device, so its first device is all of it.
  const bool master = spelling.form == Form::Master && spelling.slice < levels;
  return GroupPattern{spelling.ancestor, spelling.slice, master};
}

}  // namespace p2::inline synthesis
