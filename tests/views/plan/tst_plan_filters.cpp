// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QTabBar>

#include "base/near.h"
#include "training_answer/document_training.h"
#include "views/common/text.h"
#include "views/plan/heat_page.h"
#include "views/plan/plan_page_desk.h"
#include "views/shell/training_text.h"

using namespace p2;
using namespace p2::views;

/// The page Plan while its filters hide the best configuration.
class TestPlanFilters : public QObject, private test::PlanPageDesk {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() { setUp(); }
  void cleanup() { clearAway(); }

  // The headline and the selection follow the rows that are listed, on all pages; what is hidden is one click away.
  void theBestIsTheFirstThatIsListed() {
    open(fullWorkspace());
    const auto all = planner().answer();
    const TrainingAnswer& answer = all->answer;
    const QString best = degreesText(answer.configurations.front().configuration);
    QVERIFY(finding().startsWith("Best: " + best));
    tick("spareTenth");
    settle();
    QVERIFY(chosenFrom(model().at(0)) != chosenFrom(answer.configurations.front()));
    QVERIFY(table().model()->index(0, PlanModel::Place).data().toString().startsWith('1'));
    const QString listed = degreesText(model().at(0).configuration);
    QVERIFY2(finding().startsWith(QString("Best of the %1 of %2 that the filters leave: %3")
                                      .arg(model().rowCount())
                                      .arg(answer.configurations.size())
                                      .arg(listed)),
             qPrintable(finding()));
    QVERIFY2(finding().contains(intervalText(model().at(0).estimate)), qPrintable(finding()));
    QCOMPARE(table().currentIndex().row(), 0);
    QCOMPARE(planner().shownRow(), 0);
    QCOMPARE(planner().shown(), &planner().answer()->answer.configurations.front());
    QVERIFY(!m_session->workspace()->training.chosen);
    const auto* hints = find<QLabel>("planHints");
    QVERIFY2(hints->isVisible() && hints->text().contains(best.toHtmlEscaped()), qPrintable(hints->text()));
    QVERIFY2(hints->text().contains(secondsText(answer.configurations.front().estimate.seconds)),
             qPrintable(hints->text()));
    emit find<QLabel>("planHints")->linkActivated("all");
    QVERIFY(finding().startsWith("Best: " + best));
    QVERIFY(!find<QCheckBox>("spareTenth")->isChecked());
    QCOMPARE(planner().shownRow(), 0);
    QCOMPARE(table().currentIndex().row(), 0);
  }

  // The row of a layout is its fastest recomputation with the room, and the best has the room too.
  void aLayoutKeepsItsFastestWithRoom() {
    open(test::trainedWorkspace(2));
    const auto all = planner().answer();
    tick("spareTenth");
    settle();
    const auto hasRoom = [&](const PlannedConfiguration& each) {
      return each.memory.total() + all->answer.reserve <= 0.9 * all->answer.memory;
    };
    int others = 0;
    for (int row = 0; row < model().rowCount(); ++row) {
      QVERIFY(hasRoom(model().at(row)));
      QVERIFY(model().at(row).estimate.seconds >= model().at(0).estimate.seconds * (1 - kDisplayTolerance));
      const auto same = variantIn(all->answer.configurations, model().at(row));
      QVERIFY(same);
      const PlannedConfiguration& fastest = all->answer.configurations[*same];
      if (hasRoom(fastest)) {
        QCOMPARE(chosenFrom(model().at(row)).choices, chosenFrom(fastest).choices);
      } else {
        ++others;
        QVERIFY(model().at(row).estimate.seconds >= fastest.estimate.seconds);
      }
    }
    QVERIFY(others > 0);
  }

