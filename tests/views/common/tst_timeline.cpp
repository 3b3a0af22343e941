// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "views/common/timeline.h"

using p2::views::Timeline;

class TestTimeline : public QObject {
  Q_OBJECT
 private slots:
  void startsBeforeTheFirstStep();
  void stepsAndStopsAtTheEnds();
  void movesThroughAStepInTime_data();
  void movesThroughAStepInTime();
  void playTakesExactlyItsTime();
  void quickStepsSkipWhatIsLeft();
  void atRestTheFinishedStepIsShown();
  void playsToTheEnd();
  void playStartsOverAtTheEnd();
  void loops();
  void speedShortensRestsAndSteps();
  void withoutAnimationStepsAreInstant();
  void scrubsAndSettles_data();
  void scrubsAndSettles();
  void withoutStepsNothingMoves();
  void restartKeepsSettings();
  void stepsOfTheirOwnLengthFollowEachOther();
  void stepsOfTheirOwnLengthMayRest();
};

namespace {

/// Seconds until nothing moves any more, in frames of a 60th of a second.
double secondsToRest(Timeline& timeline) {
  constexpr double kFrame = 1.0 / 60;
  double seconds = 0;
  while (timeline.moving() && seconds < 1000) {
    timeline.advance(kFrame);
    seconds += kFrame;
  }
  return seconds;
}

}  // namespace

void TestTimeline::startsBeforeTheFirstStep() {
  const Timeline timeline(3);
  QCOMPARE(timeline.position(), 0.0);
  QCOMPARE(timeline.step(), 0);
  QCOMPARE(timeline.progress(), 0.0);
  QVERIFY(!timeline.moving());
}

void TestTimeline::stepsAndStopsAtTheEnds() {
  Timeline timeline(2);
  for (const int expected : {1, 2, 2}) {
    timeline.forward();
    secondsToRest(timeline);
    QCOMPARE(timeline.step(), expected);
  }
  for (const int expected : {1, 0, 0}) {
    timeline.back();
    secondsToRest(timeline);
    QCOMPARE(timeline.step(), expected);
  }
  timeline.last();
  QCOMPARE(timeline.position(), 2.0);
  timeline.first();
  QCOMPARE(timeline.position(), 0.0);
}

void TestTimeline::movesThroughAStepInTime_data() {
  QTest::addColumn<double>("speed");
  for (const double speed : {0.25, 0.5, 1.0, 2.0, 4.0}) QTest::newRow(qPrintable(QString::number(speed))) << speed;
}

void TestTimeline::movesThroughAStepInTime() {
  QFETCH(double, speed);
  Timeline timeline(2);
  timeline.setSpeed(speed);
  timeline.forward();
  timeline.advance(0.5 / speed);
  QCOMPARE(timeline.progress(), 0.25);
  timeline.advance(0.5 / speed);
  QCOMPARE(timeline.progress(), 0.5);
  QCOMPARE(timeline.step(), 0);
  timeline.advance(1.0 / speed - 1e-6);
  QVERIFY(timeline.position() < 1);
  timeline.advance(2e-6);
  QCOMPARE(timeline.position(), 1.0);
  QVERIFY(!timeline.moving());
}

void TestTimeline::playTakesExactlyItsTime() {
  for (const double speed : {0.25, 1.0, 4.0}) {
    Timeline timeline(3);
    timeline.setSpeed(speed);
    timeline.play();
    const double expected = (3 * Timeline::kStepSeconds + 2 * Timeline::kRestSeconds) / speed;
    // However time is cut into frames.
    for (double passed = 0; passed + 0.016 < expected; passed += 0.016) timeline.advance(0.016);
    QVERIFY(timeline.position() < 3 && timeline.position() > 3 - 0.02 * speed);
    timeline.advance(0.02);
    QCOMPARE(timeline.position(), 3.0);
  }
}

void TestTimeline::quickStepsSkipWhatIsLeft() {
  Timeline timeline(5);
  for (int i = 0; i < 4; ++i) timeline.forward();
  QCOMPARE(timeline.position(), 3.0);
  timeline.advance(1);
  QCOMPARE(timeline.position(), 3.5);
  timeline.back();
  secondsToRest(timeline);
  QCOMPARE(timeline.position(), 3.0);
  timeline.back();
  timeline.advance(0.5);
  timeline.back();
  QCOMPARE(timeline.position(), 2.0);
  secondsToRest(timeline);
  QCOMPARE(timeline.position(), 1.0);
}

void TestTimeline::atRestTheFinishedStepIsShown() {
  Timeline timeline(3);
  QCOMPARE(timeline.shownStep(), 0);
  timeline.forward();
  timeline.advance(0.5);
  QCOMPARE(timeline.shownStep(), 0);
  secondsToRest(timeline);
  QCOMPARE(timeline.shownStep(), 0);
  QCOMPARE(timeline.step(), 1);
  timeline.forward();
  timeline.advance(0.5);
  QCOMPARE(timeline.shownStep(), 1);
  timeline.last();
  QCOMPARE(timeline.shownStep(), 2);
  timeline.show(1);
  QCOMPARE(timeline.position(), 2.0);
  timeline.show(0);
  QCOMPARE(timeline.position(), 0.0);
}

