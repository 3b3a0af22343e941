// SPDX-License-Identifier: GPL-3.0-or-later
#include "placement/framework_degrees.h"

#include <algorithm>

#include "exporters/detail/formats.h"
#include "exporters/detail/python_text.h"

namespace p2::inline exporters {
namespace {

/// An argument of initialize_model_parallel(), and the flag of the same name.
struct MegatronArgument {
  std::string parameter;
  std::int64_t value;
};

std::int64_t degreeOf(const std::map<std::string, std::int64_t>& degrees, const char* word) {
  const auto found = degrees.find(word);
  return found == degrees.end() ? 1 : found->second;
}

std::vector<MegatronArgument> argumentsOf(const MegatronDegrees& degrees) {
  std::vector<MegatronArgument> arguments{
      {"tensor_model_parallel_size", degreeOf(degrees.dense, "tp")},
      {"pipeline_model_parallel_size", degreeOf(degrees.dense, "pp")},
      {"context_parallel_size", degreeOf(degrees.dense, "cp")},
  };
  if (degrees.hasExperts) {
    arguments.push_back({"expert_model_parallel_size", degreeOf(degrees.expert, "ep")});
    // By default it equals the dense layers'.
    arguments.push_back({"expert_tensor_parallel_size", degreeOf(degrees.expert, "tp")});
  }
  if (degrees.replicas > 1) arguments.push_back({"num_distributed_optimizer_instances", degrees.replicas});
  return arguments;
}

std::string flagOf(std::string_view parameter) {
  std::string flag = "--" + std::string(parameter);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

/// The words of a default order that are in use: the order that the flag leaves.
std::string usedOf(const RoleOrder& words, const MegatronDegrees& degrees) {
  std::string used;
  for (const std::string_view word : words) {
    if (("-" + degrees.order + "-").find("-" + std::string(word) + "-") == std::string::npos) continue;
    used += (used.empty() ? "" : "-") + std::string(word);
  }
  return used;
}

/// The command line that says the same, or that there is none.
std::string megatronFlags(const MegatronDegrees& degrees) {
  std::string flags;
  for (const MegatronArgument& argument : argumentsOf(degrees)) {
    const bool isExpert = argument.parameter.starts_with("expert");
    if (argument.value == 1 && !isExpert) continue;
    flags += " " + flagOf(argument.parameter) + " " + std::to_string(argument.value);
  }
  if (degrees.replicas > 1) flags += " --use-distributed-optimizer";
  if (flags.empty()) flags = " none: the remaining degree is data parallelism";
  if (usedOf(kMegatronOrder, degrees) == degrees.order) return "# The flags:" + flags + "\n";
  if (usedOf(kMegatronPipelineFirst, degrees) == degrees.order) {
    return "# The flags:" + flags + " --use-tp-pp-dp-mapping\n";
  }
  return "# No flag sets this order; it is an argument of the function.\n";
}

/// Says where the framework gives devices of one instance other coordinates than the placement's own listing.
std::string swapComment(const AxisOrder& order, const ParallelismMatrix& matrix) {
  if (keepsDevices(order, matrix)) return {};
  return "# Inside a level ranks count in another order than in the files for jax and torch: other ranks form the "
         "groups,\n"
         "# over the same levels and at the same cost.\n";
}

}  // namespace

Result<std::string> planToMaxtext(const Plan& plan, const ExportOptions&) {
  const Workspace& workspace = plan.workspace();
  P2_TRY_ASSIGN(const auto degrees, maxtextDegrees(workspace.system, workspace.axes, workspace.matrix));
  std::string text;
  for (const bool inside : {false, true}) {
    for (std::size_t axis = 0; axis < degrees.words.size(); ++axis) {
      if (degrees.words[axis].empty()) continue;
      text += (inside ? "ici_" : "dcn_") + degrees.words[axis] +
              "_parallelism=" + std::to_string((inside ? degrees.split.inside : degrees.split.across)[axis]) + "\n";
    }
  }
  return text;
}

Result<std::string> planToMegatron(const Plan& plan, const ExportOptions&) {
  const Workspace& workspace = plan.workspace();
  P2_TRY_ASSIGN(const auto degrees, megatronDegrees(workspace.system, workspace.axes, workspace.matrix));
  std::string text = placementComment(plan) + "# Ranks are numbered node by node, as torchrun does.\n" +
                     swapComment(degrees.ranks, workspace.matrix) + megatronFlags(degrees) +
                     "from megatron.core import parallel_state\n\nparallel_state.initialize_model_parallel(\n";
  for (const MegatronArgument& argument : argumentsOf(degrees)) {
    text += "    " + argument.parameter + "=" + std::to_string(argument.value) + ",\n";
  }
  return text + "    order=" + pythonString(degrees.order.empty() ? "tp-cp-ep-dp-pp" : degrees.order) + ",\n)\n";
}

Result<std::string> planToTorchtitan(const Plan& plan, const ExportOptions&) {
  const Workspace& workspace = plan.workspace();
  P2_TRY_ASSIGN(const auto degrees, torchtitanDegrees(workspace.system, workspace.axes, workspace.matrix));
  const auto line = [](const char* key, std::int64_t value) {
    return std::string(key) + " = " + std::to_string(value) + "\n";
  };
  const auto ranks = contiguousOrder(workspace.axes, workspace.matrix);
  std::string text = placementComment(plan) + "# Ranks are numbered node by node, as torchrun does.\n" +
                     (ranks ? swapComment(*ranks, workspace.matrix) : std::string()) + "[parallelism]\n" +
                     line("pipeline_parallel_degree", degrees.pipeline) +
                     line("data_parallel_replicate_degree", degrees.replicate) +
                     line("data_parallel_shard_degree", degrees.shard) +
                     line("context_parallel_degree", degrees.context) + line("tensor_parallel_degree", degrees.tensor);
  if (!degrees.hasExperts) return text;
  return text + line("expert_parallel_degree", degrees.expert) +
         line("expert_tensor_parallel_degree", degrees.expertTensor);
}

}  // namespace p2::inline exporters
