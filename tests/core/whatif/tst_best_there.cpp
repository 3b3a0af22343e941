// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/warnings.h"
#include "training/tie_margin.h"
#include "whatif/what_if.h"

using namespace p2;

class TestBestThere : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  // Words and figures agree: a plan that is as good by the error of the prediction is neither the same nor better.
  void itIsHeldAgainstTheKeptPlan() {
    PlannedConfiguration kept;
    kept.estimate.seconds = kept.estimate.parts.compute = 10;
    QCOMPARE(describeBest(kept, kept), std::string("this plan"));
    PlannedConfiguration other = kept;
    other.configuration.plan.tensor = 4;
    const auto at = [&](double seconds) {
      other.estimate.seconds = other.estimate.parts.compute = seconds;
      return describeBest(kept, other);
    };
    QCOMPARE(at(9.8), std::string("no clear gain: 2.0 % faster, within the error of ±3.0 %"));
    QCOMPARE(at(9), std::string("10 % faster"));
    // The simplest of those that read the same is the best, and may be a little slower.
    QCOMPARE(at(10.01), std::string("no clear gain: as fast, within the error of ±3.0 %"));
  }

  void theMarginIsWhereTiesEnd() {
    StepEstimate a;
    a.seconds = a.parts.compute = 10;
    StepEstimate b = a;
    const auto holds = [&](double seconds, double bubble) {
      b.seconds = seconds;
      b.parts.compute = seconds - bubble;
      b.parts.bubble = bubble;
      return areTied(a, b) == (std::abs(b.seconds - a.seconds) <= tieMargin(a, b));
    };
    int tied = 0;
    for (double seconds = 9; seconds < 11; seconds += 0.05) {
      QVERIFY(holds(seconds, 0) && holds(seconds, 2));
      tied += areTied(a, b);
    }
    QVERIFY(tied > 0 && tied < 40);
    QCOMPARE(tieMargin(a, a), kRunNoise * 10);
  }
};

QTEST_GUILESS_MAIN(TestBestThere)
#include "tst_best_there.moc"
