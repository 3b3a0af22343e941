// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <random>

#include "support/sharded_cases.h"
#include "support/warnings.h"
#include "synthesis/detail/folded_engine.h"
#include "synthesis/program_trace.h"

using namespace p2;

namespace {

struct Case {
  System system;
  Placement placement = test::wholeReduction(system);
  SynthesisHierarchy hierarchy{system, placement};
};

ChunkSet setOf(const std::vector<int>& numbers) {
  ChunkSet set;
  for (const int number : numbers) set.push_back({number, number + 1});
  return merged(set);
}

/// The bit matrix that the parts of a folded holding make up.
DeviceState matrixOf(const std::vector<FoldedState>& parts, int k) {
  DeviceState matrix(k);
  for (const FoldedState& part : parts) {
    for (const ChunkRange& rows : part.rows) {
      for (std::int64_t row = rows.from; row < rows.to; ++row) {
        for (const ChunkRange& columns : part.columns) {
          for (std::int64_t column = columns.from; column < columns.to; ++column) {
            matrix.set(static_cast<int>(row), static_cast<int>(column));
          }
        }
      }
    }
  }
  return matrix;
}

}  // namespace

// The trace of large groups against the explicit bit matrices, its oracle.
class TestProgramTrace : public QObject {
  Q_OBJECT

  int m_failures = 0;
  int m_accidents = 0;  // programs that go on where the goal is out of reach already

  /// Random steps, each likely to run: otherwise nearly every program would fail at once.
  static Program randomProgram(const Case& on, RuleSet rules, const Goal& goal, std::mt19937& random) {
    const std::vector<GroupPattern> patterns = groupPatterns(on.hierarchy);
    Program program;
    const std::size_t length = 2 + random() % 5;
    while (program.size() < length) {
      Instruction tried;
      for (int attempt = 0; attempt < 6; ++attempt) {
        tried.pattern = patterns[random() % patterns.size()];
        // Now and then one that is no step towards the goal.
        do tried.collective = kCollectives[random() % kCollectives.size()];
        while (!goal.collectives.contains(tried.collective) && random() % 16 != 0);
        Program longer = program;
        longer.push_back(tried);
        const Execution execution = test::valueOf(execute(on.placement, on.hierarchy, longer, rules, goal));
        if (!execution.failure) break;
      }
      program.push_back(tried);
    }
    return program;
  }

  /// The folded engine alone, from the very first step on.
  void compareFolded(const Case& on, const Program& program, RuleSet rules, const Goal& goal,
                     const Execution& expected) {
    FoldedEngine engine(on.placement, on.hierarchy, rules, goal);
    FoldedEngine::States states = engine.statesOf(CompactState::of(goal.before, on.hierarchy.levelCount()));
    for (std::size_t step = 0; step < program.size(); ++step) {
      auto outcome = engine.apply(states, program[step]);
      QVERIFY(outcome.has_value());
      if (auto* failure = std::get_if<StepFailure>(&*outcome)) {
        QCOMPARE(step + 1, expected.states.size());
        QVERIFY(failure->premise == expected.failure);
        QCOMPARE(failure->sentence, expected.failure ? expected.failure->sentence : *expected.refusal);
        ++m_failures;
        return;
      }
      states = std::get<FoldedEngine::States>(*outcome);
      QVERIFY(step + 1 < expected.states.size());
      for (std::size_t member = 0; member < states.size(); ++member) {
        const DeviceState& wanted = expected.states[step + 1][member];
        QVERIFY(matrixOf(engine.partsOf(states[member]), wanted.size()) == wanted);
      }
    }
    QCOMPARE(expected.states.size(), program.size() + 1);
  }

  /// Compact states as far as they go, then device by device: what groups of more members get.
  void compareTraces(const Case& on, const Program& program, RuleSet rules, const Goal& goal) {
    const ProgramTrace explicitly = test::valueOf(ProgramTrace::run(on.placement, on.hierarchy, program, rules, goal));
    const ProgramTrace compactly =
        test::valueOf(ProgramTrace::runCompactly(on.placement, on.hierarchy, program, rules, goal));
    QCOMPARE(compactly.validSteps(), explicitly.validSteps());
    QCOMPARE(compactly.complete(), explicitly.complete());
    QCOMPARE(compactly.failure().has_value(), explicitly.failure().has_value());
    if (explicitly.failure()) {
      QVERIFY(compactly.failure()->premise == explicitly.failure()->premise);
      QCOMPARE(compactly.failure()->sentence, explicitly.failure()->sentence);
    }
    const IdRange<Device> devices = on.placement.devices();
    for (int steps = 0; steps <= explicitly.validSteps(); ++steps) {
      QCOMPARE(compactly.chunkCounts(steps, devices), explicitly.chunkCounts(steps, devices));
      for (const Device device : devices) {
        QCOMPARE(compactly.holdingOf(device, steps), explicitly.holdingOf(device, steps));
        QCOMPARE(compactly.chunksOf(device, steps), setOf(explicitly.matrixOf(device, steps).rows()));
        const std::int64_t most = compactly.mostRunsOf(device, steps);
        for (const FoldedState& part : compactly.partsOf(device, steps)) {
          QVERIFY(std::ssize(part.rows) <= most && std::ssize(part.columns) <= most);
        }
      }
    }
    if (explicitly.validSteps() >= int(compactly.compactStates().size())) ++m_accidents;
  }

 private slots:
  void init() { test::failOnWarnings(); }

