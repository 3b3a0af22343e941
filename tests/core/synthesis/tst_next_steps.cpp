// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "explicit_ways.h"
#include "support/filled.h"
#include "support/sharded_cases.h"
#include "synthesis/next_steps.h"

using namespace p2;

// What is said of the next step, held against every state that bit matrices can get into.
class TestNextSteps : public QObject {
  Q_OBJECT

  int m_lost = 0;
  int m_tooMuch = 0;
  int m_together = 0;

  static void addGoals() {
    QTest::addColumn<Goal>("goal");
    for (const Goal& goal : goals()) QTest::newRow(std::string(goal.name).c_str()) << goal;
  }

  static int wantedChunks(const test::ExplicitWays& ways, std::size_t member, const Goal& goal) {
    const Device device = ways.placement.groupMembers(0)[member];
    const Shard shard{ways.placement.shardOf(device), ways.placement.shardCount()};
    return goal.after.stateOf(int(ways.placement.groupSize()), int(member), shard).rowCount();
  }

  // With or without accidents of sizes, what is called lost never comes.
  void checkLost(const test::ExplicitWays& ways, const test::ExplicitWays::Node& node, const LostPart& lost,
                 const Goal& goal) {
    const auto member =
        std::size_t(ways.hierarchy.memberOf(lost.kind == LostPart::Kind::Together ? Device(0) : lost.device).index());
    switch (lost.kind) {
      case LostPart::Kind::Missing: {
        ++m_lost;
        const auto contributor = int(ways.hierarchy.memberOf(lost.contributor).index());
        QVERIFY2(!node.held[member].test(lost.chunk, contributor), lost.sentence.c_str());
        return;
      }
      case LostPart::Kind::TooMuch:
        ++m_tooMuch;
        QVERIFY2(node.fewest[member] > wantedChunks(ways, member, goal), lost.sentence.c_str());
        return;
      case LostPart::Kind::Together:
        ++m_together;
        return;
    }
  }

  void compare(const test::ExplicitWays& ways, const test::ExplicitWays::Node& node, const NextSteps& next,
               bool explained, const Goal& goal) {
    QCOMPARE(next.atGoal, node.goal);
    if (!node.goal) {
      QCOMPARE(next.deadEnd.has_value(), node.distance < 0);
      QCOMPARE(next.furtherSteps.value_or(-1), node.distance);
    }
    std::size_t edge = 0;
    for (const NextStep& step : test::filled(next.steps)) {
      const bool runs = edge < node.edges.size() && node.edges[edge].first == step.instruction;
      QVERIFY(!step.unknown);
      QCOMPARE(step.runs(), runs);
      if (!runs) {
        QVERIFY(!step.failure->sentence.empty());
        continue;
      }
      const auto& target = ways.nodes[std::size_t(node.edges[edge++].second)];
      QCOMPARE(step.reachesGoal, target.goal);
      if (node.goal) continue;  // programs have ended
      QCOMPARE(step.deadEnd.has_value(), target.distance < 0);
      QCOMPARE(step.furtherSteps.value_or(-1), target.distance);
      if (explained && step.deadEnd) checkLost(ways, target, *step.deadEnd, goal);
    }
    QCOMPARE(edge, node.edges.size());
  }

  /// About so many of the states.
  void compareAll(const test::ExplicitWays& ways, RuleSet rules, const Goal& goal, std::size_t looks) {
    const auto guide = test::valueOf(ProgramGuide::make(ways.placement, ways.hierarchy, rules, goal));
    const std::size_t stride = 1 + ways.nodes.size() / looks;
    for (std::size_t i = 0; i < ways.nodes.size(); i += stride) {
      const auto& node = ways.nodes[i];
      const auto trace = test::valueOf(ProgramTrace::run(ways.placement, ways.hierarchy, node.program, rules, goal));
      const bool explained = i % 5 == 0;
      compare(ways, node, guide->after(trace, trace.validSteps(), explained), explained, goal);
      if (!QTest::currentTestFailed()) continue;
      qWarning("%s", programText(ways.hierarchy, node.program).c_str());
      return;
    }
  }

 private slots:
  void agreesWithAllBitMatrices_data() { addGoals(); }
  void agreesWithAllBitMatrices() {
    QFETCH(Goal, goal);
    for (const RuleSet rules : {RuleSet::Paper, RuleSet::All}) {
      for (const auto& sizes : test::hierarchiesUpTo(12, 3)) {
        compareAll(test::ExplicitWays(sizes, rules, goal), rules, goal, 25);
        if (QTest::currentTestFailed()) return;
      }
    }
  }

