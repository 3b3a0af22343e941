// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QImage>

#include "views/lesson/lesson_desk.h"
#include "views/lesson/lesson_progress.h"

using namespace p2;
using namespace p2::views;

class TestLessonPerspective : public QObject, test::LessonDesk {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() {
    QSettings().clear();
    open();
  }
  void cleanup() { close(); }
  void beginsWithTheFirst();
  void wrongMarksAreExplained();
  void rightMarksAreKept();
  void goesOnWhereOneWas();
  void theStepAskedAboutIsHidden();
  void watchedByKeys();
  void choicesAreExplained();
  void programsAreWritten();
  void searchesShowWhatIsChosen();
  void placementsAreFound();
  void theLiteralAlgorithmIsSteppedThrough();
  void hintsComeOneByOne();
  void everythingByKeyboard();
  void pagesLeadOn();
  void filesAreOpened();
  void brokenFilesShowTheirProblems();
  void controlsAreNamed();
  void largeTextIsNotCut();

 private:
  QString placeOf(int number, const char* title) {
    return QString("Lesson %1 of %2: %3").arg(number).arg(list().model()->rowCount()).arg(title);
  }
  QString fileWith(const QByteArray& name, const QByteArray& from, const QByteArray& to);
};

void TestLessonPerspective::beginsWithTheFirst() {
  QCOMPARE(text("lessonPlace"), placeOf(1, "Read a grid"));
  QCOMPARE(text("lessonDots"), QString("page 1 of 3   ○○○"));
  QVERIFY(text("lessonText").startsWith("Here are 4 devices, 2 in each of 2 nodes."));
  QVERIFY(!text("lessonText").contains('{'));
  QCOMPARE(grid().marks().size(), std::size_t{16});
  QVERIFY(!find<QLabel>("lessonVerdict")->isVisible());
}

void TestLessonPerspective::wrongMarksAreExplained() {
  QTest::mouseClick(&grid(), Qt::LeftButton, {}, grid().rectOf(0).center());
  press("checkAnswerButton");
  QCOMPARE(text("lessonVerdict"),
           QString("✗ 5 of 16 are not right; chunk 0, d0 does not belong to it: no step has brought "
                   "device 0's part of chunk 0 to device 2 yet"));
  QCOMPARE(text("markReason"), QString());
  test::moveMouseOver(grid(), grid().rectOf(0).center());
  QTRY_COMPARE(text("markReason"), QString("no step has brought device 0's part of chunk 0 to device 2 yet"));
  test::moveMouseOver(grid(), grid().rectOf(2).center());
  QTRY_COMPARE(text("markReason"), QString("device 2 has had device 2's part of chunk 0 from the beginning"));
  QCOMPARE(text("lessonDots"), QString("page 1 of 3   ○○○"));
  // What is said goes with the next mark.
  QTest::mouseClick(&grid(), Qt::LeftButton, {}, grid().rectOf(0).center());
  QVERIFY(!find<QLabel>("lessonVerdict")->isVisible());
}

void TestLessonPerspective::rightMarksAreKept() {
  QTest::mousePress(&grid(), Qt::LeftButton, {}, grid().rectOf(2).center());
  for (const std::size_t cell : {6u, 10u, 14u}) QTest::mouseMove(&grid(), grid().rectOf(cell).center());
  QTest::mouseRelease(&grid(), Qt::LeftButton, {}, grid().rectOf(14).center());
  press("checkAnswerButton");
  QCOMPARE(text("lessonVerdict"), QString("✓ Every mark is right"));
  QVERIFY(find<QLabel>("lessonDone")->isVisible());
  QCOMPARE(text("lessonDots"), QString("page 1 of 3   ●○○"));
  QVERIFY(list().model()->index(0, 0).data().toString().endsWith("●○○"));
}

void TestLessonPerspective::goesOnWhereOneWas() {
  rightMarksAreKept();
  close();
  open();
  QCOMPARE(text("lessonPlace"), placeOf(1, "Read a grid"));
  QCOMPARE(text("lessonDots"), QString("page 2 of 3   ●○○"));
}

