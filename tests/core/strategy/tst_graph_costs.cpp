// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "graphs/bundled_graphs.h"
#include "graphs/strategy_json.h"
#include "strategy/graph_costs.h"
#include "support/fixtures.h"
#include "text/text_file.h"

using namespace p2;

namespace {

/// An m × n × k product as PaSE has it.
Operator gemm(const std::string& name, std::int64_t m, std::int64_t n, std::int64_t k) {
  return {name,
          OperatorKind::Gemm,
          {{"m", m, true}, {"n", n, true}, {"k", k, true}},
          {{"x", Tensor::Role::Input, {0, 2}, {}},
           {"w", Tensor::Role::Parameter, {2, 1}, {}},
           {"y", Tensor::Role::Output, {0, 1}, {}}}};
}

/// The last three layers of AlexNet.
ComputationGraph fullyConnected() {
  return {"fc",
          "",
          {gemm("10:FC", 128, 4096, 9216), gemm("11:FC", 128, 4096, 4096), gemm("12:FC", 128, 1024, 4096)},
          {{0, 2, 1, 0}, {1, 2, 2, 0}}};
}

StrategyProblem flatProblem(const ComputationGraph& graph, const GraphCostOptions& options) {
  FlatPricer pricer(options.bandwidth);
  return test::valueOf(validated(test::valueOf(strategyProblemFrom(graph, options, pricer))));
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(a, b); }

}  // namespace

class TestGraphCosts : public QObject {
  Q_OBJECT

  StrategyProblem m_published;  ///< PaSE's tables of AlexNet on 8 devices; a unit is a multiply-add

  [[nodiscard]] std::size_t published(const std::string& name) const {
    for (std::size_t v = 0; v < m_published.vertices.size(); ++v) {
      if (m_published.vertices[v].name == name) return v;
    }
    qFatal("no vertex %s", name.c_str());
  }

 private slots:
  void initTestCase() {
    m_published =
        test::valueOf(strategyProblemFromJson(test::valueOf(readTextFile(P2_TEST_DATA "/strategy/alexnet_p8.json"))));
  }

  // At 10 TFLOP/s a multiply-add takes 2e-13 s.
  void productsCostWhatIsPublished_data() {
    QTest::addColumn<int>("vertex");
    // Two of PaSE's layers end with an activation that it counts as 3 multiply-adds per element of the output.
    QTest::addColumn<double>("activation");
    QTest::newRow("10:FC") << 0 << 3.0;
    QTest::newRow("11:FC") << 1 << 3.0;
    QTest::newRow("12:FC") << 2 << 0.0;
  }
  void productsCostWhatIsPublished() {
    QFETCH(int, vertex);
    QFETCH(double, activation);
    const ComputationGraph graph = fullyConnected();
    const StrategyProblem problem = flatProblem(graph, {});
    const Operator& op = graph.operators[std::size_t(vertex)];
    const ConfigurationDomain& ours = problem.domainOf(std::size_t(vertex));
    const ConfigurationDomain& theirs = m_published.domainOf(published(op.name));
    QCOMPARE(ours.configurations, theirs.configurations);
    for (std::size_t i = 0; i < ours.costs.size(); ++i) {
      const Configuration& c = ours.configurations[i];
      const double tile = double(op.dimensions[0].size * op.dimensions[1].size) / double(c[0] * c[1]);
      QVERIFY2(near(ours.costs[i] / 2e-13 + activation * tile, theirs.costs[i]), qPrintable(QString::number(i)));
    }
  }

  void edgesCostWhatIsPublished() {
    const StrategyProblem problem = flatProblem(fullyConnected(), {});
    QCOMPARE(problem.edges.size(), 2u);
    for (const StrategyProblem::Edge& edge : problem.edges) {
      const std::size_t from = published(problem.vertices[edge.from].name);
      const EdgeCosts& ours = problem.tables[edge.table];
      const auto theirs = std::find_if(m_published.edges.begin(), m_published.edges.end(),
                                       [&](const StrategyProblem::Edge& e) { return e.from == from; });
      QVERIFY(theirs != m_published.edges.end());
      const EdgeCosts& table = m_published.tables[theirs->table];
      QCOMPARE(ours.costs.size(), table.costs.size());
      for (std::size_t i = 0; i < table.costs.size(); ++i) QVERIFY(near(ours.costs[i] / 2e-13, table.costs[i]));
    }
  }

