// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "views/common/pace.h"
#include "views/compare/race.h"

using p2::views::Race;

// Two programs on one clock: who is where.
class TestRace : public QObject {
  Q_OBJECT
 private slots:
  void stepByStepBothAreAsManyStepsOn();
  void byTrueTimeBothAreAsManySecondsOn();
  void endsAtTheSameMomentAreOnePiece();
  void whatCannotRunStopsThere();
  void withoutTimeNothingMoves();
};

void TestRace::stepByStepBothAreAsManyStepsOn() {
  const Race race({{1, 10, 1}, 3}, {{5}, 1}, Race::Clock::Steps);
  QCOMPARE(race.pieces(), 3);
  // Each as long as the slower one's cost asks for.
  QCOMPARE(race.pace(),
           (std::vector<double>{p2::views::kLeastPace + p2::views::kPacePerDecade * std::log10(5),
                                p2::views::kLeastPace + p2::views::kPacePerDecade, p2::views::kLeastPace}));
  QCOMPARE(race.momentOf(0, 1.5).step, 1);
  QCOMPARE(race.momentOf(0, 1.5).progress, 0.5);
  QVERIFY(!race.momentOf(0, 1.5).arrived);
  QCOMPARE(race.momentOf(1, 1.5).step, 1);
  QVERIFY(race.momentOf(1, 1.5).arrived);
  QCOMPARE(race.secondsOf(0, 1.5), 6.0);
  QCOMPARE(race.secondsOf(1, 0.5), 2.5);
  QCOMPARE(race.secondsOf(1, 3), 5.0);
}

void TestRace::byTrueTimeBothAreAsManySecondsOn() {
  const Race race({{1, 2, 1}, 3}, {{8}, 1}, Race::Clock::TrueTime);
  QCOMPARE(race.pieces(), 4);  // 1, 3, 4, 8
  QCOMPARE(race.pace()[1] / race.pace()[0], 2.0);
  QCOMPARE(race.pace()[3] / race.pace()[0], 4.0);
  const Race::Moment middle = race.momentOf(0, 1.5);
  QCOMPARE(middle.step, 1);
  QVERIFY(qAbs(middle.progress - 0.5) < 1e-6);
  QVERIFY(qAbs(race.momentOf(1, 1.5).progress - 0.25) < 1e-6);
  // The faster stands at its goal while the slower still runs.
  QVERIFY(race.momentOf(0, 3).arrived);
  QVERIFY(race.momentOf(0, 3.5).arrived);
  QCOMPARE(race.momentOf(0, 3.5).step, 3);
  QVERIFY(!race.momentOf(1, 3.5).arrived);
  QVERIFY(qAbs(race.momentOf(1, 3.5).progress - 0.75) < 1e-6);
  QCOMPARE(race.secondsOf(0, 3.5), 4.0);
  QCOMPARE(race.secondsOf(1, 3.5), 6.0);
  QVERIFY(race.momentOf(0, 4).arrived && race.momentOf(1, 4).arrived);
  for (int at = 1; at <= 3; ++at) QVERIFY(race.momentOf(0, at).progress < 1e-6);
}

void TestRace::endsAtTheSameMomentAreOnePiece() {
  const Race race({{0.1, 0.2}, 2}, {{0.3}, 1}, Race::Clock::TrueTime);
  QCOMPARE(race.pieces(), 2);
  QVERIFY(race.momentOf(0, 2).arrived && race.momentOf(1, 2).arrived);
}

void TestRace::whatCannotRunStopsThere() {
  const Race steps({{1}, 2}, {{1, 1}, 2}, Race::Clock::Steps);
  QCOMPARE(steps.momentOf(0, 1.5).step, 1);
  QCOMPARE(steps.momentOf(0, 1.5).progress, 0.5);
  const Race time({{1}, 2}, {{1, 1}, 2}, Race::Clock::TrueTime);
  QCOMPARE(time.momentOf(0, 1.5).step, 1);
  QCOMPARE(time.momentOf(0, 1.5).progress, 0.0);
}

void TestRace::withoutTimeNothingMoves() {
  const Race race({{}, 0}, {{}, 0}, Race::Clock::TrueTime);
  QCOMPARE(race.pieces(), 0);
  QVERIFY(race.momentOf(0, 0).arrived);
  QCOMPARE(race.secondsOf(0, 1), 0.0);
}

QTEST_APPLESS_MAIN(TestRace)
#include "tst_race.moc"
