// SPDX-License-Identifier: GPL-3.0-or-later
#include <QHeaderView>
#include <QMenu>
#include <QTableWidget>
#include <QToolButton>

#include "views/lesson/lesson_desk.h"
#include "views/lesson/lesson_progress.h"

using namespace p2;
using namespace p2::views;

// What a page asks, answered rightly and wrongly: choices, programs, searches and the literal algorithm.
class TestLessonTasks : public QObject, test::LessonDesk {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() {
    QSettings().clear();
    open();
  }
  void cleanup() { close(); }
  void stepsAreAddedByButton();
  void stepsAreAddedInTheTable();
  void headsOfTheTableAreWhole();
  void watchedByKeys();
  void whatIsNotPreparedIsNotSolved();
  void choicesAreExplained();
  void aFinishedProgramIsRight();
  void programsAreWritten();
  void searchesShowWhatIsChosen();
  void nothingLooksChosen();
  void placementsAreFound();
  void theLiteralAlgorithmIsSteppedThrough();
};

void TestLessonTasks::stepsAreAddedByButton() {
  take(5, 2);
  QMenu* menu = find<QPushButton>("addStepButton")->menu();
  QStringList groups;
  for (QAction* each : menu->actions()) groups << each->text();
  QVERIFY2(groups.contains("AllReduce"), qPrintable(groups.join(", ")));
  QMenu* steps = menu->actions().at(int(groups.indexOf("AllReduce")))->menu();
  const auto add = [steps](const QString& name) {
    for (QAction* each : steps->actions()) {
      if (each->text() == name) return each->trigger();
    }
    QFAIL("no such step");
  };
  add("AllReduce inside each node");
  QTRY_VERIFY(settled());
  QVERIFY(text("lessonCaption").startsWith("Next, step 1 of 1: AllReduce inside each node"));
  add("AllReduce inside each node");
  press("removeStepButton");
  QCOMPARE(find<QLineEdit>("answerProgram")->text(), QString("node:InsideGroup:AllReduce"));
  add("AllReduce across nodes");
  QTRY_VERIFY(settled());
  press("checkAnswerButton");
  QTRY_VERIFY(text("lessonVerdict").startsWith("✓ It reaches the goal in 2 steps"));
}

// One click a step, by mouse and by keys, and nothing is typed.
void TestLessonTasks::stepsAreAddedInTheTable() {
  take(5, 2);
  auto* table = find<QTableWidget>("stepTable");
  QVERIFY(table->isVisible());
  QCOMPARE(table->rowCount(), 5);
  const auto cellOf = [table](const QString& name) {
    for (int row = 0; row < table->rowCount(); ++row) {
      for (int column = 0; column < table->columnCount(); ++column) {
        if (table->item(row, column)->toolTip() == "Add " + name) return table->item(row, column);
      }
    }
    return static_cast<QTableWidgetItem*>(nullptr);
  };
  auto* inside = cellOf("AllReduce inside each node");
  QVERIFY(inside);
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualItemRect(inside).center());
  QTRY_VERIFY(settled());
  QVERIFY(text("lessonCaption").startsWith("Next, step 1 of 1: AllReduce inside each node"));
  auto* across = cellOf("AllReduce across nodes");
  QVERIFY(across);
  table->setCurrentItem(across);
  QTest::keyClick(table, Qt::Key_Return);
  QCOMPARE(find<QLineEdit>("answerProgram")->text(),
           QString("node:InsideGroup:AllReduce; node:Parallel(root):AllReduce"));
  QTRY_VERIFY(settled());
  press("checkAnswerButton");
  QTRY_VERIFY(text("lessonVerdict").startsWith("✓ It reaches the goal in 2 steps"));
}

void TestLessonTasks::watchedByKeys() {
  take(0, 2);
  QVERIFY(find<QPushButton>("checkAnswerButton")->isHidden());
  stage().setFocus();
  QTest::keyClick(&stage(), Qt::Key_Right);
  QVERIFY(text("lessonCaption").startsWith("Next, step 2 of 2: AllReduce across nodes"));
  QTest::keyClick(&stage(), Qt::Key_Right);
  QVERIFY(text("lessonVerdict").startsWith("✓"));
  QVERIFY(text("lessonCaption").startsWith("After the last step.\nThe whole program takes "));
  QCOMPARE(LessonProgress::solvedPages("01-read-a-grid"), (std::set<int>{2}));
}

