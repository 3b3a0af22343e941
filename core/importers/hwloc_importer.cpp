// SPDX-License-Identifier: GPL-3.0-or-later
#include <hwloc.h>

#include <algorithm>
#include <map>
#include <memory>

#include "base/numbers.h"
#include "importers/machine.h"

namespace p2 {
namespace {

constexpr std::int64_t kMostSyntheticUnits = 65536;
constexpr std::size_t kMostBridges = 8;

struct Destroy {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, Destroy>;

/// A topology about to be loaded, with the PCI devices that matter and what hangs on them.
Topology unloaded() {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) return nullptr;
  hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  return Topology(topology);
}

/// PCI classes: 3D controllers, other displays and processing accelerators; graphics cards of the makers of GPUs that
/// compute (a server's console is one too).
bool isGpu(hwloc_obj_t object) {
  if (object->type != HWLOC_OBJ_PCI_DEVICE) return false;
  const auto& pci = object->attr->pcidev;
  const bool computes = pci.vendor_id == 0x10de || pci.vendor_id == 0x1002;
  return pci.class_id == 0x0302 || pci.class_id == 0x0380 || pci.class_id == 0x1200 ||
         (pci.class_id == 0x0300 && computes);
}

class HwlocReader {
 public:
  explicit HwlocReader(Topology topology) : m_topology(std::move(topology)) {}

  Result<Imported> read(const std::string& format, const ImportOptions& options) {
    Imported notes;
    notes.format = format;
    readPci(notes);
    if (m_devices.empty()) readCores(notes);
    if (m_devices.empty()) return Error{"it has neither GPUs nor cores; nothing could take part in a reduction"};
    m_machine.devices = m_devices.size();
    addPlaces();
    if (m_machine.device == "gpu") addBridges();
    return systemOf(m_machine, options, std::move(notes));
  }

 private:
  void readPci(Imported& notes) {
    std::size_t others = 0;
    for (hwloc_obj_t at = nullptr; (at = hwloc_get_next_pcidev(m_topology.get(), at)) != nullptr;) {
      const double bandwidth = double{at->attr->pcidev.linkspeed} * 1e9;
      if (isGpu(at)) {
        m_devices.push_back(at);
        double& port = m_machine.devicePort.bandwidth;
        if (bandwidth > 0) port = port > 0 ? std::min(port, bandwidth) : bandwidth;
      } else if (at->attr->pcidev.class_id >> 8 == 0x02) {
        m_machine.nics.push_back({bandwidth, 0});
      } else {
        ++others;
      }
    }
    if (!m_devices.empty()) notes.understood.push_back(countedNoun(m_devices.size(), "GPU"));
    if (!m_machine.nics.empty()) {
      notes.understood.push_back(countedNoun(m_machine.nics.size(), "network card"));
    }
    if (others > 0) notes.ignored.push_back(countedNoun(others, "other PCI device"));
  }

  void readCores(Imported& notes) {
    m_machine.device = "core";
    m_machine.devicePort.name = "cache";
    m_machine.usualPortBandwidth = kOnChipBandwidth;
    const int units = hwloc_get_nbobjs_by_type(m_topology.get(), HWLOC_OBJ_PU);
    const int cores = hwloc_get_nbobjs_by_type(m_topology.get(), HWLOC_OBJ_CORE);
    const hwloc_obj_type_t type = cores > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
    for (hwloc_obj_t at = nullptr; (at = hwloc_get_next_obj_by_type(m_topology.get(), type, at)) != nullptr;) {
      m_devices.push_back(at);
    }
    notes.understood.push_back(countedNoun(m_devices.size(), "core"));
    if (cores > 0 && units > cores) {
      notes.ignored.push_back(std::to_string(units) + " hardware threads, since those of a core share it");
    }
  }

  /// Where a device is attached: itself, or for a PCI device what its bridges hang on.
  [[nodiscard]] hwloc_obj_t placeOf(hwloc_obj_t device) const {
    return device->type == HWLOC_OBJ_PCI_DEVICE ? hwloc_get_non_io_ancestor_obj(m_topology.get(), device) : device;
  }

  [[nodiscard]] hwloc_obj_t within(hwloc_obj_t place, hwloc_obj_type_t type) const {
    return place->type == type ? place : hwloc_get_ancestor_obj_by_type(m_topology.get(), type, place);
  }

