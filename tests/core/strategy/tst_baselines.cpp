// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <random>

#include "strategy/baselines.h"
#include "strategy/detail/exact_solver.h"
#include "support/fixtures.h"
#include "support/warnings.h"

using namespace p2;

namespace {

/// Two vertices with dimensions batch and width, on four devices. Passing on costs 10 where they differ in the batch.
StrategyProblem pair() {
  StrategyProblem problem;
  problem.name = "pair";
  problem.devices = 4;
  problem.vertices = {{"a", 0}, {"b", 1}};
  problem.domains = {{{{1, 1}, {1, 2}, {1, 4}, {2, 1}, {2, 2}, {4, 1}}, {40, 22, 13, 21, 11, 12}},
                     {{{1, 1}, {1, 4}, {2, 1}, {4, 1}}, {40, 9, 20, 14}}};
  EdgeCosts table{6, 4, {}};
  for (const Configuration& from : problem.domains[0].configurations) {
    for (const Configuration& to : problem.domains[1].configurations) table.costs.push_back(from[0] == to[0] ? 0 : 10);
  }
  problem.tables = {table};
  problem.edges = {{0, 1, 0}};
  return problem;
}

StrategyProblem randomProblem(std::mt19937& random) {
  const auto below = [&](std::size_t most) { return std::size_t(random() % most); };
  StrategyProblem problem;
  problem.devices = 4;
  const std::size_t vertices = 2 + below(3);
  for (std::size_t v = 0; v < vertices; ++v) {
    problem.vertices.push_back({std::string(1, char('a' + v)), v});
    problem.domains.push_back({{{1, 1}, {1, 2}, {1, 4}, {2, 1}, {2, 2}, {4, 1}}, {}});
    for (std::size_t c = 0; c < 6; ++c) problem.domains.back().costs.push_back(double(below(5)));
    if (v == 0) continue;
    problem.edges.push_back({below(v), v, v - 1});
    problem.tables.push_back({6, 6, {}});
    for (std::size_t i = 0; i < 36; ++i) problem.tables.back().costs.push_back(double(below(5)));
  }
  return problem;
}

/// The least cost over every choice that keeps to the allowed configurations.
double leastCost(const StrategyProblem& problem, const std::vector<std::size_t>& allowed) {
  double least = INFINITY;
  std::vector<std::size_t> at(problem.vertices.size(), 0);
  for (;;) {
    std::vector<std::size_t> choice;
    for (const std::size_t i : at) choice.push_back(allowed[i]);
    least = std::min(least, costOf(problem, choice));
    std::size_t digit = 0;
    while (digit < at.size() && ++at[digit] == allowed.size()) at[digit++] = 0;
    if (digit == at.size()) return least;
  }
}

}  // namespace

class TestBaselines : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void choosesAsPeopleDo_data() {
    QTest::addColumn<Baseline>("baseline");
    QTest::addColumn<QString>("choice");
    QTest::addColumn<double>("cost");
    QTest::newRow("data: both split the batch in four") << Baseline::DataParallelism << "5 3" << 26.0;
    QTest::newRow("model: both split the width in four") << Baseline::ModelParallelism << "2 1" << 22.0;
    QTest::newRow("greedy: each its cheapest") << Baseline::Greedy << "4 1" << 30.0;
  }
  void choosesAsPeopleDo() {
    QFETCH(Baseline, baseline);
    QFETCH(QString, choice);
    QFETCH(double, cost);
    const Strategy strategy = test::valueOf(baselineStrategy(pair(), baseline));
    QStringList chosen;
    for (const std::size_t c : strategy.choice) chosen << QString::number(c);
    QCOMPARE(chosen.join(' '), choice);
    QCOMPARE(strategy.cost, cost);
    QVERIFY(strategy.cost >= test::valueOf(solveExactly(pair())).strategies.front().cost);
  }

  void isTheCheapestOfWhatIsAllowed() {
    std::mt19937 random(5);
    for (int i = 0; i < 200; ++i) {
      const StrategyProblem problem = randomProblem(random);
      QCOMPARE(test::valueOf(baselineStrategy(problem, Baseline::DataParallelism)).cost, leastCost(problem, {5}));
      QCOMPARE(test::valueOf(baselineStrategy(problem, Baseline::ModelParallelism)).cost, leastCost(problem, {2}));
    }
  }

  void aSharedTableIsCutForEachOfItsUses() {
    // b and c share b's table towards a, but not the domain: the cheapest of c is another configuration.
    StrategyProblem problem = pair();
    problem.domains.push_back({problem.domains[1].configurations, {1, 40, 40, 40}});
    problem.vertices.push_back({"c", 2});
    problem.edges.push_back({0, 2, 0});
    const Strategy greedy = test::valueOf(baselineStrategy(problem, Baseline::Greedy));
    QVERIFY(greedy.choice == (std::vector<std::size_t>{4, 1, 0}));
    QCOMPARE(greedy.cost, costOf(problem, greedy.choice));
  }

  void namesTheVertexThatCannot_data() {
    QTest::addColumn<Baseline>("baseline");
    QTest::newRow("data") << Baseline::DataParallelism;
    QTest::newRow("model") << Baseline::ModelParallelism;
  }
  void namesTheVertexThatCannot() {
    QFETCH(Baseline, baseline);
    StrategyProblem problem = pair();
    // Both dimensions are split, always.
    problem.domains[1] = {{{2, 2}, {2, 2}, {2, 2}, {2, 2}}, {1, 2, 3, 4}};
    const auto strategy = baselineStrategy(problem, baseline);
    QVERIFY(!strategy.ok());
    QVERIFY(QString::fromStdString(strategy.error().text()).startsWith("no configuration of b is pure "));
    QVERIFY(strategy.error().text().find(nameOf(baseline)) != std::string::npos);
  }

  void everyOneIsExplained() {
    for (const Baseline baseline : kBaselines) {
      QVERIFY(!nameOf(baseline).empty());
      QVERIFY(meaningOf(baseline).back() == '.');
    }
  }
};

QTEST_APPLESS_MAIN(TestBaselines)
#include "tst_baselines.moc"
