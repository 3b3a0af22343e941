// SPDX-License-Identifier: GPL-3.0-or-later
// Lower bounds of steps, which need no played schedule.
#include "training/detail/step_bound.h"

#include <algorithm>
#include <cmath>

#include "base/near.h"
#include "training/detail/real.h"
#include "training/detail/step_schedule.h"
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

/// A step whose stages take these seconds, with the waiting for one another and the host's part.
double stepOf(const CostContext& context, double schedule) {
  return schedule * (1 + waitingShare(context)) + context.constants[StepConstant::StepFloor] +
         real(context.configuration.plan.microbatches) * context.constants[StepConstant::MicrobatchFloor];
}

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
// (3) above. Waiting makes it longer by waitingShare(), and the host's part of a step is added. Slots grow with prices.
double anyLayoutLowerBound(const CostContext& context, const PricedLayers& layers) {
  const TrainingConfiguration& run = context.configuration;
  const double recomputed = run.recomputedLayers == 0 ? 1 : 0;
  const auto experts = static_cast<double>(expertLayers(context.model, context.model.layers));
  const double work =
      layers.costOf(rangeOf(context, static_cast<double>(context.model.layers) - experts, experts, recomputed, true))
          .slot();
  const auto stages = static_cast<double>(run.plan.pipeline);
  const double microbatches = real(run.plan.microbatches);
  const bool waits = fillsAndDrains(run.schedule) && run.plan.pipeline > 1 && run.plan.chunks == 1;
  return stepOf(context, waits ? work / slotsInTime(microbatches, stages) : microbatches * work / stages);
}

// Proof. A stage is at work for its slots, in any order of sums up to rounding, which the factor takes off; with GPipe
// and 1F1B it also waits for the first microbatch, as pipelineLowerBound() says. Recomputation that the layout decides
// is left out, and so is what multi-token prediction adds to the last stage.
double layoutLowerBound(const CostContext& context, const PricedLayers& layers, const StageLayout& chunks) {
  const TrainingConfiguration& run = context.configuration;
  const auto slotOf = [](const LayerCost& layer, bool again) {
    return layer.forward.seconds() + layer.backward.seconds() + (again ? layer.again.seconds() : 0);
  };
  const bool again = run.recomputedLayers == 0;
  const double dense = slotOf(layers.dense, again) + layers.denseGathers;
  const double experts = slotOf(layers.expert, again) + layers.expertGathers;
  const auto stages = static_cast<std::size_t>(run.plan.pipeline);
  const bool returns = returnsThroughStages(run.schedule);
  std::vector<double> slots(stages, 0);
  double before = 0;
  double most = 0;
  std::int64_t after = 0;
  std::int64_t expertsBefore = 0;
  std::vector<double> first(stages, 0);
  for (std::size_t at = 0; at < chunks.size(); ++at) {
    const std::size_t within = at % stages;
    const std::size_t stage = returns && at / stages % 2 == 1 ? stages - 1 - within : within;
    after += chunks[at];
    const std::int64_t expertsAfter = context.model.experts > 0 ? expertLayers(context.model, after) : 0;
    const double mixtures = real(expertsAfter - expertsBefore);
    const double seconds = (static_cast<double>(chunks[at]) - mixtures) * dense + mixtures * experts +
                           (at + 1 == chunks.size() ? slotOf(layers.head, false) : 0);
    if (at < stages) first[stage] = seconds;
    slots[stage] += seconds;
    expertsBefore = expertsAfter;
  }
  const double microbatches = real(run.plan.microbatches);
  const bool waits = fillsAndDrains(run.schedule);
  for (std::size_t stage = 0; stage < stages; ++stage) {
    most = std::max(most, microbatches * slots[stage] + (waits ? before : 0));
    before += first[stage];
  }
  return safeLowerBound(stepOf(context, most));
}

}  // namespace p2::inline training
