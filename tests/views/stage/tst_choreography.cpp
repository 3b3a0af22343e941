// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "tests/views/stage/choreography_parts.h"
#include "views/stage/choreographer.h"
#include "views/stage/landed_states.h"
#include "views/stage/stage_desk.h"
#include "views/stage/stage_moment.h"

using namespace p2;
using namespace p2::views;

/// Steps as movement: who flies where and when, without a widget.
class TestChoreography : public QObject {
  Q_OBJECT
 private slots:
  void phasesFollowEachOther();
  void switchesAddUpAndSendCopies();
  void aRingSendsBlockByBlock();
  void largeRingsLeadToo_data();
  void largeRingsLeadToo();
  void reduceGoesAlongTheChain();
  void broadcastGoesAlongTheChain();
  void oneReceiverComesFirst();
  void aTreeShowsItsSums();
  void landingsEndInTheResult();
  void whatMovesIsWhatIsCounted_data();
  void whatMovesIsWhatIsCounted();
};

void TestChoreography::phasesFollowEachOther() {
  const auto replay = test::replayOfEight();
  for (int step = 0; step < replay->playedSteps(); ++step) {
    const Choreography& motion = replay->motions[std::size_t(step)];
    QVERIFY(0 < motion.announced && motion.announced < motion.mergeFrom);
    QVERIFY(motion.mergeFrom < motion.mergeTo && motion.mergeTo < motion.dropTo && motion.dropTo < 1);
    QCOMPARE(motion.announcement(0), 0.0);
    QCOMPARE(motion.merged(motion.mergeFrom), 0.0);
    QCOMPARE(motion.merged(1), 1.0);
    QCOMPARE(motion.dropped(1), 1.0);
  }
}

// Under NCCL's model a node of H100 sums up in NVSwitch.
void TestChoreography::switchesAddUpAndSendCopies() {
  Workspace workspace = test::workspaceOf("dgx-h100:1", "data=8", "data");
  workspace.options.cost.model = "nccl";
  workspace.options.cost.algorithm = Algorithm::Nvls;
  const auto replay = test::replayOf(workspace, "root:InsideGroup:AllReduce");
  QCOMPARE(replay->facts[0].cost->algorithm, Algorithm::Nvls);
  const Choreography motion = motionOf(*replay, 0);
  const auto parts = flightsOf(motion, Flight::End::Meets);
  const auto copies = flightsOf(motion, Flight::End::Lands);
  QCOMPARE(parts.size(), std::size_t(8));
  QCOMPARE(copies.size(), std::size_t(8));
  QCOMPARE(motion.sums.size(), std::size_t(1));
  for (const Flight& part : parts) {
    QVERIFY(motion.paths[part.path].front() == deviceAt(*replay, part.of));
    QVERIFY(motion.paths[part.path].back() == motion.sums[0]);
    QCOMPARE(part.rows, replay->trace.chunksOf(part.of, 0));
    for (const Flight& copy : copies) QVERIFY(part.end <= copy.start + 1e-9);
  }
  for (const Flight& copy : copies) {
    QVERIFY(motion.paths[copy.path].front() == motion.sums[0]);
    QVERIFY(motion.paths[copy.path].back() == deviceAt(*replay, copy.to));
    QVERIFY(copy.end <= motion.mergeTo);
  }
  QVERIFY2(motion.manner.starts_with("in the switch"), motion.manner.c_str());
}

// Each of four devices sends a block to the next in three rounds, and once summed in three more.
void TestChoreography::aRingSendsBlockByBlock() {
  const auto replay = test::replayOfEight("node:InsideGroup:AllReduce");
  const Choreography motion = motionOf(*replay, 0);
  QVERIFY(motion.sums.empty());
  QVERIFY(!motion.simplified);
  QCOMPARE(motion.flights.size(), std::size_t(2 * 2 * 4 * 3));
  double chunks = 0;
  for (const Flight& flight : motion.flights) {
    const std::int64_t next = flight.of.value() / 4 * 4 + (flight.of.value() + 1) % 4;
    QCOMPARE(flight.to, Device(next));
    QCOMPARE(countOf(flight.rows), 2);
    QCOMPARE(flight.chunks, 2.0);
    if (flight.of == Device(0)) chunks += flight.chunks;
  }
  QCOMPARE(chunks, 2 * 8 * 3 / 4.0);
}

