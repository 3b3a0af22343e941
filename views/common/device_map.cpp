// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/device_map.h"

#include <algorithm>
#include <cmath>

#include "views/common/text.h"

namespace p2::views {
namespace {

constexpr double kPadding = 8;
constexpr double kHole = 6;  // how much a hole in the last row weighs against the aspect

/// Arrangement of the children of an instance in rows; equal for all instances of a level.
struct Grid {
  std::int64_t count = 1;  // children that are laid out
  std::int64_t columns = 1;
  QSizeF item;
  double gap = 0;

  [[nodiscard]] QSizeF size() const {
    const std::int64_t rows = (count + columns - 1) / columns;
    return {double(columns) * (item.width() + gap) - gap, double(rows) * (item.height() + gap) - gap};
  }
  [[nodiscard]] QRectF place(std::int64_t child, QPointF origin) const {
    const std::int64_t row = child / columns;
    const double x = double(child % columns) * (item.width() + gap);
    const double y = double(row) * (item.height() + gap);
    return {origin + QPointF(x, y), item};
  }
};

Grid wrapped(std::int64_t count, QSizeF item, double gap, double aspect) {
  Grid best{count, 1, item, gap};
  double bestScore = INFINITY;
  for (std::int64_t columns = 1; columns <= count; ++columns) {
    const Grid grid{count, columns, item, gap};
    const std::int64_t holes = (count + columns - 1) / columns * columns - count;
    const QSizeF size = grid.size();
    const double misfit = std::abs(std::log(size.width() / size.height() / aspect));
    const double score = misfit + kHole * double(holes) / double(count);
    if (score < bestScore) {
      best = grid;
      bestScore = score;
    }
  }
  return best;
}

std::vector<std::int64_t> devicesBelow(const System& system) {
  std::vector<std::int64_t> below(system.levels.size(), 1);
  for (std::size_t level = below.size(); level-- > 1;) below[level - 1] = below[level] * system.levels[level].count;
  return below;
}

std::vector<Grid> gridsOf(const System& system, QSizeF cell, double aspect, std::int64_t mostDevices) {
  const std::vector<std::int64_t> below = devicesBelow(system);
  std::vector<Grid> grids(below.size());
  QSizeF item = cell;
  for (std::size_t level = below.size(); level-- > 0;) {
    const std::int64_t shown = std::min(system.levels[level].count, (mostDevices + below[level] - 1) / below[level]);
    grids[level] = wrapped(shown, item, level + 1 == below.size() ? DeviceMap::kCellGap : DeviceMap::kBoxGap, aspect);
    item = grids[level].size() + QSizeF(2 * kPadding, DeviceMap::kTitleHeight + kPadding);
  }
  return grids;
}

}  // namespace

DeviceMap layoutDevices(const System& system, QSizeF cell, double aspect, std::int64_t mostDevices) {
  DeviceMap map;
  if (system.levels.empty() || mostDevices < 1) return map;
  map.complete = system.deviceCount() <= mostDevices;
  map.cellLevel = system.levels.size() - 1;
  const std::vector<Grid> grids = gridsOf(system, cell, aspect, mostDevices);
  const std::vector<std::int64_t> below = devicesBelow(system);
  map.bounds = QRectF({0, 0}, grids[0].size());

  std::vector<DeviceMap::Box> parents{{-1, 0, map.bounds, {}}};
  for (std::size_t level = 0; level < grids.size(); ++level) {
    const bool devices = level + 1 == grids.size();
    const Level& own = system.levels[level];
    std::vector<DeviceMap::Box> children;
    for (const DeviceMap::Box& parent : parents) {
      const QPointF inset = level == 0 ? QPointF() : QPointF(kPadding, DeviceMap::kTitleHeight);
      for (std::int64_t child = 0; child < grids[level].count; ++child) {
        const std::int64_t instance = parent.instance * own.count + child;
        if (instance * below[level] >= mostDevices) break;
        const QRectF rect = grids[level].place(child, parent.rect.topLeft() + inset);
        if (devices) {
          map.cells.push_back({Device(instance), rect});
        } else {
          const QString label = qs(own.name) + ' ' + QString::number(child);
          children.push_back({int(level), instance, rect, label});
        }
      }
    }
    map.boxes.insert(map.boxes.end(), children.begin(), children.end());
    parents = std::move(children);
  }
  return map;
}

DeviceMap layoutFolded(const System& system, QSizeF cell, double aspect, std::int64_t mostDevices,
                       std::int64_t mostCells) {
  if (system.deviceCount() <= mostDevices) return layoutDevices(system, cell, aspect, mostDevices);
  System folded = system;
  std::int64_t each = 1;
  while (folded.levels.size() > 1 && (each == 1 || folded.deviceCount() > mostCells)) {
    each *= folded.levels.back().count;
    folded.levels.pop_back();
  }
  DeviceMap map = layoutDevices(folded, cell, aspect, mostCells);
  map.devicesPerCell = each;
  for (DeviceMap::Cell& folding : map.cells) folding.device = Device(folding.device.value() * each);
  return map;
}

QSizeF deviceMapSize(const System& system, QSizeF cell, double aspect, std::int64_t mostDevices) {
  if (system.levels.empty() || mostDevices < 1) return {};
  return gridsOf(system, cell, aspect, mostDevices)[0].size();
}

Device DeviceMap::deviceAt(QPointF point) const {
  const auto hit =
      std::find_if(cells.begin(), cells.end(), [&](const Cell& cell) { return cell.rect.contains(point); });
  return hit == cells.end() ? Device() : hit->device;
}

Device DeviceMap::neighbour(Device device, QPoint direction) const {
  if (!shows(device)) return cells.empty() ? Device() : Device(0);
  const Cell& own = cells[std::size_t(device.value() / devicesPerCell)];
  const QPointF from = own.rect.center();
  Device nearest = own.device;
  double best = INFINITY;
  for (const Cell& cell : cells) {
    const QPointF way = cell.rect.center() - from;
    const double ahead = way.x() * direction.x() + way.y() * direction.y();
    const double aside = std::abs(way.x() * direction.y()) + std::abs(way.y() * direction.x());
    // Going straight matters more than going near, so that a row of cells is walked to its end.
    const double score = ahead + 4 * aside;
    if (ahead > 0.5 && score < best) {
      best = score;
      nearest = cell.device;
    }
  }
  return nearest;
}

QString instanceName(const System& system, int level, std::int64_t instance) {
  QString name;
  for (int at = level; at >= 0; --at) {
    const Level& own = system.levels[std::size_t(at)];
    if (at == level || own.count > 1) {
      if (!name.isEmpty()) name += QStringLiteral(" of ");
      name += qs(own.name) + ' ' + QString::number(instance % own.count);
    }
    instance /= own.count;
  }
  return name;
}

}  // namespace p2::views
