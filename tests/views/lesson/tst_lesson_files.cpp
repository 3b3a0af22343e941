// SPDX-License-Identifier: GPL-3.0-or-later
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QSignalSpy>
#include <QTimer>

#include "lesson/answer_code.h"
#include "support/fixtures.h"
#include "views/lesson/maker_desk.h"

using namespace p2;
using namespace p2::views;

/// What a maker writes: lessons, trials and web pages; what is unsaved; and the codes that come back.
class TestLessonFiles : public QObject, test::MakerDesk {
  Q_OBJECT

  /// Presses a button that asks for a file, pastes its name into the dialog, and waits until it is written.
  void nameFile(LessonMaker& maker, const char* button, const char* asking, const QString& path) {
    QTest::mouseClick(&part<QPushButton>(maker, button), Qt::LeftButton);
    auto& dialog = part<QFileDialog>(maker, asking);
    auto& name = test::childOf<QLineEdit>(dialog, "fileNameEdit");
    QGuiApplication::clipboard()->setText(path);
    name.setFocus();
    name.selectAll();
    QTest::keyClick(&name, Qt::Key_V, Qt::ControlModifier);
    QTest::mouseClick(dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save), Qt::LeftButton);
    QTRY_VERIFY(QFile::exists(path) && settled());
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

  // From the button to the solved page, by mouse and keys alone: a page is moved, the files are named in their dialogs,
  // nothing moves when they are written, and the trial is solved.
  void aLessonIsMadeByHand() {
    m_session->reset(drafted());
    QTRY_VERIFY(m_session->isCurrent());
    press("makeLessonButton");
    auto* maker = m_view->findChild<LessonMaker*>("lessonMaker");
    QVERIFY(maker != nullptr);
    QTRY_VERIFY(settled());
    retype(part<QLineEdit>(*maker, "makerTitle"), "By hand");
    click(*maker, "makerDown");
    QTRY_VERIFY(settled() && part<QPushButton>(*maker, "makerSave").isEnabled());
    const auto& form = part<QPlainTextEdit>(*maker, "makerText");
    const QRect before(form.mapToGlobal(QPoint()), form.size());
    const QString lesson = m_folder.filePath("by-hand.json");
    const QString web = m_folder.filePath("by-hand.html");
    nameFile(*maker, "makerSave", "makerSaveDialog", lesson);
    QVERIFY(maker->isSaved());
    nameFile(*maker, "makerWeb", "makerWebDialog", web);
    QVERIFY(part<QLabel>(*maker, "makerMessage").isVisible());
    QCoreApplication::processEvents();
    QCOMPARE(QRect(form.mapToGlobal(QPoint()), form.size()), before);
    click(*maker, "makerTry");
    QTRY_VERIFY2(text("lessonPlace").endsWith("By hand"), qPrintable(text("lessonPlace")));
    // A desktop gives the window back its keyboard.
    m_view->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_view.get()));
    grid().setFocus();
    // Device 0 has the sum of its node's first two chunks; the marks are drawn with two strokes.
    QTRY_VERIFY(settled() && grid().marks().size() == 16);
    for (const std::size_t row : {0u, 1u}) {
      QTest::mousePress(&grid(), Qt::LeftButton, {}, grid().rectOf(4 * row).center());
      QTest::mouseMove(&grid(), grid().rectOf(4 * row + 1).center());
      QTest::mouseRelease(&grid(), Qt::LeftButton, {}, grid().rectOf(4 * row + 1).center());
    }
    QTest::keyClick(&grid(), Qt::Key_Return);
    QCOMPARE(text("lessonVerdict"), QString("✓ Every mark is right"));
    QTest::keyClick(&grid(), Qt::Key_Return);
    QTRY_VERIFY(settled() && pageNumber() == 1);
    stage().setFocus();
    QTest::keyClick(&stage(), Qt::Key_End);
    QTRY_VERIFY(text("lessonVerdict").startsWith("✓"));
    // The last page asks for the order of the steps, and does not name the first of them.
    press("nextLessonPageButton");
    QTRY_VERIFY(settled() && pageNumber() == 2);
    QCOMPARE(text("lessonCaption"), QString("The steps are shown after the answer."));
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
    const auto& reported = part<QLabel>(*maker, "makerMessage");
    QTRY_VERIFY2(reported.text().contains("noted.json"), qPrintable(reported.text()));
    auto* shown = reported.findChild<QTimer*>("briefly");
    QVERIFY(shown->isActive() && shown->isSingleShot());
    QCOMPARE(shown->interval(), 5000);
    shown->setInterval(0);
    QTRY_VERIFY(reported.text().isEmpty());
    maker->close();
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

QTEST_MAIN(TestLessonFiles)
#include "tst_lesson_files.moc"
