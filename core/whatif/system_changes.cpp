// SPDX-License-Identifier: GPL-3.0-or-later
#include "whatif/system_changes.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/counted.h"
#include "base/numbers.h"
#include "system/interconnects.h"
#include "system/oversubscription.h"
#include "system/part_states.h"
#include "system/valid_system.h"
#include "training/accelerator_data.h"
#include "whatif/degraded_system.h"
#include "workspace/machine_parts.h"
#include "workspace/presets.h"

namespace p2::inline whatif {
namespace {

const Network* networkCalled(const System& system, const std::string& name) {
  const auto found = std::find_if(system.networks.begin(), system.networks.end(),
                                  [&](const Network& each) { return each.interconnect.name == name; });
  return found == system.networks.end() ? nullptr : &*found;
}

/// Whether members of a network are networks themselves.
bool joinsNetworks(const System& system, const Network& network) {
  return std::any_of(network.members.begin(), network.members.end(),
                     [&](const Member& member) { return networkCalled(system, member.of) != nullptr; });
}

bool isNic(const System& system, const Network& network) {
  return network.gateway && !network.within.empty() && !joinsNetworks(system, network);
}

void setBandwidth(Interconnect& link, double bandwidth) {
  link.bandwidth = bandwidth;
  link.fittedBandwidth = 0;
}

/// The figures that name a system no longer hold.
System renamed(System system, const System& before) {
  if (!(system == before)) system.name = before.name;
  return system;
}

}  // namespace

Result<System> withNodeCount(const System& system, std::int64_t nodes) {
  const std::int64_t now = nodeCount(system);
  if (nodes == now) return system;
  if (now == 1 && nodeDepth(system) == 0) return Error{"this system is a single node; add a level above it"};
  const std::int64_t inner = now / system.levels.front().count;
  const std::size_t depth = nodeDepth(system);
  const std::int64_t racks = depth > 1 ? now / system.levels[depth - 1].count : 0;
  if (nodes > 0 && nodes % inner != 0 && racks > 0 && nodes % racks == 0) {
    System other = system;
    other.levels[depth - 1].count = nodes / racks;
    other = keepingOversubscription(system, std::move(other));
    P2_TRY(checkParts(other));
    return renamed(std::move(other), system);
  }
  if (nodes < 1 || nodes % inner != 0) {
    const std::int64_t below = std::max<std::int64_t>(1, nodes / inner) * inner;
    return Error{std::to_string(nodes) + " nodes do not fill whole instances of " + system.levels.front().name +
                 ", of " + countedText(inner, "node") + " each; use " + std::to_string(below) + " or " +
                 std::to_string(below + inner)};
  }
  System other = system;
  other.levels.front().count = nodes / inner;
  other = keepingOversubscription(system, std::move(other));
  // A preset with another number of nodes is that preset.
  const std::string count = ":" + std::to_string(system.levels.front().count);
  if (system.name.ends_with(count) && system.name != shapeOf(system)) {
    other.name = system.name.substr(0, system.name.size() - count.size() + 1) + std::to_string(nodes / inner);
  } else {
    other.name = editedName(system, other);
  }
  P2_TRY(checkParts(other));
  return other;
}

Result<System> withRackNodes(const System& system, std::int64_t nodes) {
  const std::size_t depth = nodeDepth(system);
  if (depth < 2) return Error{"this system has no racks; add a level above its nodes"};
  const std::int64_t pair = system.levels[depth - 2].count * system.levels[depth - 1].count;
  if (nodes < 1 || pair % nodes != 0) {
    std::string sizes;
    for (std::int64_t each = 1; each <= pair; ++each) {
      if (pair % each == 0) sizes += (sizes.empty() ? "" : ", ") + std::to_string(each);
    }
    return Error{countedText(pair, "node") + " do not fill racks of " + std::to_string(nodes) + "; use one of " +
                 sizes};
  }
  System other = system;
  other.levels[depth - 2].count = pair / nodes;
  other.levels[depth - 1].count = nodes;
  other = keepingOversubscription(system, std::move(other));
  P2_TRY(checkParts(other));
  return renamed(std::move(other), system);
}

namespace {

/// A job may take a part of nodes with more devices: they are racks on one NVLink.
constexpr std::int64_t kLargestHost = 16;

/// Every node with this number of its devices, which keep their share of NICs and rails.
System withNodeDevices(System system, std::int64_t devices) {
  const std::int64_t node = system.levels.back().count;
  system.levels.back().count = devices;
  for (Network& network : system.networks) {
    if (network.instances * devices % node == 0) network.instances = network.instances * devices / node;
  }
  return system;
}

/// As many devices of each of the fewest nodes that make this number; empty where no nodes do.
std::optional<System> partOfEveryNode(const System& system, std::int64_t devices) {
  const std::int64_t node = system.deviceCount() / nodeCount(system);
  if (node <= kLargestHost || nodeDepth(system) + 1 != system.levels.size()) return std::nullopt;
  for (std::int64_t nodes = (devices + node - 1) / node; nodes <= nodeCount(system); ++nodes) {
    if (devices % nodes != 0) continue;
    const auto fewer = withNodeCount(system, nodes);
    if (!fewer.ok()) continue;
    System part = withNodeDevices(*fewer, devices / nodes);
    if (checkParts(part).ok()) return part;
  }
  return std::nullopt;
}

}  // namespace

Result<System> withDeviceCount(const System& system, std::int64_t devices) {
  const std::int64_t all = system.deviceCount();
  const std::int64_t node = all / nodeCount(system);
  if (devices == all) return system;
  if (devices < 1 || devices > all) {
    return Error{"the system has " + countedText(all, "device") + ", not " + std::to_string(devices)};
  }
  if (devices % node == 0) return withNodeCount(system, devices / node);
  const std::size_t depth = nodeDepth(system);
  if (devices < node && depth + 1 == system.levels.size()) {
    System part = system;
    if (depth > 0) {
      P2_TRY_ASSIGN(part, withNodeCount(system, 1));
    }
    part = withNodeDevices(std::move(part), devices);
    if (checkParts(part).ok()) return part;
  }
  if (const auto shared = partOfEveryNode(system, devices)) return *shared;
  const std::int64_t below = devices / node * node;
  return Error{countedText(devices, "device") + " do not make whole nodes of " + std::to_string(node) + "; use " +
               (below > 0 ? std::to_string(below) + " or " : std::string()) + std::to_string(below + node)};
}

Result<System> withOversubscription(const System& system, double ratio) {
  if (!(ratio >= 1) || ratio > 1000) return Error{"an oversubscription is 1 (does not block) to 1000"};
  P2_TRY_ASSIGN(const Place part, oversubscribedPart(system));
  P2_TRY_ASSIGN(auto other, withOversubscription(system, part, ratio));
  return renamed(std::move(other), system);
}

Result<System> withSpineBandwidth(const System& system, double bandwidth) {
  if (!(bandwidth > 0)) return Error{"a spine needs a bandwidth above 0, as in 400GB/s"};
  P2_TRY_ASSIGN(const Place part, oversubscribedPart(system));
  System other = system;
  Interconnect& link = part.kind == Place::Kind::Network ? other.networks[part.index].interconnect
                                                         : other.levels[part.index].interconnect;
  const bool isOnlySwitch =
      part.kind == Place::Kind::Interconnect && nodeDepth(system) == 1 && link.kind == InterconnectKind::Switch;
  if (isOnlySwitch) {
    link.core = bandwidth;
  } else {
    setBandwidth(link, bandwidth);
  }
  P2_TRY(checkParts(other));
  return renamed(std::move(other), system);
}

double nicBandwidthOf(const System& system) {
  for (const Network& network : system.networks) {
    if (isNic(system, network)) return network.interconnect.bandwidth;
  }
  const std::size_t depth = nodeDepth(system);
  return depth > 0 ? system.levels[depth - 1].interconnect.bandwidth : 0;
}

Result<System> withNicBandwidth(const System& system, double bandwidth) {
  if (!(bandwidth > 0)) return Error{"a NIC needs a bandwidth above 0, as in 50GB/s"};
  const double before = nicBandwidthOf(system);
  if (before <= 0) return Error{"the nodes of this system have no NICs"};
  System other = system;
  bool found = false;
  for (std::size_t i = 0; i < other.networks.size(); ++i) {
    const bool nic = isNic(system, system.networks[i]);
    const bool plugged = !nic && joinsNetworks(system, system.networks[i]) && !isSpine(system, system.networks[i]);
    if (!nic && !plugged) continue;
    found = found || nic;
    Interconnect& link = other.networks[i].interconnect;
    setBandwidth(link, link.bandwidth / before * bandwidth);
  }
  if (!found) {
    Interconnect& link = other.levels[nodeDepth(other) - 1].interconnect;
    if (link.core > 0) link.core *= bandwidth / before;
    setBandwidth(link, bandwidth);
  }
  other = keepingOversubscription(system, std::move(other));
  return renamed(std::move(other), system);
}

Result<System> withAccelerator(const System& system, const std::string& type) {
  P2_TRY_ASSIGN(const auto next, trainingAcceleratorOf(type));
  System other = system;
  const auto former = trainingAcceleratorOf(system.accelerator.type);
  other.accelerator = {type, next.memory, next.memoryBandwidth, 0, next.bf16, next.fp8};
  if (former.ok() && former->begins == next.begins) {
    other.accelerator.power = system.accelerator.power;
    other.accelerator.price = system.accelerator.price;
  }
  const std::string generation = generationOf(type);
  if (!generation.empty()) other.library.generation = generation;
  Interconnect& inside = other.levels.back().interconnect;
  const bool isTheirs = former.ok() && std::abs(former->link - inside.bandwidth) < 0.01 * inside.bandwidth;
  if (isTheirs && next.link > 0) setBandwidth(inside, next.link);
  return renamed(std::move(other), system);
}

namespace {

constexpr std::string_view kOfEvery = " of every ";

/// "NIC 0 of every node: down": the part of each instance of the level. Without a state it is down.
Result<System> withPartsDown(const System& system, const std::string& part) {
  const std::size_t at = part.find(kOfEvery);
  const std::size_t colon = std::min(part.find(':'), part.size());
  const std::string level = part.substr(at + kOfEvery.size(), colon - at - kOfEvery.size());
  const auto found =
      std::find_if(system.levels.begin(), system.levels.end(), [&](const Level& each) { return each.name == level; });
  if (found == system.levels.end()) {
    return Error{"there is no level \"" + level + "\"; use the name of one, as in \"NIC 0 of every node\""};
  }
  const auto depth = static_cast<std::size_t>(found - system.levels.begin()) + 1;
  std::int64_t instances = 1;
  for (std::size_t outer = 0; outer < depth; ++outer) instances *= system.levels[outer].count;
  const std::string state = colon < part.size() ? part.substr(colon) : ": down";
  std::vector<std::string> states;
  for (std::int64_t instance = 0; instance < instances; ++instance) {
    std::string name = part.substr(0, at);
    std::int64_t rest = instance;
    for (std::size_t outer = depth; outer-- > 0; rest /= system.levels[outer].count) {
      name += " of " + system.levels[outer].name + " " + std::to_string(rest % system.levels[outer].count);
    }
    states.push_back(name + state);
  }
  P2_TRY_ASSIGN(auto other, withStates(system, states));
  P2_TRY(validated(other));
  return other;
}

}  // namespace

Result<System> withPartDown(const System& system, const std::string& part) {
  if (part.find(kOfEvery) != std::string::npos) return withPartsDown(system, part);
  if (part.find(':') != std::string::npos) return withDegraded(system, {part});
  if (const auto named = statePartFrom(system, part); named.ok() && named->scope == StatePart::Scope::Devices) {
    return withDegraded(system, {part + ": down"});
  }
  std::string name = part;
  for (const Network& network : system.networks) {
    const bool first = part.starts_with(network.interconnect.name + " ") && part.find(" of ") == std::string::npos;
    if (!first || network.within.empty()) continue;
    // Any node stands for all, as they are equal.
    for (std::size_t outer = depthWithin(system, network.within); outer-- > 0;) {
      name += " of " + system.levels[outer].name + " 0";
    }
  }
  P2_TRY_ASSIGN(auto other, withState(system, name + ": down"));
  P2_TRY(validated(other));
  return other;
}

std::vector<std::string> effectsOf(const System& system) {
  std::vector<std::string> effects;
  const auto checked =
      system.states.empty() && system.disabled.empty() ? Result<ValidSystem>(Error{""}) : validated(system);
  const auto nameOf = [&](Device device) {
    return placeName(system, {Place::Kind::Level, system.levels.size() - 1, device.value()});
  };
  if (checked.ok() && checked->linkGraph() != nullptr) {
    const auto& relays = checked->linkGraph()->relaysOut();
    if (!relays.empty()) {
      const auto& [device, relay] = *relays.begin();
      const std::size_t more = relays.size() - 1;
      effects.push_back(nameOf(device) + " sends over the NIC of " + nameOf(relay) +
                        ", which then carries the traffic of both" +
                        (more == 0 ? "" : "; " + countedText(more, "other device") + " likewise"));
    }
  }
  for (const PartState& state : system.states) {
    if (state.jobs < 2) continue;
    effects.push_back(state.part + " is used by " + countedText(state.jobs, "job") +
                      " all the time: each gets its fair share");
  }
  if (auto slow = describeSlowestDevices(system); !slow.empty()) effects.push_back(std::move(slow));
  return effects;
}

std::string nicNameOf(const System& system) {
  for (const Network& network : system.networks) {
    if (isNic(system, network)) return network.interconnect.name;
  }
  return {};
}

std::string sharedPartOf(const System& system) {
  const std::vector<CarryingLink> links = carryingLinks(system);
  const auto all = interconnects(system);
  for (const CarryingLink& link : links) {
    const Place& place = all[link.index].place;
    if (place.kind == Place::Kind::Network && isSpine(system, system.networks[place.index])) return link.name;
  }
  for (auto link = links.rbegin(); link != links.rend(); ++link) {
    const Place& place = all[link->index].place;
    if (place.kind == Place::Kind::Network && system.networks[place.index].within.empty()) return link->name;
  }
  return nodeDepth(system) == 0 || links.empty() ? std::string() : links.front().name;
}

Result<System> withJobs(const System& system, std::int64_t jobs) {
  const std::string part = sharedPartOf(system);
  if (part.empty()) return Error{"nothing joins the nodes of this system, so that no other job can share it"};
  return withState(system, part + ": shared by " + countedText(jobs, "job"));
}

}  // namespace p2::inline whatif
