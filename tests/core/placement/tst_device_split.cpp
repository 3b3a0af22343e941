// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <map>
#include <set>

#include "placement/device_split.h"
#include "support/filled.h"
#include "support/fixtures.h"

using namespace p2;

namespace {

/// Every part of a matrix that can be looked at.
std::vector<MatrixPart> allParts(const ParallelismMatrix& matrix) {
  std::vector<MatrixPart> parts;
  for (std::size_t axis = 0; axis < matrix.rows(); ++axis) {
    parts.push_back({axis, std::nullopt});
    for (std::size_t level = 0; level < matrix.columns(); ++level) parts.push_back({axis, level});
  }
  for (std::size_t level = 0; level < matrix.columns(); ++level) parts.push_back({std::nullopt, level});
  return parts;
}

QString partsOf(const DeviceSplit& split, std::int64_t devices) {
  QString text;
  for (std::int64_t device = 0; device < devices; ++device) text += QString::number(split.partOf(Device(device)));
  return text;
}

}  // namespace

/// Devices divided by a factor, a row or a column of a matrix.
class TestDeviceSplit : public QObject {
  Q_OBJECT
 private slots:
  void dividesByPart_data() {
    QTest::addColumn<int>("axis");
    QTest::addColumn<int>("level");
    QTest::addColumn<QString>("parts");
    // [[2,2],[1,2]] on two nodes of four: data outside and in the upper half of a node, model in pairs.
    QTest::newRow("data across nodes") << 0 << 0 << "00001111";
    QTest::newRow("data inside") << 0 << 1 << "00110011";
    QTest::newRow("data") << 0 << -1 << "00112233";
    QTest::newRow("model across nodes") << 1 << 0 << "00000000";
    QTest::newRow("model inside") << 1 << 1 << "01010101";
    QTest::newRow("nodes") << -1 << 0 << "00001111";
    QTest::newRow("gpus") << -1 << 1 << "01230123";
    QTest::newRow("nothing") << -1 << -1 << "00000000";
  }
  void dividesByPart() {
    QFETCH(int, axis);
    QFETCH(int, level);
    const Workspace workspace = test::workspaceOf("node:2 gpu:4", "data=4,model=2", "data", "[[2,2],[1,2]]");
    MatrixPart part;
    if (axis >= 0) part.axis = std::size_t(axis);
    if (level >= 0) part.level = std::size_t(level);
    QTEST(partsOf(DeviceSplit(Placement(workspace.axes, workspace.matrix), part), 8), "parts");
  }

  /// As many parts as the matrix says, of equal size, and those of a row are the coordinates.
  void partsAreEqual() {
    const Workspace workspace = test::workspaceOf("a:4 b:6 c:4", "4,6,4", "0,2");
    MatrixEnumerator enumerator({4, 6, 4}, {4, 6, 4});
    int looked = 0;
    int rows = 0;
    while (enumerator.next()) {
      const ParallelismMatrix& matrix = enumerator.matrix();
      const Placement placement(workspace.axes, matrix);
      for (const MatrixPart& part : allParts(matrix)) {
        const DeviceSplit split(placement, part);
        const std::int64_t expected = part.isFactor() ? matrix.at(*part.axis, *part.level)
                                      : part.axis     ? workspace.axes[*part.axis].size
                                                      : workspace.system.levels[*part.level].count;
        QCOMPARE(split.parts(), expected);
        std::map<std::int64_t, int> sizes;
        for (const Device device : placement.devices()) {
          ++sizes[split.partOf(device)];
          if (part.axis && !part.level) QCOMPARE(split.partOf(device), placement.coordinates(device)[*part.axis]);
        }
        QCOMPARE(std::int64_t(sizes.size()), expected);
        for (const auto& [number, size] : sizes) {
          QVERIFY(number >= 0 && number < expected);
          QCOMPARE(std::int64_t(size) * expected, placement.deviceCount());
        }
        ++looked;
        rows += part.axis && !part.level ? 1 : 0;
      }
    }
    QVERIFY(looked > 100 && rows > 30);
  }

  /// Instances of the whole level lie in one part each, those of the level above do not.
  void wholeLevelIsTheOutermost() {
    const std::vector<std::int64_t> below{24, 4, 1};  // devices of an instance of each level
    const Workspace workspace = test::workspaceOf("a:4 b:6 c:4", "4,6,4", "0,2");
    MatrixEnumerator enumerator({4, 6, 4}, {4, 6, 4});
    while (enumerator.next()) {
      const Placement placement(workspace.axes, enumerator.matrix());
      for (const MatrixPart& part : test::filled(allParts(enumerator.matrix()))) {
        const DeviceSplit split(placement, part);
        const auto mixes = [&](std::int64_t devices) {
          for (const Device device : placement.devices()) {
            const Device first(device.value() / devices * devices);
            if (split.partOf(device) != split.partOf(first)) return true;
          }
          return false;
        };
        QCOMPARE(split.wholeLevel().has_value(), split.parts() > 1);
        if (!split.wholeLevel()) continue;
        const std::size_t level = *split.wholeLevel();
        QVERIFY(!mixes(below[level]));
        QVERIFY(mixes(level == 0 ? placement.deviceCount() : below[level - 1]));
      }
    }
  }

  /// Against what the devices of a group really touch.
  void countsTouchedInstances() {
    const std::vector<std::int64_t> below{24, 4, 1};
    const Workspace workspace = test::workspaceOf("a:4 b:6 c:4", "4,6,4", "0,2");
    MatrixEnumerator enumerator({4, 6, 4}, {4, 6, 4});
    while (enumerator.next()) {
      const Placement placement(workspace.axes, enumerator.matrix());
      for (std::int64_t group = 0; group < placement.groupCount(); ++group) {
        for (std::size_t level = 0; level < below.size(); ++level) {
          std::set<std::int64_t> touched;
          for (const Device device : placement.groupMembers(group)) touched.insert(device.value() / below[level]);
          QCOMPARE(instancesTouched(enumerator.matrix(), {true, false, true}, level), std::ssize(touched));
        }
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestDeviceSplit)
#include "tst_device_split.moc"
