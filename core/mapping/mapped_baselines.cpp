// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapping/mapped_baselines.h"

#include <algorithm>

namespace p2::inline mapping {
namespace {

struct MappedDescription {
  std::string_view name;
  std::string_view meaning;
};

constexpr std::array<MappedDescription, 5> kMappedDescriptions{{
    {"data parallelism", "Every operator splits its batch, the first dimension, and nothing else."},
    {"FSDP", "Data parallelism that shards parameters, gradients and the optimizer's state: stage 3 of ZeRO."},
    {"Megatron TP", "Tensor parallelism over some axes of the mesh and data parallelism over the others."},
    {"Megatron TP + SP",
     "Tensor parallelism whose norms and sums may split the sequence, and data parallelism over the other axes."},
    {"expert parallelism",
     "Experts are sharded over axes that split the batch of all other operators, and tokens go to them and back; "
     "tensor "
     "parallelism over other axes where that is cheaper."},
}};

bool isSpanned(const Tensor& tensor, std::size_t dimension) {
  return std::find(tensor.dimensions.begin(), tensor.dimensions.end(), dimension) != tensor.dimensions.end();
}

/// Which dimensions tensor parallelism may split, and whether it has to split one of them.
struct TensorDimensions {
  std::vector<std::size_t> dimensions;
  bool must = false;
};

TensorDimensions tensorDimensions(const Operator& op, bool sequence) {
  TensorDimensions result;
  const bool weighs = op.kind == OperatorKind::Gemm || op.kind == OperatorKind::Convolution ||
                      op.kind == OperatorKind::Lstm || op.kind == OperatorKind::Embedding ||
                      op.kind == OperatorKind::Experts;
  const auto inputs = std::count_if(op.tensors.begin(), op.tensors.end(),
                                    [](const Tensor& tensor) { return tensor.role == Tensor::Role::Input; });
  const bool follows = op.kind != OperatorKind::Normalisation && inputs <= 1;
  for (std::size_t d = 1; d < op.dimensions.size(); ++d) {
    if (!op.dimensions[d].splittable || op.dimensions[d].experts) continue;
    const auto spannedBy = [&](const Tensor& tensor) { return isSpanned(tensor, d); };
    bool allowed = false;
    if (weighs) {
      allowed = std::any_of(op.tensors.begin(), op.tensors.end(), [&](const Tensor& tensor) {
        return tensor.role == Tensor::Role::Parameter && spannedBy(tensor);
      });
    } else if (op.kind == OperatorKind::Attention) {
      allowed = std::all_of(op.tensors.begin(), op.tensors.end(), spannedBy);
    } else {
      const bool tokens = d == 1 && op.dimensions.size() > 2;
      allowed = tokens ? sequence : follows;
    }
    if (allowed) result.dimensions.push_back(d);
  }
  result.must = (weighs || op.kind == OperatorKind::Attention) && !result.dimensions.empty();
  return result;
}

/// Roles of the axes of a mesh; axes without a role split the batch.
struct AxisRoles {
  MeshAxes tensor = 0;
  MeshAxes experts = 0;
  bool sequence = false;  ///< whether `tensor` may split it as well
};

/// The parts into which an operator's batch can be split at most on that many devices; 1 for none.
std::int64_t mostBatchParts(const Operator& op, const ConfigurationSpace& space, std::int64_t devices) {
  if (op.dimensions.empty() || !op.dimensions.front().splittable) return 1;
  std::int64_t most = 1;
  for (std::int64_t low = 1; low * low <= devices; ++low) {
    if (devices % low != 0) continue;
    for (const std::int64_t parts : {low, devices / low}) {
      if (parts > most && allowsParts(op.dimensions.front(), space, parts)) most = parts;
    }
  }
  return most;
}

/// Whether less of the batch is split than could be. Data parallelism splits it as far as the devices allow, and does
/// not compute everything everywhere because that would be cheaper; next to tensors and experts, as far as the axes do.
bool leavesBatch(const AxisRoles& roles, const Operator& op, const AxisAssignment& assignment, const Mesh& mesh,
                 const ConfigurationSpace& space) {
  std::int64_t parts = 1;
  for (std::size_t axis = 0; axis < mesh.sizes.size(); ++axis) parts *= assignment.at[axis] == 0 ? mesh.sizes[axis] : 1;
  const unsigned used = unsigned{roles.tensor} | roles.experts;
  if (used == 0) return parts < mostBatchParts(op, space, mesh.sizeOf(mesh.all()));
  if (op.dimensions.empty() || !op.dimensions.front().splittable) return false;
  for (std::size_t axis = 0; axis < mesh.sizes.size(); ++axis) {
    const bool isFree = (used >> axis & 1) == 0 && assignment.at[axis] == AxisAssignment::kRepeated;
    if (isFree && allowsParts(op.dimensions.front(), space, parts * mesh.sizes[axis])) return true;
  }
  return false;
}

/// Axes of `tensor` split the dimensions of tensor parallelism, axes of `experts` the experts, all others the batch or
/// nothing.
bool keepsTo(const AxisRoles& roles, const Operator& op, const AxisAssignment& assignment, const Mesh& mesh) {
  // The readers of a shared tensor decide its layout.
  if (op.kind == OperatorKind::Share) return true;
  const TensorDimensions dimensions = tensorDimensions(op, roles.sequence);
  const bool moves = op.kind == OperatorKind::Dispatch || op.kind == OperatorKind::Combine;
  const auto experts = moves ? std::nullopt : expertDimension(op);
  for (std::size_t axis = 0; axis < mesh.sizes.size(); ++axis) {
    const std::int8_t at = assignment.at[axis];
    if ((roles.experts >> axis & 1) != 0 && (experts || moves)) {
      // Tokens that every device has would not have to be sent.
      if (at != (moves ? 0 : static_cast<std::int8_t>(*experts))) return false;
    } else if ((roles.tensor >> axis & 1) == 0) {
      if (at > 0) return false;
    } else if (at == AxisAssignment::kRepeated) {
      if (dimensions.must) return false;
    } else if (std::find(dimensions.dimensions.begin(), dimensions.dimensions.end(), static_cast<std::size_t>(at)) ==
               dimensions.dimensions.end()) {
      return false;
    }
  }
  return true;
}

/// Every way in which a baseline may use the axes.
std::vector<AxisRoles> rolesOf(MappedBaseline baseline) {
  constexpr unsigned kAll = 1u << kMostSplitAxes;
  std::vector<AxisRoles> all;
  for (unsigned experts = 0; experts < kAll; ++experts) {
    if ((experts != 0) != (baseline == MappedBaseline::Expert)) continue;
    for (unsigned tensor = 0; tensor < kAll; ++tensor) {
      const bool tensors = baseline == MappedBaseline::Tensor || baseline == MappedBaseline::TensorSequence;
      const bool allowed = baseline == MappedBaseline::Expert || (tensor != 0) == tensors;
      if (!allowed || (tensor & experts) != 0) continue;
      all.push_back(
          {static_cast<MeshAxes>(tensor), static_cast<MeshAxes>(experts), baseline == MappedBaseline::TensorSequence});
    }
  }
  return all;
}

/// The cheapest over all roles of the axes.
Result<MappedSolution> cheapestOf(const ComputationGraph& graph, const GraphCostOptions& options, const System& system,
                                  MeshPricer& pricer, MappedBaseline baseline, const std::stop_token& stop,
                                  const Progress& progress) {
  const std::vector<AxisRoles> all = rolesOf(baseline);
  std::optional<MappedSolution> best;
  std::optional<Error> problem;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const AxisRoles& roles = all[i];
    MappedRequest request;
    request.copies = false;
    request.limits.allows = [&](const Operator& op, const AxisAssignment& assignment, const Mesh& mesh) {
      const unsigned used = unsigned{roles.tensor} | roles.experts;
      return (used & ~unsigned{mesh.all()}) == 0 && keepsTo(roles, op, assignment, mesh) &&
             !leavesBatch(roles, op, assignment, mesh, options.space);
    };
    // A search ends once it cannot find anything cheaper than the best so far.
    if (best) request.solving.wantedBelow = best->bounded.solution.strategies.front().cost;
    const auto share = [&](double part) {
      if (progress) progress((static_cast<double>(i) + part) / static_cast<double>(all.size()));
    };
    auto solution = solveMapped(graph, options, system, pricer, request, stop, share);
    if (!solution.ok()) {
      if (solution.error().kind == ErrorKind::Cancelled) return solution.error();
      // Among none that is possible and some that do not fit the second says more.
      if (!problem || solution.error().kind == ErrorKind::TooLarge) problem = solution.error();
      continue;
    }
    const double cost = solution->bounded.solution.strategies.front().cost;
    if (!best || cost < best->bounded.solution.strategies.front().cost) best = std::move(solution).value();
  }
  if (!best) return *problem;
  return std::move(*best);
}

}  // namespace

