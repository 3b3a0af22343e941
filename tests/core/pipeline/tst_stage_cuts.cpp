// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "pipeline/detail/stage_cuts.h"
#include "support/warnings.h"

using namespace p2;

namespace {

constexpr double kNothing = std::numeric_limits<double>::infinity();

/// Of every first piece, end and stage.
using CutCosts = std::vector<std::vector<std::vector<double>>>;

double dearestOf(const CutCosts& costs, const std::vector<std::size_t>& at) {
  double costliest = 0;
  for (std::size_t stage = 0; stage + 1 < at.size(); ++stage) {
    costliest = std::max(costliest, costs[at[stage]][at[stage + 1]][stage]);
  }
  return costliest;
}

/// By going through all cuts.
double leastOfAll(const CutCosts& costs, std::size_t pieces, std::size_t stages, std::vector<std::size_t> at = {0}) {
  const std::size_t left = stages + 1 - at.size();
  if (left == 0) return at.back() == pieces ? dearestOf(costs, at) : kNothing;
  double least = kNothing;
  for (std::size_t end = at.back() + 1; end <= pieces; ++end) {
    at.push_back(end);
    least = std::min(least, leastOfAll(costs, pieces, stages, at));
    at.pop_back();
  }
  return least;
}

}  // namespace

class TestStageCuts : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }

  // Stages differ in what the same pieces cost, and some pieces fit no stage.
  void allCutsAgree() {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> cost(0.1, 4);
    int possible = 0;
    int impossible = 0;
    for (int round = 0; round < 200; ++round) {
      const std::size_t pieces = 1 + random() % 7;
      const std::size_t stages = 1 + random() % 4;
      CutCosts costs(pieces, std::vector<std::vector<double>>(pieces + 1, std::vector<double>(stages)));
      for (auto& first : costs) {
        for (auto& end : first) {
          for (double& each : end) each = random() % 3 == 0 ? kNothing : cost(random);
        }
      }
      const auto costOf = [&](std::size_t first, std::size_t end, std::size_t stage) {
        return costs[first][end][stage];
      };
      const double least = leastOfAll(costs, pieces, stages);
      const StageCuts found = cheapestCuts(pieces, stages, kNothing, costOf);
      QCOMPARE(found.cost, least);
      QCOMPARE(found.at.empty(), least == kNothing);
      least == kNothing ? ++impossible : ++possible;
      if (found.at.empty()) continue;
      QCOMPARE(found.at.size(), stages + 1);
      QCOMPARE(found.at.front(), std::size_t(0));
      QCOMPARE(found.at.back(), pieces);
      QCOMPARE(dearestOf(costs, found.at), least);
      // What costs as much as is wanted is of no use, what costs less is.
      QVERIFY(cheapestCuts(pieces, stages, least, costOf).at.empty());
      QCOMPARE(cheapestCuts(pieces, stages, std::nextafter(least, kNothing), costOf).at, found.at);
    }
    QVERIFY(possible > 20 && impossible > 20);
  }
};

QTEST_APPLESS_MAIN(TestStageCuts)
#include "tst_stage_cuts.moc"
