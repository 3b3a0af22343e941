// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/stage_groups.h"

#include <QPen>
#include <algorithm>
#include <array>
#include <map>

#include "collective/collective_traits.h"

namespace p2::views {
namespace {

bool isIn(const DeviceGroup& devices, Device device) {
  return std::find(devices.begin(), devices.end(), device) != devices.end();
}

}  // namespace

StageGroups::StageGroups(const Replay& replay, StepId step, std::size_t devices) : m_members(devices) {
  if (step.isNone() || step.index() >= replay.facts.size()) return;
  const Instruction& instruction = replay.program[step.index()];
  const bool rooted = traitsOf(instruction.collective).rooted();
  const bool fails = step.value() == replay.validSteps() && replay.failure;
  std::map<Device, int> heads;
  for (std::size_t i = 0; i < devices; ++i) {
    const Device device{std::int64_t(i)};
    const Device head = groupHead(*replay.hierarchy, instruction.pattern, device);
    if (head.isNone()) continue;
    const auto [found, isNew] = heads.emplace(head, int(m_groups.size()));
    if (isNew) m_groups.emplace_back();
    m_groups[std::size_t(found->second)].push_back(device);
    m_members[i] = {found->second, rooted && device == head, fails && isIn(replay.failure->group, device)};
  }
}

StageGroups::StageGroups(const std::vector<DeviceGroup>& groups, std::size_t devices) : m_members(devices) {
  for (const DeviceGroup& group : groups) {
    DeviceGroup shown;
    for (const Device device : group) {
      if (device.isNone() || device.index() >= devices) continue;
      shown.push_back(device);
      m_members[device.index()].group = int(m_groups.size());
    }
    if (!shown.empty()) m_groups.push_back(std::move(shown));
  }
}

const StageGroups::Membership& StageGroups::of(Device device) const {
  static const Membership kOutside;
  return device.isNone() || device.index() >= m_members.size() ? kOutside : m_members[device.index()];
}

QPainterPath hullOf(const DeviceGroup& group, const DeviceMap& map, double margin) {
  QPainterPath path;
  path.setFillRule(Qt::WindingFill);
  QRectF all;
  for (const Device device : group) all |= map.cells[device.index()].rect;
  const auto within = std::count_if(map.cells.begin(), map.cells.end(),
                                    [&](const DeviceMap::Cell& cell) { return all.contains(cell.rect.center()); });
  const double radius = 2 * margin + 2;
  if (std::size_t(within) == group.size()) {
    path.addRoundedRect(all.adjusted(-margin, -margin, margin, margin), radius, radius);
    return path;
  }
  for (const Device device : group) {
    const QRectF& cell = map.cells[device.index()].rect;
    path.addRoundedRect(cell.adjusted(-margin, -margin, margin, margin), radius, radius);
  }
  return path;
}

QPen groupPen(int group, const QColor& color, double width) {
  static const std::array<QList<qreal>, 6> kDashes{QList<qreal>{}, {4, 2}, {1, 2},
                                                   {6, 2, 1, 2},   {8, 3}, {5, 2, 1, 2, 1, 2}};
  QPen pen(color, width);
  pen.setCapStyle(Qt::FlatCap);
  const QList<qreal>& dashes = kDashes[std::size_t(std::max(group, 0)) % kDashes.size()];
  if (!dashes.isEmpty()) pen.setDashPattern(dashes);
  return pen;
}

}  // namespace p2::views
