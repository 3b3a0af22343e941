// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/strategy/literal/literal_problems.h"
#include "strategy/literal/literal_solver.h"
#include "support/filled.h"
#include "support/fixtures.h"

using namespace p2;
using Kind = LiteralMoment::Kind;

/// What a trace tells, checked against the problem it was made from.
class TestLiteralTrace : public QObject {
  Q_OBJECT
 private slots:
  void isKeptOnlyIfWanted();
  void momentsFollowTheAlgorithm();
  void choosesTheFewestUnprocessed();
  void rowsGoForTheReasonGiven();
  void countsAreTheRows();
  void joinsAreSubStrategies();
  void invariantHoldsWithTheRepair();
  void invariantTellsWhereTheOptimumIsLost();
  void invariantIsNotCheckedOnLargeGraphs();
};

namespace {

LiteralSolution traced(const StrategyProblem& problem, LiteralOptions options = {}) {
  options.keepTrace = true;
  return test::valueOf(solveLiterally(problem, options));
}

LiteralOptions arbitrarily(std::uint64_t seed) { return {.ties = LiteralOptions::Ties::Arbitrary, .seed = seed}; }

std::uint64_t aliveRows(const LiteralTrace& trace, std::size_t vertex, std::size_t moment) {
  std::uint64_t alive = 0;
  for (std::uint64_t row = 0; row < trace.tables[vertex].rows; ++row)
    alive += trace.isAlive(vertex, row, moment) ? 1 : 0;
  return alive;
}

/// Whether two rows agree on every vertex both tables have.
bool agree(const LiteralTable& a, std::uint64_t rowOfA, const LiteralTable& b, std::uint64_t rowOfB) {
  for (std::size_t i = 0; i < a.scope.size(); ++i) {
    for (std::size_t j = 0; j < b.scope.size(); ++j) {
      if (a.scope[i] == b.scope[j] && a.choice(rowOfA, i) != b.choice(rowOfB, j)) return false;
    }
  }
  return true;
}

/// Why the fate of a row is not what its cause says; empty when it is.
QString wrongFate(const StrategyProblem& problem, const LiteralTrace& trace, std::size_t vertex, std::uint64_t row) {
  const RowFate& fate = trace.fates[vertex][row];
  const LiteralTable& table = trace.tables[vertex];
  if (fate.cause == RowFate::Cause::None) return fate.moment == RowFate::kNever ? "" : "gone without a cause";
  const LiteralMoment& moment = trace.moments[fate.moment];
  if (fate.cause == RowFate::Cause::Unmatched) {
    if (moment.kind != Kind::Restrict || moment.neighbour != vertex) return "unmatched outside line 30";
    const LiteralTable& chosen = trace.tables[moment.vertex];
    for (std::uint64_t other = 0; other < chosen.rows; ++other) {
      if (trace.isAlive(moment.vertex, other, fate.moment) && agree(table, row, chosen, other)) return "matched";
    }
    return {};
  }
  if (moment.kind != Kind::Best || moment.vertex != vertex) return "beaten outside line 25";
  if (!trace.isAlive(vertex, fate.kept, fate.moment)) return "what it was given up for is gone";
  if (table.setOf(fate.kept) != table.setOf(row)) return "compared with another set";
  const double more = rowCost(problem, table, row) - rowCost(problem, table, fate.kept);
  return (fate.cause == RowFate::Cause::MoreExpensive ? more > 0 : more == 0) ? "" : "the costs say otherwise";
}

}  // namespace

void TestLiteralTrace::isKeptOnlyIfWanted() {
  QVERIFY(test::valueOf(solveLiterally(test::tiedChain())).trace == nullptr);
  QVERIFY(traced(test::tiedChain()).trace != nullptr);
}

void TestLiteralTrace::momentsFollowTheAlgorithm() {
  const auto trace = traced(test::tiedChain()).trace;
  std::vector<Kind> expected{Kind::Tables};
  for (const std::size_t degree : {1, 2, 2, 1}) {
    expected.insert(expected.end(), {Kind::Choose, Kind::Partition, Kind::Best});
    expected.insert(expected.end(), degree, Kind::Restrict);
  }
  expected.insert(expected.end(), 4, Kind::Join);
  expected.push_back(Kind::Result);
  std::vector<Kind> kinds;
  for (const LiteralMoment& moment : trace->moments) kinds.push_back(moment.kind);
  QVERIFY(kinds == expected);
  QVERIFY(!trace->isProcessed(0, 4));
  QVERIFY(trace->isProcessed(0, 5));
}

