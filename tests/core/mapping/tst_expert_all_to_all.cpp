// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "graphs/strategy_source.h"
#include "graphs/strategy_workload.h"
#include "mapping/mapped_baselines.h"
#include "mapping/mapped_needs.h"
#include "support/warnings.h"
#include "tests/core/mapping/mapped_cases.h"

using namespace p2;

namespace {

/// Tokens with k of E experts each, all alike: the j-th choice of token t is expert (k·t + j) mod E.
struct UniformRoutes {
  std::int64_t tokens;
  std::int64_t experts;
  std::int64_t choices;

  /// A row of an expert as a number: which token's copy it is.
  [[nodiscard]] std::set<std::pair<std::int64_t, std::int64_t>> copies(const IndexRange& ofTokens,
                                                                       const IndexRange& ofExperts) const {
    std::set<std::pair<std::int64_t, std::int64_t>> rows;
    for (std::int64_t t = ofTokens.first; t < ofTokens.end; ++t) {
      for (std::int64_t j = 0; j < choices; ++j) {
        const std::int64_t expert = (choices * t + j) % experts;
        if (expert >= ofExperts.first && expert < ofExperts.end) rows.emplace(t, expert);
      }
    }
    return rows;
  }
};

ComputationGraph routedModel() {
  ModelShape shape{"routed", 1, 64, 128, 4, 4, 16, 128};
  shape.experts = 8;
  shape.expertsPerToken = 2;
  return test::valueOf(graphOf(shape, {16, 32}));
}

std::size_t named(const ComputationGraph& graph, const std::string& name) {
  for (std::size_t v = 0; v < graph.operators.size(); ++v) {
    if (graph.operators[v].name == name) return v;
  }
  qFatal("no operator %s", name.c_str());
}

AxisAssignment cutting(const Operator& op, const char* x, const char* y) {
  AxisAssignment assignment;
  for (std::size_t d = 0; d < op.dimensions.size(); ++d) {
    if (op.dimensions[d].name == x) assignment.at[0] = std::int8_t(d);
    if (op.dimensions[d].name == y) assignment.at[1] = std::int8_t(d);
  }
  return assignment;
}

std::size_t edgeBetween(const ComputationGraph& graph, std::size_t from, std::size_t to) {
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    if (graph.edges[e].from == from && graph.edges[e].to == to) return e;
  }
  qFatal("no edge");
}

}  // namespace

