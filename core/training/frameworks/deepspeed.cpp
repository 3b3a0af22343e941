// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "base/counted.h"
#include "base/numbers.h"
#include "training/frameworks/all.h"
#include "training/frameworks/common_rules.h"
#include "training/frameworks/launch_lines.h"

namespace p2::inline training {
namespace {

using rules::Broken;

Broken zeroInPipeline(const ModelShape&, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (plan.pipeline == 1 || plan.zero < 2) return std::nullopt;
  return [zero = plan.zero] {
    return "ZeRO " + std::to_string(zero) + " is incompatible with pipeline parallelism; ZeRO 1 is not";
  };
}

/// Megatron-DeepSpeed's pipeline module cuts layers by their number, without a choice.
std::vector<StageLayout> layoutsOf(const ModelShape& model, const TrainingConfiguration& configuration) {
  const StageLayout made = partitionedLayout(model.layers, configuration.plan.pipeline);
  if (made.empty()) return {};
  return {statedLayout(model, configuration, made)};
}

Broken partitionOfLayers(const ModelShape& model, const TrainingConfiguration& configuration) {
  if (configuration.plan.pipeline == 1) return std::nullopt;
  const StageLayout own = partitionedLayout(model.layers, configuration.plan.pipeline);
  if (!own.empty() && own == chunkLayers(model, configuration)) return std::nullopt;
  return [&model, &configuration] {
    const StageLayout cut = partitionedLayout(model.layers, configuration.plan.pipeline);
    return "it cuts " + countedText(model.layers, "layer") + " into stages of " +
           (cut.empty() ? std::string("one or more") : stageLayoutText(cut)) + ", not of " +
           stageLayoutText(chunkLayers(model, configuration));
  };
}

/// The degrees are Megatron-DeepSpeed's, whose layers all have attention; ZeRO takes any model.
Broken attentionUnderDegrees(const ModelShape& model, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (plan.tensor * plan.pipeline * plan.context * plan.expert == 1) return std::nullopt;
  if (!rules::blocksAmong({}, model)) return std::nullopt;
  return [&model] { return "with tp, pp, cp or ep " + rules::blocksAmong({}, model).text(); };
}

constexpr std::array kRules{
    FrameworkRule{"multi-token prediction",
                  "transformers/models/deepseek_v3/modeling_deepseek_v3.py, _keys_to_ignore_on_load_unexpected",
                  rules::noPredictedTokens},
    FrameworkRule{"blocks of the model", "megatron-deepspeed, megatron/model/transformer.py", attentionUnderDegrees},
    FrameworkRule{"experts by AllToAll", "deepspeed/moe/sharded_moe.py, _AllToAll", rules::expertsByAllToAll},
    FrameworkRule{"no CUDA graphs",
                  "deepspeed/runtime/engine.py, DeepSpeedEngine: forward() and backward() in eager mode",
                  rules::noGraphs},
    FrameworkRule{"heads divide by tp", "megatron-deepspeed, megatron/core/utils.py, divide()", rules::headsByTensor},
    FrameworkRule{"MLP divides by tp", "megatron-deepspeed, megatron/core/utils.py, divide()", rules::mlpByTensor},
    FrameworkRule{"layers divide by stages",
                  "megatron-deepspeed, GPTModelPipe: type:transformer; deepspeed/runtime/utils.py, partition_balanced",
                  partitionOfLayers},
    FrameworkRule{"no ZeRO 2 or 3 with pp", "deepspeed/runtime/pipe/engine.py, PipelineEngine.__init__",
                  zeroInPipeline},
    FrameworkRule{"experts divide by ep", "deepspeed/moe/layer.py, MoE.__init__", rules::expertsByDegree},
    FrameworkRule{"expert degrees divide a stage", "deepspeed/utils/groups.py, _create_expert_and_data_parallel",
                  rules::expertMesh},
    FrameworkRule{"cp by AllToAll divides heads", "deepspeed/sequence/layer.py, DistributedAttention",
                  rules::headsByContext},
};

// accelerator/real_accelerator.py.
constexpr std::array kPlatforms{AcceleratorPlatform::Cuda, AcceleratorPlatform::Rocm, AcceleratorPlatform::OneApi};
constexpr std::array<std::int64_t, 4> kZeroStages{1, 2, 3, 0};
constexpr std::array kSchedulesOffered{ScheduleKind::OneF1B};
constexpr std::array kContexts{ContextCollective::AllToAll};
constexpr std::array kRecomputed{RecomputeKind::None, RecomputeKind::Full};
constexpr std::array<std::string_view, 1> kOrders{"DeepSpeed"};

void addModel(const ModelShape& model, std::int64_t sequence, LaunchLines& lines) {
  lines.value("num-layers", model.layers)
      .value("hidden-size", model.hidden)
      .value("ffn-hidden-size", model.ffn)
      .value("num-attention-heads", model.heads)
      .value("max-position-embeddings", std::max(sequence, model.positions));
  if (model.kvHeads != model.heads) lines.value("num-key-value-heads", model.kvHeads);
  if (model.headSize * model.heads != model.hidden) lines.value("kv-channels", model.headSize);
  if (model.positions == 0) lines.flag("use-rotary-position-embeddings");
  if (model.rotaryBase > 0) lines.value("rotary-position-embeddings-theta", model.rotaryBase);
  if (model.rotaryShare > 0) lines.value("rotary-percent", exactNumber(model.rotaryShare));
  if (!model.biases) lines.value("normalization", "rmsnorm");
  if (model.normEpsilon > 0) lines.value("layernorm-epsilon", exactNumber(model.normEpsilon));
  if (model.gatedMlp) lines.flag("swiglu");
  if (!model.tiedEmbeddings) lines.flag("untie-embeddings-and-output-weights");
  if (!model.hasMatrixBiases()) lines.flag("disable-bias-linear");
  if (model.experts == 0) return;
  lines.value("num-experts", model.experts).value("topk", model.expertsPerToken);
  if (model.auxiliaryLoss > 0) lines.value("moe-loss-coeff", exactNumber(model.auxiliaryLoss));
}

/// Arguments of Megatron-DeepSpeed, which has the degrees.
std::string programArguments(const LaunchedConfiguration& launched) {
  const TrainingConfiguration& configuration = launched.configuration;
  const TrainingPlan& plan = configuration.plan;
  LaunchLines lines("--", " ");
  addModel(launched.model, plan.sequence, lines);
  lines.value("tensor-model-parallel-size", plan.tensor).value("pipeline-model-parallel-size", plan.pipeline);
  if (plan.pipeline == 1) lines.flag("no-pipeline-parallel");
  if (plan.context > 1) lines.value("ds-sequence-parallel-size", plan.context);
  if (launched.model.experts > 0) lines.value("moe-expert-parallel-size", plan.expert);
  lines.value("micro-batch-size", plan.microbatch)
      .value("global-batch-size", plan.globalBatch)
      .value("seq-length", plan.sequence)
      .flag("bf16")
      .value("zero-stage", plan.zero)
      .flag("deepspeed")
      .value("deepspeed_config", "ds_config.json");
  if (configuration.schedule == ScheduleKind::ZeroBubble1) lines.flag("enable-zbh1-pipeline");
  if (configuration.recomputation == RecomputeKind::Full) {
    lines.flag("checkpoint-activations").flag("deepspeed-activation-checkpointing");
  }
  return lines.text();
}

/// DeepSpeed's configuration file, and the arguments of the program that reads it.
std::string launchText(const LaunchedConfiguration& launched) {
  const TrainingPlan& plan = launched.configuration.plan;
  // Its pipeline engine cuts the batch itself, into as many microbatches.
  return "{\n  \"train_batch_size\": " + std::to_string(plan.globalBatch) +
         ",\n  \"train_micro_batch_size_per_gpu\": " + std::to_string(plan.microbatch) +
         ",\n  \"gradient_accumulation_steps\": " + std::to_string(plan.microbatches) +
         ",\n  \"zero_optimization\": {\"stage\": " + std::to_string(plan.zero) +
         ", \"overlap_comm\": " + (launched.configuration.overlapsData ? "true" : "false") +
         ", \"contiguous_gradients\": true},\n  \"bf16\": {\"enabled\": true}\n}\n" + programArguments(launched);
}

}  // namespace

const TrainingFramework kDeepSpeed{
    .name = "deepspeed",
    .label = "DeepSpeed",
    .release = "deepspeedai/DeepSpeed edaa722",
    .family = FrameworkFamily::DeepSpeed,
    .platforms = kPlatforms,
    .zeroStages = kZeroStages,
    .schedules = kSchedulesOffered,
    .contextKinds = kContexts,
    .recomputations = kRecomputed,
    .sequenceParallel = SequenceParallelism::None,
    .interleaves = false,
    .expertTensor = false,
    .orders = kOrders,
    .layouts = layoutsOf,
    .rankFile = "torch.distributed.init_process_group, env://: RANK and LOCAL_RANK are the launcher's",
    .rules = kRules,
    .applyDefaults =
        [](TrainingConfiguration& configuration) {
          configuration.fullPrecisionSums = true;
          configuration.fusedAttention = true;
          configuration.plan.accumulate = configuration.plan.zero < 2;
        },
    .launchText = launchText,
    .launchForm = LaunchForm::FileAndFlags,
    .launchFile = "ds_config.json",
};

}  // namespace p2::inline training
