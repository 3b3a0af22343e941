// SPDX-License-Identifier: GPL-3.0-or-later
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include "views/shell/examples.h"
#include "views/shell/session.h"

using namespace p2;
using namespace p2::views;

namespace {

Workspace example(const char* name) { return readExample(name).value(); }

Workspace withoutChoice(const char* name) {
  Workspace workspace = example(name);
  workspace.matrix = {};
  workspace.program.clear();
  return workspace;
}

Workspace withBytes(Workspace workspace, double bytes) {
  workspace.options.cost.bytes = Bytes(bytes);
  return workspace;
}

std::string selectedProgram(const Session& session) {
  return programText(*session.placement()->hierarchy, session.program()->program);
}

}  // namespace

class TestSession : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QTest::failOnWarning(QRegularExpression(".*")); }

  void opensOnTheBestProgram() {
    Session session;
    QVERIFY(!session.exploration());
    QCOMPARE(session.placementIndex(), -1);
    QVERIFY(!session.placement());
    QVERIFY(!session.program());
    QSignalSpy selection(&session, &Session::selectionChanged);
    session.reset(example("a100-4x16"));
    QVERIFY(!session.isCurrent());
    QTRY_VERIFY(session.isCurrent());
    QCOMPARE(session.exploration()->placements.size(), 5u);
    QCOMPARE(session.placementIndex(), session.exploration()->bestPlacement);
    QCOMPARE(session.programIndex(), 0);
    QCOMPARE(session.program()->seconds, session.placement()->bestSeconds);
    QVERIFY(!selection.isEmpty());
  }

  void editsAreUndoneAndRedone() {
    Session session;
    session.reset(example("teaching-2x4"));
    QTRY_VERIFY(session.isCurrent());
    const auto before = session.workspace();
    const auto answer = session.exploration();
    session.edit("Change bytes", withBytes(*before, 1e6));
    QCOMPARE(session.undoStack().undoText(), "Change bytes");
    QVERIFY(!session.isCurrent());
    QCOMPARE(session.exploration(), answer);  // the old one stays until the new one is there
    QTRY_VERIFY(session.isCurrent());
    QVERIFY(session.exploration() != answer);
    QCOMPARE(session.exploration()->workspace.options.cost.bytes, Bytes(1e6));

    session.undoStack().undo();
    QCOMPARE(*session.workspace(), *before);
    QTRY_VERIFY(session.isCurrent());
    session.undoStack().redo();
    QCOMPARE(session.workspace()->options.cost.bytes, Bytes(1e6));
  }

  void anEditThatChangesNothingIsNone() {
    Session session;
    session.reset(example("teaching-2x4"));
    session.edit("Nothing", *session.workspace());
    QVERIFY(session.undoStack().isClean());
    QCOMPARE(session.undoStack().count(), 0);
  }

  void typingInOneFieldIsOneStep() {
    Session session;
    session.reset(example("teaching-2x4"));
    const Workspace before = *session.workspace();
    session.edit("Type", withBytes(before, 1), "bytes");
    session.edit("Type", withBytes(before, 12), "bytes");
    QCOMPARE(session.undoStack().count(), 1);
    Workspace limited = withBytes(before, 12);
    limited.options.sizeLimit = 3;
    session.edit("Limit", limited, "limit");
    limited.options.sizeLimit = 4;
    session.edit("Limit", limited);
    QCOMPARE(session.undoStack().count(), 3);
    for (int i = 0; i < 3; ++i) session.undoStack().undo();
    QCOMPARE(*session.workspace(), before);
  }

  void typingBackToTheBeginningLeavesNoStep() {
    Session session;
    session.reset(example("teaching-2x4"));
    const Workspace before = *session.workspace();
    session.edit("Type", withBytes(before, 1), "bytes");
    session.edit("Type", before, "bytes");
    QCOMPARE(session.undoStack().count(), 0);
    QVERIFY(session.undoStack().isClean());
  }

  void aProblemStaysUntilMended() {
    Session session;
    session.reset(example("teaching-2x4"));
    QTRY_VERIFY(session.isCurrent());
    const auto answer = session.exploration();
    Workspace broken = *session.workspace();
    broken.axes[0].size = 7;
    session.edit("Size", broken);
    QVERIFY(session.problem());
    QVERIFY2(session.problem()->message.find('8') != std::string::npos, session.problem()->message.c_str());
    QVERIFY(!session.isCurrent());
    QCOMPARE(session.exploration(), answer);
    QVERIFY(session.jobs().running().empty());
    session.undoStack().undo();
    QVERIFY(!session.problem());
    QVERIFY(session.isCurrent());  // the answer to this very question is still there
    QVERIFY(session.jobs().running().empty());
  }

  void tooManyPlacementsIsAProblemToo() {
    Session session;
    Workspace large;
    large.system.name = "large";
    for (int i = 0; i < 5; ++i) {
      large.system.levels.push_back({"level" + std::to_string(i), 16, defaultInterconnect("level", false)});
      large.axes.push_back({"axis" + std::to_string(i), 16, true});
    }
    session.reset(large);
    QTRY_VERIFY(session.problem());
    QCOMPARE(session.problem()->kind, ErrorKind::TooLarge);
  }

  void onlyTheLastOfManyEditsIsExplored() {
    Session session;
    session.reset(example("v100-4x8"));
    QSignalSpy selection(&session, &Session::selectionChanged);
    for (double bytes = 1e3; bytes <= 1e6; bytes *= 10) session.edit("Bytes", withBytes(*session.workspace(), bytes));
    QTRY_VERIFY(session.isCurrent());
    QCOMPARE(session.exploration()->workspace.options.cost.bytes, Bytes(1e6));
    QCOMPARE(selection.size(), 1);
  }

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

  void signalsMeanOneThing() {
    Session session;
    QSignalSpy explored(&session, &Session::explorationChanged);
    QSignalSpy freshness(&session, &Session::freshnessChanged);
    session.reset(example("teaching-2x4"));
    QTRY_VERIFY(session.isCurrent());
    QCOMPARE(explored.size(), 1);
    explored.clear();
    freshness.clear();
    Workspace broken = *session.workspace();
    broken.axes[0].size = 7;
    session.edit("Size", broken);
    QCOMPARE(explored.size(), 0);
    QCOMPARE(freshness.size(), 1);
    session.undoStack().undo();
    QCOMPARE(explored.size(), 0);
    QCOMPARE(freshness.size(), 2);
    session.reset(example("teaching-2x4"));
    QCOMPARE(explored.size(), 1);  // the other document's is gone
    QTRY_VERIFY(session.isCurrent());
    QCOMPARE(explored.size(), 2);
  }

  void notesAskNothing() {
    Session session;
    session.reset(example("teaching-2x4"));
    QTRY_VERIFY(session.isCurrent());
    QSignalSpy notes(&session, &Session::notesChanged);
    QSignalSpy changed(&session, &Session::workspaceChanged);
    Workspace next = *session.workspace();
    next.notes = "mine";
    session.edit("Notes", next);
    QCOMPARE(notes.size(), 1);
    QCOMPARE(changed.size(), 0);
    QVERIFY(session.isCurrent());
    QVERIFY(session.jobs().running().empty());
  }

  void choosingIsInstantAmongManyPlacements() {
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
    QElapsedTimer timer;
    timer.start();
    for (int row = 0; row < 100; ++row) session.select(count - 1 - row);
    const double each = double(timer.elapsed()) / 100;
    qInfo("%d placements: choosing one takes %.2f ms", count, each);
    QCOMPARE(session.undoStack().count(), 1);
    QVERIFY(session.jobs().running().empty());
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

  void morePrograms() {
    Session session;
    Workspace many = example("figure2");
    many.axes = {{"data", 16, true}};
    many.options.sizeLimit = 8;
    session.reset(many);
    QTRY_VERIFY(session.isCurrent());
    const auto answer = session.exploration();
    const std::size_t listed = session.placement()->programs.size();
    QVERIFY(session.placement()->programCount > Count(listed));
    session.select(0, 7);
    session.wantMorePrograms();
    QVERIFY(session.isCurrent());  // what is there is no less true
    session.wantMorePrograms();
    QCOMPARE(session.jobs().running().size(), 1u);
    QTRY_VERIFY(session.exploration() != answer);
    QVERIFY(session.placement()->programs.size() > listed);
    QCOMPARE(session.programIndex(), 7);
  }

  void aCancelledExplorationCanBeStartedAgain() {
    Session session;
    session.reset(example("a100-4x16"));
    session.exploreAgain();
    QVERIFY(session.isExploring());
    QSignalSpy freshness(&session, &Session::freshnessChanged);
    session.jobs().cancelAll();
    QVERIFY(!session.isExploring());
    QCOMPARE(freshness.size(), 1);
    QVERIFY(!session.isCurrent());
    QVERIFY(!session.problem());
    session.exploreAgain();
    QTRY_VERIFY(session.isCurrent());
  }

  void anotherDocumentStartsAfresh() {
    Session session;
    session.reset(example("a100-4x16"));
    QTRY_VERIFY(session.isCurrent());
    session.edit("Bytes", withBytes(*session.workspace(), 5));
    session.reset(example("teaching-2x4"));
    QVERIFY(!session.undoStack().canUndo());
    QVERIFY(!session.exploration());
    QVERIFY(!session.placement());
    QTRY_VERIFY(session.isCurrent());
    QCOMPARE(session.exploration()->workspace.system.name, "node:2 gpu:4");
  }

  void hoverIsToldOncePerChange() {
    Session session;
    QSignalSpy hover(&session, &Session::hoverChanged);
    session.setHoveredDevice(Device(3));
    session.setHoveredDevice(Device(3));
    QCOMPARE(hover.size(), 1);
    QCOMPARE(session.hoveredDevice(), Device(3));
    session.reset(example("teaching-2x4"));
    QCOMPARE(session.hoveredDevice(), Device());
  }
};

QTEST_GUILESS_MAIN(TestSession)
#include "tst_session.moc"
