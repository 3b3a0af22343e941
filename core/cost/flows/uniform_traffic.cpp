// SPDX-License-Identifier: GPL-3.0-or-later
// Traffic of UniformLoad: round rings, and over channels (see channel_flows.h) in closed form.
#include <algorithm>

#include "collective/collective_traits.h"
#include "cost/flows/channel_flows.h"
#include "cost/flows/detail/double_binary_tree.h"
#include "cost/flows/detail/uniform_busiest.h"
#include "cost/flows/uniform_load.h"

namespace p2::inline cost {

// Next to the root half as much is carried. Below one parent that holds the root that matters, below the others it does
// not, and all of those are equal.
std::vector<UniformLoad::RingTraffic> UniformLoad::chainTraffic(std::size_t level, bool up) const {
  const LevelGeometry& place = m_geometry[level];
  const std::int64_t parents = m_groupSize / (place.run * place.visits);
  std::vector<RingTraffic> traffic(parents > 1 ? 2 : 1);
  for (std::size_t parent = 0; parent < traffic.size(); ++parent) {
    auto& flows = traffic[parent].flows;
    traffic[parent].firstMember = static_cast<std::int64_t>(parent) * place.visits * place.run;
    const auto add = [&](std::int64_t from, std::int64_t to, double weight) {
      const std::int64_t a = place.visited(from);
      const std::int64_t b = place.visited(to);
      flows.push_back(up ? RingTraffic::PlaceFlow{b, a, weight} : RingTraffic::PlaceFlow{a, b, weight});
    };
    for (std::int64_t i = 1; i < place.visits; ++i) {
      const bool nextToRoot = parent == 0 && i == 1 && place.run == 1 && m_groupSize > 2;
      add(i - 1, i, nextToRoot ? 0.5 : 1);
    }
    if (parents == 1 && m_groupSize > 2) add(place.visits - 1, 0, 0.5);
  }
  return traffic;
}

// Only the ring of the root carries anything: into others its messages come from outside.
std::vector<UniformLoad::RingTraffic> UniformLoad::spreadTraffic(std::size_t level) const {
  const LevelGeometry& place = m_geometry[level];
  const double part = static_cast<double>(place.run) / static_cast<double>(m_groupSize);
  RingTraffic traffic;
  for (std::int64_t i = 1; i < place.visits; ++i) traffic.flows.push_back({place.visited(0), place.visited(i), part});
  return {traffic};
}

std::vector<UniformLoad::RingTraffic> UniformLoad::treeTraffic(std::size_t level, std::int64_t chain) const {
  const std::int64_t runHeads = m_geometry[level].run / chain;
  const std::int64_t places = m_geometry[level].visits;
  const std::int64_t heads = m_groupSize / chain;
  std::vector<RingTraffic> traffic(static_cast<std::size_t>(heads / (runHeads * places)));
  for (std::size_t parent = 0; parent < traffic.size(); ++parent) {
    traffic[parent].firstMember = static_cast<std::int64_t>(parent) * places * m_geometry[level].run;
  }
  for (const HeadEdge& edge : headEdges(heads)) {
    const std::int64_t from = edge.a / runHeads;
    const std::int64_t to = edge.b / runHeads;
    if (from == to || from / places != to / places) continue;
    auto& flows = traffic[static_cast<std::size_t>(from / places)].flows;
    const std::int64_t a = m_geometry[level].visited(from % places);
    const std::int64_t b = m_geometry[level].visited(to % places);
    flows.push_back({a, b, edge.weight});
    flows.push_back({b, a, edge.weight});
  }
  return traffic;
}

std::vector<UniformLoad::RingTraffic> UniformLoad::ringTraffic(std::size_t level, FlowShape shape) const {
  if (usesChannels(shape)) return channelRing(level, shape);
  if (shape == FlowShape::Spread) return spreadTraffic(level);
  if (isChain(shape)) return chainTraffic(level, shape == FlowShape::ChainToRoot);
  if (shape == FlowShape::Tree && !isInside(level)) return treeTraffic(level, chainLength());
  const LevelGeometry& place = m_geometry[level];
  RingTraffic traffic;
  for (std::int64_t i = 1; i < place.visits; ++i) {
    const std::int64_t before = place.visited(i - 1);
    const std::int64_t after = place.visited(i);
    traffic.flows.push_back({before, after, 1});
    if (shape == FlowShape::Tree) traffic.flows.push_back({after, before, 1});
  }
  const bool isRing = shape == FlowShape::Ring || shape == FlowShape::TorusRings;
  const bool closes = isRing && (level == 0 || !m_geometry[level - 1].crossed);
  if (closes) traffic.flows.push_back({place.visited(place.visits - 1), 0, 1});
  return {traffic};
}

/// Adds a flow of a group at one base round a ring of `count` places; a way that wraps ends one round later.
void UniformLoad::addTo(RingChange& change, const RingTraffic::PlaceFlow& flow, std::int64_t base, double weight) {
  const auto count = static_cast<std::int64_t>(change[0].size() / 2);
  const std::int64_t from = base + flow.from;
  const std::int64_t to = base + flow.to;
  const bool forward = leadsForward(from, to, count);
  // Forward links leave from … to−1, backward ones from to+1 … from.
  const std::int64_t first = forward ? from : to + 1;
  const std::int64_t length = forward ? (to - from + count) % count : (from - to + count) % count;
  change[forward ? 0 : 1][static_cast<std::size_t>(first)] += weight * flow.weight;
  change[forward ? 0 : 1][static_cast<std::size_t>(first + length)] -= weight * flow.weight;
}

void UniformLoad::considerRing(const RingChange& change, std::int64_t parent, Busiest& busiest) {
  const auto count = static_cast<std::int64_t>(change[0].size() / 2);
  for (std::size_t direction = 0; direction < 2; ++direction) {
    std::vector<double> load(static_cast<std::size_t>(count), 0);
    double running = 0;
    for (std::int64_t place = 0; place < 2 * count; ++place) {
      running += change[direction][static_cast<std::size_t>(place)];
      load[static_cast<std::size_t>(place % count)] += running;
    }
    for (std::int64_t place = 0; place < count; ++place) {
      busiest.consider(parent * count + place, direction == 1, load[static_cast<std::size_t>(place)]);
    }
  }
}

void UniformLoad::addRing(std::size_t level, FlowShape shape, const Shares& shares, Busiest& busiest) const {
  const auto places = static_cast<std::size_t>(2 * m_topology.levels()[level].count + 1);
  const RingChange none{std::vector<double>(places, 0), std::vector<double>(places, 0)};
  const bool apart = shares.of == Of::OneFlow;
  for (const RingTraffic& traffic : ringTraffic(level, shape)) {
    for (const InstanceClass& parents : instanceClasses(level, shares)) {
      const std::int64_t parent = parents.lowest + instanceOf(traffic.firstMember, level);
      RingChange change = none;
      for (const LevelGeometry::Bases& bases : m_geometry[level].bases) {
        const double weight = weightBelow(level + 1, static_cast<LevelSet>(parents.nonFirst | bases.nonFirst), shares);
        for (const std::int64_t base : bases.positions) {
          for (RingTraffic::PlaceFlow flow : traffic.flows) {
            if (apart && isDirect(shape)) flow.weight = 1 / static_cast<double>(m_groupSize);
            addTo(change, flow, base, weight);
            if (!apart) continue;
            considerRing(change, parent, busiest);
            change = none;
          }
        }
      }
      if (!apart) considerRing(change, parent, busiest);
    }
  }
}

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
