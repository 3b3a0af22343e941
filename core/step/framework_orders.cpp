// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/framework_orders.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "base/names.h"
#include "system/system.h"

namespace p2 {
namespace {

/// What an axis splits. Frameworks call one thing by several names, and cut data parallelism into replicas and shards.
enum class Role { Pipeline, Replicate, Data, Shard, Context, Tensor, Expert };

struct RoleName {
  std::string_view name;
  Role role;
};

constexpr std::array kRoleNames{
    RoleName{"pp", Role::Pipeline},
    RoleName{"pipe", Role::Pipeline},
    RoleName{"pipeline", Role::Pipeline},
    RoleName{"stage", Role::Pipeline},
    RoleName{"dp_replicate", Role::Replicate},
    RoleName{"replicate", Role::Replicate},
    RoleName{"replica", Role::Replicate},
    RoleName{"dp", Role::Data},
    RoleName{"data", Role::Data},
    RoleName{"batch", Role::Data},
    RoleName{"edp", Role::Data},
    RoleName{"expert_data", Role::Data},
    RoleName{"dp_shard", Role::Shard},
    RoleName{"shard", Role::Shard},
    RoleName{"fsdp", Role::Shard},
    RoleName{"zero", Role::Shard},
    RoleName{"efsdp", Role::Shard},
    RoleName{"cp", Role::Context},
    RoleName{"context", Role::Context},
    RoleName{"sequence", Role::Context},
    RoleName{"seq", Role::Context},
    RoleName{"sp", Role::Context},
    RoleName{"tp", Role::Tensor},
    RoleName{"tensor", Role::Tensor},
    RoleName{"model", Role::Tensor},
    RoleName{"mp", Role::Tensor},
    RoleName{"ep", Role::Expert},
    RoleName{"expert", Role::Expert},
    RoleName{"experts", Role::Expert},
};

std::optional<Role> roleOf(std::string_view name) {
  for (const RoleName& known : kRoleNames) {
    if (sameName(known.name, name)) return known.role;
  }
  return std::nullopt;
}

/// Outermost first; `roles` may leave out what the framework does not know.
struct KnownOrder {
  std::string_view name;
  std::string_view source;
  std::array<std::optional<Role>, 7> roles;
};

using enum Role;
// Where data parallelism stands its replicas come before its shards, as everywhere that has both.
constexpr std::array kKnownOrders{
    KnownOrder{"Megatron-LM",
               "megatron/core/parallel_state.py, order tp-cp-ep-dp-pp, innermost first",
               {Pipeline, Replicate, Data, Shard, Expert, Context, Tensor}},
    KnownOrder{"Megatron-LM tp-pp-dp",
               "megatron/core/parallel_state.py, --use-tp-pp-dp-mapping",
               {Replicate, Data, Shard, Pipeline, Expert, Context, Tensor}},
    KnownOrder{"Llama 3",
               "arXiv 2407.21783 §3.3.2, [TP, CP, PP, DP], innermost first",
               {Replicate, Data, Shard, Pipeline, Context, Tensor, {}}},
    KnownOrder{"TorchTitan",
               "torchtitan/distributed/parallel_dims.py",
               {Pipeline, Replicate, Data, Shard, Context, Tensor, {}}},
    KnownOrder{"DeepSpeed",
               "deepspeed/runtime/pipe/topology.py, pipe, data, model",
               {Pipeline, Replicate, Data, Shard, Tensor, {}, {}}},
    KnownOrder{"nanotron", "nanotron, ep, pp, dp, cp, tp", {Expert, Pipeline, Replicate, Data, Shard, Context, Tensor}},
    KnownOrder{"picotron", "picotron, dp, pp, cp, tp", {Replicate, Data, Shard, Pipeline, Context, Tensor, {}}},
    KnownOrder{"MaxText",
               "maxtext/configs/base.yml, data, stage, fsdp, context, tensor, expert",
               {Replicate, Data, Pipeline, Shard, Context, Tensor, Expert}},
};

/// Numbers of the axes, outermost first.
using Sequence = std::vector<std::size_t>;

Result<Sequence> sequenceOf(const KnownOrder& known, const std::vector<Axis>& axes) {
  Sequence sequence;
  for (const std::optional<Role>& role : known.roles) {
    for (std::size_t axis = 0; role && axis < axes.size(); ++axis) {
      if (roleOf(axes[axis].name) == role) sequence.push_back(axis);
    }
  }
  // Where an axis of size 1 stands makes no difference.
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (std::find(sequence.begin(), sequence.end(), axis) != sequence.end()) continue;
    if (axes[axis].size > 1 && roleOf(axes[axis].name)) {
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