// The stage of the page before can still be played.
void TestLessonTasks::whatIsNotPreparedIsNotSolved() {
  take(0, 2);
  stage().setFocus();
  press("nextLessonPageButton");
  QTest::keyClick(&stage(), Qt::Key_End);
  QVERIFY(LessonProgress::solvedPages("02-allreduce").empty());
  m_session->jobs().cancelAll();
  QTRY_VERIFY(settled());
  QVERIFY(text("lessonVerdict").startsWith("✗ Stopped"));
  QTest::keyClick(&stage(), Qt::Key_Home);
  QTest::keyClick(&stage(), Qt::Key_End);
  QVERIFY(LessonProgress::solvedPages("01-read-a-grid").empty());
  press("previousLessonPageButton");
  QTRY_VERIFY(settled());
  QVERIFY(!find<QLabel>("lessonText")->text().isEmpty());
  QVERIFY(find<QPushButton>("previousLessonPageButton")->isEnabled());
  take(0, 0);
  QVERIFY(find<QPushButton>("checkAnswerButton")->isEnabled());
}

void TestLessonTasks::choicesAreExplained() {
  take(5, 0);
  QCOMPARE(text("lessonPlace"), placeOf(6, "Counted twice"));
  press("checkAnswerButton");
  QCOMPARE(text("lessonVerdict"), QString("Answer first."));
  // Nothing is to be looked at first, so that a click is the answer; the keyboard only moves.
  choose(0);
  QCOMPARE(text("lessonVerdict"),
           QString("✗ Chunk 0 already contains device 0's contribution on both device 0 and device 1"));
  for (int row = 0; row < 3; ++row) QTest::keyClick(find<QListWidget>("answerChoice"), Qt::Key_Down);
  QVERIFY(!find<QLabel>("lessonVerdict")->isVisible());
  // Before the answer the stage does not tell it.
  stage().setFocus();
  QTest::keyClick(&stage(), Qt::Key_End);
  QCOMPARE(text("lessonCaption"), QString("Next, step 2 of 2: AllReduce inside each node"));
  press("checkAnswerButton");
  QVERIFY(text("lessonVerdict").startsWith("✓ Chunk 0 already contains"));
  QVERIFY(text("lessonCaption").contains("✗ chunk 0 already contains device 0's contribution"));
}

// However narrow the page is, the words above each column are there to their last.
void TestLessonTasks::headsOfTheTableAreWhole() {
  take(2, 3);
  auto* table = find<QTableWidget>("stepTable");
  const QHeaderView& head = *table->horizontalHeader();
  QCOMPARE(table->horizontalHeaderItem(3)->text(), QString("across nodes, first devices only"));
  const auto isWhole = [&](int column) {
    const QRect room(0, 0, head.sectionSize(column) - 8, 1000);
    const QRect text = head.fontMetrics().boundingRect(room, Qt::AlignHCenter | Qt::TextWordWrap,
                                                       table->horizontalHeaderItem(column)->text());
    return text.height() <= head.height() && text.width() <= head.sectionSize(column);
  };
  for (const int width : {1320, 760}) {
    m_view->resize(width, 500);
    for (int column = 0; column < table->columnCount(); ++column) QTRY_VERIFY(isWhole(column));
  }
}

// A program that reaches what is asked is right as soon as its last step is added; a wrong one is told by Check.
void TestLessonTasks::aFinishedProgramIsRight() {
  take(2, 3);
  auto* steps = find<QTableWidget>("stepTable");
  const auto add = [&](const QString& step) {
    for (int cell = 0; cell < steps->rowCount() * steps->columnCount(); ++cell) {
      auto* item = steps->item(cell / steps->columnCount(), cell % steps->columnCount());
      if (item->data(Qt::UserRole).toString() != step) continue;
      return QTest::mouseClick(steps->viewport(), Qt::LeftButton, {}, steps->visualItemRect(item).center());
    }
    QFAIL(qPrintable(step));
  };
  add("root:InsideGroup:Reduce");
  QTRY_VERIFY(settled() && text("lessonCaption").contains("step 1 of 1"));
  QVERIFY(!find<QLabel>("lessonVerdict")->isVisible());
  add("root:InsideGroup:Broadcast");
  QTRY_VERIFY2(text("lessonVerdict").startsWith("✓"), qPrintable(text("lessonVerdict")));
}

