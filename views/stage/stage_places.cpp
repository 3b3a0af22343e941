// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/stage_places.h"

#include <algorithm>

namespace p2::views {

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
