// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <numeric>

#include "views/stage/stage_desk.h"
#include "views/stage/stage_routes.h"
#include "views/stage/wire_bundles.h"

using namespace p2;
using namespace p2::views;

/// Wires that are too many to be told apart become ribbons, and none is lost.
class TestWireBundles : public QObject {
  Q_OBJECT
 private slots:
  void bundlesByNode_data();
  void bundlesByNode();
  void oneLevel();
  void nothing();
};

namespace {

/// From every device to every other one of its node, and to the same one of every other node.
std::vector<std::vector<Place>> busyPaths(const Topology& topology, std::int64_t perNode) {
  const StageRoutes routes(topology);
  std::vector<std::vector<Place>> paths;
  const std::int64_t devices = topology.system()->deviceCount();
  for (std::int64_t from = 0; from < devices; ++from) {
    for (std::int64_t to = 0; to < devices; ++to) {
      const bool sameNode = from / perNode == to / perNode;
      if (from != to && (sameNode || from % perNode == to % perNode)) {
        paths.push_back(routes.between(Device(from), Device(to)));
      }
    }
  }
  return paths;
}

}  // namespace

void TestWireBundles::bundlesByNode_data() {
  QTest::addColumn<QString>("system");
  QTest::addColumn<int>("perNode");
  QTest::addColumn<int>("most");
  QTest::newRow("two levels") << "node:16 gpu:8" << 8 << 100;
  QTest::newRow("three levels") << "rack:4 node:4 gpu:8" << 8 << 100;
  QTest::newRow("only racks") << "rack:4 node:4 gpu:8" << 8 << 8;
  QTest::newRow("everything") << "rack:4 node:4 gpu:8" << 8 << 1;
}

void TestWireBundles::bundlesByNode() {
  QFETCH(QString, system);
  QFETCH(int, perNode);
  QFETCH(int, most);
  const ValidSystem valid = test::validFrom(system.toStdString());
  const Topology topology(valid);
  const auto paths = busyPaths(topology, perNode);
  std::set<std::pair<Place, Place>> wires;
  for (const std::vector<Place>& path : paths) {
    for (std::size_t i = 1; i < path.size(); ++i) {
      if (path[i - 1] != path[i]) wires.emplace(std::minmax(path[i - 1], path[i]));
    }
  }
  const DeviceMap map = layoutDevices(*valid, {20, 20}, 1.5, 4096);
  const auto bundles = bundledWires(*valid, StagePlaces(*valid, map), paths, std::size_t(most));
  QVERIFY(!bundles.empty());
  QVERIFY(bundles.size() <= std::size_t(most));
  std::int64_t joined = 0;
  for (const WireBundle& bundle : bundles) {
    joined += bundle.wires;
    QVERIFY(bundle.line.length() > 0);
    QVERIFY(map.bounds.contains(bundle.line.p1()) && map.bounds.contains(bundle.line.p2()));
  }
  QCOMPARE(joined, std::int64_t(wires.size()));
}

void TestWireBundles::oneLevel() {
  const ValidSystem valid = test::validFrom("gpu:8");
  const Topology topology(valid);
  const DeviceMap map = layoutDevices(*valid, {20, 20}, 1.5, 4096);
  const auto bundles = bundledWires(*valid, StagePlaces(*valid, map), busyPaths(topology, 8), 4);
  QCOMPARE(bundles.size(), std::size_t(1));
  QCOMPARE(bundles[0].wires, 8);
}

void TestWireBundles::nothing() {
  const ValidSystem valid = test::validFrom("node:2 gpu:8");
  const DeviceMap map = layoutDevices(*valid, {20, 20}, 1.5, 4096);
  QVERIFY(bundledWires(*valid, StagePlaces(*valid, map), {}, 4).empty());
}

QTEST_GUILESS_MAIN(TestWireBundles)
#include "tst_wire_bundles.moc"
