// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <algorithm>

#include "tests/views/workload/workload_desk.h"
#include "views/plot_items.h"
#include "views/workload/break_even_plot.h"
#include "views/workload/entries_model.h"
#include "views/workload/ranking_model.h"
#include "views/workload/tradeoff_plot.h"

using namespace p2;
using namespace p2::views;

/// What is shown of a ranking, and how one gets there by mouse and keys.
class TestWorkloadPerspective : public QObject, private test::WorkloadDesk {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() { setUp(); }
  void cleanup() {
    clearAway();
    Theme::setTextZoom(100);
  }
  void findingComesFirst();
  void keysWalkTheRanking();
  void enterLeadsToPlacements();
  void aClickOnThePointChooses();
  void keysWalkTheTradeoff();
  void theStepIsReadAtAnySize();
  void breakEvensAreLabelled();
  void groupsAreChosen();
  void tabsAreRemembered();
  void entriesFoldAway();
  void emptyOffersOneAllReduce();
  void otherAxesAreOffered();
  void problemsStandInline();
  void stoppedIsRankedAgain();
  void unmodelledEffectsAreAKeyAway();
  void everythingHasAName();
};

void TestWorkloadPerspective::findingComesFirst() {
  open(test::trainingStep());
  QCOMPARE(stated("workloadFinding"),
           QString("Best: tensor inside a node, 5.33 s of communication per step. Choosing by the AllReduce of data "
                   "alone would take 6.81× as long, on [[4,8],[8,1]]."));
  QVERIFY(find<QLabel>("workloadFinding")->isVisible());
  QVERIFY(!find<QLabel>("workloadMessage")->isVisible());
  // Selected is what the document chooses: the best of the one reduction.
  QCOMPARE(ranking()->currentIndex().row(), 3);
  QCOMPARE(test::cellText(*entries(), 2, EntriesModel::Program).section('\n', 1), QString("node 8"));
}

void TestWorkloadPerspective::keysWalkTheRanking() {
  open(test::trainingStep());
  ranking()->setFocus();
  QTest::keyClick(ranking(), Qt::Key_Home, Qt::ControlModifier);
  QCOMPARE(chosen(), std::string("[[32,1],[1,8]]"));
  QCOMPARE(session->placement()->matrix.text(), chosen());
  QCOMPARE(test::cellText(*entries(), 2, EntriesModel::Program).section('\n', 1), QString("gpu 8"));
  QTest::keyClick(ranking(), Qt::Key_Down);
  QCOMPARE(chosen(), std::string("[[16,2],[2,4]]"));
  QVERIFY2(stated("workloadDetail").startsWith("[[16,2],[2,4]] · "), qPrintable(stated("workloadDetail")));
  session->undoStack().undo();
  QCOMPARE(ranking()->currentIndex().row(), 3);
}

void TestWorkloadPerspective::enterLeadsToPlacements() {
  open(test::trainingStep());
  QSignalSpy wanted(view.get(), &Perspective::perspectiveWanted);
  const QModelIndex row = ranking()->model()->index(1, RankingModel::Where);
  const QPoint at = ranking()->visualRect(row).center();
  QTest::mouseClick(ranking()->viewport(), Qt::LeftButton, {}, at);
  QTest::mouseDClick(ranking()->viewport(), Qt::LeftButton, {}, at);
  QCOMPARE(wanted.size(), 1);
  QCOMPARE(wanted[0][0].toString(), QString(kPlacementsPage));
  QCOMPARE(chosen(), std::string("[[16,2],[2,4]]"));
}

