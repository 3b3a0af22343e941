// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/runs_export.h"

#include "base/numbers.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

QString number(double value) { return qs(exactNumber(value)); }

QString quoted(const QString& text) { return '"' + QString(text).replace('"', "\"\"") + '"'; }

}  // namespace

QString runsToCsv(const std::vector<RunRow>& rows) {
  QString text =
      "when,target,backend,system,axes,matrix,program,bytes,predicted_s,min_s,median_s,max_s,wrong_elements,problem,"
      "pieces\n";
  for (const RunRow& row : rows) {
    QStringList cells{row.when.toUTC().toString(Qt::ISODateWithMs), quoted(row.target)};
    const auto& result = row.result;
    cells << (result ? qs(result->backend) : QString());
    cells << quoted(row.system) << quoted(row.axes) << quoted(row.matrix) << quoted(row.program);
    if (result) {
      cells << number(result->bytes.value()) << (row.predicted ? number(*row.predicted) : QString())
            << number(result->seconds.min) << number(result->seconds.median) << number(result->seconds.max)
            << QString::number(result->wrongElements);
    } else {
      cells << ""
            << ""
            << ""
            << ""
            << ""
            << "";
    }
    cells << quoted(row.problem) << (result ? QString::number(result->pieces) : QString());
    text += cells.join(',') + '\n';
  }
  return text;
}

}  // namespace p2::views
