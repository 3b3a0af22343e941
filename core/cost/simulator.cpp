// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/simulator.h"

#include <algorithm>

#include "cost/link_loads.h"

namespace p2 {

Traffic trafficOf(const Topology& topology, const LoweredStep& step, Algorithm algorithm) {
  const FlowShape shape = shapeOf(step.collective, algorithm);
  Traffic traffic{step.collective, algorithm, {}, 1, {}, 0, 0};
  LinkLoads loads(topology);
  for (const LoweredGroup& group : step.groups) {
    const auto members = static_cast<std::int64_t>(group.devices.size());
    const RoutedFlows routed = routedFlows(shape, group.devices, topology);
    loads.add(routed, Bytes(workingShare(step.collective, group) * flowFactor(step.collective, shape, members)));
    const Hops hops = hopsOf(step.collective, shape, group.devices, routed, topology);
    if (hops.seconds() >= traffic.hops.seconds()) traffic.hops = hops;
    traffic.members = std::max(traffic.members, members);
    traffic.nodes = std::max(traffic.nodes, nodesOf(group.devices, topology));
  }
  traffic.loads = loads.busiestLinks();
  return traffic;
}

StepCost simulateStep(const Topology& topology, const LoweredStep& step, const CostOptions& options) {
  const CostModel& model = modelOf(options);
  return priceStep(step.collective, options, [&](Algorithm algorithm) {
    return model.price(trafficOf(topology, step, algorithm), options.bytes);
  });
}

}  // namespace p2
