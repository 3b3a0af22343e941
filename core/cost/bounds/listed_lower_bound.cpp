// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/bounds/detail/listed_lower_bound.h"

#include <algorithm>
#include <map>

#include "base/counted.h"
#include "base/near.h"
#include "cost/bounds/lower_bound.h"

namespace p2::inline cost {
namespace {

constexpr std::size_t kMostInRing = 16;

/// Where the messages within the groups can be: in the smallest instances that hold a whole group each, unless some
/// route leads elsewhere; then everywhere. Asking for the routes is for small systems only.
std::vector<DeviceRange> rangesOf(const Topology& topology, const std::vector<DeviceGroup>& groups) {
  std::vector<DeviceRange> everywhere{{0, topology.deviceCount()}};
  if (topology.deviceCount() > kMostFlowDevices) return everywhere;
  const DeviceGroup& group = groups[0];
  std::int64_t size = topology.deviceCount();
  for (const Topology::LevelLinks& level : topology.levels()) {
    if (level.instanceOf(group.front()) != level.instanceOf(group.back())) break;
    size = level.devicesBelow;
  }
  if (size == topology.deviceCount()) return everywhere;
  std::vector<LinkId> links;
  for (const DeviceGroup& each : groups) {
    for (const Device from : each) {
      for (const Device to : each) {
        links.clear();
        topology.route(from, to, links);
        const std::int64_t first = from.value() / size * size;
        const DeviceRange range{first, first + size};
        const auto leaves = [&](LinkId link) { return !topology.linkGraph()->link(link).within.isWithin(range); };
        if (std::any_of(links.begin(), links.end(), leaves)) return everywhere;
      }
    }
  }
  std::vector<DeviceRange> ranges;
  for (std::int64_t first = 0; first < topology.deviceCount(); first += size) ranges.push_back({first, first + size});
  return ranges;
}

}  // namespace

ListedLowerBound::ListedLowerBound(const Topology& topology, const SynthesisHierarchy& hierarchy, Collective collective)
    : m_topology(topology),
      m_collective(collective),
      m_groups(hierarchy.groups({0, hierarchy.levelCount(), false})),
      m_grouped(CutGroups::of(hierarchy, topology.deviceCount())),
      m_survey(topology, collective, rangesOf(topology, m_groups)),
      m_demands(m_survey, m_grouped) {
  if (collective == Collective::ReduceScatter && hierarchy.replicatedLevels() != 0) nameShards(hierarchy);
}

LeastTime ListedLowerBound::least() {
  LeastTime least = byInstances();
  // The flows know no relays: cuts between a device and its relay would let nothing through.
  if (m_topology.deviceCount() > kMostFlowDevices || !m_topology.linkGraph()->relaysOut().empty() ||
      !m_topology.linkGraph()->relaysIn().empty()) {
    return least;
  }
  const LeastTime flows = byFlows(least.seconds);
  return definitelyLess(least.seconds, flows.seconds) ? flows : least;
}

LeastTime ListedLowerBound::byInstances() {
  m_least = {};
  for (const Cut& cut : m_survey.cuts()) consider(cut);
  for (std::size_t level = 0; level < m_topology.levels().size(); ++level) considerRings(level);
  return m_least;
}

/// The instances side by side from one on, round the ring that they are in.
Part ListedLowerBound::runOf(std::span<const Part> ring, std::size_t first, std::size_t length) {
  Part run;
  for (std::size_t i = 0; i < length; ++i) {
    const Part& next = ring[(first + i) % ring.size()];
    run.insert(run.end(), next.begin(), next.end());
  }
  return run;
}

void ListedLowerBound::considerRings(std::size_t level) {
  const auto count = static_cast<std::size_t>(m_topology.levels()[level].count);
  const bool isRing = m_topology.levels()[level].kind == InterconnectKind::Ring;
  if (!isRing || count > kMostInRing || m_topology.deviceCount() > kMostFlowDevices) return;
  const std::int64_t below = m_topology.levels()[level].devicesBelow;
  std::vector<Part> all;
  for (std::int64_t first = 0; first < m_topology.deviceCount(); first += below) {
    all.push_back(m_survey.instance({first, first + below}));
  }
  const std::span<const Part> parts(all);
  for (std::size_t ring = 0; ring < parts.size(); ring += count) {
    for (std::size_t first = 0; first < count; ++first) {
      for (std::size_t length = 2; length < count; ++length) {
        const Part run = runOf(parts.subspan(ring, count), first, length);
        consider({&run, 1}, m_survey.nameOf(run));
      }
    }
  }
  considerCuttings(level, parts);
}

// Every ring cut into runs of equal length, with a shorter one at the end.
void ListedLowerBound::considerCuttings(std::size_t level, std::span<const Part> parts) {
  const auto count = static_cast<std::size_t>(m_topology.levels()[level].count);
  const std::string name = " neighbouring " + pluralOf(m_topology.levels()[level].name);
  for (std::size_t length = 2; 2 * length <= count; ++length) {
    for (std::size_t offset = 0; offset < length; ++offset) {
      std::vector<Part> runs;
      for (std::size_t ring = 0; ring < parts.size(); ring += count) {
        for (std::size_t first = 0; first < count; first += length) {
          runs.push_back(runOf(parts.subspan(ring, count), offset + first, std::min(length, count - first)));
        }
      }
      consider(runs, std::to_string(length) + name);
    }
  }
}

void ListedLowerBound::consider(std::span<const Part> parts, const std::string& name) {
  if (const auto cut = m_survey.cutOf(parts, name, 1)) consider(*cut);
}

void ListedLowerBound::consider(const Cut& cut) {
  keepLonger(cut, m_shardOf.empty() ? m_demands.of(cut) : shardDemandOf(cut), m_least);
}

LeastTime ListedLowerBound::byFlows(double known) {
  m_least = {known, {}};
  // No part that a Scatter sends is large enough to find a cut by.
  if (m_collective == Collective::Scatter) return m_least;
  const bool all = m_collective == Collective::ReduceScatter || m_collective == Collective::AllGather ||
                   m_collective == Collective::AllToAll;
  for (std::size_t goal = all ? 0 : 1; goal < m_groups[0].size(); ++goal) {
    for (const bool backwards : {false, true}) {
      if (m_collective == Collective::AllGather && backwards) continue;
      if (m_collective == Collective::ReduceScatter && !backwards && m_shardOf.empty()) continue;
      if (m_collective == (backwards ? Collective::Broadcast : Collective::Reduce)) continue;
      considerCuts(all ? spreading(goal, backwards) : sending(goal, backwards));
    }
  }
  return m_least;
}

/// Every member but one of each group has a piece that this one must get, or a piece of the sum that it adds to.
ListedLowerBound::Task ListedLowerBound::spreading(std::size_t goal, bool backwards) const {
  Task task{std::vector<double>(m_grouped.groupOf.size(), 1 / static_cast<double>(m_groups[0].size())), {}, backwards};
  for (const DeviceGroup& group : m_groups) {
    task.goals.insert(group[goal]);
    task.bytes[group[goal].index()] = 0;
  }
  return task;
}

/// The first member of each group has a vector that another one must get, or adds to one of that one.
ListedLowerBound::Task ListedLowerBound::sending(std::size_t goal, bool backwards) const {
  Task task{std::vector<double>(m_grouped.groupOf.size(), 0), {}, backwards};
  for (const DeviceGroup& group : m_groups) {
    task.goals.insert(group[goal]);
    task.bytes[group.front().index()] = 1;
  }
  return task;
}

// Each cut that is found needs longer than the time it was looked for with, and cuts are finitely many.
void ListedLowerBound::considerCuts(const Task& task) {
  for (;;) {
    const double before = m_least.seconds;
    const Part cut = tightestCut(task);
    if (cut.empty()) return;
    consider({&cut, 1}, m_survey.nameOf(cut));
    if (!definitelyLess(before, m_least.seconds)) return;
  }
}

/// A part that cannot get rid of its bytes in the time known so far; none if there is none.
Part ListedLowerBound::tightestCut(const Task& task) const {
  const LinkGraph& graph = m_survey.links().graph();
  const auto vertices = static_cast<std::size_t>(graph.vertexCount());
  const std::size_t source = vertices;
  const std::size_t sink = vertices + 1;
  MaxFlow flow(vertices + 2);
  const auto edge = [&](Vertex from, Vertex to, double capacity) {
    if (task.backwards) std::swap(from, to);
    flow.addEdge(static_cast<std::size_t>(from), static_cast<std::size_t>(to), capacity);
  };
  for (const LinkGraph::Link& link : graph.links()) {
    if (m_survey.links().isUsable(link) && m_least.seconds > 0)
      edge(link.tail, link.head, link.bandwidth * m_least.seconds);
  }
  for (Vertex vertex = 0; vertex < graph.vertexCount(); ++vertex) {
    for (const Vertex other : graph.joinedTo(vertex)) edge(vertex, other, MaxFlow::kNoBound);
  }
  double bytes = 0;
  for (const Device device : IdRange<Device>(m_topology.deviceCount())) {
    const auto at = static_cast<std::size_t>(task.backwards ? graph.wayIn(device) : graph.wayOut(device));
    // Devices store what arrives and send it on; a cut through one of them would be none.
    edge(graph.wayIn(device), graph.wayOut(device), MaxFlow::kNoBound);
    edge(graph.wayOut(device), graph.wayIn(device), MaxFlow::kNoBound);
    const double own = task.bytes[device.index()];
    if (own > 0) flow.addEdge(source, at, own);
    bytes += own;
    const auto goal = static_cast<std::size_t>(task.backwards ? graph.wayOut(device) : graph.wayIn(device));
    if (task.goals.contains(device)) flow.addEdge(goal, sink, MaxFlow::kNoBound);
  }
  if (!definitelyLess(flow.run(source, sink), bytes)) return {};
  const std::vector<bool> side = flow.sourceSide();
  Part part;
  for (Vertex vertex = 0; vertex < graph.vertexCount(); ++vertex) {
    if (side[static_cast<std::size_t>(vertex)]) part.push_back(vertex);
  }
  return part;
}

void ListedLowerBound::nameShards(const SynthesisHierarchy& hierarchy) {
  const auto isReplicated = [&](int level) { return (hierarchy.replicatedLevels() >> level & 1) != 0; };
  for (const Device device : IdRange<Device>(m_topology.deviceCount())) {
    std::int64_t shard = 0;
    for (int level = 0; level < hierarchy.levelCount(); ++level) {
      if (isReplicated(level)) continue;
      for (const Digit& digit : hierarchy.levels()[static_cast<std::size_t>(level)].digits) {
        shard = shard * digit.size + digit.of(device);
      }
    }
    m_shardOf.push_back(shard);
  }
  for (int level = 0; level < hierarchy.levelCount(); ++level) {
    if (isReplicated(level)) m_replicas *= hierarchy.levels()[static_cast<std::size_t>(level)].size;
  }
}

/// By group, how many members of each shard are in a part.
std::map<std::int32_t, std::map<std::int64_t, std::int64_t>> ListedLowerBound::holdersIn(
    const std::vector<std::int32_t>& part) const {
  std::map<std::int32_t, std::map<std::int64_t, std::int64_t>> inside;
  for (const std::int32_t at : part) {
    const auto device = static_cast<std::size_t>(at);
    ++inside[m_grouped.groupOf[device]][m_shardOf[device]];
  }
  return inside;
}

CutDemand ListedLowerBound::shardDemandOf(const Cut& cut) const {
  struct Held {
    std::int64_t members = 0;  // in all parts
    std::int64_t parts = 0;
    std::int64_t holders = 0;  // over all shards, the parts that have it
    CutDemand apart;           // part by part
  };
  const auto size = static_cast<std::int64_t>(m_groups[0].size());
  const std::int64_t shards = size / m_replicas;
  std::map<std::int32_t, Held> held;
  for (const std::vector<std::int32_t>& part : cut.parts) {
    for (const auto& [group, own] : holdersIn(part)) {
      Held& all = held[group];
      std::int64_t members = 0;
      std::int64_t complete = 0;  // shards without a copy outside
      for (const auto& [shard, count] : own) {
        members += count;
        complete += count == m_replicas ? 1 : 0;
      }
      const CutDemand demand =
          members == size ? CutDemand{} : p2::demandOf(ShardCut{shards, std::ssize(own), shards - complete});
      all.members += members;
      all.holders += std::ssize(own);
      ++all.parts;
      all.apart = {all.apart.out + demand.out, all.apart.in + demand.in};
    }
  }
  CutDemand sum;
  for (const auto& [group, all] : held) {
    const double holders = static_cast<double>(all.holders) / static_cast<double>(shards);
    const bool together = all.members == size && !cut.reduces;
    const CutDemand own = together ? shardCrossingsOf(all.parts, holders) : all.apart;
    sum = {sum.out + own.out, sum.in + own.in};
  }
  return sum;
}

}  // namespace p2::inline cost
