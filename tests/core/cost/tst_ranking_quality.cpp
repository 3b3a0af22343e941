// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "cost/ranking_quality.h"

using namespace p2;

class TestRankingQuality : public QObject {
  Q_OBJECT
 private slots:
  void aPerfectOrderIsPerfect() {
    const std::vector<Comparison> programs{{1, 10}, {2, 20}, {3, 30}, {4, 40}};
    for (const std::size_t k : {1, 2, 3, 9}) QCOMPARE(topKF1(programs, k), 1.0);
    QCOMPARE(spearman(programs), 1.0);
    QCOMPARE(regret(programs), 1.0);
  }

  void theReverseOrderIsTheWorst() {
    const std::vector<Comparison> programs{{1, 40}, {2, 30}, {3, 20}, {4, 10}};
    QCOMPARE(topKF1(programs, 1), 0.0);
    QCOMPARE(topKF1(programs, 2), 0.0);
    QCOMPARE(topKF1(programs, 3), 2.0 / 3);
    QCOMPARE(spearman(programs), -1.0);
    QCOMPARE(regret(programs), 4.0);
  }

  // Which of two that are predicted alike is the better one, nobody said.
  void tiesAreNoMistake() {
    const std::vector<Comparison> programs{{1, 11}, {1, 10}, {3, 30}};
    QCOMPARE(topKF1(programs, 1), 1.0);
    QCOMPARE(regret(programs), 1.1);
    QVERIFY(std::abs(spearman(programs) - std::sqrt(3) / 2) < 1e-12);
  }

  void oneSideConstantSaysNothing() { QCOMPARE(spearman({{1, 5}, {1, 6}, {1, 7}}), 1.0); }

  void medianErrors() {
    QCOMPARE(medianError({{90, 100}}), 0.1);
    QVERIFY(std::abs(medianError({{90, 100}, {150, 100}, {100, 100}, {120, 100}}) - 0.15) < 1e-12);
  }
};

QTEST_APPLESS_MAIN(TestRankingQuality)
#include "tst_ranking_quality.moc"
