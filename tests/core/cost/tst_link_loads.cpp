// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "cost/flows/link_loads.h"
#include "cost/simulator.h"
#include "support/filled.h"
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
             QStringLiteral("0.05 s, 5e+08 bytes, gpu 0 → gpu 1"));
    QCOMPARE(busiest(system, stepOf(Collective::AllReduce, {{0, 2}, {1, 3}})),
             QStringLiteral("0.1 s, 1e+09 bytes, gpu 0 → gpu 2"));
  }

  // Of two messages within a CPU's memory both count both ways in and out; of one that leaves it only the way there.
  void sharedPortsCarryWhatAllSend() {
    const System system = systemWith("gpu:4@10GB/s", [](Interconnect& link) { link.shared = true; });
    QCOMPARE(busiest(system, stepOf(Collective::AllReduce, {{0, 1}, {2, 3}})),
             QStringLiteral("0.4 s, 4e+09 bytes, gpu 0 ↑"));
    QCOMPARE(busiest(system, stepOf(Collective::Broadcast, {{0, 1}, {2, 3}})),
             QStringLiteral("0.2 s, 2e+09 bytes, gpu 0 ↑"));
  }

  // One ring gets 4 of 10 GB/s, two together get 8, three and more share 10; Broadcast runs round the ring as well.
  void oneCommunicatorGetsNoMoreThanItsCap() {
    const System system = test::valueOf(parseSystem("node:2@10GB/s,ringCap=4GB/s gpu:4@100GB/s"));
    const auto seconds = [&](const std::vector<std::vector<std::int64_t>>& groups,
                             Collective collective = Collective::AllReduce, Algorithm algorithm = Algorithm::Ring) {
      return busiest(system, stepOf(collective, groups), algorithm).section(QStringLiteral(" s"), 0, 0);
    };
    QCOMPARE(seconds({{0, 4}}), QStringLiteral("0.25"));
    QCOMPARE(seconds({{0, 4}, {1, 5}}), QStringLiteral("0.25"));
    QCOMPARE(seconds({{0, 4}, {1, 5}, {2, 6}}), QStringLiteral("0.3"));
    QCOMPARE(seconds({{0, 4}}, Collective::Broadcast), QStringLiteral("0.25"));
    QCOMPARE(seconds({{0, 4}}, Collective::AllReduce, Algorithm::Tree), QStringLiteral("0.1"));
    QCOMPARE(seconds({{0, 1}}), QStringLiteral("0.01"));
  }

  // NVLink carries a ring of all eight or of two neighbours; four in a row cannot close over it, nor can every second.
  // What leaves it goes over the CPUs' memory, and the rest of the ring stays.
  void ringsCloseOverNvlinkOrLeaveIt() {
    const System system = test::valueOf(parseSystem("gcp-v100:1"));
    QVERIFY(busiest(system, stepOf(Collective::AllReduce, {{0, 1, 2, 3, 4, 5, 6, 7}}))
                .endsWith(QStringLiteral("1.75e+09 bytes, gpu 0 → next")));
    QVERIFY(busiest(system, stepOf(Collective::AllReduce, {{2, 3}})).contains(QStringLiteral("2e+09 bytes, gpu 2")));
    QVERIFY(busiest(system, stepOf(Collective::AllReduce, {{0, 1, 2, 3}}))
                .endsWith(QStringLiteral("1.5e+09 bytes, PCIe switch 1 of node 0 → CPU memory 0 of node 0")));
    // 0 to 2 enters and leaves the first CPU's memory, 2 to 4 leaves the GPUs and 6 to 0 enters.
    QVERIFY(busiest(system, stepOf(Collective::AllReduce, {{0, 2, 4, 6}}))
                .endsWith(QStringLiteral("3e+09 bytes, PCIe switch 0 of node 0 → CPU memory 0 of node 0")));
    // Half of what is reduced goes the other way round, which does not close over NVLink either.
    QCOMPARE(busiest(system, stepOf(Collective::Reduce, {{0, 1, 2, 3}})),
             QStringLiteral("0.05 s, 5e+08 bytes, PCIe switch 0 of node 0 → CPU memory 0 of node 0"));
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
    for (const LinkId link : test::filled(topology.links())) {
      QCOMPARE(sum.bytes(link), first.bytes(link) + second.bytes(link));
      QCOMPARE(sum.seconds(link), first.seconds(link) + second.seconds(link));
      busy = std::max(busy, second.seconds(link));
    }
    QCOMPARE(busy, simulateStep(topology, program[1], kOptions).seconds);
  }
};

QTEST_APPLESS_MAIN(TestLinkLoads)
#include "tst_link_loads.moc"
