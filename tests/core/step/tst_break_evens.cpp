// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <random>

#include "step/break_evens.h"
#include "tests/core/step/workloads.h"

using namespace p2;
using namespace p2::test;

class TestBreakEvens : public QObject {
  Q_OBJECT

  static std::string matrixAt(const StepRanking& ranking, std::size_t placement) {
    return ranking.placements[placement].matrix.text();
  }

 private slots:
  // Every placement is the best of some ratio. An AllReduce changes the best one at 1/4, 1 and 4 exactly, as does one
  // in two halves, ReduceScatter and AllGather.
  void everyPlacementHasItsRatio_data() {
    QTest::addColumn<bool>("inHalves");
    QTest::addColumn<std::int64_t>("tensorBytes");
    QTest::addColumn<QList<double>>("ratios");
    const std::int64_t gib = 1 << 30;
    QTest::newRow("as much of both") << true << gib << QList<double>{0.25, 1, 4};
    QTest::newRow("30 times as much") << true << 30 * gib << QList<double>{0.25, 1, 4};
    QTest::newRow("AllReduce") << false << gib << QList<double>{0.25, 1, 4};
  }
  void everyPlacementHasItsRatio() {
    QFETCH(bool, inHalves);
    QFETCH(std::int64_t, tensorBytes);
    QFETCH(QList<double>, ratios);
    std::vector<WorkloadEntry> entries;
    for (const auto kind : inHalves ? std::vector{CommunicationKind::ReduceScatter, CommunicationKind::AllGather}
                                    : std::vector{CommunicationKind::AllReduce}) {
      entries.push_back(entryOf("gradients", {"data"}, kind, 1 << 30, 1));
      entries.push_back(entryOf("activations", {"tensor"}, kind, tensorBytes, 1));
    }
    const auto ranking = ranked(withoutLatencies(questionOf("dgx-h100:32", "data=32,tensor=8", entries)));
    const BreakEvens answer =
        inHalves ? breakEvens(*ranking, {"data", {0, 2}}, {"tensor", {1, 3}}) : breakEvens(*ranking, 0, 1);
    const double asked = static_cast<double>(tensorBytes) / (1 << 30);
    QCOMPARE(answer.ratio, asked);
    QCOMPARE(answer.points.size(), std::size_t(3));
    const std::array best{"[[4,8],[8,1]]", "[[8,4],[4,2]]", "[[16,2],[2,4]]", "[[32,1],[1,8]]"};
    QCOMPARE(matrixAt(*ranking, answer.least), std::string(best[0]));
    for (std::size_t i = 0; i < answer.points.size(); ++i) {
      const double ratio = ratios[qsizetype(i)];
      const BreakEven& point = answer.points[i];
      QVERIFY2(std::abs(point.ratio - ratio) <= 1e-9 * ratio, qPrintable(QString::number(point.ratio, 'g', 15)));
      QVERIFY(std::abs(point.times - ratio / asked) <= 1e-9 * ratio);
      QCOMPARE(matrixAt(*ranking, point.from), std::string(best[i]));
      QCOMPARE(matrixAt(*ranking, point.to), std::string(best[i + 1]));
    }
  }

  // The pair that is shown unasked, in AllReduces: what gathers or scatters counts half.
  void largestGroups() {
    const auto ranking = ranked(withoutLatencies(fsdpAndTensor()));
    const auto answer = breakEvens(*ranking);
    QVERIFY(answer.has_value());
    QCOMPARE(answer->first.name, std::string("data"));
    QCOMPARE(answer->second.name, std::string("tensor"));
    QCOMPARE(answer->points.size(), std::size_t(3));
    QVERIFY(std::abs(answer->ratio - 30.1) < 0.1);
    QVERIFY(std::abs(answer->points[2].ratio - 4) < 1e-9);
    QCOMPARE(answer->points[2].to, std::size_t(0));
    const auto context = ranked(withContext());
    const auto groups = groupsByAxes(*context);
    QCOMPARE(groups.size(), std::size_t(3));
    QCOMPARE(groups[0].name, std::string("tensor"));
    QCOMPARE(groups[1].name, std::string("data, context"));
    QCOMPARE(breakEvens(*context)->first.name, std::string("data, context"));
    StepQuestion one = fsdpAndTensor();
    one.workload.collectives.resize(2);
    QVERIFY(!breakEvens(*ranked(one)).has_value());
  }

  // At every ratio the placement that the answer names takes as little as any.
  void isTheLowerEnvelope_data() {
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 8; ++seed) QTest::addRow("%u", seed) << seed;
  }
  void isTheLowerEnvelope() {
    QFETCH(unsigned, seed);
    std::mt19937 random(seed);
    const auto bytes = [&] { return std::uniform_int_distribution<std::int64_t>(1'000, 1'000'000'000)(random); };
    const auto ranking = ranked(questionOf("pod:2@20GB/s,9us node:4@50GB/s,5us gpu:4@300GB/s,1us", "4,4,2",
                                           {entryOf("a", {"axis0"}, CommunicationKind::AllReduce, bytes(), 3),
                                            entryOf("b", {"axis1", "axis2"}, CommunicationKind::AllGather, bytes(), 7),
                                            entryOf("c", {"axis2"}, CommunicationKind::Broadcast, bytes(), 2)},
                                           seed % 2 == 0 ? "nccl" : "paper"));
    const BreakEvens answer = breakEvens(*ranking, {"a and c", {0, 2}}, {"b", {1}});
    const auto secondsAt = [&](std::size_t placement, double times) {
      const PlacementStep& on = ranking->placements[placement];
      return ranking->seconds(on, 0) + ranking->seconds(on, 2) + times * ranking->seconds(on, 1);
    };
    for (double times = 1e-6; times < 1e6; times *= 1.7) {
      std::size_t named = answer.least;
      for (const BreakEven& point : answer.points) {
        if (point.times <= times) named = point.to;
      }
      double least = secondsAt(0, times);
      for (std::size_t i = 1; i < ranking->placements.size(); ++i) least = std::min(least, secondsAt(i, times));
      QVERIFY(secondsAt(named, times) <= least * (1 + 1e-8));
    }
    for (std::size_t i = 1; i < answer.points.size(); ++i) {
      QVERIFY(answer.points[i].times > answer.points[i - 1].times);
      QCOMPARE(answer.points[i].from, answer.points[i - 1].to);
    }
  }
};

QTEST_GUILESS_MAIN(TestBreakEvens)
#include "tst_break_evens.moc"
