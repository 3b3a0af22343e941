// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "placement/placement.h"

namespace p2::views {

/// The name of a device, in every perspective.
///
/// "d5": in drawings and formulas.
[[nodiscard]] QString deviceShortName(Device device);
/// "device 5 · gpu 5 of node 0": in sentences and titles.
[[nodiscard]] QString deviceName(const System& system, Device device);
/// "2/0/1": the device's coordinates, one per axis (the markers of paper Fig. 2).
[[nodiscard]] QString deviceMarker(const Placement& placement, Device device);
/// "d5 · 2/0/1": both; "d5" where the marker says the same.
[[nodiscard]] QString deviceHeading(const Placement& placement, Device device);

}  // namespace p2::views