void TestLessonTasks::programsAreWritten() {
  take(5, 2);
  type("node:InsideGroup:AllReduce; node:InsideGroup:AllReduce");
  QTest::keyClick(find<QLineEdit>("answerProgram"), Qt::Key_Return);
  QTRY_VERIFY(text("lessonVerdict").startsWith("✗ Step 2: chunk 0 already contains"));
  // It plays as far as it runs.
  QVERIFY(text("lessonCaption").startsWith("Next, step 2 of 2: AllReduce inside each node"));
  QVERIFY(text("answerConditions").startsWith("✗ every device holds the whole sum\n✓ at most 2 steps"));
  type("nonsense");
  QTest::keyClick(find<QLineEdit>("answerProgram"), Qt::Key_Return);
  QTRY_VERIFY(settled() && text("lessonVerdict").contains("nonsense"));
  type("node:InsideGroup:AllReduce; node:Parallel(root):AllReduce");
  QTest::keyClick(find<QLineEdit>("answerProgram"), Qt::Key_Return);
  QTRY_VERIFY(text("lessonVerdict").startsWith("✓ It reaches the goal in 2 steps"));
  QCOMPARE(text("lessonDots"), QString("page 3 of 4   ○○●○"));
}

void TestLessonTasks::searchesShowWhatIsChosen() {
  take(10, 0);
  auto* choice = find<QListWidget>("answerChoice");
  QCOMPARE(choice->count(), 47);
  choose(0);
  QCOMPARE(text("lessonCaption").split('\n').first(), QString("Next, step 1 of 1: AllReduce over all devices"));
  QVERIFY(text("lessonCaption").endsWith("The whole program takes 4.70 s."));
  press("checkAnswerButton");
  QCOMPARE(text("lessonVerdict"), QString("✗ It takes 4.70 s, no more than 20.0 s"));
  int row = 0;
  while (!text("lessonVerdict").startsWith("✓") && ++row < choice->count()) {
    QTest::keyClick(choice, Qt::Key_Down);
    QTRY_VERIFY(settled());
    QTest::keyClick(choice, Qt::Key_Return);
  }
  QVERIFY(row < choice->count());
  QVERIFY(text("lessonDone").contains("7 such programs"));
}

// The keyboard in the list of answers chooses none, and a step of the table is no answer's hint.
void TestLessonTasks::nothingLooksChosen() {
  take(5, 0);
  auto* choice = find<QListWidget>("answerChoice");
  grid().setFocus();
  choice->setFocus(Qt::TabFocusReason);
  QTRY_VERIFY(choice->hasFocus());
  QCOMPARE(choice->currentRow(), -1);
  press("checkAnswerButton");
  QCOMPARE(text("lessonVerdict"), QString("Answer first."));
  QTest::keyClick(choice, Qt::Key_Down);
  QCOMPARE(choice->currentRow(), 0);
  take(5, 2);
  QVERIFY(find<QTableWidget>("stepTable")->currentItem() == nullptr);
}

void TestLessonTasks::placementsAreFound() {
  take(11, 2);
  QCOMPARE(find<QListWidget>("answerChoice")->count(), 4);
  QCOMPARE(find<QListWidget>("answerChoice")->item(0)->text(),
           QString::fromUtf8("data: gpu 4 · shards: server 2 × cpu 2"));
  choose(0);
  press("checkAnswerButton");
  const QString first = text("lessonVerdict");
  choose(3);
  press("checkAnswerButton");
  QVERIFY(first.startsWith("✓") != text("lessonVerdict").startsWith("✓"));
}

void TestLessonTasks::theLiteralAlgorithmIsSteppedThrough() {
  take(13, 2);
  QVERIFY(find<QListWidget>("literalListing")->isVisible());
  QVERIFY(!stage().isVisible());
  auto* graph = find<QWidget>("literalGraph");
  graph->setFocus();
  QTest::keyClick(graph, Qt::Key_End);
  QVERIFY(text("literalInvariant").startsWith("✗"));
  auto* choice = find<QListWidget>("answerChoice");
  QCOMPARE(choice->count(), 24);
  choose(0);
  press("checkAnswerButton");
  QVERIFY(text("lessonVerdict").startsWith("✗ After this step the optimum can still be put together"));
  // Choosing a step shows it, and only what has been seen is told on the timeline.
  choose(17);
  QCOMPARE(text("literalLines"), QString("PaSE, Alg. 1, lines 22–26"));
  press("checkAnswerButton");
  QVERIFY(text("lessonVerdict").startsWith("✓ Before this step the optimum could still be put together"));
  take(13, 3);
  choose(2);
  press("checkAnswerButton");
  QVERIFY(text("lessonVerdict").startsWith("✓ No strategy has a row left"));
}

QTEST_MAIN(TestLessonTasks)
#include "tst_lesson_tasks.moc"
