// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <random>

#include "pipeline/detail/pipeline_schedule.h"
#include "support/filled.h"
#include "training/pipeline_play.h"

using namespace p2;
using Work = std::vector<std::vector<StageWork>>;

/// Played schedules against the closed forms of their papers, against another player, and against what must hold.
class TestPipelinePlay : public QObject {
  Q_OBJECT

  static Work equal(std::size_t stages, std::size_t chunks, const StageWork& each) {
    return Work(stages, std::vector<StageWork>(chunks, each));
  }
  static constexpr std::array kAll{ScheduleKind::GPipe,       ScheduleKind::OneF1B,      ScheduleKind::ZeroBubble1,
                                   ScheduleKind::ZeroBubble2, ScheduleKind::ZeroBubbleV, ScheduleKind::DualPipe};
  static std::size_t chunksOf(ScheduleKind kind) {
    return kind == ScheduleKind::ZeroBubbleV || kind == ScheduleKind::DualPipe ? 2 : 1;
  }

 private slots:
  void equalStagesTakeThePapersTimes() {
    const StageWork each{1, 1.25, .75};
    for (const std::int64_t stages : {1, 2, 4, 8}) {
      for (const std::int64_t microbatches : {8, 16, 24}) {
        const Work work = equal(std::size_t(stages), 1, each);
        const double busy = double(microbatches) * each.slot();
        const double ahead = double(stages - 1);
        QCOMPARE(playPipeline(ScheduleKind::GPipe, work, microbatches, 0).seconds, busy + ahead * each.slot());
        QCOMPARE(playPipeline(ScheduleKind::OneF1B, work, microbatches, 0).seconds, busy + ahead * each.slot());
        // Qi et al. (2401.10241), table 2: (p − 1)(F + B − W) and (p − 1)(F + B − 2W), where B is the input's gradient.
        const double first = playPipeline(ScheduleKind::ZeroBubble1, work, microbatches, 0).seconds;
        const double second = playPipeline(ScheduleKind::ZeroBubble2, work, microbatches, 0).seconds;
        QVERIFY2(first <= busy + ahead * (1 + 1.25 - .75) * 1.1 + 1e-9,
                 qPrintable(QString("%1 stages, %2: %3").arg(stages).arg(microbatches).arg(first - busy)));
        // Fewer microbatches than fill the pipeline twice leave it nothing to fill the bubble with.
        if (microbatches < 2 * stages) continue;
        QVERIFY2(second <= busy + ahead * (1 + 1.25 - 1.5) * 1.3 + 1e-9,
                 qPrintable(QString("%1 stages, %2: %3").arg(stages).arg(microbatches).arg(second - busy)));
      }
    }
  }

  /// Narayanan et al. (SC 2021), §2.2: the bubble is (p − 1)/v slots.
  void chunksDivideTheBubble() {
    for (const std::int64_t chunks : {1, 2, 4}) {
      const StageWork each{1.0 / double(chunks), 1.0 / double(chunks), 1.0 / double(chunks)};
      const double seconds = playPipeline(ScheduleKind::OneF1B, equal(4, std::size_t(chunks), each), 16, 0).seconds;
      QCOMPARE(seconds, 16 * 3 + 3 * 3.0 / double(chunks));
    }
  }

  /// No order waits in a circle, whether PyTorch's ScheduleInterleaved1F1B takes the microbatches or not (17 on 4
  /// stages are 4 rounds and one over), and the short way to the seconds agrees.
  void interleavedRoundsOfAnySizeArePlayed() {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> time(.5, 2);
    for (std::int64_t stages = 2; stages <= 8; ++stages) {
      for (std::size_t chunks = 2; chunks <= 4; ++chunks) {
        Work work;
        for (std::int64_t s = 0; s < stages; ++s) {
          work.emplace_back(chunks, StageWork{time(random), time(random), time(random)});
        }
        for (std::int64_t microbatches = 1; microbatches <= 69; ++microbatches) {
          const QString here = QString("%1 stages of %2 chunks, %3").arg(stages).arg(chunks).arg(microbatches);
          const PlayedPipeline played = playPipeline(ScheduleKind::OneF1B, work, microbatches, .1);
          for (const auto& stage : test::filled(played.stages)) {
            QVERIFY2(stage.size() == 2 * chunks * std::size_t(microbatches), qPrintable(here));
          }
          const double bound = pipelineLowerBound(ScheduleKind::OneF1B, work, microbatches);
          QVERIFY2(std::isfinite(played.seconds) && played.seconds >= bound * (1 - 1e-9), qPrintable(here));
          const double carried = pipelineSeconds(ScheduleKind::OneF1B, work, microbatches, .1);
          QVERIFY2(std::abs(carried / played.seconds - 1) < 1e-6, qPrintable(here));
        }
      }
    }
  }

