// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/calibration_rows.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "cost/link_loads.h"
#include "cost/simulator.h"

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
  auto program = measurement.program.empty() ? Result<Program>(plainAllReduce(hierarchy))
                                             : parseProgram(hierarchy, measurement.program);
  if (!program.ok()) return program.error();
  return lower(placement, hierarchy, *program, RuleSet::All);
}

/// By interconnect, the seconds that its busiest link needs for a step.
std::vector<double> busySeconds(const Topology& topology, const LoweredStep& step, const CostOptions& cost,
                                std::size_t interconnects) {
  const LinkLoads loads = linkLoads(topology, step, cost);
  std::vector<double> busy(interconnects, 0);
  for (const LinkId link : topology.links()) {
    if (loads.bytes(link) == 0) continue;
    double& most = busy[topology.interconnectOf(link)];
    most = std::max(most, loads.seconds(link) * cost.repeat);
  }
  return busy;
}

}  // namespace

std::vector<Interconnect*> interconnectsOf(System& system) {
  std::vector<Interconnect*> result;
  for (Level& level : system.levels) result.push_back(&level.interconnect);
  for (Network& network : system.networks) result.push_back(&network.interconnect);
  return result;
}

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
  std::set<double> sizes;
  for (const MeasuredTime& measurement : measurements) {
    auto row = prepare(rows.m_system, measurement);
    if (!row.ok()) {
      return measurement.line == 0 ? row.error() : row.error().within("line " + std::to_string(measurement.line));
    }
    rows.m_rows.push_back(std::move(row).value());
    sizes.insert(measurement.cost.bytes);
  }
  rows.m_tellLatency = sizes.size() > 1;
  return rows;
}

Result<CalibrationRows::Row> CalibrationRows::prepare(const System& system, const MeasuredTime& measurement) {
  if (measurement.outermost > system.levels[0].count) {
    return Error{std::to_string(measurement.outermost) + " instances of " + system.levels[0].name + " took part; the " +
                     "system has " + std::to_string(system.levels[0].count),
                 "nodes"};
  }
  auto part = validated(partOf(system, measurement.outermost));
  if (!part.ok()) return part.error().within("nodes");
  if (auto axes = checkAxes(*part, measurement.axes); !axes.ok()) return axes.error().within("axes");
  if (auto reduced = checkReduction(measurement.axes); !reduced.ok()) return reduced.error().within("reduce");
  if (auto fits = checkMatrix(*part, measurement.axes, measurement.matrix); !fits.ok()) {
    return fits.error().within("matrix");
  }
  auto lowered = loweredProgram(*part, measurement);
  if (!lowered.ok()) return lowered.error().within("program");
  Row row{measurement.outermost, std::move(lowered).value(), measurement.cost, measurement.seconds};
  if (measurement.step > static_cast<int>(row.steps.size())) {
    return Error{"there is no step " + std::to_string(measurement.step) + "; the program has " +
                     std::to_string(row.steps.size()),
                 "step"};
  }
  if (measurement.step > 0) row.steps = {row.steps[static_cast<std::size_t>(measurement.step - 1)]};
  return row;
}

Figures CalibrationRows::nominal() const {
  System system = m_system;
  Figures figures;
  for (const Interconnect* link : interconnectsOf(system)) {
    figures.slowness.push_back(1);
    figures.latency.push_back(link->latency);
  }
  return figures;
}

CalibrationRows::Topologies CalibrationRows::topologies(const Figures& figures, const List& rows) const {
  System system = m_system;
  const std::vector<Interconnect*> links = interconnectsOf(system);
  for (std::size_t i = 0; i < links.size(); ++i) {
    links[i]->bandwidth /= figures.slowness[i];
    // The core is as much slower as the ports: there is one bandwidth to fit for both.
    links[i]->core /= figures.slowness[i];
    links[i]->latency = figures.latency[i];
  }
  Topologies result;
  for (const std::size_t row : rows) {
    auto& topology = result[m_rows[row].outermost];
    if (!topology) topology = std::make_unique<const Topology>(partOf(system, m_rows[row].outermost));
  }
  return result;
}

double CalibrationRows::price(std::size_t row, const Topologies& topologies, bool withBytes) const {
  CostOptions cost = m_rows[row].cost;
  if (!withBytes) cost.bytes = 0;
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
