// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/stat.h>
#include <unistd.h>

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "support/warnings.h"
#include "views/shell/document_desk.h"
#include "views/shell/recent_files.h"

using namespace p2;
using namespace p2::views;
using p2::test::Desk;
using p2::test::exampleText;
using p2::test::readFile;
using p2::test::writeFile;

class TestDocumentController : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    test::failOnWarnings();
    m_temporary = std::make_unique<QTemporaryDir>();
    m_folder = m_temporary->path();
  }

  void theFirstStartShowsTheExample() {
    Desk desk(m_folder);
    desk.documents.start({});
    QCOMPARE(desk.documents.name(), "a100-4x16.p2.json");
    QVERIFY(desk.documents.path().isEmpty());
    QVERIFY(!desk.documents.isModified());
    QCOMPARE(desk.session.workspace()->system.name, "gcp-a100:4");
    QTRY_VERIFY(desk.session.isCurrent());
  }

  void everyExampleOpens_data() {
    QTest::addColumn<QString>("name");
    for (const Example& example : examples()) QTest::newRow(qPrintable(example.name)) << example.name;
  }
  void everyExampleOpens() {
    QFETCH(QString, name);
    Desk desk(m_folder);
    desk.documents.openExample(name);
    QCOMPARE(desk.documents.trouble(), "");
    QTRY_VERIFY(desk.session.isCurrent());
    QVERIFY(desk.session.program());
    // As written by the program itself, so that saving an example changes nothing but the selection.
    const QString path = QString(P2_RESOURCES) + "/examples/" + name + ".p2.json";
    QCOMPARE(workspaceFromJson(readFile(path).toStdString()).value(), *desk.session.workspace());
  }

  void whatCannotBeOpenedLeavesTheDocument_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("stated");
    const QByteArray good = exampleText("teaching-2x4");
    QTest::newRow("empty") << QByteArray() << "empty";
    QTest::newRow("blank") << QByteArray("  \n") << "empty";
    QTest::newRow("truncated") << good.left(good.size() / 2) << "line";
    QTest::newRow("not JSON") << QByteArray("node:2 gpu:4") << "JSON";
    QTest::newRow("a list") << QByteArray("[1, 2]") << "object";
    QTest::newRow("another format") << QByteArray(good).replace("p2-workspace", "png") << "format";
    QTest::newRow("newer version") << QByteArray(good).replace("\"version\": 1", "\"version\": 2") << "newer";
    QTest::newRow("no version") << QByteArray(good).replace("\"version\": 1", "\"version\": \"x\"") << "version";
    QTest::newRow("no axes") << QByteArray(good).replace("\"axes\"", "\"axises\"") << "axes";
    QTest::newRow("binary") << QByteArray("\x00\xff\xfe{", 4) << "UTF-8";
  }
  void whatCannotBeOpenedLeavesTheDocument() {
    QFETCH(QByteArray, content);
    QFETCH(QString, stated);
    const QString path = m_folder + "/bad.json";
    writeFile(path, content);
    Desk desk(m_folder);
    desk.documents.start({});
    refuses(desk, path, stated);
  }

  void placesThatAreNoFile_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("stated");
    QTest::newRow("missing") << "/nowhere.json"
                             << "no such file";
    QTest::newRow("a directory") << "/"
                                 << "directory";
  }
  void placesThatAreNoFile() {
    QFETCH(QString, name);
    QFETCH(QString, stated);
    Desk desk(m_folder);
    desk.documents.start({});
    refuses(desk, m_folder + name, stated);
  }

  void aPipeIsNotWaitedFor() {
    Desk desk(m_folder);
    desk.documents.start({});
    refuses(desk, "/dev/zero", "regular file");
  }

  void withoutPermission() {
    const QString path = m_folder + "/secret.json";
    writeFile(path, exampleText("teaching-2x4"));
    QVERIFY(QFile::setPermissions(path, {}));
    Desk desk(m_folder);
    desk.documents.start({});
    QTRY_VERIFY(desk.session.isCurrent());
    // Permission bits do not bind root: nobody opens the file.
    const bool root = ::geteuid() == 0;
    if (root) QVERIFY(::chmod(qPrintable(m_folder), 0755) == 0 && ::seteuid(65534) == 0);
    refuses(desk, path, "permission");
    if (root) QCOMPARE(::seteuid(0), 0);
  }

  void aBadArgumentStillShowsTheExample() {
    Desk desk(m_folder);
    desk.documents.start(m_folder + "/nowhere.json");
    QTRY_VERIFY(!desk.documents.trouble().isEmpty());
    QCOMPARE(desk.documents.name(), "a100-4x16.p2.json");
    QSignalSpy trouble(&desk.documents, &DocumentController::troubleChanged);
    desk.documents.dismissTrouble();
    QCOMPARE(trouble.size(), 1);
    QVERIFY(desk.documents.trouble().isEmpty());
  }

  void unsavedChangesAreGuarded_data() {
    QTest::addColumn<int>("answer");
    QTest::addColumn<bool>("opened");
    QTest::addColumn<bool>("saved");
    QTest::newRow("save") << int(DocumentDialogs::Unsaved::Save) << true << true;
    QTest::newRow("discard") << int(DocumentDialogs::Unsaved::Discard) << true << false;
    QTest::newRow("cancel") << int(DocumentDialogs::Unsaved::Cancel) << false << false;
  }
  void unsavedChangesAreGuarded() {
    QFETCH(int, answer);
    QFETCH(bool, opened);
    QFETCH(bool, saved);
    Desk desk(m_folder);
    desk.documents.start({});
    desk.editBytes(5);
    desk.answers.unsaved = DocumentDialogs::Unsaved(answer);
    desk.answers.savePath = m_folder + "/kept.json";
    desk.documents.newDocument();
    QCOMPARE(desk.answers.unsavedAsked, 1);
    if (opened) {
      QTRY_COMPARE(desk.documents.name(), "Untitled");
      QVERIFY(!desk.documents.isModified());
    } else {
      QCOMPARE(desk.documents.name(), "a100-4x16.p2.json");
      QVERIFY(desk.documents.isModified());
    }
    QCOMPARE(QFile::exists(m_folder + "/kept.json"), saved);
  }

  void nothingUnsavedIsNotAskedAbout() {
    Desk desk(m_folder);
    desk.documents.start({});
    desk.documents.newDocument();
    QCOMPARE(desk.answers.unsavedAsked, 0);
    QTRY_VERIFY(desk.session.isCurrent());
  }

  void givingUpADialogChangesNothing() {
    Desk desk(m_folder);
    desk.documents.start({});
    QCOMPARE(desk.documents.askPath(), QString());
    desk.documents.save();
    desk.documents.saveAs();
    QTRY_VERIFY(desk.session.isCurrent());
    desk.documents.exportPlan();
    QVERIFY(desk.session.jobs().running().empty());
    QCOMPARE(desk.documents.name(), "a100-4x16.p2.json");
    QVERIFY(desk.documents.trouble().isEmpty());
  }

  void editsWhileAFileOpensAreAskedAbout() {
    const QString path = m_folder + "/doc.json";
    writeFile(path, exampleText("teaching-2x4"));
    Desk desk(m_folder);
    desk.documents.start({});
    desk.documents.openFile(path);
    desk.editBytes(5);
    desk.answers.unsaved = DocumentDialogs::Unsaved::Cancel;
    QTRY_COMPARE(desk.answers.unsavedAsked, 1);
    QCOMPARE(desk.documents.name(), "a100-4x16.p2.json");
    QCOMPARE(desk.session.workspace()->options.cost.bytes, Bytes(5.0));
  }

 private:
  void refuses(Desk& desk, const QString& path, const QString& stated) {
    QTRY_VERIFY(desk.session.isCurrent());
    const auto before = desk.session.workspace();
    desk.documents.openFile(path);
    QTRY_VERIFY(!desk.documents.trouble().isEmpty());
    QVERIFY2(desk.documents.trouble().contains(stated), qPrintable(desk.documents.trouble()));
    QVERIFY(!desk.documents.trouble().contains('\n'));
    QCOMPARE(desk.session.workspace(), before);
    QCOMPARE(desk.documents.name(), "a100-4x16.p2.json");
    QVERIFY(desk.documents.recentFiles().paths().isEmpty());
  }

  std::unique_ptr<QTemporaryDir> m_temporary;
  QString m_folder;
};

QTEST_GUILESS_MAIN(TestDocumentController)
#include "tst_document_controller.moc"
