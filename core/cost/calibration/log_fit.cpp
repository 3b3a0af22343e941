// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/calibration/detail/log_fit.h"

#include <algorithm>
#include <cmath>

#include "cost/calibration/bounded_least_squares.h"

namespace p2::inline cost {
namespace {

using Values = LogProblem::Values;

constexpr double kMostSpreads = 3;
constexpr double kDifference = 1e-3;

bool isFixed(const LogProblem& problem, std::size_t unknown) {
  return !problem.fixed.empty() && problem.fixed[unknown];
}

double robustWeight(const LogProblem& problem, std::size_t row, double off) {
  const double size = off / problem.outlier;
  return problem.weights[row] / (1 + size * size);
}

class Fitter {
 public:
  explicit Fitter(const LogProblem& problem) : m_problem(problem), m_pull(problem.noise * problem.noise) {}

  LogFit fit(int steps, const std::stop_token& stop, const Progress& progress) const {
    LogFit fit{m_problem.start, m_problem.residuals(m_problem.start), {}};
    double cost = costOf(fit);
    for (int step = 0; step < steps && !stop.stop_requested(); ++step) {
      if (progress) progress(static_cast<double>(step) / steps);
      fit.slopes = slopesAt(m_problem, fit.at, fit.residuals);
      const Values towards = gaussNewton(fit);
      bool better = false;
      for (double share = 1; share > 0.05 && !better; share /= 2) {
        LogFit next{fit.at, {}, fit.slopes};
        for (std::size_t i = 0; i < next.at.size(); ++i) next.at[i] += share * (towards[i] - fit.at[i]);
        next.residuals = m_problem.residuals(next.at);
        const double nextCost = costOf(next);
        if (nextCost >= cost * (1 - 1e-5)) continue;
        better = true;
        fit = std::move(next);
        cost = nextCost;
      }
      if (!better && !searched(fit, cost, stop)) break;
    }
    return fit;
  }

  [[nodiscard]] Values gaussNewton(const LogFit& fit) const {
    const std::size_t unknowns = fit.at.size();
    BoundedLeastSquares squares(unknowns);
    for (std::size_t i = 0; i < fit.slopes.size(); ++i) {
      const double weight = robustWeight(m_problem, i, fit.residuals[i]);
      if (weight == 0) continue;
      double target = -fit.residuals[i];
      for (std::size_t j = 0; j < unknowns; ++j) target += fit.slopes[i][j] * fit.at[j];
      squares.addRow(fit.slopes[i], target, weight);
    }
    Values least = m_problem.start;
    Values most = m_problem.start;
    for (std::size_t j = 0; j < unknowns; ++j) {
      squares.pull(j, m_problem.start[j], m_pull / (m_problem.spread[j] * m_problem.spread[j]));
      least[j] -= kMostSpreads * m_problem.spread[j];
      most[j] += kMostSpreads * m_problem.spread[j];
    }
    return squares.minimum(fit.at, least, most);
  }

 private:
  [[nodiscard]] double costOf(const LogFit& fit) const {
    double sum = 0;
    for (std::size_t i = 0; i < fit.residuals.size(); ++i) {
      const double size = fit.residuals[i] / m_problem.outlier;
      sum += m_problem.weights[i] * std::log1p(size * size) * m_problem.outlier * m_problem.outlier;
    }
    for (std::size_t i = 0; i < fit.at.size(); ++i) {
      const double moved = (fit.at[i] - m_problem.start[i]) / m_problem.spread[i];
      sum += m_pull * moved * moved;
    }
    return sum;
  }

  // Which of several ways is cheapest changes the slopes, so Gauss–Newton can stop where single values still help.
  bool searched(LogFit& fit, double& cost, const std::stop_token& stop) const {
    const double before = cost;
    for (std::size_t i = 0; i < fit.at.size() && !stop.stop_requested(); ++i) {
      if (isFixed(m_problem, i)) continue;
      const double most = kMostSpreads * m_problem.spread[i];
      for (const double share : {0.5, -0.5, 0.1, -0.1}) {
        LogFit next{fit.at, {}, fit.slopes};
        next.at[i] =
            std::clamp(next.at[i] + share * m_problem.spread[i], m_problem.start[i] - most, m_problem.start[i] + most);
        next.residuals = m_problem.residuals(next.at);
        const double nextCost = costOf(next);
        if (nextCost >= cost) continue;
        fit = std::move(next);
        cost = nextCost;
      }
    }
    return cost < before * (1 - 1e-4);
  }

  const LogProblem& m_problem;
  double m_pull;
};

}  // namespace

LogFit fitLogarithms(const LogProblem& problem, int steps, const std::stop_token& stop, const Progress& progress) {
  return Fitter(problem).fit(steps, stop, progress);
}

LogFit refitted(const LogProblem& problem, LogFit fit, int steps) {
  for (int step = 0; step < steps; ++step) {
    fit.at = Fitter(problem).gaussNewton(fit);
    fit.residuals = problem.residuals(fit.at);
  }
  return fit;
}

std::vector<Values> slopesAt(const LogProblem& problem, const Values& at, const Values& residuals) {
  std::vector<Values> slopes(residuals.size(), Values(at.size(), 0));
  for (std::size_t j = 0; j < at.size(); ++j) {
    if (isFixed(problem, j)) continue;
    Values moved = at;
    moved[j] += kDifference;
    const Values there = problem.residuals(moved);
    for (std::size_t i = 0; i < slopes.size(); ++i) slopes[i][j] = (there[i] - residuals[i]) / kDifference;
  }
  return slopes;
}

LogPosterior::LogPosterior(const LogProblem& problem, const LogFit& fit) {
  double squares = 0;
  double weight = 0;
  for (std::size_t i = 0; i < fit.residuals.size(); ++i) {
    const double trusted = robustWeight(problem, i, fit.residuals[i]);
    squares += trusted * fit.residuals[i] * fit.residuals[i];
    weight += trusted;
  }
  const double variance = std::max(problem.noise * problem.noise, weight > 0 ? squares / weight : 0);
  const auto unknowns = static_cast<Eigen::Index>(fit.at.size());
  Eigen::MatrixXd precision = Eigen::MatrixXd::Zero(unknowns, unknowns);
  for (std::size_t i = 0; i < fit.slopes.size(); ++i) {
    const Eigen::Map<const Eigen::VectorXd> slopes(fit.slopes[i].data(), unknowns);
    precision += robustWeight(problem, i, fit.residuals[i]) / variance * slopes * slopes.transpose();
  }
  const Eigen::Map<const Eigen::ArrayXd> spread(problem.spread.data(), unknowns);
  precision.diagonal() += spread.square().inverse().matrix();
  m_precision.compute(precision);
}

double LogPosterior::standardError(std::size_t unknown) const {
  Values slopes(static_cast<std::size_t>(m_precision.rows()), 0);
  slopes[unknown] = 1;
  return standardError(slopes);
}

double LogPosterior::standardError(const Values& slopes) const {
  const Eigen::Map<const Eigen::VectorXd> direction(slopes.data(), m_precision.rows());
  return std::sqrt(std::max(0.0, direction.dot(m_precision.solve(direction))));
}

}  // namespace p2::inline cost
