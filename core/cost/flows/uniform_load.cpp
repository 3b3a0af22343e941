// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/flows/uniform_load.h"

#include <algorithm>
#include <bit>
#include <map>

#include "cost/flows/detail/double_binary_tree.h"
#include "cost/flows/detail/uniform_busiest.h"

namespace p2::inline cost {

UniformLoad::UniformLoad(const Topology& topology, const LibraryView& machine, const SynthesisHierarchy& hierarchy,
                         const GroupPattern& pattern)
    : m_topology(topology),
      m_machine(machine),
      m_sizes(hierarchy.sizes()),
      m_geometry(geometryOf(topology, hierarchy, pattern)),
      m_groupSize(hierarchy.groupSize(pattern)) {}

// Groups that all move the same amount load all instances equally, so the first stands for all.
std::vector<UniformLoad::InstanceClass> UniformLoad::instanceClasses(std::size_t depth, const Shares& shares) const {
  std::vector<InstanceClass> classes{{0, 0}};
  if (shares.each.size() == 1) return classes;
  for (std::size_t level = 0; level < depth; ++level) {
    std::vector<InstanceClass> deeper;
    for (const InstanceClass& outer : classes) {
      for (const LevelGeometry::Bases& bases : m_geometry[level].bases) {
        deeper.push_back({static_cast<LevelSet>(outer.nonFirst | bases.nonFirst),
                          outer.lowest * m_topology.levels()[level].count + bases.lowest});
      }
    }
    classes = std::move(deeper);
  }
  return classes;
}

double UniformLoad::shareOf(LevelSet nonFirst, const Shares& shares) const {
  const auto own = shares.each.size() == 1
                       ? shares.each.begin()
                       : std::find_if(shares.each.begin(), shares.each.end(),
                                      [&](const GroupShare& share) { return share.outsideClass == nonFirst; });
  double share = 1;
  for (std::size_t level = 0; level < m_sizes.size(); ++level) {
    if ((own->split >> level & 1) != 0) share /= static_cast<double>(m_sizes[level]);
  }
  return share;
}

/// What all groups below one instance work on together, or the one that works on the most; `depth` is the first level
/// below it.
double UniformLoad::weightBelow(std::size_t depth, LevelSet nonFirst, const Shares& shares) const {
  if (depth == m_geometry.size()) return shareOf(nonFirst, shares);
  const bool one = shares.of == Of::OneFlow;
  double weight = 0;
  double count = 0;
  for (const LevelGeometry::Bases& bases : m_geometry[depth].bases) {
    count += static_cast<double>(bases.count);
    if (shares.each.size() == 1) continue;
    const double each = weightBelow(depth + 1, static_cast<LevelSet>(nonFirst | bases.nonFirst), shares);
    weight = one ? std::max(weight, each) : weight + static_cast<double>(bases.count) * each;
  }
  if (shares.each.size() > 1) return weight;
  return (one ? 1 : count) * weightBelow(depth + 1, nonFirst, shares);
}

/// The instance `depth` levels deep in which a group based at device 0 has its member of that number.
std::int64_t UniformLoad::instanceOf(std::int64_t member, std::size_t depth) const {
  std::int64_t instance = 0;
  for (std::size_t level = 0; level < depth; ++level) {
    const LevelGeometry& place = m_geometry[level];
    instance = instance * m_topology.levels()[level].count + place.visited(member / place.run % place.visits);
  }
  return instance;
}

// Members below an instance are consecutive. So of each group passing through, a ring enters and leaves it once, a
// chain as well unless its root is alone there, and of a tree those edges cross that join this run of heads to others.
void UniformLoad::addPorts(std::size_t level, FlowShape shape, const Shares& shares, Busiest& busiest) const {
  double perGroup = 1;
  std::int64_t offset = 0;
  bool down = false;
  if (shares.of == Of::OneFlow || isChain(shape)) {
    const LargestFlow flow = largestFlow(level, shape);
    perGroup = flow.weight;
    offset = instanceOf(flow.member, level + 1);
    down = flow.down;
  } else if (usesChannels(shape)) {
    const PortUse use = channelPort(level, shape);
    perGroup = use.weight;
    offset = instanceOf(use.member, level + 1);
  } else if (shape == FlowShape::Tree) {
    const std::int64_t heads = m_geometry[level].run / chainLength();
    const TreeCut cut = largestCut(headCount(), heads);
    perGroup = 0.5 * static_cast<double>(cut.edges);
    offset = instanceOf(cut.block * m_geometry[level].run, level + 1);
  } else if (shape == FlowShape::Spread) {
    // Out of the root's instance goes at least as much as into any other.
    perGroup = static_cast<double>(m_groupSize - m_geometry[level].run) / static_cast<double>(m_groupSize);
  }
  for (const InstanceClass& instances : instanceClasses(level + 1, shares)) {
    const double weight = weightBelow(level + 1, instances.nonFirst, shares);
    busiest.consider(instances.lowest + offset, down, perGroup * weight);
  }
}

// Next to the root of a chain of more than two half as much is sent: where the root is alone below its instance, the
// next member is the first that all goes through. In a tree the same two heads can be neighbours twice.
UniformLoad::LargestFlow UniformLoad::largestFlow(std::size_t level, FlowShape shape) const {
  switch (shape) {
    case FlowShape::ChainFromRoot:
    case FlowShape::ChainToRoot:
      return {1, m_groupSize > 2 && m_geometry[level].run == 1 ? 1 : 0, shape == FlowShape::ChainToRoot};
    case FlowShape::Tree: {
      if (isInside(level) && chainLength() > m_geometry[level].run) return {1, 0, false};
      const std::int64_t runHeads = std::max<std::int64_t>(1, m_geometry[level].run / chainLength());
      LargestFlow largest;
      for (const HeadEdge& edge : headEdges(headCount())) {
        if (edge.a / runHeads == edge.b / runHeads || edge.weight < largest.weight) continue;
        const std::int64_t member = edge.a * chainLength();
        largest = {edge.weight, edge.weight > largest.weight ? member : std::min(member, largest.member), false};
      }
      return largest;
    }
    case FlowShape::Exchange:
    case FlowShape::RailExchange:
    case FlowShape::Spread:
    case FlowShape::RailSpread:
      return {1 / static_cast<double>(m_groupSize), 0, false};
    case FlowShape::Ring:
    case FlowShape::TorusRings:
    case FlowShape::RailRing:
    case FlowShape::RailTree:
    case FlowShape::Multicast:
    case FlowShape::MulticastTree:
    case FlowShape::MulticastRing:
      break;
  }
  return {1, 0, false};
}

std::vector<UniformLoad::HeadEdge> UniformLoad::headEdges(std::int64_t heads) {
  std::map<std::pair<std::int64_t, std::int64_t>, double> weights;
  for (const TreeEdge& edge : doubleBinaryTree(heads)) weights[std::minmax(edge.child, edge.parent)] += 0.5;
  std::vector<HeadEdge> edges;
  for (const auto& [pair, weight] : weights) edges.push_back({pair.first, pair.second, weight});
  return edges;
}

// A tree inside a node: inside a chain each instance talks to two neighbours; the head's instance talks to one and to
// the other heads.
void UniformLoad::addChainPorts(std::size_t level, const Shares& shares, Busiest& busiest) const {
  const std::int64_t chain = chainLength();
  const std::int64_t parts = chain / m_geometry[level].run;
  const TreeCut cut = headCount() > 1 ? largestCut(headCount(), 1) : TreeCut{};
  const double head = (parts > 1 ? 1 : 0) + 0.5 * static_cast<double>(cut.edges);
  for (const InstanceClass& instances : instanceClasses(level + 1, shares)) {
    const double weight = weightBelow(level + 1, instances.nonFirst, shares);
    busiest.consider(instances.lowest + instanceOf(cut.block * chain, level + 1), false, head * weight);
    if (parts < 3) continue;
    busiest.consider(instances.lowest + instanceOf(m_geometry[level].run, level + 1), false, 2 * weight);
  }
}

std::vector<LinkLoad> UniformLoad::loads(FlowShape shape, const std::vector<GroupShare>& shares) const {
  return busiestLinks(withoutRails(shape), {shares, Of::AllGroups});
}

std::vector<LinkLoad> UniformLoad::ownLoads(FlowShape shape, const std::vector<GroupShare>& shares,
                                            std::span<const double> caps) const {
  if (caps.empty()) return {};
  std::vector<LinkLoad> loads = busiestLinks(withoutRails(shape), {shares, Of::OneFlow});
  std::erase_if(loads, [&](const LinkLoad& load) { return caps[load.interconnect] == 0; });
  for (LinkLoad& load : loads) load.bandwidth = caps[load.interconnect];
  return loads;
}

std::vector<LinkLoad> UniformLoad::busiestLinks(FlowShape shape, const Shares& shares) const {
  std::vector<LinkLoad> loads;
  for (std::size_t level = 0; level < m_geometry.size(); ++level) {
    const Topology::LevelLinks& links = m_topology.levels()[level];
    Busiest busiest(links, level);
    if (links.kind == InterconnectKind::Ring && m_geometry[level].visits > 1) {
      addRing(level, shape, shares, busiest);
    } else if (links.hasPorts() && m_geometry[level].crossed) {
      if (shape == FlowShape::Tree && isInside(level) && shares.of == Of::AllGroups) {
        addChainPorts(level, shares, busiest);
      } else {
        addPorts(level, shape, shares, busiest);
      }
    }
    if (!busiest.load().link.isNone()) loads.push_back(busiest.load());
  }
  return loads;
}

double UniformLoad::slowestHop(FlowShape shape) const {
  double portsBelow = 0;  // latency of the ports passed on the way to and from the level at hand
  double slowest = 0;
  for (std::size_t level = m_geometry.size(); level-- > 0;) {
    const Topology::LevelLinks& links = m_topology.levels()[level];
    if (m_geometry[level].visits > 1) {
      double hops = 2;
      if (links.kind == InterconnectKind::Ring && links.latency > 0) {
        hops = 0;
        for (const RingTraffic& traffic : ringTraffic(level, shape)) {
          for (const auto& flow : traffic.flows) {
            const std::int64_t ahead = (flow.to - flow.from + links.count) % links.count;
            hops = std::max(hops, static_cast<double>(std::min(ahead, links.count - ahead)));
          }
        }
      }
      slowest = std::max(slowest, portsBelow + hops * links.latency);
    }
    if (links.hasPorts()) portsBelow += 2 * links.latency;
  }
  return slowest;
}

Hops UniformLoad::hops(Collective collective, FlowShape shape) const {
  if (isDirect(shape)) return {m_groupSize > 1 ? 1.0 : 0.0, slowestHop(withoutRails(shape))};
  if (shape == FlowShape::Tree) {
    const auto depth = std::bit_width(static_cast<std::uint64_t>(headCount() - 1));
    return {2 * static_cast<double>(chainLength() - 1 + depth), slowestHop(shape)};
  }
  return {static_cast<double>(traitsOf(collective).rounds) * static_cast<double>(m_groupSize - 1), slowestHop(shape)};
}

}  // namespace p2::inline cost
