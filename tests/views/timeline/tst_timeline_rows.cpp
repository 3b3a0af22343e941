// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

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
    rows.forEachRun(0, from, to, kColumns, [&](const TimelineRows::Run& run) {
      ++runs;
      QVERIFY(run.from >= last - 1e-9 && run.to > run.from && run.to <= kColumns);
      last = run.from;
    });
    QVERIFY(runs > 0);
    QVERIFY2(runs <= 2 * kColumns, qPrintable(QString::number(runs)));
  }

  // Of slices narrower than a pixel, each kind gets its share of the columns.
  void narrowSlicesKeepTheirShare() {
    const auto timeline = comb(200000);
    const TimelineRows rows(timeline);
    int forward = 0;
    int backward = 0;
    rows.forEachRun(0, 0, 200, 1377, [&](const TimelineRows::Run& run) {
      const SliceKind kind = timeline->detailOf(timeline->slices[run.slice]).kind;
      ++(kind == SliceKind::Forward ? forward : backward);
    });
    const double share = double(forward) / (forward + backward);
    QVERIFY2(share > 0.55 && share < 0.78, qPrintable(QString::number(share)));
  }

  void ticksAreRound() {
    QCOMPARE(roundStep(0.13), 0.2);
    QCOMPARE(roundStep(1.0), 1.0);
    QCOMPARE(roundStep(6.0), 10.0);
  }
};

QTEST_MAIN(TestTimelineRows)
#include "tst_timeline_rows.moc"
