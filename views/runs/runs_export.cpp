// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/runs_export.h"

#include <sstream>

#include "base/numbers.h"
#include "runs/run_json.h"
#include "text/json_writer.h"

namespace p2::views {
namespace {

QString number(double value) { return QString::fromStdString(exactNumber(value)); }

QString quoted(const QString& text) { return '"' + QString(text).replace('"', "\"\"") + '"'; }

void writeResult(JsonWriter& json, const RunResult& result) {
  json.beginObject();
  json.key("backend").text(result.backend).key("library").text(result.library).key("version").text(result.version);
  json.key("plan_hash").text(result.planHash).key("hosts").beginArray();
  for (const std::string& host : result.hosts) json.text(host);
  json.end();
  writeRunFigures(json, result);
  json.end();
}

}  // namespace

QString runsToCsv(const std::vector<RunRow>& rows) {
  QString text =
      "when,target,backend,system,axes,matrix,program,bytes,predicted_s,min_s,median_s,max_s,wrong_elements,problem,"
      "pieces\n";
  for (const RunRow& row : rows) {
    QStringList cells{row.when.toUTC().toString(Qt::ISODateWithMs), quoted(row.target)};
    const auto& result = row.result;
    cells << (result ? QString::fromStdString(result->backend) : QString());
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

QString runsToJson(const std::vector<RunRow>& rows) {
  std::ostringstream out;
  JsonWriter json(out);
  json.beginObject();
  json.key("format").text("p2-runs").key("version").whole(1).key("runs").beginArray();
  for (const RunRow& row : rows) {
    json.beginObject();
    json.key("when").text(row.when.toUTC().toString(Qt::ISODateWithMs).toStdString());
    json.key("target").text(row.target.toStdString()).key("system").text(row.system.toStdString());
    json.key("axes").text(row.axes.toStdString()).key("matrix").text(row.matrix.toStdString());
    json.key("program").text(row.program.toStdString());
    json.key("predicted_seconds");
    row.predicted ? json.number(*row.predicted) : json.null();
    json.key("result");
    row.result ? writeResult(json, *row.result) : (void)json.null();
    json.key("problem").text(row.problem.toStdString()).key("plan").text(row.plan.toStdString());
    json.end();
  }
  json.end().end();
  return QString::fromStdString(out.str());
}

}  // namespace p2::views