// One block goes round first, message by message, also where the ring has so many messages that the others are drawn
// several as one. 64 devices are not so many.
void TestChoreography::largeRingsLeadToo_data() {
  QTest::addColumn<QString>("system");
  QTest::addColumn<int>("devices");
  QTest::addColumn<bool>("simplified");
  QTest::addColumn<QString>("program");
  QTest::newRow("64") << "node:4 gpu:16" << 64 << false << "root:InsideGroup:AllReduce";
  QTest::newRow("64, gathered") << "node:4 gpu:16" << 64 << false
                                << "root:InsideGroup:ReduceScatter; root:InsideGroup:AllGather";
  QTest::newRow("128") << "node:16 gpu:8" << 128 << true << "root:InsideGroup:AllReduce";
}

void TestChoreography::largeRingsLeadToo() {
  QFETCH(const QString, system);
  QFETCH(const int, devices);
  QFETCH(const bool, simplified);
  QFETCH(const QString, program);
  const auto replay =
      test::replayOn(system.toStdString(), ("data=" + QString::number(devices)).toStdString(),
                     QString("[[%1,%2]]").arg(devices == 64 ? 4 : 16).arg(devices == 64 ? 16 : 8).toStdString(),
                     program.toStdString());
  for (int step = 0; step < replay->validSteps(); ++step) {
    const Choreography motion = motionOf(*replay, step);
    QCOMPARE(motion.simplified, simplified);
    const bool reduces = replay->program[std::size_t(step)].collective == Collective::AllReduce;
    const int rounds = (reduces ? 2 : 1) * (devices - 1);
    std::int64_t tiles = 0;
    double chunks = 0;
    std::vector<Flight> leaders;
    for (const Flight& flight : motion.flights) {
      tiles += flight.tiles;
      chunks += flight.chunks;
      if (flight.leads) leaders.push_back(flight);
      QVERIFY(flight.leads || flight.start >= motion.leadTo - 1e-9);
    }
    QCOMPARE(tiles, std::int64_t(devices) * rounds);
    QVERIFY(std::abs(chunks / (double(devices) * rounds) - 1) < 1e-9);
    QCOMPARE(leaders.size(), std::size_t(devices) - 1);
    for (std::size_t i = 1; i < leaders.size(); ++i) {
      QCOMPARE(leaders[i - 1].to, leaders[i].of);
      QVERIFY(leaders[i - 1].end <= leaders[i].start);
      QVERIFY(leaders[i].tiles == 1 && std::abs(leaders[i].chunks - 1) < 1e-9);
    }
    // All has landed by the end.
    const LandedStates states(*replay, StepId(step));
    for (std::int64_t device = 0; device < devices; ++device) {
      const DeviceState last = states.stateOf(Device(device), states.landedBy(Device(device), 1));
      QVERIFY(replay->stateOf(Device(device), step + 1).subsetOf(last));
    }
  }
}

void TestChoreography::reduceGoesAlongTheChain() {
  const auto replay = test::replayOfEight("node:InsideGroup:Reduce");
  const Choreography motion = motionOf(*replay, 0);
  QCOMPARE(motion.flights.size(), std::size_t(2 * 2 * 3));
  double atRoot = 0;
  for (const Flight& flight : motion.flights) {
    QVERIFY(flight.adds);
    QCOMPARE(flight.chunks, 4.0);
    if (flight.to == Device(0)) atRoot += flight.chunks;
  }
  QCOMPARE(atRoot, 8.0);
}

