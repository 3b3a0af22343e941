// SPDX-License-Identifier: GPL-3.0-or-later
#include <QContextMenuEvent>
#include <QMenu>
#include <QSignalSpy>
#include <QToolButton>

#include "tests/views/placement/placement_desk.h"
#include "views/placement/matrix_view.h"
#include "views/placement/placements_model.h"

using namespace p2;
using namespace p2::views;
using p2::test::cellText;
using p2::test::childOf;

/// The matrix and the map explain each other, and two placements are compared, by mouse and keys.
class TestPlacementExplained : public QObject, private test::PlacementDesk {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() {
    setUp();
    // What comes beside the placements takes room from the matrix.
    QTRY_VERIFY(session->jobs().running().empty());
    session->select(placementOf("[[1,8],[2,1],[2,2]]"));
  }
  void cleanup() { clearAway(); }
  void saysHowAxesAreSplit();
  void hoveredFactorDividesTheDevices();
  void hoveredHeadingsLightUp();
  void keysWalkTheMatrix();
  void clickKeepsWhatIsPointedAt();
  void hullsAreDrawn();
  void ctrlClickCompares();
  void ctrlSpaceCompares();
  void menuCompares();
  void rowMenuCompares();
  void comparisonFollowsTheSelection();
  void comparisonOutlivesAnExploration();
  void comparisonEndsWithItsQuestion();
  void itemsAreTold();

 private:
  [[nodiscard]] MatrixView& matrix() const { return childOf<MatrixView>(*perspective, "placementMatrix"); }
  [[nodiscard]] QString sentence() const { return label("hoveredDevice").text(); }
  [[nodiscard]] int placementOf(const char* text) const {
    const auto& placements = session->exploration()->placements;
    for (std::size_t i = 0; i < placements.size(); ++i) {
      if (placements[i].matrix.text() == text) return int(i);
    }
    return -1;
  }
  [[nodiscard]] QModelIndex rowOf(const char* text) const {
    for (int row = 0; row < placements().model()->rowCount(); ++row) {
      if (cellText(placements(), row, PlacementsModel::Matrix) == text) {
        return placements().model()->index(row, PlacementsModel::Matrix);
      }
    }
    return {};
  }
  void hover(const MatrixPart& part) const {
    // A matrix that has just come is laid out only then.
    QTRY_VERIFY(QRectF(matrix().rect()).contains(matrix().rectOf(part)));
    test::moveMouseOver(matrix(), matrix().rectOf(part).center().toPoint());
    QTRY_VERIFY(matrix().part() == part);
  }
  void ctrlClick(const QModelIndex& index) const {
    QTest::mouseClick(placements().viewport(), Qt::LeftButton, Qt::ControlModifier,
                      placements().visualRect(index).center());
  }
  [[nodiscard]] QColor colourOf(Device device) const {
    const QRectF cell = devices().map().cells[device.index()].rect;
    const QPointF at = devices().toWidget(QPointF(cell.center().x(), cell.bottom() - 5));
    return devices().grab().toImage().pixelColor(at.toPoint());
  }
};

void TestPlacementExplained::saysHowAxesAreSplit() {
  QCOMPARE(selectedMatrix(), QStringLiteral("[[1,8],[2,1],[2,2]]"));
  QCOMPARE(sentence(),
           QStringLiteral("data is split 8 ways inside each node; model is split 2 ways across nodes; shards "
                          "is split 2 ways across nodes, 2 ways inside each node."));
}

void TestPlacementExplained::hoveredFactorDividesTheDevices() {
  // Node by node, model and shards: 0/0 0/1 1/0 1/1.
  QCOMPARE(colourOf(Device(0)), colourOf(Device(16)));
  QVERIFY(colourOf(Device(0)) != colourOf(Device(32)));
  hover({2, 0});
  QVERIFY(sentence().startsWith("shards is split 2 ways across nodes, 2 ways inside each node. Across nodes: A and B"));
  QVERIFY(colourOf(Device(0)) != colourOf(Device(16)));
  QCOMPARE(colourOf(Device(0)), colourOf(Device(15)));
  QCOMPARE(colourOf(Device(0)), colourOf(Device(32)));
  QVERIFY(devices().legend().endsWith("parts"));
  // Away from the matrix its groups come back.
  test::moveMouseOver(label("devicesLegend"), {4, 4});
  QTRY_VERIFY(matrix().part().empty());
  QCOMPARE(colourOf(Device(0)), colourOf(Device(16)));
}

