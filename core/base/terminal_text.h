// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace p2::inline base {

/// A text that is safe to show on a terminal: control sequences and unprintable characters are written as the
/// hexadecimal digits of its bytes, "\x1b". These are the control characters of ASCII but for newline and tab,
/// Unicode's from U+0080 to U+009F, the characters that turn the direction of the text around them (U+202A to U+202E,
/// U+2066 to U+2069), and bytes that are no UTF-8. Everything else stays. O(length).
[[nodiscard]] std::string terminalText(std::string_view text);

/// Whether one character in UTF-8 is DEL or one of those beyond ASCII that are not shown as they are.
[[nodiscard]] bool isTerminalCommand(std::string_view character);

/// The first characters of a UTF-8 text that fit into this number of columns (at least one) including "…", or all of
/// it; each character takes one column. O(columns).
[[nodiscard]] std::string inColumns(std::string_view text, std::size_t columns);

/// Bytes of an incomplete text that terminalText() can take: all but the beginning of a character at its end.
[[nodiscard]] std::size_t wholeCharacters(std::string_view text);

}  // namespace p2::inline base
