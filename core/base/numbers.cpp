// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/numbers.h"

#include <algorithm>
#include <charconv>

namespace p2::inline base {

std::string Count::toString() const {
  if (m_value == 0) return "0";
  std::string digits;
  for (Wide rest = m_value; rest != 0; rest /= 10) {
    digits.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
  }
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::optional<std::int64_t> checkedProduct(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

std::optional<std::int64_t> checkedProduct(std::span<const std::int64_t> values) {
  std::optional<std::int64_t> product = 1;
  for (const std::int64_t value : values) {
    product = checkedProduct(*product, value);
    if (!product) return std::nullopt;
  }
  return product;
}

std::vector<std::int64_t> divisorsOf(std::int64_t n) {
  std::vector<std::int64_t> small;
  std::vector<std::int64_t> large;
  for (std::int64_t d = 1; d <= n / d; ++d) {
    if (n % d != 0) continue;
    small.push_back(d);
    if (d != n / d) large.push_back(n / d);
  }
  small.insert(small.end(), large.rbegin(), large.rend());
  return small;
}

std::optional<std::int64_t> parseInteger(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, value);
  if (text.empty() || status != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::string exactNumber(double value) {
  char buffer[64];
  const auto [end, status] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return status == std::errc{} ? std::string(buffer, end) : std::string("0");
}

}  // namespace p2::inline base
