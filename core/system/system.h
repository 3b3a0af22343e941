// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/property.h"
#include "base/result.h"

namespace p2::inline system {

/// How the members of an interconnect are joined.
enum class InterconnectKind {
  Switch,  ///< every member has a port of its own; the core does not block unless `core` says so
  Ring,    ///< links between neighbours, both directions
  Mesh,    ///< every pair of members has a link of its own
  Bus,     ///< one bandwidth, shared by all messages in all directions
  None,    ///< levels only: its instances are joined by the system's networks alone
};

/// Their names, in the same order.
inline constexpr std::array<std::string_view, 5> kInterconnectKinds{"switch", "ring", "mesh", "bus", "none"};
[[nodiscard]] std::string_view nameOf(InterconnectKind kind);
[[nodiscard]] Result<InterconnectKind> interconnectKindFrom(std::string_view name);

struct Interconnect {
  InterconnectKind kind = InterconnectKind::Switch;
  double bandwidth = 0;        ///< bytes/s, per port or link and per direction; for a bus, in total
  double latency = 0;          ///< seconds to cross it once
  std::string name;            ///< what people call it: "NVSwitch", "data-centre network"
  double core = 0;             ///< for a switch: bytes/s through all of it; 0 when it does not block
  bool halfDuplex = false;     ///< whether the two directions of a port or link share its bandwidth
  bool forwards = true;        ///< for a ring or mesh: whether members forward messages for others
  int colour = -1;             ///< category of the palette; −1 for the level's own
  double fittedBandwidth = 0;  ///< bytes/s found by calibration, in addition to the nominal value; 0 when there is none
  double fittedLatency = -1;   ///< seconds found by calibration; −1 when there is none
  bool reduces = false;        ///< for a switch: it adds up arriving data (NVLink SHARP, InfiniBand SHARP)
  bool shared = false;         ///< for a switch: all ports together have the bandwidth of one, in each direction
  double ringCap = 0;          ///< bytes/s at which one ring sends from device to device; 0 for the bandwidth
  double treeCap = 0;          ///< bytes/s at which one tree sends; 0 for the bandwidth
  double fittedRingCap = 0;    ///< bytes/s found by calibration, in addition to the nominal value; 0 when there is none
  double fittedTreeCap = 0;
  friend bool operator==(const Interconnect&, const Interconnect&) = default;
};

/// One level of the hardware hierarchy: `count` children in every instance of the level above, joined by
/// `interconnect`.
struct Level {
  std::string name;
  std::int64_t count = 1;
  Interconnect interconnect;
  friend bool operator==(const Level&, const Level&) = default;
};

/// A network in addition to the interconnects of the levels: a second one for a level, one that joins interconnects, or
/// one that crosses levels. Every instance of the level `within` contains `instances` of it, and its members there are
/// assigned to these in equal shares, entry by entry. Four PCIe switches for eight GPUs, for example, are 4 instances
/// within node with the member gpu, assigned in blocks; the rails of a rail-optimised pod are 8 instances within
/// nothing with the member NIC, assigned in turn.
struct Network {
  enum class Assignment {
    Blocks,  ///< the first share to the first instance
    InTurn,  ///< member i to instance i modulo their number
  };
  Interconnect interconnect;  ///< its name is the network's: not empty, unique among levels and networks
  std::string within;         ///< a level's name; empty when it stands in the system itself
  std::int64_t instances = 1;
  Assignment assignment = Assignment::Blocks;
  std::vector<Member> members;
  /// Whether an instance of `within` talks to the outside through this network alone. Without one it talks through
  /// the interconnect of its children: a switch or bus itself, or each member of a ring or mesh.
  bool gateway = false;
  friend bool operator==(const Network&, const Network&) = default;
};

/// Their names, in the same order.
inline constexpr std::array<std::string_view, 2> kAssignments{"blocks", "in turn"};
[[nodiscard]] std::string_view nameOf(Network::Assignment assignment);
[[nodiscard]] Result<Network::Assignment> assignmentFrom(std::string_view name);

/// Generations of GPUs that collective libraries treat differently; cdna2 to cdna4 are AMD's.
inline constexpr std::array<std::string_view, 9> kGenerations{"volta",     "turing", "ampere", "ada",  "hopper",
                                                              "blackwell", "cdna2",  "cdna3",  "cdna4"};

/// What runs the collectives of a system.
struct Library {
  std::string generation;  ///< GPU generation, one of kGenerations; empty when it is unknown
  std::string version;     ///< of NCCL, as in 2.18; empty for the newest that is known
  double launch = 0;       ///< seconds that an operation takes at least, as where one process starts it on all GPUs
  // The network between the nodes at this site (core/cost/nccl/site_defaults.h has the defaults of its kind).
  double nicShare = 0;     ///< share of the NICs' bandwidth that long messages get; 0 for the default
  double congestion = -1;  ///< k of (nodes/2)^−k, by which bandwidth falls between many nodes; below 0 for the default
  double hop = 0;          ///< seconds from a device to one of another node; 0 for the latencies of its way
  bool pxn = true;         ///< whether NCCL may send by way of other devices of the node; not under NCCL_PXN_DISABLE=1
  friend bool operator==(const Library&, const Library&) = default;
};

/// Compute and memory of one device; 0 where unknown. Speeds are peaks of matrix products, without sparsity.
struct Accelerator {
  std::string type;            ///< what people call it: "H100-SXM5-80GB"
  double memory = 0;           ///< bytes
  double memoryBandwidth = 0;  ///< bytes/s
  double fp32 = 0;             ///< FLOP/s, of numbers of 4 bytes
  double bf16 = 0;             ///< of 2 bytes, bf16 or fp16
  double fp8 = 0;              ///< of 1 byte
  double power = 0;            ///< watts of a device under load, with a share of hosts and cooling if wanted
  double price = 0;            ///< one device's for an hour, in any currency
  friend bool operator==(const Accelerator&, const Accelerator&) = default;
};

/// A constant of a cost model that was fitted to a system. Which there are, the models know
/// (core/cost/calibration/system_tuning.h).
struct TunedConstant {
  std::string key;   ///< "hop inside a node, LL"
  double value = 0;  ///< above 0
  friend bool operator==(const TunedConstant&, const TunedConstant&) = default;
};

/// Interval of 80 % of the times of one kind of step, as multiples of a cost model's prediction with the fitted
/// figures.
struct PredictionRange {
  std::string model;              ///< "nccl"
  std::string steps;              ///< "AllReduce", "ReduceScatter and AllGather" or "Reduce and Broadcast"
  bool acrossNodes = false;       ///< whether their groups span several nodes
  std::string sizes;              ///< "below 64 KiB", "to 4 MiB" or "above 4 MiB"
  double low = 1;                 ///< at most 1
  double high = 1;                ///< at least 1
  std::int64_t measurements = 0;  ///< that were held out to find it
  std::int64_t mostNodes = 0;     ///< nodes of the largest measured group; 0 if unknown
  friend bool operator==(const PredictionRange&, const PredictionRange&) = default;
};

/// State of a part that works, but not as its figures say. Names as in part_states.h.
struct PartState {
  std::string part;       ///< "NIC 3 of node 5", "rail 3 of node 5", "spine", "node 5"
  double share = 1;       ///< left of its bandwidth, or of the speed of its devices; 0 for links out of order
  std::int64_t jobs = 1;  ///< that use its links all the time, this one included: each gets its fair share
  friend bool operator==(const PartState&, const PartState&) = default;
};

/// A hierarchical system, root level first (paper §2.1). Devices are numbered 0 … deviceCount−1, the root-most
/// digit most significant.
struct System {
  std::string name;
  std::vector<Level> levels;
  std::vector<Network> networks = {};
  /// Names of instances and links that are out of order: "NIC 0 of node 2", as Topology names them.
  std::vector<std::string> disabled = {};
  /// States of parts that work (part_states.h); one for each part.
  std::vector<PartState> states = {};
  bool calibrated = false;  ///< whether what calibration found is used where there is any
  /// The level whose instances are nodes: the devices of one share memory, and a library's trees are chains within it.
  /// Empty for the level right above the devices; kRootName where the whole system is one node.
  std::string node = {};
  Library library = {};
  Accelerator accelerator = {};
  /// Constants of the nccl model found by calibration, used if `calibrated`; the other constants have their defaults.
  std::vector<TunedConstant> tuned = {};
  std::vector<PredictionRange> ranges = {};  ///< found by calibration, used where `calibrated`

