// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/bounds/detail/listed_lower_bound.h"

#include <algorithm>

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
        const auto leaves = [&](LinkId link) { return !topology.linkGraph()->link(link).within.liesIn(range); };
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

}  // namespace p2::inline cost
