// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include "tests/views/placement/placement_desk.h"
#include "views/placement/axes_model.h"
#include "views/placement/placements_model.h"

using namespace p2;
using namespace p2::views;
using p2::test::cellText;
using p2::test::childOf;
using p2::test::typeIntoCell;

/// The placement perspective, driven by mouse and keys: axes, goal and devices.
class TestPlacementPerspective : public QObject, private test::PlacementDesk {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() { setUp(); }
  void cleanup() { clearAway(); }
  void startsWithTheBestPlacement();
  void namesWhatMayBeAsFast();
  void togglesReductionByClick();
  void togglesReductionByKeyboard();
  void choosesAGoal();
  void choosesTheScatteredAxes();
  void scattersOverExistingAxesOnly();
  void appliesTheFittingSize();
  void keepsABadSizeUntilMended();
  void addsAndRemovesAxesByKeys();
  void marksDevicesAsInFigure2();
  void hoverLightsUpTheGroup();
  void walksDevicesByKeyboard();
  void aCellIsANodeOfVeryManyDevices();
  void foldsSixtyFiveThousandDevices();
  void foldsTheAxesAway();
  void aFigureFillsItsColumn();
  void keepsAnAxisInsideANode();
  void closesWithAnOpenEditor();

 private:
  [[nodiscard]] QPoint cellCentre(Device device) const {
    return devices().toWidget(devices().map().cells[device.index()].rect.center()).toPoint();
  }
};

void TestPlacementPerspective::startsWithTheBestPlacement() {
  QCOMPARE(placements().model()->rowCount(), 5);
  QCOMPARE(placements().currentIndex().row(), 0);
  QCOMPARE(cellText(placements(), 0, PlacementsModel::Mark), QStringLiteral("★"));
  QCOMPARE(label("placementsCount").text(), QStringLiteral("5"));
  QCOMPARE(label("axesFit").text(), QStringLiteral("✓ fits: 64 = 8·2·4"));
  QVERIFY(label("placementsSummary").text().contains("3.67× slower"));
  QVERIFY(label("devicesLegend").text().startsWith("data/model/shards"));
}

void TestPlacementPerspective::namesWhatMayBeAsFast() {
  QVERIFY(!label("placementsSummary").text().contains("may be as fast"));
  QVERIFY(label("placementsSummary").toolTip().isEmpty());
  open(smallSum());
  const int other = 1 - session->exploration()->bestPlacement;
  const QString matrix = QString::fromStdString(session->exploration()->placements[std::size_t(other)].matrix.text());
  QVERIFY(label("placementsSummary")
              .text()
              .endsWith(QStringLiteral(" · ≈ <a href=\"%1\">%2</a> may be as fast").arg(other).arg(matrix)));
  QVERIFY(!label("placementsSummary").toolTip().isEmpty());
  emit label("placementsSummary").linkActivated(QString::number(other));
  QCOMPARE(selectedMatrix(), matrix);
}

void TestPlacementPerspective::togglesReductionByClick() {
  const QRect cell = axes().visualRect(axes().model()->index(1, AxesModel::Reduce));
  QTest::mouseClick(axes().viewport(), Qt::LeftButton, {}, QPoint(cell.left() + 12, cell.center().y()));
  QVERIFY(session->workspace()->axes[1].reduce);
  waitForPlacements();
  session->undoStack().undo();
  QVERIFY(!session->workspace()->axes[1].reduce);
}

void TestPlacementPerspective::togglesReductionByKeyboard() {
  axes().setFocus();
  for (const int row : {0, 2}) {
    axes().setCurrentIndex(axes().model()->index(row, AxesModel::Reduce));
    QTest::keyClick(&axes(), Qt::Key_Space);
  }
  QVERIFY(!session->workspace()->axes[0].reduce);
  QVERIFY(!session->workspace()->axes[2].reduce);
  QVERIFY(label("axesReduction").isVisible());
  QCOMPARE(label("axesReduction").text(), QStringLiteral("✗ no axis is reduced over; choose at least one"));
  QTest::keyClick(&axes(), Qt::Key_Space);
  QVERIFY(label("axesReduction").isHidden());
}

