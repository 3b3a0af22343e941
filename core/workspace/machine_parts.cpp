// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/machine_parts.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "system/properties.h"
#include "text/json_document.h"
#include "workspace/detail/preset_files.h"

namespace p2::inline workspace {
namespace {

/// The list of parts, as bundled.
const Json& partsList() {
  static const Json kParts = [] {
    auto json = parseJson(partsFile());
    assert(json.ok());
    return std::move(json).value();
  }();
  return kParts;
}

/// The first entry whose word is in the text.
const Json& entryIn(const char* list, std::string_view text) {
  const Json& entries = partsList().at(list);
  const auto fits = [&](const Json& entry) {
    return text.find(entry.at("has").get_ref<const std::string&>()) != std::string_view::npos;
  };
  const auto found = std::find_if(entries.begin(), entries.end(), fits);
  assert(found != entries.end());  // the last one fits everything
  return *found;
}

const Json* gpuNamed(std::string_view name) {
  const Json& gpus = partsList().at("gpus");
  const auto found = std::find_if(gpus.begin(), gpus.end(), [&](const Json& gpu) {
    return name.starts_with(gpu.at("begins").get_ref<const std::string&>());
  });
  return found == gpus.end() ? nullptr : &*found;
}

double figure(const Json& entry, const char* key) { return entry.at(key).get<double>(); }

Interconnect switchOf(std::string name, double bandwidth, double latency) {
  Interconnect link{InterconnectKind::Switch, bandwidth, latency, std::move(name)};
  return link;
}

Accelerator sheetOf(const Json& gpu, const std::string& type) {
  Accelerator accelerator{.type = type};
  for (const Property<Accelerator>& property : acceleratorProperties()) {
    const std::string key(property.info.key);
    if (gpu.contains(key)) property.set(accelerator, figure(gpu, key.c_str()));
  }
  return accelerator;
}

/// Puts a machine together, from the inside out.
class Assembly {
 public:
  Assembly(const MachineParts& parts, const Json& gpu)
      : m_parts(parts),
        m_gpu(gpu),
        m_join(entryIn("joins", parts.nvlink)),
        m_fabric(entryIn("fabrics", parts.fabric)),
        m_outside(m_join.contains("nodes") ? "rack" : "node") {}

  System system() {
    const std::int64_t domains = m_outside == "rack" ? racks() : m_parts.nodes;
    m_nodesEach = m_parts.nodes / domains;
    assignNics();
    m_system.levels = {{m_outside, domains, outsideLink()}, {"gpu", m_nodesEach * m_parts.gpusPerNode, gpuLink()}};
    if (m_parts.nodesPerRack > 0) {
      m_system.levels.front().count = m_parts.nodesPerRack;
      m_system.levels.insert(m_system.levels.begin(), {"rack", domains / m_parts.nodesPerRack, rackLink()});
    }
    if (m_outside == "rack" || m_parts.nodesPerRack > 0) m_system.node = m_outside;
    m_system.library = m_parts.library;
    m_system.library.generation = m_gpu.at("generation").get<std::string>();
    m_system.accelerator = sheetOf(m_gpu, m_parts.gpu);
    const std::string nextToNics = addHost();
    addNics(nextToNics);
    addFabric();
    return std::move(m_system);
  }

 private:
  /// As few as hold all nodes, and as many nodes in each.
  [[nodiscard]] std::int64_t racks() const {
    const std::int64_t most = m_join.at("nodes").get<std::int64_t>();
    std::int64_t racks = (m_parts.nodes + most - 1) / most;
    while (m_parts.nodes % racks != 0) ++racks;
    return racks;
  }

  /// How many NICs are drawn in a node, and what each carries.
  void assignNics() {
    const std::int64_t gpus = m_parts.gpusPerNode;
    const std::int64_t standard = m_gpu.at("nics").get<std::int64_t>();
    const std::int64_t nics = m_parts.nics > 0 ? m_parts.nics : standard > 0 ? standard : gpus;
    const double each = m_parts.nicBandwidth > 0 ? m_parts.nicBandwidth : figure(m_gpu, "nic");
    m_nics = std::gcd(nics, gpus);
    // One GPU drives no more of them than its PCIe can feed.
    const std::int64_t gpusEach = gpus / m_nics;
    const auto fed = static_cast<std::int64_t>(figure(m_gpu, "pcie") * static_cast<double>(gpusEach) / each);
    m_nicBandwidth = each * static_cast<double>(std::max<std::int64_t>(1, std::min(nics / m_nics, fed)));
  }

  [[nodiscard]] bool hasOneNic() const { return m_nics * m_nodesEach == 1; }
  [[nodiscard]] std::string fabricName() const { return m_fabric.at("name").get<std::string>(); }

  [[nodiscard]] Interconnect outsideLink() const {
    Interconnect link = fabricLink(fabricName(), m_nicBandwidth);
    if (hasOneNic()) return link;
    // The name tells the kind of network where rails and spine carry names of their own.
    link = switchOf(fabricName() + " NICs", m_nicBandwidth, 0);
    link.kind = InterconnectKind::None;
    return link;
  }

  /// Bytes/s from the nodes of a rack to the spine.
  [[nodiscard]] double upFromRack() const {
    return m_nicBandwidth * static_cast<double>(m_parts.nodesPerRack) / m_parts.oversubscription;
  }

  [[nodiscard]] Interconnect rackLink() const {
    Interconnect link = switchOf(fabricName() + " rails", upFromRack(), 0);
    link.kind = InterconnectKind::None;
    return link;
  }

  [[nodiscard]] Interconnect fabricLink(const std::string& name, double bandwidth) const {
    Interconnect link = switchOf(name, bandwidth, figure(m_fabric, "switch"));
    link.reduces = m_parts.sharp;
    return link;
  }