void TestPlacementExplained::hoveredHeadingsLightUp() {
  hover({0, std::nullopt});
  QVERIFY(sentence().contains("devices that differ only in it reduce together"));
  QVERIFY(colourOf(Device(0)) != colourOf(Device(2)));
  QCOMPARE(colourOf(Device(0)), colourOf(Device(1)));
  hover({std::nullopt, 0});
  QVERIFY(sentence().startsWith("4 nodes: they split model 2 ways · shards 2 ways."));
  QCOMPARE(colourOf(Device(0)), colourOf(Device(15)));
  for (const std::int64_t other : {16, 32, 48}) QVERIFY(colourOf(Device(0)) != colourOf(Device(other)));
}

void TestPlacementExplained::keysWalkTheMatrix() {
  label("devicesLegend").setFocus();
  matrix().setFocus(Qt::TabFocusReason);
  QVERIFY(matrix().part() == (MatrixPart{0, 0}));
  QTest::keyClick(&matrix(), Qt::Key_Down);
  QVERIFY(matrix().part() == (MatrixPart{1, 0}));
  QVERIFY(sentence().startsWith("model is split 2 ways across nodes."));
  QTest::keyClick(&matrix(), Qt::Key_Left);
  QVERIFY(matrix().part() == (MatrixPart{1, std::nullopt}));
  QTest::keyClick(&matrix(), Qt::Key_Up);
  QTest::keyClick(&matrix(), Qt::Key_Up);
  QVERIFY2(matrix().part() == (MatrixPart{0, std::nullopt}), "the corner is no part");
  QTest::keyClick(&matrix(), Qt::Key_Right);
  QTest::keyClick(&matrix(), Qt::Key_Up);
  QVERIFY(matrix().part() == (MatrixPart{std::nullopt, 0}));
  QTest::keyClick(&matrix(), Qt::Key_Escape);
  QVERIFY(matrix().part().empty());
  QTest::keyClick(&matrix(), Qt::Key_Right);
  axes().setFocus(Qt::TabFocusReason);
  QVERIFY(matrix().part().empty());
}

void TestPlacementExplained::clickKeepsWhatIsPointedAt() {
  const QPoint at = matrix().rectOf({1, 0}).center().toPoint();
  QTest::mouseClick(&matrix(), Qt::LeftButton, {}, at);
  test::moveMouseOver(label("devicesLegend"), {4, 4});
  axes().setFocus();
  QVERIFY(matrix().part() == (MatrixPart{1, 0}));
  QVERIFY(devices().colouring().showsParts());
  QTest::mouseClick(&matrix(), Qt::LeftButton, {}, at);
  test::moveMouseOver(label("devicesLegend"), {4, 4});
  QTRY_VERIFY(matrix().part().empty());
}

void TestPlacementExplained::hullsAreDrawn() {
  const auto outside = [this] {
    const QRectF box = devices().map().boxes[0].rect;
    return devices().grab().toImage().pixelColor(
        devices().toWidget(QPointF(box.left() - 3, box.center().y())).toPoint());
  };
  const QColor rest = outside();
  hover({2, 0});
  QVERIFY(outside() != rest);
}

void TestPlacementExplained::ctrlClickCompares() {
  const QModelIndex other = rowOf("[[4,2],[1,2],[1,4]]");
  const QColor before = colourOf(Device(5));
  ctrlClick(other);
  QCOMPARE(selectedMatrix(), QStringLiteral("[[1,8],[2,1],[2,2]]"));
  QVERIFY(cellText(placements(), other.row(), PlacementsModel::Mark).endsWith(u'⇄'));
  const auto& diff = devices().colouring().diff();
  QVERIFY(diff.has_value());
  QVERIFY2(sentence().startsWith("Compared with [[4,2],[1,2],[1,4]]: All 64 devices change reduction partners"),
           qPrintable(sentence()));
  QVERIFY(label("devicesLegend").text().startsWith("A→B"));
  QCOMPARE(colourOf(Device(5)), before);
  ctrlClick(other);
  QVERIFY(!devices().colouring().diff());
  QVERIFY(!cellText(placements(), other.row(), PlacementsModel::Mark).contains(u'⇄'));
}