void TestWorkloadPerspective::aClickOnThePointChooses() {
  open(test::trainingStep());
  QTest::keyClick(view.get(), Qt::Key_2, Qt::AltModifier);
  auto* plot = find<TradeoffPlot>("tradeoffPlot");
  QVERIFY(plot->isVisible());
  plot->replot();
  // All four are on the front: what is good for one axis is bad for the other.
  const auto* front =
      test::graphThat(*plot, [](const QCPGraph& each) { return each.lineStyle() == QCPGraph::lsStepLeft; });
  QVERIFY(front != nullptr);
  QCOMPARE(front->dataCount(), 4);
  const QStringList labels = test::textsOn(*plot);
  QCOMPARE(labels.filter("★").size(), 1);
  QVERIFY2(labels.contains("the AllReduce of data alone"), qPrintable(labels.join(" | ")));
  QVERIFY(labels.filter("Megatron-LM").size() == 1);
  const QPoint at = plot->pixelOf(0).toPoint();
  test::moveMouseOver(*plot, at);
  QTRY_VERIFY2(stated("workloadDetail").startsWith("[[32,1],[1,8]] · tensor inside a node"),
               qPrintable(stated("workloadDetail")));
  QTest::mouseClick(plot, Qt::LeftButton, {}, at);
  QCOMPARE(chosen(), std::string("[[32,1],[1,8]]"));
  QTest::keyClick(view.get(), Qt::Key_1, Qt::AltModifier);
  QCOMPARE(ranking()->currentIndex().row(), 0);
}

void TestWorkloadPerspective::keysWalkTheTradeoff() {
  open(test::trainingStep());
  QTest::keyClick(view.get(), Qt::Key_2, Qt::AltModifier);
  auto* plot = find<TradeoffPlot>("tradeoffPlot");
  plot->setFocus();
  QTest::keyClick(plot, Qt::Key_Right);
  QTest::keyClick(plot, Qt::Key_Right);
  QVERIFY(plot->accessibleDescription().startsWith("[[16,2],[2,4]]"));
  QTest::keyClick(plot, Qt::Key_Return);
  QCOMPARE(chosen(), std::string("[[16,2],[2,4]]"));
  QTest::keyClick(plot, Qt::Key_Left);
  QVERIFY(plot->accessibleDescription().startsWith("[[32,1],[1,8]]"));
}

void TestWorkloadPerspective::theStepIsReadAtAnySize() {
  open(test::trainingStep());
  QTableView* table = ranking();
  QTRY_VERIFY(table->model()->rowCount() > 0);
  const auto isRead = [table] {
    return table->columnWidth(RankingModel::Step) >= 20 * table->fontMetrics().averageCharWidth();
  };
  QVERIFY(isRead());
  const auto figures = find<QWidget>("entrySliders")->findChildren<QLabel*>();
  const auto bytes =
      std::find_if(figures.begin(), figures.end(), [](const QLabel* label) { return label->text().endsWith(" MB"); });
  QVERIFY(bytes != figures.end());
  const int figure = (*bytes)->fontMetrics().height();
  Theme::setTextZoom(150);
  QTRY_VERIFY(isRead());
  QVERIFY((*bytes)->fontMetrics().height() > figure);
  view->resize(1900, 800);
  QTRY_VERIFY(table->horizontalHeader()->sectionResizeMode(RankingModel::Step) == QHeaderView::Stretch && isRead());
  view->resize(900, 800);
  QTRY_VERIFY(table->horizontalHeader()->sectionResizeMode(RankingModel::Step) != QHeaderView::Stretch && isRead());
}

void TestWorkloadPerspective::breakEvensAreLabelled() {
  open(test::trainingStep());
  QTest::keyClick(view.get(), Qt::Key_3, Qt::AltModifier);
  auto* plot = find<BreakEvenPlot>("breakEvenPlot");
  QVERIFY(plot->isVisible());
  QCOMPARE(test::textsOn(*plot, "^[0-9/]+$"), QStringList({"1/4", "1", "4"}));
  QVERIFY(stated("breakEvenFinding").contains("This workload has 30"));
  plot->replot();
  const QPoint at = plot->pixelOf(0, 30).toPoint();
  test::moveMouseOver(*plot, at);
  QTRY_VERIFY(stated("workloadDetail").endsWith("the best there"));
  QTest::mouseClick(plot, Qt::LeftButton, {}, at);
  QCOMPARE(chosen(), std::string("[[32,1],[1,8]]"));
  QTRY_COMPARE(plot->chosenText(), QString("chosen: [[32,1],[1,8]]"));
  plot->setFocus();
  QTest::keyClick(plot, Qt::Key_Left);
  QTest::keyClick(plot, Qt::Key_Left);
  QTest::keyClick(plot, Qt::Key_Return);
  QVERIFY2(chosen() == "[[8,4],[4,2]]" || chosen() == "[[16,2],[2,4]]", chosen().c_str());
}

