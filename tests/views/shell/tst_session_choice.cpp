// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "support/warnings.h"
#include "views/shell/session.h"
#include "views/shell/session_questions.h"

using namespace p2;
using namespace p2::views;
using p2::test::example;
using p2::test::selectedProgram;
using p2::test::withBytes;
using p2::test::withoutChoice;

class TestSessionChoice : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }

  void theSelectionSurvivesAnExploration() {
    Session session;
    session.reset(example("a100-4x16"));
    QTRY_VERIFY(session.isCurrent());
    session.select(1, 3);
    const ParallelismMatrix matrix = session.placement()->matrix;
    const std::string program = selectedProgram(session);
    session.edit("Bytes", withBytes(*session.workspace(), 1e5));
    QTRY_VERIFY(session.isCurrent());
    QCOMPARE(session.placement()->matrix, matrix);
    QCOMPARE(selectedProgram(session), program);
  }

  void theStepBelongsToTheProgram() {
    Session session;
    QCOMPARE(session.step(), StepId());
    session.reset(example("a100-4x16"));
    QTRY_VERIFY(session.isCurrent());
    QCOMPARE(session.program()->program.size(), 3u);
    QCOMPARE(session.step(), StepId(0));
    QSignalSpy moved(&session, &Session::stepChanged);
    session.setStep(StepId(7));
    QCOMPARE(session.step(), StepId(2));
    session.setStep(StepId(2));
    QCOMPARE(moved.count(), 1);
    session.edit("Bytes", withBytes(*session.workspace(), 1e5));
    QTRY_VERIFY(session.isCurrent());
    QCOMPARE(session.step(), StepId(2));
    session.select(1, 3);
    QCOMPARE(session.step(), StepId(0));
    session.reset({});
    QCOMPARE(session.step(), StepId());
  }

  void theSelectionComesBackWithUndo() {
    Session session;
    session.reset(example("a100-4x16"));
    QTRY_VERIFY(session.isCurrent());
    session.select(3, 2);
    const ParallelismMatrix matrix = session.placement()->matrix;
    const std::string program = selectedProgram(session);
    Workspace other = *session.workspace();
    other.axes = {{"data", 64, true}};
    session.edit("Axes", other);
    QTRY_VERIFY(session.isCurrent());
    QVERIFY(session.placement()->matrix != matrix);
    QCOMPARE(session.placementIndex(), session.exploration()->bestPlacement);
    session.undoStack().undo();
    QTRY_VERIFY(session.isCurrent());
    QCOMPARE(session.placement()->matrix, matrix);
    QCOMPARE(selectedProgram(session), program);
  }

  void theSelectionIsPartOfTheDocument() {
    Session session;
    session.reset(withoutChoice("a100-4x16"));
    QTRY_VERIFY(session.isCurrent());
    QVERIFY(session.workspace()->matrix.empty());
    const auto exploration = session.exploration();
    QSignalSpy explored(&session, &Session::explorationChanged);
    QSignalSpy changed(&session, &Session::workspaceChanged);
    session.select(2, 4);
    const Workspace chosen = *session.workspace();
    QCOMPARE(chosen.matrix, session.placement()->matrix);
    QCOMPARE(chosen.program, selectedProgram(session));
    QCOMPARE(session.workspaceWithSelection(), chosen);
    QVERIFY(!session.undoStack().isClean());
    // The question is the same, and so is its answer.
    QVERIFY(session.isCurrent());
    QVERIFY(session.jobs().running().empty());
    QCOMPARE(session.exploration(), exploration);
    QCOMPARE(explored.size(), 0);
    QCOMPARE(changed.size(), 0);

    Session opened;
    opened.reset(chosen);
    QTRY_VERIFY(opened.isCurrent());
    QCOMPARE(opened.placementIndex(), 2);
    QCOMPARE(opened.programIndex(), 4);
    QVERIFY(opened.undoStack().isClean());
  }

  void aChoiceIsUndoneAndRedone() {
    Session session;
    session.reset(withoutChoice("a100-4x16"));
    QTRY_VERIFY(session.isCurrent());
    const int best = session.exploration()->bestPlacement;
    const int other = best == 1 ? 2 : 1;
    session.select(other, 3);
    QSignalSpy selected(&session, &Session::selectionChanged);
    session.undoStack().undo();
    QCOMPARE(session.placementIndex(), best);
    QCOMPARE(session.programIndex(), 0);
    QVERIFY(session.undoStack().isClean());
    session.undoStack().redo();
    QCOMPARE(session.placementIndex(), other);
    QCOMPARE(session.programIndex(), 3);
    QCOMPARE(selected.size(), 2);
    QVERIFY(session.jobs().running().empty());
  }

  void walkingThroughAListIsOneStep() {
    Session session;
    session.reset(withoutChoice("a100-4x16"));
    QTRY_VERIFY(session.isCurrent());
    const int best = session.exploration()->bestPlacement;
    for (int row : {0, 1, 2, 3, 4}) session.select(row);
    QCOMPARE(session.undoStack().count(), 1);
    for (int program : {1, 2, 3}) session.select(4, program);
    QCOMPARE(session.undoStack().count(), 2);
    session.undoStack().undo();
    QCOMPARE(session.placementIndex(), 4);
    QCOMPARE(session.programIndex(), 0);
    session.undoStack().undo();
    QCOMPARE(session.placementIndex(), best);
  }

  void aChoiceThatNoLongerFitsGoesWithTheEdit() {
    Session session;
    session.reset(withoutChoice("a100-4x16"));
    QTRY_VERIFY(session.isCurrent());
    session.select(2, 4);
    const Workspace chosen = *session.workspace();
    Workspace other = chosen;
    other.axes = {{"data", 64, true}};
    session.edit("Axes", other);
    QVERIFY(session.workspace()->matrix.empty());
    QVERIFY(session.workspace()->program.empty());
    session.undoStack().undo();
    QCOMPARE(*session.workspace(), chosen);
    QTRY_VERIFY(session.isCurrent());
    QCOMPARE(session.placementIndex(), 2);
    QCOMPARE(session.programIndex(), 4);
  }

  void aChoiceSurvivesWhatIsHalfTyped() {
    Session session;
    session.reset(withoutChoice("a100-4x16"));
    QTRY_VERIFY(session.isCurrent());
    session.select(2, 4);
    const ParallelismMatrix matrix = session.workspace()->matrix;
    Workspace next = *session.workspace();
    std::swap(next.axes[0].size, next.axes[1].size);
    next.axes[0].size = 7;
    session.edit("Half", next);
    QVERIFY(session.problem());
    QCOMPARE(session.workspace()->matrix, matrix);
  }

  void aSelectionNeverSurvivesIntoAnotherDocument() {
    Session session;
    session.reset(withoutChoice("a100-4x16"));
    QTRY_VERIFY(session.isCurrent());
    const int best = session.exploration()->bestPlacement;
    session.select(best == 1 ? 2 : 1, 3);
    session.setStep(StepId(1));
    session.reset(withoutChoice("a100-4x16"));
    QVERIFY(session.workspace()->matrix.empty());
    QCOMPARE(session.placementIndex(), -1);
    QTRY_VERIFY(session.isCurrent());
    QCOMPARE(session.placementIndex(), best);
    QCOMPARE(session.programIndex(), 0);
    QCOMPARE(session.step(), StepId(0));
  }

  void choosingComputesNothingAmongManyPlacements() {
    Session session;
    Workspace many;
    many.system = systemFromArgument("pod:8 rack:8 node:8 gpu:8").value();
    many.axes = {{"a", 8, true}, {"b", 8, false}, {"c", 8, false}, {"d", 8, false}};
    many.options.sizeLimit = 2;
    session.reset(many);
    QTRY_VERIFY_WITH_TIMEOUT(session.isCurrent() || session.problem(), 300'000);
    QVERIFY2(session.isCurrent(), session.problem() ? session.problem()->message.c_str() : "");
    const int count = int(session.exploration()->placements.size());
    QVERIFY2(count > 1000, qPrintable(QString::number(count)));
    const QSignalSpy jobs(&session.jobs(), &JobQueue::changed);
    const QSignalSpy explored(&session, &Session::explorationChanged);
    const auto exploration = session.exploration();
    for (int row = 0; row < 100; ++row) session.select(count - 1 - row);
    QCOMPARE(session.placementIndex(), count - 100);
    QCOMPARE(session.undoStack().count(), 1);
    QCOMPARE(jobs.count(), 0);
    QCOMPARE(explored.count(), 0);
    QCOMPARE(session.exploration(), exploration);
  }

  void selectingIsClamped() {
    Session session;
    session.select(3, 3);
    QCOMPARE(session.placementIndex(), -1);
    session.reset(example("teaching-2x4"));
    QTRY_VERIFY(session.isCurrent());
    session.select(99, 999'999);
    QCOMPARE(session.placementIndex(), int(session.exploration()->placements.size()) - 1);
    QCOMPARE(session.programIndex(), int(session.placement()->programs.size()) - 1);
    session.select(-5, -5);
    QCOMPARE(session.placementIndex(), 0);
    QCOMPARE(session.programIndex(), 0);
  }
};

QTEST_GUILESS_MAIN(TestSessionChoice)
#include "tst_session_choice.moc"