void TestPlacementExplained::ctrlSpaceCompares() {
  placements().setFocus();
  QTest::keyClick(&placements(), Qt::Key_Space, Qt::ControlModifier);
  QCOMPARE(sentence(), QStringLiteral("This is the placement to compare with. Select another to see what changes."));
  QTest::keyClick(&placements(), Qt::Key_Down);
  QVERIFY(sentence().startsWith("Compared with [[1,8],[2,1],[2,2]]: "));
  session->setHoveredDevice(Device(0));
  QVERIFY(sentence().startsWith("device 0 · "));
}

void TestPlacementExplained::menuCompares() {
  auto& button = childOf<QToolButton>(*perspective, "compareButton");
  auto& menu = childOf<QMenu>(button, "compareMenu");
  const auto trigger = [&](const char* name) { menu.findChild<QAction*>(name)->trigger(); };
  QVERIFY(!menu.findChild<QAction*>("compareNone")->isEnabled());
  QVERIFY(!menu.findChild<QAction*>("compareBest")->isEnabled() ||
          session->placementIndex() != session->exploration()->bestPlacement);
  trigger("compareDefault");
  QVERIFY(devices().colouring().diff().has_value());
  trigger("compareNone");
  QVERIFY(!devices().colouring().diff().has_value());
}

void TestPlacementExplained::rowMenuCompares() {
  const QPoint at = placements().visualRect(rowOf("[[4,2],[1,2],[1,4]]")).center();
  QTest::mouseClick(placements().viewport(), Qt::RightButton, {}, at);
  QCOMPARE(selectedMatrix(), QStringLiteral("[[1,8],[2,1],[2,2]]"));
  QContextMenuEvent event(QContextMenuEvent::Mouse, at, placements().viewport()->mapToGlobal(at));
  QCoreApplication::sendEvent(placements().viewport(), &event);
  auto& menu = childOf<QMenu>(placements(), "placementRowMenu");
  menu.actions().first()->trigger();
  menu.close();
  QVERIFY(sentence().startsWith("Compared with [[4,2],[1,2],[1,4]]: "));
}

void TestPlacementExplained::comparisonFollowsTheSelection() {
  ctrlClick(rowOf("[[2,4],[2,1],[1,4]]"));
  QCOMPARE(sentence(), QStringLiteral("Compared with [[2,4],[2,1],[1,4]]: All 64 devices change reduction partners."));
  session->select(placementOf("[[2,4],[1,2],[2,2]]"));
  QVERIFY2(sentence().contains("change reduction partners; a group now touches 4 nodes instead of 2"),
           qPrintable(sentence()));
}

void TestPlacementExplained::comparisonOutlivesAnExploration() {
  ctrlClick(rowOf("[[2,4],[2,1],[1,4]]"));
  Workspace workspace = *session->workspace();
  workspace.axes[1].reduce = true;
  session->edit("reduce", workspace);
  waitForPlacements();
  QVERIFY(devices().other() != nullptr);
  QCOMPARE(devices().other()->matrix().text(), std::string("[[2,4],[2,1],[1,4]]"));
  workspace.axes = test::valueOf(withReduction(test::valueOf(parseAxes("data=64")), "data"));
  session->edit("one axis", workspace);
  waitForPlacements();
  QVERIFY(devices().other() == nullptr);
}

// The matrix of other axes is another placement, even if it has the same factors; so is that of another document.
void TestPlacementExplained::comparisonEndsWithItsQuestion() {
  ctrlClick(rowOf("[[2,4],[2,1],[1,4]]"));
  Workspace workspace = *session->workspace();
  workspace.axes[0].name = "stages";
  session->edit("rename", workspace);
  waitForPlacements();
  QVERIFY(devices().other() == nullptr);
  ctrlClick(rowOf("[[2,4],[2,1],[1,4]]"));
  QVERIFY(devices().other() != nullptr);
  session->reset(*session->workspace());
  waitForPlacements();
  QVERIFY(devices().other() == nullptr);
}

void TestPlacementExplained::itemsAreTold() {
  QCOMPARE(matrix().itemCount(), 11);
  QCOMPARE(matrix().itemAt(0).name, QStringLiteral("4 nodes"));
  QCOMPARE(matrix().itemAt(2).name, QStringLiteral("data, 8 ways, reduced over"));
  QCOMPARE(matrix().itemAt(4).name, QStringLiteral("data inside each node: 8"));
  QCOMPARE(devices().itemCount(), 64);
  QCOMPARE(devices().itemAt(17).name, QStringLiteral("device 17 · gpu 1 of node 1"));
}

QTEST_MAIN(TestPlacementExplained)
#include "tst_placement_explained.moc"
