// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>

#include "views/stage/choreographer.h"
#include "views/stage/stage_desk.h"
#include "views/stage/stage_moment.h"

using namespace p2;
using namespace p2::views;

/// Steps as movement: who flies where and when, without a widget.
class TestChoreography : public QObject {
  Q_OBJECT
 private slots:
  void phasesFollowEachOther();
  void sumsMeetAndCopiesReturn();
  void anAllReduceMayBeShownTwoFold();
  void blocksFlyToTheirMembers();
  void gatheringCopies();
  void reduceFliesToTheRoot();
  void broadcastFliesFromTheRoot();
  void tilesFollowTheRoute_data();
  void tilesFollowTheRoute();
  void railsAreFollowed();
  void doubledPartsCollide();
  void aRowWithoutPartnerIsNotHeld();
  void manyTilesAreBundled();
  void flightsStartAndEndInTime();
  void restIsTheFinishedStep();
};

namespace {

Choreography motionOf(const Replay& replay, int step, AllReduceStyle style = AllReduceStyle::Sum) {
  return choreographed(replay, StepId(step), style);
}

std::vector<Flight> flightsOf(const Choreography& motion, Flight::End end) {
  std::vector<Flight> flights;
  for (const Flight& flight : motion.flights) {
    if (flight.ends == end) flights.push_back(flight);
  }
  return flights;
}

Place deviceAt(const Replay& replay, Device device) {
  return {Place::Kind::Level, replay.system.levels.size() - 1, device.value()};
}

}  // namespace

void TestChoreography::phasesFollowEachOther() {
  const auto replay = test::replayOfEight();
  for (int step = 0; step < replay->playedSteps(); ++step) {
    const Choreography& motion = replay->motions[std::size_t(step)];
    StepPhase last = StepPhase::Announce;
    std::set<StepPhase> seen;
    for (double at = 0; at <= 1; at += 0.005) {
      QVERIFY(motion.phaseAt(at) >= last);
      last = motion.phaseAt(at);
      seen.insert(last);
    }
    QCOMPARE(seen.size(), std::size_t(5));
    QCOMPARE(motion.announcement(0), 0.0);
    QCOMPARE(motion.merged(motion.mergeFrom), 0.0);
    QCOMPARE(motion.merged(1), 1.0);
    QCOMPARE(motion.dropped(1), 1.0);
  }
}

// Node 0's first device and node 1's: the sum stands in the network between them.
void TestChoreography::sumsMeetAndCopiesReturn() {
  const auto replay = test::replayOfEight();
  const Choreography motion = motionOf(*replay, 1);
  const auto parts = flightsOf(motion, Flight::End::Meets);
  const auto copies = flightsOf(motion, Flight::End::Lands);
  QCOMPARE(parts.size(), std::size_t(8));
  QCOMPARE(copies.size(), std::size_t(8));
  const Place network{Place::Kind::Interconnect, 0, 0};
  QCOMPARE(motion.sums.size(), std::size_t(4));
  for (const Place& sum : motion.sums) QVERIFY(sum == network);
  for (const Flight& part : parts) {
    QVERIFY(motion.paths[part.path].front() == deviceAt(*replay, part.of));
    QVERIFY(motion.paths[part.path].back() == network);
    QCOMPARE(part.rows, replay->trace.chunksOf(part.of, 1));
    for (const Flight& copy : copies) QVERIFY(part.end <= copy.start + 1e-9);
  }
  for (const Flight& copy : copies) {
    QVERIFY(copy.summed);
    QVERIFY(motion.paths[copy.path].front() == network);
    QVERIFY(motion.paths[copy.path].back() == deviceAt(*replay, copy.to));
    QVERIFY(copy.end <= motion.mergeTo);
  }
}

void TestChoreography::anAllReduceMayBeShownTwoFold() {
  const auto replay = test::replayOfEight("node:InsideGroup:AllReduce");
  const Choreography motion = motionOf(*replay, 0, AllReduceStyle::TwoFold);
  QVERIFY(motion.sums.empty());
  QCOMPARE(motion.flights.size(), std::size_t(2 * 2 * 4 * 3));
  std::int64_t chunks = 0;
  for (const Flight& flight : motion.flights) {
    QCOMPARE(countOf(flight.rows), 2);
    if (flight.of == Device(0) && !flight.summed) chunks += countOf(flight.rows);
  }
  // All but its own quarter leave a device.
  QCOMPARE(chunks, 6);
}

void TestChoreography::blocksFlyToTheirMembers() {
  const auto replay = test::replayOfEight();
  const Choreography motion = motionOf(*replay, 0);
  QCOMPARE(motion.flights.size(), std::size_t(2 * 4 * 3));
  for (const Flight& flight : motion.flights) {
    QCOMPARE(flight.rows, replay->trace.chunksOf(flight.to, 1));
    QCOMPARE(flight.of.value() / 4, flight.to.value() / 4);
    QVERIFY(flight.of != flight.to);
  }
}

