// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "placement/placement.h"

namespace p2::views {

/// "device 5 · gpu 5 of node 0 · data 1, shards 1 · group B of 4: 4, 5, 6, 7"; long groups are cut.
[[nodiscard]] QString deviceSentence(const System& system, const Placement& placement, Device device);
/// "data/shards": the meaning of a marker's numbers.
[[nodiscard]] QString markerNames(const Placement& placement);
/// "data/shards · colour and letter: 4 groups of 4 that reduce over shards".
[[nodiscard]] QString markerLegend(const Placement& placement);
/// "4, 5, 6, 7"; "0, 1, …, 15 and 84 more".
[[nodiscard]] QString membersText(const DeviceGroup& members);

}  // namespace p2::views
