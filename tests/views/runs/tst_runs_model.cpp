// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QTest>

#include "tests/views/runs/run_rows.h"
#include "views/runs/runs_model.h"

using namespace p2;
using namespace p2::test;
using namespace p2::views;

class TestRunsModel : public QObject {
  Q_OBJECT

  static QString cell(const QAbstractItemModel& model, int row, int column) {
    return model.index(row, column).data().toString();
  }

 private slots:
  void showsRuns() {
    RunsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRows({runRow(0.5, 0.25), failedRow("rank 3 was killed")});
    model.prepend(runRow(0.2, 0.25));
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(cell(model, 0, RunsModel::Measured), QStringLiteral("200 ms"));
    QCOMPARE(cell(model, 0, RunsModel::Predicted), QStringLiteral("250 ms"));
    QCOMPARE(cell(model, 0, RunsModel::Difference), QStringLiteral("+25 %"));
    QCOMPARE(cell(model, 1, RunsModel::Difference), QStringLiteral("-50 %"));
    QCOMPARE(cell(model, 0, RunsModel::Program), QStringLiteral("AR"));
    QCOMPARE(cell(model, 0, RunsModel::Target), QStringLiteral("local · mpi"));
    QCOMPARE(cell(model, 0, RunsModel::State), QStringLiteral("✓ right"));
    QCOMPARE(cell(model, 2, RunsModel::State), QStringLiteral("✗ rank 3 was killed"));
    QCOMPARE(cell(model, 2, RunsModel::Measured), QString());
  }

  void wrongElementsAreAFailedRun() {
    RunRow row = runRow(1, 1);
    row.result->wrongElements = 12;
    QVERIFY(row.failed());
    QVERIFY2(stateText(row).startsWith("✗ 12 wrong element"), qPrintable(stateText(row)));
  }

  void sortsNumbersAsNumbers() {
    RunsModel model;
    RunsFilter filter;
    const QAbstractItemModelTester tester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
    filter.setSourceModel(&model);
    model.setRows({runRow(0.9, 1), runRow(10, 1), runRow(0.0002, 1), failedRow("x")});
    filter.sort(RunsModel::Measured);
    QStringList measured;
    for (int row = 0; row < filter.rowCount(); ++row) measured += cell(filter, row, RunsModel::Measured);
    QCOMPARE(measured, (QStringList{"200 µs", "900 ms", "10.0 s", ""}));
  }

  void filtersByAnyColumn() {
    RunsModel model;
    RunsFilter filter;
    filter.setSourceModel(&model);
    model.setRows({runRow(1, 1, "node:InsideGroup:Broadcast"), runRow(1, 1), failedRow("rank 3 was killed")});
    filter.setFilterFixedString("broadcast");
    QCOMPARE(filter.rowCount(), 1);
    filter.setFilterFixedString("killed");
    QCOMPARE(filter.rowCount(), 1);
    filter.setFilterFixedString("nothing like it");
    QCOMPARE(filter.rowCount(), 0);
  }
};

QTEST_MAIN(TestRunsModel)
#include "tst_runs_model.moc"
