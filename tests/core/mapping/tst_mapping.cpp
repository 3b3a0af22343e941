// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>

#include "graphs/bundled_graphs.h"
#include "mapping/mapped_baselines.h"
#include "mapping/mapped_needs.h"
#include "mapping/strategy_plan.h"
#include "support/filled.h"
#include "tests/core/mapping/mapped_cases.h"

using namespace p2;

namespace {

/// A strategy found on a system, with its mapping.
struct Found {
  Found(const ComputationGraph& graph, const GraphCostOptions& options, const char* system)
      : Found(graph, options, test::validFrom(system)) {}
  Found(const ComputationGraph& graph, const GraphCostOptions& options, const ValidSystem& system)
      : mapped(graph, options),
        prices(system, {}),
        pricer(prices),
        solution(test::valueOf(solveMapped(graph, options, prices.system(), pricer))),
        mapping(test::valueOf(mappingOf(mapped, solution.mapped, best(), pricer))) {}
  [[nodiscard]] const Strategy& best() const { return solution.bounded.solution.strategies.front(); }

  MappedGraph mapped;
  HierarchicalPrices prices;
  SimulatedMeshPricer pricer;
  MappedSolution solution;
  Mapping mapping;
};

}  // namespace

class TestMapping : public QObject {
  Q_OBJECT

 private slots:
  // The transfers and what is computed make up the cost; every device's ranges tile every tensor, as often as it is
  // repeated.
  void whatIsDoneMakesUpTheCost_data() {
    QTest::addColumn<QString>("graph");
    QTest::addColumn<int>("zero");
    QTest::newRow("mlp") << "mlp" << 0;
    QTest::newRow("lstm") << "lstm" << 0;
    QTest::newRow("mlp, ZeRO 1") << "mlp" << 1;
    QTest::newRow("mlp, ZeRO 3") << "mlp" << 3;
  }
  void whatIsDoneMakesUpTheCost() {
    QFETCH(QString, graph);
    QFETCH(int, zero);
    const ComputationGraph of = test::valueOf(bundledGraph(graph.toStdString()));
    GraphCostOptions options = test::smallOptions(16);
    options.memory.zero = zero;
    options.microbatches = 3;
    const Found found(of, options, "node:2@8GB/s,5us gpu:8@100GB/s,2us");
    const double cost = found.best().cost;
    QVERIFY2(std::abs(found.mapping.seconds() - cost) <= 1e-12 * cost,
             qPrintable(QString::number(found.mapping.seconds() / cost, 'g', 17)));
    QVERIFY(std::abs(splitOf(found.mapping).total() - cost) <= 1e-12 * cost);
    checkRanges(found, of);
  }

  // A mesh of which a bound says enough is not solved, and none of these has anything cheaper.
  void boundsLeaveOutMeshesThatCostMore() {
    const ComputationGraph of = test::valueOf(bundledGraph("alexnet"));
    GraphCostOptions options = test::smallOptions(32);
    options.flops = 4e14;
    Found found(of, options, "node:4@50GB/s,5us gpu:8@400GB/s,2us");
    QVERIFY(found.solution.solved < found.solution.meshes);
    QVERIFY(found.solution.bounded.optimal);
    double cheapest = 1e9;
    std::vector<Mesh> meshes = meshesOf(found.prices.system());
    for (const Mesh& mesh : meshesWithCopies(found.prices.system())) meshes.push_back(mesh);
    for (const Mesh& mesh : meshes) {
      MappedRequest request;
      request.mesh = mesh;
      const auto solved = test::valueOf(solveMapped(of, options, found.prices.system(), found.pricer, request));
      cheapest = std::min(cheapest, solved.bounded.solution.strategies.front().cost);
    }
    QCOMPARE(found.best().cost, cheapest);
  }

