// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/detail/machine.h"

#include <algorithm>
#include <numeric>

#include "base/counted.h"
#include "base/units.h"
#include "importers/detail/fabric_networks.h"
#include "importers/detail/gpu_fabric.h"
#include "importers/detail/uniform_hierarchy.h"

namespace p2::inline importers {
namespace {

void tellOrder(const std::string& device, const std::vector<std::size_t>& order, Imported& notes) {
  if (std::is_sorted(order.begin(), order.end())) return;
  std::string text;
  for (const std::size_t place : order) text += " " + std::to_string(place);
  notes.assumed.push_back("devices numbered along the hierarchy: " + pluralOf(nounOf(device)) + text);
}

/// The way between any two devices of a machine over PCIe and its sockets, as one switch, next to a switch
/// that crosses the hierarchy.
Machine flattened(const Machine& machine) {
  Machine flat = machine;
  const auto socket = std::find_if(machine.groupings.begin(), machine.groupings.end(), [](const Grouping& grouping) {
    return grouping.speed == SpeedKind::Socket && std::any_of(grouping.groupOf.begin(), grouping.groupOf.end(),
                                                              [&](int g) { return g != grouping.groupOf[0]; });
  });
  flat.groupings.clear();
  if (socket == machine.groupings.end()) return flat;
  flat.groupings.push_back(*socket);
  // A socket for each device: all that is left of the sockets is the link between them.
  std::iota(flat.groupings[0].groupOf.begin(), flat.groupings[0].groupOf.end(), 0);
  return flat;
}

class SystemWriter {
 public:
  SystemWriter(const Machine& machine, const ImportOptions& options, Imported& notes)
      : m_machine(machine), m_options(options), m_notes(notes), m_links(machine.links) {}

  void write() {
    tellSwitches(m_links, m_notes);
    m_fabric = fabricOf(m_links);
    tellFabric();
    if (m_fabric.joinsAll()) return writeOneLevel();
    if (m_fabric.isSwitches()) return writeSwitches();
    writeHierarchy();
  }

 private:
  void tellFabric() {
    const std::vector<std::string> texts = textOf(m_fabric, m_links);
    m_notes.understood.insert(m_notes.understood.end(), texts.begin(), texts.end());
    if (texts.empty()) return;
    const double chosen = m_options.speeds[SpeedKind::GpuLink];
    if (m_links.known && chosen <= 0) return;
    m_links.bandwidth =
        assumedSpeed(SpeedKind::GpuLink, m_links.bandwidth, " for every " + m_links.noun(), m_options, m_notes);
  }

  void writeOneLevel() {
    m_notes.system.levels = {
        {m_machine.device, static_cast<std::int64_t>(m_machine.devices), interconnectOf(m_fabric.islands[0], m_links)}};
    if (!m_machine.groupings.empty()) {
      m_notes.ignored.push_back("PCIe and CPUs, since " + m_links.name + " joins all GPUs");
    }
  }

  void writeSwitches() {
    const std::size_t size = m_fabric.islands[0].gpus.size();
    Machine boards = flattened(m_machine);
    boards.devices = m_fabric.islands.size();
    if (!boards.groupings.empty()) boards.groupings[0].groupOf.resize(boards.devices);
    boards.device = "board";
    m_notes.system.levels = UniformHierarchy(boards, m_options, m_notes).levels();
    m_notes.system.levels.push_back(
        {m_machine.device, static_cast<std::int64_t>(size), interconnectOf(m_fabric.islands[0], m_links)});
    std::vector<std::size_t> order;
    for (const GpuIsland& island : m_fabric.islands) order.insert(order.end(), island.gpus.begin(), island.gpus.end());
    tellOrder(m_machine.device, order, m_notes);
  }

  void writeHierarchy() {
    Machine machine = m_fabric.hasSwitch() ? flattened(m_machine) : m_machine;
    if (m_fabric.hasSwitch() && m_machine.groupings.size() > 1) {
      m_notes.ignored.push_back("the PCIe switches, since NVSwitch joins GPUs across them");
    }
    const Imported before = m_notes;
    const std::string within = m_options.nodes > 1 ? "node" : "";
    std::vector<std::string> left;
    while (true) {
      const UniformHierarchy hierarchy(machine, m_options, m_notes);
      const auto order = orderAlongRings(m_fabric, m_links, hierarchy.order(), hierarchy.divisions());
      if (!machine.groupings.empty() && missesRings(m_fabric, m_links, order)) {
        left.push_back(machine.groupings.back().name);
        machine.groupings.pop_back();
        m_notes = before;
        continue;
      }
      use(hierarchy, order, within);
      break;
    }
    for (const std::string& name : left) {
      m_notes.ignored.push_back("the " + pluralOf(name) + ", since the " + m_links.name + " rings cross them");
    }
  }

  void use(const UniformHierarchy& hierarchy, const std::vector<std::size_t>& order, const std::string& within) {
    System& system = m_notes.system;
    system.levels = hierarchy.levels();
    system.networks = hierarchy.networks(within);
    // Unequal sockets have become networks; the one level left joins all devices once.
    if (!system.networks.empty()) system.levels.back().interconnect.kind = InterconnectKind::None;
    tellOrder(m_machine.device, order, m_notes);
    const std::vector<Partition> divisions = system.networks.empty() ? hierarchy.divisions() : std::vector<Partition>();
    std::vector<Network> networks = fabricNetworks(m_fabric, m_links, order, divisions, system.levels, within, m_notes);
    if (system.networks.size() + networks.size() > kMostNetworks) {
      m_notes.ignored.push_back("the " + pluralOf(m_links.noun()) + ", since only " + std::to_string(kMostNetworks) +
                                " networks can be drawn");
      return;
    }
    system.networks.insert(system.networks.end(), networks.begin(), networks.end());
  }

