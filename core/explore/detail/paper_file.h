// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace p2::inline explore {

/// resources/paper/results.csv, compiled in.
[[nodiscard]] std::string_view paperResultsFile();

}  // namespace p2::inline explore
