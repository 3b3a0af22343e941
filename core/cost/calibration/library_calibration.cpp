// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/calibration/library_calibration.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "base/counted.h"
#include "base/near.h"
#include "cost/calibration/detail/library_fit.h"
#include "cost/calibration/detail/site_fit.h"
#include "cost/calibration/library_report.h"
#include "cost/calibration/nccl_sample.h"
#include "cost/nccl/site_defaults.h"
#include "system/interconnects.h"
#include "system/properties.h"

namespace p2::inline cost {
namespace {

using Values = LogProblem::Values;
using List = LibrarySamples::List;

constexpr int kSteps = 20;
constexpr int kHeldOutSteps = 8;
/// Difference of logarithms. Figures that moved less read as before.
constexpr double kMoved = kDisplayTolerance;

std::int64_t nodesOf(const System& system, const MeasuredTime& measurement) {
  return nodeCount(measuredPart(system, measurement.outermost, measurement.innermost));
}

MeasuredNodes measuredNodesOf(const System& system, const std::vector<MeasuredTime>& measurements) {
  std::set<std::int64_t> numbers;
  for (const MeasuredTime& measurement : measurements) numbers.insert(nodesOf(system, measurement));
  numbers.erase(1);
  if (numbers.empty()) return MeasuredNodes::Single;
  return numbers.size() == 1 ? MeasuredNodes::OneNumber : MeasuredNodes::Several;
}

/// By measurement, the part that it is held out with; by number of nodes, that number.
std::vector<std::size_t> partsOf(const LibrarySamples& samples, const System& system,
                                 const std::vector<MeasuredTime>& measurements, HoldOut holdOut, std::size_t folds) {
  std::map<std::string, std::size_t> files;
  std::vector<std::size_t> parts;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::size_t file = files.try_emplace(measurements[i].file, files.size()).first->second;
    parts.push_back(holdOut == HoldOut::Files    ? file
                    : holdOut == HoldOut::Tables ? samples.table(i)
                    : holdOut == HoldOut::Nodes  ? static_cast<std::size_t>(nodesOf(system, measurements[i]))
                                                 : i % folds);
  }
  return parts;
}

HoldOut chosen(HoldOut holdOut, const std::vector<MeasuredTime>& measurements) {
  constexpr std::size_t kSeveral = 3;
  if (holdOut != HoldOut::Auto) return holdOut;
  std::set<std::string> files;
  for (const MeasuredTime& measurement : measurements) files.insert(measurement.file);
  return files.size() >= kSeveral ? HoldOut::Files : HoldOut::Sizes;
}

/// By measurement its seconds by a fit to the other parts, or to the lower ones alone; none where there are no others.
std::vector<double> heldOutSeconds(const LibraryFit& fit, const std::vector<std::size_t>& parts, bool onlyLower,
                                   const std::stop_token& stop, const Progress& progress) {
  const std::set<std::size_t> different(parts.begin(), parts.end());
  std::vector<double> seconds(parts.size(), 0);
  if (different.size() < 2) return seconds;
  std::size_t done = 1;
  for (const std::size_t part : different) {
    if (stop.stop_requested()) return seconds;
    List used;
    List held;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i] == part) held.push_back(i);
      if (onlyLower ? parts[i] < part : parts[i] != part) used.push_back(i);
    }
    if (used.empty()) continue;
    const std::vector<double> predicted = fit.secondsAt(fit.fit(used, kHeldOutSteps, {}).at, held);
    for (std::size_t i = 0; i < held.size(); ++i) seconds[held[i]] = predicted[i];
    if (progress) progress(static_cast<double>(++done) / static_cast<double>(different.size() + 1));
  }
  return seconds;
}

Determined determinedBy(double error, double spread) {
  if (error < 0.5 * spread) return Determined::Yes;
  return error < 0.9 * spread ? Determined::Weakly : Determined::No;
}

/// The fitted values of all parameters, and the ones written to the system.
class WriteDown {
 public:
  WriteDown(const LibraryFit& fit, const LogFit& found, const LogPosterior& posterior, Calibration& result)
      : m_fit(fit), m_found(found), m_posterior(posterior), m_result(result) {}