  // The same where shards have replicas.
  void agreesWithAllBitMatricesOfShards() {
    for (const RuleSet rules : {RuleSet::Paper, RuleSet::All}) {
      for (const test::ShardedCase& on : test::shardedCases(8, 3, 3)) {
        compareAll(test::ExplicitWays(on.system, on.placement, rules, kReduceScatterGoal), rules, kReduceScatterGoal,
                   12);
        if (QTest::currentTestFailed()) return;
      }
    }
  }

  // Above the size up to which there are matrices, one group stands for all alike; the answers are the same.
  void largeGroupsAreToldOfAlike_data() { addGoals(); }
  void largeGroupsAreToldOfAlike() {
    QFETCH(Goal, goal);
    for (const RuleSet rules : {RuleSet::Paper, RuleSet::All}) {
      for (const std::vector<std::int64_t>& sizes : {std::vector<std::int64_t>{3, 4}, {2, 3, 2}, {4, 3}}) {
        const test::ExplicitWays ways(sizes, rules, goal);
        const auto guide = test::valueOf(ProgramGuide::make(ways.placement, ways.hierarchy, rules, goal));
        for (std::size_t i = 0; i < ways.nodes.size(); i += 1 + ways.nodes.size() / 25) {
          const Program& program = ways.nodes[i].program;
          const auto matrices = test::valueOf(ProgramTrace::run(ways.placement, ways.hierarchy, program, rules, goal));
          const auto folded =
              test::valueOf(ProgramTrace::runCompactly(ways.placement, ways.hierarchy, program, rules, goal));
          const NextSteps one = guide->after(matrices, matrices.validSteps(), false);
          const NextSteps other = guide->after(folded, folded.validSteps(), false);
          QCOMPARE(one.steps.size(), other.steps.size());
          for (std::size_t s = 0; s < one.steps.size(); ++s) {
            QCOMPARE(other.steps[s].runs(), one.steps[s].runs());
            QCOMPARE(other.steps[s].deadEnd.has_value(), one.steps[s].deadEnd.has_value());
            if (one.steps[s].runs()) continue;
            QCOMPARE(QString::fromStdString(other.steps[s].failure->sentence),
                     QString::fromStdString(one.steps[s].failure->sentence));
          }
        }
      }
    }
  }

  void deadEndsNameWhatIsLost() {
    QVERIFY(m_lost > 300);
    QVERIFY(m_tooMuch > 100);
    qInfo("%d missing, %d too much, %d not together", m_lost, m_tooMuch, m_together);
  }

  // Edges priced by hand: one for each step, so that the cheapest completion is the shortest.
  void cheapestCompletionsAreShortest() {
    for (const RuleSet rules : {RuleSet::Paper, RuleSet::All}) {
      const auto graph = test::valueOf(StateGraph::build({2, 3, 2}, rules));
      const auto best = cheapestCompletions(*graph, std::vector<double>(graph->edges().size(), 1.0));
      for (int node = 0; node < graph->nodeCount(); ++node) QCOMPARE(best[std::size_t(node)], graph->distance(node));
    }
  }

  void largeGroupsInTime() {
    const System system = test::systemOf({16, 64});
    const Placement placement = test::wholeReduction(system);
    const SynthesisHierarchy hierarchy(system, placement);
    const auto guide = test::valueOf(ProgramGuide::make(placement, hierarchy, RuleSet::Paper, kAllReduceGoal));
    const Program program = test::valueOf(parseProgram(hierarchy, "a:InsideGroup:ReduceScatter"));
    const auto trace = test::valueOf(ProgramTrace::run(placement, hierarchy, program, RuleSet::Paper, kAllReduceGoal));
    const NextSteps next = guide->after(trace, 1);
    QCOMPARE(next.furtherSteps, 2);
    QCOMPARE(std::count_if(next.steps.begin(), next.steps.end(), [](const NextStep& step) { return step.unknown; }), 0);
    QVERIFY(std::any_of(next.steps.begin(), next.steps.end(), [](const NextStep& step) { return step.runs(); }));
  }
};

QTEST_APPLESS_MAIN(TestNextSteps)
#include "tst_next_steps.moc"
