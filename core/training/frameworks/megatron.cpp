// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "training/frameworks/all.h"
#include "training/frameworks/common_rules.h"

namespace p2 {
namespace {

using rules::Broken;

Broken expertsNeedSequence(const ModelShape& model, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (model.experts == 0 || plan.tensor == 1 || plan.sequenceParallel != SequenceParallelism::None) {
    return std::nullopt;
  }
  return "experts with tp " + std::to_string(plan.tensor) + " need sequence parallelism";
}

Broken sequenceNeedsTensor(const ModelShape&, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (!plan.tensorOverlap || (plan.tensor > 1 && plan.sequenceParallel != SequenceParallelism::None)) {
    return std::nullopt;
  }
  return "overlap of tensor parallelism needs tp > 1 and sequence parallelism";
}

Broken contextNeedsFusion(const ModelShape&, const TrainingConfiguration& configuration) {
  if (configuration.plan.context == 1 || configuration.fusedAttention) return std::nullopt;
  return "cp " + std::to_string(configuration.plan.context) + " needs fused attention (Transformer Engine)";
}

/// Of the order tp-cp-ep-pp-dp, in which data parallelism is outermost.
Broken dataLastOrder(const ModelShape& model, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (model.experts == 0 || plan.order != "tp-cp-ep-pp-dp") return std::nullopt;
  if (expertCopies(plan) == plan.data) return std::nullopt;
  return "with pp inside dp expert data parallelism (" + std::to_string(expertCopies(plan)) +
         ") must equal data parallelism (" + std::to_string(plan.data) + ")";
}

constexpr std::array kRules{
    FrameworkRule{"heads divide by tp", "megatron/core/transformer/transformer_config.py, __post_init__",
                  rules::headsByTensor},
    FrameworkRule{"query groups divide by tp", "megatron/core/transformer/transformer_config.py, __post_init__",
                  rules::keyHeadsByTensor},
    FrameworkRule{"MLP divides by tp", "megatron/core/tensor_parallel/layers.py, divide()", rules::mlpByTensor},
    FrameworkRule{"layers divide by stages", "megatron/core/transformer/transformer_block.py, get_num_layers_to_build",
                  rules::layersByStages},
    FrameworkRule{"microbatches of an interleaved schedule divide by pp",
                  "megatron/core/pipeline_parallel/schedules.py, forward_backward_pipelining_with_interleaving",
                  rules::interleavedMicrobatches},
    FrameworkRule{"experts divide by ep", "megatron/core/transformer/transformer_config.py, __post_init__",
                  rules::expertsByDegree},
    FrameworkRule{"expert degrees divide a stage", "megatron/core/parallel_state.py, initialize_model_parallel",
                  rules::expertMesh},
    FrameworkRule{"experts with tp need sp", "megatron/training/arguments.py, validate_args", expertsNeedSequence},
    FrameworkRule{"tp overlap needs sp", "megatron/training/arguments.py, validate_args", sequenceNeedsTensor},
    FrameworkRule{"sequence divides by 2·cp", "megatron/training/utils.py, get_batch_on_this_cp_rank",
                  rules::sequenceByContext},
    FrameworkRule{"sequence divides by tp·cp", "megatron/training/arguments.py, validate_args",
                  rules::sequenceByTensor},
    FrameworkRule{"cp needs fused attention", "megatron/training/arguments.py, validate_args", contextNeedsFusion},
    FrameworkRule{"cp by AllToAll divides heads", "transformer_engine, context_parallel.py, a2a",
                  rules::headsByContext},
    FrameworkRule{"expert data parallelism where pp is not last",
                  "megatron/core/parallel_state.py, initialize_model_parallel", dataLastOrder},
};

constexpr std::array<std::int64_t, 2> kZeroStages{1, 0};
constexpr std::array kSchedulesOffered{ScheduleKind::OneF1B};
constexpr std::array kContexts{ContextExchange::Ring, ContextExchange::AllToAll, ContextExchange::AllGather};
constexpr std::array kRecomputed{RecomputeKind::None, RecomputeKind::Selective, RecomputeKind::Full};
constexpr std::array<std::string_view, 2> kOrders{"Megatron-LM", "Megatron-LM tp-pp-dp"};

}  // namespace

const TrainingFramework kMegatron{
    .name = "megatron",
    .label = "Megatron-Core",
    .release = "NVIDIA/Megatron-LM d98e8a6 (2026-08-22)",
    .family = FrameworkFamily::MegatronCore,
    .zeroStages = kZeroStages,
    .schedules = kSchedulesOffered,
    .contextKinds = kContexts,
    .recomputations = kRecomputed,
    .sequenceParallel = SequenceParallelism::Megatron,
    .orders = kOrders,
    .rules = kRules,
    .applyDefaults =
        [](TrainingConfiguration& configuration) {
          configuration.fullPrecisionSums = true;
          configuration.fusedAttention = true;
        },
};

}  // namespace p2
