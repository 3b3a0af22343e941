// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>
#include <tuple>

#include "explicit_ways.h"
#include "support/filled.h"
#include "synthesis/program_hint.h"
#include "synthesis/wrong_step.h"

using namespace p2;

// What is said about wrong programs, held against the bit matrices looked at bit by bit.
class TestWrongStep : public QObject {
  Q_OBJECT

  using Pair = std::tuple<std::int64_t, std::int64_t, int>;  // two devices and a chunk

  static ProgramTrace traceOf(const Placement& placement, const SynthesisHierarchy& hierarchy, const char* text,
                              const Goal& goal = kAllReduceGoal, RuleSet rules = RuleSet::Paper) {
    return test::valueOf(
        ProgramTrace::run(placement, hierarchy, test::valueOf(parseProgram(hierarchy, text)), rules, goal));
  }

  /// All pairs of devices in one group whose contributions to a chunk overlap, by comparing every bit.
  static std::set<Pair> overlapsOf(const ProgramTrace& trace) {
    std::set<Pair> pairs;
    const int steps = trace.validSteps();
    for (const DeviceGroup& group : trace.hierarchy().groups(trace.program()[std::size_t(steps)].pattern)) {
      for (std::size_t later = 1; later < group.size(); ++later) {
        for (std::size_t earlier = 0; earlier < later; ++earlier) {
          const DeviceState& one = trace.matrixOf(group[earlier], steps);
          const DeviceState& other = trace.matrixOf(group[later], steps);
          for (int row = 0; row < one.size(); ++row) {
            for (int column = 0; column < one.size(); ++column) {
              if (one.test(row, column) && other.test(row, column)) {
                pairs.insert({group[earlier].value(), group[later].value(), row});
              }
            }
          }
        }
      }
    }
    return pairs;
  }

 private slots:
  void allPairsThatCountTwice_data() {
    QTest::addColumn<QString>("program");
    QTest::addColumn<int>("count");
    QTest::newRow("twice over") << "node:InsideGroup:AllReduce; root:InsideGroup:AllReduce" << 8 * 12;
    QTest::newRow("twice the same") << "node:InsideGroup:AllReduce; node:InsideGroup:AllReduce" << 8 * 12;
    QTest::newRow("pairs across") << "node:Parallel(root):AllReduce; node:Parallel(root):Reduce" << 8 * 4;
  }
  void allPairsThatCountTwice() {
    QFETCH(QString, program);
    QFETCH(int, count);
    const System system = test::valueOf(parseSystem("node:2 gpu:4"));
    const Placement placement = test::wholeReduction(system);
    const SynthesisHierarchy hierarchy(system, placement);
    const ProgramTrace trace = traceOf(placement, hierarchy, qPrintable(program));
    const FailingPairs all = failingPairs(placement, trace, 100000);
    std::set<Pair> found;
    for (const PremiseFailure& pair : all.pairs) {
      QCOMPARE(pair.premise, Premise::ColumnsDisjoint);
      found.insert({pair.members[0].value(), pair.members[1].value(), pair.rows[0]});
      for (const int column : test::filled(pair.columns)) {
        QVERIFY(trace.matrixOf(pair.members[0], 1).test(pair.rows[0], column));
        QVERIFY(trace.matrixOf(pair.members[1], 1).test(pair.rows[0], column));
      }
    }
    const std::set<Pair> expected = overlapsOf(trace);
    QVERIFY(found == expected);
    QCOMPARE(all.count, std::int64_t(expected.size()));
    QCOMPARE(int(expected.size()), count);
    const FailingPairs few = failingPairs(placement, trace, 3);
    QCOMPARE(few.count, all.count);
    QCOMPARE(few.pairs.size(), 3u);
    QVERIFY(std::equal(few.pairs.begin(), few.pairs.end(), all.pairs.begin()));
  }

  // Whatever a program fails of, the first of its pairs is what its trace says, and all of them break some premise.
  void theFirstPairIsTheFailure_data() {
    QTest::addColumn<Goal>("goal");
    for (const Goal& goal : goals()) QTest::newRow(std::string(goal.name).c_str()) << goal;
  }
  void theFirstPairIsTheFailure() {
    QFETCH(Goal, goal);
    std::set<Premise> seen;
    for (const std::vector<std::int64_t>& sizes : {std::vector<std::int64_t>{2, 3}, {3, 2}, {2, 2, 2}}) {
      const test::ExplicitWays ways(sizes, RuleSet::All, goal);
      for (std::size_t i = 0; i < ways.nodes.size(); i += 1 + ways.nodes.size() / 20) {
        for (const GroupPattern& pattern : groupPatterns(ways.hierarchy.levelCount())) {
          for (const Collective collective : kCollectives) {
            Program program = ways.nodes[i].program;
            program.push_back({pattern, collective});
            const auto trace =
                test::valueOf(ProgramTrace::run(ways.placement, ways.hierarchy, program, RuleSet::All, goal));
            const FailingPairs all = failingPairs(ways.placement, trace, 10);
            QCOMPARE(all.count > 0, trace.failure() && trace.failure()->premise);
            if (all.count == 0) continue;
            seen.insert(all.pairs[0].premise);
            QCOMPARE(all.pairs[0].sentence, trace.failure()->sentence);
            QVERIFY(!all.representatives);
            const auto folded =
                test::valueOf(ProgramTrace::runCompactly(ways.placement, ways.hierarchy, program, RuleSet::All, goal));
            const FailingPairs some = failingPairs(ways.placement, folded, 10);
            QVERIFY(some.representatives && some.count > 0 && some.count <= all.count);
          }
        }
      }
    }
    QVERIFY(!seen.empty());
  }

