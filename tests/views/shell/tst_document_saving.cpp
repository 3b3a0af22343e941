// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/stat.h>

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/shell/document_desk.h"
#include "views/shell/recent_files.h"

using namespace p2;
using namespace p2::views;
using p2::test::Desk;
using p2::test::exampleText;
using p2::test::readFile;
using p2::test::writeFile;

class TestDocumentSaving : public QObject {
  Q_OBJECT

  static void openInBoth(const QString& path, Desk& first, Desk& second) {
    for (Desk* desk : {&first, &second}) {
      desk->documents.openFile(path);
      QTRY_COMPARE(desk->documents.path(), path);
    }
  }

 private slots:
  void init() {
    test::failOnWarnings();
    m_temporary = std::make_unique<QTemporaryDir>();
    m_folder = m_temporary->path();
  }

  void saveAndOpenAgain() {
    const QString path = m_folder + "/my plan.p2.json";
    {
      Desk desk(m_folder);
      desk.documents.start({});
      QTRY_VERIFY(desk.session.isCurrent());
      desk.session.select(1, 2);
      QVERIFY(desk.documents.isModified());
      desk.editBytes(12345);
      QVERIFY(desk.documents.isModified());
      desk.answers.savePath = path;
      QSignalSpy changed(&desk.documents, &DocumentController::documentChanged);
      desk.documents.save();
      QTRY_VERIFY(!desk.documents.isModified());
      QVERIFY(!changed.isEmpty());
      QCOMPARE(desk.documents.path(), path);
      QCOMPARE(desk.documents.name(), "my plan.p2.json");
      desk.session.undoStack().undo();
      QVERIFY(desk.documents.isModified());
    }
    Desk desk(m_folder);
    desk.documents.start({});
    QTRY_COMPARE(desk.documents.path(), path);
    QCOMPARE(desk.session.workspace()->options.cost.bytes, Bytes(12345.0));
    QCOMPARE(desk.documents.recentFiles().paths(), QStringList{path});
    QTRY_VERIFY(desk.session.isCurrent());
    QCOMPARE(desk.session.placementIndex(), 1);
    QCOMPARE(desk.session.programIndex(), 2);
  }

  void unknownKeysSurviveSaving() {
    const QString path = m_folder + "/doc.json";
    QByteArray text = exampleText("teaching-2x4");
    writeFile(path, text.insert(text.indexOf('{') + 1, "\"mine\": [1, 2],"));
    Desk desk(m_folder);
    desk.documents.openFile(path);
    QTRY_COMPARE(desk.documents.path(), path);
    desk.editBytes(7);
    desk.documents.save();
    QTRY_VERIFY(!desk.documents.isModified());
    QVERIFY(readFile(path).contains("\"mine\""));
    QVERIFY(!readFile(path).contains("2147483648"));
  }

  void savingWhereItCannotBe() {
    Desk desk(m_folder);
    desk.documents.start({});
    desk.editBytes(5);
    desk.answers.savePath = m_folder + "/no/such/folder/x.json";
    desk.documents.save();
    QTRY_VERIFY(desk.documents.trouble().contains("folder"));
    QVERIFY(desk.documents.isModified());
    QVERIFY(desk.documents.path().isEmpty());
  }

  void aFailedSaveDoesNotForgetTheNext() {
    Desk desk(m_folder);
    desk.documents.start({});
    desk.editBytes(5);
    desk.answers.savePath = m_folder + "/no/such/folder/x.json";
    desk.documents.save();
    desk.answers.savePath = m_folder + "/good.json";
    desk.documents.saveAs();
    QTRY_COMPARE(desk.documents.path(), m_folder + "/good.json");
    QVERIFY(!desk.documents.isModified());
  }

  // What is asked for while another save runs is written after it, as it was when it was asked for.
  void whatIsEditedBehindASaveThatWaitsIsNotSaved() {
    const QString path = m_folder + "/doc.json";
    writeFile(path, exampleText("teaching-2x4"));
    Desk desk(m_folder);
    desk.documents.openFile(path);
    QTRY_COMPARE(desk.documents.path(), path);
    for (const double bytes : {5.0, 6.0}) {
      desk.editBytes(bytes);
      desk.documents.save();
    }
    desk.editBytes(7);
    QTRY_COMPARE(bytesIn(path), 6.0);
    QTRY_VERIFY(desk.session.jobs().running().empty());
    QVERIFY(desk.documents.isModified());
    desk.session.undoStack().setIndex(0);
    QVERIFY(desk.documents.isModified());
    desk.session.undoStack().setIndex(2);
    desk.documents.save();
    QTRY_VERIFY(!desk.documents.isModified());
  }

