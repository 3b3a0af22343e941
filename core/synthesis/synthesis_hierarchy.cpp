// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/synthesis_hierarchy.h"

#include <algorithm>
#include <array>

namespace p2::inline synthesis {
namespace {

constexpr std::size_t kMostLevelsInSet = 8 * sizeof(LevelSet);

struct KindName {
  HierarchyKind kind;
  std::string_view name;
};

constexpr std::array kKindNames{
    KindName{HierarchyKind::System, "system"},
    KindName{HierarchyKind::ColumnBased, "column"},
    KindName{HierarchyKind::RowBased, "row"},
    KindName{HierarchyKind::ReductionAxes, "reduction"},
};

/// Levels with digits of axes that are replicated and of others, each cut into runs of one sort: in the order of the
/// digits, so that devices keep their numbers.
std::vector<SynthesisLevel> cutByRole(std::vector<SynthesisLevel> levels, const std::vector<Axis>& axes) {
  std::vector<SynthesisLevel> cut;
  for (SynthesisLevel& level : levels) {
    std::erase_if(level.digits, [](const Digit& digit) { return digit.size == 1; });
    std::vector<SynthesisLevel> runs;
    for (const Digit& digit : level.digits) {
      const bool goesOn = !runs.empty() && axes[runs.back().digits[0].axis].replicate == axes[digit.axis].replicate;
      if (!goesOn) runs.push_back({level.name + "/" + axes[digit.axis].name, 1, {}});
      if (goesOn) runs.back().name += "+" + axes[digit.axis].name;
      runs.back().digits.push_back(digit);
    }
    if (runs.size() < 2) {
      cut.push_back(std::move(level));
      continue;
    }
    runs.back().name = level.name;
    cut.insert(cut.end(), runs.begin(), runs.end());
  }
  return cut;
}

/// The digits of each level of a hierarchy before levels of size 1 are dropped, with the level's name.
std::vector<SynthesisLevel> rawLevels(const System& system, const Placement& placement, HierarchyKind kind) {
  std::vector<SynthesisLevel> raw;
  const std::vector<Axis>& axes = placement.axes();
  if (kind == HierarchyKind::System || kind == HierarchyKind::ReductionAxes) {
    for (const Level& level : system.levels) raw.push_back({level.name, 1, {}});
    for (const Digit& digit : placement.digits()) {
      if (kind == HierarchyKind::System || axes[digit.axis].reduce) raw[digit.level].digits.push_back(digit);
    }
    return kind == HierarchyKind::System ? raw : cutByRole(raw, axes);
  }
  std::vector<Digit> digits = placement.digits();
  if (kind == HierarchyKind::RowBased) {
    std::stable_sort(digits.begin(), digits.end(), [](const Digit& a, const Digit& b) { return a.axis < b.axis; });
  }
  for (const Digit& digit : digits) {
    raw.push_back({system.levels[digit.level].name + "/" + axes[digit.axis].name, 1, {digit}});
  }
  return raw;
}

/// Every sum of one value per digit, the first digit varying slowest.
std::vector<std::int64_t> combinations(const std::vector<Digit>& digits) {
  std::vector<std::int64_t> sums{0};
  for (const Digit& digit : digits) {
    std::vector<std::int64_t> next;
    next.reserve(sums.size() * static_cast<std::size_t>(digit.size));
    for (const std::int64_t sum : sums) {
      for (std::int64_t value = 0; value < digit.size; ++value) next.push_back(sum + value * digit.stride);
    }
    sums = std::move(next);
  }
  return sums;
}

}  // namespace

std::string_view nameOf(HierarchyKind kind) { return kKindNames[static_cast<std::size_t>(kind)].name; }

Result<HierarchyKind> hierarchyKindFrom(std::string_view name) {
  for (const KindName& known : kKindNames) {
    if (known.name == name) return known.kind;
  }
  return Error{"\"" + std::string(name) + "\" is not a synthesis hierarchy; use system, column, row or reduction"};
}

SynthesisHierarchy::SynthesisHierarchy(const System& system, const Placement& placement, HierarchyKind kind)
    : m_kind(kind), m_names{{std::string(kRootName), 0}} {
  for (SynthesisLevel& level : rawLevels(system, placement, kind)) {
    std::erase_if(level.digits, [](const Digit& digit) { return digit.size == 1; });
    for (const Digit& digit : level.digits) level.size *= digit.size;
    if (level.size > 1) m_levels.push_back(level);
    m_names.push_back({level.name, levelCount()});
  }
  if (kind != HierarchyKind::ReductionAxes) return;
  for (std::size_t level = 0; level < m_levels.size() && level < kMostLevelsInSet; ++level) {
    if (placement.axes()[m_levels[level].digits[0].axis].replicate) {
      m_replicated = static_cast<LevelSet>(m_replicated | 1u << level);
    }
  }
  for (const Digit& digit : placement.digits()) {
    if (!placement.axes()[digit.axis].reduce && digit.size > 1) m_outside.push_back(digit);
  }
}

std::vector<std::int64_t> SynthesisHierarchy::sizes() const {
  std::vector<std::int64_t> result;
  for (const SynthesisLevel& level : m_levels) result.push_back(level.size);
  return result;
}

std::int64_t SynthesisHierarchy::deviceCount() const {
  std::int64_t count = 1;
  for (const SynthesisLevel& level : m_levels) count *= level.size;
  return count;
}

std::string SynthesisHierarchy::levelName(int level) const {
  return level == 0 ? std::string(kRootName) : m_levels[static_cast<std::size_t>(level - 1)].name;
}

int SynthesisHierarchy::findLevel(std::string_view name) const {
  for (const NamedLevel& named : m_names) {
    if (named.name == name) return named.level;
  }
  return -1;
}

MemberId SynthesisHierarchy::memberOf(Device device) const {
  std::int64_t member = 0;
  for (const SynthesisLevel& level : m_levels) {
    for (const Digit& digit : level.digits) member = member * digit.size + digit.of(device);
  }
  return MemberId(member);
}

std::int64_t SynthesisHierarchy::groupSize(const GroupPattern& pattern) const {
  std::int64_t size = 1;
  for (int level = pattern.outer + 1; level <= pattern.inner; ++level) {
    if (pattern.varies(level)) size *= m_levels[static_cast<std::size_t>(level - 1)].size;
  }
  return size;
}

SynthesisHierarchy::GroupLayout SynthesisHierarchy::layoutOf(const GroupPattern& pattern) const {
  std::vector<Digit> varying;
  std::vector<Digit> fixed = m_outside;
  for (int level = 0; level < levelCount(); ++level) {
    const std::vector<Digit>& digits = m_levels[static_cast<std::size_t>(level)].digits;
    if (pattern.varies(level + 1)) {
      varying.insert(varying.end(), digits.begin(), digits.end());
    } else if (!pattern.master || level < pattern.inner) {
      fixed.insert(fixed.end(), digits.begin(), digits.end());
    }
  }
  GroupLayout layout{combinations(fixed), combinations(varying)};
  std::sort(layout.offsets.begin(), layout.offsets.end());
  std::sort(layout.bases.begin(), layout.bases.end());
  return layout;
}

std::vector<DeviceGroup> SynthesisHierarchy::groups(const GroupPattern& pattern) const {
  const auto [bases, offsets] = layoutOf(pattern);
  std::vector<DeviceGroup> groups;
  groups.reserve(bases.size());
  for (const std::int64_t base : bases) {
    DeviceGroup group;
    group.reserve(offsets.size());
    for (const std::int64_t offset : offsets) group.emplace_back(base + offset);
    groups.push_back(std::move(group));
  }
  return groups;
}

std::vector<MemberGroup> SynthesisHierarchy::memberGroups(const GroupPattern& pattern) const {
  SynthesisHierarchy inside = *this;
  inside.m_outside.clear();
  std::vector<MemberGroup> groups;
  for (const DeviceGroup& group : inside.groups(pattern)) {
    MemberGroup& members = groups.emplace_back();
    members.reserve(group.size());
    for (const Device device : group) members.push_back(memberOf(device));
  }
  return groups;
}

}  // namespace p2::inline synthesis
