// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "mapping/mapped_solver.h"
#include "mapping/mapping.h"
#include "pipeline/pipeline_chain.h"
#include "pipeline/pipeline_prices.h"
#include "pipeline/pipeline_schedule.h"

namespace p2 {

/// How many stages a pipeline has, on which devices each lies, and how often each works in a step.
struct PipelineSetting {
  StageFactors factors;
  GraphCostOptions options;  ///< of one stage: its devices, and the slots of a step as passes
  std::int64_t stages = 1;
  std::int64_t microbatches = 1;
  std::vector<Mesh> meshes;  ///< of one stage

  /// `options` are those of the whole: their passes are the microbatches.
  PipelineSetting(const System& system, const GraphCostOptions& options, StageFactors factors);
};

/// The best strategy of a stage, on its mesh. Its cost is that of all slots and of what happens once.
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

/// What each device of a stage has of a tensor that comes in or goes out, whose end is cut into these parts.
[[nodiscard]] Bytes partOfEnd(const Operator& end, const Configuration& parts, Bytes bytesPerElement);

/// What one slot of a stage sends under a strategy.
struct StageSends {
  Bytes forward;  ///< of each device
  Bytes backward;
  double forwardSeconds = 0;
  double backwardSeconds = 0;
};
/// The sends of a stage whose answer is known. Errors: those of the pricer.
[[nodiscard]] Result<StageSends> sendsOf(const StageGraph& stage, const PipelineSetting& setting,
                                         const StageAnswer& answer, PipelinePricer& pricer);
/// What a stage does within a slot, forward and backward, and once a step. `mapping` is that of its answer. Sums of
/// statistics, partial sums and what ZeRO 3 gathers count half and half.
[[nodiscard]] StageTimes timesOf(const StageGraph& stage, const PipelineSetting& setting, const Mapping& mapping,
                                 const StageSends& sends);
/// What each device holds, with so many passes in flight.
[[nodiscard]] StepMemory memoryOf(const StageGraph& stage, const PipelineSetting& setting, const StageAnswer& answer,
                                  std::int64_t inFlight);

}  // namespace p2