void TestChoreography::broadcastGoesAlongTheChain() {
  const auto replay = test::replayOfEight("node:InsideGroup:Reduce; node:InsideGroup:Broadcast");
  const Choreography motion = motionOf(*replay, 1);
  QCOMPARE(motion.flights.size(), std::size_t(2 * 2 * 3));
  for (const Flight& flight : motion.flights) QVERIFY(!flight.adds && flight.to.value() % 4 != 0);
}

// Of the first group, and one after the other; everything else comes later.
void TestChoreography::oneReceiverComesFirst() {
  for (const char* program : {"node:InsideGroup:AllReduce", "node:InsideGroup:ReduceScatter", "node:InsideGroup:Reduce",
                              "root:InsideGroup:AllReduce"}) {
    const auto replay = test::replayOfEight(program);
    const Choreography motion = motionOf(*replay, 0);
    std::vector<Flight> leaders;
    for (const Flight& flight : motion.flights) {
      if (flight.leads) leaders.push_back(flight);
    }
    QVERIFY(leaders.size() >= 3);
    for (std::size_t i = 0; i < leaders.size(); ++i) {
      QCOMPARE(leaders[i].group, std::size_t(0));
      QVERIFY(leaders[i].end <= motion.leadTo + 1e-9);
      if (i > 0) QVERIFY(leaders[i - 1].end <= leaders[i].start);
      if (i > 0) QCOMPARE(leaders[i - 1].to, leaders[i].of);
    }
    for (const Flight& flight : motion.flights) QVERIFY(flight.leads || flight.start >= motion.leadTo - 1e-9);
  }
}

// A tree's first node sums up along its chain before anything else moves, and every sum is written.
void TestChoreography::aTreeShowsItsSums() {
  Workspace workspace = test::workspaceOf("node:4 gpu:4", "data=16", "data", "[[4,4]]");
  workspace.options.cost.algorithm = Algorithm::Tree;
  const auto replay = test::replayOf(workspace, "root:InsideGroup:AllReduce");
  const Choreography motion = motionOf(*replay, 0);
  QVERIFY2(motion.manner.starts_with("tree"), motion.manner.c_str());
  QStringList sums;
  for (const Flight& flight : motion.flights) {
    if (flight.leads) QVERIFY(flight.end <= motion.leadTo + 1e-9 && flight.to.value() < 4);
    if (const auto sum = additionOf(replay->trace, StepId(0), motion.groups[flight.group], flight))
      sums << QString("%1 + %2").arg(sum->held).arg(sum->brought);
  }
  // Device d starts with d + 1, and the chain ends at device 0.
  QCOMPARE(sums, (QStringList{"3 + 4", "2 + 7", "1 + 9"}));
  // The receivers of the last messages up hold everything, and all others after the way back.
  const LandedStates states(*replay, StepId(0));
  for (std::int64_t device = 0; device < 16; ++device) {
    QCOMPARE(states.stateOf(Device(device), states.landedBy(Device(device), 1)), replay->stateOf(Device(device), 1));
  }
}

// Message by message every device comes to hold what the rule of the collective gives it, and never loses a part.
void TestChoreography::landingsEndInTheResult() {
  for (const std::string& program :
       {test::kScatteredProgram, std::string("root:InsideGroup:AllReduce"),
        std::string("node:InsideGroup:Reduce; node:Master(root):AllReduce; node:InsideGroup:Broadcast"),
        std::string("root:InsideGroup:ReduceScatter; root:InsideGroup:AllGather")}) {
    const auto replay = test::replayOfEight(program);
    QCOMPARE(replay->validSteps(), int(replay->program.size()));
    for (int step = 0; step < replay->validSteps(); ++step) {
      const LandedStates states(*replay, StepId(step));
      QVERIFY2(states.any(), program.c_str());
      for (std::int64_t device = 0; device < 8; ++device) {
        DeviceState last = replay->stateOf(Device(device), step);
        const std::size_t all = states.landedBy(Device(device), 1);
        for (std::size_t landed = 1; landed <= all; ++landed) {
          const DeviceState now = states.stateOf(Device(device), landed);
          QVERIFY(last.subsetOf(now));
          last = now;
        }
        // Everything that it ends with has landed; the rest of what it held goes.
        QVERIFY(replay->stateOf(Device(device), step + 1).subsetOf(last));
      }
    }
  }
}

