// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "base/strong_id.h"

namespace p2::inline base {

/// A device of a system: an instance of the innermost level, counted over the whole system, outermost level first.
/// How many devices there are is a plain number.
using Device = StrongId<struct DeviceTag>;
/// Devices in the order of their ring, the first being the root.
using DeviceGroup = std::vector<Device>;

}  // namespace p2::inline base