  // A choice is kept, hidden or not, and the way back leads to the best of the rows.
  void aChoiceIsKept() {
    open(fullWorkspace());
    QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, cellCentre(0));
    m_session->chooseConfiguration(&planner().answer()->answer.configurations.front());
    QCOMPARE(planner().shownRow(), 0);
    const QString wanted = degreesText(planner().shown()->configuration);
    tick("spareTenth");
    QCOMPARE(planner().shownRow(), -1);
    QCOMPARE(degreesText(planner().shown()->configuration), wanted);
    QVERIFY(!table().currentIndex().isValid());
    const QString chosen = find<QLabel>("planChosen")->text();
    QVERIFY2(chosen.startsWith("Chosen: ") && chosen.contains("The filters hide it"), qPrintable(chosen));
    QTest::mouseClick(find<QWidget>("planFollowBest"), Qt::LeftButton);
    QCOMPARE(planner().shownRow(), 0);
    QCOMPARE(table().currentIndex().row(), 0);
  }

  // The map has no cell that the table has no row for.
  void theMapHasTheSameRows() {
    open(fullWorkspace());
    tick("spareTenth");
    QTest::mouseClick(find<QTabBar>("planTabs"), Qt::LeftButton, {}, find<QTabBar>("planTabs")->tabRect(1).center());
    const HeatModel& map = m_view->findChild<HeatPage*>()->model();
    int cells = 0;
    for (int row = 0; row < map.rowCount(); ++row) {
      for (int column = 0; column < map.columnCount(); ++column) {
        const PlannedConfiguration* planned = map.at(map.index(row, column));
        if (planned == nullptr) continue;
        ++cells;
        const TrainingAnswer& answer = planner().answer()->answer;
        QVERIFY(planned->memory.total() + answer.reserve <= 0.9 * answer.memory);
      }
    }
    QVERIFY(cells > 0);
  }

  void filtersThatLeaveNothingSaySo() {
    Workspace workspace = fullWorkspace();
    workspace.training.fixed = "microbatch=4,recompute=none,tp=2,pp=1,cp=1,zero=1";
    open(workspace);
    tick("spareTenth");
    QCOMPARE(table().model()->rowCount(), 0);
    QVERIFY2(finding().startsWith("The filters leave none of "), qPrintable(finding()));
    QCOMPARE(planner().shownRow(), 0);
    QVERIFY(find<QLabel>("planHints")->text().contains("Show all rows"));
  }

  // The fixed choice that leaves no plan is released by a button, the others stay.
  void aChoiceThatEmptiesThePageIsReleased() {
    Workspace workspace = test::trainedWorkspace(2);
    workspace.training.fixed = "tp=3,microbatch=1";
    m_session->reset(std::move(workspace));
    const auto button = [&] { return m_view->findChild<QPushButton*>("planRelease0"); };
    QTRY_VERIFY_WITH_TIMEOUT(button() != nullptr && button()->isVisible(), 60000);
    QVERIFY2(button()->text().startsWith("Release tp=3: "), qPrintable(button()->text()));
    QVERIFY(m_view->findChild<QPushButton*>("planRelease1") == nullptr);
    QCOMPARE(find<QPushButton>("emptyButton")->text(), QString("Change the model"));
    QTest::mouseClick(button(), Qt::LeftButton);
    QCOMPARE(m_session->workspace()->training.fixed, std::string("microbatch=1"));
    settle();
    QVERIFY(table().model()->rowCount() > 0);
    m_session->undoStack().undo();
    QCOMPARE(m_session->workspace()->training.fixed, std::string("tp=3,microbatch=1"));
    QTRY_VERIFY_WITH_TIMEOUT(m_session->jobs().running().empty(), 20000);
  }

  void aCancelledFilterIsSearchedAgain() {
    open(test::trainedWorkspace(2));
    tick("spareTenth");
    QVERIFY(planner().isRunning());
    QTest::mouseClick(find<QWidget>("planCancel"), Qt::LeftButton);
    QTRY_VERIFY(planner().wasCancelled());
    QVERIFY(!planner().answer()->isComplete);
    QCOMPARE(find<QToolButton>("planCancel")->text(), QString("Search again"));
    QTest::mouseClick(find<QWidget>("planCancel"), Qt::LeftButton);
    settle();
    QVERIFY(!planner().wasCancelled());
    QVERIFY(planner().answer()->isComplete);
  }

  void anotherDocumentStartsWithoutFilters() {
    open(fullWorkspace());
    tick("spareTenth");
    open(test::trainedWorkspace(1));
    QVERIFY(!find<QCheckBox>("spareTenth")->isChecked());
    QCOMPARE(table().model()->rowCount(), int(planner().answer()->answer.configurations.size()));
  }

 private:
  /// A document whose best configuration fills the memory.
  static Workspace fullWorkspace() {
    Workspace workspace = test::trainedWorkspace(2);
    workspace.training.fixed = "microbatch=4,recompute=none";
    return workspace;
  }
  void tick(const char* name) { QTest::mouseClick(find<QCheckBox>(name), Qt::LeftButton, {}, QPoint(8, 8)); }
  [[nodiscard]] QString finding() { return find<QLabel>("planFinding")->text(); }
};

QTEST_MAIN(TestPlanFilters)
#include "tst_plan_filters.moc"