  // 2×2×2 split of 8×12×20: the three partial sums, each over one dimension.
  void aProductLeavesThreePartialSums() {
    const Operator op = gemm("op", 8, 12, 20);
    QCOMPARE(multiplyAdds(op, {1, 1, 1}), 3.0 * 8 * 12 * 20);
    QCOMPARE(multiplyAdds(op, {2, 3, 5}), 3.0 * 8 * 12 * 20 / 30);
    QVERIFY(reductionsOf(op, {1, 1, 1}).empty());
    QCOMPARE(reductionsOf(op, {2, 3, 5}),
             (std::vector<Reduction>{{0, {1}, 4.0 * 4}, {1, {0}, 4.0 * 4}, {2, {2}, 4.0 * 4}}));
    QCOMPARE(reductionsOf(op, {4, 1, 1}), (std::vector<Reduction>{{1, {0}, 12.0 * 20}}));
  }

  // Convolution, attention, …: what a split along one dimension leaves to be summed up, tensor by tensor.
  void everyKindReducesWhatItShould_data() {
    QTest::addColumn<QString>("graph");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("split");
    QTest::addColumn<QString>("sums");
    const auto row = [](const char* graph, const char* name, const char* split, const char* sums) {
      QTest::addRow("%s %s along %s", graph, name, split)
          << QString(graph) << QString(name) << QString(split) << QString(sums);
    };
    row("alexnet", "conv2", "b", "w:307200 bias:192");
    row("alexnet", "conv2", "c", "y:17915904");
    row("alexnet", "conv2", "n", "x:5971968");
    row("alexnet", "pool2", "c", "");
    row("alexnet", "flatten", "c", "");
    row("alexnet", "loss", "n", "maximum:128 sum:128");
    row("alexnet", "loss", "b", "");
    row("resnet50", "norm1", "b", "scale:64 shift:64 mean:64 variance:64 mean_gradient:64 variance_gradient:64");
    row("resnet50", "norm1", "c", "");
    row("gpt2-medium", "embedding", "v", "y:536870912");
    row("gpt2-medium", "embedding", "b", "w:51463168");
    row("gpt2-medium", "layer1_attention", "k", "query:536870912 maximum:8388608 sum:8388608 y:536870912");
    row("gpt2-medium", "layer1_attention", "q", "key:536870912 value:536870912");
    row("gpt2-medium", "layer1_attention", "h", "");
    row("gpt2-medium", "layer1_add1", "e", "");
    row("gpt2-medium", "layer1_norm1", "e",
        "mean:524288 variance:524288 mean_gradient:524288 variance_gradient:524288");
    row("lstm", "lstm1", "k", "gates:4200000");
    row("lstm", "lstm1", "n", "x:1050000 state:1050000");
  }
  void everyKindReducesWhatItShould() {
    QFETCH(QString, graph);
    QFETCH(QString, name);
    QFETCH(QString, split);
    QFETCH(QString, sums);
    const ComputationGraph all = test::valueOf(bundledGraph(graph.toStdString()));
    const auto op = std::find_if(all.operators.begin(), all.operators.end(),
                                 [&](const Operator& each) { return each.name == name.toStdString(); });
    QVERIFY(op != all.operators.end());
    Configuration parts(op->dimensions.size(), 1);
    std::size_t along = 0;
    while (op->dimensions[along].name != split.toStdString()) ++along;
    parts[along] = 2;
    // Of every part a device holds half where the tensor spans the dimension; none of those here does.
    QStringList stated;
    for (const Reduction& reduction : reductionsOf(*op, parts)) {
      QCOMPARE(reduction.dimensions, std::vector<std::size_t>{along});
      stated += QString::fromStdString(op->tensors[reduction.tensor].name) + ":" +
                QString::number(reduction.elements, 'f', 0);
    }
    QCOMPARE(stated.join(' '), sums);
  }

  void exchanges_data() {
    QTest::addColumn<QList<int>>("from");
    QTest::addColumn<QList<int>>("to");
    QTest::addColumn<int>("idleParts");
    QTest::addColumn<double>("idleLacking");
    QTest::addColumn<int>("copiesParts");
    QTest::addColumn<double>("copiesLacking");
    // An output of 128 × 4096 = 524288 words; the target reads it as its m × k.
    QTest::newRow("alike") << QList{2, 2, 1} << QList{2, 1, 2} << 1 << 0.0 << 1 << 0.0;
    QTest::newRow("gathered") << QList{4, 1, 1} << QList{1, 1, 1} << 4 << 524288 * 0.75 << 4 << 524288 * 0.75;
    QTest::newRow("turned") << QList{4, 1, 1} << QList{1, 1, 4} << 4 << 131072 * 0.75 << 4 << 131072 * 0.75;
    QTest::newRow("cut further") << QList{2, 1, 1} << QList{4, 1, 1} << 2 << 131072.0 << 1 << 0.0;
    QTest::newRow("from one") << QList{1, 1, 4} << QList{2, 1, 1} << 2 << 262144.0 << 1 << 0.0;
    QTest::newRow("partly alike") << QList{8, 1, 1} << QList{4, 1, 2} << 2 << 32768.0 << 2 << 32768.0;
  }
  void exchanges() {
    QFETCH(QList<int>, from);
    QFETCH(QList<int>, to);
    QFETCH(int, idleParts);
    QFETCH(double, idleLacking);
    QFETCH(int, copiesParts);
    QFETCH(double, copiesLacking);
    const ComputationGraph graph = fullyConnected();
    const auto check = [&](SpareDevices spare, int parts, double lacking) {
      const Resharding resharding = reshardingAlong(graph, graph.edges[0], Configuration(from.begin(), from.end()),
                                                    Configuration(to.begin(), to.end()), spare);
      QCOMPARE(resharding.parts, parts);
      QCOMPARE(resharding.elements * (parts - 1) / parts, lacking);
    };
    check(SpareDevices::Idle, idleParts, idleLacking);
    check(SpareDevices::Copies, copiesParts, copiesLacking);
  }

