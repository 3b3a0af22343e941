// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <limits>

#include "strategy/graph_repeats.h"
#include "strategy/strategy_problem.h"
#include "support/warnings.h"

using namespace p2;

namespace {

/// Two vertices of two and three configurations, one edge.
StrategyProblem small() {
  StrategyProblem problem;
  problem.domains = {{{{1}, {2}}, {4, 1}}, {{{1, 1}, {1, 2}, {2, 1}}, {3, 2, 1}}};
  problem.vertices = {{"a", 0}, {"b", 1}};
  problem.tables = {{2, 3, {0, 5, 6, 7, 0, 9}}};
  problem.edges = {{0, 1, 0}};
  return problem;
}

}  // namespace

class TestStrategyProblem : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void sumsVerticesAndEdges() {
    StrategyProblem problem = small();
    QCOMPARE(costOf(problem, {1, 2}), 1.0 + 1 + 9);
    problem.edges.push_back({0, 1, 0});
    QCOMPARE(costOf(problem, {1, 2}), 1.0 + 1 + 9 + 9);
    QCOMPARE(costOf(StrategyProblem(), {}), 0.0);
  }

  // Tables of costs may have edges in a circle, and then no order says what follows what.
  void circlesAreNotFolded() {
    StrategyProblem problem = small();
    problem.edges.push_back({1, 0, 0});
    QVERIFY(repeatsOf(problem, nullptr).empty());
  }

  void findsTheStep_data() {
    QTest::addColumn<double>("cost");
    QTest::addColumn<double>("step");
    QTest::newRow("whole") << 7.0 << 1.0;
    QTest::newRow("quarters") << 0.75 << 0.25;
    QTest::newRow("large and whole") << 0x1p50 << 1.0;
    QTest::newRow("thirds keep 52 bits of the dearest strategy") << 1.0 / 3 << 0x1p-48;
    QTest::newRow("too large for steps of 1") << 0x1p60 << 0x1p9;
    QTest::newRow("tiny") << 0x1p-1070 << std::numeric_limits<double>::min();
  }
  void findsTheStep() {
    QFETCH(double, cost);
    QFETCH(double, step);
    StrategyProblem problem = small();
    problem.domains[0].costs[0] = cost;
    QCOMPARE(costStep(problem), step);
  }

  void acceptsWhatCanBeSolved() {
    const auto problem = validated(small());
    QVERIFY(problem.ok());
    QVERIFY(*problem == small());
    QVERIFY(validated(StrategyProblem()).ok());
  }

  void refusesWhatCannot_data() {
    QTest::addColumn<int>("mistake");
    QTest::addColumn<QString>("text");
    QTest::newRow("no configurations") << 0 << "/domains/1: a domain without configurations; give one or more";
    QTest::newRow("costs missing") << 1 << "/domains/0: 1 cost for 2 configurations; give one each";
    QTest::newRow("negative") << 2 << "/domains/1/cost/2: -1 is not a cost; use 0 to 1e290";
    QTest::newRow("nan") << 3 << "/tables/0/1/0: nan is not a cost; use 0 to 1e290";
    QTest::newRow("infinite") << 4 << "/tables/0/0/2: inf is not a cost; use 0 to 1e290";
    QTest::newRow("ragged") << 5 << "/tables/0: 5 costs do not make 2 rows of 3";
    QTest::newRow("unknown domain") << 6 << "/vertices/1: there is no domain 2; they count from 0 to 1";
    QTest::newRow("name twice") << 7 << "/vertices/1: the name \"a\" already names vertex 0; give each its own";
    QTest::newRow("unknown vertex") << 8 << "/edges/0: there is no vertex 7; they count from 0 to 1";
    QTest::newRow("loop") << 9 << "/edges/0: an edge from vertex 1 to itself; put its cost into the domain";
    QTest::newRow("unknown table") << 10 << "/edges/0: there is no table 3; they count from 0 to 0";
    QTest::newRow("wrong way round") << 11 << "/edges/0: table 0 has 2 rows of 3; vertices 1 and 0 need 3 rows of 2";
    QTest::newRow("no parts") << 12 << "/domains/0/configs/1: a configuration divides a dimension into 1 or more parts";
  }
  void refusesWhatCannot() {
    QFETCH(int, mistake);
    QFETCH(QString, text);
    StrategyProblem problem = small();
    switch (mistake) {
      case 0:
        problem.domains[1] = {};
        break;
      case 1:
        problem.domains[0].costs.pop_back();
        break;
      case 2:
        problem.domains[1].costs[2] = -1;
        break;
      case 3:
        problem.tables[0].costs[3] = std::numeric_limits<double>::quiet_NaN();
        break;
      case 4:
        problem.tables[0].costs[2] = std::numeric_limits<double>::infinity();
        break;
      case 5:
        problem.tables[0].costs.pop_back();
        break;
      case 6:
        problem.vertices[1].domain = 2;
        break;
      case 7:
        problem.vertices[1].name = "a";
        break;
      case 8:
        problem.edges[0].to = 7;
        break;
      case 9:
        problem.edges[0].from = 1;
        break;
      case 10:
        problem.edges[0].table = 3;
        break;
      case 11:
        problem.edges[0] = {1, 0, 0};
        break;
      case 12:
        problem.domains[0].configurations[1] = {0};
        break;
      default:
        QFAIL("no such mistake");
    }
    const auto result = validated(problem);
    QVERIFY(!result.ok());
    QCOMPARE(QString::fromStdString(result.error().text()), text);
  }
};

QTEST_APPLESS_MAIN(TestStrategyProblem)
#include "tst_strategy_problem.moc"
