// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <functional>
#include <limits>

#include "tests/core/mapping/mapped_cases.h"

using namespace p2;

namespace {

/// An assignment of an operator with what it costs by itself, by the table of operator_costs.h, and what it holds.
struct Way {
  AxisAssignment assignment;
  double seconds = 0;
  double memory = 0;
};

/// Every assignment whose parts divide the dimensions.
std::vector<Way> waysOf(const MappedGraph& graph, std::size_t index, const Mesh& mesh) {
  const Operator& op = graph.graph().operators[index];
  std::vector<Way> ways;
  AxisAssignment assignment;
  const std::size_t axes = mesh.sizes.size();
  for (bool more = true; more;) {
    Way way{assignment, 0, 0};
    const Configuration parts = partsOf(op, assignment, mesh);
    bool divides = true;
    for (std::size_t d = 0; d < parts.size(); ++d)
      divides = divides && allowsParts(op.dimensions[d], graph.options().space, parts[d]);
    way.seconds = computeSeconds(op, parts, graph.options());
    way.memory = graph.memoryOf(index, parts).total().value();
    for (const Tensor& tensor : op.tensors) {
      if (tensor.role != Tensor::Role::Parameter && op.name != "act") continue;
      if (tensor.role == Tensor::Role::Input) continue;
      unsigned partial = 0;
      double words = 1;
      for (std::size_t i = 0; i < tensor.dimensions.size(); ++i) {
        words *= double(op.sizeAlong(tensor, i)) / double(parts[tensor.dimensions[i]]);
      }
      for (std::size_t axis = 0; axis < axes; ++axis) {
        const auto d = std::size_t(assignment.at[axis]);
        const bool spanned =
            std::find(tensor.dimensions.begin(), tensor.dimensions.end(), d) != tensor.dimensions.end();
        // A bias' gradient is the same along k, which the output does not have.
        const bool same = tensor.name == "bias" && op.dimensions.size() == 3 && d == 2;
        if (assignment.at[axis] >= 0 && !spanned && !same) partial |= 1u << axis;
      }
      if (partial == 0) continue;
      if (tensor.role == Tensor::Role::Parameter) {
        way.seconds += test::gradientShare(mesh, partial, words, 2 * (8 * 8 + 8));
      } else {
        way.seconds += test::AffinePricer::price(mesh, MeshCollective::AllReduce, partial, 4 * words);
      }
    }
    if (divides) ways.push_back(way);
    more = false;
    for (std::size_t axis = axes; axis-- > 0 && !more;) {
      more = ++assignment.at[axis] < int(op.dimensions.size());
      if (!more) assignment.at[axis] = AxisAssignment::kRepeated;
    }
  }
  return ways;
}

/// Every strategy on one mesh, to be gone through by brute force.
class EveryStrategy {
 public:
  EveryStrategy(const MappedGraph& graph, const Mesh& mesh) : m_graph(graph.graph()) {
    for (std::size_t v = 0; v < m_graph.operators.size(); ++v) m_ways.push_back(waysOf(graph, v, mesh));
    test::SetPrices sets(mesh);
    for (std::size_t e = 0; e < m_graph.edges.size(); ++e) {
      std::vector<double>& table = m_prices.emplace_back();
      for (const Way& from : m_ways[m_graph.edges[e].from]) {
        for (const Way& to : m_ways[m_graph.edges[e].to]) {
          table.push_back(sets.ofEdge(graph, e, from.assignment, to.assignment));
        }
      }
    }
  }

  /// The least cost below `best` whose devices hold no more than the limit; `best` if there is none.
  [[nodiscard]] double cheapest(double limit, double best) {
    m_choice.assign(m_ways.size(), 0);
    extend(0, 0, 0, limit, best);
    return best;
  }

 private:
  void extend(std::size_t v, double seconds, double memory, double limit, double& best) {
    if (seconds >= best || memory > limit) return;
    if (v == m_ways.size()) {
      best = seconds;
      return;
    }
    for (m_choice[v] = 0; m_choice[v] < m_ways[v].size(); ++m_choice[v]) {
      const Way& way = m_ways[v][m_choice[v]];
      double more = way.seconds;
      for (std::size_t e = 0; e < m_graph.edges.size(); ++e) {
        const ComputationGraph::Edge& edge = m_graph.edges[e];
        if (edge.to == v) more += m_prices[e][m_choice[edge.from] * m_ways[v].size() + m_choice[v]];
      }
      extend(v + 1, seconds + more, memory + way.memory, limit, best);
    }
  }