  void operatorsAlikeShareTheirTables() {
    const ComputationGraph graph = test::valueOf(bundledGraph("gpt2-medium"));
    const StrategyProblem problem = flatProblem(graph, {});
    QCOMPARE(problem.vertices.size(), graph.operators.size());
    QCOMPARE(problem.edges.size(), graph.edges.size());
    QVERIFY(problem.domains.size() < 15);
    QVERIFY(problem.tables.size() < 20);
  }

  void spareDevicesAreAnAxisOfTheirOwn() {
    QCOMPARE(deviceAxesOf({2, 1, 4}, 64).sizes, (std::vector<std::int64_t>{2, 4, 8}));
    QCOMPARE(deviceAxesOf({2, 1, 4}, 64).dimensions, (std::vector<std::size_t>{0, 2, DeviceAxes::kCopies}));
    QCOMPARE(deviceAxesOf({2, 1, 4}, 8).sizes, (std::vector<std::int64_t>{2, 4}));
    QCOMPARE(deviceAxesOf({3}, 8).sizes, std::vector<std::int64_t>{3});
  }

  void optionsOutOfRange_data() {
    QTest::addColumn<GraphCostOptions>("options");
    QTest::newRow("devices") << GraphCostOptions{0};
    QTest::newRow("many devices") << GraphCostOptions{kMostStrategyDevices + 1};
    QTest::newRow("cutoff") << GraphCostOptions{8, {SpaceKind::Divisors, 0}};
    QTest::newRow("flops") << GraphCostOptions{8, {}, StrategyCostModel::Flat, 0};
    QTest::newRow("bandwidth") << GraphCostOptions{8, {}, StrategyCostModel::Flat, 1, -1};
    QTest::newRow("word") << GraphCostOptions{8, {}, StrategyCostModel::Flat, 1, 1, Bytes(std::nan(""))};
  }
  void optionsOutOfRange() {
    QFETCH(GraphCostOptions, options);
    FlatPricer pricer(1);
    QVERIFY(!strategyProblemFrom(fullyConnected(), options, pricer).ok());
  }

  void tooManyCellsAreRefused() {
    GraphCostOptions options;
    options.devices = 1 << 14;
    options.space.kind = SpaceKind::All;
    ComputationGraph graph;
    for (int i = 0; i < 2; ++i) {
      graph.operators.push_back({"op" + std::to_string(i),
                                 OperatorKind::Elementwise,
                                 {{"b", 1 << 20, true}},
                                 {{"x", Tensor::Role::Input, {0}, {}}, {"y", Tensor::Role::Output, {0}, {}}}});
    }
    graph.edges = {{0, 1, 1, 0}};
    FlatPricer pricer(1);
    const auto refused = strategyProblemFrom(graph, options, pricer);
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().kind, ErrorKind::TooLarge);
    QVERIFY(refused.error().message.find(std::to_string((1 << 14) * std::int64_t{1 << 14})) != std::string::npos);
  }

  void cancelledAndProgress() {
    FlatPricer pricer(1);
    std::stop_source source;
    double last = 0;
    const auto done = strategyProblemFrom(fullyConnected(), {}, pricer, source.get_token(), [&](double share) {
      QVERIFY(share >= last);
      last = share;
    });
    QVERIFY(done.ok());
    QCOMPARE(last, 1.0);
    source.request_stop();
    const auto stopped = strategyProblemFrom(fullyConnected(), {}, pricer, source.get_token());
    QCOMPARE(stopped.error().kind, ErrorKind::Cancelled);
  }
};

QTEST_APPLESS_MAIN(TestGraphCosts)
#include "tst_graph_costs.moc"
