// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace p2 {

/// "1 device", "64 devices"; "1 axis", "3 axes" where the plural is given.
template <std::integral Count>
[[nodiscard]] std::string countedText(Count count, std::string_view noun, std::string_view many = {}) {
  std::string text = std::to_string(count) + ' ';
  if (count == Count(1)) return text.append(noun);
  return many.empty() ? text.append(noun).append("s") : text.append(many);
}

}  // namespace p2
