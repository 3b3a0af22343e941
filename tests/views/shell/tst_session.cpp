// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "support/warnings.h"
#include "views/shell/session.h"
#include "views/shell/session_questions.h"

using namespace p2;
using namespace p2::views;
using p2::test::example;
using p2::test::withBytes;

class TestSession : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }

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
