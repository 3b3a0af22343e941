// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/runs_files.h"

#include <QFileDialog>
#include <QFileInfo>

#include "text/text_file.h"
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
  const QString text = path.endsWith(".json") ? runsToJson(rows) : runsToCsv(rows);
  P2_TRY(writeTextFile(path.toStdString(), text.toStdString()));
  return path;
}

Result<std::vector<RunRow>> readNcclTests(const QString& path, const Workspace& workspace) {
  P2_TRY_ASSIGN(const auto text, readTextFile(path.toStdString()));
  std::vector<RunRow> rows;
  for (const NcclTests& tests : ncclTestsIn(text, path.toStdString())) {
    if (tests.collective.empty()) continue;
    P2_TRY_ASSIGN(const auto more, rowsFrom(tests, workspace, QFileInfo(path).fileName()));
    rows.insert(rows.end(), more.begin(), more.end());
  }
  if (!rows.empty()) return rows;
  const auto tests = ncclTestsFrom(text, path.toStdString());
  return tests.ok() ? Error{"none of its collectives is one of ours", path.toStdString()} : tests.error();
}

}  // namespace

void exportRuns(QWidget* parent, JobQueue& jobs, std::vector<RunRow> rows, std::function<void(Result<QString>)> done,
                std::function<void()> cancelled) {
  auto* dialog = openDialog(
      parent, QObject::tr("Export runs"),
      [&jobs, rows = std::move(rows), done = std::move(done), cancelled = std::move(cancelled)](const QString& path) {
        const auto work = [path, rows](const std::stop_token&, const Progress&) { return writeRuns(path, rows); };
        jobs.start<QString>(QObject::tr("Export runs"), {}, work, done, cancelled);
      });
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setNameFilters({QObject::tr("Table (*.csv)"), QObject::tr("JSON (*.json)")});
  dialog->setDefaultSuffix("csv");
  QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
    dialog->setDefaultSuffix(filter.contains("json") ? "json" : "csv");
  });
  dialog->open();
}

void importNcclTests(QWidget* parent, JobQueue& jobs, std::shared_ptr<const Workspace> workspace,
                     std::function<void(Result<std::vector<RunRow>>)> done, std::function<void()> cancelled) {
  const QString title = QObject::tr("Import nccl-tests output");
  auto* dialog = openDialog(parent, title,
                            [&jobs, workspace = std::move(workspace), done = std::move(done),
                             cancelled = std::move(cancelled), title](const QString& path) {
                              const auto work = [path, workspace](const std::stop_token&, const Progress&) {
                                return readNcclTests(path, *workspace);
                              };
                              jobs.start<std::vector<RunRow>>(title, {}, work, done, cancelled);
                            });
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->open();
}

}  // namespace p2::views
