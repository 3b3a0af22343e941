// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSet>
#include <QSignalSpy>
#include <QTest>

#include "explore/explore.h"
#include "support/warnings.h"
#include "synthesis/synthesis_hierarchy.h"
#include "tests/support/fixtures.h"
#include "tests/views/runs/run_rows.h"
#include "tests/views/widget_driver.h"
#include "views/common/theme.h"
#include "views/runs/comparison_plot.h"
#include "views/runs/program_names.h"
#include "views/runs/run_comparison.h"

using namespace p2;
using namespace p2::test;
using namespace p2::views;

class TestComparisonPlot : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { Theme::apply(Theme::Scheme::Light); }
  void init() { test::failOnWarnings(); }

  // Both axes go over the same times, so that what is right lies on the diagonal.
  void rightPredictionsLieOnTheDiagonal() {
    ComparisonPlot plot;
    plot.resize(500, 400);
    plot.setRows({runRow(3e-3, 1e-3), failedRow("x"), runRow(1e-3, 1e-3), runRow(2e-2, 2e-2)});
    QCOMPARE(plot.rows().size(), 3u);
    QCOMPARE(plot.rows()[0].result->seconds.median, 1e-3);
    QVERIFY(plot.xAxis->scaleType() == QCPAxis::stLogarithmic && plot.yAxis->scaleType() == QCPAxis::stLogarithmic);
    QCOMPARE(plot.xAxis->range(), plot.yAxis->range());
    plot.replot();
    const QRectF rect = plot.axisRect()->rect();
    const auto share = [&](std::size_t row) {
      const QPointF at = plot.pointOf(row) - rect.topLeft();
      return QPointF(at.x() / rect.width(), 1 - at.y() / rect.height());
    };
    for (const std::size_t right : {0, 2}) QVERIFY(std::abs(share(right).x() - share(right).y()) < 0.01);
    // Slower than predicted is above.
    QVERIFY(share(1).y() > share(1).x() + 0.2);
  }

  void clicksAndKeysTellWhich() {
    ComparisonPlot plot;
    plot.resize(600, 300);
    plot.setRows({numbered(7, runRow(2, 2)), numbered(9, runRow(1, 1))});
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    plot.replot();
    QSignalSpy clicked(&plot, &ComparisonPlot::runClicked);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.pointOf(0).toPoint());
    QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.pointOf(1).toPoint());
    QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.axisRect()->rect().topLeft() + QPoint(3, 3));
    QCOMPARE(clicked.size(), 2);
    QCOMPARE(clicked[0][0].toLongLong(), 9);
    QCOMPARE(clicked[1][0].toLongLong(), 7);
    QTest::keyClick(&plot, Qt::Key_Right);
    QTest::keyClick(&plot, Qt::Key_Right);
    QCOMPARE(clicked.size(), 4);
    QCOMPARE(clicked[2][0].toLongLong(), 9);
    QCOMPARE(clicked[3][0].toLongLong(), 7);
  }

  // Runs of another system, size, backend or target are another group, with a chart and figures of its own.
  void groupsNeverMix() {
    std::vector<RunRow> rows{numbered(1, runRow(1, 1)), numbered(2, runRow(2, 1)), numbered(3, runRow(4, 1))};
    const auto other = [&](qint64 id, auto change) {
      RunRow row = numbered(id, runRow(100, 1));
      RunResult result = *row.result;
      change(row, result);
      row.setResult(result);
      rows.push_back(row);
    };
    other(4, [](RunRow& row, RunResult&) { row.system = "dgx-h100:2"; });
    other(5, [](RunRow&, RunResult& result) { result.bytes = Bytes(1 << 20); });
    other(6, [](RunRow&, RunResult& result) { result.backend = "nccl"; });
    other(7, [](RunRow& row, RunResult&) { row.target = "cluster7"; });
    rows.push_back(failedRow("x"));
    RunRow overlapping = rows[0];
    RunResult inPieces = *overlapping.result;
    inPieces.pieces = 4;
    overlapping.setResult(inPieces);
    const auto both = groupsOf({rows[0], overlapping});
    QCOMPARE(both.size(), 2u);
    QCOMPARE(both[1].title(), both[0].title() + " · overlapping");
    const auto groups = groupsOf(rows);
    QCOMPARE(groups.size(), 5u);
    QCOMPARE(groups[0].rows.size(), 3u);
    QCOMPARE(groups[0].title(), QStringLiteral("gcp-a100:2 · 4 KiB · mpi on local"));
    QVERIFY2(groups[0].quality().startsWith("3 runs · 2.00× slower than predicted (median)"),
             qPrintable(groups[0].quality()));
    QCOMPARE(groups[2].title(), QStringLiteral("gcp-a100:2 · 1 MiB · mpi on local"));
    RunComparison comparison;
    comparison.resize(900, 400);
    comparison.show(rows, rows.size(), 2);
    comparison.QWidget::show();
    for (const char* name : {"comparisonPlot", "comparisonPlot1", "comparisonPlot4"}) {
      QVERIFY(childOf<ComparisonPlot>(comparison, name).isVisible());
    }
    QCOMPARE(childOf<ComparisonPlot>(comparison, "comparisonPlot").rows().size(), 3u);
    QCOMPARE(childOf<ComparisonPlot>(comparison, "comparisonPlot3").rows()[0].id, qint64(6));
    comparison.show({rows[0], rows[1]}, 2, -1);
    QVERIFY(!childOf<ComparisonPlot>(comparison, "comparisonPlot1").isVisible());
  }

  void programsThatLookAlikeHaveNamesOfTheirOwn() {
    QCOMPARE(shortProgramName("root:InsideGroup:AllReduce"), QStringLiteral("AR over all"));
    QCOMPARE(shortProgramName("node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; "
                              "node:InsideGroup:AllGather"),
             QStringLiteral("RS in node → AR across nodes → AG in node"));
    QCOMPARE(shortProgramName("node:InsideGroup:Reduce; node:Master(root):AllReduce; node:InsideGroup:Broadcast"),
             QStringLiteral("R in node → AR across nodes (firsts) → B in node"));
    QCOMPARE(shortProgramName("AllReduce of 4 · nccl-tests"), QStringLiteral("AllReduce of 4 · nccl-tests"));
    const auto workspace = workspaceOf("node:2 gpu:4", "8", "0");
    const auto exploration = valueOf(exploreWorkspace(workspace, ExploreScope{}));
    QSet<QString> names;
    for (const ProgramResult& program : exploration->placements[0].programs) {
      names +=
          shortProgramName(QString::fromStdString(programText(*exploration->placements[0].hierarchy, program.program)));
    }
    QCOMPARE(std::size_t(names.size()), exploration->placements[0].programs.size());
    QVERIFY(names.size() > 40);
  }

  void nothingIsNoProblem() {
    ComparisonPlot plot;
    plot.setRows({});
    plot.setSelected(3);
    QVERIFY(plot.rows().empty());
  }
};

QTEST_MAIN(TestComparisonPlot)
#include "tst_comparison_plot.moc"
