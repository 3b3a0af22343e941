// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/placement/map_colouring.h"
#include "views/placement/split_text.h"

using namespace p2;
using namespace p2::views;

/// What a matrix and its parts say, and what another placement changes, in words and in colours.
class TestSplitText : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }
  void parts_data();
  void parts();
  void threeLevels();
  void differences_data();
  void differences();
  void coloursOfADifference();
  void coloursWithoutAny();
  void hulls();
};

void TestSplitText::parts_data() {
  QTest::addColumn<int>("axis");
  QTest::addColumn<int>("level");
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("sentence");
  QTest::newRow("factor across") << 0 << 0 << "data across nodes: 2"
                                 << "data is split 2 ways across nodes, 4 ways inside each node. Across nodes: A and "
                                    "B, 32 devices each.";
  QTest::newRow("factor inside") << 0 << 1 << "data inside each node: 4"
                                 << "data is split 2 ways across nodes, 4 ways inside each node. Inside each node: A, "
                                    "B, C and D, 16 devices each.";
  QTest::newRow("factor of one") << 2 << 0 << "shards across nodes: 1"
                                 << "shards is split 4 ways inside each node; not across nodes.";
  QTest::newRow("row") << 0 << -1 << "data, 8 ways, reduced over"
                       << "data is split 2 ways across nodes, 4 ways inside each node; devices that differ only in it "
                          "reduce together. On the map: A … H, 8 devices each.";
  QTest::newRow("other row") << 1 << -1 << "model, 2 ways"
                             << "model is split 2 ways across nodes; devices of different parts never reduce "
                                "together. On the map: A and B, 32 devices each.";
  QTest::newRow("column") << -1 << 0 << "4 nodes"
                          << "4 nodes: they split data 2 ways · model 2 ways. On the map: A, B, C and D, 16 devices "
                             "each.";
  QTest::newRow("last column") << -1 << 1 << "16 GPUs"
                               << "16 GPUs in each node: they split data 4 ways · shards 4 ways. On the map: A … P, 4 "
                                  "devices each.";
  QTest::newRow("nothing") << -1 << -1 << ""
                           << "";
}

void TestSplitText::parts() {
  QFETCH(int, axis);
  QFETCH(int, level);
  const Workspace workspace =
      test::workspaceOf("node:4 GPU:16", "data=8,model=2,shards=4", "data", "[[2,4],[2,1],[1,4]]");
  QVERIFY(checkMatrix(workspace.system, workspace.axes, workspace.matrix).ok());
  const Placement placement(workspace.axes, workspace.matrix);
  MatrixPart part;
  if (axis >= 0) part.axis = std::size_t(axis);
  if (level >= 0) part.level = std::size_t(level);
  QTEST(partName(workspace.system, placement, part), "name");
  QTEST(partSentence(workspace.system, placement, part), "sentence");
}

void TestSplitText::threeLevels() {
  const Workspace workspace = test::workspaceOf("rack:2 node:2 gpu:2", "data=8,model=1", "data", "[[2,2,2],[1,1,1]]");
  const Placement placement(workspace.axes, workspace.matrix);
  QCOMPARE(
      placementSentence(workspace.system, placement),
      QStringLiteral("data is split 2 ways across racks, 2 ways across nodes, 2 ways inside each node; model is not "
                     "split"));
  QCOMPARE(partSentence(workspace.system, placement, {1, std::nullopt}), QStringLiteral("model is not split."));
}

void TestSplitText::differences_data() {
  QTest::addColumn<QString>("before");
  QTest::addColumn<QString>("after");
  QTest::addColumn<QString>("sentence");
  QTest::newRow("across") << "[[1,4],[4,2]]"
                          << "[[4,1],[1,8]]"
                          << "All 32 devices change reduction partners; groups now cross nodes (4 each)";
  QTest::newRow("inside") << "[[4,1],[1,8]]"
                          << "[[1,4],[4,2]]"
                          << "All 32 devices change reduction partners; groups no longer cross nodes";
  QTest::newRow("more") << "[[2,2],[2,4]]"
                        << "[[4,1],[1,8]]"
                        << "All 32 devices change reduction partners; a group now touches 4 nodes instead of 2";
}

