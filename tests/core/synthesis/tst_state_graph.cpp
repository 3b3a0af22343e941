// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "synthesis/state_graph.h"

using namespace p2;

class TestStateGraph : public QObject {
  Q_OBJECT
 private slots:
  // Programs by number of non-unit levels, cumulative over the size limit. The first four columns of `paper` and all
  // of the totals per configuration are the paper's own numbers.
  void counts_data() {
    QTest::addColumn<QList<int>>("sizes");
    QTest::addColumn<QString>("rules");
    QTest::addColumn<QList<int>>("counts");
    const auto row = [](const char* rules, const QList<int>& sizes, const QList<int>& counts) {
      QStringList names;
      for (const int size : sizes) names.append(QString::number(size));
      QTest::newRow(qPrintable(QLatin1String(rules) + QLatin1Char(' ') + names.join(QStringLiteral("·"))))
          << sizes << QString::fromLatin1(rules) << counts;
    };
    for (const int size : {2, 7, 64}) row("paper", {size}, {1, 3, 3});
    for (const QList<int>& sizes : {QList<int>{2, 2}, {2, 4}, {4, 2}, {3, 2}, {4, 16}, {256, 256}}) {
      row("paper", sizes, {1, 5, 24, 47, 47});
      row("all", sizes, {1, 5, 29, 71, 93, 93});
    }
    for (const QList<int>& sizes : {QList<int>{2, 2, 2}, {2, 3, 2}, {4, 2, 2}, {16, 64, 64}}) {
      row("paper", sizes, {1, 7, 54, 243, 721, 1147, 1147});
    }
    for (const QList<int>& sizes : {QList<int>{2, 2, 2, 2}, {16, 16, 16, 16}}) {
      row("paper", sizes, {1, 9, 93, 640, 3385, 12808, 31773, 46783, 46783});
    }
    row("all", {5}, {1, 3, 3});
    row("all", {2, 2, 2}, {1, 7, 66, 385, 1635, 4576, 8749});
    row("all", {2, 2, 2, 2}, {1, 9, 114, 1054, 7636, 44249});
  }
  void counts() {
    QFETCH(QList<int>, sizes);
    QFETCH(QString, rules);
    QFETCH(QList<int>, counts);
    const auto graph =
        test::valueOf(StateGraph::build({sizes.begin(), sizes.end()}, test::ruleSetOf(rules.toStdString())));
    QList<int> found;
    for (const Count& count : graph->countsUpTo(int(counts.size()))) found.append(int(count.clamped64()));
    QCOMPARE(found, counts);
  }

  void everyNodeLiesOnAProgram() {
    for (const RuleSet rules : {RuleSet::Paper, RuleSet::All}) {
      const auto graph = test::valueOf(StateGraph::build({2, 3, 2}, rules));
      std::vector<bool> reached(std::size_t(graph->nodeCount()), false);
      reached[0] = true;
      int goals = 0;
      for (int node = 0; node < graph->nodeCount(); ++node) {
        QVERIFY(reached[std::size_t(node)]);
        QCOMPARE(graph->isGoal(node), graph->firstEdge(node) == graph->firstEdge(node + 1));
        goals += graph->isGoal(node) ? 1 : 0;
        for (std::size_t e = graph->firstEdge(node); e < graph->firstEdge(node + 1); ++e) {
          reached[std::size_t(graph->edges()[e].target)] = true;
        }
      }
      QCOMPARE(goals, 1);
    }
  }

  // A graph built for short programs has fewer states, but every short program.
  void aLimitLosesNoProgram() {
    for (const RuleSet rules : {RuleSet::Paper, RuleSet::All}) {
      const auto whole = test::valueOf(StateGraph::build({2, 3, 2}, rules));
      for (int limit = 1; limit <= 7; ++limit) {
        const auto bounded = test::valueOf(StateGraph::build({2, 3, 2}, rules, limit));
        QCOMPARE(bounded->countsUpTo(limit), whole->countsUpTo(limit));
        QVERIFY(limit > 3 || bounded->nodeCount() < whole->nodeCount());
      }
    }
  }

  // Programs of at most five steps over five and six levels; at most nine under `paper`.
  void manyLevels() {
    const auto total = [](int levels, RuleSet rules, int limit) {
      const auto graph =
          test::valueOf(StateGraph::build(std::vector<std::int64_t>(std::size_t(levels), 2), rules, limit));
      return graph->countsUpTo(limit).back().toString();
    };
    QCOMPARE(total(5, RuleSet::Paper, 9), std::string("2095043"));
    QCOMPARE(total(6, RuleSet::Paper, 9), std::string("29724614"));
    QCOMPARE(total(5, RuleSet::All, 5), std::string("22680"));
  }

  void tooManyLevelsAreRefused() {
    const auto graph = StateGraph::build(std::vector<std::int64_t>(9, 2), RuleSet::Paper);
    QVERIFY(!graph.ok());
    QCOMPARE(graph.error().kind, ErrorKind::TooLarge);
  }

  void stopsWhenAsked() {
    std::stop_source source;
    source.request_stop();
    const auto graph = StateGraph::build({2, 2, 2}, RuleSet::Paper, kNoLimit, source.get_token());
    QCOMPARE(graph.error().kind, ErrorKind::Cancelled);
  }
};

QTEST_APPLESS_MAIN(TestStateGraph)
#include "tst_state_graph.moc"
