// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/stat.h>
#include <unistd.h>

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "exporters/exporters.h"
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
  void initTestCase() { QTest::failOnWarning(QRegularExpression(".*")); }
  void init() {
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

  void whatCannotBeOpenedLeavesTheDocument_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("said");
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
    QFETCH(QString, said);
    const QString path = m_folder + "/bad.json";
    writeFile(path, content);
    Desk desk(m_folder);
    desk.documents.start({});
    refuses(desk, path, said);
  }

  void placesThatAreNoFile_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("said");
    QTest::newRow("missing") << "/nowhere.json"
                             << "no such file";
    QTest::newRow("a directory") << "/"
                                 << "directory";
  }
  void placesThatAreNoFile() {
    QFETCH(QString, name);
    QFETCH(QString, said);
    Desk desk(m_folder);
    desk.documents.start({});
    refuses(desk, m_folder + name, said);
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
    desk.documents.save();
    QTRY_COMPARE(desk.documents.path(), m_folder + "/good.json");
    QVERIFY(!desk.documents.isModified());
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
    desk.documents.open();
    desk.documents.save();
    desk.documents.saveAs();
    QTRY_VERIFY(desk.session.isCurrent());
    desk.documents.exportPlan();
    QVERIFY(desk.session.jobs().running().empty());
    QCOMPARE(desk.documents.name(), "a100-4x16.p2.json");
    QVERIFY(desk.documents.trouble().isEmpty());
  }

  void everyFormatIsExported_data() {
    QTest::addColumn<QString>("format");
    for (const ExportFormat& format : exportFormats(ExportSubject::Plan)) {
      QTest::newRow(format.name.c_str()) << QString::fromStdString(format.name);
    }
  }
  void everyFormatIsExported() {
    QFETCH(QString, format);
    Desk desk(m_folder);
    desk.documents.openExample("teaching-2x4");
    QTRY_VERIFY(desk.session.isCurrent());
    const QString path = m_folder + "/plan." + format;
    desk.answers.exportTarget = DocumentDialogs::ExportTarget{path, format.toStdString()};
    desk.documents.exportPlan();
    QTRY_VERIFY(desk.session.jobs().running().empty());
    QCOMPARE(desk.documents.trouble(), "");
    const auto plan = makePlan(desk.session.workspaceWithSelection());
    QCOMPARE(readFile(path).toStdString(), exportPlan(*plan, format.toStdString()).value());
  }

  void nothingToExportSaysSo() {
    Desk desk(m_folder);
    desk.documents.openExample("teaching-2x4");
    desk.documents.exportPlan();
    QVERIFY(desk.documents.trouble().contains("no program"));
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

  void aPlanIsSavedAsAPlan() {
    const QString path = writePlan();
    Desk desk(m_folder);
    desk.documents.openFile(path);
    QTRY_VERIFY(desk.documents.path() == path && desk.session.isCurrent());
    QCOMPARE(desk.documents.kind(), DocumentKind::Plan);
    QVERIFY(desk.documents.saveNote().contains("plan"));
    // Unchanged, it keeps what was predicted when it was made.
    const QByteArray before = readFile(path);
    desk.documents.save();
    QVERIFY(desk.session.jobs().running().empty());
    QCOMPARE(readFile(path), before);

    desk.session.select(0, desk.session.programIndex() == 1 ? 2 : 1);
    const std::string chosen = desk.session.workspace()->program;
    desk.documents.save();
    QTRY_VERIFY(!desk.documents.isModified());
    QCOMPARE(desk.documents.trouble(), "");
    const auto plan = planFromJson(readFile(path).toStdString());
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().text().c_str());
    QCOMPARE(plan->workspace().program, chosen);
    QCOMPARE(plan->predicted().seconds, desk.session.program()->seconds);
    QVERIFY(readFile(path).contains("\"mine\""));
  }

  void aPlanWithoutAProgramIsNotReplaced() {
    const QString path = writePlan();
    const QByteArray before = readFile(path);
    Desk desk(m_folder);
    desk.documents.openFile(path);
    QTRY_VERIFY(desk.documents.path() == path && desk.session.isCurrent());
    Workspace broken = *desk.session.workspace();
    broken.axes[0].size = 7;
    desk.session.edit("Break", broken);
    desk.documents.save();
    QTRY_VERIFY(!desk.documents.trouble().isEmpty());
    QVERIFY(desk.documents.isModified());
    QCOMPARE(readFile(path), before);
  }

  void aPlanCanBeSavedAsAWorkspace() {
    const QString path = writePlan();
    const QByteArray before = readFile(path);
    Desk desk(m_folder);
    desk.documents.openFile(path);
    QTRY_VERIFY(desk.documents.path() == path && desk.session.isCurrent());
    desk.answers.savePath = m_folder + "/choices.p2.json";
    desk.answers.saveKind = DocumentKind::Workspace;
    desk.documents.saveAs();
    QTRY_COMPARE(desk.documents.path(), desk.answers.savePath);
    QCOMPARE(desk.documents.kind(), DocumentKind::Workspace);
    QVERIFY(desk.documents.saveNote().isEmpty());
    QVERIFY(!readFile(desk.answers.savePath).contains("lowered"));
    QCOMPARE(readFile(path), before);
  }

  void whatAnotherProgramWroteIsNotReplacedUnasked_data() {
    QTest::addColumn<int>("answer");
    QTest::addColumn<double>("here");    // bytes in the document's file afterwards
    QTest::addColumn<double>("beside");  // and in the other one
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
    const QString beside = m_folder + "/beside.json";
    writeFile(path, exampleText("teaching-2x4"));
    Desk first(m_folder);
    Desk second(m_folder);
    for (Desk* desk : {&first, &second}) {
      desk->documents.openFile(path);
      QTRY_COMPARE(desk->documents.path(), path);
    }
    second.editBytes(7);
    second.documents.save();
    QTRY_VERIFY(!second.documents.isModified());
    QCOMPARE(second.answers.changedAsked, 0);

    first.editBytes(5);
    first.answers.changed = DocumentDialogs::Changed(answer);
    first.answers.savePath = beside;
    first.documents.save();
    QTRY_COMPARE(first.answers.changedAsked, 1);
    const bool cancelled = answer == int(DocumentDialogs::Changed::Cancel);
    QTRY_COMPARE(first.documents.isModified(), cancelled);
    QTRY_VERIFY(first.session.isCurrent());
    QTEST(bytesIn(path), "here");
    QTEST(bytesIn(beside), "beside");
    QTEST(first.session.workspace()->options.cost.bytes.value(), "shown");
    if (cancelled) return;
    // Settled once, it is not asked again.
    first.editBytes(11);
    first.documents.save();
    QTRY_VERIFY(!first.documents.isModified());
    QCOMPARE(first.answers.changedAsked, 1);
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
  QString writePlan() {
    Workspace workspace = readExample("teaching-2x4").value();
    const auto exploration = explore(workspace, {});
    const PlacementResult& placement = (*exploration)->placements[0];
    workspace.matrix = placement.matrix;
    workspace.program = programText(*placement.hierarchy, placement.programs[0].program);
    QByteArray text = QByteArray::fromStdString(planToJson(makePlan(workspace).value()));
    const QString path = m_folder + "/plan.json";
    writeFile(path, text.insert(text.indexOf('{') + 1, "\"mine\": [1, 2],"));
    return path;
  }
  static double bytesIn(const QString& path) {
    const auto workspace = workspaceFromJson(readFile(path).toStdString());
    return workspace.ok() ? workspace->options.cost.bytes.value() : 0;
  }
  void refuses(Desk& desk, const QString& path, const QString& said) {
    QTRY_VERIFY(desk.session.isCurrent());
    const auto before = desk.session.workspace();
    desk.documents.openFile(path);
    QTRY_VERIFY(!desk.documents.trouble().isEmpty());
    QVERIFY2(desk.documents.trouble().contains(said), qPrintable(desk.documents.trouble()));
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
