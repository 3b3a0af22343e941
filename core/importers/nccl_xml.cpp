// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "base/counted.h"
#include "base/units.h"
#include "importers/detail/machine.h"
#include "importers/detail/pci.h"

namespace p2::inline importers {
namespace {

constexpr std::size_t kMostNics = 4096;
/// What NCCL writes as the class of a link's other end.
constexpr std::uint32_t kNvSwitch = 0x068000;
constexpr std::uint32_t kCpuBridge = 0x068001;

struct NcclGpu {
  pugi::xml_node element;  ///< <gpu>; empty where only its PCI function is known
  PciId pci;
  std::string busId;
  int cpu = 0;
  std::string host;
  double portBandwidth = 0;
  BridgePath bridges;
};

std::uint32_t hexadecimal(const pugi::xml_attribute& attribute) {
  std::string_view text = attribute.as_string();
  if (text.starts_with("0x")) text.remove_prefix(2);
  std::uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return value;
}

PciId pciIdOf(const pugi::xml_node& pci) {
  return {hexadecimal(pci.attribute("class")) >> 8, hexadecimal(pci.attribute("vendor")),
          hexadecimal(pci.attribute("device"))};
}

/// An FPGA on a GPU's place, by its class and maker.
bool isOtherDevice(const PciId& id) { return id.type != 0 && id.vendor != 0 && id.type != 0x0680 && !isGpu(id); }

bool isLink(const pugi::xml_node& node) {
  const std::string_view name = node.name();
  return name == "nvlink" || name == "xgmi";
}

/// The elements of a file: GPUs, network cards, and the functions that may be either where NCCL was not asked.
class NcclElements {
 public:
  explicit NcclElements(const pugi::xml_node& system) {
    for (const pugi::xml_node& cpu : system.children("cpu")) {
      NcclGpu place;
      place.cpu = static_cast<int>(cpus);
      place.host = cpu.attribute("host_hash").as_string();
      hosts.insert(place.host);
      walk(cpu, place);
      ++cpus;
    }
    if (gpus.empty()) gpus = std::move(m_functions);
    if (!m_hasNet) nics = std::move(m_cards);
  }

  std::vector<NcclGpu> gpus;
  std::vector<Nic> nics;
  std::set<std::string> hosts;
  std::size_t cpus = 0;
  std::size_t silentNets = 0;   ///< cards without a speed
  std::size_t virtualNets = 0;  ///< made by software
  std::size_t others = 0;       ///< accelerators that are no GPUs

 private:
  void walk(const pugi::xml_node& parent, const NcclGpu& above) {
    for (const pugi::xml_node& child : parent.children()) {
      const std::string_view name = child.name();
      if (name == "pci") {
        enter(child, above);
      } else if (name == "gpu" && isOtherDevice(above.pci)) {
        // Accelerators are counted by their PCI functions.
        others += above.pci.type == 0x1200 ? 0 : 1;
      } else if (name == "gpu") {
        NcclGpu gpu = above;
        gpu.element = child;
        gpus.push_back(std::move(gpu));
      } else if (name == "nic") {
        for (const pugi::xml_node& net : child.children("net")) addNet(net, above.pci);
      }
    }
  }

  void enter(const pugi::xml_node& pci, const NcclGpu& above) {
    NcclGpu here = above;
    here.pci = pciIdOf(pci);
    here.portBandwidth = pciBandwidth(pci.attribute("link_speed").as_string(), pci.attribute("link_width").as_int());
    here.busId = pci.attribute("busid").as_string();
    if (pci.child("pci")) {
      here.bridges.emplace_back(m_bridges++, here.portBandwidth);
    } else if (isGpu(here.pci)) {
      m_functions.push_back(here);
    } else if (isNetworkCard(here.pci)) {
      if (m_cards.size() < kMostNics) m_cards.push_back({nicBandwidth(here.pci), 0});
    } else if (here.pci.type == 0x1200) {
      ++others;
    }
    walk(pci, here);
  }

