// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QTest>
#include <algorithm>
#include <ctime>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/common/ratio_text.h"
#include "views/placement/placements_model.h"
#include "views/shell/summary.h"

using namespace p2;
using namespace p2::views;

/// The table of placements over a real exploration.
class TestPlacementsModel : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void init() { test::failOnWarnings(); }
  void showsEveryPlacement();
  void countsBeyondWholeNumbers();
  void marksTheBestAndTheDefault();
  void saysWhereAxesLieAndHowTheyStandToOneAnother();
  void sortsByValue_data();
  void sortsByValue();
  void filters_data();
  void filters();
  void greysWhatIsStale();
  void thousandsOfRowsStayFast();

 private:
  std::shared_ptr<const Exploration> m_exploration;
};

namespace {

std::shared_ptr<const Exploration> explored(const Workspace& workspace) {
  return test::valueOf(exploreWorkspace(workspace, ExploreScope{}));
}

QStringList columnOf(const QAbstractItemModel& model, int column) {
  QStringList texts;
  for (int row = 0; row < model.rowCount(); ++row) texts += model.index(row, column).data().toString();
  return texts;
}

}  // namespace

void TestPlacementsModel::initTestCase() {
  m_exploration = explored(test::workspaceOf("gcp-a100:4", "data=8,model=2,shards=4", "data,shards"));
}

void TestPlacementsModel::showsEveryPlacement() {
  PlacementsModel model;
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  QCOMPARE(model.rowCount(), 0);
  model.setExploration(m_exploration);
  QCOMPARE(columnOf(model, PlacementsModel::Matrix),
           QStringList({"[[1,8],[1,2],[4,1]]", "[[1,8],[2,1],[2,2]]", "[[2,4],[1,2],[2,2]]", "[[2,4],[2,1],[1,4]]",
                        "[[4,2],[1,2],[1,4]]"}));
  QCOMPARE(model.index(1, PlacementsModel::BestProgram).data().toString(),
           QStringLiteral("RS in node → AR across nodes → AG in node"));
  QCOMPARE(model.index(1, PlacementsModel::BestTime).data().toString(), QStringLiteral("2.83 s"));
  QCOMPARE(model.index(1, PlacementsModel::SingleTime).data().toString(), QStringLiteral("5.20 s"));
  QCOMPARE(model.index(1, PlacementsModel::Speedup).data().toString(), QStringLiteral("1.84×"));
  QCOMPARE(model.index(1, PlacementsModel::Programs).data().toString(), QStringLiteral("47"));
  QCOMPARE(model.index(1, PlacementsModel::Matrix).data(Qt::UserRole).toString(),
           QStringLiteral("[[1,8],[2,1],[2,2]]"));
}

void TestPlacementsModel::countsBeyondWholeNumbers() {
  auto many = std::make_shared<Exploration>(*m_exploration);
  many->placements[0].programCount = Count(UINT64_MAX) + Count(1);
  PlacementsModel model;
  model.setExploration(many);
  const QString tip = model.index(0, PlacementsModel::BestProgram).data(Qt::ToolTipRole).toString();
  QVERIFY2(tip.contains("\n" + groupedDigits(Count(UINT64_MAX) + Count(1)) + " programs"), qPrintable(tip));
}

void TestPlacementsModel::marksTheBestAndTheDefault() {
  PlacementsModel model;
  model.setExploration(m_exploration);
  QCOMPARE(columnOf(model, PlacementsModel::Mark), QStringList({"", "★", "", "", "◇"}));
  QCOMPARE(slowerThan(m_exploration->placements[4].singleSeconds, m_exploration->placements[1].bestSeconds),
           QStringLiteral("3.67× slower"));
  QVERIFY(model.index(4, PlacementsModel::BestTime).data(Qt::ToolTipRole).toString().contains("3.67× slower"));
  QCOMPARE(slowerThan(1, 0), QString());
  QCOMPARE(slowerThan(1, 2), QStringLiteral("2.00× faster"));
  QCOMPARE(slowerThan(1, 1.001), QStringLiteral("as fast"));
}

void TestPlacementsModel::saysWhereAxesLieAndHowTheyStandToOneAnother() {
  PlacementsModel model;
  model.setExploration(m_exploration);
  QCOMPARE(model.index(1, PlacementsModel::Where).data().toString(),
           QStringLiteral("data in node\nmodel across nodes\nshards 2 across nodes · 2 in node"));
  // Shares are of the longest time.
  QCOMPARE(model.index(0, PlacementsModel::BestTime).data(PlacementsModel::kShareRole).toDouble(), 1.0);
  const double share = model.index(1, PlacementsModel::BestTime).data(PlacementsModel::kShareRole).toDouble();
  QVERIFY(std::abs(share - m_exploration->placements[1].bestSeconds / m_exploration->placements[0].bestSeconds) < 1e-9);
  QVERIFY(!model.index(1, PlacementsModel::Matrix).data(PlacementsModel::kShareRole).isValid());
  QCOMPARE(model.index(1, PlacementsModel::Against).data().toString(), QString());
  model.setCompared(1);
  QCOMPARE(model.index(1, PlacementsModel::Against).data().toString(), QStringLiteral("baseline"));
  QCOMPARE(model.index(3, PlacementsModel::Against).data().toString(), QStringLiteral("as fast\n64 of 64 differ"));
  QVERIFY(model.index(4, PlacementsModel::Against).data().toString().startsWith("2.89× slower\n"));
  QVERIFY(
      model.rowText(1).startsWith("[[1,8],[2,1],[2,2]]\tdata in node · model across nodes · shards 2 across nodes · 2 "
                                  "in node\t2.83 s\tRS in node → AR across nodes → AG in node"));
}

