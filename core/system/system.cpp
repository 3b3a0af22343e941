// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/system.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/numbers.h"
#include "system/link_graph.h"
#include "system/system_check.h"

namespace p2 {
namespace {

constexpr std::array<std::string_view, 5> kKindNames{"switch", "ring", "mesh", "bus", "none"};
constexpr std::array<std::string_view, 2> kDealNames{"blocks", "in turn"};

Result<void> checkLevel(const Level& level, const std::string& where) {
  if (!isWord(level.name)) {
    return Error{"\"" + level.name + "\" is not a level name; use 1 to 64 letters, digits, '-', '_' or '.'", where};
  }
  if (level.name == kRootName) {
    return Error{"\"root\" names the whole system; give this level another name, as in rack", where};
  }
  if (level.count < 1) {
    return Error{"level " + level.name + " has " + std::to_string(level.count) + " instances; it needs 1 or more",
                 where};
  }
  return checkInterconnect(level.interconnect, "the interconnect of level " + level.name, where);
}

}  // namespace

std::string_view nameOf(InterconnectKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

Result<InterconnectKind> interconnectKindFrom(std::string_view name) {
  const auto found = std::find(kKindNames.begin(), kKindNames.end(), name);
  if (found != kKindNames.end()) return static_cast<InterconnectKind>(found - kKindNames.begin());
  return Error{"\"" + std::string(name) + "\" is not a kind of interconnect; use switch, ring, mesh, bus or none"};
}

std::string_view nameOf(Network::Deal deal) { return kDealNames[static_cast<std::size_t>(deal)]; }

Result<Network::Deal> dealFrom(std::string_view name) {
  const auto found = std::find(kDealNames.begin(), kDealNames.end(), name);
  if (found != kDealNames.end()) return static_cast<Network::Deal>(found - kDealNames.begin());
  return Error{"\"" + std::string(name) + "\" is not a way to deal members; use blocks or in turn"};
}

std::vector<std::int64_t> System::counts() const {
  std::vector<std::int64_t> result;
  for (const Level& level : levels) result.push_back(level.count);
  return result;
}

std::int64_t System::deviceCount() const {
  std::int64_t product = 1;
  for (const Level& level : levels) product *= level.count;
  return product;
}

bool System::isUniform() const {
  return networks.empty() && disabled.empty() && std::all_of(levels.begin(), levels.end(), [](const Level& level) {
           const Interconnect& link = level.interconnect;
           const bool known =
               link.kind == InterconnectKind::Switch || (link.kind == InterconnectKind::Ring && link.forwards);
           return known && link.core == 0 && !link.halfDuplex;
         });
}

double bandwidthOf(const Interconnect& interconnect, bool calibrated) {
  return calibrated && interconnect.fittedBandwidth > 0 ? interconnect.fittedBandwidth : interconnect.bandwidth;
}

double latencyOf(const Interconnect& interconnect, bool calibrated) {
  return calibrated && interconnect.fittedLatency >= 0 ? interconnect.fittedLatency : interconnect.latency;
}

Interconnect defaultInterconnect(std::string_view levelName, bool innermost) {
  if (innermost) return {InterconnectKind::Switch, 270e9, 0, "NVSwitch"};
  for (const std::string_view socket : {"cpu", "CPU", "socket", "numa", "package", "pcie"}) {
    if (levelName == socket) return {InterconnectKind::Switch, 32e9, 0, "PCIe"};
  }
  return {InterconnectKind::Switch, 8e9, 0, "network"};
}

Result<System> validated(System system) {
  if (system.levels.empty()) {
    return Error{"the system has no levels; name at least one, as in gpu:8"};
  }
  if (system.levels.size() > kMostLevels) {
    return Error{"the system has " + std::to_string(system.levels.size()) + " levels; at most " +
                 std::to_string(kMostLevels) + " can be worked with"};
  }
  std::set<std::string_view> names;
  std::int64_t devices = 1;
  for (std::size_t i = 0; i < system.levels.size(); ++i) {
    const Level& level = system.levels[i];
    const std::string where = "level " + std::to_string(i + 1);
    P2_TRY(checkLevel(level, where));
    if (!names.insert(level.name).second) {
      return Error{"the name \"" + level.name + "\" is used twice; give every level its own", where};
    }
    const auto product = checkedProduct(devices, level.count);
    if (!product || *product > kMostDevices) {
      return Error{"the system has more than " + std::to_string(kMostDevices) + " devices; lower the counts, level " +
                   level.name + " has " + std::to_string(level.count)};
    }
    devices = *product;
  }
  P2_TRY(checkNetworks(system));
  if (system.isUniform()) return system;
  if (devices > kMostDrawnDevices) {
    return Error{"the system has " + std::to_string(devices) + " devices; one with networks of its own, or with more " +
                 "than plain switches and rings, can have " + std::to_string(kMostDrawnDevices)};
  }
  P2_TRY(LinkGraph::build(system));
  return system;
}

std::string shapeOf(const System& system) {
  std::string text;
  for (const Level& level : system.levels) {
    if (!text.empty()) text += ' ';
    text += level.name + ":" + std::to_string(level.count);
  }
  return text;
}

std::string describe(const System& system) {
  std::string text;
  for (const Level& level : system.levels) {
    if (!text.empty()) text += " × ";
    std::string noun = level.name;
    if (noun == "gpu" || noun == "cpu") std::transform(noun.begin(), noun.end(), noun.begin(), ::toupper);
    text += std::to_string(level.count) + " " + noun + (level.count == 1 ? "" : "s");
  }
  return text;
}

}  // namespace p2
