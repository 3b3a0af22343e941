// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/system/levels_model.h"
#include "views/system/system_text.h"

using namespace p2;
using namespace p2::views;

/// The table of levels: text in, text out.
class TestLevelsModel : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }
  void takesText_data();
  void takesText();
  void keepsWhatItCannotTake_data();
  void keepsWhatItCannotTake();
  void oneCellCanMendAnother();
  void addsRemovesAndMoves();
  void draftsFollowTheirRows();
  void anotherSystemDropsDrafts();
};

namespace {

const char* const kStart = "rack:1@8GB/s server:2@8GB/s gpu:4@270GB/s";

struct Fixture {
  LevelsModel model;
  QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::QtTest};
  QSignalSpy edits{&model, &DraftTableModel::edited};

  Fixture() { model.setSystem(test::valueOf(parseSystem(kStart))); }
  void type(int row, int column, const QString& text) { model.setData(model.index(row, column), text, Qt::EditRole); }
  [[nodiscard]] QVariant cell(int row, int column, int role = Qt::DisplayRole) const {
    return model.index(row, column).data(role);
  }
};

}  // namespace

void TestLevelsModel::takesText_data() {
  QTest::addColumn<int>("row");
  QTest::addColumn<int>("column");
  QTest::addColumn<QString>("typed");
  QTest::addColumn<QString>("shown");
  QTest::addColumn<QString>("system");
  using M = LevelsModel;
  QTest::newRow("name") << 1 << int(M::Name) << "host"
                        << "host"
                        << "rack:1@8GB/s host:2@8GB/s gpu:4@270GB/s";
  QTest::newRow("count") << 1 << int(M::Count) << " 8 "
                         << "8"
                         << "rack:1@8GB/s server:8@8GB/s gpu:4@270GB/s";
  QTest::newRow("ring") << 2 << int(M::Kind) << "ring"
                        << "ring"
                        << "rack:1@8GB/s server:2@8GB/s gpu:4@270GB/s,ring";
  QTest::newRow("bits") << 1 << int(M::Bandwidth) << "100Gbit/s"
                        << "12.5 GB/s"
                        << "rack:1@8GB/s server:2@12.5GB/s gpu:4@270GB/s";
  QTest::newRow("latency") << 2 << int(M::Latency) << "2us"
                           << "2.00 µs"
                           << "rack:1@8GB/s server:2@8GB/s gpu:4@270GB/s,2µs";
}

void TestLevelsModel::takesText() {
  QFETCH(int, row);
  QFETCH(int, column);
  QFETCH(QString, typed);
  Fixture f;
  f.type(row, column, typed);
  QTEST(f.cell(row, column).toString(), "shown");
  QTEST(*systemText(f.model.system()), "system");
  QCOMPARE(f.edits.count(), 1);
  QCOMPARE(f.model.firstProblem(), QString());
  f.type(row, column, f.cell(row, column, Qt::EditRole).toString());
  QCOMPARE(f.edits.count(), 1);
}

void TestLevelsModel::keepsWhatItCannotTake_data() {
  QTest::addColumn<int>("column");
  QTest::addColumn<QString>("typed");
  QTest::addColumn<QString>("says");
  using M = LevelsModel;
  QTest::newRow("empty name") << int(M::Name) << ""
                              << "is not a level name";
  QTest::newRow("taken name") << int(M::Name) << "gpu"
                              << "used twice";
  QTest::newRow("root") << int(M::Name) << "root"
                        << "names the whole system";
  QTest::newRow("zero") << int(M::Count) << "0"
                        << "\"0\" is not a number of instances";
  QTest::newRow("no number") << int(M::Count) << "two"
                             << "\"two\" is not a number of instances";
  QTest::newRow("too many") << int(M::Count) << "1000000000"
                            << "a whole number of 1 to 16777216";
  QTest::newRow("kind") << int(M::Kind) << "star"
                        << "use switch, ring, mesh";
  QTest::newRow("bandwidth") << int(M::Bandwidth) << "fast"
                             << "\"fast\" is not a bandwidth";
  QTest::newRow("no bandwidth") << int(M::Bandwidth) << "0"
                                << "positive number";
  QTest::newRow("beyond") << int(M::Bandwidth) << "1e30"
                          << "use 1 B/s to 1e18 B/s";
  QTest::newRow("latency") << int(M::Latency) << "-1us"
                           << "is not a time";
}