  void missingParts_data() {
    QTest::addColumn<QString>("goal");
    QTest::addColumn<QString>("program");
    QTest::addColumn<int>("count");
    QTest::addColumn<QString>("first");
    QTest::newRow("half summed") << "AllReduce"
                                 << "node:InsideGroup:AllReduce" << 8 * 8
                                 << "device 0 lacks the parts of devices 4, 5, 6 and 7 in chunk 0";
    QTest::newRow("still scattered") << "AllReduce"
                                     << "root:InsideGroup:ReduceScatter" << 8 * 7
                                     << "device 0 holds nothing of chunk 1";
    QTest::newRow("nothing done") << "AllReduce"
                                  << "" << 8 * 8 << "device 0 lacks the parts of devices 1, 2, 3 and 4 more in chunk 0";
    QTest::newRow("others still hold") << "Reduce"
                                       << "root:InsideGroup:AllReduce" << 7 * 8
                                       << "device 1 still holds chunk 0, which only the root should";
    QTest::newRow("not scattered") << "ReduceScatter"
                                   << "root:InsideGroup:AllReduce" << 8
                                   << "device 0 holds 8 chunks, where it should hold one chunk";
  }
  void missingParts() {
    QFETCH(QString, goal);
    QFETCH(QString, program);
    QFETCH(int, count);
    QFETCH(QString, first);
    const System system = test::valueOf(parseSystem("node:2 gpu:4"));
    const Placement placement = test::wholeReduction(system);
    const SynthesisHierarchy hierarchy(system, placement);
    const Goal wanted = test::valueOf(goalFrom(goal.toStdString()));
    const Program steps = program.isEmpty() ? Program{} : test::valueOf(parseProgram(hierarchy, program.toStdString()));
    const auto trace = test::valueOf(ProgramTrace::run(placement, hierarchy, steps, RuleSet::Paper, wanted));
    const MissingParts parts = p2::missingParts(placement, trace, 5);
    QCOMPARE(int(parts.count), count);
    QCOMPARE(QString::fromStdString(parts.parts[0].sentence), first);
  }

  void largeGroupsByTheirKinds() {
    const System system = test::systemOf({16, 32});
    const Placement placement = test::wholeReduction(system);
    const SynthesisHierarchy hierarchy(system, placement);
    const FailingPairs pairs = failingPairs(
        placement, traceOf(placement, hierarchy, "a:InsideGroup:AllReduce; root:InsideGroup:AllReduce"), 20);
    QVERIFY(pairs.representatives);
    QVERIFY(pairs.count > 1);
    QCOMPARE(pairs.pairs[0].premise, Premise::ColumnsDisjoint);
    const MissingParts missing =
        p2::missingParts(placement, traceOf(placement, hierarchy, "a:InsideGroup:AllReduce"), 20);
    QVERIFY(missing.representatives);
    QCOMPARE(missing.parts[0].device, Device(0));
  }

  // Hints reach the goal, by one change wherever there is one at all.
  void hintsReachTheGoal() {
    int near = 0;
    for (const RuleSet rules : {RuleSet::Paper, RuleSet::All}) {
      const test::ExplicitWays ways({2, 3}, rules, kAllReduceGoal);
      for (const auto& node : ways.nodes) {
        const auto hint = programHint(ways.hierarchy, node.program, rules, kAllReduceGoal);
        QCOMPARE(hint.has_value(), !node.goal);
        if (!hint) continue;
        const auto trace =
            test::valueOf(ProgramTrace::run(ways.placement, ways.hierarchy, hint->program, rules, kAllReduceGoal));
        QVERIFY2(trace.complete(), hint->sentence.c_str());
        // Of one more step at the end nothing is nearer than that, or another single change.
        if (node.distance != 1) continue;
        QVERIFY(hint->change != ProgramHint::Change::GoOn);
        ++near;
      }
    }
    QVERIFY(near > 10);
  }

  void hintsAreNear_data() {
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("groups") << "node:InsideGroup:AllReduce; node:InsideGroup:AllReduce"
                            << "make step 2 AllReduce across nodes";
    QTest::newRow("collective") << "root:InsideGroup:Broadcast"
                                << "make step 1 AllReduce over all devices";
    QTest::newRow("too short") << "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce"
                               << "add AllGather inside each node at the end";
    QTest::newRow("too long") << "root:InsideGroup:AllReduce; node:InsideGroup:AllReduce"
                              << "end the program before step 2: the goal is reached there";
  }
  void hintsAreNear() {
    QFETCH(QString, program);
    QFETCH(QString, sentence);
    const System system = test::valueOf(parseSystem("node:2 gpu:4"));
    const SynthesisHierarchy hierarchy(system, test::wholeReduction(system));
    const auto hint = programHint(hierarchy, test::valueOf(parseProgram(hierarchy, program.toStdString())),
                                  RuleSet::Paper, kAllReduceGoal);
    QVERIFY(hint.has_value());
    QCOMPARE(QString::fromStdString(hint->sentence), sentence);
  }
};

QTEST_APPLESS_MAIN(TestWrongStep)
#include "tst_wrong_step.moc"