  void sameFailuresAsBitMatrices_data() {
    QTest::addColumn<QString>("rules");
    QTest::addColumn<Goal>("goal");
    for (const Goal& goal : {kAllReduceGoal, kAllGatherGoal, kBroadcastGoal, kLooseReduceGoal, kAllToAllGoal}) {
      for (const QString& rules : {QStringLiteral("paper"), QStringLiteral("all")}) {
        QTest::newRow((std::string(goal.name) + ", " + rules.toStdString()).c_str()) << rules << goal;
      }
    }
  }
  void sameFailuresAsBitMatrices() {
    QFETCH(QString, rules);
    QFETCH(Goal, goal);
    const RuleSet ruleSet = test::ruleSetOf(rules.toStdString());
    std::mt19937 random(20'210'548);
    m_failures = 0;
    m_accidents = 0;
    const bool most = goal == kAllReduceGoal;
    for (const auto& sizes : test::hierarchiesUpTo(most ? 24 : 12, most ? 4 : 3)) {
      const Case on{test::systemOf(sizes)};
      for (int round = 0; round < 20; ++round) {
        const Program program = randomProgram(on, ruleSet, goal, random);
        const auto expected = test::valueOf(execute(on.placement, on.hierarchy, program, ruleSet, goal));
        compareFolded(on, program, ruleSet, goal, expected);
        compareTraces(on, program, ruleSet, goal);
        if (QTest::currentTestFailed()) {
          qInfo("%s", programText(on.hierarchy, program).c_str());
          return;
        }
      }
    }
    qInfo("%d failures, %d programs that went on without reaching the goal", m_failures, m_accidents);
    QVERIFY(m_failures > (most ? 500 : 100));
    QVERIFY(!most || ruleSet == RuleSet::Paper || m_accidents > 50);
  }

  void sameFailuresWhereShardsHaveReplicas() {
    std::mt19937 random(2311);
    m_failures = 0;
    for (const test::ShardedCase& each : test::shardedCases(12, 3, 4)) {
      const Case on{each.system, each.placement, each.hierarchy};
      for (const RuleSet rules : {RuleSet::Paper, RuleSet::All}) {
        for (int round = 0; round < 6; ++round) {
          const Program program = randomProgram(on, rules, kReduceScatterGoal, random);
          const auto expected = test::valueOf(execute(on.placement, on.hierarchy, program, rules, kReduceScatterGoal));
          compareFolded(on, program, rules, kReduceScatterGoal, expected);
          compareTraces(on, program, rules, kReduceScatterGoal);
          if (!QTest::currentTestFailed()) continue;
          qInfo("%s", programText(on.hierarchy, program).c_str());
          return;
        }
      }
    }
    QVERIFY(m_failures > 100);
  }

  // Step 2 adds up parts that compact states do not describe; its premises hold all the same.
  void largeGroupsFailAtTheRightStep() {
    const char* text = "a:Master(root):AllReduce; a:InsideGroup:AllReduce; root:InsideGroup:AllGather";
    for (const std::int64_t size : {3, 100, 150, 5000}) {
      const Case on{test::systemOf({2, size})};
      const Program program = test::valueOf(parseProgram(on.hierarchy, text));
      const auto trace = test::valueOf(ProgramTrace::run(on.placement, on.hierarchy, program, RuleSet::All));
      QCOMPARE(trace.isExplicit(), 2 * size <= kMostExplicitMembers);
      QCOMPARE(trace.validSteps(), 2);
      QVERIFY(trace.failure()->premise->premise == Premise::RowsDisjoint);
      QCOMPARE(
          trace.failure()->sentence,
          std::string("device 0 and device 1 both hold chunk 0, and AllGather only copies: one overwrites the other"));
      QCOMPARE(trace.holdingOf(Device(0), 2), (Holding{2 * size, size + 1, size + 1}));
    }
  }

  void devicesOfLargeGroupsAreRealOnes() {
    const Workspace workspace = test::workspaceOf("node:2 gpu:300", "2,300", "1", "[[2,1],[1,300]]");
    const Placement placement(workspace.axes, workspace.matrix);
    const SynthesisHierarchy hierarchy(workspace.system, placement);
    const Program program =
        test::valueOf(parseProgram(hierarchy, "root:InsideGroup:Reduce; root:InsideGroup:AllReduce"));
    const auto trace = test::valueOf(ProgramTrace::run(placement, hierarchy, program, RuleSet::Paper));
    QVERIFY(!trace.isExplicit());
    QCOMPARE(trace.validSteps(), 1);
    QCOMPARE(trace.failure()->sentence, std::string("device 1 holds nothing"));
    QCOMPARE(trace.failure()->premise->group.size(), 300u);
    QCOMPARE(trace.problem()->text(), std::string("step 2: root:InsideGroup:AllReduce: device 1 holds nothing"));
  }

  void chunkSetsAsText() {
    QCOMPARE(chunkText({{0, 4}, {8, 9}}), std::string("0-3,8"));
    QCOMPARE(test::valueOf(chunksFromText("0-3,8", 9)), (ChunkSet{{0, 4}, {8, 9}}));
    QCOMPARE(test::valueOf(chunksFromText("", 9)), ChunkSet());
    for (const char* wrong :
         {"a", "-1", "3-", "3-2", "1,1", "1,2", "2,1", "1,", ",1", "1 3", "9", "0-9", "99999999999999999999"}) {
      QVERIFY2(!chunksFromText(wrong, 9).ok(), wrong);
    }
  }
};

QTEST_APPLESS_MAIN(TestProgramTrace)
#include "tst_program_trace.moc"
