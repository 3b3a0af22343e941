// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>

#include "placement/placement_diff.h"
#include "support/fixtures.h"

using namespace p2;

namespace {

std::vector<ParallelismMatrix> allMatrices(const std::vector<std::int64_t>& sizes,
                                           const std::vector<std::int64_t>& counts) {
  std::vector<ParallelismMatrix> matrices;
  MatrixEnumerator enumerator(sizes, counts);
  while (enumerator.next()) matrices.push_back(enumerator.matrix());
  return matrices;
}

QString changedDevices(const PlacementDiff& diff) {
  QString text;
  for (std::int64_t device = 0; device < diff.deviceCount(); ++device) text += diff.changes(Device(device)) ? 'x' : '.';
  return text;
}

PlacementDiff diffOf(const char* system, const char* axes, const char* reduce, const char* before, const char* after) {
  const Workspace workspace = test::workspaceOf(system, axes, reduce);
  return {Placement(workspace.axes, test::valueOf(parseMatrix(before))),
          Placement(workspace.axes, test::valueOf(parseMatrix(after)))};
}

}  // namespace

/// Which devices reduce with other partners when they are placed otherwise.
class TestPlacementDiff : public QObject {
  Q_OBJECT
 private slots:
  void movesAcrossNodes() {
    const PlacementDiff diff = diffOf("node:2 gpu:4", "data=2,model=4", "data", "[[1,2],[2,2]]", "[[2,1],[1,4]]");
    QCOMPARE(diff.changedCount(), 8);
    QCOMPARE(diff.spans().size(), 1u);
    QCOMPARE(diff.spans()[0], (PlacementDiff::Span{0, 1, 2}));
  }

  /// Factors of the same axes on other levels below, but the group of a level stays what it was.
  void keepsPartnersWhereOnlyCoordinatesChange() {
    const PlacementDiff diff =
        diffOf("node:2 gpu:4", "data=2,shards=4", "data,shards", "[[2,1],[1,4]]", "[[1,2],[2,2]]");
    QCOMPARE(diff.changedCount(), 0);
    QCOMPARE(changedDevices(diff), QStringLiteral("........"));
    QVERIFY(diff.spans().empty());
  }

  /// Sometimes all devices change their partners, sometimes none, sometimes some.
  void somePartnersStay() {
    std::set<std::int64_t> counts;
    const auto matrices = allMatrices({6, 2, 2}, {4, 6});
    const Workspace workspace = test::workspaceOf("a:4 b:6", "6,2,2", "0,1");
    for (const ParallelismMatrix& a : matrices) {
      for (const ParallelismMatrix& b : matrices) {
        counts.insert(PlacementDiff(Placement(workspace.axes, a), Placement(workspace.axes, b)).changedCount());
      }
    }
    QVERIFY(counts.count(0) == 1);
    QVERIFY(counts.size() > 1);
  }

  void agreesWithTheGroups_data() {
    QTest::addColumn<QString>("reduce");
    for (const char* reduce : {"0", "1", "2", "0,1", "0,2", "1,2", "0,1,2"}) QTest::newRow(reduce) << reduce;
  }
  /// Every pair of placements, device by device.
  void agreesWithTheGroups() {
    QFETCH(QString, reduce);
    const Workspace workspace = test::workspaceOf("a:4 b:6 c:4", "4,6,4", "0");
    const auto axes = test::valueOf(withReduction(workspace.axes, reduce.toStdString()));
    const auto matrices = allMatrices({4, 6, 4}, {4, 6, 4});
    QVERIFY(matrices.size() > 5);
    for (const ParallelismMatrix& a : matrices) {
      const Placement before(axes, a);
      for (const ParallelismMatrix& b : matrices) {
        const Placement after(axes, b);
        const PlacementDiff diff(before, after);
        QCOMPARE(diff.deviceCount(), 96);
        std::int64_t changed = 0;
        for (const Device device : before.devices()) {
          const bool expected =
              before.groupMembers(before.groupOf(device)) != after.groupMembers(after.groupOf(device));
          QCOMPARE(diff.changes(device), expected);
          changed += expected ? 1 : 0;
        }
        QCOMPARE(diff.changedCount(), changed);
        QCOMPARE(PlacementDiff(after, before).changedCount(), changed);
        if (a == b) QVERIFY(changed == 0 && diff.spans().empty());
      }
    }
  }

  /// Instances that a group touches, counted on its devices.
  void spansAgreeWithTheGroups() {
    const std::vector<std::int64_t> below{24, 4};
    const Workspace workspace = test::workspaceOf("a:4 b:6 c:4", "4,6,4", "0,2");
    const auto matrices = allMatrices({4, 6, 4}, {4, 6, 4});
    const auto touched = [&](const Placement& placement, std::size_t level) {
      std::set<std::int64_t> instances;
      for (const Device device : placement.groupMembers(0)) instances.insert(device.value() / below[level]);
      return std::ssize(instances);
    };
    for (const ParallelismMatrix& a : matrices) {
      for (const ParallelismMatrix& b : matrices) {
        const Placement before(workspace.axes, a);
        const Placement after(workspace.axes, b);
        std::vector<PlacementDiff::Span> expected;
        for (std::size_t level = 0; level < below.size(); ++level) {
          const PlacementDiff::Span span{level, touched(before, level), touched(after, level)};
          if (span.before != span.after) expected.push_back(span);
        }
        QVERIFY(PlacementDiff(before, after).spans() == expected);
      }
    }
  }

  /// Nothing walks the devices, of which there are a million here.
  void largeSystems() {
    const PlacementDiff diff =
        diffOf("pod:1024 gpu:1024", "data=1024,model=1024", "data", "[[1024,1],[1,1024]]", "[[512,2],[2,512]]");
    QCOMPARE(diff.deviceCount(), std::int64_t(1) << 20);
    QCOMPARE(diff.changedCount(), std::int64_t(1) << 20);
    QCOMPARE(diff.spans()[0], (PlacementDiff::Span{0, 1024, 512}));
  }
};

QTEST_APPLESS_MAIN(TestPlacementDiff)
#include "tst_placement_diff.moc"
