// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace p2::inline base {

inline constexpr std::string_view kBlanks = " \t\r\n";

[[nodiscard]] constexpr bool isBlank(char c) { return kBlanks.find(c) != std::string_view::npos; }

/// The parts of a list with commas, without blanks around them. "a, b,,c" has four, "" one.
[[nodiscard]] std::vector<std::string> commaParts(std::string_view text);

/// The words between blanks; '=' is a word of its own: "data = 8" as "data=8".
[[nodiscard]] std::vector<std::string> wordsOf(std::string_view text);

/// Names that have no blanks in them, listed with commas, blanks or both: "a,b", "a b", "a, b".
[[nodiscard]] std::vector<std::string> listedNames(std::string_view text);

}  // namespace p2::inline base
