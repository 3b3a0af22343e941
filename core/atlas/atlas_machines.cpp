// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "atlas/atlas.h"
#include "workspace/machine_parts.h"

namespace p2::inline atlas {
namespace {

/// Time to start an operation on each GPU that a process drives, one after the other, while the one before still
/// runs: the median of the smallest messages' times on five machines, 3.9 µs (mit-h100-dgx, of two GPUs), 4.4
/// (sb-a100, of eight), 5.0 (mit-h100-lambda and autodl-2080ti, of two), 5.5 (mit-b200) and 6.5 (mit-h200, of eight).
constexpr double kLaunchOfOneGpu = 5e-6;

/// Whether one process drives several GPUs: "-g 8", "1 process".
bool isOneProcess(const std::string& note) {
  const std::size_t option = note.find("-g ");
  if (option != std::string::npos && option + 3 < note.size() && note[option + 3] >= '2' && note[option + 3] <= '9') {
    return true;
  }
  return note.find("1 process") != std::string::npos && note.find("1 process per GPU") == std::string::npos;
}

/// What tells machines apart.
struct Likeness {
  std::string generation;
  std::int64_t nodes = 1;
  std::int64_t devices = 1;  ///< of each node
  bool rack = false;
  Interconnect link;
  double outside = 0;  ///< bytes/s of the NICs of a device
  std::string fabric;  ///< name of what joins the nodes
};

bool isNear(double a, double b) { return a > 0 && b > 0 && std::abs(a - b) <= 0.15 * std::max(a, b); }

Likeness likenessOf(const System& system) {
  Likeness likeness;
  likeness.generation = system.library.generation;
  const std::size_t depth = nodeDepth(system);
  for (std::size_t i = 0; i < system.levels.size(); ++i) {
    (i < depth ? likeness.nodes : likeness.devices) *= system.levels[i].count;
  }
  likeness.rack = depth > 0 && system.levels[depth - 1].name == "rack";
  likeness.link = system.levels.back().interconnect;
  if (depth > 0) likeness.fabric = system.levels[depth - 1].interconnect.name;
  for (const Network& network : system.networks) {
    if (!network.gateway || depth == 0 || network.within != system.levels[depth - 1].name) continue;
    likeness.outside +=
        network.interconnect.bandwidth * static_cast<double>(network.instances) / static_cast<double>(likeness.devices);
  }
  return likeness;
}

bool sameLinks(const Likeness& a, const Likeness& b) {
  return a.link.kind == b.link.kind && isNear(a.link.bandwidth, b.link.bandwidth);
}

/// Bytes/s that a device sends within its node.
double inside(const Likeness& machine) {
  const auto links = machine.link.kind == InterconnectKind::Mesh ? std::max<std::int64_t>(1, machine.devices - 1) : 1;
  return machine.link.bandwidth * static_cast<double>(links);
}

bool isLike(const Likeness& a, const Likeness& b) {
  if (a.rack != b.rack || (!a.rack && a.devices != b.devices)) return false;
  // Cards on PCIe are not like the same generation on NVLink.
  constexpr double kMostRatio = 3;
  if (inside(a) > kMostRatio * inside(b) || inside(b) > kMostRatio * inside(a)) return false;
  return a.generation.empty() ? sameLinks(a, b) : a.generation == b.generation;
}

/// Smaller for more similar machines.
int distance(const Likeness& a, const Likeness& b) {
  return (a.nodes != b.nodes || a.devices != b.devices ? 4 : 0) + (sameLinks(a, b) ? 0 : 2) +
         (isNear(a.outside, b.outside) ? 0 : 1) + (a.fabric == b.fabric ? 0 : 1);
}

}  // namespace

Result<System> systemOf(const AtlasTable& table) {
  MachineParts parts;
  parts.gpu = table.gpu;
  parts.nvlink = table.nvlink;
  parts.gpusPerNode = table.gpusPerNode;
  parts.nodes = table.nodes;
  parts.nics = table.nics;
  parts.nicBandwidth = table.nicBandwidth;
  parts.fabric = table.fabric;
  parts.nvls = !table.nvls.starts_with("off");
  parts.sharp = table.sharp.starts_with("on");
  parts.library.version = table.version;
  if (table.gpusPerNode > 1 && isOneProcess(table.note)) {
    parts.library.launch = kLaunchOfOneGpu * table.gpusPerNode;
  }
  P2_TRY_ASSIGN(System system, systemOf(parts).within(table.name));
  system.name = table.name;
  return system;
}

std::vector<const AtlasTable*> tablesLike(const System& system) {
  static const std::vector<Likeness> kLikenesses = [] {
    std::vector<Likeness> list;
    for (const AtlasTable& table : atlasTables()) {
      const auto machine = systemOf(table);
      list.push_back(machine.ok() ? likenessOf(*machine) : Likeness{});
    }
    return list;
  }();
  const Likeness wanted = likenessOf(system);
  std::vector<std::pair<int, const AtlasTable*>> like;
  for (std::size_t i = 0; i < kLikenesses.size(); ++i) {
    if (isLike(wanted, kLikenesses[i])) like.emplace_back(distance(wanted, kLikenesses[i]), &atlasTables()[i]);
  }
  std::stable_sort(like.begin(), like.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const AtlasTable*> tables;
  for (const auto& [far, table] : like) tables.push_back(table);
  return tables;
}

}  // namespace p2::inline atlas
