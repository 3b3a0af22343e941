// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/calibration/calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stop_token>
#include <vector>

#include "base/counted.h"
#include "cost/calibration/bounded_least_squares.h"
#include "cost/calibration/detail/calibration_rows.h"
#include "cost/calibration/library_report.h"
#include "system/interconnects.h"
#include "system/properties.h"

namespace p2::inline cost {
namespace {

/// One fit of the figures to some of the rows; calibrate() says how.
class CalibrationFit {
 public:
  /// The rows must outlive it.
  CalibrationFit(const CalibrationRows& rows, CalibrationRows::List list, std::stop_token stop);

  [[nodiscard]] Figures best();

 private:
  [[nodiscard]] double loss(const Figures& figures, const std::vector<double>& seconds) const;
  [[nodiscard]] double profiledLoss(const Figures& figures) const;
  void descend(Figures figures);
  void descendFromElsewhere();
  [[nodiscard]] Figures simplified(Figures figures, double loss) const;
  [[nodiscard]] Figures solved(const Figures& figures) const;

  const CalibrationRows& m_rows;
  CalibrationRows::List m_list;
  std::stop_token m_stop;
  Figures m_nominal;
  std::vector<TimeProfile> m_profiles;
  Figures m_best;
  double m_leastLoss = std::numeric_limits<double>::infinity();
};

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
      if (!m_rows.canReport(i)) continue;
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
    if (!m_rows.canReport(i)) least[i] = most[i] = m_nominal.slowness[i];
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

using RowList = CalibrationRows::List;

std::vector<PredictedTime> timesOf(const CalibrationRows& rows, const RowList& list, const Figures& figures) {
  const std::vector<double> before = rows.predicted(rows.nominal(), list);
  const std::vector<double> after = rows.predicted(figures, list);
  std::vector<PredictedTime> times;
  for (std::size_t i = 0; i < list.size(); ++i) {
    PredictedTime time{rows.measured(list[i]), before[i], after[i], 0, 0, {}, rows.cost(list[i]).bytes};
    for (const LoweredStep& step : rows.steps(list[i])) {
      time.cells.push_back(cellOf(rows.system(list[i]), step, time.bytes));
    }
    times.push_back(std::move(time));
  }
  return times;
}

/// Row by row, predicted by a fit to the rows outside its fold.
std::vector<double> heldOutSeconds(const CalibrationRows& rows, std::size_t folds, const std::stop_token& stop,
                                   const Progress& progress) {
  std::vector<double> seconds(rows.size(), 0);
  for (std::size_t fold = 0; fold < folds; ++fold) {
    RowList used;
    RowList held;
    for (std::size_t row = 0; row < rows.size(); ++row) (row % folds == fold ? held : used).push_back(row);
    const std::vector<double> more = rows.predicted(CalibrationFit(rows, used, stop).best(), held);
    for (std::size_t i = 0; i < held.size(); ++i) seconds[held[i]] = more[i];
    if (progress) progress(static_cast<double>(fold + 2) / static_cast<double>(folds + 1));
  }
  return seconds;
}

/// A link that the measurements never found busy can be fitted beyond a system's valid range.
double withinRange(double bandwidth) {
  const PropertyInfo& range = propertyOf(interconnectProperties(), "fittedBandwidth")->info;
  return bandwidth == 0 ? 0 : std::clamp(bandwidth, range.least, range.most);
}

void writeDownCaps(const CalibrationRows& rows, const std::vector<TimeProfile>& profiles, const Figures& figures,
                   Calibration& result) {
  const auto placed = interconnects(result.system);
  for (const bool tree : {false, true}) {
    for (std::size_t i = 0; i < placed.size(); ++i) {
      const std::size_t slowness = tree ? figures.treeCap(i) : figures.ringCap(i);
      Interconnect& link = placed[i].link;
      (tree ? link.fittedTreeCap : link.fittedRingCap) = 0;
      if (!rows.canReport(slowness)) continue;
      FittedCap cap{result.interconnects[i].name + (tree ? ", one tree" : ", one ring"),
                    tree ? link.treeCap : link.ringCap, 0, rowsLimitedBy(slowness, profiles, figures)};
      // A nominal cap that the measurements are faster than is replaced as well.
      if (cap.rows > 0 || cap.nominal > 0) cap.fitted = withinRange(link.bandwidth / figures.slowness[slowness]);
      (tree ? link.fittedTreeCap : link.fittedRingCap) = cap.fitted;
      result.caps.push_back(std::move(cap));
    }
  }
}

void writeDown(const CalibrationRows& rows, const RowList& all, const Figures& figures, Calibration& result) {
  const std::vector<TimeProfile> profiles = rows.profiles(figures, all);
  const auto placed = interconnects(result.system);
  for (std::size_t i = 0; i < placed.size(); ++i) {
    Interconnect& link = placed[i].link;
    FittedInterconnect fitted{link.name, link.bandwidth, 0, link.latency, -1, 0};
    if (placed[i].place.kind == Place::Kind::Interconnect)
      fitted.name += (link.name.empty() ? "" : " of ") + placed[i].name;
    bool delays = false;
    fitted.rows = rowsLimitedBy(i, profiles, figures);
    for (const TimeProfile& profile : profiles) {
      delays = delays || (!profile.perLatency.empty() && profile.perLatency[i] > 0);
    }
    if (fitted.rows > 0) fitted.fitted = withinRange(link.bandwidth / figures.slowness[i]);
    if (delays) fitted.fittedLatency = figures.latency[i];
    link.fittedBandwidth = fitted.fitted;
    link.fittedLatency = fitted.fittedLatency;
    result.interconnects.push_back(std::move(fitted));
  }
  writeDownCaps(rows, profiles, figures, result);
  result.system.calibrated = true;
}

}  // namespace

Result<Calibration> calibrate(const System& system, const std::vector<MeasuredTime>& measurements, int folds,
                              std::stop_token stop, const Progress& progress) {
  P2_TRY(checkParts(system));
  if (measurements.empty()) return Error{"there are no measurements to fit to"};
  if (system.deviceCount() > kMostCalibratedDevices) {
    return Error{"the system has " + countedText(system.deviceCount(), "device") + "; at most " +
                 std::to_string(kMostCalibratedDevices) + " can be calibrated"};
  }
  P2_TRY_ASSIGN(const auto rows, CalibrationRows::prepared(system, measurements, stop));
  RowList all(rows.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  Calibration result;
  result.system = system;
  const Figures figures = CalibrationFit(rows, all, stop).best();
  std::vector<PredictedTime> times = timesOf(rows, all, figures);
  if (stop.stop_requested()) return cancelledError();
  const std::size_t parts = std::min(rows.size(), static_cast<std::size_t>(std::max(folds, 1)));
  if (progress) progress(1 / static_cast<double>(parts + 1));
  if (parts > 1) {
    const std::vector<double> heldOut = heldOutSeconds(rows, parts, stop, progress);
    for (std::size_t i = 0; i < times.size(); ++i) times[i].heldOut = heldOut[i];
  }
  tellErrors(times, "paper", result);
  writeDown(rows, all, figures, result);
  if (stop.stop_requested()) return cancelledError();
  return result;
}

}  // namespace p2::inline cost
