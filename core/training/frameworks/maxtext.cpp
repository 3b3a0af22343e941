// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "base/numbers.h"
#include "training/frameworks/all.h"
#include "training/frameworks/common_rules.h"
#include "training/frameworks/launch_lines.h"

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
constexpr std::array kContexts{ContextCollective::AllGather, ContextCollective::Ring};
constexpr std::array kRecomputed{RecomputeKind::None, RecomputeKind::Full};
constexpr std::array<std::string_view, 2> kOrders{"MaxText", "JAX hybrid mesh"};

/// Degrees inside a node (ici) and across nodes (dcn), whose product is the axis.
void addAxis(LaunchLines& lines, std::string_view name, std::int64_t size, std::int64_t inside) {
  lines.value("ici_" + std::string(name) + "_parallelism", inside)
      .value("dcn_" + std::string(name) + "_parallelism", size / inside);
}

std::string launchText(const LaunchedConfiguration& launched) {
  const TrainingConfiguration& configuration = launched.configuration;
  const TrainingPlan& plan = configuration.plan;
  const auto inside = [&](LaunchAxis axis) { return launched.inside[static_cast<std::size_t>(axis)]; };
  LaunchLines lines("", ": ");
  addAxis(lines, plan.zero == 3 ? "fsdp" : "data", plan.data, inside(LaunchAxis::Data));
  addAxis(lines, "pipeline", plan.pipeline, inside(LaunchAxis::Pipeline));
  addAxis(lines, "context", plan.context, inside(LaunchAxis::Context));
  addAxis(lines, "tensor", plan.tensor, inside(LaunchAxis::Tensor));
  if (launched.model.experts > 0) addAxis(lines, "expert", plan.expert, inside(LaunchAxis::Expert));
  if (plan.pipeline > 1) {
    lines.value("num_pipeline_microbatches", plan.microbatches)
        .value("num_layers_per_pipeline_stage", launched.model.layers / (plan.pipeline * plan.chunks));
  } else {
    lines.value("gradient_accumulation_steps", plan.microbatches);
  }
  const std::int64_t accumulated = plan.pipeline > 1 ? 1 : plan.microbatches;
  const double perDevice = static_cast<double>(plan.globalBatch) / static_cast<double>(devicesOf(plan) * accumulated);
  lines.value("per_device_batch_size", exactNumber(perDevice))
      .value("max_target_length", plan.sequence)
      .value("remat_policy", configuration.recomputation == RecomputeKind::Full ? "full" : "minimal");
  if (configuration.precision == ProductPrecision::Fp8) lines.value("quantization", "fp8");
  return lines.text();
}

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
    .launchText = launchText,
};

}  // namespace p2
