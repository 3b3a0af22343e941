// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>

#include "support/fixtures.h"
#include "support/reach.h"
#include "synthesis/execution.h"
#include "synthesis/folded_state.h"

using namespace p2;

// The compact engine against the explicit bit matrices, its oracle.
class TestCompactState : public QObject {
  Q_OBJECT

  static std::size_t classOf(std::int64_t member, const std::vector<std::int64_t>& sizes) {
    std::size_t entry = 0;
    for (std::size_t level = sizes.size(); level-- > 0; member /= sizes[level]) {
      if (member % sizes[level] != 0) entry |= std::size_t{1} << level;
    }
    return entry;
  }
  /// The bit matrix of one device. O(k²/64).
  static DeviceState bitsOf(const FoldedState& folded) {
    DeviceState result(static_cast<int>(folded.size));
    for (const ChunkRange& rows : folded.rows) {
      for (std::int64_t row = rows.from; row < rows.to; ++row) {
        for (const ChunkRange& columns : folded.columns) {
          for (std::int64_t column = columns.from; column < columns.to; ++column) {
            result.set(static_cast<int>(row), static_cast<int>(column));
          }
        }
      }
    }
    return result;
  }

  static std::set<Program> programsOf(const StateGraph& graph, int limit) {
    std::set<Program> programs;
    Program prefix;
    collect(graph, StateGraph::start(), limit, prefix, programs);
    return programs;
  }
  static void collect(const StateGraph& graph, int node, int left, Program& prefix, std::set<Program>& programs) {
    if (graph.isGoal(node)) programs.insert(prefix);
    if (graph.distance(node) > left) return;
    for (std::size_t e = graph.firstEdge(node); e < graph.firstEdge(node + 1); ++e) {
      prefix.push_back(graph.edges()[e].instruction);
      collect(graph, graph.edges()[e].target, left - 1, prefix, programs);
      prefix.pop_back();
    }
  }

 private slots:
  void sameProgramsAndStatesEverywhere_data() {
    QTest::addColumn<QString>("rules");
    QTest::addColumn<int>("levels");
    for (const QString& rules : {QStringLiteral("paper"), QStringLiteral("all")}) {
      for (int levels = 1; levels <= 4; ++levels) {
        QTest::newRow(qPrintable(QStringLiteral("%1, %2 levels").arg(rules).arg(levels))) << rules << levels;
      }
    }
  }
  void sameProgramsAndStatesEverywhere() {
    QFETCH(QString, rules);
    QFETCH(int, levels);
    const RuleSet ruleSet = test::ruleSetOf(rules.toStdString());
    for (const auto& sizes : test::hierarchiesUpTo(test::reach(24, 16), 4)) {
      if (int(sizes.size()) != levels) continue;
      const int limit = sizes.size() >= 4 ? 5 : sizes.size() == 3 ? 7 : 8;
      const System system = test::systemOf(sizes);
      const Placement placement = test::wholeReduction(system);
      const SynthesisHierarchy hierarchy(system, placement);
      const auto explicitly = test::valueOf(enumerateExplicitly(placement, hierarchy, ruleSet, limit));
      const auto graph = test::valueOf(StateGraph::build(sizes, ruleSet));
      const auto compactly = programsOf(*graph, limit);
      QCOMPARE(compactly, std::set<Program>(explicitly.begin(), explicitly.end()));
      QCOMPARE(graph->countsUpTo(limit).back(), Count(explicitly.size()));
      // Every tenth program's states, device by device; all of them where there are few.
      for (std::size_t i = 0; i < explicitly.size(); i += explicitly.size() < 2000 ? 1 : 10) {
        const auto execution = test::valueOf(execute(placement, hierarchy, explicitly[i], ruleSet));
        const CompactExecution compact = test::valueOf(executeCompactly(hierarchy, explicitly[i], ruleSet));
        const std::vector<CompactState>& states = compact.states;
        QVERIFY(execution.complete);
        QVERIFY(compact.complete && !compact.refusal);
        QCOMPARE(states.size(), execution.states.size());
        for (std::size_t step = 0; step < states.size(); ++step) {
          for (const MemberId member : IdRange<MemberId>(hierarchy.deviceCount())) {
            const FoldedState folded = foldedState(states[step], sizes, member);
            QVERIFY(bitsOf(folded) == execution.states[step][member.index()]);
            const std::int64_t most = mostRuns(states[step].classes[classOf(member.value(), sizes)], sizes);
            QVERIFY(std::ssize(folded.rows) <= most && std::ssize(folded.columns) <= most);
          }
        }
      }
    }
  }

  // A Broadcast to members whose chunks were cut in another order than the root's: whether they lie within the root's
  // depends on the sizes. With 2·2·2 they do and with 3·2·2 they do not, so `all` has two programs fewer there.
  void theRuleSetAllDependsOnTheSizes() {
    const auto even = test::valueOf(StateGraph::build({2, 2, 2}, RuleSet::All));
    const auto odd = test::valueOf(StateGraph::build({3, 2, 2}, RuleSet::All));
    QCOMPARE(even->countsUpTo(7).back(), Count(8749));
    QCOMPARE(odd->countsUpTo(7).back(), Count(8747));
  }
};

QTEST_APPLESS_MAIN(TestCompactState)
#include "tst_compact_state.moc"