  void write() {
    m_result.system.tuned.clear();
    const NcclConstants constants = m_fit.constantsOf(m_found.at);
    for (std::size_t i = 0; i < kNcclConstants; ++i) {
      FittedParameter& parameter = add(i, FittedParameter::Kind::Constant, ncclConstantTable()[i].key);
      parameter.nominal = std::exp(m_fit.start(i));
      parameter.value = constants.values[i];
      if (hasMoved(i)) m_result.system.tuned.push_back({parameter.name, parameter.value});
    }
    for (const SiteDefaults& site : siteDefaults()) {
      FittedParameter& parameter = m_result.parameters[congestionOf(site)];
      const double deviation = site.congestion.deviation() / std::max(parameter.value, parameter.nominal);
      parameter.error *= deviation / parameter.spread;
      parameter.spread = deviation;
    }
    const auto placed = interconnects(m_result.system);
    for (std::size_t i = 0; i < placed.size(); ++i) writeLink(i, placed[i]);
    m_result.system.calibrated = true;
  }

 private:
  [[nodiscard]] bool hasMoved(std::size_t unknown) const {
    return !m_fit.isFixed(unknown) && std::abs(m_found.at[unknown] - m_fit.start(unknown)) > kMoved;
  }

  FittedParameter& add(std::size_t unknown, FittedParameter::Kind kind, const std::string& name) {
    const double error = m_posterior.standardError(unknown);
    const double spread = m_fit.spread(unknown);
    m_result.parameters.push_back({kind, name, 0, 0, spread, error, determinedBy(error, spread)});
    return m_result.parameters.back();
  }

  [[nodiscard]] std::size_t rowsOf(std::size_t unknown) const {
    return static_cast<std::size_t>(std::count_if(m_found.slopes.begin(), m_found.slopes.end(),
                                                  [&](const Values& slopes) { return slopes[unknown] != 0; }));
  }

  static double within(double value, std::string_view key) {
    const PropertyInfo& range = propertyOf(interconnectProperties(), key)->info;
    return std::clamp(value, range.least, range.most);
  }

  void writeLink(std::size_t index, const PlacedInterconnect<Interconnect>& placed) {
    Interconnect& link = placed.link;
    std::string name = link.name;
    if (placed.place.kind == Place::Kind::Interconnect) name += (link.name.empty() ? "" : " of ") + placed.name;
    const std::size_t bandwidth = kNcclConstants + index;
    const std::size_t latency = bandwidth + m_fit.links();
    FittedParameter& wide = add(bandwidth, FittedParameter::Kind::Bandwidth, name);
    wide.nominal = link.bandwidth;
    wide.value = within(link.bandwidth * std::exp(m_found.at[bandwidth]), "fittedBandwidth");
    link.fittedBandwidth = hasMoved(bandwidth) ? wide.value : 0;
    FittedParameter& late = add(latency, FittedParameter::Kind::Latency, name);
    late.nominal = std::exp(m_fit.start(latency));
    late.value = within(std::exp(m_found.at[latency]), "fittedLatency");
    const bool unsaid = link.latency <= 0 && !m_fit.isFixed(latency);
    link.fittedLatency = hasMoved(latency) || unsaid ? late.value : -1;
    m_result.interconnects.push_back({name, link.bandwidth, link.fittedBandwidth, link.latency, link.fittedLatency,
                                      std::max(rowsOf(bandwidth), rowsOf(latency))});
  }

  const LibraryFit& m_fit;
  const LogFit& m_found;
  const LogPosterior& m_posterior;
  Calibration& m_result;
};

/// The values that the system has after calibration, which leaves out what hardly moved.
Values kept(const LibraryFit& fit, Values at) {
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (std::abs(at[i] - fit.start(i)) <= kMoved) at[i] = fit.start(i);
  }
  return at;
}

