// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/compact_state.h"

#include <algorithm>

#include "synthesis/folded_state.h"
#include "synthesis/selection_table.h"

namespace p2 {
namespace {

LevelSet bit(int level) { return static_cast<LevelSet>(1u << (level - 1)); }

/// The levels (outer, inner] as a set.
LevelSet levelsOf(const GroupPattern& pattern) {
  return static_cast<LevelSet>((1u << pattern.inner) - (1u << pattern.outer));
}

/// The classes of devices that take part as fixed parts: digits outside the pattern, those below a master zero.
bool isGroupClass(LevelSet outside, const GroupPattern& pattern) {
  if ((outside & levelsOf(pattern)) != 0) return false;
  return !pattern.master || (outside >> pattern.inner) == 0;
}

// Gathering the last split undoes it. What was gathered after a segment that is gone was gathered after the one that
// is now last.
void dropTrailingGathers(ClassState& state) {
  while (state.splitCount > 0 && state.splits[state.splitCount - 1].gatheredAfter != 0) {
    state.splits[--state.splitCount] = {};
    const std::uint8_t segments = state.segmentCount();
    for (ClassState::Split& split : state.splits) split.gatheredAfter = std::min(split.gatheredAfter, segments);
  }
}

ClassState scattered(ClassState state, const GroupPattern& pattern) {
  const std::uint8_t segments = state.segmentCount();
  const bool afterGather = std::any_of(state.splits.begin(), state.splits.end(), [&](const ClassState::Split& split) {
    return split.gatheredAfter != 0 && split.gatheredAfter == segments;
  });
  for (int level = pattern.outer + 1; level <= pattern.inner; ++level) {
    const bool first = level == pattern.outer + 1;
    state.splits[state.splitCount++] = {static_cast<std::uint8_t>(level), 0, first && afterGather};
  }
  return state;
}

ClassState gathered(ClassState state, LevelSet levels) {
  const std::uint8_t segments = state.segmentCount();
  for (ClassState::Split& split : state.splits) {
    if (split.level != 0 && (levels & bit(split.level)) != 0) split.gatheredAfter = segments;
  }
  dropTrailingGathers(state);
  return state;
}

/// What the root of a group decides by itself: it holds something, and has done over the levels what must be done.
bool rootMay(Collective collective, const ClassState& root, LevelSet levels) {
  const unsigned split = root.splitLevels() & levels;
  const unsigned summed = root.summed & levels;
  switch (collective) {
    case Collective::AllGather:
      return root.present && split == levels && summed == levels;
    case Collective::Broadcast:
      return root.present && split == 0 && summed == levels;
    default:
      return root.present && split == 0 && summed == 0;
  }
}

class GroupRule {
 public:
  GroupRule(const CompactState& state, const Instruction& instruction, LevelSet outside, SelectionTable& selections)
      : m_instruction(instruction), m_levels(levelsOf(instruction.pattern)), m_selections(selections) {
    // Walks the subsets of the varying levels, the empty one (the root's class) first.
    for (unsigned varying = 0;; varying = (varying - m_levels) & m_levels) {
      m_classes.push_back(static_cast<LevelSet>(outside | varying));
      m_members.push_back(state.classes[outside | varying]);
      if (varying == m_levels) break;
    }
  }

  /// Writes the classes' states after the rule; false if a premise fails.
  bool applyTo(CompactState& after) {
    if (!rootMay(m_instruction.collective, m_members[0], m_levels)) return false;
    if (!(m_instruction.collective == Collective::Broadcast ? broadcast() : combine())) return false;
    for (std::size_t i = 0; i < m_classes.size(); ++i) after.classes[m_classes[i]] = m_members[i];
    return true;
  }

 private:
  // All members must agree as functions of their digits. Members that differ could satisfy a premise by accident of
  // their sizes, but what results is not uniform, and the goal is out of its reach.
  bool combine() {
    if (!allAlike()) return false;
    ClassState result = m_members[0];
    if (m_instruction.collective == Collective::AllGather) {
      result = gathered(result, m_levels);
    } else {
      result.summed |= m_levels;
      if (m_instruction.collective == Collective::ReduceScatter) result = scattered(result, m_instruction.pattern);
    }
    std::fill(m_members.begin(), m_members.end(), result);
    if (m_instruction.collective == Collective::Reduce) std::fill(m_members.begin() + 1, m_members.end(), ClassState{});
    return true;
  }

