// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "training/frameworks/all.h"
#include "training/frameworks/common_rules.h"
#include "training/frameworks/launch_lines.h"

namespace p2::inline training {
namespace {

using rules::Broken;

Broken dataAlone(const ModelShape&, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (plan.tensor == 1 && plan.pipeline == 1 && plan.context == 1 && plan.expert == 1) return std::nullopt;
  return "FSDP alone shards over data; tp, pp, cp and ep need TorchTitan or another framework";
}

constexpr std::array kRules{
    FrameworkRule{"multi-token prediction",
                  "transformers/models/deepseek_v3/modeling_deepseek_v3.py, _keys_to_ignore_on_load_unexpected",
                  rules::noPredictedTokens},
    FrameworkRule{"no CUDA graphs", "torch/distributed/fsdp/_fully_shard/_fsdp_state.py: hooks around modules",
                  rules::noGraphs},
    FrameworkRule{"data parallelism alone", "torch/distributed/fsdp/fully_sharded_data_parallel.py", dataAlone},
};

// The devices of torch.accelerator.
constexpr std::array kPlatforms{AcceleratorPlatform::Cuda, AcceleratorPlatform::Rocm, AcceleratorPlatform::OneApi};
constexpr std::array<std::int64_t, 2> kZeroStages{3, 2};
constexpr std::array kRecomputed{RecomputeKind::None, RecomputeKind::Full};
constexpr std::array<std::string_view, 1> kOrders{"plain reshape"};

/// Keyword arguments of FullyShardedDataParallel, and the loop around it.
std::string launchText(const LaunchedConfiguration& launched) {
  const TrainingPlan& plan = launched.configuration.plan;
  const bool hybrid = plan.replicas > 1;
  const std::string_view strategy =
      plan.zero == 2 ? (hybrid ? "_HYBRID_SHARD_ZERO2" : "SHARD_GRAD_OP") : (hybrid ? "HYBRID_SHARD" : "FULL_SHARD");
  LaunchLines lines("", "=");
  lines.value("sharding_strategy", "ShardingStrategy." + std::string(strategy))
      .value("mixed_precision", "MixedPrecision(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)");
  if (hybrid) {
    lines.value("device_mesh", "init_device_mesh(\"cuda\", (" + std::to_string(plan.replicas) + ", " +
                                   std::to_string(plan.data / plan.replicas) + "))");
  }
  lines.value("batch_size", plan.microbatch)
      .value("gradient_accumulation_steps", plan.microbatches)
      .value("sequence_length", plan.sequence)
      .value("activation_checkpointing", nameOf(launched.configuration.recomputation));
  return lines.text();
}

}  // namespace

const TrainingFramework kFsdp{
    .name = "fsdp",
    .label = "PyTorch FSDP",
    .release = "PyTorch 2",
    .family = FrameworkFamily::Fsdp,
    .platforms = kPlatforms,
    .zeroStages = kZeroStages,
    .recomputations = kRecomputed,
    .sequenceParallel = SequenceParallelism::None,
    .tensorAlone = false,
    .pipelines = false,
    .interleaves = false,
    .experts = false,
    .expertTensor = false,
    .replicates = true,
    .orders = kOrders,
    .rankFile = "torch.distributed.init_process_group, env://: RANK and LOCAL_RANK are the launcher's",
    .rules = kRules,
    .applyDefaults =
        [](TrainingConfiguration& configuration) {
          configuration.fullPrecisionSums = true;
          configuration.fusedAttention = true;
          configuration.plan.reshard = configuration.plan.zero == 3;
        },
    .launchText = launchText,
    .describesModel = false,
    .launchForm = LaunchForm::Settings,
    .launchFile = "settings.txt",
};

}  // namespace p2::inline training
