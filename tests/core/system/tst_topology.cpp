// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>

#include "support/fixtures.h"
#include "system/detail/route_search.h"
#include "system/torus_routes.h"
#include "tests/core/system/route_text.h"

using namespace p2;
using p2::test::routeText;

class TestTopology : public QObject {
  Q_OBJECT

 private slots:
  void switchesArePassedPortByPort() {
    const Topology topology(test::validFrom("node:2 gpu:4"));
    QCOMPARE(routeText(topology, 1, 3), QStringLiteral("gpu 1 of node 0 ↑, gpu 3 of node 0 ↓"));
    QCOMPARE(routeText(topology, 1, 6), QStringLiteral("gpu 1 of node 0 ↑, node 0 ↑, node 1 ↓, gpu 2 of node 1 ↓"));
    QCOMPARE(routeText(topology, 5, 5), QString());
  }

  void ringsAreWalkedTheShortWay() {
    const Topology topology(test::validFrom("gpu:8@135GB/s,ring"));
    QCOMPARE(routeText(topology, 1, 3), QStringLiteral("gpu 1 → next, gpu 2 → next"));
    QCOMPARE(routeText(topology, 1, 7), QStringLiteral("gpu 1 → previous, gpu 0 → previous"));
    QCOMPARE(routeText(topology, 0, 4), QStringLiteral("gpu 0 → next, gpu 1 → next, gpu 2 → next, gpu 3 → next"));
    std::vector<LinkId> links;
    topology.route(Device(4), Device(0), links);
    QCOMPARE(links.size(), 4u);
  }

  void ringsAreLeftWhereOneStands() {
    const Topology topology(test::validFrom("node:2@8GB/s gpu:8@135GB/s,ring"));
    QCOMPARE(routeText(topology, 3, 12), QStringLiteral("node 0 ↑, node 1 ↓"));
  }

  void linkNamesAreUnique() {
    const Topology topology(test::validFrom("rack:2 node:2 gpu:4@135GB/s,ring"));
    std::set<std::string> names;
    for (const LinkId link : topology.links()) names.insert(topology.linkName(link));
    QCOMPARE(std::int64_t(names.size()), topology.linkCount());
  }

  void latencyOfASwitchIsPaidOnce() {
    const Topology topology(test::validFrom("node:2@8GB/s,10us gpu:4@270GB/s,2us"));
    QCOMPARE(topology.routeLatency(Device(0), Device(1)), 2e-6);
    QCOMPARE(topology.routeLatency(Device(0), Device(4)), 12e-6);
  }

  void everyPairIsConnected() {
    const System system = test::valueOf(parseSystem("a:3 b:2@1GB/s,ring c:4@2GB/s"));
    const Topology topology(test::valid(system));
    std::vector<LinkId> links;
    for (const Device from : IdRange<Device>(topology.deviceCount())) {
      for (const Device to : IdRange<Device>(topology.deviceCount())) {
        links.clear();
        topology.route(from, to, links);
        QCOMPARE(links.empty(), from == to);
        for (const LinkId link : links) QVERIFY(!link.isNone() && link.value() < topology.linkCount());
      }
    }
  }

  void torusesAreWalkedAsASearchWould_data() {
    QTest::addColumn<int>("layers");
    QTest::addColumn<int>("width");
    for (const auto& [layers, width] : {std::pair(2, 4), {3, 4}, {4, 2}, {5, 3}, {6, 4}, {8, 5}}) {
      QTest::addRow("%d layers of %d by %d", layers, width, width) << layers << width;
    }
  }
  void torusesAreWalkedAsASearchWould() {
    QFETCH(int, layers);
    QFETCH(int, width);
    const Topology topology(test::valid(torus(layers, width)));
    QVERIFY(TorusRoutes::of(*topology.linkGraph()) != nullptr);
    RouteSearch search(*topology.linkGraph());
    std::vector<LinkId> links;
    for (const Device from : IdRange<Device>(topology.deviceCount())) {
      for (const Device to : IdRange<Device>(topology.deviceCount())) {
        links.clear();
        topology.route(from, to, links);
        QVERIFY2(links == search.route(from, to), qPrintable(routeText(topology, from.value(), to.value())));
      }
    }
  }

  void notEveryPileOfRingsIsATorus() {
    const auto isTorus = [](const System& system) {
      const Topology topology(test::valid(system));
      return TorusRoutes::of(*topology.linkGraph()) != nullptr;
    };
    System slow = torus(4, 4);
    slow.networks[1].interconnect.bandwidth = 25e9;
    QVERIFY(!isTorus(slow));
    System broken = torus(4, 4);
    const Topology whole(test::valid(broken));
    broken.disabled = {whole.linkName(LinkId(5))};
    QVERIFY(!isTorus(broken));
    System still = torus(4, 4);
    still.networks[0].interconnect.forwards = false;
    QVERIFY(!isTorus(still));
    QVERIFY(!isTorus(test::valueOf(parseSystem("dgx-h100:2"))));
  }

 private:
  /// Layers of width² chips as in the preset tpu-v4.
  static System torus(int layers, int width) {
    System system = test::valueOf(parseSystem("tpu-v4:" + std::to_string(layers)));
    system.levels[1].count = std::int64_t{width} * width;
    system.networks[0].instances = system.networks[1].instances = width;
    system.networks[2].instances = std::int64_t{width} * width;
    return system;
  }
};

QTEST_APPLESS_MAIN(TestTopology)
#include "tst_topology.moc"
