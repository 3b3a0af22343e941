// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/runs/run_record_row.h"

namespace p2::test {

/// A run that took `median` seconds and was predicted to take `predicted`.
inline views::RunRow runRow(double median, double predicted, const QString& program = "root:InsideGroup:AllReduce") {
  views::RunRow row;
  row.when = QDateTime::fromMSecsSinceEpoch(1'700'000'000'000);
  row.target = "local";
  row.system = "gcp-a100:2";
  row.axes = "data 8 ∑";
  row.matrix = "[[2,4]]";
  row.program = program;
  row.plan = "{\"format\": \"p2-plan\"}";
  row.predicted = predicted;
  row.setResult({"mpi",
                 "Open MPI 4.1.4",
                 "0.1.0",
                 "af63dc4c8601ec8c",
                 {"n0", "n0"},
                 Bytes(4096),
                 3,
                 0,
                 {median / 2, median, median * 2},
                 {{"AllReduce", 2, Bytes(4096), {1, 2, 3}, 2048, 2048}}});
  return row;
}

inline views::RunRow failedRow(const QString& problem) {
  views::RunRow row = runRow(1, 1);
  row.result.reset();
  row.predicted.reset();
  row.problem = problem;
  return row;
}

/// The same under an id.
inline views::RunRow numbered(qint64 id, views::RunRow row) {
  row.id = id;
  return row;
}

}  // namespace p2::test
