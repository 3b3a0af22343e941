// SPDX-License-Identifier: GPL-3.0-or-later
// The flows of channels (see channel_flows.h) in closed form.
#include <algorithm>

#include "cost/flows/channel_flows.h"
#include "cost/flows/detail/double_binary_tree.h"
#include "cost/flows/uniform_load.h"

namespace p2::inline cost {

bool UniformLoad::isInside(std::size_t level) const {
  return m_topology.levels()[level].devicesBelow < m_machine.nodeDevices;
}

std::int64_t UniformLoad::localMembers() const {
  for (std::size_t level = 0; level < m_geometry.size(); ++level) {
    if (m_topology.levels()[level].devicesBelow == m_machine.nodeDevices) return m_geometry[level].run;
  }
  return m_groupSize;
}

// Members below an instance are consecutive, locally as well. So one edge of a loop leaves them, or none when the loop
// is below the instance; and their share of the traffic that leaves the node.
UniformLoad::PortUse UniformLoad::channelPort(std::size_t level, FlowShape shape) const {
  const std::int64_t local = localMembers();
  const std::int64_t nodes = m_groupSize / local;
  const std::int64_t run = m_geometry[level].run;
  const ChannelWeights weights = channelWeights(shape, local, nodes);
  const bool inside = isInside(level);
  const std::int64_t block = inside ? 1 : run / local;
  PortUse use;
  if (shape == FlowShape::Exchange) {
    const auto members = static_cast<double>(m_groupSize);
    return {static_cast<double>(run) * (members - static_cast<double>(run)) / members, 0};
  }
  double across = block < nodes ? weights.ring : 0;
  if (block < nodes && weights.treeEdge > 0) {
    const TreeCut cut = largestCut(nodes, block);
    across += weights.treeEdge * static_cast<double>(cut.edges);
    use.member = cut.block * block * local;
  }
  if (!inside) return {across, use.member};
  if (run < local) use.weight = weights.loop * (weights.bothWays ? 2 : 1);
  use.weight += across * static_cast<double>(run) / static_cast<double>(local);
  return use;
}

std::vector<UniformLoad::RingTraffic> UniformLoad::channelRing(std::size_t level, FlowShape shape) const {
  const LevelGeometry& place = m_geometry[level];
  const std::int64_t local = localMembers();
  const ChannelWeights weights = channelWeights(shape, local, m_groupSize / local);
  const bool inside = isInside(level);
  const std::int64_t below = level == 0 ? m_groupSize : m_geometry[level - 1].run;
  RingTraffic traffic;
  if (shape == FlowShape::Exchange) {
    const double pair =
        static_cast<double>(place.run) * static_cast<double>(place.run) / static_cast<double>(m_groupSize);
    for (std::int64_t from = 0; from < place.visits; ++from) {
      for (std::int64_t to = 0; to < place.visits; ++to) {
        if (from != to) traffic.flows.push_back({place.visited(from), place.visited(to), pair});
      }
    }
    return {traffic};
  }
  if (!inside && weights.treeEdge > 0) return treeTraffic(level, local);
  const double weight = inside ? weights.loop : weights.ring;
  const auto add = [&](std::int64_t from, std::int64_t to) {
    traffic.flows.push_back({from, to, weight});
    if (inside && weights.bothWays) traffic.flows.push_back({to, from, weight});
  };
  if (weight == 0) return {};
  for (std::int64_t i = 1; i < place.visits; ++i) add(place.visited(i - 1), place.visited(i));
  if (below >= (inside ? local : m_groupSize)) add(place.visited(place.visits - 1), 0);
  return {traffic};
}

ChannelPath UniformLoad::path() const {
  ChannelPath path;
  const std::int64_t nodes = m_groupSize / localMembers();
  std::int64_t instances = 1;  // the group's, above the current level
  std::vector<double> portsBelow(m_geometry.size() + 1, 0);
  for (std::size_t level = m_geometry.size(); level-- > 0;) {
    const Topology::LevelLinks& links = m_topology.levels()[level];
    portsBelow[level] = portsBelow[level + 1] + (links.hasPorts() ? 2 * links.latency : 0);
  }
  for (std::size_t level = 0; level < m_geometry.size(); ++level) {
    const Topology::LevelLinks& links = m_topology.levels()[level];
    const LevelGeometry& place = m_geometry[level];
    for (std::int64_t i = 1; i < place.visits; ++i) {
      const std::int64_t ahead = place.visited(i) - place.visited(i - 1);
      const double links_ =
          links.kind == InterconnectKind::Ring ? static_cast<double>(std::min(ahead, links.count - ahead)) : 2.0;
      const double hop = portsBelow[level + 1] + links_ * links.latency;
      (isInside(level) ? path.inside : path.across) += static_cast<double>(instances) * hop;
      if (!isInside(level)) path.slowest = std::max(path.slowest, hop);
    }
    instances *= place.visits;
  }
  path.node = path.inside / static_cast<double>(nodes);
  return path;
}

}  // namespace p2::inline cost
