// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>

#include "views/plan/heat_model.h"
#include "views/plan/plan_page_desk.h"
#include "views/plan/plan_scatter.h"

using namespace p2;
using namespace p2::views;

class TestPlanCharts : public QObject, private test::PlanPageDesk {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() { setUp(); }
  void cleanup() { clearAway(); }

  void theMapHasTheFastestOfEveryPair() {
    open(test::trainedWorkspace(2));
    find<QAction>("showPlanMapAction")->trigger();
    auto* map = find<QTableView>("heatTable");
    const auto* heat = qobject_cast<HeatModel*>(map->model());
    QVERIFY(heat->rowCount() > 1 && heat->columnCount() > 1);
    QAbstractItemModelTester tester(map->model());
    int best = 0;
    for (int row = 0; row < heat->rowCount(); ++row) {
      for (int column = 0; column < heat->columnCount(); ++column) {
        const PlannedConfiguration* cell = heat->at(heat->index(row, column));
        if (cell == nullptr) continue;
        best += heat->isBest(heat->index(row, column)) ? 1 : 0;
        for (const PlannedConfiguration& each : planner().answer()->answer.configurations) {
          const TrainingPlan& plan = each.configuration.plan;
          const TrainingPlan& own = cell->configuration.plan;
          if (plan.tensor == own.tensor && plan.pipeline == own.pipeline)
            QVERIFY(each.estimate.seconds >= cell->estimate.seconds);
        }
      }
    }
    QVERIFY(best >= 1);
    const QModelIndex shown = map->currentIndex();
    QVERIFY(heat->isBest(shown));
    map->setFocus();
    QTest::keyClick(map, shown.column() > 0 ? Qt::Key_Left : Qt::Key_Right);
    QVERIFY(m_session->workspace()->training.chosen.has_value());
    QVERIFY(!heat->isBest(map->currentIndex()));
  }

  void theMapOfMicrobatchesIsSearched() {
    open(test::trainedWorkspace(2));
    find<QAction>("showPlanMapAction")->trigger();
    auto* axes = find<QComboBox>("heatAxes");
    axes->setFocus();
    QTest::keyClick(axes, Qt::Key_Down);
    auto* map = find<QTableView>("heatTable");
    QTRY_VERIFY(map->model()->headerData(0, Qt::Vertical).toString().startsWith("microbatch"));
    QVERIFY(map->model()->rowCount() > 1);
  }

  void thefrontIsAPareto() {
    open(test::trainedWorkspace(2));
    find<QAction>("showPlanScatterAction")->trigger();
    auto* plot = find<PlanScatter>("planScatter");
    const auto& all = planner().answer()->answer.configurations;
    QVERIFY(!plot->front().empty());
    for (const PlannedConfiguration& other : all) {
      QVERIFY(other.estimate.seconds >= all[std::size_t(plot->front().front())].estimate.seconds);
    }
    for (const int place : plot->front()) {
      for (const PlannedConfiguration& other : all) {
        const PlannedConfiguration& own = all[std::size_t(place)];
        QVERIFY(!(other.estimate.seconds < own.estimate.seconds && other.memory.total() < own.memory.total()));
      }
    }
    plot->setFocus();
    const auto shown = std::find(plot->front().begin(), plot->front().end(), planner().shownRow());
    const auto next = shown == plot->front().end() ? plot->front().begin() : shown + 1;
    QTest::keyClick(plot, Qt::Key_Right);
    QVERIFY(next != plot->front().end());
    QTest::keyClick(plot, Qt::Key_Return);
    QCOMPARE(planner().shownRow(), *next);
  }
};

QTEST_MAIN(TestPlanCharts)
#include "tst_plan_charts.moc"
