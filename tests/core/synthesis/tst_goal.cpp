// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "support/goals.h"
#include "synthesis/execution.h"
#include "synthesis/program_count.h"
#include "synthesis/state_graph.h"

using namespace p2;

namespace {

constexpr std::array kEveryGoal{kReduceScatterGoal, kAllGatherGoal, kReduceGoal,
                                kLooseReduceGoal,   kBroadcastGoal, test::kPlainBroadcastGoal,
                                kScatterGoal,       kAllToAllGoal};

}  // namespace

// Goals other than AllReduce, made from data alone: programs as an independent enumerator counts them.
class TestGoal : public QObject {
  Q_OBJECT

  static QList<int> numbers(const std::vector<Count>& counts) {
    QList<int> result;
    for (const Count& count : counts) result.append(int(count.clamped64()));
    return result;
  }

 private slots:
  void distributions() {
    QCOMPARE(kOwnData.stateOf(2, 1).text(), std::string(".1/.1"));
    QCOMPARE(kSumScattered.stateOf(2, 1).text(), std::string("../11"));
    QCOMPARE(kSumEverywhere.stateOf(2, 1).text(), std::string("11/11"));
    QCOMPARE(kSumAtRoot.stateOf(2, 0).text(), std::string("11/11"));
    QCOMPARE(kSumAtRoot.stateOf(2, 1).text(), std::string("../.."));
  }

  void counts_data() {
    QTest::addColumn<Goal>("goal");
    QTest::addColumn<QList<int>>("sizes");
    QTest::addColumn<RuleSet>("rules");
    QTest::addColumn<QList<int>>("counts");
    const auto row = [](const Goal& goal, const QList<int>& sizes, RuleSet rules, const QList<int>& counts) {
      QStringList names;
      for (const int size : sizes) names.append(QString::number(size));
      QTest::newRow(qPrintable(QString("%1 %2 %3")
                                   .arg(QString::fromUtf8(goal.name.data(), qsizetype(goal.name.size())),
                                        names.join("·"), rules == RuleSet::All ? "all" : "paper")))
          << goal << sizes << rules << counts;
    };
    for (const Goal& goal : {kReduceScatterGoal, kAllGatherGoal, kAllToAllGoal}) {
      for (const QList<int>& sizes : {QList<int>{2}, {7}}) row(goal, sizes, RuleSet::Paper, {1, 1});
      for (const QList<int>& sizes : {QList<int>{2, 2}, {2, 3}, {4, 16}}) row(goal, sizes, RuleSet::Paper, {1, 3, 3});
      for (const QList<int>& sizes : {QList<int>{2, 2, 2}, {3, 2, 2}}) row(goal, sizes, RuleSet::Paper, {1, 5, 11, 11});
      row(goal, {2, 2, 2, 2}, RuleSet::Paper, {1, 7, 25, 49, 49});
      row(goal, {2, 2, 2, 2, 2}, RuleSet::Paper, {1, 9, 45, 141, 261, 261});
    }
    row(kAllGatherGoal, {2, 2, 2}, RuleSet::All, {1, 5, 16, 39, 65});
    row(kAllGatherGoal, {2, 2}, RuleSet::All, {1, 3, 5, 5});
    row(kReduceGoal, {2, 2}, RuleSet::Paper, {1, 2, 2});
    row(kLooseReduceGoal, {2, 2}, RuleSet::Paper, {2, 9, 27, 38, 38});
    row(kLooseReduceGoal, {2, 2, 2}, RuleSet::Paper, {2, 15, 67, 256, 616});
    row(kLooseReduceGoal, {2, 2}, RuleSet::All, {2, 11, 37, 56});
    row(test::kPlainBroadcastGoal, {2, 2}, RuleSet::Paper, {1, 1, 1});
    row(test::kPlainBroadcastGoal, {2, 2, 2}, RuleSet::Paper, {1, 1, 1});
    row(test::kPlainBroadcastGoal, {2, 2}, RuleSet::All, {1, 3, 3});
    row(test::kPlainBroadcastGoal, {2, 2, 2}, RuleSet::All, {1, 6, 12, 12});
    row(kBroadcastGoal, {2, 2}, RuleSet::Paper, {1, 2, 8, 11, 11});
    row(kBroadcastGoal, {2, 2}, RuleSet::All, {1, 4, 11, 18, 20});
    row(kScatterGoal, {2, 2}, RuleSet::Paper, {1, 2, 2});
    row(kScatterGoal, {2, 3, 2}, RuleSet::Paper, {1, 3, 4, 4});
  }
  void counts() {
    QFETCH(Goal, goal);
    QFETCH(QList<int>, sizes);
    QFETCH(RuleSet, rules);
    QFETCH(QList<int>, counts);
    const std::vector<std::int64_t> levels(sizes.begin(), sizes.end());
    const auto limit = int(counts.size());
    const auto graph = test::valueOf(StateGraph::build(levels, rules, kNoLimit, {}, goal));
    QCOMPARE(numbers(graph->countsUpTo(limit)), counts);
    QCOMPARE(numbers(test::valueOf(countPrograms(levels, rules, limit, {}, goal))), counts);
  }

  // Bit matrices and compact states list the same programs, and both reach the goal with each of them.
  void bothEnginesAgree() {
    int programs = 0;
    for (const Goal& goal : kEveryGoal) {
      for (const auto& sizes : test::hierarchiesUpTo(12, 3)) {
        const System system = test::systemOf(sizes);
        const Placement placement = test::wholeReduction(system);
        const SynthesisHierarchy hierarchy(system, placement);
        for (const RuleSet rules : {RuleSet::Paper, RuleSet::All}) {
          const auto listed = test::valueOf(enumerateExplicitly(placement, hierarchy, rules, 3, goal));
          QCOMPARE(Count(listed.size()), test::valueOf(countPrograms(sizes, rules, 3, {}, goal)).back());
          for (const Program& program : listed) {
            QVERIFY(test::valueOf(execute(placement, hierarchy, program, rules, goal)).complete);
            QVERIFY(test::valueOf(executeCompactly(hierarchy, program, rules, goal)).complete);
            ++programs;
          }
        }
      }
    }
    QVERIFY(programs > 200);
  }

  // Scattered level by level from the inside, the chunks lie in another order than the devices.
  void chunksMayBeScatteredInAnyOrder() {
    const System system = test::systemOf({2, 3});
    const Placement placement = test::wholeReduction(system);
    const SynthesisHierarchy hierarchy(system, placement);
    const Program program =
        test::valueOf(parseProgram(hierarchy, "a:InsideGroup:ReduceScatter; a:Parallel(root):ReduceScatter"));
    const Execution execution =
        test::valueOf(execute(placement, hierarchy, program, RuleSet::Paper, kReduceScatterGoal));
    QVERIFY(execution.complete);
    QList<int> order;
    for (const DeviceState& state : execution.states.back()) order.append(state.rows()[0]);
    QCOMPARE(order, (QList<int>{0, 2, 4, 1, 3, 5}));
    QVERIFY(!test::valueOf(execute(placement, hierarchy, program, RuleSet::Paper)).complete);
  }
};

QTEST_APPLESS_MAIN(TestGoal)
#include "tst_goal.moc"
