// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/gpu_fabric.h"

#include <algorithm>

namespace p2 {
namespace {

using Matrix = std::vector<std::vector<int>>;

Interconnect joined(InterconnectKind kind, int links, double bandwidth) {
  Interconnect interconnect;
  interconnect.kind = kind;
  interconnect.bandwidth = links * bandwidth;
  // GPUs do not pass on what is not meant for them.
  interconnect.forwards = kind == InterconnectKind::Switch;
  return interconnect;
}

/// The links of every pair when all have equally many, else 0.
int linksOfMesh(const Matrix& between) {
  if (between.size() < 2) return 0;
  const int links = between[0][1];
  for (std::size_t a = 0; a < between.size(); ++a) {
    for (std::size_t b = 0; b < between.size(); ++b) {
      if (a != b && between[a][b] != links) return 0;
    }
  }
  return links;
}

/// The GPUs in their order round one ring with `links` along it; empty when the links are no such ring.
std::vector<std::size_t> ringOrder(const Matrix& between, int links) {
  std::vector<std::size_t> order{0};
  std::size_t previous = 0;
  while (!between.empty() && links > 0) {
    std::vector<std::size_t> neighbours;
    for (std::size_t other = 0; other < between.size(); ++other) {
      if (between[order.back()][other] == 0) continue;
      if (between[order.back()][other] != links) return {};
      neighbours.push_back(other);
    }
    if (neighbours.size() != 2) return {};
    const std::size_t next = order.size() > 1 && neighbours[0] == previous ? neighbours[1] : neighbours[0];
    previous = order.back();
    if (next == 0) break;
    order.push_back(next);
  }
  return order.size() == between.size() ? order : std::vector<std::size_t>{};
}

std::size_t joinedPairs(const Matrix& between) {
  std::size_t pairs = 0;
  for (std::size_t a = 0; a < between.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) pairs += between[a][b] > 0 ? 1 : 0;
  }
  return pairs;
}

std::string linkCount(int links) { return countedNoun(static_cast<std::size_t>(links), "NVLink"); }

Network networkOf(Interconnect interconnect, const std::string& name, const std::string& within) {
  Network network;
  network.interconnect = std::move(interconnect);
  network.interconnect.name = name;
  network.within = within;
  return network;
}

Member placeOf(std::size_t gpu, const std::vector<std::size_t>& order) {
  return {"gpu", std::find(order.begin(), order.end(), gpu) - order.begin(), 1};
}

}  // namespace

GpuFabric fabricOf(const GpuLinks& links) {
  GpuFabric fabric;
  fabric.interconnect.kind = InterconnectKind::None;
  const int ports = links.toSwitch.empty() ? 0 : *std::min_element(links.toSwitch.begin(), links.toSwitch.end());
  if (ports > 0) {
    fabric.interconnect = joined(InterconnectKind::Switch, ports, links.bandwidth);
    fabric.interconnect.name = "NVSwitch";
    fabric.text = "NVSwitch, " + linkCount(ports) + " a GPU";
    return fabric;
  }
  if (const int mesh = linksOfMesh(links.between); mesh > 0) {
    fabric.interconnect = joined(InterconnectKind::Mesh, mesh, links.bandwidth);
    fabric.interconnect.name = "NVLink";
    fabric.text = "NVLink mesh, " + linkCount(mesh) + " between every two GPUs";
    return fabric;
  }
  const std::size_t pairs = joinedPairs(links.between);
  if (pairs == 0) return fabric;
  const int alongRing = *std::max_element(links.between[0].begin(), links.between[0].end());
  fabric.ring = ringOrder(links.between, alongRing);
  fabric.text = fabric.ring.empty() ? "NVLink between " + countedNoun(pairs, "pair") + " of GPUs"
                                    : "NVLink ring, " + linkCount(alongRing) + " between neighbours";
  return fabric;
}

std::vector<Network> linkNetworks(const GpuFabric& fabric, const GpuLinks& links, const std::vector<std::size_t>& order,
                                  const std::string& within) {
  std::vector<Network> networks;
  if (fabric.joinsAll() || links.between.empty()) return networks;
  if (!fabric.ring.empty()) {
    const int count = links.between[fabric.ring[0]][fabric.ring[1]];
    networks.push_back(networkOf(joined(InterconnectKind::Ring, count, links.bandwidth), "NVLink ring", within));
    for (const std::size_t gpu : fabric.ring) networks.back().members.push_back(placeOf(gpu, order));
    return networks;
  }
  for (std::size_t a = 0; a < order.size(); ++a) {
    for (std::size_t b = a + 1; b < order.size(); ++b) {
      const int count = links.between[order[a]][order[b]];
      if (count == 0) continue;
      networks.push_back(networkOf(joined(InterconnectKind::Mesh, count, links.bandwidth),
                                   "NVLink " + std::to_string(a) + "-" + std::to_string(b), within));
      networks.back().members = {placeOf(order[a], order), placeOf(order[b], order)};
    }
  }
  return networks;
}

}  // namespace p2
