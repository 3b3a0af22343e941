// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "graphs/bundled_graphs.h"
#include "mapping/mapped_baselines.h"
#include "mapping/mapping.h"
#include "strategy/shared_tensors.h"
#include "support/warnings.h"
#include "tests/core/mapping/mapped_cases.h"

using namespace p2;

namespace {

using Role = Tensor::Role;

/// A normalisation and the products that read it, with `columns` in all.
ComputationGraph readBy(std::int64_t products, std::int64_t columns) {
  ComputationGraph graph;
  graph.name = "products";
  graph.operators.push_back({"norm",
                             OperatorKind::Normalisation,
                             {{"m", 64}, {"h", 32, false}},
                             {{"x", Role::Input, {0, 1}}, {"y", Role::Output, {0, 1}}}});
  for (std::int64_t p = 0; p < products; ++p) {
    const std::size_t product = graph.operators.size();
    graph.operators.push_back(
        {"product" + std::to_string(p),
         OperatorKind::Gemm,
         {{"m", 64}, {"n", columns / products}, {"k", 32, false}},
         {{"x", Role::Input, {0, 2}}, {"w", Role::Parameter, {2, 1}}, {"y", Role::Output, {0, 1}}}});
    graph.edges.push_back({0, 1, product, 0});
  }
  return test::valueOf(validated(graph));
}

struct Solved {
  ComputationGraph graph;
  MappedSolution solution;
  Mapping mapping;

  [[nodiscard]] std::vector<Transfer> along() const {
    std::vector<Transfer> all;
    for (const auto& list : mapping.edges) all.insert(all.end(), list.begin(), list.end());
    return all;
  }
};

Solved solved(const ComputationGraph& graph, const Mesh& mesh, const GraphCostOptions& options,
              const MappedLimits& limits) {
  test::AffinePricer pricer;
  MappedRequest request;
  request.mesh = mesh;
  request.limits = limits;
  const System system = test::valueOf(parseSystem("node:1 gpu:" + std::to_string(options.devices)));
  auto solution = test::valueOf(solveMapped(graph, options, system, pricer, request));
  auto mapping = test::valueOf(mappingOf(MappedGraph(graph, options), solution.mapped,
                                         solution.bounded.solution.strategies.front(), pricer));
  return {graph, std::move(solution), std::move(mapping)};
}

}  // namespace

