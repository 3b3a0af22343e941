// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "support/fixtures.h"
#include "views/common/theme.h"
#include "views/placement/axes_model.h"
#include "views/placement/devices_view.h"
#include "views/placement/placement_perspective.h"
#include "views/placement/placements_model.h"
#include "views/shell/session.h"
#include "views/widget_driver.h"

using namespace p2;
using namespace p2::views;
using p2::test::cellText;
using p2::test::childOf;
using p2::test::typeIntoCell;

/// The placement perspective, driven by mouse and keys.
class TestPlacementPerspective : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void init();
  void cleanup();
  void startsWithTheBestPlacement();
  void togglesReductionByClick();
  void togglesReductionByKeyboard();
  void choosesAGoal();
  void appliesTheFittingSize();
  void keepsABadSizeUntilMended();
  void addsAndRemovesAxesByKeys();
  void sortsBySelectedColumn();
  void filtersByKeyboard();
  void selectsRowsBothWays();
  void opensProgramsByEnterAndDoubleClick();
  void followsTheLinksBelowTheTable();
  void warnsWhatTheOtherAxesPay();
  void ranksByTheWholeStep();
  void marksDevicesAsInFigure2();
  void hoverLightsUpTheGroup();
  void walksDevicesByKeyboard();
  void drawsOnlyTheFirstOfTooManyDevices();
  void closesWithAnOpenEditor();

 private:
  void open(const Workspace& workspace);
  void waitForPlacements();
  [[nodiscard]] QTableView& axes() const { return childOf<QTableView>(*m_perspective, "axesTable"); }
  [[nodiscard]] QTableView& placements() const { return childOf<QTableView>(*m_perspective, "placementsTable"); }
  [[nodiscard]] DevicesView& devices() const { return childOf<DevicesView>(*m_perspective, "devicesView"); }
  [[nodiscard]] QLabel& label(const char* name) const { return childOf<QLabel>(*m_perspective, name); }
  [[nodiscard]] QString selectedMatrix() const { return QString::fromStdString(m_session->placement()->matrix.text()); }
  [[nodiscard]] QPoint cellCentre(Device device) const {
    return devices().toWidget(devices().map().cells[device.index()].rect.center()).toPoint();
  }

  std::unique_ptr<Session> m_session;
  std::unique_ptr<PlacementPerspective> m_perspective;
};

namespace {

/// Where one reduction alone gives the worst advice.
Workspace heavyTensor() { return test::workspaceOf("node:4@400GB/s gpu:8@450GB/s", "data=4,tensor=8", "data"); }

}  // namespace

void TestPlacementPerspective::initTestCase() {
  QTest::failOnWarning(QRegularExpression("^(?!.*propagateSizeHints).*"));
  Theme::apply(Theme::Scheme::Light);
}

void TestPlacementPerspective::open(const Workspace& workspace) {
  m_session->reset(workspace);
  waitForPlacements();
}

void TestPlacementPerspective::waitForPlacements() { QTRY_VERIFY(m_session->isCurrent()); }

void TestPlacementPerspective::init() {
  m_session = std::make_unique<Session>();
  m_perspective = std::make_unique<PlacementPerspective>(*m_session);
  m_perspective->resize(1320, 760);
  m_perspective->show();
  m_perspective->activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(m_perspective.get()));
  open(test::workspaceOf("gcp-a100:4", "data=8,model=2,shards=4", "data,shards"));
}

void TestPlacementPerspective::cleanup() {
  m_perspective.reset();
  m_session.reset();
}

void TestPlacementPerspective::startsWithTheBestPlacement() {
  QCOMPARE(placements().model()->rowCount(), 5);
  QCOMPARE(placements().currentIndex().row(), 0);
  QCOMPARE(cellText(placements(), 0, PlacementsModel::Mark), QStringLiteral("★"));
  QCOMPARE(label("placementsCount").text(), QStringLiteral("5"));
  QCOMPARE(label("axesFit").text(), QStringLiteral("✓ fits: 64 = 8·2·4"));
  QVERIFY(label("placementsSummary").text().contains("+267 %"));
  QVERIFY(label("devicesLegend").text().startsWith("data/model/shards"));
}

void TestPlacementPerspective::togglesReductionByClick() {
  const QRect cell = axes().visualRect(axes().model()->index(1, AxesModel::Reduce));
  QTest::mouseClick(axes().viewport(), Qt::LeftButton, {}, QPoint(cell.left() + 12, cell.center().y()));
  QVERIFY(m_session->workspace()->axes[1].reduce);
  waitForPlacements();
  m_session->undoStack().undo();
  QVERIFY(!m_session->workspace()->axes[1].reduce);
}

