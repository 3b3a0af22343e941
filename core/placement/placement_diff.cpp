// SPDX-License-Identifier: GPL-3.0-or-later
#include "placement/placement_diff.h"

#include <algorithm>

#include "placement/device_split.h"

namespace p2::inline placement {
namespace {

/// The part of a group on one level, for every instance of it: the instance's first partner and its number of
/// partners.
struct LevelGroups {
  std::vector<std::int64_t> first;
  std::int64_t size = 1;
};

LevelGroups groupsOn(const Placement& placement, std::size_t level, std::int64_t count, std::int64_t stride) {
  LevelGroups groups;
  for (std::int64_t instance = 0; instance < count; ++instance) groups.first.push_back(instance);
  for (const Digit& digit : placement.digits()) {
    if (digit.level != level || !placement.axes()[digit.axis].reduce) continue;
    groups.size *= digit.size;
    const std::int64_t step = digit.stride / stride;
    for (std::int64_t& first : groups.first) first -= first / step % digit.size * step;
  }
  return groups;
}

/// The instances whose partners are the same in both.
std::vector<bool> keptInstances(const LevelGroups& before, const LevelGroups& after) {
  const std::size_t count = before.first.size();
  std::vector<bool> kept(count, before.size == after.size);
  // Groups of one size are the same if all members of one agree on the first member of the other.
  for (std::size_t instance = 0; instance < count; ++instance) {
    const auto head = std::size_t(before.first[instance]);
    if (after.first[instance] != after.first[head]) kept[head] = false;
  }
  for (std::size_t instance = 0; instance < count; ++instance) {
    kept[instance] = kept[std::size_t(before.first[instance])];
  }
  return kept;
}

std::vector<bool> reducedRows(const std::vector<Axis>& axes) {
  std::vector<bool> rows;
  for (const Axis& axis : axes) rows.push_back(axis.reduce);
  return rows;
}

}  // namespace

PlacementDiff::PlacementDiff(const Placement& before, const Placement& after) {
  const std::size_t levels = before.matrix().columns();
  m_levels.resize(levels);
  for (std::size_t level = levels; level-- > 0;) {
    LevelDiff& own = m_levels[level];
    own.stride = m_deviceCount;
    std::int64_t count = 1;
    for (std::size_t row = 0; row < before.matrix().rows(); ++row) count *= before.matrix().at(row, level);
    m_deviceCount *= count;
    own.kept = keptInstances(groupsOn(before, level, count, own.stride), groupsOn(after, level, count, own.stride));
    m_keptCount *= std::count(own.kept.begin(), own.kept.end(), true);
  }
  const std::vector<bool> reduced = reducedRows(before.axes());
  for (std::size_t level = 0; level + 1 < levels; ++level) {
    const Span span{level, instancesTouched(before.matrix(), reduced, level),
                    instancesTouched(after.matrix(), reduced, level)};
    if (span.before != span.after) m_spans.push_back(span);
  }
}

bool PlacementDiff::changes(Device device) const {
  return std::any_of(m_levels.begin(), m_levels.end(), [device](const LevelDiff& level) {
    return !level.kept[std::size_t(device.value() / level.stride) % level.kept.size()];
  });
}

}  // namespace p2::inline placement
