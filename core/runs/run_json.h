// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "runs/run_record.h"
#include "runs/run_result.h"
#include "text/document.h"

namespace p2::inline runs {

/// The prediction of a run, in seconds of one repetition.
struct RunPrediction {
  double seconds = 0;         ///< seconds of the whole program, in as many pieces as the run
  std::vector<double> steps;  ///< of each step, as many as the run has
};

/// The described keys of addRunFigures() and addRunSetting().
[[nodiscard]] std::vector<AnswerKey> runKeys();

/// Adds the figures of a run, from "bytes" to "steps": the same in every --json answer and file. With a prediction,
/// "predicted_seconds" follows every "seconds". Steps that overlapped have neither, and no bandwidths.
void addRunFigures(Document& document, const RunResult& result, const RunPrediction* predicted = nullptr);

/// Adds "setting": the options of a run.
void addRunSetting(Document& document, const RunSetting& setting);

}  // namespace p2::inline runs
