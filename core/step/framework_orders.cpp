// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/framework_orders.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/names.h"
#include "placement/framework_axes.h"
#include "placement/framework_degrees.h"
#include "system/system.h"

namespace p2::inline step {
namespace {

/// How a framework lays out experts.
enum class ExpertMesh {
  None,        ///< not at all
  Megatron,    ///< a mesh of their own over the same ranks, in the same order of words
  TorchTitan,  ///< as above, with its own conditions
  Nanotron,    ///< as Megatron with the data outermost, which dense models do not have
};

/// Outermost first, in the words of frameworkAxes(); axes unknown to the framework are left out. Replicas are outside
/// of the axes they replicate.
struct KnownOrder {
  std::string_view name;
  std::string_view source;
  std::array<std::string_view, 5> forms;
  ExpertMesh experts = ExpertMesh::None;
};

constexpr std::array kKnownOrders{
    KnownOrder{"Megatron-LM",
               "megatron/core/parallel_state.py, order tp-cp-ep-dp-pp, innermost first",
               {"pipeline", "data", "context", "tensor", ""},
               ExpertMesh::Megatron},
    KnownOrder{"Megatron-LM tp-pp-dp",
               "megatron/core/parallel_state.py, --use-tp-pp-dp-mapping",
               {"data", "pipeline", "context", "tensor", ""},
               ExpertMesh::Megatron},
    KnownOrder{"Llama 3",
               "arXiv 2407.21783 §3.3.2, [TP, CP, PP, DP], innermost first",
               {"data", "pipeline", "context", "tensor"}},
    KnownOrder{"TorchTitan",
               "torchtitan/distributed/parallel_dims.py, pp, dp_replicate, dp_shard, cp, tp; experts pp, dp_replicate, "
               "efsdp, ep",
               {"pipeline", "data", "context", "tensor", ""},
               ExpertMesh::TorchTitan},
    KnownOrder{"DeepSpeed", "deepspeed/runtime/pipe/topology.py, pipe, data, model", {"pipeline", "data", "tensor"}},
    KnownOrder{"nanotron",
               "nanotron/parallel/context.py, pp, dp, cp, tp; with experts dp, pp, cp, tp and ep_dp, pp, ep, ep_tp",
               {"pipeline", "data", "context", "tensor", ""},
               ExpertMesh::Nanotron},
    KnownOrder{"picotron", "picotron, dp, pp, cp, tp", {"data", "pipeline", "context", "tensor"}},
};

/// The form of frameworkAxes() that Megatron's word stands for.
std::string_view formOf(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kForms{
      {{"tp", "tensor"}, {"cp", "context"}, {"dp", "data"}, {"pp", "pipeline"}, {"ep", "expert"}}};
  for (const auto& [from, form] : kForms) {
    if (from == word) return form;
  }
  return {};
}

/// Numbers of the axes, outermost first.
using Sequence = std::vector<std::size_t>;
using Roles = std::vector<std::optional<AxisRoles>>;

/// "sequence" is MaxText's word for a context.
std::optional<AxisRoles> knownRoles(const std::optional<AxisRoles>& roles, const Axis& axis) {
  if (!roles && sameName(axis.name, "sequence")) return AxisRoles{"cp", "dp"};
  return roles;
}

Result<Roles> rolesForOrders(const std::vector<Axis>& axes) {
  P2_TRY_ASSIGN(auto roles, rolesOf(axes));
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    roles[axis] = knownRoles(roles[axis], axes[axis]);
    if (!roles[axis] && axes[axis].size > 1 && !frameworkAxisOf(axes[axis].name)) {
      if (const std::string text = meshAxisText(axes[axis].name); !text.empty()) return Error{text};
      return Error{"what " + axes[axis].name + " splits is not known by its name; call it, for example, dp, tp or pp"};
    }
  }
  return roles;
}

/// The place of an axis in a framework with one mesh. Errors: it has none.
Result<std::array<std::size_t, 2>> placeIn(const KnownOrder& known, const Axis& axis,
                                           const std::optional<AxisRoles>& roles) {
  const std::string_view form = roles ? formOf(roles->dense) : std::string_view();
  // One mesh has no axis over which dense layers and experts split different things.
  const bool isPlain = roles && (roles->expert == roles->dense || (roles->dense == "cp" && roles->expert == "dp"));
  const auto place = std::find(known.forms.begin(), known.forms.end(), form);
  if (form.empty() || !isPlain || place == known.forms.end()) return Error{"it has no " + axis.name + " axis"};
  return std::array<std::size_t, 2>{static_cast<std::size_t>(place - known.forms.begin()),
                                    roles->replicates ? std::size_t{0} : std::size_t{1}};
}

Result<Sequence> oneMeshSequence(const KnownOrder& known, const std::vector<Axis>& axes, const Roles& roles) {
  Sequence sequence;
  std::vector<std::array<std::size_t, 2>> places(axes.size());
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (axes[axis].size > 1) {
      P2_TRY_ASSIGN(places[axis], placeIn(known, axes[axis], roles[axis]));
      sequence.push_back(axis);
    }
  }
  std::stable_sort(sequence.begin(), sequence.end(),
                   [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
  return sequence;
}

/// The framework's words, fastest first, with the experts' between context and the rest.
RoleOrder wordsOf(const KnownOrder& known) {
  const bool pipelineOutermost = known.forms[0] == "pipeline" && known.experts != ExpertMesh::Nanotron;
  return pipelineOutermost ? kMegatronOrder : kMegatronPipelineFirst;
}

Result<Sequence> foldedSequence(const KnownOrder& known, const std::vector<Axis>& axes, const Roles& roles) {
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (axes[axis].size > 1 && !roles[axis]) return Error{"it has no " + axes[axis].name + " axis"};
  }
  if (known.experts == ExpertMesh::TorchTitan) P2_TRY(checkTorchtitanExperts(axes, roles));
  const auto order = foldedOrder(axes, roles, wordsOf(known));
  const bool accepts = known.experts == ExpertMesh::TorchTitan || megatronAccepts(axes, roles, wordsOf(known));
  if (order && accepts) return *order;
  if (known.experts == ExpertMesh::Nanotron) {
    return Error{
        "experts and dense layers have the same stages only where both have the same data parallelism, since data is "
        "outermost"};
  }
  return Error{
      "it asserts that experts and dense layers have the same data parallelism where the pipeline is not "
      "outermost"};
}

/// Outermost first; where an axis of size 1 stands makes no difference.
Result<Sequence> sequenceOf(const KnownOrder& known, const std::vector<Axis>& axes) {
  P2_TRY_ASSIGN(const auto roles, rolesForOrders(axes));
  const bool folds = known.experts == ExpertMesh::Nanotron ? hasExpertAxes(axes) : known.experts != ExpertMesh::None;
  P2_TRY_ASSIGN(auto sequence, folds ? foldedSequence(known, axes, roles) : oneMeshSequence(known, axes, roles));
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (std::find(sequence.begin(), sequence.end(), axis) == sequence.end()) sequence.insert(sequence.begin(), axis);
  }
  return sequence;
}