void TestPlacementsModel::sortsByValue_data() {
  QTest::addColumn<int>("column");
  QTest::addColumn<QString>("first");
  QTest::addColumn<QString>("last");
  QTest::newRow("matrix") << int(PlacementsModel::Matrix) << "[[1,8],[1,2],[4,1]]"
                          << "[[4,2],[1,2],[1,4]]";
  QTest::newRow("time") << int(PlacementsModel::BestTime) << "2.83 s"
                        << "8.19 s";
  QTest::newRow("allreduce: 5.20 before 10.4") << int(PlacementsModel::SingleTime) << "5.20 s"
                                               << "10.4 s";
  QTest::newRow("gain") << int(PlacementsModel::Speedup) << "1.27×"
                        << "1.84×";
}

void TestPlacementsModel::sortsByValue() {
  QFETCH(int, column);
  PlacementsModel model;
  model.setExploration(m_exploration);
  PlacementsProxy proxy;
  QAbstractItemModelTester tester(&proxy, QAbstractItemModelTester::FailureReportingMode::QtTest);
  proxy.setSourceModel(&model);
  proxy.sort(column, Qt::AscendingOrder);
  QTEST(columnOf(proxy, column).first(), "first");
  QTEST(columnOf(proxy, column).last(), "last");
  proxy.sort(column, Qt::DescendingOrder);
  QTEST(columnOf(proxy, column).last(), "first");
}

void TestPlacementsModel::filters_data() {
  QTest::addColumn<QString>("filter");
  QTest::addColumn<int>("rows");
  QTest::newRow("nothing") << "" << 5;
  QTest::newRow("matrix") << "[[1,8]" << 2;
  QTest::newRow("matrix with blanks") << "[[1, 8], [2, 1]" << 1;
  QTest::newRow("factors") << "4 2" << 1;
  QTest::newRow("short names") << "rs ar" << 5;
  QTest::newRow("as shown") << "RS·AR·AG" << 5;
  QTest::newRow("half typed") << "rs ar " << 5;
  QTest::newRow("long names") << "ReduceScatter-AllReduce" << 5;
  QTest::newRow("in words") << "model across nodes" << 2;
  QTest::newRow("no such program") << "broadcast" << 0;
}

void TestPlacementsModel::filters() {
  QFETCH(QString, filter);
  PlacementsModel model;
  model.setExploration(m_exploration);
  PlacementsProxy proxy;
  proxy.setSourceModel(&model);
  proxy.setFilterText(filter);
  QTEST(proxy.rowCount(), "rows");
}

void TestPlacementsModel::greysWhatIsStale() {
  PlacementsModel model;
  model.setExploration(m_exploration);
  QVERIFY(!model.index(0, PlacementsModel::BestTime).data(Qt::ForegroundRole).isValid());
  model.setStale(true);
  QVERIFY(model.index(0, PlacementsModel::BestTime).data(Qt::ForegroundRole).isValid());
}

void TestPlacementsModel::thousandsOfRowsStayFast() {
  // Of processor time, which other programs do not take away.
  const auto secondsFor = [this](std::size_t rows) {
    auto many = std::make_shared<Exploration>(*m_exploration);
    while (many->placements.size() < rows) {
      many->placements.push_back(m_exploration->placements[many->placements.size() % 5]);
      many->placements.back().bestSeconds += double(many->placements.size());
    }
    const std::clock_t begin = std::clock();
    PlacementsModel model;
    model.setExploration(many);
    PlacementsProxy proxy;
    proxy.setSourceModel(&model);
    proxy.sort(PlacementsModel::BestTime, Qt::DescendingOrder);
    proxy.setFilterText("[[4,2]");
    if (std::size_t(proxy.rowCount()) != rows / 5) qFatal("%d rows of %zu", proxy.rowCount(), rows);
    return double(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  const double some = secondsFor(2'000);
  const double many = secondsFor(32'000);
  // What grew with the square of the rows would take 256 times as long.
  QVERIFY2(many < 100 * std::max(some, 1e-3), qPrintable(QString("%1 s, then %2 s").arg(some).arg(many)));
}

QTEST_MAIN(TestPlacementsModel)
#include "tst_placements_model.moc"
