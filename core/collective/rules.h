// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <variant>
#include <vector>

#include "collective/collective.h"
#include "collective/detail/premise_failure.h"
#include "collective/device_state.h"

namespace p2::inline collective {

/// The states of a group's members, in group order, the first being the root.
using MemberStates = std::vector<const DeviceState*>;

/// Applies one rule to the states of one group: either every member's new state or the first premise that fails. All
/// states have the same size k; O(members · k²/64) words.
[[nodiscard]] std::variant<std::vector<DeviceState>, PremiseFailure> applyRule(Collective collective,
                                                                               const MemberStates& members,
                                                                               const GroupNames& names);

}  // namespace p2::inline collective