  // A copy that is asked for between two saves is written, too.
  void everySaveThatWaitsIsWritten() {
    const QString path = m_folder + "/waits.json";
    writeFile(path, exampleText("teaching-2x4"));
    Desk desk(m_folder);
    desk.documents.openFile(path);
    QTRY_COMPARE(desk.documents.path(), path);
    desk.editBytes(5);
    desk.documents.save();
    desk.editBytes(6);
    desk.answers.savePath = m_folder + "/copy.json";
    desk.documents.saveAs();
    desk.editBytes(7);
    desk.documents.save();
    desk.editBytes(8);
    desk.answers.savePath = m_folder + "/other.json";
    desk.documents.saveAs();
    QTRY_COMPARE(desk.documents.path(), m_folder + "/other.json");
    QTRY_VERIFY(desk.session.jobs().running().empty());
    QCOMPARE(bytesIn(path), 5.0);
    // The copy is the document from when it was asked for.
    QCOMPARE(bytesIn(m_folder + "/copy.json"), 7.0);
    QCOMPARE(bytesIn(m_folder + "/other.json"), 8.0);
    QVERIFY(!desk.documents.isModified());
  }

  void whatIsEditedBeforeAFileIsReplacedIsNotSaved() {
    const QString path = m_folder + "/shared.json";
    writeFile(path, exampleText("teaching-2x4"));
    Desk desk(m_folder);
    desk.documents.openFile(path);
    QTRY_COMPARE(desk.documents.path(), path);
    writeFile(path, exampleText("figure2"));
    desk.answers.changed = DocumentDialogs::Changed::Replace;
    desk.editBytes(5);
    desk.documents.save();
    desk.editBytes(6);
    QTRY_COMPARE(desk.answers.changedAsked, 1);
    QTRY_COMPARE(bytesIn(path), 5.0);
    QTRY_VERIFY(desk.session.jobs().running().empty());
    QVERIFY(desk.documents.isModified());
  }

  void whatIsUnfinishedIsSavedAndOpenedAgain() {
    Desk desk(m_folder);
    desk.documents.start({});
    desk.documents.newDocument();
    Workspace unfinished = *desk.session.workspace();
    unfinished.system = {};
    unfinished.system.networks.push_back(p2::test::networkOf(p2::InterconnectKind::Bus, 32e9, "bus", "", 1, "gpu"));
    unfinished.notes = "to be drawn";
    desk.session.edit("Draw", unfinished);
    desk.answers.savePath = m_folder + "/unfinished.json";
    desk.documents.save();
    QTRY_VERIFY(!desk.documents.isModified());
    desk.documents.openExample("teaching-2x4");
    desk.documents.openFile(desk.answers.savePath);
    QTRY_COMPARE(desk.documents.path(), desk.answers.savePath);
    QCOMPARE(desk.session.workspace()->system, unfinished.system);
    QCOMPARE(desk.session.workspace()->notes, unfinished.notes);
    QVERIFY(desk.session.problem().has_value());
    QVERIFY(!desk.session.isExploring());
  }

  void aChoiceIsSavedAndNothingElseIsWrittenForIt() {
    const QString path = m_folder + "/doc.json";
    writeFile(path, exampleText("teaching-2x4"));
    Desk desk(m_folder);
    desk.documents.openFile(path);
    QTRY_VERIFY(desk.documents.path() == path && desk.session.isCurrent());
    const Workspace opened = *desk.session.workspace();
    QVERIFY(!desk.documents.isModified());
    desk.session.select(0, 1);
    QVERIFY(desk.documents.isModified());
    const Workspace chosen = *desk.session.workspace();
    desk.documents.save();
    QTRY_VERIFY(!desk.documents.isModified());
    const Workspace saved = workspaceFromJson(readFile(path).toStdString()).value();
    QCOMPARE(saved.program, chosen.program);
    QCOMPARE(saved.matrix, chosen.matrix);
    QCOMPARE(saved.notes, opened.notes);
  }

