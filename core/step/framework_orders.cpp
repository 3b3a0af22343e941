// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/framework_orders.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "placement/framework_axes.h"
#include "system/system.h"
#include "workload/axis_names.h"

namespace p2 {
namespace {

/// Outermost first, in the words of frameworkAxes(); what the framework does not know is left out. Replicas are "data"
/// as well, in the order in which the axes come.
struct KnownOrder {
  std::string_view name;
  std::string_view source;
  std::array<std::string_view, 6> forms;
};

constexpr std::array kKnownOrders{
    KnownOrder{"Megatron-LM",
               "megatron/core/parallel_state.py, order tp-cp-ep-dp-pp, innermost first",
               {"pipeline", "data", "fsdp", "expert", "context", "tensor"}},
    KnownOrder{"Megatron-LM tp-pp-dp",
               "megatron/core/parallel_state.py, --use-tp-pp-dp-mapping",
               {"data", "fsdp", "pipeline", "expert", "context", "tensor"}},
    KnownOrder{"Llama 3",
               "arXiv 2407.21783 §3.3.2, [TP, CP, PP, DP], innermost first",
               {"data", "fsdp", "pipeline", "context", "tensor", ""}},
    KnownOrder{"TorchTitan",
               "torchtitan/distributed/parallel_dims.py, pp, dp_replicate, dp_shard, cp, tp; experts pp, dp_replicate, "
               "efsdp, ep",
               {"pipeline", "data", "fsdp", "expert", "context", "tensor"}},
    KnownOrder{"DeepSpeed",
               "deepspeed/runtime/pipe/topology.py, pipe, data, model",
               {"pipeline", "data", "fsdp", "tensor", "", ""}},
    KnownOrder{"nanotron", "nanotron, ep, pp, dp, cp, tp", {"expert", "pipeline", "data", "fsdp", "context", "tensor"}},
    KnownOrder{"picotron", "picotron, dp, pp, cp, tp", {"data", "fsdp", "pipeline", "context", "tensor", ""}},
    KnownOrder{"MaxText",
               "maxtext/configs/base.yml, data, stage, fsdp, context, tensor, expert",
               {"data", "pipeline", "fsdp", "context", "tensor", "expert"}},
};

/// How frameworkAxes() calls what an axis splits; empty if its name says nothing. "data-expert" is a piece of data that
/// experts split otherwise (commonRefinement()), "context-ring" one of context.
std::string_view formOf(std::string_view name) {
  constexpr std::string_view kSequence = "sequence";
  if (name == kExpertDataAxis) return "data";
  if (name == kExpertTensorAxis) return "tensor";
  if (const auto known = frameworkAxisOf(name)) {
    const std::string_view form = frameworkAxes()[*known].maxtext;
    return form == kSequence ? std::string_view("context") : form;
  }
  const std::size_t piece = name.rfind('-');
  return piece == std::string_view::npos ? std::string_view() : formOf(name.substr(0, piece));
}

/// Numbers of the axes, outermost first.
using Sequence = std::vector<std::size_t>;

Result<Sequence> sequenceOf(const KnownOrder& known, const std::vector<Axis>& axes) {
  Sequence sequence;
  for (const std::string_view form : known.forms) {
    for (std::size_t axis = 0; !form.empty() && axis < axes.size(); ++axis) {
      if (formOf(axes[axis].name) == form) sequence.push_back(axis);
    }
  }
  // Where an axis of size 1 stands makes no difference.
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (std::find(sequence.begin(), sequence.end(), axis) != sequence.end()) continue;
    if (axes[axis].size > 1 && !formOf(axes[axis].name).empty()) {
      return Error{"it has no place for " + axes[axis].name};
    }
    if (axes[axis].size > 1) {
      return Error{"what " + axes[axis].name + " splits is not known by its name; call it, for example, dp, tp or pp"};
    }
    sequence.insert(sequence.begin(), axis);
  }
  return sequence;
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

std::vector<FrameworkOrder> frameworkOrders(const System& system, const std::vector<Axis>& axes,
                                            const std::vector<double>& traffic) {
  std::vector<FrameworkOrder> orders;
  for (const KnownOrder& known : kKnownOrders) {
    FrameworkOrder& order = orders.emplace_back();
    order.name = known.name;
    order.source = known.source;
    const auto sequence = sequenceOf(known, axes);
    if (sequence.ok()) {
      layOut(order, system, axes, *sequence);
    } else {
      order.reason = sequence.error().message;
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

}  // namespace p2
