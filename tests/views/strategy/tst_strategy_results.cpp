// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QComboBox>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QToolButton>

#include "base/units.h"
#include "tests/views/strategy/strategy_window.h"
#include "views/shell/session.h"
#include "views/strategy/devices_plot.h"
#include "views/strategy/needs_model.h"

using namespace p2;
using namespace p2::views;

/// What becomes of a strategy: costs over devices, axes and workloads, files.
class TestStrategyResults : public QObject, private test::StrategyWindow {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() { setUp(); }
  void cleanup() { clearAway(); }
  void costOverDevices();
  void carriesAxesToThePlacements();
  void hierarchicalNeedsSayWhereTheyLand();
  void aCollectiveTakesTheSameTimeInPlacements();
  void exports_data();
  void exports();
  void exportErrorsStayInline();
  void becomesTheWorkload();
  void refusesAWorkloadOfOtherDevices();
};

void TestStrategyResults::costOverDevices() {
  find<QTabWidget>("strategyDetails")->setCurrentIndex(3);
  auto* plot = find<DevicesPlot>("strategyDevicesPlot");
  QVERIFY(plot->points().empty() && !plot->xAxis->visible() && !plot->yAxis->visible() && !plot->legend->visible());
  QTest::mouseClick(find<QPushButton>("strategyDevicesButton"), Qt::LeftButton);
  QTRY_COMPARE(plot->points().size(), std::size_t(4));
  QVERIFY(plot->xAxis->visible() && plot->yAxis->visible() && plot->legend->visible());
  std::int64_t devices = 1;
  for (const DevicesPlot::Point& point : plot->points()) {
    QCOMPARE(point.devices, devices);
    Workspace alone = test::strategyWorkspace();
    alone.strategy.options.devices = devices;
    QCOMPARE(point.best, test::answerOf(alone, 1)->solution.strategies.front().cost);
    devices *= 2;
  }
}

void TestStrategyResults::carriesAxesToThePlacements() {
  // Fast enough for splitting to pay.
  Workspace fast = *session->workspace();
  fast.strategy.options.bandwidth = 100e9;
  session->edit("Faster links", fast);
  find<QTabWidget>("strategyDetails")->setCurrentIndex(2);
  auto* needs = find<QTableView>("strategyNeeds");
  QTRY_VERIFY(needs->model()->rowCount() > 0);
  auto* carry = find<QPushButton>("strategyCarry");
  QTRY_VERIFY(carry->isEnabled());
  const std::vector<Axis> before = session->workspace()->axes;
  QSignalSpy wanted(view.get(), &Perspective::perspectiveWanted);
  QTest::mouseClick(carry, Qt::LeftButton);
  QCOMPARE(wanted.count(), 1);
  QCOMPARE(wanted[0][0].toString(), "placements");
  const Workspace carried = *session->workspace();
  QVERIFY(carried.axes != before);
  QVERIFY(checkWorkspace(carried).ok());
  QTRY_VERIFY(session->isCurrent());
  session->undoStack().undo();
  QCOMPARE(session->workspace()->axes, before);
}

void TestStrategyResults::hierarchicalNeedsSayWhereTheyLand() {
  auto* model = find<QComboBox>("strategyModel");
  model->setFocus();
  QTest::keyClick(model, Qt::Key_Down);
  QVERIFY(session->workspace()->strategy.options.model == StrategyCostModel::Hierarchical);
  auto* needs = find<QTableView>("strategyNeeds");
  QTRY_VERIFY(settled() && needs->model()->rowCount() > 0);
  QTRY_VERIFY(needs->model()->index(0, NeedsModel::PlacementColumn).data().toString().startsWith("[["));
  QVERIFY2(headline().contains(" · mesh ") && headline().contains(" (x) "), qPrintable(headline()));
  QVERIFY2(find<QLabel>("strategyVertexNote")->text().startsWith("Axes: "),
           qPrintable(find<QLabel>("strategyVertexNote")->text()));
}

