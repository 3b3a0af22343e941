// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "plan/verify.h"
#include "support/warnings.h"
#include "tests/support/fixtures.h"

using namespace p2;

namespace {

PlanParts partsOf(const Plan& plan) {
  return {plan.workspace(), plan.cut(), plan.reductionGroups(), plan.steps(), plan.predicted()};
}

}  // namespace

/// Plans for every goal, from the exploration over the file to the proof on integers.
class TestPlanGoals : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void everyProgramIsPlannedAndProven_data() {
    QTest::addColumn<QString>("goal");
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("axes");
    QTest::addColumn<QString>("reduce");
    QTest::addColumn<int>("programs");
    const auto row = [](const char* goal, const char* system, const char* axes, const char* reduce, int programs) {
      QTest::addRow("%s over %s of %s", goal, reduce, axes) << goal << system << axes << reduce << programs;
    };
    row("ReduceScatter", "node:2 gpu:4", "all=8", "all", 3);
    row("AllGather", "rack:2 node:2 gpu:2", "all=8", "all", 11);
    row("Reduce", "rack:2 node:2 gpu:2", "all=8", "all", 4);
    row("Broadcast", "node:2 gpu:4", "all=8", "all", 11);
    row("Scatter", "node:2 gpu:4", "all=8", "all", 2);
    row("ReduceLoose", "node:2 gpu:4", "all=8", "all", 38);
    row("AllToAll", "rack:2 node:2 gpu:2", "all=8", "all", 11);
    // All placements: three of [[1,4],[4,1]], [[2,2],[2,2]], [[4,1],[1,4]], where each but the middle has one level.
    row("ReduceScatter", "node:4 gpu:4", "data=4,model=4", "data", 5);
  }
  void everyProgramIsPlannedAndProven() {
    QFETCH(QString, goal);
    QFETCH(QString, system);
    QFETCH(QString, axes);
    QFETCH(QString, reduce);
    QFETCH(int, programs);
    Workspace workspace = test::workspaceOf(system.toStdString(), axes.toStdString(), reduce.toStdString());
    workspace.options.goal = test::valueOf(goalFrom(goal.toStdString()));
    workspace.options.cost.bytes = Bytes(211);
    const auto exploration = test::valueOf(exploreWorkspace(workspace, {}));
    int count = 0;
    for (const PlacementResult& placement : exploration->placements) {
      QVERIFY(placement.bestSeconds <= placement.singleSeconds * (1 + 1e-9));
      for (const ProgramResult& program : placement.programs) {
        workspace.matrix = placement.matrix;
        workspace.program = programText(*placement.hierarchy, program.program);
        const Plan plan = test::valueOf(makePlan(workspace));
        QVERIFY(verify(plan).ok());
        const Plan read = test::valueOf(planFromJson(planToJson(plan)));
        QVERIFY(read.workspace().options.goal == workspace.options.goal);
        QCOMPARE(read.predicted().singleSeconds, plan.predicted().singleSeconds);
        QVERIFY(verify(read).ok());
        ++count;
      }
    }
    QCOMPARE(count, programs);
  }

  // Shards with replicas, levels with factors of both axes included.
  void shardsWithReplicasArePlannedAndProven() {
    Workspace workspace = test::workspaceOf("node:4 gpu:4", "replica=4,data=4", "replica,data");
    workspace.axes = test::valueOf(withScatter(workspace.axes, "data"));
    workspace.options.goal = kReduceScatterGoal;
    workspace.options.sizeLimit = 4;
    workspace.options.cost.bytes = Bytes(1000);
    const auto exploration = test::valueOf(exploreWorkspace(workspace, {}));
    QCOMPARE(exploration->placements.size(), 3u);
    for (const PlacementResult& placement : exploration->placements) {
      QVERIFY(placement.bestSeconds <= placement.singleSeconds * (1 + 1e-9));
      QCOMPARE(placement.singleSteps.size(), 2u);
      bool single = false;
      for (const ProgramResult& program : placement.programs) {
        single = single || program.program == singleProgram(*placement.hierarchy, kReduceScatterGoal);
        workspace.matrix = placement.matrix;
        workspace.program = programText(*placement.hierarchy, program.program);
        const Plan plan = test::valueOf(makePlan(workspace));
        QVERIFY(verify(plan).ok());
        const Plan read = test::valueOf(planFromJson(planToJson(plan)));
        QCOMPARE(read.workspace().axes, workspace.axes);
        QVERIFY(verify(read).ok());
        QCOMPARE(read.predicted().singleSeconds, plan.predicted().singleSeconds);
        QVERIFY(std::abs(plan.predicted().singleSeconds - placement.singleSeconds) <= 1e-9 * placement.singleSeconds);
        // What it leaves is neither a ReduceScatter over both axes nor scattered over the other.
        PlanParts parts = partsOf(plan);
        parts.workspace.axes = withoutReplicas(parts.workspace.axes);
        QVERIFY(!verify(Plan(parts)).ok());
      }
      QVERIFY(single);
    }
  }

  // Replicas must end with the same shard, and every shard with somebody.
  void shardsInTheWrongPlaceAreNoticed() {
    Workspace workspace = test::workspaceOf("node:2 gpu:2", "replica=2,data=2", "0,1", "[[2,1],[1,2]]");
    workspace.axes = test::valueOf(withScatter(workspace.axes, "data"));
    workspace.options.goal = kReduceScatterGoal;
    workspace.program = "root:Shards:ReduceScatter; root:Replicas:AllReduce";
    const Plan plan = test::valueOf(makePlan(workspace));
    QVERIFY(verify(plan).ok());
    PlanParts parts = partsOf(plan);
    for (Axis& axis : parts.workspace.axes) axis.replicate = !axis.replicate;
    QVERIFY(!verify(Plan(parts)).ok());
    workspace.program = "root:Shards:ReduceScatter";
    QVERIFY(makePlan(workspace).error().message.find(std::string(kShardsAchieved)) != std::string::npos);
  }

  // The same steps reach no other goal.
  void aPlanForAnotherGoalIsRefused() {
    Workspace workspace = test::workspaceOf("node:2 gpu:4", "all=8", "all", "[[2,4]]");
    workspace.options.goal = kReduceScatterGoal;
    workspace.program = "node:InsideGroup:ReduceScatter; node:Parallel(root):ReduceScatter";
    const Plan plan = test::valueOf(makePlan(workspace));
    for (const Goal& goal : goals()) {
      PlanParts parts = partsOf(plan);
      parts.workspace.options.goal = goal;
      QCOMPARE(verify(Plan(parts)).ok(), goal == kReduceScatterGoal);
      workspace.options.goal = goal;
      QCOMPARE(makePlan(workspace).ok(), goal == kReduceScatterGoal);
    }
    workspace.options.goal = kAllReduceGoal;
    const auto refused = makePlan(workspace);
    QVERIFY(refused.error().message.find("every device holds the whole sum") != std::string::npos);
  }

  // Two devices that end with the same part leave another part with nobody.
  void shardsGivenTwiceAreFound() {
    Workspace workspace = test::workspaceOf("gpu:2", "all=2", "all", "[[2]]");
    workspace.options.goal = kReduceScatterGoal;
    workspace.program = "root:InsideGroup:ReduceScatter";
    PlanParts parts = partsOf(test::valueOf(makePlan(workspace)));
    QVERIFY(verify(Plan(parts)).ok());
    parts.steps[0].groups[0].after = {ChunkSet{{0, 1}}, ChunkSet{{0, 1}}};
    QVERIFY(!verify(Plan(parts)).ok());
  }

  // What was written before goals could be chosen stays as it was.
  void plansOfAllReduceSayNoGoal() {
    Workspace workspace = test::workspaceOf("gpu:4", "all=4", "all", "[[4]]");
    workspace.program = "root:InsideGroup:AllReduce";
    const std::string text = planToJson(test::valueOf(makePlan(workspace)));
    QVERIFY(text.find("\"goal\"") == std::string::npos);
    QVERIFY(text.find("\"allreduce_seconds\"") != std::string::npos);
    workspace.options.goal = kReduceGoal;
    workspace.program = "root:InsideGroup:Reduce";
    const std::string other = planToJson(test::valueOf(makePlan(workspace)));
    QVERIFY(other.find("\"goal\": \"Reduce\"") != std::string::npos);
    QVERIFY(other.find("\"flat_seconds\"") != std::string::npos);
    QVERIFY(other.find("\"allreduce_seconds\"") == std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TestPlanGoals)
#include "tst_plan_goals.moc"
