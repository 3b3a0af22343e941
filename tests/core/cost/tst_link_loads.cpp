// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "cost/link_loads.h"
#include "cost/simulator.h"
#include "support/fixtures.h"

using namespace p2;

// What links carry where they are shared, block, or do not forward.
class TestLinkLoads : public QObject {
  Q_OBJECT

  inline static const CostOptions kOptions{Algorithm::Ring, Bytes(1e9), 1};

  static LoweredStep stepOf(Collective collective, const std::vector<std::vector<std::int64_t>>& groups) {
    LoweredStep step{collective, {}};
    for (const std::vector<std::int64_t>& group : groups) {
      const std::vector<double> whole(group.size(), 1.0);
      step.groups.push_back({DeviceGroup(group.begin(), group.end()), whole, whole});
    }
    return step;
  }

  static System systemWith(const char* text, void (*change)(Interconnect&)) {
    System system = test::valueOf(parseSystem(text));
    change(system.levels.back().interconnect);
    return test::valueOf(validated(system));
  }

  static QString busiest(const System& system, const LoweredStep& step, Algorithm algorithm = Algorithm::Ring) {
    const Topology topology(test::valid(system));
    const StepCost cost = simulateStep(topology, step, {algorithm, Bytes(1e9), 1});
    return QStringLiteral("%1 s, %2 bytes, %3")
        .arg(cost.seconds)
        .arg(cost.linkBytes.value())
        .arg(QString::fromStdString(topology.linkName(cost.link)));
  }

 private slots:
  void everythingCrossesABus() {
    const System system = test::valueOf(parseSystem("gpu:4@10GB/s,bus"));
    QCOMPARE(busiest(system, stepOf(Collective::AllReduce, {{0, 1}, {2, 3}})),
             QStringLiteral("0.4 s, 4e+09 bytes, gpu bus"));
  }

  void aCoreBlocks() {
    const System system = systemWith("gpu:4@10GB/s", [](Interconnect& link) { link.core = 20e9; });
    QCOMPARE(busiest(system, stepOf(Collective::AllReduce, {{0, 1}, {2, 3}})),
             QStringLiteral("0.2 s, 4e+09 bytes, gpu switch"));
    QCOMPARE(busiest(system, stepOf(Collective::AllReduce, {{0, 1}})),
             QStringLiteral("0.1 s, 2e+09 bytes, gpu switch"));
  }

  void halfDuplexPortsCarryBothWays() {
    const System system = systemWith("gpu:4@10GB/s", [](Interconnect& link) { link.halfDuplex = true; });
    QCOMPARE(busiest(system, stepOf(Collective::AllReduce, {{0, 1}})), QStringLiteral("0.2 s, 2e+09 bytes, gpu 0 ↑"));
    QCOMPARE(busiest(system, stepOf(Collective::Broadcast, {{0, 1}})), QStringLiteral("0.1 s, 1e+09 bytes, gpu 0 ↑"));
  }

  void meshesHaveALinkForEveryPair() {
    const System system = test::valueOf(parseSystem("gpu:4@10GB/s,mesh"));
    QCOMPARE(busiest(system, stepOf(Collective::AllReduce, {{0, 1, 2, 3}})),
             QStringLiteral("0.15 s, 1.5e+09 bytes, gpu 0 → gpu 1"));
    QCOMPARE(busiest(system, stepOf(Collective::AllReduce, {{0, 2}, {1, 3}})),
             QStringLiteral("0.1 s, 1e+09 bytes, gpu 0 → gpu 2"));
  }

  // NVLink carries a ring of all eight or of two neighbours; four in a row cannot close over it, nor can every second.
  // The bus between a pair of GPUs then carries three edges of a ring of four.
  void ringsCloseOverNvlinkOrLeaveIt() {
    const System system = test::valueOf(parseSystem("gcp-v100:1"));
    QVERIFY(busiest(system, stepOf(Collective::AllReduce, {{0, 1, 2, 3, 4, 5, 6, 7}}))
                .endsWith(QStringLiteral("1.75e+09 bytes, gpu 0 → next")));
    QVERIFY(busiest(system, stepOf(Collective::AllReduce, {{2, 3}})).contains(QStringLiteral("2e+09 bytes, gpu 2")));
    QVERIFY(busiest(system, stepOf(Collective::AllReduce, {{0, 1, 2, 3}}))
                .endsWith(QStringLiteral("4.5e+09 bytes, PCIe switch 0 of node 0")));
    QVERIFY(busiest(system, stepOf(Collective::AllReduce, {{0, 2, 4, 6}})).contains(QStringLiteral("NIC 0 of node 0")));
    // Chains and trees take it edge by edge.
    QVERIFY(busiest(system, stepOf(Collective::Reduce, {{0, 1, 2, 3}})).contains(QStringLiteral("previous")));
    QVERIFY(busiest(system, stepOf(Collective::AllReduce, {{0, 1, 2, 3}}), Algorithm::Tree)
                .endsWith(QStringLiteral("2e+09 bytes, gpu 0 → next")));
  }

  void fittedFiguresCountOnceCalibrated() {
    System system = systemWith("gpu:4@10GB/s,1us", [](Interconnect& link) {
      link.fittedBandwidth = 5e9;
      link.fittedLatency = 3e-6;
    });
    QCOMPARE(Topology(test::valid(system)).bandwidth(LinkId(0)), 10e9);
    QCOMPARE(Topology(test::valid(system)).routeLatency(Device(0), Device(1)), 1e-6);
    system.calibrated = true;
    QVERIFY(system.isUniform());
    QCOMPARE(Topology(test::valid(system)).bandwidth(LinkId(0)), 5e9);
    QCOMPARE(Topology::listed(test::valid(system)).bandwidth(LinkId(0)), 5e9);
    QCOMPARE(Topology(test::valid(system)).routeLatency(Device(0), Device(1)), 3e-6);
    QCOMPARE(Topology::listed(test::valid(system)).routeLatency(Device(0), Device(1)), 3e-6);
  }

  void programsAddUp() {
    const Topology topology(test::validFrom("gcp-v100:2"));
    const LoweredProgram program{stepOf(Collective::AllReduce, {{0, 1, 2, 3, 4, 5, 6, 7}}),
                                 stepOf(Collective::AllReduce, {{0, 8}, {1, 9}})};
    const LinkLoads first = linkLoads(topology, program[0], kOptions);
    const LinkLoads second = linkLoads(topology, program[1], kOptions);
    const LinkLoads sum = linkLoads(topology, program, kOptions);
    double busy = 0;
    for (const LinkId link : topology.links()) {
      QCOMPARE(sum.bytes(link), first.bytes(link) + second.bytes(link));
      QCOMPARE(sum.seconds(link), first.seconds(link) + second.seconds(link));
      busy = std::max(busy, second.seconds(link));
    }
    QCOMPARE(busy, simulateStep(topology, program[1], kOptions).seconds);
  }
};

QTEST_APPLESS_MAIN(TestLinkLoads)
#include "tst_link_loads.moc"
