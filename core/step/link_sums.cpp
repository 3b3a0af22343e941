// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/detail/link_sums.h"

#include <algorithm>
#include <map>

#include "step/shift.h"
#include "synthesis/program_trace.h"

namespace p2::inline step {
namespace {

constexpr std::int64_t kMostFlows = std::int64_t{1} << 21;  // of one AllToAll

bool isAmong(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The axes of a question as an entry goes over them.
std::vector<Axis> axesFor(const WorkloadEntry& entry, std::vector<Axis> axes) {
  for (Axis& axis : axes) {
    axis.reduce = axis.size > 1 && isAmong(entry.axes, axis.name);
    axis.replicate = axis.reduce && !entry.scatter.empty() && !isAmong(entry.scatter, axis.name);
  }
  return axes;
}

bool hasTooManyFlows(const LoweredStep& step) {
  if (step.collective != Collective::AllToAll) return false;
  std::int64_t flows = 0;
  for (const LoweredGroup& group : step.groups) {
    const auto members = static_cast<std::int64_t>(group.devices.size());
    flows += members * (members - 1);
  }
  return flows > kMostFlows;
}

void addTimes(std::vector<double>& sums, const std::vector<double>& values, double times) {
  for (std::size_t i = 0; i < values.size(); ++i) sums[i] += values[i] * times;
}

}  // namespace

LinkSums::LinkSums(const StepRanking& ranking)
    : m_topology(*ranking.topology),
      m_bytes(m_topology),
      m_exposed(static_cast<std::size_t>(m_topology.linkCount()), 0),
      m_overlappable(m_exposed) {
  const std::size_t interconnects = libraryViewOf(m_topology).across.size();
  m_evenBytes.assign(interconnects, 0);
  m_evenExposed = m_evenOverlappable = m_evenBytes;
}

std::optional<LinkSums> LinkSums::of(const StepRanking& ranking, const PlacementStep& placement) {
  if (ranking.topology->deviceCount() > kMostDevicesWithPorts) return std::nullopt;
  std::map<std::size_t, Runs> columns;
  for (std::size_t i = 0; i < ranking.entries().size(); ++i) {
    const WorkloadEntry& entry = ranking.entries()[i];
    const double seconds = ranking.seconds(placement, i);
    const double share = seconds > 0 ? overlappableSeconds(entry.overlap, seconds) / seconds : 0;
    Runs& runs = columns.try_emplace(ranking.columnOf[i], Runs{i}).first->second;
    runs.exposed += static_cast<double>(entry.count) * (1 - share);
    runs.overlappable += static_cast<double>(entry.count) * share;
  }
  LinkSums sums(ranking);
  for (const auto& [column, runs] : columns) {
    if (!sums.add(ranking, placement, runs)) return std::nullopt;
  }
  return sums;
}

bool LinkSums::add(const StepRanking& ranking, const PlacementStep& placement, const Runs& runs) {
  const EntryCost& cost = ranking.cost(placement, runs.entry);
  if (cost.run) return addProgram(ranking, placement, runs);
  if (ranking.entries()[runs.entry].kind == CommunicationKind::Shift) {
    addShift(ranking, placement, runs);
  } else {
    addEverywhere(cost, runs);
  }
  return true;
}

bool LinkSums::addProgram(const StepRanking& ranking, const PlacementStep& placement, const Runs& runs) {
  const StepQuestion& question = ranking.question;
  const EntryRun& run = *ranking.cost(placement, runs.entry).run;
  const Placement placed(axesFor(ranking.entries()[runs.entry], question.axes), placement.matrix);
  const SynthesisHierarchy hierarchy(question.system, placed);
  const auto trace = ProgramTrace::run(placed, hierarchy, run.program, question.options.rules, run.goal);
  if (!trace.ok()) return false;
  CostOptions cost = question.options.cost;
  cost.bytes = run.bytes;
  cost.repeat = 1;
  for (const StepId step : IdRange<StepId>(trace->validSteps())) {
    const LoweredStep lowered = loweredStep(*trace, step, IdRange<Device>(m_topology.deviceCount()));
    if (hasTooManyFlows(lowered)) return false;
    addLoads(linkLoads(m_topology, lowered, cost), run.busy[step.index()], runs);
  }
  return true;
}

void LinkSums::addShift(const StepRanking& ranking, const PlacementStep& placement, const Runs& runs) {
  const WorkloadEntry& entry = ranking.entries()[runs.entry];
  const Placement placed(axesFor(entry, ranking.question.axes), placement.matrix);
  const SynthesisHierarchy hierarchy(ranking.question.system, placed);
  LinkLoads loads(m_topology);
  for (const DeviceGroup& group : hierarchy.groups({0, hierarchy.levelCount(), false})) {
    loads.add(shiftFlows(m_topology, group, entry.closed), Bytes(static_cast<double>(entry.bytes)));
  }
  addLoads(loads, ranking.cost(placement, runs.entry).linkSeconds, runs);
}

void LinkSums::addEverywhere(const EntryCost& cost, const Runs& runs) {
  addTimes(m_evenBytes, cost.linkBytes, runs.exposed + runs.overlappable);
  if (!m_topology.isUniform() && m_topology.units() == nullptr) return;
  addTimes(m_evenExposed, cost.linkSeconds, runs.exposed);
  addTimes(m_evenOverlappable, cost.linkSeconds, runs.overlappable);
}

void LinkSums::addLoads(const LinkLoads& loads, const std::vector<double>& busy, const Runs& runs) {
  std::vector<double> longest(busy.size(), 0);
  for (const LinkId link : loads.loaded()) {
    double& each = longest[m_topology.interconnectOf(link)];
    each = std::max(each, loads.seconds(link));
  }
  for (const LinkId link : loads.loaded()) {
    const std::size_t of = m_topology.interconnectOf(link);
    m_bytes.add(link, loads.bytes(link).value() * (runs.exposed + runs.overlappable));
    const double seconds = longest[of] > 0 ? busy[of] * loads.seconds(link) / longest[of] : 0;
    m_exposed[link.index()] += seconds * runs.exposed;
    m_overlappable[link.index()] += seconds * runs.overlappable;
  }
}

std::vector<double> LinkSums::mostBytes() const {
  std::vector<double> most(m_evenBytes.size(), 0);
  for (const LinkId link : m_bytes.loaded()) {
    double& each = most[m_topology.interconnectOf(link)];
    each = std::max(each, m_bytes.bytes(link).value());
  }
  addTimes(most, m_evenBytes, 1);
  return most;
}

double LinkSums::mostSeconds(double slowdown) const {
  double most = 0;
  for (std::size_t i = 0; i < m_evenExposed.size(); ++i) {
    most = std::max(most, m_evenExposed[i] + slowdown * m_evenOverlappable[i]);
  }
  for (const LinkId link : m_bytes.loaded()) {
    const std::size_t of = m_topology.interconnectOf(link);
    const double even = m_evenExposed[of] + slowdown * m_evenOverlappable[of];
    most = std::max(most, even + m_exposed[link.index()] + slowdown * m_overlappable[link.index()]);
  }
  return most;
}

}  // namespace p2::inline step
