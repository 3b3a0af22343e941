// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QLabel>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "plan/plan.h"
#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/runs/run_compare_dialog.h"
#include "views/timeline/timeline_view.h"

using namespace p2;
using namespace p2::views;

namespace {

/// A rank that computes for 8 ms, is late by `delay` and leaves an AllReduce of 256 MiB with the others.
QByteArray traceOfRank(int rank, double delay) {
  QByteArray events;
  double start = 1000 * rank;  // microseconds; clocks are apart
  for (int step = 0; step < 10; ++step) {
    const double mine = 8000 + delay;
    const double wait = 13000 + 3000 - mine;
    const auto event = [&](const char* name, double from, double length, const char* more) {
      if (!events.isEmpty()) events += ",\n";
      events += R"({"ph": "X", "cat": "kernel", "name": ")" + QByteArray(name) + R"(", "pid": 0, "tid": 7, "ts": )" +
                QByteArray::number(from) + R"(, "dur": )" + QByteArray::number(length) + R"(, "args": {"device": 0)" +
                more + "}}";
    };
    event("sm90_gemm", start, mine, "");
    event("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", start + mine, wait,
          R"(, "Collective name": "allreduce", "dtype": "BFloat16", "In msg nelems": 134217728,
              "Out msg nelems": 134217728, "Group size": 4, "Process Group Description": "dp")");
    start += 16000;
  }
  return R"({"schemaVersion": 1, "distributedInfo": {"rank": )" + QByteArray::number(rank) +
         R"(, "world_size": 4}, "traceEvents": [)" + events + "]}";
}

QString writtenTo(const QString& path, const QByteArray& content) {
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(path));
  file.write(content);
  return path;
}

}  // namespace

/// Traces and a plan side by side.
class TestRunCompareDialog : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void predictedAboveMeasured() {
    QTemporaryDir folder;
    QStringList traces;
    for (int rank = 0; rank < 4; ++rank) {
      traces << writtenTo(folder.filePath(QStringLiteral("rank%1.json").arg(rank)),
                          traceOfRank(rank, rank == 2 ? 3000 : 0));
    }
    Workspace workspace = test::workspaceOf("node:1 gpu:4@75GB/s", "4", "0", "[[1,4]]");
    workspace.options.cost.bytes = Bytes(268435456);
    workspace.program = "root:InsideGroup:AllReduce";
    const QString plan = writtenTo(folder.filePath("plan.json"),
                                   QByteArray::fromStdString(planToJson(test::valueOf(makePlan(workspace)))));
    JobQueue jobs;
    RunCompareDialog dialog(jobs);
    auto* finding = dialog.findChild<QLabel*>("runCompareFinding");
    QVERIFY(finding->text().startsWith("Choose the traces"));
    dialog.show();
    dialog.choose(traces, plan);
    auto* table = dialog.findChild<QTableView*>("runCompareCollectives");
    const QAbstractItemModelTester tester(table->model());
    QTRY_COMPARE(table->model()->rowCount(), 1);
    const auto cell = [&](int column) { return table->model()->index(0, column).data().toString(); };
    QCOMPARE(cell(RunCollectivesModel::Collective), QStringLiteral("AllReduce, dp"));
    QCOMPARE(cell(RunCollectivesModel::Measured), QStringLiteral("5.00 ms"));
    QVERIFY2(cell(RunCollectivesModel::Predicted).endsWith(" ms"), qPrintable(cell(RunCollectivesModel::Predicted)));
    QVERIFY2(cell(RunCollectivesModel::Reason).startsWith("rank 2 is late in 100 %"),
             qPrintable(cell(RunCollectivesModel::Reason)));
    QVERIFY2(finding->text().startsWith("4 ranks, 80 kernels in "), qPrintable(finding->text()));
    auto* timeline = dialog.findChild<TimelineView*>("runCompareTimeline");
    // Four predicted ranks, and a track of computation and one of communication for each measured rank.
    QVERIFY(timeline->itemCount() > 80);
  }

  void problemsAreSaid() {
    QTemporaryDir folder;
    const QString text = writtenTo(folder.filePath("notes.txt"), "no trace");
    JobQueue jobs;
    RunCompareDialog dialog(jobs);
    dialog.show();
    dialog.choose({text}, {});
    auto* message = dialog.findChild<QLabel*>("runCompareMessage");
    QTRY_VERIFY(message->isVisible());
    QVERIFY2(message->text().contains("notes.txt"), qPrintable(message->text()));
  }
};

QTEST_MAIN(TestRunCompareDialog)
#include "tst_run_compare_dialog.moc"
