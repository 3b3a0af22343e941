// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/text.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.h"

namespace p2::inline text {

/// Characters allowed between tokens.
inline constexpr std::string_view kJsonBlanks = " \t\r\n";

[[nodiscard]] inline std::string_view trimmedJson(std::string_view token) {
  return token.substr(0, token.find_last_not_of(kJsonBlanks) + 1);  // npos + 1 is 0
}

/// The error of a text that cannot be read at all: it is empty, too large or UTF-16.
[[nodiscard]] std::optional<Error> unreadableError(std::string_view text);

/// The syntax error of a text, with line and column. Only for texts that could not be read: simdjson reports errors
/// without a place.
[[nodiscard]] Error jsonSyntaxError(std::string_view text, const std::stop_token& stop);

/// Error for nesting beyond JsonLimits::depth.
[[nodiscard]] Error tooDeepError();

/// "line 3, column 7" of a byte; both count from 1.
[[nodiscard]] std::string textPosition(std::string_view text, std::size_t byte);

}  // namespace p2::inline text
