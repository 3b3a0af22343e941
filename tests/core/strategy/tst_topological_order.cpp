// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <numeric>
#include <random>

#include "strategy/topological_order.h"
#include "support/warnings.h"

using namespace p2;

namespace {

struct Arrow {
  std::size_t from = 0;
  std::size_t to = 0;
};

using Order = std::vector<std::size_t>;

/// Of all orders that no arrow contradicts the first, by going through all of them.
Order firstOfAll(std::size_t count, const std::vector<Arrow>& arrows) {
  Order order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto placeOf = [&](std::size_t vertex) { return std::find(order.begin(), order.end(), vertex); };
  do {
    if (std::all_of(arrows.begin(), arrows.end(),
                    [&](const Arrow& arrow) { return placeOf(arrow.from) < placeOf(arrow.to); })) {
      return order;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return {};
}

}  // namespace

class TestTopologicalOrder : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }

  void allOrdersAgree() {
    std::mt19937 random(11);
    int ordered = 0;
    int circles = 0;
    for (int round = 0; round < 300; ++round) {
      const std::size_t count = 1 + random() % 6;
      std::vector<Arrow> arrows;
      for (std::size_t i = random() % 8; i > 0 && count > 1; --i) {
        const std::size_t from = random() % count;
        arrows.push_back({from, (from + 1 + random() % (count - 1)) % count});
      }
      const Order expected = firstOfAll(count, arrows);
      const Order found = topologicalOrder(count, arrows);
      if (expected.empty()) {
        ++circles;
        QVERIFY(found.size() < count);
      } else {
        ++ordered;
        QCOMPARE(found, expected);
      }
    }
    QVERIFY(ordered > 50 && circles > 50);
  }

  // Two edges between the same two are two; what only leads to a circle is in the order, what comes behind it is not.
  void circlesAreLeftOut() {
    QCOMPARE(topologicalOrder(5, std::vector<Arrow>{{4, 1}, {1, 2}, {2, 1}, {2, 3}, {4, 0}, {4, 0}}), (Order{4, 0}));
    QCOMPARE(topologicalOrder(0, std::vector<Arrow>{}), Order{});
  }
};

QTEST_APPLESS_MAIN(TestTopologicalOrder)
#include "tst_topological_order.moc"
