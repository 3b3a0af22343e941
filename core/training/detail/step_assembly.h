// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: the parts of a step, put together.
#pragma once

#include <vector>

#include "training/detail/once_a_step.h"
#include "training/step_detail.h"

namespace p2::inline training {

/// Puts the steps of one configuration together, for several placements and layouts of its stages: kernels are counted
/// once, communication once for each placement. Model, configuration, accelerator, constants and prices outlive it; the
/// configuration's own layout is not read.
class StepAssembly {
 public:
  StepAssembly(const ModelShape& model, const TrainingConfiguration& configuration,
               const TrainingAccelerator& accelerator, const StepConstants& constants, const KernelCounts& counts,
               const CommunicationPrices& prices);
  void setPrices(const CommunicationPrices& prices);
  void share(PlayedSchedules& played) { m_played = &played; }
  /// chunkLayers() of the configuration with a layout, under the prices. O(virtual stages).
  void setLayout(const StageLayout& chunks) { m_stages.set(context(), m_layers, chunks); }

  [[nodiscard]] CostContext context() const {
    return {m_model, m_configuration, m_accelerator, *m_prices, m_constants};
  }
  [[nodiscard]] const PricedLayers& layers() const { return m_layers; }

  // After setLayout().

  /// The time under the prices with pipelineLowerBound() in place of the played schedule. Without communication it is a
  /// lower bound for all prices: exposed parts are never negative; a gather and the computation that hides it take
  /// max + (1 − hidden) · min of both, which grows with either; slots of stages grow with their communication, and the
  /// schedule's bound with the slots. (A played zero-bubble schedule need not.)
  [[nodiscard]] double secondsAtLeast();
  /// Without interval. See estimateStep() for `enough`; a step whose bounds are below it is exact to `exactTo` as well.
  [[nodiscard]] StepEstimate estimate(double enough, double exactTo = 0);
  /// After estimate(), without the communication that computation hides.
  [[nodiscard]] StepDetail detail() const;

 private:
  void addMicrobatches();
  void addPipeline(bool bounds, double mostBubble);
  void addOnce(bool bounds);
  void expose(ExposedAxis axis, double seconds) { m_parts.exposed[static_cast<std::size_t>(axis)] += seconds; }

  const ModelShape& m_model;
  const TrainingConfiguration& m_configuration;
  const TrainingAccelerator& m_accelerator;
  const StepConstants& m_constants;
  const CommunicationPrices* m_prices;
  PlayedSchedules* m_played = nullptr;  ///< null outside a search
  KernelCounts m_counts;
  PricedLayers m_layers;
  LaidOutStages m_stages;
  std::vector<std::vector<StageWork>> m_work;
  // They add up during an estimate.
  StepParts m_parts;
  double m_slowest = 0;  ///< seconds of a microbatch on the slowest stage
  double m_waiting = 0;  ///< for other devices, and for slow kernels
  OnceAStep m_once;
};

}  // namespace p2::inline training
