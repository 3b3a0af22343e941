// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "strategy/detail/dominance.h"
#include "support/warnings.h"
#include "tests/core/strategy/random_strategies.h"

using namespace p2;

class TestDominance : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void keepsTheBestStrategies() {
    std::size_t removed = 0;
    for (std::uint32_t seed = 0; seed < 2000; ++seed) {
      const StrategyProblem problem = test::randomProblem(seed, {6, 4, 0.5, 1 + static_cast<int>(seed % 4), 1});
      const std::size_t best = 1 + seed % 3;
      const CostNetwork network = withoutDominated(costNetwork(problem), best);
      const std::vector<Strategy> all = test::allStrategies(problem);
      for (std::size_t i = 0; i < std::min(best, all.size()); ++i) {
        for (std::size_t v = 0; v < problem.vertices.size(); ++v) {
          const std::vector<std::size_t>& values = network.values[v];
          QVERIFY2(std::binary_search(values.begin(), values.end(), all[i].choice[v]),
                   qPrintable(QString("seed %1, strategy %2, vertex %3").arg(seed).arg(i).arg(v)));
        }
      }
      for (std::size_t v = 0; v < problem.vertices.size(); ++v) {
        removed += problem.domainOf(v).costs.size() - network.sizeOf(v);
      }
    }
    QVERIFY2(removed > 2000, qPrintable(QString::number(removed)));
  }

  /// The second configuration of a is never better than the first; then that of b is never better either.
  void removesWhatOnlyTheRemovedNeeded() {
    StrategyProblem problem;
    problem.domains = {{{{1}, {2}}, {0, 5}}, {{{1}, {2}}, {0, 0}}};
    problem.vertices = {{"a", 0}, {"b", 1}};
    problem.tables = {{2, 2, {0, 1, 3, 0}}};
    problem.edges = {{0, 1, 0}};
    const CostNetwork network = withoutDominated(costNetwork(problem), 1);
    QCOMPARE(network.values, (std::vector<std::vector<std::size_t>>{{0}, {0}}));
  }

  void keepsTheFirstOfEquals() {
    StrategyProblem problem;
    problem.domains = {{{{1}, {2}, {3}}, {2, 1, 1}}};
    problem.vertices = {{"a", 0}};
    QCOMPARE(withoutDominated(costNetwork(problem), 1).values[0], std::vector<std::size_t>{1});
    QCOMPARE(withoutDominated(costNetwork(problem), 2).values[0], (std::vector<std::size_t>{1, 2}));
  }
};

QTEST_APPLESS_MAIN(TestDominance)
#include "tst_dominance.moc"
