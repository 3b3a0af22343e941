// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "base/units.h"
#include "explore/sweep_text.h"
#include "support/filled.h"
#include "support/fixtures.h"

using namespace p2;

class TestSweep : public QObject {
  Q_OBJECT

  static Workspace workspaceOf(const char* system, const char* axes, const char* reduce, const char* model,
                               Algorithm algorithm) {
    Workspace workspace = test::workspaceOf(system, axes, reduce);
    workspace.options.cost.model = model;
    workspace.options.cost.algorithm = algorithm;
    return workspace;
  }
  static bool isNear(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(a, b); }
  static std::shared_ptr<const Sweep> swept(const Workspace& workspace, const SweepRange& range) {
    return test::valueOf(sweep(workspace, range));
  }

 private slots:
  // Every point is what an exploration of that workspace finds.
  void pointsAreExplorations_data() {
    QTest::addColumn<Workspace>("workspace");
    QTest::addColumn<SweepRange>("range");
    const SweepRange sizes{SweepOver::Bytes, {}, 1e3, 16e9, 7};
    QTest::newRow("nccl") << workspaceOf("dgx-h100:4", "8,4", "0", "nccl", Algorithm::Auto) << sizes;
    QTest::newRow("nccl, listed") << workspaceOf("gcp-v100:2", "4,2,2", "0,2", "nccl", Algorithm::Auto) << sizes;
    QTest::newRow("paper") << workspaceOf("node:4@8GB/s,20us gpu:8@200GB/s,2us", "8,4", "0", "paper", Algorithm::Auto)
                           << sizes;
    Workspace all =
        workspaceOf("node:2@8GB/s,20us cpu:2@30GB/s,3us gpu:2@200GB/s,2us", "8", "0", "paper", Algorithm::Ring);
    all.options.rules = RuleSet::All;
    all.options.sizeLimit = 3;
    QTest::newRow("all rules, at most three steps") << all << sizes;
    QTest::newRow("bandwidth") << workspaceOf("node:4@8GB/s,20us gpu:8", "8,4", "0", "paper", Algorithm::Auto)
                               << SweepRange{SweepOver::Bandwidth, "node", 1e9, 1e12, 5};
    QTest::newRow("latency") << workspaceOf("node:4@8GB/s,20us gpu:8", "8,4", "0", "paper", Algorithm::Auto)
                             << SweepRange{SweepOver::Latency, "gpu", 1e-7, 1e-3, 5};
  }
  void pointsAreExplorations() {
    QFETCH(Workspace, workspace);
    QFETCH(SweepRange, range);
    const auto answer = swept(workspace, range);
    QCOMPARE(answer->points.size(), std::size_t(range.points));
    QCOMPARE(answer->points.front().value, range.from);
    QCOMPARE(answer->points.back().value, range.to);
    for (const SweepPoint& point : answer->points) {
      Workspace at = workspace;
      at.options.cost.repeat = 1;
      if (range.over == SweepOver::Bytes) at.options.cost.bytes = Bytes(point.value);
      if (range.over == SweepOver::Bandwidth) at.system.levels[0].interconnect.bandwidth = point.value;
      if (range.over == SweepOver::Latency) at.system.levels[1].interconnect.latency = point.value;
      const auto exploration = test::valueOf(exploreWorkspace(at, {}));
      double allReduce = exploration->placements[0].singleSeconds;
      for (const PlacementResult& each : exploration->placements) allReduce = std::min(allReduce, each.singleSeconds);
      const PlacementResult& best = exploration->placements[std::size_t(exploration->bestPlacement)];
      QVERIFY2(isNear(point.single.seconds, allReduce), qPrintable(QString::number(point.value)));
      QVERIFY(isNear(point.best.seconds, best.bestSeconds));
      QCOMPARE(point.best.matrix, best.matrix);
      QCOMPARE(point.best.program, best.programs.front().program);
      const auto priced = test::valueOf(evaluateProgram(at, point.best.matrix, point.best.program));
      QVERIFY(isNear(priced.seconds, point.best.seconds));
      QVERIFY(point.best.latencySeconds() >= 0 && point.best.latencySeconds() <= point.best.seconds);
    }
  }

