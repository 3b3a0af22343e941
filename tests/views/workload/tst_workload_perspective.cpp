// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "tests/views/workload/training_steps.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/widget_driver.h"
#include "views/workload/break_even_plot.h"
#include "views/workload/entries_model.h"
#include "views/workload/entries_sliders.h"
#include "views/workload/ranking_model.h"
#include "views/workload/tradeoff_plot.h"
#include "views/workload/workload_perspective.h"

using namespace p2;
using namespace p2::views;

class TestWorkloadPerspective : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void init();
  void cleanup();
  void findingComesFirst();
  void keysWalkTheRanking();
  void enterLeadsToPlacements();
  void aClickOnThePointChooses();
  void keysWalkTheTradeoff();
  void breakEvensAreLabelled();
  void groupsAreChosen();
  void tabsAreRemembered();
  void entriesFoldAway();
  void slidersTryAndApply();
  void slidersResetByDoubleClick();
  void overlapIsAnEdit();
  void computationIsTyped();
  void emptyOffersOneAllReduce();
  void theWorkloadCanBeTakenAway();
  void otherAxesAreOffered();
  void axesThatCannotFitAreOnlySaid();
  void problemsStandInline();
  void stoppedIsRankedAgain();
  void followsUndo();
  void whatIsLeftOutIsAKeyAway();
  void everythingHasAName();

 private:
  template <class T>
  T* find(const char* name) {
    return &test::childOf<T>(*m_view, name);
  }
  QString said(const char* name) { return find<QLabel>(name)->text(); }
  QTableView* ranking() { return find<QTableView>("rankingTable"); }
  QTableView* entries() { return find<QTableView>("entriesTable"); }
  void open(Workspace workspace);
  void selectEntry(int row);
  std::string chosen() const { return m_session->workspace()->matrix.text(); }
  const Workload& workload() const { return *m_session->workspace()->workload; }

  std::unique_ptr<Session> m_session;
  std::unique_ptr<WorkloadPerspective> m_view;
};

void TestWorkloadPerspective::initTestCase() {
  QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support propagateSizeHints).*"));
  Theme::apply(Theme::Scheme::Light);
}

void TestWorkloadPerspective::init() {
  QSettings().clear();
  m_session = std::make_unique<Session>();
  m_view = test::shown<WorkloadPerspective>(*m_session, {1400, 800});
  QVERIFY(m_view);
}

void TestWorkloadPerspective::cleanup() {
  m_view.reset();
  m_session.reset();
}

void TestWorkloadPerspective::open(Workspace workspace) {
  m_session->reset(std::move(workspace));
  QTRY_VERIFY(m_session->isCurrent());
  QTRY_COMPARE(ranking()->model()->rowCount(), 4);
  QTRY_VERIFY(m_session->jobs().running().empty());
}

void TestWorkloadPerspective::selectEntry(int row) {
  QTest::mouseClick(entries()->viewport(), Qt::LeftButton, {},
                    entries()->visualRect(entries()->model()->index(row, 0)).center());
  QCOMPARE(entries()->currentIndex().row(), row);
}

void TestWorkloadPerspective::findingComesFirst() {
  open(test::trainingStep());
  QCOMPARE(said("workloadFinding"),
           QString("tensor in the node is 6.81× faster for the whole step (5.33 s) than [[4,8],[8,1]], which the "
                   "AllReduce of data alone would choose."));
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
  QCOMPARE(m_session->placement()->matrix.text(), chosen());
  QCOMPARE(test::cellText(*entries(), 2, EntriesModel::Program).section('\n', 1), QString("gpu 8"));
  QTest::keyClick(ranking(), Qt::Key_Down);
  QCOMPARE(chosen(), std::string("[[16,2],[2,4]]"));
  QVERIFY2(said("workloadDetail").startsWith("[[16,2],[2,4]] · "), qPrintable(said("workloadDetail")));
  m_session->undoStack().undo();
  QCOMPARE(ranking()->currentIndex().row(), 3);
}

