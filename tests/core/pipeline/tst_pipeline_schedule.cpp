// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <map>
#include <random>

#include "pipeline/detail/pipeline_schedule.h"

using namespace p2;

namespace {

/// 1F1B by its definition, as the longest way through what waits for what: a stage's passes in their order, a forward
/// pass for the one before it, a backward pass for the one after it.
class LongestWay {
 public:
  LongestWay(const std::vector<StageTimes>& times, int microbatches) : m_times(times), m_count(microbatches) {
    const int stages = int(times.size());
    for (int stage = 0; stage < stages; ++stage) {
      auto& order = m_orders.emplace_back();
      const int warm = std::min(stages - stage - 1, m_count);  // Megatron's warm-up, then a forward and a backward each
      for (int i = 0; i < warm; ++i) order.push_back(i);
      for (int i = warm; i < m_count; ++i) {
        order.push_back(i);
        order.push_back(~(i - warm));
      }
      for (int i = std::max(0, m_count - warm); i < m_count; ++i) order.push_back(~i);
    }
  }

  [[nodiscard]] double seconds() {
    double last = 0;
    for (int stage = 0; stage < int(m_times.size()); ++stage) {
      last =
          std::max(last, endOf(stage, int(m_orders[std::size_t(stage)].size()) - 1) + m_times[std::size_t(stage)].once);
    }
    return last;
  }

 private:
  double endOf(int stage, int position) {
    if (const auto known = m_known.find({stage, position}); known != m_known.end()) return known->second;
    const auto& order = m_orders[std::size_t(stage)];
    const int pass = order[std::size_t(position)];
    double start = position == 0 ? 0 : endOf(stage, position - 1);
    const int other = pass >= 0 ? stage - 1 : stage + 1;
    if (other >= 0 && other < int(m_orders.size())) {
      const auto& there = m_orders[std::size_t(other)];
      start = std::max(start, endOf(other, int(std::find(there.begin(), there.end(), pass) - there.begin())));
    }
    const StageTimes& times = m_times[std::size_t(stage)];
    return m_known[{stage, position}] = start + (pass >= 0 ? times.forward : times.backward);
  }

  const std::vector<StageTimes>& m_times;
  int m_count;
  std::vector<std::vector<int>> m_orders;  // forward passes by number, backward ones by its complement
  std::map<std::pair<int, int>, double> m_known;
};

}  // namespace

class TestPipelineSchedule : public QObject {
  Q_OBJECT

 private slots:
  // Stages of one second forward and two back: (M + S − 1) · 3, and every stage waits (S − 1) · 3.
  void bubble_data() {
    QTest::addColumn<int>("stages");
    QTest::addColumn<int>("microbatches");
    QTest::addColumn<double>("seconds");
    QTest::addColumn<double>("idle");
    QTest::newRow("one stage") << 1 << 8 << 24.0 << 0.0;
    QTest::newRow("as many as stages") << 4 << 4 << 21.0 << 9.0;
    QTest::newRow("many") << 4 << 32 << 105.0 << 9.0;
    QTest::newRow("fewer than stages") << 8 << 2 << 27.0 << 21.0;
    QTest::newRow("one microbatch") << 4 << 1 << 12.0 << 9.0;
  }
  void bubble() {
    QFETCH(int, stages);
    QFETCH(int, microbatches);
    QFETCH(double, seconds);
    QFETCH(double, idle);
    const auto schedule = scheduleOf(std::vector<StageTimes>(std::size_t(stages), {1, 2, 0}), microbatches);
    QCOMPARE(schedule->seconds, seconds);
    QCOMPARE(double(microbatchSlots(stages, microbatches)) * 3, seconds);
    for (std::size_t stage = 0; stage < std::size_t(stages); ++stage) QCOMPARE(schedule->idleSeconds(stage), idle);
  }

  // Two stages, three microbatches, cell by cell.
  void cellsAreThoseOfOneForwardOneBackward() {
    const auto schedule = scheduleOf({{1, 2, 0.5}, {1, 2, 0}}, 3);
    using K = PipelineCell::Kind;
    QCOMPARE(schedule->stages[0], (std::vector<PipelineCell>{{K::Forward, 0, 0, 1},
                                                             {K::Forward, 1, 1, 1},
                                                             {K::Backward, 0, 4, 2},
                                                             {K::Forward, 2, 6, 1},
                                                             {K::Backward, 1, 7, 2},
                                                             {K::Backward, 2, 10, 2},
                                                             {K::Once, 2, 12, 0.5}}));
    QCOMPARE(schedule->stages[1][3], (PipelineCell{K::Backward, 1, 5, 2}));
    QCOMPARE(schedule->seconds, 12.5);
  }