void TestPlacementPerspective::choosesAGoal() {
  auto& goal = childOf<QComboBox>(*perspective, "goal");
  QCOMPARE(goal.currentText(), QStringLiteral("AllReduce"));
  goal.setFocus();
  QTest::keyClick(&goal, Qt::Key_Down);
  QCOMPARE(goal.currentText(), QStringLiteral("ReduceScatter"));
  waitForPlacements();
  QVERIFY(session->exploration()->workspace.options.goal == kReduceScatterGoal);
  QCOMPARE(placements().model()->headerData(PlacementsModel::SingleTime, Qt::Horizontal).toString(),
           QStringLiteral("ReduceScatter"));
  QVERIFY(session->exploration()->programCount < Count(20));
  session->undoStack().undo();
  QCOMPARE(goal.currentText(), QStringLiteral("AllReduce"));
}

// What is chosen and undone at once is done when other axes are there.
void TestPlacementPerspective::scattersOverExistingAxesOnly() {
  auto& scatter = childOf<QToolButton>(*perspective, "scatter");
  QTest::keyClick(&childOf<QComboBox>(*perspective, "goal"), Qt::Key_Down);
  childOf<QAction>(scatter, "scatterOver_2").trigger();
  Workspace next = *session->workspace();
  next.axes = {{"data", next.system.deviceCount(), true}};
  session->edit("One axis", next);
  QCoreApplication::processEvents();
  QCOMPARE(session->workspace()->axes, next.axes);
}

// Data 8 and shards 4 are reduced over.
void TestPlacementPerspective::choosesTheScatteredAxes() {
  auto& goal = childOf<QComboBox>(*perspective, "goal");
  auto& scatter = childOf<QToolButton>(*perspective, "scatter");
  QVERIFY(scatter.isHidden());
  goal.setFocus();
  QTest::keyClick(&goal, Qt::Key_Down);
  QVERIFY(!scatter.isHidden());
  QCOMPARE(scatter.text(), QStringLiteral("Over all axes"));
  QCOMPARE(scatter.menu()->actions().size(), 2);
  childOf<QAction>(scatter, "scatterOver_0").trigger();
  QTRY_COMPARE(scatter.text(), QStringLiteral("Over shards"));
  QVERIFY(session->workspace()->axes[0].replicate);
  QVERIFY(!childOf<QAction>(scatter, "scatterOver_2").isEnabled());
  waitForPlacements();
  QCOMPARE(placements().model()->headerData(PlacementsModel::SingleTime, Qt::Horizontal).toString(),
           QStringLiteral("RS·AR"));
  // Without the axis that it is scattered over, it is so over all that are left.
  axes().setFocus();
  axes().setCurrentIndex(axes().model()->index(2, AxesModel::Reduce));
  QTest::keyClick(&axes(), Qt::Key_Space);
  QVERIFY(scatter.isHidden());
  QVERIFY(!session->workspace()->axes[0].replicate);
  session->undoStack().undo();
  QCOMPARE(scatter.text(), QStringLiteral("Over shards"));
  // Other goals know nothing of it.
  goal.setFocus();
  QTest::keyClick(&goal, Qt::Key_Up);
  QVERIFY(scatter.isHidden());
  QVERIFY(!session->workspace()->axes[0].replicate);
  QVERIFY(!session->problem());
}

void TestPlacementPerspective::appliesTheFittingSize() {
  typeIntoCell(axes(), 2, AxesModel::Size, "3");
  QCOMPARE(label("axesFit").text(), QStringLiteral("✗ 8·2·3 = 48 ≠ 64; shards = 4 would fit"));
  QVERIFY(session->problem().has_value());
  QCOMPARE(label("placementsStatus").text(),
           QStringLiteral("Out of date: these placements are from before your last edits."));
  QCOMPARE(placements().model()->rowCount(), 5);
  QVERIFY(placements().model()->index(0, PlacementsModel::BestTime).data(Qt::ForegroundRole).isValid());
  auto& apply = childOf<QPushButton>(*perspective, "applyFit_2");
  QTest::mouseClick(&apply, Qt::LeftButton);
  QCOMPARE(label("axesFit").text(), QStringLiteral("✓ fits: 64 = 8·2·4"));
  waitForPlacements();
  QVERIFY(!placements().model()->index(0, PlacementsModel::BestTime).data(Qt::ForegroundRole).isValid());
  session->undoStack().undo();
  QCOMPARE(session->workspace()->axes[2].size, std::int64_t(3));
}