void TestPlacementPerspective::togglesReductionByKeyboard() {
  axes().setFocus();
  for (const int row : {0, 2}) {
    axes().setCurrentIndex(axes().model()->index(row, AxesModel::Reduce));
    QTest::keyClick(&axes(), Qt::Key_Space);
  }
  QVERIFY(!m_session->workspace()->axes[0].reduce);
  QVERIFY(!m_session->workspace()->axes[2].reduce);
  QVERIFY(label("axesReduction").isVisible());
  QCOMPARE(label("axesReduction").text(), QStringLiteral("✗ no axis is reduced over; choose at least one"));
  QTest::keyClick(&axes(), Qt::Key_Space);
  QVERIFY(label("axesReduction").isHidden());
}

void TestPlacementPerspective::choosesAGoal() {
  auto& goal = childOf<QComboBox>(*m_perspective, "goal");
  QCOMPARE(goal.currentText(), QStringLiteral("AllReduce"));
  goal.setFocus();
  QTest::keyClick(&goal, Qt::Key_Down);
  QCOMPARE(goal.currentText(), QStringLiteral("ReduceScatter"));
  waitForPlacements();
  QVERIFY(m_session->exploration()->workspace.options.goal == kReduceScatterGoal);
  QCOMPARE(placements().model()->headerData(PlacementsModel::FlatTime, Qt::Horizontal).toString(),
           QStringLiteral("ReduceScatter"));
  QVERIFY(m_session->exploration()->programCount < Count(20));
  m_session->undoStack().undo();
  QCOMPARE(goal.currentText(), QStringLiteral("AllReduce"));
}

void TestPlacementPerspective::appliesTheFittingSize() {
  typeIntoCell(axes(), 2, AxesModel::Size, "3");
  QCOMPARE(label("axesFit").text(), QStringLiteral("✗ 8·2·3 = 48 ≠ 64; shards = 4 would fit"));
  QVERIFY(m_session->problem().has_value());
  QCOMPARE(label("placementsStatus").text(), QStringLiteral("These are the placements from before the last edits."));
  QCOMPARE(placements().model()->rowCount(), 5);
  QVERIFY(placements().model()->index(0, PlacementsModel::BestTime).data(Qt::ForegroundRole).isValid());
  auto& apply = childOf<QPushButton>(*m_perspective, "applyFit_2");
  QTest::mouseClick(&apply, Qt::LeftButton);
  QCOMPARE(label("axesFit").text(), QStringLiteral("✓ fits: 64 = 8·2·4"));
  waitForPlacements();
  QVERIFY(!placements().model()->index(0, PlacementsModel::BestTime).data(Qt::ForegroundRole).isValid());
  m_session->undoStack().undo();
  QCOMPARE(m_session->workspace()->axes[2].size, std::int64_t(3));
}

void TestPlacementPerspective::keepsABadSizeUntilMended() {
  typeIntoCell(axes(), 0, AxesModel::Size, "many");
  QCOMPARE(cellText(axes(), 0, AxesModel::Size), QStringLiteral("many"));
  QVERIFY(label("axesProblem").text().contains("\"many\" is not a size for axis data"));
  QCOMPARE(m_session->undoStack().count(), 0);
  typeIntoCell(axes(), 0, AxesModel::Size, "4");
  QVERIFY(label("axesProblem").isHidden());
  QCOMPARE(m_session->workspace()->axes[0].size, std::int64_t(4));
}

void TestPlacementPerspective::addsAndRemovesAxesByKeys() {
  typeIntoCell(axes(), 0, AxesModel::Size, "4");
  axes().setCurrentIndex(axes().model()->index(2, AxesModel::Name));
  QTest::keyClick(&axes(), Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
  QCOMPARE(m_session->workspace()->axes.size(), std::size_t(4));
  QCOMPARE(m_session->workspace()->axes[3].size, std::int64_t(2));
  QVERIFY(!m_session->problem().has_value());
  QTest::keyClick(&axes(), Qt::Key_Up, Qt::AltModifier);
  QCOMPARE(m_session->workspace()->axes[2].name, std::string("axis3"));
  QTest::keyClick(&axes(), Qt::Key_Delete, Qt::ControlModifier);
  QCOMPARE(m_session->workspace()->axes.size(), std::size_t(3));
  QCOMPARE(m_session->undoStack().count(), 4);
}

void TestPlacementPerspective::sortsBySelectedColumn() {
  QHeaderView& header = *placements().horizontalHeader();
  const QPoint gain(header.sectionViewportPosition(PlacementsModel::Speedup) + 20, header.height() / 2);
  QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, gain);
  QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, gain);
  const QString top = cellText(placements(), 0, PlacementsModel::Speedup);
  const QString bottom = cellText(placements(), 4, PlacementsModel::Speedup);
  QVERIFY(top == "1.84×" ? bottom == "1.27×" : top == "1.27×" && bottom == "1.84×");
  QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, gain);
  QCOMPARE(cellText(placements(), 0, PlacementsModel::Speedup), bottom);
  QCOMPARE(selectedMatrix(), QStringLiteral("[[1,8],[2,1],[2,2]]"));
}

