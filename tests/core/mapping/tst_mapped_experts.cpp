// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>

#include "mapping/mapped_baselines.h"
#include "strategy/baselines.h"
#include "support/warnings.h"
#include "tests/core/mapping/every_expert_strategy.h"

using namespace p2;

class TestMappedExperts : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }

  void bruteForceAgrees_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<double>("flops");
    QTest::newRow("two axes") << "node:2 gpu:2" << 2e12;
    QTest::newRow("slow devices") << "node:2 gpu:2" << 2e9;
    QTest::newRow("slower devices") << "node:2 gpu:2" << 3e8;
    QTest::newRow("several meshes") << "node:4 gpu:2" << 2e9;
  }
  void bruteForceAgrees() {
    QFETCH(QString, system);
    QFETCH(double, flops);
    const ComputationGraph graph = test::expertGraph();
    const System drawn = test::valueOf(parseSystem(system.toStdString()));
    GraphCostOptions options = test::smallOptions(drawn.deviceCount());
    options.flops = flops;
    const MappedGraph mapped(graph, options);
    test::AffinePricer pricer;
    std::vector<test::EveryExpertStrategy> all;
    constexpr double kNever = std::numeric_limits<double>::infinity();
    double best = kNever;
    for (const Mesh& mesh : meshesOf(drawn)) {
      all.emplace_back(mapped, mesh);
      best = all.back().cheapest(kNever, best);
    }
    const MappedSolution found = test::valueOf(solveMapped(graph, options, drawn, pricer));
    const Strategy& strategy = found.bounded.solution.strategies.front();
    QVERIFY(found.bounded.optimal);
    QVERIFY2(std::abs(strategy.cost - best) <= 1e-12 * best,
             qPrintable(QString::number(strategy.cost / best, 'g', 17)));
    const double needed = memoryOf(found.mapped.problem, strategy.choice);
    for (const double part : {0.4, 0.8}) {
      double fitting = kNever;
      for (const test::EveryExpertStrategy& each : all) fitting = each.cheapest(part * needed, fitting);
      options.deviceMemory = Bytes(part * needed);
      const auto within = solveMapped(graph, options, drawn, pricer);
      QCOMPARE(within.ok(), std::isfinite(fitting));
      if (!within.ok()) continue;
      const double cost = within->bounded.solution.strategies.front().cost;
      QVERIFY2(std::abs(cost - fitting) <= 1e-12 * fitting, qPrintable(QString::number(cost / fitting, 'g', 17)));
    }
  }

  // Only what has experts is compared with expert parallelism, whose experts are sharded and whose other operators
  // are not.
  void expertParallelismIsABaseline() {
    const ComputationGraph graph = test::expertGraph();
    QCOMPARE(mappedBaselinesOf(test::smallGraph()).size(), kMappedBaselines.size() - 1);
    QCOMPARE(mappedBaselinesOf(graph).back(), MappedBaseline::Expert);
    GraphCostOptions options = test::smallOptions(8);
    const System drawn = test::valueOf(parseSystem("node:2 gpu:4"));
    test::AffinePricer pricer;
    const auto best = test::valueOf(solveMapped(graph, options, drawn, pricer));
    for (const MappedBaseline baseline : mappedBaselinesOf(graph)) {
      const auto answer = test::valueOf(mappedBaseline(graph, options, drawn, pricer, baseline));
      const MappedProblem& mapped = answer.solution.mapped;
      const Strategy& strategy = answer.solution.bounded.solution.strategies.front();
      QVERIFY(baseline == MappedBaseline::FullyShardedData ||
              strategy.cost >= best.bounded.solution.strategies.front().cost * (1 - 1e-12));
      std::int64_t scattered = 1;
      for (std::size_t v = 0; v < graph.operators.size(); ++v) {
        const Operator& op = graph.operators[v];
        const auto experts = expertDimension(op);
        const Configuration& parts = mapped.problem.domainOf(v).configurations[strategy.choice[v]];
        if (!experts) continue;
        const bool moves = op.kind != OperatorKind::Experts;
        QVERIFY2(moves ? parts[*experts] == 1 : true, op.name.c_str());
        if (!moves) scattered = std::max(scattered, parts[*experts]);
      }
      QCOMPARE(scattered > 1, baseline == MappedBaseline::Expert);
    }
    // On cost tables as well.
    options.model = StrategyCostModel::Flat;
    FlatPricer flat(options.bandwidth);
    const auto problem = test::valueOf(strategyProblemFrom(graph, options, flat));
    const Strategy scattered = test::valueOf(expertStrategy(graph, problem));
    QCOMPARE(problem.domainOf(2).configurations[scattered.choice[2]][1], 4);
    QCOMPARE(problem.domainOf(1).configurations[scattered.choice[1]][1], 1);
    QVERIFY(scattered.cost >= test::valueOf(solveExactly(problem)).strategies.front().cost);
    const ComputationGraph dense = test::smallGraph();
    const auto none = expertStrategy(dense, test::valueOf(strategyProblemFrom(dense, options, flat)));
    QCOMPARE(none.ok(), true);  // plain data parallelism
  }
};

QTEST_APPLESS_MAIN(TestMappedExperts)
#include "tst_mapped_experts.moc"
