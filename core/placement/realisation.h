// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "placement/placement.h"

namespace p2::inline placement {

/// An order of the axes, slowest first, in which ranks count through the coordinates: the last axis varies fastest.
/// Torch and JAX reshape ranks in the order their mesh names the axes; Megatron's strings name the fastest first.
using AxisOrder = std::vector<std::size_t>;

/// The order in which the axes are listed.
[[nodiscard]] AxisOrder listedOrder(const std::vector<Axis>& axes);

/// The order in which ranks, numbered node by node as torchrun does, fill the placement: the matrix of a plain reshape.
/// None if an axis leaves a level and returns below others. Among several, one that keeps the placement's
/// coordinates of devices if possible (keepsDevices()); otherwise devices of one instance swap coordinates. Axes of
/// size 1 come last. O(axes · levels).
[[nodiscard]] std::optional<AxisOrder> contiguousOrder(const std::vector<Axis>& axes, const ParallelismMatrix& matrix);
/// Whether ranks in this order are the device numbers: inside every level the axes are listed as the order has them.
[[nodiscard]] bool keepsDevices(const AxisOrder& order, const ParallelismMatrix& matrix);

/// Whether ranks in this order take part in the groups that the placement is priced with: inside a level that
/// hasNeighbours() devices must not swap their coordinates (keepsDevices()); elsewhere it makes no difference which of
/// them is which.
[[nodiscard]] bool keepsNeighbours(const System& system, const AxisOrder& order, const ParallelismMatrix& matrix);

/// "data-tensor", slowest first.
[[nodiscard]] std::string orderText(const std::vector<Axis>& axes, const AxisOrder& order);

/// The cut of every axis at the nodes: by the levels down to the nodes, and by those inside one. Factors by axis; their
/// products are the axis sizes.
struct NodeSplit {
  std::vector<std::int64_t> across;
  std::vector<std::int64_t> inside;
  friend bool operator==(const NodeSplit&, const NodeSplit&) = default;
};

/// The cut that says all that the matrix does, given the order in which both parts are filled: what JAX's hybrid meshes
/// take (MaxText's dcn and ici degrees, AXLearn's HybridMeshShape). Errors: several levels above the nodes or inside
/// them, filled otherwise; the message names the axis and the remedy.
[[nodiscard]] Result<NodeSplit> nodeSplit(const System& system, const std::vector<Axis>& axes,
                                          const ParallelismMatrix& matrix, const AxisOrder& order);

/// The device of every rank of a framework that counts in this order. O(devices · axes · levels).
[[nodiscard]] std::vector<Device> devicesByRank(const Placement& placement, const AxisOrder& order);

/// A way to bring a placement about.
struct Realisation {
  std::string name;    ///< "plain reshape", "megatron order", "maxtext", "axlearn", "jax", "torch", "rankfile", "slurm"
  std::string reason;  ///< why or how, without a full stop: "tensor fastest, then data"
  friend bool operator==(const Realisation&, const Realisation&) = default;
};

/// Every way to bring the placement about, that which asks least first. Device lists (jax, torch) and ranks that are
/// started where they belong (rankfile, slurm) serve any placement. The matrix must be one of the axes on the system
/// (checkMatrix). O(axes · levels).
[[nodiscard]] std::vector<Realisation> realisableBy(const System& system, const std::vector<Axis>& axes,
                                                    const ParallelismMatrix& matrix);
/// Whether a framework that only knows orders of axes (Megatron, torchrun with init_device_mesh) has to be started by
/// rankfile or hostfile: there is no contiguousOrder(), or none that keepsNeighbours().
[[nodiscard]] bool needsRankfile(const System& system, const std::vector<Axis>& axes, const ParallelismMatrix& matrix);

}  // namespace p2::inline placement
