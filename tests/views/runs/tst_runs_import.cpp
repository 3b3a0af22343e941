// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QSettings>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "runs/runs_file.h"
#include "support/warnings.h"
#include "tests/support/fixtures.h"
#include "tests/views/runs/run_rows.h"
#include "tests/views/widget_driver.h"
#include "text/text_file.h"
#include "views/common/theme.h"
#include "views/runs/runs_model.h"
#include "views/runs/runs_perspective.h"
#include "views/shell/session.h"

using namespace p2;
using namespace p2::test;
using namespace p2::views;

/// Runs that others made, brought into the list.
class TestRunsImport : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QCoreApplication::setOrganizationName("p2-explorer-tests");
    QCoreApplication::setApplicationName("tst_runs_import");
    Theme::apply(Theme::Scheme::Light);
  }
  void init() {
    test::failOnWarnings();
    QSettings().clear();
    QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)).removeRecursively();
    m_session = std::make_unique<Session>();
    m_session->reset(workspaceOf("node:2 gpu:2", "4", "0"));
    QTRY_VERIFY(m_session->program() != nullptr);
    m_view = shown<RunsPerspective>(*m_session, {1200, 800});
    QVERIFY(m_view);
  }
  void cleanup() {
    m_view.reset();
    m_session.reset();
  }

  void importsNcclTests() {
    QFile file(m_folder.filePath("all_reduce_perf.txt"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("  1048576  262144  float  sum  -1  30.00  34.95  52.43  0  29.50  35.54  53.31  0\n");
    file.close();
    importFile(file.fileName());
    QTRY_COMPARE(table().model()->rowCount(), 1);
    QCOMPARE(cellText(table(), 0, RunsModel::Program), QStringLiteral("AllReduce of 4 · nccl-tests"));
    QCOMPARE(cellText(table(), 0, RunsModel::Measured), QStringLiteral("29.5 µs"));
    QVERIFY(!cellText(table(), 0, RunsModel::Predicted).isEmpty());
    importFile(m_folder.filePath("missing.txt"));
    QTRY_VERIFY(childOf<QLabel>(*m_view, "runMessage").text().contains("there is no such file"));
  }

  // Operations of a running job as runs.
  void importsInspectorRecords() {
    const QString path = m_folder.filePath("inspector.jsonl");
    std::string text;
    for (const double microseconds : {2400.0, 2500.0, 2600.0}) {
      text +=
          R"({"header":{"n_ranks":2},"coll_perf":{"coll":"AllReduce","coll_msg_size_bytes":1048576,"coll_exec_time_us":)" +
          std::to_string(microseconds) + "}}\n";
    }
    QVERIFY(writeTextFile(path.toStdString(), text).ok());
    importFile(path);
    QTRY_COMPARE(table().model()->rowCount(), 1);
    QCOMPARE(cellText(table(), 0, RunsModel::Measured), QStringLiteral("2.50 ms"));
    QVERIFY2(cellText(table(), 0, RunsModel::Program).contains("AllReduce of 2 · NCCL Inspector"),
             qPrintable(cellText(table(), 0, RunsModel::Program)));
    QVERIFY(!cellText(table(), 0, RunsModel::Predicted).isEmpty());
  }

  // Both move the same bytes over the same links.
  void gathersAndScattersArePredictedAlike() {
    const QString path = m_folder.filePath("inspector.jsonl");
    std::string text;
    for (const char* collective : {"AllGather", "ReduceScatter"}) {
      QString record =
          "{'header':{'n_ranks':4},'coll_perf':{'coll':'NAME','coll_msg_size_bytes':268435456,'coll_exec_time_us':2500,"
          "'coll_algobw_gbs':107.3741824}}\n";
      text += record.replace("NAME", collective).replace('\'', '"').toStdString();
    }
    QVERIFY(writeTextFile(path.toStdString(), text).ok());
    importFile(path);
    QTRY_COMPARE(table().model()->rowCount(), 2);
    QCOMPARE(cellText(table(), 0, RunsModel::Predicted), cellText(table(), 1, RunsModel::Predicted));
  }

  // What one window exported another one has, once, however often it is imported.
  void importsWhatWasExported() {
    RunRecord one = recordOf(runRow(0.5, 0.25));
    RunRecord later = recordOf(runRow(2, 1, "root:InsideGroup:ReduceScatter; root:InsideGroup:AllGather"));
    *later.when += std::chrono::hours(1);
    const auto write = [this](const std::vector<RunRecord>& runs) {
      const QString path = m_folder.filePath("runs.json");
      if (!writeTextFile(path.toStdString(), runsToJson(runs)).ok()) qFatal("the file cannot be written");
      return path;
    };
    const auto& message = childOf<QLabel>(*m_view, "runMessage");
    importFile(write({later}));
    QTRY_COMPARE(table().model()->rowCount(), 1);
    QCOMPARE(message.text(), QStringLiteral("1 run imported."));
    importFile(write({later, one, later}));
    QTRY_COMPARE(message.text(), QStringLiteral("1 run imported; 2 runs shown already."));
    QCOMPARE(table().model()->rowCount(), 2);
    QCOMPARE(cellText(table(), 1, RunsModel::Measured), QStringLiteral("500 ms"));
    QCOMPARE(cellText(table(), 1, RunsModel::Predicted), QStringLiteral("250 ms"));
  }

  void showsExampleRuns() {
    auto* example = m_view->findChild<QAction*>("exampleRuns");
    example->trigger();
    QTRY_COMPARE(table().model()->rowCount(), 47);
    for (int row = 0; row < table().model()->rowCount(); ++row) {
      QCOMPARE(cellText(table(), row, RunsModel::State), QStringLiteral("✓ correct"));
      QVERIFY(!cellText(table(), row, RunsModel::Difference).isEmpty());
    }
    example->trigger();
    QTRY_VERIFY(childOf<QLabel>(*m_view, "runMessage").text().startsWith("Nothing new: "));
    QCOMPARE(table().model()->rowCount(), 47);
  }

 private:
  void importFile(const QString& path) {
    m_view->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_view.get()));
    childOf<QLineEdit>(*m_view, "runFilter").setFocus();
    QTest::keyClick(m_view.get(), Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier);
    auto* dialog = m_view->findChild<QFileDialog*>();
    QVERIFY(dialog);
    emit dialog->fileSelected(path);
    dialog->close();
    QTRY_VERIFY(!m_view->findChild<QFileDialog*>());
  }
  QTableView& table() { return childOf<QTableView>(*m_view, "runTable"); }

  QTemporaryDir m_folder;
  std::unique_ptr<Session> m_session;
  std::unique_ptr<RunsPerspective> m_view;
};

QTEST_MAIN(TestRunsImport)
#include "tst_runs_import.moc"
