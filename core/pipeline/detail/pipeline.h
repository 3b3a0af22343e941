// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "pipeline/detail/stage_answer.h"

namespace p2::inline pipeline {

/// One stage of a pipeline that was found.
struct PipelineStage {
  std::size_t first = 0;  ///< pieces of the chain
  std::size_t end = 0;
  StageGraph part;
  std::shared_ptr<const StageAnswer> answer;
  Mapping mapping;  ///< its strategy in all slots of a step
  StageSends sends;
  StageTimes times;
  std::int64_t inFlight = 1;
  StepMemory memory;  ///< of each device

  [[nodiscard]] const MappedProblem& mapped() const { return answer->solution.mapped; }
};

/// A graph cut into stages, each with its devices, its mesh and its strategy.
struct Pipeline {
  PipelineSetting setting;
  std::vector<PipelineStage> stages = {};
  double cost = 0;               ///< seconds of a step as it is played: playedSeconds()
  double lowerBound = 0;         ///< no pipeline costs less, among those that are asked for
  bool optimal = false;          ///< whether the lower bound is the cost
  bool fits = true;              ///< false: none fits the memory, and this one was asked for without a bound
  std::size_t arrangements = 0;  ///< numbers of stages and divisions of the devices that were compared
  std::size_t solved = 0;        ///< stages on meshes that were solved; others have the shape of one of them

  [[nodiscard]] std::int64_t slotCount() const { return setting.options.microbatches; }
  /// The stage that bounds the step.
  [[nodiscard]] std::size_t slowest() const;
  /// Share of the slots in which a stage waits: (stages − 1) / (microbatches + stages − 1).
  [[nodiscard]] double bubbleShare() const;
  /// Seconds that the slowest stage waits.
  [[nodiscard]] double bubbleSeconds() const;
  [[nodiscard]] std::vector<StageTimes> times() const;
};

/// Completes the stage of that number from its pieces, its graph and its answer. Errors of
/// mappingOf() and of the pricer.
[[nodiscard]] Result<PipelineStage> completedStage(const PipelineSetting& setting, PipelinePricer& pricer,
                                                   std::size_t number, PipelineStage stage);
/// As above, for a chain that is cut at stages + 1 numbers of pieces.
[[nodiscard]] Result<PipelineStage> stageOfCuts(const PipelineChain& chain, const PipelineSetting& setting,
                                                PipelinePricer& pricer, const std::vector<std::size_t>& cuts,
                                                std::size_t number, std::shared_ptr<const StageAnswer> answer);

/// Split of the cost of the slowest stage in all slots; its sends count as resharding.
[[nodiscard]] CostSplit splitOf(const Pipeline& pipeline);
/// Memory of each device of the stage that needs most.
[[nodiscard]] Bytes memoryOf(const Pipeline& pipeline);

/// Unmodelled effects of a pipeline's cost, on top of meshUnmodelledEffects(), as the end of "not modelled: …".
[[nodiscard]] std::string pipelineUnmodelledEffects();

}  // namespace p2::inline pipeline
