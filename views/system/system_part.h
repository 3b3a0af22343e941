// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <string>
#include <vector>

#include "system/place.h"

namespace p2::views {

/// A selectable item of a system: a Place, all instances of one, or links of an interconnect.
struct SystemPart {
  using Kind = Place::Kind;
  Kind kind = Kind::Level;
  int index = -1;                       ///< into the system's levels or networks
  std::int64_t instance = -1;           ///< counted over the whole system; of Interconnect: the instance it stands in
  bool link = false;                    ///< links of it, not the thing itself
  std::vector<std::string> names = {};  ///< names of disabled parts, as in System::disabled

  friend bool operator==(const SystemPart&, const SystemPart&) = default;
};

/// Whether the part exists in the system; parts can outlive the edits that they were made for.
[[nodiscard]] bool isPartOf(const System& system, const SystemPart& part);
/// The interconnect of a part: its level's, or the network's.
[[nodiscard]] const Interconnect& interconnectOf(const System& system, const SystemPart& part);
[[nodiscard]] Interconnect& interconnectOf(System& system, const SystemPart& part);
/// "node", "NVSwitch", "PCIe switch": name of the part, without its instance.
[[nodiscard]] QString partName(const System& system, const SystemPart& part);
/// "NVSwitch", or the kind if it has no name.
[[nodiscard]] QString interconnectName(const Interconnect& link);

/// The level or network of that name; an index of −1 when there is none.
[[nodiscard]] SystemPart partNamed(const System& system, const std::string& name);
/// The place of the level `within` among the levels; −1 for the system itself and for unknown names.
[[nodiscard]] int levelIndex(const System& system, const std::string& name);
/// Number of instances of a level or network in one instance of the level `within` (−1: in the system).
[[nodiscard]] std::int64_t instancesWithin(const System& system, const SystemPart& part, int within);
}  // namespace p2::views
