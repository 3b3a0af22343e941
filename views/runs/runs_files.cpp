// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/runs_files.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <algorithm>

#include "explore/run_prediction.h"
#include "plan/plan.h"
#include "remote/inspector_log.h"
#include "runs/runs_file.h"
#include "text/text_file.h"
#include "views/common/save_dialog.h"
#include "views/runs/nccl_rows.h"
#include "views/runs/runs_export.h"
#include "views/shell/job_queue.h"

namespace p2::views {
namespace {

QFileDialog* openDialog(QWidget* parent, const QString& title, std::function<void(const QString&)> chosen) {
  auto* dialog = new QFileDialog(parent, title);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  QObject::connect(dialog, &QFileDialog::fileSelected, parent, std::move(chosen));
  return dialog;
}

Result<QString> writeRuns(const QString& path, const std::vector<RunRow>& rows) {
  std::string text;
  if (path.endsWith(".json")) {
    std::vector<RunRecord> records;
    for (const RunRow& row : rows) records.push_back(recordOf(row));
    text = runsToJson(records);
  } else {
    text = runsToCsv(rows).toStdString();
  }
  P2_TRY(writeTextFile(path.toStdString(), text));
  return path;
}

/// The exported script records its plan and no prediction, since the bytes are chosen when it runs.
void addPrediction(RunRecord& record, const std::stop_token& stop) {
  if (record.predicted || record.plan.empty() || !record.result) return;
  const auto plan = planFromJson(record.plan);
  if (!plan.ok()) return;
  const auto predicted = predictRun(plan->workspace(), record.result->bytes, record.result->pieces, stop);
  if (predicted.ok()) record.predicted = predicted->rankedSeconds();
}

Result<std::vector<RunRow>> readExported(std::string_view text, const QString& path, const std::stop_token& stop) {
  auto records = runsFromJson(text);
  if (!records.ok()) return records.error().within(path.toStdString());
  std::vector<RunRow> rows;
  for (RunRecord& record : records.value()) {
    addPrediction(record, stop);
    rows.push_back(rowFrom(0, record));
  }
  if (stop.stop_requested()) return cancelledError();
  std::stable_sort(rows.begin(), rows.end(), [](const RunRow& a, const RunRow& b) { return a.when < b.when; });
  return rows;
}

Result<std::vector<RunRow>> readRuns(const QString& path, const Workspace& workspace, const std::stop_token& stop) {
  P2_TRY_ASSIGN(const auto text, readTextFile(path.toStdString()));
  if (looksLikeRuns(text)) return readExported(text, path, stop);
  std::vector<RunRow> rows;
  std::vector<NcclTests> tables = inspectorOperationsIn(text);
  if (tables.empty()) tables = ncclTestsIn(text, path.toStdString());
  for (const NcclTests& tests : tables) {
    if (tests.collective.empty()) continue;
    P2_TRY_ASSIGN(const auto more, rowsFrom(tests, workspace, QFileInfo(path).fileName()));
    rows.insert(rows.end(), more.begin(), more.end());
  }
  if (!rows.empty()) return rows;
  const auto tests = ncclTestsFrom(text, path.toStdString());
  return tests.ok() ? Error{"it has no collective that P² knows", path.toStdString()} : tests.error();
}

}  // namespace

void exportRuns(QWidget* parent, JobQueue& jobs, std::vector<RunRow> rows, std::function<void(Result<QString>)> done,
                std::function<void()> cancelled) {
  const SaveWish wish{QStringLiteral("runsExportDialog"),
                      QObject::tr("Export runs"),
                      {QObject::tr("Table (*.csv)"), QObject::tr("JSON (*.json)")},
                      QStringLiteral("runs")};
  askWhereToSave(
      parent, wish,
      [&jobs, rows = std::move(rows), done = std::move(done), cancelled = std::move(cancelled)](const QString& path) {
        const auto work = [path, rows](const std::stop_token&, const Progress&) { return writeRuns(path, rows); };
        jobs.start<QString>(QObject::tr("Export runs"), {}, work, done, cancelled);
      });
}

void readExampleRuns(JobQueue& jobs, const std::function<void(Result<std::vector<RunRow>>)>& done,
                     const std::function<void()>& cancelled) {
  const auto work = [](const std::stop_token& stop, const Progress&) -> Result<std::vector<RunRow>> {
    QFile file(":/p2/runs/testbed-2x4.json");
    if (!file.open(QIODevice::ReadOnly)) return Error{file.errorString().toStdString(), file.fileName().toStdString()};
    return readExported(file.readAll().toStdString(), file.fileName(), stop);
  };
  jobs.start<std::vector<RunRow>>(QObject::tr("Read the example's runs"), {}, work, done, cancelled);
}

void importRuns(QWidget* parent, JobQueue& jobs, std::shared_ptr<const Workspace> workspace,
                std::function<void(Result<std::vector<RunRow>>)> done, std::function<void()> cancelled) {
  const QString title = QObject::tr("Import runs");
  auto* dialog = openDialog(parent, title,
                            [&jobs, workspace = std::move(workspace), done = std::move(done),
                             cancelled = std::move(cancelled), title](const QString& path) {
                              const auto work = [path, workspace](const std::stop_token& stop, const Progress&) {
                                return readRuns(path, *workspace, stop);
                              };
                              jobs.start<std::vector<RunRow>>(title, {}, work, done, cancelled);
                            });
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->open();
}

}  // namespace p2::views
