// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTextBrowser>

#include "views/lesson/lesson_desk.h"
#include "views/lesson/timeline_stage.h"
#include "views/timeline/timeline_view.h"

using namespace p2;
using namespace p2::views;

/// The course on training in parallel, solved in the window by a student with mouse and keys.
class TestSecondCourse : public QObject, test::LessonDesk {
  Q_OBJECT

  static constexpr int kFirst = 14;

  Lesson lessonAt(int row) { return lessonFromJson(bundledLessons()[std::size_t(row)].json).value(); }

  void typeNumber(const QString& text) {
    auto* edit = find<QLineEdit>("answerNumber");
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, text);
  }
  /// Moves items up, one after the other, until they are in order.
  void arrange(const std::vector<std::size_t>& order) {
    auto* list = find<QListWidget>("answerOrder");
    for (int to = 0; to < int(order.size()); ++to) {
      int row = to;
      while (list->item(row)->data(Qt::UserRole).toULongLong() != order[std::size_t(to)]) ++row;
      QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(row)).center());
      for (; row > to; --row) QTest::mouseClick(find<QPushButton>("itemUpButton"), Qt::LeftButton);
    }
  }
  void answer(const LessonAnswer& answer) {
    if (const auto* typed = std::get_if<TypedNumber>(&answer)) typeNumber(QString::fromStdString(typed->text));
    if (const auto* arranged = std::get_if<ArrangedItems>(&answer)) arrange(arranged->order);
    if (const auto* chosen = std::get_if<ChosenCandidate>(&answer)) choose(int(chosen->index));
  }
  void solve(int row, int number, const PreparedPage& page) {
    take(row, number);
    if (std::holds_alternative<WatchTask>(page.page.task.kind)) {
      auto* view = find<TimelineView>("lessonTimeline");
      view->setFocus();
      QTest::keyClick(view, Qt::Key_End);
    } else {
      answer(*expectedAnswer(page));
      press("checkAnswerButton");
    }
    QTRY_VERIFY2(text("lessonVerdict").startsWith("✓"),

                 qPrintable(QString("lesson %1, page %2: %3").arg(row + 1).arg(number + 1).arg(text("lessonVerdict"))));
  }

 private slots:
  void initTestCase() { prepare(); }
  void init() {
    QSettings().clear();
    open();
  }
  void cleanup() { close(); }

  void everyPageIsSolved() {
    for (int row = kFirst; row < m_bundled; ++row) {
      const Lesson lesson = lessonAt(row);
      for (int number = 0; number < int(lesson.pages.size()); ++number) {
        const auto page = preparePage(lesson.pages[std::size_t(number)]);
        QVERIFY(page.ok());
        solve(row, number, *page);
      }
      QVERIFY(!list().model()->index(row, 0).data().toString().contains("○"));
    }
  }

  void theTimelineWaitsForTheAnswer() {
    take(kFirst + 3, 1);
    auto* view = find<TimelineView>("lessonTimeline");
    QVERIFY(!view->isVisible());
    QVERIFY(find<QLabel>("lessonTimelineHidden")->isVisible());
    typeNumber("38 %");
    press("checkAnswerButton");
    QVERIFY(text("lessonVerdict").contains("waiting over work"));
    QVERIFY(!view->isVisible());
    typeNumber("27");
    press("checkAnswerButton");
    QVERIFY(text("lessonVerdict").startsWith("✗"));
    typeNumber("27 %");
    press("checkAnswerButton");
    QVERIFY(text("lessonVerdict").startsWith("✓"));
    QTRY_VERIFY(view->isVisible());
  }

  void tablesWaitForTheAnswer() {
    take(kFirst, 1);
    auto* tables = find<QTextBrowser>("lessonTables");
    QVERIFY(!tables->isVisible());
    choose(2);
    press("checkAnswerButton");
    QVERIFY(tables->isVisible());
    QVERIFY(tables->toPlainText().contains("96.4 GB"));
  }

  void itemsAreMovedByKeys() {
    take(kFirst + 3, 2);
    auto* order = find<QListWidget>("answerOrder");
    const QString second = order->item(1)->text();
    order->setFocus();
    QTest::keyClick(order, Qt::Key_Down);
    QTest::keyClick(order, Qt::Key_Up, Qt::ControlModifier);
    QCOMPARE(order->item(0)->text(), second);
    press("checkAnswerButton");
    QVERIFY(text("lessonVerdict").startsWith("✗ A different pass comes first"));
  }
};

QTEST_MAIN(TestSecondCourse)
#include "tst_second_course.moc"
