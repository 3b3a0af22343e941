// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/detail/library_view.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/numbers.h"
#include "cost/calibration/system_tuning.h"
#include "cost/cost_model.h"
#include "system/interconnects.h"
#include "system/place.h"

namespace p2::inline cost {
namespace {

/// Devices of a host with Grace processors, as a tray of GB200 has them, whose racks are one node.
constexpr std::int64_t kArmHostDevices = 4;

/// One of its caps for every interconnect of a system; empty where none has one.
template <class Cap>
std::vector<double> capsOf(const System& system, const Cap& capOf) {
  std::vector<double> caps;
  for (const auto& placed : interconnects(system)) caps.push_back(capOf(placed.link, system.calibrated));
  const bool any = std::any_of(caps.begin(), caps.end(), [](double cap) { return cap > 0; });
  return any ? caps : std::vector<double>();
}

/// Gateways of a node; where there are none, what its port carries.
void setNics(const System& system, std::size_t nodeDepth, LibraryView& machine) {
  if (nodeDepth == 0) return;
  for (const Network& network : system.networks) {
    if (!network.gateway || depthWithin(system, network.within) != nodeDepth) continue;
    machine.nics += network.instances;
    machine.nicBandwidth = std::max(machine.nicBandwidth, network.interconnect.bandwidth);
  }
  const Interconnect& outside = system.levels[nodeDepth - 1].interconnect;
  if (machine.nics > 0 || outside.kind == InterconnectKind::None) return;
  machine.nics = 1;
  machine.nicBandwidth = outside.bandwidth;
}

}  // namespace

bool joinsNodes(const System& system, const Place& place, std::size_t nodeDepth) {
  if (place.kind != Place::Kind::Network) return place.index < nodeDepth;
  const Network& network = system.networks[place.index];
  return network.gateway || depthWithin(system, network.within) < nodeDepth;
}

bool isOnArm(const System& system) {
  constexpr std::array<std::string_view, 4> kWithGrace{"GH200", "GB200", "GB300", "GB10"};
  return std::any_of(kWithGrace.begin(), kWithGrace.end(),
                     [&](std::string_view name) { return system.accelerator.type.starts_with(name); });
}

Generation generationFrom(std::string_view name) {
  const auto found = std::find(kGenerations.begin(), kGenerations.end(), name);
  return found == kGenerations.end() ? Generation::Unknown : static_cast<Generation>(found - kGenerations.begin() + 1);
}

NetworkKind networkKindFrom(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, NetworkKind>, 6> kNames{{{"InfiniBand", NetworkKind::InfiniBand},
                                                                            {"RoCE", NetworkKind::Roce},
                                                                            {"Slingshot", NetworkKind::Slingshot},
                                                                            {"EFA", NetworkKind::Efa},
                                                                            {"TCP", NetworkKind::Tcp},
                                                                            {"GPUDirect-TCP", NetworkKind::Tcp}}};
  const auto found =
      std::find_if(kNames.begin(), kNames.end(), [&](const auto& known) { return name.starts_with(known.first); });
  return found == kNames.end() ? NetworkKind::Other : found->second;
}

NetworkKind networkKindOf(const System& system) {
  const std::size_t nodeDepth = p2::nodeDepth(system);
  for (const auto& [place, name, link] : interconnects(system)) {
    const NetworkKind kind = joinsNodes(system, place, nodeDepth) ? networkKindFrom(link.name) : NetworkKind::Other;
    if (kind != NetworkKind::Other) return kind;
  }
  return NetworkKind::Other;
}

int libraryVersion(std::string_view text) {
  const std::size_t dot = text.find('.');
  const auto major = parseInteger(text.substr(0, dot));
  if (!major || dot == std::string_view::npos) return 0;
  const std::string_view rest = text.substr(dot + 1);
  const auto minor = parseInteger(rest.substr(0, rest.find_first_not_of("0123456789")));
  return minor ? static_cast<int>(std::clamp<std::int64_t>(100 * *major + *minor, 0, 100'000)) : 0;
}

const PredictionRanges& LibraryView::rangesOf(const CostModel& model) const {
  const auto found = ranges.find(model.name());
  return found == ranges.end() ? model.publicRanges() : *found->second;
}

namespace {

/// Whether each instance of a network has all devices of one node as members, one by one.
bool joinsWholeNode(const System& system, const Network& network) {
  const std::size_t depth = nodeDepth(system);
  if (network.instances != 1 || depth + 1 != system.levels.size() || depthWithin(system, network.within) != depth)
    return false;
  std::int64_t members = 0;
  for (const Member& member : network.members) {
    if (member.of != system.levels.back().name) return false;
    members += member.count > 0 ? member.count : system.levels.back().count - member.first;
  }
  return members == system.levels.back().count;
}

}  // namespace

LibraryView libraryViewOf(const Topology& topology) {
  const System& system = *topology.system();
  const std::size_t nodeDepth = p2::nodeDepth(system);
  LibraryView machine;
  machine.nodeDevices = nodeDepth == 0 ? topology.deviceCount() : topology.levels()[nodeDepth - 1].devicesBelow;
  machine.generation = generationFrom(system.library.generation);
  machine.version = libraryVersion(system.library.version);
  machine.launch = system.library.launch;
  machine.published = publishedLatenciesOf(system);
  machine.nicShare = system.library.nicShare;
  machine.congestion = system.library.congestion;
  machine.hop = system.library.hop;
  machine.pxn = system.library.pxn;
  machine.network = networkKindOf(system);
  machine.armHost = isOnArm(system);
  const bool manyHosts = machine.armHost && machine.nodeDevices % kArmHostDevices == 0;
  machine.hostDevices = manyHosts ? kArmHostDevices : machine.nodeDevices;
  double fastestInside = 0;
  for (const auto& [place, name, link] : interconnects(system)) {
    const bool isNetwork = place.kind == Place::Kind::Network;
    const bool isAcross = joinsNodes(system, place, nodeDepth);
    machine.across.push_back(isAcross);
    machine.passes.push_back(isNetwork && system.networks[place.index].gateway);
    machine.reduces.push_back(link.reduces && link.kind == InterconnectKind::Switch);
    if (isAcross || link.kind == InterconnectKind::None) continue;
    fastestInside = std::max(fastestInside, link.bandwidth);
    machine.mesh =
        machine.mesh || (link.kind == InterconnectKind::Mesh && !isNetwork && place.index + 1 == system.levels.size());
    machine.ringOfAll =
        machine.ringOfAll || (isAmd(machine.generation) && isNetwork && link.kind == InterconnectKind::Ring &&
                              joinsWholeNode(system, system.networks[place.index]));
  }
  machine.ringCaps = capsOf(system, ringCapOf);
  machine.treeCaps = capsOf(system, treeCapOf);
  machine.hostLinked = fastestInside <= kFastestHostLink;
  machine.insideBandwidth = fastestInside;
  setNics(system, nodeDepth, machine);
  machine.tuned = tunedConstantsOf(system);
  for (const CostModel* model : costModels()) {
    auto ranges = systemRangesOf(system, model->name(), model->publicRanges());
    if (ranges) machine.ranges.emplace(model->name(), std::move(ranges));
  }
  return machine;
}

}  // namespace p2::inline cost
