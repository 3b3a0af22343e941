// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/kernel_losses.h"

#include "training/detail/kernels.h"
#include "training/detail/model_work.h"
#include "training/detail/real.h"

namespace p2::inline training {

KernelLosses kernelLosses(const CostContext& context, const KernelCounts& counts, const PricedLayers& layers,
                          const LaidOutStages& stages) {
  const TrainingConfiguration& run = context.configuration;
  const TrainingPlan& plan = run.plan;
  const Kernels rates(context.accelerator, context.constants, run);
  double dense = 0;
  double experts = 0;
  for (const LayerKinds& kinds : stages.kinds()) {
    dense += kinds.dense;
    experts += kinds.experts;
  }
  const double each = real(plan.microbatches) / real(plan.pipeline);
  const auto ofLayers = [&](const auto& part) {
    return each * (dense * part(counts.dense) + experts * part(counts.evenExperts));
  };
  const auto kernelsOf = [](const LayerCost& cost) { return cost.forward.kernels + cost.backward.kernels; };
  const double kernels = ofLayers([&](const CountedLayer& layer) { return kernelsOf(layer.cost); });
  const double copied = each * (dense * kernelsOf(layers.dense) + experts * kernelsOf(layers.evenExpert));
  const double attention = ofLayers([](const CountedLayer& layer) { return layer.attention + layer.attentionBack; });
  const double inLayers = ofLayers([](const CountedLayer& layer) { return layer.products; });
  double products = inLayers;
  double flop = ofLayers([](const CountedLayer& layer) { return layer.productFlop; });
  const auto predicted = real(run.predictedTokens);
  if (predicted > 0) {
    const double tokens = real(plan.microbatch) * real(plan.sequence) / real(plan.context);
    const auto h = real(context.model.hidden);
    products += each * predicted * kernelsOf(counts.projection);
    flop += each * predicted * (run.adapters ? 2 : 3) * 2 * tokens * 2 * h * h / real(plan.tensor);
  }
  const ModelWork work = workOf(context.model, run);
  const double devices = real(devicesOf(plan));
  const double head = (work.in16Bits - work.attention) / context.accelerator.bf16 / devices;
  KernelLosses made;
  made.rate = flop / rates.products - flop / rates.peak;
  made.shape = products - flop / rates.products;
  made.repeated = flop / rates.peak - work.products / rates.peak / devices;
  made.attention = attention - work.attention / context.accelerator.bf16 / devices;
  made.passes = kernels - inLayers - attention;
  made.copies = copied - kernels;
  made.head = each * (1 + predicted) * kernelsOf(counts.head) - head;
  return made;
}

}  // namespace p2::inline training
