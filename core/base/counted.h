// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace p2::inline base {

/// "devices" of "device", "switches" of "switch"; what ends in s, as people name levels, is a plural already.
[[nodiscard]] inline std::string pluralOf(std::string_view noun) {
  std::string text(noun);
  if (noun.ends_with('s')) return text;
  if (noun.ends_with("ch") || noun.ends_with("sh") || noun.ends_with('x')) return text.append("es");
  if (noun == "leaf") return "leaves";
  return text.append("s");
}

/// "1 device", "64 devices"; "1 axis", "3 axes" where the plural is given.
template <std::integral Count>
[[nodiscard]] std::string countedText(Count count, std::string_view noun, std::string_view many = {}) {
  const std::string text = std::to_string(count) + ' ';
  if (count == Count(1)) return text + std::string(noun);
  return text + (many.empty() ? pluralOf(noun) : std::string(many));
}

}  // namespace p2::inline base