  const ComputationGraph& m_graph;
  std::vector<std::vector<Way>> m_ways;
  std::vector<std::vector<double>> m_prices;
  std::vector<std::size_t> m_choice;
};

}  // namespace

class TestMappedSolver : public QObject {
  Q_OBJECT

 private slots:
  // Against every strategy on every mesh, edges priced from the sets of indices that devices hold and need.
  void bruteForceAgrees_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<double>("flops");
    QTest::newRow("two axes") << "node:2 gpu:2" << 2e12;
    QTest::newRow("three axes") << "node:2 gpu:4" << 2e12;
    QTest::newRow("several meshes") << "node:4 gpu:4" << 2e12;
    QTest::newRow("slow devices") << "node:2 gpu:4" << 2e9;
  }
  void bruteForceAgrees() {
    QFETCH(QString, system);
    QFETCH(double, flops);
    const ComputationGraph graph = test::smallGraph();
    const System drawn = test::valueOf(parseSystem(system.toStdString()));
    GraphCostOptions options = test::smallOptions(drawn.deviceCount());
    options.flops = flops;
    if (drawn.deviceCount() > 8) options.space.cutoff = 4;  // fewer strategies to go through
    const MappedGraph mapped(graph, options);
    test::AffinePricer pricer;
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    double best = kInfinite;
    std::vector<EveryStrategy> all;
    std::vector<Mesh> meshes = meshesOf(drawn);
    for (const Mesh& mesh : meshesWithCopies(drawn)) meshes.push_back(mesh);
    for (const Mesh& mesh : meshes) {
      all.emplace_back(mapped, mesh);
      best = all.back().cheapest(kInfinite, best);
    }
    const MappedSolution found = test::valueOf(solveMapped(graph, options, drawn, pricer));
    const Strategy& strategy = found.bounded.solution.strategies.front();
    QVERIFY(found.bounded.optimal);
    QCOMPARE(found.meshes, meshes.size());
    QVERIFY2(std::abs(strategy.cost - best) <= 1e-12 * best,
             qPrintable(QString::number(strategy.cost / best, 'g', 17)));
    // Within a bound on memory, too.
    const double needed = memoryOf(found.mapped.problem, strategy.choice);
    int bound = 0;
    for (const double part : {0.3, 0.7, 0.95}) {
      double fitting = kInfinite;
      for (EveryStrategy& each : all) fitting = each.cheapest(part * needed, fitting);
      options.deviceMemory = Bytes(part * needed);
      const auto within = solveMapped(graph, options, drawn, pricer);
      QCOMPARE(within.ok(), std::isfinite(fitting));
      if (!within.ok()) continue;
      ++bound;
      QVERIFY(within->bounded.optimal);
      const double cost = within->bounded.solution.strategies.front().cost;
      QVERIFY2(std::abs(cost - fitting) <= 1e-12 * fitting, qPrintable(QString::number(cost / fitting, 'g', 17)));
    }
    QVERIFY(bound > 0);
  }

  void pinsAreKeptOnEveryMesh() {
    const ComputationGraph graph = test::smallGraph();
    const System drawn = test::valueOf(parseSystem("node:4 gpu:4"));
    test::AffinePricer pricer;
    MappedRequest request;
    request.limits.pins.resize(graph.operators.size());
    request.limits.pins[2] = MappedPin{{1, 2, 4}, {}};
    const auto found = test::valueOf(solveMapped(graph, test::smallOptions(16), drawn, pricer, request));
    const std::size_t choice = found.bounded.solution.strategies.front().choice[2];
    QCOMPARE(found.mapped.problem.domainOf(2).configurations[choice], (Configuration{1, 2, 4}));
    const auto free = test::valueOf(solveMapped(graph, test::smallOptions(16), drawn, pricer));
    QVERIFY(found.bounded.solution.strategies.front().cost >= free.bounded.solution.strategies.front().cost);
    request.limits.pins[2] = MappedPin{{1, 3, 4}, {}};
    QVERIFY(!solveMapped(graph, test::smallOptions(16), drawn, pricer, request).ok());
  }

  void cancelledIsNoAnswer() {
    std::stop_source source;
    source.request_stop();
    test::AffinePricer pricer;
    const auto found = solveMapped(test::smallGraph(), test::smallOptions(8),
                                   test::valueOf(parseSystem("node:2 gpu:4")), pricer, {}, source.get_token());
    QCOMPARE(found.error().kind, ErrorKind::Cancelled);
  }
};

QTEST_APPLESS_MAIN(TestMappedSolver)
#include "tst_mapped_solver.moc"