  // Both lower bounds of a played step hold, whatever the stages take, and without a longest stage one is exact.
  void boundsHold() {
    std::mt19937 random(17);
    std::uniform_real_distribution<double> seconds(0.01, 3);
    double closest = 0;
    for (int i = 0; i < 600; ++i) {
      std::vector<StageTimes> times(1 + random() % 7);
      double sum = 0;
      for (StageTimes& each : times) {
        each = {seconds(random), seconds(random), i % 2 == 0 ? 0 : seconds(random)};
        sum += each.slot();
      }
      const auto stages = std::int64_t(times.size());
      const auto microbatches = std::int64_t(1 + random() % 20);
      const double played = playedSeconds(times, microbatches);
      for (std::int64_t s = 0; s < stages; ++s) {
        const StageTimes& each = times[std::size_t(s)];
        const double cost = double(microbatchSlots(stages, microbatches)) * each.slot() + each.once;
        QVERIFY(leastPlayed(cost, stages, microbatches) <= played * (1 + 1e-12));
        const double bound = leastPlayed(each.slot(), sum, s, stages, microbatches);
        QVERIFY(bound <= played * (1 + 1e-12));
        closest = std::max(closest, bound / played);
      }
    }
    QVERIFY(closest > 0.999);
    const std::vector<StageTimes> even(4, {1, 2, 0});
    QCOMPARE(leastPlayed(3, 12, 3, 4, 8), playedSeconds(even, 8));
  }

  // A step with more cells than are played takes the upper bound.
  void longStepsHaveTheirUpperBound() {
    const std::vector<StageTimes> even(4, {1, 2, 0.5});
    QVERIFY(!scheduleOf(even, kMostScheduledCells));
    QCOMPARE(playedSeconds(even, kMostScheduledCells), 3.0 * double(kMostScheduledCells + 3) + 0.5);
  }

  // Uneven stages against the longest way through the dependencies; never longer than slots of the slowest stage.
  void agreesWithTheLongestWay() {
    std::mt19937 random(7);
    double most = 0;
    for (int i = 0; i < 400; ++i) {
      std::vector<StageTimes> times(1 + random() % 6);
      for (StageTimes& each : times)
        each = {double(random() % 6), double(random() % 6), i % 2 ? double(random() % 9) : 0};
      const int microbatches = 1 + int(random() % 9);
      const auto schedule = scheduleOf(times, microbatches);
      QCOMPARE(schedule->seconds, LongestWay(times, microbatches).seconds());
      double slot = 0;
      double once = 0;
      for (const StageTimes& each : times) {
        slot = std::max(slot, each.slot());
        once = std::max(once, each.once);
      }
      const double bound = double(microbatchSlots(std::int64_t(times.size()), microbatches)) * slot + once;
      QVERIFY(schedule->seconds <= bound);
      if (bound > 0) most = std::max(most, schedule->seconds / bound);
      // What is held at once is what memory counts.
      for (std::size_t stage = 0; stage < times.size(); ++stage) {
        std::int64_t held = 0;
        std::int64_t peak = 0;
        for (const PipelineCell& cell : schedule->stages[stage]) {
          if (cell.kind == PipelineCell::Kind::Forward) peak = std::max(peak, ++held);
          if (cell.kind == PipelineCell::Kind::Backward) --held;
        }
        QCOMPARE(peak, inFlight(std::int64_t(stage), std::int64_t(times.size()), microbatches));
      }
    }
    QCOMPARE(most, 1.0);
  }

  void tooManyCellsAreNotPlayed() {
    QVERIFY(!scheduleOf(std::vector<StageTimes>(1024, {1, 1, 0}), 1'000'000));
    QVERIFY(!scheduleOf({}, 4));
  }
};

QTEST_APPLESS_MAIN(TestPipelineSchedule)
#include "tst_pipeline_schedule.moc"
