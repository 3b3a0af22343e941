// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <stop_token>
#include <vector>

#include "system/topology.h"

namespace p2::views {

/// The ways that messages take through a system, place by place.
class StageRoutes {
 public:
  /// The topology must outlive it. Once `stop` is requested, no more ways are searched for, and all lead straight.
  explicit StageRoutes(const Topology& topology, std::stop_token stop = {})
      : m_topology(topology), m_stop(std::move(stop)) {}

  /// From one device to another, both ends included.
  [[nodiscard]] std::vector<Place> between(Device from, Device to) const;
  /// The switch, bus or network in the middle of the way between two devices: the outermost it passes, or what joins
  /// the instances that both are in where it passes none.
  [[nodiscard]] Place middleOf(Device a, Device b) const;
  /// The part of the way from one device to another that leads to a place; straight there if it does not pass it.
  [[nodiscard]] std::vector<Place> leadingTo(const Place& middle, Device from, Device to) const;
  [[nodiscard]] std::vector<Place> leadingFrom(const Place& middle, Device from, Device to) const;
  /// The innermost instance above the devices that one is in, a node of the drawing; the device where there is none.
  [[nodiscard]] Place nodeOf(Device device) const;

 private:
  [[nodiscard]] Place placeOf(Device device) const;
  [[nodiscard]] std::size_t depthOf(const Place& place) const;

  const Topology& m_topology;
  std::stop_token m_stop;
};

}  // namespace p2::views
