// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/calibration_fit.h"

#include <algorithm>
#include <cmath>

#include "cost/bounded_least_squares.h"

namespace p2 {
namespace {

constexpr int kMostRounds = 40;
constexpr int kMostRoutings = 8;
constexpr int kMostPasses = 4;
constexpr double kSettled = 1e-9;
/// Bandwidths stay within this factor of the nominal ones.
constexpr double kMostSlowness = 1000;
/// Pull towards the nominal values, in rows of 100 % error.
constexpr double kPull = 1e-6;
/// Relative errors up to here count squared, larger ones by their amount.
constexpr double kLargeError = 0.1;
/// The unit in which latencies are fitted.
constexpr double kMicrosecond = 1e-6;

double lossOf(double error) {
  const double size = std::abs(error);
  return size <= kLargeError ? size * size : kLargeError * (2 * size - kLargeError);
}

double weightOf(double error) { return std::abs(error) <= kLargeError ? 1 : kLargeError / std::abs(error); }

Figures between(const Figures& from, const Figures& to, double share) {
  Figures result = from;
  for (std::size_t i = 0; i < from.slowness.size(); ++i) {
    result.slowness[i] += share * (to.slowness[i] - from.slowness[i]);
    result.latency[i] += share * (to.latency[i] - from.latency[i]);
  }
  return result;
}

}  // namespace

CalibrationFit::CalibrationFit(const CalibrationRows& rows, CalibrationRows::List list, std::stop_token stop)
    : m_rows(rows), m_list(std::move(list)), m_stop(std::move(stop)), m_nominal(rows.nominal()) {}

Figures CalibrationFit::best() {
  Figures best = m_nominal;
  double least = loss(best, m_rows.predicted(best, m_list));
  // Other figures can mean other routes; the profiles are drawn up anew until these stay.
  for (int routing = 0; routing < kMostRoutings && !m_stop.stop_requested(); ++routing) {
    m_profiles = m_rows.profiles(best, m_list);
    m_leastLoss = std::numeric_limits<double>::infinity();
    descend(best);
    descendFromElsewhere();
    const double there = loss(m_best, m_rows.predicted(m_best, m_list));
    if (there >= least * (1 - kSettled)) break;
    least = there;
    best = m_best;
  }
  return best;
}

double CalibrationFit::loss(const Figures& figures, const std::vector<double>& seconds) const {
  double sum = 0;
  for (std::size_t i = 0; i < seconds.size(); ++i) sum += lossOf(seconds[i] / m_rows.measured(m_list[i]) - 1);
  for (std::size_t i = 0; i < figures.slowness.size(); ++i) {
    sum += kPull * std::pow(figures.slowness[i] - 1, 2);
    sum += kPull * std::pow((figures.latency[i] - m_nominal.latency[i]) / kMicrosecond, 2);
  }
  return sum;
}

double CalibrationFit::profiledLoss(const Figures& figures) const {
  std::vector<double> seconds;
  for (const TimeProfile& profile : m_profiles) seconds.push_back(profile.seconds(figures));
  return loss(figures, seconds);
}

/// Goes to the optimum for the interconnects that are the busiest here, or part of the way when others are the busiest
/// there and all of it makes things worse.
void CalibrationFit::descend(Figures figures) {
  double here = profiledLoss(figures);
  for (int round = 0; round < kMostRounds && !m_stop.stop_requested(); ++round) {
    const Figures goal = solved(figures);
    double share = 1;
    Figures next = goal;
    while (profiledLoss(next) > here && share > 1.0 / 64) {
      share /= 2;
      next = between(figures, goal, share);
    }
    const double gain = here - profiledLoss(next);
    if (gain <= kSettled * here) break;
    figures = std::move(next);
    here -= gain;
  }
  if (here >= m_leastLoss * (1 - kSettled)) return;
  m_leastLoss = here;
  m_best = std::move(figures);
}

/// An interconnect that limits nothing at one bandwidth may do so at another: tries each of them elsewhere.
void CalibrationFit::descendFromElsewhere() {
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const double before = m_leastLoss;
    for (std::size_t i = 0; i < m_nominal.slowness.size(); ++i) {
      for (const double slowness : {1.0, 4 * m_best.slowness[i], m_best.slowness[i] / 4}) {
        Figures start = m_best;
        start.slowness[i] = slowness;
        descend(std::move(start));
      }
    }
    if (m_leastLoss >= before) break;
  }
}

Figures CalibrationFit::solved(const Figures& figures) const {
  const std::size_t links = figures.slowness.size();
  const std::size_t unknowns = m_rows.tellLatency() ? 2 * links : links;
  BoundedLeastSquares problem(unknowns);
  for (std::size_t i = 0; i < m_profiles.size(); ++i) {
    const TimeProfile& profile = m_profiles[i];
    const double measured = m_rows.measured(m_list[i]);
    std::vector<double> row(unknowns, 0);
    for (std::size_t step = 0; step < profile.busy.size(); ++step) {
      const std::size_t link = profile.busiest(step, figures);
      row[link] += profile.busy[step][link] / measured;
    }
    for (std::size_t link = links; link < unknowns; ++link) {
      row[link] = profile.perLatency[link - links] * kMicrosecond / measured;
    }
    problem.addRow(row, 1 - profile.rest / measured, weightOf(profile.seconds(figures) / measured - 1));
  }
  std::vector<double> start = figures.slowness;
  std::vector<double> least(unknowns, 1 / kMostSlowness);
  std::vector<double> most(unknowns, kMostSlowness);
  for (std::size_t link = 0; link < links; ++link) problem.pull(link, 1, kPull);
  for (std::size_t link = links; link < unknowns; ++link) {
    problem.pull(link, m_nominal.latency[link - links] / kMicrosecond, kPull);
    start.push_back(figures.latency[link - links] / kMicrosecond);
    least[link] = 0;
    most[link] = std::numeric_limits<double>::max();
  }
  const std::vector<double> x = problem.minimum(std::move(start), least, most);
  Figures result = figures;
  std::copy_n(x.begin(), links, result.slowness.begin());
  for (std::size_t link = links; link < unknowns; ++link) result.latency[link - links] = x[link] * kMicrosecond;
  return result;
}

}  // namespace p2
