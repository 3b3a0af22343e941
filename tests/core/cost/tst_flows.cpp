// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <map>
#include <set>

#include "cost/flows/flows.h"
#include "cost/flows/step_manner.h"
#include "support/filled.h"
#include "support/fixtures.h"

using namespace p2;

using Sizes = std::vector<std::int64_t>;

class TestFlows : public QObject {
  Q_OBJECT

  static QString flowsText(FlowShape shape, const char* system, std::initializer_list<std::int64_t> numbers) {
    const DeviceGroup group = test::devices(numbers);
    QStringList flows;
    for (const Flow& flow : flowsOf(shape, group, libraryViewOf(Topology(test::validFrom(system))))) {
      flows.append(QStringLiteral("%1→%2").arg(flow.from.value()).arg(flow.to.value()) +
                   (flow.weight == 1 ? QString() : QStringLiteral("×%1").arg(flow.weight)));
    }
    return flows.join(QLatin1Char(' '));
  }

  static double latencyOf(Collective collective, FlowShape shape, const DeviceGroup& group, const Topology& topology) {
    const LibraryView machine = libraryViewOf(topology);
    return hopsOf(collective, shape, group, routedFlows(shape, group, topology, machine), topology, machine).seconds();
  }

 private slots:
  // What is drawn and said of a step carries on every pair what is priced.
  void mannersAreThoseOfTheFlows_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<Sizes>("numbers");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("pairs");
    const QString overAll = "rings over all links of the mesh, drawn as direct messages (simplified)";
    QTest::newRow("mesh") << "gpu:8@100GB/s,mesh" << Sizes{0, 1, 2, 3, 4, 5, 6, 7} << overAll << true;
    QTest::newRow("part of a mesh") << "node:2 gpu:8@100GB/s,mesh" << Sizes{8, 10, 12} << overAll << true;
    QTest::newRow("two of a mesh") << "gpu:8@100GB/s,mesh" << Sizes{2, 5}
                                   << "ring: each device sends to the next, 2 rounds" << false;
    QTest::newRow("one of each node") << "node:4 gpu:8@100GB/s,mesh" << Sizes{0, 8, 16, 24}
                                      << "ring: each device sends to the next, 6 rounds" << false;
    QTest::newRow("meshes") << "node:2 gpu:4@100GB/s,mesh" << Sizes{0, 1, 2, 3, 4, 5, 6, 7}
                            << "simplified: all that each link carries for ring, not its rounds" << false;
    QTest::newRow("switch") << "gpu:8" << Sizes{0, 1, 2, 3} << "ring: each device sends to the next, 6 rounds" << false;
  }
  void mannersAreThoseOfTheFlows() {
    QFETCH(QString, system);
    QFETCH(Sizes, numbers);
    QFETCH(QString, text);
    QFETCH(bool, pairs);
    const Topology topology(test::validFrom(system.toUtf8().constData()));
    DeviceGroup group;
    for (const std::int64_t number : numbers) group.push_back(Device(number));
    CostOptions options;
    options.model = "paper";
    const StepManner manner(topology, options, Collective::AllReduce, Algorithm::Ring);
    QCOMPARE(QString::fromStdString(mannerText(manner, group, 64)), text);
    const std::vector<Flow> flows = manner.flows(group);
    QCOMPARE(flows.size() == group.size() * (group.size() - 1) && group.size() > 2, pairs);
    QCOMPARE(manner.of(group) == Manner::Pairs, pairs);
    for (const Flow& flow : test::filled(flows)) QVERIFY(!pairs || flow.weight == flows[0].weight);
  }

  void ringsFollowDeviceOrder() {
    QCOMPARE(flowsText(FlowShape::Ring, "node:2 gpu:4", {1, 3, 5}), QStringLiteral("1→3 3→5 5→1"));
    QCOMPARE(flowsText(FlowShape::Ring, "node:2 gpu:4", {0, 1}), QStringLiteral("0→1 1→0"));
  }

  // Half the data goes either way round: everywhere but beside the root that makes as much as a ring.
  void chainsRunToAndFromTheRoot() {
    QCOMPARE(flowsText(FlowShape::ChainToRoot, "gpu:4", {0, 1, 2}), QStringLiteral("1→0×0.5 2→1 0→2×0.5"));
    QCOMPARE(flowsText(FlowShape::ChainFromRoot, "gpu:4", {0, 1, 2, 3}), QStringLiteral("0→1×0.5 1→2 2→3 3→0×0.5"));
    QCOMPARE(flowsText(FlowShape::ChainFromRoot, "gpu:4", {1, 3}), QStringLiteral("1→3"));
    QCOMPARE(flowsText(FlowShape::ChainFromRoot, "gpu:4", {2}), QString());
  }

  void whatIsSpreadGoesStraightFromTheRoot() {
    QCOMPARE(flowsText(FlowShape::Spread, "gpu:8", {1, 3, 4, 6}), QStringLiteral("1→3×0.25 1→4×0.25 1→6×0.25"));
    QCOMPARE(flowsText(FlowShape::Spread, "gpu:4", {2}), QString());
  }

  // Nothing is sent over a link that the ring of an AllReduce would not send over, and nowhere more than the vector.
  void chainsTakeTheLinksOfTheRing() {
    for (std::int64_t n = 2; n <= 12; ++n) {
      DeviceGroup group;
      for (const Device device : IdRange<Device>(n)) group.push_back(device);
      const Topology topology(test::validFrom("gpu:" + std::to_string(n)));
      std::set<std::pair<Device, Device>> ring;
      for (const Flow& flow : flowsOf(FlowShape::Ring, group, libraryViewOf(topology)))
        ring.insert({flow.from, flow.to});
      for (const FlowShape shape : {FlowShape::ChainFromRoot, FlowShape::ChainToRoot}) {
        double nextToRoot = 0;
        for (const Flow& flow : flowsOf(shape, group, libraryViewOf(topology))) {
          const bool up = shape == FlowShape::ChainToRoot;
          QVERIFY(ring.count(up ? std::pair(flow.to, flow.from) : std::pair(flow.from, flow.to)) == 1);
          const bool touchesRoot = flow.from == group[0] || flow.to == group[0];
          QCOMPARE(flow.weight, touchesRoot && n > 2 ? 0.5 : 1.0);
          if (touchesRoot) nextToRoot += flow.weight;
        }
        QCOMPARE(nextToRoot, 1.0);
      }
    }
  }

  void treesAreChainsInsideNodesAndTwoTreesBetween() {
    QCOMPARE(flowsText(FlowShape::Tree, "node:2 gpu:2", {0, 1, 2, 3}),
             QStringLiteral("0→1 1→0 2→3 3→2 2→0×0.5 0→2×0.5 0→2×0.5 2→0×0.5"));
  }

  // A level inside the node is no border: the chain runs through it.
  void chainsRunThroughTheWholeNode() {
    const QString nodes = flowsText(FlowShape::Tree, "node:2 gpu:4", {0, 1, 2, 3, 4, 5, 6, 7});
    QCOMPARE(flowsText(FlowShape::Tree, "node:2 cpu:2 gpu:2", {0, 1, 2, 3, 4, 5, 6, 7}), nodes);
    QCOMPARE(flowsText(FlowShape::Tree, "node:2 cpu:4 gpu:1", {0, 1, 2, 3, 4, 5, 6, 7}), nodes);
  }

  // Over n heads each tree has n − 1 edges and reaches everybody; each head sends at most the data of two trees up and
  // of three children down, and the two trees share no inner node when n is even (Sanders et al. 2009).
  void doubleBinaryTreesAreBalanced() {
    for (std::int64_t n = 2; n <= 70; ++n) {
      const Topology topology(test::validFrom("node:" + std::to_string(n) + " gpu:1"));
      DeviceGroup group;
      for (const Device device : IdRange<Device>(n)) group.push_back(device);
      std::map<Device, double> sent;
      std::map<std::pair<Device, Device>, double> edges;
      for (const Flow& flow : test::filled(flowsOf(FlowShape::Tree, group, libraryViewOf(topology)))) {
        QVERIFY(flow.from != flow.to);
        QCOMPARE(flow.weight, 0.5);
        sent[flow.from] += flow.weight;
        edges[{flow.from, flow.to}] += flow.weight;
      }
      double total = 0;
      for (const auto& [device, weight] : sent) {
        QVERIFY2(weight <= 2.0, qPrintable(QStringLiteral("%1 of %2 sends %3").arg(device.value()).arg(n).arg(weight)));
        total += weight;
      }
      QCOMPARE(sent.size(), std::size_t(n));
      QCOMPARE(total, 2.0 * double(n - 1));
      for (const auto& [edge, weight] : test::filled(edges)) QCOMPARE(weight, (edges[{edge.second, edge.first}]));
    }
  }

  // GPUs in a ring of cables that forward nothing, and a bus beside it: half of them, in a ring, go along the cables
  // and come back over the bus.
  void ringsTakeTheBestWayEdgeByEdge() {
    System system = test::valueOf(parseSystem("gpu:8@135GB/s,ring,forwards=no"));
    system.networks = {{{InterconnectKind::Bus, 10e9, 0, "bus"}, "", 1, Network::Assignment::Blocks, {{"gpu", 0, 0}}}};
    const Topology topology(test::valid(system));
    const RoutedFlows routed = routedFlows(FlowShape::Ring, test::devices({0, 1, 2, 3}), topology, {});
    QStringList first;
    for (std::size_t i = 0; i < routed.ends.size(); ++i) {
      first += QString::fromStdString(topology.linkName(routed.links[i == 0 ? 0 : routed.ends[i - 1]]));
    }
    QCOMPARE(first, (QStringList{"gpu 0 → next", "gpu 1 → next", "gpu 2 → next", "gpu 3 → bus 0"}));
  }

  void ringsThatForwardNothingAreTakenWhereNothingElseLeads() {
    const Topology topology(test::validFrom("node:2@1GB/s,ring,forwards=no gpu:2@10GB/s"));
    const RoutedFlows routed = routedFlows(FlowShape::Ring, test::devices({0, 1, 2, 3}), topology, {});
    QCOMPARE(routed.flows.size(), std::size_t(4));
    for (std::size_t i = 0; i < routed.ends.size(); ++i) QVERIFY(routed.ends[i] > (i == 0 ? 0 : routed.ends[i - 1]));
  }

  void factors() {
    QCOMPARE(flowFactor(Collective::AllReduce, FlowShape::Ring, 4), 1.5);
    QCOMPARE(flowFactor(Collective::ReduceScatter, FlowShape::Ring, 4), 0.75);
    QCOMPARE(flowFactor(Collective::AllGather, FlowShape::Ring, 2), 0.5);
    QCOMPARE(flowFactor(Collective::Reduce, FlowShape::ChainToRoot, 4), 1.0);
    QCOMPARE(flowFactor(Collective::AllReduce, FlowShape::Tree, 4), 1.0);
  }

  void latencies() {
    const Topology topology(test::validFrom("node:4@8GB/s,10us gpu:4@270GB/s,2us"));
    const DeviceGroup inside = test::devices({0, 1, 2, 3});
    const DeviceGroup across = test::devices({0, 4, 8, 12});
    DeviceGroup everyone;
    for (const Device device : IdRange<Device>(16)) everyone.push_back(device);
    QCOMPARE(latencyOf(Collective::AllReduce, FlowShape::Ring, inside, topology), 6 * 2e-6);
    QCOMPARE(latencyOf(Collective::AllGather, FlowShape::Ring, across, topology), 3 * 12e-6);
    QCOMPARE(latencyOf(Collective::Reduce, FlowShape::ChainToRoot, inside, topology), 3 * 2e-6);
    QCOMPARE(latencyOf(Collective::AllReduce, FlowShape::Tree, everyone, topology), 2 * (3 + 2) * 12e-6);
  }
};

QTEST_APPLESS_MAIN(TestFlows)
#include "tst_flows.moc"
