// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "training/step_log.h"
#include "training_answer/training_request.h"

namespace p2::inline training_answer {

/// A log of a training on the question's system, next to the prediction of its configuration without calibration.
struct MeasuredTraining {
  std::string file;
  StepLog log;
  PlannedConfiguration planned;
};

/// Measured steps and the error of predicting each from the others.
struct TrainingMeasurements {
  std::vector<MeasuredTraining> runs;
  StepCalibration calibration;
  double leftOut = 0;  ///< median of |ln(predicted / measured)|, each from the others; 0 for a single run
};

/// Reads a log, or a trace of the PyTorch profiler with ProfilerStep marks, whose configuration `choices` states, as
/// --fix does ("tp=8,pp=4"): the best of the question's configurations with these choices. Model, system, batch,
/// sequence and precision are the question's. Errors: a log without steps, choices that leave no configuration.
[[nodiscard]] Result<MeasuredTraining> measuredTraining(const std::string& file, const std::string& choices,
                                                        const TrainingInput& input, std::stop_token stop = {});
/// A log of a configuration that is priced already. Errors: a log without steps.
[[nodiscard]] Result<MeasuredTraining> measuredTraining(const std::string& file, PlannedConfiguration planned,
                                                        const TrainingInput& input);
/// Calibrates predictions for the system from its runs.
[[nodiscard]] TrainingMeasurements calibratedBy(std::vector<MeasuredTraining> runs);

}  // namespace p2::inline training_answer
