// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "text/text_file.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/shell/taken_workload.h"
#include "views/widget_driver.h"
#include "views/workload/model_form_dialog.h"
#include "views/workload/workload_sources.h"
#include "views/workload/workload_sources_dialog.h"

using namespace p2;
using namespace p2::views;
using p2::test::childOf;

/// Workloads out of files and into files, driven by mouse and keys.
class TestWorkloadSources : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void init();
  void cleanup();
  void putsAxesIntoTheDocument_data();
  void putsAxesIntoTheDocument();
  void opensAWorkload();
  void refusesAxesThatDoNotFit();
  void saysWhatIsWrong_data();
  void saysWhatIsWrong();
  void makesManyEntriesFewer();
  void goesOnWithAModel();
  void savesWhatOpens();
  void saysWhyItCannotSave();

 private:
  [[nodiscard]] QString file(const QString& name, const std::string& text) const {
    if (!writeTextFile(m_folder->filePath(name).toStdString(), text).ok()) qFatal("cannot write");
    return m_folder->filePath(name);
  }
  /// The dialog, after the path was typed into it.
  [[nodiscard]] WorkloadSourcesDialog& opened(const QString& path);

  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<Session> m_session;
  std::unique_ptr<QWidget> m_window;
  WorkloadActions* m_actions = nullptr;
};

namespace {

constexpr const char* kSourceText = R"({"format": "p2-workload", "version": 1, "name": "two axes",
  "axes": {"data": 8, "tensor": 8},
  "collectives": [
    {"name": "weights", "axes": ["data"], "kind": "AllGather", "bytes": 1000000, "count": 3},
    {"name": "gradients", "axes": ["data"], "kind": "ReduceScatter", "bytes": 1000000},
    {"name": "activations", "axes": ["tensor"], "kind": "AllGather", "bytes": 50000000, "count": 9}]})";

QString axesText(const Workspace& workspace) {
  QStringList axes;
  for (const Axis& axis : workspace.axes) {
    axes += QString::fromStdString(axis.name) + (axis.reduce ? "*" : "=") + QString::number(axis.size);
  }
  return axes.join(' ');
}

}  // namespace

void TestWorkloadSources::initTestCase() {
  QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  Theme::apply(Theme::Scheme::Light);
}

void TestWorkloadSources::init() {
  test::failOnWarnings();
  m_folder = std::make_unique<QTemporaryDir>();
  m_session = std::make_unique<Session>();
  m_session->reset(test::workspaceOf("node:8 gpu:8", "data=64", "data"));
  m_window = std::make_unique<QWidget>();
  m_window->resize(900, 700);
  m_window->show();
  m_actions = new WorkloadActions(*m_session, m_window.get());
}

void TestWorkloadSources::cleanup() {
  m_window.reset();
  m_session.reset();
}

WorkloadSourcesDialog& TestWorkloadSources::opened(const QString& path) {
  m_actions->open()->trigger();
  auto& dialog = childOf<WorkloadSourcesDialog>(*m_window, "workloadDialog");
  auto& line = childOf<QLineEdit>(dialog, "workloadFilePath");
  line.setFocus();
  QTest::keyClicks(&line, path);
  QTest::keyClick(&line, Qt::Key_Return);
  return dialog;
}

void TestWorkloadSources::putsAxesIntoTheDocument_data() {
  QTest::addColumn<QString>("before");
  QTest::addColumn<QString>("reduced");
  QTest::addColumn<QString>("after");
  QTest::newRow("the same name stays reduced over") << "data=64"
                                                    << "data"
                                                    << "data*8 tensor=8";
  QTest::newRow("both") << "data=32,tensor=2"
                        << "data,tensor"
                        << "data*8 tensor*8";
  QTest::newRow("else what reduces the most") << "x=64"
                                              << "x"
                                              << "data*8 tensor=8";
}

void TestWorkloadSources::putsAxesIntoTheDocument() {
  QFETCH(QString, before);
  QFETCH(QString, reduced);
  Workspace workspace = test::workspaceOf("node:8 gpu:8", before.toStdString(), reduced.toStdString());
  workspace.program = "gpu: AllReduce";
  const Workload workload = test::valueOf(workloadFromJson(kSourceText));
  const Workspace after = withWorkload(workspace, workload);
  QTEST(axesText(after), "after");
  QVERIFY(after.workload && after.workload->collectives == workload.collectives);
  QVERIFY(after.program.empty() && after.workload->source.empty());
  QVERIFY(checkWorkspace(after).ok());
}

void TestWorkloadSources::opensAWorkload() {
  WorkloadSourcesDialog& dialog = opened(file("two.json", kSourceText));
  auto& accept = childOf<QPushButton>(dialog, "workloadFileAccept");
  QTRY_VERIFY(accept.isEnabled());
  QCOMPARE(childOf<QTableView>(dialog, "workloadFileEntries").model()->rowCount(), 3);
  QCOMPARE(childOf<QLabel>(dialog, "workloadFileFinding").text(),
           QStringLiteral("3 entries · tensor 450 MB · data 4.00 MB in a step"));
  QVERIFY(childOf<QTextBrowser>(dialog, "workloadFileTold").toPlainText().contains("3 entries over 2 axes"));
  QVERIFY(!m_session->workspace()->workload.has_value());
  QTest::mouseClick(&accept, Qt::LeftButton);
  QCOMPARE(axesText(*m_session->workspace()), QStringLiteral("data*8 tensor=8"));
  QCOMPARE(m_session->undoStack().undoText(), QStringLiteral("Workload of two axes"));
  m_session->undoStack().undo();
  QVERIFY(!m_session->workspace()->workload.has_value());
  QCOMPARE(axesText(*m_session->workspace()), QStringLiteral("data*64"));
}

