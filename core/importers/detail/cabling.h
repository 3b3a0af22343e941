// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/importers: hosts, switches and cables of a cluster, and the tiers that they make.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "importers/importers.h"

namespace p2::inline importers {

/// Largest number of hosts and switches of a listing.
inline constexpr std::size_t kMostCabledEnds = 65536;

/// Hosts and switches by name, with the bandwidth of all cables between each two.
class Cabling {
 public:
  /// The end with that name; new ones are hosts.
  std::size_t end(const std::string& name);
  void makeSwitch(std::size_t end) { m_ends[end].isSwitch = true; }
  /// A cable as one end lists it, bytes/s in each direction. If both ends list their cables, the larger sum counts.
  void join(std::size_t from, std::size_t to, double bandwidth) { m_ends[from].cables[to] += bandwidth; }

  [[nodiscard]] std::size_t size() const { return m_ends.size(); }
  [[nodiscard]] bool isSwitch(std::size_t end) const { return m_ends[end].isSwitch; }
  /// Bandwidth of an end's cables, by the other end. O(ends · cables).
  [[nodiscard]] std::vector<std::map<std::size_t, double>> neighbours() const;

 private:
  struct End {
    bool isSwitch = false;
    std::map<std::size_t, double> cables;
  };
  std::vector<End> m_ends;
  std::map<std::string, std::size_t> m_byName;
};

/// Equal parts of a fabric: hosts on the same leaves, leaves below the same spines.
struct FabricTier {
  std::string name;       ///< "leaf"; "unit" for hosts that share several leaves; "pod"
  std::size_t count = 1;  ///< in every instance of the tier above
  double up = 0;          ///< bytes/s that lead up from an instance, the least of all
};

/// The fabric of a cabling. Hosts without a switch are left out.
struct CabledFabric {
  std::size_t hosts = 0;
  std::size_t switches = 0;
  std::size_t leaves = 0;         ///< switches with hosts
  double port = 0;                ///< bytes/s of the slowest host's cables together
  bool unequalPorts = false;      ///< whether others have more
  bool rails = false;             ///< whether every host is on several leaves
  std::vector<FabricTier> tiers;  ///< outermost first; empty where there are no equal parts
  std::size_t hostsEach = 0;      ///< hosts of an innermost part; all without tiers
};

/// Errors: fewer than two hosts on switches. O(ends · cables).
[[nodiscard]] Result<CabledFabric> fabricOf(const Cabling& cabling);

/// The tiers and the hosts as levels; the last has the name `host` and joins hosts by their cables. Leaves with one
/// host each are that host.
[[nodiscard]] std::vector<Level> levelsOf(const CabledFabric& fabric, const std::string& host);

/// Writes counts, speeds and assumptions.
void tellFabric(const CabledFabric& fabric, Imported& notes);

/// A system with a device for every host, for cablings that do not show the inside of hosts.
[[nodiscard]] Result<Imported> systemOfHosts(const Cabling& cabling, Imported notes);

}  // namespace p2::inline importers
