// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QtTest>

#include "graphs/strategy_json.h"
#include "strategy/detail/exact_solver.h"
#include "support/warnings.h"
#include "tests/core/strategy/random_strategies.h"
#include "tests/support/fixtures.h"
#include "text/text_file.h"
#include "workspace/workspace.h"

using namespace p2;
using test::allStrategies;
using test::randomProblem;
using test::RandomShape;
using test::valueOf;

namespace {

StrategyFile fileAt(const QString& path) {
  return valueOf(strategyFileFromJson(valueOf(readTextFile(path.toStdString()))));
}

StrategyFile dataFile(const char* name) { return fileAt(QString(P2_TEST_DATA "/strategy/%1.json").arg(name)); }

/// `width` columns and `length` rows of vertices, each joined to the next in its row and column, all alike.
StrategyProblem lattice(std::size_t length, std::size_t width, std::size_t configurations, double cost) {
  StrategyProblem problem;
  problem.domains.push_back({{}, std::vector<double>(configurations, cost)});
  for (std::size_t i = 0; i < configurations; ++i) {
    problem.domains[0].configurations.push_back({static_cast<std::int64_t>(i) + 1});
  }
  problem.tables.push_back(
      {configurations, configurations, std::vector<double>(configurations * configurations, cost)});
  for (std::size_t v = 0; v < length * width; ++v) {
    problem.vertices.push_back({"v" + std::to_string(v), 0});
    if (v % width > 0) problem.edges.push_back({v - 1, v, 0});
    if (v >= width) problem.edges.push_back({v - width, v, 0});
  }
  return problem;
}

}  // namespace

