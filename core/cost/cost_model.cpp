// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/cost_model.h"

#include <algorithm>
#include <array>
#include <string>

#include "cost/link_loads.h"

namespace p2 {
namespace {

constexpr std::array<std::string_view, 3> kAlgorithmNames{"ring", "tree", "auto"};

StepCost simulateShape(const Topology& topology, const LoweredStep& step, const CostOptions& options, bool tree) {
  const FlowShape shape = shapeOf(step.collective, tree);
  LinkLoads loads(topology);
  double latency = 0;
  for (const LoweredGroup& group : step.groups) {
    const auto members = static_cast<std::int64_t>(group.devices.size());
    const RoutedFlows routed = routedFlows(shape, group.devices, topology);
    loads.add(routed,
              options.bytes * workingShare(step.collective, group) * flowFactor(step.collective, shape, members));
    latency = std::max(latency, latencyOf(step.collective, shape, group.devices, routed, topology));
  }
  const BusiestLink busiest = loads.busiest();
  return {(busiest.seconds + latency) * options.repeat, busiest.link, busiest.bytes,
          tree ? Algorithm::Tree : Algorithm::Ring};
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
