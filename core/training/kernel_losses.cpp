// SPDX-License-Identifier: GPL-3.0-or-later
// Why the kernels of a step take longer than the model's FLOP at the peak.
#include "training/detail/kernels.h"
#include "training/detail/model_work.h"
#include "training/detail/real.h"
#include "training/detail/step_assembly.h"

namespace p2::inline training {

KernelLosses StepAssembly::losses() const {
  const Kernels rates(m_accelerator, m_constants, m_configuration);
  double dense = 0;
  double experts = 0;
  for (const auto& [without, with] : m_stageLayers) {
    dense += without;
    experts += with;
  }
  const double each = m_microbatches / real(m_plan.pipeline);
  // Uneven loads of experts are part of the imbalance.
  const auto ofLayers = [&](const auto& part) {
    return each * (dense * part(m_counts.dense) + experts * part(m_counts.evenExperts));
  };
  const auto kernelsOf = [](const LayerCost& cost) { return cost.forward.kernels + cost.backward.kernels; };
  const double kernels = ofLayers([&](const CountedLayer& layer) { return kernelsOf(layer.cost); });
  const double copied = each * (dense * kernelsOf(m_dense) + experts * kernelsOf(m_evenExpert));
  const double attention = ofLayers([](const CountedLayer& layer) { return layer.attention + layer.attentionBack; });
  const double inLayers = ofLayers([](const CountedLayer& layer) { return layer.products; });
  double products = inLayers;
  double flop = ofLayers([](const CountedLayer& layer) { return layer.productFlop; });
  const auto predicted = real(m_configuration.predictedTokens);
  if (predicted > 0) {
    const double tokens = real(m_plan.microbatch) * real(m_plan.sequence) / real(m_plan.context);
    const auto h = real(m_model.hidden);
    products += each * predicted * kernelsOf(m_counts.projection);
    flop += each * predicted * (m_configuration.adapters ? 2 : 3) * 2 * tokens * 2 * h * h / real(m_plan.tensor);
  }
  const ModelWork work = workOf(m_model, m_configuration);
  const double devices = real(devicesOf(m_plan));
  const double head = (work.in16Bits - work.attention) / m_accelerator.bf16 / devices;
  KernelLosses made;
  made.rate = flop / rates.products - flop / rates.peak;
  made.shape = products - flop / rates.products;
  made.repeated = flop / rates.peak - work.products / rates.peak / devices;
  made.attention = attention - work.attention / m_accelerator.bf16 / devices;
  made.passes = kernels - inLayers - attention;
  made.copies = copied - kernels;
  made.head = each * (1 + predicted) * kernelsOf(m_counts.head) - head;
  return made;
}

}  // namespace p2::inline training
