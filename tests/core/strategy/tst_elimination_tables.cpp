// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/resource.h>

#include <QTest>
#include <random>

#include "strategy/detail/elimination_tables.h"

using namespace p2;

namespace {

/// Pages of memory that this thread was the first to touch.
long touchedPages() {
  rusage used{};
  (void)getrusage(RUSAGE_THREAD, &used);
  return used.ru_minflt;
}

/// The result's cell [a][b] is the least sum of [a][x] and [x][b].
EliminationPlan planOf(std::size_t rows, std::size_t eliminated, std::size_t columns) {
  EliminationPlan plan;
  plan.tasks.push_back({eliminated, {rows, columns}, 0, {{0, {0, 2}}, {1, {2, 1}}}});
  plan.cells = plan.tasks[0].cells();
  return plan;
}

}  // namespace

class TestEliminationTables : public QObject {
  Q_OBJECT
 private slots:
  /// More rows than are computed in one go.
  void everyPieceIsComputed() {
    constexpr std::size_t kRows = 40000;
    constexpr std::size_t kColumns = 3;
    std::mt19937 random(7);
    CostTable left{{kRows, 2}, std::vector<double>(2 * kRows)};
    CostTable right{{2, kColumns}, std::vector<double>(2 * kColumns)};
    for (double& cell : left.cells) cell = double(random() % 100);
    for (double& cell : right.cells) cell = double(random() % 100);
    int pieces = 0;
    const auto tables = eliminationTables({left, right}, planOf(kRows, 2, kColumns), {}, [&](double) { ++pieces; });
    QVERIFY(tables.ok());
    QVERIFY(pieces > 1);
    const CostTable& result = tables->back();
    QCOMPARE(result.cells.size(), kRows * kColumns);
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t c = 0; c < kColumns; ++c) {
        const double wanted =
            std::min(left.cells[2 * r] + right.cells[c], left.cells[2 * r + 1] + right.cells[kColumns + c]);
        QCOMPARE(result.cells[r * kColumns + c], wanted);
      }
    }
  }

  /// Nobody who stops waits for a gibibyte to be had: of a large table that is stopped no more is touched than one
  /// piece of it, a table of as many sums as are computed in one go.
  void aStopIsHeardBeforeALargeTableIsThere() {
    constexpr std::size_t kSide = 11585;
    constexpr std::size_t kFirstRows = 362;
    std::stop_source stopped;
    stopped.request_stop();
    const CostTable right{{2, kSide}, std::vector<double>(2 * kSide)};
    int pieces = 0;
    const auto pagesOf = [&](std::size_t rows, const std::stop_token& stop) {
      const CostTable left{{rows, 2}, std::vector<double>(2 * rows)};
      const long before = touchedPages();
      const auto tables = eliminationTables({left, right}, planOf(rows, 2, kSide), stop, [&](double) { ++pieces; });
      const long pages = touchedPages() - before;
      return tables.ok() == stop.stop_requested() ? -1 : pages;
    };
    const long first = pagesOf(kFirstRows, {});
    pieces = 0;
    const long all = pagesOf(kSide, stopped.get_token());
    QVERIFY(first > 0 && all >= 0);
    QVERIFY(pieces <= 1);
#ifdef __SANITIZE_ADDRESS__
    // The sanitizer marks every page of the gibibyte where it is reserved.
    QSKIP("what memory takes is the sanitizer's here");
#endif
    QVERIFY2(all < 2 * first, qPrintable(QString("%1 pages were touched, a piece has %2").arg(all).arg(first)));
  }
};

QTEST_APPLESS_MAIN(TestEliminationTables)
#include "tst_elimination_tables.moc"
