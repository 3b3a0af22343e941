// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <QToolButton>

#include "support/warnings.h"
#include "views/common/player.h"
#include "views/common/player_bar.h"
#include "views/common/theme.h"
#include "views/stage/grid_style.h"
#include "views/stage/landed_states.h"
#include "views/stage/motion_painter.h"
#include "views/stage/stage_desk.h"
#include "views/stage/stage_routes.h"
#include "views/stage/stage_view.h"
#include "views/widget_driver.h"

using namespace p2;
using namespace p2::views;

/// A stage driven by a player, frame by frame, and how it is looked at.
class TestStageMotion : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { Theme::apply(Theme::Scheme::Light); }
  void init();
  void tilesMove();
  void everyFrameOfAStepIsAnother();
  void atRestNothingOfTheNextStepIsSeen();
  void stillsWithoutAnimation();
  void theStateBeforeCanBeSeenAgain();
  void sumsInNumbers();
  void theSumIsSeen();
  void sumsStayInTheDrawing();
  void areasAreBytes_data();
  void areasAreBytes();
  void tilesKeepToTheGaps();

 private:
  void show(std::shared_ptr<const Replay> replay, QSize size = {900, 600});
  QImage at(double position);
  QToolButton& button(const char* name) { return test::childOf<QToolButton>(*m_stage, name); }

  std::unique_ptr<Player> m_player;
  std::unique_ptr<PlayerBar> m_bar;
  std::unique_ptr<StageView> m_stage;
  std::shared_ptr<const Replay> m_replay;
};

namespace {

bool differ(const QImage& a, const QImage& b, const QRect& where) { return a.copy(where) != b.copy(where); }

}  // namespace

void TestStageMotion::init() {
  test::failOnWarnings();
  show(test::replayOfEight());
}

void TestStageMotion::show(std::shared_ptr<const Replay> replay, QSize size) {
  m_stage.reset();
  m_bar.reset();
  m_player = std::make_unique<Player>();
  m_bar = std::make_unique<PlayerBar>(*m_player);
  m_player->change([](Timeline& timeline) { timeline.setAnimated(true); });
  m_stage = std::make_unique<StageView>();
  m_replay = std::move(replay);
  m_stage->resize(size);
  m_stage->setReplay(m_replay);
  m_player->change([&](Timeline& timeline) { timeline = timeline.restarted(m_replay->playedSteps()); });
  connect(m_player.get(), &Player::moved, m_stage.get(),
          [this] { m_stage->setMoment(m_player->timeline().step(), m_player->timeline().progress()); });
  m_stage->show();
  m_stage->activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(m_stage.get()));
}

QImage TestStageMotion::at(double position) {
  m_player->change([position](Timeline& timeline) { timeline.scrubTo(position); });
  return m_stage->grab().toImage();
}

// The tile that flies from device 0 to device 1 is somewhere else in every frame of its flight, nearer to its goal, and
// what is painted there changes.
void TestStageMotion::tilesMove() {
  StageLayout layout;
  layout.arrange(m_replay->system, m_replay->members, {884, 540}, kMostShownDevices, 16);
  MotionPainter motion;
  motion.show(*m_replay, StepId(0), layout);
  const auto& flights = m_replay->motions[0].flights;
  const auto tile = std::find_if(flights.begin(), flights.end(),
                                 [](const Flight& flight) { return flight.of == Device(0) && flight.to == Device(1); });
  QVERIFY(tile != flights.end());
  QVERIFY(motion.tileRect(*tile, tile->start - 0.01).isEmpty());
  QVERIFY(motion.tileRect(*tile, tile->end + 0.01).isEmpty());
  const QPointF start = motion.tileRect(*tile, tile->start).center();
  const auto rowsOf = [&](Device device) {
    return layout.rowRect(device, tile->rows.front().from) | layout.rowRect(device, tile->rows.front().to - 1);
  };
  QCOMPARE(start, rowsOf(Device(0)).center());
  QPointF last = start;
  for (double at = tile->start + 0.04; at < tile->end; at += 0.02) {
    const QPointF now = motion.tileRect(*tile, at).center();
    QVERIFY((now - last).manhattanLength() > 0.5);
    last = now;
  }
  const QPointF end = motion.tileRect(*tile, tile->end - 1e-9).center();
  QVERIFY((end - rowsOf(Device(1)).center()).manhattanLength() < 1);
}

