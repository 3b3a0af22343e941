// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <set>

#include "tests/views/stage/choreography_parts.h"
#include "views/stage/choreographer.h"
#include "views/stage/landed_states.h"
#include "views/stage/stage_desk.h"
#include "views/stage/stage_moment.h"

using namespace p2;
using namespace p2::views;

/// Steps as movement: who flies where and when, without a widget.
class TestStepFlights : public QObject {
  Q_OBJECT
 private slots:
  void tilesFollowTheRoute_data();
  void tilesFollowTheRoute();
  void railsAreFollowed();
  void doubledPartsCollide();
  void aRowWithoutPartnerIsNotHeld();
  void manyTilesAreBundled();
  void flightsStartAndEndInTime();
  void restIsTheFinishedStep();
};

void TestStepFlights::tilesFollowTheRoute_data() {
  QTest::addColumn<QString>("system");
  QTest::newRow("switches") << QStringLiteral("node:2 gpu:4");
  QTest::newRow("ring inside") << QStringLiteral("node:2 gpu:4@100GB/s,2us,ring");
}

// Consecutive places of a path are the ends of the links that the topology's route consists of.
void TestStepFlights::tilesFollowTheRoute() {
  QFETCH(QString, system);
  const auto replay = test::replayOn(system.toStdString(), "data=8", "[[2,4]]", "root:InsideGroup:ReduceScatter");
  const Choreography motion = motionOf(*replay, 0);
  QCOMPARE(motion.flights.size(), std::size_t(8 * 7));
  for (const Flight& flight : motion.flights) {
    std::vector<LinkId> links;
    replay->topology->route(flight.of, flight.to, links);
    std::vector<Place> expected{deviceAt(*replay, flight.of)};
    for (const LinkId link : links) {
      const auto ends = replay->topology->ends(link);
      for (const Place& place : {ends.from, ends.to}) {
        if (place != expected.back()) expected.push_back(place);
      }
    }
    if (expected.back() != deviceAt(*replay, flight.to)) expected.push_back(deviceAt(*replay, flight.to));
    QVERIFY(motion.paths[flight.path] == expected);
  }
}

void TestStepFlights::railsAreFollowed() {
  Workspace workspace = test::workspaceOf("node:2 gpu:4", "data=8", "data", "[[2,4]]");
  Network rails;
  rails.interconnect = defaultInterconnect("node", false);
  rails.interconnect.name = "rail";
  rails.instances = 4;
  rails.assignment = Network::Assignment::InTurn;
  rails.members = {{.of = "gpu"}};
  // Of several ways the widest is taken.
  rails.interconnect.bandwidth = 10 * workspace.system.levels[0].interconnect.bandwidth;
  workspace.system.networks = {rails};
  const auto exploration = test::valueOf(exploreWorkspace(workspace, {}, true));
  const Program program =
      test::valueOf(parseProgram(*exploration->placements[0].hierarchy, "node:Parallel(root):AllReduce"));
  const auto replay = test::valueOf(makeReplay(*exploration, 0, program));
  const Choreography motion = motionOf(*replay, 0);
  std::set<Place> rail;
  for (const std::vector<Place>& path : motion.paths) {
    for (const Place& place : path) {
      if (place.kind == Place::Kind::Network) rail.insert(place);
    }
  }
  QCOMPARE(rail.size(), std::size_t(4));
}

void TestStepFlights::doubledPartsCollide() {
  const auto replay = test::replayOfEight("node:InsideGroup:AllReduce; root:InsideGroup:AllReduce");
  QCOMPARE(replay->validSteps(), 1);
  QCOMPARE(replay->playedSteps(), 2);
  const Choreography& motion = replay->motions[1];
  QVERIFY(motion.failsAt);
  const auto colliding = flightsOf(motion, Flight::End::Collides);
  QCOMPARE(colliding.size(), std::size_t(2));
  for (const Flight& flight : colliding) {
    QVERIFY(flight.of == replay->failure->members[0] || flight.of == replay->failure->members[1]);
    QCOMPARE(flight.rows.front().from, std::int64_t(replay->failure->rows[0]));
    QVERIFY(flight.end <= *motion.failsAt + 1e-9);
  }
  QVERIFY(motion.paths[colliding[0].path].back() == motion.paths[colliding[1].path].back());
}

