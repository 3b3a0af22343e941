// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/kernels.h"
#include "training/detail/layer_cost.h"
#include "training/detail/real.h"

namespace p2::inline training {
namespace {

/// Bytes of passes over a logit: forward, and backward. Megatron's vocab_parallel_cross_entropy() goes operator by
/// operator (to float, maximum, difference, exponential, sum); later ones are fused.
struct LossPasses {
  double forward = 10;
  double backward = 12;
};
constexpr LossPasses kUnfusedLoss{30, 22};

bool fusesLoss(FrameworkFamily family) {
  return family != FrameworkFamily::MegatronEager && family != FrameworkFamily::DeepSpeed;
}

}  // namespace

LayerCost countHead(const CostContext& context) {
  const TrainingPlan& plan = context.configuration.plan;
  const double tokens = real(plan.microbatch) * real(plan.sequence) / real(plan.context);
  const double vocabulary = real(context.model.vocabulary) / real(plan.tensor);
  const auto h = real(context.model.hidden);
  const Kernels kernels(context.accelerator, context.constants, context.configuration);
  const double logits = tokens * vocabulary;
  const LossPasses passes = fusesLoss(context.configuration.family) ? LossPasses{} : kUnfusedLoss;
  LayerCost cost;
  cost.forward.kernels = kernels.product({tokens, h, vocabulary}, true) + kernels.passes(passes.forward * logits);
  const double weights = context.configuration.adapters ? 0 : kernels.product({h, tokens, vocabulary}, true);
  cost.backward.kernels =
      kernels.product({tokens, vocabulary, h}, true) + weights + kernels.passes(passes.backward * logits);
  cost.forward.busy = cost.forward.kernels;
  cost.backward.busy = cost.backward.kernels;
  cost.backward.weights = weights;
  cost.parameters = h * vocabulary;
  return cost;
}

LayerCost countProjection(const CostContext& context) {
  const TrainingPlan& plan = context.configuration.plan;
  const double tokens = real(plan.microbatch) * real(plan.sequence) / real(plan.context);
  const auto h = real(context.model.hidden);
  const double part = h / real(plan.tensor);
  const Kernels kernels(context.accelerator, context.constants, context.configuration);
  LayerCost cost;
  cost.forward.kernels = kernels.product({tokens, 2 * h, part});
  const double weights = context.configuration.adapters ? 0 : kernels.product({2 * h, tokens, part});
  cost.backward.kernels = kernels.product({tokens, part, 2 * h}) + weights;
  cost.forward.busy = cost.forward.kernels;
  cost.backward.busy = cost.backward.kernels;
  cost.backward.weights = weights;
  cost.parameters = 2 * h * part;
  return cost;
}

}  // namespace p2::inline training
