// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <map>

#include "support/fixtures.h"
#include "support/goals.h"
#include "support/reach.h"
#include "synthesis/detail/explicit_engine.h"
#include "synthesis/detail/state_space.h"
#include "synthesis/program_count.h"

using namespace p2;

class TestProgramCount : public QObject {
  Q_OBJECT

  /// Programs of at most 1 … `limit` steps, of a graph given by its edges; node 0 is the start.
  static std::vector<Count> countsOf(const std::vector<std::vector<int>>& targets, const std::vector<int>& goals,
                                     int limit) {
    std::vector<Count> exactly(targets.size(), 0);
    for (const int goal : goals) exactly[std::size_t(goal)] = 1;
    std::vector<Count> totals;
    Count total = exactly[0];
    for (int size = 1; size <= limit; ++size) {
      std::vector<Count> longer(targets.size(), 0);
      for (std::size_t node = 0; node < targets.size(); ++node) {
        for (const int target : targets[node]) longer[node] += exactly[std::size_t(target)];
      }
      exactly = longer;
      totals.push_back(total += exactly[0]);
    }
    return totals;
  }

  /// By search over bit matrices, every state told from every other.
  static std::vector<Count> explicitCounts(const std::vector<std::int64_t>& sizes, RuleSet rules, int limit,
                                           const Goal& wanted = kAllReduceGoal) {
    const System system = test::systemOf(sizes);
    const Placement placement = test::wholeReduction(system);
    const SynthesisHierarchy hierarchy(system, placement);
    ExplicitEngine engine(placement, hierarchy, rules, wanted);
    std::map<ExplicitEngine::States, int> numbers{{engine.initial(), 0}};
    std::vector<const ExplicitEngine::States*> states{&numbers.begin()->first};
    std::vector<std::vector<int>> targets;
    std::vector<int> goals;
    for (std::size_t node = 0; node < states.size(); ++node) {
      targets.emplace_back();
      if (engine.isGoal(*states[node])) {
        goals.push_back(int(node));
        continue;
      }
      for (const GroupPattern& pattern : groupPatterns(hierarchy.levelCount())) {
        for (const Collective collective : kCollectives) {
          auto outcome = engine.apply(*states[node], {pattern, collective});
          auto* after = std::get_if<ExplicitEngine::States>(&outcome);
          if (after == nullptr) continue;
          const auto [found, isNew] = numbers.try_emplace(std::move(*after), int(states.size()));
          if (isNew) states.push_back(&found->first);
          targets.back().push_back(found->second);
        }
      }
    }
    return countsOf(targets, goals, limit);
  }

  /// By search over compact states, every state told from every other.
  static std::vector<Count> unreducedCounts(const std::vector<std::int64_t>& sizes, RuleSet rules, int limit) {
    StateSpace space(sizes, rules, limit);
    std::map<CompactState, int> numbers{{space.first(), 0}};
    std::vector<const CompactState*> states{&numbers.begin()->first};
    std::vector<std::vector<int>> targets;
    std::vector<int> goals;
    for (std::size_t node = 0; node < states.size(); ++node) {
      if (space.isGoal(*states[node])) goals.push_back(int(node));
      targets.emplace_back();
      for (StateSpace::Step& step : space.stepsFrom(*states[node], 0)) {
        const auto [found, isNew] = numbers.try_emplace(std::move(step.after), int(states.size()));
        if (isNew) states.push_back(&found->first);
        targets.back().push_back(found->second);
      }
    }
    return countsOf(targets, goals, limit);
  }

 private slots:
  void agreesWithSearchOverBitMatrices() {
    for (const RuleSet rules : {RuleSet::Paper, RuleSet::All}) {
      for (const auto& sizes : test::hierarchiesUpTo(test::reach(24, 16), 3)) {
        QCOMPARE(test::valueOf(countPrograms(sizes, rules, 10)), explicitCounts(sizes, rules, 10));
      }
    }
  }

