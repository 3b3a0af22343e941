// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <map>

#include "support/fixtures.h"
#include "views/common/program_notation.h"
#include "views/common/timeline.h"
#include "views/program/rule_text.h"
#include "views/stage/replay.h"

using namespace p2;
using namespace p2::views;

class TestReplay : public QObject {
  Q_OBJECT
 private slots:
  void groupHeadsAgreeWithTheGroups();
  void runsListedProgramsAtTheirListedCost();
  void typedProgramsCostWhatListedOnesDo();
  void stepsThatCostMoreLastLonger();
  void durationsFollowTheCosts();
  void stopsAtTheFailingStep();
  void saysThatAProgramEndsTooEarly();
  void describesWhatADeviceHolds();
  void largeGroupsAreDescribedByTheirClasses();
  void tooManyRunsAreNotListed();
  void largeGroupsRefuseWrongPrograms();
  void largeGroupsRunWhatTheLimitLeavesOut();
  void stopsWhenAsked();
};

namespace {

const std::string kScattered =
    "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather";

std::shared_ptr<const Exploration> explored(const std::string& system, const std::string& axes,
                                            const std::string& reduce, const std::string& matrix,
                                            std::size_t programs = 100) {
  ExploreScope scope;
  scope.programsPerPlacement = programs;
  return test::valueOf(exploreWorkspace(test::workspaceOf(system, axes, reduce, matrix), scope, true));
}

std::shared_ptr<const Exploration> explorationOfTwoByFour(std::size_t programs = 100) {
  return explored("node:2 gpu:4", "data=8", "data", "[[2,4]]", programs);
}

std::shared_ptr<const Replay> replayOf(const Exploration& exploration, const std::string& dsl) {
  const Program program = test::valueOf(parseProgram(*exploration.placements[0].hierarchy, dsl));
  return test::valueOf(makeReplay(exploration, 0, program));
}

}  // namespace

void TestReplay::groupHeadsAgreeWithTheGroups() {
  const Workspace workspace = test::workspaceOf("node:2 cpu:2 gpu:6", "a=6,b=4", "a", "[[1,2,3],[2,1,2]]");
  const SynthesisHierarchy hierarchy(workspace.system, Placement(workspace.axes, workspace.matrix));
  for (const GroupPattern& pattern : groupPatterns(hierarchy.levelCount())) {
    std::map<Device, Device> expected;
    for (const DeviceGroup& group : hierarchy.groups(pattern)) {
      for (const Device device : group) expected[device] = group.front();
    }
    for (const Device device : IdRange<Device>(workspace.system.deviceCount())) {
      QCOMPARE(groupHead(hierarchy, pattern, device), expected.contains(device) ? expected[device] : Device());
    }
  }
}

void TestReplay::runsListedProgramsAtTheirListedCost() {
  const auto exploration = explorationOfTwoByFour();
  for (const ProgramResult& result : exploration->placements[0].programs) {
    const auto replay = test::valueOf(makeReplay(*exploration, 0, result.program));
    QVERIFY(replay->complete);
    QVERIFY(!replay->failure);
    QCOMPARE(replay->validSteps(), int(result.program.size()));
    QCOMPARE(replay->facts.size(), result.program.size());
    for (std::size_t step = 0; step < result.steps.size(); ++step) {
      QVERIFY(*replay->facts[step].cost == result.steps[step]);
      QCOMPARE(replay->facts[step].link.toStdString(), exploration->topology->linkName(result.steps[step].link));
    }
  }
}

void TestReplay::typedProgramsCostWhatListedOnesDo() {
  const auto exploration = explorationOfTwoByFour();
  const auto onlyBest = explorationOfTwoByFour(1);
  for (const ProgramResult& result : exploration->placements[0].programs) {
    const auto replay = test::valueOf(makeReplay(*onlyBest, 0, result.program));
    for (std::size_t step = 0; step < result.steps.size(); ++step) {
      const double listed = result.steps[step].seconds;
      QVERIFY(std::abs(replay->facts[step].cost->seconds - listed) <= 1e-9 * listed);
    }
  }
}

