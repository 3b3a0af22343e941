// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/detail/cabling.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/counted.h"
#include "base/units.h"

namespace p2::inline importers {
namespace {

using Neighbours = std::vector<std::map<std::size_t, double>>;

/// Sets of ends that grow together.
class JoinedEnds {
 public:
  explicit JoinedEnds(std::size_t ends) : m_parent(ends) { std::iota(m_parent.begin(), m_parent.end(), 0U); }
  std::size_t of(std::size_t end) {
    while (m_parent[end] != end) end = m_parent[end] = m_parent[m_parent[end]];
    return end;
  }
  void join(std::size_t a, std::size_t b) { m_parent[of(a)] = of(b); }

 private:
  std::vector<std::size_t> m_parent;
};

/// Finds the tiers from the hosts up.
class TierSearch {
 public:
  TierSearch(const Cabling& cabling, CabledFabric& fabric)
      : m_cabling(cabling), m_fabric(fabric), m_neighbours(cabling.neighbours()), m_joined(cabling.size()) {}

  Result<void> run() {
    findHosts();
    if (m_hosts.size() < 2)
      return Error{"it has fewer than two hosts on switches; give the listing of the whole fabric"};
    findDistances();
    m_part = m_hosts;
    m_fabric.hostsEach = m_hosts.size();
    for (std::size_t tier = 1; tier <= m_farthest && addTier(tier); ++tier) {
    }
    std::reverse(m_fabric.tiers.begin(), m_fabric.tiers.end());
    return {};
  }

 private:
  void findHosts() {
    std::set<std::size_t> leaves;
    m_fabric.rails = true;
    double most = 0;
    for (std::size_t end = 0; end < m_cabling.size(); ++end) {
      if (m_cabling.isSwitch(end)) {
        ++m_fabric.switches;
        continue;
      }
      double port = 0;
      std::size_t above = 0;
      for (const auto& [to, bandwidth] : m_neighbours[end]) {
        if (!m_cabling.isSwitch(to)) continue;
        port += bandwidth;
        leaves.insert(to);
        ++above;
      }
      if (above == 0) continue;
      m_hosts.push_back(end);
      m_fabric.rails = m_fabric.rails && above > 1;
      m_fabric.port = m_fabric.port > 0 ? std::min(m_fabric.port, port) : port;
      most = std::max(most, port);
    }
    m_fabric.hosts = m_hosts.size();
    m_fabric.leaves = leaves.size();
    m_fabric.unequalPorts = most > m_fabric.port;
  }

  /// Cables from the nearest host, by end; 0 for hosts.
  void findDistances() {
    m_distance.assign(m_cabling.size(), m_cabling.size());
    std::vector<std::size_t> queue = m_hosts;
    for (const std::size_t host : m_hosts) m_distance[host] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const auto& [to, bandwidth] : m_neighbours[queue[i]]) {
        if (!m_cabling.isSwitch(to) || m_distance[to] < m_cabling.size()) continue;
        m_distance[to] = m_distance[queue[i]] + 1;
        m_farthest = std::max(m_farthest, m_distance[to]);
        queue.push_back(to);
      }
    }
  }

  /// Joins what switches of this distance join. False at the top and where the parts are not equal.
  bool addTier(std::size_t tier) {
    std::map<std::size_t, double> up;
    std::map<std::size_t, std::size_t> switches;
    for (std::size_t end = 0; end < m_cabling.size(); ++end) {
      if (m_distance[end] != tier) continue;
      for (const auto& [to, bandwidth] : m_neighbours[end]) {
        if (m_distance[to] <= tier) m_joined.join(end, to);
      }
    }
    for (std::size_t end = 0; end < m_cabling.size(); ++end) {
      if (m_distance[end] != tier) continue;
      ++switches[m_joined.of(end)];
      for (const auto& [to, bandwidth] : m_neighbours[end]) {
        if (m_distance[to] == tier + 1) up[m_joined.of(end)] += bandwidth;
      }
    }
    std::map<std::size_t, std::size_t> parts;
    for (const std::size_t part : m_part) ++parts[m_joined.of(part)];
    const std::size_t each = parts.begin()->second;
    const bool equal = std::all_of(parts.begin(), parts.end(), [&](const auto& row) { return row.second == each; });
    if (!equal || (parts.size() > 1 && up.size() != parts.size())) {
      m_fabric.tiers.clear();
      m_fabric.hostsEach = m_hosts.size();
      return false;
    }
    if (m_fabric.tiers.empty()) m_fabric.hostsEach = each;
    if (!m_fabric.tiers.empty()) m_fabric.tiers.back().count = each;
    if (parts.size() == 1) return false;
    const bool single = std::all_of(switches.begin(), switches.end(), [](const auto& row) { return row.second == 1; });
    const double least = std::min_element(up.begin(), up.end(), [](const auto& a, const auto& b) {
                           return a.second < b.second;
                         })->second;
    std::string name = tier == 1 ? (single ? "leaf" : "unit") : "pod";
    if (tier > 2) name += std::to_string(tier - 1);
    m_fabric.tiers.push_back({name, parts.size(), least});
    m_part.clear();
    for (const auto& [part, count] : parts) m_part.push_back(part);
    return true;
  }

