// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <ctime>
#include <random>

#include "strategy/elimination_tables.h"

using namespace p2;

namespace {

double workedSeconds() {
  timespec now{};
  (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
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

  /// Nobody who stops waits for a gibibyte to be had: a large table that is stopped takes no longer than a small one of
  /// as many sums as are computed in one go, whatever a sum takes in this build.
  void aStopIsHeardBeforeALargeTableIsThere() {
    constexpr std::size_t kSide = 11585;
    constexpr std::size_t kFirstRows = 362;
    std::stop_source stopped;
    stopped.request_stop();
    const CostTable right{{2, kSide}, std::vector<double>(2 * kSide)};
    const auto secondsOf = [&](std::size_t rows, const std::stop_token& stop) {
      const CostTable left{{rows, 2}, std::vector<double>(2 * rows)};
      const double before = workedSeconds();
      const auto tables = eliminationTables({left, right}, planOf(rows, 2, kSide), stop, {});
      const double seconds = workedSeconds() - before;
      return tables.ok() == stop.stop_requested() ? -1 : seconds;
    };
    const double first = secondsOf(kFirstRows, {});
    const double all = secondsOf(kSide, stopped.get_token());
    QVERIFY(first > 0 && all > 0);
#ifdef __SANITIZE_ADDRESS__
    // The sanitizer marks every page of the gibibyte where it is reserved, which takes longer than the sums.
    QSKIP("what memory takes is the sanitizer's here");
#endif
    QVERIFY2(all < 4 * first, qPrintable(QString("it took %1 s, a piece takes %2 s").arg(all).arg(first)));
#ifndef __SANITIZE_THREAD__
    QVERIFY2(all < 0.1, qPrintable(QString("it took %1 s").arg(all)));
#endif
  }
};

QTEST_APPLESS_MAIN(TestEliminationTables)
#include "tst_elimination_tables.moc"
