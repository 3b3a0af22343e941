// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>

#include "base/counted.h"
#include "exporters/detail/formats.h"
#include "placement/framework_axes.h"
#include "placement/framework_degrees.h"

namespace p2::inline exporters {
namespace {

/// A step as the members of the first reduction group see it.
struct StepShape {
  Collective collective = Collective::AllReduce;
  std::set<std::vector<std::size_t>> groups;  // positions in the reduction group
  bool blocks = true;                         // every group has this many consecutive members
  bool insideNodes = true;

  [[nodiscard]] std::size_t size() const { return groups.empty() ? 0 : groups.begin()->size(); }
};

StepShape shapeOf(const Plan& plan, const PlanStep& step) {
  DeviceGroup all = plan.reductionGroups()[0];
  std::sort(all.begin(), all.end());
  const std::int64_t perNode = devicesPerNode(plan.workspace().system);
  StepShape shape;
  shape.collective = step.collective;
  for (const PlanGroup& group : step.groups) {
    std::vector<std::size_t> members;
    for (const Device device : group.devices) {
      const auto found = std::lower_bound(all.begin(), all.end(), device);
      if (found == all.end() || *found != device) break;
      members.push_back(static_cast<std::size_t>(found - all.begin()));
      shape.insideNodes = shape.insideNodes && device.value() / perNode == group.devices.front().value() / perNode;
    }
    if (members.size() < group.devices.size()) continue;
    std::sort(members.begin(), members.end());
    shape.blocks =
        shape.blocks && members.front() % members.size() == 0 && members.back() - members.front() + 1 == members.size();
    shape.groups.insert(std::move(members));
  }
  return shape;
}

bool isAll(const Plan& plan, const StepShape& step) { return step.size() == plan.reductionGroups()[0].size(); }

bool hasCollectives(const std::vector<StepShape>& steps, std::initializer_list<Collective> collectives) {
  return std::equal(steps.begin(), steps.end(), collectives.begin(), collectives.end(),
                    [](const StepShape& step, Collective collective) { return step.collective == collective; });
}

/// The role of an axis in dense layers; data, where its name says nothing.
std::string_view denseWordOf(const Axis& axis) {
  const auto roles = rolesOf(axis.name);
  if (roles) return roles->dense;
  return frameworkAxisOf(axis.name) ? std::string_view() : std::string_view("dp");
}

/// The document's ZeRO stage: its plan's, else its workload's, else estimated from how often the workload gathers data
/// shards. 0 without a plan or a workload, and for unsharded training.
std::int64_t zeroStage(const Workspace& workspace) {
  if (workspace.planned) {
    const std::string& choices = workspace.planned->plan.choices;
    const std::size_t at = ("," + choices).find(",zero=");
    if (at != std::string::npos && at + 5 < choices.size()) return choices[at + 5] - '0';
  }
  if (!workspace.workload) return 0;
  if (workspace.workload->training) return workspace.workload->training->plan.zero;
  const auto isOverData = [](const WorkloadEntry& entry) {
    return std::all_of(entry.axes.begin(), entry.axes.end(), [](const std::string& name) {
      return denseWordOf({name, 2}) == "dp";
    });
  };
  std::int64_t gathers = 0;
  std::int64_t scatters = 0;
  for (const WorkloadEntry& entry : workspace.workload->collectives) {
    if (!isOverData(entry)) continue;
    if (entry.kind == CommunicationKind::AllGather) gathers += entry.count;
    if (entry.kind == CommunicationKind::ReduceScatter) scatters += entry.count;
  }
  return gathers == 0 || scatters == 0 ? 0 : gathers > scatters ? 3 : 1;
}

/// Flags for ZeRO 1 and 2; fullFlags() has the flags for ZeRO 3.
std::string stageFlags(std::int64_t stage, std::size_t ranks) {
  const std::string number = std::to_string(stage);
  return "# Data parallel over " + countedText(ranks, "rank") + ", ZeRO " + number +
         ": every rank has all parameters and a part of the optimizer's states" + (stage == 2 ? " and gradients" : "") +
         ".\nmegatron: --use-distributed-optimizer" +
         (stage == 1 ? "" : " --use-megatron-fsdp --data-parallel-sharding-strategy optim_grads") +
         "\ndeepspeed: \"zero_optimization\": {\"stage\": " + number + "}\n" +
         (stage == 1 ? "torch: ZeroRedundancyOptimizer\n" : "torch: fully_shard(reshard_after_forward=False)\n");
}

/// Sharded inside groups, summed across them, and perhaps gathered again: the gradients of hybrid sharding.
std::string hybridFlags(const Plan& plan, const std::vector<StepShape>& steps) {
  const bool gathers = hasCollectives(steps, {Collective::ReduceScatter, Collective::AllReduce, Collective::AllGather});
  if (!gathers && !hasCollectives(steps, {Collective::ReduceScatter, Collective::AllReduce})) return {};
  if (gathers && steps[0].groups != steps[2].groups) return {};
  const std::size_t shard = steps[0].size();
  const std::size_t replicas = steps[1].size();
  if (!steps[0].blocks || shard * replicas != plan.reductionGroups()[0].size()) return {};
  const std::string shards = std::to_string(shard);
  const std::string copies = std::to_string(replicas);
  std::string text = "# Hybrid sharding: shards over " + shards + " consecutive ranks, " + copies + " replicas.\n" +
                     "torchtitan: --parallelism.data_parallel_shard_degree=" + shards +
                     " --parallelism.data_parallel_replicate_degree=" + copies + "\n" +
                     "torch: init_device_mesh(\"cuda\", (" + copies + ", " + shards +
                     "), mesh_dim_names=(\"replicate\", \"shard\"))\n" +
                     "megatron: --use-distributed-optimizer --num-distributed-optimizer-instances " + copies + "\n" +
                     "deepspeed: \"mics_shard_size\": " + shards + "\n";
  if (gathers && steps[2].insideNodes) {
    text +=
        "# Its AllGather stays inside a node; for ZeRO-3 alone, with the gradients summed over all ranks:\n"
        "deepspeed: \"zero_hpz_partition_size\": " +
        shards + "\n";
  }
  return text;
}

std::string fullFlags(const Plan& plan, const std::vector<StepShape>& steps) {
  if (!std::all_of(steps.begin(), steps.end(), [&](const StepShape& step) { return isAll(plan, step); })) return {};
  const std::string all = std::to_string(plan.reductionGroups()[0].size());
  const std::int64_t stage = zeroStage(plan.workspace());
  if (stage == 1 || stage == 2) return stageFlags(stage, plan.reductionGroups()[0].size());
  if (stage == 0 && hasCollectives(steps, {Collective::AllReduce})) {
    return "# Data parallel over " + all +
           " ranks, every one with all parameters.\n"
           "torchtitan: --parallelism.data_parallel_shard_degree=1 --parallelism.data_parallel_replicate_degree=" +
           all + "\ntorch: DistributedDataParallel\nmegatron: without --use-distributed-optimizer\n";
  }
  const bool gathers = hasCollectives(steps, {Collective::ReduceScatter, Collective::AllGather});
  if (stage == 0 && !gathers && !hasCollectives(steps, {Collective::ReduceScatter}) &&
      !hasCollectives(steps, {Collective::AllGather}))
    return {};
  return "# Fully sharded over " + all +
         " ranks.\n"
         "torchtitan: --parallelism.data_parallel_shard_degree=" +
         all +
         " --parallelism.data_parallel_replicate_degree=1\ntorch: fully_shard\n"
         "megatron: --use-distributed-optimizer --num-distributed-optimizer-instances 1\n"
         "deepspeed: \"zero_optimization\": {\"stage\": 3}\n";
}

/// Whether the reduction is data parallelism's, by the names of the axes: names with another role
/// (tensor, pipeline) are not, and a context is reduced over together with the data alone.
bool isDataParallel(const std::vector<Axis>& axes) {
  bool data = false;
  bool context = false;
  for (const Axis& axis : axes) {
    if (!axis.reduce || axis.size == 1) continue;
    const std::string_view word = denseWordOf(axis);
    if (word != "dp" && word != "cp") return false;
    (word == "dp" ? data : context) = true;
  }
  return data || !context;
}

/// For a mixture of experts, a data axis of dense layers that is not reduced over: such a program sums parameters of
/// experts only, for which frameworks have no degrees of their own.
std::string leftDataAxis(const std::vector<Axis>& axes) {
  if (!hasExpertAxes(axes)) return {};
  for (const Axis& axis : axes) {
    if (axis.size > 1 && !axis.reduce && denseWordOf(axis) == "dp") return axis.name;
  }
  return {};
}

/// The flags with TorchTitan's degrees of experts, or without its line where it cannot lay out such experts.
std::string withExperts(std::string text, const Workspace& workspace) {
  if (!hasExpertAxes(workspace.axes)) return text;
  const auto degrees = torchtitanDegrees(workspace.system, workspace.axes, workspace.matrix);
  const std::size_t line = text.find("torchtitan: ");
  if (line == std::string::npos) return text;
  const std::size_t end = text.find('\n', line);
  if (!degrees.ok()) return text.erase(line, end + 1 - line);
  return text.insert(end, " --parallelism.expert_parallel_degree=" + std::to_string(degrees->expert) +
                              " --parallelism.expert_tensor_parallel_degree=" + std::to_string(degrees->expertTensor));
}

/// Attention over a context that is cut at the nodes: exchanged inside them, passed round across them.
std::string contextFlags(const Workspace& workspace) {
  const std::size_t depth = nodeDepth(workspace.system);
  std::string text;
  for (std::size_t axis = 0; axis < workspace.axes.size(); ++axis) {
    const auto form = frameworkAxisOf(workspace.axes[axis].name);
    if (!workspace.axes[axis].reduce || !form || frameworkAxes()[*form].megatron != "cp") continue;
    std::int64_t across = 1;
    for (std::size_t level = 0; level < depth; ++level) across *= workspace.matrix.at(axis, level);
    const std::int64_t inside = workspace.axes[axis].size / across;
    if (across == 1 || inside == 1) continue;
    text += "# Attention over \"" + workspace.axes[axis].name +
            "\", exchanged inside nodes and passed on across them:\n"
            "megatron: --cp-comm-type a2a+p2p --hierarchical-context-parallel-sizes " +
            std::to_string(inside) + " " + std::to_string(across) + "\n";
  }
  return text;
}

}  // namespace

Result<std::string> planToDegrees(const Plan& plan, const ExportOptions&) {
  if (plan.reductionGroups().empty()) return Error{"the plan has no reduction group", "/reduction_groups"};
  std::vector<StepShape> steps;
  for (const PlanStep& step : plan.steps()) steps.push_back(shapeOf(plan, step));
  const std::string left = leftDataAxis(plan.workspace().axes);
  const bool data = left.empty() && isDataParallel(plan.workspace().axes);
  std::string text = data ? fullFlags(plan, steps) : std::string();
  if (text.empty() && data) text = hybridFlags(plan, steps);
  text = withExperts(std::move(text), plan.workspace());
  if (!left.empty() && isDataParallel(plan.workspace().axes)) {
    return "# none: frameworks are given the degrees of dense layers, whose data parallelism also goes over \"" + left +
           "\"; use the communicators of comm-split\n";
  }
  const std::string context = contextFlags(plan.workspace());
  if (text.empty() && (data || context.empty())) {
    const bool apart = plan.workspace().options.goal.single == Collective::AllToAll;
    const bool replicas = !scatteredAxes(plan.workspace().axes).empty();
    text = "# none: no flags of a shipping framework run " + plan.workspace().program +
           "; use the communicators of comm-split" + (apart || replicas ? "" : ", or an algorithm of msccl-xml") + "\n";
  }
  return text + context;
}

}  // namespace p2::inline exporters