void TestSplitText::differences() {
  QFETCH(QString, before);
  QFETCH(QString, after);
  const Workspace workspace = test::workspaceOf("node:4 gpu:8", "data=4,tensor=8", "data");
  const PlacementDiff diff(Placement(workspace.axes, test::valueOf(parseMatrix(before.toStdString()))),
                           Placement(workspace.axes, test::valueOf(parseMatrix(after.toStdString()))));
  QTEST(diffSentence(workspace.system, diff), "sentence");
}

void TestSplitText::coloursOfADifference() {
  const Workspace workspace = test::workspaceOf("a:4 b:6", "6,2,2", "0,1");
  const Placement one(workspace.axes, test::valueOf(parseMatrix("[[1,6],[2,1],[2,1]]")));
  int looked = 0;
  int kept = 0;
  MatrixEnumerator enumerator({6, 2, 2}, {4, 6});
  while (enumerator.next()) {
    const Placement other(workspace.axes, enumerator.matrix());
    const auto shared = std::make_shared<const Placement>(one);
    const MapColouring colouring(other, shared);
    for (const Device device : one.devices()) {
      const MapColouring::Look look = colouring.of(device);
      const DeviceGroup before = one.groupMembers(one.groupOf(device));
      const DeviceGroup after = other.groupMembers(other.groupOf(device));
      QCOMPARE(look.back, before == after);
      QCOMPARE(look.ring, before != after);
      QCOMPARE(look.category, int(other.groupOf(device)));
      if (before != after) QVERIFY(look.letter.contains(u'→') || look.letter.contains(u'≠'));
      kept += before == after ? 1 : 0;
      ++looked;
    }
  }
  QVERIFY(kept > 0 && kept < looked);
}

void TestSplitText::coloursWithoutAny() {
  const Workspace workspace = test::workspaceOf("node:2 gpu:4", "data=4,model=2", "data", "[[2,2],[1,2]]");
  const Placement placement(workspace.axes, workspace.matrix);
  // What does not divide leaves the groups.
  const MapColouring colouring(placement, MatrixPart{1, 0});
  QVERIFY(!colouring.showsParts());
  QCOMPARE(colouring.of(Device(1)).category, 1);
  QCOMPARE(colouring.of(Device(1)).letter, QStringLiteral("B"));
  QVERIFY(colouring.hulls(layoutDevices(workspace.system, {40, 30}, 1.5, 4096)).empty());
}

void TestSplitText::hulls() {
  const Workspace workspace = test::workspaceOf("node:4 gpu:4", "data=4,model=4", "data", "[[2,2],[2,2]]");
  const Placement placement(workspace.axes, workspace.matrix);
  const DeviceMap map = layoutDevices(workspace.system, {40, 30}, 1.5, 4096);
  for (const MatrixPart part : {MatrixPart{0, 0}, MatrixPart{0, 1}, MatrixPart{0, {}}, MatrixPart{{}, 0}}) {
    const MapColouring colouring(placement, part);
    const auto hulls = colouring.hulls(map);
    QCOMPARE(std::int64_t(hulls.size()), DeviceSplit(placement, part).parts());
    for (const DeviceMap::Cell& cell : map.cells) {
      for (const MapColouring::Hull& hull : hulls) {
        QCOMPARE(hull.path.contains(cell.rect.center()), hull.part == colouring.of(cell.device).category);
      }
    }
  }
  // Devices side by side have one outline.
  QCOMPARE(MapColouring(placement, MatrixPart{0, 1}).hulls(map)[0].path.toSubpathPolygons().size(), qsizetype(4));
  QCOMPARE(MapColouring(placement, MatrixPart{0, 0}).hulls(map)[0].boxes.size(), std::size_t(2));
}

QTEST_GUILESS_MAIN(TestSplitText)
#include "tst_split_text.moc"
