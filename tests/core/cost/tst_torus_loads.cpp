// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>

#include "cost/calibration/library_calibration.h"
#include "cost/cost_model.h"
#include "cost/flows/channel_flows.h"
#include "cost/flows/listed_load.h"
#include "cost/flows/torus_rings.h"
#include "cost/pattern_pricer.h"
#include "cost/simulator.h"
#include "placement/containment.h"
#include "placement/parallelism_matrix.h"
#include "support/fixtures.h"
#include "synthesis/instruction.h"
#include "tests/core/cost/step_of_all.h"
#include "workspace/presets.h"

using namespace p2;

// Over a torus, loads and latencies by runs of links are those of every flow on its route.
class TestTorusLoads : public QObject {
  Q_OBJECT

 private slots:
  void runsCarryWhatRoutesDo_data() {
    QTest::addColumn<int>("layers");
    QTest::addColumn<int>("width");
    QTest::addColumn<QString>("axes");
    QTest::addRow("2 layers of 4 by 4") << 2 << 4 << "4,8";
    QTest::addRow("5 layers of 3 by 3") << 5 << 3 << "15,3";
    QTest::addRow("6 layers of 4 by 4") << 6 << 4 << "6,4,4";
    QTest::addRow("8 layers of 2 by 2") << 8 << 2 << "8,4";
    QTest::addRow("groups that fill no block") << 2 << 6 << "9,2,4";
  }
  void runsCarryWhatRoutesDo() {
    QFETCH(int, layers);
    QFETCH(int, width);
    QFETCH(QString, axes);
    const System system = torus(layers, width);
    const Topology topology(test::valid(system));
    const LibraryView machine = libraryViewOf(topology);
    const auto runs = TorusRoutes::of(*topology.linkGraph());
    QVERIFY(runs != nullptr);
    int compared = 0;
    const auto parsed = withReduction(parseAxes(axes.toStdString()).value(), "0").value();
    std::vector<std::int64_t> sizes;
    for (const Axis& axis : parsed) sizes.push_back(axis.size);
    for (MatrixEnumerator matrices(sizes, {layers, std::int64_t{width} * width}); matrices.next();) {
      const SynthesisHierarchy hierarchy(system, Placement(parsed, matrices.matrix()));
      for (const GroupPattern& pattern : groupPatterns(hierarchy.levelCount())) {
        ListedLoad byRuns(topology, machine, hierarchy, pattern, {}, runs.get());
        ListedLoad byRoutes(topology, machine, hierarchy, pattern);
        for (const FlowShape shape : {FlowShape::Ring, FlowShape::Tree, FlowShape::Exchange, FlowShape::Spread,
                                      FlowShape::ChainFromRoot, FlowShape::ChainToRoot}) {
          const auto loads = byRuns.loads(shape, {GroupShare{}});
          const auto listed = byRoutes.loads(shape, {GroupShare{}});
          QCOMPARE(loads.size(), listed.size());
          QVERIFY(!listed.empty());
          for (std::size_t i = 0; i < loads.size(); ++i) {
            QCOMPARE(loads[i].interconnect, listed[i].interconnect);
            QCOMPARE(loads[i].link, listed[i].link);
            QVERIFY(listed[i].bytes > 0);
            QVERIFY(std::abs(loads[i].bytes - listed[i].bytes) <= 1e-12 * listed[i].bytes);
          }
          const Hops own = byRuns.hops(Collective::AllReduce, shape);
          const Hops others = byRoutes.hops(Collective::AllReduce, shape);
          QCOMPARE(own.count, others.count);
          QVERIFY(std::abs(own.latency - others.latency) <= 1e-12 * others.latency);
          ++compared;
        }
      }
    }
    QVERIFY(compared > 10);
  }

