// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/detail/uniform_hierarchy.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/counted.h"

namespace p2::inline importers {
namespace {

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

}  // namespace

UniformHierarchy::UniformHierarchy(const Machine& machine, const ImportOptions& options, Imported& notes)
    : m_machine(machine),
      m_options(options),
      m_notes(notes),
      m_port{machine.device, 0, machine.devicePort, machine.portSpeed, machine.defaultPortBandwidth} {
  m_kept.push_back(partitionOf(std::vector<int>(machine.devices, 0)));
  std::vector<std::pair<Partition, const Grouping*>> groupings;
  for (const Grouping& grouping : machine.groupings) groupings.emplace_back(partitionOf(grouping.groupOf), &grouping);
  // Machines differ in which of a memory node and a die holds the other.
  std::stable_sort(groupings.begin(), groupings.end(),
                   [](const auto& a, const auto& b) { return a.first.sizes.size() < b.first.sizes.size(); });
  for (const auto& [partition, grouping] : groupings) consider(partition, *grouping);
  m_port.count = static_cast<std::int64_t>(m_kept.back().sizes[0]);
  if (!m_sockets.empty()) m_port.count = static_cast<std::int64_t>(machine.devices);
  for (const Pending& level : m_pending) finish(level);
  finish(m_port);
  sortDevices();
}

void UniformHierarchy::consider(const Partition& partition, const Grouping& grouping) {
  const auto [least, most] = std::minmax_element(partition.sizes.begin(), partition.sizes.end());
  const Partition& outer = m_kept.back();
  if (partition.sizes.size() == 1) return;
  if (*most == 1) return narrowPort(grouping);
  if (partition.sizes.size() == outer.sizes.size() && isNested(partition, outer)) {
    if (!m_pending.empty()) narrow(m_pending.back(), grouping);
    return;
  }
  const bool unequal = *least != *most;
  if (unequal && grouping.speed == SpeedKind::Socket && m_kept.size() == 1) return addUnequal(partition, grouping);
  if (unequal || !m_sockets.empty()) {
    m_notes.ignored.push_back("the " + pluralOf(grouping.name) + ", since they hold " + std::to_string(*least) +
                              (unequal ? " to " + std::to_string(*most) : "") + " " +
                              pluralOf(nounOf(m_machine.device)) + " each" + (unequal ? "" : " in unequal sockets"));
    return;
  }
  if (!isNested(partition, outer)) {
    m_notes.ignored.push_back("the " + pluralOf(grouping.name) + ", since they cross the groups above them");
    return;
  }
  m_pending.push_back({grouping.name, static_cast<std::int64_t>(partition.sizes.size() / outer.sizes.size()),
                       grouping.interconnect, grouping.speed, grouping.defaultBandwidth});
  m_kept.push_back(partition);
}

/// No bandwidth behind a link exceeds the link's.
void UniformHierarchy::narrow(Pending& level, const Grouping& grouping) const {
  const double bandwidth = m_options.speeds[grouping.speed] > 0 ? 0 : grouping.interconnect.bandwidth;
  if (bandwidth > 0) level.limit = level.limit > 0 ? std::min(level.limit, bandwidth) : bandwidth;
}

/// Sockets of one device each: only the link between the sockets joins devices.
void UniformHierarchy::narrowPort(const Grouping& grouping) {
  if (grouping.speed != SpeedKind::Socket) return narrow(m_port, grouping);
  const double own = m_options.speeds[SpeedKind::Pcie] > 0 ? m_options.speeds[SpeedKind::Pcie]
                     : m_port.interconnect.bandwidth > 0   ? m_port.interconnect.bandwidth
                                                           : m_port.fallback;
  m_port.interconnect = grouping.interconnect;
  m_port.speed = SpeedKind::Socket;
  m_port.fallback = grouping.defaultBandwidth;
  m_port.limit = m_port.limit > 0 ? std::min(m_port.limit, own) : own;
}

void UniformHierarchy::addUnequal(const Partition& partition, const Grouping& grouping) {
  m_sockets = partition.sizes;
  m_socketName = grouping.name;
  m_socketLink = grouping.interconnect;
  m_socketLink.bandwidth = grouping.interconnect.bandwidth;
  if (m_socketLink.bandwidth <= 0 || m_options.speeds[grouping.speed] > 0) {
    m_socketLink.bandwidth = assumedSpeed(grouping.speed, grouping.defaultBandwidth,
                                          " between " + pluralOf(grouping.name), m_options, m_notes);
  }
  m_kept.push_back(partition);
}

void UniformHierarchy::finish(const Pending& pending) {
  Level level{pending.name, pending.count, pending.interconnect};
  double& bandwidth = level.interconnect.bandwidth;
  const bool chosen = m_options.speeds[pending.speed] > 0;
  const bool silent = bandwidth <= 0;
  if (silent || chosen) bandwidth = chosen ? m_options.speeds[pending.speed] : pending.fallback;
  const bool limited = pending.limit > 0 && pending.limit < bandwidth && !chosen;
  if (limited) bandwidth = pending.limit;
  if (silent && !limited && level.count > 1) {
    assumedSpeed(pending.speed, pending.fallback, " between " + pluralOf(nounOf(level.name)), m_options, m_notes);
  }
  m_levels.push_back(level);
}

void UniformHierarchy::sortDevices() {
  m_order.resize(m_machine.devices);
  std::iota(m_order.begin(), m_order.end(), std::size_t{0});
  std::stable_sort(m_order.begin(), m_order.end(), [this](std::size_t a, std::size_t b) {
    for (const Partition& partition : m_kept) {
      if (partition.of[a] != partition.of[b]) return partition.of[a] < partition.of[b];
    }
    return false;
  });
}

std::vector<Network> UniformHierarchy::networks(const std::string& within) const {
  std::vector<Network> networks;
  if (m_sockets.empty()) return networks;
  Network joined;
  joined.interconnect = m_socketLink;
  joined.within = within;
  joined.gateway = !within.empty();
  std::int64_t first = 0;
  for (std::size_t socket = 0; socket < m_sockets.size(); ++socket) {
    Network own;
    own.interconnect = m_levels.back().interconnect;
    own.interconnect.name = m_socketName + "-" + std::to_string(socket);
    own.within = within;
    own.members = {{m_machine.device, first, static_cast<std::int64_t>(m_sockets[socket])}};
    first += static_cast<std::int64_t>(m_sockets[socket]);
    joined.members.push_back({own.interconnect.name, 0, 0});
    networks.push_back(std::move(own));
  }
  networks.push_back(std::move(joined));
  return networks;
}

}  // namespace p2::inline importers