void TestPlacementPerspective::filtersByKeyboard() {
  placements().setFocus();
  QTest::keyClick(&placements(), Qt::Key_F, Qt::ControlModifier);
  auto& filter = childOf<QLineEdit>(*m_perspective, "placementsFilter");
  QVERIFY(filter.hasFocus());
  QTest::keyClicks(&filter, "[[4,2]");
  QCOMPARE(placements().model()->rowCount(), 1);
  QCOMPARE(selectedMatrix(), QStringLiteral("[[1,8],[2,1],[2,2]]"));
  QTest::keyClicks(&filter, "xyz");
  QVERIFY(label("emptyText").isVisible());
  QCOMPARE(label("emptyText").text(), QStringLiteral("No placement matches \"[[4,2]xyz\"."));
  QTest::mouseClick(&childOf<QPushButton>(*m_perspective, "emptyButton"), Qt::LeftButton);
  QCOMPARE(placements().model()->rowCount(), 5);
  QCOMPARE(cellText(placements(), placements().currentIndex().row(), PlacementsModel::Matrix), selectedMatrix());
}

void TestPlacementPerspective::selectsRowsBothWays() {
  const QModelIndex third = placements().model()->index(2, PlacementsModel::BestTime);
  QTest::mouseClick(placements().viewport(), Qt::LeftButton, {}, placements().visualRect(third).center());
  QCOMPARE(selectedMatrix(), cellText(placements(), 2, PlacementsModel::Matrix));
  QTest::keyClick(&placements(), Qt::Key_Down);
  QCOMPARE(selectedMatrix(), cellText(placements(), 3, PlacementsModel::Matrix));
  QVERIFY(label("placementRealisation").text().startsWith("Selected: realisable by "));
  QVERIFY(label("placementRealisation").toolTip().contains("jax: "));
  m_session->select(m_session->exploration()->bestPlacement);
  QCOMPARE(placements().currentIndex().row(), 0);
}

void TestPlacementPerspective::opensProgramsByEnterAndDoubleClick() {
  QSignalSpy wanted(m_perspective.get(), &Perspective::perspectiveWanted);
  placements().setFocus();
  QTest::keyClick(&placements(), Qt::Key_Return);
  QCOMPARE(wanted.count(), 1);
  QCOMPARE(wanted[0][0].toString(), QStringLiteral("programs"));
  const QPoint at = placements().visualRect(placements().model()->index(1, PlacementsModel::BestTime)).center();
  QTest::mouseClick(placements().viewport(), Qt::LeftButton, {}, at);
  QTest::mouseDClick(placements().viewport(), Qt::LeftButton, {}, at);
  QCOMPARE(wanted.count(), 2);
  QCOMPARE(selectedMatrix(), cellText(placements(), 1, PlacementsModel::Matrix));
}

void TestPlacementPerspective::followsTheLinksBelowTheTable() {
  emit label("placementsSummary").linkActivated(QString::number(m_session->exploration()->defaultPlacement));
  QCOMPARE(cellText(placements(), placements().currentIndex().row(), PlacementsModel::Mark), QStringLiteral("◇"));
}

void TestPlacementPerspective::warnsWhatTheOtherAxesPay() {
  QVERIFY(label("stepGuard").isVisible());
  QTRY_VERIFY(!placements().isColumnHidden(PlacementsModel::OtherAxes));
  open(heavyTensor());
  QTRY_VERIFY(label("stepGuard").text().startsWith("▲ The best for data alone makes tensor cross nodes: 18.5 ms/GiB"));
  QVERIFY(cellText(placements(), 0, PlacementsModel::OtherAxes).startsWith("▲ tensor crosses nodes:"));
  QVERIFY(placements().isColumnHidden(PlacementsModel::Step));
  QSignalSpy wanted(m_perspective.get(), &Perspective::perspectiveWanted);
  label("stepGuard").setFocus();
  QTest::keyClick(&label("stepGuard"), Qt::Key_Tab);
  QTest::keyClick(&label("stepGuard"), Qt::Key_Return);
  QTRY_COMPARE(wanted.count(), 1);
  QCOMPARE(wanted[0][0].toString(), QStringLiteral("workload"));
  axes().setFocus();
  axes().setCurrentIndex(axes().model()->index(1, AxesModel::Reduce));
  QTest::keyClick(&axes(), Qt::Key_Space);
  QTRY_VERIFY(label("stepGuard").isHidden());
  QVERIFY(placements().isColumnHidden(PlacementsModel::OtherAxes));
}

