// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace p2::inline base {

/// Two rules decide when two figures are the same, and each has one relative tolerance.
///
/// Arithmetic: sums of the same terms in another order, and shares computed along another way, differ by less than
/// this. Costs, bytes and bounds that are this close are ties.
inline constexpr double kArithmeticTolerance = 1e-9;
/// Display: figures this close read the same with three digits, so sentences call them equal.
inline constexpr double kDisplayTolerance = 0.005;

/// Whether two figures differ by at most the tolerance, relative to the larger magnitude. Infinity is nearly equal to
/// itself only.
[[nodiscard]] inline bool nearlyEqual(double a, double b, double tolerance = kArithmeticTolerance) {
  if (a == b) return true;
  const double larger = std::max(std::abs(a), std::abs(b));
  return std::isfinite(larger) && std::abs(a - b) <= tolerance * larger;
}

/// Whether `a` is below `b` by more than the tolerance.
[[nodiscard]] inline bool definitelyLess(double a, double b, double tolerance = kArithmeticTolerance) {
  return a < b && !nearlyEqual(a, b, tolerance);
}

/// A bound that stays a bound although its sum was rounded: `sum`, which is not negative, less the tolerance.
[[nodiscard]] inline double safeLowerBound(double sum) { return sum * (1 - kArithmeticTolerance); }

/// The one order by cost, cheapest first. Elements whose costs are nearly equal to the cheapest of them form a group
/// of ties; `sortTies(first, last)` orders each group. Its order must not depend on the order in which it finds the
/// elements. `cost(element)` is in any unit. O(n · log n), without what sortTies takes.
template <class Iterator, class Cost, class SortTies>
void sortByCost(Iterator first, Iterator last, const Cost& cost, const SortTies& sortTies) {
  std::stable_sort(first, last, [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
  while (first != last) {
    const double least = cost(*first);
    const Iterator end = std::find_if(first, last, [&](const auto& each) { return definitelyLess(least, cost(each)); });
    sortTies(first, end);
    first = end;
  }
}

/// The first element of sortByCost(): the cheapest, and among its ties the one that `isBefore(a, b)` puts before the
/// others, or the first where it puts neither before the other. `last` for an empty range. O(n).
template <class Iterator, class Cost, class IsBefore>
[[nodiscard]] Iterator cheapestOf(Iterator first, Iterator last, const Cost& cost, const IsBefore& isBefore) {
  const Iterator least = std::min_element(first, last, [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
  Iterator best = last;
  for (Iterator each = first; each != last; ++each) {
    if (definitelyLess(cost(*least), cost(*each))) continue;
    if (best == last || isBefore(*each, *best)) best = each;
  }
  return best;
}

/// As above, where ties go to the first element.
template <class Iterator, class Cost>
[[nodiscard]] Iterator cheapestOf(Iterator first, Iterator last, const Cost& cost) {
  return cheapestOf(first, last, cost, [](const auto&, const auto&) { return false; });
}

}  // namespace p2::inline base
