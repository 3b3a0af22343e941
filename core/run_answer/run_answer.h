// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/step_comparison.h"

namespace p2::inline run_answer {

/// A question about a measured run.
struct RunQuestion {
  std::vector<std::string> files;  ///< traces of its ranks; see readRunTraces()
  std::string plan;                ///< file of the plan or training plan that was run; empty for none
  friend bool operator==(const RunQuestion&, const RunQuestion&) = default;
};

/// A measured run next to its prediction.
struct RunAnswer {
  std::size_t ranks = 0;
  std::vector<MeasuredCollective> collectives;  ///< most expensive first
  std::vector<Timeline> timelines;              ///< predicted, if there is a plan, then measured
  std::optional<RecordedStep> step;             ///< with a training plan or ProfilerStep marks
  std::vector<StepPart> parts;                  ///< measured and predicted; empty without a training plan
  [[nodiscard]] const Timeline& measured() const { return timelines.back(); }
};

/// Errors: a file that is no trace or no plan (with its name), no file, cancelled. O(slices · log slices).
[[nodiscard]] Result<RunAnswer> answerRun(const RunQuestion& question, std::stop_token stop = {});

/// Joins the timelines: every timeline's tracks follow the tracks before.
[[nodiscard]] Timeline stacked(const std::vector<Timeline>& timelines);

}  // namespace p2::inline run_answer