void TestChoreography::gatheringCopies() {
  const auto replay = test::replayOfEight();
  const Choreography motion = motionOf(*replay, 2);
  QCOMPARE(motion.flights.size(), std::size_t(2 * 4 * 3));
  for (const Flight& flight : motion.flights) QCOMPARE(flight.rows, replay->trace.chunksOf(flight.of, 2));
}

void TestChoreography::reduceFliesToTheRoot() {
  const auto replay = test::replayOfEight("node:InsideGroup:Reduce");
  const Choreography motion = motionOf(*replay, 0);
  QCOMPARE(motion.flights.size(), std::size_t(6));
  for (const Flight& flight : motion.flights) {
    QCOMPARE(flight.to, Device(flight.of.value() / 4 * 4));
    QCOMPARE(flight.rows, (ChunkSet{{0, 8}}));
  }
}

void TestChoreography::broadcastFliesFromTheRoot() {
  const auto replay = test::replayOfEight("node:InsideGroup:Reduce; node:InsideGroup:Broadcast");
  const Choreography motion = motionOf(*replay, 1);
  QCOMPARE(motion.flights.size(), std::size_t(6));
  for (const Flight& flight : motion.flights) QCOMPARE(flight.of, Device(flight.to.value() / 4 * 4));
}

void TestChoreography::tilesFollowTheRoute_data() {
  QTest::addColumn<QString>("system");
  QTest::newRow("switches") << QStringLiteral("node:2 gpu:4");
  QTest::newRow("ring inside") << QStringLiteral("node:2 gpu:4@100GB/s,2us,ring");
}

// Consecutive places of a path are the ends of the links that the topology's route consists of.
void TestChoreography::tilesFollowTheRoute() {
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

void TestChoreography::railsAreFollowed() {
  Workspace workspace = test::workspaceOf("node:2 gpu:4", "data=8", "data", "[[2,4]]");
  Network rails;
  rails.interconnect = defaultInterconnect("node", false);
  rails.interconnect.name = "rail";
  rails.instances = 4;
  rails.deal = Network::Assignment::InTurn;
  rails.members = {{.of = "gpu"}};
  // Of several ways the widest is taken.
  rails.interconnect.bandwidth = 10 * workspace.system.levels[0].interconnect.bandwidth;
  workspace.system.networks = {rails};
  const auto exploration = test::valueOf(exploreWorkspace(workspace, {}, true));
  const Program program =
      test::valueOf(parseProgram(*exploration->placements[0].hierarchy, "node:Parallel(root):AllReduce"));
  const auto replay = test::valueOf(makeReplay(*exploration, 0, program));
  const Choreography motion = motionOf(*replay, 0);
  std::set<Place> meetings(motion.sums.begin(), motion.sums.end());
  QCOMPARE(meetings.size(), std::size_t(4));
  for (const Place& meeting : meetings) QVERIFY(meeting.kind == Place::Kind::Network);
}

void TestChoreography::doubledPartsCollide() {
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

void TestChoreography::aRowWithoutPartnerIsNotHeld() {
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

void TestChoreography::manyTilesAreBundled() {
  const auto replay = test::replayOn("node:64 gpu:16", "data=1024", "[[64,16]]",
                                     "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce");
  for (int step = 0; step < replay->playedSteps(); ++step) {
    const Choreography motion = motionOf(*replay, step);
    QVERIFY(!motion.flights.empty());
    QVERIFY2(motion.flights.size() <= 2 * 1024, qPrintable(QString::number(motion.flights.size())));
  }
  const Choreography across = motionOf(*replay, 1);
  // One from and one to every node.
  QCOMPARE(across.ribbons.size(), std::size_t(2 * 64));
  std::int64_t tiles = 0;
  for (const Flight& ribbon : across.ribbons) tiles += ribbon.tiles;
  QCOMPARE(tiles, 2 * 1024);
}

void TestChoreography::flightsStartAndEndInTime() {
  for (const char* program : {"node:InsideGroup:AllReduce", "node:InsideGroup:ReduceScatter", "node:InsideGroup:Reduce",
                              "root:InsideGroup:AllReduce", "node:InsideGroup:AllReduce; root:InsideGroup:AllReduce"}) {
    const auto replay = test::replayOfEight(program);
    for (const Choreography& motion : replay->motions) {
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

void TestChoreography::restIsTheFinishedStep() {
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

QTEST_APPLESS_MAIN(TestChoreography)
#include "tst_choreography.moc"
