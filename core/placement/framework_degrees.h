// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "placement/axis_roles.h"
#include "placement/realisation.h"

namespace p2::inline placement {

// The degrees that express a placement in a framework, if its own layout of ranks can produce it. Ranks are numbered
// node by node, as torchrun does. Every function refuses placements that the framework would lay out differently, with
// a remedy.

/// Megatron's two meshes over the same ranks (megatron/core/parallel_state.py: decoder_rank_generator and
/// expert_decoder_rank_generator), which one order lays out.
struct MegatronDegrees {
  std::map<std::string, std::int64_t> dense;   ///< by "tp", "cp", "dp", "pp": sizes above 1
  std::map<std::string, std::int64_t> expert;  ///< by "tp", "ep", "dp", "pp"; without experts as Megatron sets them
  std::string order;                           ///< fastest first, of the words with a size above 1 in either mesh
  AxisOrder ranks;                             ///< the axes, slowest first, as that order counts ranks
  std::int64_t replicas = 1;                   ///< num_distributed_optimizer_instances
  bool hasExperts = false;                     ///< the axes speak of experts: their degrees have to be given
};
/// An order that produces the placement, preferably with the same coordinates of the devices; among several,
/// Megatron's default, then the one of --use-tp-pp-dp-mapping. Errors: axes that Megatron does not have, a
/// repeated axis, no such order, or an order that Megatron's assertions refuse. O(axes · levels), 120 orders at
/// most.
[[nodiscard]] Result<MegatronDegrees> megatronDegrees(const System& system, const std::vector<Axis>& axes,
                                                      const ParallelismMatrix& matrix);

/// MaxText's degrees, across nodes (dcn) and inside (ici), by axis; a word for every axis of size 2 or more.
struct MaxtextDegrees {
  std::vector<std::string> words;
  NodeSplit split;
};
/// Errors: axes that MaxText does not have (frameworkAxisOf()), two that are the same, experts split over what splits
/// tensors or context, which MaxText's one mesh has no axis for, experts together with a pipeline or with fsdp and
/// tensor, or both across nodes and inside, which its configuration refuses, and nodeSplit().
[[nodiscard]] Result<MaxtextDegrees> maxtextDegrees(const System& system, const std::vector<Axis>& axes,
                                                    const ParallelismMatrix& matrix);

/// TorchTitan's [parallelism] (torchtitan/distributed/parallel_dims.py).
struct TorchtitanDegrees {
  std::int64_t pipeline = 1;
  std::int64_t replicate = 1;
  std::int64_t shard = 1;
  std::int64_t context = 1;
  std::int64_t tensor = 1;
  std::int64_t expert = 1;
  std::int64_t expertTensor = 1;
  bool hasExperts = false;
};
/// Errors: axes that TorchTitan does not have, experts that its two meshes cannot hold, and a placement that is not a
/// plain reshape of the ranks by pp, dp_replicate, dp_shard, cp, tp.
[[nodiscard]] Result<TorchtitanDegrees> torchtitanDegrees(const System& system, const std::vector<Axis>& axes,
                                                          const ParallelismMatrix& matrix);

/// Words of roles, fastest first, such as {"tp", "cp", "ep", "dp", "pp"}.
using RoleOrder = std::array<std::string_view, 5>;
inline constexpr RoleOrder kMegatronOrder{"tp", "cp", "ep", "dp", "pp"};
inline constexpr RoleOrder kMegatronPipelineFirst{"tp", "cp", "ep", "pp", "dp"};

/// The axes, slowest first, in which one order of words lays out dense layers and experts at once; replicas are the
/// slowest of the data axes, axes of size 1 come last. Nothing when the two kinds of layer would need different orders.
/// Every axis of size 2 or more needs roles.
[[nodiscard]] std::optional<AxisOrder> foldedOrder(const std::vector<Axis>& axes,
                                                   const std::vector<std::optional<AxisRoles>>& roles,
                                                   const RoleOrder& words);
/// Whether Megatron's assertion holds: pipeline last, or data parallelism the same for dense layers and experts.
[[nodiscard]] bool megatronAccepts(const std::vector<Axis>& axes, const std::vector<std::optional<AxisRoles>>& roles,
                                   const RoleOrder& words);
/// Whether TorchTitan's two meshes hold such experts: etp = tp or 1, and all of context (and of tensor, where etp is 1)
/// in the experts' axis.
[[nodiscard]] Result<void> checkTorchtitanExperts(const std::vector<Axis>& axes,
                                                  const std::vector<std::optional<AxisRoles>>& roles);
/// Whether the framework's order of axes leaves every device the neighbours that the placement is priced with.
[[nodiscard]] Result<void> checkNeighbours(const System& system, const std::vector<Axis>& axes,
                                           const ParallelismMatrix& matrix, const AxisOrder& order,
                                           const std::string& framework);
/// Positions of the axes, slowest first, as MaxText's mesh has them; as they come where a name says nothing.
[[nodiscard]] AxisOrder maxtextOrder(const std::vector<Axis>& axes);
/// MaxText's name of every axis; empty for axes of size 1 that it does not know. Errors as maxtextDegrees().
[[nodiscard]] Result<std::vector<std::string>> maxtextWords(const std::vector<Axis>& axes);

}  // namespace p2::inline placement