void TestReplay::stepsThatCostMoreLastLonger() {
  const auto exploration = explorationOfTwoByFour();
  const auto replay = replayOf(*exploration, kScattered);
  const std::vector<double> pace = paceOf(*replay);
  QCOMPARE(pace.size(), std::size_t{3});
  // The step across nodes costs 45 times as much as those inside.
  QCOMPARE(pace[0], kLeastPace);
  QCOMPARE(pace[2], kLeastPace);
  const double decades = std::log10(replay->facts[1].cost->seconds / replay->facts[0].cost->seconds);
  QVERIFY(decades > 1);
  QCOMPARE(pace[1], std::min(kMostPace, kLeastPace + kPacePerDecade * decades));
  // A step that cannot run has no price.
  const auto failing = replayOf(*exploration, "node:InsideGroup:AllReduce; node:InsideGroup:AllReduce");
  QCOMPARE(paceOf(*failing), (std::vector<double>{kLeastPace, Timeline::kStepSeconds}));
}

// A clock of 60 frames a second over the first and the second play: on a logarithmic scale as paceOf() says, on the
// true one in proportion to the costs, and longer the first time.
void TestReplay::durationsFollowTheCosts() {
  const auto exploration = explorationOfTwoByFour();
  const auto replay = replayOf(*exploration, kScattered);
  for (const PaceScale scale : {PaceScale::Log, PaceScale::True}) {
    const std::vector<double> pace = paceOf(*replay, scale);
    Timeline timeline = Timeline().paced(pace, Timeline::Rests::BetweenSteps).slowAtFirst();
    for (const double slower : {Timeline::kFirstPlay, 1.0}) {
      timeline.first();
      for (std::size_t step = 0; step < pace.size(); ++step) {
        timeline.forward();
        constexpr double kFrame = 1 / 60.0;
        double lasted = 0;
        for (; timeline.moving(); lasted += kFrame) timeline.advance(kFrame);
        QVERIFY2(std::abs(lasted - slower * pace[step]) <= kFrame, qPrintable(QString::number(lasted)));
      }
    }
  }
  const std::vector<double> pace = paceOf(*replay, PaceScale::True);
  const double costs = replay->facts[1].cost->seconds / replay->facts[0].cost->seconds;
  QVERIFY(std::abs(pace[1] / pace[0] / costs - 1) < 1e-9);
}

void TestReplay::stopsAtTheFailingStep() {
  const auto replay = replayOf(*explorationOfTwoByFour(),
                               "node:InsideGroup:ReduceScatter; root:InsideGroup:AllReduce; "
                               "node:InsideGroup:AllGather");
  QCOMPARE(replay->validSteps(), 1);
  QVERIFY(replay->failure);
  QCOMPARE(replay->facts.size(), std::size_t(2));
  QVERIFY(replay->facts[0].cost);
  QVERIFY(!replay->facts[1].cost);

  const RuleText rule = ruleText(*replay, StepId(1));
  QCOMPARE(rule.title, QString("Step 2 of 3: AllReduce over all devices"));
  QCOMPARE(rule.problem.toStdString(), replay->failure->sentence);
  QCOMPARE(rule.premises.size(), std::size_t(3));
  QVERIFY(rule.premises[0].mark == RuleText::Mark::Holds);
  QVERIFY(rule.premises[1].mark == RuleText::Mark::Broken);
  QVERIFY(rule.premises[2].mark == RuleText::Mark::Unknown);
  QVERIFY(rule.effect.isEmpty());
}

void TestReplay::saysThatAProgramEndsTooEarly() {
  const auto replay = replayOf(*explorationOfTwoByFour(), "node:InsideGroup:AllReduce");
  QVERIFY(!replay->complete);
  QCOMPARE(ruleText(*replay, StepId(1)).problem,
           QString("Not finished: device 0 holds 8 of 8 chunks, each summed over 4 of 8 devices"));
  const RuleText rule = ruleText(*replay, StepId(0));
  QCOMPARE(rule.groups, QString("2 groups of 4 devices each"));
  QCOMPARE(rule.facts[0], QString("2.15 GB per device"));
  QVERIFY(rule.problem.isEmpty());
}