void TestLevelsModel::keepsWhatItCannotTake() {
  QFETCH(int, column);
  QFETCH(QString, typed);
  QFETCH(QString, says);
  Fixture f;
  f.type(1, column, typed);
  QCOMPARE(f.cell(1, column).toString(), typed);
  QVERIFY2(f.model.firstProblem().contains(says), qPrintable(f.model.firstProblem()));
  QCOMPARE(f.cell(1, column, Qt::ToolTipRole).toString(), f.model.firstProblem());
  QVERIFY(!f.cell(1, column, Qt::DecorationRole).isNull());
  QCOMPARE(*systemText(f.model.system()), QString(kStart));
  QCOMPARE(f.edits.count(), 0);
}

void TestLevelsModel::oneCellCanMendAnother() {
  Fixture f;
  f.type(1, LevelsModel::Name, "gpu");
  QVERIFY(!f.model.firstProblem().isEmpty());
  f.type(2, LevelsModel::Name, "chip");
  QCOMPARE(f.model.firstProblem(), QString());
  QCOMPARE(*systemText(f.model.system()), QStringLiteral("rack:1@8GB/s gpu:2@8GB/s chip:4@270GB/s"));
  QCOMPARE(f.edits.count(), 1);
}

void TestLevelsModel::addsRemovesAndMoves() {
  Fixture f;
  QCOMPARE(f.model.addBelow(0), 1);
  QCOMPARE(*systemText(f.model.system()), QStringLiteral("rack:1@8GB/s level2:1@8GB/s server:2@8GB/s gpu:4@270GB/s"));
  f.model.shift(1, -1);
  QCOMPARE(*systemText(f.model.system()), QStringLiteral("level2:1@8GB/s rack:1@8GB/s server:2@8GB/s gpu:4@270GB/s"));
  f.model.shift(0, 1);
  f.model.removeAt(1);
  QCOMPARE(*systemText(f.model.system()), QString(kStart));
  QCOMPARE(f.edits.count(), 4);
  f.model.removeAt(0);
  f.model.removeAt(0);
  QVERIFY(!f.model.canRemove());
  while (f.model.canAdd()) f.model.addBelow(f.model.rowCount() - 1);
  QCOMPARE(f.model.rowCount(), int(kMostLevels));
  QVERIFY(validated(f.model.system()).ok());
}

void TestLevelsModel::draftsFollowTheirRows() {
  Fixture f;
  f.type(1, LevelsModel::Bandwidth, "fast");
  f.model.addBelow(-1);
  QCOMPARE(f.cell(2, LevelsModel::Bandwidth).toString(), QStringLiteral("fast"));
  f.model.shift(2, 1);
  QCOMPARE(f.cell(3, LevelsModel::Bandwidth).toString(), QStringLiteral("fast"));
  QCOMPARE(f.cell(2, LevelsModel::Bandwidth).toString(), QStringLiteral("270 GB/s"));
  f.model.removeAt(3);
  QCOMPARE(f.model.firstProblem(), QString());
}

void TestLevelsModel::anotherSystemDropsDrafts() {
  Fixture f;
  f.type(1, LevelsModel::Bandwidth, "fast");
  f.model.setSystem(f.model.system());
  QVERIFY(!f.model.firstProblem().isEmpty());
  f.model.setSystem(test::valueOf(parseSystem("gcp-a100:2")));
  QCOMPARE(f.model.firstProblem(), QString());
  QCOMPARE(f.cell(1, LevelsModel::Bandwidth).toString(), QStringLiteral("270 GB/s"));
}

QTEST_MAIN(TestLevelsModel)
#include "tst_levels_model.moc"
