// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <map>

#include "cost/flows/link_loads.h"
#include "explore/explore.h"
#include "synthesis/program_trace.h"
#include "system/interconnects.h"
#include "system/part_states.h"
#include "tests/core/step/workloads.h"

using namespace p2;
using namespace p2::test;

/// To as many digits as tables print.
static bool isPrinted(double seconds, double printed, double digit) {
  return std::abs(seconds - printed) <= 0.5 * digit * (1 + 1e-9);
}

class TestStepRanking : public QObject {
  Q_OBJECT

 private slots:
  void fsdpAndTensorOnFourPlacements_data() {
    QTest::addColumn<QByteArray>("matrix");
    QTest::addColumn<double>("data");
    QTest::addColumn<double>("tensor");
    QTest::addColumn<double>("tensorDigit");
    QTest::addColumn<double>("sum");
    QTest::addColumn<int>("rank");
    QTest::newRow("P1") << QByteArray("[[4,8],[8,1]]") << 0.261 << 36.08 << 0.01 << 36.34 << 3;
    QTest::newRow("P2") << QByteArray("[[8,4],[4,2]]") << 0.414 << 17.75 << 0.01 << 18.17 << 2;
    QTest::newRow("P3") << QByteArray("[[16,2],[2,4]]") << 0.718 << 8.59 << 0.01 << 9.31 << 1;
    QTest::newRow("P4") << QByteArray("[[32,1],[1,8]]") << 1.326 << 4.01 << 0.01 << 5.33 << 0;
  }
  void fsdpAndTensorOnFourPlacements() {
    QFETCH(QByteArray, matrix);
    QFETCH(double, data);
    QFETCH(double, tensor);
    QFETCH(double, tensorDigit);
    QFETCH(double, sum);
    QFETCH(int, rank);
    const auto ranking = ranked(withoutLatencies(fsdpAndTensor()));
    QCOMPARE(ranking->placements.size(), std::size_t(4));
    const PlacementStep& placement = on(*ranking, matrix);
    QVERIFY(isPrinted(placement.overlappableSeconds, data, 0.001));
    QVERIFY(isPrinted(placement.exposedSeconds, tensor, tensorDigit));
    QVERIFY(isPrinted(placement.stepSeconds, sum, 0.01));
    QCOMPARE(int(&placement - ranking->placements.data()), rank);
    QVERIFY(isPrinted(secondsOver(*ranking, placement, "data"), data, 0.001));
  }

  void contextMakesAParetoFront_data() {
    QTest::addColumn<QByteArray>("matrix");
    QTest::addColumn<double>("exposed");
    QTest::addColumn<double>("tensor");
    QTest::addColumn<double>("context");
    QTest::addColumn<double>("overlappable");
    QTest::addColumn<double>("sum");
    QTest::addColumn<bool>("front");
    const auto row = [](const char* matrix, double exposed, double tensor, double context, double overlappable,
                        double sum, bool front) {
      QTest::newRow(matrix) << QByteArray(matrix) << exposed << tensor << context << overlappable << sum << front;
    };
    row("[[16,1],[2,2],[1,4]]", 0.770, 0.573, 0.197, 3.696, 4.465, true);
    row("[[8,2],[4,1],[1,4]]", 1.056, 0.573, 0.483, 3.696, 4.752, false);
    row("[[16,1],[1,4],[2,2]]", 2.153, 2.100, 0.054, 2.175, 4.328, true);
    row("[[8,2],[2,2],[2,2]]", 2.297, 2.100, 0.197, 2.175, 4.471, false);
    row("[[4,4],[4,1],[2,2]]", 2.583, 2.100, 0.483, 2.175, 4.758, false);
    row("[[8,2],[1,4],[4,1]]", 5.208, 5.154, 0.054, 1.414, 6.622, true);
    row("[[4,4],[2,2],[4,1]]", 5.351, 5.154, 0.197, 1.414, 6.765, false);
    row("[[2,8],[4,1],[4,1]]", 5.637, 5.154, 0.483, 1.414, 7.051, false);
  }
  void contextMakesAParetoFront() {
    QFETCH(QByteArray, matrix);
    QFETCH(double, exposed);
    QFETCH(double, tensor);
    QFETCH(double, context);
    QFETCH(double, overlappable);
    QFETCH(double, sum);
    QFETCH(bool, front);
    const auto ranking = ranked(withoutLatencies(withContext()));
    QCOMPARE(ranking->placements.size(), std::size_t(8));
    const PlacementStep& placement = on(*ranking, matrix);
    QVERIFY(isPrinted(placement.exposedSeconds, exposed, 0.001));
    QVERIFY(isPrinted(secondsOver(*ranking, placement, "tensor"), tensor, 0.001));
    QVERIFY(isPrinted(secondsOver(*ranking, placement, "context"), context, 0.001));
    QVERIFY(isPrinted(placement.overlappableSeconds, overlappable, 0.001));
    QVERIFY(isPrinted(placement.stepSeconds, sum, 0.001));
    QCOMPARE(placement.front, front);
  }

