// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/detail/compact_state.h"

#include <algorithm>
#include <array>

#include "collective/collective_traits.h"
#include "synthesis/detail/selection_table.h"
#include "synthesis/folded_state.h"

namespace p2::inline synthesis {
namespace {

LevelSet bit(int level) { return static_cast<LevelSet>(1u << (level - 1)); }

/// The classes of devices that take part as fixed parts: digits outside the pattern, those below a master zero.
bool isGroupClass(LevelSet outside, const GroupPattern& pattern) {
  if ((outside & pattern.levels()) != 0) return false;
  return !pattern.master || (outside >> pattern.inner) == 0;
}

// Gathering the last split undoes it. Gathers after a removed segment count as gathers after the segment that is last
// now.
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
  bool first = true;
  for (int level = pattern.outer + 1; level <= pattern.inner; ++level) {
    if (!pattern.varies(level)) continue;
    state.splits[state.splitCount++] = {static_cast<std::uint8_t>(level), 0, first && afterGather};
    first = false;
  }
  return state;
}

ClassState gathered(ClassState state, const GroupPattern& pattern) {
  const LevelSet levels = pattern.levels();
  const std::uint8_t segments = state.segmentCount();
  for (ClassState::Split& split : state.splits) {
    if (split.level != 0 && (levels & bit(split.level)) != 0) split.gatheredAfter = segments;
  }
  dropTrailingGathers(state);
  return state;
}

ClassState reduced(ClassState state, const GroupPattern& pattern) {
  state.summed |= pattern.levels();
  return state;
}

/// The rule of a collective on compact states, derived from its traits, over the levels that its groups vary.
struct CompactRule {
  bool summed = false;  ///< the chunks must have been summed over all of the levels; else over none
  bool split = false;   ///< the chunks must be scattered over all of the levels; else over none
  /// Required data of the other members: the same as the root, data that the root may overwrite, or none.
  enum class Others { SameAsRoot, Overwritable, Empty } others = Others::SameAsRoot;
  Makes makes = Makes::Sum;
  Leaves leaves = Leaves::Everywhere;

  /// What every member that holds something afterwards holds, made of the members' common state or of the root's.
  [[nodiscard]] ClassState after(ClassState state, const GroupPattern& pattern) const {
    if (makes == Makes::Sum) state = reduced(state, pattern);
    if (makes == Makes::Pieces) state = gathered(state, pattern);
    return leaves == Leaves::Scattered ? scattered(state, pattern) : state;
  }
};

CompactRule compactRuleOf(const CollectiveTraits& traits) {
  CompactRule rule{.makes = traits.makes, .leaves = traits.leaves};
  rule.summed = traits.makes != Makes::Sum;
  rule.split = traits.makes == Makes::Pieces;
  const auto hasPremise = [&](Premise premise) {
    return std::find(traits.premises.begin(), traits.premises.end(), premise) != traits.premises.end();
  };
  if (hasPremise(Premise::MembersWithinRoot)) rule.others = CompactRule::Others::Overwritable;
  if (hasPremise(Premise::OthersEmpty)) rule.others = CompactRule::Others::Empty;
  return rule;
}

/// The rules of all collectives; asked for every edge of a state graph.
const CompactRule& compactRuleOf(Collective collective) {
  static const auto kRules = [] {
    std::array<CompactRule, kCollectives.size()> rules;
    for (const Collective each : kCollectives) rules[static_cast<std::size_t>(each)] = compactRuleOf(traitsOf(each));
    return rules;
  }();
  return kRules[static_cast<std::size_t>(collective)];
}

/// Conditions on the root alone: it holds data, and has summed or gathered the required levels.
bool rootMay(const CompactRule& rule, const ClassState& root, LevelSet levels) {
  const unsigned split = root.splitLevels() & levels;
  const unsigned summed = root.summed & levels;
  return root.present && split == (rule.split ? levels : 0u) && summed == (rule.summed ? levels : 0u);
}

class GroupRule {
 public:
  GroupRule(const CompactState& state, const Instruction& instruction, LevelSet outside, SelectionTable& selections)
      : m_rule(compactRuleOf(instruction.collective)),
        m_pattern(instruction.pattern),
        m_levels(instruction.pattern.levels()),
        m_selections(selections) {
    // Walks the subsets of the varying levels, the empty one (the root's class) first.
    for (unsigned varying = 0;; varying = (varying - m_levels) & m_levels) {
      m_classes.push_back(static_cast<LevelSet>(outside | varying));
      m_members.push_back(state.classes[outside | varying]);
      if (varying == m_levels) break;
    }
  }

