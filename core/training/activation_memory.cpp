// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/activation_memory.h"

#include <algorithm>

#include "training/detail/real.h"
#include "training/memory.h"

namespace p2::inline training {
namespace {

constexpr double kActivationBytes = 2;  // in bf16 or fp16
constexpr double kRouterBytes = 4;      // a routing weight in fp32

/// Bytes of an element of the input of a product that its backward pass keeps: Transformer Engine keeps the copy that
/// was cast to 8 bits, also of 4-bit products.
double inputBytes(const TrainingConfiguration& configuration) {
  return configuration.precision == ProductPrecision::Bf16 ? kActivationBytes : 1;
}

/// Bytes of attention scores that unfused attention keeps: after softmax, dropout's mask, and after dropout.
double scoreBytes(const ModelShape& model, const TrainingConfiguration& configuration, const LayerWidths& widths) {
  const RecomputedModules& modules = configuration.recomputedModules;
  const bool again = configuration.recomputation == RecomputeKind::Selective &&
                     (modules.empty() || modules.has(RecomputedModule::CoreAttention));
  if (configuration.fusedAttention || again) return 0;
  const TrainingPlan& plan = configuration.plan;
  return 5 * real(model.heads) / real(plan.tensor) * real(plan.sequence) * widths.tokens;
}

/// Bytes that an MLP keeps of a token: inputs of the activation function, and its output, the input of the second
/// product. Products without gradients of their weights need no input.
double mlpBytes(const TrainingConfiguration& configuration, const LayerWidths& widths, double width) {
  const double input = configuration.adapters ? 0 : inputBytes(configuration);
  return (kActivationBytes * widths.gates + input) * width;
}

/// Bytes that experts, shared ones and the router keep of a token.
double expertBytes(const ModelShape& model, const TrainingConfiguration& configuration, const LayerWidths& widths) {
  const double hidden = real(model.hidden);
  return mlpBytes(configuration, widths, widths.shared) + kRouterBytes * real(model.experts) * widths.hidden / hidden +
         widths.copiesPerToken * ((kActivationBytes + inputBytes(configuration)) * hidden +
                                  mlpBytes(configuration, widths, widths.expertMlp));
}

/// Bytes of a token that XLA computes again where no recomputation is asked for: MaxText's remat_policy minimal keeps
/// outputs of products, and drops outputs of norms and activation functions (src/maxtext/layers/decoders.py,
/// get_remat_policy).
double cheapOutputBytes(const TrainingConfiguration& configuration, const LayerWidths& widths, bool expertLayer) {
  if (configuration.family != FrameworkFamily::Jax || configuration.recomputation != RecomputeKind::None) return 0;
  const double input = inputBytes(configuration);
  // Three outputs of products are as wide as the model: of attention, of the MLP, and the layer's own input.
  const double norms = (2 * input - kActivationBytes) * widths.hidden;
  const double inner = expertLayer ? widths.shared + widths.copiesPerToken * widths.expertMlp : widths.mlp;
  return norms + input * inner;
}

/// Bytes that a layer does not keep of a token where a module of it is recomputed.
double savedBytes(const ModelShape& model, const TrainingConfiguration& configuration, const LayerWidths& widths,
                  RecomputedModule module, bool expertLayer) {
  const double input = inputBytes(configuration);
  const auto has = [&](RecomputedModule each) { return configuration.recomputedModules.has(each); };
  const bool allExperts = has(RecomputedModule::Experts);
  switch (module) {
    case RecomputedModule::CoreAttention:
      // Scores are in scoreBytes(). Fused attention keeps its output, which the projection keeps in fewer bits.
      return configuration.fusedAttention && input < kActivationBytes ? kActivationBytes * widths.attentionOut : 0;
    case RecomputedModule::LayerNorm:
      // Transformer Engine fuses the other norms with the product that follows, which keeps their output.
      return ((model.kvRank > 0 ? input : 0) + (expertLayer ? (allExperts ? kActivationBytes : input) : 0)) *
             widths.hidden;
    case RecomputedModule::LatentUpProjection:
      return model.kvRank > 0 ? kActivationBytes * widths.upProjected : 0;
    case RecomputedModule::ExpertActivation:
      return expertLayer && !allExperts && !configuration.adapters ? input * widths.copiesPerToken * widths.expertMlp
                                                                   : 0;
    case RecomputedModule::Mlp:
      // The norm is a part of the first product.
      return expertLayer ? 0 : mlpBytes(configuration, widths, widths.mlp) + input * widths.hidden;
    case RecomputedModule::SharedExperts:
      return expertLayer && !allExperts ? mlpBytes(configuration, widths, widths.shared) : 0;
    case RecomputedModule::Experts:
      // The input stays, in 16 bits.
      return expertLayer ? expertBytes(model, configuration, widths) - (kActivationBytes - input) * widths.hidden : 0;
  }
  return 0;
}

}  // namespace

LayerWidths::LayerWidths(const ModelShape& model, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  const double t = real(plan.tensor);
  const bool split = plan.sequenceParallel != SequenceParallelism::None && plan.tensor > 1;
  tokens = real(plan.microbatch) * real(plan.sequence) / real(plan.context);
  hidden = real(model.hidden) / (split ? t : 1);
  if (model.kvRank > 0) {
    const double keys = real(model.heads) * real(model.nopeSize + model.ropeSize) / t;
    const double values = real(model.heads) * real(model.valueSize) / t;
    attention = real(model.qRank + model.kvRank + model.ropeSize) + 2 * keys + 2 * values;
    upProjected = 2 * keys + values;
  } else {
    attention = (2 * real(querySize(model)) + real(keyValueSize(model))) / t;
  }
  attentionOut = (model.kvRank > 0 ? real(model.heads) * real(model.valueSize) : real(querySize(model))) / t;
  gates = model.gatedMlp ? 2 : 1;
  mlp = real(model.ffn) / t;
  shared = real(model.sharedFfn) / t;
  expertMlp = real(model.expertFfn) / real(plan.expertTensor);
  copiesPerToken = configuration.expertImbalance * real(model.expertsPerToken) * real(plan.expertTensor) / t;
}

double wholeLayerActivations(const ModelShape& model, const TrainingConfiguration& configuration, bool expertLayer) {
  const LayerWidths widths(model, configuration);
  const double input = inputBytes(configuration);
  // Input and output of both norms; Megatron's GPT also keeps two dropout masks of one byte.
  const bool masks = !model.gatedMlp && configuration.family != FrameworkFamily::Fsdp;
  double bytes =
      (2 * kActivationBytes + 2 * input + (masks ? 2 : 0)) * widths.hidden + kActivationBytes * widths.attention;
  // Attention keeps its output in 16 bits, and the projection its input in fewer.
  if (input < kActivationBytes) bytes += input * widths.attentionOut;
  bytes += expertLayer ? expertBytes(model, configuration, widths) : mlpBytes(configuration, widths, widths.mlp);
  return bytes * widths.tokens + scoreBytes(model, configuration, widths);
}

double recomputedActivations(const ModelShape& model, const TrainingConfiguration& configuration, bool expertLayer,
                             bool largest) {
  if (configuration.recomputation != RecomputeKind::Selective) return 0;
  RecomputedModules modules = configuration.recomputedModules;
  if (modules.empty() && repeatsCore(configuration)) modules.add(RecomputedModule::CoreAttention);
  const LayerWidths widths(model, configuration);
  double sum = 0;
  for (std::size_t i = 0; i < kRecomputedModules.size(); ++i) {
    const auto module = static_cast<RecomputedModule>(i);
    if (!modules.has(module)) continue;
    const double bytes = savedBytes(model, configuration, widths, module, expertLayer);
    sum = largest ? std::max(sum, bytes) : sum + bytes;
  }
  return sum * widths.tokens;
}

double layerActivations(const ModelShape& model, const TrainingConfiguration& configuration, bool expertLayer) {
  const LayerWidths widths(model, configuration);
  if (configuration.recomputation == RecomputeKind::Full) return kActivationBytes * widths.hidden * widths.tokens;
  return wholeLayerActivations(model, configuration, expertLayer) -
         recomputedActivations(model, configuration, expertLayer, false) -
         cheapOutputBytes(configuration, widths, expertLayer) * widths.tokens;
}

}  // namespace p2::inline training
