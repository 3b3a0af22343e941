// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/common/theme.h"
#include "views/shell/document_desk.h"
#include "views/system/calibration_dialog.h"
#include "views/system/system_perspective.h"
#include "views/widget_driver.h"

using namespace p2;
using namespace p2::views;
using p2::test::cellText;
using p2::test::childOf;
using Column = CalibrationModel::Column;

/// Calibrating a system from the System perspective, driven by mouse and keys.
class TestCalibrationDialog : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void init();
  void cleanup();
  void fitsAndApplies();
  void readsWhatOthersMeasured();
  void fitsTheNcclModel();
  void switchesBetweenNominalAndFitted();
  void canBeStopped();
  void saysWhatIsWrong_data();
  void saysWhatIsWrong();
  void modelIsSound();

 private:
  void type(const QByteArray& csv);
  [[nodiscard]] const System& system() const { return m_session->workspace()->system; }
  [[nodiscard]] CalibrationDialog& dialog() const {
    return childOf<CalibrationDialog>(*m_perspective, "calibrationDialog");
  }
  [[nodiscard]] QLabel& label(const char* name) const { return childOf<QLabel>(dialog(), name); }
  [[nodiscard]] QPushButton& button(const char* name) const { return childOf<QPushButton>(dialog(), name); }

  QTemporaryDir m_folder;
  std::unique_ptr<Session> m_session;
  std::unique_ptr<SystemPerspective> m_perspective;
};

namespace {

// Between the nodes twice as long as 8 GB/s take (10 · 2·7/8 · 2 GiB), inside them just as long as 270 GB/s do.
const QByteArray kMeasurements =
    "axes,reduce,matrix,seconds\n"
    "data=8,0,\"[[2,4]]\",9.395\n"
    "\"data=2,model=4\",1,\"[[2,1],[1,4]]\",0.1193\n"
    "data=8,0,\"[[2,4]]\",9.395\n";

}  // namespace

void TestCalibrationDialog::initTestCase() { Theme::apply(Theme::Scheme::Light); }

