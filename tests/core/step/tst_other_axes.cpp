// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "explore/explore.h"
#include "step/other_axes.h"
#include "support/filled.h"
#include "tests/core/step/workloads.h"

using namespace p2;
using namespace p2::test;

class TestOtherAxes : public QObject {
  Q_OBJECT
 private slots:
  // What "reduce data" recommends makes the tensor axis nine times slower than it could be.
  void whatTheReductionDoesNotSay() {
    Workspace workspace = test::workspaceOf("dgx-h100:32", "data=32,tensor=8", "data");
    workspace.options.cost.model = "paper";
    workspace.system = withoutLatencies(questionOf("dgx-h100:32", "256", {})).system;
    const auto others = valueOf(otherAxes(workspace));
    QCOMPARE(others->size(), std::size_t(4));
    const auto& crossing = others->at(valueOf(parseMatrix("[[4,8],[8,1]]")));
    QCOMPARE(crossing.size(), std::size_t(1));
    QCOMPARE(QString::fromStdString(otherAxisText(crossing[0])),
             QString("tensor crosses nodes: 37.6 ms/GiB, 9.00× its best"));
    const auto& inside = others->at(valueOf(parseMatrix("[[32,1],[1,8]]")));
    QCOMPARE(QString::fromStdString(otherAxisText(inside[0])), QString("tensor within a node: 4.18 ms/GiB"));
    QCOMPARE(inside[0].crosses, std::string("gpu"));
    QCOMPARE(inside[0].timesBest, 1.0);
  }

  // The same as exploring that axis alone on a vector of one GiB.
  void isTheExplorationOfTheOtherAxis() {
    Workspace workspace = test::workspaceOf("rack:2@10GB/s,8us node:4@50GB/s,5us gpu:4@300GB/s,1us", "4,4,2", "1");
    workspace.options.cost.model = "nccl";
    workspace.options.cost.algorithm = Algorithm::Auto;
    const auto others = valueOf(otherAxes(workspace));
    for (const std::size_t axis : {std::size_t(0), std::size_t(2)}) {
      Workspace alone = workspace;
      for (std::size_t i = 0; i < alone.axes.size(); ++i) alone.axes[i].reduce = i == axis;
      alone.options.cost.bytes = Bytes(1 << 30);
      alone.options.cost.repeat = 1;
      const auto explored = valueOf(exploreWorkspace(alone, {}));
      const double best = explored->placements[std::size_t(explored->bestPlacement)].bestSeconds;
      for (const PlacementResult& placement : test::filled(explored->placements)) {
        const OtherAxisCost& cost = others->at(placement.matrix)[axis == 0 ? 0 : 1];
        QCOMPARE(cost.axis, alone.axes[axis].name);
        QVERIFY(std::abs(cost.secondsPerGib - placement.bestSeconds) <= 1e-9 * placement.bestSeconds);
        QVERIFY(std::abs(cost.timesBest - placement.bestSeconds / best) <= 1e-9 * cost.timesBest);
      }
    }
  }

  void noOtherAxis() {
    QVERIFY(valueOf(otherAxes(test::workspaceOf("node:2 gpu:4", "8", "0")))->empty());
    QVERIFY(valueOf(otherAxes(test::workspaceOf("node:2 gpu:4", "4,2,1", "0,1")))->empty());
  }
};

QTEST_GUILESS_MAIN(TestOtherAxes)
#include "tst_other_axes.moc"
