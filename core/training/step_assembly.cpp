// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/step_assembly.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/near.h"
#include "training/detail/kernel_losses.h"
#include "training/detail/real.h"
#include "training/detail/step_schedule.h"

namespace p2::inline training {
namespace {

constexpr double kAnyEstimate = std::numeric_limits<double>::infinity();

}  // namespace

StepAssembly::StepAssembly(const ModelShape& model, const TrainingConfiguration& configuration,
                           const TrainingAccelerator& accelerator, const StepConstants& constants,
                           const KernelCounts& counts, const CommunicationPrices& prices)
    : m_model(model),
      m_configuration(configuration),
      m_accelerator(accelerator),
      m_constants(constants),
      m_prices(&prices),
      m_counts(counts),
      m_layers(priceLayers(context(), counts)) {}

void StepAssembly::setPrices(const CommunicationPrices& prices) {
  m_prices = &prices;
  m_layers = priceLayers(context(), m_counts);
}

double StepAssembly::secondsAtLeast() {
  addMicrobatches();
  addPipeline(true, kAnyEstimate);
  addOnce(true);
  return m_parts.sum();
}

StepEstimate StepAssembly::estimate(double enough, double exactTo) {
  StepEstimate made;
  made.flop = m_counts.flop;
  addMicrobatches();
  // All parts are positive, so that sums without some of them are lower bounds. The schedule costs most to find.
  const StepParts before = m_parts;
  if (m_parts.sum() <= enough) {
    const TrainingPlan& plan = m_configuration.plan;
    const bool bounds = std::isfinite(enough) && plan.pipeline > 1;
    addPipeline(bounds, kAnyEstimate);
    addOnce(false);
    if (bounds && m_parts.sum() <= enough) {
      // Waiting for one another makes the bubble longer; the other parts do not depend on it.
      const double most = (std::max(enough, exactTo) - m_parts.sum()) / (1 + waitingShare(context()));
      const double bubble = m_parts.bubble + most;
      m_parts = before;
      addPipeline(false, bubble);
      addOnce(false);
    }
  }
  made.parts = m_parts;
  made.seconds = m_parts.sum();
  const double devices = real(devicesOf(m_configuration.plan));
  made.mfu = made.flop / (devices * peakOf(m_accelerator, m_configuration.precision) * made.seconds);
  made.tokensPerSecond = real(m_configuration.plan.globalBatch) * real(m_configuration.plan.sequence) / made.seconds;
  return made;
}

StepDetail StepAssembly::detail() const {
  StepDetail made;
  made.schedule = m_configuration.schedule;
  made.chunks = scheduledChunks(m_configuration);
  made.microbatches = m_configuration.plan.microbatches;
  for (std::size_t stage = 0; stage < m_stages.costs().size(); ++stage) {
    made.stages.push_back(stageDetail(context(), m_stages, stage));
  }
  made.dataExposed = m_once.data;
  made.endsExposed = m_once.ends;
  made.waiting = m_waiting;
  made.optimizer = m_once.optimizer;
  made.host = m_once.host;
  made.losses = kernelLosses(context(), m_counts, m_layers, m_stages);
  return made;
}

/// The mean of all stages, times microbatches.
void StepAssembly::addMicrobatches() {
  m_parts = {};
  m_slowest = m_waiting = 0;
  m_once = {};
  StageCost sum;
  for (const StageCost& stage : m_stages.costs()) {
    sum += stage;
    m_slowest = std::max(m_slowest, stage.slot());
  }
  const double microbatches = real(m_configuration.plan.microbatches);
  const double each = microbatches / real(m_configuration.plan.pipeline);
  const double mean = sum.slot() / real(m_configuration.plan.pipeline);
  const double kernels = (sum.forward.kernels + sum.backward.kernels - sum.overloadKernels) * each;
  const double busy = (sum.forward.busy + sum.backward.busy - sum.overload) * each;
  m_parts.compute = m_counts.peakSeconds;
  m_parts.inefficiency = kernels - m_parts.compute;
  m_parts.host = busy - kernels;
  m_parts.recompute = sum.again.busy * each;
  expose(ExposedAxis::Tensor, (sum.forward.tensor + sum.backward.tensor + sum.again.tensor) * each);
  expose(ExposedAxis::Context, (sum.forward.context + sum.backward.context + sum.again.context) * each);
  expose(ExposedAxis::Expert, (sum.forward.expert + sum.backward.expert + sum.again.expert) * each);
  expose(ExposedAxis::Data, sum.gatherShown * each);
  m_parts.imbalance = microbatches * (m_slowest - mean) + sum.overload * each;
}

/// `bounds`: with a lower bound of the schedule instead of the played one. A bubble above `mostBubble` may be any that
/// is.
void StepAssembly::addPipeline(bool bounds, double mostBubble) {
  const TrainingPlan& plan = m_configuration.plan;
  if (plan.pipeline == 1) return;
  const ScheduleKind schedule = m_configuration.schedule;
  setWork(m_work, context(), m_stages);
  const bool dual = schedule == ScheduleKind::DualPipe;
  const double microbatches = real(plan.microbatches);
  const double messages =
      2 * messageSeconds(context()) * real(dual ? 1 : scheduledChunks(m_configuration)) * microbatches;
  expose(ExposedAxis::Pipeline, messages);
  const double busy = messages + microbatches * m_slowest;
  const double seconds = bounds ? pipelineLowerBound(schedule, m_work, plan.microbatches)
                                : pipelineSeconds(schedule, m_work, plan.microbatches, 0, busy + mostBubble, m_played);
  m_parts.bubble = definitelyLess(busy, seconds) ? seconds - busy : 0;
}

void StepAssembly::addOnce(bool bounds) {
  const double slowKernels = m_configuration.deterministic ? m_constants[StepConstant::Deterministic] - 1 : 0;
  const double slower = slowKernels * (m_parts.compute + m_parts.inefficiency);
  const double waiting = waitingShare(context()) * m_parts.sum();
  m_parts.inefficiency += slower;
  m_parts.imbalance += waiting;
  m_waiting = slower + waiting;
  m_once = onceAStep(context(), m_layers, m_stages, bounds);
  expose(ExposedAxis::Data, m_once.data);
  expose(ExposedAxis::Pipeline, m_once.ends);
  m_parts.optimizer = m_once.optimizer;
  m_parts.host += m_once.host;
}

}  // namespace p2::inline training