  // What the search leaves out as leading nowhere does lead nowhere, whatever the goal: bit matrices are searched to
  // the very end, with nothing left out.
  void agreesWithSearchOverBitMatricesForEveryGoal_data() {
    QTest::addColumn<Goal>("goal");
    for (const Goal& goal : {kReduceScatterGoal, kAllGatherGoal, kReduceGoal, kLooseReduceGoal, kBroadcastGoal,
                             test::kPlainBroadcastGoal, kScatterGoal, kAllToAllGoal}) {
      QTest::newRow(std::string(goal.name).c_str()) << goal;
    }
  }
  void agreesWithSearchOverBitMatricesForEveryGoal() {
    QFETCH(Goal, goal);
    for (const RuleSet rules : {RuleSet::Paper, RuleSet::All}) {
      for (const auto& sizes : test::hierarchiesUpTo(test::reach(16, 12), 3)) {
        QCOMPARE(test::valueOf(countPrograms(sizes, rules, 10, {}, goal)), explicitCounts(sizes, rules, 10, goal));
      }
    }
  }

  void agreesWithStatesInFull() {
    for (const RuleSet rules : {RuleSet::Paper, RuleSet::All}) {
      for (const auto& sizes : test::hierarchiesUpTo(test::reach(24, 16), 4)) {
        if (sizes.size() < 4) continue;
        QCOMPARE(test::valueOf(countPrograms(sizes, rules, 15)), unreducedCounts(sizes, rules, 15));
      }
    }
  }

  // Under `all`, by size limit; those of up to 32 devices were found by search over bit matrices, too.
  void counts_data() {
    QTest::addColumn<QList<int>>("sizes");
    QTest::addColumn<QString>("counts");
    QTest::newRow("2·2·2·2") << QList<int>{2, 2, 2, 2}
                             << "1 9 114 1054 7636 44249 202302 720398 1992250 4303017 7350839 10132906 11709075 "
                                "12120699 12120699";
    QTest::newRow("3·2·2·2") << QList<int>{3, 2, 2, 2}
                             << "1 9 114 1054 7636 44249 202269 719932 1988508 4285033 7295130 10014746 11532607 "
                                "11921611 11921611";
    QTest::newRow("2·2·2·2·2") << QList<int>{2, 2, 2, 2, 2}
                               << "1 11 173 2201 22680 198964 1495285 9584519 51920214 236505902 904091584 2902343953 "
                                  "7831388213 17766629617 33906060767 54561844270 74615307260 88458711038 94484893503 "
                                  "95720774167 95720774167";
    QTest::newRow("2·2·2·2·2·2, up to 5 steps") << QList<int>{2, 2, 2, 2, 2, 2} << "1 13 243 3963 53403";
  }
  void counts() {
    QFETCH(QList<int>, sizes);
    QFETCH(QString, counts);
    const int limit = int(counts.count(QLatin1Char(' '))) + 1;
    QStringList found;
    for (const Count& count : test::valueOf(countPrograms({sizes.begin(), sizes.end()}, RuleSet::All, limit))) {
      found.append(QString::fromStdString(count.toString()));
    }
    QCOMPARE(found.join(QLatin1Char(' ')), counts);
  }

  void agreesWithTheGraph() {
    for (const RuleSet rules : {RuleSet::Paper, RuleSet::All}) {
      const auto graph = test::valueOf(StateGraph::build({2, 3, 2, 2}, rules));
      QCOMPARE(test::valueOf(countPrograms({2, 3, 2, 2}, rules, 15)), graph->countsUpTo(15));
      QCOMPARE(test::valueOf(countPrograms({2, 3, 2, 2}, rules, 4)), graph->countsUpTo(4));
    }
  }

  void refusesAndStops() {
    QCOMPARE(countPrograms(std::vector<std::int64_t>(9, 2), RuleSet::Paper, 5).error().kind, ErrorKind::TooLarge);
    std::stop_source source;
    source.request_stop();
    QCOMPARE(countPrograms({2, 2, 2}, RuleSet::Paper, 5, source.get_token()).error().kind, ErrorKind::Cancelled);
  }
};

QTEST_APPLESS_MAIN(TestProgramCount)
#include "tst_program_count.moc"