bool isTensorParallel(const Operator& op, const AxisAssignment& assignment, const Mesh& mesh, MeshAxes tensor,
                      bool sequence) {
  return keepsTo({tensor, 0, sequence}, op, assignment, mesh);
}

std::string_view nameOf(MappedBaseline baseline) {
  return kMappedDescriptions[static_cast<std::size_t>(baseline)].name;
}
std::string_view meaningOf(MappedBaseline baseline) {
  return kMappedDescriptions[static_cast<std::size_t>(baseline)].meaning;
}

std::vector<MappedBaseline> mappedBaselinesOf(const ComputationGraph& graph) {
  std::vector<MappedBaseline> all(kMappedBaselines.begin(), kMappedBaselines.end());
  if (!isRouted(graph)) std::erase(all, MappedBaseline::Expert);
  return all;
}

Result<MappedBaselineAnswer> mappedBaseline(const ComputationGraph& graph, GraphCostOptions options,
                                            const System& system, MeshPricer& pricer, MappedBaseline baseline,
                                            std::stop_token stop, const Progress& progress) {
  if (baseline == MappedBaseline::FullyShardedData) options.memory.zero = kMostZero;
  bool fits = true;
  auto solution = cheapestOf(graph, options, system, pricer, baseline, stop, progress);
  if (!solution.ok() && solution.error().kind == ErrorKind::TooLarge) {
    fits = false;
    options.deviceMemory = Bytes(0);
    solution = cheapestOf(graph, options, system, pricer, baseline, stop, progress);
  }
  P2_TRY(solution);
  MappedBaselineAnswer answer{std::move(solution).value(), {}, {}, {}, 0, fits};
  const MappedProblem& mapped = answer.solution.mapped;
  const Strategy& strategy = answer.solution.bounded.solution.strategies.front();
  P2_TRY_ASSIGN(const auto mapping, mappingOf(MappedGraph(graph, options), mapped, strategy, pricer));
  answer.split = splitOf(mapping);
  answer.axisNames = mapping.axisNames;
  answer.sequenceAxes = mapping.sequenceAxes;
  answer.memory = Bytes(memoryOf(mapped.problem, strategy.choice));
  return answer;
}

}  // namespace p2::inline mapping