void TestWorkloadSources::refusesAxesThatDoNotFit() {
  m_session->reset(test::workspaceOf("node:4 gpu:8", "data=32", "data"));
  WorkloadSourcesDialog& dialog = opened(file("two.json", kSourceText));
  auto& message = childOf<QLabel>(dialog, "workloadFileMessage");
  QTRY_VERIFY(message.text().contains("64") && message.text().contains("32"));
  QVERIFY(!childOf<QPushButton>(dialog, "workloadFileAccept").isEnabled());
  QCOMPARE(childOf<QTableView>(dialog, "workloadFileEntries").model()->rowCount(), 3);
  QTest::keyClick(&dialog, Qt::Key_Escape);
  QVERIFY(!m_session->workspace()->workload.has_value());
}

void TestWorkloadSources::saysWhatIsWrong_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("says");
  QTest::newRow("bytes") << QString(kSourceText).replace("50000000", "-3") << "/collectives/2/bytes";
  QTest::newRow("cut off") << QString(kSourceText).left(90) << "bad.json";
  QTest::newRow("something else") << "hello"
                                  << "bad.json";
}

void TestWorkloadSources::saysWhatIsWrong() {
  QFETCH(QString, text);
  QFETCH(QString, says);
  WorkloadSourcesDialog& dialog = opened(file("bad.json", text.toStdString()));
  auto& message = childOf<QLabel>(dialog, "workloadFileMessage");
  QTRY_VERIFY2(message.text().startsWith("✗") && message.text().contains(says), qPrintable(message.text()));
  QVERIFY(!childOf<QPushButton>(dialog, "workloadFileAccept").isEnabled());
  QTest::keyClick(&childOf<QLineEdit>(dialog, "workloadFilePath"), Qt::Key_X);
  QVERIFY(message.isHidden());
}

void TestWorkloadSources::makesManyEntriesFewer() {
  Workload workload = test::valueOf(workloadFromJson(kSourceText));
  while (workload.collectives.size() < 1000) workload.collectives.push_back(workload.collectives.back());
  WorkloadSourcesDialog& dialog = opened(file("many.json", workloadToJson(workload)));
  QTRY_VERIFY(childOf<QPushButton>(dialog, "workloadFileAccept").isEnabled());
  QCOMPARE(childOf<QTableView>(dialog, "workloadFileEntries").model()->rowCount(), 3);
  QVERIFY(childOf<QTextBrowser>(dialog, "workloadFileTold").toPlainText().contains(", equal ones merged: 3"));
}

void TestWorkloadSources::goesOnWithAModel() {
  WorkloadSourcesDialog& dialog =
      opened(file("config.json", R"({"model_type": "llama", "hidden_size": 2048, "intermediate_size": 8192,
        "num_attention_heads": 32, "num_hidden_layers": 16, "vocab_size": 128256})"));
  auto& accept = childOf<QPushButton>(dialog, "workloadFileAccept");
  QTRY_VERIFY(accept.isEnabled());
  QCOMPARE(accept.text(), QStringLiteral("&Give the degrees…"));
  QTest::mouseClick(&accept, Qt::LeftButton);
  auto& form = childOf<ModelFormDialog>(*m_window, "modelFormDialog");
  QTRY_COMPARE(childOf<QLineEdit>(form, "modelField_layers").text(), QStringLiteral("16"));
  QVERIFY(!m_session->workspace()->workload.has_value());
}

void TestWorkloadSources::savesWhatOpens() {
  QVERIFY(!m_actions->save()->isEnabled());
  const Workload workload = test::valueOf(workloadFromJson(kSourceText));
  m_session->edit("workload", withWorkload(*m_session->workspace(), workload));
  QVERIFY(m_actions->save()->isEnabled());
  QSignalSpy saved(m_actions, &WorkloadActions::saved);
  m_actions->save()->trigger();
  auto& dialog = childOf<QFileDialog>(*m_window, "workloadSaveDialog");
  QVERIFY(dialog.selectedFiles().constFirst().endsWith("two-axes.p2-workload.json"));
  const QString path = m_folder->filePath("saved.json");
  QTRY_VERIFY(dialog.isVisible());
  dialog.selectFile(path);
  QMetaObject::invokeMethod(&dialog, "accept");
  QVERIFY(saved.wait());
  QCOMPARE(saved[0][0].toString(), QString());
  const Workload read = test::valueOf(workloadFromJson(test::valueOf(readTextFile(path.toStdString()))));
  QVERIFY(read.collectives == workload.collectives && read.axes == workload.axes && read.name == workload.name);
}

void TestWorkloadSources::saysWhyItCannotSave() {
  m_session->edit("workload", withWorkload(*m_session->workspace(), test::valueOf(workloadFromJson(kSourceText))));
  QSignalSpy saved(m_actions, &WorkloadActions::saved);
  m_actions->save()->trigger();
  auto& dialog = childOf<QFileDialog>(*m_window, "workloadSaveDialog");
  emit dialog.fileSelected(m_folder->filePath("no/such/folder.json"));
  QVERIFY(saved.wait());
  QVERIFY(saved[0][0].toString().contains("folder.json"));
}

QTEST_MAIN(TestWorkloadSources)
#include "tst_workload_sources.moc"