  // Under the torus model a step takes as long as its rings, and whole slices as long as their cuts allow; patterns and
  // lowered steps have the same price. Off a torus, and in groups without such rings, it is the paper's ring.
  void theTorusModelUsesAllRings_data() {
    QTest::addColumn<QString>("preset");
    for (const char* preset : {"tpu-v4:2", "tpu-v4:4", "tpu-v4-host:4", "tpu-v6e:4"}) QTest::newRow(preset) << preset;
  }
  void theTorusModelUsesAllRings() {
    QFETCH(QString, preset);
    const System system = test::valueOf(parseSystem(preset.toStdString()));
    QCOMPARE(defaultModel(system), std::string_view("torus"));
    const Topology topology(test::valid(system));
    const std::int64_t devices = system.deviceCount();
    const CostOptions options{Algorithm::Ring, Bytes(1e9), 1, "torus"};
    CostOptions ofPaper = options;
    ofPaper.model = "paper";
    int faster = 0;
    int onRings = 0;
    for (std::int64_t reduced = 2; reduced <= devices; reduced *= 2) {
      const std::vector<Axis> axes{{.name = "data", .size = reduced, .reduce = true},
                                   {.name = "tensor", .size = devices / reduced}};
      for (MatrixEnumerator matrices = matricesOf(system, axes); matrices.next();) {
        const Placement placement(axes, matrices.matrix());
        const SynthesisHierarchy hierarchy(system, placement);
        const GroupPattern whole{0, hierarchy.levelCount(), false};
        const auto rings = torusRings(topology, *topology.torus(), hierarchy.groups(whole).front());
        PatternPricer pricer(topology, hierarchy, options);
        const double priced = pricer.price({{whole, Collective::AllReduce}, 0, {GroupShare{}}}).seconds;
        const auto lowered = test::valueOf(lower(placement, hierarchy, singleProgram(hierarchy), RuleSet::All)).front();
        const double seconds = simulateStep(topology, lowered, options).seconds;
        const double paper = simulateStep(topology, lowered, ofPaper).seconds;
        QVERIFY(std::abs(seconds / priced - 1) < 1e-9);
        if (rings) QVERIFY(std::abs(seconds / (2e9 * rings->gatherSeconds) - 1) < 1e-9);
        if (!rings) QCOMPARE(seconds, paper);
        onRings += rings ? 1 : 0;
        faster += seconds < 0.9 * paper;
      }
    }
    QVERIFY(faster > 3 && onRings > 3);
  }

  void theTorusModelIsThePapersElsewhere() {
    const System system = test::valueOf(parseSystem("gcp-a100:2"));
    QCOMPARE(defaultModel(system), std::string_view("paper"));
    const Topology topology(test::valid(system));
    const LoweredStep step = test::stepOfAll(Collective::AllReduce, topology);
    const double torus = simulateStep(topology, step, {Algorithm::Ring, Bytes(1e9), 1, "torus"}).seconds;
    QCOMPARE(torus, simulateStep(topology, step, {Algorithm::Ring, Bytes(1e9), 1, "paper"}).seconds);
    QVERIFY(!calibrateUnder("torus", system, {}, HoldOut::Auto, 3, {}, {}).ok());
  }

  // Half of a ring's devices send to the other half, over two links each way: an eighth of the ring's vectors a link.
  void allToAllOfManyDevicesIsCounted() {
    constexpr int kLayers = 1024;
    const System system = test::valueOf(parseSystem("tpu-v4:" + std::to_string(kLayers)));
    const std::int64_t devices = system.deviceCount();
    QVERIFY(devices * devices > kMostMessages && checkAllToAll(system, devices).ok());
    const Topology topology(test::valid(system));
    const LibraryView machine = libraryViewOf(topology);
    const std::vector<Axis> axes{{"all", devices, true}};
    const SynthesisHierarchy hierarchy(
        system, Placement(axes, test::valueOf(parseMatrix("[[" + std::to_string(kLayers) + ",16]]"))));
    ListedLoad load(topology, machine, hierarchy, {0, hierarchy.levelCount(), false}, {}, topology.torus());
    const auto busiest = load.loads(FlowShape::Exchange, {GroupShare{}});
    QCOMPARE(busiest.size(), std::size_t{3});
    const auto most = std::max_element(busiest.begin(), busiest.end(),
                                       [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
    QVERIFY2(std::abs(most->bytes / (kLayers / 8.0) - 1) < 0.01, qPrintable(QString::number(most->bytes)));
  }

 private:
  /// Layers of width² chips as in the preset tpu-v4, with latencies that differ from ring to ring.
  static System torus(int layers, int width) {
    System system = test::valueOf(parseSystem("tpu-v4:" + std::to_string(layers)));
    system.levels[1].count = std::int64_t{width} * width;
    system.networks[0].instances = system.networks[1].instances = width;
    system.networks[2].instances = std::int64_t{width} * width;
    for (std::size_t i = 0; i < 3; ++i) system.networks[i].interconnect.latency = 1e-6 * static_cast<double>(i + 1);
    return system;
  }
};

QTEST_APPLESS_MAIN(TestTorusLoads)
#include "tst_torus_loads.moc"
