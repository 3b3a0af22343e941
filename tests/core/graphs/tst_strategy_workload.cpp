// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "graphs/bundled_graphs.h"
#include "graphs/strategy_workload.h"
#include "strategy/detail/exact_solver.h"
#include "support/fixtures.h"

using namespace p2;
using namespace p2::test;

namespace {

/// x of m × k times weights of n × k.
Operator productOf(const std::string& name, std::int64_t m, std::int64_t n, std::int64_t k) {
  return {name,
          OperatorKind::Gemm,
          {{"m", m}, {"n", n}, {"k", k}},
          {{"x", Tensor::Role::Input, {0, 2}},
           {"w", Tensor::Role::Parameter, {1, 2}},
           {"y", Tensor::Role::Output, {0, 1}}}};
}

/// Two products, the second of what the first puts out.
ComputationGraph twoProducts() {
  ComputationGraph graph;
  graph.name = "two";
  graph.operators = {productOf("fc1", 64, 256, 128), productOf("fc2", 64, 512, 256)};
  graph.edges = {{0, 2, 1, 0}};
  return valueOf(validated(graph));
}

WorkloadSource sourceOfSplits(const Configuration& first, const Configuration& second, std::int64_t devices) {
  const ComputationGraph graph = twoProducts();
  GraphCostOptions options;
  options.devices = devices;
  options.space = {SpaceKind::All, 1, false, false};
  FlatPricer pricer(options.bandwidth);
  const StrategyProblem problem = valueOf(strategyProblemFrom(graph, options, pricer));
  Strategy strategy;
  for (std::size_t v = 0; v < 2; ++v) {
    const auto& all = problem.domainOf(v).configurations;
    const auto at = std::find(all.begin(), all.end(), v == 0 ? first : second);
    if (at == all.end()) qFatal("no such configuration");
    strategy.choice.push_back(static_cast<std::size_t>(at - all.begin()));
  }
  return valueOf(workloadOf(graph, options, problem, strategy));
}

QString strategyEntries(const Workload& workload) {
  QStringList lines;
  for (const WorkloadEntry& entry : workload.collectives) {
    QString line = QString::fromStdString(std::to_string(entry.count) + " " + std::string(nameOf(entry.kind)) + " " +
                                          std::to_string(entry.bytes));
    for (const std::string& axis : entry.axes) line += " " + QString::fromStdString(axis);
    lines << line;
  }
  lines.sort();
  return lines.join('\n');
}

bool says(const std::vector<std::string>& lines, const std::string& part) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

}  // namespace

/// What a strategy communicates, as a workload.
class TestStrategyWorkload : public QObject {
  Q_OBJECT
 private slots:
  void dataParallelReducesWeights() {
    const auto source = sourceOfSplits({8, 1, 1}, {8, 1, 1}, 8);
    QCOMPARE(strategyEntries(source.workload), QString("1 AllReduce 131072 m\n1 AllReduce 524288 m"));
    QCOMPARE(source.workload.axes, (std::vector<Axis>{{"m", 8, false}}));
    // 2 · 3 · 64/8 · (256·128 + 512·256) at 10 TFLOP/s.
    QVERIFY(qAbs(*source.workload.computeSeconds - 6.0 * 8 * (256 * 128 + 512 * 256) / 10e12) < 1e-15);
  }

  void whatTheNextOperatorLacksIsGathered() {
    // fc2 needs all of fc1's output, 64 × 256 words, and sums up as much of its gradient over n.
    const auto source = sourceOfSplits({8, 1, 1}, {1, 8, 1}, 8);
    QCOMPARE(strategyEntries(source.workload),
             QString("1 AllGather 65536 axis0\n1 AllReduce 131072 axis0\n1 AllReduce 65536 axis0\n"
                     "1 ReduceScatter 65536 axis0"));
  }

  void differentSplitsShareAFinerMesh() {
    const auto source = sourceOfSplits({4, 2, 1}, {2, 4, 1}, 8);
    std::int64_t product = 1;
    for (const Axis& axis : source.workload.axes) product *= axis.size;
    QCOMPARE(product, std::int64_t(8));
    QCOMPARE(source.workload.axes.size(), std::size_t(3));
    QVERIFY(says(source.assumed, "operators share one mesh"));
    // fc2's weights, 512/4 × 256 words, over its two parts of m.
    QVERIFY(strategyEntries(source.workload).contains("1 AllReduce 131072 "));
    QVERIFY(checkWorkload(source.workload).ok());
  }

  void whatHasNoMeshInCommonIsSaid() {
    // Of 36 devices 4 and 9 lie in no order beside 6 and 6.
    const auto source = sourceOfSplits({4, 9, 1}, {6, 6, 1}, 36);
    QVERIFY(says(source.ignored, "no mesh in common"));
    QVERIFY(checkWorkload(source.workload).ok());
    // 6 and 2 do beside 4 and 3, the one the other way round.
    QVERIFY(sourceOfSplits({6, 1, 1}, {1, 4, 1}, 12).ignored.empty());
    const auto undivided = sourceOfSplits({8, 1, 1}, {3, 1, 1}, 8);
    QVERIFY(says(undivided.ignored, "parts do not divide the devices"));
  }

  void bundledGraphsBecomeWorkloads_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"mlp", "alexnet", "lstm"}) QTest::newRow(name) << QString(name);
  }
  void bundledGraphsBecomeWorkloads() {
    QFETCH(QString, name);
    const auto graph = valueOf(bundledGraph(name.toStdString()));
    GraphCostOptions options;
    options.space.kind = SpaceKind::PowersOfTwo;
    options.space.exactly = true;
    FlatPricer pricer(options.bandwidth);
    const StrategyProblem problem = valueOf(strategyProblemFrom(graph, options, pricer));
    const auto solution = valueOf(solveExactly(problem, {}));
    const auto source = valueOf(workloadOf(graph, options, problem, solution.strategies[0]));
    QVERIFY(checkWorkload(source.workload).ok());
    QVERIFY(valueOf(workloadFromJson(workloadToJson(source.workload))).collectives == source.workload.collectives);
  }
};

QTEST_APPLESS_MAIN(TestStrategyWorkload)
#include "tst_strategy_workload.moc"
