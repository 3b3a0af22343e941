// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/calibration/bounded_least_squares.h"

#include <Eigen/Cholesky>
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

// Nearly equal rows slow the sweeps down. The normal equations give the step of the unknowns off their bounds.
void BoundedLeastSquares::solveFree(std::vector<double>& at, const std::vector<double>& least,
                                    const std::vector<double>& most) const {
  std::vector<Eigen::Index> free;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const auto unknown = static_cast<Eigen::Index>(i);
    if (least[i] < at[i] && at[i] < most[i] && m_square(unknown, unknown) > 0) free.push_back(unknown);
  }
  if (free.empty()) return;
  const Eigen::Map<const Eigen::VectorXd> x(at.data(), m_right.size());
  const Eigen::VectorXd slopes = m_right - m_square * x;
  const Eigen::LDLT<Eigen::MatrixXd> factors(m_square(free, free));
  const Eigen::VectorXd step = factors.solve(slopes(free));
  if (factors.info() != Eigen::Success || !step.allFinite()) return;
  double share = 1;
  for (std::size_t i = 0; i < free.size(); ++i) {
    const auto unknown = static_cast<std::size_t>(free[i]);
    const double move = step(static_cast<Eigen::Index>(i));
    const double room = (move < 0 ? least[unknown] : most[unknown]) - at[unknown];
    if (std::abs(move) > std::abs(room)) share = std::min(share, room / move);
  }
  for (std::size_t i = 0; i < free.size(); ++i) {
    const auto unknown = static_cast<std::size_t>(free[i]);
    const double next = at[unknown] + share * step(static_cast<Eigen::Index>(i));
    at[unknown] = std::clamp(next, least[unknown], most[unknown]);
  }
}

std::vector<double> BoundedLeastSquares::minimum(std::vector<double> start, const std::vector<double>& least,
                                                 const std::vector<double>& most) const {
  constexpr int kMostSweeps = 2000;
  constexpr double kSettled = 1e-12;
  constexpr int kSweepsBetween = 50;
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    if (sweep % kSweepsBetween == kSweepsBetween - 1) solveFree(start, least, most);
    Eigen::Map<Eigen::VectorXd> x(start.data(), m_right.size());
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
