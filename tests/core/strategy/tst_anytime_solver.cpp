// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <random>

#include "strategy/anytime_solver.h"
#include "strategy/graph_costs.h"
#include "support/warnings.h"
#include "tests/core/strategy/dense_net.h"
#include "tests/core/strategy/random_strategies.h"

using namespace p2;

namespace {

/// Without memory nothing is eliminated as a whole, and all is left to bounds and branches.
SolveOptions searching(double cells = SolveOptions{}.searchCells) {
  SolveOptions options;
  options.memoryLimit = 0;
  options.searchCells = cells;
  return options;
}

/// A chain of vertices, every other of which also reads one of up to `back` before it.
StrategyProblem chainWithSkips(std::uint32_t seed, std::size_t vertices, std::size_t configurations, std::size_t back) {
  std::mt19937 random(seed);
  StrategyProblem problem;
  problem.devices = 8;
  const auto connect = [&](std::size_t from, std::size_t to) {
    EdgeCosts costs{configurations, configurations, {}};
    for (std::size_t i = 0; i < configurations * configurations; ++i) costs.costs.push_back(double(random() % 1000));
    problem.edges.push_back({from, to, problem.tables.size()});
    problem.tables.push_back(std::move(costs));
  };
  for (std::size_t v = 0; v < vertices; ++v) {
    ConfigurationDomain domain;
    for (std::size_t i = 0; i < configurations; ++i) {
      domain.configurations.push_back({std::int64_t(i) + 1});
      domain.costs.push_back(double(random() % 1000));
    }
    problem.vertices.push_back({"v" + std::to_string(v), v});
    problem.domains.push_back(std::move(domain));
    if (v > 0) connect(v - 1, v);
    if (v > 1 && random() % 2 == 0) connect(v - 2 - random() % std::min(v - 1, back), v);
  }
  return problem;
}

}  // namespace

