// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/run_result.h"
#include "text/json_document.h"

namespace p2::inline runs {

/// "min", "median" and "max", in seconds.
[[nodiscard]] Json spreadJson(const Spread& spread);

/// A result with all its members, as a runner sends it and as records keep it. O(steps).
[[nodiscard]] Json resultJson(const RunResult& result);

}  // namespace p2::inline runs
