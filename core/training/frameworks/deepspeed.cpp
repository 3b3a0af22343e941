// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "training/frameworks/all.h"
#include "training/frameworks/common_rules.h"
#include "training/frameworks/launch_lines.h"

namespace p2 {
namespace {

using rules::Broken;

Broken zeroInPipeline(const ModelShape&, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (plan.pipeline == 1 || plan.zero < 2) return std::nullopt;
  return "ZeRO " + std::to_string(plan.zero) + " is incompatible with pipeline parallelism; ZeRO 1 is not";
}

constexpr std::array kRules{
    FrameworkRule{"heads divide by tp", "megatron-deepspeed, megatron/core/utils.py, divide()", rules::headsByTensor},
    FrameworkRule{"MLP divides by tp", "megatron-deepspeed, megatron/core/utils.py, divide()", rules::mlpByTensor},
    FrameworkRule{"layers divide by stages", "deepspeed/runtime/pipe/module.py, partition_method uniform",
                  rules::layersByStages},
    FrameworkRule{"no ZeRO 2 or 3 with pp", "deepspeed/runtime/pipe/engine.py, PipelineEngine.__init__",
                  zeroInPipeline},
    FrameworkRule{"experts divide by ep", "deepspeed/moe/layer.py, MoE.__init__", rules::expertsByDegree},
    FrameworkRule{"expert degrees divide a stage", "deepspeed/utils/groups.py, _create_expert_and_data_parallel",
                  rules::expertMesh},
    FrameworkRule{"cp by AllToAll divides heads", "deepspeed/sequence/layer.py, DistributedAttention",
                  rules::headsByContext},
};

constexpr std::array<std::int64_t, 4> kZeroStages{1, 2, 3, 0};
constexpr std::array kSchedulesOffered{ScheduleKind::OneF1B};
constexpr std::array kContexts{ContextCollective::AllToAll};
constexpr std::array kRecomputed{RecomputeKind::None, RecomputeKind::Full};
constexpr std::array<std::string_view, 1> kOrders{"DeepSpeed"};

/// DeepSpeed's configuration file; degrees of the model are arguments of the program (Megatron-DeepSpeed).
std::string launchText(const LaunchedConfiguration& launched) {
  const TrainingConfiguration& configuration = launched.configuration;
  const TrainingPlan& plan = configuration.plan;
  const std::string stage = std::to_string(plan.zero);
  LaunchLines arguments("--", " ");
  arguments.value("tensor-model-parallel-size", plan.tensor).value("pipeline-model-parallel-size", plan.pipeline);
  if (plan.context > 1) arguments.value("ds-sequence-parallel-size", plan.context);
  if (launched.model.experts > 0) arguments.value("moe-expert-parallel-size", plan.expert);
  if (configuration.recomputation == RecomputeKind::Full) arguments.flag("deepspeed-activation-checkpointing");
  return "{\n  \"train_batch_size\": " + std::to_string(plan.globalBatch) +
         ",\n  \"train_micro_batch_size_per_gpu\": " + std::to_string(plan.microbatch) +
         ",\n  \"gradient_accumulation_steps\": " + std::to_string(plan.microbatches) +
         ",\n  \"zero_optimization\": {\"stage\": " + stage +
         ", \"overlap_comm\": true, \"contiguous_gradients\": true},\n  \"bf16\": {\"enabled\": true}\n}\n" +
         arguments.text();
}

}  // namespace

const TrainingFramework kDeepSpeed{
    .name = "deepspeed",
    .label = "DeepSpeed",
    .release = "deepspeedai/DeepSpeed edaa722",
    .family = FrameworkFamily::DeepSpeed,
    .zeroStages = kZeroStages,
    .schedules = kSchedulesOffered,
    .contextKinds = kContexts,
    .recomputations = kRecomputed,
    .sequenceParallel = SequenceParallelism::None,
    .interleaves = false,
    .expertTensor = false,
    .orders = kOrders,
    .rules = kRules,
    .applyDefaults =
        [](TrainingConfiguration& configuration) {
          configuration.fullPrecisionSums = true;
          configuration.fusedAttention = true;
          configuration.plan.accumulate = configuration.plan.zero < 2;
        },
    .launchText = launchText,
};

}  // namespace p2
