// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "strategy/flow_bound.h"
#include "support/fixtures.h"
#include "tests/core/strategy/random_strategies.h"

using namespace p2;

class TestFlowBound : public QObject {
  Q_OBJECT
 private slots:
  // Brute force over every strategy; tables that are not known yet only lower the bound.
  void nothingCostsLess() {
    int tight = 0;
    for (std::uint32_t seed = 0; seed < 1500; ++seed) {
      StrategyProblem problem = test::valueOf(validated(test::randomProblem(seed, {.mostCost = 20})));
      const double least = test::allStrategies(problem).front().cost;
      const double bound = flowBound(problem);
      QVERIFY2(bound <= least, qPrintable(QString::number(seed)));
      tight += least > 0 && bound > 0.99 * least;
      for (EdgeCosts& table : problem.tables) {
        table.costs.clear();
        const double fewer = flowBound(problem);
        QVERIFY2(fewer <= bound * (1 + 1e-9), qPrintable(QString::number(seed)));
      }
    }
    QVERIFY2(tight > 300, qPrintable(QString::number(tight)));
  }

  // Along a chain nothing is lost, whatever its tables.
  void chainsAreExact() {
    std::mt19937 random(3);
    for (int trial = 0; trial < 200; ++trial) {
      StrategyProblem problem;
      for (std::size_t v = 0; v < 6; ++v) {
        ConfigurationDomain& domain = problem.domains.emplace_back();
        for (std::int64_t i = 0; i < 3; ++i) {
          domain.configurations.push_back({i + 1});
          domain.costs.push_back(double(random() % 50));
        }
        problem.vertices.push_back({"v" + std::to_string(v), v});
        if (v == 0) continue;
        problem.edges.push_back({v - 1, v, problem.tables.size()});
        EdgeCosts& table = problem.tables.emplace_back(EdgeCosts{3, 3, {}});
        for (int cell = 0; cell < 9; ++cell) table.costs.push_back(double(random() % 50));
      }
      const double least = test::allStrategies(problem).front().cost;
      QVERIFY(flowBound(problem) <= least);
      QVERIFY(flowBound(problem) >= least * (1 - 1e-6));
    }
  }
};

QTEST_APPLESS_MAIN(TestFlowBound)
#include "tst_flow_bound.moc"
