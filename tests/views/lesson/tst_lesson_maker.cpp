// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QMenu>
#include <QSignalSpy>
#include <QSpinBox>
#include <QToolButton>

#include "support/fixtures.h"
#include "views/lesson/maker_desk.h"
#include "workspace/presets.h"

using namespace p2;
using namespace p2::views;

/// A teacher makes a lesson with mouse and keys: texts, tasks, numbers, pages and their order.
class TestLessonMaker : public QObject, test::MakerDesk {
  Q_OBJECT

  // The first entry of a menu, or of a menu inside it, that stands for this placeholder.
  QAction* entryOf(LessonMaker& maker, const char* button, const QString& name) {
    QMenu* menu = part<QToolButton>(maker, button).menu();
    for (const QMenu* each : QList<QMenu*>{menu} + menu->findChildren<QMenu*>()) {
      for (QAction* action : each->actions()) {
        if (action->data().toString() == name) return action;
      }
    }
    return nullptr;
  }

 private slots:
  void initTestCase() {
    prepare();
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  }
  void init() {
    QSettings().clear();
    open();
  }
  void cleanup() { close(); }

  void aLessonIsMadeTriedAndSaved() {
    LessonMaker maker(m_session->jobs(), draft());
    maker.show();
    QTRY_COMPARE(problems(maker), QStringList{QString::fromUtf8("✓ The lesson can be completed.")});
    retype(part<QLineEdit>(maker, "makerTitle"), "Two nodes");
    retype(part<QLineEdit>(maker, "makerQuestion"), "Watch it.");
    auto& pages = part<QListWidget>(maker, "makerPages");
    QCOMPARE(pages.item(0)->text(), QString("1. Watch it."));
    click(maker, "makerDown");
    QCOMPARE(pages.item(1)->text(), QString("2. Watch it."));
    QCOMPARE(pages.currentRow(), 1);
    const QString path = m_folder.filePath("own.json");
    QTRY_VERIFY(settled());
    QSignalSpy saved(&maker, &LessonMaker::written);
    maker.save(path);
    QVERIFY2(!QFile::exists(path) || !settled(), "it is written in a job");
    QTRY_COMPARE(saved.count(), 1);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto read = lessonProblems(file.readAll().toStdString());
    QVERIFY(read.ok() && read->empty());
    QString tried;
    connect(&maker, &LessonMaker::tried, this, [&](const QString& at) { tried = at; });
    click(maker, "makerTry");
    QTRY_VERIFY(!tried.isEmpty());
    m_view->openFile(tried);
    QTRY_VERIFY(text("lessonPlace").endsWith("Two nodes"));
  }

  // Numbers are chosen from a list with their values, in the text and as what is asked for.
  void numbersAreChosen() {
    LessonMaker maker(m_session->jobs(), draft());
    maker.show();
    QTRY_VERIFY(settled());
    auto& text = part<QPlainTextEdit>(maker, "makerText");
    text.moveCursor(QTextCursor::End);
    QAction* devices = entryOf(maker, "makerInsert", "devices");
    QVERIFY(devices != nullptr);
    QCOMPARE(devices->text(), QString("devices\t4"));
    devices->trigger();
    QVERIFY(text.toPlainText().endsWith("{devices}"));
    QCOMPARE(maker.draft().pages[0].text, text.toPlainText().toStdString());
    auto& task = part<QComboBox>(maker, "makerTask");
    task.setFocus();
    QTest::keyClicks(&task, "Compute");
    QTRY_VERIFY(part<QToolButton>(maker, "makerAsk").isEnabled());
    QAction* seconds = entryOf(maker, "makerAsk", "seconds");
    QVERIFY(seconds != nullptr && entryOf(maker, "makerAsk", "gpu.bandwidth") == nullptr);
    seconds->trigger();
    QCOMPARE(maker.draft().pages[0].fact, std::string("seconds"));
    QTRY_VERIFY(settled());
    QTRY_COMPARE(problems(maker), QStringList{QString::fromUtf8("✓ The lesson can be completed.")});
  }

  // The question follows the task until the teacher words it.
  void theQuestionFollowsTheTask() {
    LessonMaker maker(m_session->jobs(), draft());
    maker.show();
    QTRY_VERIFY(settled());
    auto& task = part<QComboBox>(maker, "makerTask");
    auto& question = part<QLineEdit>(maker, "makerQuestion");
    const auto choose = [&](const char* begin) {
      task.setFocus();
      QTest::keyClicks(&task, begin);
    };
    QCOMPARE(question.text(), QString("Play the program to its end."));
    choose("Mark");
    QCOMPARE(question.text(), QString("Mark what device 0 holds after step 1."));
    part<QSpinBox>(maker, "makerStep").setValue(2);
    QCOMPARE(question.text(), QString("Mark what device 0 holds after step 2."));
    retype(question, "How much?");
    choose("Compute");
    QCOMPARE(question.text(), QString("How much?"));
  }