  /// Writes the classes' states after the rule; false if a premise fails.
  bool applyTo(CompactState& after) {
    if (!rootMay(m_rule, m_members[0], m_levels)) return false;
    if (!othersFit()) return false;
    const ClassState result = m_rule.after(m_members[0], m_pattern);
    std::fill(m_members.begin(), m_members.end(), m_rule.leaves == Leaves::AtRoot ? ClassState{} : result);
    m_members[0] = result;
    for (std::size_t i = 0; i < m_classes.size(); ++i) after.classes[m_classes[i]] = m_members[i];
    return true;
  }

 private:
  bool othersFit() {
    switch (m_rule.others) {
      case CompactRule::Others::SameAsRoot:
        return allEqual();
      case CompactRule::Others::Overwritable:
        return rootMayOverwrite();
      case CompactRule::Others::Empty:
        break;
    }
    return std::none_of(m_members.begin() + 1, m_members.end(),
                        [](const ClassState& member) { return member.present; });
  }

  // The root must have all data of the members, and some member must gain data.
  bool rootMayOverwrite() {
    const ClassState& root = m_members[0];
    for (const ClassState& member : m_members) {
      if (!member.present) continue;
      if ((member.summed & ~root.summed) != 0 || !m_selections.within(member, root)) return false;
    }
    return !allEqual();
  }

  // All members must hold the same as functions of their digits. Members that differ could satisfy a premise by
  // accident of their sizes, but what results is not uniform, and no goal is within its reach.
  bool allEqual() {
    return std::all_of(m_members.begin() + 1, m_members.end(),
                       [&](const ClassState& member) { return m_selections.equal(member, m_members[0]); });
  }

  const CompactRule& m_rule;
  const GroupPattern& m_pattern;
  LevelSet m_levels;
  SelectionTable& m_selections;
  std::vector<LevelSet> m_classes;
  std::vector<ClassState> m_members;
};

}  // namespace

std::uint8_t ClassState::segmentCount() const {
  std::uint8_t count = splitCount > 0 ? 1 : 0;
  for (const Split& split : splits) {
    if (split.barrier) ++count;
  }
  return count;
}

LevelSet ClassState::splitLevels() const {
  LevelSet levels = 0;
  for (const Split& split : splits) {
    if (split.level != 0 && split.gatheredAfter == 0) levels |= bit(split.level);
  }
  return levels;
}

std::size_t classOf(MemberId member, const std::vector<std::int64_t>& sizes) {
  std::size_t entry = 0;
  std::int64_t rest = member.value();
  for (std::size_t level = sizes.size(); level-- > 0; rest /= sizes[level]) {
    if (rest % sizes[level] != 0) entry |= std::size_t{1} << level;
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

CompactState CompactState::of(const Distribution& distribution, int levels) {
  ClassState held;
  held.present = true;
  if (distribution.contributions == Distribution::Contributions::Everyone) {
    held.summed = static_cast<LevelSet>((1u << levels) - 1);
  }
  if (distribution.chunks == Distribution::Chunks::OneEach) {
    held = scattered(held, {0, levels, false, Along::Shards, distribution.replicated});
  }
  CompactState state{std::vector<ClassState>(std::size_t{1} << levels)};
  const bool everyMember = distribution.holders == Distribution::Holders::EveryMember;
  std::fill(state.classes.begin(), everyMember ? state.classes.end() : state.classes.begin() + 1, held);
  return state;
}

bool CompactState::isDistributedAs(const Distribution& wanted, SelectionTable& selections) const {
  const auto all = static_cast<LevelSet>(classes.size() - 1);
  const LevelSet summed = wanted.contributions == Distribution::Contributions::Everyone ? all : LevelSet{0};
  const auto sharded = static_cast<LevelSet>(all & ~unsigned{wanted.replicated});
  const LevelSet split = wanted.chunks == Distribution::Chunks::OneEach ? sharded : LevelSet{0};
  for (std::size_t entry = 0; entry < classes.size(); ++entry) {
    const ClassState& here = classes[entry];
    if (entry > 0 && wanted.holders != Distribution::Holders::EveryMember) {
      if (wanted.holders == Distribution::Holders::Root && here.present) return false;
      continue;
    }
    if (!here.present || here.summed != summed || here.splitLevels() != split) return false;
    // Chunks split in different orders do not belong to one scatter.
    if (split != 0 && !selections.equal(here, classes[0])) return false;
  }
  return true;
}

std::optional<CompactState> applyCompact(const CompactState& state, const Instruction& instruction,
                                         SelectionTable& selections) {
  // Most instructions fail for the group of the very first devices; then nothing need be copied.
  if (!rootMay(compactRuleOf(instruction.collective), state.classes[0], instruction.pattern.levels())) {
    return std::nullopt;
  }
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
    const LevelSet outside = static_cast<LevelSet>(entry & ~unsigned{pattern.levels()});
    if (!isGroupClass(outside, pattern) && state.classes[entry].present) return false;
  }
  return true;
}

}  // namespace p2::inline synthesis
