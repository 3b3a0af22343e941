// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "training/frameworks/all.h"
#include "training/frameworks/common_rules.h"

namespace p2 {
namespace {

using rules::Broken;

Broken stagesOfEqualLayers(const ModelShape& model, const TrainingConfiguration& configuration) {
  return rules::notDivided("pp·vpp", configuration.plan.pipeline * configuration.plan.chunks, model.layers, "layers");
}

Broken microbatchesByStages(const ModelShape&, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (plan.pipeline == 1) return std::nullopt;
  return rules::notDivided("pp", plan.pipeline, plan.microbatches, "pipeline microbatches");
}

constexpr std::array kRules{
    FrameworkRule{"heads divide by tp", "src/maxtext/layers/attentions.py, sharding of the heads axis",
                  rules::headsByTensor},
    FrameworkRule{"heads of keys divide by tp", "src/maxtext/layers/attentions.py, sharding of the kv_heads axis",
                  rules::keyHeadsByTensor},
    FrameworkRule{"MLP divides by tp", "src/maxtext/layers/linears.py, sharding of the mlp axis", rules::mlpByTensor},
    FrameworkRule{"layers divide by stages", "src/maxtext/pyconfig.py, validate_pipeline", stagesOfEqualLayers},
    FrameworkRule{"microbatches divide by stages", "src/maxtext/pyconfig.py, num_pipeline_microbatches",
                  microbatchesByStages},
    FrameworkRule{"experts divide by ep", "src/maxtext/layers/moe.py, sharding of the exp axis",
                  rules::expertsByDegree},
    FrameworkRule{"expert degrees divide a stage", "src/maxtext/configs/base.yml, ici_expert_parallelism",
                  rules::expertMesh},
    FrameworkRule{"sequence divides by 2·cp", "src/maxtext/configs/base.yml, context_parallel_load_balance",
                  rules::sequenceByContext},
};

constexpr std::array<std::int64_t, 2> kZeroStages{3, 0};
constexpr std::array kSchedulesOffered{ScheduleKind::OneF1B};
constexpr std::array kContexts{ContextExchange::AllGather, ContextExchange::Ring};
constexpr std::array kRecomputed{RecomputeKind::None, RecomputeKind::Full};
constexpr std::array<std::string_view, 2> kOrders{"MaxText", "JAX hybrid mesh"};

}  // namespace

const TrainingFramework kMaxText{
    .name = "maxtext",
    .label = "MaxText",
    .release = "AI-Hypercomputer/maxtext e591f30 (2026-08-22)",
    .family = FrameworkFamily::Jax,
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
        },
};

}  // namespace p2