  // Choosing from a menu inside the menu leaves both standing.
  void numbersOfAStepAreChosen() {
    LessonMaker maker(m_session->jobs(), draft());
    maker.show();
    QTRY_VERIFY(settled());
    QPointer<QMenu> inside;
    for (int i = 0; i < 3; ++i) {
      QAction* entry = entryOf(maker, "makerInsert", "step1.seconds");
      QVERIFY(entry != nullptr);
      inside = qobject_cast<QMenu*>(entry->parent());
      QVERIFY(inside != nullptr && inside != part<QToolButton>(maker, "makerInsert").menu());
      entry->trigger();
      QVERIFY(!inside.isNull());
    }
    QVERIFY(part<QPlainTextEdit>(maker, "makerText").toPlainText().contains("{step1.seconds}{step1.seconds}"));
    QTRY_VERIFY(settled());
    part<QComboBox>(maker, "makerTask").setFocus();
    QTest::keyClicks(&part<QComboBox>(maker, "makerTask"), "Compute");
    QAction* asked = entryOf(maker, "makerAsk", "step2.seconds");
    QVERIFY(asked != nullptr);
    asked->trigger();
    QCOMPARE(maker.draft().pages[0].fact, std::string("step2.seconds"));
  }

  // A page offers its own numbers or none, whatever is wrong on other pages.
  void numbersAreOfTheirPage() {
    LessonMaker maker(m_session->jobs(), draft());
    maker.show();
    QTRY_VERIFY(settled());
    auto& pages = part<QListWidget>(maker, "makerPages");
    pages.setCurrentRow(1);
    retype(part<QLineEdit>(maker, "makerProgram"), "nonsense");
    QVERIFY(entryOf(maker, "makerInsert", "devices") == nullptr);
    QCOMPARE(part<QToolButton>(maker, "makerInsert").menu()->actions().first()->text(), QString::fromUtf8("Checking…"));
    QTRY_VERIFY(settled());
    QVERIFY(entryOf(maker, "makerInsert", "devices") == nullptr);
    QCOMPARE(part<QToolButton>(maker, "makerInsert").menu()->actions().first()->text(),
             QString("Fix the problems below first"));
    pages.setCurrentRow(0);
    QVERIFY(entryOf(maker, "makerInsert", "devices") != nullptr);
    click(maker, "makerDown");
    QCOMPARE(pages.currentRow(), 1);
    QVERIFY(entryOf(maker, "makerInsert", "devices") != nullptr);
    pages.setCurrentRow(0);
    QVERIFY(entryOf(maker, "makerInsert", "devices") == nullptr);
  }

  // Start again without a program names the problem and keeps the pages.
  void startAgainNeedsAProgram() {
    m_session->reset(test::workspaceOf("node:2 gpu:2", "data=4", "data"));
    QTRY_VERIFY(m_session->isCurrent());
    press("makeLessonButton");
    auto* maker = m_view->findChild<LessonMaker*>("lessonMaker");
    QVERIFY(maker != nullptr);
    QTRY_VERIFY(settled());
    const LessonDraft before = maker->draft();
    m_session->reset(Workspace());
    click(*maker, "makerAgain");
    QVERIFY2(problems(*maker).last().contains("a lesson is made from a program"),
             qPrintable(problems(*maker).join('\n')));
    QVERIFY(maker->draft() == before);
    maker->close();
  }

  void everyProblemIsListed() {
    LessonMaker maker(m_session->jobs(), draft());
    maker.show();
    retype(part<QLineEdit>(maker, "makerTitle"), " ");
    retype(part<QLineEdit>(maker, "makerQuestion"), " ");
    auto& hints = part<QPlainTextEdit>(maker, "makerHints");
    hints.setFocus();
    hints.selectAll();
    QTest::keyClick(&hints, Qt::Key_Delete);
    auto& pages = part<QListWidget>(maker, "makerPages");
    QTest::mouseClick(pages.viewport(), Qt::LeftButton, {}, pages.visualItemRect(pages.item(1)).center());
    retype(part<QLineEdit>(maker, "makerProgram"), "nonsense");
    QTRY_VERIFY(settled());
    const QString all = problems(maker).join('\n');
    for (const char* place : {"title: ", "Page 1, question: ", "Page 1, hints: ", "Page 2, program: "}) {
      QVERIFY2(all.contains(place), qPrintable(all));
    }
    QVERIFY(!part<QPushButton>(maker, "makerTry").isEnabled());
    // Every edit can be undone.
    for (int edits = 0; edits < 8; ++edits) QTest::keyClick(&maker, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(maker.draft() == draft());
  }

  void pagesAreAddedAndRemoved() {
    LessonMaker maker(m_session->jobs(), draft());
    maker.show();
    const int before = int(maker.draft().pages.size());
    click(maker, "makerAdd");
    QCOMPARE(int(maker.draft().pages.size()), before + 1);
    click(maker, "makerRemove");
    click(maker, "makerRemove");
    QCOMPARE(int(maker.draft().pages.size()), before - 1);
    click(maker, "makerUndo");
    QCOMPARE(int(maker.draft().pages.size()), before);
  }
};

QTEST_MAIN(TestLessonMaker)
#include "tst_lesson_maker.moc"
