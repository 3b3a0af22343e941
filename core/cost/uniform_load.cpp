// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/uniform_load.h"

#include <algorithm>
#include <bit>

#include "cost/double_binary_tree.h"

namespace p2 {

/// Keeps the busiest link of one level; the lowest number among equals, in whatever order they come.
class UniformLoad::Busiest {
 public:
  Busiest(const Topology::LevelLinks& links, std::size_t level) : m_links(links), m_level(level) {}

  void consider(std::int64_t instance, bool otherWay, double bytes) {
    const LinkLoad load{m_links.link(instance, otherWay), bytes, m_links.bandwidth, m_level};
    const bool equal = load.bytes > 0 && !m_load.isBusierThan(load);
    if (load.isBusierThan(m_load) || (equal && load.link < m_load.link)) m_load = load;
  }
  [[nodiscard]] const LinkLoad& load() const { return m_load; }

 private:
  const Topology::LevelLinks& m_links;
  std::size_t m_level;
  LinkLoad m_load;
};

UniformLoad::UniformLoad(const Topology& topology, const LibraryView& machine, const SynthesisHierarchy& hierarchy,
                         const GroupPattern& pattern)
    : m_topology(topology),
      m_machine(machine),
      m_sizes(hierarchy.sizes()),
      m_geometry(geometryOf(topology, hierarchy, pattern)),
      m_groupSize(hierarchy.groupSize(pattern)) {}

// Groups that all move the same amount load every instance alike, so the first stands for all.
std::vector<UniformLoad::InstanceClass> UniformLoad::instanceClasses(std::size_t depth, const Shares& shares) const {
  std::vector<InstanceClass> classes{{0, 0}};
  if (shares.size() == 1) return classes;
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
  const auto own =
      shares.size() == 1 ? shares.begin() : std::find_if(shares.begin(), shares.end(), [&](const GroupShare& share) {
        return share.outsideClass == nonFirst;
      });
  double share = 1;
  for (std::size_t level = 0; level < m_sizes.size(); ++level) {
    if ((own->split >> level & 1) != 0) share /= static_cast<double>(m_sizes[level]);
  }
  return share;
}

/// What all groups below one instance work on together; `depth` is the first level below it.
double UniformLoad::weightBelow(std::size_t depth, LevelSet nonFirst, const Shares& shares) const {
  if (depth == m_geometry.size()) return shareOf(nonFirst, shares);
  double weight = 0;
  double count = 0;
  for (const LevelGeometry::Bases& bases : m_geometry[depth].bases) {
    count += static_cast<double>(bases.count);
    if (shares.size() == 1) continue;
    weight += static_cast<double>(bases.count) *
              weightBelow(depth + 1, static_cast<LevelSet>(nonFirst | bases.nonFirst), shares);
  }
  return shares.size() == 1 ? count * weightBelow(depth + 1, nonFirst, shares) : weight;
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
// chain enters it unless it begins there, and of a tree those edges cross that join this run of heads to others.
void UniformLoad::addPorts(std::size_t level, FlowShape shape, const Shares& shares, Busiest& busiest) const {
  double perGroup = 1;
  std::int64_t offset = 0;
  if (usesChannels(shape)) {
    const PortUse use = channelPort(level, shape);
    perGroup = use.weight;
    offset = instanceOf(use.member, level + 1);
  } else if (shape == FlowShape::Tree) {
    const std::int64_t heads = m_geometry[level].run / chainLength();
    const TreeCut cut = largestCut(headCount(), heads);
    perGroup = 0.5 * static_cast<double>(cut.edges);
    offset = instanceOf(cut.block * m_geometry[level].run, level + 1);
  }
  for (const InstanceClass& instances : instanceClasses(level + 1, shares)) {
    const double weight = weightBelow(level + 1, instances.nonFirst, shares);
    busiest.consider(instances.lowest + offset, shape == FlowShape::ChainToRoot, perGroup * weight);
  }
}

// A tree's devices: inside a chain each talks to two neighbours, its head to one and to the other heads.
void UniformLoad::addDevicePorts(const Shares& shares, Busiest& busiest) const {
  const std::size_t level = m_geometry.size() - 1;
  const std::int64_t chain = chainLength();
  const TreeCut cut = headCount() > 1 ? largestCut(headCount(), 1) : TreeCut{};
  const double head = (chain > 1 ? 1 : 0) + 0.5 * static_cast<double>(cut.edges);
  for (const InstanceClass& devices : instanceClasses(level + 1, shares)) {
    const double weight = shareOf(devices.nonFirst, shares);
    busiest.consider(devices.lowest + instanceOf(cut.block * chain, level + 1), false, head * weight);
    if (chain > 2) busiest.consider(devices.lowest + instanceOf(1, level + 1), false, 2 * weight);
  }
}

std::vector<UniformLoad::RingTraffic> UniformLoad::treeTraffic(std::size_t level, std::int64_t chain) const {
  const std::int64_t runHeads = m_geometry[level].run / chain;
  const std::int64_t places = m_geometry[level].visits;
  const std::int64_t heads = m_groupSize / chain;
  std::vector<RingTraffic> traffic(static_cast<std::size_t>(heads / (runHeads * places)));
  for (std::size_t parent = 0; parent < traffic.size(); ++parent) {
    traffic[parent].firstMember = static_cast<std::int64_t>(parent) * places * m_geometry[level].run;
  }
  for (const TreeEdge& edge : doubleBinaryTree(heads)) {
    const std::int64_t from = edge.child / runHeads;
    const std::int64_t to = edge.parent / runHeads;
    if (from == to || from / places != to / places) continue;
    auto& flows = traffic[static_cast<std::size_t>(from / places)].flows;
    const std::int64_t a = m_geometry[level].visited(from % places);
    const std::int64_t b = m_geometry[level].visited(to % places);
    flows.push_back({a, b, 0.5});
    flows.push_back({b, a, 0.5});
  }
  return traffic;
}

std::vector<UniformLoad::RingTraffic> UniformLoad::ringTraffic(std::size_t level, FlowShape shape) const {
  const bool innermost = level + 1 == m_geometry.size();
  if (usesChannels(shape)) return channelRing(level, shape);
  if (shape == FlowShape::Tree && !innermost) return treeTraffic(level, chainLength());
  const LevelGeometry& place = m_geometry[level];
  RingTraffic traffic;
  for (std::int64_t i = 1; i < place.visits; ++i) {
    const std::int64_t before = place.visited(i - 1);
    const std::int64_t after = place.visited(i);
    if (shape != FlowShape::ChainToRoot) traffic.flows.push_back({before, after, 1});
    if (shape == FlowShape::ChainToRoot || shape == FlowShape::Tree) traffic.flows.push_back({after, before, 1});
  }
  const bool closes = shape == FlowShape::Ring && (level == 0 || !m_geometry[level - 1].crossed);
  if (closes) traffic.flows.push_back({place.visited(place.visits - 1), 0, 1});
  return {traffic};
}

void UniformLoad::addRing(std::size_t level, FlowShape shape, const Shares& shares, Busiest& busiest) const {
  const std::int64_t count = m_topology.levels()[level].count;
  for (const RingTraffic& traffic : ringTraffic(level, shape)) {
    for (const InstanceClass& parents : instanceClasses(level, shares)) {
      // Per direction, what changes from one link to the next; a way that wraps is counted as ending one round later.
      std::vector<double> change[2] = {std::vector<double>(static_cast<std::size_t>(2 * count + 1), 0),
                                       std::vector<double>(static_cast<std::size_t>(2 * count + 1), 0)};
      for (const LevelGeometry::Bases& bases : m_geometry[level].bases) {
        const double weight = weightBelow(level + 1, static_cast<LevelSet>(parents.nonFirst | bases.nonFirst), shares);
        for (const std::int64_t base : bases.positions) {
          for (const auto& flow : traffic.flows) {
            const std::int64_t from = base + flow.from;
            const std::int64_t to = base + flow.to;
            const bool forward = leadsForward(from, to, count);
            // Forward links leave from … to−1, backward ones from to+1 … from.
            const std::int64_t first = forward ? from : to + 1;
            const std::int64_t length = forward ? (to - from + count) % count : (from - to + count) % count;
            change[forward ? 0 : 1][static_cast<std::size_t>(first)] += weight * flow.weight;
            change[forward ? 0 : 1][static_cast<std::size_t>(first + length)] -= weight * flow.weight;
          }
        }
      }
      const std::int64_t parent = parents.lowest + instanceOf(traffic.firstMember, level);
      for (int direction = 0; direction < 2; ++direction) {
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
  }
}

std::vector<LinkLoad> UniformLoad::loads(FlowShape shape, const std::vector<GroupShare>& shares) const {
  std::vector<LinkLoad> loads;
  for (std::size_t level = 0; level < m_geometry.size(); ++level) {
    const bool innermost = level + 1 == m_geometry.size();
    const Topology::LevelLinks& links = m_topology.levels()[level];
    Busiest busiest(links, level);
    if (links.kind == InterconnectKind::Ring && m_geometry[level].visits > 1) {
      addRing(level, shape, shares, busiest);
    } else if (links.hasPorts() && m_geometry[level].crossed) {
      if (shape == FlowShape::Tree && innermost) {
        addDevicePorts(shares, busiest);
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
  if (shape == FlowShape::Tree) {
    const auto depth = std::bit_width(static_cast<std::uint64_t>(headCount() - 1));
    return {2 * static_cast<double>(chainLength() - 1 + depth), slowestHop(shape)};
  }
  return {static_cast<double>(traitsOf(collective).rounds) * static_cast<double>(m_groupSize - 1), slowestHop(shape)};
}

}  // namespace p2