  /// The interfaces of software are listed under every CPU, and so is what NCCL finds no place for.
  void addNet(const pugi::xml_node& net, const PciId& pci) {
    m_hasNet = true;
    const std::string name = net.attribute("name").as_string();
    const std::string port = net.attribute("port").as_string();
    const std::string guid = net.attribute("guid").as_string();
    if (!m_nets.insert(name + "\n" + port + "\n" + guid).second || nics.size() >= kMostNics) return;
    if (isVirtualInterface(name)) {
      ++virtualNets;
      return;
    }
    double bandwidth = net.attribute("speed").as_double() * 1e6 / 8;
    if (!(bandwidth > 0 && bandwidth < 1e15)) {
      bandwidth = nicBandwidth(pci);
      ++silentNets;
    }
    const double latency = net.attribute("latency").as_double() * 1e-6;
    nics.push_back({bandwidth, latency > 0 && latency < 1 ? latency : 0});
  }

  std::vector<NcclGpu> m_functions;
  std::vector<Nic> m_cards;
  std::set<std::string> m_nets;
  bool m_hasNet = false;
  int m_bridges = 0;
};

class NcclReader {
 public:
  explicit NcclReader(const pugi::xml_node& system) : m_elements(system), m_gpus(m_elements.gpus) {}

  Result<Described> read() {
    if (m_gpus.empty()) {
      return Error{
          "it has no <gpu> element, nor a PCI function that is a GPU; let NCCL write it on a machine with GPUs "
          "(NCCL_TOPO_DUMP_FILE)"};
    }
    if (m_gpus.size() > kMostGpus) {
      return Error{countedText(m_gpus.size(), "GPU") + " in one machine; the most is " + std::to_string(kMostGpus)};
    }
    m_machine.devices = m_gpus.size();
    m_machine.nics = m_elements.nics;
    P2_TRY(readLinks());
    tell();
    readPorts();
    readGroupings();
    m_machine.part = gpuPartOf(m_gpus[0].pci.vendor, m_gpus[0].pci.device);
    m_machine.linksHidden = !m_gpus[0].element;
    return Described{std::move(m_machine), std::move(m_notes)};
  }

 private:
  void tell() {
    m_notes.format = m_machine.links.name == "xGMI" ? "RCCL topology XML" : "NCCL topology XML";
    m_notes.understood = {countedText(m_elements.cpus, "CPU"), countedText(m_gpus.size(), "GPU")};
    const auto ignore = [&](const std::string& text) { m_notes.ignored.push_back(text); };
    if (!m_machine.nics.empty()) {
      m_notes.understood.push_back(countedText(m_machine.nics.size(), "network card"));
    }
    if (m_elements.virtualNets > 0) ignore(countedText(m_elements.virtualNets, "network interface") + " of software");
    if (m_elements.others > 0) ignore(countedText(m_elements.others, "accelerator") + " that is not a GPU");
    if (!m_gpus[0].element) {
      m_notes.assumed.push_back("GPUs and network cards by their PCI classes");
      ignore("NVLinks, which such a file leaves to NCCL to find");
    }
    if (m_elements.hosts.size() > 1) {
      ignore("that the GPUs are in " + countedText(m_elements.hosts.size(), "host") +
             ": they are taken as one machine");
    }
    tellGpus();
  }

  void tellGpus() {
    std::size_t chipToChip = 0;
    std::string ranks;
    bool shuffled = false;
    int last = -1;
    for (const NcclGpu& gpu : m_gpus) {
      chipToChip += gpu.element.child("c2c") ? 1 : 0;
      const int rank = gpu.element.attribute("rank").as_int(-1);
      shuffled = shuffled || (rank >= 0 && rank < last);
      last = std::max(last, rank);
      ranks += " " + std::to_string(rank);
    }
    if (chipToChip > 0) m_notes.ignored.push_back("the NVLink-C2C of " + countedText(chipToChip, "GPU") + " to CPUs");
    if (shuffled)
      m_notes.ignored.push_back("the order of ranks" + ranks + ": GPUs are numbered in the order of the file");
  }

