// SPDX-License-Identifier: GPL-3.0-or-later
#include "whatif/system_changes.h"

#include <algorithm>
#include <cmath>

#include "base/counted.h"
#include "base/numbers.h"
#include "base/units.h"
#include "training/accelerator_data.h"
#include "workspace/machine_parts.h"

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

/// A network that joins networks of NICs: a spine above rails.
bool isSpine(const System& system, const Network& network) {
  return std::any_of(network.members.begin(), network.members.end(), [&](const Member& member) {
    const Network* below = networkCalled(system, member.of);
    return below != nullptr && joinsNetworks(system, *below);
  });
}

std::int64_t instancesOf(const System& system, const Network& network) {
  std::int64_t count = network.instances;
  if (network.within.empty()) return count;
  for (const Level& level : system.levels) {
    count *= level.count;
    if (level.name == network.within) return count;
  }
  return count;
}

/// Bytes/s that one instance of a network, joined by a network above, can pass on: all of its members together.
double portsBandwidth(const System& system, const Network& network) {
  double members = 0;
  for (const Member& member : network.members) {
    const Network* below = networkCalled(system, member.of);
    if (below == nullptr) return 0;
    members += static_cast<double>(member.count > 0 ? member.count : instancesOf(system, *below));
  }
  return members / static_cast<double>(instancesOf(system, network)) * network.interconnect.bandwidth;
}

/// Bandwidth of a spine's port that does not block.
double fullSpine(const System& system, const Network& spine) {
  const Network* below = networkCalled(system, spine.members.front().of);
  return below == nullptr ? 0 : portsBandwidth(system, *below);
}

void setBandwidth(Interconnect& link, double bandwidth) {
  link.bandwidth = bandwidth;
  link.fittedBandwidth = 0;
}

Network* spineOf(System& system) {
  for (Network& network : system.networks) {
    if (isSpine(system, network)) return &network;
  }
  return nullptr;
}

/// The former system's oversubscription, kept.
void keepSpine(const System& before, System& after) {
  Network* spine = spineOf(after);
  if (spine == nullptr) return;
  const double full = fullSpine(before, *networkCalled(before, spine->interconnect.name));
  if (full > 0) setBandwidth(spine->interconnect, spine->interconnect.bandwidth / full * fullSpine(after, *spine));
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
  if (nodes < 1 || nodes % inner != 0) {
    const std::int64_t below = std::max<std::int64_t>(1, nodes / inner) * inner;
    return Error{std::to_string(nodes) + " nodes do not fill whole instances of " + system.levels.front().name +
                 ", of " + countedText(inner, "node") + " each; use " + std::to_string(below) + " or " +
                 std::to_string(below + inner)};
  }
  System other = system;
  other.levels.front().count = nodes / inner;
  keepSpine(system, other);
  const auto colon = other.name.rfind(':');
  if (colon != std::string::npos) other.name = other.name.substr(0, colon + 1) + std::to_string(nodes);
  P2_TRY(checkParts(other));
  return other;
}

Result<System> withOversubscription(const System& system, double ratio) {
  if (!(ratio >= 1) || ratio > 1000) return Error{"an oversubscription is 1 (does not block) to 1000"};
  System other = system;
  if (Network* spine = spineOf(other)) {
    setBandwidth(spine->interconnect, fullSpine(system, *spine) / ratio);
    return renamed(std::move(other), system);
  }
  const std::size_t depth = nodeDepth(other);
  Interconnect& outermost = other.levels.front().interconnect;
  if (depth >= 2 && other.levels[1].interconnect.bandwidth > 0) {
    setBandwidth(outermost,
                 static_cast<double>(other.levels[1].count) * other.levels[1].interconnect.bandwidth / ratio);
    return renamed(std::move(other), system);
  }
  if (depth == 1 && outermost.kind == InterconnectKind::Switch) {
    outermost.core = ratio > 1 ? static_cast<double>(other.levels[0].count) * outermost.bandwidth / ratio : 0;
    return renamed(std::move(other), system);
  }
  return Error{"no network above the nodes of this system can be oversubscribed; add a spine or a level of racks"};
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
  keepSpine(system, other);
  return renamed(std::move(other), system);
}

Result<System> withAccelerator(const System& system, const std::string& type) {
  P2_TRY_ASSIGN(const auto next, trainingAcceleratorOf(type));
  System other = system;
  const auto former = trainingAcceleratorOf(system.accelerator.type);
  other.accelerator = {type, next.memory, next.memoryBandwidth, 0, next.bf16, next.fp8};
  const std::string generation = generationOf(type);
  if (!generation.empty()) other.library.generation = generation;
  Interconnect& inside = other.levels.back().interconnect;
  const bool isTheirs = former.ok() && std::abs(former->link - inside.bandwidth) < 0.01 * inside.bandwidth;
  if (isTheirs && next.link > 0) setBandwidth(inside, next.link);
  return renamed(std::move(other), system);
}

Result<System> withPartDown(const System& system, const std::string& part) {
  const std::size_t depth = nodeDepth(system);
  const std::string level = depth > 0 ? system.levels[depth - 1].name : std::string();
  if (!level.empty() && part.starts_with(level + " ")) {
    const std::int64_t nodes = nodeCount(system);
    const auto number = parseInteger(std::string_view(part).substr(level.size() + 1));
    if (!number || *number < 0 || *number >= nodes) {
      return Error{"there is no " + part + "; use \"" + level + " 0\" to \"" + level + " " + std::to_string(nodes - 1) +
                   "\""};
    }
    return withNodeCount(system, nodes - 1);
  }
  for (const Network& network : system.networks) {
    const std::string& name = network.interconnect.name;
    if (!isNic(system, network) || !part.starts_with(name + " ")) continue;
    const std::string_view rest = std::string_view(part).substr(name.size() + 1);
    const auto number = parseInteger(rest.substr(0, rest.find(' ')));
    if (!number || *number < 0 || *number >= network.instances) {
      return Error{"there is no " + part + "; a node has " + name + " 0 to " + std::to_string(network.instances - 1)};
    }
    if (network.instances == 1) return Error{part + " is the only way out of its node"};
    return withNicBandwidth(system, network.interconnect.bandwidth / 2);
  }
  return Error{"\"" + part + "\" is neither a node nor a NIC of this system; use " +
               (level.empty() ? std::string("a system with nodes") : "\"" + level + " 0\" or \"NIC 0\"")};
}

}  // namespace p2::inline whatif
