// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/system.h"

#include <algorithm>
#include <set>

#include "base/counted.h"
#include "base/numbers.h"
#include "system/detail/system_check.h"
#include "system/interconnects.h"
#include "system/level_names.h"
#include "system/part_states.h"
#include "system/properties.h"

namespace p2::inline system {
namespace {

Result<void> checkLevel(const Level& level) {
  if (!isWord(level.name)) {
    return Error{"\"" + level.name + "\" is not a level name; use 1 to 64 letters, digits, '-', '_' or '.'"}.about(
        "/name");
  }
  if (level.name == kRootName) {
    return Error{"\"root\" names the whole system; give this level another name, as in rack"}.about("/name");
  }
  if (level.count >= 1) return {};
  return Error{"level " + level.name + " has " + countedText(level.count, "instance") + "; it needs 1 or more"}.about(
      "/count");
}

Result<void> checkLevels(const System& system) {
  std::set<std::string_view> names;
  std::int64_t devices = 1;
  for (std::size_t i = 0; i < system.levels.size(); ++i) {
    const Level& level = system.levels[i];
    const std::string part = "/levels/" + std::to_string(i);
    const std::string where = "level " + std::to_string(i + 1);
    if (auto checked = checkLevel(level); !checked.ok()) return checked.error().at(where).about(part);
    if (!names.insert(level.name).second) {
      return Error{"the name \"" + level.name + "\" is used twice; give every level its own", where}.about(part +
                                                                                                           "/name");
    }
    const auto product = checkedProduct(devices, level.count);
    if (!product || *product > kMostDevices) {
      return Error{"the system has more than " + std::to_string(kMostDevices) + " devices; lower the counts, level " +
                   level.name + " has " + std::to_string(level.count)}
          .about(part + "/count");
    }
    devices = *product;
  }
  return {};
}

Result<void> checkFigures(const System& system) {
  for (const auto& placed : interconnects(system)) {
    if (auto checked = checkProperties(placed.link); !checked.ok()) {
      return checked.error().at(placed.owner()).about(placed.ownerPart() + "/interconnect");
    }
  }
  return {};
}

Result<void> checkNode(const System& system) {
  if (system.node.empty() || system.node == kRootName) return {};
  std::string names;
  for (std::size_t i = 0; i + 1 < system.levels.size(); ++i) {
    if (system.levels[i].name == system.node) return {};
    names += (names.empty() ? "" : ", ") + system.levels[i].name;
  }
  const bool devices = system.levels.back().name == system.node;
  return Error{devices ? "the nodes cannot be " + system.node + ", which are the devices; use " +
                             (names.empty() ? "no level, or one above them" : names + ", or none for the innermost")
                       : "there is no level \"" + system.node + "\" whose instances could be the nodes; use " +
                             (names.empty() ? "none" : names + ", or none for the innermost")}
      .about("/node");
}

}  // namespace

std::string_view nameOf(InterconnectKind kind) { return kInterconnectKinds[static_cast<std::size_t>(kind)]; }

Result<InterconnectKind> interconnectKindFrom(std::string_view name) {
  const auto found = std::find(kInterconnectKinds.begin(), kInterconnectKinds.end(), name);
  if (found != kInterconnectKinds.end()) return static_cast<InterconnectKind>(found - kInterconnectKinds.begin());
  return Error{"\"" + std::string(name) + "\" is not a kind of interconnect; use " + alternatives(kInterconnectKinds)};
}

std::string_view nameOf(Network::Assignment assignment) { return kAssignments[static_cast<std::size_t>(assignment)]; }

Result<Network::Assignment> assignmentFrom(std::string_view name) {
  const auto found = std::find(kAssignments.begin(), kAssignments.end(), name);
  if (found != kAssignments.end()) return static_cast<Network::Assignment>(found - kAssignments.begin());
  return Error{"\"" + std::string(name) + "\" is not a way to assign members; use " + alternatives(kAssignments)};
}

std::vector<std::int64_t> System::counts() const {
  std::vector<std::int64_t> result;
  for (const Level& level : levels) result.push_back(level.count);
  return result;
}

std::int64_t System::deviceCount() const {
  std::int64_t product = 1;
  for (const Level& level : levels) {
    if (level.count > kMostDevices / product) return kMostDevices + 1;
    product *= std::max<std::int64_t>(level.count, 0);
    if (product == 0) return 0;
  }
  return product;
}

bool System::isUniform() const {
  return networks.empty() && disabled.empty() && !hasLinkStates(*this) &&
         std::all_of(levels.begin(), levels.end(), [](const Level& level) {
           const Interconnect& link = level.interconnect;
           const bool known =
               link.kind == InterconnectKind::Switch || (link.kind == InterconnectKind::Ring && link.forwards);
           return known && link.core == 0 && !link.halfDuplex && !link.shared;
         });
}

double bandwidthOf(const Interconnect& interconnect, bool calibrated) {
  return calibrated && interconnect.fittedBandwidth > 0 ? interconnect.fittedBandwidth : interconnect.bandwidth;
}

double latencyOf(const Interconnect& interconnect, bool calibrated) {
  return calibrated && interconnect.fittedLatency >= 0 ? interconnect.fittedLatency : interconnect.latency;
}

double ringCapOf(const Interconnect& interconnect, bool calibrated) {
  return calibrated && interconnect.fittedRingCap > 0 ? interconnect.fittedRingCap : interconnect.ringCap;
}

double treeCapOf(const Interconnect& interconnect, bool calibrated) {
  return calibrated && interconnect.fittedTreeCap > 0 ? interconnect.fittedTreeCap : interconnect.treeCap;
}

std::size_t nodeDepth(const System& system) {
  if (system.node == kRootName) return 0;
  const auto node = std::find_if(system.levels.begin(), system.levels.end(),
                                 [&](const Level& level) { return level.name == system.node; });
  if (system.node.empty() || node == system.levels.end()) return system.levels.empty() ? 0 : system.levels.size() - 1;
  return static_cast<std::size_t>(node - system.levels.begin()) + 1;
}

std::string nodeNameOf(const System& system) {
  const std::size_t depth = nodeDepth(system);
  return depth > 0 ? system.levels[depth - 1].name : "node";
}

std::int64_t nodeCount(const System& system) {
  std::int64_t nodes = 1;
  for (std::size_t level = 0; level < nodeDepth(system); ++level) nodes *= system.levels[level].count;
  return nodes;
}

std::int64_t devicesPerNode(const System& system) {
  std::int64_t devices = 1;
  for (std::size_t level = nodeDepth(system); level < system.levels.size(); ++level) {
    devices *= system.levels[level].count;
  }
  return devices;
}

Interconnect defaultInterconnect(std::string_view levelName, bool innermost) {
  if (innermost) return {InterconnectKind::Switch, 270e9, 0, "NVSwitch"};
  if (levelSortOf(levelName) == LevelSort::Socket) return {InterconnectKind::Switch, 32e9, 0, "PCIe"};
  return {InterconnectKind::Switch, 8e9, 0, "network"};
}

void nameAfterKind(Interconnect& interconnect) {
  if (interconnect.name != "NVSwitch") return;
  if (interconnect.kind == InterconnectKind::Bus) interconnect.name = "PCIe";
  if (interconnect.kind == InterconnectKind::Ring || interconnect.kind == InterconnectKind::Mesh)
    interconnect.name = "NVLink";
}

Result<void> checkRoom(const System& system) {
  if (system.levels.size() > kMostLevels) {
    return Error{"the system has " + countedText(system.levels.size(), "level") + "; at most " +
                 std::to_string(kMostLevels) + " can be worked with"}
        .about("/levels");
  }
  if (system.networks.size() > kMostNetworks) {
    return Error{"the system has " + countedText(system.networks.size(), "network") +
                 " in addition to its levels; at most " + std::to_string(kMostNetworks) + " can be worked with"}
        .about("/networks");
  }
  return {};
}

Result<void> checkParts(const System& system) {
  if (system.levels.empty()) {
    return Error{"the system has no levels; name at least one, as in gpu:8"}.about("/levels");
  }
  P2_TRY(checkRoom(system));
  P2_TRY(checkLevels(system));
  P2_TRY(checkNetworks(system));
  P2_TRY(checkFigures(system));
  P2_TRY(checkNode(system));
  P2_TRY(checkStates(system));
  P2_TRY(checkProperties(system.library).about("/library"));
  P2_TRY(checkProperties(system.accelerator).about("/accelerator"));
  if (system.isUniform() || system.deviceCount() <= kMostListedDevices) return {};
  return Error{"the system has " + countedText(system.deviceCount(), "device") + "; use at most " +
               std::to_string(kMostListedDevices) +
               " with networks such as rails, or links other than switches and rings"};
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
    text += countedText(level.count, nounOf(level));
  }
  return text;
}

std::string devicesText(const System& system) {
  if (system.levels.empty()) return "no devices";
  const std::int64_t devices = system.deviceCount();
  return devices > kMostDevices ? "more than " + countedText(kMostDevices, "device") : countedText(devices, "device");
}

}  // namespace p2::inline system
