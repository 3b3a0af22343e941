// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/compact_state.h"

#include <algorithm>

#include "synthesis/chunk_selection.h"

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

/// Whether `inner` plainly selects chunks within those of `outer`: the same blocks, cut further or gathered less.
bool refines(const ClassState& inner, const ClassState& outer) {
  if (outer.splitCount > inner.splitCount) return false;
  for (std::size_t i = 0; i < outer.splitCount; ++i) {
    const auto& a = inner.splits[i];
    const auto& b = outer.splits[i];
    if (a.level != b.level || a.barrier != b.barrier) return false;
    if (a.gatheredAfter != 0 && a.gatheredAfter != b.gatheredAfter) return false;
  }
  return true;
}

/// Whether every device of class `entry` holds chunks within those of the device that differs from it by being first
/// in `levels`, by comparing the chunks for every value of the digits that select any.
bool holdsWithin(const ClassState& inner, const ClassState& outer, LevelSet entry, unsigned levels,
                 const std::vector<std::int64_t>& sizes) {
  if (refines(inner, outer)) return true;
  const unsigned free = (inner.splitLevels() | outer.splitLevels()) & entry;
  std::vector<std::int64_t> digits(sizes.size(), 0);
  for (std::size_t level = 0; level < sizes.size(); ++level) digits[level] = entry >> level & 1;
  while (true) {
    std::vector<std::int64_t> root = digits;
    for (std::size_t level = 0; level < sizes.size(); ++level) {
      if ((levels >> level & 1) != 0) root[level] = 0;
    }
    if (!subsetOf(chunksOf(inner, sizes, digits), chunksOf(outer, sizes, root))) return false;
    std::size_t level = 0;
    for (; level < sizes.size(); ++level) {
      if ((free >> level & 1) == 0) continue;
      if (++digits[level] < sizes[level]) break;
      digits[level] = 1;
    }
    if (level == sizes.size()) return true;
  }
}

class GroupRule {
 public:
  GroupRule(const CompactState& state, const Instruction& instruction, LevelSet outside,
            const std::vector<std::int64_t>& sizes)
      : m_instruction(instruction), m_levels(levelsOf(instruction.pattern)), m_sizes(sizes) {
    // Walks the subsets of the varying levels, the empty one (the root's class) first.
    for (unsigned varying = 0;; varying = (varying - m_levels) & m_levels) {
      m_classes.push_back(static_cast<LevelSet>(outside | varying));
      m_members.push_back(state.classes[outside | varying]);
      if (varying == m_levels) break;
    }
  }

  /// Writes the classes' states after the rule; false if a premise fails.
  bool applyTo(CompactState& after) {
    if (!(m_instruction.collective == Collective::Broadcast ? broadcast() : combine())) return false;
    for (std::size_t i = 0; i < m_classes.size(); ++i) after.classes[m_classes[i]] = m_members[i];
    return true;
  }

 private:
  // All members must agree as functions of their digits. Members that differ could satisfy a premise by accident of
  // their sizes, but what results is not uniform, and the goal is out of its reach.
  bool combine() {
    const ClassState root = m_members[0];
    if (!root.present ||
        std::any_of(m_members.begin(), m_members.end(), [&](const ClassState& m) { return m != root; })) {
      return false;
    }
    ClassState result = root;
    if (m_instruction.collective == Collective::AllGather) {
      if ((m_levels & ~root.splitLevels()) != 0 || (m_levels & ~root.summed) != 0) return false;
      result = gathered(root, m_levels);
    } else {
      if ((m_levels & root.splitLevels()) != 0 || (m_levels & root.summed) != 0) return false;
      result.summed = static_cast<LevelSet>(root.summed | m_levels);
      if (m_instruction.collective == Collective::ReduceScatter) result = scattered(result, m_instruction.pattern);
    }
    std::fill(m_members.begin(), m_members.end(), result);
    if (m_instruction.collective == Collective::Reduce) std::fill(m_members.begin() + 1, m_members.end(), ClassState{});
    return true;
  }

  bool broadcast() {
    const ClassState root = m_members[0];
    if (!root.present || (m_levels & root.splitLevels()) != 0 || (m_levels & ~root.summed) != 0) return false;
    for (std::size_t i = 1; i < m_members.size(); ++i) {
      const ClassState& member = m_members[i];
      if (!member.present) continue;
      if ((member.summed & ~root.summed) != 0 || !holdsWithin(member, root, m_classes[i], m_levels, m_sizes)) {
        return false;
      }
    }
    if (std::all_of(m_members.begin(), m_members.end(), [&](const ClassState& m) { return m == root; })) return false;
    std::fill(m_members.begin(), m_members.end(), root);
    return true;
  }

  const Instruction& m_instruction;
  unsigned m_levels;
  const std::vector<std::int64_t>& m_sizes;
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
                                         const std::vector<std::int64_t>& sizes) {
  CompactState after = state;
  for (unsigned outside = 0; outside < state.classes.size(); ++outside) {
    const LevelSet fixed = static_cast<LevelSet>(outside);
    if (!isGroupClass(fixed, instruction.pattern)) continue;
    if (!GroupRule(state, instruction, fixed, sizes).applyTo(after)) return std::nullopt;
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
  std::vector<std::int64_t> digits(sizes.size());
  std::int64_t k = 1;
  Device rest = member;
  unsigned entry = 0;
  for (std::size_t level = sizes.size(); level-- > 0;) {
    k *= sizes[level];
    digits[level] = rest % sizes[level];
    rest /= sizes[level];
    if (digits[level] != 0) entry |= bit(static_cast<int>(level) + 1);
  }
  const ClassState& own = state.classes[entry];
  DeviceState result(static_cast<int>(k));
  if (!own.present) return result;
  std::vector<Device> contributors{0};
  for (std::size_t level = 0; level < sizes.size(); ++level) {
    const bool all = (own.summed & bit(static_cast<int>(level) + 1)) != 0;
    std::vector<Device> next;
    for (const Device base : contributors) {
      for (std::int64_t digit = all ? 0 : digits[level]; digit < (all ? sizes[level] : digits[level] + 1); ++digit) {
        next.push_back(base * sizes[level] + digit);
      }
    }
    contributors = std::move(next);
  }
  for (const ChunkRange& range : chunksOf(own, sizes, digits)) {
    for (std::int64_t chunk = range.from; chunk < range.to; ++chunk) {
      for (const Device contributor : contributors) result.set(static_cast<int>(chunk), static_cast<int>(contributor));
    }
  }
  return result;
}

}  // namespace p2
