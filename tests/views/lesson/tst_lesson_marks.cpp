// SPDX-License-Identifier: GPL-3.0-or-later
#include <QImage>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QToolButton>

#include "views/lesson/lesson_desk.h"

using namespace p2;
using namespace p2::views;

// Marks in a grid, and what every page does with an answer: says what is wrong in sight, keeps it, plays the step.
class TestLessonMarks : public QObject, test::LessonDesk {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() {
    QSettings().clear();
    open();
  }
  void cleanup() { close(); }
  void wrongMarksAreExplained();
  void aHeaderMarksItsLine();
  void rightMarksAreKept();
  void answersSurviveBack();
  void theStepWaitsForTheAnswer();
  void theStepAskedAboutIsHidden();
  void enterGoesOn();
  void whatIsSaidIsInSight();

 private:
  /// Whether the whole label lies in the part of the page that is seen.
  bool inSight(const char* name) {
    auto* label = find<QLabel>(name);
    const QWidget& seen = *find<QScrollArea>("lessonScroll")->viewport();
    return label->isVisible() && seen.rect().contains(QRect(label->mapTo(&seen, QPoint()), label->size()));
  }
};

void TestLessonMarks::wrongMarksAreExplained() {
  QTest::mouseClick(&grid(), Qt::LeftButton, {}, grid().rectOf(0).center());
  press("checkAnswerButton");
  QCOMPARE(text("lessonVerdict"),
           QString("✗ 5 cells are wrong. For instance, chunk 0, d0 should not be marked (no step has brought "
                   "device 0's part of chunk 0 to device 2 yet)"));
  // The first check does not give the solution away: a hovered cell has no reason yet.
  test::moveMouseOver(grid(), grid().rectOf(2).center());
  QCOMPARE(text("markReason"), QString());
  press("checkAnswerButton");
  test::moveMouseOver(grid(), grid().rectOf(0).center());
  QTRY_COMPARE(text("markReason"), QString("no step has brought device 0's part of chunk 0 to device 2 yet"));
  test::moveMouseOver(grid(), grid().rectOf(2).center());
  QTRY_COMPARE(text("markReason"), QString("device 2 has had device 2's part of chunk 0 from the beginning"));
  QCOMPARE(text("lessonDots"), QString("page 1 of 3   ○○○"));
  // What is said goes with the next mark.
  QTest::mouseClick(&grid(), Qt::LeftButton, {}, grid().rectOf(0).center());
  QVERIFY(!find<QLabel>("lessonVerdict")->isVisible());
}

void TestLessonMarks::aHeaderMarksItsLine() {
  const QPoint header(grid().rectOf(2).center().x(), 4);
  QTest::mouseClick(&grid(), Qt::LeftButton, {}, header);
  for (std::size_t cell = 0; cell < 16; ++cell) QCOMPARE(bool(grid().marks()[cell]), cell % 4 == 2);
  QTest::mouseClick(&grid(), Qt::LeftButton, {}, header);
  QCOMPARE(std::count(grid().marks().begin(), grid().marks().end(), true), 0);
  QTest::mouseClick(&grid(), Qt::LeftButton, {}, {4, grid().rectOf(4).center().y()});
  for (std::size_t cell = 0; cell < 16; ++cell) QCOMPARE(bool(grid().marks()[cell]), cell / 4 == 1);
  // The corner marks all, then none.
  for (const int marked : {16, 0}) {
    QTest::mouseClick(&grid(), Qt::LeftButton, {}, {4, 4});
    QCOMPARE(int(std::count(grid().marks().begin(), grid().marks().end(), true)), marked);
  }
}

void TestLessonMarks::rightMarksAreKept() {
  markRightly();
  QCOMPARE(text("lessonVerdict"), QString("✓ Every mark is right"));
  QVERIFY(find<QLabel>("lessonDone")->isVisible());
  QCOMPARE(text("lessonDots"), QString("page 1 of 3   ●○○"));
  QVERIFY(list().model()->index(0, 0).data().toString().endsWith("●○○"));
}

void TestLessonMarks::answersSurviveBack() {
  QTest::mouseClick(&grid(), Qt::LeftButton, {}, grid().rectOf(5).center());
  press("nextLessonPageButton");
  QTRY_VERIFY(settled());
  QCOMPARE(std::count(grid().marks().begin(), grid().marks().end(), true), 0);
  press("previousLessonPageButton");
  QTRY_VERIFY(settled());
  QVERIFY(grid().marks()[5]);
  take(5, 0);
  choose(2);
  take(5, 2);
  type("node:InsideGroup:AllReduce");
  take(5, 0);
  QCOMPARE(find<QListWidget>("answerChoice")->currentRow(), 2);
  take(5, 2);
  QCOMPARE(find<QLineEdit>("answerProgram")->text(), QString("node:InsideGroup:AllReduce"));
}

