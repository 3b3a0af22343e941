// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/training_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "cost/calibration/bounded_least_squares.h"

namespace p2::inline training {
namespace {

constexpr double kDenseError = 0.08;   // beyond which errors are outliers, and by which they are weighed
constexpr double kExpertError = 0.16;  // of mixtures, whose repeats differ by more
constexpr double kDifference = 0.02;
constexpr double kMostStep = 0.5;      // largest change of a constant's logarithm
constexpr double kMostFitSpreads = 3;  // that a constant goes from its prior
/// A fit that begins at constants which know the runs left out takes more than one step away from them.
constexpr int kStepsToForget = 4;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double logRatioOf(const TrainingRun& run, const TrainingConstants& constants) {
  const auto estimate = estimateRun(run, constants);
  return estimate.ok() ? std::log(estimate->seconds / run.seconds) : kNaN;
}

RunSensitivity sensitivityOf(const TrainingRun& run, TrainingConstants& constants) {
  RunSensitivity made{logRatioOf(run, constants), {}};
  if (!std::isfinite(made.logRatio)) return made;
  const auto numbers = constants.numbersFor(run.accelerator.generation, run.configuration);
  for (const int number : std::set<int>(numbers.begin(), numbers.end())) {
    const auto at = static_cast<std::size_t>(number);
    const double value = constants.value(at);
    constants.setValue(at, value * std::exp(kDifference));
    const double slope = (logRatioOf(run, constants) - made.logRatio) / kDifference;
    constants.setValue(at, value);
    if (std::abs(slope) > 1e-9) made.slopes.emplace_back(number, slope);
  }
  return made;
}

/// Shares of a peak or of overlappable time stay below 1.
bool isShare(std::string_view key) {
  for (const std::string_view name : {"products", "attention:", "memory-share", "link-share", "nic-share", "-hidden",
                                      "grouped", "shard-bandwidth", "nic-scale"}) {
    if (key.find(name) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

std::vector<RunSensitivity> sensitivitiesOf(const std::vector<TrainingRun>& runs, const TrainingConstants& constants,
                                            const std::stop_token& stop) {
  TrainingConstants moved = constants;
  std::vector<RunSensitivity> all(runs.size());
  for (std::size_t i = 0; i < runs.size() && !stop.stop_requested(); ++i) {
    if (runs[i].isScored()) all[i] = sensitivityOf(runs[i], moved);
  }
  return all;
}

TrainingConstants fitStep(const std::vector<TrainingRun>& runs, const std::vector<RunSensitivity>& sensitivities,
                          const TrainingConstants& constants, const std::function<bool(const TrainingRun&)>& isUsed) {
  const std::size_t unknowns = constants.all().size();
  std::map<std::string, double> rows;
  const auto counts = [&](std::size_t i) {
    return runs[i].isScored() && std::isfinite(sensitivities[i].logRatio) && isUsed(runs[i]);
  };
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (counts(i)) ++rows[runs[i].source];
  }
  BoundedLeastSquares squares(unknowns);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!counts(i)) continue;
    const double spread = runs[i].model.experts > 0 ? kExpertError : kDenseError;
    const double error = sensitivities[i].logRatio / spread;
    const double weight = 1 / std::sqrt(rows[runs[i].source]) / std::sqrt(1 + error * error) / (spread * spread);
    std::vector<double> row(unknowns, 0);
    for (const auto& [number, slope] : sensitivities[i].slopes) row[static_cast<std::size_t>(number)] = slope;
    squares.addRow(row, -sensitivities[i].logRatio, weight);
  }
  std::vector<double> least(unknowns);
  std::vector<double> most(unknowns);
  for (std::size_t k = 0; k < unknowns; ++k) {
    const TrainingConstant& constant = constants.all()[k];
    const double now = std::log(constant.value);
    const double prior = std::log(constant.prior);
    squares.pull(k, prior - now, 1 / (constant.spread * constant.spread));
    const double room = kMostFitSpreads * constant.spread;
    const double top = isShare(constant.key) ? std::min(prior + room, std::log(.97)) : prior + room;
    most[k] = std::max(0.0, std::min(kMostStep, top - now));
    least[k] = std::min(0.0, std::max(-kMostStep, prior - room - now));
  }
  const std::vector<double> way = squares.minimum(std::vector<double>(unknowns, 0), least, most);
  TrainingConstants made = constants;
  for (std::size_t k = 0; k < unknowns; ++k) made.setValue(k, constants.value(k) * std::exp(way[k]));
  return made;
}

TrainingConstants fitTraining(const std::vector<TrainingRun>& runs, TrainingConstants constants, int steps,
                              const std::function<bool(const TrainingRun&)>& isUsed, const std::stop_token& stop) {
  for (int step = 0; step < steps && !stop.stop_requested(); ++step) {
    constants = fitStep(runs, sensitivitiesOf(runs, constants, stop), constants, isUsed);
  }
  return constants;
}

std::vector<double> heldOutErrors(const std::vector<TrainingRun>& runs, const TrainingConstants& fitted, HeldOut by,
                                  const std::stop_token& stop) {
  const auto sensitivities = sensitivitiesOf(runs, fitted, stop);
  const auto groupOf = [by](const TrainingRun& run) -> const std::string& {
    return by == HeldOut::Source ? run.source : run.accelerator.generation;
  };
  std::set<std::string> groups;
  for (const TrainingRun& run : runs) groups.insert(groupOf(run));
  std::vector<double> errors(runs.size(), kNaN);
  for (const std::string& group : groups) {
    if (stop.stop_requested()) break;
    const auto isOther = [&](const TrainingRun& run) { return groupOf(run) != group; };
    TrainingConstants rest = fitStep(runs, sensitivities, fitted, isOther);
    auto moved = sensitivities;
    for (int step = 1; step < kStepsToForget && !stop.stop_requested(); ++step) {
      for (std::size_t i = 0; i < runs.size(); ++i) {
        if (runs[i].isScored() && isOther(runs[i])) moved[i].logRatio = logRatioOf(runs[i], rest);
      }
      rest = fitStep(runs, moved, rest, isOther);
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (groupOf(runs[i]) == group && runs[i].isScored()) errors[i] = logRatioOf(runs[i], rest);
    }
  }
  return errors;
}

std::vector<TableError> tableErrors(const std::vector<TrainingRun>& runs, const std::vector<double>& logRatios) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<double>> byTable;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!std::isfinite(logRatios[i])) continue;
    auto& list = byTable[runs[i].table];
    if (list.empty()) order.push_back(runs[i].table);
    list.push_back(std::abs(logRatios[i]));
  }
  std::vector<TableError> errors;
  for (const std::string& table : order) {
    auto& list = byTable[table];
    std::sort(list.begin(), list.end());
    const std::size_t half = list.size() / 2;
    const double median = list.size() % 2 == 1 ? list[half] : (list[half - 1] + list[half]) / 2;
    errors.push_back({table, list.size(), median});
  }
  return errors;
}

}  // namespace p2::inline training
