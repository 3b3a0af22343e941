// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/cost_model.h"

#include <algorithm>
#include <array>
#include <string>

#include "cost/flows.h"

namespace p2 {
namespace {

constexpr std::array<std::string_view, 3> kAlgorithmNames{"ring", "tree", "auto"};

StepCost simulateShape(const Topology& topology, const LoweredStep& step, const CostOptions& options, bool tree) {
  const FlowShape shape = shapeOf(step.collective, tree);
  std::vector<double> loads(static_cast<std::size_t>(topology.linkCount()), 0.0);
  std::vector<LinkId> route;
  double latency = 0;
  for (const LoweredGroup& group : step.groups) {
    const auto members = static_cast<std::int64_t>(group.devices.size());
    const double bytes = options.bytes * workingShare(step.collective, group) *
                         flowFactor(step.collective, shape, members);
    for (const Flow& flow : flowsOf(shape, group.devices, topology)) {
      route.clear();
      topology.route(flow.from, flow.to, route);
      for (const LinkId link : route) loads[static_cast<std::size_t>(link)] += bytes * flow.weight;
    }
    latency = std::max(latency, latencyOf(step.collective, shape, group.devices, topology));
  }
  StepCost cost;
  cost.algorithm = tree ? Algorithm::Tree : Algorithm::Ring;
  for (LinkId link = 0; link < topology.linkCount(); ++link) {
    const double load = loads[static_cast<std::size_t>(link)];
    // Sums in another order differ in their last bits; the lowest link wins among equals.
    if (load / topology.bandwidth(link) <= cost.seconds * (1 + 1e-12)) continue;
    cost.seconds = load / topology.bandwidth(link);
    cost.link = link;
    cost.linkBytes = load;
  }
  cost.seconds = (cost.seconds + latency) * options.repeat;
  return cost;
}

}  // namespace

std::string_view nameOf(Algorithm algorithm) { return kAlgorithmNames[static_cast<std::size_t>(algorithm)]; }

Result<Algorithm> algorithmFrom(std::string_view name) {
  for (const Algorithm algorithm : {Algorithm::Ring, Algorithm::Tree, Algorithm::Auto}) {
    if (nameOf(algorithm) == name) return algorithm;
  }
  return Error{"\"" + std::string(name) + "\" is not an algorithm; use ring, tree or auto"};
}

const StepCost& cheaper(const StepCost& ring, const StepCost& tree) {
  return ring.seconds <= tree.seconds * (1 + 1e-12) ? ring : tree;
}

StepCost simulateStep(const Topology& topology, const LoweredStep& step, const CostOptions& options) {
  const bool hasTree = step.collective == Collective::AllReduce;
  if (!hasTree || options.algorithm == Algorithm::Ring) return simulateShape(topology, step, options, false);
  const StepCost tree = simulateShape(topology, step, options, true);
  if (options.algorithm == Algorithm::Tree) return tree;
  const StepCost ring = simulateShape(topology, step, options, false);
  return cheaper(ring, tree);
}

}  // namespace p2
