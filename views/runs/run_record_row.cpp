// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/run_record_row.h"

#include <tuple>

#include "views/common/text.h"

namespace p2::views {
namespace {

auto fieldsOf(const RunRow& row) {
  return std::tie(row.id, row.when, row.target, row.system, row.axes, row.matrix, row.program, row.plan, row.predicted,
                  row.problem, row.setting);
}

}  // namespace

bool operator==(const RunRow& a, const RunRow& b) {
  const bool sameResult = a.result == b.result || (a.result && b.result && *a.result == *b.result);
  return sameResult && fieldsOf(a) == fieldsOf(b);
}

RunRow rowFrom(qint64 id, const RunRecord& record) {
  RunRow row;
  row.id = id;
  if (record.when) row.when = QDateTime::fromMSecsSinceEpoch(record.when->time_since_epoch().count());
  row.target = qs(record.target);
  row.system = qs(record.system);
  row.axes = qs(record.axes);
  row.matrix = qs(record.matrix);
  row.program = qs(record.program);
  row.plan = qs(record.plan);
  row.predicted = record.predicted;
  if (record.result) row.setResult(*record.result);
  row.problem = qs(record.problem);
  row.setting = record.setting;
  return row;
}

RunRecord recordOf(const RunRow& row) {
  RunRecord record;
  if (row.when.isValid()) record.when = RunRecord::Time(std::chrono::milliseconds(row.when.toMSecsSinceEpoch()));
  record.target = row.target.toStdString();
  record.system = row.system.toStdString();
  record.axes = row.axes.toStdString();
  record.matrix = row.matrix.toStdString();
  record.program = row.program.toStdString();
  record.plan = row.plan.toStdString();
  record.predicted = row.predicted;
  if (row.result) record.result = *row.result;
  record.problem = row.problem.toStdString();
  record.setting = row.setting;
  return record;
}

std::optional<MeasuredProgram> measuredOf(const RunRow& row) {
  if (row.failed()) return std::nullopt;
  RunRow bare = row;
  bare.plan.clear();
  return measuredProgram(recordOf(bare));
}

}  // namespace p2::views
