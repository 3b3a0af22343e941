// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "graphs/bundled_graphs.h"
#include "mapping/mapped_needs.h"
#include "tests/core/mapping/mapped_cases.h"

using namespace p2;

namespace {

/// A strategy found on a system, with its mapping.
struct Found {
  Found(const ComputationGraph& graph, const GraphCostOptions& options, const char* system)
      : mapped(graph, options),
        prices(test::validFrom(system), {}),
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
    options.passes = 3;
    const Found found(of, options, "node:2@8GB/s,5us gpu:8@100GB/s,2us");
    const double cost = found.best().cost;
    QVERIFY2(std::abs(found.mapping.seconds() - cost) <= 1e-12 * cost,
             qPrintable(QString::number(found.mapping.seconds() / cost, 'g', 17)));
    QVERIFY(std::abs(splitOf(found.mapping).total() - cost) <= 1e-12 * cost);
    checkRanges(found, of);
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
    double told = 0;
    for (const WorkloadEntry& entry : source.workload.collectives) told += double(entry.bytes) * double(entry.count);
    QVERIFY(std::abs(told - bytes) <= 1e-6 * bytes);
    QVERIFY(source.ignored.empty());
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
          double words = 1;
          std::vector<std::int64_t> corner;
          for (const IndexRange& range : heldAt(found.mapped, v, t, assignment, mesh, coordinatesOf(mesh, device))) {
            words *= double(range.end - range.first);
            corner.push_back(range.first);
          }
          held += words;
          ++corners[corner];
        }
        const double copies = held / found.mapped.wordsOf(v, t);
        QVERIFY2(copies == std::floor(copies), of.operators[v].tensors[t].name.c_str());
        for (const auto& [corner, count] : corners) QCOMPARE(double(count), copies);
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestMapping)
#include "tst_mapping.moc"
