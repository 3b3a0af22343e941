// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "base/counted.h"
#include "importers/detail/machine.h"

namespace p2::inline importers {
namespace {

/// A node as a system of its own, and its way out.
struct Node {
  Imported imported;
  Interconnect port;
};

/// Lays nodes that differ side by side: levels that join nothing (nodes and devices, or devices alone where nodes have
/// unequally many), and every interconnect of every node as a network of its own.
class MixedNodes {
 public:
  explicit MixedNodes(const std::vector<Node>& nodes) : m_nodes(nodes) {}

  Result<System> write() {
    const std::string& device = m_nodes[0].imported.system.levels.back().name;
    std::int64_t devices = 0;
    for (const Node& node : m_nodes) {
      addNode(node.imported.system, node.port, devices);
      devices += node.imported.system.deviceCount();
      if (m_system.networks.size() > kMostNetworks) return tooMany();
    }
    const std::int64_t each = m_nodes[0].imported.system.deviceCount();
    const bool equal = std::all_of(m_nodes.begin(), m_nodes.end(),
                                   [each](const Node& node) { return node.imported.system.deviceCount() == each; });
    const auto count = static_cast<std::int64_t>(m_nodes.size());
    if (equal) m_system.levels.push_back({"node", count, {InterconnectKind::None, 1, 0, {}}});
    m_system.levels.push_back({device, equal ? each : devices, {InterconnectKind::None, 1, 0, {}}});
    joinNodes();
    if (m_system.networks.size() > kMostNetworks) return tooMany();
    m_system.name = countedText(m_nodes.size(), "node") + " of " + countedText(devices, device);
    P2_TRY(checkParts(m_system));
    return std::move(m_system);
  }

 private:
  [[nodiscard]] static Error tooMany() {
    return {"the nodes differ, and need more than the " + std::to_string(kMostNetworks) +
                " networks that a system can have; import one of them, with the number of nodes",
            {},
            ErrorKind::TooLarge};
  }

  [[nodiscard]] std::string named(const std::string& name) const { return "n" + std::to_string(m_number) + "-" + name; }

  /// Networks of every instance of a level, from the devices up; the top object is the node.
  void addNode(const System& system, const Interconnect& port, std::int64_t first) {
    std::vector<Member> below;
    for (std::int64_t i = 0; i < system.deviceCount(); ++i) below.push_back({system.levels.back().name, first + i, 1});
    for (std::size_t level = system.levels.size(); level-- > 0;) {
      below = addLevel(system.levels[level], below);
      if (m_system.networks.size() > kMostNetworks) return;
    }
    addNetworks(system, first);
    push(port, named("NIC"),
         below.empty() || system.levels[0].interconnect.kind == InterconnectKind::None
             ? std::vector<Member>{{m_system.networks.back().interconnect.name, 0, 0}}
             : below);
    m_ports.push_back(m_system.networks.back().interconnect.name);
    m_fastest = std::max(m_fastest, port.bandwidth);
    m_latency = std::max(m_latency, port.latency);
    ++m_number;
  }

  std::vector<Member> addLevel(const Level& level, const std::vector<Member>& below) {
    if (level.interconnect.kind == InterconnectKind::None) return below;
    const auto count = static_cast<std::size_t>(level.count);
    std::vector<Member> result;
    for (std::size_t instance = 0; instance < below.size() / count; ++instance) {
      const auto begin = below.begin() + static_cast<std::ptrdiff_t>(instance * count);
      const std::string own = level.name + "s";
      push(level.interconnect, named(below.size() == count ? own : own + "-" + std::to_string(instance)),
           {begin, begin + static_cast<std::ptrdiff_t>(count)});
      result.push_back({m_system.networks.back().interconnect.name, 0, 0});
      if (m_system.networks.size() > kMostNetworks) break;
    }
    return result;
  }

