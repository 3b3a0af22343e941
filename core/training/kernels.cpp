// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/kernels.h"

#include <algorithm>
#include <cmath>

#include "training/kernel_choice.h"

namespace p2::inline training {
namespace {

/// Plain PyTorch calls FlashAttention 2, which was written for Ampere. On Hopper it reaches half the speed of kernels
/// that use its asynchronous instructions (Shah et al., arXiv 2407.08608: 350 of 740 TFLOP/s).
bool usesOlderAttention(const TrainingAccelerator& accelerator, const TrainingConfiguration& configuration) {
  const bool plain =
      configuration.family == FrameworkFamily::Fsdp || configuration.family == FrameworkFamily::DeepSpeed;
  const std::string& generation = accelerator.generation;
  return plain && (generation == "H100" || generation == "B200" || generation == "B300");
}

}  // namespace

Kernels::Kernels(const TrainingAccelerator& accelerator, const StepConstants& constants,
                 const TrainingConfiguration& configuration) {
  const double power = std::min(accelerator.powerShare, 1.0) * std::min(configuration.powerShare, 1.0);
  const double clock = std::pow(power, constants[StepConstant::PowerPower]);
  peak = peakOf(accelerator, configuration.precision);
  products = peak * std::min(constants[StepConstant::Products], 1.0) * clock;
  products16 = accelerator.bf16 * std::min(constants[StepConstant::HeadProducts], 1.0) * clock;
  attention = accelerator.bf16 * std::min(constants[StepConstant::Attention], 1.0);
  // Kernels at a fifth of the peak draw too little power to be slowed down by its limit.
  attention *=
      usesOlderAttention(accelerator, configuration) ? std::min(constants[StepConstant::OlderAttention], 1.0) : clock;
  bandwidth = accelerator.memoryBandwidth * std::min(constants[StepConstant::MemoryShare], 1.0);
  groupedShare = std::min(constants[StepConstant::Grouped], 1.0);
  attentionBack = constants[StepConstant::AttentionBack];
  elementwise = constants[StepConstant::Elementwise];
  floor = constants[StepConstant::KernelFloor];
  inputBytes = configuration.precision == ProductPrecision::Bf16  ? 2
               : configuration.precision == ProductPrecision::Fp8 ? 1
                                                                  : .5;
  multiprocessors = accelerator.multiprocessors;
  depthHalf = constants[StepConstant::DepthHalf];
  wavePower = constants[StepConstant::WavePower];
  align64 = constants[StepConstant::Align64];
  align8 = constants[StepConstant::Align8];
}

void KnownProducts::setRates(const KernelRates& rates) {
  if (rates == m_rates) return;
  m_rates = rates;
  m_known.clear();
}

double KnownProducts::seconds(const Product& product) {
  const auto [known, isNew] = m_known.try_emplace(product, 0);
  if (isNew) known->second = product.count > 1 ? m_rates.grouped(product) : m_rates.product(product);
  return known->second;
}

std::size_t KnownProducts::Hash::operator()(const Product& product) const {
  std::size_t hash = 0;
  for (const double each : {product.rows, product.depth, product.columns, product.count, product.outputBytes}) {
    hash = hash * 0x9E3779B97F4A7C15U + std::hash<double>()(each);
  }
  return hash;
}

KernelRates kernelRatesOf(const TrainingAccelerator& accelerator, const TrainingConfiguration& configuration) {
  const TrainingConstants& all = trainingConstants();
  return Kernels(accelerator, StepConstants(all, all.numbersFor(accelerator.generation, configuration)), configuration);
}

}  // namespace p2::inline training