void TestCalibrationDialog::init() {
  test::failOnWarnings();
  m_session = std::make_unique<Session>();
  m_session->reset(test::workspaceOf("node:2 gpu:4", "data=8", "data"));
  m_perspective = test::shown<SystemPerspective>(*m_session, {1200, 800});
  QVERIFY(m_perspective != nullptr);
  QTest::keyClick(m_perspective.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY(QTest::qWaitForWindowActive(&dialog()));
}

void TestCalibrationDialog::cleanup() {
  m_perspective.reset();
  m_session.reset();
}

void TestCalibrationDialog::type(const QByteArray& csv) {
  const QString path = m_folder.filePath("measured.csv");
  test::writeFile(path, csv);
  auto& field = childOf<QLineEdit>(dialog(), "calibrationPath");
  field.selectAll();
  QTest::keyClicks(&field, path);
  QTest::keyClick(&field, Qt::Key_Return);
}

void TestCalibrationDialog::fitsAndApplies() {
  QVERIFY(!button("calibrationApply").isEnabled());
  type(kMeasurements);
  QTRY_VERIFY(button("calibrationApply").isEnabled());
  auto& table = childOf<QTableView>(dialog(), "calibrationTable");
  QCOMPARE(cellText(table, 0, Column::Bandwidth), QString("8.00 GB/s"));
  QVERIFY2(cellText(table, 0, Column::FittedBandwidth).startsWith("4.0"),
           qPrintable(cellText(table, 0, Column::FittedBandwidth)));
  QCOMPARE(cellText(table, 1, Column::Bandwidth), QString("270 GB/s"));
  QCOMPARE(cellText(table, 0, Column::Measurements), QString("2"));
  QCOMPARE(cellText(table, 1, Column::Measurements), QString("1"));
  QCOMPARE(label("calibrationBefore").text(), QString("median error 50 %, 1 of 3 within 25 %"));
  QVERIFY(label("calibrationAfter").text().endsWith("3 of 3 within 25 %"));
  QVERIFY(label("calibrationHeldOut").text().endsWith("of 3 within 25 %"));
  QTest::mouseClick(&button("calibrationApply"), Qt::LeftButton);
  QVERIFY(system().calibrated);
  QVERIFY(std::abs(bandwidthOf(system().levels[0].interconnect, true) / 4e9 - 1) < 0.02);
  QCOMPARE(system().levels[0].interconnect.bandwidth, 8e9);
  m_session->undoStack().undo();
  QVERIFY(!system().calibrated);
  QCOMPARE(system().levels[0].interconnect.fittedBandwidth, 0.0);
}

void TestCalibrationDialog::readsWhatOthersMeasured() {
  type(
      "$ ./all_reduce_perf -g 8\n"
      " 100000000 25000000 float sum -1 43750.0 2.29 4.00 0 43800.0 2.28 4.00 0\n"
      "$ ./sendrecv_perf -g 8\n 100000000 25000000 float none -1 43750.0 2.29 2.29 0 43800.0 2.28 2.28 0\n");
  QTRY_VERIFY(button("calibrationApply").isEnabled());
  const QString rows = childOf<QTextBrowser>(dialog(), "calibrationRows").toPlainText();
  QVERIFY2(rows.contains("1 size of AllReduce over 8 ranks"), qPrintable(rows));
  QVERIFY2(rows.contains("Not used: ") && rows.contains("sendrecv_perf"), qPrintable(rows));
}

void TestCalibrationDialog::fitsTheNcclModel() {
  Workspace workspace = test::workspaceOf("dgx-h100:1", "data=8", "data");
  workspace.options.cost.model = "nccl";
  workspace.options.cost.algorithm = Algorithm::Auto;
  m_session->reset(std::move(workspace));
  auto& field = childOf<QLineEdit>(dialog(), "calibrationPath");
  field.selectAll();
  QTest::keyClicks(&field, QStringLiteral(P2_TEST_DATA "/nccl/h100x8-cnode3-002-all_reduce.txt"));
  QTest::keyClick(&field, Qt::Key_Return);
  QTRY_VERIFY_WITH_TIMEOUT(button("calibrationApply").isEnabled(), 120000);
  auto& tabs = childOf<QTabWidget>(dialog(), "calibrationTabs");
  QTest::keyClick(&dialog(), Qt::Key_P, Qt::AltModifier);
  auto& parameters = childOf<QTableView>(dialog(), "calibrationParameters");
  QCOMPARE(tabs.currentWidget(), &parameters);
  QVERIFY(parameters.model()->rowCount() > 80);
  QCOMPARE(cellText(parameters, 0, 4), QString("determined"));
  QVERIFY(cellText(parameters, 0, 3).startsWith("± "));
  QCOMPARE(cellText(parameters, parameters.model()->rowCount() - 1, 4), QString("not by these measurements"));
  QTest::keyClick(&dialog(), Qt::Key_E, Qt::AltModifier);
  auto& bands = childOf<QTableView>(dialog(), "calibrationBands");
  QCOMPARE(tabs.currentWidget(), &bands);
  QCOMPARE(bands.model()->rowCount(), 1);
  QVERIFY(cellText(bands, 0, 4).endsWith(" %"));
  QTest::keyClick(&dialog(), Qt::Key_R, Qt::AltModifier);
  QVERIFY(childOf<QTableView>(dialog(), "calibrationRanges").model()->rowCount() == 1);
  QTest::mouseClick(&button("calibrationApply"), Qt::LeftButton);
  QVERIFY(system().calibrated && !system().tuned.empty() && !system().ranges.empty());
  m_session->undoStack().undo();
  QVERIFY(!system().calibrated && system().tuned.empty() && system().ranges.empty());
  m_session->undoStack().redo();
  QVERIFY(!system().tuned.empty());
}

void TestCalibrationDialog::switchesBetweenNominalAndFitted() {
  auto& fitted = childOf<QCheckBox>(*m_perspective, "useFitted");
  QVERIFY(!fitted.isEnabled());
  type(kMeasurements);
  QTRY_VERIFY(button("calibrationApply").isEnabled());
  QTest::keyClick(&dialog(), Qt::Key_Return);
  QVERIFY(fitted.isEnabled());
  QVERIFY(fitted.isChecked());
  QTest::mouseClick(&fitted, Qt::LeftButton, {}, QPoint(8, fitted.height() / 2));
  QVERIFY(!system().calibrated);
  QVERIFY(system().levels[0].interconnect.fittedBandwidth > 0);
  fitted.setFocus();
  QTest::keyClick(&fitted, Qt::Key_Space);
  QVERIFY(system().calibrated);
  QCOMPARE(m_session->undoStack().count(), 3);
}

void TestCalibrationDialog::canBeStopped() {
  type(kMeasurements);
  QVERIFY(button("calibrationStop").isVisible());
  QTest::mouseClick(&button("calibrationStop"), Qt::LeftButton);
  QCOMPARE(label("calibrationMessage").text(), QString("Stopped."));
  QVERIFY(!button("calibrationStop").isVisible());
  QTRY_VERIFY(m_session->isCurrent() && m_session->jobs().running().empty());
  QVERIFY(!button("calibrationApply").isEnabled());
}

void TestCalibrationDialog::saysWhatIsWrong_data() {
  QTest::addColumn<QByteArray>("csv");
  QTest::addColumn<QString>("problem");
  QTest::newRow("empty") << QByteArray() << "the file is empty";
  QTest::newRow("no columns") << QByteArray("a,b\n1,2\n") << "no measurements that are known";
  QTest::newRow("bad time") << QByteArray("axes,reduce,matrix,seconds\ndata=8,0,\"[[2,4]]\",soon\n") << "line 2";
  QTest::newRow("another system") << QByteArray("axes,reduce,matrix,seconds\ndata=9,0,\"[[3,3]]\",1\n") << "line 2";
}

void TestCalibrationDialog::saysWhatIsWrong() {
  QFETCH(QByteArray, csv);
  QFETCH(QString, problem);
  type(csv);
  QTRY_VERIFY2(label("calibrationMessage").text().startsWith(QStringLiteral("✗")),
               qPrintable(label("calibrationMessage").text()));
  QVERIFY2(label("calibrationMessage").text().contains(problem), qPrintable(label("calibrationMessage").text()));
  QVERIFY(!button("calibrationApply").isEnabled());
  type(kMeasurements);
  QTRY_VERIFY(button("calibrationApply").isEnabled());
  QVERIFY(label("calibrationMessage").isHidden());
}

void TestCalibrationDialog::modelIsSound() {
  CalibrationModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  model.setFigures({{"NIC of node", 8e9, 4e9, 1e-6, 2e-6, 7}, {"NVSwitch of gpu", 270e9, 0, 0, -1, 0}},
                   {{"NIC of node, one ring", 0, 3.5e9, 3}});
  QCOMPARE(model.rowCount(), 3);
  QCOMPARE(model.index(0, Column::FittedLatency).data().toString(), QString("2.00 µs"));
  QCOMPARE(model.index(1, Column::FittedBandwidth).data().toString(), QString("–"));
  QCOMPARE(model.index(1, Column::FittedLatency).data().toString(), QString("–"));
  QCOMPARE(model.index(2, Column::Name).data().toString(), QString("NIC of node, one ring"));
  QCOMPARE(model.index(2, Column::Bandwidth).data().toString(), QString("–"));
  QCOMPARE(model.index(2, Column::FittedBandwidth).data().toString(), QString("3.50 GB/s"));
  QCOMPARE(model.index(2, Column::Measurements).data().toString(), QString("3"));
  model.setFigures({}, {});
  QCOMPARE(model.rowCount(), 0);
}

QTEST_MAIN(TestCalibrationDialog)
#include "tst_calibration_dialog.moc"
