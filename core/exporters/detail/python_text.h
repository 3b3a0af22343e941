// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"

namespace p2::inline exporters {

/// A Python string literal.
[[nodiscard]] std::string pythonString(std::string_view text);
/// A Python tuple of numbers: "(2, 4)", "(8,)".
[[nodiscard]] std::string pythonTuple(const std::vector<std::int64_t>& numbers);
/// A Python tuple of the axes' names.
[[nodiscard]] std::string pythonNames(const std::vector<Axis>& axes);
/// "# ", the placement, the axes and the system in one line, which begins every file of a placement.
[[nodiscard]] std::string placementComment(const Plan& plan);

}  // namespace p2::inline exporters
