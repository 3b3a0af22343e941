// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>

#include "app/runner/schedule.h"
#include "tests/support/fixtures.h"

using namespace p2;
using namespace p2::runner;

namespace {

Schedule scheduleFor(const char* system, const char* axes, const char* reduce, const char* matrix, const char* program,
                     int rank, GatherOrder order = GatherOrder::Chunks) {
  Workspace workspace = test::workspaceOf(system, axes, reduce, matrix);
  workspace.options.rules = RuleSet::All;
  workspace.program = program;
  return scheduleOf(test::valueOf(makePlan(workspace)), rank, order);
}

/// Vectors of all ranks, chunk by chunk, an element each. Blocks of an AllToAll are numbered by source and destination.
using Vectors = std::vector<std::vector<std::int64_t>>;

/// One AllToAll step of all ranks as an executor carries it out: a call of the library, then blocks to their places.
Vectors exchanged(const Vectors& before, const std::vector<Schedule>& schedules, std::size_t step) {
  Vectors after = before;
  for (std::size_t rank = 0; rank < before.size(); ++rank) {
    const RankStep& own = schedules[rank].steps[step];
    const std::size_t count = before[rank].size() / std::size_t(own.members);
    for (std::size_t other = 0; other < before.size(); ++other) {
      const RankStep& its = schedules[other].steps[step];
      if (its.group != own.group) continue;
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t came = std::size_t(its.key) * count + i;
        const std::size_t place = own.places.empty() ? came : std::size_t(own.places[came]);
        after[rank][place] = before[other][std::size_t(own.key) * count + i];
      }
    }
  }
  return after;
}

}  // namespace

