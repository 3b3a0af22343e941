// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "base/near.h"
#include "explore/run_prediction.h"
#include "support/fixtures.h"

using namespace p2;

class TestOverlap : public QObject {
  Q_OBJECT

  static Workspace overlapping(Workspace workspace, const std::string& model) {
    workspace.options.cost.model = model;
    workspace.options.cost.algorithm = defaultAlgorithm(model);
    workspace.options.cost.overlap = true;
    workspace.options.cost.repeat = 1;
    return workspace;
  }
  static bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

  static const ProgramResult* programTitled(const PlacementResult& placement, const std::string& title) {
    for (const ProgramResult& program : placement.programs) {
      if (programTitle(program.program) == title) return &program;
    }
    return nullptr;
  }

 private slots:
  // What may be wrong with the steps is wrong with all chunks of them; without an interval of each there is none.
  void theIntervalIsStretchedWithTheTime() {
    const auto stepOf = [](double low, double high) {
      return [=](Bytes bytes) { return BusyStep{bytes.value(), low * bytes.value(), high * bytes.value(), {}}; };
    };
    const CostOptions options{Algorithm::Ring, Bytes(1024), 3, "nccl"};
    const Overlapped both = overlapped(std::vector<BusyStepOf>{stepOf(0.5, 2), stepOf(0.7, 4)}, options);
    QVERIFY(both.chunks > 1 && both.range);
    QVERIFY(near(both.range->low, 0.6 * both.seconds) && near(both.range->high, 3 * both.seconds));
    QVERIFY(!overlapped(std::vector<BusyStepOf>{stepOf(0.5, 2), stepOf(0, 0)}, options).range);
  }

  // Where none are asked for, the fewest that come near the best, which is reached in the most here.
  void aGivenNumberOfPiecesIsPriced() {
    Workspace workspace = overlapping(test::workspaceOf("node:4@50GB/s gpu:8@100GB/s", "32", "0", "[[4,8]]"), "paper");
    const Bytes bytes(1e9);
    workspace.program = "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather";
    const auto best = test::valueOf(predictRun(workspace, bytes, std::nullopt));
    const auto most = test::valueOf(predictRun(workspace, bytes, kMostChunks)).overlapped->seconds;
    QVERIFY(best.overlapped && best.overlapped->chunks > 1 && best.overlapped->chunks < kMostChunks);
    QVERIFY(best.overlapped->seconds <= 1.05 * most);
    const auto fewer = test::valueOf(predictRun(workspace, bytes, best.overlapped->chunks / 2));
    QVERIFY(fewer.rankedSeconds() > 1.05 * most);
    const auto again = test::valueOf(predictRun(workspace, bytes, best.overlapped->chunks));
    QVERIFY(again.overlapped == best.overlapped);
    const auto one = test::valueOf(predictRun(workspace, bytes, 1));
    QVERIFY(!one.overlapped && near(one.rankedSeconds(), best.seconds));
    const double nvlink = workspace.system.levels[1].interconnect.bandwidth;
    const double middle = 1.5 * bytes.value() / workspace.system.levels[0].interconnect.bandwidth;
    for (const int pieces : {2, 3, 7}) {
      const auto some = test::valueOf(predictRun(workspace, bytes, pieces));
      QCOMPARE(some.overlapped->chunks, pieces);
      const double first = 2 * 7.0 / 8 * bytes.value() / nvlink + middle;
      QVERIFY(near(some.rankedSeconds(), (first + (pieces - 1) * middle) / pieces));
    }
  }

  // Every chunk pays what a step costs without bytes.
  void piecesPayFixedCostsAgain() {
    const auto step = [](Bytes bytes) { return BusyStep{1 + bytes.value(), 0, 0, {bytes.value()}}; };
    const std::vector<BusyStepOf> steps{step, step};
    const CostOptions options{Algorithm::Ring, Bytes(8), 1, "paper"};
    QCOMPARE(overlappedIn(1, steps, options).seconds, 18.0);
    QCOMPARE(overlappedIn(2, steps, options).seconds, 10.0 + 8.0);
    QCOMPARE(overlappedIn(8, steps, options).seconds, 4.0 + 7 * 2.0);
    QCOMPARE(overlappedIn(16, steps, options).seconds, 3.0 + 15 * 1.5);
    QCOMPARE(overlapped(steps, options).chunks, 1);
  }

  // 4 nodes of 8 GPUs without latencies: the NIC of a node is at work in the middle step only, so it sets the pace.
  void theBusiestLinkSetsThePace() {
    Workspace workspace = overlapping(test::workspaceOf("node:4 gpu:8", "32", "0", "[[4,8]]"), "paper");
    const double bytes = 1e9;
    workspace.options.cost.bytes = Bytes(bytes);
    const double nvlink = workspace.system.levels[1].interconnect.bandwidth;
    const double nic = workspace.system.levels[0].interconnect.bandwidth;
    const auto exploration = test::valueOf(exploreWorkspace(workspace, {}));
    const ProgramResult* program = programTitled(exploration->placements[0], "RS·AR·AG");
    QVERIFY(program && program->overlapped);
    const double middle = 1.5 * bytes / nic;
    const double sum = 2 * 7.0 / 8 * bytes / nvlink + middle;
    QVERIFY(near(program->seconds, sum));
    QCOMPARE(program->overlapped->chunks, kMostChunks);
    QVERIFY(near(program->overlapped->seconds, (sum + (kMostChunks - 1) * middle) / kMostChunks));
  }