// A system with latencies, and bytes that are no power of two: what the search takes for it is only a chord.
void TestStrategyResults::aCollectiveTakesTheSameTimeInPlacements() {
  Workspace next = *session->workspace();
  next.system = test::valueOf(presetSystem("dgx-h100", 1));
  next.strategy.options.model = StrategyCostModel::Hierarchical;
  session->edit("Use another system", next);
  find<QTabWidget>("strategyDetails")->setCurrentIndex(2);
  auto* needs = find<QTableView>("strategyNeeds");
  auto* carry = find<QPushButton>("strategyCarry");
  QTRY_VERIFY(settled() && needs->model()->rowCount() > 0 && carry->isEnabled());
  const auto cell = [&](int column) { return needs->model()->index(0, column).data().toString(); };
  const QString matrix = needs->model()->index(0, NeedsModel::PlacementColumn).data(Qt::UserRole).toString();
  const QString time = cell(NeedsModel::TimeColumn);
  QVERIFY(cell(NeedsModel::TimesColumn).endsWith("×"));
  needs->selectRow(0);
  QTest::mouseClick(carry, Qt::LeftButton);
  QCOMPARE(session->workspace()->options.cost.repeat, 1);
  QCOMPARE(QString::fromStdString(session->workspace()->matrix.text()), matrix);
  QTRY_VERIFY(session->isCurrent());
  QStringList placed;
  for (const PlacementResult& placement : session->exploration()->placements) {
    if (QString::fromStdString(placement.matrix.text()) == matrix) {
      placed << QString::fromStdString(formatSeconds(placement.bestSeconds));
    }
  }
  QCOMPARE(placed, QStringList{time});
}

void TestStrategyResults::exports_data() {
  QTest::addColumn<QString>("format");
  QTest::newRow("json") << "json";
  QTest::newRow("csv") << "csv";
}

void TestStrategyResults::exports() {
  QFETCH(QString, format);
  QTemporaryDir folder;
  const QString path = folder.filePath("strategy." + format);
  exportTo(qPrintable("strategyExport-" + format), path);
  QVERIFY2(find<QLabel>("strategyWritten")->text().contains(path), qPrintable(find<QLabel>("strategyWritten")->text()));
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QByteArray content = file.readAll();
  if (format == "json") {
    const QJsonObject json = QJsonDocument::fromJson(content).object();
    QCOMPARE(json["cost"].toDouble(), test::answerOf(test::strategyWorkspace(), 1)->solution.strategies.front().cost);
  } else {
    QCOMPARE(content.count('\n'), graph()->vertexCount() + 1);
  }
}

void TestStrategyResults::exportErrorsStayInline() {
  exportTo("strategyExport-csv", "/nonexistent/strategy.csv");
  const QString text = find<QLabel>("strategyWritten")->text();
  QVERIFY2(text.startsWith("✗") && text.contains("/nonexistent/strategy.csv"), qPrintable(text));
}

void TestStrategyResults::becomesTheWorkload() {
  find<QCheckBox>("strategyExactly")->click();
  auto* button = find<QToolButton>("strategyWorkload");
  QTRY_VERIFY(settled() && button->isEnabled());
  QTest::mouseClick(button, Qt::LeftButton);
  QTRY_VERIFY(find<QLabel>("strategyWritten")->isVisible());
  const QString text = find<QLabel>("strategyWritten")->text();
  QVERIFY2(text.startsWith("✓ workload replaced: "), qPrintable(text));
  const Workspace& document = *session->workspace();
  QVERIFY(document.workload && !document.workload->collectives.empty());
  QVERIFY(checkWorkspace(document).ok());
  QCOMPARE(session->undoStack().undoText(), QStringLiteral("Use the strategy as workload"));
  session->undoStack().undo();
  QVERIFY(!session->workspace()->workload);
  // It is so no longer.
  QVERIFY(!find<QLabel>("strategyWritten")->isVisible());
}

void TestStrategyResults::refusesAWorkloadOfOtherDevices() {
  Workspace fewer = *session->workspace();
  fewer.strategy.options.devices = 4;
  fewer.strategy.options.space.exactly = true;
  session->edit("Fewer devices", fewer);
  auto* button = find<QToolButton>("strategyWorkload");
  QTRY_VERIFY(settled() && button->isEnabled() && headline().contains(" on 4 devices"));
  QTest::mouseClick(button, Qt::LeftButton);
  QTRY_VERIFY(find<QLabel>("strategyWritten")->isVisible());
  const QString text = find<QLabel>("strategyWritten")->text();
  QVERIFY2(text.startsWith("✗") && text.contains("= 4") && text.contains("8"), qPrintable(text));
  QVERIFY(!session->workspace()->workload);
}

QTEST_MAIN(TestStrategyResults)
#include "tst_strategy_results.moc"
