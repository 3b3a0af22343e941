// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>

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
  void goesOnWhereOneWas();
  void hintsComeOneByOne();
  void everythingByKeyboard();
  void pagesLeadOn();
  void filesAreOpened();
  void brokenFilesShowTheirProblems();
  void controlsAreNamed();
  void largeTextIsNotCut();

 private:
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

void TestLessonPerspective::goesOnWhereOneWas() {
  markRightly();
  close();
  open();
  QCOMPARE(text("lessonPlace"), placeOf(1, "Read a grid"));
  QCOMPARE(text("lessonDots"), QString("page 2 of 3   ●○○"));
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
  QCOMPARE(find<QPushButton>("nextLessonPageButton")->text(), QString("Nex&t lesson"));
  press("nextLessonPageButton");
  QTRY_COMPARE(text("lessonPlace"), placeOf(2, "AllReduce"));
  press("previousLessonPageButton");
  QTRY_COMPARE(text("lessonDots"), QString("page 3 of 3   ○○○"));
  take(m_bundled - 1, 4);
  press("nextLessonPageButton");
  QCOMPARE(text("lessonDots"), QString("page 5 of 5   ○○○○○"));
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
  QCOMPARE(text("lessonProblemsTitle"), QString("broken.json has errors"));
  QVERIFY(problems->item(0)->text().startsWith(
      "/pages/0/task/done: {second} is not a placeholder here; use one of seconds"));
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