void TestLiteralTrace::choosesTheFewestUnprocessed() {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const auto trace = traced(test::smallProblem(seed)).trace;
    std::vector<bool> processed(trace->tables.size(), false);
    for (const LiteralIteration& iteration : test::filled(trace->iterations)) {
      QVERIFY(!processed[iteration.vertex]);
      for (std::size_t vertex = 0; vertex < processed.size(); ++vertex) {
        const auto& unprocessed = iteration.unprocessed[vertex];
        QCOMPARE(unprocessed.has_value(), !processed[vertex]);
        if (!unprocessed) continue;
        const auto& scope = trace->tables[vertex].scope;
        const auto left = std::count_if(scope.begin(), scope.end() - 1, [&](std::size_t u) { return !processed[u]; });
        QCOMPARE(*unprocessed, std::size_t(left));
        QVERIFY(*iteration.unprocessed[iteration.vertex] <= *unprocessed);
      }
      processed[iteration.vertex] = true;
    }
    QVERIFY(std::find(processed.begin(), processed.end(), false) == processed.end());
  }
}

void TestLiteralTrace::rowsGoForTheReasonGiven() {
  int looked = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const StrategyProblem problem = test::smallProblem(seed, 0.5);
    const auto trace = traced(problem, seed % 2 == 0 ? LiteralOptions{} : arbitrarily(seed)).trace;
    for (std::size_t vertex = 0; vertex < trace->tables.size(); ++vertex) {
      for (std::uint64_t row = 0; row < trace->tables[vertex].rows; ++row) {
        const QString wrong = wrongFate(problem, *trace, vertex, row);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        ++looked;
      }
    }
  }
  QVERIFY2(looked > 1000, qPrintable(QString::number(looked)));
}

void TestLiteralTrace::countsAreTheRows() {
  int bestOnes = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const auto trace = traced(test::smallProblem(seed)).trace;
    for (std::size_t i = 1; i < trace->moments.size(); ++i) {
      const LiteralMoment& moment = trace->moments[i];
      if (moment.kind == Kind::Join || moment.kind == Kind::Result) break;
      const std::size_t table = moment.kind == Kind::Restrict ? moment.neighbour : moment.vertex;
      QCOMPARE(moment.before, aliveRows(*trace, table, i - 1));
      QCOMPARE(moment.after, aliveRows(*trace, table, i));
      if (moment.kind != Kind::Best) continue;
      QCOMPARE(moment.after, moment.sets);
      ++bestOnes;
    }
  }
  QVERIFY2(bestOnes > 60, qPrintable(QString::number(bestOnes)));
}

void TestLiteralTrace::joinsAreSubStrategies() {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const StrategyProblem problem = test::smallProblem(seed);
    const LiteralSolution solution = traced(problem);
    const LiteralTrace& trace = *solution.trace;
    double most = 0;
    for (const PartialStrategies& strategies : trace.joins) most = std::max(most, double(strategies.rows));
    QCOMPARE(solution.statistics.mostJoined, most);
    QCOMPARE(solution.statistics.strategies, double(trace.joins.back().rows));
    // The join and the enumeration behind the invariant are two ways to the same set.
    QCOMPARE(trace.moments.back().invariant->valid, std::uint64_t(trace.joins.back().rows));
    for (std::size_t vertex = 0; vertex < problem.vertices.size(); ++vertex) {
      QCOMPARE(trace.joins.back().at(*trace.best, vertex), solution.strategy->choice[vertex]);
    }
  }
}

void TestLiteralTrace::invariantHoldsWithTheRepair() {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const StrategyProblem problem = test::smallProblem(seed);
    const auto trace = traced(problem).trace;
    const double optimum = test::bruteForce(problem).cost;
    QCOMPARE(*trace->optimum, optimum);
    for (const LiteralMoment& moment : test::filled(trace->moments)) {
      QVERIFY(moment.invariant->holds);
      QCOMPARE(*moment.invariant->cheapest, optimum);
    }
  }
}

void TestLiteralTrace::invariantTellsWhereTheOptimumIsLost() {
  int lost = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    for (const StrategyProblem& problem : {test::tiedChain(), test::tiedCycle()}) {
      const LiteralSolution solution = traced(problem, arbitrarily(seed));
      bool held = true;
      for (const LiteralMoment& moment : test::filled(solution.trace->moments)) {
        QVERIFY(held || !moment.invariant->holds);
        held = moment.invariant->holds;
      }
      QCOMPARE(held, solution.strategy.has_value() && solution.strategy->cost == *solution.trace->optimum);
      lost += held ? 0 : 1;
    }
  }
  QVERIFY(lost > 0);
}

void TestLiteralTrace::invariantIsNotCheckedOnLargeGraphs() {
  StrategyProblem chain = test::verticesOf(std::vector<std::vector<double>>(12, {0, 1, 2}));
  for (std::size_t vertex = 0; vertex + 1 < 12; ++vertex) {
    test::connect(chain, vertex, vertex + 1, {0, 1, 1, 1, 0, 1, 1, 1, 0});
  }
  const auto trace = traced(chain).trace;
  QVERIFY(!trace->optimum);
  for (const LiteralMoment& moment : test::filled(trace->moments)) QVERIFY(!moment.invariant);
}

QTEST_APPLESS_MAIN(TestLiteralTrace)
#include "tst_literal_trace.moc"