class TestSchedule : public QObject {
  Q_OBJECT
 private slots:
  void splitsAndGathersInOrder() {
    const Schedule schedule =
        scheduleFor("node:2 gpu:4", "8", "0", "[[2,4]]",
                    "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather", 6);
    QCOMPARE(schedule.chunks, 8);
    QCOMPARE(schedule.contributors, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
    QCOMPARE(schedule.steps.size(), 3u);
    QCOMPARE(schedule.steps[0].group, 1);
    QCOMPARE(schedule.steps[0].key, 2);
    QCOMPARE(schedule.steps[0].chunksBefore, 8);
    QCOMPARE(schedule.steps[0].chunksAfter, 2);
    QCOMPARE(schedule.steps[1].members, 2);
    QCOMPARE(schedule.steps[1].group, 2);
    QCOMPARE(schedule.steps[2].key, 2);
    QVERIFY(schedule.steps[2].places.empty());
  }

  // Scattered over the nodes last and gathered over the GPUs first, the pieces interleave.
  void gathersThatInterleaveAreRearranged() {
    const char* program =
        "node:InsideGroup:ReduceScatter; node:Parallel(root):ReduceScatter; node:InsideGroup:AllGather; "
        "node:Parallel(root):AllGather";
    const Schedule schedule = scheduleFor("node:2 gpu:4", "8", "0", "[[2,4]]", program, 5);
    QVERIFY(schedule.steps[2].places.empty());
    QCOMPARE(schedule.steps[3].places, (std::vector<std::int64_t>{0, 2, 4, 6, 1, 3, 5, 7}));
  }

  // A ring in the order of the chunks would cross from node to node at every hop.
  void ringsCanFollowTheHardware() {
    const char* program =
        "node:InsideGroup:ReduceScatter; node:Parallel(root):ReduceScatter; root:InsideGroup:AllGather";
    for (int rank = 0; rank < 8; ++rank) {
      const Schedule byChunks = scheduleFor("node:2 gpu:4", "8", "0", "[[2,4]]", program, rank);
      QCOMPARE(byChunks.steps[2].key, rank % 4 * 2 + rank / 4);
      QVERIFY(byChunks.steps[2].places.empty());
      const Schedule byDevices = scheduleFor("node:2 gpu:4", "8", "0", "[[2,4]]", program, rank, GatherOrder::Devices);
      QCOMPARE(byDevices.steps[2].key, rank);
      QCOMPARE(byDevices.steps[2].places, (std::vector<std::int64_t>{0, 2, 4, 6, 1, 3, 5, 7}));
    }
  }

  void thoseLeftOutLookOn() {
    const char* program = "node:InsideGroup:Reduce; node:Master(root):AllReduce; node:InsideGroup:Broadcast";
    QCOMPARE(scheduleFor("node:2 gpu:4", "8", "0", "[[2,4]]", program, 4).steps[1].group, 0);
    const Schedule idle = scheduleFor("node:2 gpu:4", "8", "0", "[[2,4]]", program, 5);
    QCOMPARE(idle.steps[1].group, -1);
    QCOMPARE(idle.steps[1].chunksBefore, 0);
    QCOMPARE(idle.steps[2].chunksAfter, 8);
  }

  // Whatever the phases, a rank ends with one block from every rank, in their order.
  void allToAllBringsABlockFromEveryRank_data() {
    QTest::addColumn<QString>("program");
    QTest::newRow("direct") << "root:InsideGroup:AllToAll";
    QTest::newRow("inside, then across") << "node:InsideGroup:AllToAll; node:Parallel(root):AllToAll";
    QTest::newRow("across, then inside") << "node:Parallel(root):AllToAll; node:InsideGroup:AllToAll";
  }
  void allToAllBringsABlockFromEveryRank() {
    QFETCH(QString, program);
    Workspace workspace = test::workspaceOf("node:2 gpu:3", "6", "0", "[[2,3]]");
    workspace.options.goal = kAllToAllGoal;
    workspace.program = program.toStdString();
    const Plan plan = test::valueOf(makePlan(workspace));
    std::vector<Schedule> schedules;
    Vectors vectors(6);
    for (int rank = 0; rank < 6; ++rank) {
      schedules.push_back(scheduleOf(plan, rank, GatherOrder::Devices));
      for (int chunk = 0; chunk < 6; ++chunk) vectors[std::size_t(rank)].push_back(10 * chunk + rank);
    }
    for (std::size_t step = 0; step < plan.steps().size(); ++step) {
      for (const Schedule& schedule : schedules) {
        QCOMPARE(schedule.steps[step].chunksBefore, 6);
        QCOMPARE(schedule.steps[step].chunksAfter, 6);
      }
      vectors = exchanged(vectors, schedules, step);
    }
    std::set<std::int64_t> chunks;
    for (const auto& vector : vectors) {
      const std::int64_t chunk = vector[0] / 10;
      chunks.insert(chunk);
      for (int source = 0; source < 6; ++source) QCOMPARE(vector[std::size_t(source)], 10 * chunk + source);
    }
    QCOMPARE(chunks.size(), 6u);
  }

  void scattersFromTheRoot() {
    Workspace workspace = test::workspaceOf("node:2 gpu:3", "6", "0", "[[2,3]]");
    workspace.options.goal = kBroadcastGoal;
    workspace.program = "root:InsideGroup:Scatter; root:InsideGroup:AllGather";
    const Plan plan = test::valueOf(makePlan(workspace));
    const Schedule root = scheduleOf(plan, 0, GatherOrder::Devices);
    const Schedule other = scheduleOf(plan, 4, GatherOrder::Devices);
    QCOMPARE(root.steps[0].chunksBefore, 6);
    QCOMPARE(root.steps[0].chunksAfter, 1);
    QCOMPARE(other.steps[0].chunksBefore, 0);
    QCOMPARE(other.steps[0].chunksAfter, 1);
    QCOMPARE(other.steps[0].key, 4);
    QCOMPARE(other.steps[1].chunksAfter, 6);
  }

  void onlyTheReductionGroupContributes() {
    const Schedule schedule = scheduleFor("node:2 gpu:4", "4,2", "1", "[[2,2],[1,2]]", "root:InsideGroup:AllReduce", 5);
    QCOMPARE(schedule.chunks, 2);
    QCOMPARE(schedule.contributors, (std::vector<int>{4, 5}));
  }
};

QTEST_APPLESS_MAIN(TestSchedule)
#include "tst_schedule.moc"