class TestSharedTensors : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  // Sequence parallelism in front of one product or of three: one AllGather, which the backward pass repeats, and one
  // ReduceScatter of the gradients that were added before.
  void gatheredAndSummedOnce() {
    const Mesh mesh{{8}, test::valueOf(parseMatrix("[[1,8]]"))};
    const GraphCostOptions options = test::smallOptions(8);
    double fused = 0;
    for (const std::int64_t products : {1, 2, 3}) {
      const ComputationGraph graph = withSharedTensors(readBy(products, 96));
      QCOMPARE(graph.operators.size(), std::size_t(products == 1 ? 2 : products + 2));
      QVERIFY(validated(graph).ok());
      MappedLimits limits;
      limits.pins.resize(graph.operators.size());
      for (std::size_t v = 0; v < graph.operators.size(); ++v) {
        if (graph.operators[v].kind == OperatorKind::Normalisation) limits.pins[v] = MappedPin{{8, 1}};
        if (graph.operators[v].kind == OperatorKind::Gemm) limits.pins[v] = MappedPin{{1, 8, 1}};
      }
      const Solved found = solved(graph, mesh, options, limits);
      const auto transfers = found.along();
      QCOMPARE(transfers.size(), 3u);
      QCOMPARE(transfers[0].collective, MeshCollective::AllGather);
      QCOMPARE(transfers[1].collective, MeshCollective::AllGather);
      QCOMPARE(transfers[1].purpose, Transfer::Purpose::Again);
      QCOMPARE(transfers[2].collective, MeshCollective::ReduceScatter);
      QCOMPARE(transfers[2].purpose, Transfer::Purpose::Backward);
      double seconds = 0;
      for (const Transfer& each : transfers) seconds += each.seconds;
      if (products == 1) fused = seconds;
      QCOMPARE(seconds, fused);
      QCOMPARE(found.mapping.vertices[0].size(), 0u);
    }
  }

  // One reader with partial sums of the gradient and one that has it all: still one sum.
  void whoHasItAllAddsToOneShare() {
    const Mesh mesh{{8}, test::valueOf(parseMatrix("[[1,8]]"))};
    const ComputationGraph graph = withSharedTensors(readBy(2, 64));
    MappedLimits limits;
    limits.pins = {MappedPin{{1, 1}}, MappedPin{{1, 8, 1}}, MappedPin{{1, 1, 1}}, std::nullopt};
    const auto transfers = solved(graph, mesh, test::smallOptions(8), limits).along();
    QCOMPARE(transfers.size(), 1u);
    QCOMPARE(transfers[0].collective, MeshCollective::AllReduce);
    QCOMPARE(transfers[0].bytes.value(), 4.0 * 64 * 32);
  }

  // Two readers with the layout of the source cost nothing; a third with another layout pays for itself.
  void othersPayForThemselves() {
    const Mesh mesh{{8}, test::valueOf(parseMatrix("[[1,8]]"))};
    const ComputationGraph graph = withSharedTensors(readBy(3, 96));
    MappedLimits limits;
    limits.pins = {MappedPin{{8, 1}}, MappedPin{{8, 1, 1}}, MappedPin{{8, 1, 1}}, MappedPin{{1, 8, 1}}, std::nullopt};
    const auto transfers = solved(graph, mesh, test::smallOptions(8), limits).along();
    QCOMPARE(transfers.size(), 3u);
    QCOMPARE(transfers[0].collective, MeshCollective::AllGather);
    QCOMPARE(transfers[1].purpose, Transfer::Purpose::Again);
    QCOMPARE(transfers[2].collective, MeshCollective::ReduceScatter);
  }

  // Queries, keys and values apart: still four AllReduces a layer, as Megatron has.
  void fourSumsForEveryLayer() {
    const ComputationGraph graph = withSharedTensors(test::valueOf(bundledGraph("gpt2-medium")));
    const Mesh mesh{{8}, test::valueOf(parseMatrix("[[1,8]]"))};
    GraphCostOptions options = test::smallOptions(8);
    MappedLimits limits;
    limits.allows = [](const Operator& op, const AxisAssignment& at, const Mesh& on) {
      return isTensorParallel(op, at, on, on.all(), false);
    };
    const Solved found = solved(graph, mesh, options, limits);
    std::map<QString, int> layers;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      for (const Transfer& transfer : found.mapping.edges[e]) {
        // What passes between layers counts to the one that put it out.
        const QString name = QString::fromStdString(graph.operators[graph.edges[e].from].name);
        if (!name.startsWith("layer")) continue;
        QCOMPARE(transfer.collective, MeshCollective::AllReduce);
        ++layers[name.section('_', 0, 0)];
      }
    }
    QCOMPARE(layers.size(), 24u);
    for (const auto& [layer, sums] : layers) QVERIFY2(sums == 4, qPrintable(QString("%1: %2").arg(layer).arg(sums)));
  }

  void tensorsOfOneReaderStay() {
    const ComputationGraph small = test::smallGraph();
    const ComputationGraph shared = withSharedTensors(small);
    QCOMPARE(shared.operators.size(), small.operators.size() + 1);
    QCOMPARE(shared.operators.back().name, std::string("act shared"));
    QCOMPARE(shared.edges.size(), small.edges.size() + 1);
    QVERIFY(withSharedTensors(shared) == shared);
    QVERIFY(withSharedTensors(readBy(1, 8)) == readBy(1, 8));
  }
};

QTEST_APPLESS_MAIN(TestSharedTensors)
#include "tst_shared_tensors.moc"
