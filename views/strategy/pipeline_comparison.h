// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "views/strategy/comparison_bars.h"
#include "views/strategy/pipeline_answer.h"
#include "views/strategy/strategy_answer.h"

namespace p2::views {

/// A pipeline that people choose without a search, and how it is cut.
struct PipelineBaselineAnswer {
  BaselineAnswer answer;
  std::int64_t stages = 0;
  std::string dealt;  ///< stageFactorsText()
};

/// Those of the question, with as many stages where it says how many. Errors: cancelled, and those of findPipeline();
/// others are the reasons of answers.
[[nodiscard]] Result<std::vector<PipelineBaselineAnswer>> pipelineBaselinesOf(const PipelineQuestion& question,
                                                                              const std::stop_token& stop,
                                                                              const Progress& progress);

/// Bars of a pipeline with several stages and of what it is measured against, to stand below those of the strategies
/// without stages. One stage is the best strategy itself, and no bar.
[[nodiscard]] std::vector<ComparisonBars::Bar> pipelineBars(const PipelineAnswer& pipeline,
                                                            const std::vector<PipelineBaselineAnswer>& baselines);

}  // namespace p2::views