  void crossoversAreWhereTheBestChanges_data() {
    QTest::addColumn<Workspace>("workspace");
    QTest::newRow("the library chooses") << workspaceOf("dgx2:2", "32", "0", "nccl", Algorithm::Auto);
    QTest::newRow("rings") << workspaceOf("dgx2:2", "32", "0", "nccl", Algorithm::Ring);
    QTest::newRow("paper") << workspaceOf("node:2@8GB/s,20us cpu:2@30GB/s,3us gpu:2@200GB/s,2us", "8", "0", "paper",
                                          Algorithm::Auto);
  }
  void crossoversAreWhereTheBestChanges() {
    QFETCH(Workspace, workspace);
    const auto answer = swept(workspace, {SweepOver::Bytes, {}, 1e3, 16e9, 12});
    QVERIFY(answer->crossovers.size() >= 2);
    for (const SweepCrossover& crossover : answer->crossovers) {
      const auto around = swept(workspace, {SweepOver::Bytes, {}, crossover.value * 0.999, crossover.value * 1.001, 2});
      QCOMPARE(around->points[0].best.program, crossover.from.program);
      QCOMPARE(around->points[1].best.program, crossover.to.program);
      // Where they meet, both cost the same but for what a tie allows, unless NCCL changes its choice in a step of one.
      const auto choicesAt = [&](const SweepChoice& choice, double bytes) {
        Workspace at = workspace;
        at.options.cost.bytes = Bytes(bytes);
        std::vector<std::pair<Algorithm, Protocol>> choices;
        for (const StepCost& step : test::valueOf(evaluateProgram(at, choice.matrix, choice.program)).steps)
          choices.emplace_back(step.algorithm, step.protocol);
        return choices;
      };
      const auto changes = [&](const SweepChoice& choice) {
        return choicesAt(choice, around->points[0].value) != choicesAt(choice, around->points[1].value);
      };
      if (workspace.options.cost.model == "nccl" && (changes(crossover.from) || changes(crossover.to))) continue;
      const double before = around->points[0].best.seconds;
      const double jump = std::abs(around->points[1].best.seconds - before);
      QVERIFY2(jump < 0.002 * before, qPrintable(QString::number(jump)));
    }
    QCOMPARE(answer->crossovers.front().from.program, answer->points.front().best.program);
    QCOMPARE(answer->crossovers.back().to.program, answer->points.back().best.program);
  }

  // Where the time falls as bytes grow, a sentence says why and between which points; nowhere else.
  void fallsAreSaid() {
    for (const char* preset : {"gcp-a100:4", "polaris:4", "dgx-h100:4"}) {
      Workspace workspace = workspaceOf(preset, "8", "0", "nccl", Algorithm::Auto);
      workspace.axes = {Axis{"data", workspace.system.deviceCount(), true}};
      const auto answer = swept(workspace, {SweepOver::Bytes, {}, 1e3, 1e9, 60});
      const std::vector<std::string> falls = fallTexts(*answer);
      std::size_t at = 0;
      for (std::size_t i = 1; i < answer->points.size(); ++i) {
        const SweepPoint& before = answer->points[i - 1];
        const SweepPoint& after = answer->points[i];
        if (after.best.seconds >= before.best.seconds * (1 - 1e-9)) continue;
        QVERIFY2(at < falls.size(), preset);
        const QString text = QString::fromStdString(falls[at++]);
        QVERIFY2(text.startsWith("time falls here because NCCL changes its choice: "), qPrintable(text));
        for (const SweepPoint* each : {&before, &after}) {
          QVERIFY2(text.contains(QString::fromStdString(formatBytes(Bytes(each->value)))), qPrintable(text));
          QVERIFY2(text.contains(QString::fromStdString(choicesText(each->best))), qPrintable(text));
        }
      }
      QCOMPARE(at, falls.size());
      QVERIFY2(at > 0 || QByteArray(preset) != "gcp-a100:4", preset);
      workspace.options.cost.model = "paper";
      QVERIFY(fallTexts(*swept(workspace, {SweepOver::Bytes, {}, 1e3, 1e9, 60})).empty());
    }
  }

  void nodesTakeTheReducedAxisAlong() {
    const auto answer = swept(workspaceOf("dgx-h100:4", "data=4,model=8", "data", "nccl", Algorithm::Auto),
                              {SweepOver::Nodes, {}, 1, 8, 60});
    std::vector<double> values;
    for (const SweepPoint& point : answer->points) {
      values.push_back(point.value);
      const Workspace at = workspaceOf(("dgx-h100:" + std::to_string(int(point.value))).c_str(),
                                       ("data=" + std::to_string(int(point.value)) + ",model=8").c_str(), "data",
                                       "nccl", Algorithm::Auto);
      double allReduce = 1e9;
      const auto exploration = test::valueOf(exploreWorkspace(at, {}));
      for (const PlacementResult& each : exploration->placements) {
        allReduce = std::min(allReduce, each.singleSeconds / 10);
      }
      QVERIFY(isNear(point.single.seconds, allReduce));
    }
    // An axis of one device is none.
    QCOMPARE(values, (std::vector<double>{2, 3, 4, 5, 6, 7, 8}));
  }