void TestLessonMarks::theStepWaitsForTheAnswer() {
  take(5, 0);
  stage().setFocus();
  QTest::keyClick(&stage(), Qt::Key_Right);
  auto* forward = shownOne<QToolButton>("forwardButton");
  QVERIFY(!forward->isEnabled());
  QCOMPARE(forward->toolTip(), QString("Answer the question to see this step"));
  QVERIFY(!shownOne<QToolButton>("playButton")->isEnabled());
  auto* slider = shownOne<QSlider>("scrubber");
  QCOMPARE(2 * slider->value(), slider->maximum());
  choose(3);
  press("checkAnswerButton");
  // The right answer plays the step.
  QTRY_VERIFY(text("lessonCaption").contains("✗ chunk 0 already contains"));
  QTRY_COMPARE(shownOne<QLabel>("stepLabel")->text(), QString("step 2 of 2 fails"));
}

void TestLessonMarks::theStepAskedAboutIsHidden() {
  take(0, 1);
  stage().setFocus();
  const QImage before = stage().grab().toImage();
  QTest::keyClick(&stage(), Qt::Key_End);
  QCOMPARE(stage().grab().toImage(), before);
  for (std::size_t cell = 0; cell < 16; ++cell) {
    if (cell % 4 >= 2) QTest::mouseClick(&grid(), Qt::LeftButton, {}, grid().rectOf(cell).center());
  }
  press("checkAnswerButton");
  QVERIFY(text("lessonVerdict").startsWith("✓"));
  stage().setFocus();
  QTest::keyClick(&stage(), Qt::Key_End);
  QTRY_VERIFY(stage().grab().toImage() != before);
}

// After a right answer Enter goes on, from wherever the keyboard is, until the answer is changed.
void TestLessonMarks::enterGoesOn() {
  take(0, 0);
  grid().setFocus();
  QTest::keyClick(&grid(), Qt::Key_Return);
  QVERIFY(text("lessonVerdict").startsWith("✗"));
  QCOMPARE(pageNumber(), 0);
  for (int column = 0; column < 2; ++column) QTest::keyClick(&grid(), Qt::Key_Right);
  QTest::keyClick(&grid(), Qt::Key_Space, Qt::ControlModifier);
  QTest::keyClick(&grid(), Qt::Key_Return);
  QVERIFY2(text("lessonVerdict").startsWith("✓"), qPrintable(text("lessonVerdict")));
  // Another answer is checked again.
  QTest::keyClick(&grid(), Qt::Key_Space);
  QTest::keyClick(&grid(), Qt::Key_Return);
  QVERIFY(text("lessonVerdict").startsWith("✗"));
  QTest::keyClick(&grid(), Qt::Key_Space);
  QTest::keyClick(&grid(), Qt::Key_Return);
  QVERIFY(text("lessonVerdict").startsWith("✓"));
  stage().setFocus();
  QTest::keyClick(&stage(), Qt::Key_Return);
  QTRY_VERIFY(settled());
  QCOMPARE(pageNumber(), 1);
}

// In a window of 800 × 500 pixels, a screen of 1600 × 1000 at 200 %, a page is longer than what is seen of it.
void TestLessonMarks::whatIsSaidIsInSight() {
  m_view->resize(760, 330);
  auto& bar = *find<QScrollArea>("lessonScroll")->verticalScrollBar();
  QTRY_VERIFY(bar.maximum() > 0);
  press("lessonHintButton");
  QTRY_VERIFY(inSight("lessonHints"));
  bar.setValue(0);
  press("checkAnswerButton");
  QTRY_VERIFY(inSight("lessonVerdict"));
  QVERIFY(bar.value() > 0);
  // Its reasons are below the right answer.
  bar.setValue(0);
  grid().setFocus();
  for (int column = 0; column < 2; ++column) QTest::keyClick(&grid(), Qt::Key_Right);
  QTest::keyClick(&grid(), Qt::Key_Space, Qt::ControlModifier);
  QTest::keyClick(&grid(), Qt::Key_Return);
  QVERIFY(text("lessonVerdict").startsWith("✓"));
  QTRY_VERIFY(inSight("lessonVerdict") && inSight("lessonDone"));
  // The next page begins at its beginning.
  press("nextLessonPageButton");
  QTRY_VERIFY(settled());
  QCOMPARE(bar.value(), 0);
}

QTEST_MAIN(TestLessonMarks)
#include "tst_lesson_marks.moc"
