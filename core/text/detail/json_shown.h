// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/text.
#pragma once

#include <string>
#include <string_view>

namespace p2::inline text {

/// The least double above every 64-bit whole number.
inline constexpr double kBeyondWhole = 9223372036854775808.0;

/// A value as it stands in a file, cut between characters to what fits in a sentence.
[[nodiscard]] inline std::string cutToSentence(std::string_view value) {
  constexpr std::size_t kMost = 40;
  if (value.size() <= kMost) return std::string(value);
  std::size_t cut = kMost;
  while (cut > 0 && (static_cast<unsigned char>(value[cut]) & 0xC0) == 0x80) --cut;
  return std::string(value.substr(0, cut)) + "…";
}

}  // namespace p2::inline text
