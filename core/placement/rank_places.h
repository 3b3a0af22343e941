// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "placement/realisation.h"

namespace p2::inline placement {

/// The host and slot of every rank of a framework.
struct RankPlaces {
  std::vector<std::int64_t> hosts;  ///< by rank
  std::vector<std::int64_t> slots;  ///< device inside the host, by rank
  std::int64_t perHost = 1;         ///< devices
  /// By host its devices in the order of its ranks: the device of each local rank.
  std::vector<std::vector<std::int64_t>> locals;

  /// Whether local ranks are the device numbers of their host.
  [[nodiscard]] bool keepsDevices() const;
  /// The devices of the local ranks where they are the same on every host.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> commonLocals() const;
  /// Hosts in the order of the ranks where every host has a run of them; empty where ranks of several hosts alternate.
  [[nodiscard]] std::vector<std::int64_t> hostOrder() const;
  /// Comment lines that give the devices of local ranks as CUDA_VISIBLE_DEVICES: one for all hosts, or one for each
  /// that needs it; empty where keepsDevices(). `names` are the hosts.
  [[nodiscard]] std::string visibleDevices(const std::vector<std::string>& names) const;
  /// The option of srun for the devices of local ranks, with a blank in front; empty where keepsDevices() or where one
  /// option cannot say it, because the hosts differ.
  [[nodiscard]] std::string slurmBinding() const;
};

/// The places of ranks that count in this order. O(devices · axes · levels).
[[nodiscard]] RankPlaces rankPlaces(const System& system, const Placement& placement, const AxisOrder& order);

/// node0, node1, … where `given` is empty. Errors, with the position "hosts": another number of names than hosts.
[[nodiscard]] Result<std::vector<std::string>> hostNames(const System& system, std::vector<std::string> given);

}  // namespace p2::inline placement