void TestLessonPerspective::theStepAskedAboutIsHidden() {
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

void TestLessonPerspective::watchedByKeys() {
  take(0, 2);
  press("checkAnswerButton");
  QVERIFY(text("lessonVerdict").startsWith("✗ There is more to see"));
  stage().setFocus();
  QTest::keyClick(&stage(), Qt::Key_Right);
  QVERIFY(text("lessonCaption").startsWith("Next, step 2 of 2: AllReduce·node∥root"));
  QTest::keyClick(&stage(), Qt::Key_Right);
  QVERIFY(text("lessonVerdict").startsWith("✓"));
  QVERIFY(text("lessonCaption").startsWith("After the last step.\nAll of it takes "));
  QCOMPARE(LessonProgress::solvedPages("01-read-a-grid"), (std::set<int>{2}));
}

void TestLessonPerspective::choicesAreExplained() {
  take(5, 0);
  QCOMPARE(text("lessonPlace"), placeOf(6, "Counted twice"));
  press("checkAnswerButton");
  QCOMPARE(text("lessonVerdict"), QString("Choose or write an answer first."));
  choose(0);
  press("checkAnswerButton");
  QCOMPARE(text("lessonVerdict"),
           QString("✗ Chunk 0 already contains device 0's contribution on both device 0 and device 1"));
  choose(3);
  QVERIFY(!find<QLabel>("lessonVerdict")->isVisible());
  // Before the answer the stage does not tell it.
  stage().setFocus();
  QTest::keyClick(&stage(), Qt::Key_End);
  QCOMPARE(text("lessonCaption"), QString("Next, step 2 of 2: AllReduce·node"));
  press("checkAnswerButton");
  QVERIFY(text("lessonVerdict").startsWith("✓ Chunk 0 already contains"));
  QVERIFY(text("lessonCaption").contains("✗ chunk 0 already contains device 0's contribution"));
}

void TestLessonPerspective::programsAreWritten() {
  take(5, 2);
  type("node:InsideGroup:AllReduce; node:InsideGroup:AllReduce");
  QTest::keyClick(find<QLineEdit>("answerProgram"), Qt::Key_Return);
  QTRY_VERIFY(text("lessonVerdict").startsWith("✗ Step 2: chunk 0 already contains"));
  // It plays as far as it runs.
  QVERIFY(text("lessonCaption").startsWith("Next, step 2 of 2: AllReduce·node"));
  QVERIFY(text("answerConditions").startsWith("✗ every device holds the whole sum\n✓ at most 2 steps"));
  type("nonsense");
  QTest::keyClick(find<QLineEdit>("answerProgram"), Qt::Key_Return);
  QTRY_VERIFY(settled() && text("lessonVerdict").contains("nonsense"));
  type("node:InsideGroup:AllReduce; node:Parallel(root):AllReduce");
  QTest::keyClick(find<QLineEdit>("answerProgram"), Qt::Key_Return);
  QTRY_VERIFY(text("lessonVerdict").startsWith("✓ It does, in 2 steps"));
  QCOMPARE(text("lessonDots"), QString("page 3 of 4   ○○●○"));
}

void TestLessonPerspective::searchesShowWhatIsChosen() {
  take(10, 0);
  auto* choice = find<QListWidget>("answerChoice");
  QCOMPARE(choice->count(), 47);
  choose(0);
  QCOMPARE(text("lessonCaption").split('\n').first(), QString("Next, step 1 of 1: AllReduce·root"));
  QVERIFY(text("lessonCaption").endsWith("All of it takes 4.70 s."));
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

void TestLessonPerspective::placementsAreFound() {
  take(11, 2);
  QCOMPARE(find<QListWidget>("answerChoice")->count(), 4);
  choose(0);
  press("checkAnswerButton");
  const QString first = text("lessonVerdict");
  choose(3);
  press("checkAnswerButton");
  QVERIFY(first.startsWith("✓") != text("lessonVerdict").startsWith("✓"));
}

void TestLessonPerspective::theLiteralAlgorithmIsSteppedThrough() {
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

void TestLessonPerspective::hintsComeOneByOne() {
  QVERIFY(!find<QLabel>("lessonHints")->isVisible());
  press("lessonHintButton");
  QCOMPARE(text("lessonHints").count('\n'), 0);
  QVERIFY(text("lessonHints").startsWith("Hint 1 of 2: "));
  press("lessonHintButton");
  QCOMPARE(text("lessonHints").count('\n'), 1);
  QVERIFY(!find<QPushButton>("lessonHintButton")->isEnabled());
  take(1);
  QVERIFY(!find<QLabel>("lessonHints")->isVisible());
  QVERIFY(find<QPushButton>("lessonHintButton")->isEnabled());
}

void TestLessonPerspective::everythingByKeyboard() {
  list().setFocus();
  QTest::keyClick(&list(), Qt::Key_Down);
  QTest::keyClick(&list(), Qt::Key_Down);
  QTest::keyClick(&list(), Qt::Key_Return);
  QTRY_COMPARE(text("lessonPlace"), placeOf(3, "Reduce and Broadcast"));
  QTRY_VERIFY(settled());
  QTRY_COMPARE(grid().marks().size(), std::size_t{16});
  for (int i = 0; i < 20 && !grid().hasFocus(); ++i) QTest::keyClick(m_view->focusWidget(), Qt::Key_Tab);
  QVERIFY(grid().hasFocus());
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 4; ++column) {
      QTest::keyClick(&grid(), Qt::Key_Space);
      QTest::keyClick(&grid(), row % 2 == 0 ? Qt::Key_Right : Qt::Key_Left);
    }
    QTest::keyClick(&grid(), Qt::Key_Down);
  }
  QTest::keyClick(&grid(), Qt::Key_Return);
  QVERIFY2(text("lessonVerdict").startsWith("✓"), qPrintable(text("lessonVerdict")));
  QTest::keyClick(&grid(), Qt::Key_PageDown, Qt::ControlModifier);
  QTRY_COMPARE(text("lessonDots"), QString("page 2 of 4   ●○○○"));
  QTRY_VERIFY(settled());
  // The keyboard stands where the answer goes.
  QTRY_VERIFY(find<QListWidget>("answerChoice")->hasFocus());
  QTest::keyClick(find<QListWidget>("answerChoice"), Qt::Key_H, Qt::ControlModifier);
  QVERIFY(text("lessonHints").startsWith("Hint 1 of 2"));
}

void TestLessonPerspective::pagesLeadOn() {
  take(0, 2);
  QCOMPARE(find<QPushButton>("nextLessonPageButton")->text(), QString("&Next lesson"));
  press("nextLessonPageButton");
  QTRY_COMPARE(text("lessonPlace"), placeOf(2, "AllReduce"));
  press("previousLessonPageButton");
  QTRY_COMPARE(text("lessonDots"), QString("page 3 of 3   ○○○"));
  take(13, 3);
  press("nextLessonPageButton");
  QCOMPARE(text("lessonDots"), QString("page 4 of 4   ○○○○"));
}

QString TestLessonPerspective::fileWith(const QByteArray& name, const QByteArray& from, const QByteArray& to) {
  QFile file(QStringLiteral(P2_RESOURCES "/lessons/05-order.json"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  QByteArray text = file.readAll();
  text.replace(from, to);
  QFile copy(m_folder.filePath(QString::fromUtf8(name)));
  if (!copy.open(QIODevice::WriteOnly | QIODevice::Truncate)) return {};
  copy.write(text);
  return copy.fileName();
}

void TestLessonPerspective::filesAreOpened() {
  const QString path = fileWith("mine.json", "\"Order\"", "\"My own\"");
  m_view->openFile(path);
  QTRY_COMPARE(text("lessonPlace"), placeOf(m_bundled + 1, "My own"));
  LessonProgress::setSolved(path, 0);
  m_view->openFile(path);
  QTRY_COMPARE(text("lessonDots"), QString("page 2 of 4   ●○○○"));
  QCOMPARE(list().model()->rowCount(), m_bundled + 1);
}

void TestLessonPerspective::brokenFilesShowTheirProblems() {
  const QString path = fileWith("broken.json", "{seconds}", "{second}");
  m_view->openFile(path);
  auto* problems = find<QListWidget>("lessonProblems");
  QTRY_VERIFY(problems->isVisible());
  QCOMPARE(text("lessonProblemsTitle"), QString("broken.json cannot be taken as a lesson yet"));
  QVERIFY(
      problems->item(0)->text().startsWith("/pages/0/task/done: {second} stands for nothing here; there are seconds"));
  fileWith("broken.json", "{second}", "{seconds}");
  press("lessonAgainButton");
  QTRY_COMPARE(text("lessonPlace"), placeOf(m_bundled + 1, "Order"));
  m_view->openFile(m_folder.filePath("none.json"));
  QTRY_VERIFY(problems->isVisible());
  QVERIFY(problems->item(0)->text().contains("none.json"));
  press("lessonBackButton");
  QVERIFY(list().isVisible());
}

void TestLessonPerspective::controlsAreNamed() {
  for (const char* name : {"lessonList", "openLessonButton", "markGrid", "checkAnswerButton", "lessonHintButton",
                           "previousLessonPageButton", "nextLessonPageButton", "answerChoice", "answerProgram"}) {
    auto* widget = find<QWidget>(name);
    QVERIFY2(widget->focusPolicy() & Qt::TabFocus, name);
    const auto* button = qobject_cast<QPushButton*>(widget);
    QVERIFY2(button || !widget->accessibleName().isEmpty(), name);
    QVERIFY2(!widget->toolTip().isEmpty() || widget == &list(), name);
  }
  QVERIFY(!list().model()->index(0, 0).data(Qt::ToolTipRole).toString().isEmpty());
}

void TestLessonPerspective::largeTextIsNotCut() {
  Theme::setTextZoom(200);
  m_view->resize(1320, 760);
  QTRY_VERIFY(settled());
  QCoreApplication::processEvents();
  for (const char* name : {"lessonPlace", "lessonText", "lessonQuestion"}) {
    const auto* label = find<QLabel>(name);
    QVERIFY2(label->height() >= label->heightForWidth(label->width()), name);
  }
  for (const char* name : {"checkAnswerButton", "lessonHintButton", "nextLessonPageButton"}) {
    const auto* button = find<QPushButton>(name);
    QVERIFY2(button->width() >= button->minimumSizeHint().width(), name);
  }
  QVERIFY(grid().height() >= grid().sizeHint().height());
  Theme::setTextZoom(100);
}

QTEST_MAIN(TestLessonPerspective)
#include "tst_lesson_perspective.moc"
