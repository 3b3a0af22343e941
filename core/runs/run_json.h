// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "runs/run_record.h"
#include "runs/run_result.h"
#include "text/json_writer.h"

namespace p2::inline runs {

/// The prediction of a run, in seconds of one repetition.
struct RunPrediction {
  double seconds = 0;         ///< seconds of the whole program, in as many pieces as the run
  std::vector<double> steps;  ///< of each step, as many as the run has
};

/// The figures of a run as members of the object that is open in `json`, from "bytes" to "steps": the same in
/// every --json answer. With a prediction, "predicted_seconds" follows every "seconds".
/// Steps that overlapped have neither, and no bandwidths.
void writeRunFigures(JsonWriter& json, const RunResult& result, const RunPrediction* predicted = nullptr);

/// "setting": the options of a run, as a member of the object at hand.
void writeRunSetting(JsonWriter& json, const RunSetting& setting);

}  // namespace p2::inline runs
