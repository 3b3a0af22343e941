// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/pipeline_solver.h"
#include "strategy_answer/strategy_baselines.h"
#include "workload/sources.h"

namespace p2::inline strategy_answer {

/// The pipeline of a graph that is asked for.
struct PipelineSearch {
  std::optional<std::int64_t> stages = {};  ///< empty: the best number
  SolveOptions solving = {};
  std::optional<StrategyPlan> plan = {};  ///< with stages: it is priced instead of a search
};

/// The best pipeline of a question's graph, or the given one, and a step of it as it is played.
struct PipelineAnswer {
  StrategyInput input;
  Pipeline pipeline;
  std::optional<PipelineSchedule> schedule;  ///< empty: too many microbatches to play
  bool evaluated = false;                    ///< it was given, not found

  [[nodiscard]] const ComputationGraph& graph() const { return *input.graph; }
  /// Per operator of the graph its stage, counted from 0.
  [[nodiscard]] std::vector<std::size_t> stagesOfOperators() const;
  /// The stage whose devices hold most.
  [[nodiscard]] std::size_t fullest() const;
};

/// The degrees of the stage that bounds the step: "pipeline", and its mesh's axes by name. Other stages may have other
/// meshes.
[[nodiscard]] std::vector<Axis> degreesOf(const Pipeline& pipeline);

/// Whether a question can have a pipeline. Errors: cost tables, a model without a system.
[[nodiscard]] Result<void> checkPipelined(const StrategyInput& input);

/// Errors: of checkPipelined(), solvePipeline() or pipelineOfPlan(), cancelled.
[[nodiscard]] Result<PipelineAnswer> pipelineAnswer(StrategyInput input, const PipelineSearch& search,
                                                    StrategyPrices& prices, const std::stop_token& stop = {},
                                                    const Progress& progress = {});
/// Reads the question's graph first; prices of its own.
[[nodiscard]] Result<PipelineAnswer> answerPipeline(const StrategyQuestion& question, const PipelineSearch& search,
                                                    const std::stop_token& stop = {}, const Progress& progress = {});

/// Common pipelines as baselines, with that number of stages or else the best: pipelineBaseline().
/// Errors: checkPipelined(), cancelled; others are the reasons of baselines.
[[nodiscard]] Result<std::vector<StrategyBaseline>> pipelineBaselinesOf(const StrategyInput& input,
                                                                        std::optional<std::int64_t> stages,
                                                                        StrategyPrices& prices,
                                                                        const std::stop_token& stop = {},
                                                                        const Progress& progress = {});
/// The best strategy without stages, under the name "one stage". Errors: as above.
[[nodiscard]] Result<StrategyBaseline> oneStageOf(const StrategyInput& input, StrategyPrices& prices,
                                                  const std::stop_token& stop = {}, const Progress& progress = {});

/// Communication of a step: in the slowest stage, and along the pipeline. Errors: nothing is communicated.
[[nodiscard]] Result<WorkloadSource> workloadOf(const PipelineAnswer& answer);

}  // namespace p2::inline strategy_answer
