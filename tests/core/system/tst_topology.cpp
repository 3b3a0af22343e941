// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>

#include "support/fixtures.h"
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
};

QTEST_APPLESS_MAIN(TestTopology)
#include "tst_topology.moc"
