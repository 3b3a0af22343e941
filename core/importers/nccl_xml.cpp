// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <charconv>
#include <map>

#include "base/numbers.h"
#include "base/units.h"
#include "importers/machine.h"

namespace p2 {
namespace {

/// GPUs hang below a few bridges; every one more is a level.
constexpr std::size_t kMostGpus = 1024;
constexpr std::size_t kMostBridges = 8;

struct NcclGpu {
  pugi::xml_node element;
  std::string busId;
  int cpu = 0;
  double portBandwidth = 0;
  std::vector<std::pair<int, double>> bridges;  ///< number and upward bandwidth, outermost first
};

/// "16.0 GT/s PCIe" and 16 lanes as bytes/s each way, after line coding; 0 when the text says nothing.
double pciBandwidth(const pugi::xml_node& pci) {
  const std::string_view speed = pci.attribute("link_speed").as_string();
  double transfers = 0;
  const auto [end, status] = std::from_chars(speed.data(), speed.data() + speed.size(), transfers);
  const int lanes = pci.attribute("link_width").as_int();
  if (status != std::errc{} || !(transfers > 0) || lanes <= 0 || lanes > 64) return 0;
  const double coding = transfers < 8 ? 8.0 / 10 : transfers < 64 ? 128.0 / 130 : 242.0 / 256;
  return transfers * 1e9 * lanes * coding / 8;
}

class NcclReader {
 public:
  explicit NcclReader(const pugi::xml_node& system) {
    for (const pugi::xml_node& cpu : system.children("cpu")) {
      walk(cpu, {});
      ++m_cpus;
    }
  }

  Result<Imported> read(const ImportOptions& options) {
    if (m_gpus.empty()) {
      return Error{"it has no <gpu> element; let NCCL write it on a machine with GPUs (NCCL_TOPO_DUMP_FILE)"};
    }
    Imported notes;
    notes.format = "NCCL topology XML";
    notes.understood = {countedNoun(m_cpus, "CPU"), countedNoun(m_gpus.size(), "GPU")};
    if (!m_machine.nics.empty()) notes.understood.push_back(countedNoun(m_machine.nics.size(), "network card"));
    if (m_otherNets > 0) notes.ignored.push_back(countedNoun(m_otherNets, "network") + " without a speed");
    m_machine.devices = m_gpus.size();
    if (auto joined = readLinks(); !joined.ok()) return joined.error();
    readPorts(notes);
    readGroupings();
    return systemOf(m_machine, options, std::move(notes));
  }

 private:
  void walk(const pugi::xml_node& parent, const NcclGpu& above) {
    for (const pugi::xml_node& child : parent.children()) {
      const std::string_view name = child.name();
      NcclGpu here = above;
      here.cpu = static_cast<int>(m_cpus);
      if (name == "pci") {
        here.portBandwidth = pciBandwidth(child);
        here.busId = child.attribute("busid").as_string();
        if (child.child("pci")) here.bridges.emplace_back(m_bridges++, here.portBandwidth);
        walk(child, here);
      } else if (name == "gpu") {
        here.element = child;
        m_gpus.push_back(std::move(here));
      } else if (name == "nic") {
        for (const pugi::xml_node& net : child.children("net")) addNet(net);
      }
    }
  }

  void addNet(const pugi::xml_node& net) {
    const double megabits = net.attribute("speed").as_double();
    if (!(megabits > 0)) {
      ++m_otherNets;
      return;
    }
    m_machine.nics.push_back({megabits * 1e6 / 8, std::max(0.0, net.attribute("latency").as_double()) * 1e-6});
  }

  /// NVLinks to PCI bridges end in an NVSwitch, those to GPUs join the two.
  Result<void> readLinks() {
    std::map<std::string_view, std::size_t> gpuAt;
    for (std::size_t i = 0; i < m_gpus.size(); ++i) gpuAt.emplace(m_gpus[i].busId, i);
    if (m_gpus.size() > kMostGpus) {
      return Error{std::to_string(m_gpus.size()) + " GPUs in one machine; the most is " + std::to_string(kMostGpus)};
    }
    GpuLinks& links = m_machine.links;
    links.toSwitch.assign(m_gpus.size(), 0);
    links.between.assign(m_gpus.size(), std::vector<int>(m_gpus.size(), 0));
    int generation = 0;
    for (std::size_t i = 0; i < m_gpus.size(); ++i) {
      generation = std::max(generation, m_gpus[i].element.attribute("sm").as_int());
      for (const pugi::xml_node& link : m_gpus[i].element.children("nvlink")) {
        const int count = link.attribute("count").as_int();
        if (count < 1 || count > 64) {
          return Error{
              "an nvlink has count \"" + std::string(link.attribute("count").as_string()) + "\"; it needs 1 to 64",
              "gpu " + m_gpus[i].busId};
        }
        const auto other = gpuAt.find(link.attribute("target").as_string());
        if (other == gpuAt.end()) {
          links.toSwitch[i] += count;
        } else {
          // Written at either end or at both.
          int& known = links.between[i][other->second];
          known = links.between[other->second][i] = std::max(known, count);
        }
      }
    }
    links.bandwidth = generation >= 100 ? 50e9 : generation >= 70 || generation == 0 ? kNvLinkBandwidth : 20e9;
    return {};
  }

  void readPorts(Imported& notes) {
    double least = m_gpus[0].portBandwidth;
    double most = least;
    for (const NcclGpu& gpu : m_gpus) {
      least = std::min(least, gpu.portBandwidth);
      most = std::max(most, gpu.portBandwidth);
    }
    m_machine.devicePort.bandwidth = least;
    if (least > 0 && least < most) {
      notes.assumed.push_back("the slowest GPU's PCIe port for all: " + formatBandwidth(least) + " instead of up to " +
                              formatBandwidth(most));
    }
  }

  void readGroupings() {
    Grouping cpus{"cpu", {InterconnectKind::Switch, 0, 0, "CPU link"}, kCpuBandwidth, {}};
    std::size_t depth = 0;
    for (const NcclGpu& gpu : m_gpus) {
      cpus.groupOf.push_back(gpu.cpu);
      depth = std::max(depth, gpu.bridges.size());
    }
    m_machine.groupings.push_back(std::move(cpus));
    for (std::size_t i = 0; i < std::min(depth, kMostBridges); ++i) {
      Grouping bridges{"bridge" + (i == 0 ? "" : std::to_string(i + 1)),
                       {InterconnectKind::Switch, 0, 0, "PCIe"},
                       kPciBandwidth,
                       {}};
      for (const NcclGpu& gpu : m_gpus) {
        const bool below = i < gpu.bridges.size();
        bridges.groupOf.push_back(below ? gpu.bridges[i].first : -1);
        if (!below || gpu.bridges[i].second <= 0) continue;
        double& bandwidth = bridges.interconnect.bandwidth;
        bandwidth = bandwidth > 0 ? std::min(bandwidth, gpu.bridges[i].second) : gpu.bridges[i].second;
      }
      m_machine.groupings.push_back(std::move(bridges));
    }
  }

  Machine m_machine;
  std::vector<NcclGpu> m_gpus;
  std::size_t m_cpus = 0;
  std::size_t m_otherNets = 0;
  int m_bridges = 0;
};

}  // namespace

Result<Imported> importNcclXml(const pugi::xml_node& system, const ImportOptions& options) {
  return NcclReader(system).read(options);
}

}  // namespace p2
