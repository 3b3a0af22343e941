// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace p2::inline base {

/// The number of bytes at the beginning of a text that are well-formed UTF-8 (RFC 3629: no overlong forms, no
/// surrogates, nothing above U+10FFFF). The whole size where nothing is wrong. O(length).
[[nodiscard]] std::size_t utf8Prefix(std::string_view text);

/// The text in UTF-8, without the byte order mark that some editors write; UTF-16 is recognised by its mark, and
/// damaged parts of it become question marks. Other text is unchanged.
[[nodiscard]] std::string withoutMark(std::string text);

[[nodiscard]] inline bool isUtf8(std::string_view text) { return utf8Prefix(text) == text.size(); }

/// The number of bytes of the character that a text, which must not be empty, begins with; 0 if it begins with none.
[[nodiscard]] std::size_t utf8Character(std::string_view text);

}  // namespace p2::inline base