  // Where devices have neighbours the best is the best of every order of every mesh's axes: on a torus of 2 rows of 8,
  // numbered row by row, with the rows along the slower axis, though the faster one is the longer.
  void ordersBesideNeighbours() {
    const ComputationGraph of = test::valueOf(bundledGraph("alexnet"));
    GraphCostOptions options = test::smallOptions(16);
    options.flops = 2e14;
    System torus = test::valueOf(parseSystem("chip:16@270GB/s"));
    torus.levels[0].interconnect.kind = InterconnectKind::None;
    torus.networks = {test::networkOf(InterconnectKind::Ring, 50e9, "rows", "", 2, "chip"),
                      test::networkOf(InterconnectKind::Ring, 50e9, "columns", "", 8, "chip")};
    torus.networks[1].assignment = Network::Assignment::InTurn;
    Found found(of, options, test::valid(torus));
    double cheapest = 1e9;
    double descending = 1e9;
    for (const char* text :
         {"[[16]]", "[[8],[2]]", "[[2],[8]]", "[[4],[4]]", "[[4],[2],[2]]", "[[2],[4],[2]]", "[[2],[2],[4]]"}) {
      Mesh mesh{{}, test::valueOf(parseMatrix(text))};
      for (std::size_t axis = 0; axis < mesh.matrix.rows(); ++axis) mesh.sizes.push_back(mesh.matrix.at(axis, 0));
      MappedRequest request;
      request.mesh = mesh;
      const auto solved = test::valueOf(solveMapped(of, options, found.prices.system(), found.pricer, request));
      const double cost = solved.bounded.solution.strategies.front().cost;
      cheapest = std::min(cheapest, cost);
      if (std::is_sorted(mesh.sizes.rbegin(), mesh.sizes.rend())) descending = std::min(descending, cost);
    }
    QCOMPARE(found.best().cost, cheapest);
    QVERIFY2(cheapest < 0.99 * descending, qPrintable(QString::number(cheapest / descending)));
  }

  // A device's coordinates are those of the placement, and the needs and the workload say the same as the transfers.
  void needsAndWorkloadSayTheSame() {
    const ComputationGraph of = test::valueOf(bundledGraph("mlp"));
    Found found(of, test::smallOptions(16), "node:2@8GB/s,5us gpu:8@100GB/s,2us");
    double seconds = 0;
    double bytes = 0;
    for (const auto* lists : {&found.mapping.vertices, &found.mapping.edges}) {
      for (const auto& list : *lists) {
        for (const Transfer& transfer : list) {
          seconds += transfer.seconds;
          bytes += transfer.bytes.value() * transfer.times;
        }
      }
    }
    QVERIFY(seconds > 0);
    const auto needs = test::valueOf(mappedNeeds(found.mapped, found.solution.mapped, found.mapping, found.prices));
    double needed = 0;
    for (const StrategyNeed& need : needs) {
      needed += need.seconds;
      QVERIFY(checkMatrix(found.prices.system(), need.axes, need.matrix).ok());
      QVERIFY(!need.program.empty());
    }
    QVERIFY(std::abs(needed - seconds) <= 1e-12 * seconds);
    const WorkloadSource source = test::valueOf(workloadOf(found.mapped, found.solution.mapped, found.mapping));
    double reported = 0;
    for (const WorkloadEntry& entry : test::filled(source.workload.collectives))
      reported += double(entry.bytes) * double(entry.count);
    QVERIFY(std::abs(reported - bytes) <= 1e-6 * bytes);
    QVERIFY(source.ignored.empty());
  }

