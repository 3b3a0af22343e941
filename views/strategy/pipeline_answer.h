// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <optional>

#include "strategy_answer/pipeline_answer.h"
#include "views/strategy/strategy_loading.h"

namespace p2::views {

/// The pipeline of a question's graph that is asked for.
struct PipelineQuestion {
  StrategyQuestion strategy;
  std::optional<std::int64_t> stages;  ///< none for the best number
  friend bool operator==(const PipelineQuestion&, const PipelineQuestion&) = default;
};

/// Facts about the pipeline, a sentence each.
[[nodiscard]] QStringList pipelineWords(const PipelineAnswer& answer);
/// Unmodelled effects of its price, a sentence each.
[[nodiscard]] QStringList unmodelledEffectsText(const PipelineAnswer& answer);
/// "stage 3 of 16, microbatch 5 back: 13.4 ms from 2.10 s on".
[[nodiscard]] QString cellText(const PipelineAnswer& answer, std::size_t stage, const PipelineCell& cell);

/// Errors of answerPipeline().
[[nodiscard]] Result<PipelineAnswer> findPipeline(const PipelineQuestion& question, const std::stop_token& stop,
                                                  const Progress& progress);

}  // namespace p2::views
