// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <set>

#include "base/counted.h"
#include "base/lists.h"
#include "base/units.h"
#include "importers/detail/cabling.h"
#include "importers/detail/formats.h"
#include "importers/detail/infra_graph.h"

namespace p2::inline importers {
namespace {

bool isPci(const InfraLink& link) { return link.text.find("pci") != std::string::npos; }

/// A link's speed: as given, or 16 lanes of the generation that its text names, or 0.
double speedOf(const InfraLink& link) {
  constexpr std::array<std::pair<std::string_view, double>, 4> kGenerationsOfPci{
      {{"gen3", 15.75e9}, {"gen4", 31.5e9}, {"gen5", 63e9}, {"gen6", 121e9}}};
  if (link.bandwidth > 0 || !isPci(link)) return link.bandwidth;
  for (const auto& [name, bandwidth] : kGenerationsOfPci) {
    if (link.text.find(name) != std::string::npos) return bandwidth;
  }
  return 0;
}

/// The inside of a machine.
class InfraMachine {
 public:
  explicit InfraMachine(const InfraDevice& device) : m_device(device), m_gpuOf(device.parts.size(), -1) {
    for (std::size_t part = 0; part < device.parts.size(); ++part) {
      if (device.parts[part] != InfraPart::Xpu) continue;
      m_gpuOf[part] = static_cast<int>(m_xpus.size());
      m_xpus.push_back(part);
    }
  }

  [[nodiscard]] std::size_t xpus() const { return m_xpus.size(); }

  [[nodiscard]] Machine read(Imported& notes) {
    m_machine.devices = m_xpus.size();
    std::string printed = m_device.xpuText;
    m_machine.part = gpuPartIn(printed);
    // Tools print "A100-SXM4", people "A100 SXM4".
    std::replace(printed.begin(), printed.end(), ' ', '-');
    if (m_machine.part == nullptr) m_machine.part = gpuPartIn(printed);
    readDirectLinks(notes);
    readTree();
    return std::move(m_machine);
  }

 private:
  /// Whether an edge joins accelerators without PCIe: with each other or through a switch.
  [[nodiscard]] bool isDirect(const InfraEdge& edge) const {
    if (isPci(m_device.links[edge.link])) return false;
    const InfraPart a = m_device.parts[edge.from];
    const InfraPart b = m_device.parts[edge.to];
    const auto carries = [](InfraPart part) { return part == InfraPart::Xpu || part == InfraPart::Switch; };
    return (a == InfraPart::Xpu || b == InfraPart::Xpu) && carries(a) && carries(b);
  }

  void readDirectLinks(Imported& notes) {
    GpuLinks& links = m_machine.links;
    links = GpuLinks::none(m_xpus.size());
    double least = 0;
    int most = 0;
    for (const InfraEdge& edge : m_device.edges) {
      if (!isDirect(edge)) continue;
      const InfraLink& link = m_device.links[edge.link];
      if (link.text.find("infinity") != std::string::npos || link.text.find("xgmi") != std::string::npos) {
        links.name = "xGMI";
      }
      if (link.bandwidth > 0) least = least > 0 ? std::min(least, link.bandwidth) : link.bandwidth;
      const int a = m_gpuOf[edge.from];
      const int b = m_gpuOf[edge.to];
      if (a >= 0 && b >= 0) {
        const auto i = static_cast<std::size_t>(a);
        const auto j = static_cast<std::size_t>(b);
        links.between[j][i] = ++links.between[i][j];
      } else {
        int& ports = links.toSwitch[static_cast<std::size_t>(std::max(a, b))];
        most = std::max(most, ++ports);
        m_fabricSwitches.insert(a >= 0 ? edge.to : edge.from);
      }
    }
    links.known = least > 0;
    if (least > 0) links.bandwidth = least;
    const GpuPart* const part = m_machine.part;
    if (least > 0 || most == 0 || part == nullptr || part->links == 0) return;
    // Without a speed an edge into a switch is one of the drawing, not one link.
    for (int& ports : links.toSwitch) ports = ports * part->links / most;
    links.bandwidth = part->linkBandwidth;
    links.known = true;
    notes.assumed.push_back(countedText(most, "edge") + " from an accelerator into switches stand for the " +
                            countedText(part->links, std::string(part->linkNoun())) + " of the " +
                            std::string(part->name) + " (" + std::string(part->source) + ")");
  }

