// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <cmath>
#include <set>

#include "base/numbers.h"
#include "core/strategy/literal/literal_problems.h"
#include "graphs/strategy_json.h"
#include "strategy/detail/exact_solver.h"
#include "strategy/literal/literal_solver.h"
#include "support/fixtures.h"

using namespace p2;

class TestLiteralSolver : public QObject {
  Q_OBJECT
 private slots:
  void findsTheSmallestOptimum_data();
  void findsTheSmallestOptimum();
  void arbitraryTiesLoseTheOptimum();
  void arbitraryTiesLoseEveryStrategy();
  void uniqueCostsNeedNoRepair();
  void isolatedVerticesAndComponents();
  void noVertices();
  void parallelEdgesAreSummed();
  void startRows();
  void refusesTooManyRows();
  void refusesTooManyStrategies();
  void countsWhatItCannotJoin();
  void saysWhenEvenCountingIsTooMuch();
  void realNetworks_data();
  void realNetworks();
  void canBeCancelled();
  void reportsProgress();
};

namespace {

LiteralSolution solved(const StrategyProblem& problem, LiteralOptions options = {}) {
  return test::valueOf(solveLiterally(problem, options));
}

LiteralOptions arbitrary(std::uint64_t seed) { return {.ties = LiteralOptions::Ties::Arbitrary, .seed = seed}; }

/// Two chains of `rungs` vertices and the edges between them: small tables, many strategies left for the join.
StrategyProblem ladder(std::size_t rungs) {
  StrategyProblem problem = test::verticesOf(std::vector<std::vector<double>>(2 * rungs, {0, 0}));
  for (std::size_t rung = 0; rung < rungs; ++rung) {
    test::connect(problem, rung, rungs + rung, {0, 1, 1, 0});
    if (rung == 0) continue;
    test::connect(problem, rung - 1, rung, {0, 1, 1, 0});
    test::connect(problem, rungs + rung - 1, rungs + rung, {0, 1, 1, 0});
  }
  return problem;
}

/// A chain whose neighbours should be equal and next neighbours should not: strategies grow with its length, but only
/// the last few vertices matter to the next.
StrategyProblem band(std::size_t length) {
  StrategyProblem problem = test::verticesOf(std::vector<std::vector<double>>(length, {0, 0}));
  for (std::size_t vertex = 1; vertex < length; ++vertex) test::connect(problem, vertex - 1, vertex, {0, 1, 1, 0});
  for (std::size_t vertex = 2; vertex < length; ++vertex) test::connect(problem, vertex - 2, vertex, {1, 0, 0, 1});
  return problem;
}

/// What is left of a problem on fewer devices: the configurations that take no more.
StrategyProblem onDevices(const StrategyProblem& problem, std::int64_t devices) {
  StrategyProblem fewer{problem.name, devices, problem.vertices, {}, {}, {}};
  std::vector<std::vector<std::size_t>> kept(problem.domains.size());
  for (std::size_t d = 0; d < problem.domains.size(); ++d) {
    ConfigurationDomain& domain = fewer.domains.emplace_back();
    for (std::size_t i = 0; i < problem.domains[d].configurations.size(); ++i) {
      const Configuration& parts = problem.domains[d].configurations[i];
      if (*checkedProduct(parts) > devices) continue;
      kept[d].push_back(i);
      domain.configurations.push_back(parts);
      domain.costs.push_back(problem.domains[d].costs[i]);
    }
  }
  for (const StrategyProblem::Edge& edge : problem.edges) {
    std::vector<double> costs;
    for (const std::size_t row : kept[problem.vertices[edge.from].domain]) {
      for (const std::size_t column : kept[problem.vertices[edge.to].domain]) {
        costs.push_back(problem.tables[edge.table].at(row, column));
      }
    }
    test::connect(fewer, edge.from, edge.to, costs);
  }
  return fewer;
}

}  // namespace

void TestLiteralSolver::findsTheSmallestOptimum_data() {
  QTest::addColumn<double>("unit");
  QTest::newRow("whole costs") << 1.0;
  QTest::newRow("large costs") << 1e12;
  QTest::newRow("eighths") << 0.125;
  QTest::newRow("tiny costs") << 0x1p-40;
}

void TestLiteralSolver::findsTheSmallestOptimum() {
  QFETCH(double, unit);
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    const StrategyProblem problem = test::smallProblem(seed, unit);
    QVERIFY2(solved(problem).strategy == test::bruteForce(problem), qPrintable(QString("seed %1").arg(seed)));
  }
}

