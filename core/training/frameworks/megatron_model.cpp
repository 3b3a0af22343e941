// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/frameworks/megatron_model.h"

#include <algorithm>
#include <array>

#include "base/counted.h"
#include "base/numbers.h"
#include "training/frameworks/common_rules.h"

namespace p2::inline training {
namespace {

void addLatentAttention(const ModelShape& model, LaunchLines& lines) {
  lines.flag("multi-latent-attention").value("kv-lora-rank", model.kvRank);
  if (model.qRank > 0) lines.value("q-lora-rank", model.qRank);
  lines.value("qk-head-dim", model.nopeSize)
      .value("qk-pos-emb-head-dim", model.ropeSize)
      .value("v-head-dim", model.valueSize)
      // The norms of the compressed queries, keys and values, which all models with latent attention have.
      .flag("qk-layernorm");
  if (model.ropeFactor > 0) lines.value("rotary-scaling-factor", exactNumber(model.ropeFactor));
  if (model.ropeMagnitude > 0) {
    lines.value("mscale", exactNumber(model.ropeMagnitude)).value("mscale-all-dim", exactNumber(model.ropeMagnitude));
  }
}

void addExperts(const ModelShape& model, LaunchLines& lines) {
  lines.value("num-experts", model.experts)
      .value("moe-router-topk", model.expertsPerToken)
      .value("moe-ffn-hidden-size", model.expertFfn)
      // DeepEP and HybridEP take weights of tokens in fp32 (megatron/core/transformer/moe/token_dispatcher.py).
      .value("moe-router-dtype", "fp32")
      .flag("moe-grouped-gemm");
  if (model.sharedFfn > 0) lines.value("moe-shared-expert-intermediate-size", model.sharedFfn);
  if (model.sharedGate) lines.flag("moe-shared-expert-gate");
  // TransformerConfig.__post_init__ refuses the bias with softmax, its default. A router whose other matrices have
  // biases has one too (megatron/core/transformer/moe/router.py), which is no bias of the experts.
  if (model.routerBias && !model.hasMatrixBiases())
    lines.flag("moe-router-enable-expert-bias").value("moe-router-score-function", "sigmoid");
  if (model.routerScale > 0) lines.value("moe-router-topk-scaling-factor", exactNumber(model.routerScale));
  // Megatron's balancing loss has the weight 0 by default. Megatron-Bridge takes this one over as well.
  if (model.auxiliaryLoss > 0) lines.value("moe-aux-loss-coeff", exactNumber(model.auxiliaryLoss));
  if (model.expertGroups > 0) lines.value("moe-router-num-groups", model.expertGroups);
  if (model.groupsPerToken > 0) lines.value("moe-router-group-topk", model.groupsPerToken);
  if (model.denseLayers > 0) {
    lines.quoted("moe-layer-freq", "([0]*" + std::to_string(model.denseLayers) + "+[1]*" +
                                       std::to_string(model.layers - model.denseLayers) + ")");
  } else if (model.expertStep > 1) {
    lines.value("moe-layer-freq", model.expertStep);
  }
}

/// gpt-oss, the one family with sinks of attention, gates by a clamped sigmoid (Megatron-Bridge,
/// src/megatron/bridge/models/gpt_oss/gpt_oss_bridge.py); all others gate by SiLU.
void addGate(const ModelShape& model, LaunchLines& lines) {
  if (!model.sinks) {
    lines.flag("swiglu");
    return;
  }
  lines.flag("quick-geglu").value("glu-linear-offset", "1.0").value("activation-func-clamp-value", "7.0");
}

/// Counted from 1, every layer but the last of a period (megatron/core/transformer/utils.py,
/// is_layer_window_attention).
void addWindow(const ModelShape& model, LaunchLines& lines) {
  lines.value("window-size", std::to_string(model.window - 1) + ",0");
  if (model.windowLayers == 0 && model.windowStep > 0) lines.value("window-attn-skip-freq", model.windowStep);
}

/// Whether a layer of the model attends to a part of such a sequence alone.
bool looksThroughWindow(const ModelShape& model, const TrainingConfiguration& configuration) {
  return windowedLayers(model) > 0 && model.window < configuration.plan.sequence;
}

bool endsCount(const ModelShape& model, const TrainingPlan& plan, const StageLayout& layout, std::int64_t first,
               std::int64_t last) {
  const std::int64_t units = model.layers + first + last;
  return units % (plan.pipeline * plan.chunks) == 0 &&
         layout == balancedLayout(model.layers, plan.pipeline, plan.chunks, first, last);
}

/// A first and a last stage of their own sizes, the others equal.
bool hasEqualMiddle(const StageLayout& layout, const TrainingPlan& plan) {
  return plan.chunks == 1 && plan.pipeline > 2 &&
         std::all_of(layout.begin() + 1, layout.end() - 1, [&](std::int64_t each) { return each == layout[1]; }) &&
         layout.front() > 0 && layout.back() > 0;
}

}  // namespace

BrokenReason megatronBlocks(const ModelShape& model, const TrainingConfiguration&) {
  constexpr std::array<std::string_view, 2> kBlocks{"Mamba-2 blocks", "gated delta blocks"};
  return rules::blocksAmong(kBlocks, model);
}

BrokenReason megatronWindows(const ModelShape& model, const TrainingConfiguration& configuration) {
  const ContextCollective kind = configuration.plan.contextCollective;
  const bool whole = kind == ContextCollective::AllToAll || kind == ContextCollective::AllGather;
  if (configuration.plan.context == 1 || whole || !looksThroughWindow(model, configuration)) return std::nullopt;
  return [kind] {
    return "cp of " + std::string(nameOf(kind)) + " with a window of attention; use cp_kind a2a or allgather";
  };
}

BrokenReason megatronChunks(const ModelShape& model, const TrainingConfiguration& configuration) {
  if (!model.windowChunks || !looksThroughWindow(model, configuration)) return std::nullopt;
  return [window = model.window] { return "it has no attention within chunks of " + countedText(window, "token"); };
}

BrokenReason megatronParameters(const ModelShape&, const TrainingConfiguration& configuration) {
  if (!configuration.fp8Parameters || configuration.plan.zero > 0) return std::nullopt;
  return "parameters in fp8 need the distributed optimizer (ZeRO 1)";
}

void addMegatronModel(const ModelShape& model, std::int64_t sequence, LaunchLines& lines) {
  lines.value("num-layers", model.layers)
      .value("hidden-size", model.hidden)
      .value("ffn-hidden-size", model.ffn)
      .value("num-attention-heads", model.heads)
      .value("vocab-size", model.vocabulary)
      .value("max-position-embeddings", std::max(sequence, model.positions));
  if (model.kvHeads != model.heads) lines.flag("group-query-attention").value("num-query-groups", model.kvHeads);
  if (model.headSize * model.heads != model.hidden) lines.value("kv-channels", model.headSize);
  if (model.positions == 0) lines.value("position-embedding-type", "rope");
  if (model.rotaryBase > 0) lines.value("rotary-base", model.rotaryBase);
  if (model.rotaryShare > 0) lines.value("rotary-percent", exactNumber(model.rotaryShare));
  if (model.ropeFactor > 0 && model.kvRank == 0) {
    lines.flag("use-rope-scaling").value("rope-scaling-factor", exactNumber(model.ropeFactor));
  }
  if (windowedLayers(model) > 0 && !model.windowChunks) addWindow(model, lines);
  if (model.sinks) lines.value("softmax-type", "learnable");
  if (!model.biases) lines.value("normalization", "RMSNorm");
  if (model.normEpsilon > 0) lines.value("norm-epsilon", exactNumber(model.normEpsilon));
  if (model.gatedMlp) addGate(model, lines);
  if (!model.tiedEmbeddings) lines.flag("untie-embeddings-and-output-weights");
  if (!model.hasMatrixBiases()) lines.flag("disable-bias-linear");
  if (model.qkvBias) lines.flag("add-qkv-bias");
  if (model.qkNorm && model.kvRank == 0) lines.flag("qk-layernorm");
  // Megatron's defaults are 0.1, with masks that no activation of these models counts.
  if (model.gatedMlp) lines.value("attention-dropout", 0).value("hidden-dropout", 0);
  if (model.kvRank > 0) addLatentAttention(model, lines);
  if (model.experts > 0) addExperts(model, lines);
}

void addMegatronStages(const ModelShape& model, const TrainingConfiguration& configuration, LaunchLines& lines) {
  const TrainingPlan& plan = configuration.plan;
  const std::int64_t stages = plan.pipeline * plan.chunks;
  const StageLayout layout = chunkLayers(model, configuration);
  // Layers that predict further tokens are on the last stage, unless a layout says where.
  const bool even = model.layers % stages == 0 && endsCount(model, plan, layout, 0, 0);
  const bool both = endsCount(model, plan, layout, 1, 1);
  const bool first = !both && endsCount(model, plan, layout, 1, 0);
  const bool last = !both && endsCount(model, plan, layout, 0, 1);
  if (!even && !both && !first && !last && !hasEqualMiddle(layout, plan)) {
    lines.quoted("pipeline-model-parallel-layout", megatronLayoutText(layout, configuration.predictedTokens));
    return;
  }
  if (even) {
    if (plan.chunks > 1) lines.value("num-layers-per-virtual-pipeline-stage", model.layers / stages);
    return;
  }
  if (plan.chunks > 1) lines.value("num-virtual-stages-per-pipeline-rank", plan.chunks);
  if (both || first) lines.flag("account-for-embedding-in-pipeline-split");
  if (both || last) lines.flag("account-for-loss-in-pipeline-split");
  if (both || first || last) return;
  lines.value("decoder-first-pipeline-num-layers", layout.front())
      .value("decoder-last-pipeline-num-layers", layout.back());
}

}  // namespace p2::inline training