  /// NVLinks to other GPUs join the two; those to bridges, or into nothing, end in an NVSwitch; those to CPUs do not
  /// count.
  Result<void> readLinks() {
    std::map<std::string_view, std::size_t> gpuAt;
    for (std::size_t i = 0; i < m_gpus.size(); ++i) gpuAt.emplace(m_gpus[i].busId, i);
    GpuLinks& links = m_machine.links;
    links = GpuLinks::none(m_gpus.size());
    std::size_t toCpu = 0;
    std::size_t elsewhere = 0;
    std::size_t toItself = 0;
    for (std::size_t i = 0; i < m_gpus.size(); ++i) {
      for (const pugi::xml_node& link : m_gpus[i].element.children()) {
        if (!isLink(link)) continue;
        const int count = link.attribute("count").as_int();
        if (count < 1 || count > 64) {
          return Error{"an " + std::string(link.name()) + " has count \"" +
                           std::string(link.attribute("count").as_string()) + "\"; it needs 1 to 64",
                       "gpu " + m_gpus[i].busId};
        }
        if (std::string_view(link.name()) == "xgmi") links.name = "xGMI";
        const auto other = gpuAt.find(link.attribute("target").as_string());
        const std::uint32_t type = hexadecimal(link.attribute("tclass"));
        if (other != gpuAt.end() && other->second != i) {
          // Written at either end or at both.
          int& known = links.between[i][other->second];
          known = links.between[other->second][i] = std::max(known, count);
        } else if ((type == kNvSwitch || type == 0) && other == gpuAt.end()) {
          links.toSwitch[i] += count;
        } else {
          ++(other != gpuAt.end() ? toItself : type == kCpuBridge ? toCpu : elsewhere);
        }
      }
    }
    if (toCpu > 0) m_notes.ignored.push_back(countedText(toCpu, links.noun()) + " to CPUs");
    if (toItself > 0) {
      m_notes.ignored.push_back("the " + pluralOf(links.noun()) + " of " + countedText(toItself, "GPU") +
                                ", which lead to itself");
    }
    if (elsewhere > 0) {
      m_notes.ignored.push_back(countedText(elsewhere, links.noun()) + " to GPUs that are not in the file");
    }
    links.bandwidth = linkBandwidth();
    return {};
  }

  /// Bandwidth of a link of the newest generation among the GPUs.
  [[nodiscard]] double linkBandwidth() const {
    double most = 0;
    for (const NcclGpu& gpu : m_gpus) {
      std::string_view architecture = gpu.element.attribute("gcn").as_string();
      const std::string_view sm = gpu.element.attribute("sm").as_string();
      if (architecture.empty()) architecture = sm;
      const double own = m_machine.links.name == "xGMI"
                             ? xgmiBandwidth(architecture, gpu.pci)
                             : nvLinkBandwidth(gpu.element.attribute("sm").as_int(), gpu.pci);
      most = std::max(most, own);
    }
    return most;
  }

  void readPorts() {
    double least = m_gpus[0].portBandwidth;
    double most = least;
    for (const NcclGpu& gpu : m_gpus) {
      least = std::min(least, gpu.portBandwidth);
      most = std::max(most, gpu.portBandwidth);
    }
    // A link that rests runs at the first generation's speed.
    constexpr double kResting = 4.01e9;
    if (least > 0 && least <= kResting) {
      m_notes.assumed.push_back("the PCIe ports of GPUs at " + formatBandwidth(least) +
                                " are asleep or for management");
      least = most > kResting ? most : 0;
    }
    m_machine.devicePort.bandwidth = least;
    if (least > 0 && least < most) {
      m_notes.assumed.push_back("the slowest GPU's PCIe port for all: " + formatBandwidth(least) +
                                " instead of up to " + formatBandwidth(most));
    }
  }

  void readGroupings() {
    Grouping cpus{"cpu", {InterconnectKind::Switch, 0, 0, "CPU link"}, SpeedKind::Socket, kCpuBandwidth, {}};
    std::vector<BridgePath> paths;
    for (const NcclGpu& gpu : m_gpus) {
      cpus.groupOf.push_back(gpu.cpu);
      paths.push_back(gpu.bridges);
    }
    m_machine.groupings.push_back(std::move(cpus));
    for (Grouping& bridges : bridgeGroupings(paths)) m_machine.groupings.push_back(std::move(bridges));
  }

  Machine m_machine;
  Imported m_notes;
  NcclElements m_elements;
  std::vector<NcclGpu>& m_gpus;
};

}  // namespace

Result<Described> readNcclXml(const pugi::xml_node& system) { return NcclReader(system).read(); }

}  // namespace p2::inline importers
