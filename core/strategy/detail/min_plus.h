// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/strategy.
#pragma once

#include <cstddef>

namespace p2::inline strategy {

/// A matrix in someone else's memory; `stride` values from one row to the next.
struct MatrixView {
  const double* cells = nullptr;
  std::size_t stride = 0;
};

/// out[r][c] = min over k of left[r][k] + right[k][c], written row by row without gaps. `inner` is 1 or more, values
/// are finite. O(rows · inner · columns), several columns at a time on processors that can.
void minPlusProduct(MatrixView left, MatrixView right, std::size_t rows, std::size_t inner, std::size_t columns,
                    double* out);

/// The largest of left[i] − right[i]. `count` is 1 or more.
[[nodiscard]] double largestDifference(const double* left, const double* right, std::size_t count);

}  // namespace p2::inline strategy
