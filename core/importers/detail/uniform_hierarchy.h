// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/importers.
#pragma once

#include <vector>

#include "importers/detail/machine.h"

namespace p2::inline importers {

/// Groups renumbered from 0, devices in no group each in one of their own; how many devices each holds.
struct Partition {
  std::vector<int> of;
  std::vector<std::size_t> sizes;
};

/// The groupings of a machine that make a uniform hierarchy, as levels, and the devices in its order. A grouping of
/// single devices, or of the same devices as one above it, is no level but can make the way narrower. Sockets that hold
/// different numbers of devices become networks of their own in addition to the one level of the devices.
class UniformHierarchy {
 public:
  /// Writes its assumptions and omissions into `notes`; both arguments must outlive it.
  UniformHierarchy(const Machine& machine, const ImportOptions& options, Imported& notes);

  [[nodiscard]] const std::vector<Level>& levels() const { return m_levels; }
  /// The device that stands at each place of the hierarchy.
  [[nodiscard]] const std::vector<std::size_t>& order() const { return m_order; }
  /// The group of each device, by level above the devices, outermost first.
  [[nodiscard]] std::vector<Partition> divisions() const { return {m_kept.begin() + 1, m_kept.end()}; }
  /// The unequal sockets, inside `within`.
  [[nodiscard]] std::vector<Network> networks(const std::string& within) const;

 private:
  struct Pending {
    std::string name;
    std::int64_t count;
    Interconnect interconnect;
    SpeedKind speed;
    double fallback;
    double limit = 0;  // bytes/s of the links behind it; 0 without one
  };

  void consider(const Partition& partition, const Grouping& grouping);
  void narrow(Pending& level, const Grouping& grouping) const;
  void narrowPort(const Grouping& grouping);
  void addUnequal(const Partition& partition, const Grouping& grouping);
  void finish(const Pending& pending);
  void sortDevices();

  const Machine& m_machine;
  const ImportOptions& m_options;
  Imported& m_notes;
  std::vector<Partition> m_kept;
  std::vector<Pending> m_pending;
  Pending m_port;
  std::vector<Level> m_levels;
  std::vector<std::size_t> m_order;
  std::vector<std::size_t> m_sockets;  // devices of each, where they are unequal
  std::string m_socketName;
  Interconnect m_socketLink;
};

}  // namespace p2::inline importers