void TestReplay::describesWhatADeviceHolds() {
  const auto replay = replayOf(*explorationOfTwoByFour(), "node:InsideGroup:ReduceScatter; node:Parallel(root):Reduce");
  QCOMPARE(replay->holdingText(Device(5), 0), QString("holds 8 of 8 chunks, each summed over 1 of 8 devices"));
  QCOMPARE(replay->holdingText(Device(5), 1), QString("holds 2 of 8 chunks, each summed over 4 of 8 devices"));
  QCOMPARE(replay->holdingText(Device(1), 2), QString("holds 2 of 8 chunks, each summed over 8 of 8 devices"));
  QCOMPARE(replay->holdingText(Device(5), 2), QString("holds nothing"));
  QCOMPARE(replay->contributorsOf(Device(3)), test::devices({0, 1, 2, 3, 4, 5, 6, 7}));
}

void TestReplay::largeGroupsAreDescribedByTheirClasses() {
  const auto exploration = explored("node:32 gpu:16", "data=512", "data", "[[32,16]]");
  const auto replay = test::valueOf(makeReplay(*exploration, 0, exploration->placements[0].programs[0].program));
  QVERIFY(!replay->isExplicit());
  QVERIFY(replay->complete);
  QCOMPARE(replay->validSteps(), int(replay->program.size()));
  QCOMPARE(replay->shareOf(Device(17), 0), 1.0);
  const auto scattered = replayOf(*exploration, kScattered);
  QCOMPARE(scattered->shareOf(Device(17), 1), 1.0 / 16);
  QCOMPARE(scattered->holdingText(Device(17), 1),
           QString("holds 32 of 512 chunks, each summed over 16 of 512 devices"));
  QCOMPARE(scattered->facts[1].leastBytes, exploration->workspace.options.cost.bytes / 16);
  QCOMPARE(*scattered->foldedOf(Device(17), 1), (FoldedState{512, {{32, 64}}, {{16, 32}}}));
  QCOMPARE(*scattered->foldedOf(Device(17), 3), (FoldedState{512, {{0, 512}}, {{0, 512}}}));
}

// Summed over the outer level alone: one run of columns for each of its 4096 digits.
void TestReplay::tooManyRunsAreNotListed() {
  const auto exploration = explored("node:4096 gpu:16", "data=65536", "data", "[[4096,16]]");
  const auto replay = replayOf(*exploration, "node:Parallel(root):AllReduce; node:InsideGroup:AllReduce");
  QVERIFY(replay->foldedOf(Device(0), 0));
  QVERIFY(!replay->foldedOf(Device(0), 1));
  QVERIFY(replay->foldedOf(Device(0), 2));
}

void TestReplay::largeGroupsRefuseWrongPrograms() {
  const auto exploration = explored("node:32 gpu:16", "data=512", "data", "[[32,16]]");
  const auto replay = replayOf(*exploration, "node:InsideGroup:AllReduce; root:InsideGroup:AllReduce");
  QCOMPARE(replay->validSteps(), 1);
  QVERIFY(!replay->complete);
  const RuleText rule = ruleText(*replay, StepId(1));
  QCOMPARE(rule.problem, QString("chunk 0 already contains device 0's contribution on both device 0 and device 1"));
  QCOMPARE(rule.premises.size(), 3);
  QVERIFY(rule.premises[1].mark == RuleText::Mark::Holds);
  QVERIFY(rule.premises[2].mark == RuleText::Mark::Broken);
}

// A typed program may be longer than those that were looked for, or lead nowhere that they pass.
void TestReplay::largeGroupsRunWhatTheLimitLeavesOut() {
  Workspace workspace = test::workspaceOf("node:32 gpu:16", "data=512", "data", "[[32,16]]");
  workspace.options.sizeLimit = 1;
  const auto exploration = test::valueOf(exploreWorkspace(workspace, {}, true));
  const auto scattered = replayOf(*exploration, kScattered);
  QCOMPARE(scattered->validSteps(), 3);
  QVERIFY(scattered->complete);
  const auto listed = explored("node:32 gpu:16", "data=512", "data", "[[32,16]]");
  QCOMPARE(scattered->facts[1].cost->seconds, replayOf(*listed, kScattered)->facts[1].cost->seconds);
}

void TestReplay::stopsWhenAsked() {
  const auto exploration = explorationOfTwoByFour();
  std::stop_source stop;
  stop.request_stop();
  const auto replay = makeReplay(*exploration, 0, exploration->placements[0].programs[0].program, stop.get_token());
  QVERIFY(!replay.ok());
  QVERIFY(replay.error().kind == ErrorKind::Cancelled);
}

QTEST_APPLESS_MAIN(TestReplay)
#include "tst_replay.moc"