  /// The seconds alone are the same to the last bit, and a step that takes too long is left off with a lower bound.
  void secondsAloneAreThoseOfThePlayedPasses() {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> time(.5, 2);
    int leftOff = 0;
    for (const ScheduleKind kind : {ScheduleKind::GPipe, ScheduleKind::OneF1B}) {
      for (std::int64_t stages = 1; stages <= 8; ++stages) {
        for (std::size_t chunks = 1; chunks <= 3; ++chunks) {
          Work work;
          for (std::int64_t s = 0; s < stages; ++s) {
            auto& mine = work.emplace_back();
            for (std::size_t c = 0; c < chunks; ++c) mine.push_back({time(random), time(random), time(random)});
          }
          for (std::int64_t microbatches = 1; microbatches <= 4 * stages; ++microbatches) {
            const double played = playPipeline(kind, work, microbatches, 0).seconds;
            QVERIFY(pipelineSeconds(kind, work, microbatches, 0) == played);
            const double most = .9 * played;
            const double bound = pipelineSeconds(kind, work, microbatches, 0, most);
            QVERIFY(bound > most && bound <= played * (1 + 1e-9));
            leftOff += bound < played;
          }
        }
      }
    }
    QVERIFY(leftOff > 0);
  }

  /// A round larger than the stages, by hand: with 2 stages of 2 equal chunks, 3 microbatches in one round keep the
  /// last stage busy from its first pass on, and hold at most 2·1 + 3 + 1 chunks' activations on the first.
  void aLargerRoundHoldsMoreActivations() {
    const auto played = playPipeline(ScheduleKind::OneF1B, equal(2, 2, {1, 1, 1}), 3, 0);
    QCOMPARE(played.inFlight, (std::vector<std::int64_t>{6, 4}));
    QCOMPARE(played.seconds, 3 * 2 * 3 + 3.0);
  }

  /// Qi et al. (2405.15362): no bubble where F = B = W, with as many activations in flight as 1F1B's first stage.
  void theFoldedPipelineHasNoBubble() {
    const StageWork half{.5, .5, .5};
    for (const std::int64_t stages : {2, 4, 8}) {
      for (const std::int64_t microbatches : {2 * stages - 1, 2 * stages, 3 * stages, std::int64_t{40}}) {
        const auto played =
            playPipeline(ScheduleKind::ZeroBubbleV, equal(std::size_t(stages), 2, half), microbatches, 0);
        QCOMPARE(played.seconds, 3.0 * double(microbatches));
        for (const std::int64_t held : test::filled(played.inFlight)) QVERIFY(held <= 2 * stages);
      }
    }
  }

  /// DeepSeek-V3 (2412.19437), table 2: a bubble of (p/2 − 1)(F&B + B − 3W), where B includes W and F&B is F + B if
  /// nothing overlaps; p + 1 microbatches in flight.
  void bothEndsWaitNoLongerThanPublished() {
    for (const StageWork& each : {StageWork{1, 1, 1}, StageWork{1, 1.2, .7}, StageWork{1, 1.1, .9}}) {
      for (const std::int64_t stages : {2, 4, 8}) {
        for (const std::int64_t microbatches : {2 * stages, 3 * stages, std::int64_t{40}}) {
          const auto played =
              playPipeline(ScheduleKind::DualPipe, equal(std::size_t(stages), 2, each), microbatches, 0);
          const double whole = each.backward + each.weights;
          const double published = (double(stages) / 2 - 1) * (each.forward + whole + whole - 3 * each.weights);
          const double bubble = played.seconds - double(microbatches) * each.slot();
          QVERIFY2(bubble > -1e-9 && bubble <= published + 1e-9,
                   qPrintable(QString("%1 stages: %2, published %3").arg(stages).arg(bubble).arg(published)));
          for (const std::int64_t held : test::filled(played.inFlight)) QVERIFY(held <= stages + 1);
        }
      }
    }
  }

  void twoPlayersAgreeOnUnevenStages() {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> time(.5, 2);
    for (int round = 0; round < 200; ++round) {
      const std::size_t stages = 1 + random() % 6;
      Work work;
      std::vector<StageTimes> other;
      for (std::size_t s = 0; s < stages; ++s) {
        const StageWork each{time(random), time(random), time(random)};
        work.push_back({each});
        other.push_back({each.forward, each.backward + each.weights, 0});
      }
      const auto microbatches = std::int64_t(1 + random() % 12);
      const auto played = scheduleOf(other, microbatches);
      QVERIFY(played.has_value());
      QVERIFY(std::abs(playPipeline(ScheduleKind::OneF1B, work, microbatches, 0).seconds - played->seconds) < 1e-9);
    }
  }

