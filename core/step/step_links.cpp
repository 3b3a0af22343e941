// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>

#include "cost/cost_model.h"
#include "cost/link_loads.h"
#include "step/step_ranking.h"
#include "synthesis/program_trace.h"
#include "system/interconnects.h"

namespace p2::inline step {
namespace {

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

/// What `runs` runs of an entry's program put on every link.
Result<void> addRuns(const StepRanking& ranking, const PlacementStep& placement, const WorkloadEntry& entry,
                     const UnevenProgram& uneven, double runs, LinkLoads& sums) {
  const StepQuestion& question = ranking.question;
  const Topology& topology = *ranking.topology;
  const Placement placed(axesFor(entry, question.axes), placement.matrix);
  const SynthesisHierarchy hierarchy(question.system, placed);
  P2_TRY_ASSIGN(const auto trace,
                ProgramTrace::run(placed, hierarchy, uneven.program, question.options.rules, uneven.goal));
  CostOptions cost = question.options.cost;
  cost.bytes = uneven.bytes;
  cost.repeat = 1;
  for (const StepId step : IdRange<StepId>(trace.validSteps())) {
    const LoweredStep lowered = loweredStep(trace, step, IdRange<Device>(topology.deviceCount()));
    const LinkLoads loads = linkLoads(topology, lowered, cost);
    for (const LinkId link : loads.loaded()) sums.add(link, loads.bytes(link).value() * runs);
  }
  return {};
}

/// By interconnect the bytes over its busiest link, added up link by link where links differ.
std::vector<double> busiestBytes(const StepRanking& ranking, const PlacementStep& placement) {
  std::vector<double> even(placement.linkBytes.size(), 0);
  std::map<std::size_t, std::pair<std::size_t, double>> uneven;  // by column: an entry, and all runs
  for (std::size_t i = 0; i < ranking.entries().size(); ++i) {
    const EntryCost& cost = ranking.cost(placement, i);
    const auto runs = static_cast<double>(ranking.entries()[i].count);
    if (cost.uneven) {
      uneven.try_emplace(ranking.columnOf[i], i, 0).first->second.second += runs;
    } else {
      for (std::size_t link = 0; link < cost.linkBytes.size(); ++link) even[link] += cost.linkBytes[link] * runs;
    }
  }
  if (uneven.empty() || ranking.topology->deviceCount() > kMostDevicesWithPorts) return placement.linkBytes;
  LinkLoads sums(*ranking.topology);
  for (const auto& [column, entry] : uneven) {
    const auto& [index, runs] = entry;
    const UnevenProgram& program = *ranking.cost(placement, index).uneven;
    if (!addRuns(ranking, placement, ranking.entries()[index], program, runs, sums).ok()) return placement.linkBytes;
  }
  std::vector<double> most(even.size(), 0);
  for (const LinkId link : sums.loaded()) {
    double& each = most[ranking.topology->interconnectOf(link)];
    each = std::max(each, sums.bytes(link).value());
  }
  for (std::size_t link = 0; link < most.size(); ++link) most[link] += even[link];
  return most;
}

}  // namespace

std::vector<BusiestLink> busiestLinks(const StepRanking& ranking, const PlacementStep& placement) {
  std::vector<BusiestLink> links;
  const LibraryView machine = libraryViewOf(*ranking.topology);
  const auto all = interconnects(ranking.question.system);
  const std::vector<double> most = busiestBytes(ranking, placement);
  for (std::size_t i = 0; i < most.size(); ++i) {
    if (most[i] <= 0) continue;
    const double bandwidth = bandwidthOf(all[i].link, ranking.question.system.calibrated);
    links.push_back({all[i].name, most[i], most[i] / bandwidth, machine.across[i]});
  }
  return links;
}

std::optional<BusiestLink> busiestBetweenNodes(const StepRanking& ranking, const PlacementStep& placement) {
  std::optional<BusiestLink> busiest;
  for (BusiestLink& link : busiestLinks(ranking, placement)) {
    if (link.betweenNodes && (!busiest || link.seconds > busiest->seconds)) busiest = std::move(link);
  }
  return busiest;
}

}  // namespace p2::inline step
