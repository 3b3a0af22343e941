// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/runs_files.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <algorithm>

#include "base/counted.h"
#include "cost/simulator.h"
#include "explore/run_prediction.h"
#include "plan/plan.h"
#include "remote/inspector_log.h"
#include "remote/nccl_tests.h"
#include "runs/runs_file.h"
#include "text/text_file.h"
#include "views/common/save_dialog.h"
#include "views/common/text.h"
#include "views/runs/run_record_row.h"
#include "views/runs/runs_export.h"
#include "views/shell/job_queue.h"
#include "workspace/workspace.h"

namespace p2::views {
namespace {

/// A step of all devices in one group. A device holds a part of the vector before an AllGather and after a
/// ReduceScatter, the whole vector in all other cases.
LoweredStep stepOf(Collective collective, std::int64_t devices) {
  LoweredGroup group;
  for (const Device device : IdRange<Device>(devices)) group.devices.push_back(device);
  const double part = 1.0 / static_cast<double>(devices);
  group.before.assign(group.devices.size(), collective == Collective::AllGather ? part : 1);
  group.after.assign(group.devices.size(), collective == Collective::ReduceScatter ? part : 1);
  return {collective, {group}};
}

/// Measurements of nccl-tests or of NCCL's Inspector as runs, next to the predictions of the workspace's system and
/// cost model for its first devices. Errors: more ranks than devices; the output does not give the number of ranks and
/// the system has one device.
Result<std::vector<RunRow>> rowsFrom(const NcclTests& tests, const Workspace& workspace, const QString& source) {
  const std::string measurer = tests.program == "NCCL Inspector" ? tests.program : "nccl-tests";
  P2_TRY_ASSIGN(const auto system, validated(workspace.system));
  const std::int64_t all = workspace.system.deviceCount();
  const std::int64_t ranks = tests.ranks > 0 ? tests.ranks : all;
  if (ranks > all || ranks < 2) {
    return Error{measurer + " ran on " + countedText(ranks, "rank") + ", and the system has " +
                     countedText(all, "device") + "; open the system that was measured",
                 source.toStdString()};
  }
  P2_TRY_ASSIGN(const auto collective, collectiveFrom(tests.collective));
  const Topology topology(system);
  const LoweredStep step = stepOf(collective, ranks);
  std::vector<RunRow> rows;
  for (const NcclTest& test : tests.sizes) {
    CostOptions options = workspace.options.cost;
    options.bytes = test.bytes;
    options.repeat = 1;
    RunRow row;
    row.when = QDateTime::currentDateTime();
    row.target = source;
    row.system = qs(workspace.system.name);
    row.program = QString("%1 of %2 · %3").arg(qs(tests.collective)).arg(ranks).arg(qs(measurer));
    row.predicted = simulateStep(topology, step, options).seconds;
    const Spread seconds{test.seconds, test.seconds, test.seconds};
    const double bandwidth = test.bytes.value() / test.seconds;
    const double share = flowFactor(collective, traitsOf(collective).shape, ranks);
    row.setResult({"nccl",
                   measurer,
                   {},
                   {},
                   std::vector<std::string>(std::size_t(ranks)),
                   test.bytes,
                   1,
                   test.wrong,
                   seconds,
                   {{tests.collective, ranks, test.bytes, seconds, bandwidth, bandwidth * share}}});
    rows.push_back(std::move(row));
  }
  return rows;
}

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
