// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <vector>

namespace p2::inline cost {

/// The quadratic Σ_r weight_r (row_r · x − target_r)² + Σ_k pull_k (x_k − prior_k)², added up row by row.
class BoundedLeastSquares {
 public:
  explicit BoundedLeastSquares(std::size_t unknowns)
      : m_square(Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(unknowns), static_cast<Eigen::Index>(unknowns))),
        m_right(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(unknowns))) {}

  void addRow(const std::vector<double>& row, double target, double weight);
  void pull(std::size_t unknown, double prior, double strength);
  /// Its minimum with least ≤ x ≤ most, from `start`, by exact coordinate descent, which converges because the
  /// quadratic is convex, with solved normal equations at every fiftieth step. Unknowns that no row and no pull depends
  /// on keep their start. O(sweeps · unknowns²).
  [[nodiscard]] std::vector<double> minimum(std::vector<double> start, const std::vector<double>& least,
                                            const std::vector<double>& most) const;

 private:
  /// A step of the unknowns off their bounds to the minimum over them alone, cut at the first bound.
  void solveFree(std::vector<double>& at, const std::vector<double>& least, const std::vector<double>& most) const;

  Eigen::MatrixXd m_square;  // matrix of the normal equations
  Eigen::VectorXd m_right;
};

}  // namespace p2::inline cost
