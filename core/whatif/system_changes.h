// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "system/system.h"

namespace p2::inline whatif {

// Changed machines. Parts without a change stay; bandwidths that follow from others follow. The errors name the part
// that the system lacks.

/// Another number of nodes: of the outermost level, or, where it does not make whole racks, of every rack. The error
/// lists the closest numbers of whole racks. Networks that join networks keep their bandwidth for each node.
[[nodiscard]] Result<System> withNodeCount(const System& system, std::int64_t nodes);
/// As many nodes in racks of another size: the level of the nodes and the one above it. The rack's way out keeps its
/// oversubscription. Errors: no level above the nodes, no whole racks (with the sizes that divide).
[[nodiscard]] Result<System> withRackNodes(const System& system, std::int64_t nodes);
/// A system with this number of devices only: whole nodes, a part of one node, or of nodes with more than 16 devices
/// (racks on one NVLink) as many of each of the fewest that do. Errors: more than there are, no whole nodes (with the
/// closest numbers), a node whose devices are not one level.
[[nodiscard]] Result<System> withDeviceCount(const System& system, std::int64_t devices);

/// The network that joins everything has 1/ratio of the bandwidth that nodes can send into it; 1 does not block. It is
/// the network whose members are networks (a spine above rails), the outermost of several levels above the nodes, or
/// the only switch between nodes. Errors: a ratio below 1, nothing joins the nodes.
[[nodiscard]] Result<System> withOversubscription(const System& system, double ratio);

/// Another bandwidth of that network, in bytes/s: of each of its ports, or of the core of the only switch between
/// nodes. Errors: no bandwidth, nothing joins the nodes.
[[nodiscard]] Result<System> withSpineBandwidth(const System& system, double bandwidth);

/// Another bandwidth of every NIC of a node, in bytes/s; ports of the switches that NICs are plugged into keep up, and
/// a network above them keeps its oversubscription. Errors: no bandwidth, one node.
[[nodiscard]] Result<System> withNicBandwidth(const System& system, double bandwidth);
/// Bytes/s of a NIC, or of a node's only way out; 0 without one.
[[nodiscard]] double nicBandwidthOf(const System& system);

/// Another accelerator by its type, "H200": data sheet figures, and the bandwidth of its links where the innermost
/// level has the links of the former one. An unchanged type keeps price and power. Errors: an unknown type.
[[nodiscard]] Result<System> withAccelerator(const System& system, const std::string& type);

/// A part out of order. "node 3" takes its devices away (withDegraded()). A NIC, "NIC 0 of node 2" or "NIC 0" for the
/// one of any node, is routed around as NCCL does (PXN): its device sends over the NIC of a neighbour, which then
/// carries the traffic of both. A text with a colon is any other state, "rail 3 of node 5: 50%" (withDegraded()). "NIC
/// 0 of every node" is that part of each instance of a level, in any state. Errors: a part that does not exist, devices
/// that nothing else connects.
[[nodiscard]] Result<System> withPartDown(const System& system, const std::string& part);

/// What states of parts mean for a machine's traffic and computation, one sentence each: devices that send over a
/// neighbour's NIC, shared links, devices that all others wait for. At most a few: the first of many, and their
/// number.
[[nodiscard]] std::vector<std::string> effectsOf(const System& system);

/// Name of the network with a node's NICs; empty without one.
[[nodiscard]] std::string nicNameOf(const System& system);

/// Name of the part that another job on the same network would share: the spine, else the outermost network that joins
/// nodes. Empty where nothing joins them.
[[nodiscard]] std::string sharedPartOf(const System& system);
/// That many jobs on it, this one included, all the time: each gets its fair share of every link there. Errors: nothing
/// to share.
[[nodiscard]] Result<System> withJobs(const System& system, std::int64_t jobs);

}  // namespace p2::inline whatif