  // With one figure changed by hand it is no preset any more, and its rails get as many members.
  void nodesOfADrawnSystem() {
    const auto drawn = [](int nodes) {
      const std::string axes = "data=" + std::to_string(nodes) + ",model=8";
      Workspace workspace =
          workspaceOf(("dgx-h100:" + std::to_string(nodes)).c_str(), axes.c_str(), "data", "nccl", Algorithm::Auto);
      workspace.system.networks.front().interconnect.latency = 7e-6;
      return workspace;
    };
    QVERIFY(!drawn(4).system.networks.empty());
    const auto answer = swept(drawn(4), {SweepOver::Nodes, {}, 2, 16, 60});
    QCOMPARE(answer->points.size(), std::size_t(15));
    for (const SweepPoint& point : answer->points) {
      double best = 1e9;
      const auto exploration = test::valueOf(exploreWorkspace(drawn(int(point.value)), {}));
      for (const PlacementResult& each : exploration->placements) best = std::min(best, each.bestSeconds / 10);
      QVERIFY2(isNear(point.best.seconds, best), qPrintable(QString::number(point.value)));
    }
  }

  // Where the best changes over nodes does not depend on which numbers are looked at first.
  void crossoversOverNodesAreExact() {
    const Workspace workspace = workspaceOf("gcp-a100:4", "data=64", "data", "paper", Algorithm::Ring);
    const auto coarse = swept(workspace, {SweepOver::Nodes, {}, 1, 64, 4});
    QCOMPARE(coarse->crossovers.size(), std::size_t(2));
    QCOMPARE(coarse->crossovers[0].value, 2.0);
    QCOMPARE(coarse->crossovers[1].value, 34.0);
    const auto all = swept(workspace, {SweepOver::Nodes, {}, 1, 64, 1000});
    QCOMPARE(all->points.size(), std::size_t(64));
    QCOMPARE(all->crossovers.size(), std::size_t(2));
    for (std::size_t i = 0; i < 2; ++i) QCOMPARE(all->crossovers[i].value, coarse->crossovers[i].value);
    // Of twelve devices in nodes of four an axis of six cannot stay: 3 and 9 nodes are even, 4 to 8 but 6 are not.
    const auto odd = swept(workspaceOf("node:3 gpu:4", "data=2,model=6", "data", "paper", Algorithm::Ring),
                           {SweepOver::Nodes, {}, 3, 9, 2});
    for (const auto& crossover : test::filled(odd->crossovers)) QVERIFY(std::fmod(crossover.value, 3) == 0);
  }

  void onlyTheMatrixThatIsAsked() {
    Workspace workspace = workspaceOf("gcp-a100:4", "8,2,4", "0,2", "paper", Algorithm::Ring);
    workspace.matrix = test::valueOf(parseMatrix("[[2,4],[2,1],[1,4]]"));
    const auto answer = test::valueOf(sweep(workspace, {SweepOver::Bytes, {}, 1e3, 1e9, 5}, true));
    for (const SweepPoint& point : test::filled(answer->points)) {
      QCOMPARE(point.best.matrix, workspace.matrix);
      QCOMPARE(point.single.matrix, workspace.matrix);
    }
  }

  void errors_data() {
    QTest::addColumn<SweepRange>("range");
    QTest::addColumn<QString>("says");
    QTest::newRow("empty") << SweepRange{SweepOver::Bytes, {}, 10, 10, 5} << "to a larger one";
    QTest::newRow("zero") << SweepRange{SweepOver::Bytes, {}, 0, 10, 5} << "above 0";
    QTest::newRow("points") << SweepRange{SweepOver::Bytes, {}, 1, 10, 1} << "use 2 to 1000";
    QTest::newRow("link") << SweepRange{SweepOver::Bandwidth, "wire", 1, 10, 5} << "use \"network\", \"NVSwitch\"";
    QTest::newRow("nodes") << SweepRange{SweepOver::Nodes, {}, 5, 5.5, 5} << "divide evenly";
  }
  void errors() {
    QFETCH(SweepRange, range);
    QFETCH(QString, says);
    const auto answer = sweep(test::workspaceOf("node:4 gpu:4", "2,8", "0"), range);
    QVERIFY(!answer.ok());
    QVERIFY2(QString::fromStdString(answer.error().text()).contains(says), answer.error().text().c_str());
  }

  void stops() {
    std::stop_source stop;
    stop.request_stop();
    const auto answer = sweep(test::workspaceOf("node:4 gpu:4", "16", "0"), {}, false, stop.get_token());
    QVERIFY(!answer.ok() && answer.error().kind == ErrorKind::Cancelled);
  }
};

QTEST_APPLESS_MAIN(TestSweep)
#include "tst_sweep.moc"
