// SPDX-License-Identifier: GPL-3.0-or-later
#include <QHeaderView>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>

#include "app/explorer/every_view.h"
#include "support/warnings.h"
#include "views/plan/plan_model.h"
#include "views/runs/runs_model.h"
#include "views/shell/step_planner.h"
#include "views/whatif/points_model.h"
#include "views/whatif/step_bars.h"
#include "views/why/waterfall_view.h"
#include "views/workload/ranking_model.h"

using namespace p2;
using namespace p2::views;

namespace {

const QSize kWideWindow(1440, 900);
const QSize kUsualWindow(1024, 700);
const QSize kLowWindow(800, 500);

/// The end of a column, from the left edge of what is in sight.
int columnEnd(const QTableView& table, int column) {
  return table.columnViewportPosition(column) + table.columnWidth(column);
}

/// Whether a heading is as wide as its words.
bool headingIsWhole(const QTableView& table, int column) {
  const QString title = table.model()->headerData(column, Qt::Horizontal).toString();
  return table.isColumnHidden(column) ||
         table.columnWidth(column) >= table.horizontalHeader()->fontMetrics().horizontalAdvance(title);
}

}  // namespace

/// What is looked for first on a page is in sight in windows of three sizes.
class TestRoom : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    m_view.open("llama3-70b-fsdp32-tp8", kWideWindow);
    QTRY_VERIFY_WITH_TIMEOUT(m_view.desk->session.planner().isCurrent(), 60000);
  }
  void cleanupTestCase() { m_view.desk.reset(); }
  void init() { test::failOnWarnings(); }

  void degreesAreWhole() {
    show("plan", kWideWindow);
    const auto& table = *find<QTableView>("planTable");
    QVERIFY(table.model()->rowCount() > 10);
    for (int row = 0; row < 10; ++row) {
      const QString degrees = table.model()->index(row, PlanModel::Degrees).data().toString();
      const int wide = table.fontMetrics().horizontalAdvance(degrees);
      QVERIFY2(table.columnWidth(PlanModel::Degrees) >= wide, qPrintable(degrees));
    }
    QVERIFY(columnEnd(table, PlanModel::Step) <= table.viewport()->width());
  }

  void runsShowWhatWasMeasured() {
    show("runs", kWideWindow);
    auto* import = find<QAction>("exampleRuns");
    import->trigger();
    const auto& table = *find<QTableView>("runTable");
    QTRY_VERIFY(table.model()->rowCount() > 40);
    QTRY_VERIFY2(columnEnd(table, RunsModel::Difference) <= table.viewport()->width(),
                 qPrintable(QString("%1 of %2").arg(columnEnd(table, RunsModel::Difference)).arg(table.width())));
    QVERIFY(headingIsWhole(table, RunsModel::Difference));
  }

  // The best plan is what the table is for; what can be read elsewhere gives way to it.
  void whatIfShowsTheBestPlan() {
    show("whatif", kLowWindow);
    const auto& table = *find<QTableView>("whatIfPoints");
    QTRY_VERIFY(table.model()->rowCount() > 4);
    QVERIFY(!table.isColumnHidden(PointsModel::BestThere) && table.isColumnHidden(PointsModel::Energy));
    for (int column = PointsModel::Change; column <= PointsModel::Energy; ++column)
      QVERIFY(headingIsWhole(table, column));
    const auto& bars = *find<StepBars>("whatIfBars");
    QTRY_VERIFY2(bars.height() >= bars.heightForWidth(bars.width()),
                 qPrintable(QString("%1 of %2").arg(bars.height()).arg(bars.heightForWidth(bars.width()))));
    QVERIFY(table.visualRect(table.model()->index(1, 0)).bottom() <= table.viewport()->height());
    resize(kWideWindow);
    QTRY_VERIFY(!table.isColumnHidden(PointsModel::Energy) && !table.isColumnHidden(PointsModel::Devices));
  }

  void entriesGiveWayToTheRanking() {
    m_view.show("workload", "showRankingAction");
    resize({740, 450});
    const auto& table = *find<QTableView>("rankingTable");
    QTRY_VERIFY(table.model()->rowCount() > 2);
    QTRY_VERIFY(!find<QWidget>("entriesTable")->isVisible());
    QTRY_VERIFY(columnEnd(table, RankingModel::Nic) <= table.viewport()->width());
    QTest::mouseClick(find<QToolButton>("foldEntriesButton"), Qt::LeftButton);
    QVERIFY(find<QWidget>("entriesTable")->isVisible());
    resize(kWideWindow);
    QTRY_VERIFY(find<QWidget>("entriesTable")->isVisible());
    QTRY_VERIFY(columnEnd(table, RankingModel::Realised) <= table.viewport()->width());
  }

  void waterfallFillsItsHeight() {
    show("why", kWideWindow);
    const auto& waterfall = *find<WaterfallView>("whyWaterfall");
    QVERIFY(waterfall.itemCount() > 8);
    const QRect last = waterfall.itemAt(waterfall.itemCount() - 1).rect;
    QVERIFY2(last.bottom() >= 0.85 * waterfall.height(),
             qPrintable(QString("%1 of %2").arg(last.bottom()).arg(waterfall.height())));
  }

  void tabsOfDetailsAreWhole() {
    show("why", kLowWindow);
    const auto& tabs = *find<QTabBar>("whyTabs");
    QTRY_VERIFY2(tabs.tabRect(tabs.count() - 1).right() <= tabs.width(),
                 qPrintable(QString("%1 of %2").arg(tabs.tabRect(tabs.count() - 1).right()).arg(tabs.width())));
  }

  // The rule of the step folds away before the picture of it is smaller than the lists beside it.
  void theStageGetsTheRoom() {
    show("programs", kUsualWindow);
    const auto& stage = *find<QWidget>("stepper");
    const QWidget& page = *m_view.desk->window->perspectives().current();
    QTRY_VERIFY2(stage.width() * 100 >= 60 * page.width(),
                 qPrintable(QString("%1 of %2").arg(stage.width()).arg(page.width())));
  }

 private:
  template <class T>
  T* find(const char* name) const {
    return m_view.desk->find<T>(name);
  }
  void resize(QSize size) const {
    m_view.desk->window->resize(size);
    for (int pass = 0; pass < 3; ++pass) QCoreApplication::sendPostedEvents();
    QTRY_COMPARE(m_view.desk->window->size(), size);
  }
  void show(const QString& page, QSize size) {
    m_view.show(page, {});
    resize(size);
    m_view.settle();
  }

  test::EveryView m_view;
};

QTEST_MAIN(TestRoom)
#include "tst_room.moc"
