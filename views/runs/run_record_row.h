// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QString>
#include <optional>

#include "remote/run_record.h"

namespace p2::views {

/// A run as it is kept: what was run and where, what was expected, and what came of it.
struct RunRow {
  qint64 id = 0;  ///< in the store; 0 when it is not there
  QDateTime when;
  QString target;
  QString system;  ///< "gcp-a100:4"
  QString axes;    ///< "data 8 · model 2"
  QString matrix;
  QString program;       ///< in DSL form
  QString plan;          ///< the whole plan file
  double predicted = 0;  ///< seconds of one repetition with the bytes that were run
  std::optional<RunResult> result;
  QString problem;  ///< why there is no result

  [[nodiscard]] bool failed() const { return !result || result->wrongElements > 0; }
  friend bool operator==(const RunRow&, const RunRow&) = default;
};

}  // namespace p2::views