  // Each keeps to what it is, none is cheaper than the best, and ZeRO 3 needs no more of a device.
  void baselinesKeepToWhatTheyAre() {
    const ComputationGraph of = test::smallGraph();
    const GraphCostOptions options = test::smallOptions(16);
    const System drawn = test::valueOf(parseSystem("node:4 gpu:4"));
    test::AffinePricer pricer;
    const double best = test::valueOf(solveMapped(of, options, drawn, pricer)).bounded.solution.strategies.front().cost;
    std::map<MappedBaseline, MappedBaselineAnswer> answers;
    for (const MappedBaseline baseline : kMappedBaselines) {
      const auto answer = test::valueOf(mappedBaseline(of, options, drawn, pricer, baseline));
      const MappedProblem& mapped = answer.solution.mapped;
      const Strategy& strategy = answer.solution.bounded.solution.strategies.front();
      QVERIFY(std::abs(answer.split.total() - strategy.cost) <= 1e-12 * strategy.cost);
      QVERIFY(baseline == MappedBaseline::FullyShardedData || strategy.cost >= best * (1 - 1e-12));
      bool elsewhere = false;
      for (std::size_t v = 0; v < of.operators.size(); ++v) {
        for (const std::int8_t at : mapped.assignmentOf(v, strategy.choice[v]).at) elsewhere = elsewhere || at > 0;
      }
      QCOMPARE(elsewhere, baseline == MappedBaseline::Tensor || baseline == MappedBaseline::TensorSequence);
      answers.emplace(baseline, answer);
    }
    const MappedBaselineAnswer& data = answers.at(MappedBaseline::Data);
    QVERIFY(answers.at(MappedBaseline::FullyShardedData).memory <= data.memory);
    QVERIFY(data.split.resharding == 0);
  }

  void mistakesInAPlanGetASentence_data() {
    QTest::addColumn<QString>("vertices");
    QTest::addColumn<QString>("error");
    const QString fc1 = R"({"name": "fc1", "parts": {"m": 2}, "axes": {"m": "x"}})";
    QTest::newRow("another vertex") << R"({"name": "fc9", "parts": {}})"
                                    << "the graph has no vertex \"fc9\"";
    QTest::newRow("twice") << fc1 + ", " + fc1 << "is there twice";
    QTest::newRow("missing") << fc1 << "the vertex \"act\" of the graph is missing";
    QTest::newRow("another dimension") << R"({"name": "fc1", "parts": {"q": 2}})"
                                       << "has no dimension \"q\"";
    QTest::newRow("other parts") << R"({"name": "fc1", "parts": {"m": 2}, "axes": {"m": "y"}})"
                                 << "cut m into 4 parts, not 2";
    QTest::newRow("an axis twice") << R"({"name": "fc1", "parts": {"m": 2}, "axes": {"m": "x", "n": "x"}})"
                                   << "cuts two dimensions";
  }
  void mistakesInAPlanGetASentence() {
    QFETCH(QString, vertices);
    QFETCH(QString, error);
    const std::string text = R"({"format": "p2-strategy", "version": 1, "mesh": {"matrix": [[2, 1], [1, 4]]},
      "vertices": [)" + vertices.toStdString() +
                             "]}";
    const auto plan = strategyPlanFromJson(text, test::smallGraph());
    QVERIFY(!plan.ok());
    QVERIFY2(plan.error().text().find(error.toStdString()) != std::string::npos, plan.error().text().c_str());
  }

