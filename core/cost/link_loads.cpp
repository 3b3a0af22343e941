// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/link_loads.h"

namespace p2 {

LinkLoads::LinkLoads(const Topology& topology)
    : m_topology(&topology), m_bytes(static_cast<std::size_t>(topology.linkCount()), 0.0), m_shared(m_bytes) {}

void LinkLoads::add(const RoutedFlows& routed, double bytes) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < routed.flows.size(); ++i) {
    const double load = bytes * routed.flows[i].weight;
    for (; begin < routed.ends[i]; ++begin) {
      const LinkId link = routed.links[begin];
      m_bytes[static_cast<std::size_t>(link)] += load;
      m_shared[static_cast<std::size_t>(m_topology->resource(link))] += load;
    }
  }
}

void LinkLoads::add(const LinkLoads& other) {
  for (std::size_t i = 0; i < m_bytes.size(); ++i) {
    m_bytes[i] += other.m_bytes[i];
    m_shared[i] += other.m_shared[i];
  }
}

double LinkLoads::seconds(LinkId link) const {
  return m_shared[static_cast<std::size_t>(m_topology->resource(link))] / m_topology->bandwidth(link);
}

BusiestLink LinkLoads::busiest() const {
  BusiestLink result;
  for (LinkId link = 0; link < m_topology->linkCount(); ++link) {
    const double load = m_shared[static_cast<std::size_t>(link)];
    if (load == 0) continue;
    const double seconds = load / m_topology->bandwidth(link);
    // Sums in another order differ in their last bits; the lowest link wins among equals.
    if (seconds > result.seconds * (1 + 1e-12)) result = {seconds, load, link};
  }
  // Of those that share its bandwidth, one that carries something.
  if (result.link < 0) return result;
  const LinkId resource = result.link;
  while (m_topology->resource(result.link) != resource || bytes(result.link) == 0) ++result.link;
  return result;
}

namespace {

LinkLoads loadsOfShape(const Topology& topology, const LoweredStep& step, double bytes, FlowShape shape) {
  LinkLoads loads(topology);
  for (const LoweredGroup& group : step.groups) {
    const auto members = static_cast<std::int64_t>(group.devices.size());
    loads.add(routedFlows(shape, group.devices, topology),
              bytes * workingShare(step.collective, group) * flowFactor(step.collective, shape, members));
  }
  return loads;
}

}  // namespace

LinkLoads linkLoads(const Topology& topology, const LoweredStep& step, const CostOptions& options) {
  const bool tree = simulateStep(topology, step, options).algorithm == Algorithm::Tree;
  return loadsOfShape(topology, step, options.bytes, shapeOf(step.collective, tree));
}

LinkLoads linkLoads(const Topology& topology, const LoweredProgram& program, const CostOptions& options) {
  LinkLoads sum(topology);
  for (const LoweredStep& step : program) sum.add(linkLoads(topology, step, options));
  return sum;
}

}  // namespace p2
