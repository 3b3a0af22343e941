// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>

#include "base/counted.h"
#include "importers/detail/machine.h"

namespace p2::inline importers {
namespace {

/// Sets of cards that neighbouring devices share, in the order of the devices; empty unless every device has some, all
/// sets are apart, of one size, and of as many devices.
std::vector<std::vector<std::size_t>> setsOf(const Machine& machine) {
  std::vector<std::vector<std::size_t>> sets;
  std::set<std::size_t> taken;
  for (const std::vector<std::size_t>& near : machine.nearCards) {
    if (near.empty()) return {};
    if (!sets.empty() && sets.back() == near) continue;
    for (const std::size_t card : near) {
      if (!taken.insert(card).second) return {};
    }
    sets.push_back(near);
  }
  const bool equal = !sets.empty() && std::all_of(sets.begin(), sets.end(),
                                                  [&](const auto& each) { return each.size() == sets.front().size(); });
  if (!equal || machine.devices % sets.size() != 0) return {};
  const std::size_t each = machine.devices / sets.size();
  for (std::size_t device = 0; device < machine.devices; ++device) {
    if (machine.nearCards[device] != sets[device / each]) return {};
  }
  return sets;
}

Network networkOf(std::string name, double bandwidth, double latency, std::string within, std::int64_t instances,
                  std::string member) {
  Network network;
  network.interconnect = {InterconnectKind::Switch, bandwidth, latency, std::move(name)};
  network.within = std::move(within);
  network.instances = instances;
  network.members = {{std::move(member)}};
  return network;
}

}  // namespace

bool addRails(const Machine& machine, const ImportOptions& options, Imported& notes) {
  System& system = notes.system;
  const bool asked = options.nodes > 1 && options.cards == 0 && system.levels.size() == 1 && system.networks.empty();
  const auto sets =
      asked && machine.nearCards.size() == machine.devices ? setsOf(machine) : std::vector<std::vector<std::size_t>>();
  if (sets.size() < 2) return false;
  const auto count = static_cast<std::int64_t>(sets.size());
  Machine first = machine;
  first.nics.clear();
  for (const std::size_t card : sets.front()) first.nics.push_back(machine.nics[card]);
  const Interconnect port = portOf(first.nics, assumedCardOf(machine), options, notes);
  std::erase(notes.assumed, "the network cards of a node work as one port");
  system.levels.insert(system.levels.begin(),
                       {"node", options.nodes, {InterconnectKind::None, port.bandwidth, 0, "NICs"}});
  system.networks.push_back(networkOf("NIC", port.bandwidth, port.latency, "node", count, machine.device));
  system.networks.back().gateway = true;
  system.networks.push_back(networkOf("rail", port.bandwidth, 0, {}, count, "NIC"));
  system.networks.back().assignment = Network::Assignment::InTurn;
  system.networks.push_back(networkOf("spine", port.bandwidth * static_cast<double>(options.nodes), 0, {}, 1, "rail"));
  notes.understood.push_back(
      countedText(sets.size(), "rail") + ": " + countedText(sets.front().size(), "network card") +
      " behind the PCIe switch of " +
      (machine.devices == sets.size() ? "each GPU" : countedText(machine.devices / sets.size(), "GPU")));
  notes.assumed.push_back("rails below a spine that does not block");
  const std::size_t used = sets.size() * sets.front().size();
  if (machine.nics.size() > used) {
    notes.ignored.push_back(countedText(machine.nics.size() - used, "network card") +
                            " that no GPU has behind its PCIe switch, as for storage");
  }
  return true;
}

void tellGpuByLinks(const Machine& machine, Imported& notes) {
  struct Known {
    int links;
    const char* type;
    const char* generation;
    const char* others;
  };
  static constexpr Known kKnown[] = {{18, "H100-SXM5-80GB", "hopper", "; H200, H20 and B200 have as many"},
                                     {12, "A100-SXM4-80GB", "ampere", ""},
                                     {6, "V100-SXM3-32GB", "volta", ""}};
  constexpr int kLinksOfA800 = 8;
  System& system = notes.system;
  if (machine.part != nullptr || machine.links.between.empty() || !system.accelerator.type.empty()) return;
  // Only switches join all links of a GPU, so that their number is the generation's.
  if (system.levels.back().interconnect.kind != InterconnectKind::Switch || machine.links.name != "NVLink") return;
  int most = 0;
  for (const std::vector<int>& row : machine.links.between)
    most = std::max(most, *std::max_element(row.begin(), row.end()));
  for (const Known& known : kKnown) {
    if (known.links != most) continue;
    system.accelerator.type = known.type;
    system.library.generation = known.generation;
    notes.assumed.push_back(std::string(known.type) + ", since its GPUs have " + countedText(most, "NVLink") +
                            known.others);
  }
  if (most == kLinksOfA800) {
    notes.assumed.push_back("an unknown GPU: A800 and H800 have " + countedText(most, "NVLink") +
                            "; name yours, as in --gpu H800");
  }
}

}  // namespace p2::inline importers
