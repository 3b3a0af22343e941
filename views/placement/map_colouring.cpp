// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/placement/map_colouring.h"

#include <map>

#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr double kOverlap = 0.01;               // so that neighbours become one outline
constexpr std::size_t kMostJoined = 1024;       // instances whose outlines are joined
constexpr double kBetweenCells = 2 + kOverlap;  // half of the gap between neighbours on the map
constexpr double kBetweenBoxes = 4 + kOverlap;

}  // namespace

MapColouring::MapColouring(const Placement& placement, const MatrixPart& part) : m_placement(&placement) {
  if (DeviceSplit split(placement, part); split.parts() > 1) m_split = std::move(split);
}

MapColouring::MapColouring(const Placement& placement, std::shared_ptr<const Placement> other)
    : m_placement(&placement), m_other(std::move(other)), m_diff(PlacementDiff(*m_other, placement)) {}

MapColouring::Look MapColouring::of(Device device) const {
  if (m_split) {
    const int part = int(m_split->partOf(device));
    return {part, Theme::categoryLetter(part)};
  }
  const int group = int(m_placement->groupOf(device));
  const QString letter = Theme::categoryLetter(group);
  if (!m_diff) return {group, letter};
  if (!m_diff->changes(device)) return {group, letter, true, false};
  const int before = int(m_other->groupOf(device));
  if (before == group) return {group, letter + u'≠', false, true};
  return {group, Theme::categoryLetter(before) + u'→' + letter, false, true};
}

bool MapColouring::together(Device a, Device b) const {
  return m_split ? m_split->partOf(a) == m_split->partOf(b) : m_placement->groupOf(a) == m_placement->groupOf(b);
}

std::vector<MapColouring::Hull> MapColouring::hulls(const DeviceMap& map) const {
  if (!m_split || !m_split->wholeLevel()) return {};
  const std::size_t level = *m_split->wholeLevel();
  if (level > map.cellLevel) return {};
  const bool single = level == map.cellLevel;
  std::map<std::int64_t, Hull> parts;
  std::size_t joined = 0;
  const auto add = [&](Device device, const QRectF& rect, double between) {
    const std::int64_t part = m_split->partOf(device);
    Hull& hull = parts[part];
    hull.part = part;
    hull.path.setFillRule(Qt::WindingFill);
    hull.path.addRect(rect.adjusted(-between, -between, between, between));
    if (!single) hull.boxes.push_back(rect);
    ++joined;
  };
  if (single) {
    for (const DeviceMap::Cell& cell : map.cells) add(cell.device, cell.rect, kBetweenCells);
  } else {
    std::int64_t below = 1;
    for (const Digit& digit : m_placement->digits()) below *= digit.level > level ? digit.size : 1;
    for (const DeviceMap::Box& box : map.boxes) {
      if (std::size_t(box.level) == level) add(Device(box.instance * below), box.rect, kBetweenBoxes);
    }
  }
  std::vector<Hull> hulls;
  for (auto& [number, hull] : parts) {
    if (joined <= kMostJoined) hull.path = hull.path.simplified();
    hulls.push_back(std::move(hull));
  }
  return hulls;
}

}  // namespace p2::views