  // Where all steps load the same links there is nothing to gain.
  void whatIsBusyAllTheTimeGainsNothing() {
    Workspace workspace = overlapping(test::workspaceOf("gpu:8", "8", "0"), "paper");
    const auto exploration = test::valueOf(exploreWorkspace(workspace, {}));
    const ProgramResult* program = programTitled(exploration->placements[0], "RS·AG");
    QVERIFY(program && program->overlapped);
    QVERIFY(near(program->overlapped->seconds, program->seconds));
  }

  void closedFormAndFlowsAgree_data() {
    QTest::addColumn<QString>("system");
    for (const char* system : {"gcp-a100:4", "gcp-v100:2", "dgx-h100:4", "polaris:4", "alps-gh200:4"}) {
      QTest::newRow(system) << system;
    }
  }
  void closedFormAndFlowsAgree() {
    QFETCH(QString, system);
    Workspace workspace;
    workspace.system = test::valueOf(systemFromArgument(system.toStdString()));
    workspace.axes = {{"all", workspace.system.deviceCount(), true}};
    int gained = 0;
    int single = 0;
    for (const auto& [model, bytes] : {std::pair("paper", 1e9), {"nccl", 1e6}, {"nccl", 1e9}}) {
      workspace = overlapping(workspace, model);
      workspace.options.cost.bytes = Bytes(bytes);
      const auto exploration = test::valueOf(exploreWorkspace(workspace, {}));
      for (const PlacementResult& placement : exploration->placements) {
        for (std::size_t i = 0; i < placement.programs.size(); ++i) {
          const ProgramResult& listed = placement.programs[i];
          if (i % 3 != 0 && listed.program.size() > 1) continue;
          const auto flows = test::valueOf(evaluateProgram(workspace, placement.matrix, listed.program));
          QVERIFY(listed.overlapped && flows.overlapped);
          QVERIFY(near(flows.seconds, listed.seconds));
          QVERIFY2(near(flows.overlapped->seconds, listed.overlapped->seconds), programTitle(listed.program).c_str());
          QVERIFY(listed.overlapped->seconds <= listed.seconds * (1 + 1e-9));
          if (listed.program.size() == 1) {
            QCOMPARE(listed.overlapped->chunks, 1);
            ++single;
          }
          if (listed.overlapped->chunks > 1) ++gained;
        }
      }
    }
    QVERIFY(gained > 0 && single > 0);
  }

  // The best of all are the best of everything listed, although programs come in the order of their sums.
  void theBestAreRankedByOverlap() {
    for (const char* model : {"paper", "nccl"}) {
      Workspace workspace;
      workspace.system = test::valueOf(systemFromArgument("dgx-h100:4"));
      workspace.axes = test::valueOf(withReduction(test::valueOf(parseAxes("8,4")), "0"));
      workspace = overlapping(workspace, model);
      const auto all = test::valueOf(exploreWorkspace(workspace, {}));
      std::vector<double> seconds;
      for (const PlacementResult& placement : all->placements) {
        QVERIFY(std::is_sorted(placement.programs.begin(), placement.programs.end(), [](const auto& a, const auto& b) {
          return definitelyLess(a.rankedSeconds(), b.rankedSeconds());
        }));
        QVERIFY(placement.bestOverlapped == placement.programs[0].overlapped);
        for (const ProgramResult& program : placement.programs) seconds.push_back(program.rankedSeconds());
      }
      std::sort(seconds.begin(), seconds.end());
      ExploreScope scope;
      scope.bestOverall = 7;
      scope.programsPerPlacement = 7;
      const auto best = test::valueOf(exploreWorkspace(workspace, scope));
      const auto ranked = rankedPrograms(*best);
      QCOMPARE(ranked.size(), std::size_t(7));
      for (std::size_t i = 0; i < ranked.size(); ++i) {
        const ProgramResult& program = best->placements[ranked[i].first].programs[ranked[i].second];
        QVERIFY(near(program.rankedSeconds(), seconds[i]));
      }
      QVERIFY(near(all->placements[std::size_t(all->bestPlacement)].rankedBestSeconds(), seconds[0]));
    }
  }

  // On a machine with rails a program that has both networks at work beats the one AllReduce of the paper's model.
  void overlapIsWhatLetsProgramsWin() {
    Workspace workspace;
    workspace.system = test::valueOf(systemFromArgument("dgx-h100:4"));
    workspace.axes = {{"all", 32, true}};
    workspace = overlapping(workspace, "nccl");
    workspace.options.cost.bytes = Bytes(1073741824);
    const auto overlapped = test::valueOf(exploreWorkspace(workspace, {}));
    QVERIFY(overlapped->placements[0].speedup() > 1.02);
    workspace.options.cost.overlap = false;
    const auto plain = test::valueOf(exploreWorkspace(workspace, {}));
    QVERIFY(!plain->placements[0].bestOverlapped);
    QCOMPARE(plain->placements[0].speedup(), 1.0);
  }
};

QTEST_GUILESS_MAIN(TestOverlap)
#include "tst_overlap.moc"
