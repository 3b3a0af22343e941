// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "cost/simulator.h"
#include "explore/comparison.h"
#include "explore/explore.h"
#include "support/filled.h"
#include "support/fixtures.h"

namespace p2::test {
namespace {

Contestant contestantOf(const std::string& name, double seconds, double bytes) {
  Contestant one{name, seconds, {}, {}};
  if (bytes > 0) one.ports.push_back({0, LinkId(0), "node 0 ↑", {0, bytes}});
  return one;
}

}  // namespace

/// What is said of two programs side by side, and the bytes that go through their busiest ports.
class TestComparison : public QObject {
  Q_OBJECT

  static constexpr const char* kInParts =
      "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather";

  struct Run {
    std::shared_ptr<const Exploration> exploration;
    std::vector<PortBytes> ports;
    std::vector<StepCost> steps;
    const PortBytes* portAt(std::size_t interconnect) const {
      const auto at = std::find_if(ports.begin(), ports.end(),
                                   [&](const PortBytes& port) { return port.interconnect == interconnect; });
      return at == ports.end() ? nullptr : &*at;
    }
  };
  static Run run(const std::string& system, const std::string& axes, const std::string& reduce,
                 const std::string& matrix, const std::string& text) {
    const Workspace workspace = workspaceOf(system, axes, reduce, matrix);
    Run run{valueOf(exploreWorkspace(workspace, {}, true)), {}, {}};
    const PlacementResult& placement = run.exploration->placements[0];
    const Placement placed(workspace.axes, placement.matrix);
    const Program program = valueOf(parseProgram(*placement.hierarchy, text));
    const auto trace = valueOf(ProgramTrace::run(placed, *placement.hierarchy, program, workspace.options.rules));
    run.ports = valueOf(portBytes(*run.exploration->topology, trace, workspace.options.cost));
    for (const StepId step : IdRange<StepId>(trace.validSteps())) {
      run.steps.push_back(
          simulateStep(*run.exploration->topology, loweredStep(trace, step, placed.devices()), workspace.options.cost));
    }
    return run;
  }

 private slots:
  void portsEndWithWhatIsPriced() {
    const Run parts = run("node:2 gpu:4", "data=8", "data", "[[2,4]]", kInParts);
    QCOMPARE(parts.ports.size(), std::size_t{2});
    for (const PortBytes& port : parts.ports) {
      QCOMPARE(port.bytes.size(), std::size_t{4});
      QCOMPARE(port.bytes[0], 0.0);
      QVERIFY(std::is_sorted(port.bytes.begin(), port.bytes.end()));
    }
    // Only the second step leaves the nodes, and its busiest link is a node's port.
    const PortBytes& node = *parts.portAt(0);
    QCOMPARE(node.bytes[1], 0.0);
    QCOMPARE(node.bytes[2], parts.steps[1].linkBytes.value());
    QCOMPARE(node.bytes[3], node.bytes[2]);
    QCOMPARE(node.name, parts.exploration->topology->linkName(parts.steps[1].link));
    // The first and the last step are busiest inside; the second crosses the same ports with a quarter each.
    const PortBytes& gpu = *parts.portAt(1);
    QCOMPARE(gpu.bytes[1], parts.steps[0].linkBytes.value());
    QCOMPARE(gpu.bytes[3] - gpu.bytes[2], parts.steps[2].linkBytes.value());
  }

  void bytesGrowEvenlyWithinAStep() {
    const PortBytes port{0, LinkId(0), "node 0 ↑", {0, 10, 10, 30}};
    QCOMPARE(port.at(0, 0), 0.0);
    QCOMPARE(port.at(0, 0.25), 2.5);
    QCOMPARE(port.at(1, 0.5), 10.0);
    QCOMPARE(port.at(2, 0.5), 20.0);
    QCOMPARE(port.at(3, 0), 30.0);
    QCOMPARE(port.at(7, 0.5), 30.0);
    QCOMPARE(port.at(-1, 0), 0.0);
  }

  void aProgramThatStopsCountsAsFarAsItRuns() {
    const Run wrong =
        run("node:2 gpu:4", "data=8", "data", "[[2,4]]", "node:InsideGroup:ReduceScatter; node:InsideGroup:AllReduce");
    for (const PortBytes& port : test::filled(wrong.ports)) QCOMPARE(port.bytes.size(), std::size_t{2});
  }

