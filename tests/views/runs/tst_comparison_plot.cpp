// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "tests/views/runs/run_rows.h"
#include "views/common/theme.h"
#include "views/runs/comparison_plot.h"

using namespace p2;
using namespace p2::test;
using namespace p2::views;

class TestComparisonPlot : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { Theme::apply(Theme::Scheme::Light); }

  void sortsByWhatWasMeasured() {
    ComparisonPlot plot;
    plot.setRows({runRow(3, 1), failedRow("x"), runRow(1, 2), runRow(2, 3)});
    QCOMPARE(plot.rows().size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) QCOMPARE(plot.rows()[i].result->seconds.median, double(i + 1));
    // The slowest repetition of the slowest run is still inside.
    QVERIFY(plot.yAxis->range().upper > 6);
  }

  void clickingARunTellsWhich() {
    ComparisonPlot plot;
    plot.resize(600, 300);
    RunRow slow = runRow(2, 2);
    RunRow fast = runRow(1, 1);
    slow.id = 7;
    fast.id = 9;
    plot.setRows({slow, fast});
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    plot.replot();
    QSignalSpy clicked(&plot, &ComparisonPlot::runClicked);
    const int middle = plot.axisRect()->center().y();
    QTest::mouseClick(&plot, Qt::LeftButton, {}, {int(plot.xAxis->coordToPixel(0)), middle});
    QTest::mouseClick(&plot, Qt::LeftButton, {}, {int(plot.xAxis->coordToPixel(1)), middle});
    QCOMPARE(clicked.size(), 2);
    QCOMPARE(clicked[0][0].toLongLong(), 9);
    QCOMPARE(clicked[1][0].toLongLong(), 7);
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
