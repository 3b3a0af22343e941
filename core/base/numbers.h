// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace p2::inline base {

/// A number of programs or placements. 128 bits, saturating at the largest value: counts grow with the
/// factorial of the levels and outgrow 64 bits.
class Count {
 public:
  constexpr Count(std::uint64_t value = 0) : m_value(value) {}  // NOLINT: integers are counts
  friend constexpr Count operator+(Count a, Count b) {
    Count sum;
    sum.m_value = a.m_value > kMost - b.m_value ? kMost : a.m_value + b.m_value;
    return sum;
  }
  friend constexpr Count operator*(Count a, Count b) {
    Count product;
    product.m_value = b.m_value != 0 && a.m_value > kMost / b.m_value ? kMost : a.m_value * b.m_value;
    return product;
  }
  constexpr Count& operator+=(Count other) { return *this = *this + other; }
  friend constexpr auto operator<=>(const Count&, const Count&) = default;

  [[nodiscard]] constexpr bool fits64() const { return m_value <= UINT64_MAX; }
  /// The value, or 2^64−1 when it does not fit.
  [[nodiscard]] constexpr std::uint64_t clamped64() const {
    return fits64() ? static_cast<std::uint64_t>(m_value) : UINT64_MAX;
  }
  [[nodiscard]] double toDouble() const { return static_cast<double>(m_value); }
  /// Decimal digits, without grouping.
  [[nodiscard]] std::string toString() const;

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr Wide kMost = ~Wide{0};
  Wide m_value;
};

/// a·b, or nothing when it leaves 63 bits. Both must be non-negative.
[[nodiscard]] std::optional<std::int64_t> checkedProduct(std::int64_t a, std::int64_t b);
/// ∏ values, or nothing when it leaves 63 bits.
[[nodiscard]] std::optional<std::int64_t> checkedProduct(std::span<const std::int64_t> values);

/// Divisors of n ≥ 1, ascending. O(√n).
[[nodiscard]] std::vector<std::int64_t> divisorsOf(std::int64_t n);

/// A whole decimal number (optional sign, surrounding blanks allowed), or nothing.
[[nodiscard]] std::optional<std::int64_t> parseInteger(std::string_view text);

/// The shortest decimal text that reads back as exactly this double, independent of the locale.
[[nodiscard]] std::string exactNumber(double value);

}  // namespace p2::inline base