void TestStageMotion::everyFrameOfAStepIsAnother() {
  const QRect stage(0, 0, m_stage->width(), int(m_stage->rectOf(Device(3)).bottom()));
  constexpr double kFrame = 0.08 / Timeline::kStepSeconds;
  for (int step = 0; step < 3; ++step) {
    QImage last = at(step);
    int changed = 0;
    int frames = 0;
    const Choreography& motion = m_replay->motions[std::size_t(step)];
    for (double progress = kFrame; progress < motion.dropTo; progress += kFrame, ++frames) {
      const QImage now = at(step + progress);
      changed += differ(last, now, stage);
      last = now;
    }
    // Between sending and merging things may stand still for a moment.
    QVERIFY2(changed >= frames - 3, qPrintable(QString("%1 of %2").arg(changed).arg(frames)));
  }
}

void TestStageMotion::atRestNothingOfTheNextStepIsSeen() {
  const QImage rest = at(1);
  QCOMPARE(at(0.9999).copy(m_stage->rectOf(Device(2)).toAlignedRect()).size(),
           rest.copy(m_stage->rectOf(Device(2)).toAlignedRect()).size());
  // The finished step's outlines stand; those of the next come with its announcement.
  const QImage announced = at(1.1);
  QVERIFY(differ(rest, announced, m_stage->rectOf(Device(2)).toAlignedRect()));
  QCOMPARE(at(1), rest);
}

void TestStageMotion::stillsWithoutAnimation() {
  const QImage before = at(1);
  const QImage after = at(2);
  m_player->change([](Timeline& timeline) { timeline.setAnimated(false); });
  QCOMPARE(at(1.3), before);
  QCOMPARE(at(1.7), after);
}

void TestStageMotion::theStateBeforeCanBeSeenAgain() {
  const QRect device = m_stage->rectOf(Device(3)).toAlignedRect().adjusted(4, 30, -4, -4);
  const QImage start = at(0);
  const QImage after = at(1);
  QTest::keyClick(m_stage.get(), Qt::Key_B);
  QVERIFY(button("beforeButton").isChecked());
  const QImage before = m_stage->grab().toImage();
  QVERIFY(differ(before, after, device));
  QVERIFY(!differ(before, start, device));
  // The next step is played, not the one before it.
  at(1.5);
  QVERIFY(!button("beforeButton").isChecked());
}

void TestStageMotion::sumsInNumbers() {
  const QImage bits = at(1);
  QTest::mouseClick(&button("numbersButton"), Qt::LeftButton);
  const QImage numbers = m_stage->grab().toImage();
  QVERIFY(differ(bits, numbers, m_stage->rectOf(Device(0), 0).toAlignedRect()));
  QTest::keyClick(m_stage.get(), Qt::Key_N);
  QCOMPARE(m_stage->grab().toImage().copy(m_stage->rectOf(Device(0), 0).toAlignedRect()),
           bits.copy(m_stage->rectOf(Device(0), 0).toAlignedRect()));
  show(test::replayOn("node:64 gpu:16", "data=1024", "[[64,16]]", "root:InsideGroup:AllReduce"));
  QVERIFY(!button("numbersButton").isEnabled());
}

// Frame by frame, every 80 ms of the first play: what has landed is there, column by column, and the sum is written.
void TestStageMotion::theSumIsSeen() {
  const LandedStates states(*m_replay, StepId(0));
  StageLayout layout;
  layout.arrange(m_replay->system, m_replay->members, {884, 540}, kMostShownDevices, 16);
  MotionPainter motion;
  motion.show(*m_replay, StepId(0), layout);
  const Choreography& step = m_replay->motions[0];
  const double frame = 0.08 / (paceOf(*m_replay)[0] * Timeline::kFirstPlay);
  QStringList sums;
  int columns = 0;
  for (double progress = frame; progress < step.mergeFrom; progress += frame) {
    const QImage shown = at(progress);
    for (const Device device : step.groups.front()) {
      const DeviceState now = states.stateOf(device, states.landedBy(device, progress));
      const QRectF row = m_stage->rectOf(device, 0);
      for (int column = 0; column < 8; ++column) {
        const QPointF centre(row.left() + (column + 0.5) * row.width() / 8, row.center().y());
        const bool covered = std::any_of(step.flights.begin(), step.flights.end(), [&](const Flight& flight) {
          return progress >= flight.start && progress < flight.end;
        });
        if (covered) continue;
        const bool held = shown.pixelColor(centre.toPoint()) == memberColor(column, 8);
        QCOMPARE(held, now.test(0, column));
        columns += held;
      }
    }
    for (const Flight& flight : step.flights) {
      const QString text = motion.additionText(flight, progress);
      if (!text.isEmpty() && !sums.contains(text)) sums << text;
    }
  }
  QVERIFY(columns > 8);
  // Device 1's 2 meets 3, then 4, then 1.
  for (const char* sum : {"3 + 2 → 5", "4 + 5 → 9", "1 + 9 → 10"}) {
    QVERIFY2(sums.contains(QString(sum)), qPrintable(sums.join("; ")));
  }
}

