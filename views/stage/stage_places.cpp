// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/stage_places.h"

#include <algorithm>

namespace p2::views {
namespace {

constexpr double kAboveEdge = 2;  // between a line and the edge of its strip

}  // namespace

StagePlaces::StagePlaces(const System& system, const DeviceMap& map) : m_system(&system), m_map(&map) {
  for (std::size_t i = 0; i < map.boxes.size(); ++i) {
    m_boxes[{std::size_t(map.boxes[i].level), map.boxes[i].instance}] = i;
  }
}

const DeviceMap::Box* StagePlaces::boxOf(std::size_t level, std::int64_t instance) const {
  const auto found = m_boxes.find({level, instance});
  return found == m_boxes.end() ? nullptr : &m_map->boxes[found->second];
}

QRectF StagePlaces::stripOf(std::size_t level, std::int64_t parent) const {
  const DeviceMap::Box* box = level == 0 ? nullptr : boxOf(level - 1, parent);
  const QRectF& rect = box == nullptr ? m_map->bounds : box->rect;
  return {rect.left(), rect.top(), rect.width(), DeviceMap::kTitleHeight};
}

bool StagePlaces::shows(const Place& place) const {
  if (place.kind != Place::Kind::Level) return true;
  const bool device = place.index + 1 == m_system->levels.size();
  return device ? place.instance < std::int64_t(m_map->cells.size()) : boxOf(place.index, place.instance) != nullptr;
}

QPointF StagePlaces::pointOf(const Place& place) const {
  if (!shows(place)) return m_map->bounds.center();
  switch (place.kind) {
    case Place::Kind::Level:
      if (place.index + 1 == m_system->levels.size()) {
        const QRectF& cell = m_map->cells[std::size_t(place.instance)].rect;
        return {cell.center().x(), cell.top()};
      }
      return stripOf(place.index + 1, place.instance).center();
    case Place::Kind::Interconnect:
      return stripOf(place.index, place.instance).center();
    case Place::Kind::Network: {
      const Network& network = m_system->networks[place.index];
      const QRectF strip = stripOf(depthWithin(*m_system, network.within), place.instance / network.instances);
      const double share = (double(place.instance % network.instances) + 0.5) / double(network.instances);
      return {strip.left() + share * strip.width(), strip.center().y()};
    }
  }
  return {};
}

/// The rectangle of a cell or box.
QRectF StagePlaces::rectOf(const Place& place) const {
  if (place.index + 1 == m_system->levels.size()) return m_map->cells[std::size_t(place.instance)].rect;
  return boxOf(place.index, place.instance)->rect;
}

/// The strip of an interconnect or network, or of a box's inside.
QRectF StagePlaces::stripOf(const Place& place) const {
  if (place.kind != Place::Kind::Network) {
    return stripOf(place.kind == Place::Kind::Level ? place.index + 1 : place.index, place.instance);
  }
  const Network& network = m_system->networks[place.index];
  return stripOf(depthWithin(*m_system, network.within), place.instance / network.instances);
}

/// The height of the line in it.
double StagePlaces::lineOf(const Place& place) const {
  const QRectF strip = stripOf(place);
  return place.kind == Place::Kind::Network ? strip.center().y() : strip.bottom() - kAboveEdge;
}

QPointF StagePlaces::joinOf(const Place& place) const { return {pointOf(place).x(), lineOf(place)}; }

/// From a cell or box to the line of its interconnect.
std::vector<QPointF> StagePlaces::wayUp(const Place& item, const Place& joins) const {
  const QRectF rect = rectOf(item);
  const double x = rect.center().x();
  const double line = lineOf(joins);
  std::vector<QPointF> way;
  if (item.index + 1 < m_system->levels.size()) way.emplace_back(x, lineOf(item));
  way.emplace_back(x, rect.top());
  const double gap = gapOf(item) / 2;
  const bool firstRow = rect.top() <= stripOf(joins).bottom() + gap;
  if (!firstRow) {
    way.emplace_back(x, rect.top() - gap);
    way.emplace_back(rect.left() - gap, rect.top() - gap);
  }
  way.emplace_back(firstRow ? x : rect.left() - gap, line);
  if (joins.kind == Place::Kind::Network) way.push_back(pointOf(joins));
  return way;
}

/// Between two cells or boxes that a link of their own joins.
std::vector<QPointF> StagePlaces::wayAcross(const Place& from, const Place& to) const {
  const QRectF a = rectOf(from);
  const QRectF b = rectOf(to);
  const double gap = gapOf(from) / 2;
  std::vector<QPointF> way{{a.center().x(), a.top()}, {a.center().x(), a.top() - gap}};
  if (a.top() != b.top()) {
    way.emplace_back(b.left() - gap, a.top() - gap);
    way.emplace_back(b.left() - gap, b.top() - gap);
  }
  way.emplace_back(b.center().x(), b.top() - gap);
  way.emplace_back(b.center().x(), b.top());
  return way;
}

double StagePlaces::gapOf(const Place& item) const {
  return item.index + 1 == m_system->levels.size() ? DeviceMap::kCellGap : DeviceMap::kBoxGap;
}

std::vector<QPointF> StagePlaces::wayThrough(std::span<const Place> places) const {
  std::vector<QPointF> way;
  const auto add = [&way](QPointF point) {
    if (way.empty() || way.back() != point) way.push_back(point);
  };
  const auto isItem = [](const Place& place) { return place.kind == Place::Kind::Level; };
  // A box joins its cells and boxes, and is joined by the level outside.
  const auto joins = [&](const Place& outer, const Place& inner) {
    return isItem(inner) && (!isItem(outer) || outer.index < inner.index);
  };
  for (std::size_t i = 1; i < places.size(); ++i) {
    const Place& a = places[i - 1];
    const Place& b = places[i];
    std::vector<QPointF> part;
    if (!shows(a) || !shows(b)) {
      part = {pointOf(a), pointOf(b)};
    } else if (joins(b, a)) {
      part = wayUp(a, b);
    } else if (joins(a, b)) {
      part = wayUp(b, a);
      std::reverse(part.begin(), part.end());
    } else if (isItem(a) && isItem(b)) {
      part = wayAcross(a, b);
    } else {
      part = {pointOf(a), pointOf(b)};
    }
    if (i == 1 && !isItem(a)) add(joinOf(a));
    for (const QPointF& point : part) add(point);
    if (i + 1 == places.size() && !isItem(b)) add(joinOf(b));
  }
  if (way.empty() && !places.empty()) way.push_back(pointOf(places.front()));
  return way;
}

double StagePlaces::widthAt(const Place& place) const {
  switch (place.kind) {
    case Place::Kind::Level:
      break;
    case Place::Kind::Interconnect:
      return stripOf(place.index, place.instance).width();
    case Place::Kind::Network: {
      const Network& network = m_system->networks[place.index];
      const QRectF strip = stripOf(depthWithin(*m_system, network.within), place.instance / network.instances);
      return strip.width() / double(network.instances);
    }
  }
  return 0;
}

QPointF pointAlong(std::span<const QPointF> points, double share) {
  double length = 0;
  for (std::size_t i = 1; i < points.size(); ++i) length += QLineF(points[i - 1], points[i]).length();
  double rest = std::clamp(share, 0.0, 1.0) * length;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const QLineF part(points[i - 1], points[i]);
    if (rest <= part.length() && part.length() > 0) return part.pointAt(rest / part.length());
    rest -= part.length();
  }
  return points.back();
}

}  // namespace p2::views
