// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace p2::inline base {

/// "it takes 280 ms" as "It takes 280 ms.": with a capital and a full stop, unless it ends in a mark already.
[[nodiscard]] inline std::string sentenceOf(std::string text) {
  if (text.empty()) return text;
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  if (std::string_view(".?!").find(text.back()) == std::string_view::npos) text += '.';
  return text;
}

}  // namespace p2::inline base
