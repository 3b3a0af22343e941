// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/stat.h>

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>

#include "support/warnings.h"
#include "tests/support/fixtures.h"
#include "tests/views/widget_driver.h"
#include "views/common/theme.h"
#include "views/runs/comparison_plot.h"
#include "views/runs/runs_model.h"
#include "views/runs/runs_perspective.h"
#include "views/shell/session.h"

using namespace p2;
using namespace p2::test;
using namespace p2::views;

namespace {

constexpr int kSoon = 120'000;  // milliseconds

}  // namespace

// Runs on this machine, started by mouse and keys.
class TestRunsPerspective : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QCoreApplication::setOrganizationName("p2-explorer-tests");
    QCoreApplication::setApplicationName("tst_runs_perspective");
    Theme::apply(Theme::Scheme::Light);
  }
  void init() {
    test::failOnWarnings();
    QSettings().clear();
    QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)).removeRecursively();
    open();
    QLineEdit& runner = childOf<QLineEdit>(*m_view, "targetRunner");
    runner.setFocus();
    runner.selectAll();
    QTest::keyClicks(&runner, P2_RUNNER);
    QTest::keyClick(&runner, Qt::Key_Return);
    childOf<QLineEdit>(*m_view, "runBytes").setText("64 KiB");
    childOf<QSpinBox>(*m_view, "runRepeat").setValue(3);
  }
  void cleanup() {
    m_view.reset();
    m_session.reset();
  }

  void runsWithStepsThatOverlap() {
    childOf<QSpinBox>(*m_view, "runPieces").setValue(4);
    QTRY_VERIFY(childOf<QPushButton>(*m_view, "runButton").isEnabled());
    QTest::mouseClick(&childOf<QPushButton>(*m_view, "runButton"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(table().model()->rowCount(), 1, kSoon);
    QCOMPARE(cellText(table(), 0, RunsModel::State), QStringLiteral("✓ correct"));
    const QString bytes = cellText(table(), 0, RunsModel::Bytes);
    QVERIFY(bytes.endsWith(" in 4 pieces"));
    QVERIFY(table().columnWidth(RunsModel::Bytes) > table().fontMetrics().horizontalAdvance(bytes));
    QVERIFY(!cellText(table(), 0, RunsModel::Predicted).isEmpty());
    QTRY_VERIFY(childOf<QLabel>(*m_view, "runGroupTitle").text().endsWith(" · overlapping"));
  }

  // As srun does while others have the nodes.
  void whatTheLauncherWaitsForIsShown() {
    QTemporaryDir folder;
    const auto write = [&](const char* name, const QString& text) {
      QFile script(folder.filePath(name));
      QVERIFY(script.open(QIODevice::WriteOnly) && script.write(text.toUtf8()) > 0);
      script.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    };
    write("mpirun", "#!/bin/sh\necho 'job 7 <b>waits</b> for nodes' >&2\nexec sleep 60\n");
    write("runner", "#!/bin/sh\nPATH='" + folder.path() + "':$PATH exec '" P2_RUNNER "' serve\n");
    childOf<QLineEdit>(*m_view, "targetRunner").setText(folder.filePath("runner"));
    emit childOf<QLineEdit>(*m_view, "targetRunner").editingFinished();
    QTRY_VERIFY(childOf<QPushButton>(*m_view, "runButton").isEnabled());
    QTest::mouseClick(&childOf<QPushButton>(*m_view, "runButton"), Qt::LeftButton);
    auto& stated = childOf<QLabel>(*m_view, "runProgressText");
    QTRY_COMPARE_WITH_TIMEOUT(stated.text(), QString("job 7 <b>waits</b> for nodes"), kSoon);
    QCOMPARE(stated.textFormat(), Qt::PlainText);
    QTest::mouseClick(&childOf<QPushButton>(*m_view, "cancelButton"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!stated.isVisible(), kSoon);
  }

  void runsTheSelectedProgram() {
    QTRY_VERIFY(childOf<QLabel>(*m_view, "emptyText").text().contains("No runs yet"));
    QTest::mouseClick(&childOf<QPushButton>(*m_view, "emptyButton"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(table().model()->rowCount(), 1, kSoon);
    QCOMPARE(cellText(table(), 0, RunsModel::State), QStringLiteral("✓ correct"));
    QVERIFY(!cellText(table(), 0, RunsModel::Measured).isEmpty());
    QVERIFY(cellText(table(), 0, RunsModel::Program).contains("RS"));
    // And it is still there in the next session.
    m_view.reset();
    m_session.reset();
    open();
    QTRY_COMPARE(table().model()->rowCount(), 1);
  }

  void runsTheBestAndComparesThem() {
    childOf<QComboBox>(*m_view, "runWhat").setCurrentIndex(1);
    childOf<QSpinBox>(*m_view, "runCount").setValue(3);
    QTest::keyClick(m_view.get(), Qt::Key_R, Qt::ControlModifier);
    QTRY_VERIFY(!childOf<QPushButton>(*m_view, "runButton").isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(table().model()->rowCount(), 3, kSoon);
    QTRY_VERIFY_WITH_TIMEOUT(childOf<QPushButton>(*m_view, "runButton").isEnabled(), kSoon);
    QTRY_COMPARE(childOf<ComparisonPlot>(*m_view, "comparisonPlot").rows().size(), 3u);
    QVERIFY(childOf<QLabel>(*m_view, "runQuality").text().startsWith("3 runs"));
    QCOMPARE(childOf<QLabel>(*m_view, "runGroupTitle").text(), QStringLiteral("node:2 gpu:2 · 64 KiB · mpi on local"));
    table().selectRow(0);
    table().selectionModel()->select(table().model()->index(1, 0),
                                     QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QCOMPARE(childOf<ComparisonPlot>(*m_view, "comparisonPlot").rows().size(), 2u);
  }

  void calibratesFromChosenRuns() {
    childOf<QComboBox>(*m_view, "runWhat").setCurrentIndex(1);
    childOf<QSpinBox>(*m_view, "runCount").setValue(3);
    QTest::mouseClick(&childOf<QPushButton>(*m_view, "runButton"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(table().model()->rowCount(), 3, kSoon);
    QTRY_VERIFY_WITH_TIMEOUT(childOf<QPushButton>(*m_view, "runButton").isEnabled(), kSoon);
    table().selectRow(0);
    table().selectionModel()->select(table().model()->index(1, 0),
                                     QItemSelectionModel::Select | QItemSelectionModel::Rows);
    table().setFocus();
    // The last of the runs may still be on its way into the file.
    QTRY_COMPARE_WITH_TIMEOUT(m_session->jobs().running().size(), 0u, kSoon);
    QTest::keyClick(&table(), Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(m_session->jobs().running().size(), 1u);
    m_session->jobs().cancelAll();
    QCOMPARE(childOf<QLabel>(*m_view, "runMessage").text(), QStringLiteral("Cancelled; the system is unchanged."));
    QVERIFY(!m_session->workspace()->system.calibrated);
    QTest::keyClick(&table(), Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(m_session->workspace()->system.calibrated);
    const QString stated = childOf<QLabel>(*m_view, "runMessage").text();
    QVERIFY2(stated.contains("fitted to 2 run") && stated.contains("1 other"), qPrintable(stated));
    m_session->undoStack().undo();
    QVERIFY(!m_session->workspace()->system.calibrated);
  }

  // The buttons stand above the list, and what cannot be done says so.
  void buttonsDoWhatTheirKeysDo() {
    auto& calibrate = childOf<QAbstractButton>(*m_view, "calibrateFromRunsButton");
    QVERIFY(calibrate.isVisible() && !calibrate.isEnabled());
    QVERIFY(!childOf<QAbstractButton>(*m_view, "exportRunsButton").isEnabled());
    QTest::mouseClick(&childOf<QAbstractButton>(*m_view, "importRunsButton"), Qt::LeftButton);
    auto* dialog = m_view->findChild<QFileDialog*>();
    QVERIFY(dialog);
    dialog->close();
  }

  // The script is on the disk, and the command that starts it on the clipboard.
  void copiesTheCommandForPyTorch() {
    auto& button = childOf<QPushButton>(*m_view, "torchrunButton");
    QTRY_VERIFY(button.isEnabled());
    QTest::mouseClick(&button, Qt::LeftButton);
    auto* dialog = m_view->findChild<QFileDialog*>("torchrunDialog");
    QVERIFY(dialog);
    QTemporaryDir folder;
    const QString path = folder.filePath("my run.py");
    emit dialog->fileSelected(path);
    dialog->close();
    auto& message = childOf<QLabel>(*m_view, "runMessage");
    QTRY_VERIFY_WITH_TIMEOUT(message.text().contains("torchrun"), kSoon);
    QCOMPARE(QGuiApplication::clipboard()->text(),
             "torchrun --nnodes 2 --node_rank NUMBER --master_addr HOST --nproc_per_node 2 '" + path +
                 "' --bytes 65536 --repeat 3 -o runs.json");
    QFile script(path);
    QVERIFY(script.open(QIODevice::ReadOnly));
    const QByteArray text = script.readAll();
    QVERIFY(text.startsWith("#!/usr/bin/env python3") && text.contains("\"p2-plan\""));
    QCOMPARE(text.count("\"plan\": r"), 2);
  }

  // Before the first run here the machine is measured: short runs, one progress over all of them, and figures of its
  // own.
  void measuresThisMachineFirst() {
    auto& measure = childOf<QPushButton>(*m_view, "measureMachine");
    QVERIFY(measure.isVisible());
    QVERIFY(childOf<QLabel>(*m_view, "measureText").text().contains("node:2 gpu:2"));
    auto& progress = childOf<QProgressBar>(*m_view, "runProgress");
    QList<int> values;
    connect(&progress, &QProgressBar::valueChanged, this, [&](int value) { values << value; });
    QTest::mouseClick(&measure, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(childOf<QLabel>(*m_view, "runProgressText").text().startsWith("run 2 of "), kSoon);
    QTRY_VERIFY_WITH_TIMEOUT(m_session->workspace()->system.calibrated, 2 * kSoon);
    QVERIFY(table().model()->rowCount() >= 8);
    QVERIFY(std::is_sorted(values.begin(), values.end()));
    QVERIFY(!measure.isVisible());
    QVERIFY(childOf<QLabel>(*m_view, "runMessage").text().contains("fitted to"));
    m_session->undoStack().undo();
    QTRY_VERIFY(measure.isVisible());
  }

  void cancels() {
    childOf<QSpinBox>(*m_view, "runRepeat").setValue(kMostRuns);
    QTest::mouseClick(&childOf<QPushButton>(*m_view, "runButton"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(childOf<QLabel>(*m_view, "runProgressText").text().startsWith("running"), kSoon);
    QCOMPARE(m_view->unfinished(), QStringLiteral("1 run"));
    QTest::mouseClick(&childOf<QPushButton>(*m_view, "cancelButton"), Qt::LeftButton);
    QVERIFY(m_view->unfinished().isEmpty());
    QTRY_VERIFY(childOf<QPushButton>(*m_view, "runButton").isEnabled());
    QVERIFY(childOf<QLabel>(*m_view, "runMessage").text().contains("Cancelled"));
    QCOMPARE(table().model()->rowCount(), 0);
    // Another can be run at once.
    childOf<QSpinBox>(*m_view, "runRepeat").setValue(3);
    QTest::mouseClick(&childOf<QPushButton>(*m_view, "runButton"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(table().model()->rowCount(), 1, kSoon);
  }

  // The window is closed while something runs.
  void closingEndsTheRun() {
    childOf<QSpinBox>(*m_view, "runRepeat").setValue(kMostRuns);
    QTest::mouseClick(&childOf<QPushButton>(*m_view, "runButton"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(childOf<QLabel>(*m_view, "runProgressText").text().startsWith("running"), kSoon);
    m_view.reset();
    m_session.reset();
    open();
    QTRY_VERIFY(m_session->jobs().running().empty());
    QCOMPARE(table().model()->rowCount(), 0);
  }

  void runsAgainAndBringsBackWhatWasDeleted() {
    QTest::mouseClick(&childOf<QPushButton>(*m_view, "runButton"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(table().model()->rowCount(), 1, kSoon);
    table().selectRow(0);
    table().setFocus();
    QTest::keyClick(&table(), Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE_WITH_TIMEOUT(table().model()->rowCount(), 2, kSoon);
    QCOMPARE(cellText(table(), 1, RunsModel::Program), cellText(table(), 0, RunsModel::Program));
    QTRY_VERIFY_WITH_TIMEOUT(childOf<QPushButton>(*m_view, "runButton").isEnabled(), kSoon);
    table().selectAll();
    QTest::keyClick(&table(), Qt::Key_Delete);
    QCOMPARE(table().model()->rowCount(), 0);
    QVERIFY(m_session->undoStack().isClean());
    QTest::keyClick(m_view.get(), Qt::Key_Delete, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(table().model()->rowCount(), 2);
  }

  void problemsAreKeptAndShown() {
    QLineEdit& runner = childOf<QLineEdit>(*m_view, "targetRunner");
    runner.selectAll();
    QTest::keyClicks(&runner, "/nonexistent/p2-runner");
    QTest::keyClick(&runner, Qt::Key_Return);
    QTest::mouseClick(&childOf<QPushButton>(*m_view, "runButton"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(table().model()->rowCount(), 1, kSoon);
    QVERIFY(cellText(table(), 0, RunsModel::State).contains("/nonexistent/p2-runner cannot be started"));
    QVERIFY(childOf<QLabel>(*m_view, "runMessage").text().contains("cannot be started"));
  }

  // Variables of a target may hold a password.
  void whatIsRememberedIsTheUsersAlone() {
    const mode_t before = ::umask(022);
    QFile::remove(QSettings().fileName());
    m_view.reset();
    open();
    QLineEdit& variables = childOf<QLineEdit>(*m_view, "targetEnvironment");
    variables.setFocus();
    QTest::keyClicks(&variables, "TOKEN=secret");
    QTest::keyClick(&variables, Qt::Key_Return);
    QSettings().sync();
    const QString runs = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + "/runs.sqlite";
    QTRY_VERIFY(QFile::exists(runs));
    QFile settings(QSettings().fileName());
    QVERIFY(settings.open(QIODevice::ReadOnly));
    QVERIFY(settings.readAll().contains("TOKEN=secret"));
    for (const QString& file : {settings.fileName(), runs}) {
      const QFile::Permissions others = QFile::permissions(file) & (QFile::ReadGroup | QFile::ReadOther);
      QVERIFY2(!others, qPrintable(file));
    }
    ::umask(before);
  }

  void badFieldsAreNamedBesideThem() {
    childOf<QLineEdit>(*m_view, "runBytes").setText("many");
    QVERIFY(!childOf<QPushButton>(*m_view, "runButton").isEnabled());
    QVERIFY(childOf<QLabel>(*m_view, "runProblem").text().contains("many"));
    QLineEdit& host = childOf<QLineEdit>(*m_view, "targetHost");
    host.setFocus();
    QTest::keyClicks(&host, "-oProxyCommand=x");
    QTest::keyClick(&host, Qt::Key_Return);
    QVERIFY(childOf<QLabel>(*m_view, "targetProblem").text().contains("is not a host"));
  }

  void targetsAreRemembered() {
    QTest::mouseClick(&childOf<QAbstractButton>(*m_view, "addTarget"), Qt::LeftButton);
    QLineEdit& host = childOf<QLineEdit>(*m_view, "targetHost");
    QTest::keyClicks(&host, "cluster7");
    QTest::keyClick(&host, Qt::Key_Return);
    childOf<QSpinBox>(*m_view, "targetRanks").setValue(16);
    m_view.reset();
    m_session.reset();
    open();
    QComboBox& chooser = childOf<QComboBox>(*m_view, "targetChooser");
    QCOMPARE(chooser.count(), 2);
    QCOMPARE(chooser.currentText(), QStringLiteral("cluster7"));
    QCOMPARE(childOf<QSpinBox>(*m_view, "targetRanks").value(), 16);
    QTest::mouseClick(&childOf<QAbstractButton>(*m_view, "removeTarget"), Qt::LeftButton);
    QCOMPARE(chooser.count(), 1);
    QVERIFY(!childOf<QAbstractButton>(*m_view, "removeTarget").isEnabled());
  }

 private:
  void open() {
    m_session = std::make_unique<Session>();
    m_session->reset(workspaceOf("node:2 gpu:2", "4", "0"));
    QTRY_VERIFY(m_session->program() != nullptr);
    m_view = shown<RunsPerspective>(*m_session, {1200, 800});
    QVERIFY(m_view);
  }
  QTableView& table() { return childOf<QTableView>(*m_view, "runTable"); }

  std::unique_ptr<Session> m_session;
  std::unique_ptr<RunsPerspective> m_view;
};

QTEST_MAIN(TestRunsPerspective)
#include "tst_runs_perspective.moc"
