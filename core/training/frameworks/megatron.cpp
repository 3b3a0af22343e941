// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "training/frameworks/all.h"
#include "training/frameworks/common_rules.h"
#include "training/frameworks/launch_lines.h"

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

/// The order tp-cp-ep-pp-dp has data parallelism outermost.
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
constexpr std::array kContexts{ContextCollective::Ring, ContextCollective::AllToAll, ContextCollective::AllGather};
constexpr std::array kRecomputed{RecomputeKind::None, RecomputeKind::Selective, RecomputeKind::Full};
constexpr std::array<std::string_view, 2> kOrders{"Megatron-LM", "Megatron-LM tp-pp-dp"};

void addModel(const ModelShape& model, LaunchLines& lines) {
  lines.value("num-layers", model.layers)
      .value("hidden-size", model.hidden)
      .value("ffn-hidden-size", model.ffn)
      .value("num-attention-heads", model.heads);
  if (model.kvHeads != model.heads) lines.flag("group-query-attention").value("num-query-groups", model.kvHeads);
  if (model.headSize * model.heads != model.hidden) lines.value("kv-channels", model.headSize);
  if (model.gatedMlp) lines.flag("swiglu");
  if (!model.tiedEmbeddings) lines.flag("untie-embeddings-and-output-weights");
  if (!model.hasMatrixBiases()) lines.flag("disable-bias-linear");
  if (model.experts == 0) return;
  lines.value("num-experts", model.experts)
      .value("moe-router-topk", model.expertsPerToken)
      .value("moe-ffn-hidden-size", model.expertFfn)
      .value("moe-token-dispatcher-type", "alltoall")
      .flag("moe-grouped-gemm");
}

std::string_view contextKindOf(ContextCollective kind) {
  if (kind == ContextCollective::AllToAll) return "a2a";
  return kind == ContextCollective::AllGather ? "all_gather" : "p2p";
}

void addDegrees(const LaunchedConfiguration& launched, LaunchLines& lines) {
  const TrainingPlan& plan = launched.configuration.plan;
  lines.value("tensor-model-parallel-size", plan.tensor).value("pipeline-model-parallel-size", plan.pipeline);
  if (plan.chunks > 1) {
    lines.value("num-layers-per-virtual-pipeline-stage", launched.model.layers / (plan.pipeline * plan.chunks));
  }
  if (plan.context > 1) {
    lines.value("context-parallel-size", plan.context).value("cp-comm-type", contextKindOf(plan.contextCollective));
  }
  if (launched.model.experts > 0) {
    lines.value("expert-model-parallel-size", plan.expert).value("expert-tensor-parallel-size", plan.expertTensor);
  }
  if (plan.tensor > 1 && plan.sequenceParallel != SequenceParallelism::None) lines.flag("sequence-parallel");
  if (launched.order == kOrders[1]) lines.flag("use-tp-pp-dp-mapping");
}

std::string launchText(const LaunchedConfiguration& launched) {
  const TrainingConfiguration& configuration = launched.configuration;
  const TrainingPlan& plan = configuration.plan;
  LaunchLines lines("--", " ");
  addModel(launched.model, lines);
  addDegrees(launched, lines);
  lines.value("micro-batch-size", plan.microbatch)
      .value("global-batch-size", plan.globalBatch)
      .value("seq-length", plan.sequence)
      .value("max-position-embeddings", plan.sequence)
      .flag("bf16");
  if (configuration.precision == ProductPrecision::Fp8) lines.value("fp8-format", "hybrid");
  lines.flag("overlap-grad-reduce");
  if (plan.zero == 1) lines.flag("use-distributed-optimizer").flag("overlap-param-gather");
  if (configuration.recomputation == RecomputeKind::Selective) lines.value("recompute-granularity", "selective");
  if (configuration.recomputation == RecomputeKind::Full) {
    lines.value("recompute-granularity", "full").value("recompute-method", "uniform").value("recompute-num-layers", 1);
  }
  return lines.text();
}

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
    .launchText = launchText,
};

}  // namespace p2