void TestChoreography::whatMovesIsWhatIsCounted_data() {
  QTest::addColumn<QString>("system");
  QTest::addColumn<QString>("model");
  QTest::addColumn<int>("algorithm");
  for (const char* system : {"node:2 gpu:4", "node:4 gpu:2", "rack:2 node:2 gpu:4", "node:3@12GB/s gpu:6", "gpu:8"}) {
    for (const Algorithm algorithm : {Algorithm::Ring, Algorithm::Tree}) {
      QTest::addRow("%s paper %d", system, int(algorithm)) << QString(system) << QString("paper") << int(algorithm);
    }
  }
  for (const char* system : {"dgx-h100:1", "dgx-h100:2", "dgx-a100:2", "dgx-b200:1"}) {
    for (const Algorithm algorithm : {Algorithm::Auto, Algorithm::Ring, Algorithm::Tree, Algorithm::Nvls}) {
      QTest::addRow("%s nccl %d", system, int(algorithm)) << QString(system) << QString("nccl") << int(algorithm);
    }
  }
}

// On every placement of random axes, for the fastest programs: the tiles that go over the busiest link of a step carry
// the bytes that its price counts there.
void TestChoreography::whatMovesIsWhatIsCounted() {
  QFETCH(QString, system);
  QFETCH(QString, model);
  QFETCH(int, algorithm);
  Workspace workspace = test::workspaceOf(system.toStdString(), "data=1", "data");
  const std::int64_t devices = workspace.system.deviceCount();
  int compared = 0;
  for (std::int64_t data = 2; data <= devices; ++data) {
    if (devices % data != 0) continue;
    workspace.axes = {{"data", data, true}, {"model", devices / data, false}};
    workspace.options.cost.model = model.toStdString();
    workspace.options.cost.algorithm = Algorithm(algorithm);
    ExploreScope scope;
    scope.programsPerPlacement = 4;
    const auto exploration = test::valueOf(exploreWorkspace(workspace, scope));
    for (std::size_t placement = 0; placement < exploration->placements.size(); ++placement) {
      for (const ProgramResult& each : exploration->placements[placement].programs) {
        const auto replay = test::valueOf(makeReplay(*exploration, placement, each.program));
        for (int step = 0; step < replay->validSteps(); ++step) {
          const StepCost& cost = *replay->facts[std::size_t(step)].cost;
          if (cost.link.isNone()) continue;
          const Choreography& motion = replay->motions[std::size_t(step)];
          double drawn = test::bytesOver(*replay, motion, cost.link);
          // A chain's price closes the ring, so that its links are as busy as each other; the root's are not.
          if (motion.manner.starts_with("chain")) {
            for (const LinkId link : replay->topology->links()) {
              const bool same = replay->topology->interconnectOf(link) == replay->topology->interconnectOf(cost.link);
              if (same) drawn = std::max(drawn, test::bytesOver(*replay, motion, link));
            }
          }
          const double counted = cost.linkBytes.value();
          QVERIFY2(std::abs(drawn / counted - 1) <= 0.05, qPrintable(QString("%1, step %2: %3 of %4, %5")
                                                                         .arg(replay->facts[std::size_t(step)].link)
                                                                         .arg(step)
                                                                         .arg(drawn)
                                                                         .arg(counted)
                                                                         .arg(QString::fromStdString(motion.manner))));
          ++compared;
        }
      }
    }
  }
  QVERIFY(compared > 0);
}

QTEST_APPLESS_MAIN(TestChoreography)
#include "tst_choreography.moc"
