// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>
#include <QWidget>

#include "support/warnings.h"
#include "views/shell/session.h"
#include "views/shell/session_questions.h"
#include "views/shell/step_planner.h"
#include "workspace/presets.h"

using namespace p2;
using namespace p2::views;

namespace {

Workspace trained(std::int64_t nodes) {
  Workspace workspace = test::example("teaching-2x4");
  workspace = withSystem(workspace, presetSystem("dgx-h100", nodes).value());
  workspace.axes = {{"data", nodes * 8, true}};
  workspace.matrix = {};
  workspace.program.clear();
  workspace.training.model = "llama3-8b";
  workspace.training.batch = 64;
  return workspace;
}

}  // namespace

class TestStepPlanner : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }

  void plansOnlyWhileSomeoneLooks() {
    Session session;
    StepPlanner& planner = session.planner();
    session.reset(trained(2));
    QVERIFY(planner.hasModel());
    QVERIFY(!planner.isRunning());
    QWidget view;
    planner.follow(view);
    QVERIFY(!planner.isRunning());
    view.show();
    QTRY_VERIFY(planner.isRunning());
    QTRY_VERIFY(planner.isCurrent() && planner.answer()->isComplete);
    QCOMPARE(planner.shownRow(), 0);
    QCOMPARE(planner.answer()->answer.configurations.front().framework->name, "megatron");
  }

  void aDocumentWithoutAModelIsNotPlanned() {
    Session session;
    QWidget view;
    view.show();
    session.planner().follow(view);
    session.reset(test::example("teaching-2x4"));
    QTRY_VERIFY(session.isCurrent());
    QVERIFY(!session.planner().hasModel());
    QVERIFY(!session.planner().answer());
    QVERIFY(!session.planner().problem());
  }

  void editsAreUndoneAndTheirAnswersComeBack() {
    Session session;
    QWidget view;
    view.show();
    StepPlanner& planner = session.planner();
    planner.follow(view);
    session.reset(trained(2));
    QTRY_VERIFY(planner.isCurrent() && planner.answer()->isComplete);
    const double before = planner.shown()->estimate.seconds;
    TrainingChoice training = session.workspace()->training;
    training.batch = 128;
    session.editTraining("Change batch", training);
    QVERIFY(!planner.isCurrent());
    QTRY_VERIFY(planner.isCurrent() && planner.answer()->isComplete);
    QVERIFY(planner.shown()->estimate.seconds > before);
    session.undoStack().undo();
    QTRY_VERIFY(planner.isCurrent() && planner.answer()->isComplete);
    QCOMPARE(planner.shown()->estimate.seconds, before);
  }

  void theChoiceStaysWhenTheClusterGrows() {
    Session session;
    QWidget view;
    view.show();
    StepPlanner& planner = session.planner();
    planner.follow(view);
    session.reset(trained(2));
    QTRY_VERIFY(planner.isCurrent() && planner.answer()->isComplete);
    const auto& all = planner.answer()->answer.configurations;
    const auto wanted = std::find_if(all.begin(), all.end(), [](const PlannedConfiguration& each) {
      return each.configuration.plan.tensor == 4 && each.configuration.plan.pipeline == 2;
    });
    QVERIFY(wanted != all.end());
    QSignalSpy workspaceSpy(&session, &Session::workspaceChanged);
    QSignalSpy trainingSpy(&session, &Session::trainingChanged);
    session.chooseConfiguration(&*wanted);
    QCOMPARE(workspaceSpy.count(), 1);
    QVERIFY(!trainingSpy.isEmpty());
    QCOMPARE(planner.shownRow(), int(wanted - all.begin()));

    Workspace larger = *session.workspace();
    larger.system = presetSystem("dgx-h100", 4).value();
    session.edit("More nodes", larger);
    QTRY_VERIFY(planner.isCurrent() && planner.answer()->isComplete && planner.shown());
    QTRY_COMPARE(planner.shown()->configuration.plan.tensor, 4);
    QCOMPARE(planner.shown()->configuration.plan.pipeline, 2);
    QCOMPARE(planner.shown()->configuration.plan.data, 4);
    session.undoStack().undo();
    session.undoStack().undo();
    QVERIFY(!session.workspace()->training.chosen);
  }

  // A configuration of 3 nodes that was priced apart is never shown for 4 nodes, nor for another choice.
  void whatWasPricedBeforeIsNotShownForAnother() {
    Session session;
    QWidget view;
    view.show();
    StepPlanner& planner = session.planner();
    planner.follow(view);
    session.reset(trained(3));
    const auto choose = [&](const char* choices) {
      TrainingChoice training = session.workspace()->training;
      training.batch = 96;
      training.chosen = ChosenConfiguration{"megatron", choices, {}};
      session.editTraining("Choose", training);
    };
    // With tp_overlap it is not in the listing.
    choose("tp=8,pp=1,sp=yes,tp_overlap=yes");
    QTRY_VERIFY_WITH_TIMEOUT(planner.isCurrent() && planner.answer()->isComplete && planner.shown(), 60000);
    QCOMPARE(planner.shownRow(), -1);
    QVERIFY(planner.shown()->configuration.plan.tensorOverlap);
    QCOMPARE(planner.shown()->configuration.plan.data, 3);
    choose("tp=8,pp=3,tp_overlap=yes");
    QVERIFY(!planner.shown());
    QTRY_VERIFY_WITH_TIMEOUT(planner.shown(), 60000);
    QCOMPARE(planner.shown()->configuration.plan.pipeline, 3);
    // 3 stages do not divide 4 nodes.
    Workspace larger = *session.workspace();
    larger.system = presetSystem("dgx-h100", 4).value();
    session.edit("More nodes", larger);
    QTRY_VERIFY_WITH_TIMEOUT(planner.chosenProblem(), 60000);
    QVERIFY(planner.isCurrent());
    // The choice stays; until it can run, the best is shown.
    QVERIFY(session.workspace()->training.chosen.has_value());
    QCOMPARE(planner.shownRow(), 0);
    QCOMPARE(planner.shown(), &planner.answer()->answer.configurations.front());
    choose("tp=8,pp=2,sp=yes,tp_overlap=yes");
    QVERIFY(!planner.shown());
    QTRY_VERIFY_WITH_TIMEOUT(planner.shown(), 60000);
    QCOMPARE(planner.shown()->configuration.plan.data, 2);
  }

  void saysWhatIsWrongWithTheSettings() {
    Session session;
    QWidget view;
    view.show();
    session.planner().follow(view);
    Workspace workspace = trained(2);
    workspace.training.model = "no-such-model";
    session.reset(workspace);
    QTRY_VERIFY(session.planner().problem());
    QVERIFY(session.planner().problem()->text().starts_with("model: "));
    QVERIFY(!session.planner().isCurrent());
  }
};

QTEST_MAIN(TestStepPlanner)
#include "tst_step_planner.moc"
