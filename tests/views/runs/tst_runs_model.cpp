// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "support/warnings.h"
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
  void init() { test::failOnWarnings(); }

  void showsRuns() {
    RunsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.add({numbered(2, runRow(0.5, 0.25)), numbered(1, failedRow("rank 3 was killed"))});
    model.add({numbered(3, runRow(0.2, 0.25))});
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(cell(model, 0, RunsModel::Measured), QStringLiteral("200 ms"));
    QCOMPARE(cell(model, 0, RunsModel::Predicted), QStringLiteral("250 ms"));
    QCOMPARE(cell(model, 0, RunsModel::Difference), QStringLiteral("1.25× faster"));
    QCOMPARE(cell(model, 1, RunsModel::Difference), QStringLiteral("2.00× slower"));
    QCOMPARE(cell(model, 0, RunsModel::Program), QStringLiteral("AR over all"));
    QCOMPARE(cell(model, 0, RunsModel::Target), QStringLiteral("local · mpi"));
    QCOMPARE(cell(model, 0, RunsModel::State), QStringLiteral("✓ correct"));
    QCOMPARE(cell(model, 2, RunsModel::State), QStringLiteral("✗ rank 3 was killed"));
    QCOMPARE(cell(model, 2, RunsModel::Measured), QString());
  }

  void saysInHowManyPiecesARunOverlapped() {
    RunsModel model;
    RunRow row = numbered(1, runRow(0.5, 1));
    RunResult result = *row.result;
    result.pieces = 8;
    row.setResult(result);
    model.add({row, numbered(2, runRow(1, 1))});
    QCOMPARE(cell(model, 0, RunsModel::Bytes), QStringLiteral("4 KiB"));
    QCOMPARE(cell(model, 1, RunsModel::Bytes), QStringLiteral("4 KiB in 8 pieces"));
  }

  void aRunWithoutAPredictionIsShown() {
    RunsModel model;
    RunRow row = numbered(1, runRow(0.5, 1));
    row.predicted.reset();
    model.add({row});
    QCOMPARE(cell(model, 0, RunsModel::Measured), QStringLiteral("500 ms"));
    QCOMPARE(cell(model, 0, RunsModel::Predicted), QString());
    QCOMPARE(cell(model, 0, RunsModel::Difference), QString());
  }

  // However many there are, one more is one row more: no model above is told to start anew.
  void oneRunMoreIsOneRowMore() {
    RunsModel model;
    RunsFilter filter;
    filter.setSourceModel(&model);
    filter.sort(RunsModel::When, Qt::DescendingOrder);
    std::vector<RunRow> many;
    for (int i = 1; i <= 10'000; ++i) many.push_back(numbered(i, runRow(1, 1)));
    model.add(std::move(many));
    QCOMPARE(filter.rowCount(), 10'000);
    const QPersistentModelIndex chosen = filter.index(5000, 0);
    for (QAbstractItemModel* one : std::initializer_list<QAbstractItemModel*>{&model, &filter}) {
      QSignalSpy inserted(one, &QAbstractItemModel::rowsInserted);
      QSignalSpy reset(one, &QAbstractItemModel::modelReset);
      QSignalSpy layout(one, &QAbstractItemModel::layoutChanged);
      QSignalSpy changed(one, &QAbstractItemModel::dataChanged);
      const int before = model.rowCount();
      model.add({numbered(before + 1, runRow(2, 2))});
      QCOMPARE(inserted.size(), 1);
      QCOMPARE(inserted[0][1].toInt(), inserted[0][2].toInt());
      QCOMPARE(model.row(0).id, qint64(before + 1));
      QCOMPARE(reset.size() + layout.size() + changed.size(), 0);
    }
    QVERIFY(chosen.isValid());
  }

  void rowsComeInTheirPlaces() {
    RunsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto ids = [&model] {
      QList<qint64> all;
      for (int row = 0; row < model.rowCount(); ++row) all += model.row(row).id;
      return all;
    };
    const auto rows = [](const QList<qint64>& wanted) {
      std::vector<RunRow> all;
      for (const qint64 id : wanted) all.push_back(numbered(id, runRow(double(id), 1)));
      return all;
    };
    model.add(rows({3, 8, 5}));
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    model.add(rows({6, 9, 5, 1, 7}));
    QCOMPARE(ids(), (QList<qint64>{9, 8, 7, 6, 5, 3, 1}));
    QCOMPARE(inserted.size(), 3);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    const std::vector<RunRow> taken = model.take({8, 7, 6, 1, 44});
    QCOMPARE(taken.size(), 4u);
    QCOMPARE(removed.size(), 2);
    QCOMPARE(ids(), (QList<qint64>{9, 5, 3}));
    model.add(taken);
    QCOMPARE(ids(), (QList<qint64>{9, 8, 7, 6, 5, 3, 1}));
    QCOMPARE(model.row(2).result->seconds.median, 7.0);
  }

  void wrongElementsAreAFailedRun() {
    RunRow row = runRow(1, 1);
    RunResult wrong = *row.result;
    wrong.wrongElements = 12;
    row.setResult(wrong);
    QVERIFY(row.failed());
    QVERIFY2(stateText(row).startsWith("✗ 12 wrong element"), qPrintable(stateText(row)));
  }

  void sortsNumbersAsNumbers() {
    RunsModel model;
    RunsFilter filter;
    const QAbstractItemModelTester tester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
    filter.setSourceModel(&model);
    model.add({numbered(4, runRow(0.9, 1)), numbered(3, runRow(10, 1)), numbered(2, runRow(0.0002, 1)),
               numbered(1, failedRow("x"))});
    filter.sort(RunsModel::Measured);
    QStringList measured;
    for (int row = 0; row < filter.rowCount(); ++row) measured += cell(filter, row, RunsModel::Measured);
    QCOMPARE(measured, (QStringList{"200 µs", "900 ms", "10.0 s", ""}));
  }

  void filtersByAnyColumn() {
    RunsModel model;
    RunsFilter filter;
    filter.setSourceModel(&model);
    model.add({numbered(3, runRow(1, 1, "node:InsideGroup:Broadcast")), numbered(2, runRow(1, 1)),
               numbered(1, failedRow("rank 3 was killed"))});
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