class TestAnytimeSolver : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }

  // What is narrow is solved as ever: the same strategies in the same order.
  void narrowProblemsAreEliminated() {
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
      const StrategyProblem problem = test::randomProblem(seed, {});
      SolveOptions options;
      options.best = 4;
      const BoundedSolution found = test::valueOf(solveAnytime(problem, options));
      QVERIFY(found.optimal);
      QCOMPARE(found.solution.statistics.method, SolveMethod::Elimination);
      QVERIFY(found.solution.strategies == test::valueOf(solveExactly(problem, options)).strategies);
    }
  }

  void searchAgreesWithBruteForce_data() {
    QTest::addColumn<test::RandomShape>("shape");
    QTest::newRow("ties everywhere") << test::RandomShape{7, 4, 0.5, 1, 1};
    QTest::newRow("few ties") << test::RandomShape{7, 4, 0.7, 1000, 1};
    QTest::newRow("dense") << test::RandomShape{7, 4, 1.0, 20, 1};
    QTest::newRow("quarters") << test::RandomShape{6, 4, 0.8, 9, 0.25};
    QTest::newRow("huge") << test::RandomShape{6, 4, 0.8, 9, 0x1p200};
  }
  void searchAgreesWithBruteForce() {
    QFETCH(test::RandomShape, shape);
    int bounded = 0;
    for (std::uint32_t seed = 0; seed < 120; ++seed) {
      const StrategyProblem problem = test::randomProblem(seed, shape);
      const Strategy best = test::allStrategies(problem).front();
      const BoundedSolution found = test::valueOf(solveAnytime(problem, searching()));
      const Strategy& strategy = found.solution.strategies.front();
      QVERIFY(found.optimal);
      QCOMPARE(strategy.cost, best.cost);
      QCOMPARE(strategy.cost, costOf(problem, strategy.choice));
      QCOMPARE(found.lowerBound, best.cost);
      bounded += found.solution.statistics.method == SolveMethod::BranchAndBound;
    }
    QVERIFY2(bounded > 100, qPrintable(QString::number(bounded)));
  }

  // However early a search ends, the truth lies between its bound and its answer.
  void anEarlyEndSaysHowFarItCanBe() {
    int open = 0;
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
      const StrategyProblem problem = test::randomProblem(seed, {8, 4, 1.0, 50, 1});
      const double best = test::valueOf(solveExactly(problem)).strategies.front().cost;
      const BoundedSolution found = test::valueOf(solveAnytime(problem, searching(1 + 40 * double(seed % 50))));
      QVERIFY(found.lowerBound <= best);
      QVERIFY(found.solution.strategies.front().cost >= best);
      QCOMPARE(found.optimal, found.lowerBound == found.solution.strategies.front().cost);
      if (found.optimal) QCOMPARE(found.solution.strategies.front().cost, best);
      open += !found.optimal;
    }
    QVERIFY2(open > 50 && open < 250, qPrintable(QString::number(open)));
  }

  void pinsAreKept() {
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
      const StrategyProblem problem = test::randomProblem(seed, {6, 4, 0.8, 20, 1});
      SolveOptions options = searching();
      options.pinned.resize(problem.vertices.size());
      options.pinned.back() = problem.domainOf(problem.vertices.size() - 1).costs.size() - 1;
      const BoundedSolution found = test::valueOf(solveAnytime(problem, options));
      QCOMPARE(found.solution.strategies.front().cost, test::allStrategies(problem, options.pinned).front().cost);
      QCOMPARE(found.solution.strategies.front().choice.back(), *options.pinned.back());
    }
  }

  // 200 operators, every other with a skip: whatever is proven is what elimination, given all memory, finds.
  void chainsWithSkipsAgreeWithElimination() {
    const StrategyProblem problem = chainWithSkips(1, 200, 6, 4);
    const Solution exact = test::valueOf(solveExactly(problem));
    QCOMPARE(exact.statistics.method, SolveMethod::Elimination);
    SolveOptions options = searching();
    const BoundedSolution found = test::valueOf(solveAnytime(problem, options));
    QVERIFY(found.optimal);
    QCOMPARE(found.solution.strategies.front().cost, exact.strategies.front().cost);
  }

  // Elimination of a block of 24 layers that all read each other would need more than any machine has.
  void denseNetIsProven_data() {
    QTest::addColumn<int>("devices");
    for (const int devices : {4, 32}) QTest::addRow("%d devices", devices) << devices;
  }
  void denseNetIsProven() {
    QFETCH(int, devices);
    const ComputationGraph graph = test::DenseNet(256).graph();
    GraphCostOptions options;
    options.devices = devices;
    FlatPricer pricer(options.bandwidth);
    const StrategyProblem problem = test::valueOf(strategyProblemFrom(graph, options, pricer));
    const BoundedSolution found = test::valueOf(solveAnytime(problem));
    QVERIFY(found.optimal);
    QCOMPARE(found.solution.statistics.method, SolveMethod::Bounds);
    QVERIFY(std::isinf(found.solution.statistics.widthBytes));
    const QString plan = QString::fromStdString(planText(found.solution.statistics));
    QVERIFY2(plan.contains("excluded by bounds") && plan.contains("more than 8.00 EB"), qPrintable(plan));
    // No change of one operator betters it.
    const Strategy& best = found.solution.strategies.front();
    QCOMPARE(best.cost, costOf(problem, best.choice));
    for (std::size_t v = 0; v < problem.vertices.size(); v += 7) {
      for (std::size_t i = 0; i < problem.domainOf(v).costs.size(); ++i) {
        std::vector<std::size_t> other = best.choice;
        other[v] = i;
        QVERIFY(costOf(problem, other) >= best.cost);
      }
    }
    // And it is what exact solving gives.
    QVERIFY(test::valueOf(solveExactly(problem)).strategies == found.solution.strategies);
  }

  void itCanBeStopped() {
    const StrategyProblem problem = chainWithSkips(2, 200, 20, 150);
    std::stop_source stop;
    double last = -1;
    int after = 0;
    const auto solved = solveAnytime(problem, searching(), stop.get_token(), [&](double share) {
      after += stop.stop_requested();
      QVERIFY(share >= last && share <= 1);
      last = share;
      stop.request_stop();
    });
    QVERIFY(!solved.ok());
    QCOMPARE(solved.error().kind, ErrorKind::Cancelled);
    QVERIFY(last >= 0);
    QCOMPARE(after, 0);
  }

  // A time that has passed leaves what the first look finds.
  void timeEndsIt() {
    const StrategyProblem problem = chainWithSkips(2, 200, 20, 150);
    SolveOptions options;
    options.searchUntil = std::chrono::steady_clock::now();
    const BoundedSolution found = test::valueOf(solveAnytime(problem, options));
    QVERIFY(!found.optimal);
    QVERIFY(found.lowerBound < found.solution.strategies.front().cost);
    QVERIFY(planText(found.solution.statistics).starts_with("branch and bound"));
  }
};

QTEST_APPLESS_MAIN(TestAnytimeSolver)
#include "tst_anytime_solver.moc"