void TestPlacementPerspective::ranksByTheWholeStep() {
  Workspace workspace = heavyTensor();
  WorkloadEntry entry;
  entry.name = "activations";
  entry.axes = {"tensor"};
  entry.bytes = std::int64_t{1} << 30;
  entry.count = 10;
  workspace.workload.emplace();
  workspace.workload->axes = workspace.axes;
  workspace.workload->collectives = {entry};
  open(workspace);
  QTRY_VERIFY(label("stepGuard").text().contains("is the best for the whole step: 41.8 ms"));
  QVERIFY(placements().isColumnHidden(PlacementsModel::OtherAxes));
  QVERIFY(!placements().isColumnHidden(PlacementsModel::Step));
  QCOMPARE(cellText(placements(), 0, PlacementsModel::Step), QStringLiteral("185 ms"));
  QCOMPARE(selectedMatrix(), QStringLiteral("[[1,4],[4,2]]"));
  label("stepGuard").setFocus();
  QTest::keyClick(&label("stepGuard"), Qt::Key_Tab);
  QTest::keyClick(&label("stepGuard"), Qt::Key_Return);
  QTRY_COMPARE(selectedMatrix(), QStringLiteral("[[4,1],[1,8]]"));
  Workspace without = *m_session->workspace();
  without.workload.reset();
  m_session->edit("Take the workload away", without);
  QTRY_VERIFY(!placements().isColumnHidden(PlacementsModel::OtherAxes));
}

void TestPlacementPerspective::marksDevicesAsInFigure2() {
  Workspace workspace = test::workspaceOf("rack:1 server:2 cpu:2 gpu:4", "data=4,shards=4", "shards");
  workspace.matrix = test::valueOf(parseMatrix("[[1,2,1,2],[1,1,2,2]]"));
  open(workspace);
  QCOMPARE(selectedMatrix(), QStringLiteral("[[1,2,1,2],[1,1,2,2]]"));
  QStringList markers;
  for (const DeviceMap::Cell& cell : devices().map().cells) markers += devices().marker(cell.device);
  QCOMPARE(markers.join(' '), QStringLiteral("0/0 0/1 1/0 1/1 0/2 0/3 1/2 1/3 2/0 2/1 3/0 3/1 2/2 2/3 3/2 3/3"));
  QCOMPARE(devices().map().boxes.size(), std::size_t(7));
}

void TestPlacementPerspective::hoverLightsUpTheGroup() {
  const QColor rest = devices().grab().toImage().pixelColor(cellCentre(Device(63)) + QPoint(0, -8));
  test::moveMouseOver(devices(), cellCentre(Device(5)));
  QTRY_COMPARE(m_session->hoveredDevice(), Device(5));
  QVERIFY(label("hoveredDevice")
              .text()
              .startsWith("device 5 · gpu 5 of node 0 · data 2, model 0, shards 1 · group A of 32"));
  const QColor dimmed = devices().grab().toImage().pixelColor(cellCentre(Device(63)) + QPoint(0, -8));
  QVERIFY(dimmed != rest);
  m_session->setHoveredDevice(Device(63));
  QVERIFY(label("hoveredDevice").text().contains("group B of 32"));
  QCOMPARE(devices().grab().toImage().pixelColor(cellCentre(Device(63)) + QPoint(0, -8)), rest);
}

void TestPlacementPerspective::walksDevicesByKeyboard() {
  devices().setFocus();
  QTest::keyClick(&devices(), Qt::Key_Right);
  QCOMPARE(m_session->hoveredDevice(), Device(0));
  QTest::keyClick(&devices(), Qt::Key_Right);
  QCOMPARE(m_session->hoveredDevice(), Device(1));
  QTest::keyClick(&devices(), Qt::Key_Left);
  QCOMPARE(m_session->hoveredDevice(), Device(0));
  QVERIFY(devices().accessibleDescription().startsWith("device 0"));
}

void TestPlacementPerspective::drawsOnlyTheFirstOfTooManyDevices() {
  open(test::workspaceOf("node:512 gpu:16", "data=8192", "data"));
  QCOMPARE(devices().map().cells.size(), std::size_t(4096));
  QVERIFY(label("devicesLegend").text().contains("Only the first 4096 of 8192 devices are drawn."));
  m_session->setHoveredDevice(Device(8000));
  QVERIFY(label("hoveredDevice").text().startsWith("device 8000"));
}

void TestPlacementPerspective::closesWithAnOpenEditor() {
  const QModelIndex index = axes().model()->index(1, AxesModel::Size);
  axes().setCurrentIndex(index);
  axes().edit(index);
  QTest::keyClicks(&childOf<QLineEdit>(axes(), "cellEditor"), "8");
  m_perspective.reset();
  QCoreApplication::sendPostedEvents();
  QCOMPARE(m_session->workspace()->axes[1].size, std::int64_t(2));
}

QTEST_MAIN(TestPlacementPerspective)
#include "tst_placement_perspective.moc"
