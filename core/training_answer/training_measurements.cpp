// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/training_measurements.h"

#include "text/text_file.h"
#include "workload/import/profiler_steps.h"

namespace p2::inline training_answer {

Result<MeasuredTraining> measuredTraining(const std::string& file, PlannedConfiguration planned,
                                          const TrainingInput& input) {
  if (isProfilerTrace(file)) {
    P2_TRY_ASSIGN(auto seconds, profilerStepSeconds(file).within(file));
    return MeasuredTraining{file, stepLogOf("PyTorch profiler", std::move(seconds)), std::move(planned)};
  }
  P2_TRY_ASSIGN(const auto text, readTextFile(file));
  const TrainingQuestion& question = input.question;
  const LoggedSizes sizes{question.batch, question.sequence, question.system.deviceCount()};
  P2_TRY_ASSIGN(auto log, stepLogFrom(text, sizes).within(file));
  return MeasuredTraining{file, std::move(log), std::move(planned)};
}

Result<MeasuredTraining> measuredTraining(const std::string& file, const std::string& choices,
                                          const TrainingInput& input, std::stop_token stop) {
  TrainingInput stated = input;
  P2_TRY_ASSIGN(stated.question.fixed, fixedChoicesFrom(choices).within(file));
  stated.question.best = 1;
  stated.question.calibration = {};
  P2_TRY_ASSIGN(auto answer, answerTraining(stated, std::move(stop)).within(file));
  return measuredTraining(file, std::move(answer.configurations.front()), input);
}

TrainingMeasurements calibratedBy(std::vector<MeasuredTraining> runs) {
  std::vector<MeasuredStep> steps;
  for (const MeasuredTraining& run : runs) {
    steps.push_back({run.planned.estimate.seconds, run.log.median, partShares(run.planned.estimate)});
  }
  return {std::move(runs), calibrationOf(steps), leftOutError(steps)};
}

}  // namespace p2::inline training_answer
