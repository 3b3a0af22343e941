// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <numeric>

#include "base/numbers.h"
#include "training/frameworks/all.h"
#include "training/frameworks/common_rules.h"
#include "training/frameworks/launch_lines.h"

namespace p2::inline training {
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

/// Experts and the rest of data parallelism are axes of one mesh.
Broken expertsInData(const ModelShape&, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (plan.expert == 1) return std::nullopt;
  return rules::notDivided("replicas·ep", plan.replicas * plan.expert, plan.data, "ranks of data parallelism");
}

constexpr std::array<std::string_view, 1> kBlocks{"gated delta blocks"};

Broken blocksOfModel(const ModelShape& model, const TrainingConfiguration&) {
  return rules::blocksAmong(kBlocks, model);
}

constexpr std::array kRules{
    FrameworkRule{"blocks of the model", "src/maxtext/models/qwen3.py, Qwen3NextGatedDeltaNet", blocksOfModel},
    FrameworkRule{"experts by AllToAll", "src/maxtext/layers/moe.py, RoutedMoE: jax.lax.ragged_all_to_all",
                  rules::expertsByAllToAll},
    FrameworkRule{"no CUDA graphs", "src/maxtext/train.py: XLA decides how kernels start", rules::noGraphs},
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
    FrameworkRule{"ep divides dp", "src/maxtext/configs/base.yml, mesh_axes: expert next to fsdp", expertsInData},
    FrameworkRule{"sequence divides by 2·cp", "src/maxtext/configs/base.yml, context_parallel_load_balance",
                  rules::sequenceByContext},
};

// README.md of MaxText; AMD's "Training a model with JAX MaxText on ROCm".
constexpr std::array kPlatforms{AcceleratorPlatform::Tpu, AcceleratorPlatform::Cuda, AcceleratorPlatform::Rocm};
constexpr std::array<std::int64_t, 2> kZeroStages{3, 0};
/// The backward pass is JAX's derivative of a loop over all microbatches (src/maxtext/layers/pipeline.py): it begins
/// after the last forward pass.
constexpr std::array kSchedulesOffered{ScheduleKind::GPipe};
constexpr std::array kContexts{ContextCollective::AllGather, ContextCollective::Ring};
constexpr std::array kRecomputed{RecomputeKind::None, RecomputeKind::Full};
constexpr std::array<std::string_view, 2> kOrders{"MaxText", "JAX hybrid mesh"};

/// Degrees inside a node (ici) and across nodes (dcn), whose product is the axis.
void addAxis(LaunchLines& lines, std::string_view name, std::int64_t size, std::int64_t inside) {
  const std::int64_t part = std::gcd(size, inside);
  lines.value("ici_" + std::string(name) + "_parallelism", part)
      .value("dcn_" + std::string(name) + "_parallelism", size / part);
}

void addModel(const ModelShape& model, LaunchLines& lines) {
  lines.value("base_num_decoder_layers", model.layers)
      .value("base_emb_dim", model.hidden)
      .value("base_mlp_dim", model.ffn)
      .value("base_num_query_heads", model.heads)
      .value("base_num_kv_heads", model.kvHeads)
      .value("head_dim", model.headSize)
      .value("vocab_size", model.vocabulary)
      .value("logits_via_embedding", model.tiedEmbeddings ? "true" : "false");
  if (model.normEpsilon > 0) lines.value("normalization_layer_epsilon", exactNumber(model.normEpsilon));
  if (model.rotaryBase > 0) lines.value("rope_max_timescale", model.rotaryBase);
  if (model.rotaryShare > 0) lines.value("partial_rotary_factor", exactNumber(model.rotaryShare));
  if (model.experts == 0) return;
  lines.value("num_experts", model.experts)
      .value("num_experts_per_tok", model.expertsPerToken)
      .value("base_moe_mlp_dim", model.expertFfn);
  if (model.auxiliaryLoss > 0) lines.value("load_balance_loss_weight", exactNumber(model.auxiliaryLoss));
}

/// Its mesh has an axis for experts; dense layers use it as data parallelism.
void addMesh(const LaunchedConfiguration& launched, LaunchLines& lines) {
  const TrainingPlan& plan = launched.configuration.plan;
  const auto inside = [&](LaunchAxis axis) { return launched.inside[static_cast<std::size_t>(axis)]; };
  const bool shards = plan.zero == 3;
  const std::int64_t rest = plan.data / (plan.expert * (shards ? plan.replicas : 1));
  addAxis(lines, "data", shards ? plan.replicas : rest, inside(shards ? LaunchAxis::Replica : LaunchAxis::Data));
  addAxis(lines, "fsdp", shards ? rest : 1, inside(LaunchAxis::Data));
  addAxis(lines, "pipeline", plan.pipeline, inside(LaunchAxis::Pipeline));
  addAxis(lines, "context", plan.context, inside(LaunchAxis::Context));
  addAxis(lines, "tensor", plan.tensor, inside(LaunchAxis::Tensor));
  if (launched.model.experts > 0) addAxis(lines, "expert", plan.expert, inside(LaunchAxis::Expert));
  if (plan.context > 1) {
    lines.value("context_parallel_strategy", plan.contextCollective == ContextCollective::Ring ? "ring" : "all_gather");
  }
}

std::string_view quantizationOf(ProductPrecision precision) {
  if (precision == ProductPrecision::Bf16) return "\"\"";
  return precision == ProductPrecision::Fp8 ? "fp8" : "te_nvfp4";
}

std::string launchText(const LaunchedConfiguration& launched) {
  const TrainingConfiguration& configuration = launched.configuration;
  const TrainingPlan& plan = configuration.plan;
  LaunchLines lines("", ": ");
  addModel(launched.model, lines);
  addMesh(launched, lines);
  if (plan.pipeline > 1) {
    lines.value("num_pipeline_microbatches", plan.microbatches)
        .value("num_layers_per_pipeline_stage", launched.model.layers / (plan.pipeline * plan.chunks));
    if (plan.zero == 3 && !plan.reshard) lines.value("pipeline_fsdp_ag_once", "true");
  } else {
    lines.value("gradient_accumulation_steps", plan.microbatches);
  }
  const std::int64_t accumulated = plan.pipeline > 1 ? 1 : plan.microbatches;
  const double perDevice = static_cast<double>(plan.globalBatch) / static_cast<double>(devicesOf(plan) * accumulated);
  lines.value("per_device_batch_size", exactNumber(perDevice))
      .value("max_target_length", plan.sequence)
      .value("remat_policy", configuration.recomputation == RecomputeKind::Full ? "full" : "minimal")
      .value("quantization", quantizationOf(configuration.precision));
  if (configuration.predictedTokens > 0) {
    lines.value("mtp_num_layers", configuration.predictedTokens).value("mtp_loss_scaling_factor", "0.1");
  }
  if (!configuration.fusedAttention) lines.value("attention", "dot_product");
  return lines.text();
}

}  // namespace

const TrainingFramework kMaxText{
    .name = "maxtext",
    .label = "MaxText",
    .release = "AI-Hypercomputer/maxtext e591f30 (2026-08-22)",
    .family = FrameworkFamily::Jax,
    .platforms = kPlatforms,
    .zeroStages = kZeroStages,
    .schedules = kSchedulesOffered,
    .contextKinds = kContexts,
    .recomputations = kRecomputed,
    .sequenceParallel = SequenceParallelism::Torch,
    .tensorAlone = false,
    .expertTensor = false,
    .gathersOnce = true,
    .replicates = true,
    .orders = kOrders,
    .rules = kRules,
    .applyDefaults =
        [](TrainingConfiguration& configuration) {
          configuration.fullPrecisionSums = true;
          configuration.fusedAttention = true;
          configuration.plan.reshard = true;  // pipeline_fsdp_ag_once is off until it is chosen
        },
    .launchText = launchText,
    .launchForm = LaunchForm::File,
    .launchFile = "config.yml",
};

}  // namespace p2::inline training
