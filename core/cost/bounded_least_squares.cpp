// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/bounded_least_squares.h"

#include <algorithm>
#include <cmath>

namespace p2 {

void BoundedLeastSquares::addRow(const std::vector<double>& row, double target, double weight) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] == 0) continue;
    for (std::size_t j = 0; j < row.size(); ++j) m_square[i][j] += weight * row[i] * row[j];
    m_right[i] += weight * row[i] * target;
  }
}

void BoundedLeastSquares::pull(std::size_t unknown, double prior, double strength) {
  m_square[unknown][unknown] += strength;
  m_right[unknown] += strength * prior;
}

std::vector<double> BoundedLeastSquares::minimum(std::vector<double> start, const std::vector<double>& least,
                                                 const std::vector<double>& most) const {
  constexpr int kMostSweeps = 2000;
  constexpr double kSettled = 1e-12;
  std::vector<double> x = std::move(start);
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double moved = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (m_square[i][i] <= 0) continue;
      double slope = m_right[i];
      for (std::size_t j = 0; j < x.size(); ++j) slope -= m_square[i][j] * x[j];
      const double next = std::clamp(x[i] + slope / m_square[i][i], least[i], most[i]);
      moved = std::max(moved, std::abs(next - x[i]) / std::max(1.0, std::abs(next)));
      x[i] = next;
    }
    if (moved < kSettled) break;
  }
  return x;
}

}  // namespace p2
