// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/bounds/detail/uniform_lower_bound.h"

#include <algorithm>

#include "base/counted.h"
#include "base/near.h"
#include "collective/collective_traits.h"
#include "cost/flows/detail/pattern_geometry.h"

namespace p2::inline cost {
namespace {

class UniformCuts {
 public:
  UniformCuts(const Topology& topology, const SynthesisHierarchy& hierarchy, Collective collective)
      : m_topology(topology),
        m_collective(collective),
        m_hierarchy(hierarchy),
        m_replicates(collective == Collective::ReduceScatter && hierarchy.replicatedLevels() != 0),
        m_geometry(geometryOf(topology, hierarchy, {0, hierarchy.levelCount(), false})),
        m_members(hierarchy.deviceCount()),
        m_groups(static_cast<double>(topology.deviceCount()) / static_cast<double>(m_members)) {}

  LeastTime least() {
    double instances = 1;
    double groupsBelow = 1;  // of one instance of the level at hand
    for (std::size_t level = 0; level < m_geometry.size(); ++level) {
      groupsBelow *= static_cast<double>(m_geometry[level].bases[0].count);
    }
    Ways above{};
    for (std::size_t level = 0; level < m_geometry.size(); ++level) {
      const double parents = instances;
      instances *= static_cast<double>(m_topology.levels()[level].count);
      groupsBelow /= static_cast<double>(m_geometry[level].bases[0].count);
      if (!m_geometry[level].crossed) continue;
      m_switchesReduce = m_switchesReduce || reducesAt(level);
      const Ways ways = waysOut(level, instances, above);
      considerInstances(level, ways, groupsBelow);
      if (isRingOfMembers(level)) considerRing(level, parents, above, groupsBelow);
      above = ways;
    }
    return m_least;
  }

 private:
  /// What leads out of the instances of a level, in bytes/s.
  struct Ways {
    double ofOne = 0;
    double ofAll = 0;
  };
  static constexpr std::int64_t kMostRuns = std::int64_t{1} << 20;

  [[nodiscard]] bool isRingOfMembers(std::size_t level) const {
    return m_topology.levels()[level].kind == InterconnectKind::Ring && m_geometry[level].visits > 1;
  }

  /// Whether a switch joins the instances of the level that adds up what arrives.
  [[nodiscard]] bool reducesAt(std::size_t level) const {
    return m_topology.levels()[level].hasPorts() && m_topology.system()->levels[level].interconnect.reduces;
  }

  /// Bytes of one group that leave parts in sum, or enter them, whichever are more; of nothing but parts with members.
  [[nodiscard]] double mostCrossing(std::int64_t parts) const {
    const CutDemand demand = crossingsOf(m_collective, parts, m_switchesReduce);
    return std::max(demand.out, demand.in);
  }

  // What leaves a ring's instance for elsewhere goes through no port of its own.
  [[nodiscard]] Ways waysOut(std::size_t level, double instances, const Ways& above) const {
    const Topology::LevelLinks& links = m_topology.levels()[level];
    if (links.hasPorts()) return {links.bandwidth, instances * links.bandwidth};
    if (!isRingOfMembers(level)) return above;
    return {2 * links.bandwidth + above.ofOne, instances * 2 * links.bandwidth + above.ofAll};
  }

  void considerInstances(std::size_t level, const Ways& ways, double groupsBelow) {
    if (m_replicates) return considerShards(level, ways, groupsBelow);
    const std::int64_t inside = m_geometry[level].run;
    // The first instance has the roots of all its groups, the others have none.
    for (const bool root : {false, true}) {
      const CutDemand demand = demandOf(m_collective, m_members, inside, root);
      consider(level, std::max(demand.out, demand.in) * groupsBelow, ways.ofOne, 1);
    }
    consider(level, mostCrossing(m_members / inside) * m_groups, ways.ofAll, 1);
  }

  /// The instances of a level where the sum is scattered in shards that have replicas.
  void considerShards(std::size_t level, const Ways& ways, double groupsBelow) {
    ShardCut cut;
    std::int64_t holders = 1;  // instances that have a shard
    for (int i = 0; i < m_hierarchy.levelCount(); ++i) {
      const SynthesisLevel& own = m_hierarchy.levels()[static_cast<std::size_t>(i)];
      const bool replicated = (m_hierarchy.replicatedLevels() >> i & 1) != 0;
      const bool below = own.digits[0].level > level;
      if (!replicated) cut.shards *= own.size;
      if (replicated && !below) holders *= own.size;
    }
    const std::int64_t parts = m_members / m_geometry[level].run;
    cut.inside = cut.shards * holders / parts;
    cut.outside = holders > 1 ? cut.shards : cut.shards - cut.inside;
    const CutDemand demand = demandOf(cut);
    consider(level, std::max(demand.out, demand.in) * groupsBelow, ways.ofOne, 1);
    const CutDemand apart{demand.out * static_cast<double>(parts), demand.in * static_cast<double>(parts)};
    const CutDemand sum = m_switchesReduce ? apart : shardCrossingsOf(parts, static_cast<double>(holders));
    consider(level, std::max(sum.out, sum.in) * m_groups, ways.ofAll, 1);
  }

