// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training_files.
#pragma once

#include <string_view>

namespace p2::inline training_files {

/// resources/training/arguments.csv: names of the frameworks' arguments, a line "framework,name" each.
[[nodiscard]] std::string_view argumentNamesText();

}  // namespace p2::inline training_files
