// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/calibration_rows.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "cost/link_loads.h"
#include "cost/simulator.h"
#include "system/interconnects.h"

namespace p2 {
namespace {

/// How far a latency is moved to see what depends on it, in seconds.
constexpr double kLatencyStep = 1e-6;

System partOf(System system, std::int64_t outermost) {
  if (outermost > 0) system.levels[0].count = outermost;
  return system;
}

Result<LoweredProgram> loweredProgram(const System& system, const MeasuredTime& measurement) {
  const Placement placement(measurement.axes, measurement.matrix);
  const SynthesisHierarchy hierarchy(system, placement);
  P2_TRY_ASSIGN(auto program, measurement.program.empty() ? Result<Program>(plainAllReduce(hierarchy))
                                                          : parseProgram(hierarchy, measurement.program));
  return lower(placement, hierarchy, program, RuleSet::All);
}

/// By interconnect, the seconds that its busiest link needs for a step.
std::vector<double> busySeconds(const Topology& topology, const LoweredStep& step, const CostOptions& cost,
                                std::size_t interconnects) {
  const LinkLoads loads = linkLoads(topology, step, cost);
  std::vector<double> busy(interconnects, 0);
  for (const LinkId link : topology.links()) {
    if (loads.bytes(link) == Bytes(0)) continue;
    double& most = busy[topology.interconnectOf(link)];
    most = std::max(most, loads.seconds(link) * cost.repeat);
  }
  return busy;
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

Result<CalibrationRows> CalibrationRows::prepared(const System& system, const std::vector<MeasuredTime>& measurements) {
  CalibrationRows rows;
  rows.m_system = system;
  // Figures are tried out as nominal ones.
  rows.m_system.calibrated = false;
  std::set<Bytes> sizes;
  for (const MeasuredTime& measurement : measurements) {
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
  return rows;
}

Result<CalibrationRows::Row> CalibrationRows::prepare(const MeasuredTime& measurement) {
  const Level& outermost = m_system.levels[0];
  if (measurement.outermost > outermost.count) {
    return Error{std::to_string(measurement.outermost) + " instances of " + outermost.name + " took part; the system " +
                     "has " + std::to_string(outermost.count),
                 "nodes"};
  }
  if (!m_parts.contains(measurement.outermost)) {
    P2_TRY_ASSIGN(auto valid, validated(partOf(m_system, measurement.outermost)).within("nodes"));
    m_parts.emplace(measurement.outermost, std::move(valid));
  }
  const System& part = m_parts.at(measurement.outermost);
  P2_TRY(checkAxes(part, measurement.axes).within("axes"));
  P2_TRY(checkReduction(measurement.axes).within("reduce"));
  P2_TRY(checkMatrix(part, measurement.axes, measurement.matrix).within("matrix"));
  P2_TRY_ASSIGN(auto lowered, loweredProgram(part, measurement).within("program"));
  Row row{measurement.outermost, std::move(lowered), measurement.cost, measurement.seconds};
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
  for (const auto& placed : interconnects(m_system)) {
    figures.slowness.push_back(1);
    figures.latency.push_back(placed.link.latency);
  }
  return figures;
}

std::vector<ValidSystem::Figures> CalibrationRows::tried(const Figures& figures) const {
  std::vector<ValidSystem::Figures> tried;
  for (const auto& [place, name, link] : interconnects(m_system)) {
    const std::size_t i = tried.size();
    // The core is as much slower as the ports: there is one bandwidth to fit for both.
    tried.push_back({link.bandwidth / figures.slowness[i], link.core / figures.slowness[i], figures.latency[i]});
  }
  return tried;
}

Topology CalibrationRows::topology(std::size_t row, const Figures& figures) const {
  return Topology(m_parts.at(m_rows[row].outermost).withFigures(tried(figures)));
}

CalibrationRows::Topologies CalibrationRows::topologies(const Figures& figures, const List& rows) const {
  const std::vector<ValidSystem::Figures> tried = this->tried(figures);
  Topologies result;
  for (const std::size_t row : rows) {
    const std::int64_t outermost = m_rows[row].outermost;
    auto& topology = result[outermost];
    if (!topology) topology = std::make_unique<const Topology>(m_parts.at(outermost).withFigures(tried));
  }
  return result;
}

double CalibrationRows::price(std::size_t row, const Topologies& topologies, bool withBytes) const {
  CostOptions cost = m_rows[row].cost;
  if (!withBytes) cost.bytes = Bytes(0);
  double seconds = 0;
  for (const LoweredStep& step : m_rows[row].steps) {
    seconds += simulateStep(*topologies.at(m_rows[row].outermost), step, cost).seconds;
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
      profile.busy.push_back(busySeconds(*all.at(row.outermost), step, row.cost, figures.slowness.size()));
      for (std::size_t i = 0; i < profile.busy.back().size(); ++i) profile.busy.back()[i] /= figures.slowness[i];
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

}  // namespace p2
