// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/calibration/detail/calibration_fit.h"

#include <algorithm>
#include <cmath>

#include "cost/calibration/bounded_least_squares.h"

namespace p2::inline cost {
namespace {

constexpr int kMostRounds = 40;
constexpr int kMostRoutings = 8;
constexpr int kMostPasses = 4;
constexpr double kSettled = 1e-9;
/// Bandwidths stay within this factor of the nominal ones.
constexpr double kMostSlowness = 1000;
/// Pull towards the nominal values, in rows of 100 % error.
constexpr double kPull = 1e-6;
/// Least effect of a figure that is kept: as much as one row that is off by 3 %, and if it limits no other row of
/// several, by 10 %.
constexpr double kWorth = 1e-3;
constexpr double kWorthOfOneRow = 1e-2;
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
  }
  for (std::size_t i = 0; i < from.latency.size(); ++i) {
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
  // Other figures can mean other routes; the profiles are drawn up again until these stay.
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
  return simplified(std::move(best), least);
}

/// Without the figures that explain hardly anything: those that limit a row or two by next to nothing would be as
/// arbitrary for others.
Figures CalibrationFit::simplified(Figures figures, double loss) const {
  for (std::size_t i = 0; i < figures.slowness.size() && !m_stop.stop_requested(); ++i) {
    if (figures.slowness[i] == m_nominal.slowness[i]) continue;
    Figures without = figures;
    without.slowness[i] = m_nominal.slowness[i];
    const double there = this->loss(without, m_rows.predicted(without, m_list));
    const bool ofOneRow = m_list.size() > 1 && rowsLimitedBy(i, m_profiles, figures) < 2;
    if (there > loss + (ofOneRow ? kWorthOfOneRow : kWorth)) continue;
    loss = there;
    figures = std::move(without);
  }
  return figures;
}

double CalibrationFit::loss(const Figures& figures, const std::vector<double>& seconds) const {
  double sum = 0;
  for (std::size_t i = 0; i < seconds.size(); ++i) sum += lossOf(seconds[i] / m_rows.measured(m_list[i]) - 1);
  for (std::size_t i = 0; i < figures.slowness.size(); ++i) {
    sum += kPull * std::pow(figures.slowness[i] - m_nominal.slowness[i], 2);
  }
  for (std::size_t i = 0; i < figures.latency.size(); ++i) {
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
      if (!m_rows.canTell(i)) continue;
      // A cap that is not there yet would limit something at half of the bandwidth.
      const double half = 2 * m_best.slowness[i % m_nominal.interconnects()];
      for (const double slowness : {m_nominal.slowness[i], half, 4 * m_best.slowness[i], m_best.slowness[i] / 4}) {
        Figures start = m_best;
        start.slowness[i] = slowness;
        descend(std::move(start));
      }
    }
    if (m_leastLoss >= before) break;
  }
}

Figures CalibrationFit::solved(const Figures& figures) const {
  const std::size_t limits = figures.slowness.size();
  const std::size_t unknowns = m_rows.tellLatency() ? limits + figures.latency.size() : limits;
  BoundedLeastSquares problem(unknowns);
  for (std::size_t i = 0; i < m_profiles.size(); ++i) {
    const TimeProfile& profile = m_profiles[i];
    const double measured = m_rows.measured(m_list[i]);
    std::vector<double> row(unknowns, 0);
    for (std::size_t step = 0; step < profile.busy.size(); ++step) {
      const std::size_t limit = profile.busiest(step, figures);
      row[limit] += profile.busy[step][limit] / measured;
    }
    for (std::size_t latency = limits; latency < unknowns; ++latency) {
      row[latency] = profile.perLatency[latency - limits] * kMicrosecond / measured;
    }
    problem.addRow(row, 1 - profile.rest / measured, weightOf(profile.seconds(figures) / measured - 1));
  }
  std::vector<double> start = figures.slowness;
  std::vector<double> least(unknowns, 1 / kMostSlowness);
  std::vector<double> most(unknowns, kMostSlowness);
  for (std::size_t i = 0; i < limits; ++i) {
    problem.pull(i, m_nominal.slowness[i], kPull);
    if (i >= figures.interconnects()) least[i] = 0;
    if (!m_rows.canTell(i)) least[i] = most[i] = m_nominal.slowness[i];
  }
  for (std::size_t i = limits; i < unknowns; ++i) {
    problem.pull(i, m_nominal.latency[i - limits] / kMicrosecond, kPull);
    start.push_back(figures.latency[i - limits] / kMicrosecond);
    least[i] = 0;
    most[i] = std::numeric_limits<double>::max();
  }
  const std::vector<double> x = problem.minimum(std::move(start), least, most);
  Figures result = figures;
  std::copy_n(x.begin(), limits, result.slowness.begin());
  for (std::size_t i = limits; i < unknowns; ++i) result.latency[i - limits] = x[i] * kMicrosecond;
  return result;
}

}  // namespace p2::inline cost
