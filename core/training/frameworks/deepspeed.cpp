// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "training/frameworks/all.h"
#include "training/frameworks/common_rules.h"

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
constexpr std::array kContexts{ContextExchange::AllToAll};
constexpr std::array kRecomputed{RecomputeKind::None, RecomputeKind::Full};
constexpr std::array<std::string_view, 1> kOrders{"DeepSpeed"};

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
};

}  // namespace p2