void TestStepFlights::aRowWithoutPartnerIsNotHeld() {
  const auto replay = test::replayOfEight("node:InsideGroup:ReduceScatter; root:InsideGroup:AllReduce");
  QCOMPARE(replay->validSteps(), 1);
  QVERIFY(replay->failure->premise == Premise::RowsEqual);
  const auto lost = flightsOf(replay->motions[1], Flight::End::FindsNoRow);
  QCOMPARE(lost.size(), std::size_t(1));
  const ChunkSet held = replay->trace.chunksOf(lost[0].of, 1);
  const ChunkSet missing = replay->trace.chunksOf(lost[0].to, 1);
  QCOMPARE(commonOf(held, lost[0].rows), lost[0].rows);
  QCOMPARE(commonOf(missing, lost[0].rows), ChunkSet{});
}

void TestStepFlights::manyTilesAreBundled() {
  const auto replay = test::replayOn("node:64 gpu:16", "data=1024", "[[64,16]]",
                                     "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce");
  for (int step = 0; step < replay->playedSteps(); ++step) {
    const Choreography motion = motionOf(*replay, step);
    QVERIFY(!motion.flights.empty());
    QVERIFY2(motion.flights.size() <= kMostShownMessages + 1024, qPrintable(QString::number(motion.flights.size())));
  }
  const Choreography across = motionOf(*replay, 1);
  // From every node to the next.
  QCOMPARE(across.ribbons.size(), std::size_t(64));
  std::int64_t tiles = 0;
  double chunks = 0;
  for (const Flight& ribbon : across.ribbons) {
    tiles += ribbon.tiles;
    chunks += ribbon.chunks;
  }
  QCOMPARE(tiles, 2 * 63 * 1024);
  QVERIFY(std::abs(chunks - 1024 * 64 * 2 * 63 / 64.0) < 1e-6 * chunks);
}

void TestStepFlights::flightsStartAndEndInTime() {
  for (const char* program : {"node:InsideGroup:AllReduce", "node:InsideGroup:ReduceScatter", "node:InsideGroup:Reduce",
                              "root:InsideGroup:AllReduce", "node:InsideGroup:AllReduce; root:InsideGroup:AllReduce"}) {
    const auto replay = test::replayOfEight(program);
    for (const Choreography& motion : replay->motions) {
      const auto byEnd = [](const Flight& a, const Flight& b) { return a.end < b.end; };
      QVERIFY(std::is_sorted(motion.flights.begin(), motion.flights.end(), byEnd));
      for (const Flight& flight : motion.flights) {
        QVERIFY(flight.start >= motion.announced - 1e-9);
        QVERIFY(flight.end > flight.start);
        QVERIFY(flight.end <= (motion.failsAt ? *motion.failsAt : motion.mergeTo) + 1e-9);
        QCOMPARE(placeOf(flight, flight.start), 0.0);
        QCOMPARE(placeOf(flight, flight.end), 1.0);
        QVERIFY(placeOf(flight, (flight.start + flight.end) / 2) > 0.49);
      }
    }
  }
}

void TestStepFlights::restIsTheFinishedStep() {
  const auto replay = test::replayOfEight();
  QVERIFY(StageMoment::of(*replay, 0, 0).step.isNone());
  const StageMoment rest = StageMoment::of(*replay, 2, 0);
  QCOMPARE(rest.step, StepId(1));
  QCOMPARE(rest.before, 1);
  QCOMPARE(rest.after, 2);
  QCOMPARE(rest.progress, 1.0);
  QCOMPARE(StageMoment::of(*replay, 2, 0, true).progress, 0.0);
  QCOMPARE(StageMoment::of(*replay, 2, 0.4).step, StepId(2));
  QCOMPARE(StageMoment::of(*replay, 3, 0).step, StepId(2));
  const auto wrong = test::replayOfEight("node:InsideGroup:ReduceScatter; root:InsideGroup:AllReduce");
  QVERIFY(StageMoment::of(*wrong, 1, 0.5).fails);
  QVERIFY(StageMoment::of(*wrong, 2, 0).fails);
  QCOMPARE(StageMoment::of(*wrong, 2, 0).after, 1);
}

QTEST_APPLESS_MAIN(TestStepFlights)
#include "tst_step_flights.moc"