void TestLiteralSolver::arbitraryTiesLoseTheOptimum() {
  const StrategyProblem chain = test::tiedChain();
  QCOMPARE(test::bruteForce(chain).cost, 0.0);
  QCOMPARE(solved(chain).strategy->cost, 0.0);
  std::set<double> costs;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    if (const LiteralSolution solution = solved(chain, arbitrary(seed)); solution.strategy) {
      costs.insert(solution.strategy->cost);
    }
  }
  QVERIFY((costs == std::set<double>{0, 1}));
}

void TestLiteralSolver::arbitraryTiesLoseEveryStrategy() {
  const StrategyProblem cycle = test::tiedCycle();
  QCOMPARE(solved(cycle).strategy->cost, 0.0);
  int none = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const LiteralSolution solution = solved(cycle, arbitrary(seed));
    if (!solution.strategy) ++none;
    QCOMPARE(solution.statistics.strategies > 0, solution.strategy.has_value());
  }
  QVERIFY(none > 0 && none < 200);
}

void TestLiteralSolver::uniqueCostsNeedNoRepair() {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    // A different power of two for every cost: no two sums are equal.
    StrategyProblem problem = test::verticesOf(std::vector<std::vector<double>>(3 + seed % 3, std::vector<double>(3)));
    std::vector<double> costs;
    for (int i = 0; i < 48; ++i) costs.push_back(std::ldexp(1, i));
    std::shuffle(costs.begin(), costs.end(), std::mt19937(seed));
    const auto take = [&costs](std::vector<double>& some) {
      std::copy(costs.end() - std::ptrdiff_t(some.size()), costs.end(), some.begin());
      costs.resize(costs.size() - some.size());
    };
    for (ConfigurationDomain& domain : problem.domains) take(domain.costs);
    for (std::size_t edge = 0; edge < 3; ++edge) {
      std::vector<double> between(9);
      take(between);
      test::connect(problem, edge % problem.vertices.size(), (edge + 1) % problem.vertices.size(), between);
    }
    QVERIFY(solved(problem, arbitrary(seed)).strategy == test::bruteForce(problem));
  }
}

void TestLiteralSolver::isolatedVerticesAndComponents() {
  StrategyProblem problem = test::verticesOf({{3, 1, 1}, {0, 5}, {2, 0}, {7}, {4, 4}});
  test::connect(problem, 1, 2, {9, 9, 9, 0});
  const LiteralSolution solution = solved(problem);
  QVERIFY((solution.strategy->choice == std::vector<std::size_t>{1, 1, 1, 0, 0}));
  QCOMPARE(solution.strategy->cost, 17.0);
}

void TestLiteralSolver::noVertices() {
  const LiteralSolution solution = solved({}, {.keepTrace = true});
  QVERIFY(solution.strategy == Strategy{});
  QCOMPARE(solution.trace->moments.size(), std::size_t(2));
}

void TestLiteralSolver::parallelEdgesAreSummed() {
  StrategyProblem problem = test::verticesOf({{0, 0}, {0, 0}});
  test::connect(problem, 0, 1, {0, 4, 4, 3});
  test::connect(problem, 1, 0, {4, 1, 4, 0});
  const LiteralSolution solution = solved(problem);
  QVERIFY((solution.strategy->choice == std::vector<std::size_t>{1, 1}));
  QCOMPARE(solution.strategy->cost, 3.0);
}

void TestLiteralSolver::startRows() {
  StrategyProblem problem = test::verticesOf({{0, 0}, {0, 0, 0}, {0, 0, 0, 0, 0}, {0, 0}});
  test::connect(problem, 0, 1, std::vector<double>(6));
  test::connect(problem, 1, 0, std::vector<double>(6));
  test::connect(problem, 1, 2, std::vector<double>(15));
  QCOMPARE(literalStartRows(problem), 6.0 + 30 + 15 + 2);
  QCOMPARE(solved(problem).statistics.startRows, 53.0);
}

void TestLiteralSolver::refusesTooManyRows() {
  StrategyProblem problem = test::tiedChain();
  problem.name = "chain";
  const auto refused = solveLiterally(problem, {.rowLimit = 23});
  QVERIFY(!refused.ok());
  QCOMPARE(refused.error().kind, ErrorKind::TooLarge);
  QCOMPARE(refused.error().text(),
           std::string("chain needs 24 rows of tables to begin with, over the limit of 23; use the exact solver"));
  QVERIFY(solveLiterally(problem, {.rowLimit = 24}).ok());
}