  /// Sockets and PCIe switches above the accelerators.
  void readTree() {
    std::vector<std::vector<std::pair<std::size_t, std::size_t>>> next(m_device.parts.size());
    double sockets = 0;
    for (const InfraEdge& edge : m_device.edges) {
      if (isDirect(edge) || m_fabricSwitches.count(edge.from) + m_fabricSwitches.count(edge.to) > 0) continue;
      const bool ofCpus = m_device.parts[edge.from] == InfraPart::Cpu && m_device.parts[edge.to] == InfraPart::Cpu;
      if (ofCpus) sockets = std::max(sockets, speedOf(m_device.links[edge.link]));
      if (ofCpus) continue;
      next[edge.from].emplace_back(edge.to, edge.link);
      next[edge.to].emplace_back(edge.from, edge.link);
    }
    Grouping cpus{"cpu", {InterconnectKind::Switch, sockets, 0, "CPU link"}, SpeedKind::Socket, kCpuBandwidth, {}};
    Grouping bridges{"bridge", {InterconnectKind::Switch, 0, 0, "PCIe"}, SpeedKind::Pcie, kPciBandwidth, {}};
    double port = 0;
    for (const std::size_t xpu : m_xpus) {
      const Way way = wayToCpu(xpu, next);
      cpus.groupOf.push_back(way.cpu);
      bridges.groupOf.push_back(way.bridge);
      if (way.up > 0) bridges.interconnect.bandwidth = leastOf(bridges.interconnect.bandwidth, way.up);
      if (way.port > 0) port = leastOf(port, way.port);
    }
    m_machine.devicePort.bandwidth = port;
    const auto all = [](const std::vector<int>& groups) {
      return std::all_of(groups.begin(), groups.end(), [](int group) { return group >= 0; });
    };
    if (all(cpus.groupOf)) m_machine.groupings.push_back(std::move(cpus));
    if (all(bridges.groupOf)) m_machine.groupings.push_back(std::move(bridges));
  }

  static double leastOf(double known, double value) { return known > 0 ? std::min(known, value) : value; }

  struct Way {
    int cpu = -1;
    int bridge = -1;
    double port = 0;  ///< bytes/s out of the accelerator
    double up = 0;    ///< bytes/s out of the switch above it
  };

  using Next = std::vector<std::vector<std::pair<std::size_t, std::size_t>>>;

  /// The nearest CPU, not through another accelerator.
  [[nodiscard]] Way wayToCpu(std::size_t xpu, const Next& next) const {
    constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::vector<std::size_t> before(m_device.parts.size(), kNone);
    std::vector<std::size_t> by(m_device.parts.size(), 0);
    std::vector<std::size_t> queue{xpu};
    before[xpu] = xpu;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const std::size_t here = queue[i];
      if (m_device.parts[here] == InfraPart::Cpu) {
        Way way;
        way.cpu = static_cast<int>(here);
        for (std::size_t at = here; at != xpu; at = before[at]) {
          const double speed = speedOf(m_device.links[by[at]]);
          if (m_device.parts[at] == InfraPart::Switch) way.bridge = static_cast<int>(at);
          if (before[at] == xpu) {
            way.port = speed;
          } else if (m_device.parts[before[at]] == InfraPart::Switch) {
            way.up = speed;
          }
        }
        return way;
      }
      for (const auto& [to, link] : next[here]) {
        if (before[to] != kNone || m_device.parts[to] == InfraPart::Xpu) continue;
        before[to] = here;
        by[to] = link;
        queue.push_back(to);
      }
    }
    return {};
  }

  const InfraDevice& m_device;
  std::vector<int> m_gpuOf;  // by part; −1 for none
  std::vector<std::size_t> m_xpus;
  std::set<std::size_t> m_fabricSwitches;
  Machine m_machine;
};

/// A whole document as a system.
class InfraSystem {
 public:
  explicit InfraSystem(InfraGraph graph) : m_graph(std::move(graph)) {}

  Result<Imported> write() {
    m_notes.format = "InfraGraph";
    P2_TRY_ASSIGN(const auto host, hostDevice());
    Machine machine = InfraMachine(m_graph.devices[host]).read(m_notes);
    if (machine.devices > kMostGpus) return Error{"a machine has over 1024 accelerators"};
    m_notes.understood.push_back(countedText(machine.devices, "accelerator") + " in every " +
                                 m_graph.devices[host].name);
    readCables(machine);
    ImportOptions options;
    options.nodes = std::max<std::int64_t>(1, static_cast<std::int64_t>(m_hosts));
    P2_TRY(holdAgainstPart(machine, options, m_notes));
    P2_TRY_ASSIGN(auto imported, systemOf(machine, options, std::move(m_notes)));
    P2_TRY(addTiers(imported, machine.rackBandwidth > 0));
    return imported;
  }

 private:
  /// The one kind of device with accelerators. Errors: none, several.
  Result<std::size_t> hostDevice() {
    std::set<std::size_t> kinds;
    m_isHost.resize(m_graph.boxes.size());
    std::vector<std::size_t> xpus;
    for (const InfraDevice& device : m_graph.devices) xpus.push_back(InfraMachine(device).xpus());
    for (std::size_t box = 0; box < m_graph.boxes.size(); ++box) {
      m_isHost[box] = xpus[m_graph.boxes[box].device] > 0;
      if (!m_isHost[box]) continue;
      ++m_hosts;
      kinds.insert(m_graph.boxes[box].device);
    }
    if (kinds.empty()) return Error{"no instance has an accelerator (a component of the kind xpu)"};
    if (kinds.size() == 1) return *kinds.begin();
    const std::string names = joined(kinds, ", ", [&](const std::size_t kind) { return m_graph.devices[kind].name; });
    return Error{"it has machines of several kinds (" + names + "); leave the instances of one kind"};
  }

