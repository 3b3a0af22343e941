// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/counted.h"
#include "base/units.h"
#include "importers/detail/hwloc_tree.h"
#include "importers/detail/machine.h"

namespace p2::inline importers {
namespace {

using Type = HwlocObject::Type;

class HwlocReader {
 public:
  explicit HwlocReader(HwlocTree tree) : m_tree(std::move(tree)) {}

  Result<Described> read(const std::string& format) {
    m_notes.format = format;
    readPci();
    if (m_devices.empty()) readCores();
    if (m_devices.empty()) return Error{"it has neither GPUs nor cores; nothing could take part in a reduction"};
    if (m_machine.device == "gpu" && m_devices.size() > kMostGpus) {
      return Error{countedText(m_devices.size(), "GPU") + " in one machine; the most is " + std::to_string(kMostGpus)};
    }
    m_machine.devices = m_devices.size();
    if (m_machine.device == "gpu") checkPort();
    addPlaces();
    if (m_machine.device == "gpu") {
      addBridges();
      addLinks();
      tellParts();
    }
    return Described{std::move(m_machine), std::move(m_notes)};
  }

 private:
  [[nodiscard]] const HwlocObject& at(int object) const { return m_tree.objects[static_cast<std::size_t>(object)]; }
  [[nodiscard]] int count() const { return static_cast<int>(m_tree.objects.size()); }

  /// A PCI function with a compute driver is a GPU, in any class.
  [[nodiscard]] std::set<int> computing() const {
    std::set<int> result;
    for (int i = 0; i < count(); ++i) {
      const std::string& kind = at(i).kind;
      const bool driven = kind == "CUDA" || kind == "RSMI" || kind == "NVML" || kind == "LevelZero";
      if (at(i).type == Type::OsDevice && driven && at(i).parent >= 0) result.insert(at(i).parent);
    }
    return result;
  }

  void readPci() {
    const std::set<int> driven = computing();
    std::vector<int> cards;
    std::vector<int> virtualCards;
    std::size_t others = 0;
    for (int i = 0; i < count(); ++i) {
      const HwlocObject& object = at(i);
      if (object.type != Type::PciDevice) continue;
      if (isGpu(object.pci) || driven.contains(i)) {
        addGpu(i);
      } else if (isNetworkCard(object.pci)) {
        const bool isVirtual =
            isVirtualFunction(object.pci) || object.name.find("Virtual Function") != std::string::npos;
        (isVirtual ? virtualCards : cards).push_back(i);
      } else {
        ++others;
      }
    }
    // A virtual machine sees virtual functions alone: they are its cards.
    if (cards.empty()) cards.swap(virtualCards);
    for (const int card : cards) m_machine.nics.push_back({speedOf(at(card)), 0});
    if (!m_devices.empty()) m_notes.understood.push_back(countedText(m_devices.size(), "GPU"));
    if (!cards.empty()) m_notes.understood.push_back(countedText(cards.size(), "network card"));
    if (!virtualCards.empty()) {
      m_notes.ignored.push_back(countedText(virtualCards.size(), "virtual function") + " of network cards");
    }
    if (others > 0) m_notes.ignored.push_back(countedText(others, "other PCI device"));
  }

  void addGpu(int object) {
    m_devices.push_back(object);
    double& port = m_machine.devicePort.bandwidth;
    const double bandwidth = at(object).bandwidth;
    if (bandwidth > 0) port = port > 0 ? std::min(port, bandwidth) : bandwidth;
  }

  /// Links of GPUs that rest run at the first generation's speed, and some boards have two lanes for management alone.
  static constexpr double kAsleep = 4.01e9;

  void checkPort() {
    double& port = m_machine.devicePort.bandwidth;
    double most = 0;
    for (const int device : m_devices) most = std::max(most, at(device).bandwidth);
    if (port <= 0 || port > kAsleep) return;
    m_notes.assumed.push_back("the PCIe links of GPUs at " + formatBandwidth(port) + " are asleep or for management: " +
                              (most > kAsleep ? "the fastest GPU's speed for all" : "their speed is not in the file"));
    port = most > kAsleep ? most : 0;
  }

  /// The fastest link above devices that are no GPUs, no faster than the GPUs, as the speed of a link in use.
  [[nodiscard]] double awake() const {
    double fastest = 0;
    for (const HwlocObject& object : m_tree.objects) {
      const bool link = object.type == Type::Bridge || (object.type == Type::PciDevice && !isGpu(object.pci));
      const bool below = m_machine.devicePort.bandwidth <= 0 || object.bandwidth < m_machine.devicePort.bandwidth;
      if (link && below) fastest = std::max(fastest, object.bandwidth);
    }
    return fastest > kAsleep ? fastest : m_machine.devicePort.bandwidth;
  }