  const Machine& m_machine;
  const ImportOptions& m_options;
  Imported& m_notes;
  GpuLinks m_links;
  GpuFabric m_fabric;
};

}  // namespace

std::vector<Grouping> bridgeGroupings(const std::vector<BridgePath>& paths) {
  std::size_t depth = 0;
  for (const BridgePath& path : paths) depth = std::max(depth, path.size());
  std::vector<Grouping> groupings;
  for (std::size_t i = 0; i < std::min(depth, kMostBridges); ++i) {
    Grouping bridges{"bridge" + (i == 0 ? "" : std::to_string(i + 1)),
                     {InterconnectKind::Switch, 0, 0, "PCIe"},
                     SpeedKind::Pcie,
                     kPciBandwidth,
                     {}};
    double& bandwidth = bridges.interconnect.bandwidth;
    for (const BridgePath& path : paths) {
      const auto [bridge, speed] = i < path.size() ? path[i] : std::pair(-1, 0.0);
      bridges.groupOf.push_back(bridge);
      if (speed > 0) bandwidth = bandwidth > 0 ? std::min(bandwidth, speed) : speed;
    }
    groupings.push_back(std::move(bridges));
  }
  return groupings;
}

std::string nounOf(const std::string& level) { return level == "gpu" ? "GPU" : level; }

double assumedSpeed(SpeedKind kind, double fallback, const std::string& text, const ImportOptions& options,
                    Imported& notes) {
  const double chosen = options.speeds[kind];
  if (chosen > 0) {
    fallback = chosen;
  } else if (std::find(notes.assumed.begin(), notes.assumed.end(), formatBandwidth(fallback) + text) ==
             notes.assumed.end()) {
    notes.assumed.push_back(formatBandwidth(fallback) + text);
  }
  notes.assumedSpeeds[kind] = fallback;
  return fallback;
}

CardSpeed assumedCardOf(const Machine& machine) {
  constexpr std::string_view kSuchGpus = ", as in the makers' own machines with such GPUs";
  constexpr std::size_t kFewGpus = 4;
  if (machine.nics.size() < machine.devices || machine.devices < kFewGpus) return {};
  int links = 0;
  for (const std::vector<int>& row : machine.links.between) {
    for (const int each : row) links = std::max(links, each);
  }
  const std::string_view type = machine.part != nullptr ? machine.part->kind.type : std::string_view();
  const std::string_view generation = machine.part != nullptr ? machine.part->kind.generation : std::string_view();
  // ConnectX-8 (DGX B300), ConnectX-7 (DGX H100 and B200; platforms of MI300X and later), ConnectX-6 (DGX A100).
  if (type == "B300" || type == "GB300") return {100e9, kSuchGpus};
  const bool instinct = type.starts_with("MI3");
  if (generation == "hopper" || generation == "blackwell" || instinct) return {50e9, kSuchGpus};
  if (machine.part == nullptr && machine.links.name == "NVLink" && links == 18) return {50e9, kSuchGpus};
  if (links == 12 || type.starts_with("A100-SXM")) return {25e9, kSuchGpus};
  return {};
}

Interconnect portOf(const std::vector<Nic>& described, const CardSpeed& assumed, const ImportOptions& options,
                    Imported& notes) {
  std::vector<Nic> nics = described;
  if (options.cards > 0) nics.resize(static_cast<std::size_t>(options.cards));
  if (nics.empty()) {
    nics.resize(1);
    notes.assumedCards = 1;
    notes.assumed.push_back("one network card in every machine, since none is described");
  }
  Interconnect port{InterconnectKind::Switch, 0, 0, "network"};
  const double chosen = options.speeds[SpeedKind::Nic];
  const bool silent = std::any_of(nics.begin(), nics.end(), [](const Nic& nic) { return nic.bandwidth <= 0; });
  double fallback = chosen;
  if (silent) {
    fallback = assumedSpeed(SpeedKind::Nic, assumed.bandwidth, " for every network card" + std::string(assumed.because),
                            options, notes);
  }
  for (const Nic& nic : nics) {
    port.bandwidth += nic.bandwidth > 0 && chosen <= 0 ? nic.bandwidth : fallback;
    port.latency = std::max(port.latency, nic.latency);
  }
  if (nics.size() > 1) notes.assumed.push_back("the network cards of a node work as one port");
  return port;
}

Result<Imported> systemOf(const Machine& machine, const ImportOptions& options, Imported notes) {
  SystemWriter(machine, options, notes).write();
  System& system = notes.system;
  const bool isOneLevel = system.levels.size() == 1 && system.networks.empty();
  const bool hasRails = machine.rackBandwidth == 0 && addRails(machine, options, notes);
  if (!hasRails && options.nodes > 1) {
    const bool rack = machine.rackBandwidth > 0;
    const Interconnect port = rack ? Interconnect{InterconnectKind::Switch, machine.rackBandwidth, 0, "NVLink switches"}
                                   : portOf(machine.nics, assumedCardOf(machine), options, notes);
    system.levels.insert(system.levels.begin(), {"node", options.nodes, port});
  } else if (!hasRails && !machine.nics.empty()) {
    notes.ignored.push_back(countedText(machine.nics.size(), "network card") +
                            ", since a single node needs none; give the number of nodes to keep them");
  }
  if (isOneLevel && !machine.rackTray) tellGpuByLinks(machine, notes);
  // Objects between a machine and its devices are parts of it.
  const std::size_t inside = system.levels.size() - (options.nodes > 1 ? 1 : 0);
  if (inside > 1) system.node = options.nodes > 1 ? system.levels[0].name : std::string(kRootName);
  system.name = shapeOf(system);
  P2_TRY(checkParts(system));
  return notes;
}

}  // namespace p2::inline importers