class TestExactSolver : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void agreesWithBruteForce_data() {
    QTest::addColumn<RandomShape>("shape");
    QTest::newRow("ties everywhere") << RandomShape{6, 4, 0.5, 1, 1};
    QTest::newRow("few ties") << RandomShape{6, 4, 0.5, 1000, 1};
    QTest::newRow("dense") << RandomShape{6, 3, 1.0, 2, 1};
    QTest::newRow("sparse") << RandomShape{8, 3, 0.25, 2, 1};
    QTest::newRow("wide domains") << RandomShape{3, 20, 0.7, 3, 1};
    QTest::newRow("no cost at all") << RandomShape{5, 4, 0.5, 0, 1};
    QTest::newRow("quarters") << RandomShape{6, 4, 0.5, 2, 0.25};
    QTest::newRow("huge") << RandomShape{6, 4, 0.5, 2, 0x1p200};
  }
  void agreesWithBruteForce() {
    QFETCH(RandomShape, shape);
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
      const StrategyProblem problem = randomProblem(seed, shape);
      const std::vector<Strategy> all = allStrategies(problem);
      const Solution one = valueOf(solveExactly(problem));
      QCOMPARE(one.strategies.size(), std::size_t{1});
      QVERIFY2(one.strategies[0] == all[0], qPrintable(QString("seed %1").arg(seed)));
      for (const std::size_t best : {std::size_t{2}, std::size_t{7}, std::min<std::size_t>(all.size() + 1, 200)}) {
        SolveOptions options;
        options.best = best;
        const Solution several = valueOf(solveExactly(problem, options));
        const std::vector<Strategy> wanted(all.begin(), all.begin() + static_cast<long>(std::min(best, all.size())));
        QVERIFY2(several.strategies == wanted, qPrintable(QString("seed %1, best %2").arg(seed).arg(best)));
      }
    }
  }

  void keepsToPins() {
    std::mt19937 random(1);
    for (std::uint32_t seed = 0; seed < 500; ++seed) {
      const StrategyProblem problem = randomProblem(seed, {6, 4, 0.6, 2, 1});
      SolveOptions options;
      options.best = 3;
      for (std::size_t v = 0; v < problem.vertices.size(); ++v) {
        const std::size_t count = problem.domainOf(v).costs.size();
        options.pinned.push_back(random() % 2 == 0 ? std::optional<std::size_t>(random() % count) : std::nullopt);
      }
      std::vector<Strategy> wanted = allStrategies(problem, options.pinned);
      wanted.resize(std::min<std::size_t>(wanted.size(), 3));
      QVERIFY2(valueOf(solveExactly(problem, options)).strategies == wanted, qPrintable(QString::number(seed)));
    }
  }

  /// With too little memory for the whole tables the dominated configurations go first; the answer stays the same.
  void findsTheSameWithLittleMemory() {
    std::size_t reduced = 0;
    for (std::uint32_t seed = 0; seed < 500; ++seed) {
      const StrategyProblem problem = randomProblem(seed, {7, 4, 0.4, 2, 1});
      SolveOptions options;
      options.best = 1 + seed % 3;
      const Solution wanted = valueOf(solveExactly(problem, options));
      options.memoryLimit = wanted.statistics.bytes - 1;
      const auto found = solveExactly(problem, options);
      if (!found.ok()) {
        QCOMPARE(found.error().kind, ErrorKind::TooLarge);
        continue;
      }
      reduced += found->statistics.dominated > 0 ? 1 : 0;
      QVERIFY2(found->strategies == wanted.strategies, qPrintable(QString::number(seed)));
    }
    QVERIFY2(reduced > 50, qPrintable(QString::number(reduced)));
  }

  void solvesRealNetworks_data() {
    QTest::addColumn<QString>("path");
    QDir own(P2_TEST_DATA "/strategy");
    for (const QString& name : own.entryList({"*.json"})) QTest::newRow(qPrintable(name)) << own.filePath(name);
    const QString more = qEnvironmentVariable("P2_STRATEGY_DATA");
    if (more.isEmpty()) return;
    for (const QString& name : QDir(more).entryList({"*.json"})) {
      if (!own.exists(name)) QTest::newRow(qPrintable(name)) << QDir(more).filePath(name);
    }
  }
  void solvesRealNetworks() {
    QFETCH(QString, path);
    const StrategyFile file = fileAt(path);
    const Solution solution = valueOf(solveExactly(file.problem));
    const Strategy& best = solution.strategies[0];
    QCOMPARE(best.cost, costOf(file.problem, best.choice));
    // The files give costs rounded to whole numbers.
    QVERIFY2(std::abs(best.cost - *file.bestCost) < 1, qPrintable(QString::number(best.cost, 'f')));
    QVERIFY(best.choice <= *file.bestChoice);
  }

  void ranksRealStrategies() {
    const StrategyFile file = dataFile("resnet101_p8");
    SolveOptions options;
    options.best = 200;
    const Solution solution = valueOf(solveExactly(file.problem, options));
    QCOMPARE(solution.strategies.size(), std::size_t{200});
    for (std::size_t i = 1; i < solution.strategies.size(); ++i) {
      const Strategy& before = solution.strategies[i - 1];
      const Strategy& after = solution.strategies[i];
      QVERIFY(before.cost < after.cost || (before.cost == after.cost && before.choice < after.choice));
    }
    // Nothing that differs in one vertex has been missed.
    const double costliest = solution.strategies.back().cost;
    for (std::size_t v = 0; v < file.problem.vertices.size(); ++v) {
      for (std::size_t i = 0; i < file.problem.domainOf(v).costs.size(); ++i) {
        Strategy other{solution.strategies[0].choice, 0};
        other.choice[v] = i;
        other.cost = costOf(file.problem, other.choice);
        if (other.cost >= costliest) continue;
        QVERIFY(std::find(solution.strategies.begin(), solution.strategies.end(), other) != solution.strategies.end());
      }
    }
  }

  /// Six encoder layers are one piece of work.
  void sharesEqualParts() {
    const StrategyFile file = dataFile("transformer_p8");
    const Solution solution = valueOf(solveExactly(file.problem));
    QVERIFY(solution.statistics.cells < 2'000'000);  // 6.9 million without sharing
    QVERIFY(solution.statistics.bytes < 1'000'000);
    QVERIFY(!solution.statistics.order.empty());
    QVERIFY(solution.statistics.largestTable <= solution.statistics.cells);
  }

  /// Far more equal strategies than can be told apart one by one.
  void tellsManyEqualsApart() {
    SolveOptions options;
    const StrategyProblem problem = lattice(40, 3, 30, 1);
    const Solution solution = valueOf(solveExactly(problem, options));
    QCOMPARE(solution.strategies[0].choice, std::vector<std::size_t>(120));
    QCOMPARE(solution.strategies[0].cost, static_cast<double>(problem.vertices.size() + problem.edges.size()));
    options.best = 2;
    const Solution two = valueOf(solveExactly(problem, options));
    std::vector<std::size_t> second(120);
    second.back() = 1;
    QCOMPARE(two.strategies[1].choice, second);
  }

  /// Long chains of equals, in which what differs lies far below what is compared.
  void ranksManyEquals_data() {
    QTest::addColumn<bool>("backwards");
    QTest::newRow("the last vertices are the end") << false;
    QTest::newRow("the last vertices are the beginning") << true;
  }
  void ranksManyEquals() {
    QFETCH(bool, backwards);
    constexpr std::size_t kLength = 1000;
    constexpr std::size_t kBest = 300;
    StrategyProblem problem = lattice(kLength, 1, 2, 1);
    for (StrategyProblem::Edge& edge : problem.edges) {
      if (backwards) edge = {kLength - 1 - edge.from, kLength - 1 - edge.to, edge.table};
    }
    SolveOptions options;
    options.best = kBest;
    options.memoryLimit = std::uint64_t{4} << 30;
    const Solution solution = valueOf(solveExactly(problem, options));
    QCOMPARE(solution.strategies.size(), kBest);
    for (std::size_t rank = 0; rank < kBest; ++rank) {
      // The rank as a binary number whose last digit is the last vertex.
      std::vector<std::size_t> choice(kLength);
      for (std::size_t digit = 0; rank >> digit != 0; ++digit) choice[kLength - 1 - digit] = rank >> digit & 1;
      QVERIFY2(solution.strategies[rank].choice == choice, qPrintable(QString::number(rank)));
    }
  }

  void solvesLongChains() {
    const Solution solution = valueOf(solveExactly(lattice(20'000, 1, 3, 2)));
    QCOMPARE(solution.strategies[0].cost, 2.0 * (20'000 + 19'999));
  }

  void solvesNothing() {
    const Solution solution = valueOf(solveExactly(StrategyProblem()));
    QCOMPARE(solution.strategies.size(), std::size_t{1});
    QVERIFY(solution.strategies[0].choice.empty());
  }

  void refusesWhatDoesNotFit_data() {
    QTest::addColumn<std::size_t>("width");
    QTest::addColumn<QString>("need");
    QTest::newRow("too large") << std::size_t{6} << "GB";
    QTest::newRow("beyond all machines") << std::size_t{40} << "more than";
  }
  void refusesWhatDoesNotFit() {
    QFETCH(std::size_t, width);
    QFETCH(QString, need);
    StrategyProblem problem = lattice(width, width, 40, 0);
    // Each configuration is the best somewhere, so none is dominated.
    for (std::size_t i = 0; i < 40; ++i) {
      for (std::size_t j = 0; j < 40; ++j) problem.tables[0].costs[i * 40 + j] = i == j ? 0 : 1;
    }
    const auto solution = solveExactly(problem);
    QVERIFY(!solution.ok());
    QCOMPARE(solution.error().kind, ErrorKind::TooLarge);
    const QString text = QString::fromStdString(solution.error().text());
    QVERIFY2(text.contains(need) && text.contains("the limit is 1.07 GB"), qPrintable(text));
  }

  void refusesUnknownPins() {
    const StrategyProblem problem = lattice(1, 2, 3, 1);
    SolveOptions options;
    options.pinned = {std::nullopt, 3};
    QCOMPARE(QString::fromStdString(solveExactly(problem, options).error().text()),
             QString("vertex \"v1\" has no configuration 3; they count from 0 to 2"));
    options.pinned = {0};
    QCOMPARE(QString::fromStdString(solveExactly(problem, options).error().text()),
             QString("1 pin for 2 vertices; give one each, or none"));
  }

  void canBeStopped() {
    const StrategyFile file = dataFile("transformer_p16");
    std::stop_source stop;
    double last = 0;
    const auto solution = solveExactly(file.problem, {}, stop.get_token(), [&](double done) {
      last = done;
      if (done > 0.3) stop.request_stop();
    });
    QVERIFY(!solution.ok());
    QCOMPARE(solution.error().kind, ErrorKind::Cancelled);
    QVERIFY(last < 1);
  }

  void tellsItsProgress() {
    std::vector<double> seen;
    (void)valueOf(solveExactly(dataFile("transformer_p8").problem, {}, {}, [&](double done) { seen.push_back(done); }));
    QVERIFY(seen.size() > 10);
    QVERIFY(std::is_sorted(seen.begin(), seen.end()));
    QVERIFY(std::abs(seen.back() - 1) < 1e-9);
  }
};

QTEST_APPLESS_MAIN(TestExactSolver)
#include "tst_exact_solver.moc"