  void tellParts() {
    m_machine.part = gpuPartOf(at(m_devices[0]).pci.vendor, at(m_devices[0]).pci.device);
    m_machine.linksHidden = m_machine.links.between.empty();
  }

  /// A card carries what its kind does, no more than its slot.
  static double speedOf(const HwlocObject& card) {
    const double own = nicBandwidth(card.pci);
    return own > 0 && card.bandwidth > 0 ? std::min(own, card.bandwidth) : own;
  }

  void readCores() {
    m_machine.device = "core";
    m_machine.devicePort.name = "cache";
    m_machine.portSpeed = SpeedKind::OnChip;
    m_machine.defaultPortBandwidth = kOnChipBandwidth;
    std::vector<int> units;
    for (int i = 0; i < count(); ++i) {
      if (at(i).type == Type::Core && at(i).allowed) m_devices.push_back(i);
      if (at(i).type == Type::Unit && at(i).allowed) units.push_back(i);
    }
    const bool threads = !m_devices.empty() && units.size() > m_devices.size();
    if (m_devices.empty()) m_devices = units;
    m_notes.understood.push_back(countedText(m_devices.size(), "core"));
    if (threads) {
      m_notes.ignored.push_back(countedText(units.size(), "hardware thread") +
                                ", since the threads of a core share it");
    }
  }

  /// Where a device is attached: itself, or for a PCI device what its bridges hang on.
  [[nodiscard]] int placeOf(int device) const {
    while (device >= 0 && (at(device).type == Type::PciDevice || at(device).type == Type::Bridge)) {
      device = at(device).parent;
    }
    return device;
  }

  /// The object of the type that holds the place, or −1.
  [[nodiscard]] int within(int place, Type type) const {
    while (place >= 0 && at(place).type != type) place = at(place).parent;
    return place;
  }

  template <class GroupOf>
  [[nodiscard]] std::size_t groupCount(const GroupOf& groupOf) const {
    std::set<int> groups;
    for (const int device : m_devices) groups.insert(groupOf(placeOf(device)));
    return groups.contains(-1) ? m_devices.size() : groups.size();
  }

  /// Sockets, dies, memory nodes and shared caches.
  void addPlaces() {
    const auto add = [this](const char* name, const char* link, SpeedKind speed, double fallback, auto groupOf) {
      Grouping grouping{name, {InterconnectKind::Switch, 0, 0, link}, speed, fallback, {}};
      for (const int device : m_devices) grouping.groupOf.push_back(groupOf(placeOf(device)));
      m_machine.groupings.push_back(std::move(grouping));
    };
    const auto holding = [this](Type type) { return [this, type](int place) { return within(place, type); }; };
    add("package", "CPU link", SpeedKind::Socket, kCpuBandwidth, holding(Type::Package));
    const auto memory = [this](int place) { return place < 0 ? -1 : at(place).memory; };
    // Memory nodes that hold several sockets are boards, and no nearer to each other than sockets are.
    if (groupCount(memory) < groupCount(holding(Type::Package))) {
      add("numanode", "CPU link", SpeedKind::Socket, kCpuBandwidth, memory);
    } else {
      add("numanode", "memory", SpeedKind::OnChip, kOnChipBandwidth, memory);
    }
    add("die", "die link", SpeedKind::OnChip, kOnChipBandwidth, holding(Type::Die));
    if (m_machine.device == "core") {
      add("l3", "on-chip network", SpeedKind::OnChip, kOnChipBandwidth, holding(Type::L3Cache));
    }
  }

  void addBridges() {
    std::vector<BridgePath> paths;
    for (const int device : m_devices) {
      BridgePath path;
      for (int above = at(device).parent; above >= 0 && at(above).type == Type::Bridge; above = at(above).parent) {
        path.emplace(path.begin(), above, at(above).bandwidth);
      }
      paths.push_back(std::move(path));
    }
    for (std::size_t depth = 0; depth < kMostBridges; ++depth) {
      for (BridgePath& path : paths) {
        if (depth < path.size()) wake(path[depth].second);
      }
    }
    for (Grouping& bridges : bridgeGroupings(paths)) m_machine.groupings.push_back(std::move(bridges));
  }

  /// A link that is asleep gets the speed of the links that are not.
  void wake(double& speed) {
    if (speed <= 0 || speed > kAsleep || m_machine.devicePort.bandwidth <= kAsleep) return;
    tellAsleep(speed);
    speed = awake();
  }