  void everyPassIsPlayedOnceAndNoStageDoesTwoThings() {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> time(.5, 2);
    for (const ScheduleKind kind : kAll) {
      for (const std::int64_t microbatches : {1, 4, 6, 12}) {
        for (const std::size_t stages : {1u, 2u, 4u}) {
          const std::size_t chunks = kind == ScheduleKind::OneF1B ? 3 : chunksOf(kind);
          Work work;
          for (std::size_t s = 0; s < stages; ++s) {
            work.push_back(std::vector<StageWork>(chunks, {time(random), time(random), time(random)}));
          }
          const PlayedPipeline played = playPipeline(kind, work, microbatches, .1);
          const bool splits = kind != ScheduleKind::GPipe && kind != ScheduleKind::OneF1B;
          const std::size_t ways = kind == ScheduleKind::DualPipe ? 1 : chunks;
          for (const auto& stage : test::filled(played.stages)) {
            QCOMPARE(stage.size(), std::size_t(microbatches) * ways * (splits ? 3 : 2));
            for (std::size_t i = 1; i < stage.size(); ++i) {
              QVERIFY(stage[i].start >= stage[i - 1].start + stage[i - 1].seconds - 1e-9);
            }
          }
        }
      }
    }
  }

  void activationsInFlightAreThePapers() {
    const Work work = equal(4, 1, {1, 1, 1});
    const auto first = playPipeline(ScheduleKind::OneF1B, work, 12, 0);
    QCOMPARE(first.inFlight, (std::vector<std::int64_t>{4, 3, 2, 1}));
    QCOMPARE(playPipeline(ScheduleKind::ZeroBubble1, work, 12, 0).inFlight[0], 4);
    QVERIFY(playPipeline(ScheduleKind::ZeroBubble2, work, 12, 0).inFlight[0] <= 7);
    QCOMPARE(playPipeline(ScheduleKind::GPipe, work, 12, 0).inFlight[3], 12);
  }

  void manyMicrobatchesAreCarriedOn() {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> time(.8, 1.2);
    for (const ScheduleKind kind : kAll) {
      Work work;
      for (std::size_t s = 0; s < 4; ++s)
        work.push_back(std::vector<StageWork>(chunksOf(kind), {time(random), time(random), time(random)}));
      for (const std::int64_t microbatches : {40, 64, 128}) {
        const double all = playPipeline(kind, work, microbatches, .02).seconds;
        const double carried = pipelineSeconds(kind, work, microbatches, .02);
        // A fixed order is played until it repeats; greedy ones never do exactly.
        const bool repeats = kind == ScheduleKind::OneF1B || kind == ScheduleKind::GPipe;
        QVERIFY2(std::abs(carried / all - 1) < (repeats ? 1e-6 : .02),
                 qPrintable(QString("%1: %2 instead of %3").arg(int(kind)).arg(carried).arg(all)));
      }
    }
  }

  void lowerBoundsHold() {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> seconds(.1, 2);
    for (int round = 0; round < 300; ++round) {
      const ScheduleKind kind = kAll[std::size_t(round) % kAll.size()];
      const auto stages = std::size_t(1) << std::uniform_int_distribution<int>(0, 3)(random);
      const std::size_t chunks = kind == ScheduleKind::OneF1B ? 1 + std::size_t(round) % 3 : chunksOf(kind);
      const std::int64_t microbatches = std::int64_t(stages) * std::uniform_int_distribution<int>(1, 9)(random) * 2;
      Work work;
      for (std::size_t s = 0; s < stages; ++s) {
        work.emplace_back(chunks, StageWork{seconds(random), seconds(random), seconds(random)});
      }
      const double bound = pipelineLowerBound(kind, work, microbatches);
      QVERIFY(bound > 0);
      QVERIFY2(bound <= playPipeline(kind, work, microbatches, 0).seconds * (1 + 1e-12),
               std::string(nameOf(kind)).c_str());
      QVERIFY2(bound <= pipelineSeconds(kind, work, microbatches, 0) * (1 + 1e-9), std::string(nameOf(kind)).c_str());
    }
  }
};

QTEST_GUILESS_MAIN(TestPipelinePlay)
#include "tst_pipeline_play.moc"
