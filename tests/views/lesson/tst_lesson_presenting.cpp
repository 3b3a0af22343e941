// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QFontInfo>
#include <QPointer>
#include <QTextBrowser>

#include "views/lesson/lesson_desk.h"
#include "views/literal/literal_player.h"
#include "views/present/present_window.h"
#include "views/timeline/timeline_view.h"

using namespace p2;
using namespace p2::views;

// A lesson on the whole screen: its text beside its stage.
class TestLessonPresenting : public QObject, test::LessonDesk {
  Q_OBJECT

  static constexpr int kReadable = 24;  // pixels of letters in a window of 720 pixels of height

  PresentWindow* window() { return m_view->findChild<PresentWindow*>("presentWindow"); }
  void present() {
    stage().setFocus();
    QTest::keyClick(&stage(), Qt::Key_F11);
    QVERIFY(window());
    QTRY_VERIFY(window()->isActiveWindow());
  }
  void press(Qt::Key key) { QTest::keyClick(QApplication::focusWidget(), key); }

 private slots:
  void initTestCase() { prepare(); }
  void init() {
    QSettings().clear();
    open();
  }
  void cleanup() { close(); }

  void textAndStageAreShown() {
    take(1);
    present();
    auto& page = test::childOf<QTextBrowser>(*window(), "presentPage");
    QVERIFY(page.isVisible());
    QCOMPARE(page.toPlainText().simplified(), (text("lessonText") + " " + text("lessonQuestion")).simplified());
    // Lines end between words.
    QVERIFY(!page.toHtml().contains("&nbsp;") && !page.toHtml().contains(QChar(QChar::Nbsp)));
    QVERIFY(QFontInfo(page.font()).pixelSize() >= kReadable);
    QVERIFY(test::childOf<QLabel>(*window(), "presentTitle").text().contains("page 1"));
    auto& large = test::childOf<StageView>(*window(), "presentStage");
    const QImage before = large.grab().toImage();
    press(Qt::Key_PageDown);
    QVERIFY(large.grab().toImage() != before);
    // The stage below goes along.
    QVERIFY(text("lessonCaption").contains("step 2") || text("lessonCaption").contains("After"));
    press(Qt::Key_Escape);
    QTRY_VERIFY(!window());
  }

  void aQuestionIsPresentedAndPagesTurn() {
    take(5);
    present();
    auto& page = test::childOf<QTextBrowser>(*window(), "presentPage");
    const QString shown = page.toPlainText();
    QVERIFY(shown.contains(text("lessonQuestion")));
    const auto* choice = find<QListWidget>("answerChoice");
    for (int row = 0; row < choice->count(); ++row) QVERIFY(shown.contains(choice->item(row)->text()));
    const auto& title = test::childOf<QLabel>(*window(), "presentTitle");
    QVERIFY(title.text().endsWith("page 1"));
    // One key for the step before the question, one reveals the next, one turns the page.
    press(Qt::Key_PageDown);
    QVERIFY(!text("lessonCaption").contains("✗"));
    press(Qt::Key_PageDown);
    QVERIFY(text("lessonCaption").contains("✗"));
    QVERIFY(title.text().endsWith("page 1"));
    press(Qt::Key_PageDown);
    QTRY_VERIFY(settled() && title.text().endsWith("page 2"));
    QVERIFY(window());
    QVERIFY(page.toPlainText().contains(text("lessonQuestion")));
    press(Qt::Key_PageUp);
    QTRY_VERIFY(settled() && title.text().endsWith("page 1"));
  }

  void anotherRunTakesItsPlace() {
    take(0);
    present();
    // The page has no program, so none has ended too early.
    QVERIFY2(text("presentSentence").contains("Nothing has been sent yet"), qPrintable(text("presentSentence")));
    QVERIFY(!text("presentSentence").contains(QChar(0x2717)));
    const QPointer<StageView> first = &test::childOf<StageView>(*window(), "presentStage");
    // The task is done, and the step that it asked about may be seen.
    for (const std::size_t cell : {2u, 6u, 10u, 14u}) {
      QTest::mouseClick(&grid(), Qt::LeftButton, {}, grid().rectOf(cell).center());
    }
    QTest::mouseClick(find<QPushButton>("checkAnswerButton"), Qt::LeftButton);
    QVERIFY(window());
    auto& shown = test::childOf<StageView>(*window(), "presentStage");
    QTest::keyClick(&shown, Qt::Key_End);
    QTest::keyClick(&shown, Qt::Key_F11);
    QTRY_VERIFY(!window());
    QTRY_VERIFY(!first);
  }

