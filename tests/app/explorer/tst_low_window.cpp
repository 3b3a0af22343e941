// SPDX-License-Identifier: GPL-3.0-or-later
#include <QHeaderView>
#include <QLabel>
#include <QStatusBar>
#include <QTableView>

#include "app/explorer/every_view.h"
#include "support/warnings.h"
#include "views/plan/plan_model.h"
#include "views/plot_items.h"
#include "views/shell/chain_bar.h"
#include "views/shell/step_planner.h"
#include "views/sweep/sweep_plot.h"

using namespace p2;

namespace {

constexpr int kLeastRows = 6;
constexpr double kLeastFigure = 0.6;
constexpr int kLeastPlot = 90;  // pixels between the axes

/// Rows of a table that are in sight as a whole.
int rowsInSight(const QTableView& table) {
  int rows = 0;
  while (rows < table.model()->rowCount()) {
    const QRect row = table.visualRect(table.model()->index(rows, 0));
    if (row.top() < 0 || row.bottom() > table.viewport()->height()) break;
    ++rows;
  }
  return rows;
}

}  // namespace

/// Pages of the way in the windows of two small screens at twice the size. The document has an own configuration, whose
/// answer needs room too.
class TestLowWindow : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { m_view.open("llama3-70b-fsdp32-tp8", {1440, 900}); }
  void cleanupTestCase() { m_view.desk.reset(); }
  void init() { test::failOnWarnings(); }

  void planShowsRows_data() { addSizes(); }
  void planShowsRows() {
    show("plan");
    const auto& table = *find<QTableView>("planTable");
    QVERIFY(table.model()->rowCount() > kLeastRows);
    const int rows = rowsInSight(table);
    QVERIFY2(rows >= kLeastRows, qPrintable(QString("%1 rows in %2").arg(rows).arg(table.height())));
    const auto step = views::PlanModel::Step;
    const int end = table.columnViewportPosition(step) + table.columnWidth(step);
    QVERIFY2(end <= table.viewport()->width(), qPrintable(QString("%1 of %2").arg(end).arg(table.viewport()->width())));
    QVERIFY(find<QLabel>("mineResult")->text().contains("Mine"));
    QVERIFY(find<QWidget>("mineEdit")->isVisible() && find<QWidget>("planFramework")->isVisible());
  }

  void whyShowsItsFigures_data() { addSizes(); }
  void whyShowsItsFigures() {
    show("why");
    const QWidget& page = *m_view.desk->window->perspectives().currentWidget();
    for (const char* figure : {"whyWaterfall", "whyTimeline"}) {
      const double share = double(find<QWidget>(figure)->visibleRegion().boundingRect().height()) / page.height();
      QVERIFY2(share >= kLeastFigure, qPrintable(QString("%1 has %2 of %3").arg(figure).arg(share).arg(page.height())));
    }
  }

  // No curve is below its own labels, and their plot is not squeezed.
  void costsShowTheirCurves_data() { addSizes(); }
  void costsShowTheirCurves() {
    m_view.show("costs", "showBySizeAction");
    QFETCH(QSize, size);
    resize(size);
    m_view.settle();
    auto& plot = *find<views::SweepPlot>("sweepPlot");
    QTRY_VERIFY_WITH_TIMEOUT(plot.sweep() != nullptr, 60000);
    plot.replot();
    QVERIFY2(plot.axisRect()->height() >= kLeastPlot, qPrintable(QString::number(plot.axisRect()->height())));
    int bottom = 0;
    for (const test::DrawnText& label : test::drawnTexts(plot, "^above "))
      bottom = std::max(bottom, int(label.rect.bottom()));
    QVERIFY(bottom > 0);
    for (int point = 0; point < int(plot.sweep()->points.size()); ++point)
      QVERIFY2(plot.pixelOf(point).y() > bottom, qPrintable(QString("%1 %2").arg(point).arg(bottom)));
  }

  // A list of which one row is in sight is no list.
  void placementsAreListed_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("rows");
    QTest::newRow("1024×700") << QSize(1024, 700) << 3;
    QTest::newRow("1600×1000 at 200 %") << QSize(800, 500) << 2;
  }
  void placementsAreListed() {
    QFETCH(QSize, size);
    QFETCH(int, rows);
    m_view.show("placements", {});
    resize(size);
    m_view.settle();
    const auto& table = *find<QTableView>("placementsTable");
    QVERIFY(table.model()->rowCount() >= 4);
    QTRY_VERIFY2(rowsInSight(table) >= rows, qPrintable(QString("%1 rows").arg(rowsInSight(table))));
  }

  // Words that do not fit are in the tooltip, and come back with the room.
  void findingsAreShortened() {
    resize({720, 450});
    show("why");
    auto& finding = *find<QLabel>("whyFinding");
    const int low = finding.height();
    QCOMPARE(low, 2 * finding.fontMetrics().lineSpacing());
    QVERIFY(finding.heightForWidth(finding.width()) == low);
    resize({1440, 900});
    QVERIFY(find<QWidget>("whyAbout")->height() >= find<QWidget>("whyAbout")->heightForWidth(finding.width()));
  }

  // The chain has one line, and the status bar that repeats it goes last.
  void theChainHasOneLine() {
    resize({1440, 900});
    show("plan");
    const auto& link = *find<views::ChainLink>("chainPlan");
    const int two = link.height();
    QVERIFY(m_view.desk->window->statusBar()->isVisible());
    resize({800, 500});
    QVERIFY(link.height() < two);
    QVERIFY(m_view.desk->window->statusBar()->isVisible());
    resize({720, 450});
    QVERIFY(!m_view.desk->window->statusBar()->isVisible());
    resize({1440, 900});
    QTRY_COMPARE(link.height(), two);
    QVERIFY(m_view.desk->window->statusBar()->isVisible());
  }

 private:
  static void addSizes() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("1600×1000 at 200 %") << QSize(800, 500);
    QTest::newRow("1440×900 at 200 %") << QSize(720, 450);
  }
  template <class T>
  T* find(const char* name) const {
    return m_view.desk->find<T>(name);
  }
  void resize(QSize size) const {
    m_view.desk->window->resize(size);
    for (int pass = 0; pass < 3; ++pass) QCoreApplication::sendPostedEvents();
    QTRY_COMPARE(m_view.desk->window->size(), size);
  }
  /// The page at the row's size.
  void show(const QString& page) {
    m_view.show(page, {});
    QTRY_VERIFY_WITH_TIMEOUT(m_view.desk->session.planner().isCurrent(), 60000);
    m_view.settle();
    if (QTest::currentDataTag() != nullptr) {
      QFETCH(QSize, size);
      resize(size);
    }
  }

  test::EveryView m_view;
};

QTEST_MAIN(TestLowWindow)
#include "tst_low_window.moc"
