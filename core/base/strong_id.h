// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace p2::inline base {

/// The number of one thing among all of its kind, counted from 0. Numbers of different kinds do not mix, and one does
/// not calculate with them: `using LinkId = StrongId<struct LinkTag>`.
template <class Tag>
class StrongId {
 public:
  /// The number of nothing.
  constexpr StrongId() = default;
  constexpr explicit StrongId(std::int64_t value) : m_value(value) {}

  [[nodiscard]] constexpr bool isNone() const { return m_value < 0; }
  /// −1 for nothing.
  [[nodiscard]] constexpr std::int64_t value() const { return m_value; }
  /// Index in a list of all things of its kind. Precondition: not none.
  [[nodiscard]] constexpr std::size_t index() const { return static_cast<std::size_t>(m_value); }
  friend constexpr auto operator<=>(const StrongId&, const StrongId&) = default;

 private:
  std::int64_t m_value = -1;
};

/// The ids as plain numbers, for files and listings.
template <class Id>
[[nodiscard]] std::vector<std::int64_t> numbersOf(const std::vector<Id>& ids) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(ids.size());
  for (const Id id : ids) numbers.push_back(id.value());
  return numbers;
}

/// The first `count` numbers of a kind in ascending order: `for (const LinkId link : topology.links())`.
template <class Id>
class IdRange {
 public:
  class Iterator {
   public:
    constexpr explicit Iterator(std::int64_t value) : m_value(value) {}
    constexpr Id operator*() const { return Id(m_value); }
    constexpr Iterator& operator++() {
      ++m_value;
      return *this;
    }
    friend constexpr bool operator==(const Iterator&, const Iterator&) = default;

   private:
    std::int64_t m_value;
  };

  constexpr explicit IdRange(std::int64_t count) : m_count(count) {}
  [[nodiscard]] constexpr Iterator begin() const { return Iterator(0); }
  [[nodiscard]] constexpr Iterator end() const { return Iterator(m_count); }
  [[nodiscard]] constexpr std::int64_t size() const { return m_count; }

 private:
  std::int64_t m_count;
};

}  // namespace p2::inline base