void TestLiteralSolver::refusesTooManyStrategies() {
  const LiteralSolution small = solved(ladder(10));
  QVERIFY(small.statistics.mostJoined > small.statistics.startRows);
  const auto limit = std::uint64_t(small.statistics.mostJoined);
  QVERIFY(solveLiterally(ladder(10), {.rowLimit = limit}).ok());
  const auto refused = solveLiterally(ladder(10), {.rowLimit = limit - 1});
  QVERIFY(!refused.ok());
  QCOMPARE(refused.error().kind, ErrorKind::TooLarge);
  QCOMPARE(
      QString::fromStdString(refused.error().text()),
      QString("this graph needs %1 strategies, over the limit of %2; use the exact solver").arg(limit).arg(limit - 1));
}

void TestLiteralSolver::countsWhatItCannotJoin() {
  const auto refused = solveLiterally(band(400));
  QVERIFY(!refused.ok());
  const QRegularExpression figure("^this graph needs [1-9]\\.\\de(\\d+) strategies, over the limit of 1000000; use");
  const auto match = figure.match(QString::fromStdString(refused.error().text()));
  QVERIFY2(match.hasMatch(), refused.error().text().c_str());
  // Half as long, half the exponent: the growth is geometric.
  const auto half = figure.match(QString::fromStdString(solveLiterally(band(200)).error().text()));
  QVERIFY(std::abs(match.captured(1).toInt() - 2 * half.captured(1).toInt()) <= 2);
}

void TestLiteralSolver::saysWhenEvenCountingIsTooMuch() {
  const auto refused = solveLiterally(ladder(40), {.rowLimit = 2000});
  QVERIFY(!refused.ok());
  QVERIFY2(refused.error().text().starts_with("this graph needs more "), refused.error().text().c_str());
}

void TestLiteralSolver::realNetworks_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<qint64>("devices");
  QTest::addColumn<qulonglong>("limit");
  QTest::addColumn<double>("startRows");
  QTest::addColumn<double>("strategies");
  QTest::addColumn<QString>("refusal");
  QTest::newRow("alexnet, 8") << "alexnet_p8" << qint64(8) << 100'000ull << 63'287.0 << 2'921.0 << "";
  QTest::newRow("alexnet, 32") << "alexnet_p64" << qint64(32) << 2'000'000ull << 1'605'804.0 << 77'280.0 << "";
  QTest::newRow("alexnet, 64") << "alexnet_p64" << qint64(64) << 1'000'000ull << 5'483'829.0 << 0.0
                               << "needs 5483829 rows of tables to begin with, over the limit of 1000000";
  QTest::newRow("resnet101, 2") << "resnet101_p2" << qint64(2) << 1'000'000ull << 25'261.0 << 0.0
                                << "needs 3.4e45 strategies, over the limit of 1000000";
}

void TestLiteralSolver::realNetworks() {
  QFETCH(QString, name);
  QFETCH(qint64, devices);
  QFETCH(qulonglong, limit);
  QFETCH(double, strategies);
  QFETCH(QString, refusal);
  QFile file(QStringLiteral(P2_TEST_DATA) + "/strategy/" + name + ".json");
  QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
  const StrategyFile whole = test::valueOf(strategyFileFromJson(file.readAll().toStdString()));
  const StrategyProblem problem = onDevices(whole.problem, devices);
  QTEST(literalStartRows(problem), "startRows");
  const auto solution = solveLiterally(problem, {.rowLimit = limit});
  QCOMPARE(solution.ok(), refusal.isEmpty());
  if (!solution.ok()) {
    const QString sentence = QString::fromStdString(solution.error().text());
    QVERIFY2(sentence.contains(refusal), qPrintable(sentence));
    return;
  }
  QCOMPARE(solution->statistics.strategies, strategies);
  if (devices == whole.problem.devices) QVERIFY(std::abs(solution->strategy->cost - *whole.bestCost) < 1);
  QVERIFY(solution->strategy == test::valueOf(solveExactly(problem)).strategies.front());
}

void TestLiteralSolver::canBeCancelled() {
  std::stop_source stop;
  stop.request_stop();
  const auto result = solveLiterally(test::tiedChain(), {}, stop.get_token());
  QVERIFY(!result.ok());
  QCOMPARE(result.error().kind, ErrorKind::Cancelled);
}

void TestLiteralSolver::reportsProgress() {
  std::vector<double> reported;
  QVERIFY(solveLiterally(test::tiedChain(), {}, {}, [&reported](double done) { reported.push_back(done); }).ok());
  QVERIFY(std::is_sorted(reported.begin(), reported.end()));
  QVERIFY(reported.front() > 0);
  QVERIFY(std::abs(reported.back() - 1) < 1e-9);
}

QTEST_APPLESS_MAIN(TestLiteralSolver)
#include "tst_literal_solver.moc"