Result<void> checkRequest(const System& system, const std::vector<MeasuredTime>& measurements) {
  P2_TRY(checkParts(system));
  if (measurements.empty()) return Error{"there are no measurements to fit to"};
  if (system.deviceCount() > kMostCalibratedDevices) {
    return Error{"the system has " + countedText(system.deviceCount(), "device") + "; at most " +
                 std::to_string(kMostCalibratedDevices) + " can be calibrated"};
  }
  if (measurements.size() > kMostLibraryMeasurements) {
    return Error{"there are " + countedText(measurements.size(), "measurement") + "; the nccl model is fitted to " +
                 std::to_string(kMostLibraryMeasurements) + " at most, so leave some out"};
  }
  return {};
}

std::string nameOfParts(HoldOut holdOut) {
  if (holdOut == HoldOut::Files) return "files";
  if (holdOut == HoldOut::Nodes) return "nodes";
  return holdOut == HoldOut::Tables ? "tables" : "rows";
}

}  // namespace

Result<HoldOut> holdOutFrom(std::string_view name) {
  for (const auto& [known, value] : {std::pair<std::string_view, HoldOut>{"sizes", HoldOut::Sizes},
                                     {"tables", HoldOut::Tables},
                                     {"files", HoldOut::Files},
                                     {"nodes", HoldOut::Nodes}}) {
    if (name == known) return value;
  }
  return Error{"\"" + std::string(name) + "\" cannot be held out; use sizes, tables, files or nodes"};
}

Result<Calibration> calibrateLibrary(const System& system, const std::vector<MeasuredTime>& measurements,
                                     HoldOut holdOut, int folds, std::stop_token stop, const Progress& progress,
                                     const NcclConstants& start) {
  P2_TRY(checkRequest(system, measurements));
  P2_TRY_ASSIGN(const auto samples, LibrarySamples::prepared(system, measurements, stop));
  const LibraryFit fit(samples, system, start, measuredNodesOf(system, measurements), stop);
  List all(samples.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const HoldOut way = chosen(holdOut, measurements);
  const auto parts = partsOf(samples, system, measurements, way,
                             std::min(samples.size(), static_cast<std::size_t>(std::max(folds, 2))));
  const double share = 1.0 / static_cast<double>(std::set<std::size_t>(parts.begin(), parts.end()).size() + 1);
  LogFit found = fit.fit(all, kSteps, [&](double done) {
    if (progress) progress(done * share);
  });
  if (stop.stop_requested()) return cancelledError();
  const LogProblem problem = fit.problemOf(all);
  found.at = kept(fit, std::move(found.at));
  found.residuals = problem.residuals(found.at);
  found.slopes = slopesAt(problem, found.at, found.residuals);
  const LogPosterior posterior(problem, found);
  if (progress) progress(share);
  const std::vector<double> heldOut = heldOutSeconds(fit, parts, way == HoldOut::Nodes, stop, progress);
  const std::vector<double> before = samples.predicted(start, samples.nominal(), all);
  std::vector<PredictedTime> times;
  for (const std::size_t i : all) {
    const double after = samples.measured(i) * std::exp(found.residuals[i]);
    times.push_back({samples.measured(i), before[i], after, heldOut[i], posterior.standardError(found.slopes[i]),
                     samples.cells(i), samples.bytes(i), nodesOf(system, measurements[i])});
  }
  Calibration result;
  result.system = system;
  result.heldOutBy = nameOfParts(way);
  WriteDown(fit, found, posterior, result).write();
  tellErrors(times, "nccl", result);
  result.site = fittedSiteOf(result, start);
  if (stop.stop_requested()) return cancelledError();
  return result;
}

Result<Calibration> calibrateUnder(std::string_view model, const System& system,
                                   const std::vector<MeasuredTime>& measurements, HoldOut holdOut, int folds,
                                   std::stop_token stop, const Progress& progress) {
  P2_TRY_ASSIGN(const CostModel* const found, costModelFrom(model));
  return found->calibrated(system, measurements, holdOut, folds, std::move(stop), progress);
}

}  // namespace p2::inline cost