void TestTimeline::playsToTheEnd() {
  Timeline timeline(3);
  timeline.play();
  QVERIFY(timeline.playing());
  const double seconds = secondsToRest(timeline);
  QVERIFY(!timeline.playing());
  QCOMPARE(timeline.position(), 3.0);
  QVERIFY2(seconds > 7 && seconds < 8, qPrintable(QString::number(seconds)));
}

void TestTimeline::playStartsOverAtTheEnd() {
  Timeline timeline(2);
  timeline.last();
  timeline.togglePlay();
  QVERIFY(timeline.playing());
  QCOMPARE(timeline.position(), 0.0);
  timeline.togglePlay();
  QVERIFY(!timeline.playing());
}

void TestTimeline::loops() {
  Timeline timeline(1);
  timeline.setLoops(true);
  timeline.play();
  bool atEnd = false;
  bool backAtStart = false;
  for (int frame = 0; frame < 600; ++frame) {
    timeline.advance(1.0 / 60);
    atEnd = atEnd || timeline.position() == 1.0;
    backAtStart = backAtStart || (atEnd && timeline.position() == 0.0);
  }
  QVERIFY(backAtStart);
  QVERIFY(timeline.playing());
}

void TestTimeline::speedShortensRestsAndSteps() {
  Timeline slow(3);
  slow.setSpeed(Timeline::kSlowest);
  slow.play();
  Timeline fast(3);
  fast.setSpeed(1000);
  QCOMPARE(fast.speed(), Timeline::kFastest);
  fast.play();
  QVERIFY(secondsToRest(slow) > 8 * secondsToRest(fast));
}

void TestTimeline::withoutAnimationStepsAreInstant() {
  Timeline timeline(2);
  timeline.setAnimated(false);
  timeline.forward();
  QCOMPARE(timeline.position(), 1.0);
  QVERIFY(!timeline.moving());
  timeline.play();
  for (int frame = 0; frame < 600; ++frame) {
    timeline.advance(1.0 / 60);
    QVERIFY(timeline.rests());
  }
  QCOMPARE(timeline.position(), 2.0);
  timeline.scrubTo(0.7);
  QCOMPARE(timeline.position(), 1.0);
}

void TestTimeline::scrubsAndSettles_data() {
  QTest::addColumn<double>("to");
  QTest::addColumn<double>("position");
  QTest::addColumn<double>("settled");
  QTest::newRow("in between") << 1.3 << 1.3 << 1.3;
  QTest::newRow("near the next") << 1.97 << 1.97 << 2.0;
  QTest::newRow("before the start") << -4.0 << 0.0 << 0.0;
  QTest::newRow("behind the end") << 9.0 << 3.0 << 3.0;
}

void TestTimeline::scrubsAndSettles() {
  QFETCH(double, to);
  Timeline timeline(3);
  timeline.play();
  timeline.scrubTo(to);
  QVERIFY(!timeline.playing());
  QTEST(timeline.position(), "position");
  QVERIFY(!timeline.moving());
  timeline.settle();
  secondsToRest(timeline);
  QTEST(timeline.position(), "settled");
}

void TestTimeline::withoutStepsNothingMoves() {
  Timeline timeline(0);
  timeline.play();
  timeline.forward();
  timeline.back();
  QVERIFY(!timeline.moving());
  QCOMPARE(timeline.position(), 0.0);
}

void TestTimeline::stepsOfTheirOwnLengthFollowEachOther() {
  Timeline timeline = Timeline(3).paced({0.5, 4, 1});
  QCOMPARE(timeline.steps(), 3);
  timeline.play();
  timeline.advance(0.5);
  QCOMPARE(timeline.position(), 1.0);
  timeline.advance(1);
  QCOMPARE(timeline.position(), 1.25);
  timeline.advance(4);
  QCOMPARE(timeline.position(), 3.0);
  timeline.advance(1);
  QVERIFY(!timeline.moving());
  timeline.back();
  timeline.advance(0.25);
  QCOMPARE(timeline.position(), 2.75);
  timeline.setSpeed(2);
  QVERIFY(std::abs(secondsToRest(timeline) - 0.375) < 0.02);
  QCOMPARE(timeline.restarted(2).steps(), 2);
}

void TestTimeline::stepsOfTheirOwnLengthMayRest() {
  Timeline timeline = Timeline(2).paced({1, 3}, Timeline::Rests::BetweenSteps);
  timeline.play();
  timeline.advance(1);
  QCOMPARE(timeline.position(), 1.0);
  timeline.advance(Timeline::kRestSeconds);
  QCOMPARE(timeline.position(), 1.0);
  timeline.advance(1.5);
  QCOMPARE(timeline.position(), 1.5);
}

void TestTimeline::restartKeepsSettings() {
  Timeline timeline(3);
  timeline.setSpeed(2);
  timeline.setLoops(true);
  timeline.setAnimated(false);
  timeline.last();
  const Timeline next = timeline.restarted(5);
  QCOMPARE(next.steps(), 5);
  QCOMPARE(next.position(), 0.0);
  QCOMPARE(next.speed(), 2.0);
  QVERIFY(next.loops());
  QVERIFY(!next.animated());
}

QTEST_APPLESS_MAIN(TestTimeline)
#include "tst_timeline.moc"
