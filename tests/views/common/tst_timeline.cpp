// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "views/common/timeline.h"

using p2::views::Timeline;

class TestTimeline : public QObject {
  Q_OBJECT
 private slots:
  void startsBeforeTheFirstStep();
  void stepsAndStopsAtTheEnds();
  void movesThroughAStepInTime();
  void catchesUpWithQuickSteps();
  void playsToTheEnd();
  void playStartsOverAtTheEnd();
  void loops();
  void speedShortensRestsAndSteps();
  void withoutAnimationStepsAreInstant();
  void scrubsAndSettles_data();
  void scrubsAndSettles();
  void withoutStepsNothingMoves();
  void restartKeepsSettings();
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

void TestTimeline::movesThroughAStepInTime() {
  Timeline timeline(2);
  timeline.forward();
  timeline.advance(0.1);
  const double early = timeline.progress();
  QVERIFY(early > 0);
  timeline.advance(0.1);
  QVERIFY(timeline.progress() > early);
  QCOMPARE(timeline.step(), 0);
  const double seconds = 0.2 + secondsToRest(timeline);
  QVERIFY2(seconds >= 0.15 && seconds <= 0.42, qPrintable(QString::number(seconds)));
  QCOMPARE(timeline.position(), 1.0);
}

void TestTimeline::catchesUpWithQuickSteps() {
  Timeline timeline(5);
  for (int i = 0; i < 4; ++i) timeline.forward();
  QVERIFY(secondsToRest(timeline) < 1.2);
  QCOMPARE(timeline.position(), 4.0);
}

void TestTimeline::playsToTheEnd() {
  Timeline timeline(3);
  timeline.play();
  QVERIFY(timeline.playing());
  const double seconds = secondsToRest(timeline);
  QVERIFY(!timeline.playing());
  QCOMPARE(timeline.position(), 3.0);
  QVERIFY2(seconds > 2 && seconds < 6, qPrintable(QString::number(seconds)));
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
    QCOMPARE(timeline.progress(), 0.0);
  }
  QCOMPARE(timeline.position(), 2.0);
}

void TestTimeline::scrubsAndSettles_data() {
  QTest::addColumn<double>("to");
  QTest::addColumn<double>("position");
  QTest::addColumn<double>("settled");
  QTest::newRow("in between") << 1.3 << 1.3 << 1.0;
  QTest::newRow("nearer the next") << 1.7 << 1.7 << 2.0;
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