/// MaxText's mesh, whose axes are many.
Result<Sequence> maxtextSequence(const std::vector<Axis>& axes) {
  P2_TRY(rolesForOrders(axes));
  P2_TRY(maxtextWords(axes));
  return maxtextOrder(axes);
}

/// The least communication outermost, as create_hybrid_device_mesh() wants its axes.
Sequence byTraffic(const std::vector<Axis>& axes, const std::vector<double>& traffic) {
  Sequence sequence(axes.size());
  std::iota(sequence.begin(), sequence.end(), std::size_t{0});
  std::stable_sort(sequence.begin(), sequence.end(),
                   [&](std::size_t a, std::size_t b) { return traffic[a] < traffic[b]; });
  return sequence;
}

void layOut(FrameworkOrder& order, const System& system, const std::vector<Axis>& axes, const Sequence& sequence) {
  std::vector<Axis> inOrder;
  for (const std::size_t axis : sequence) {
    inOrder.push_back(axes[axis]);
    if (axes[axis].size > 1) order.axes.push_back(axes[axis].name);
  }
  const ParallelismMatrix laid = rowMajorMatrix(system, inOrder);
  if (laid.empty()) {
    order.reason = "the sizes in this order do not divide along the levels, so that no matrix describes it";
    return;
  }
  order.matrix = ParallelismMatrix(laid.rows(), laid.columns());
  for (std::size_t row = 0; row < sequence.size(); ++row) {
    for (std::size_t level = 0; level < laid.columns(); ++level) {
      order.matrix.set(sequence[row], level, laid.at(row, level));
    }
  }
}

}  // namespace

namespace {

FrameworkOrder orderBy(std::string_view name, std::string_view source, const System& system,
                       const std::vector<Axis>& axes, const Result<Sequence>& sequence) {
  FrameworkOrder order;
  order.name = name;
  order.source = source;
  if (sequence.ok()) {
    layOut(order, system, axes, *sequence);
  } else {
    order.reason = sequence.error().message;
  }
  return order;
}

}  // namespace

std::vector<FrameworkOrder> frameworkOrders(const System& system, const std::vector<Axis>& axes,
                                            const std::vector<double>& traffic) {
  std::vector<FrameworkOrder> orders;
  for (const KnownOrder& known : kKnownOrders) {
    orders.push_back(orderBy(known.name, known.source, system, axes, sequenceOf(known, axes)));
  }
  FrameworkOrder& maxtext =
      orders.emplace_back(orderBy("MaxText",
                                  "maxtext/configs/base.yml, data, stage, fsdp, context, tensor, expert; pyconfig.py, "
                                  "validate_sparse_matmul_parallelism",
                                  system, axes, maxtextSequence(axes)));
  if (!maxtext.matrix.empty() && hasExpertAxes(axes)) {
    // The degrees depend on which axes cross nodes.
    if (const auto degrees = maxtextDegrees(system, axes, maxtext.matrix); !degrees.ok()) {
      maxtext.matrix = {};
      maxtext.axes.clear();
      maxtext.reason = degrees.error().message;
    }
  }
  FrameworkOrder& hybrid = orders.emplace_back();
  hybrid.name = "JAX hybrid mesh";
  hybrid.source = "jax/_src/mesh_utils.py, create_hybrid_device_mesh: axes by increasing network intensity";
  layOut(hybrid, system, axes, byTraffic(axes, traffic));
  FrameworkOrder& plain = orders.emplace_back();
  plain.name = "plain reshape";
  plain.source = "devices reshaped to the axes as they are given, the last varying fastest";
  Sequence asGiven(axes.size());
  std::iota(asGiven.begin(), asGiven.end(), std::size_t{0});
  layOut(plain, system, axes, asGiven);
  return orders;
}

}  // namespace p2::inline step
