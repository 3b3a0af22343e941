// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/plan.
#pragma once

#include <string>

#include "plan/plan.h"

namespace p2 {

/// One row per step and group; lists inside a cell are separated by blanks.
[[nodiscard]] std::string planToCsv(const Plan& plan);
/// A report for people: system, placement, program, and every step with its groups and predicted time.
[[nodiscard]] std::string planToText(const Plan& plan);

}  // namespace p2
