// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "graphs/bundled_graphs.h"
#include "mapping/gradient_buckets.h"
#include "mapping/mapped_baselines.h"
#include "mapping/mapped_needs.h"
#include "tests/core/mapping/mapped_cases.h"

using namespace p2;

namespace {

using Role = Tensor::Role;

/// Products that read inputs of their own, with `columns` in all, and a bias each.
ComputationGraph products(std::int64_t count, std::int64_t columns) {
  ComputationGraph graph;
  graph.name = "products";
  for (std::int64_t p = 0; p < count; ++p) {
    graph.operators.push_back({"product" + std::to_string(p),
                               OperatorKind::Gemm,
                               {{"m", 64}, {"n", columns / count}, {"k", 32}},
                               {{"x", Role::Input, {0, 2}},
                                {"w", Role::Parameter, {2, 1}},
                                {"bias", Role::Parameter, {1}},
                                {"y", Role::Output, {0, 1}}}});
  }
  return test::valueOf(validated(graph));
}

/// Seconds and bytes of gradients and gathered parameters when every operator has this assignment.
std::array<double, 2> summed(const ComputationGraph& graph, const GraphCostOptions& options, const Mesh& mesh,
                             const AxisAssignment& assignment) {
  const MappedGraph mapped(graph, options);
  test::AffinePricer pricer;
  MeshPrices prices(mesh, pricer);
  std::array<double, 2> sum{};
  for (std::size_t v = 0; v < graph.operators.size(); ++v) {
    for (const Transfer& each : test::valueOf(mapped.transfersOf(v, assignment, mesh, prices))) {
      if (each.purpose != Transfer::Purpose::Gradients && each.purpose != Transfer::Purpose::Parameters) continue;
      sum[0] += each.seconds;
      sum[1] += each.bytes.value() * each.times;
    }
  }
  return sum;
}

}  // namespace

class TestGradientBuckets : public QObject {
  Q_OBJECT
 private slots:
  // One parameter or the same elements in three cost the same, whatever the layout and the stage of ZeRO.
  void apartAndFusedCostTheSame() {
    const Mesh mesh{{2, 4}, test::valueOf(parseMatrix("[[2,1],[1,4]]"))};
    int compared = 0;
    for (const int zero : {0, 1, 2, 3}) {
      GraphCostOptions options = test::smallOptions(8);
      options.memory.zero = zero;
      options.microbatches = 3;
      for (const AxisAssignment& each : {AxisAssignment{{0, 0}}, AxisAssignment{{0, 1}}, AxisAssignment{{1, 0}},
                                         AxisAssignment{{0, -1}}, AxisAssignment{{0, 2}}}) {
        const auto one = summed(products(1, 96), options, mesh, each);
        const auto three = summed(products(3, 96), options, mesh, each);
        QVERIFY(one[0] > 0);
        QVERIFY(std::abs(three[0] - one[0]) <= 1e-12 * one[0]);
        QCOMPARE(three[1], one[1]);
        ++compared;
      }
    }
    QCOMPARE(compared, 20);
  }

  // The whole buffer, or a layer where ZeRO gathers layer by layer.
  void bucketsAreBuffersOrLayers() {
    const ComputationGraph graph = test::valueOf(bundledGraph("gpt2-medium"));
    const double all = bucketElements(graph, {});
    QVERIFY2(all > 400e6 && all < 420e6, qPrintable(QString::number(all)));  // head and embedding apart
    MemoryOptions memory;
    memory.zero = 3;
    QCOMPARE(bucketElements(graph, memory), all / 24);
  }

  // A part of a graph, such as a stage of a pipeline, has the buckets of the whole.
  void partsHaveTheBucketsOfTheWhole() {
    const Mesh mesh{{8}, test::valueOf(parseMatrix("[[1,8]]"))};
    const GraphCostOptions options = test::smallOptions(8);
    const ComputationGraph whole = products(4, 128);
    QCOMPARE(bucketElements(whole, {}), 128.0 * 33);
    const auto all = summed(whole, options, mesh, {{0}});
    const auto part = summed(products(1, 32), withBucketsOf(whole, options), mesh, {{0}});
    QVERIFY(std::abs(4 * part[0] - all[0]) <= 1e-12 * all[0]);
    QVERIFY(summed(products(1, 32), options, mesh, {{0}})[0] > 1.01 * part[0]);
  }

