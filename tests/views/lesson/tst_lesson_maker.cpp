// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QFileDialog>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>

#include "lesson/answer_code.h"
#include "support/fixtures.h"
#include "views/lesson/lesson_desk.h"
#include "views/lesson/lesson_maker.h"
#include "workspace/presets.h"

using namespace p2;
using namespace p2::views;

/// A teacher makes a lesson with mouse and keys, tries it and saves it, and reads the codes of a class.
class TestLessonMaker : public QObject, test::LessonDesk {
  Q_OBJECT

  LessonDraft draft() {
    Workspace workspace;
    workspace.system = parseSystem("node:2@8GB/s gpu:2@270GB/s").value();
    workspace.axes = {{"data", 4}};
    workspace.axes[0].reduce = true;
    workspace.program = "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather";
    return draftFrom(workspace).value();
  }
  template <class T>
  T& part(LessonMaker& maker, const char* name) {
    return test::childOf<T>(maker, name);
  }
  void click(LessonMaker& maker, const char* name) {
    QTest::mouseClick(&part<QPushButton>(maker, name), Qt::LeftButton);
    QTRY_VERIFY(settled());
  }
  QStringList problems(LessonMaker& maker) {
    QStringList list;
    auto& shown = part<QListWidget>(maker, "makerProblems");
    for (int row = 0; row < shown.count(); ++row) list << shown.item(row)->text();
    return list;
  }
  void retype(QLineEdit& edit, const QString& text) {
    edit.setFocus();
    edit.selectAll();
    QTest::keyClicks(&edit, text);
  }

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

