// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/device.h"
#include "collective/collective_traits.h"

namespace p2 {

/// Why a rule does not apply to a group.
struct PremiseFailure {
  Collective rule{};
  Premise premise{};
  DeviceGroup group;         ///< the whole group, in order
  DeviceGroup members;       ///< the one or two devices that break the premise
  std::vector<int> rows;     ///< chunks concerned
  std::vector<int> columns;  ///< contributions concerned (reduction-group members)
  /// "chunk 3 already contains device 5's contribution on both device 1 and device 4".
  std::string sentence;
  friend bool operator==(const PremiseFailure&, const PremiseFailure&) = default;
};

/// Names for the numbers in a failure's sentence.
struct GroupNames {
  DeviceGroup devices;       ///< device of every member, in group order
  DeviceGroup contributors;  ///< device behind every column
};

/// Applies one rule to the states of one group: either every member's new state or the first premise that fails. All
/// states have the same size k; O(members · k²/64) words.
[[nodiscard]] std::variant<std::vector<DeviceState>, PremiseFailure> applyRule(Collective collective,
                                                                               const MemberStates& members,
                                                                               const GroupNames& names);

}  // namespace p2
