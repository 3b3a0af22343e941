// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "placement/placement.h"

namespace p2::views {

/// "0/1": the device's coordinates, one per axis (the markers of paper Fig. 2).
[[nodiscard]] QString deviceMarker(const Placement& placement, Device device);
/// "device 5 · gpu 5 of node 0 · data 1, shards 1 · group B of 4: 4, 5, 6, 7"; long groups are cut.
[[nodiscard]] QString deviceSentence(const System& system, const Placement& placement, Device device);
/// "data/shards · colour and letter: 4 groups of 4 that reduce over shards".
[[nodiscard]] QString markerLegend(const Placement& placement);

}  // namespace p2::views
