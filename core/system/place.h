// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "base/device.h"
#include "system/system.h"

namespace p2::inline system {

/// Something of a system that links begin and end at.
struct Place {
  enum class Kind {
    Level,         ///< an instance of a level
    Interconnect,  ///< what joins the children of an instance of the level above it
    Network,       ///< an instance of a network
  };
  Kind kind = Kind::Level;
  std::size_t index = 0;      ///< into the system's levels or networks
  std::int64_t instance = 0;  ///< counted over the whole system; for an Interconnect, the instance that contains it
  friend auto operator<=>(const Place&, const Place&) = default;
};

/// Levels above the inside of an instance of `within`: 0 for the system itself. The level must exist.
[[nodiscard]] std::size_t depthWithin(const System& system, const std::string& within);
/// "gpu 5 of node 1", "gpu ring of node 1", "NIC 0 of node 2": unique in a validated system. Levels with a single
/// instance are not mentioned.
[[nodiscard]] std::string placeName(const System& system, const Place& place);

/// The devices with the numbers first … last−1: the devices of one instance of a level, or of the whole system.
struct DeviceRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
  [[nodiscard]] bool holds(Device device) const { return first <= device.value() && device.value() < last; }
  [[nodiscard]] bool isWithin(const DeviceRange& outer) const { return outer.first <= first && last <= outer.last; }
  friend bool operator==(const DeviceRange&, const DeviceRange&) = default;
};

}  // namespace p2::inline system