  /// The cables of hosts: network cards, and NVLink that leaves the machine.
  void readCables(Machine& machine) {
    std::map<std::size_t, std::map<std::size_t, Nic>> cards;
    std::map<std::size_t, double> rack;
    std::size_t silent = 0;
    for (const InfraCable& cable : m_graph.cables) {
      const InfraLink& link = m_graph.links[cable.link];
      silent += link.bandwidth > 0 ? 0 : 1;
      bool scaleUp = false;
      for (const auto& [box, part] : {std::pair(cable.fromBox, cable.fromPart), std::pair(cable.toBox, cable.toPart)}) {
        if (!m_isHost[box]) continue;
        const InfraDevice& device = m_graph.devices[m_graph.boxes[box].device];
        if (device.parts[part] == InfraPart::Xpu || device.parts[part] == InfraPart::Switch) {
          rack[box] += link.bandwidth;
          scaleUp = true;
          continue;
        }
        Nic& card = cards[box][device.holder[part]];
        card.bandwidth += link.bandwidth;
        card.latency = std::max(card.latency, 2 * link.latency);
      }
      if (scaleUp) continue;
      const std::size_t from = endOf(cable.fromBox);
      const std::size_t to = endOf(cable.toBox);
      // Every edge is a cable of its own; the cabling takes opposite directions as one cable listed twice.
      m_cabling.join(std::min(from, to), std::max(from, to), link.bandwidth > 0 ? link.bandwidth : kNicBandwidth);
    }
    if (!rack.empty() && rack.size() == m_hosts) machine.rackBandwidth = rack.begin()->second;
    // The host with the fewest cards stands for all.
    const auto least = std::min_element(cards.begin(), cards.end(),
                                        [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    if (least != cards.end()) {
      for (const auto& [part, card] : least->second) machine.nics.push_back(card);
    } else {
      const InfraDevice& device = m_graph.devices[hostKind()];
      for (const InfraPart part : device.parts) {
        if (part == InfraPart::Nic) machine.nics.push_back({});
      }
    }
    m_notes.understood.push_back(countedText(m_hosts, "machine"));
    m_notes.understood.push_back(countedText(m_graph.cables.size(), "cable"));
    if (silent == m_graph.cables.size()) return;
    if (silent > 0) m_notes.assumed.push_back(formatBandwidth(kNicBandwidth) + " for cables without a bandwidth");
  }

  [[nodiscard]] std::size_t hostKind() const {
    const auto host = std::find(m_isHost.begin(), m_isHost.end(), true);
    return m_graph.boxes[static_cast<std::size_t>(host - m_isHost.begin())].device;
  }

  std::size_t endOf(std::size_t box) {
    const std::size_t end = m_cabling.end(m_graph.boxes[box].name);
    if (!m_isHost[box]) m_cabling.makeSwitch(end);
    return end;
  }

  /// The fabric's tiers in the place of the one level of machines.
  Result<void> addTiers(Imported& imported, bool rack) {
    if (m_hosts < 2 || rack) return {};
    const auto fabric = fabricOf(m_cabling);
    if (!fabric.ok()) {
      imported.assumed.push_back("machines are joined by one switch: the document has no cables to switches for them");
      return {};
    }
    if (fabric->hosts != m_hosts) {
      imported.assumed.push_back(countedText(m_hosts - fabric->hosts, "machine") +
                                 " without cables joined as the others");
      return {};
    }
    tellFabric(*fabric, imported);
    std::vector<Level> levels = levelsOf(*fabric, "node");
    Interconnect& last = levels.back().interconnect;
    const double up = last.bandwidth;
    last = imported.system.levels[0].interconnect;
    last.bandwidth = std::min(up, last.bandwidth);
    imported.system.levels.erase(imported.system.levels.begin());
    imported.system.levels.insert(imported.system.levels.begin(), levels.begin(), levels.end());
    imported.system.name = shapeOf(imported.system);
    P2_TRY(checkParts(imported.system));
    return {};
  }

  InfraGraph m_graph;
  Imported m_notes;
  std::vector<bool> m_isHost;
  std::size_t m_hosts = 0;
  Cabling m_cabling;
};

}  // namespace

Result<Imported> importInfraGraph(std::string_view text) {
  P2_TRY_ASSIGN(auto graph, infraGraphFrom(text));
  return InfraSystem(std::move(graph)).write();
}

}  // namespace p2::inline importers
