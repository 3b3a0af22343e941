// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/text.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace p2::inline text {

/// Up to eight decimal digits.
struct DigitRun {
  std::uint64_t value = 0;
  int count = 0;
};

/// The digits that the eight bytes at `at` begin with, all at once.
inline DigitRun digitRun(const char* at) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  bytes ^= 0x3030303030303030;  // digits become 0 to 9
  const std::uint64_t others = ((bytes + 0x7676767676767676) | bytes) & 0x8080808080808080;
  const int count = others == 0 ? 8 : std::countr_zero(others) / 8;
  if (count == 0) return {};
  bytes <<= 8 * (8 - count);  // zeros in front
  bytes = (bytes * 10 + (bytes >> 8)) & 0x00FF00FF00FF00FF;
  bytes = (bytes * 100 + (bytes >> 16)) & 0x0000FFFF0000FFFF;
  return {(bytes * 10000 + (bytes >> 32)) & 0xFFFFFFFF, count};
}

/// Appends the items of "[1,20, 300]": whole numbers of at most 15 digits, which a double holds exactly, with a blank
/// at most behind a comma. Such are nearly all lists of costs. False, and something appended, where it is any other
/// list, even one of numbers. 24 bytes behind the list must be readable.
inline bool appendShortWholes(std::string_view list, std::vector<double>& values) {
  if constexpr (std::endian::native != std::endian::little) return false;
  constexpr std::uint64_t kPowers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  const char* at = list.data();
  const char* const last = at + list.size() - 1;
  if (list.size() < 3 || *at != '[' || *last != ']') return false;
  do {
    ++at;
    if (*at == ' ') ++at;
    const DigitRun head = digitRun(at);
    const DigitRun tail = head.count == 8 ? digitRun(at + 8) : DigitRun{};
    const int count = head.count + tail.count;
    if (count == 0 || count > 15 || (*at == '0' && count > 1)) return false;
    values.push_back(static_cast<double>(head.value * kPowers[tail.count] + tail.value));
    at += count;
  } while (at < last && *at == ',');
  return at == last;
}

}  // namespace p2::inline text
