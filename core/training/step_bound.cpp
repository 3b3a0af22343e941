// SPDX-License-Identifier: GPL-3.0-or-later
// Lower bounds of steps that need no layout of the stages.
#include <algorithm>
#include <cmath>

#include "base/near.h"
#include "training/detail/step_assembly.h"
#include "training/planner.h"

namespace p2::inline training {
namespace {

/// Whether a stage waits for the first microbatch to come forward through the stages before it, and these take the last
/// one back after it.
bool fillsAndDrains(ScheduleKind schedule) {
  return schedule == ScheduleKind::OneF1B || schedule == ScheduleKind::GPipe;
}

/// Slots of all stages, in a schedule of stages with one chunk each and unknown layout, over its time.
double slotsInTime(double microbatches, double stages) { return 1 - std::pow(1 - 1 / microbatches, stages); }

}  // namespace

// Proof. estimateStep() adds up parts that are never negative, among them, in the mean of all devices,
// (1) the products of the model: Kernels::seconds() divides their FLOP by peak · efficiency and multiplies by factors
// of at
//     least 1 (waves, depth, alignment, clock); grouped products are slower still;
// (2) attention: forward FLOP over its share of the peak, and 2.5 times as many over that share times AttentionBack;
//     modelFlop() counts twice the forward ones for the backward pass. Unfused it is a product without the half that
//     causality saves.
// Both take at least FLOP / (highest peak · highest efficiency). Full recomputation adds a third of the
// products that run again: all but the head's and, with XLA, but the last one of each dense layer.
// (3) The schedule of GPipe and 1F1B. Stage s, with t_s seconds of a microbatch in all its chunks, begins when the
// first microbatch has come forward through the first chunks of the stages before it, and these take the last one back
// after it. Where all chunks have the same layers, the last stage has the mean of the others and the head on top: m
// slots of the last stage and (p − 1) / v slots of the others. Where the layout is not known and a stage has one chunk,
// with W the sum of all t_s and T the time of the schedule, m·t_s + Σ t_i (i < s) ≤ T for every s. By induction Σ t_i
// (i ≤ s) ≤ T·(1 − (1 − 1/m)^(s+1)): what stage s adds is at most 1/m of what T leaves. So T ≥ W / (1 − (1 − 1/m)^p),
// which is more than the m·W/p of a schedule without bubble.
double stepLowerBound(const ModelShape& model, const TrainingConfiguration& configuration,
                      const TrainingAccelerator& accelerator, const StepConstants& values, bool anyLayout) {
  const TrainingPlan& plan = configuration.plan;
  const double attention = values[StepConstant::Attention];
  const double efficiency = std::max({values[StepConstant::Products], values[StepConstant::HeadProducts], attention,
                                      attention * values[StepConstant::AttentionBack] * 2 / 2.5});
  const double peak = std::max(peakOf(accelerator, configuration.precision), accelerator.bf16);
  const auto devices = static_cast<double>(devicesOf(plan));
  const double ideal = modelFlop(model, configuration) / (devices * peak * std::min(1.0, efficiency));
  const bool again = configuration.recomputation == RecomputeKind::Full && configuration.recomputedLayers == 0;
  // Attention only adds to the share of everything but the head.
  const double head = static_cast<double>(model.hidden) * static_cast<double>(model.vocabulary);
  const auto products = static_cast<double>(activeParameters(model) - embeddingParameters(model));
  const double body = std::max(0.0, 1 - head / products);
  const double dropped = configuration.family == FrameworkFamily::Jax
                             ? static_cast<double>(model.hidden) * static_cast<double>(model.ffn) *
                                   static_cast<double>(model.layers - expertLayers(model, model.layers))
                             : 0;
  const double repeated = std::max(0.0, 1 - (head + dropped) / products);
  const double bound = ideal * (again ? 1 + repeated / 3 : 1);
  if (!fillsAndDrains(configuration.schedule) || plan.pipeline == 1) return bound;
  const auto stages = static_cast<double>(plan.pipeline);
  const auto microbatches = static_cast<double>(plan.microbatches);
  if (anyLayout) {
    return plan.chunks > 1 ? bound : bound * stages / microbatches / slotsInTime(microbatches, stages);
  }
  const bool same = configuration.layersPerStage.empty() && configuration.predictedTokens == 0 &&
                    model.layers % (plan.pipeline * plan.chunks) == 0 && (model.experts == 0 || model.denseLayers == 0);
  if (!same) return bound;
  return bound * (1 + body * (stages - 1) / (static_cast<double>(plan.chunks) * microbatches));
}

// Proof. Stages together take W, the slots of all layers and of the head. The step without what occurs once takes m
// slots of its slowest stage, which has at least the mean W / p, and with GPipe and 1F1B of one chunk each the time of
// (3) above. Waiting makes it longer by stretch(), and the host's part of a step is added. Slots grow with prices.
double StepAssembly::secondsOfAnyLayout() const {
  const double recomputed = m_configuration.recomputedLayers == 0 ? 1 : 0;
  const auto experts = static_cast<double>(expertLayers(m_model, m_model.layers));
  const double work = costOf(rangeOf(static_cast<double>(m_model.layers) - experts, experts, recomputed, true)).slot();
  const auto stages = static_cast<double>(m_plan.pipeline);
  const bool waits = fillsAndDrains(m_configuration.schedule) && m_plan.pipeline > 1 && m_plan.chunks == 1;
  return stepOf(waits ? work / slotsInTime(m_microbatches, stages) : m_microbatches * work / stages);
}

/// A step whose stages take these seconds, with the waiting for one another and the host's part.
double StepAssembly::stepOf(double schedule) const {
  return schedule * (1 + stretch()) + m_constants[StepConstant::StepFloor] +
         m_microbatches * m_constants[StepConstant::MicrobatchFloor];
}

// Proof. A stage is at work for its slots, in any order of sums up to rounding, which the factor takes off; with GPipe
// and 1F1B it also waits for the first microbatch, as pipelineLowerBound() says. Recomputation that the layout decides
// is left out, and so is what multi-token prediction adds to the last stage.
double StepAssembly::scheduleAtLeast(const StageLayout& chunks) const {
  const auto slotOf = [](const LayerCost& layer, bool again) {
    return layer.forward.seconds() + layer.backward.seconds() + (again ? layer.again.seconds() : 0);
  };
  const bool again = m_configuration.recomputedLayers == 0;
  const double dense = slotOf(m_dense, again) + m_denseGathers;
  const double experts = slotOf(m_expert, again) + m_expertGathers;
  const auto stages = static_cast<std::size_t>(m_plan.pipeline);
  const bool returns = returnsThroughStages(m_configuration.schedule);
  std::vector<double> slots(stages, 0);
  double before = 0;
  double most = 0;
  std::int64_t layers = 0;
  std::int64_t expertsBefore = 0;
  std::vector<double> first(stages, 0);
  for (std::size_t at = 0; at < chunks.size(); ++at) {
    const std::size_t within = at % stages;
    const std::size_t stage = returns && at / stages % 2 == 1 ? stages - 1 - within : within;
    layers += chunks[at];
    const std::int64_t after = m_model.experts > 0 ? expertLayers(m_model, layers) : 0;
    const auto mixtures = static_cast<double>(after - expertsBefore);
    const double seconds = (static_cast<double>(chunks[at]) - mixtures) * dense + mixtures * experts +
                           (at + 1 == chunks.size() ? slotOf(m_head, false) : 0);
    if (at < stages) first[stage] = seconds;
    slots[stage] += seconds;
    expertsBefore = after;
  }
  const bool waits = fillsAndDrains(m_configuration.schedule);
  for (std::size_t stage = 0; stage < stages; ++stage) {
    most = std::max(most, m_microbatches * slots[stage] + (waits ? before : 0));
    before += first[stage];
  }
  return safeLowerBound(stepOf(most));
}

}  // namespace p2::inline training