void TestWorkloadPerspective::enterLeadsToPlacements() {
  open(test::trainingStep());
  QSignalSpy wanted(m_view.get(), &Perspective::perspectiveWanted);
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
  QTest::keyClick(m_view.get(), Qt::Key_2, Qt::AltModifier);
  auto* plot = find<TradeoffPlot>("tradeoffPlot");
  QVERIFY(plot->isVisible());
  plot->replot();
  // All four are on the front: what is good for one axis is bad for the other.
  QCOMPARE(plot->frontPoints().size(), 4);
  const QStringList labels = plot->labelTexts();
  QCOMPARE(labels.filter("★").size(), 1);
  QVERIFY2(labels.contains("the AllReduce of data alone"), qPrintable(labels.join(" | ")));
  QVERIFY(labels.filter("Megatron-LM").size() == 1);
  const QPoint at = plot->pixelOf(0).toPoint();
  test::moveMouseOver(*plot, at);
  QTRY_VERIFY2(said("workloadDetail").startsWith("[[32,1],[1,8]] · tensor in the node"),
               qPrintable(said("workloadDetail")));
  QTest::mouseClick(plot, Qt::LeftButton, {}, at);
  QCOMPARE(chosen(), std::string("[[32,1],[1,8]]"));
  QCOMPARE(ranking()->currentIndex().row(), 0);
}