void TestWorkloadPerspective::groupsAreChosen() {
  open(test::trainingStep());
  QTest::keyClick(view.get(), Qt::Key_3, Qt::AltModifier);
  auto* first = find<QComboBox>("breakEvenFirst");
  auto* second = find<QComboBox>("breakEvenSecond");
  QCOMPARE(first->currentText(), QString("all over data"));
  QCOMPARE(second->currentText(), QString("all over tensor"));
  auto* plot = find<BreakEvenPlot>("breakEvenPlot");
  second->setFocus();
  QTest::keyClick(second, Qt::Key_Down);
  QVERIFY(find<QLabel>("breakEvenMessage")->isVisible());
  QVERIFY(!plot->chart().has_value());
  QTest::keyClick(second, Qt::Key_Up);
  QVERIFY(!find<QLabel>("breakEvenMessage")->isVisible());
  QTest::keyClick(second, Qt::Key_End);
  QVERIFY(plot->chart().has_value());
  QCOMPARE(plot->chart()->answer.second.entries, std::vector<std::size_t>{3});
}

void TestWorkloadPerspective::tabsAreRemembered() {
  open(test::trainingStep());
  QTest::keyClick(view.get(), Qt::Key_3, Qt::AltModifier);
  view = test::shown<WorkloadPerspective>(*session, {1400, 800});
  QVERIFY(view);
  QCOMPARE(find<QTabBar>("workloadViews")->currentIndex(), 2);
  QTRY_VERIFY(find<BreakEvenPlot>("breakEvenPlot")->isVisible());
}

void TestWorkloadPerspective::entriesFoldAway() {
  open(test::trainingStep());
  QVERIFY(entries()->isVisible());
  QVERIFY(entries()->width() * 20 <= view->width() * 7);
  const int before = ranking()->width();
  QVERIFY(before * 10 >= view->width() * 6);
  QTest::mouseClick(find<QToolButton>("foldEntriesButton"), Qt::LeftButton);
  QVERIFY(!entries()->isVisible());
  QTRY_VERIFY(ranking()->width() > before);
  QTest::keyClick(view.get(), Qt::Key_0, Qt::AltModifier);
  QVERIFY(entries()->isVisible());
}

void TestWorkloadPerspective::emptyOffersOneAllReduce() {
  Workspace workspace = test::trainingStep();
  workspace.workload.reset();
  workspace.options.cost.bytes = Bytes(1 << 30);
  workspace.options.cost.repeat = 1;
  session->reset(workspace);
  QTRY_VERIFY(session->isCurrent());
  auto* button = find<QPushButton>("oneAllReduceButton");
  QVERIFY(button->isVisible());
  QCOMPARE(QString(button->text()).remove('&'), QString("One AllReduce over data, 1 × 1.07 GB"));
  QTest::mouseClick(button, Qt::LeftButton);
  QCOMPARE(workload().collectives.size(), std::size_t(1));
  QTRY_COMPARE(ranking()->model()->rowCount(), 4);
  // What the reduction alone would choose is the best then.
  QTRY_VERIFY2(stated("workloadFinding").startsWith("Best: [[4,8],[8,1]]"), qPrintable(stated("workloadFinding")));
  ranking()->setFocus();
  QTest::keyClick(view.get(), Qt::Key_3, Qt::AltModifier);
  QVERIFY2(stated("breakEvenMessage").contains("break-evens compare two"), qPrintable(stated("breakEvenMessage")));
  session->undoStack().undo();
  QVERIFY(button->isVisible());
}

