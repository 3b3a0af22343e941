// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "base/units.h"
#include "explore/open_choices.h"
#include "support/fixtures.h"

using namespace p2;

// Which of two predicted times is the shorter, and what the intervals leave open.
class TestOpenChoices : public QObject {
  Q_OBJECT

  static StepCost step(double seconds, double low, double high, int errorClass) {
    StepCost cost;
    cost.seconds = seconds;
    cost.lowSeconds = low * seconds;
    cost.highSeconds = high * seconds;
    cost.errorClass = errorClass;
    return cost;
  }
  static bool isOpen(const std::vector<StepCost>& one, const std::vector<StepCost>& other) {
    const bool open = isOpenWhichIsFaster(one, other);
    if (open != isOpenWhichIsFaster(other, one)) qFatal("it depends on which comes first");
    return open;
  }
  static std::shared_ptr<const Exploration> explored(const std::string& bytes, const std::string& model = "nccl") {
    Workspace workspace = test::workspaceOf("dgx-b200:2", "dp=2,tp=8", "tp");
    workspace.options.cost.model = model;
    workspace.options.cost.algorithm = defaultAlgorithm(model);
    workspace.options.cost.bytes = test::valueOf(parseBytes(bytes));
    return test::valueOf(exploreWorkspace(workspace, {}));
  }

 private slots:
  void stepsThatErrAlikeAreCompared() {
    QVERIFY(!isOpen({step(1, 0.5, 2, 3)}, {step(1.01, 0.5, 2, 3)}));
    QVERIFY(!isOpen({step(1, 0.5, 2, 3)}, {step(1, 0.5, 2, 3)}));
    QVERIFY(!isOpen({step(1, 0.5, 2, 3), step(2, 0.5, 2, 4)}, {step(1.01, 0.5, 2, 3), step(2, 0.5, 2, 4)}));
  }

  // 1.2 s may be 0.96 s and 1 s 1.3 s; both at once are rarer than one alone.
  void stepsThatDoNotAreOpenWhereTheyMeet() {
    QVERIFY(isOpen({step(1, 0.8, 1.3, 3)}, {step(1.2, 0.8, 1.3, 4)}));
    QVERIFY(isOpen({step(1, 0.8, 1.3, 3)}, {step(1.38, 0.8, 1.3, 4)}));
    QVERIFY(!isOpen({step(1, 0.8, 1.3, 3)}, {step(1.45, 0.8, 1.3, 4)}));
    QVERIFY(!isOpen({step(1, 0.8, 1.3, 3)}, {step(2, 0.8, 1.3, 4)}));
    // Only what differs can be wrong by more in one than in the other.
    QVERIFY(isOpen({step(10, 0.8, 1.3, 3)}, {step(8, 0.8, 1.3, 3), step(2.4, 0.8, 1.3, 4)}));
    QVERIFY(!isOpen({step(10, 0.8, 1.3, 3)}, {step(8, 0.8, 1.3, 3), step(3, 0.8, 1.3, 4)}));
  }

  void whatNobodyMeasuredIsNotSaidToBeOpen() {
    QVERIFY(!isOpen({step(1, 0.8, 1.3, 3)}, {step(1.1, 0, 0, -1)}));
    StepCost unknown;
    unknown.seconds = 1.1;
    QVERIFY(!isOpen({step(1, 0.8, 1.3, 3)}, {unknown}));
  }

  // Eight GPUs of a node against four in each of two: for 16 KiB their times meet, for 1 GiB NVLink wins.
  void smallSumsMayBeFasterInsideANode() {
    const auto small = explored("16KiB");
    const OpenChoices open = openChoices(*small);
    QCOMPARE(open.placements.size(), std::size_t(1));
    QCOMPARE(openChoicesText(*small, open), small->placements[open.placements[0]].matrix.text() + " (" +
                                                formatSeconds(small->placements[open.placements[0]].bestSeconds) + ")");
    QVERIFY(openChoices(*explored("1GiB")) == OpenChoices{});
    QVERIFY(openChoices(*explored("16KiB", "paper")) == OpenChoices{});
  }

  // Where the best program is dearer than it seems, one collective does as well.
  void theSingleCollectiveMayDoAsWell() {
    Workspace workspace = test::workspaceOf("aws-p4d:4", "32", "0");
    workspace.options.cost.model = "nccl";
    workspace.options.cost.algorithm = Algorithm::Auto;
    int open = 0;
    int decided = 0;
    for (const char* bytes : {"1KiB", "64KiB", "1MiB", "4MiB", "16MiB", "256MiB", "4GiB"}) {
      workspace.options.cost.bytes = test::valueOf(parseBytes(bytes));
      const auto explored = test::valueOf(exploreWorkspace(workspace, {}));
      const PlacementResult& only = explored->placements.at(0);
      const OpenChoices choices = openChoices(*explored);
      QVERIFY(choices.placements.empty());
      QCOMPARE(choices.single, isOpenWhichIsFaster(only.programs[0].steps, only.singleSteps));
      if (choices.single) QVERIFY(openChoicesText(*explored, choices).starts_with("one AllReduce ("));
      (choices.single ? open : decided)++;
    }
    QVERIFY(open > 0 && decided > 0);
  }
};

QTEST_APPLESS_MAIN(TestOpenChoices)
#include "tst_open_choices.moc"
