// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "training_answer/plan_reduction.h"
#include "views/plan/plan_desk.h"
#include "views/shell/plan_line.h"

using namespace p2;
using namespace p2::views;

class TestPlanLine : public QObject, private test::TrainingDesk<PlanLine> {
  Q_OBJECT
 public:
  TestPlanLine() : TrainingDesk({900, 40}) {}

 private slots:
  void initTestCase() { prepare(); }
  void init() {
    setUp();
    m_view->setSeen(true);
  }
  void cleanup() { clearAway(); }

  void aDocumentWithoutModelHasNone() {
    m_session->reset(test::withoutChoice("teaching-2x4"));
    QVERIFY(m_view->isHidden());
    m_session->reset(test::trainedWorkspace(2));
    QVERIFY(!m_view->isHidden());
    m_view->setSeen(false);
    QVERIFY(m_view->isHidden());
  }

  void aChosenRowBringsItsAxesInOneStep() {
    open(test::trainedWorkspace(2));
    const Workspace before = *m_session->workspace();
    QCOMPARE(text()->text(), QString("These axes are your own, not the plan's."));
    m_session->chooseConfiguration(&row(2));
    m_session->chooseConfiguration(&row(3));
    QCOMPARE(m_session->undoStack().count(), 1);
    QCOMPARE(m_session->workspace()->axes.size(), row(3).axes.size());
    QVERIFY(m_session->workspace()->matrix == row(3).matrix);
    QCOMPARE(text()->text(), "from the plan: " + degreesText(row(3).configuration));
    QVERIFY2(entries()->currentText().contains("gradients over "), qPrintable(entries()->currentText()));
    m_session->undoStack().undo();
    QVERIFY(*m_session->workspace() == before);
  }

  void ownAxesAreKept() {
    open(test::trainedWorkspace(2));
    const Workspace before = *m_session->workspace();
    QTest::mouseClick(button("planLineTake"), Qt::LeftButton);
    QVERIFY(m_session->workspace()->planned);
    QVERIFY(button("planLineTake")->isHidden());
    QTest::mouseClick(button("planLineOwn"), Qt::LeftButton);
    QVERIFY(!m_session->workspace()->planned);
    QCOMPARE(m_session->workspace()->axes, before.axes);
    QVERIFY(m_session->workspace()->workload == before.workload);
  }

  void anotherCollectiveIsOneChoice() {
    open(test::trainedWorkspace(2));
    m_session->chooseConfiguration(&rowWithTensor());
    auto* list = entries();
    list->setFocus();
    const auto first = m_session->workspace()->axes;
    const int tensor = list->findText("over tensor", Qt::MatchContains);
    QVERIFY(tensor >= 0);
    while (list->currentIndex() != tensor) {
      QTest::keyClick(list, list->currentIndex() < tensor ? Qt::Key_Down : Qt::Key_Up);
      if (m_session->workspace()->axes != first) break;
    }
    const auto reduced = reducedEntry(*m_session->workspace());
    QVERIFY(reduced.has_value());
    QVERIFY(m_session->workspace()->planned);
  }

  void whatIsTypedIsOnesOwn() {
    open(test::trainedWorkspace(2));
    m_session->chooseConfiguration(&row(2));
    Workspace bytes = *m_session->workspace();
    bytes.options.cost.bytes = Bytes(12345);
    m_session->edit("Type bytes", bytes);
    QVERIFY(m_session->workspace()->planned);
    QCOMPARE(entries()->currentText(), QString("changed by hand"));
    Workspace axes = *m_session->workspace();
    axes.axes = {{"own", 16, true}};
    axes.workload.reset();
    m_session->edit("Type axes", axes);
    QVERIFY(!m_session->workspace()->planned);
    m_session->undoStack().undo();
    QVERIFY(m_session->workspace()->planned);
  }

  void thePlansAxesFollowTheCluster() {
    open(test::trainedWorkspace(2));
    m_session->chooseConfiguration(&row(2));
    const Workspace before = *m_session->workspace();
    const int steps = m_session->undoStack().count();
    Workspace larger = before;
    larger = withSystem(larger, presetSystem("dgx-h100", 4).value());
    m_session->edit("More nodes", larger);
    QVERIFY(!m_session->problem());
    settle();
    QTRY_VERIFY(!m_session->planner().awaitsAxes());
    std::int64_t devices = 1;
    for (const Axis& axis : m_session->workspace()->axes) devices *= axis.size;
    QCOMPARE(devices, std::int64_t{32});
    QVERIFY(!m_session->problem());
    QCOMPARE(m_session->undoStack().count(), steps + 1);
    m_session->undoStack().undo();
    QVERIFY(*m_session->workspace() == before);
  }

  void withoutAPlanItLeadsThere() {
    Workspace misfit = test::trainedWorkspace(1);
    misfit.training.model = "llama3-405b";
    m_session->reset(misfit);
    QTRY_VERIFY_WITH_TIMEOUT(planner().problem(), 20000);
    QSignalSpy wanted(m_view.get(), &PlanLine::perspectiveWanted);
    QTest::mouseClick(button("planLineTake"), Qt::LeftButton);
    QCOMPARE(wanted.at(0).at(0).toString(), QString("plan"));
  }

 private:
  QLabel* text() { return find<QLabel>("planLineText"); }
  QComboBox* entries() { return find<QComboBox>("planLineEntries"); }
  QToolButton* button(const char* name) { return find<QToolButton>(name); }
  const PlannedConfiguration& row(std::size_t place) { return planner().answer()->answer.configurations[place]; }
  const PlannedConfiguration& rowWithTensor() {
    const auto& all = planner().answer()->answer.configurations;
    return *std::find_if(all.begin(), all.end(),
                         [](const PlannedConfiguration& each) { return each.configuration.plan.tensor > 1; });
  }
};

QTEST_MAIN(TestPlanLine)
#include "tst_plan_line.moc"