  // The trial is read though its maker is closed at once.
  void aTrialOutlivesItsMaker() {
    m_session->reset(test::workspaceOf("node:2 gpu:2", "data=4", "data"));
    QTRY_VERIFY(m_session->isCurrent());
    press("makeLessonButton");
    auto* maker = m_view->findChild<LessonMaker*>("lessonMaker");
    QVERIFY(maker != nullptr);
    QTRY_VERIFY(settled());
    retype(part<QLineEdit>(*maker, "makerTitle"), "Read late");
    QTRY_VERIFY(settled() && part<QPushButton>(*maker, "makerTry").isEnabled());
    connect(maker, &LessonMaker::tried, maker, [maker] { delete maker; });
    click(*maker, "makerTry");
    QTRY_VERIFY2(text("lessonPlace").endsWith("Read late"), qPrintable(text("lessonPlace")));
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

  // A file whose writing is cancelled can be written again.
  void aCancelledFileCanBeWrittenAgain() {
    LessonMaker maker(m_session->jobs(), draft());
    maker.show();
    QTRY_VERIFY(settled());
    QSignalSpy written(&maker, &LessonMaker::written);
    maker.save(m_folder.filePath("cancelled.json"));
    QVERIFY(!part<QPushButton>(maker, "makerSave").isEnabled());
    m_session->jobs().cancelAll();
    for (const char* button : {"makerTry", "makerSave", "makerWeb"}) {
      QVERIFY2(part<QPushButton>(maker, button).isEnabled(), button);
    }
    maker.save(m_folder.filePath("cancelled.json"));
    QTRY_COMPARE(written.count(), 1);
  }

  // What is typed while the file is written is not in it, though it joins the edit that is.
  void typingWhileSavingStaysUnsaved() {
    LessonMaker maker(m_session->jobs(), draft());
    maker.show();
    QTRY_VERIFY(settled());
    auto& title = part<QLineEdit>(maker, "makerTitle");
    retype(title, "Saved");
    QTRY_VERIFY(settled() && part<QPushButton>(maker, "makerSave").isEnabled());
    QSignalSpy written(&maker, &LessonMaker::written);
    maker.save(m_folder.filePath("typed.json"));
    QTest::keyClicks(&title, " not");
    QCOMPARE(written.count(), 0);
    QTRY_COMPARE(written.count(), 1);
    QCOMPARE(maker.draft().title, std::string("Saved not"));
    QVERIFY(!maker.isSaved());
    QTRY_VERIFY(settled() && part<QPushButton>(maker, "makerSave").isEnabled());
    maker.save(m_folder.filePath("typed.json"));
    QTRY_COMPARE(written.count(), 2);
    QVERIFY(maker.isSaved());
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

  // Esc closes the maker without losing the lesson; Start again can be undone; a trial shows what is behind the maker.
  void anUnsavedLessonIsKept() {
    m_session->reset(test::workspaceOf("node:2 gpu:2", "data=4", "data"));
    QTRY_VERIFY(m_session->isCurrent());
    press("makeLessonButton");
    auto* maker = m_view->findChild<LessonMaker*>("lessonMaker");
    QVERIFY(maker != nullptr && maker->isSaved());
    QVERIFY(m_view->unfinished().isEmpty());
    retype(part<QLineEdit>(*maker, "makerTitle"), "Kept");
    QVERIFY(!maker->isSaved());
    QTest::keyClick(maker, Qt::Key_Escape);
    QVERIFY(!maker->isVisible());
    QCOMPARE(m_view->unfinished(), QString("1 unsaved lesson"));
    QCOMPARE(find<QPushButton>("makeLessonButton")->text(), QString("Back to the ne&w lesson"));
    press("makeLessonButton");
    QVERIFY(maker->isVisible());
    QCOMPARE(maker->draft().title, std::string("Kept"));
    click(*maker, "makerAgain");
    QVERIFY(maker->draft().title != "Kept");
    QTest::keyClick(maker, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(maker->draft().title, std::string("Kept"));
    QTRY_VERIFY(settled() && part<QPushButton>(*maker, "makerTry").isEnabled());
    click(*maker, "makerTry");
    QTRY_VERIFY(text("lessonPlace").endsWith("Kept"));
    QVERIFY(!maker->isVisible());
    QSignalSpy written(maker, &LessonMaker::written);
    maker->save(m_folder.filePath("kept.json"));
    QTRY_COMPARE(written.count(), 1);
    QVERIFY(maker->isSaved());
    QVERIFY(m_view->unfinished().isEmpty());
    maker->show();
    QTest::keyClick(maker, Qt::Key_Escape);
    QTRY_VERIFY(m_view->findChild<LessonMaker*>("lessonMaker") == nullptr);
    QCOMPARE(find<QPushButton>("makeLessonButton")->text(), QString::fromUtf8("Ne&w lesson from this program…"));
  }

  // Two quick clicks write one file.
  void twoClicksWriteOnce() {
    LessonMaker maker(m_session->jobs(), draft());
    maker.show();
    QTRY_VERIFY(settled());
    QSignalSpy tried(&maker, &LessonMaker::tried);
    auto& button = part<QPushButton>(maker, "makerTry");
    for (int i = 0; i < 2; ++i) QTest::mouseClick(&button, Qt::LeftButton);
    QVERIFY(!button.isEnabled());
    QTRY_VERIFY(settled() && button.isEnabled());
    QCOMPARE(tried.count(), 1);
  }

  // Every maker tries in a folder of its own, which goes with it.
  void trialsHaveTheirOwnFolder() {
    QStringList tried;
    for (int i = 0; i < 2; ++i) {
      LessonMaker maker(m_session->jobs(), draft());
      maker.show();
      QTRY_VERIFY(settled());
      connect(&maker, &LessonMaker::tried, this, [&](const QString& at) { tried << at; });
      click(maker, "makerTry");
      QTRY_COMPARE(tried.size(), i + 1);
      QVERIFY(QFile::exists(tried.last()));
    }
    QVERIFY(tried[0] != tried[1]);
    for (const QString& path : tried) QVERIFY(!QFileInfo::exists(QFileInfo(path).path()));
  }

  void whatCannotBeWrittenSaysSo() {
    LessonMaker maker(m_session->jobs(), draft());
    maker.show();
    QTRY_VERIFY(settled());
    QSignalSpy written(&maker, &LessonMaker::written);
    maker.save(m_folder.filePath("no/such/folder.json"));
    QTRY_VERIFY(settled());
    QTRY_VERIFY2(problems(maker).last().contains("folder.json"), qPrintable(problems(maker).join('\n')));
    QCOMPARE(written.count(), 0);
  }

  // A note that something is written goes after five seconds.
  void notesGo() {
    m_session->reset(test::workspaceOf("node:2 gpu:2", "data=4", "data"));
    QTRY_VERIFY(m_session->isCurrent());
    press("makeLessonButton");
    auto* maker = m_view->findChild<LessonMaker*>("lessonMaker");
    QVERIFY(maker != nullptr);
    QTRY_VERIFY(settled());
    maker->save(m_folder.filePath("noted.json"));
    const auto& told = part<QLabel>(*maker, "makerMessage");
    QTRY_VERIFY2(told.text().contains("noted.json"), qPrintable(told.text()));
    auto* shown = told.findChild<QTimer*>("briefly");
    QVERIFY(shown->isActive() && shown->isSingleShot());
    QCOMPARE(shown->interval(), 5000);
    shown->setInterval(0);
    QTRY_VERIFY(told.text().isEmpty());
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

  void theWebPageIsWritten() {
    LessonMaker maker(m_session->jobs(), draft());
    maker.show();
    QTRY_VERIFY(settled());
    const QString path = m_folder.filePath("own.html");
    maker.saveWebPage(path);
    QTRY_VERIFY(QFile::exists(path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("p2-lesson-page"));
  }

  void codesOfAClassAreRead() {
    const Lesson lesson = lessonFromJson(bundledLesson("order").value()).value();
    const std::string code = answerCode(fingerprintOf(lesson), "Ada", {{true, false, 1}, {true, true, 2}, {}, {}});
    QFile file(m_folder.filePath("class.txt"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(("Ada: " + code + "\nBob: " + code + "\n").c_str());
    file.close();
    press("readCodesButton");
    auto* dialog = find<QFileDialog>("codesDialog");
    emit dialog->fileSelected(file.fileName());
    dialog->close();
    QTRY_VERIFY(m_view->findChild<QListWidget*>("codesList") != nullptr);
    auto* list = find<QListWidget>("codesList");
    QCOMPARE(list->count(), 2);
    QCOMPARE(list->item(0)->text(),
             QString::fromUtf8("✓ Ada: Order, 2 of 4 pages solved; tries page by page: 1 2+ – –"));
    QVERIFY(list->item(1)->text().contains("does not belong to this name"));
  }
};

QTEST_MAIN(TestLessonMaker)
#include "tst_lesson_maker.moc"
