// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/calibration/bounded_least_squares.h"

#include <algorithm>
#include <cmath>

namespace p2::inline cost {

void BoundedLeastSquares::addRow(const std::vector<double>& row, double target, double weight) {
  const Eigen::Map<const Eigen::VectorXd> values(row.data(), m_right.size());
  m_square += weight * values * values.transpose();
  m_right += weight * target * values;
}

void BoundedLeastSquares::pull(std::size_t unknown, double prior, double strength) {
  const auto at = static_cast<Eigen::Index>(unknown);
  m_square(at, at) += strength;
  m_right(at) += strength * prior;
}

std::vector<double> BoundedLeastSquares::minimum(std::vector<double> start, const std::vector<double>& least,
                                                 const std::vector<double>& most) const {
  constexpr int kMostSweeps = 2000;
  constexpr double kSettled = 1e-12;
  Eigen::Map<Eigen::VectorXd> x(start.data(), m_right.size());
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double moved = 0;
    for (std::size_t i = 0; i < start.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      if (m_square(at, at) <= 0) continue;
      const double slope = m_right(at) - m_square.col(at).dot(x);
      const double next = std::clamp(x(at) + slope / m_square(at, at), least[i], most[i]);
      moved = std::max(moved, std::abs(next - x(at)) / std::max(1.0, std::abs(next)));
      x(at) = next;
    }
    if (moved < kSettled) break;
  }
  return start;
}

}  // namespace p2::inline cost
