// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/detail/min_plus.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace p2::inline strategy {
namespace {

constexpr std::size_t kLanes = 8;  // doubles worked on together: one AVX-512 register, two of AVX, four of SSE
using Lanes [[gnu::vector_size(kLanes * sizeof(double))]] = double;

/// Rows × 2·kLanes of the result at once, so that they stay in registers while `k` runs.
template <std::size_t Rows, std::size_t Groups>
[[gnu::always_inline]] inline void productTile(MatrixView left, MatrixView right, std::size_t inner, double* out,
                                               std::size_t columns) {
  Lanes least[Rows][Groups];
  for (auto& row : least) {
    for (Lanes& lanes : row) lanes = Lanes{} + std::numeric_limits<double>::max();
  }
  for (std::size_t k = 0; k < inner; ++k) {
    Lanes cells[Groups];
    std::memcpy(cells, right.cells + k * right.stride, sizeof cells);
    for (std::size_t r = 0; r < Rows; ++r) {
      const double base = left.cells[r * left.stride + k];
      for (std::size_t g = 0; g < Groups; ++g) {
        const Lanes sum = cells[g] + base;
        least[r][g] = sum < least[r][g] ? sum : least[r][g];
      }
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) std::memcpy(out + r * columns, least[r], sizeof least[r]);
}

template <std::size_t Groups>
[[gnu::always_inline]] inline void productColumns(MatrixView left, MatrixView right, std::size_t rows,
                                                  std::size_t inner, double* out, std::size_t columns) {
  std::size_t r = 0;
  for (; r + 4 <= rows; r += 4) {
    productTile<4, Groups>({left.cells + r * left.stride, left.stride}, right, inner, out + r * columns, columns);
  }
  for (; r < rows; ++r) {
    productTile<1, Groups>({left.cells + r * left.stride, left.stride}, right, inner, out + r * columns, columns);
  }
}

/// For fewer columns than there are lanes.
[[gnu::always_inline]] inline void productNarrow(MatrixView left, MatrixView right, std::size_t rows, std::size_t inner,
                                                 double* out, std::size_t columns) {
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      double least = std::numeric_limits<double>::max();
      for (std::size_t k = 0; k < inner; ++k) {
        least = std::min(least, left.cells[r * left.stride + k] + right.cells[k * right.stride + c]);
      }
      out[r * columns + c] = least;
    }
  }
}

[[gnu::always_inline]] inline void product(MatrixView left, MatrixView right, std::size_t rows, std::size_t inner,
                                           std::size_t columns, double* out) {
  if (columns < kLanes) return productNarrow(left, right, rows, inner, out, columns);
  constexpr std::size_t kWide = 2 * kLanes;
  std::size_t c = 0;
  for (; c + kWide <= columns; c += kWide) {
    productColumns<2>(left, {right.cells + c, right.stride}, rows, inner, out + c, columns);
  }
  for (; c < columns; c += kLanes) {
    // The last group overlaps the one before: those columns get the same values again.
    const std::size_t at = std::min(c, columns - kLanes);
    productColumns<1>(left, {right.cells + at, right.stride}, rows, inner, out + at, columns);
  }
}

[[gnu::always_inline]] inline double largest(const double* left, const double* right, std::size_t count) {
  Lanes most = Lanes{} - std::numeric_limits<double>::max();
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    Lanes a;
    Lanes b;
    std::memcpy(&a, left + i, sizeof a);
    std::memcpy(&b, right + i, sizeof b);
    const Lanes difference = a - b;
    most = difference > most ? difference : most;
  }
  double result = -std::numeric_limits<double>::max();
  for (std::size_t lane = 0; lane < kLanes; ++lane) result = std::max(result, most[lane]);
  for (; i < count; ++i) result = std::max(result, left[i] - right[i]);
  return result;
}

#if defined(__x86_64__)
[[gnu::target("avx512f")]] void productAvx512(MatrixView left, MatrixView right, std::size_t rows, std::size_t inner,
                                              std::size_t columns, double* out) {
  product(left, right, rows, inner, columns, out);
}
[[gnu::target("avx2")]] void productAvx2(MatrixView left, MatrixView right, std::size_t rows, std::size_t inner,
                                         std::size_t columns, double* out) {
  product(left, right, rows, inner, columns, out);
}
[[gnu::target("avx2")]] double largestAvx2(const double* left, const double* right, std::size_t count) {
  return largest(left, right, count);
}
#endif

}  // namespace

void minPlusProduct(MatrixView left, MatrixView right, std::size_t rows, std::size_t inner, std::size_t columns,
                    double* out) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return productAvx512(left, right, rows, inner, columns, out);
  if (__builtin_cpu_supports("avx2")) return productAvx2(left, right, rows, inner, columns, out);
#endif
  product(left, right, rows, inner, columns, out);
}

double largestDifference(const double* left, const double* right, std::size_t count) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return largestAvx2(left, right, count);
#endif
  return largest(left, right, count);
}

}  // namespace p2::inline strategy
