// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload/import.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace p2::inline workload {

/// The lines of a text without their ends, from any system.
[[nodiscard]] std::vector<std::string_view> linesOf(std::string_view text);
/// The cells of a CSV line, unquoted (RFC 4180), without blanks around them.
[[nodiscard]] std::vector<std::string> cellsOf(std::string_view line);
/// Words between blanks and tabs.
[[nodiscard]] std::vector<std::string_view> spacedWords(std::string_view line);

}  // namespace p2::inline workload
