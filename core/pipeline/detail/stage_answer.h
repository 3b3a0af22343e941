// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "mapping/mapped_solver.h"
#include "mapping/mapping.h"
#include "pipeline/detail/pipeline_chain.h"
#include "pipeline/detail/pipeline_schedule.h"
#include "pipeline/pipeline_prices.h"

namespace p2::inline pipeline {

/// Number of stages of a pipeline, their devices, and the slots of a step.
struct PipelineSetting {
  StageFactors factors;
  GraphCostOptions options;  ///< for one stage: its devices, and the slots of a step as passes
  std::int64_t stages = 1;
  std::int64_t microbatches = 1;
  std::vector<Mesh> meshes;  ///< for one stage

  /// `options` describe the whole graph: their passes are the microbatches.
  PipelineSetting(const System& system, const GraphCostOptions& options, StageFactors factors);
};

/// The best strategy of a stage, on its mesh. Its cost covers all slots and the communication once per step.
struct StageAnswer {
  MappedSolution solution;
  double kept = 0;         ///< bytes on each device, however many passes are in flight
  double activations = 0;  ///< bytes on each device for every pass in flight
  bool free = false;       ///< it would be the best however much memory there were
  [[nodiscard]] const Strategy& strategy() const { return solution.bounded.solution.strategies.front(); }
  [[nodiscard]] double cost() const { return strategy().cost; }
  [[nodiscard]] double lowerBound() const { return solution.bounded.lowerBound; }
  [[nodiscard]] double memory(std::int64_t inFlight) const {
    return kept + static_cast<double>(inFlight) * activations;
  }
};

/// Bytes on each device of a stage of a tensor that enters or leaves it, when its end is cut into these parts.
[[nodiscard]] Bytes partOfEnd(const Operator& end, const Configuration& parts, Bytes bytesPerElement);

/// Sends of one slot of a stage under a strategy.
struct StageSends {
  Bytes forward;  ///< from each device
  Bytes backward;
  double forwardSeconds = 0;
  double backwardSeconds = 0;
};
/// The sends of a stage whose answer is known. Errors of the pricer.
[[nodiscard]] Result<StageSends> sendsOf(const StageGraph& stage, const PipelineSetting& setting,
                                         const StageAnswer& answer, PipelinePricer& pricer);
/// Seconds of a stage within a slot, forward and backward, and once per step. `mapping` belongs to its answer. Sums of
/// statistics, partial sums and the gathers of ZeRO 3 count half to either pass.
[[nodiscard]] StageTimes timesOf(const PipelineSetting& setting, const Mapping& mapping, const StageSends& sends);
/// Memory of each device with `inFlight` microbatches in flight.
[[nodiscard]] StepMemory memoryOf(const StageGraph& stage, const PipelineSetting& setting, const StageAnswer& answer,
                                  std::int64_t inFlight);

}  // namespace p2::inline pipeline