class TestExpertAllToAll : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }

  // Which device holds and which needs every single copy of a token: what each lacks is what it gets by the all-to-all.
  void copiesAreSentOnce_data() {
    QTest::addColumn<QString>("tokensX");
    QTest::addColumn<QString>("tokensY");
    QTest::addColumn<QString>("expertsX");
    QTest::addColumn<QString>("expertsY");
    QTest::addColumn<bool>("exchanged");
    QTest::newRow("experts in the node") << "b"
                                         << "b"
                                         << "b"
                                         << "e" << true;
    QTest::newRow("experts everywhere") << "b"
                                        << "b"
                                        << "e"
                                        << "e" << true;
    QTest::newRow("sequences cut as well") << "b"
                                           << "s"
                                           << "b"
                                           << "e" << true;
    QTest::newRow("experts across nodes, tokens whole in them") << "b"
                                                                << ""
                                                                << "e"
                                                                << "" << true;
    QTest::newRow("tokens that all of a node have") << "b"
                                                    << ""
                                                    << "b"
                                                    << "e" << false;
    QTest::newRow("experts whole") << "b"
                                   << "s"
                                   << "b"
                                   << "s" << false;
  }
  void copiesAreSentOnce() {
    QFETCH(QString, tokensX);
    QFETCH(QString, tokensY);
    QFETCH(QString, expertsX);
    QFETCH(QString, expertsY);
    QFETCH(bool, exchanged);
    const ComputationGraph graph = routedModel();
    GraphCostOptions options = test::smallOptions(8);
    options.microbatches = 1;
    const MappedGraph mapped(graph, options);
    const Mesh mesh{{2, 4}, test::valueOf(parseMatrix("[[2,1],[1,4]]"))};
    const std::size_t dispatch = named(graph, "layer1_dispatch");
    const std::size_t expand = named(graph, "layer1_expand");
    const std::size_t contract = named(graph, "layer1_contract");
    const std::size_t combine = named(graph, "layer1_combine");
    const auto at = [&](std::size_t v) {
      const bool moves = v == dispatch || v == combine;
      return cutting(graph.operators[v], qPrintable(moves ? tokensX : expertsX),
                     qPrintable(moves ? tokensY : expertsY));
    };
    test::AffinePricer pricer;
    MeshPrices prices(mesh, pricer);
    int exchanges = 0;
    for (const auto& [from, to] : {std::pair(dispatch, expand), std::pair(contract, combine)}) {
      const std::size_t edge = edgeBetween(graph, from, to);
      const std::array<Redistribution, 2> both = mapped.redistributionsOf(edge, at(from), at(to), mesh);
      for (std::size_t way = 0; way < 2; ++way) {
        const double lacked = lackedWords(mapped, way == 0 ? from : to, way == 0 ? to : from, mesh, at);
        double received = 0;
        for (std::size_t i = 0; i < kMeshCollectives; ++i) {
          const Redistribution::Step& step = both[way].steps[i];
          if (step.axes != 0) received += step.elements * (1 - 1.0 / double(mesh.sizeOf(step.axes)));
        }
        QCOMPARE(received, lacked);
        if (both[way].step(MeshCollective::AllToAll).axes != 0) ++exchanges;
      }
    }
    // Dispatch and combine, forward and backward.
    QCOMPARE(exchanges, exchanged ? 4 : 0);
    // Weights are summed up over the axes that cut tokens behind the dispatch, and over no others.
    for (const std::size_t v : {expand, contract}) {
      const auto transfers = test::valueOf(mapped.transfersOf(v, at(v), mesh, prices));
      unsigned tokens = (expertsX == "b" || expertsX == "s" ? 1u : 0u) | (expertsY == "b" || expertsY == "s" ? 2u : 0u);
      QCOMPARE(transfers.empty(), tokens == 0);
      if (tokens == 0) continue;
      QCOMPARE(transfers.size(), 1u);
      QCOMPARE(unsigned(transfers[0].axes), tokens);
      const double parts = double(expertParts(graph.operators[v], at(v), mesh));
      QCOMPARE(transfers[0].bytes.value(), 4 * mapped.elementsOf(v, 1) / parts);
    }
  }

  // Inside experts, as in a dense MLP: columns and rows, and what the rows leave is summed up on its way back.
  void tensorParallelismInsideExperts() {
    const ComputationGraph graph = routedModel();
    const GraphCostOptions options = test::smallOptions(8);
    const MappedGraph mapped(graph, options);
    const Mesh mesh{{2, 4}, test::valueOf(parseMatrix("[[2,1],[1,4]]"))};
    const std::size_t contract = named(graph, "layer1_contract");
    const std::size_t combine = named(graph, "layer1_combine");
    const auto rows = cutting(graph.operators[contract], "e", "n");
    const std::size_t edge = edgeBetween(graph, contract, combine);
    const auto whole = mapped.redistributionsOf(edge, rows, cutting(graph.operators[combine], "b", ""), mesh);
    QCOMPARE(int(whole[0].step(MeshCollective::AllReduce).axes), 2);
    QCOMPARE(int(whole[0].step(MeshCollective::AllToAll).axes), 1);
    QVERIFY(whole[1].step(MeshCollective::AllReduce).axes == 0);
    // Sequence parallelism scatters the sums: a quarter of the rows goes back from expert to expert.
    const auto cut = mapped.redistributionsOf(edge, rows, cutting(graph.operators[combine], "b", "s"), mesh);
    QCOMPARE(int(cut[0].step(MeshCollective::ReduceScatter).axes), 2);
    QCOMPARE(cut[0].step(MeshCollective::AllToAll).elements, whole[0].step(MeshCollective::AllToAll).elements / 4);
  }

  // At one bandwidth: (p − 1)/p of what a device has, four times.
  void flatPricesAreAllToAlls() {
    const ComputationGraph graph = test::expertGraph();
    GraphCostOptions options = test::smallOptions(4);
    options.model = StrategyCostModel::Flat;
    FlatPricer flat(options.bandwidth);
    const auto problem = test::valueOf(strategyProblemFrom(graph, options, flat));
    const auto find = [&](std::size_t v, const Configuration& parts) {
      const auto& all = problem.domainOf(v).configurations;
      return std::size_t(std::find(all.begin(), all.end(), parts) - all.begin());
    };
    const double bytes = 4.0 * 4 * 8 * 4 / 4;  // elements of four bytes, a quarter of [4, 8, 4]
    const double once = bytes * 3 / 4 / options.bandwidth;
    const auto price = [&](std::size_t edge, std::size_t from, std::size_t to) {
      return problem.tables[problem.edges[edge].table].at(from, to);
    };
    const std::size_t scattered = find(2, {1, 4, 1, 1});
    QVERIFY(std::abs(price(1, find(1, {4, 1, 1}), scattered) - 2 * once) < 1e-12 * once);
    QVERIFY(std::abs(price(3, find(3, {1, 4, 1, 1}), find(4, {4, 1, 1})) - 2 * once) < 1e-12 * once);
    QCOMPARE(price(1, find(1, {4, 1, 1}), find(2, {4, 1, 1, 1})), 0.0);
    // And in a workload they are that.
    const Strategy strategy{{find(0, {4, 1}), find(1, {4, 1, 1}), scattered, find(3, {1, 4, 1, 1}), find(4, {4, 1, 1})},
                            0};
    const auto source = test::valueOf(workloadOf(graph, options, problem, strategy));
    std::map<std::string, std::int64_t> sent;
    for (const WorkloadEntry& entry : source.workload.collectives) {
      if (entry.kind == CommunicationKind::AllToAll) sent[entry.name] += entry.bytes * entry.count;
    }
    const std::map<std::string, std::int64_t> expected{{"combine", std::int64_t(bytes)},
                                                       {"dispatch", std::int64_t(bytes)},
                                                       {"gradients of combine", std::int64_t(bytes)},
                                                       {"gradients of dispatch", std::int64_t(bytes)}};
    QVERIFY(sent == expected);
  }

  // The strategy of a mesh as a workload: dispatch and combine by their names, and what is assumed and not priced.
  void exportsAllToAlls() {
    ComputationGraph graph = routedModel();
    graph.unpriced = {"Loop"};
    const GraphCostOptions options = test::smallOptions(8);
    HierarchicalPrices prices(test::validFrom("node:2@8GB/s,5us gpu:4@100GB/s,2us"), {});
    SimulatedMeshPricer pricer(prices);
    const auto answer = test::valueOf(mappedBaseline(graph, options, prices.system(), pricer, MappedBaseline::Expert));
    const MappedGraph mapped(graph, options);
    const MappedProblem& problem = answer.solution.mapped;
    const auto mapping =
        test::valueOf(mappingOf(mapped, problem, answer.solution.bounded.solution.strategies.front(), pricer));
    const auto source = test::valueOf(workloadOf(mapped, problem, mapping));
    std::set<std::string> names;
    for (const WorkloadEntry& entry : source.workload.collectives) {
      if (entry.kind == CommunicationKind::AllToAll) names.insert(entry.name);
    }
    QVERIFY((names == std::set<std::string>{"dispatch", "combine", "gradients of dispatch", "gradients of combine"}));
    QCOMPARE(source.ignored, (std::vector<std::string>{"not priced: Loop"}));
    QVERIFY(std::find(source.assumed.begin(), source.assumed.end(), graph.assumed.front()) != source.assumed.end());
    const auto needs = test::valueOf(mappedNeeds(mapped, problem, mapping, prices));
    QVERIFY(std::any_of(needs.begin(), needs.end(), [](const StrategyNeed& n) { return n.collective == "AllToAll"; }));
  }

 private:
  static std::int64_t expertParts(const Operator& op, const AxisAssignment& assignment, const Mesh& mesh) {
    return mesh.sizeOf(assignment.axesOf(*expertDimension(op)));
  }

  /// The most numbers of copies that a device needs behind an edge and does not hold before it.
  template <class At>
  static double lackedWords(const MappedGraph& mapped, std::size_t from, std::size_t to, const Mesh& mesh,
                            const At& at) {
    const ComputationGraph& graph = mapped.graph();
    const UniformRoutes routes{16 * 32, 8, 2};
    const auto heldBy = [&](std::size_t v, const std::vector<std::int64_t>& coordinates) {
      const Operator& op = graph.operators[v];
      const auto part = [&](const char* name, std::int64_t size) {
        for (std::size_t d = 0; d < op.dimensions.size(); ++d) {
          if (op.dimensions[d].name != name) continue;
          const MeshAxes axes = at(v).axesOf(d);
          return rangeOf(size, mesh.sizeOf(axes), partAt(mesh, axes, coordinates));
        }
        return IndexRange{0, size};
      };
      const IndexRange sequences = part("b", 16);
      const IndexRange tokens = part("s", 32);
      std::set<std::pair<std::int64_t, std::int64_t>> all;
      for (std::int64_t b = sequences.first; b < sequences.end; ++b) {
        all.merge(routes.copies({b * 32 + tokens.first, b * 32 + tokens.end}, part("e", 8)));
      }
      return all;
    };
    double most = 0;
    for (std::int64_t device = 0; device < 8; ++device) {
      const std::vector<std::int64_t> coordinates{device / 4, device % 4};
      const auto before = heldBy(from, coordinates);
      double lacking = 0;
      for (const auto& copy : heldBy(to, coordinates)) lacking += before.contains(copy) ? 0 : 64;
      most = std::max(most, lacking);
    }
    return most;
  }
};

QTEST_APPLESS_MAIN(TestExpertAllToAll)
#include "tst_expert_all_to_all.moc"
