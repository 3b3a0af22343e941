// SPDX-License-Identifier: GPL-3.0-or-later
#include <qcustomplot.h>

#include <QTest>

#include "support/warnings.h"
#include "views/common/log_ticker.h"
#include "views/common/plot_style.h"

using namespace p2::views;

class TestLogTicker : public QObject {
  Q_OBJECT
 private slots:
  void init() { p2::test::failOnWarnings(); }

  /// Labels of a figure as narrow as a column stand apart, and at least two remain.
  void labelsStandApart_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<double>("upper");
    for (const int width : {180, 300, 420, 900}) {
      for (const double upper : {5e1, 1e3, 1e5, 1e7, 1e12}) {
        QTest::addRow("%d pixels to %g", width, upper) << width << upper;
      }
    }
  }
  void labelsStandApart() {
    QFETCH(int, width);
    QFETCH(double, upper);
    QCustomPlot plot;
    plot.setViewport({0, 0, width, 200});
    plot.xAxis->setScaleType(QCPAxis::stLogarithmic);
    plot.xAxis->setRange(1, upper);
    setLogTicks(*plot.xAxis, [](double value) { return QString::number(value, 'g', 2) + " MB"; });
    plot.replot();
    plot.replot();
    QVector<double> ticks;
    QVector<QString> labels;
    plot.xAxis->ticker()->generate(plot.xAxis->range(), QLocale::c(), 'g', 2, ticks, nullptr, &labels);
    QVERIFY(ticks.size() >= 2);
    const QFontMetrics metrics(plot.xAxis->tickLabelFont());
    for (qsizetype i = 1; i < ticks.size() && ticks.size() > 2; ++i) {
      const double apart = plot.xAxis->coordToPixel(ticks[i]) - plot.xAxis->coordToPixel(ticks[i - 1]);
      const double half = (metrics.horizontalAdvance(labels[i]) + metrics.horizontalAdvance(labels[i - 1])) / 2.0;
      QVERIFY2(apart > half, qPrintable(labels.join(" | ")));
    }
  }

  /// A long axis title loses the word that its model implies, then its parentheses, before it is elided.
  void titlesLoseParentheses() {
    QCustomPlot plot;
    stylePlot(plot);
    plot.setViewport({0, 0, 400, 260});
    plot.yAxis->setLabel("predicted time of one run (paper model, ring)");
    QString drawn;
    connect(&plot, &QCustomPlot::afterLayout, &plot, [&] { drawn = plot.yAxis->label(); });
    plot.replot();
    QCOMPARE(drawn, QString("time of one run (paper model, ring)"));
    plot.setViewport({0, 0, 400, 200});
    plot.replot();
    QCOMPARE(drawn, QString("time of one run"));
    QCOMPARE(plot.yAxis->label(), QString("predicted time of one run (paper model, ring)"));
  }
};

QTEST_MAIN(TestLogTicker)
#include "tst_log_ticker.moc"
