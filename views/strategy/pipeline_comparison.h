// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/strategy/comparison_bars.h"
#include "views/strategy/pipeline_answer.h"

namespace p2::views {

/// Baselines of the question, with its number of stages if given. Errors: cancelled, and errors of findPipeline();
/// others are the reasons of answers.
[[nodiscard]] Result<std::vector<StrategyBaseline>> pipelineBaselinesOf(const PipelineQuestion& question,
                                                                        const std::stop_token& stop,
                                                                        const Progress& progress);

/// Bars of a pipeline with several stages and of its baselines, below the bars of strategies
/// without stages. One stage is the best strategy itself, and no bar.
[[nodiscard]] std::vector<ComparisonBars::Bar> pipelineBars(const PipelineAnswer& pipeline,
                                                            const std::vector<StrategyBaseline>& baselines);

}  // namespace p2::views