void TestWorkloadPerspective::otherAxesAreOffered() {
  Workspace workspace = test::trainingStep();
  workspace.axes = test::valueOf(withReduction(test::valueOf(parseAxes("data=64,tensor=4")), "data"));
  session->reset(workspace);
  QTRY_VERIFY(find<QLabel>("workloadMessage")->isVisible());
  QVERIFY2(stated("workloadMessage").contains("needs data = 32, and here it is 64"),
           qPrintable(stated("workloadMessage")));
  auto* use = find<QPushButton>("useWorkloadAxes");
  QVERIFY(use->isVisible());
  QTest::mouseClick(use, Qt::LeftButton);
  QCOMPARE(session->workspace()->axes[0].size, 32);
  QVERIFY(session->workspace()->axes[0].reduce);
  QTRY_COMPARE(ranking()->model()->rowCount(), 4);
  QVERIFY(!use->isVisible());
  QVERIFY(!find<QLabel>("workloadMessage")->isVisible());
}

void TestWorkloadPerspective::problemsStandInline() {
  open(test::trainingStep());
  Workspace next = *session->workspace();
  next.workload->collectives[1].axes = {"expert"};
  session->edit("break", next);
  auto* message = find<QLabel>("workloadMessage");
  QTRY_VERIFY2(message->isVisible() && message->text().contains("expert"), qPrintable(message->text()));
  // What was ranked before stays, greyed.
  QCOMPARE(ranking()->model()->rowCount(), 4);
  QCOMPARE(ranking()->model()->index(0, 0).data(Qt::ForegroundRole).value<QColor>(), Theme::mutedText());
  session->undoStack().undo();
  QTRY_VERIFY(!message->isVisible());
  QVERIFY(!ranking()->model()->index(0, 0).data(Qt::ForegroundRole).isValid());
}

void TestWorkloadPerspective::stoppedIsRankedAgain() {
  open(test::trainingStep());
  auto* stop = find<QToolButton>("workloadStop");
  QVERIFY(!stop->isVisible());
  Workspace next = *session->workspace();
  next.workload->collectives[0].bytes = 1000;
  session->edit("change", next);
  session->jobs().cancelAll();
  QTRY_VERIFY(stop->isVisible() && find<QLabel>("workloadMessage")->text().contains("stopped"));
  QTest::mouseClick(stop, Qt::LeftButton);
  QTRY_VERIFY(!stop->isVisible());
  QVERIFY(!find<QLabel>("workloadMessage")->isVisible());
  QTRY_VERIFY(test::cellText(*ranking(), 0, RankingModel::Step) != "5.33 s");
}

void TestWorkloadPerspective::unmodelledEffectsAreAKeyAway() {
  open(test::trainingStep());
  auto* leftOut = find<QLabel>("leftOut");
  QVERIFY(!leftOut->isVisible());
  QTest::keyClick(view.get(), Qt::Key_L, Qt::AltModifier);
  QTRY_VERIFY(leftOut->isVisible());
  QVERIFY2(leftOut->text().contains("contention"), qPrintable(leftOut->text()));
}

void TestWorkloadPerspective::everythingHasAName() {
  open(test::trainingStep());
  for (const QWidget* widget : view->findChildren<QWidget*>()) {
    const bool isOurs = !widget->objectName().isEmpty() && !widget->objectName().startsWith("qt_");
    if (!isOurs || widget->focusPolicy() == Qt::NoFocus || qobject_cast<const QLabel*>(widget) != nullptr) continue;
    const bool named = !widget->accessibleName().isEmpty() || widget->property("text").isValid();
    QVERIFY2(named, qPrintable(widget->objectName()));
  }
  QCOMPARE(view->viewActions().size(), 4);
}

QTEST_MAIN(TestWorkloadPerspective)
#include "tst_workload_perspective.moc"