  /// The node's own networks; those within a level stand once in each of its instances.
  void addNetworks(const System& system, std::int64_t first) {
    for (const Network& network : system.networks) {
      std::int64_t share = system.deviceCount();
      for (const Level& level : system.levels) {
        if (network.within.empty()) break;
        share /= level.count;
        if (level.name == network.within) break;
      }
      for (std::int64_t at = 0; at < system.deviceCount(); at += share) {
        std::vector<Member> members = network.members;
        for (Member& member : members) {
          if (member.of == system.levels.back().name) {
            if (member.count == 0) member.count = share - member.first;
            member.first += first + at;
          } else {
            member.of = named(member.of);
          }
        }
        const std::string suffix = share == system.deviceCount() ? "" : "-" + std::to_string(at / share);
        push(network.interconnect, named(network.interconnect.name + suffix), members);
      }
    }
  }

  void push(Interconnect link, const std::string& name, std::vector<Member> members) {
    link.name = name;
    Network network;
    network.interconnect = std::move(link);
    network.members = std::move(members);
    m_system.networks.push_back(std::move(network));
  }

  void joinNodes() {
    std::vector<Member> members;
    for (const std::string& port : m_ports) members.push_back({port, 0, 0});
    push({InterconnectKind::Switch, m_fastest, m_latency, {}}, "network", std::move(members));
  }

  const std::vector<Node>& m_nodes;
  System m_system;
  std::vector<std::string> m_ports;
  std::size_t m_number = 0;
  double m_fastest = 0;
  double m_latency = 0;
};

void addUnique(std::vector<std::string>& list, const std::vector<std::string>& more, const std::string& where) {
  for (const std::string& text : more) {
    if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(where + text);
  }
}

/// Whether all nodes are equal but for their names.
bool areEqual(const std::vector<Node>& nodes) {
  return std::all_of(nodes.begin(), nodes.end(), [&](const Node& node) {
    return node.imported.system == nodes[0].imported.system && node.port == nodes[0].port;
  });
}

}  // namespace

Result<Imported> systemOfNodes(const std::vector<NodeDescription>& descriptions, const ImportOptions& options) {
  std::vector<Node> nodes;
  Imported result;
  result.format = countedText(descriptions.size(), "description") + " of machines";
  for (const NodeDescription& description : descriptions) {
    Machine machine = description.described.machine;
    if (machine.device != descriptions[0].described.machine.device) {
      return Error{"it has " + pluralOf(nounOf(machine.device)) + ", but " + descriptions[0].name + " has " +
                       pluralOf(nounOf(descriptions[0].described.machine.device)) +
                       "; import machines of one kind together",
                   description.name};
    }
    Node node;
    Imported ports;
    node.port = portOf(machine.nics, assumedCardOf(machine), options, ports);
    machine.nics.clear();
    P2_TRY_ASSIGN(auto imported, systemOf(machine, options, description.described.notes).within(description.name));
    node.imported = std::move(imported);
    for (std::size_t kind = 0; kind < kSpeedKinds; ++kind) {
      for (const Speeds& speeds : {node.imported.assumedSpeeds, ports.assumedSpeeds}) {
        result.assumedSpeeds.by[kind] = std::max(result.assumedSpeeds.by[kind], speeds.by[kind]);
      }
    }
    result.assumedCards = std::max(result.assumedCards, ports.assumedCards);
    const std::string where = description.name + ": ";
    addUnique(result.understood, node.imported.understood, where);
    addUnique(result.assumed, node.imported.assumed, where);
    addUnique(result.assumed, ports.assumed, where);
    addUnique(result.ignored, node.imported.ignored, where);
    nodes.push_back(std::move(node));
  }
  if (areEqual(nodes)) {
    ImportOptions all = options;
    all.nodes = static_cast<std::int64_t>(nodes.size());
    auto imported = systemOf(descriptions[0].described.machine, all, descriptions[0].described.notes);
    if (imported.ok())
      imported.value().understood.insert(imported.value().understood.begin(),
                                         countedText(nodes.size(), "node") + ", all equal");
    return imported;
  }
  P2_TRY_ASSIGN(auto system, MixedNodes(nodes).write());
  result.system = std::move(system);
  if (result.system.levels.size() == 1) {
    result.assumed.push_back(
        "nodes with different numbers of devices do not form a level: paths inside one can lead over its network "
        "cards where those are wider than its own links");
  }
  return result;
}

}  // namespace p2::inline importers