  // Computation that hides everything that may be hidden turns the best into the one that exposes the least.
  void computationDecidesOnTheParetoFront() {
    StepQuestion question = withoutLatencies(withContext());
    QCOMPARE(ranked(question)->placements[0].matrix.text(), std::string("[[16,1],[1,4],[2,2]]"));
    question.workload.computeSeconds = 8.7;
    const auto hidden = ranked(question);
    QCOMPARE(hidden->placements[0].matrix.text(), std::string("[[16,1],[2,2],[1,4]]"));
    QVERIFY(isPrinted(hidden->placements[0].stepSeconds, 8.7 + 0.770, 0.002));
    question.step.computeSeconds = 0;
    const auto slowed = ranked(question);
    const PlacementStep& best = slowed->placements[0];
    QCOMPARE(best.stepSeconds, best.exposedSeconds + 1.13 * best.overlappableSeconds);
  }

  // One AllReduce over the axes that are reduced is the workload of one entry.
  void oneEntryIsAnExploration_data() {
    QTest::addColumn<Workspace>("workspace");
    const auto row = [](const char* system, const char* axes, const char* reduce, const char* model,
                        Algorithm algorithm) {
      Workspace workspace = test::workspaceOf(system, axes, reduce);
      workspace.options.cost = {algorithm, Bytes(1 << 28), 1, model};
      QTest::addRow("%s %s/%s %s", system, axes, reduce, model) << workspace;
      workspace.options.cost.overlap = true;
      if (std::string(system).size() < 12) QTest::addRow("%s %s overlapping", system, model) << workspace;
    };
    row("dgx-h100:32", "data=32,tensor=8", "data", "paper", Algorithm::Ring);
    row("dgx-h100:4", "8,2,2", "0,2", "nccl", Algorithm::Auto);
    row("gcp-a100:4", "8,2,4", "0,2", "paper", Algorithm::Auto);
    row("gcp-v100:2", "4,2,2", "0", "paper", Algorithm::Tree);
    row("rack:2 node:4@8GB/s,20us,ring gpu:4", "4,4,2", "1", "paper", Algorithm::Ring);
    row("rack:2 node:4@8GB/s,20us,ring gpu:4", "2,4,4", "0,2", "nccl", Algorithm::Auto);
  }
  void oneEntryIsAnExploration() {
    QFETCH(Workspace, workspace);
    StepQuestion question;
    question.system = workspace.system;
    question.workload.axes = workspace.axes;
    question.options = workspace.options;
    WorkloadEntry entry = entryOf("gradients", {}, CommunicationKind::AllReduce, 1 << 28, 1);
    for (const Axis& axis : workspace.axes) {
      if (axis.reduce) entry.axes.push_back(axis.name);
    }
    question.workload.collectives = {entry};
    const auto ranking = ranked(question);
    const auto exploration = valueOf(exploreWorkspace(workspace, {}));
    QCOMPARE(ranking->placements.size(), exploration->placements.size());
    for (const PlacementStep& placement : ranking->placements) {
      const PlacementResult& explored = exploration->placements[placement.number];
      QCOMPARE(placement.matrix, explored.matrix);
      const EntryCost& cost = ranking->cost(placement, 0);
      QVERIFY(std::abs(placement.stepSeconds - explored.rankedBestSeconds()) <= 1e-9 * placement.stepSeconds);
      QVERIFY(std::abs(cost.singleSeconds - explored.singleSeconds) <= 1e-9 * cost.singleSeconds);
      QCOMPARE(cost.program, programText(*explored.hierarchy, explored.programs[0].program));
    }
    const PlacementResult& best = exploration->placements[std::size_t(exploration->bestPlacement)];
    QVERIFY(std::abs(ranking->placements[0].stepSeconds - best.rankedBestSeconds()) <= 1e-9 * best.bestSeconds);
  }

  void ordersStandInTheList() {
    const auto ranking = ranked(fsdpAndTensor());
    for (const RankedOrder& ranked : ranking->orders) {
      QVERIFY2(ranked.placement.has_value(), ranked.order.reason.c_str());
      QCOMPARE(*ranked.placement, std::size_t(0));
      QCOMPARE(ranked.timesBest, 1.0);
    }
    QCOMPARE(ranking->placements[0].orders.size(), ranking->orders.size());
    QCOMPARE(ranking->orders[0].order.name, std::string("Megatron-LM"));
    QCOMPARE(ranking->placements[0].matrix.text(), std::string("[[32,1],[1,8]]"));
  }
};

QTEST_GUILESS_MAIN(TestStepRanking)
#include "tst_step_ranking.moc"