  /// Sockets, dies, memory nodes and shared caches.
  void addPlaces() {
    const auto add = [this](const char* name, const char* link, double usual, auto groupOf) {
      Grouping grouping{name, {InterconnectKind::Switch, 0, 0, link}, usual, {}};
      for (const hwloc_obj_t device : m_devices) grouping.groupOf.push_back(groupOf(placeOf(device)));
      m_machine.groupings.push_back(std::move(grouping));
    };
    const auto numberOf = [this](hwloc_obj_type_t type) {
      return [this, type](hwloc_obj_t place) {
        const hwloc_obj_t object = within(place, type);
        return object == nullptr ? -1 : static_cast<int>(object->logical_index);
      };
    };
    add("package", "CPU link", kCpuBandwidth, numberOf(HWLOC_OBJ_PACKAGE));
    add("numanode", "memory", kOnChipBandwidth, [](hwloc_obj_t place) {
      return hwloc_bitmap_weight(place->nodeset) == 1 ? hwloc_bitmap_first(place->nodeset) : -1;
    });
    add("die", "die link", kOnChipBandwidth, numberOf(HWLOC_OBJ_DIE));
    if (m_machine.device == "core") add("l3", "on-chip network", kOnChipBandwidth, numberOf(HWLOC_OBJ_L3CACHE));
  }

  void addBridges() {
    std::map<hwloc_obj_t, int> numbers;
    std::vector<std::vector<hwloc_obj_t>> paths;
    std::size_t depth = 0;
    for (const hwloc_obj_t device : m_devices) {
      paths.emplace_back();
      for (hwloc_obj_t at = device->parent; at != nullptr && at->type == HWLOC_OBJ_BRIDGE; at = at->parent) {
        paths.back().insert(paths.back().begin(), at);
        numbers.try_emplace(at, static_cast<int>(numbers.size()));
      }
      depth = std::max(depth, paths.back().size());
    }
    for (std::size_t i = 0; i < std::min(depth, kMostBridges); ++i) {
      Grouping bridges{"bridge" + (i == 0 ? "" : std::to_string(i + 1)),
                       {InterconnectKind::Switch, 0, 0, "PCIe"},
                       kPciBandwidth,
                       {}};
      double& bandwidth = bridges.interconnect.bandwidth;
      for (const auto& path : paths) {
        bridges.groupOf.push_back(i < path.size() ? numbers[path[i]] : -1);
        if (i >= path.size() || path[i]->attr->bridge.upstream_type != HWLOC_OBJ_BRIDGE_PCI) continue;
        const double speed = double{path[i]->attr->bridge.upstream.pci.linkspeed} * 1e9;
        if (speed > 0) bandwidth = bandwidth > 0 ? std::min(bandwidth, speed) : speed;
      }
      m_machine.groupings.push_back(std::move(bridges));
    }
  }

  Topology m_topology;
  Machine m_machine;
  std::vector<hwloc_obj_t> m_devices;
};

Error noMemory() { return {"hwloc cannot start; is there enough memory?", {}, ErrorKind::Failed}; }

/// ∏ of the counts of "pack:2 core:4(size=1)", what hwloc would make objects of; nothing beyond what is sensible.
bool isSmall(std::string_view description) {
  std::int64_t units = 1;
  int depth = 0;
  for (std::size_t i = 0; i < description.size(); ++i) {
    const char c = description[i];
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    const bool starts = c >= '0' && c <= '9' && (i == 0 || description[i - 1] == ':' || description[i - 1] == ' ');
    if (!starts || depth != 0) continue;
    const std::size_t end = std::min(description.find_first_not_of("0123456789", i), description.size());
    const auto count = parseInteger(description.substr(i, end - i));
    const auto product = count && *count > 0 ? checkedProduct(units, *count) : std::nullopt;
    if (!product || *product > kMostSyntheticUnits) return false;
    units = *product;
  }
  return true;
}

}  // namespace

Result<Imported> importHwlocXml(std::string_view text, const ImportOptions& options) {
  Topology topology = unloaded();
  if (!topology) return noMemory();
  const std::string buffer(text);
  if (hwloc_topology_set_xmlbuffer(topology.get(), buffer.c_str(), static_cast<int>(buffer.size() + 1)) != 0 ||
      hwloc_topology_load(topology.get()) != 0) {
    return Error{"hwloc cannot read it; write it with lstopo --of xml"};
  }
  return HwlocReader(std::move(topology)).read("hwloc XML", options);
}

Result<Imported> importSynthetic(std::string_view description, const ImportOptions& options) {
  Topology topology = unloaded();
  if (!topology) return noMemory();
  if (!isSmall(description)) {
    return Error{"\"" + std::string(description) + "\" has a count of 0 or over " +
                 std::to_string(kMostSyntheticUnits) + " units in all; lower the counts"};
  }
  if (hwloc_topology_set_synthetic(topology.get(), std::string(description).c_str()) != 0 ||
      hwloc_topology_load(topology.get()) != 0) {
    return Error{"\"" + std::string(description) +
                 "\" is not a machine in hwloc's notation; write types and counts, as in \"pack:2 core:4 pu:2\""};
  }
  return HwlocReader(std::move(topology)).read("hwloc synthetic", options);
}

Result<Imported> importThisMachine(const ImportOptions& options) {
  Topology topology = unloaded();
  if (!topology) return noMemory();
  if (hwloc_topology_load(topology.get()) != 0) {
    return Error{"hwloc cannot look at this machine", {}, ErrorKind::Failed};
  }
  return HwlocReader(std::move(topology)).read("this machine through hwloc", options);
}

}  // namespace p2
