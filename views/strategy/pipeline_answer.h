// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <optional>

#include "pipeline/pipeline_solver.h"
#include "views/strategy/strategy_loading.h"

namespace p2::views {

/// Which pipeline of a question's graph is wanted.
struct PipelineQuestion {
  StrategyQuestion strategy;
  std::optional<std::int64_t> stages;  ///< nothing for the best number
  friend bool operator==(const PipelineQuestion&, const PipelineQuestion&) = default;
};

/// A pipeline that was found, and a step of it as it is played.
struct PipelineAnswer {
  ComputationGraph graph;
  System system;
  Pipeline pipeline;
  std::optional<PipelineSchedule> schedule;  ///< nothing where it has too many passes to be drawn
  ExploreOptions pricing = {};               ///< of its collectives
  Bytes memoryLimit = Bytes(0);              ///< that a stage may take of each device; 0 for any number

  /// Per operator of the graph its stage, counted from 0.
  [[nodiscard]] std::vector<std::size_t> stagesOfOperators() const;
  /// What is known of the whole, a sentence each.
  [[nodiscard]] QStringList words() const;
  /// "stage 3 of 16, microbatch 5 back: 13.4 ms from 2.10 s on".
  [[nodiscard]] QString textOf(std::size_t stage, const PipelineCell& cell) const;
};

/// Finds it. Errors: the graph's, a model that knows no system, those of solvePipeline().
[[nodiscard]] Result<PipelineAnswer> findPipeline(const PipelineQuestion& question, const std::stop_token& stop,
                                                  const Progress& progress);

}  // namespace p2::views