  [[nodiscard]] Interconnect gpuLink() const {
    Interconnect link;
    link.name = m_join.at("name").get<std::string>();
    link.kind = interconnectKindFrom(m_join.at("kind").get<std::string>()).value();
    link.latency = figure(m_join, "latency");
    link.bandwidth = figure(m_gpu, m_join.contains("pcie") || figure(m_gpu, "link") == 0 ? "pcie" : "link");
    if (m_join.contains("peers")) link.bandwidth /= figure(m_join, "peers");
    if (m_join.contains("bothWays")) {
      link.halfDuplex = true;
      link.forwards = false;
    }
    if (m_join.contains("reduces") && m_parts.nvls) {
      const Json& able = m_join.at("reduces");
      link.reduces = std::find(able.begin(), able.end(), m_gpu.at("generation")) != able.end();
    }
    return link;
  }

  Network& add(Interconnect link, std::string within, std::int64_t instances, std::string member) {
    Network network;
    network.interconnect = std::move(link);
    network.within = std::move(within);
    network.instances = instances;
    network.members = {{std::move(member)}};
    m_system.networks.push_back(std::move(network));
    return m_system.networks.back();
  }

  /// The PCIe switches and sockets below links that do not reach every GPU. Returns the NICs' level.
  std::string addHost() {
    const std::int64_t gpus = m_parts.gpusPerNode;
    if (!m_join.contains("bothWays") || gpus % 4 != 0 || (gpus / 2) % m_nics != 0) return "gpu";
    const Json& host = partsList().at("hosts");
    Interconnect pcie = switchOf("PCIe switch", 2 * figure(m_gpu, "pcie"), figure(host, "switch"));
    pcie.kind = InterconnectKind::Bus;
    add(pcie, m_outside, gpus / 2, "gpu");
    add(switchOf("CPU", figure(m_gpu, "pcie"), figure(host, "cpu")), m_outside, 2, "PCIe switch");
    add(switchOf("socket link", figure(host, "socketBandwidth"), figure(host, "sockets")), m_outside, 1, "CPU");
    return "PCIe switch";
  }

  void addNics(const std::string& member) {
    Network& nic =
        add(switchOf("NIC", m_nicBandwidth, figure(m_fabric, "nic")), m_outside, m_nics * m_nodesEach, member);
    nic.gateway = true;
  }

  void addFabric() {
    if (hasOneNic()) return;
    if (!m_fabric.at("rails").get<bool>() || m_nics == 1) {
      add(fabricLink(fabricName(), m_nicBandwidth), {}, 1, "NIC");
      return;
    }
    const bool inRacks = m_parts.nodesPerRack > 0;
    Network& rail = add(fabricLink("rail", m_nicBandwidth), inRacks ? "rack" : "", m_nics, "NIC");
    rail.assignment = Network::Assignment::InTurn;
    rail.gateway = inRacks;
    const double up = inRacks ? upFromRack() : m_nicBandwidth * static_cast<double>(m_parts.nodes);
    add(fabricLink("spine", up), {}, 1, "rail");
  }

  const MachineParts& m_parts;
  const Json& m_gpu;
  const Json& m_join;
  const Json& m_fabric;
  std::string m_outside;
  std::int64_t m_nodesEach = 1;
  std::int64_t m_nics = 1;  ///< of each node
  double m_nicBandwidth = 0;
  System m_system;
};

Result<void> checkRacks(const MachineParts& parts) {
  if (parts.nodesPerRack == 0) return {};
  if (parts.nodesPerRack < 1 || parts.nodes % parts.nodesPerRack != 0) {
    return Error{std::to_string(parts.nodes) + " nodes do not fill racks of " + std::to_string(parts.nodesPerRack) +
                 "; use a multiple"};
  }
  if (parts.oversubscription <= 0) return Error{"an oversubscription is above 0, as in 2 for 2:1"};
  const bool joinsNodes = entryIn("joins", parts.nvlink).contains("nodes");
  if (joinsNodes || parts.nics < 2 || !entryIn("fabrics", parts.fabric).at("rails").get<bool>())
    return Error{"only nodes with several NICs on a fabric with rails stand in racks of rails"};
  return {};
}

}  // namespace

std::optional<Accelerator> gpuDataSheet(const std::string& gpu) {
  const Json* known = gpuNamed(gpu);
  return known == nullptr ? std::nullopt : std::optional(sheetOf(*known, gpu));
}

std::vector<std::string> knownGpus() {
  std::vector<std::string> names;
  for (const Json& gpu : partsList().at("gpus")) names.push_back(gpu.at("begins").get<std::string>());
  return names;
}

std::string generationOf(std::string_view gpu) {
  const Json* known = gpuNamed(gpu);
  return known == nullptr ? std::string() : known->at("generation").get<std::string>();
}

Result<System> systemOf(const MachineParts& parts) {
  const Json* gpu = gpuNamed(parts.gpu);
  if (gpu == nullptr) {
    return Error{"there are no figures of the GPU \"" + parts.gpu +
                 "\"; use one of another name, as in H100-SXM5-80GB"};
  }
  if (parts.gpusPerNode < 1 || parts.nodes < 1 || parts.gpusPerNode > kMostDevices || parts.nodes > kMostDevices) {
    return Error{"a machine has 1 or more nodes of 1 or more GPUs, not " + std::to_string(parts.nodes) + " of " +
                 std::to_string(parts.gpusPerNode)};
  }
  P2_TRY(checkRacks(parts));
  System system = Assembly(parts, *gpu).system();
  system.name = shapeOf(system);
  P2_TRY(checkParts(system));
  return system;
}

}  // namespace p2::inline workspace