  void whatAnotherProgramWroteIsNotReplacedUnasked_data() {
    QTest::addColumn<int>("answer");
    QTest::addColumn<double>("here");        // bytes in the document's file afterwards
    QTest::addColumn<double>("overlapped");  // and in the other one
    QTest::addColumn<double>("shown");
    using Changed = DocumentDialogs::Changed;
    QTest::newRow("replace") << int(Changed::Replace) << 5.0 << 0.0 << 5.0;
    QTest::newRow("save as") << int(Changed::SaveAs) << 7.0 << 5.0 << 5.0;
    QTest::newRow("reopen") << int(Changed::Reopen) << 7.0 << 0.0 << 7.0;
    QTest::newRow("cancel") << int(Changed::Cancel) << 7.0 << 0.0 << 5.0;
  }
  void whatAnotherProgramWroteIsNotReplacedUnasked() {
    QFETCH(int, answer);
    const QString path = m_folder + "/shared.json";
    const QString overlapped = m_folder + "/beside.json";
    writeFile(path, exampleText("teaching-2x4"));
    Desk first(m_folder);
    Desk second(m_folder);
    openInBoth(path, first, second);
    second.editBytes(7);
    second.documents.save();
    QTRY_VERIFY(!second.documents.isModified());
    QCOMPARE(second.answers.changedAsked, 0);

    first.editBytes(5);
    first.answers.changed = DocumentDialogs::Changed(answer);
    first.answers.savePath = overlapped;
    first.documents.save();
    QTRY_COMPARE(first.answers.changedAsked, 1);
    const bool cancelled = answer == int(DocumentDialogs::Changed::Cancel);
    QTRY_COMPARE(first.documents.isModified(), cancelled);
    QTRY_VERIFY(first.session.isCurrent());
    QTEST(bytesIn(path), "here");
    QTEST(bytesIn(overlapped), "overlapped");
    QTEST(first.session.workspace()->options.cost.bytes.value(), "shown");
    if (cancelled) return;
    // Settled once, it is not asked again.
    first.editBytes(11);
    first.documents.save();
    QTRY_VERIFY(!first.documents.isModified());
    QCOMPARE(first.answers.changedAsked, 1);
  }

  void aChangeOutsideIsNoticed() {
    const QString path = m_folder + "/watched.json";
    writeFile(path, exampleText("teaching-2x4"));
    Desk first(m_folder);
    Desk second(m_folder);
    openInBoth(path, first, second);
    for (const double bytes : {7.0, 9.0}) {
      second.editBytes(bytes);
      second.documents.save();
      QTRY_COMPARE(first.documents.changedOutside(), QString("watched.json was changed by another program."));
      QCOMPARE(bytesIn(path), bytes);
      if (bytes == 7) first.documents.keepOwn();
      if (bytes == 9) first.documents.reopen();
      QTRY_COMPARE(first.documents.changedOutside(), QString());
      QTRY_COMPARE(first.session.workspace()->options.cost.bytes.value() == bytes, bytes == 9);
    }
    // What one has written oneself is no news, however it was written.
    QTRY_VERIFY(!second.documents.isModified());
    QTRY_VERIFY(second.session.jobs().running().empty());
    QCOMPARE(second.documents.changedOutside(), QString());
    first.editBytes(11);
    first.documents.save();
    QTRY_VERIFY(!second.documents.changedOutside().isEmpty());
    QCOMPARE(first.answers.changedAsked, 0);
    QCOMPARE(first.documents.changedOutside(), QString());
  }

  void whatWouldBeLostIsTold() {
    const KnownContents nothing;
    const QString path = m_folder + "/large.json";
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(!holdsAnothersWork(path, nothing));
    QVERIFY(file.resize(qint64(65) << 20));
    QVERIFY(holdsAnothersWork(path, nothing));
    QVERIFY(!holdsAnothersWork(m_folder + "/missing.json", nothing));
    // Reading it would wait for ever.
    const QString pipe = m_folder + "/pipe";
    QVERIFY(::mkfifo(qPrintable(pipe), 0600) == 0);
    QVERIFY(!holdsAnothersWork(pipe, nothing));
  }

  void aFileThatIsGoneIsWrittenAgain() {
    const QString path = m_folder + "/gone.json";
    writeFile(path, exampleText("teaching-2x4"));
    Desk desk(m_folder);
    desk.documents.openFile(path);
    QTRY_COMPARE(desk.documents.path(), path);
    QVERIFY(QFile::remove(path));
    desk.editBytes(5);
    desk.documents.save();
    QTRY_VERIFY(!desk.documents.isModified());
    QCOMPARE(desk.answers.changedAsked, 0);
    QCOMPARE(bytesIn(path), 5.0);
  }

  void aStoppedSaveSaysSo() {
    const QString path = m_folder + "/doc.json";
    writeFile(path, exampleText("teaching-2x4"));
    Desk desk(m_folder);
    desk.documents.openFile(path);
    QTRY_COMPARE(desk.documents.path(), path);
    desk.editBytes(5);
    desk.documents.save();
    desk.session.jobs().cancelAll();
    QVERIFY(desk.documents.trouble().contains("not saved"));
    QVERIFY(desk.documents.isModified());
    // Whether or not the file was written all the same, it is nobody else's.
    desk.documents.save();
    QTRY_VERIFY(!desk.documents.isModified());
    QCOMPARE(desk.answers.changedAsked, 0);
    QCOMPARE(bytesIn(path), 5.0);
  }

 private:
  static double bytesIn(const QString& path) {
    const auto workspace = workspaceFromJson(readFile(path).toStdString());
    return workspace.ok() ? workspace->options.cost.bytes.value() : 0;
  }

  std::unique_ptr<QTemporaryDir> m_temporary;
  QString m_folder;
};

QTEST_GUILESS_MAIN(TestDocumentSaving)
#include "tst_document_saving.moc"