  void drawnSystemsNameTheirNetworks() {
    System system = workspaceOf("node:2 gpu:4", "data=8", "data").system;
    system.networks.push_back({});
    system.networks.back().interconnect.name = "spine";
    QCOMPARE(ownerText(system, 0), std::string("a node"));
    QCOMPARE(ownerText(system, 2), std::string("the spine"));
  }

  void sentence_data() {
    QTest::addColumn<double>("aSeconds");
    QTest::addColumn<double>("aBytes");
    QTest::addColumn<double>("bSeconds");
    QTest::addColumn<double>("bBytes");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("a wins") << 1.0 << 0.8e9 << 1.84 << 1.5e9
                            << "A is 1.84× as fast as B: 1.00 s against 1.84 s; through the busiest port of a node A "
                               "sends 800 MB, B 1.50 GB";
    QTest::newRow("bytes are no reason")
        << 1.0 << 0.8e9 << 1.84 << 3.2e9
        << "A is 1.84× as fast as B: 1.00 s against 1.84 s; through the busiest port of a node A "
           "sends 800 MB, B 3.20 GB, and A moves them at 800 MB/s, B at 1.74 GB/s on average";
    QTest::newRow("b wins") << 2.0 << 0.0 << 1.0 << 1e9
                            << "B is 2.00× as fast as A: 1.00 s against 2.00 s; through the busiest port of a node A "
                               "sends nothing, B 1.00 GB, which is not the reason";
    QTest::newRow("same") << 1.0 << 1e9 << 1.001 << 1e9
                          << "A and B take the same time, 1.00 s; through the busiest port of a node both send 1.00 GB";
    QTest::newRow("nothing known of ports")
        << 1.0 << 0.0 << 3.0 << 0.0 << "A is 3.00× as fast as B: 1.00 s against 3.00 s";
  }
  void sentence() {
    QFETCH(double, aSeconds);
    QFETCH(double, aBytes);
    QFETCH(double, bSeconds);
    QFETCH(double, bBytes);
    const System system = workspaceOf("node:2 gpu:4", "data=8", "data").system;
    const std::string text =
        comparisonText(system, contestantOf("A", aSeconds, aBytes), contestantOf("B", bSeconds, bBytes));
    QTEST(QString::fromStdString(text), "sentence");
  }

  void latencyIsAReason() {
    const System system = workspaceOf("node:2 gpu:4", "data=8", "data").system;
    Contestant a = contestantOf("A", 1e-3, 1e3);
    Contestant b = contestantOf("B", 3e-3, 1e3);
    a.latencySeconds = 0.9e-3;
    b.latencySeconds = 2.8e-3;
    QCOMPARE(comparisonText(system, a, b),
             std::string("A is 3.00× as fast as B: 1.00 ms against 3.00 ms; latency takes 900 µs of it in A, "
                         "2.80 ms in B"));
  }

  void bytesAreOfOneRun() {
    const System system = workspaceOf("node:2 gpu:4", "data=8", "data").system;
    const std::string text = comparisonText(system, contestantOf("A", 1, 1e9), contestantOf("B", 2, 1e9), 10);
    QVERIFY(QString::fromStdString(text).endsWith(
        "both send 1.00 GB, in each of 10 runs: the bytes are equal, but A moves them at 10.0 GB/s, B at 5.00 GB/s on "
        "average"));
  }

  void whatDoesNotReachItsGoalLoses() {
    const System system = workspaceOf("node:2 gpu:4", "data=8", "data").system;
    Contestant failing = contestantOf("A", 0.1, 1e9);
    failing.problem = "it ends too early";
    const Contestant right = contestantOf("B", 1, 1e9);
    QCOMPARE(comparisonText(system, failing, right),
             std::string("A does not reach its goal (it ends too early); B does, in 1.00 s"));
    QVERIFY(comparisonText(system, failing, failing).find("nor does A") != std::string::npos);
  }
};

}  // namespace p2::test

using p2::test::TestComparison;
QTEST_GUILESS_MAIN(TestComparison)
#include "tst_comparison.moc"