  /// Which of the groups that are based in one ring has members at each of its places.
  [[nodiscard]] std::vector<std::size_t> ownersOf(std::size_t level) const {
    const LevelGeometry& place = m_geometry[level];
    std::vector<std::size_t> owners(static_cast<std::size_t>(m_topology.levels()[level].count), 0);
    for (std::size_t base = 0; base < place.bases[0].positions.size(); ++base) {
      for (std::int64_t i = 0; i < place.visits; ++i) {
        owners[static_cast<std::size_t>(place.bases[0].positions[base] + place.visited(i))] = base;
      }
    }
    return owners;
  }

  void considerRing(std::size_t level, double parents, const Ways& above, double groupsBelow) {
    // A run of neighbours can hold the roots of some groups and not of others.
    if (traitsOf(m_collective).rooted()) return;
    const std::vector<std::size_t> owners = ownersOf(level);
    considerRuns(level, owners, above, groupsBelow);
    considerCuttings(level, owners, parents, above);
  }

  // Every run of neighbours: it has two ends, however long it is.
  void considerRuns(std::size_t level, const std::vector<std::size_t>& owners, const Ways& above, double groupsBelow) {
    const auto count = static_cast<std::int64_t>(owners.size());
    const double ways = 2 * m_topology.levels()[level].bandwidth + above.ofOne;
    const std::int64_t longest = std::min(count - 1, std::max<std::int64_t>(1, kMostRuns / count));
    for (std::int64_t first = 0; first < count; ++first) {
      std::vector<std::int64_t> inside(m_geometry[level].bases[0].positions.size(), 0);
      CutDemand sum;
      for (std::int64_t length = 1; length <= longest; ++length) {
        std::int64_t& members = inside[owners[static_cast<std::size_t>((first + length - 1) % count)]];
        const CutDemand before = demandOf(m_collective, m_members, members, false);
        members += m_geometry[level].run;
        const CutDemand after = demandOf(m_collective, m_members, members, false);
        sum.out += after.out - before.out;
        sum.in += after.in - before.in;
        consider(level, std::max(sum.out, sum.in) * groupsBelow, ways, length);
      }
    }
  }

  // Every ring cut into runs of equal length, with a shorter one at the end.
  void considerCuttings(std::size_t level, const std::vector<std::size_t>& owners, double parents, const Ways& above) {
    const auto count = static_cast<std::int64_t>(owners.size());
    const std::int64_t tries = std::max<std::int64_t>(1, 4 * kMostRuns / (count * count));
    for (std::int64_t length = 1; 2 * length <= count; ++length) {
      if (count > 64 && count % length != 0) continue;
      for (std::int64_t offset = 0; offset < std::min(length, tries); ++offset)
        considerCutting(level, owners, parents, above, length, offset);
    }
  }

  void considerCutting(std::size_t level, const std::vector<std::size_t>& owners, double parents, const Ways& above,
                       std::int64_t length, std::int64_t offset) {
    const auto count = static_cast<std::int64_t>(owners.size());
    const LevelGeometry& place = m_geometry[level];
    std::vector<std::int64_t> last(place.bases[0].positions.size(), -1);
    std::vector<std::int64_t> parts(last.size(), 0);
    std::int64_t run = -1;
    for (std::int64_t i = 0; i < count; ++i) {
      if (i % length == 0) ++run;
      const std::size_t owner = owners[static_cast<std::size_t>((offset + i) % count)];
      if (last[owner] == run) continue;
      last[owner] = run;
      ++parts[owner];
    }
    const std::int64_t rings = m_members / (place.visits * place.run);
    double crossing = 0;
    for (const std::int64_t own : parts) crossing += mostCrossing(own * rings);
    const double ways = parents * static_cast<double>(run + 1) * 2 * m_topology.levels()[level].bandwidth + above.ofAll;
    consider(level, crossing * m_groups / static_cast<double>(parts.size()), ways, length);
  }

  void consider(std::size_t level, double bytes, double bandwidth, std::int64_t length) {
    if (!(bandwidth > 0) || !definitelyLess(m_least.seconds, bytes / bandwidth)) return;
    m_least.seconds = bytes / bandwidth;
    m_least.where = nameOf(level, length);
  }

  [[nodiscard]] std::string nameOf(std::size_t level, std::int64_t length) const {
    const System& system = *m_topology.system();
    // A lone child has no links of its own: it leaves over an outer level's.
    std::size_t linked = level;
    while (linked > 0 && !m_topology.levels()[linked].hasPorts() && !isRingOfMembers(linked)) --linked;
    const std::string& given = system.levels[linked].interconnect.name;
    const std::string name = given.empty() ? "the interconnect of " + system.levels[linked].name : given;
    const std::string& part = system.levels[level].name;
    return (length == 1 ? "every " + part : std::to_string(length) + " neighbouring " + pluralOf(part)) + " to " + name;
  }

  const Topology& m_topology;
  Collective m_collective;
  const SynthesisHierarchy& m_hierarchy;
  bool m_replicates;
  PatternGeometry m_geometry;
  std::int64_t m_members;
  double m_groups;
  bool m_switchesReduce = false;  // whether switches of the levels down to the current one reduce
  LeastTime m_least;
};

}  // namespace

LeastTime uniformLowerBound(const Topology& topology, const SynthesisHierarchy& hierarchy, Collective collective) {
  return UniformCuts(topology, hierarchy, collective).least();
}

}  // namespace p2::inline cost
