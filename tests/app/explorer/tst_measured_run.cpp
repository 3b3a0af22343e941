// SPDX-License-Identifier: GPL-3.0-or-later
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QStandardPaths>
#include <QTableView>
#include <QToolButton>

#include "app/explorer/driven_window.h"
#include "support/fixtures.h"
#include "text/text_file.h"
#include "views/runs/runs_model.h"
#include "workspace/workspace.h"

using namespace p2;
using namespace p2::views;

/// From a script's result to A|B, by mouse and keys.
class TestMeasuredRun : public QObject, test::DrivenWindow {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QCoreApplication::setOrganizationName("p2-explorer-tests");
    QCoreApplication::setApplicationName("tst_measured_run");
  }
  void init() {
    QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)).removeRecursively();
    const Workspace workspace = test::workspaceOf("node:2@10GB/s gpu:2@100GB/s", "4", "0", "[[2,2]]");
    const QString file = inFolder("mine.p2.json");
    QVERIFY(writeTextFile(file.toStdString(), workspaceToJson(workspace)).ok());
    openWindow(file);
  }
  void cleanup() { closeWindow(); }

  // tests/data/runs/torchrun.json is the output of the exported script on four processes with gloo.
  void aTorchrunResultStandsUnderThePrediction() {
    m_driver->click(find<QToolButton>("perspective-runs"));
    QTRY_COMPARE(m_desk->shownPage(), QString("runs"));
    m_driver->click(find<QToolButton>("importRunsButton"));
    auto* dialog = m_desk->window->findChild<QFileDialog*>();
    QVERIFY(dialog != nullptr);
    auto& name = test::childOf<QLineEdit>(*dialog, "fileNameEdit");
    m_driver->click(name);
    QGuiApplication::clipboard()->setText(P2_TEST_DATA "/runs/torchrun.json");
    QTest::keyClick(&name, Qt::Key_V, Qt::ControlModifier);
    m_driver->click(*dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open));
    auto& table = find<QTableView>("runTable");
    QTRY_COMPARE(table.model()->rowCount(), 2);
    for (int row = 0; row < 2; ++row) {
      QCOMPARE(test::cellText(table, row, RunsModel::State), QStringLiteral("✓ correct"));
      QVERIFY(!test::cellText(table, row, RunsModel::Measured).isEmpty());
      QVERIFY(!test::cellText(table, row, RunsModel::Predicted).isEmpty());
    }
    // A desktop gives the window back its keyboard.
    m_desk->window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_desk->window.get()));
    m_desk->key(Qt::Key_8);
    QTRY_COMPARE(m_desk->shownPage(), QString("programs"));
    m_desk->key(Qt::Key_B);
    QTRY_VERIFY(m_desk->find<QLabel>("compareMeasured") != nullptr);
    auto& measured = find<QLabel>("compareMeasured");
    QTRY_VERIFY(measured.isVisible());
    QCOMPARE(measured.text(),
             QString("Measured on torchrun (torch-gloo, 4 ranks, 64.0 kB): A takes 16.0 ms, B 3.08 ms; "
                     "B is 5.22× as fast as A; predicted for these runs: 7.04 µs and 9.60 µs"));
  }
};

QTEST_MAIN(TestMeasuredRun)
#include "tst_measured_run.moc"