  [[nodiscard]] std::vector<std::int64_t> counts() const;
  /// ∏ counts; kMostDevices + 1 for all products above kMostDevices, which checkParts() refuses.
  [[nodiscard]] std::int64_t deviceCount() const;
  /// Whether every message between two devices takes the way their levels lay out for it: no networks, nothing
  /// disabled, no single part with a state of its links, only switches that do not block, whose ports share nothing,
  /// and rings that forward, with both directions of a link apart.
  [[nodiscard]] bool isUniform() const;
  friend bool operator==(const System&, const System&) = default;
};

inline constexpr std::int64_t kMostDevices = std::int64_t{1} << 24;
inline constexpr std::size_t kMostLevels = 12;
/// Largest number of devices of a system that is not uniform, whose links have to be listed one by one.
inline constexpr std::int64_t kMostListedDevices = std::int64_t{1} << 16;
inline constexpr std::size_t kMostNetworks = 64;
inline constexpr std::string_view kRootName = "root";

/// The default interconnect of a level: the paper's figures by rank. The innermost level gets an NVSwitch (270 GB/s),
/// sockets and CPUs (level_names.h) a PCIe switch (32 GB/s), everything else a network (8 GB/s).
[[nodiscard]] Interconnect defaultInterconnect(std::string_view levelName, bool innermost);
/// Gives an interconnect with a kind but no name a fitting name: NVLink for rings and meshes (not NVSwitch), PCIe for a
/// bus.
void nameAfterKind(Interconnect& interconnect);

/// Whether a system, finished or not, has at most kMostLevels levels and kMostNetworks networks.
[[nodiscard]] Result<void> checkRoom(const System& system);
/// Checks the parts of a system one by one: 1 … kMostLevels levels with distinct names, counts ≥ 1, at most
/// kMostDevices devices (kMostListedDevices unless uniform), figures within their ranges (interconnectProperties(),
/// libraryProperties()), networks whose members exist and can be assigned in equal shares, nodes that are a level above
/// the devices. validated() has the checks that need a list of all links. Errors name the part (faultyPart()). O(levels
/// + members of networks).
[[nodiscard]] Result<void> checkParts(const System& system);

/// Bytes/s of a link of the interconnect, and the seconds to cross it: the fitted figures if the system is calibrated
/// and has them, else the nominal ones.
[[nodiscard]] double bandwidthOf(const Interconnect& interconnect, bool calibrated);
[[nodiscard]] double latencyOf(const Interconnect& interconnect, bool calibrated);
/// How fast one communicator sends from one device to another, in bytes/s, by ring and by tree; 0 for as fast as the
/// link is. Fitted or nominal as bandwidthOf().
[[nodiscard]] double ringCapOf(const Interconnect& interconnect, bool calibrated);
[[nodiscard]] double treeCapOf(const Interconnect& interconnect, bool calibrated);

/// The number of levels from the root down to the nodes, these included: the product of the counts of the deeper ones
/// is the number of devices in a node. 0 when the system is a node itself: it has one level, or says so.
[[nodiscard]] std::size_t nodeDepth(const System& system);
/// Name of the level of the nodes; "node" in a system that is a single node.
[[nodiscard]] std::string nodeNameOf(const System& system);
/// How many nodes there are.
[[nodiscard]] std::int64_t nodeCount(const System& system);
/// How many devices each node has.
[[nodiscard]] std::int64_t devicesPerNode(const System& system);

/// "node:4 gpu:16", the shape without the interconnects.
[[nodiscard]] std::string shapeOf(const System& system);
/// "4 nodes × 16 GPUs", for people.
[[nodiscard]] std::string describe(const System& system);
/// "64 devices", "1 device", "more than 16777216 devices"; "no devices" without levels.
[[nodiscard]] std::string devicesText(const System& system);

}  // namespace p2::inline system
