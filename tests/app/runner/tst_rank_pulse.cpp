// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "app/runner/rank_pulse.h"

using namespace p2::runner;

namespace {

RankPulse::Clock::time_point at(double seconds) {
  return RankPulse::Clock::time_point() + std::chrono::milliseconds(std::int64_t(seconds * 1000));
}

QString failureOf(const RankPulse& pulse, double seconds) {
  return QString::fromStdString(pulse.failure(at(seconds), "mpirun").value_or(""));
}

}  // namespace

class TestRankPulse : public QObject {
  Q_OBJECT
 private slots:
  void tellsSignsFromOtherLines() {
    RankPulse pulse(4);
    QVERIFY(pulse.hear("p2-runner alive 3", at(0)));
    QVERIFY(pulse.hear("[1,3]<stderr>:p2-runner alive 3", at(0)));
    QVERIFY(!pulse.hear("p2-runner: rank 3 on vm: no GPU", at(0)));
    QVERIFY(!pulse.hear("", at(0)));
    // What nobody can be is heard and no rank.
    for (const char* line : {"p2-runner alive ", "p2-runner alive 4", "p2-runner alive -1", "p2-runner alive x",
                             "p2-runner alive 99999999999999999999"}) {
      QVERIFY(pulse.hear(line, at(100)));
    }
    QVERIFY(failureOf(pulse, 101).startsWith("rank 3 has said nothing"));
  }

  // A launcher may wait for its nodes as long as it likes.
  void whoHasNotBegunIsNotMissed() { QCOMPARE(failureOf(RankPulse(4), 1e6), QString()); }

  void aRankThatNeverComesIsNamed() {
    RankPulse pulse(4);
    for (int second = 0; second <= 31; ++second) {
      for (const int rank : {0, 1, 3}) QVERIFY(pulse.hear("p2-runner alive " + std::to_string(rank), at(second)));
      QCOMPARE(
          failureOf(pulse, second),
          second <= 30 ? QString() : QString("rank 2 has not started within 30 s of the first one; the run was ended"));
    }
  }

  void aRankThatFallsSilentIsNamed() {
    RankPulse pulse(3);
    for (int second = 0; second <= 12; ++second) {
      for (int rank = 0; rank < 3; ++rank) {
        if (rank != 1 || second < 1) pulse.hear("p2-runner alive " + std::to_string(rank), at(second + 0.3 * rank));
      }
      const QString stated = failureOf(pulse, second + 0.7);
      QCOMPARE(stated.isEmpty(), second < 10);
      if (!stated.isEmpty()) QVERIFY2(stated.startsWith("rank 1 has said nothing for 10 s"), qPrintable(stated));
    }
  }

  void aLauncherThatFallsSilentIsNamed() {
    RankPulse pulse(3);
    for (int rank = 0; rank < 3; ++rank) pulse.hear("p2-runner alive " + std::to_string(rank), at(0.3 * rank));
    QCOMPARE(failureOf(pulse, 9.9), QString());
    QVERIFY(failureOf(pulse, 10.1).startsWith("mpirun and its ranks have said nothing for 10 s"));
  }
};

QTEST_APPLESS_MAIN(TestRankPulse)
#include "tst_rank_pulse.moc"
