// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "training/frameworks/all.h"
#include "training/frameworks/common_rules.h"
#include "training/frameworks/launch_lines.h"

namespace p2::inline training {
namespace {

using rules::Broken;

constexpr std::array<std::string_view, 0> kBlocks{};

Broken blocksOfModel(const ModelShape& model, const TrainingConfiguration&) {
  return rules::blocksAmong(kBlocks, model);
}

Broken plainAttention(const ModelShape& model, const TrainingConfiguration&) {
  if (model.kvRank == 0) return std::nullopt;
  return "its models have no latent attention";
}

/// Heads of keys and values are copied until every rank has one (kv_replicator).
Broken keyHeadsOfRanks(const ModelShape& model, const TrainingConfiguration& configuration) {
  const std::int64_t tensor = configuration.plan.tensor;
  if (model.kvHeads > 0 && tensor % model.kvHeads == 0) return std::nullopt;
  return rules::keyHeadsByTensor(model, configuration);
}

/// Tensor parallelism cuts experts as it cuts dense layers.
Broken expertsByTensor(const ModelShape& model, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (model.experts == 0 || plan.expertTensor == plan.tensor) return std::nullopt;
  return [&plan] {
    return "experts are cut by tp " + std::to_string(plan.tensor) + ", not by etp " + std::to_string(plan.expertTensor);
  };
}

constexpr std::array kRules{
    FrameworkRule{"multi-token prediction", "src/neuronx_distributed_training/models: Llama, Mistral, Mixtral, GPT",
                  rules::noPredictedTokens},
    FrameworkRule{"blocks of the model", "src/neuronx_distributed_training/models: Llama, Mistral, Mixtral, GPT",
                  blocksOfModel},
    FrameworkRule{"no latent attention", "src/neuronx_distributed_training/models: Llama, Mistral, Mixtral, GPT",
                  plainAttention},
    FrameworkRule{"experts by AllToAll", "neuronx_distributed/modules/moe: collectives of XLA",
                  rules::expertsByAllToAll},
    FrameworkRule{"no CUDA graphs", "the Neuron compiler decides how kernels start", rules::noGraphs},
    FrameworkRule{"heads divide by tp", "neuronx_distributed/modules/qkv_linear.py, q_output_size_per_partition",
                  rules::headsByTensor},
    FrameworkRule{"heads of keys divide by tp, or tp by them",
                  "neuronx_distributed/modules/qkv_linear.py, kv_size_multiplier", keyHeadsOfRanks},
    FrameworkRule{"MLP divides by tp", "neuronx_distributed/parallel_layers/layers.py, divide", rules::mlpByTensor},
    FrameworkRule{"layers divide by stages",
                  "neuronx_distributed_training/lightning_modules/model/megatron/megatron_base_model.py",
                  rules::layersByStages},
    FrameworkRule{"microbatches of an interleaved schedule divide by pp",
                  "neuronx_distributed/pipeline/scheduler.py, TrainInterleavedSchedule",
                  rules::interleavedMicrobatches},
    FrameworkRule{"experts divide by ep",
                  "neuronx_distributed/parallel_layers/parallel_state.py, get_experts_for_expert_parallel_rank",
                  rules::expertsByDegree},
    FrameworkRule{"etp is tp", "neuronx_distributed/modules/moe/expert_mlps.py, tensor_model_parallel_group",
                  expertsByTensor},
    FrameworkRule{"expert degrees divide a stage",
                  "neuronx_distributed/parallel_layers/parallel_state.py, initialize_model_parallel",
                  rules::expertMesh},
    FrameworkRule{"sequence divides by tp", "neuronx_distributed/parallel_layers/mappings.py", rules::sequenceByTensor},
    FrameworkRule{"sequence divides by 2·cp", "docs/general/config_overview.rst, context_parallel_size",
                  rules::sequenceByContext},
};

constexpr std::array kPlatforms{AcceleratorPlatform::Neuron};
constexpr std::array<std::int64_t, 2> kZeroStages{1, 0};
constexpr std::array kSchedulesOffered{ScheduleKind::OneF1B};
constexpr std::array kContexts{ContextCollective::Ring};
constexpr std::array kRecomputed{RecomputeKind::None, RecomputeKind::Selective, RecomputeKind::Full};
constexpr std::array<std::string_view, 1> kOrders{"Megatron-LM"};

std::string_view yesOrNo(bool value) { return value ? "True" : "False"; }

std::string strategyText(const ModelShape& model, const TrainingPlan& plan) {
  LaunchLines lines("  ", ": ");
  lines.value("tensor_model_parallel_size", plan.tensor)
      .value("pipeline_model_parallel_size", plan.pipeline)
      .value("virtual_pipeline_model_parallel_size", plan.chunks)
      .value("context_parallel_size", plan.context);
  if (model.experts > 0) lines.value("expert_model_parallel_size", plan.expert);
  lines.value("zero1", yesOrNo(plan.zero == 1))
      .value("sequence_parallel", yesOrNo(plan.sequenceParallel != SequenceParallelism::None))
      .value("kv_replicator", std::max<std::int64_t>(1, plan.tensor / std::max<std::int64_t>(1, model.kvHeads)));
  return lines.text();
}

std::string modelText(const TrainingConfiguration& configuration) {
  LaunchLines lines("  ", ": ");
  lines.value("model_config", "YOUR_CONFIG_JSON")
      .value("encoder_seq_length", configuration.plan.sequence)
      .value("qkv_linear", "True");
  switch (configuration.recomputation) {
    case RecomputeKind::None:
      lines.value("activations_checkpoint_granularity", "null");
      break;
    case RecomputeKind::Selective:
      lines.value("activations_checkpoint_granularity", "selective")
          .value("activations_checkpoint_recompute", "[CoreAttention]");
      break;
    default:
      lines.value("activations_checkpoint_granularity", "full");
      break;
  }
  LaunchLines fusions("    ", ": ");
  const bool ring = configuration.plan.context > 1;
  fusions.value("flash_attention", yesOrNo(configuration.fusedAttention && !ring))
      .value("ring_attention", yesOrNo(ring));
  return lines.text() + "  fusions:\n" + fusions.text();
}

std::string launchText(const LaunchedConfiguration& launched) {
  const TrainingConfiguration& configuration = launched.configuration;
  const TrainingPlan& plan = configuration.plan;
  LaunchLines data("  ", ": ");
  data.value("micro_batch_size", plan.microbatch).value("global_batch_size", plan.globalBatch);
  LaunchLines precision("  ", ": ");
  precision.value("type", configuration.fullPrecisionSums ? "mixed_precision" : "bf16SR");
  return "model_source: hf\ndistributed_strategy:\n" + strategyText(launched.model, plan) + "data:\n" + data.text() +
         "model:\n" + modelText(configuration) + "precision:\n" + precision.text();
}

}  // namespace

const TrainingFramework kNeuronx{
    .name = "neuronx",
    .label = "NxD Training",
    .release = "aws-neuron/neuronx-distributed-training 9169aa0 (2025-09-12), neuronx-distributed fbac349 (2026-04-09)",
    .family = FrameworkFamily::Jax,
    .platforms = kPlatforms,
    .zeroStages = kZeroStages,
    .schedules = kSchedulesOffered,
    .contextKinds = kContexts,
    .recomputations = kRecomputed,
    .orders = kOrders,
    .rules = kRules,
    .applyDefaults =
        [](TrainingConfiguration& configuration) {
          configuration.fullPrecisionSums = true;  // precision.type mixed_precision
          configuration.fusedAttention = true;
          configuration.blockingPipeline = true;
        },
    .launchText = launchText,
    .describesModel = false,
    .launchForm = LaunchForm::File,
    .launchFile = "config.yaml",
};

}  // namespace p2::inline training
