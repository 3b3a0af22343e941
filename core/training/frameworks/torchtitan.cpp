// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "base/counted.h"
#include "training/frameworks/all.h"
#include "training/frameworks/common_rules.h"

namespace p2 {
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
constexpr std::array kContexts{ContextExchange::AllGather, ContextExchange::Ring};
constexpr std::array kRecomputed{RecomputeKind::None, RecomputeKind::Selective, RecomputeKind::Full};
constexpr std::array<std::string_view, 1> kOrders{"TorchTitan"};

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
};

}  // namespace p2
