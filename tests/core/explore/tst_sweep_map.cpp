// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <QTest>
#include <algorithm>

#include "explore/sweep_csv.h"
#include "explore/sweep_map.h"
#include "explore/sweep_text.h"
#include "support/fixtures.h"

using namespace p2;

class TestSweepMap : public QObject {
  Q_OBJECT

  static Workspace asked(const char* system, const char* axes, const char* reduce, const char* model) {
    Workspace workspace = test::workspaceOf(system, axes, reduce);
    workspace.options.cost.model = model;
    workspace.options.cost.algorithm = Algorithm::Auto;
    workspace.options.cost.repeat = 1;
    return workspace;
  }
  static bool isNear(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(a, b); }

 private slots:
  // Every cell is what an exploration finds of that placement.
  void cellsAreExplorations_data() {
    QTest::addColumn<Workspace>("workspace");
    QTest::addColumn<SweepRange>("range");
    const SweepRange sizes{SweepOver::Bytes, {}, 1e3, 16e9, 5};
    QTest::newRow("nccl") << asked("dgx-h100:4", "8,4", "0", "nccl") << sizes;
    QTest::newRow("nccl, listed") << asked("gcp-v100:2", "4,2,2", "0,2", "nccl") << sizes;
    QTest::newRow("paper") << asked("gcp-a100:4", "8,2,4", "0,2", "paper") << sizes;
    QTest::newRow("bandwidth") << asked("node:4@8GB/s,20us gpu:8", "8,4", "0", "paper")
                               << SweepRange{SweepOver::Bandwidth, "node", 1e9, 1e12, 4};
  }
  void cellsAreExplorations() {
    QFETCH(Workspace, workspace);
    QFETCH(SweepRange, range);
    const auto map = test::valueOf(sweepMap(workspace, range));
    QCOMPARE(map->values.size(), std::size_t(range.points));
    for (std::size_t column = 0; column < map->values.size(); ++column) {
      Workspace at = workspace;
      if (range.over == SweepOver::Bytes) at.options.cost.bytes = Bytes(map->values[column]);
      if (range.over == SweepOver::Bandwidth) at.system.levels[0].interconnect.bandwidth = map->values[column];
      const auto exploration = test::valueOf(exploreWorkspace(at, {}));
      QCOMPARE(map->placements.size(), exploration->placements.size());
      double least = exploration->placements[0].singleSeconds;
      for (std::size_t row = 0; row < map->placements.size(); ++row) {
        const PlacementResult& placement = exploration->placements[row];
        const SweepCell& cell = map->at(row, column);
        QCOMPARE(map->placements[row], placement.matrix);
        QCOMPARE(cell.best.matrix, placement.matrix);
        QVERIFY(isNear(cell.best.seconds, placement.bestSeconds));
        QVERIFY(isNear(cell.gain, placement.speedup()));
        QCOMPARE(map->winners[cell.winner], programTitle(cell.best.program));
        least = std::min(least, cell.best.seconds);
      }
      QVERIFY(isNear(map->at(map->bestRow[column], column).best.seconds, least));
    }
  }

  void frequentWinnersComeFirst() {
    const auto map = test::valueOf(sweepMap(asked("dgx-h100:4", "8,4", "0", "paper"), {}));
    QVERIFY(map->winners.size() >= 2);
    std::vector<std::size_t> counts(map->winners.size());
    for (const SweepCell& cell : map->cells) ++counts[cell.winner];
    QVERIFY(std::is_sorted(counts.rbegin(), counts.rend()));
    QVERIFY(counts.back() > 0);
  }

  void csvHasALineForEveryCell() {
    const SweepRange range{SweepOver::Bytes, {}, 1e3, 1e9, 7};
    const auto map = test::valueOf(sweepMap(asked("gcp-a100:2", "8,4", "0", "paper"), range));
    const QStringList lines = QString::fromStdString(sweepMapCsv(*map)).split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), qsizetype(1 + map->cells.size()));
    QCOMPARE(lines[0], QString("bytes,matrix,title,program,seconds,gain,best"));
    QCOMPARE(lines.filter(QRegularExpression(",1$")).size(), qsizetype(map->values.size()));
  }

  void errors() {
    const Workspace workspace = asked("node:4 gpu:4", "2,8", "0", "paper");
    const auto nodes = sweepMap(workspace, {SweepOver::Nodes, {}, 1, 8, 4});
    QVERIFY(!nodes.ok() && nodes.error().message.find("placements of its own") != std::string::npos);
    const auto empty = sweepMap(workspace, {SweepOver::Bytes, {}, 10, 10, 4});
    QVERIFY(!empty.ok());
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = sweepMap(workspace, {}, stop.get_token());
    QVERIFY(!stopped.ok() && stopped.error().kind == ErrorKind::Cancelled);
  }

  void sentences() {
    const SweepRange sizes;
    SweepCrossover crossover;
    crossover.value = 3.2e6;
    crossover.to.program = {{{0, 1, false}, Collective::AllReduce}};
    QCOMPARE(crossoverText(sizes, crossover), std::string("above 3.20 MB AR wins"));
    QCOMPARE(overText({SweepOver::Latency, "NVSwitch"}), std::string("latency of NVSwitch"));
    QCOMPARE(valueText({SweepOver::Nodes}, 8), std::string("8"));
  }
};

QTEST_APPLESS_MAIN(TestSweepMap)
#include "tst_sweep_map.moc"
