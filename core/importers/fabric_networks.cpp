// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/detail/fabric_networks.h"

#include <algorithm>

#include "base/counted.h"
#include "base/units.h"

namespace p2::inline importers {
namespace {

using Kind = GpuIsland::Kind;
using Gpus = std::vector<std::size_t>;

/// By GPU, where it stands in the order.
Gpus placesOf(const Gpus& order) {
  Gpus places(order.size());
  for (std::size_t place = 0; place < order.size(); ++place) places[order[place]] = place;
  return places;
}

Gpus sortedBy(Gpus gpus, const Gpus& places) {
  std::sort(gpus.begin(), gpus.end(), [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
  return gpus;
}

/// Whether links join each of them with the next, and the last with the first.
bool isRing(const GpuLinks& links, const Gpus& gpus) {
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    if (links.between[gpus[i]][gpus[(i + 1) % gpus.size()]] == 0) return false;
  }
  return gpus.size() > 2;
}

bool hasRings(const GpuIsland& island) {
  return (island.kind == Kind::Other || island.kind == Kind::Ring) && island.gpus.size() > 2;
}

class NetworkWriter {
 public:
  NetworkWriter(const GpuLinks& links, const Gpus& order, const std::string& within, Imported& notes)
      : m_links(links), m_places(placesOf(order)), m_within(within), m_notes(notes) {}

  void add(const GpuIsland& island) {
    if (island.kind == Kind::Switch || (island.kind == Kind::Mesh && island.gpus.size() > 2)) {
      const std::string name = island.kind == Kind::Switch ? "NVSwitch" : m_links.name + " mesh";
      push(interconnectOf(island, m_links), numbered(name), island.gpus);
    } else if (island.kind == Kind::Ring) {
      addRing(numbered(m_links.name + " ring"), island.gpus, static_cast<std::size_t>(island.links));
    } else {
      addRings(island);
      addPairs(sortedBy(island.gpus, m_places));
    }
  }

  /// The rings of every group of a level, where all have some.
  void addRingsOf(const Partition& division, const std::string& level) {
    std::vector<Gpus> groups(division.sizes.size());
    for (std::size_t gpu = 0; gpu < division.of.size(); ++gpu) {
      groups[static_cast<std::size_t>(division.of[gpu])].push_back(gpu);
    }
    std::size_t rings = kMostRingGpus;
    for (Gpus& group : groups) {
      group = sortedBy(group, m_places);
      if (!isRing(m_links, group)) return;
      rings = std::min(rings, disjointRings(linksAmong(m_links, group)).size());
    }
    if (rings == 0) return;
    push(ringLink(rings), m_links.name + " rings of " + level, {});
    m_networks.back().within = level;
    m_networks.back().members = {{"gpu", 0, 0}};
  }

  [[nodiscard]] std::vector<Network> take() { return std::move(m_networks); }

 private:
  /// NCCL runs each ring both ways round at once: both directions of a link share the rings' total.
  [[nodiscard]] Interconnect ringLink(std::size_t rings) const {
    Interconnect link;
    link.kind = InterconnectKind::Ring;
    link.bandwidth = 2 * static_cast<double>(rings) * m_links.bandwidth;
    link.halfDuplex = true;
    link.forwards = false;
    return link;
  }

  void addRing(const std::string& name, const Gpus& ring, std::size_t rings) {
    push(ringLink(rings), name, {});
    for (const std::size_t gpu : ring) m_networks.back().members.push_back(memberOf(gpu));
  }

  void addRings(const GpuIsland& island) {
    const Gpus ring = sortedBy(island.gpus, m_places);
    if (!isRing(m_links, ring)) return;
    const std::size_t rings = disjointRings(linksAmong(m_links, ring)).size();
    if (rings == 0) return;
    addRing(numbered(m_links.name + " rings"), ring, rings);
    m_notes.understood.push_back(countedText(rings, m_links.name + " ring") + " through " +
                                 countedText(ring.size(), "GPU"));
    m_notes.assumed.push_back("reductions run over all " + m_links.name + " rings both ways round, " +
                              formatBandwidth(m_networks.back().interconnect.bandwidth) + " in all");
  }

  void addPairs(const Gpus& gpus) {
    for (std::size_t a = 0; a < gpus.size(); ++a) {
      for (std::size_t b = a + 1; b < gpus.size(); ++b) {
        const int count = m_links.between[gpus[a]][gpus[b]];
        if (count == 0) continue;
        const GpuIsland pair{Kind::Mesh, {gpus[a], gpus[b]}, count};
        push(interconnectOf(pair, m_links),
             m_links.name + " " + std::to_string(m_places[gpus[a]]) + "-" + std::to_string(m_places[gpus[b]]),
             pair.gpus);
        // Too many to draw; the caller refuses this many networks.
        if (m_networks.size() > kMostNetworks) return;
      }
    }
  }

  void push(Interconnect link, const std::string& name, const Gpus& gpus) {
    Network network;
    network.interconnect = std::move(link);
    network.interconnect.name = name;
    network.within = m_within;
    for (const std::size_t gpu : gpus) network.members.push_back(memberOf(gpu));
    m_networks.push_back(std::move(network));
  }

  /// "NVSwitch", then "NVSwitch-1".
  [[nodiscard]] std::string numbered(const std::string& name) const {
    const auto same = std::count_if(m_networks.begin(), m_networks.end(), [&](const Network& network) {
      return network.interconnect.name == name || network.interconnect.name.starts_with(name + "-");
    });
    return same == 0 ? name : name + "-" + std::to_string(same);
  }

  [[nodiscard]] Member memberOf(std::size_t gpu) const { return {"gpu", static_cast<std::int64_t>(m_places[gpu]), 1}; }

  const GpuLinks& m_links;
  Gpus m_places;
  std::string m_within;
  Imported& m_notes;
  std::vector<Network> m_networks;
};

}  // namespace

Gpus orderAlongRings(const GpuFabric& fabric, const GpuLinks& links, const Gpus& order,
                     const std::vector<Partition>& divisions) {
  Gpus result = order;
  for (const GpuIsland& island : fabric.islands) {
    const Gpus places = placesOf(result);
    const Gpus gpus = sortedBy(island.gpus, places);
    const std::size_t first = places[gpus.front()];
    const bool together = places[gpus.back()] - first + 1 == gpus.size();
    if (!hasRings(island) || !together || isRing(links, gpus)) continue;
    std::vector<std::vector<int>> blocks;
    for (const Partition& division : divisions) {
      blocks.emplace_back();
      for (const std::size_t gpu : gpus) blocks.back().push_back(division.of[gpu]);
    }
    const Gpus ring = ringInBlocks(linksAmong(links, gpus), blocks);
    for (std::size_t i = 0; i < ring.size(); ++i) result[first + i] = gpus[ring[i]];
  }
  return result;
}

bool missesRings(const GpuFabric& fabric, const GpuLinks& links, const Gpus& order) {
  if (fabric.islands.size() != 1 || fabric.islands[0].gpus.size() != order.size() || !hasRings(fabric.islands[0])) {
    return false;
  }
  return !isRing(links, order) && !ringInBlocks(linksAmong(links, order), {}).empty();
}

std::vector<Network> fabricNetworks(const GpuFabric& fabric, const GpuLinks& links, const Gpus& order,
                                    const std::vector<Partition>& divisions, const std::vector<Level>& levels,
                                    const std::string& within, Imported& notes) {
  NetworkWriter writer(links, order, within, notes);
  bool other = false;
  for (const GpuIsland& island : fabric.islands) {
    writer.add(island);
    other = other || island.kind == Kind::Other;
  }
  for (std::size_t i = 0; other && i < divisions.size(); ++i) {
    if (divisions[i].sizes[0] > 2) writer.addRingsOf(divisions[i], levels[i].name);
  }
  return writer.take();
}

}  // namespace p2::inline importers
