// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "cost/nccl/published_latencies.h"
#include "system/topology.h"

namespace p2::inline cost {

class CostModel;
struct NcclConstants;
class PredictionRanges;

/// Accelerators on which a collective library behaves the same: none that is known, then as in kGenerations.
enum class Generation { Unknown, Volta, Turing, Ampere, Ada, Hopper, Blackwell, Cdna2, Cdna3, Cdna4 };
inline constexpr std::size_t kGenerationCount = kGenerations.size() + 1;

/// Whether its library is RCCL.
[[nodiscard]] constexpr bool isAmd(Generation generation) {
  return generation == Generation::Cdna2 || generation == Generation::Cdna3 || generation == Generation::Cdna4;
}

/// Networks that libraries treat differently, recognised by the name of the interconnect between the nodes.
enum class NetworkKind { Other, InfiniBand, Roce, Slingshot, Efa, Tcp };
inline constexpr std::size_t kNetworkKindCount = 6;
/// From the first word of the name: InfiniBand, RoCE, Slingshot, EFA, TCP or GPUDirect-TCP.
[[nodiscard]] NetworkKind networkKindFrom(std::string_view name);

/// Whether an interconnect joins nodes rather than parts of one, which are at this depth (nodeDepth()).
[[nodiscard]] bool joinsNodes(const System& system, const Place& place, std::size_t nodeDepth);

/// The kind of network between the nodes of a system, by the first name that is recognised. O(levels + networks).
[[nodiscard]] NetworkKind networkKindOf(const System& system);

/// Whether the devices are on one module with Arm processors (GH200, GB200, GB300, GB10), by Accelerator::type. All
/// other hosts count as x86.
[[nodiscard]] bool isOnArm(const System& system);

/// "hopper": as Library::generation; Unknown for any other word.
[[nodiscard]] Generation generationFrom(std::string_view name);

/// 218 for "2.18.3"; 0 for texts that are not a version.
[[nodiscard]] int libraryVersion(std::string_view text);

/// The fastest link inside a node that is PCIe or the host's memory, in bytes/s; a faster one is NVLink or its like.
inline constexpr double kFastestHostLink = 40e9;

/// A collective library's view of a system: its nodes, and the interconnect inside one.
struct LibraryView {
  std::int64_t nodeDevices = 1;  ///< devices of a node, which talk without the network
  std::int64_t hostDevices = 1;  ///< devices of one host, where NVLink joins the hosts of a rack to one node
  Generation generation = Generation::Unknown;
  NetworkKind network = NetworkKind::Other;  ///< the first that is known
  int version = 0;                           ///< library version, 218 for 2.18; 0 for the newest
  double launch = 0;       ///< seconds that an operation takes at least: one process starts it on its devices in turn
  double nicShare = 0;     ///< as Library
  double congestion = -1;  ///< as Library
  double hop = 0;          ///< as Library
  bool pxn = true;         ///< as Library
  double insideBandwidth = 0;                   ///< bytes/s of the fastest links inside a node
  std::optional<PublishedLatencies> published;  ///< where the system gives no latencies
  std::int64_t nics = 0;                        ///< per node; 0 where nothing joins nodes
  double nicBandwidth = 0;                      ///< bytes/s of one
  bool mesh = false;                            ///< inside a node every pair of devices has a link of its own
  /// AMD's library: every device of a node is on a ring of links, in which its rings leave the node at every device.
  bool ringOfAll = false;
  bool armHost = false;     ///< the processors are Arm, as the Grace of GB200 (isOnArm())
  bool hostLinked = false;  ///< devices of a node talk over PCIe or the host's memory, no faster than 40 GB/s
  /// By interconnect (Topology::interconnectOf): whether it joins nodes rather than parts of one.
  std::vector<bool> across;
  /// By interconnect: whether it adds up what arrives (Interconnect::reduces).
  std::vector<bool> reduces;
  /// By interconnect: whether it is a node's gateway, through which sums and parts of them pass as they are.
  std::vector<bool> passes;
  /// By interconnect, Interconnect::ringCap and treeCap, fitted where those are used. Empty where none has such a cap.
  std::vector<double> ringCaps;
  std::vector<double> treeCaps;
  /// What calibration found for the system (System::tuned); null where there is nothing.
  std::shared_ptr<const NcclConstants> tuned;
  /// Error ranges that calibration found (System::ranges), by the name of the model.
  std::map<std::string_view, std::shared_ptr<const PredictionRanges>> ranges;

  /// The error ranges of a model on this system: those that calibration found, else CostModel::publicRanges().
  [[nodiscard]] const PredictionRanges& rangesOf(const CostModel& model) const;
};

/// O(levels + networks).
[[nodiscard]] LibraryView libraryViewOf(const Topology& topology);

}  // namespace p2::inline cost
