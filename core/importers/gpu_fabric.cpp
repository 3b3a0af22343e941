// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/detail/gpu_fabric.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/counted.h"

namespace p2::inline importers {
namespace {

using Kind = GpuIsland::Kind;

/// The number of the lowest GPU that each is joined with.
std::vector<std::size_t> componentsOf(const LinkMatrix& between) {
  std::vector<std::size_t> component(between.size(), between.size());
  for (std::size_t first = 0; first < between.size(); ++first) {
    if (component[first] != between.size()) continue;
    std::vector<std::size_t> open{first};
    component[first] = first;
    while (!open.empty()) {
      const std::size_t gpu = open.back();
      open.pop_back();
      for (std::size_t other = 0; other < between.size(); ++other) {
        if (between[gpu][other] == 0 || component[other] != between.size()) continue;
        component[other] = first;
        open.push_back(other);
      }
    }
  }
  return component;
}

/// The links of every pair when all have equally many, else 0.
int linksOfMesh(const LinkMatrix& between) {
  const int links = between[0][1];
  for (std::size_t a = 0; a < between.size(); ++a) {
    for (std::size_t b = 0; b < between.size(); ++b) {
      if (a != b && between[a][b] != links) return 0;
    }
  }
  return links;
}

/// The GPUs in their order round one ring with `links` along it; empty when the links are no such ring.
std::vector<std::size_t> ringOrder(const LinkMatrix& between, int links) {
  std::vector<std::size_t> order{0};
  std::size_t previous = 0;
  while (true) {
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

GpuIsland islandOf(const GpuLinks& links, std::vector<std::size_t> gpus) {
  const LinkMatrix between = linksAmong(links, gpus);
  if (const int mesh = linksOfMesh(between); mesh > 0) return {Kind::Mesh, std::move(gpus), mesh};
  const int along = *std::max_element(between[0].begin(), between[0].end());
  const std::vector<std::size_t> ring = ringOrder(between, along);
  if (ring.empty()) return {Kind::Other, std::move(gpus), 0};
  GpuIsland island{Kind::Ring, {}, along};
  for (const std::size_t place : ring) island.gpus.push_back(gpus[place]);
  return island;
}

std::size_t joinedPairs(const LinkMatrix& between) {
  std::size_t pairs = 0;
  for (std::size_t a = 0; a < between.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) pairs += between[a][b] > 0 ? 1 : 0;
  }
  return pairs;
}

std::string listed(const std::vector<std::size_t>& gpus) {
  std::string text;
  for (const std::size_t gpu : gpus) text += " " + std::to_string(gpu);
  return text;
}

std::string textOfSwitches(const GpuFabric& fabric, const GpuLinks& links) {
  std::vector<bool> joined(fabric.gpus, false);
  std::string text;
  for (const GpuIsland& island : fabric.islands) {
    if (island.kind != Kind::Switch) continue;
    text += std::string(text.empty() ? "" : ", ") + "NVSwitch";
    if (!fabric.joinsAll()) text += " of " + countedText(island.gpus.size(), "GPU");
    text += ", " + countedText(static_cast<std::size_t>(island.links), links.noun()) + " a GPU";
    for (const std::size_t gpu : island.gpus) joined[gpu] = true;
  }
  std::vector<std::size_t> others;
  for (std::size_t gpu = 0; gpu < joined.size(); ++gpu) {
    if (!joined[gpu]) others.push_back(gpu);
  }
  if (others.empty()) return text;
  return text + "; without it " + (others.size() == 1 ? "GPU" : "GPUs") + listed(others);
}

}  // namespace

GpuLinks GpuLinks::none(std::size_t gpus) {
  GpuLinks links;
  links.between.assign(gpus, std::vector<int>(gpus, 0));
  links.toSwitch.assign(gpus, 0);
  return links;
}

LinkMatrix linksAmong(const GpuLinks& links, const std::vector<std::size_t>& gpus) {
  LinkMatrix matrix(gpus.size(), std::vector<int>(gpus.size(), 0));
  for (std::size_t a = 0; a < gpus.size(); ++a) {
    for (std::size_t b = 0; b < gpus.size(); ++b) matrix[a][b] = links.between[gpus[a]][gpus[b]];
  }
  return matrix;
}

void tellSwitches(GpuLinks& links, Imported& notes) {
  const std::size_t gpus = links.between.size();
  if (links.name != "NVLink" || gpus < 2) return;
  const std::vector<std::size_t> component = componentsOf(links.between);
  std::vector<bool> switched(gpus, false);
  int most = 0;
  std::size_t times = 0;
  for (std::size_t gpu = 0; gpu < gpus; ++gpu) {
    const std::vector<int>& row = links.between[gpu];
    if (std::accumulate(row.begin(), row.end(), 0) <= kMostNvLinks) continue;
    switched[component[gpu]] = true;
    most = std::max(most, *std::max_element(row.begin(), row.end()));
    times =
        std::max(times, static_cast<std::size_t>(std::count_if(row.begin(), row.end(), [](int n) { return n > 0; })));
  }
  if (most == 0) return;
  notes.assumed.push_back("an NVSwitch, because NV" + std::to_string(most) + " to " + countedText(times, "peer") +
                          " would be more links than a GPU has");
  if (links.switchOf.empty()) links.switchOf.assign(gpus, -1);
  if (links.toSwitch.empty()) links.toSwitch.assign(gpus, 0);
  for (std::size_t gpu = 0; gpu < gpus; ++gpu) {
    if (!switched[component[gpu]]) continue;
    std::vector<int>& row = links.between[gpu];
    links.toSwitch[gpu] = std::max(links.toSwitch[gpu], *std::max_element(row.begin(), row.end()));
    links.switchOf[gpu] = static_cast<int>(component[gpu]);
    std::fill(row.begin(), row.end(), 0);
  }
}

bool GpuFabric::joinsAll() const {
  return islands.size() == 1 && islands[0].gpus.size() == gpus &&
         (islands[0].kind == Kind::Switch || islands[0].kind == Kind::Mesh);
}

bool GpuFabric::isSwitches() const {
  return islands.size() > 1 && islands.size() * islands[0].gpus.size() == gpus &&
         std::all_of(islands.begin(), islands.end(), [this](const GpuIsland& island) {
           return island.kind == Kind::Switch && island.gpus.size() == islands[0].gpus.size();
         });
}

bool GpuFabric::hasSwitch() const {
  return std::any_of(islands.begin(), islands.end(), [](const GpuIsland& i) { return i.kind == Kind::Switch; });
}

GpuFabric fabricOf(const GpuLinks& links) {
  GpuFabric fabric;
  fabric.gpus = std::max(links.between.size(), links.toSwitch.size());
  std::map<int, GpuIsland> switches;
  for (std::size_t gpu = 0; gpu < links.toSwitch.size(); ++gpu) {
    const int ports = links.toSwitch[gpu];
    if (ports == 0) continue;
    GpuIsland& island = switches[links.switchOf.empty() ? 0 : links.switchOf[gpu]];
    island.kind = Kind::Switch;
    island.links = island.gpus.empty() ? ports : std::min(island.links, ports);
    island.gpus.push_back(gpu);
  }
  for (auto& [number, island] : switches) {
    if (island.gpus.size() > 1) fabric.islands.push_back(std::move(island));
  }
  std::map<std::size_t, std::vector<std::size_t>> joined;
  const std::vector<std::size_t> component = componentsOf(links.between);
  for (std::size_t gpu = 0; gpu < component.size(); ++gpu) {
    if (links.toSwitch.empty() || links.toSwitch[gpu] == 0) joined[component[gpu]].push_back(gpu);
  }
  for (auto& [first, gpus] : joined) {
    if (gpus.size() > 1) fabric.islands.push_back(islandOf(links, std::move(gpus)));
  }
  return fabric;
}

Interconnect interconnectOf(const GpuIsland& island, const GpuLinks& links) {
  Interconnect interconnect;
  const bool isSwitch = island.kind == Kind::Switch;
  interconnect.kind = isSwitch ? InterconnectKind::Switch : InterconnectKind::Mesh;
  interconnect.bandwidth = island.links * links.bandwidth;
  // GPUs do not forward messages of others.
  interconnect.forwards = isSwitch;
  interconnect.name = isSwitch ? "NVSwitch" : links.name;
  return interconnect;
}

std::vector<std::string> textOf(const GpuFabric& fabric, const GpuLinks& links) {
  std::vector<std::string> texts;
  if (fabric.hasSwitch()) texts.push_back(textOfSwitches(fabric, links));
  const auto counted = [&](int count) { return countedText(static_cast<std::size_t>(count), links.noun()); };
  std::size_t pairs = 0;
  for (const GpuIsland& island : fabric.islands) {
    const bool all = island.gpus.size() == fabric.gpus;
    if (island.kind == Kind::Mesh && (all || island.gpus.size() > 2)) {
      texts.push_back(links.name + " mesh" + (all ? "" : " of GPUs" + listed(island.gpus)) + ", " +
                      counted(island.links) + " between every two GPUs");
    } else if (island.kind == Kind::Ring) {
      texts.push_back(links.name + " ring" + (all ? "" : " of GPUs" + listed(island.gpus)) + ", " +
                      counted(island.links) + " between neighbours");
    } else if (island.kind != Kind::Switch) {
      pairs += joinedPairs(linksAmong(links, island.gpus));
    }
  }
  if (pairs > 0) texts.push_back(links.name + " between " + countedText(pairs, "pair") + " of GPUs");
  return texts;
}

}  // namespace p2::inline importers