  void emptyStagesAreRefused() {
    const auto plan = strategyPlanFromJson(R"({"format": "p2-strategy", "version": 2, "pipeline": {"factors": [2]},
      "stages": [{"operators": ["fc1", "act", "fc2"], "mesh": {"matrix": [[2]]}},
                 {"operators": [], "mesh": {"matrix": [[2]]}}], "vertices": []})",
                                           test::smallGraph());
    QVERIFY(!plan.ok());
    QCOMPARE(plan.error().text(), std::string("/stages/1/operators: a stage has operators; leave it out"));
  }

  void hugeMeshesAreRefused_data() {
    QTest::addColumn<QString>("matrix");
    QTest::newRow("in a row") << "[[4611686018427387904, 4]]";
    QTest::newRow("in all rows") << "[[4611686018427387904], [4]]";
    QTest::newRow("one more than there are") << "[[16777217]]";
  }
  void hugeMeshesAreRefused() {
    QFETCH(QString, matrix);
    const QString text = R"({"format": "p2-strategy", "version": 1, "mesh": {"matrix": %1},
      "vertices": [{"name": "fc1", "parts": {}, "axes": {"m": "xy"}}]})";
    const auto plan = strategyPlanFromJson(text.arg(matrix).toStdString(), test::smallGraph());
    QVERIFY(!plan.ok());
    QVERIFY2(plan.error().text().find("a mesh has at most 16777216 devices") != std::string::npos,
             plan.error().text().c_str());
  }

  // Column and row products of tensor parallelism, priced by hand: two all-reduces over the axis that splits n and k,
  // in front of the first and behind the second, and gradients over the other.
  void tensorParallelismIsFourSums() {
    const ComputationGraph of = test::smallGraph();
    const GraphCostOptions options = test::smallOptions(8);
    const Mesh mesh{{2, 4}, test::valueOf(parseMatrix("[[2,1],[1,4]]"))};
    const MappedGraph mapped(of, options);
    test::AffinePricer pricer;
    MeshPrices prices(mesh, pricer);
    const AxisAssignment column{{0, 1, -1}};
    const AxisAssignment row{{0, 2, -1}};
    const AxisAssignment activation{{0, 1, -1}};
    const AxisAssignment repeated{{0, -1, -1}};
    QVERIFY(test::valueOf(mapped.transfersAlong(0, column, activation, mesh, prices)).empty());
    QVERIFY(test::valueOf(mapped.transfersAlong(1, activation, row, mesh, prices)).empty());
    const auto sum = test::valueOf(mapped.transfersAlong(2, row, repeated, mesh, prices));
    QCOMPARE(sum.size(), 1u);
    QCOMPARE(sum[0].collective, MeshCollective::AllReduce);
    QCOMPARE(int(sum[0].axes), 2);
    QCOMPARE(sum[0].bytes.value(), 4.0 * 8 * 8 / 2);
    // Who wants parts of the sum gets them scattered, and gathers the gradients (sequence parallelism).
    const auto scattered = test::valueOf(mapped.transfersAlong(2, row, activation, mesh, prices));
    QCOMPARE(scattered.size(), 2u);
    QCOMPARE(scattered[0].collective, MeshCollective::ReduceScatter);
    QCOMPARE(scattered[1].collective, MeshCollective::AllGather);
    QCOMPARE(scattered[1].purpose, Transfer::Purpose::Backward);
    // Cut anew where everybody had it all: nothing forward, the gradients are gathered.
    const auto cut = test::valueOf(mapped.transfersAlong(1, repeated, row, mesh, prices));
    QCOMPARE(cut.size(), 1u);
    QCOMPARE(cut[0].purpose, Transfer::Purpose::Backward);
    QCOMPARE(cut[0].collective, MeshCollective::AllGather);
  }

 private:
  static void checkRanges(const Found& found, const ComputationGraph& of) {
    const Mesh& mesh = found.solution.mapped.mesh;
    const Placement placement(mesh.axes(), mesh.matrix);
    for (std::size_t v = 0; v < of.operators.size(); ++v) {
      const AxisAssignment& assignment = found.solution.mapped.assignmentOf(v, found.best().choice[v]);
      for (std::size_t t = 0; t < of.operators[v].tensors.size(); ++t) {
        double held = 0;
        std::map<std::vector<std::int64_t>, int> corners;
        for (const Device device : placement.devices()) {
          double elements = 1;
          std::vector<std::int64_t> corner;
          for (const IndexRange& range : heldAt(found.mapped, v, t, assignment, mesh, placement.coordinates(device))) {
            elements *= double(range.end - range.first);
            corner.push_back(range.first);
          }
          held += elements;
          ++corners[corner];
        }
        const double copies = held / found.mapped.elementsOf(v, t);
        QVERIFY2(copies == std::floor(copies), of.operators[v].tensors[t].name.c_str());
        for (const auto& [corner, count] : test::filled(corners)) QCOMPARE(double(count), copies);
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestMapping)
#include "tst_mapping.moc"
