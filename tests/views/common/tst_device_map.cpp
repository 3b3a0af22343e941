// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/common/device_map.h"

using namespace p2;
using namespace p2::views;

/// The layout of nested boxes, as geometry.
class TestDeviceMap : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }
  void everythingHasItsPlace_data();
  void everythingHasItsPlace();
  void leavesOutWhatIsTooMuch();
  void findsTheDeviceAtAPoint();
  void walksToNeighbours();
  void namesInstancesAsTheTopologyDoes();
};

namespace {

constexpr QSizeF kCell{40, 24};

DeviceMap mapOf(const char* system, std::int64_t most = 4096) {
  return layoutDevices(test::valueOf(parseSystem(system)), kCell, 1.5, most);
}

template <class Shapes>
bool anyOverlap(const Shapes& shapes) {
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (std::size_t j = i + 1; j < shapes.size(); ++j) {
      if (shapes[i].rect.intersects(shapes[j].rect)) return true;
    }
  }
  return false;
}

}  // namespace

void TestDeviceMap::everythingHasItsPlace_data() {
  QTest::addColumn<QString>("system");
  QTest::addColumn<int>("boxes");
  for (const auto& [system, boxes] : std::vector<std::pair<const char*, int>>{
           {"gpu:1", 0}, {"gpu:7", 0}, {"node:4 gpu:16", 4}, {"rack:1 server:2 cpu:2 gpu:4", 7}, {"a:3 b:5 c:2", 18}}) {
    QTest::newRow(system) << QString(system) << boxes;
  }
}

void TestDeviceMap::everythingHasItsPlace() {
  QFETCH(QString, system);
  QFETCH(int, boxes);
  const System described = test::valueOf(parseSystem(system.toStdString()));
  const DeviceMap map = layoutDevices(described, kCell, 1.5, 4096);
  QVERIFY(map.complete);
  QCOMPARE(std::ssize(map.cells), described.deviceCount());
  QCOMPARE(int(map.boxes.size()), boxes);
  QVERIFY(!anyOverlap(map.cells));
  for (std::size_t i = 0; i < map.cells.size(); ++i) {
    QCOMPARE(map.cells[i].device, Device(std::int64_t(i)));
    QCOMPARE(map.cells[i].rect.size(), kCell);
    QVERIFY(map.bounds.contains(map.cells[i].rect));
  }
  for (std::size_t level = 0; level + 1 < described.levels.size(); ++level) {
    std::vector<DeviceMap::Box> own;
    std::int64_t below = 1;
    for (std::size_t inner = level + 1; inner < described.levels.size(); ++inner) {
      below *= described.levels[inner].count;
    }
    for (const DeviceMap::Box& box : map.boxes) {
      if (box.level != int(level)) continue;
      own.push_back(box);
      QVERIFY(map.bounds.contains(box.rect));
      for (const DeviceMap::Cell& cell : map.cells) {
        QCOMPARE(box.rect.contains(cell.rect), cell.device.value() / below == box.instance);
        if (box.rect.contains(cell.rect)) QVERIFY(cell.rect.top() >= box.rect.top() + DeviceMap::kTitleHeight);
      }
    }
    QVERIFY(!anyOverlap(own));
  }
}

void TestDeviceMap::leavesOutWhatIsTooMuch() {
  const DeviceMap wide = mapOf("node:4096 gpu:16");
  QVERIFY(!wide.complete);
  QCOMPARE(int(wide.cells.size()), 4096);
  QCOMPARE(int(wide.boxes.size()), 256);
  const DeviceMap deep = mapOf("node:3 gpu:3000", 4096);
  QCOMPARE(int(deep.cells.size()), 4096);
  QCOMPARE(int(deep.boxes.size()), 2);
  QVERIFY(deep.bounds.contains(deep.cells.back().rect));
}

void TestDeviceMap::findsTheDeviceAtAPoint() {
  const DeviceMap map = mapOf("node:2 gpu:4");
  for (const DeviceMap::Cell& cell : map.cells) QCOMPARE(map.deviceAt(cell.rect.center()), cell.device);
  QCOMPARE(map.deviceAt(map.boxes[0].rect.topLeft() + QPointF(2, 2)), Device());
  QCOMPARE(map.deviceAt({-10, -10}), Device());
}

void TestDeviceMap::walksToNeighbours() {
  const DeviceMap map = mapOf("gpu:16");
  const auto columns = std::count_if(map.cells.begin(), map.cells.end(),
                                     [&](const DeviceMap::Cell& cell) { return cell.rect.top() == map.bounds.top(); });
  QCOMPARE(map.neighbour(Device(0), {1, 0}), Device(1));
  QCOMPARE(map.neighbour(Device(1), {-1, 0}), Device(0));
  QCOMPARE(map.neighbour(Device(0), {0, 1}), Device(columns));
  QCOMPARE(map.neighbour(Device(0), {0, -1}), Device(0));
  QCOMPARE(map.neighbour(Device(15), {1, 0}), Device(15));
  QCOMPARE(map.neighbour(Device(), {1, 0}), Device(0));
}

void TestDeviceMap::namesInstancesAsTheTopologyDoes() {
  const System system = test::valueOf(parseSystem("rack:1 server:2 cpu:2 gpu:4@ring"));
  const Topology topology(test::valid(system));
  for (const LinkId link : topology.links()) {
    const auto [from, to] = topology.ends(link);
    const Place& place = from.kind == Place::Kind::Level ? from : to;
    const QString name = instanceName(system, int(place.index), place.instance);
    QVERIFY2(QString::fromStdString(topology.linkName(link)).startsWith(name + ' '), qPrintable(name));
  }
  QCOMPARE(instanceName(system, 3, 13), QStringLiteral("gpu 1 of cpu 1 of server 1"));
}

QTEST_GUILESS_MAIN(TestDeviceMap)
#include "tst_device_map.moc"