  // The price of shares is at most one latency per group of devices below that of whole buckets.
  void sharesAreAtMostOneLatencyOff_data() {
    QTest::addColumn<QString>("graph");
    QTest::addColumn<int>("zero");
    QTest::addColumn<int>("baseline");
    for (const char* graph : {"mlp", "lstm", "alexnet", "transformer"}) {
      for (const int zero : {0, 1}) {
        QTest::addRow("%s, ZeRO %d", graph, zero) << QString(graph) << zero << int(MappedBaseline::Data);
      }
    }
    QTest::newRow("alexnet, tensors split") << "alexnet" << 0 << int(MappedBaseline::TensorSequence);
    QTest::newRow("transformer, tensors split") << "transformer" << 1 << int(MappedBaseline::TensorSequence);
  }
  void sharesAreAtMostOneLatencyOff() {
    QFETCH(QString, graph);
    QFETCH(int, zero);
    QFETCH(int, baseline);
    const ComputationGraph of = test::valueOf(bundledGraph(graph.toStdString()));
    GraphCostOptions options = test::smallOptions(16);
    options.memory.zero = zero;
    const MappedGraph mapped(of, options);
    test::AffinePricer pricer;
    const System drawn = test::valueOf(parseSystem("node:4 gpu:4"));
    const MappedSolution found =
        test::valueOf(mappedBaseline(of, options, drawn, pricer, MappedBaseline(baseline))).solution;
    const Strategy& best = found.bounded.solution.strategies.front();
    const Mapping mapping = test::valueOf(mappingOf(mapped, found.mapped, best, pricer));
    // Elements, price of the shares and collective of every group.
    struct Group {
      double bytes = 0;
      double seconds = 0;
      double bucket = 0;
    };
    std::map<std::pair<MeshCollective, MeshAxes>, Group> groups;
    for (const auto& list : mapping.vertices) {
      for (const Transfer& each : list) {
        if (each.bucket == Bytes(0)) continue;
        Group& group = groups[{each.collective, each.axes}];
        group.bytes += each.bytes.value();
        group.seconds += each.seconds;
        group.bucket = each.bucket.value();
      }
    }
    QVERIFY(!groups.empty());
    double off = 0;
    double most = 0;
    for (const auto& [key, group] : groups) {
      const auto price = [&](double bytes) {
        return test::AffinePricer::price(found.mapped.mesh, key.first, key.second, bytes);
      };
      const double buckets = std::max(1.0, std::ceil(group.bytes / group.bucket - 1e-9));
      const double whole = buckets * price(group.bytes / buckets);
      QVERIFY(whole >= group.seconds * (1 - 1e-12));
      QVERIFY2(whole <= group.seconds + price(0) * (1 + 1e-9), qPrintable(QString::number(whole - group.seconds)));
      off += whole - group.seconds;
      most += price(0);
    }
    QVERIFY(off <= most);
    // The workload has those buckets.
    double listed = 0;
    double times = 0;
    const WorkloadSource source = test::valueOf(workloadOf(mapped, found.mapped, mapping));
    for (const WorkloadEntry& entry : source.workload.collectives) {
      if (entry.name == nameOf(Transfer::Purpose::Gradients) || entry.name == nameOf(Transfer::Purpose::Parameters)) {
        listed += double(entry.bytes) * double(entry.count);
        times += double(entry.count);
      }
    }
    double counted = 0;
    double buckets = 0;
    for (const auto& [key, group] : groups) {
      counted += group.bytes;
      buckets += std::ceil(group.bytes / group.bucket - 1e-9);
    }
    QVERIFY(std::abs(listed - counted) <= 1e-6 * counted + 16);
    QCOMPARE(times, buckets);
  }
};

QTEST_APPLESS_MAIN(TestGradientBuckets)
#include "tst_gradient_buckets.moc"
