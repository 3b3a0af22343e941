// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>

namespace p2::inline base {

/// A number of bytes: of a vector, over a link. Shares of a vector need not be whole. Bytes are added, scaled by
/// numbers and compared with each other; for a division by a bandwidth or a time take their value().
class Bytes {
 public:
  constexpr Bytes() = default;
  constexpr explicit Bytes(double value) : m_value(value) {}

  [[nodiscard]] constexpr double value() const { return m_value; }

  constexpr Bytes& operator+=(Bytes other) {
    m_value += other.m_value;
    return *this;
  }
  friend constexpr Bytes operator+(Bytes a, Bytes b) { return Bytes(a.m_value + b.m_value); }
  friend constexpr Bytes operator*(Bytes bytes, double factor) { return Bytes(bytes.m_value * factor); }
  friend constexpr Bytes operator*(double factor, Bytes bytes) { return Bytes(factor * bytes.m_value); }
  friend constexpr Bytes operator/(Bytes bytes, double parts) { return Bytes(bytes.m_value / parts); }
  /// Quotient of two amounts of bytes.
  friend constexpr double operator/(Bytes a, Bytes b) { return a.m_value / b.m_value; }
  friend constexpr auto operator<=>(const Bytes&, const Bytes&) = default;

 private:
  double m_value = 0;
};

}  // namespace p2::inline base
