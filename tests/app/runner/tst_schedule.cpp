// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

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

  // Dealt out over the nodes last and gathered over the GPUs first, the pieces interleave.
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

  void onlyTheReductionGroupContributes() {
    const Schedule schedule = scheduleFor("node:2 gpu:4", "4,2", "1", "[[2,2],[1,2]]", "root:InsideGroup:AllReduce", 5);
    QCOMPARE(schedule.chunks, 2);
    QCOMPARE(schedule.contributors, (std::vector<int>{4, 5}));
  }
};

QTEST_APPLESS_MAIN(TestSchedule)
#include "tst_schedule.moc"
