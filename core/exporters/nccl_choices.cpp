// SPDX-License-Identifier: GPL-3.0-or-later
#include "exporters/detail/nccl_choices.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "collective/collective_traits.h"
#include "placement/realisation.h"

namespace p2::inline exporters {
namespace {

constexpr std::uint64_t kLeastBytes = 256;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 34;

bool isTuned(Collective collective) { return collective != Collective::AllToAll && collective != Collective::Scatter; }

/// Prices one step of a plan at any size.
class StepChooser {
 public:
  StepChooser(const Topology& topology, const PlanStep& step, const Plan& plan)
      : m_topology(topology), m_cost(plan.workspace().options.cost), m_step{step.collective, {}} {
    for (const PlanGroup& group : step.groups) m_step.groups.push_back(sharesOf(group, plan.cut().chunks));
    m_share = workingShare(step.collective, m_step.groups[0]);
    m_cost.repeat = 1;
    m_cost.algorithm = Algorithm::Auto;
    m_cost.overlap = false;
  }

  [[nodiscard]] double share() const { return m_share; }

  [[nodiscard]] NcclRange at(std::uint64_t bytes) const {
    CostOptions options = m_cost;
    options.bytes = Bytes(static_cast<double>(bytes) / m_share);
    const StepCost cost = simulateStep(m_topology, m_step, options);
    return {bytes, bytes, cost.algorithm, cost.protocol, {}};
  }

  [[nodiscard]] NcclChannels channelsOf(const NcclRange& range) const {
    return ncclChannels(m_topology, m_step.groups[0].devices, range.algorithm, range.protocol);
  }

 private:
  const Topology& m_topology;
  CostOptions m_cost;
  LoweredStep m_step;
  double m_share = 1;
};

bool isSame(const NcclRange& a, const NcclRange& b) { return a.algorithm == b.algorithm && a.protocol == b.protocol; }

/// The last size with the choice of `low`; the choice at `high` differs.
std::uint64_t lastOf(const StepChooser& chooser, const NcclRange& low, std::uint64_t high) {
  std::uint64_t from = low.to;
  while (high - from > std::max<std::uint64_t>(1, from / 512)) {
    const std::uint64_t middle = from + (high - from) / 2;
    (isSame(chooser.at(middle), low) ? from : high) = middle;
  }
  return from;
}

std::vector<NcclRange> rangesOf(const StepChooser& chooser) {
  std::vector<NcclRange> ranges{chooser.at(kLeastBytes)};
  ranges[0].from = 0;
  for (std::uint64_t bytes = kLeastBytes * 2; bytes <= kMostBytes; bytes *= 2) {
    for (NcclRange next = chooser.at(bytes); !isSame(ranges.back(), next);) {
      // Several choices may change between two sizes.
      ranges.back().to = lastOf(chooser, ranges.back(), bytes);
      NcclRange after =
          chooser.at(std::min(bytes, ranges.back().to + std::max<std::uint64_t>(1, ranges.back().to / 512)));
      after.from = ranges.back().to + 1;
      if (isSame(after, ranges.back())) after = next;
      after.from = ranges.back().to + 1;
      ranges.push_back(after);
    }
    ranges.back().to = bytes;
  }
  ranges.back().to = std::numeric_limits<std::uint64_t>::max();
  for (NcclRange& range : ranges) range.channels = chooser.channelsOf(range);
  return ranges;
}

std::int64_t nodesOf(const System& system, const DeviceGroup& devices) {
  const std::int64_t perNode = devicesPerNode(system);
  std::set<std::int64_t> nodes;
  for (const Device device : devices) nodes.insert(device.value() / perNode);
  return static_cast<std::int64_t>(nodes.size());
}

}  // namespace

const NcclRange& NcclChoices::plannedRange() const {
  const auto found =
      std::find_if(ranges.begin(), ranges.end(), [&](const NcclRange& range) { return planned <= range.to; });
  return found != ranges.end() ? *found : ranges.back();
}

Result<std::vector<NcclChoices>> ncclChoices(const Plan& plan) {
  const Workspace& workspace = plan.workspace();
  P2_TRY_ASSIGN(const CostModel* model, costModelFrom(workspace.options.cost.model));
  if (!model->hasProtocols()) {
    return Error{"the plan is priced by the model \"" + workspace.options.cost.model +
                 "\", which has no protocols; plan it with the nccl model"};
  }
  Workspace single = workspace;
  const SynthesisHierarchy hierarchy(single.system, Placement(single.axes, single.matrix));
  single.program = programText(hierarchy, singleProgram(hierarchy, single.options.goal));
  single.source.clear();
  P2_TRY_ASSIGN(const Plan whole, makePlan(single));
  P2_TRY_ASSIGN(const auto system, validated(workspace.system));
  const Topology topology(system);
  std::set<std::tuple<Collective, std::int64_t, std::int64_t>> known;
  std::vector<NcclChoices> all;
  for (const Plan* each : {&plan, &whole}) {
    for (const PlanStep& step : each->steps()) {
      const DeviceGroup& devices = step.groups[0].devices;
      const auto ranks = static_cast<std::int64_t>(devices.size());
      const std::int64_t nodes = nodesOf(workspace.system, devices);
      if (!isTuned(step.collective) || !known.insert({step.collective, ranks, nodes}).second) continue;
      const StepChooser chooser(topology, step, *each);
      const double planned = workspace.options.cost.bytes.value() * chooser.share();
      all.push_back({step.collective, ranks, nodes, static_cast<std::uint64_t>(planned), rangesOf(chooser)});
    }
  }
  if (all.empty()) return Error{"NCCL's tuner has no choice for AllToAll and Scatter, which are sends and receives"};
  return all;
}

}  // namespace p2::inline exporters