  const Cabling& m_cabling;
  CabledFabric& m_fabric;
  Neighbours m_neighbours;
  JoinedEnds m_joined;
  std::vector<std::size_t> m_hosts;
  std::vector<std::size_t> m_distance;
  std::size_t m_farthest = 0;
  std::vector<std::size_t> m_part;  // one end of every part of the last tier
};

}  // namespace

std::size_t Cabling::end(const std::string& name) {
  const auto [found, added] = m_byName.emplace(name, m_ends.size());
  if (added) m_ends.emplace_back();
  return found->second;
}

std::vector<std::map<std::size_t, double>> Cabling::neighbours() const {
  Neighbours neighbours(m_ends.size());
  for (std::size_t from = 0; from < m_ends.size(); ++from) {
    for (const auto& [to, bandwidth] : m_ends[from].cables) {
      if (to == from) continue;
      double& there = neighbours[from][to];
      there = std::max(there, bandwidth);
      neighbours[to][from] = there;
    }
  }
  return neighbours;
}

Result<CabledFabric> fabricOf(const Cabling& cabling) {
  CabledFabric fabric;
  P2_TRY(TierSearch(cabling, fabric).run());
  return fabric;
}

std::vector<Level> levelsOf(const CabledFabric& fabric, const std::string& host) {
  std::vector<Level> levels;
  for (std::size_t i = 0; i < fabric.tiers.size(); ++i) {
    const FabricTier& tier = fabric.tiers[i];
    const std::string above = i + 1 == fabric.tiers.size() ? "spine"
                              : i == 0                     ? "core"
                                                           : "core " + std::to_string(i + 1);
    levels.push_back({tier.name, static_cast<std::int64_t>(tier.count), {InterconnectKind::Switch, tier.up, 0, above}});
  }
  if (fabric.hostsEach == 1 && !levels.empty()) {
    levels.back().name = host;
    levels.back().interconnect.bandwidth = std::min(levels.back().interconnect.bandwidth, fabric.port);
    return levels;
  }
  const auto each = static_cast<std::int64_t>(fabric.hostsEach);
  levels.push_back({host, each, {InterconnectKind::Switch, fabric.port, 0, "leaf"}});
  return levels;
}

void tellFabric(const CabledFabric& fabric, Imported& notes) {
  notes.understood.push_back(countedText(fabric.hosts, "host"));
  notes.understood.push_back(countedText(fabric.switches, "switch", "switches"));
  notes.understood.push_back(countedText(fabric.leaves, "switch", "switches") + " with hosts");
  notes.understood.push_back(formatBandwidth(fabric.port) + " from a host");
  double down = static_cast<double>(fabric.hostsEach) * fabric.port;
  for (std::size_t i = fabric.tiers.size(); i-- > 0;) {
    const FabricTier& tier = fabric.tiers[i];
    notes.understood.push_back(formatBandwidth(tier.up) + " up from a " + tier.name + ", " +
                               formatPercent(tier.up / down) + " of its hosts' ports");
    down *= static_cast<double>(tier.count);
  }
  if (fabric.unequalPorts) notes.assumed.push_back("the slowest host's ports for all");
  if (!fabric.tiers.empty()) return;
  notes.assumed.push_back(
      fabric.rails ? "the switches carry as much as the hosts' ports: hosts are on several switches, as on rails"
      : fabric.leaves == 1 ? "the switch carries as much as the hosts' ports"
                           : "the switches carry as much as the hosts' ports: the leaves are not equal");
}

Result<Imported> systemOfHosts(const Cabling& cabling, Imported notes) {
  P2_TRY_ASSIGN(const auto fabric, fabricOf(cabling));
  tellFabric(fabric, notes);
  notes.assumed.push_back("a host is one device: the file does not show its GPUs; import one node, as " +
                          countedText(fabric.hosts, "node") + " and with these figures");
  notes.system.levels = levelsOf(fabric, "host");
  notes.system.name = shapeOf(notes.system);
  P2_TRY(checkParts(notes.system));
  return notes;
}

}  // namespace p2::inline importers
