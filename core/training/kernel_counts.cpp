// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/kernel_counts.h"

#include <cmath>

#include "training/detail/model_work.h"
#include "training/detail/real.h"

namespace p2::inline training {

double busySeconds(const CostContext& context, double kernels, double launches, double started, double collectives) {
  const TrainingConfiguration& configuration = context.configuration;
  const StepConstants& constants = context.constants;
  const double jitter = 1 + constants[StepConstant::LaunchJitter] * std::log2(real(configuration.plan.tensor));
  const double device = kernels + launches * constants[StepConstant::KernelFloor];
  const double host =
      (started * constants[StepConstant::KernelLaunch] + collectives * constants[StepConstant::CollectiveLaunch]) *
      jitter;
  if (configuration.blockingLaunches) return device + host;
  return device * std::pow(1 + std::pow(host / device, 6), 1.0 / 6);
}

KernelCounts countKernels(const ModelShape& model, const TrainingConfiguration& configuration,
                          const TrainingAccelerator& accelerator, const StepConstants& constants,
                          KnownProducts* products) {
  const NoCommunication none;
  const CostContext context{model, configuration, accelerator, none, constants, products};
  KernelCounts made;
  made.dense = countLayer(context, false);
  if (model.experts > 0) {
    made.experts = countLayer(context, true);
    made.evenExperts = made.experts;
    if (configuration.expertImbalance > 1) {
      TrainingConfiguration even = configuration;
      even.expertImbalance = 1;
      made.evenExperts = countLayer({model, even, accelerator, none, constants, products}, true);
    }
  }
  made.head = countHead(context);
  if (configuration.predictedTokens > 0) made.projection = countProjection(context);
  const ModelWork work = workOf(model, configuration);
  made.flop = work.products + work.in16Bits;
  const double peak = peakOf(accelerator, configuration.precision);
  made.peakSeconds =
      (work.products / peak + work.in16Bits / accelerator.bf16) / static_cast<double>(devicesOf(configuration.plan));
  return made;
}

void keepCountedPart(TrainingConfiguration& configuration) {
  TrainingPlan& plan = configuration.plan;
  plan.data *= plan.pipeline;
  plan.pipeline = 1;
  plan.chunks = 1;
  plan.microbatches = 0;
  plan.replicas = 1;
  plan.zero = plan.zero == 3 ? 3 : 0;
  plan.reshard = true;
  plan.accumulate = false;
  plan.recompute = false;
  configuration.recomputation = RecomputeKind::None;
  configuration.recomputedModules = {};
  configuration.recomputedLayers = 0;
  configuration.schedule = ScheduleKind::OneF1B;
  configuration.layersPerStage.clear();
}

const KernelCounts& KernelCountCache::of(const TrainingConfiguration& configuration) {
  m_part = configuration;
  keepCountedPart(m_part);
  const TrainingPlan& plan = m_part.plan;
  Known& known = m_known[{plan.tensor, plan.context, plan.contextCollective, plan.microbatch, plan.expert,
                          plan.expertTensor, plan.sequenceParallel, plan.zero == 3, m_part.family, m_part.compiled}];
  // What else frameworks choose by themselves is compared whole.
  if (known.part != m_part) {
    known.counts = countKernels(m_model, m_part, m_accelerator, m_constants, &m_products);
    known.part = m_part;
  }
  return known.counts;
}

}  // namespace p2::inline training