// At the left and right edges of a small stage a long sum would reach beyond it.
void TestStageMotion::sumsStayInTheDrawing() {
  StageLayout layout;
  layout.arrange(m_replay->system, m_replay->members, {309, 240}, kMostShownDevices, 16);
  MotionPainter motion;
  motion.show(*m_replay, StepId(0), layout);
  const QRectF bounds = layout.map().bounds;
  const QFont font = m_stage->font();
  for (const QPointF at : {bounds.topLeft(), bounds.center(), bounds.bottomRight()}) {
    const QRectF plate = motion.plateRect(font, at, "136 + 392 → 528");
    QVERIFY(plate.left() >= bounds.left() && plate.right() <= bounds.right());
    QVERIFY(plate.width() >= QFontMetricsF(font).horizontalAdvance("136 + 392 → 528"));
  }
  QCOMPARE(motion.plateRect(font, bounds.center(), "3 + 5").center(), bounds.center());
}

void TestStageMotion::areasAreBytes_data() {
  QTest::addColumn<QString>("system");
  QTest::addColumn<QString>("axes");
  QTest::addColumn<QString>("matrix");
  QTest::newRow("8") << "node:2 gpu:4"
                     << "data=8"
                     << "[[2,4]]";
  QTest::newRow("32") << "node:4 gpu:8"
                      << "data=32"
                      << "[[4,8]]";
  QTest::newRow("64") << "node:4 gpu:16"
                      << "data=64"
                      << "[[4,16]]";
}

// Every 80 ms, whatever is in the air has the area of its bytes, in chunks of a device's matrix.
void TestStageMotion::areasAreBytes() {
  QFETCH(QString, system);
  QFETCH(QString, axes);
  QFETCH(QString, matrix);
  const auto replay =
      test::replayOn(system.toStdString(), axes.toStdString(), matrix.toStdString(), test::kScatteredProgram);
  StageLayout layout;
  layout.arrange(replay->system, replay->members, {1084, 640}, kMostShownDevices, 16);
  const double chunk = layout.rowHeight() * layout.columnWidth() * double(replay->members);
  for (int step = 0; step < replay->playedSteps(); ++step) {
    MotionPainter motion;
    motion.show(*replay, StepId(step), layout);
    int seen = 0;
    const Choreography& moves = replay->motions[std::size_t(step)];
    const double frame = 0.08 / (paceOf(*replay)[std::size_t(step)] * Timeline::kFirstPlay);
    for (double progress = frame; progress < 1; progress += frame) {
      for (const Flight& flight : moves.flights) {
        if (progress < flight.start || progress >= flight.end) continue;
        const QSizeF tile = motion.tileRect(flight, progress).size();
        QVERIFY(std::abs(tile.width() * tile.height() / (flight.chunks * chunk) - 1) <= 0.05);
        ++seen;
      }
    }
    QVERIFY(seen > 0);
    for (const Flight& ribbon : moves.ribbons) {
      const QSizeF size = motion.ribbonSize(ribbon);
      QVERIFY(std::abs(size.width() * size.height() / (ribbon.chunks * chunk) - 1) <= 0.05);
    }
  }
}

// Lines run between cells and in the strips above them, never across a device that neither sends nor receives.
void TestStageMotion::tilesKeepToTheGaps() {
  for (const char* system : {"node:2 gpu:4", "node:4 gpu:16", "rack:2 node:2 gpu:4"}) {
    const System parsed = test::valueOf(parseSystem(system));
    StageLayout layout;
    layout.arrange(parsed, parsed.deviceCount(), {1084, 640}, kMostShownDevices, 16);
    const Topology topology(test::validFrom(system));
    const StageRoutes routes(topology);
    const StagePlaces places(parsed, layout.map());
    const auto& cells = layout.map().cells;
    for (std::int64_t to = 1; to < parsed.deviceCount(); ++to) {
      const std::vector<QPointF> way = places.wayThrough(routes.between(Device(0), Device(to)));
      for (double share = 0; share <= 1; share += 0.002) {
        const QPointF at = pointAlong(way, share);
        for (const DeviceMap::Cell& cell : cells) {
          QVERIFY(!cell.rect.adjusted(0.5, 0.5, -0.5, -0.5).contains(at));
        }
      }
    }
  }
}

QTEST_MAIN(TestStageMotion)
#include "tst_stage_motion.moc"
