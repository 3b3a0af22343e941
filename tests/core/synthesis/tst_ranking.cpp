// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRandomGenerator>
#include <QTest>
#include <algorithm>

#include "support/filled.h"
#include "support/fixtures.h"
#include "synthesis/ranking.h"

using namespace p2;

class TestRanking : public QObject {
  Q_OBJECT

  struct Listed {
    double seconds;
    std::size_t size;
    std::vector<std::size_t> edges;
    friend auto operator<=>(const Listed&, const Listed&) = default;
  };

  static void list(const StateGraph& graph, const std::vector<double>& seconds, int node, int left, Listed prefix,
                   std::vector<Listed>& all) {
    if (graph.isGoal(node)) all.push_back(prefix);
    if (left == 0) return;
    for (std::size_t e = graph.firstEdge(node); e < graph.firstEdge(node + 1); ++e) {
      Listed longer = prefix;
      longer.seconds += seconds[e];
      ++longer.size;
      longer.edges.push_back(e);
      list(graph, seconds, graph.edges()[e].target, left - 1, longer, all);
    }
  }

 private slots:
  void equalsTheSortedEnumeration() {
    QRandomGenerator random(7);
    for (const auto& [sizes, rules, limit] : {std::tuple{std::vector<std::int64_t>{2, 3}, RuleSet::Paper, 5},
                                              {std::vector<std::int64_t>{2, 3}, RuleSet::All, 6},
                                              {std::vector<std::int64_t>{2, 2, 2}, RuleSet::Paper, 5},
                                              {std::vector<std::int64_t>{2, 2, 2}, RuleSet::All, 4}}) {
      const auto graph = test::valueOf(StateGraph::build(sizes, rules));
      for (int round = 0; round < 20; ++round) {
        // Few distinct small costs make many ties.
        std::vector<double> seconds;
        for (std::size_t e = 0; e < graph->edges().size(); ++e) {
          seconds.push_back(random.bounded(round % 2 == 0 ? 4 : 1000));
        }
        std::vector<Listed> all;
        list(*graph, seconds, StateGraph::start(), limit, {0, 0, {}}, all);
        std::sort(all.begin(), all.end());
        ProgramRanking ranking(graph, seconds, limit);
        for (const Listed& expected : test::filled(all)) {
          QCOMPARE(ranking.peekSeconds().value(), expected.seconds);
          const auto next = ranking.next();
          QCOMPARE(next->seconds, expected.seconds);
          QCOMPARE(next->edges, expected.edges);
        }
        QVERIFY(!ranking.next());
        QVERIFY(!ranking.peekSeconds());
      }
    }
  }

  void theFirstOfVeryManyComesAtOnce() {
    const auto graph = test::valueOf(StateGraph::build({16, 16, 16, 16, 16}, RuleSet::Paper));
    ProgramRanking ranking(graph, std::vector<double>(graph->edges().size(), 1.0), 9);
    QVERIFY(graph->countsUpTo(9).back() > Count(1'000'000));
    QCOMPARE(ranking.next()->program.size(), 1u);
    QCOMPARE(ranking.next()->program.size(), 2u);
  }

  void costsOfNothingAreAllowed() {
    const auto graph = test::valueOf(StateGraph::build({4}, RuleSet::Paper));
    ProgramRanking ranking(graph, std::vector<double>(graph->edges().size(), 0.0), 5);
    int programs = 0;
    while (ranking.next()) ++programs;
    QCOMPARE(programs, 3);
  }
};

QTEST_APPLESS_MAIN(TestRanking)
#include "tst_ranking.moc"
