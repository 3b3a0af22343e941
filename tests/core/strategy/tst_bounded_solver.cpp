// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "strategy/bounded_solver.h"
#include "support/fixtures.h"
#include "tests/core/strategy/random_strategies.h"

using namespace p2;

namespace {

/// More expensive configurations tend to need less, as splits do.
StrategyProblem withMemory(StrategyProblem problem, std::uint32_t seed) {
  std::mt19937 random(seed);
  for (ConfigurationDomain& domain : problem.domains) {
    for (std::size_t i = 0; i < domain.costs.size(); ++i) {
      domain.memory.push_back(double(random() % 8) + std::max(0.0, 8 - domain.costs[i]));
    }
  }
  return test::valueOf(validated(std::move(problem)));
}

std::vector<Strategy> allThatFit(const StrategyProblem& problem, double limit) {
  std::vector<Strategy> all = test::allStrategies(problem);
  std::erase_if(all, [&](const Strategy& each) { return memoryOf(problem, each.choice) > limit; });
  return all;
}

}  // namespace

class TestBoundedSolver : public QObject {
  Q_OBJECT

 private slots:
  // Brute force over every strategy; half the limits fit the cheapest, some fit none.
  void bruteForceAgrees() {
    int bound = 0;
    int refused = 0;
    for (std::uint32_t seed = 0; seed < 1500; ++seed) {
      const StrategyProblem problem = withMemory(test::randomProblem(seed, {.mostCost = 20}), seed);
      const auto all = test::allStrategies(problem);
      const double cheapest = memoryOf(problem, all.front().choice);
      const double limit = std::floor(cheapest * (0.4 + 0.1 * double(seed % 8)));
      const auto fitting = allThatFit(problem, limit);
      const auto solved = solveWithin(problem, Bytes(limit));
      QCOMPARE(solved.ok(), !fitting.empty());
      if (!solved.ok()) {
        ++refused;
        continue;
      }
      bound += cheapest > limit;
      QVERIFY(solved->optimal);
      QCOMPARE(solved->solution.strategies.front().cost, fitting.front().cost);
      QCOMPARE(solved->lowerBound, fitting.front().cost);
      QVERIFY(memoryOf(problem, solved->solution.strategies.front().choice) <= limit);
    }
    QVERIFY(bound > 300);
    QVERIFY(refused > 20);
  }

  // Where listing stops early, the truth lies between the bound and the answer.
  void anEarlyStopSaysHowFarItCanBe() {
    int open = 0;
    int proven = 0;
    for (std::uint32_t seed = 0; seed < 600; ++seed) {
      const StrategyProblem problem = withMemory(test::randomProblem(seed, {.mostCost = 20}), seed);
      const double limit = 0.7 * memoryOf(problem, test::allStrategies(problem).front().choice);
      const auto fitting = allThatFit(problem, limit);
      const auto solved = solveWithin(problem, Bytes(limit), {}, {}, {}, 1);
      QCOMPARE(solved.ok(), !fitting.empty());
      if (!solved.ok()) continue;
      const double found = solved->solution.strategies.front().cost;
      QVERIFY(solved->lowerBound <= fitting.front().cost + 1e-9);
      QVERIFY(fitting.front().cost <= found);
      if (solved->optimal) QCOMPARE(found, fitting.front().cost);
      open += !solved->optimal;
      proven += solved->optimal;
    }
    QVERIFY(open > 10 && proven > 10);
  }

