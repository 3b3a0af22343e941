// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/calibration/detail/calibration_rows.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "base/counted.h"
#include "base/near.h"
#include "collective/goal.h"
#include "cost/flows/link_loads.h"
#include "cost/simulator.h"
#include "system/interconnects.h"

namespace p2::inline cost {
namespace {

/// How far a latency is moved to see what depends on it, in seconds.
constexpr double kLatencyStep = 1e-6;
/// Rows with a message that has a link to itself, which determine a cap. One alone might be a slip.
constexpr std::size_t kLeastAlone = 2;

/// By the first goal that the program reaches; the mistake of the first if there is none.
Result<LoweredProgram> loweredProgram(const System& system, const MeasuredTime& measurement) {
  const Placement placement(measurement.axes, measurement.matrix);
  const SynthesisHierarchy hierarchy(system, placement);
  P2_TRY_ASSIGN(auto program, measurement.program.empty() ? Result<Program>(singleProgram(hierarchy))
                                                          : parseProgram(hierarchy, measurement.program));
  std::optional<Error> problem;
  for (const Goal& goal : goals()) {
    auto lowered = lower(placement, hierarchy, program, RuleSet::All, goal);
    if (lowered.ok()) return lowered;
    if (!problem) problem = lowered.error();
  }
  return *problem;
}

}  // namespace

std::size_t TimeProfile::busiest(std::size_t step, const Figures& figures) const {
  std::size_t result = 0;
  for (std::size_t i = 1; i < busy[step].size(); ++i) {
    if (busy[step][i] * figures.slowness[i] > busy[step][result] * figures.slowness[result]) result = i;
  }
  return result;
}

double TimeProfile::seconds(const Figures& figures) const {
  double sum = rest;
  for (std::size_t step = 0; step < busy.size(); ++step) {
    const std::size_t link = busiest(step, figures);
    sum += busy[step][link] * figures.slowness[link];
  }
  for (std::size_t i = 0; i < perLatency.size(); ++i) sum += perLatency[i] * figures.latency[i];
  return sum;
}

std::size_t rowsLimitedBy(std::size_t slowness, const std::vector<TimeProfile>& profiles, const Figures& figures) {
  const auto isLimited = [&](const TimeProfile& profile) {
    for (std::size_t step = 0; step < profile.busy.size(); ++step) {
      if (profile.busiest(step, figures) == slowness && profile.busy[step][slowness] > 0) return true;
    }
    return false;
  };
  return static_cast<std::size_t>(std::count_if(profiles.begin(), profiles.end(), isLimited));
}

Result<CalibrationRows> CalibrationRows::prepared(const System& system, const std::vector<MeasuredTime>& measurements,
                                                  std::stop_token stop) {
  CalibrationRows rows;
  rows.m_stop = std::move(stop);
  rows.m_system = system;
  // Figures are tried out as nominal ones.
  rows.m_system.calibrated = false;
  std::set<Bytes> sizes;
  for (const MeasuredTime& measurement : measurements) {
    if (rows.m_stop.stop_requested()) return cancelledError();
    auto row = rows.prepare(measurement);
    if (!row.ok()) {
      const Error error =
          measurement.line == 0 ? row.error() : row.error().within("line " + std::to_string(measurement.line));
      return measurement.file.empty() ? error : error.within(measurement.file);
    }
    rows.m_rows.push_back(std::move(row).value());
    sizes.insert(measurement.cost.bytes);
  }
  rows.m_tellLatency = sizes.size() > 1;
  for (const auto& placed : interconnects(rows.m_system)) rows.m_bandwidths.push_back(placed.link.bandwidth);
  rows.findReportable();
  if (rows.m_stop.stop_requested()) return cancelledError();
  return rows;
}

Result<CalibrationRows::Row> CalibrationRows::prepare(const MeasuredTime& measurement) {
  const Level& outermost = m_system.levels[0];
  if (measurement.outermost > outermost.count) {
    return Error{countedText(measurement.outermost, "instance") + " of " + outermost.name + " took part; the system " +
                     "has " + std::to_string(outermost.count),
                 "nodes"};
  }
  const PartKey key{measurement.outermost, measurement.innermost};
  if (!m_parts.contains(key)) {
    P2_TRY_ASSIGN(auto valid,
                  validated(measuredPart(m_system, measurement.outermost, measurement.innermost)).within("nodes"));
    m_parts.emplace(key, std::move(valid));
  }
  const System& part = m_parts.at(key);
  P2_TRY(checkAxes(part, measurement.axes).within("axes"));
  P2_TRY(checkReduction(measurement.axes).within("reduce"));
  P2_TRY(checkMatrix(part, measurement.axes, measurement.matrix).within("matrix"));
  P2_TRY_ASSIGN(auto lowered, loweredProgram(part, measurement).within("program"));
  Row row{key, std::move(lowered), measurement.cost, measurement.seconds};
  if (measurement.step.isNone()) return row;
  if (measurement.step.index() >= row.steps.size()) {
    return Error{"there is no step " + std::to_string(measurement.step.value() + 1) + "; the program has " +
                     std::to_string(row.steps.size()),
                 "step"};
  }
  row.steps = {row.steps[measurement.step.index()]};
  return row;
}

Figures CalibrationRows::nominal() const {
  Figures figures;
  std::vector<double> caps[2];
  for (const auto& [place, name, link] : interconnects(m_system)) {
    figures.slowness.push_back(1);
    figures.latency.push_back(link.latency);
    caps[0].push_back(link.ringCap > 0 ? link.bandwidth / link.ringCap : 0);
    caps[1].push_back(link.treeCap > 0 ? link.bandwidth / link.treeCap : 0);
  }
  for (const auto& each : caps) figures.slowness.insert(figures.slowness.end(), each.begin(), each.end());
  return figures;
}

/// By slowness, the seconds at slowness 1 that the busiest link and the group that sends the most need for a step.
std::vector<double> CalibrationRows::busySeconds(const Topology& topology, const LoweredStep& step,
                                                 const CostOptions& cost, const Figures& figures) const {
  std::vector<double> busy(figures.slowness.size(), 0);
  if (m_stop.stop_requested()) return busy;
  const CostModel& model = modelOf(cost);
  const LibraryView machine = libraryViewOf(topology);
  const Algorithm algorithm = simulateStep(topology, step, cost).algorithm;
  const FlowShape shape = model.shape(step.collective, algorithm);
  LinkLoads loads(topology);
  OwnLoads own(topology, m_bandwidths);
  for (const LoweredGroup& group : step.groups) {
    const RoutedFlows routed = routedFlows(shape, group.devices, topology, machine);
    const Bytes bytes = cost.bytes * workingShare(step.collective, group) *
                        model.factor(step.collective, algorithm, static_cast<std::int64_t>(group.devices.size()));
    loads.add(routed, bytes);
    own.add(routed, bytes);
  }
  for (const LinkLoad& load : loads.busiestLinks()) {
    busy[load.interconnect] = load.seconds() * cost.repeat / figures.slowness[load.interconnect];
  }
  for (const LinkLoad& load : own.busiestLinks()) {
    const bool tree = algorithm == Algorithm::Tree;
    busy[tree ? figures.treeCap(load.interconnect) : figures.ringCap(load.interconnect)] = load.seconds() * cost.repeat;
  }
  return busy;
}

void CalibrationRows::findReportable() {
  List all(m_rows.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const Figures figures = nominal();
  const std::size_t count = figures.interconnects();
  std::vector<std::size_t> alone(figures.slowness.size(), 0);  // rows
  std::vector<bool> sharing(count, false);
  for (const TimeProfile& profile : profiles(figures, all)) {
    std::set<std::size_t> found;
    for (const std::vector<double>& busy : profile.busy) {
      for (std::size_t cap = count; cap < busy.size(); ++cap) {
        if (busy[cap] == 0) continue;
        const bool isAlone = !definitelyLess(busy[cap], busy[cap % count]);
        if (isAlone) found.insert(cap);
        sharing[cap % count] = sharing[cap % count] || !isAlone;
      }
    }
    for (const std::size_t cap : found) ++alone[cap];
  }
  m_canReport.assign(figures.slowness.size(), true);
  for (std::size_t cap = count; cap < m_canReport.size(); ++cap) {
    m_canReport[cap] = alone[cap] >= kLeastAlone && sharing[cap % count];
  }
}

std::vector<ValidSystem::Figures> CalibrationRows::tried(const Figures& figures) const {
  std::vector<ValidSystem::Figures> tried;
  for (const auto& [place, name, link] : interconnects(m_system)) {
    const std::size_t i = tried.size();
    const auto cap = [&, bandwidth = link.bandwidth](std::size_t slowness) {
      return figures.slowness[slowness] > 0 ? bandwidth / figures.slowness[slowness] : 0;
    };
    // The core is as much slower as the ports: there is one bandwidth to fit for both.
    tried.push_back({link.bandwidth / figures.slowness[i], link.core / figures.slowness[i], figures.latency[i],
                     cap(figures.ringCap(i)), cap(figures.treeCap(i))});
  }
  return tried;
}

Topology CalibrationRows::topology(std::size_t row, const Figures& figures) const {
  return Topology(m_parts.at(m_rows[row].part).withFigures(tried(figures)));
}

CalibrationRows::Topologies CalibrationRows::topologies(const Figures& figures, const List& rows) const {
  const std::vector<ValidSystem::Figures> tried = this->tried(figures);
  Topologies result;
  for (const std::size_t row : rows) {
    const PartKey part = m_rows[row].part;
    auto& topology = result[part];
    if (!topology) topology = std::make_unique<const Topology>(m_parts.at(part).withFigures(tried));
  }
  return result;
}

double CalibrationRows::price(std::size_t row, const Topologies& topologies, bool withBytes) const {
  CostOptions cost = m_rows[row].cost;
  if (!withBytes) cost.bytes = Bytes(0);
  double seconds = 0;
  for (const LoweredStep& step : m_rows[row].steps) {
    if (m_stop.stop_requested()) return seconds;
    seconds += simulateStep(*topologies.at(m_rows[row].part), step, cost).seconds;
  }
  return seconds;
}

std::vector<double> CalibrationRows::predicted(const Figures& figures, const List& rows) const {
  const Topologies all = topologies(figures, rows);
  std::vector<double> seconds;
  for (const std::size_t row : rows) seconds.push_back(price(row, all, true));
  return seconds;
}

std::vector<double> CalibrationRows::latencySeconds(const Figures& figures, const List& rows) const {
  const Topologies all = topologies(figures, rows);
  std::vector<double> seconds;
  for (const std::size_t row : rows) seconds.push_back(price(row, all, false));
  return seconds;
}

std::vector<TimeProfile> CalibrationRows::profiles(const Figures& figures, const List& rows) const {
  const Topologies all = topologies(figures, rows);
  std::vector<TimeProfile> result;
  for (const std::size_t number : rows) {
    const Row& row = m_rows[number];
    TimeProfile profile;
    for (const LoweredStep& step : row.steps) {
      profile.busy.push_back(busySeconds(*all.at(row.part), step, row.cost, figures));
    }
    profile.rest = price(number, all, true) - profile.seconds(figures);
    result.push_back(std::move(profile));
  }
  if (!m_tellLatency) return result;
  const std::vector<double> here = latencySeconds(figures, rows);
  for (std::size_t link = 0; link < figures.latency.size(); ++link) {
    Figures moved = figures;
    moved.latency[link] += kLatencyStep;
    const std::vector<double> there = latencySeconds(moved, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double hops = (there[i] - here[i]) / kLatencyStep;
      result[i].perLatency.push_back(hops);
      result[i].rest -= hops * figures.latency[link];
    }
  }
  return result;
}

}  // namespace p2::inline cost
