// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace p2 {

/// "1 device", "64 devices"; "1 axis", "3 axes" where the plural is given.
[[nodiscard]] inline std::string countedText(std::int64_t count, std::string_view noun, std::string_view many = {}) {
  std::string text = std::to_string(count) + ' ';
  if (count == 1) return text.append(noun);
  return many.empty() ? text.append(noun).append("s") : text.append(many);
}
/// The same of what is counted by size().
[[nodiscard]] inline std::string countedText(std::size_t count, std::string_view noun, std::string_view many = {}) {
  return countedText(static_cast<std::int64_t>(count), noun, many);
}

}  // namespace p2
