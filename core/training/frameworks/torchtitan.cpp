// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "base/counted.h"
#include "training/frameworks/all.h"
#include "training/frameworks/common_rules.h"
#include "training/frameworks/launch_lines.h"

namespace p2::inline training {
namespace {

using rules::Broken;

Broken enoughMicrobatches(const ModelShape&, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  const std::int64_t stages = plan.pipeline * plan.chunks;
  if (plan.pipeline == 1 || plan.microbatches >= stages) return std::nullopt;
  return std::to_string(plan.microbatches) + " microbatches are fewer than the " + countedText(stages, "stage") +
         " of the schedule";
}

Broken chunksOfV(const ModelShape&, const TrainingConfiguration& configuration) {
  const bool two = configuration.schedule == ScheduleKind::ZeroBubbleV;
  if (!two || configuration.plan.chunks == 2) return std::nullopt;
  return "the schedule ZBVZeroBubble has two chunks a stage, not " + std::to_string(configuration.plan.chunks);
}

Broken gatheredInPipeline(const ModelShape&, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (plan.pipeline == 1 || plan.zero < 3 || !plan.reshard) return std::nullopt;
  return "FSDP under a pipeline keeps parameters gathered through the microbatches of a step";
}

constexpr std::array kRules{
    FrameworkRule{"heads divide by tp", "torchtitan/models/llama3/infra/parallelize.py, apply_tp",
                  rules::headsByTensor},
    FrameworkRule{"heads of keys divide by tp", "torch/distributed/tensor/parallel/style.py, ColwiseParallel",
                  rules::keyHeadsByTensor},
    FrameworkRule{"MLP divides by tp", "torch/distributed/tensor/parallel/style.py, ColwiseParallel",
                  rules::mlpByTensor},
    FrameworkRule{"layers divide by stages", "torchtitan/distributed/pipeline_parallel.py, generate_llm_fqns",
                  rules::layersByStages},
    FrameworkRule{"as many microbatches as stages",
                  "torchtitan/distributed/pipeline_parallel.py, build_pipeline_schedule", enoughMicrobatches},
    FrameworkRule{"ZBV has two chunks", "torch/distributed/pipelining/schedules.py, ScheduleZBVZeroBubble", chunksOfV},
    FrameworkRule{"no resharding under a pipeline",
                  "torchtitan/config/job_config.py, fsdp_reshard_after_forward = default", gatheredInPipeline},
    FrameworkRule{"experts divide by ep", "torchtitan/distributed/parallel_dims.py, _validate", rules::expertsByDegree},
    FrameworkRule{"expert degrees divide a stage", "torchtitan/distributed/parallel_dims.py, _validate",
                  rules::expertMesh},
    FrameworkRule{"sequence divides by 2·cp", "torchtitan/distributed/parallel_dims.py, seq_len_divisor",
                  rules::sequenceByContext},
    FrameworkRule{"sequence divides by tp·cp", "torchtitan/distributed/parallel_dims.py, seq_len_divisor",
                  rules::sequenceByTensor},
};

constexpr std::array<std::int64_t, 1> kZeroStages{3};
constexpr std::array kSchedulesOffered{ScheduleKind::OneF1B, ScheduleKind::GPipe, ScheduleKind::ZeroBubbleV};
/// Its command line has no choice of the collective.
constexpr std::array kContexts{ContextCollective::AllGather};
constexpr std::array kRecomputed{RecomputeKind::None, RecomputeKind::Selective, RecomputeKind::Full};
constexpr std::array<std::string_view, 1> kOrders{"TorchTitan"};

std::string_view scheduleOf(const TrainingConfiguration& configuration) {
  if (configuration.schedule == ScheduleKind::GPipe) return "GPipe";
  if (configuration.schedule == ScheduleKind::ZeroBubbleV) return "ZBVZeroBubble";
  return configuration.plan.chunks > 1 ? "Interleaved1F1B" : "1F1B";
}

/// Layers of a virtual stage; embedding and head count as layers where the layers alone do not divide.
void addStages(const LaunchedConfiguration& launched, LaunchLines& lines) {
  const TrainingPlan& plan = launched.configuration.plan;
  const std::int64_t stages = plan.pipeline * plan.chunks;
  const std::int64_t ends = launched.model.layers % stages == 0 ? 0 : 1;
  lines.value("parallelism.pipeline_parallel_schedule", scheduleOf(launched.configuration))
      .value("parallelism.num_pp_microbatches", plan.microbatches)
      .value("parallelism.pipeline_parallel_layers_per_stage", (launched.model.layers + 2 * ends) / stages)
      .value("parallelism.pipeline_parallel_first_stage_less_layers", ends)
      .value("parallelism.pipeline_parallel_last_stage_less_layers", ends);
}

/// Options of its command line. Model and number type belong to the function that --config names.
std::string launchText(const LaunchedConfiguration& launched) {
  const TrainingConfiguration& configuration = launched.configuration;
  const TrainingPlan& plan = configuration.plan;
  LaunchLines lines("--", " ");
  lines.value("training.num_tokens_per_microbatch_per_dp_rank", plan.microbatch * plan.sequence)
      .value("training.num_tokens_per_train_step", plan.globalBatch * plan.sequence)
      .value("training.max_context_length", plan.sequence)
      .value("parallelism.data_parallel_replicate_degree", plan.zero == 0 ? plan.data : plan.replicas)
      .value("parallelism.data_parallel_shard_degree", plan.zero == 0 ? 1 : plan.data / plan.replicas)
      .value("parallelism.tensor_parallel_degree", plan.tensor)
      .value("parallelism.context_parallel_degree", plan.context)
      .value("parallelism.pipeline_parallel_degree", plan.pipeline);
  if (plan.tensor > 1 && plan.sequenceParallel == SequenceParallelism::None) {
    lines.value("parallelism.enable_sequence_parallel", "False");
  }
  if (plan.pipeline > 1) addStages(launched, lines);
  if (launched.model.experts > 0) lines.value("parallelism.expert_parallel_degree", plan.expert);
  if (plan.zero == 3 && plan.reshard != (plan.pipeline == 1)) {
    lines.value("parallelism.fsdp_reshard_after_forward", plan.reshard ? "always" : "never");
  }
  if (plan.tensorOverlap) lines.value("compile.enable", "True").value("compile.enable_async_tensor_parallel", "True");
  // A choice of its parser, without dashes, and the last one.
  return lines.text() + "activation-checkpoint:" + std::string(nameOf(configuration.recomputation)) + "\n";
}

}  // namespace

const TrainingFramework kTorchTitan{
    .name = "torchtitan",
    .label = "TorchTitan",
    .release = "pytorch/torchtitan b5bcd76 (2026-08-21)",
    .family = FrameworkFamily::Fsdp,
    .zeroStages = kZeroStages,
    .schedules = kSchedulesOffered,
    .contextKinds = kContexts,
    .recomputations = kRecomputed,
    .sequenceParallel = SequenceParallelism::Torch,
    .tensorAlone = false,
    .expertTensor = false,
    .replicates = true,
    .orders = kOrders,
    .rules = kRules,
    .applyDefaults =
        [](TrainingConfiguration& configuration) {
          configuration.fullPrecisionSums = true;
          configuration.fusedAttention = true;
          configuration.plan.reshard = configuration.plan.pipeline == 1;
          configuration.plan.accumulate = configuration.plan.pipeline > 1;
        },
    .launchText = launchText,
};

}  // namespace p2::inline training