void TestPlacementPerspective::keepsABadSizeUntilMended() {
  const auto placeOfGoal = [this] {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    return childOf<QComboBox>(*perspective, "goal").mapTo(perspective.get(), QPoint());
  };
  const QPoint goal = placeOfGoal();
  typeIntoCell(axes(), 0, AxesModel::Size, "many");
  QCOMPARE(cellText(axes(), 0, AxesModel::Size), QStringLiteral("many"));
  QVERIFY(label("axesProblem").text().contains("\"many\" is not a size for axis data"));
  // It takes the place of what fits, so nothing moves below the mouse.
  QVERIFY(label("axesFit").isHidden());
  QCOMPARE(placeOfGoal(), goal);
  QCOMPARE(session->undoStack().count(), 0);
  typeIntoCell(axes(), 0, AxesModel::Size, "4");
  QVERIFY(label("axesProblem").isHidden());
  QCOMPARE(session->workspace()->axes[0].size, std::int64_t(4));
  QVERIFY(label("axesFit").isVisible());
  QCOMPARE(placeOfGoal(), goal);
}

void TestPlacementPerspective::addsAndRemovesAxesByKeys() {
  typeIntoCell(axes(), 0, AxesModel::Size, "4");
  axes().setCurrentIndex(axes().model()->index(2, AxesModel::Name));
  QTest::keyClick(&axes(), Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
  QCOMPARE(session->workspace()->axes.size(), std::size_t(4));
  QCOMPARE(session->workspace()->axes[3].size, std::int64_t(2));
  QVERIFY(!session->problem().has_value());
  QTest::keyClick(&axes(), Qt::Key_Up, Qt::AltModifier);
  QCOMPARE(session->workspace()->axes[2].name, std::string("axis3"));
  QTest::keyClick(&axes(), Qt::Key_Delete, Qt::ControlModifier);
  QCOMPARE(session->workspace()->axes.size(), std::size_t(3));
  QCOMPARE(session->undoStack().count(), 4);
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
  QTRY_COMPARE(session->hoveredDevice(), Device(5));
  QVERIFY(label("hoveredDevice")
              .text()
              .startsWith("device 5 · gpu 5 of node 0 · data 2, model 0, shards 1 · group A of 32"));
  const QColor dimmed = devices().grab().toImage().pixelColor(cellCentre(Device(63)) + QPoint(0, -8));
  QVERIFY(dimmed != rest);
  session->setHoveredDevice(Device(63));
  QVERIFY(label("hoveredDevice").text().contains("group B of 32"));
  QCOMPARE(devices().grab().toImage().pixelColor(cellCentre(Device(63)) + QPoint(0, -8)), rest);
}

void TestPlacementPerspective::walksDevicesByKeyboard() {
  devices().setFocus();
  QTest::keyClick(&devices(), Qt::Key_Right);
  QCOMPARE(session->hoveredDevice(), Device(0));
  QTest::keyClick(&devices(), Qt::Key_Right);
  QCOMPARE(session->hoveredDevice(), Device(1));
  QTest::keyClick(&devices(), Qt::Key_Left);
  QCOMPARE(session->hoveredDevice(), Device(0));
  QVERIFY(devices().accessibleDescription().startsWith("device 0"));
}

void TestPlacementPerspective::aCellIsANodeOfVeryManyDevices() {
  open(test::workspaceOf("node:512 gpu:16", "data=8192", "data"));
  QCOMPARE(devices().map().cells.size(), std::size_t(512));
  QVERIFY(devices().map().complete);
  QVERIFY(label("devicesLegend").text().contains("Each cell is a node of 16 GPUs"));
  session->setHoveredDevice(Device(8000));
  QVERIFY(label("hoveredDevice").text().startsWith("device 8000"));
  QCOMPARE(devices().focusedItem(), 500);
  QCOMPARE(devices().itemAt(500).name, QStringLiteral("node 500"));
  devices().setFocus();
  QTest::keyClick(&devices(), Qt::Key_Left);
  QCOMPARE(session->hoveredDevice(), Device(7984));
}

// Every node is seen, in the colours of the groups that its devices are in.
void TestPlacementPerspective::foldsSixtyFiveThousandDevices() {
  open(test::workspaceOf("node:8192@400GB/s gpu:8@450GB/s", "data=8192,tensor=8", "data"));
  QCOMPARE(devices().map().cells.size(), std::size_t(8192));
  QVERIFY(devices().map().complete);
  const DeviceMap::Cell& cell = devices().map().cells[4000];
  QCOMPARE(cell.device, Device(32000));
  QCOMPARE(devices().map().deviceAt(cell.rect.center()), cell.device);
  struct Close : DevicesView {
    using DevicesView::zoomTo;
  } close;
  close.resize(700, 500);
  const Workspace& asked = session->exploration()->workspace;
  close.showPlacement(asked.system, asked.axes, session->placement()->matrix);
  close.zoomTo(cell.rect);
  const QImage drawn = close.grab().toImage();
  const double ratio = drawn.devicePixelRatio();
  for (int device = 0; device < 8; ++device) {
    const QPointF at(cell.rect.left() + (device + 0.5) * cell.rect.width() / 8, cell.rect.top() + 3);
    const QColor seen = drawn.pixelColor((close.toWidget(at) * ratio).toPoint());
    const int group = int(close.placement()->groupOf(Device(32000 + device)));
    QCOMPARE(seen.rgb(), Theme::category(group).rgb());
  }
}

void TestPlacementPerspective::aFigureFillsItsColumn() {
  QImage figure(devices().figureSize(420), QImage::Format_RGB32);
  QCOMPARE(figure.width(), 420);
  QPainter painter(&figure);
  devices().paintFigure(painter, 420);
  QVERIFY(figure.pixelColor(405, 60) != Theme::surface());
}

// Folded the axes are one line, and the list has their room; what is wrong with them unfolds them.
void TestPlacementPerspective::foldsTheAxesAway() {
  auto& fold = childOf<QAbstractButton>(*perspective, "axesFold");
  const int before = placements().height();
  QTest::mouseClick(&fold, Qt::LeftButton);
  QTRY_VERIFY(!axes().isVisible() && placements().height() > before + 100);
  QCOMPARE(label("axesFolded").text(), QStringLiteral("data 8 Σ · model 2 · shards 4 Σ"));
  Workspace wrong = *session->workspace();
  wrong.axes[0].size = 7;
  session->edit("Break the axes", wrong);
  QTRY_VERIFY(axes().isVisible());
  session->undoStack().undo();
  QTRY_VERIFY(!axes().isVisible());
  QTest::mouseClick(&fold, Qt::LeftButton);
  QTRY_VERIFY(axes().isVisible());
  waitForPlacements();
}

// What must not cross nodes is said once, and everything follows: rows, counts, the sentence when it cannot be.
void TestPlacementPerspective::keepsAnAxisInsideANode() {
  QCOMPARE(label("placementsCount").text(), QStringLiteral("5"));
  const QModelIndex inside = axes().model()->index(1, AxesModel::Inside);
  QCOMPARE(inside.data().toString(), QStringLiteral("anywhere"));
  axes().setCurrentIndex(inside);
  axes().setFocus();
  QTest::keyClick(&axes(), Qt::Key_F2);
  auto& box = childOf<QComboBox>(axes(), "cellEditor");
  QTest::keyClick(&box, Qt::Key_Down);
  QTest::keyClick(&box, Qt::Key_Return);
  QTRY_COMPARE(session->workspace()->axes[1].inside, std::string("node"));
  waitForPlacements();
  QTRY_COMPARE(label("placementsCount").text(), QStringLiteral("3 of 5"));
  QVERIFY(label("placementsCount").toolTip().contains("model inside a node"));
  QCOMPARE(placements().model()->rowCount(), 3);
  for (int row = 0; row < 3; ++row) {
    QVERIFY(cellText(placements(), row, PlacementsModel::Where).contains("model in node"));
  }
  session->undoStack().undo();
  waitForPlacements();
  QTRY_COMPARE(placements().model()->rowCount(), 5);
  Workspace tooMuch = *session->workspace();
  tooMuch.axes[0].inside = tooMuch.axes[2].inside = "node";
  session->edit("Keep both inside", tooMuch);
  QTRY_VERIFY(label("axesReduction").text().contains("8·4 = 32 is more than the 16 devices of one"));
}

void TestPlacementPerspective::closesWithAnOpenEditor() {
  const QModelIndex index = axes().model()->index(1, AxesModel::Size);
  axes().setCurrentIndex(index);
  axes().edit(index);
  QTest::keyClicks(&childOf<QLineEdit>(axes(), "cellEditor"), "8");
  perspective.reset();
  QCoreApplication::sendPostedEvents();
  QCOMPARE(session->workspace()->axes[1].size, std::int64_t(2));
}

QTEST_MAIN(TestPlacementPerspective)
#include "tst_placement_perspective.moc"