  // Of several, each is what brute force lists at its place; fewer are given where more are not proven.
  void theNextBestAreListedWhileProven() {
    int listed = 0;
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
      const StrategyProblem problem = withMemory(test::randomProblem(seed, {.mostCost = 20}), seed);
      const double limit = 0.8 * memoryOf(problem, test::allStrategies(problem).front().choice);
      const auto fitting = allThatFit(problem, limit);
      const auto solved = solveWithin(problem, Bytes(limit), {5, {}});
      if (!solved.ok()) continue;
      const auto& strategies = solved->solution.strategies;
      QVERIFY(strategies.size() <= std::min<std::size_t>(5, fitting.size()));
      for (std::size_t i = 0; i < strategies.size(); ++i) QCOMPARE(strategies[i].cost, fitting[i].cost);
      listed += int(strategies.size());
    }
    QVERIFY(listed > 300);
  }

  // A hundred equal layers, half of which must take the dear way: far too many strategies are alike to list them, but
  // one that changes its way once is found, and the bound is a layer's difference away.
  void repeatedLayersAreMixed() {
    constexpr std::size_t kLayers = 100;
    constexpr double kChange = 0.25;
    StrategyProblem problem;
    problem.domains = {{{{1}, {2}}, {1, 3}, {2, 1}}};
    problem.tables = {{2, 2, {0, kChange, kChange, 0}}};
    for (std::size_t v = 0; v < kLayers; ++v) {
      problem.vertices.push_back({"layer" + std::to_string(v), 0});
      if (v > 0) problem.edges.push_back({v - 1, v, 0});
    }
    const auto solved = test::valueOf(solveWithin(problem, Bytes(150.5)));
    const Strategy& strategy = solved.solution.strategies.front();
    QCOMPARE(strategy.cost, 1.0 * kLayers + 2 * 50 + kChange);
    QVERIFY(memoryOf(problem, strategy.choice) <= 150.5);
    QVERIFY(solved.lowerBound <= strategy.cost);
    QVERIFY2(solved.lowerBound > strategy.cost - 2 - kChange, qPrintable(QString::number(solved.lowerBound)));
  }

  // Where nothing below a cost is wanted, a bound that reaches it is enough; the bound still holds.
  void whatIsNotWantedIsNotProven() {
    int useless = 0;
    int proven = 0;
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
      const StrategyProblem problem = withMemory(test::randomProblem(seed, {.mostCost = 20}), seed);
      const double limit = 0.7 * memoryOf(problem, test::allStrategies(problem).front().choice);
      const auto fitting = allThatFit(problem, limit);
      if (fitting.empty()) continue;
      SolveOptions options;
      options.wantedBelow = fitting.front().cost * (seed % 2 == 0 ? 0.8 : 1.1);
      const auto solved = test::valueOf(solveWithin(problem, Bytes(limit), options));
      const double found = solved.solution.strategies.front().cost;
      QVERIFY(solved.lowerBound <= fitting.front().cost && found >= fitting.front().cost);
      if (solved.optimal) QCOMPARE(found, fitting.front().cost);
      QVERIFY(solved.optimal || solved.lowerBound >= options.wantedBelow);
      useless += !solved.optimal;
      proven += solved.optimal;
    }
    QVERIFY2(useless > 5 && proven > 5, qPrintable(QString::number(useless)));
  }

  void pinsAreKept() {
    const StrategyProblem problem = withMemory(test::randomProblem(7, {.mostVertices = 4, .mostCost = 20}), 7);
    SolveOptions options;
    options.pinned.resize(problem.vertices.size());
    options.pinned[0] = problem.domainOf(0).costs.size() - 1;
    double least = INFINITY;
    const double limit = 1e6;
    for (const Strategy& each : test::allStrategies(problem, options.pinned)) least = std::min(least, each.cost);
    const auto solved = test::valueOf(solveWithin(problem, Bytes(limit), options));
    QCOMPARE(solved.solution.strategies.front().cost, least);
    QCOMPARE(solved.solution.strategies.front().choice[0], *options.pinned[0]);
  }

  void tooLittleMemoryIsSaidWithWhatIsNeeded() {
    StrategyProblem problem;
    problem.vertices = {{"v", 0}};
    problem.domains = {{{{1}, {2}}, {1, 3}, {4e9, 2e9}}};
    const auto solved = solveWithin(problem, Bytes(1e9));
    QVERIFY(!solved.ok());
    QVERIFY(QString::fromStdString(solved.error().text()).contains("1.00 GB"));
    QVERIFY(QString::fromStdString(solved.error().text()).contains("2.00 GB"));
    QCOMPARE(test::valueOf(solveWithin(problem, Bytes(2e9))).solution.strategies.front().cost, 3.0);
  }

  void itCanBeStopped() {
    std::stop_source stop;
    stop.request_stop();
    const StrategyProblem problem = withMemory(test::randomProblem(1, {}), 1);
    QVERIFY(!solveWithin(problem, Bytes(1), {}, stop.get_token()).ok());
  }
};

QTEST_APPLESS_MAIN(TestBoundedSolver)
#include "tst_bounded_solver.moc"
