// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "pipeline/stage_answer.h"

namespace p2 {

/// One stage of a pipeline that was found.
struct PipelineStage {
  std::size_t first = 0;  ///< pieces of the chain
  std::size_t end = 0;
  StageGraph part;
  std::shared_ptr<const StageAnswer> answer;
  Mapping mapping;  ///< of its strategy, in all slots of a step
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
  double cost = 0;        ///< seconds of a step: the largest of its stages' costs
  double lowerBound = 0;  ///< no pipeline costs less, among those that are asked for
  bool optimal = false;
  bool fits = true;              ///< false: none fits the memory, and this one was asked for without a bound
  std::size_t arrangements = 0;  ///< numbers of stages, and ways to deal devices to them, that were compared
  std::size_t solved = 0;        ///< stages on meshes that were solved; others have the shape of one of them

  [[nodiscard]] std::int64_t slotCount() const { return setting.options.passes; }
  /// The stage that bounds the step.
  [[nodiscard]] std::size_t slowest() const;
  /// Of all slots those that a stage waits through: (stages − 1) / (microbatches + stages − 1).
  [[nodiscard]] double bubbleShare() const;
  /// Seconds that the slowest stage waits.
  [[nodiscard]] double bubbleSeconds() const;
  [[nodiscard]] std::vector<StageTimes> times() const;
};

/// The stage of that number with all that follows from its pieces, its graph and its answer. Errors: those of
/// mappingOf() and of the pricer.
[[nodiscard]] Result<PipelineStage> completedStage(const PipelineSetting& setting, PipelinePricer& pricer,
                                                   std::size_t number, PipelineStage stage);
/// The same of a chain that is cut, by stages + 1 numbers of pieces.
[[nodiscard]] Result<PipelineStage> stageOfCuts(const PipelineChain& chain, const PipelineSetting& setting,
                                                PipelinePricer& pricer, const std::vector<std::size_t>& cuts,
                                                std::size_t number, std::shared_ptr<const StageAnswer> answer);

/// Where the cost goes: that of the slowest stage in all slots, whose sends are an exchange.
[[nodiscard]] CostSplit splitOf(const Pipeline& pipeline);
/// Of each device of the stage that needs most.
[[nodiscard]] Bytes memoryOf(const Pipeline& pipeline);

/// What a pipeline's cost says nothing of, as the end of "leaves out …"; on top of meshUnmodelledEffects().
[[nodiscard]] std::string pipelineUnmodelledEffects();

}  // namespace p2
