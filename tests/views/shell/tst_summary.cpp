// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/shell/examples.h"
#include "views/shell/summary.h"
#include "views/shell/training_text.h"

using namespace p2;
using namespace p2::views;

class TestSummary : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }

  void placementsOfAPlanNameTheirLevels() {
    PlannedConfiguration planned;
    planned.axes = {{"pipeline", 8, false}, {"data", 16, false}, {"tensor", 4, false}};
    planned.matrix = test::valueOf(parseMatrix("[[8,1,1],[1,8,2],[1,1,4]]"));
    const System racks = test::valueOf(systemFromArgument("dgx-h200-racks:8"));
    QCOMPARE(placementText(planned, racks),
             "pipeline across racks 8 · data across nodes 8 and inside 2 · tensor inside a node 4");
    planned.matrix = test::valueOf(parseMatrix("[[4,2,1],[2,4,2],[1,1,4]]"));
    QVERIFY(placementText(planned, racks)
                .startsWith("pipeline across racks 4 × nodes 2 · data across racks 2 × nodes 4 and"));
  }

  void theExampleOfThePaper() {
    const Workspace workspace = readExample("a100-4x16").value();
    const auto exploration = exploreWorkspace(workspace, {});
    QVERIFY(exploration.ok());
    const Summary summary = summaryOf(workspace, exploration->get());
    QCOMPARE(summary.question, "4 nodes × 16 GPUs · data 8, model 2, shards 4 · reduce data, shards");
    QVERIFY2(summary.answer.startsWith("5 placements · "), qPrintable(summary.answer));
    const QRegularExpression shape(
        "^5 placements · \\d+ programs · best [\\d.]+ m?s, [\\d.]+× faster than one AllReduce$");
    QVERIFY2(shape.match(summary.answer).hasMatch(), qPrintable(summary.answer));
    const PlacementResult& first = exploration.value()->placements[0];
    const QString best = programText(first, first.programs[0]);
    QVERIFY2(best.startsWith("RS in node → AR across nodes → AG in node ") && best.endsWith("s"), qPrintable(best));
  }

  void withoutAnExploration() {
    Workspace workspace = readExample("teaching-2x4").value();
    QCOMPARE(summaryOf(workspace, nullptr).answer, "");
    workspace.axes[0].reduce = false;
    QCOMPARE(summaryOf(workspace, nullptr).question, "2 nodes × 4 GPUs · data 8 · nothing to reduce");
    QCOMPARE(summaryOf({}, nullptr).question, "nothing to reduce");
  }

  void oneIsSingular() {
    Workspace workspace = readExample("teaching-2x4").value();
    const auto exploration = exploreWorkspace(workspace, {});
    QVERIFY(exploration.ok());
    QVERIFY(summaryOf(workspace, exploration->get()).answer.startsWith("1 placement · "));
  }

  void axes_data() {
    QTest::addColumn<QString>("axes");
    QTest::addColumn<QString>("text");
    QTest::newRow("none") << ""
                          << "no axes";
    QTest::newRow("one") << "data=8"
                         << "data 8";
    QTest::newRow("three") << "data=8,model=2,shards=4"
                           << "data 8 · model 2 · shards 4";
  }
  void axes() {
    QFETCH(QString, axes);
    QFETCH(QString, text);
    const auto parsed = axes.isEmpty() ? std::vector<Axis>() : parseAxes(axes.toStdString()).value();
    QCOMPARE(axesText(parsed), text);
  }

  void digitsAreGrouped_data() {
    QTest::addColumn<quint64>("count");
    QTest::addColumn<QString>("text");
    QTest::newRow("0") << quint64(0) << "0";
    QTest::newRow("999") << quint64(999) << "999";
    QTest::newRow("1000") << quint64(1000) << "1\u202F000";
    QTest::newRow("46783") << quint64(46783) << "46\u202F783";
    QTest::newRow("1234567") << quint64(1234567) << "1\u202F234\u202F567";
  }
  void digitsAreGrouped() {
    QFETCH(quint64, count);
    QFETCH(QString, text);
    QCOMPARE(groupedDigits(Count(count)), text);
  }
};

QTEST_GUILESS_MAIN(TestSummary)
#include "tst_summary.moc"
