// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QString>
#include <memory>
#include <optional>

#include "runs/measured_program.h"

namespace p2::views {

/// A run as shown: program, target, prediction and result. Cheap to copy.
struct RunRow {
  qint64 id = 0;  ///< among the runs that are kept; 0 before that
  QDateTime when;
  QString target;
  QString system;  ///< "gcp-a100:4"
  QString axes;    ///< "data 8 · model 2"
  QString matrix;
  QString program;                  ///< in DSL form
  QString plan;                     ///< the whole plan file
  std::optional<double> predicted;  ///< seconds of one repetition with the bytes that were run
  std::shared_ptr<const RunResult> result;
  QString problem;  ///< why there is no result
  std::optional<RunSetting> setting;

  void setResult(RunResult measured) { result = std::make_shared<const RunResult>(std::move(measured)); }
  [[nodiscard]] bool failed() const { return !result || result->wrongElements > 0; }
  /// Whether there is a time that was measured and one that was predicted.
  [[nodiscard]] bool isCompared() const { return result && predicted && result->seconds.median > 0; }
};

bool operator==(const RunRow& a, const RunRow& b);

/// A run that is kept under a number, as it is shown, and back.
[[nodiscard]] RunRow rowFrom(qint64 id, const RunRecord& record);
[[nodiscard]] RunRecord recordOf(const RunRow& row);
/// The measured part of a run; empty for runs that failed.
[[nodiscard]] std::optional<MeasuredProgram> measuredOf(const RunRow& row);

}  // namespace p2::views
