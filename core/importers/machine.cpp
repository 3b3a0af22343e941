// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/machine.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/units.h"
#include "importers/gpu_fabric.h"

namespace p2 {
namespace {

std::string nounOf(const std::string& level) { return level == "gpu" ? "GPU" : level; }

/// Groups renumbered from 0, devices in no group each in one of their own; how many devices each holds.
struct Partition {
  std::vector<int> of;
  std::vector<std::size_t> sizes;
};

Partition partitionOf(const std::vector<int>& groupOf) {
  Partition partition;
  std::map<int, int> known;
  for (const int group : groupOf) {
    const int next = static_cast<int>(partition.sizes.size());
    const int number = group < 0 ? next : known.try_emplace(group, next).first->second;
    if (number == next) partition.sizes.push_back(0);
    ++partition.sizes[static_cast<std::size_t>(number)];
    partition.of.push_back(number);
  }
  return partition;
}

bool isNested(const Partition& inner, const Partition& outer) {
  std::vector<int> parent(inner.sizes.size(), -1);
  for (std::size_t device = 0; device < inner.of.size(); ++device) {
    int& known = parent[static_cast<std::size_t>(inner.of[device])];
    if (known >= 0 && known != outer.of[device]) return false;
    known = outer.of[device];
  }
  return true;
}

/// The groupings that make a uniform hierarchy, as levels, and the devices in its order.
class UniformHierarchy {
 public:
  UniformHierarchy(const Machine& machine, Imported& notes) : m_machine(machine), m_notes(notes) {
    m_kept.push_back(partitionOf(std::vector<int>(machine.devices, 0)));
    std::vector<std::pair<Partition, const Grouping*>> groupings;
    for (const Grouping& grouping : machine.groupings) groupings.emplace_back(partitionOf(grouping.groupOf), &grouping);
    // Machines differ in which of a memory node and a die holds the other.
    std::stable_sort(groupings.begin(), groupings.end(),
                     [](const auto& a, const auto& b) { return a.first.sizes.size() < b.first.sizes.size(); });
    for (const auto& [partition, grouping] : groupings) consider(partition, *grouping);
    Level devices{machine.device, static_cast<std::int64_t>(m_kept.back().sizes[0]), machine.devicePort};
    assume(devices, machine.usualPortBandwidth);
    m_levels.push_back(devices);
    sortDevices();
  }
  [[nodiscard]] const std::vector<Level>& levels() const { return m_levels; }
  /// The device that stands at each place of the hierarchy.
  [[nodiscard]] const std::vector<std::size_t>& order() const { return m_order; }

 private:
  void consider(const Partition& partition, const Grouping& grouping) {
    const auto [least, most] = std::minmax_element(partition.sizes.begin(), partition.sizes.end());
    const Partition& outer = m_kept.back();
    // Every device by itself, or the same groups once more, says nothing new.
    if (*most == 1 || partition.sizes.size() == outer.sizes.size()) return;
    if (*least != *most) {
      m_notes.ignored.push_back("the " + grouping.name + "s, since they hold " + std::to_string(*least) + " to " +
                                std::to_string(*most) + " " + nounOf(m_machine.device) + "s each");
      return;
    }
    if (!isNested(partition, outer)) {
      m_notes.ignored.push_back("the " + grouping.name + "s, since they cross the groups above them");
      return;
    }
    Level level{grouping.name, static_cast<std::int64_t>(partition.sizes.size() / outer.sizes.size()),
                grouping.interconnect};
    assume(level, grouping.usualBandwidth);
    m_levels.push_back(level);
    m_kept.push_back(partition);
  }

  void assume(Level& level, double usual) {
    if (level.interconnect.bandwidth > 0) return;
    level.interconnect.bandwidth = usual;
    if (level.count > 1) m_notes.assumed.push_back(formatBandwidth(usual) + " between " + nounOf(level.name) + "s");
  }

  void sortDevices() {
    m_order.resize(m_machine.devices);
    std::iota(m_order.begin(), m_order.end(), std::size_t{0});
    std::stable_sort(m_order.begin(), m_order.end(), [this](std::size_t a, std::size_t b) {
      for (const Partition& partition : m_kept) {
        if (partition.of[a] != partition.of[b]) return partition.of[a] < partition.of[b];
      }
      return false;
    });
  }

  const Machine& m_machine;
  Imported& m_notes;
  std::vector<Partition> m_kept;
  std::vector<Level> m_levels;
  std::vector<std::size_t> m_order;
};

void tellOrder(const std::string& device, const std::vector<std::size_t>& order, Imported& notes) {
  if (std::is_sorted(order.begin(), order.end())) return;
  std::string text;
  for (const std::size_t place : order) text += " " + std::to_string(place);
  notes.assumed.push_back("devices numbered along the hierarchy: " + nounOf(device) + "s" + text);
}

/// The level of the machines themselves, joined by their network cards as one port each.
Level nodeLevel(const Machine& machine, std::int64_t nodes, Imported& notes) {
  Interconnect network{InterconnectKind::Switch, 0, 0, "network"};
  bool silent = machine.nics.empty();
  for (const Nic& nic : machine.nics) {
    silent = silent || nic.bandwidth <= 0;
    network.bandwidth += nic.bandwidth > 0 ? nic.bandwidth : kNicBandwidth;
    network.latency = std::max(network.latency, nic.latency);
  }
  if (machine.nics.empty()) network.bandwidth = kNicBandwidth;
  if (silent) notes.assumed.push_back(formatBandwidth(kNicBandwidth) + " for every network card");
  if (machine.nics.size() > 1) notes.assumed.push_back("the network cards of a node work as one port");
  return {"node", nodes, network};
}

}  // namespace

std::string countedNoun(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

Result<Imported> systemOf(const Machine& machine, const ImportOptions& options, Imported notes) {
  System& system = notes.system;
  const GpuFabric fabric = fabricOf(machine.links);
  if (!fabric.text.empty()) {
    notes.understood.push_back(fabric.text);
    notes.assumed.push_back(formatBandwidth(machine.links.bandwidth) + " for every NVLink");
  }
  if (fabric.joinsAll()) {
    system.levels = {{machine.device, static_cast<std::int64_t>(machine.devices), fabric.interconnect}};
    if (!machine.groupings.empty()) notes.ignored.push_back("PCIe and CPUs, since NVLink joins all GPUs");
  } else {
    const UniformHierarchy hierarchy(machine, notes);
    system.levels = hierarchy.levels();
    tellOrder(machine.device, hierarchy.order(), notes);
    system.networks = linkNetworks(fabric, machine.links, hierarchy.order(), options.nodes > 1 ? "node" : "");
    if (system.networks.size() > kMostNetworks) {
      system.networks.clear();
      notes.ignored.push_back("the NVLinks, since only " + std::to_string(kMostNetworks) + " networks can be listed");
    }
  }
  if (options.nodes > 1) {
    system.levels.insert(system.levels.begin(), nodeLevel(machine, options.nodes, notes));
  } else if (!machine.nics.empty()) {
    notes.ignored.push_back(countedNoun(machine.nics.size(), "network card") + " leading out of the one machine");
  }
  system.name = shapeOf(system);
  P2_TRY(checkParts(system));
  return notes;
}

}  // namespace p2