  // The class sees the question, the next key the timeline, and every further one a pass.
  void aPipelineIsPresentedStepByStep_data() {
    QTest::addColumn<int>("lesson");
    QTest::addColumn<int>("page");
    for (int lesson = 0; lesson < int(bundledLessons().size()); ++lesson) {
      const Lesson all = lessonFromJson(bundledLessons()[std::size_t(lesson)].json).value();
      for (int page = 0; page < int(all.pages.size()); ++page) {
        if (!all.pages[std::size_t(page)].pipeline) continue;
        QTest::addRow("lesson %d, page %d", lesson + 1, page + 1) << lesson << page;
      }
    }
  }
  void aPipelineIsPresentedStepByStep() {
    QFETCH(const int, lesson);
    QFETCH(const int, page);
    take(lesson, page);
    auto* small = find<TimelineView>("lessonTimeline");
    find<QAction>("presentLessonAction")->trigger();
    QVERIFY(window());
    QTRY_VERIFY(window()->isActiveWindow());
    auto& large = test::childOf<TimelineView>(*window(), "presentTimelineView");
    auto& caption = test::childOf<QLabel>(*window(), "presentTimelineCaption");
    QVERIFY(test::childOf<QTextBrowser>(*window(), "presentPage").toPlainText().contains(text("lessonQuestion")));
    QCOMPARE(large.isVisible(), small->isVisible());
    if (!large.isVisible()) press(Qt::Key_PageDown);
    QVERIFY(large.isVisible());
    QVERIFY(QFontInfo(large.font()).pixelSize() >= kReadable);
    press(Qt::Key_Home);
    QSet<QString> seen;
    for (int key = 0; key < 6; ++key) {
      press(Qt::Key_PageDown);
      seen << caption.text();
      QCOMPARE(large.itemCount(), small->itemCount());
    }
    QVERIFY2(seen.size() >= 5, qPrintable(QStringList(seen.values()).join(" | ")));
    press(Qt::Key_End);
    press(Qt::Key_PageDown);
    QTRY_VERIFY(settled());
    QTRY_VERIFY(window() != nullptr);
    press(Qt::Key_Escape);
    QTRY_VERIFY(!window());
  }

  // From devices to a training step within one lesson the presentation goes on.
  void picturesOfAnotherKindFollow() {
    take(15, 1);
    present();
    const auto& title = [this]() -> QLabel& { return test::childOf<QLabel>(*window(), "presentTitle"); };
    for (int key = 0; key < 12 && !(window() && title().text().endsWith("page 3")); ++key) {
      press(Qt::Key_PageDown);
      QTRY_VERIFY(settled() && window() && window()->isActiveWindow());
    }
    QVERIFY(title().text().endsWith("page 3"));
    QVERIFY(window()->findChild<QWidget*>("presentTimeline") != nullptr);
  }

  void theLiteralAlgorithmIsShownLarge() {
    take(13);
    auto& small = *m_view->findChild<LiteralPlayer*>();
    QVERIFY(small.isVisible());
    small.graph()->setFocus();
    QTest::keyClick(small.graph(), Qt::Key_F11);
    QVERIFY(window());
    QTRY_VERIFY(window()->isActiveWindow());
    auto& large = test::childOf<LiteralPlayer>(*window(), "presentLiteral");
    QCOMPARE(large.moment(), small.moment());
    const std::size_t before = large.moment();
    press(Qt::Key_PageDown);
    QCOMPARE(large.moment(), before + 1);
    QCOMPARE(small.moment(), before + 1);
    for (const char* part : {"literalWords", "literalListing", "literalTable"}) {
      const auto& shown = test::childOf<QWidget>(large, part);
      QVERIFY2(QFontInfo(shown.font()).pixelSize() >= kReadable, part);
    }
    press(Qt::Key_Escape);
    QTRY_VERIFY(!window());
    QCOMPARE(small.moment(), before + 1);
  }
};

QTEST_MAIN(TestLessonPresenting)
#include "tst_lesson_presenting.moc"
