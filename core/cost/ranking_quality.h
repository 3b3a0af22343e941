// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "base/near.h"

namespace p2::inline cost {

/// A program's predicted and measured seconds.
struct Comparison {
  double predicted = 0;
  double measured = 0;
  friend bool operator==(const Comparison&, const Comparison&) = default;
};

/// How well predictions rank programs (paper Table 5). All of these want one comparison or more.

/// Share of the `k` best measured programs among the `k` best predicted; with sets of equal size precision, recall and
/// F1 are the same. Programs that tie with the k-th predicted one, within `tolerance`, count as among them, and those
/// that tie with the k-th measured one as best, since their order is not determined. O(n log n).
[[nodiscard]] double topKF1(const std::vector<Comparison>& programs, std::size_t k,
                            double tolerance = kArithmeticTolerance);

/// Spearman's rank correlation, −1 … 1, ties sharing their mean rank; 1 where one side is constant. O(n log n).
[[nodiscard]] double spearman(const std::vector<Comparison>& programs);

/// Measured time of the best predicted over the best measured, 1 or more. Of several best predicted the worst counts.
[[nodiscard]] double regret(const std::vector<Comparison>& programs, double tolerance = kArithmeticTolerance);

/// Median of |predicted − measured| / measured.
[[nodiscard]] double medianError(const std::vector<Comparison>& programs);

}  // namespace p2::inline cost