  void tellAsleep(double speed) {
    const std::string text = "links above GPUs at " + formatBandwidth(speed) +
                             " are asleep: " + formatBandwidth(awake()) + ", the fastest of the machine's other links";
    if (std::find(m_notes.assumed.begin(), m_notes.assumed.end(), text) == m_notes.assumed.end()) {
      m_notes.assumed.push_back(text);
    }
  }

  /// The GPUs' places among the objects of a matrix, by the object itself or the PCI device it hangs on.
  [[nodiscard]] std::vector<int> gpusOf(const HwlocDistances& distances) const {
    std::map<std::uint64_t, int> known;
    for (std::size_t gpu = 0; gpu < m_devices.size(); ++gpu) {
      known[at(m_devices[gpu]).id] = static_cast<int>(gpu);
      for (int i = m_devices[gpu]; i < count(); ++i) {
        if (at(i).parent == m_devices[gpu]) known[at(i).id] = static_cast<int>(gpu);
        if (at(i).type == Type::PciDevice && i > m_devices[gpu]) break;
      }
    }
    known.erase(0);
    std::vector<int> result;
    for (const std::uint64_t id : distances.objects) {
      const auto gpu = known.find(id);
      result.push_back(gpu == known.end() ? -1 : gpu->second);
    }
    return result;
  }

  void addLinks() {
    for (const HwlocDistances& distances : m_tree.distances) {
      const bool xgmi = distances.name.starts_with("XGMI");
      if (!xgmi && !distances.name.starts_with("NVLink")) continue;
      m_machine.links = linksOf(distances, xgmi);
      return;
    }
  }

  GpuLinks linksOf(const HwlocDistances& distances, bool xgmi) {
    GpuLinks links = GpuLinks::none(m_devices.size());
    links.name = xgmi ? "xGMI" : "NVLink";
    links.known = true;
    links.bandwidth = oneLink(distances, xgmi);
    const std::vector<int> gpus = gpusOf(distances);
    const std::size_t count = distances.objects.size();
    const std::set<std::uint64_t> pci = switches();
    std::set<int> others;
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < count; ++b) {
        const int number = static_cast<int>(std::lround(distances.values[a * count + b] * 1e6 / links.bandwidth));
        if (a == b || gpus[a] < 0 || number < 1 || gpus[a] == gpus[b]) continue;
        const auto from = static_cast<std::size_t>(gpus[a]);
        if (gpus[b] >= 0) {
          const auto to = static_cast<std::size_t>(gpus[b]);
          links.between[from][to] = links.between[to][from] = std::max(links.between[from][to], std::min(number, 64));
        } else if (pci.contains(distances.objects[b])) {
          links.toSwitch[from] += std::min(number, 64);
        } else {
          others.insert(gpus[a]);
        }
      }
    }
    if (!others.empty()) {
      m_notes.ignored.push_back("the NVLinks of " + countedText(others.size(), "GPU") + " to CPUs");
    }
    return links;
  }

  /// Other ends of links than GPUs and CPUs.
  [[nodiscard]] std::set<std::uint64_t> switches() const {
    std::set<std::uint64_t> ids;
    for (const HwlocObject& object : m_tree.objects) {
      if (object.type == Type::PciDevice || object.type == Type::Bridge) ids.insert(object.id);
    }
    return ids;
  }

  /// The bandwidth of one link, bytes/s: the GPU's own figure where all numbers are multiples of it, else the smallest.
  [[nodiscard]] double oneLink(const HwlocDistances& distances, bool xgmi) const {
    const std::size_t count = distances.objects.size();
    double least = 0;
    for (std::size_t i = 0; i < distances.values.size(); ++i) {
      const double value = distances.values[i] * 1e6;
      if (i % (count + 1) != 0 && value > 0) least = least > 0 ? std::min(least, value) : value;
    }
    const PciId& id = at(m_devices[0]).pci;
    const double own = xgmi ? xgmiBandwidth({}, id) : nvLinkBandwidth(0, id);
    bool multiples = true;
    for (std::size_t i = 0; i < distances.values.size(); ++i) {
      const double links = distances.values[i] * 1e6 / own;
      multiples = multiples && (i % (count + 1) == 0 || std::abs(links - std::round(links)) < 1e-6);
    }
    return multiples || least <= 0 ? own : least;
  }

  HwlocTree m_tree;
  Machine m_machine;
  Imported m_notes;
  std::vector<int> m_devices;
};

}  // namespace

Result<Described> readHwloc(const pugi::xml_node& topology, const std::string& format) {
  P2_TRY_ASSIGN(auto tree, hwlocTreeFrom(topology));
  return HwlocReader(std::move(tree)).read(format);
}

}  // namespace p2::inline importers
