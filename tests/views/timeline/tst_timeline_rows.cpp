// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <array>
#include <cmath>

#include "support/warnings.h"
#include "views/timeline/timeline_painter.h"
#include "views/timeline/timeline_rows.h"

using namespace p2;
using namespace p2::views;

namespace {

/// One track of `count` slices of a millisecond each, every second one shorter by half.
std::shared_ptr<const p2::Timeline> comb(int count) {
  TimelineBuilder builder("comb");
  const auto track = builder.track("predicted", "rank 0");
  const auto forward = builder.detail({SliceKind::Forward, "forward", 0, {}, {}, {}});
  const auto backward = builder.detail({SliceKind::Backward, "backward", 0, {}, {}, {}});
  for (int i = 0; i < count; ++i) {
    builder.slice({track, i % 2 == 0 ? forward : backward, 0, i, i * 1e-3, i % 2 == 0 ? 1e-3 : 0.5e-3});
  }
  return std::make_shared<const p2::Timeline>(builder.take());
}

}  // namespace

class TestTimelineRows : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void findsSlicesByTime() {
    const TimelineRows rows(comb(10));
    QCOMPARE(rows.rows().size(), std::size_t{1});
    QCOMPARE(rows.at(0, 0.0), std::optional<std::uint32_t>(0));
    QCOMPARE(rows.at(0, 3.2e-3), std::optional<std::uint32_t>(3));
    QCOMPARE(rows.at(0, 3.7e-3), std::optional<std::uint32_t>());
    QCOMPARE(rows.at(0, 1.0), std::optional<std::uint32_t>());
  }

  // Whatever is shown: runs are in order, within the columns, and at most two for each of them.
  void runsAreAsManyAsColumnsAllow_data() {
    QTest::addColumn<int>("slices");
    QTest::addColumn<double>("from");
    QTest::addColumn<double>("to");
    QTest::newRow("wide") << 10 << 0.0 << 10e-3;
    QTest::newRow("a part") << 1000 << 0.1 << 0.2;
    QTest::newRow("narrow") << 200000 << 0.0 << 200.0;
    QTest::newRow("within a slice") << 10 << 4.2e-3 << 4.3e-3;
  }
  void runsAreAsManyAsColumnsAllow() {
    QFETCH(int, slices);
    QFETCH(double, from);
    QFETCH(double, to);
    constexpr int kColumns = 700;
    const TimelineRows rows(comb(slices));
    int runs = 0;
    double last = 0;
    rows.forEachRun(0, from, to, kColumns, 4, [&](const TimelineRows::Run& run) {
      ++runs;
      QVERIFY(run.from >= last - 1e-9 && run.to > run.from && run.to <= kColumns);
      last = run.from;
    });
    QVERIFY(runs > 0);
    QVERIFY2(runs <= 2 * kColumns, qPrintable(QString::number(runs)));
  }

  // Of slices narrower than a pixel, each kind gets its share of every column, so that columns look the same: wherever
  // they begin, and however many slices they hold.
  void narrowSlicesShareTheirColumns_data() {
    QTest::addColumn<double>("from");
    QTest::addColumn<double>("to");
    QTest::addColumn<int>("columns");
    QTest::newRow("all") << 0.0 << 200.0 << 1377;
    QTest::newRow("a little less") << 0.0 << 199.83 << 1377;
    QTest::newRow("from within a slice") << 31.41592 << 180.1 << 1377;
    QTest::newRow("many a column") << 0.0 << 200.0 << 20;
  }
  void narrowSlicesShareTheirColumns() {
    QFETCH(double, from);
    QFETCH(double, to);
    QFETCH(int, columns);
    const TimelineRows rows(comb(200000));
    const double slices = (to - from) * 1000 / columns;
    int runs = 0;
    rows.forEachRun(0, from, to, columns, 4, [&](const TimelineRows::Run& run) {
      QVERIFY(!run.slice);
      QCOMPARE(run.from, double(runs++));
      // Half of a slice more or less of one kind.
      const double off = 1 / slices;
      QVERIFY(std::abs(run.shares[std::size_t(SliceKind::Forward)] - 0.5) < off);
      QVERIFY(std::abs(run.shares[std::size_t(SliceKind::Backward)] - 0.25) < off);
    });
    QCOMPARE(runs, columns);
  }

  // Columns tell the seconds of every slice, narrow or not, as often as they are asked.
  void columnsSumToTheSlices() {
    TimelineBuilder builder("uneven");
    const auto track = builder.track("predicted", "rank 0");
    double at = 0;
    std::array<double, kSliceKinds.size()> expected{};
    for (int i = 0; i < 3000; ++i) {
      const auto kind = SliceKind(i % 7);
      const double seconds = 1e-4 * (1 + (i * 7919) % 13);
      builder.slice({track, builder.detail({kind, "x", 0, {}, {}, {}}), 0, i, at, seconds});
      expected[std::size_t(kind)] += seconds;
      at += seconds + (i % 3 == 0 ? 5e-5 : 0);
    }
    const TimelineRows rows(std::make_shared<const p2::Timeline>(builder.take()));
    for (const int columns : {50, 333, 1000}) {
      std::array<double, kSliceKinds.size()> sum{};
      rows.forEachRun(0, 0, at, columns, 1e9, [&](const TimelineRows::Run& run) {
        for (std::size_t kind = 0; kind < sum.size(); ++kind) sum[kind] += double(run.shares[kind]) * at / columns;
      });
      for (std::size_t kind = 0; kind < sum.size(); ++kind) {
        QVERIFY2(std::abs(sum[kind] - expected[kind]) < 1e-4 * at, qPrintable(QString::number(sum[kind])));
      }
    }
  }

  // Two ticks never read the same, however deep the zoom.
  void ticksTellThemselvesApart() {
    QCOMPARE(tickText(0, 0.5, 3), QString("0"));
    QCOMPARE(tickText(0.5, 0.5, 3), QString("0.5 s"));
    QCOMPARE(tickText(31.2345, 0.0005, 31.24), QString("31.2345 s"));
    QCOMPARE(tickText(0.02, 0.02, 0.1), QString("20 ms"));
    QCOMPARE(tickText(2e-6, 2e-7, 3e-6), QString("2.0 µs"));
  }

  void ticksAreRound() {
    QCOMPARE(roundStep(0.13), 0.2);
    QCOMPARE(roundStep(1.0), 1.0);
    QCOMPARE(roundStep(6.0), 10.0);
  }
};

QTEST_MAIN(TestTimelineRows)
#include "tst_timeline_rows.moc"
