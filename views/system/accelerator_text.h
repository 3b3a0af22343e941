// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "system/system.h"

namespace p2::views {

/// What followed a change of the accelerator's type, "H200: memory 141 GB, memory bandwidth 4.80 TB/s … from its data
/// sheet. Kept as you set it: FP8 2 PFLOP/s. Links stay as drawn."; empty where the type is the same.
[[nodiscard]] QString acceleratorText(const System& before, const System& after);

}  // namespace p2::views
