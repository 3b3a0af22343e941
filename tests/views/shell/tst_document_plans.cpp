// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "exporters/exporters.h"
#include "support/warnings.h"
#include "views/shell/document_desk.h"

using namespace p2;
using namespace p2::views;
using p2::test::Desk;
using p2::test::readFile;
using p2::test::writeFile;

class TestDocumentPlans : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    test::failOnWarnings();
    m_temporary = std::make_unique<QTemporaryDir>();
    m_folder = m_temporary->path();
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
    const auto plan = makePlan(desk.session.workspaceWithSelection());
    const auto text = exportPlan(*plan, format.toStdString());
    QCOMPARE(desk.documents.trouble(), text.ok() ? QString() : QString::fromStdString(text.error().text()));
    QCOMPARE(QFile::exists(path), text.ok());
    if (text.ok()) QCOMPARE(readFile(path).toStdString(), text.value());
  }

  void nothingToExportSaysSo() {
    Desk desk(m_folder);
    desk.documents.openExample("teaching-2x4");
    desk.documents.exportPlan();
    QVERIFY(desk.documents.trouble().contains("no program"));
  }

  void aPlanIsSavedAsAPlan() {
    const QString path = writePlan();
    Desk desk(m_folder);
    desk.documents.openFile(path);
    QTRY_VERIFY(desk.documents.path() == path && desk.session.isCurrent());
    QCOMPARE(desk.documents.kind(), DocumentKind::Plan);
    QVERIFY(desk.documents.saveNote().contains("Plan file"));
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

 private:
  QString writePlan() {
    Workspace workspace = readExample("teaching-2x4").value();
    const auto exploration = exploreWorkspace(workspace, {});
    const PlacementResult& placement = (*exploration)->placements[0];
    workspace.matrix = placement.matrix;
    workspace.program = programText(*placement.hierarchy, placement.programs[0].program);
    QByteArray text = QByteArray::fromStdString(planToJson(makePlan(workspace).value()));
    const QString path = m_folder + "/plan.json";
    writeFile(path, text.insert(text.indexOf('{') + 1, "\"mine\": [1, 2],"));
    return path;
  }

  std::unique_ptr<QTemporaryDir> m_temporary;
  QString m_folder;
};

QTEST_GUILESS_MAIN(TestDocumentPlans)
#include "tst_document_plans.moc"
