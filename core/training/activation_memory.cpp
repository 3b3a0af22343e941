// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/activation_memory.h"

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
  if (configuration.fusedAttention || configuration.recomputation == RecomputeKind::Selective) return 0;
  const TrainingPlan& plan = configuration.plan;
  return 5 * real(model.heads) / real(plan.tensor) * real(plan.sequence) * widths.tokens;
}

/// Bytes that an MLP keeps of a token: inputs of the activation function, and its output, the input of the second
/// product. Products without gradients of their weights need no input.
double mlpBytes(const TrainingConfiguration& configuration, const LayerWidths& widths, double width) {
  const double input = configuration.adapters ? 0 : inputBytes(configuration);
  return (kActivationBytes * widths.gates + input) * width;
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
  if (expertLayer) {
    const double hidden = real(model.hidden);
    bytes +=
        mlpBytes(configuration, widths, widths.shared) + kRouterBytes * real(model.experts) * widths.hidden / hidden;
    bytes += widths.copiesPerToken *
             ((kActivationBytes + input) * hidden + mlpBytes(configuration, widths, widths.expertMlp));
  } else {
    bytes += mlpBytes(configuration, widths, widths.mlp);
  }
  return bytes * widths.tokens + scoreBytes(model, configuration, widths);
}

double layerActivations(const ModelShape& model, const TrainingConfiguration& configuration, bool expertLayer) {
  if (configuration.recomputation == RecomputeKind::Full) {
    const LayerWidths widths(model, configuration);
    return kActivationBytes * widths.hidden * widths.tokens;
  }
  const LayerWidths widths(model, configuration);
  return wholeLayerActivations(model, configuration, expertLayer) -
         cheapOutputBytes(configuration, widths, expertLayer) * widths.tokens;
}

}  // namespace p2::inline training