  bool broadcast() {
    const ClassState root = m_members[0];
    for (const ClassState& member : m_members) {
      if (!member.present) continue;
      if ((member.summed & ~root.summed) != 0 || !m_selections.within(member, root)) return false;
    }
    if (allAlike()) return false;
    std::fill(m_members.begin(), m_members.end(), root);
    return true;
  }

  bool allAlike() {
    return std::all_of(m_members.begin() + 1, m_members.end(),
                       [&](const ClassState& member) { return m_selections.alike(member, m_members[0]); });
  }

  const Instruction& m_instruction;
  LevelSet m_levels;
  SelectionTable& m_selections;
  std::vector<LevelSet> m_classes;
  std::vector<ClassState> m_members;
};

}  // namespace

std::uint8_t ClassState::segmentCount() const {
  std::uint8_t count = splitCount > 0 ? 1 : 0;
  for (const Split& split : splits) count += split.barrier ? 1 : 0;
  return count;
}

LevelSet ClassState::splitLevels() const {
  LevelSet levels = 0;
  for (const Split& split : splits) {
    if (split.level != 0 && split.gatheredAfter == 0) levels |= bit(split.level);
  }
  return levels;
}

std::size_t classOf(Device member, const std::vector<std::int64_t>& sizes) {
  std::size_t entry = 0;
  for (std::size_t level = sizes.size(); level-- > 0; member /= sizes[level]) {
    if (member % sizes[level] != 0) entry |= std::size_t{1} << level;
  }
  return entry;
}

std::int64_t productOver(LevelSet levels, const std::vector<std::int64_t>& sizes) {
  std::int64_t product = 1;
  for (std::size_t level = 0; level < sizes.size(); ++level) {
    if ((levels >> level & 1) != 0) product *= sizes[level];
  }
  return product;
}

CompactState CompactState::initial(int levels) {
  ClassState own;
  own.present = true;
  return {std::vector<ClassState>(std::size_t{1} << levels, own)};
}

CompactState CompactState::goal(int levels) {
  CompactState state = initial(levels);
  for (ClassState& entry : state.classes) entry.summed = static_cast<LevelSet>((1u << levels) - 1);
  return state;
}

std::optional<CompactState> applyCompact(const CompactState& state, const Instruction& instruction,
                                         SelectionTable& selections) {
  // Most instructions fail for the group of the very first devices; then nothing need be copied.
  if (!rootMay(instruction.collective, state.classes[0], levelsOf(instruction.pattern))) return std::nullopt;
  CompactState after = state;
  for (unsigned outside = 0; outside < state.classes.size(); ++outside) {
    const LevelSet fixed = static_cast<LevelSet>(outside);
    if (!isGroupClass(fixed, instruction.pattern)) continue;
    if (!GroupRule(state, instruction, fixed, selections).applyTo(after)) return std::nullopt;
  }
  return after;
}

bool othersEmpty(const CompactState& state, const GroupPattern& pattern, int levels) {
  for (unsigned entry = 0; entry < (1u << levels); ++entry) {
    const LevelSet outside = static_cast<LevelSet>(entry & ~unsigned{levelsOf(pattern)});
    if (!isGroupClass(outside, pattern) && state.classes[entry].present) return false;
  }
  return true;
}

DeviceState materialize(const CompactState& state, const std::vector<std::int64_t>& sizes, Device member) {
  const FoldedState folded = foldedState(state, sizes, member);
  DeviceState result(static_cast<int>(folded.size));
  for (const ChunkRange& rows : folded.rows) {
    for (std::int64_t row = rows.from; row < rows.to; ++row) {
      for (const ChunkRange& columns : folded.columns) {
        for (std::int64_t column = columns.from; column < columns.to; ++column) {
          result.set(static_cast<int>(row), static_cast<int>(column));
        }
      }
    }
  }
  return result;
}

}  // namespace p2