void TestWorkloadPerspective::keysWalkTheTradeoff() {
  open(test::trainingStep());
  QTest::keyClick(m_view.get(), Qt::Key_2, Qt::AltModifier);
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

void TestWorkloadPerspective::breakEvensAreLabelled() {
  open(test::trainingStep());
  QTest::keyClick(m_view.get(), Qt::Key_3, Qt::AltModifier);
  auto* plot = find<BreakEvenPlot>("breakEvenPlot");
  QVERIFY(plot->isVisible());
  QCOMPARE(plot->crossingTexts(), QStringList({"1/4", "1", "4"}));
  QVERIFY(said("breakEvenFinding").contains("This workload has 30"));
  plot->replot();
  const QPoint at = plot->pixelOf(0, 30).toPoint();
  test::moveMouseOver(*plot, at);
  QTRY_VERIFY(said("workloadDetail").endsWith("the best there"));
  QTest::mouseClick(plot, Qt::LeftButton, {}, at);
  QCOMPARE(chosen(), std::string("[[32,1],[1,8]]"));
  plot->setFocus();
  QTest::keyClick(plot, Qt::Key_Left);
  QTest::keyClick(plot, Qt::Key_Left);
  QTest::keyClick(plot, Qt::Key_Return);
  QVERIFY2(chosen() == "[[8,4],[4,2]]" || chosen() == "[[16,2],[2,4]]", chosen().c_str());
}

void TestWorkloadPerspective::groupsAreChosen() {
  open(test::trainingStep());
  QTest::keyClick(m_view.get(), Qt::Key_3, Qt::AltModifier);
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
  QTest::keyClick(m_view.get(), Qt::Key_3, Qt::AltModifier);
  m_view = test::shown<WorkloadPerspective>(*m_session, {1400, 800});
  QVERIFY(m_view);
  QCOMPARE(find<QTabBar>("workloadViews")->currentIndex(), 2);
  QTRY_VERIFY(find<BreakEvenPlot>("breakEvenPlot")->isVisible());
}

void TestWorkloadPerspective::entriesFoldAway() {
  open(test::trainingStep());
  QVERIFY(entries()->isVisible());
  QVERIFY(entries()->width() * 20 <= m_view->width() * 7);
  const int before = ranking()->width();
  QVERIFY(before * 10 >= m_view->width() * 6);
  QTest::mouseClick(find<QToolButton>("foldEntriesButton"), Qt::LeftButton);
  QVERIFY(!entries()->isVisible());
  QTRY_VERIFY(ranking()->width() > before);
  QTest::keyClick(m_view.get(), Qt::Key_0, Qt::AltModifier);
  QVERIFY(entries()->isVisible());
}

// So little of tensor that data decides.
void TestWorkloadPerspective::slidersTryAndApply() {
  open(test::trainingStep());
  const Workspace before = *m_session->workspace();
  for (const int row : {2, 3}) {
    selectEntry(row);
    auto* slider = find<AmountSlider>("bytesSlider");
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Home);
    QCOMPARE(slider->tried(), std::optional<std::int64_t>(21'474'836));
  }
  QTRY_VERIFY2(said("workloadFinding").startsWith("Tried out: "), qPrintable(said("workloadFinding")));
  QTRY_COMPARE(test::cellText(*ranking(), 0, RankingModel::Matrix), QString("[[8,4],[4,2]]"));
  QVERIFY(*m_session->workspace() == before);
  QCOMPARE(test::cellText(*entries(), 2, EntriesModel::Data), QString("21.5 MB\n× 480"));
  auto* apply = find<QPushButton>("applyEntries");
  QVERIFY(apply->isEnabled());
  QTest::mouseClick(apply, Qt::LeftButton);
  QCOMPARE(workload().collectives[2].bytes, 21'474'836);
  QCOMPARE(workload().collectives[3].bytes, 21'474'836);
  QCOMPARE(m_session->undoStack().count(), 1);
  QVERIFY(!apply->isEnabled());
  QTRY_VERIFY(!said("workloadFinding").startsWith("Tried out: "));
  m_session->undoStack().undo();
  QCOMPARE(workload().collectives[2].bytes, 2'147'483'648);
  QTRY_COMPARE(test::cellText(*ranking(), 0, RankingModel::Matrix), QString("[[32,1],[1,8]]"));
}

void TestWorkloadPerspective::slidersResetByDoubleClick() {
  open(test::trainingStep());
  selectEntry(0);
  auto* slider = find<AmountSlider>("countSlider");
  slider->setFocus();
  for (int i = 0; i < 30; ++i) QTest::keyClick(slider, Qt::Key_Right);
  QCOMPARE(slider->tried(), std::optional<std::int64_t>(319));
  QTRY_COMPARE(test::cellText(*entries(), 0, EntriesModel::Data), QString("214 MB\n× 319"));
  QTest::mouseDClick(slider, Qt::LeftButton, {}, slider->rect().center());
  QCOMPARE(slider->tried(), std::nullopt);
  QCOMPARE(test::cellText(*entries(), 0, EntriesModel::Data), QString("214 MB\n× 160"));
  QTest::keyClick(slider, Qt::Key_End);
  QTest::mouseClick(find<QPushButton>("resetEntries"), Qt::LeftButton);
  QCOMPARE(slider->value(), 0);
  QVERIFY(!find<QPushButton>("applyEntries")->isEnabled());
  QTRY_VERIFY(said("workloadFinding").contains("(5.33 s)"));
  QVERIFY(!said("workloadFinding").startsWith("Tried out: "));
}

void TestWorkloadPerspective::overlapIsAnEdit() {
  open(test::trainingStep());
  selectEntry(2);
  auto* choice = find<QComboBox>("overlapChoice");
  QCOMPARE(choice->currentIndex(), 0);
  choice->setFocus();
  QTest::keyClick(choice, Qt::Key_Down);
  QVERIFY(workload().collectives[2].overlap.extent == CommunicationOverlap::Extent::Compute);
  QTest::keyClick(choice, Qt::Key_Down);
  auto* value = find<QDoubleSpinBox>("overlapValue");
  QVERIFY(value->isVisible());
  QCOMPARE(workload().collectives[2].overlap.value, 0.5);
  value->setFocus();
  value->selectAll();
  QTest::keyClicks(value, "25");
  QTest::keyClick(value, Qt::Key_Return);
  QCOMPARE(workload().collectives[2].overlap.value, 0.25);
  m_session->undoStack().undo();
  QVERIFY(workload().collectives[2].overlap.extent == CommunicationOverlap::Extent::None);
  QCOMPARE(choice->currentIndex(), 0);
}

void TestWorkloadPerspective::computationIsTyped() {
  open(test::trainingStep());
  auto* edit = find<QLineEdit>("computeSeconds");
  edit->setFocus();
  QTest::keyClicks(edit, "8,7");
  QTest::keyClick(edit, Qt::Key_Return);
  QCOMPARE(workload().computeSeconds, std::optional(8.7));
  // What overlaps is hidden: 8.7 s of computation and 4.01 s exposed.
  QTRY_COMPARE(test::cellText(*ranking(), 0, RankingModel::Step), QString("12.7 s"));
  edit->selectAll();
  QTest::keyClicks(edit, "soon");
  QTest::keyClick(edit, Qt::Key_Return);
  QVERIFY2(said("computeProblem").contains("soon"), qPrintable(said("computeProblem")));
  QCOMPARE(workload().computeSeconds, std::optional(8.7));
  edit->selectAll();
  QTest::keyClick(edit, Qt::Key_Delete);
  QTest::keyClick(edit, Qt::Key_Return);
  QCOMPARE(workload().computeSeconds, std::optional<double>());
  QVERIFY(!find<QLabel>("computeProblem")->isVisible());
}

void TestWorkloadPerspective::emptyOffersOneAllReduce() {
  Workspace workspace = test::trainingStep();
  workspace.workload.reset();
  workspace.options.cost.bytes = Bytes(1 << 30);
  workspace.options.cost.repeat = 1;
  m_session->reset(workspace);
  QTRY_VERIFY(m_session->isCurrent());
  auto* button = find<QPushButton>("oneAllReduceButton");
  QVERIFY(button->isVisible());
  QCOMPARE(QString(button->text()).remove('&'), QString("One AllReduce over data, 1 × 1.07 GB"));
  QTest::mouseClick(button, Qt::LeftButton);
  QCOMPARE(workload().collectives.size(), std::size_t(1));
  QTRY_COMPARE(ranking()->model()->rowCount(), 4);
  // What the reduction alone would choose is the best then.
  QTRY_VERIFY2(said("workloadFinding").startsWith("The best placement is [[4,8],[8,1]]"),
               qPrintable(said("workloadFinding")));
  QTest::keyClick(m_view.get(), Qt::Key_3, Qt::AltModifier);
  QVERIFY2(said("breakEvenMessage").contains("break-evens take two"), qPrintable(said("breakEvenMessage")));
  m_session->undoStack().undo();
  QVERIFY(button->isVisible());
}

void TestWorkloadPerspective::theWorkloadCanBeTakenAway() {
  open(test::trainingStep());
  auto* menu = find<QToolButton>("changeWorkload")->menu();
  auto* remove = menu->findChild<QAction*>("removeWorkload");
  QVERIFY(remove != nullptr && menu->actions().contains(remove));
  remove->trigger();
  QVERIFY(!m_session->workspace()->workload.has_value());
  QVERIFY(find<QPushButton>("oneAllReduceButton")->isVisible());
  m_session->undoStack().undo();
  QTRY_COMPARE(ranking()->model()->rowCount(), 4);
}

void TestWorkloadPerspective::otherAxesAreOffered() {
  Workspace workspace = test::trainingStep();
  workspace.axes = test::valueOf(withReduction(test::valueOf(parseAxes("data=64,tensor=4")), "data"));
  m_session->reset(workspace);
  QTRY_VERIFY(find<QLabel>("workloadMessage")->isVisible());
  QVERIFY2(said("workloadMessage").contains("data of size 32"), qPrintable(said("workloadMessage")));
  auto* use = find<QPushButton>("useWorkloadAxes");
  QVERIFY(use->isVisible());
  QTest::mouseClick(use, Qt::LeftButton);
  QCOMPARE(m_session->workspace()->axes[0].size, 32);
  QVERIFY(m_session->workspace()->axes[0].reduce);
  QTRY_COMPARE(ranking()->model()->rowCount(), 4);
  QVERIFY(!use->isVisible());
  QVERIFY(!find<QLabel>("workloadMessage")->isVisible());
}

void TestWorkloadPerspective::axesThatCannotFitAreOnlySaid() {
  Workspace workspace = test::trainingStep();
  workspace.system = test::valueOf(parseSystem("dgx-h100:4"));
  workspace.axes = test::valueOf(withReduction(test::valueOf(parseAxes("data=4,tensor=8")), "data"));
  m_session->reset(workspace);
  QTRY_VERIFY(find<QLabel>("workloadMessage")->isVisible());
  QVERIFY(!find<QPushButton>("useWorkloadAxes")->isVisible());
}

void TestWorkloadPerspective::problemsStandInline() {
  open(test::trainingStep());
  Workspace next = *m_session->workspace();
  next.workload->collectives[1].axes = {"expert"};
  m_session->edit("break", next);
  auto* message = find<QLabel>("workloadMessage");
  QTRY_VERIFY2(message->isVisible() && message->text().contains("expert"), qPrintable(message->text()));
  // What was ranked before stays, greyed.
  QCOMPARE(ranking()->model()->rowCount(), 4);
  QCOMPARE(ranking()->model()->index(0, 0).data(Qt::ForegroundRole).value<QColor>(), Theme::mutedText());
  m_session->undoStack().undo();
  QTRY_VERIFY(!message->isVisible());
  QVERIFY(!ranking()->model()->index(0, 0).data(Qt::ForegroundRole).isValid());
}

void TestWorkloadPerspective::stoppedIsRankedAgain() {
  open(test::trainingStep());
  auto* stop = find<QToolButton>("workloadStop");
  QVERIFY(!stop->isVisible());
  Workspace next = *m_session->workspace();
  next.workload->collectives[0].bytes = 1000;
  m_session->edit("change", next);
  m_session->jobs().cancelAll();
  QTRY_VERIFY(stop->isVisible() && find<QLabel>("workloadMessage")->text().contains("stopped"));
  QTest::mouseClick(stop, Qt::LeftButton);
  QTRY_VERIFY(!stop->isVisible());
  QVERIFY(!find<QLabel>("workloadMessage")->isVisible());
  QTRY_VERIFY(test::cellText(*ranking(), 0, RankingModel::Step) != "5.33 s");
}

void TestWorkloadPerspective::followsUndo() {
  open(test::trainingStep());
  Workspace next = *m_session->workspace();
  next.workload->collectives.pop_back();
  m_session->edit("leave one out", next);
  QTRY_COMPARE(entries()->model()->rowCount(), 3);
  QTRY_COMPARE(test::cellText(*ranking(), 0, RankingModel::Step), QString("3.33 s"));
  m_session->undoStack().undo();
  QTRY_COMPARE(entries()->model()->rowCount(), 4);
  QTRY_COMPARE(test::cellText(*ranking(), 0, RankingModel::Step), QString("5.33 s"));
}

void TestWorkloadPerspective::whatIsLeftOutIsAKeyAway() {
  open(test::trainingStep());
  auto* leftOut = find<QLabel>("leftOut");
  QVERIFY(!leftOut->isVisible());
  QTest::keyClick(m_view.get(), Qt::Key_L, Qt::AltModifier);
  QTRY_VERIFY(leftOut->isVisible());
  QVERIFY2(leftOut->text().contains("contention"), qPrintable(leftOut->text()));
}

void TestWorkloadPerspective::everythingHasAName() {
  open(test::trainingStep());
  for (const QWidget* widget : m_view->findChildren<QWidget*>()) {
    const bool isOurs = !widget->objectName().isEmpty() && !widget->objectName().startsWith("qt_");
    if (!isOurs || widget->focusPolicy() == Qt::NoFocus || qobject_cast<const QLabel*>(widget) != nullptr) continue;
    const bool named = !widget->accessibleName().isEmpty() || widget->property("text").isValid();
    QVERIFY2(named, qPrintable(widget->objectName()));
  }
  QVERIFY(m_view->help().contains("Break-evens"));
  QCOMPARE(m_view->viewActions().size(), 4);
}

QTEST_MAIN(TestWorkloadPerspective)
#include "tst_workload_perspective.moc"
