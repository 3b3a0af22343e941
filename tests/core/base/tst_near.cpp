// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "base/near.h"

using namespace p2;

class TestNear : public QObject {
  Q_OBJECT

 private slots:
  void figures_data() {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    QTest::addColumn<double>("a");
    QTest::addColumn<double>("b");
    QTest::addColumn<double>("tolerance");
    QTest::addColumn<bool>("near");
    QTest::newRow("equal") << 3.0 << 3.0 << kArithmeticTolerance << true;
    QTest::newRow("zeros") << 0.0 << 0.0 << kArithmeticTolerance << true;
    QTest::newRow("zero and little") << 0.0 << 1e-300 << kArithmeticTolerance << false;
    QTest::newRow("sums in another order") << 0.1 + 0.2 << 0.3 << kArithmeticTolerance << true;
    QTest::newRow("just within") << 1.0 << 1 + 0.9e-9 << kArithmeticTolerance << true;
    QTest::newRow("just outside") << 1.0 << 1 + 1.1e-9 << kArithmeticTolerance << false;
    QTest::newRow("small figures") << 1e-12 << 1e-12 * (1 + 1e-8) << kArithmeticTolerance << false;
    QTest::newRow("infinite") << kInfinite << kInfinite << kArithmeticTolerance << true;
    QTest::newRow("one infinite") << 1.0 << kInfinite << kArithmeticTolerance << false;
    QTest::newRow("read the same") << 1.0 << 1.0049 << kDisplayTolerance << true;
    QTest::newRow("read differently") << 1.0 << 1.006 << kDisplayTolerance << false;
  }
  void figures() {
    QFETCH(double, a);
    QFETCH(double, b);
    QFETCH(double, tolerance);
    QFETCH(bool, near);
    QCOMPARE(nearlyEqual(a, b, tolerance), near);
    QCOMPARE(nearlyEqual(b, a, tolerance), near);
    QCOMPARE(definitelyLess(a, b, tolerance), !near);
    QVERIFY(!definitelyLess(b, a, tolerance));
  }

  // The first of the order does not depend on the order in which elements come, and is that of cheapestOf().
  void theOrderIsOne() {
    struct Element {
      double cost;
      int tie;
      bool operator==(const Element&) const = default;
    };
    std::vector<Element> elements{{1, 4}, {1 + 1e-12, 2}, {1 - 1e-12, 3}, {0.5, 9}, {0.5 + 1e-13, 8}, {2, 1}, {2, 0}};
    const std::vector<int> expected{8, 9, 2, 3, 4, 0, 1};
    std::mt19937 random(7);
    const auto cost = [](const Element& each) { return each.cost; };
    const auto isBefore = [](const Element& a, const Element& b) { return a.tie < b.tie; };
    for (int round = 0; round < 100; ++round) {
      std::shuffle(elements.begin(), elements.end(), random);
      const Element best = *cheapestOf(elements.begin(), elements.end(), cost, isBefore);
      sortByCost(elements.begin(), elements.end(), cost,
                 [&](auto first, auto last) { std::sort(first, last, isBefore); });
      std::vector<int> order;
      for (const Element& each : elements) order.push_back(each.tie);
      QCOMPARE(order, expected);
      QVERIFY(best == elements.front());
    }
  }

  void nothingIsCheapestOfNothing() {
    const std::vector<double> none;
    QVERIFY(cheapestOf(none.begin(), none.end(), [](double each) { return each; }) == none.end());
  }
};

QTEST_APPLESS_MAIN(TestNear)
#include "tst_near.moc"
