// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Cholesky>
#include <functional>
#include <stop_token>
#include <vector>

#include "base/progress.h"

namespace p2::inline cost {

/// Positive unknowns, by their logarithms, that are to explain measurements.
struct LogProblem {
  using Values = std::vector<double>;
  Values start;             ///< where they are pulled to
  Values spread;            ///< by how much each may well differ from there
  std::vector<bool> fixed;  ///< those that stay; empty for none
  Values weights;           ///< weights of the measurements
  /// By measurement the logarithm of predicted over measured.
  std::function<Values(const Values&)> residuals;
  /// A residual that is no surprise: an unknown that is off by its spread counts as much as one measurement of weight 1
  /// that is off by this.
  double noise = 0.1;
  double outlier = 0.2;  ///< residuals well above count by their logarithm only (Cauchy)
};

/// Where a fit ended.
struct LogFit {
  LogProblem::Values at;
  LogProblem::Values residuals;
  std::vector<LogProblem::Values> slopes;  ///< by measurement and unknown, where the last step was made from
};

/// Least squares with Cauchy's loss, each unknown pulled to where it starts and kept within three spreads of it. By
/// Gauss–Newton steps, and unknown by unknown where these no longer help. O(steps · unknowns) calls of `residuals`.
/// Honours `stop`, and returns the best fit so far.
[[nodiscard]] LogFit fitLogarithms(const LogProblem& problem, int steps, const std::stop_token& stop = {},
                                   const Progress& progress = {});

/// The fit of a problem, from a fit with other weights: Gauss–Newton steps with the slopes of the latter.
/// O(steps · measurements · unknowns²), and a call of `residuals` for each step.
[[nodiscard]] LogFit refitted(const LogProblem& problem, LogFit fit, int steps);

/// By measurement and unknown, d residual / d logarithm. A call of `residuals` for each unknown.
[[nodiscard]] std::vector<LogProblem::Values> slopesAt(const LogProblem& problem, const LogProblem::Values& at,
                                                       const LogProblem::Values& residuals);

/// Uncertainty of fitted unknowns: a normal distribution around the fit.
class LogPosterior {
 public:
  /// Its covariance is the inverse of the fit's normal equations, where spreads are standard deviations and residuals
  /// have the deviation that the fit left, at least the problem's noise. O(unknowns³).
  LogPosterior(const LogProblem& problem, const LogFit& fit);

  /// Standard error of the logarithm of an unknown; its spread if it is fixed. O(unknowns²).
  [[nodiscard]] double standardError(std::size_t unknown) const;
  /// Standard error of the logarithm of a prediction with these slopes. O(unknowns²).
  [[nodiscard]] double standardError(const LogProblem::Values& slopes) const;

 private:
  Eigen::LDLT<Eigen::MatrixXd> m_precision;  // the inverse of the covariance
};

}  // namespace p2::inline cost
