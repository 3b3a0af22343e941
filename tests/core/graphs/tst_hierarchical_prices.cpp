// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "base/near.h"
#include "base/units.h"
#include "cost/cost_model.h"
#include "explore/explore.h"
#include "graphs/bundled_graphs.h"
#include "graphs/hierarchical_prices.h"
#include "graphs/strategy_source.h"
#include "strategy/detail/exact_solver.h"
#include "support/filled.h"
#include "support/fixtures.h"

using namespace p2;

namespace {

struct Asked {
  const char* system;
  const char* axes;
  const char* reduce;
};

Workspace asked(const Asked& question, std::string_view model, double bytes) {
  Workspace workspace = test::workspaceOf(question.system, question.axes, question.reduce);
  workspace.options.cost.model = model;
  workspace.options.cost.algorithm = defaultAlgorithm(model);
  workspace.options.cost.bytes = Bytes(bytes);
  workspace.options.cost.repeat = 1;
  return workspace;
}

}  // namespace

class TestHierarchicalPrices : public QObject {
  Q_OBJECT

  /// The seconds of every placement are those of exploreWorkspace() at exactly these bytes.
  static void compare(HierarchicalPrices& prices, const Workspace& workspace) {
    const auto exploration = test::valueOf(exploreWorkspace(workspace, {}));
    for (const PlacementResult& each : test::filled(exploration->placements)) {
      const Placement placement(workspace.axes, each.matrix);
      const double seconds =
          test::valueOf(prices.secondsOn(placement, workspace.options.goal, workspace.options.cost.bytes));
      QVERIFY2(
          nearlyEqual(seconds, each.bestSeconds),
          qPrintable(
              QString("%1 instead of %2 on %3").arg(seconds).arg(each.bestSeconds).arg(each.matrix.text().c_str())));
      const auto program =
          test::valueOf(prices.programOn(placement, workspace.options.goal, workspace.options.cost.bytes));
      QVERIFY(nearlyEqual(program.seconds, seconds));
    }
  }

 private slots:
  // Bytes as they occur in strategies, which are no powers of two, under both models and for every goal of a mesh.
  void pricesAreTheModelsOwn_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("axes");
    QTest::addColumn<QString>("reduce");
    QTest::newRow("without latencies") << "gcp-a100:4"
                                       << "8,2,4"
                                       << "0,2";
    QTest::newRow("latencies of levels") << "node:4@8GB/s,20us gpu:8@270GB/s,2us"
                                         << "32"
                                         << "0";
    QTest::newRow("rails") << "dgx-a100:4"
                           << "32"
                           << "0";
    QTest::newRow("rails, two axes") << "dgx-h100:4"
                                     << "8,4"
                                     << "0";
  }
  void pricesAreTheModelsOwn() {
    QFETCH(QString, system);
    QFETCH(QString, axes);
    QFETCH(QString, reduce);
    const QByteArray name = system.toUtf8();
    const QByteArray sizes = axes.toUtf8();
    const QByteArray reduced = reduce.toUtf8();
    for (const CostModel* model : costModels()) {
      ExploreOptions options;
      options.cost.model = model->name();
      options.cost.algorithm = model->defaultAlgorithm();
      HierarchicalPrices prices(test::validFrom(name.constData()), options);
      for (const Goal& goal : {kAllReduceGoal, kReduceScatterGoal, kAllGatherGoal, kAllToAllGoal}) {
        for (const double bytes : {1.0, 4097.0, 1'280'000.0, 3e6, 41'943'040.0, 3.7e9}) {
          Workspace workspace = asked({name.constData(), sizes.constData(), reduced.constData()}, model->name(), bytes);
          workspace.options.goal = goal;
          compare(prices, workspace);
        }
      }
    }
  }

  // The interpolation of former times gave 165.9 µs here.
  void anAllReduceBetweenPowersOfTwo() {
    const System system = test::valueOf(parseSystem("dgx-a100:4"));
    HierarchicalPrices prices(test::valid(system), ownPricing(system));
    const Placement placement({Axis{"x", 32, true}}, test::valueOf(parseMatrix("[[4,8]]")));
    QCOMPARE(QString::fromStdString(
                 formatSeconds(test::valueOf(prices.secondsOn(placement, kAllReduceGoal, Bytes(1'280'000))))),
             QString("136 µs"));
  }

  // Groups of one signature are simulated once, whatever their axes are called and in which order they come.
  void groupsOfOneSignatureCostTheSame_data() {
    QTest::addColumn<QString>("system");
    QTest::newRow("switches") << "rack:2@5GB/s,3us node:2@20GB/s,2us gpu:4@300GB/s,1us";
    QTest::newRow("rails") << "dgx-h100:2";
    QTest::newRow("a ring") << "node:2@10GB/s gpu:8@50GB/s,ring";
    QTest::newRow("pairs of GPUs") << "gcp-v100:2";
  }
  void groupsOfOneSignatureCostTheSame() {
    QFETCH(QString, system);
    const QByteArray name = system.toUtf8();
    HierarchicalPrices prices(test::validFrom(name.constData()), {});
    for (const char* axes : {"2,4,2", "4,2,2", "2,2,4"}) {
      for (const char* reduce : {"0", "1", "2", "0,1", "0,2", "1,2", "0,1,2"}) {
        compare(prices, asked({name.constData(), axes, reduce}, "paper", 1 << 20));
      }
    }
  }

  // Goal, repeats and overlap of a document are not those of a strategy.
  void otherOptionsChangeNothing() {
    ExploreOptions options;
    options.goal = test::valueOf(goalFrom("ReduceScatter"));
    options.cost.repeat = 7;
    options.cost.overlap = true;
    HierarchicalPrices plain(test::validFrom("gcp-a100:4"), {});
    HierarchicalPrices other(test::validFrom("gcp-a100:4"), options);
    const Placement placement({Axis{"x", 16, true}, Axis{"y", 4, false}}, test::valueOf(parseMatrix("[[1,16],[4,1]]")));
    QCOMPARE(test::valueOf(other.secondsOn(placement, kAllReduceGoal, Bytes(1e9))),
             test::valueOf(plain.secondsOn(placement, kAllReduceGoal, Bytes(1e9))));
  }

  // Latencies of networks and fitted latencies count.
  void everyLatencyCounts_data() {
    QTest::addColumn<bool>("fitted");
    QTest::newRow("of a network") << false;
    QTest::newRow("fitted") << true;
  }
  void everyLatencyCounts() {
    QFETCH(bool, fitted);
    Workspace workspace = asked({"node:2@8GB/s gpu:4@100GB/s", "8", "0"}, "paper", 1);
    if (fitted) {
      workspace.system.calibrated = true;
      workspace.system.levels[0].interconnect.fittedLatency = 1e-3;
    } else {
      workspace.system.levels[0].interconnect.kind = InterconnectKind::None;
      workspace.system.networks = {test::networkOf(InterconnectKind::Switch, 8e9, "NIC", "", 1, "gpu")};
      workspace.system.networks[0].interconnect.latency = 1e-3;
    }
    HierarchicalPrices prices(test::valid(workspace.system), {});
    for (const double bytes : {16.0, 1e5, 1e9}) {
      workspace.options.cost.bytes = Bytes(bytes);
      compare(prices, workspace);
    }
  }

  void cancelledIsNotAPrice() {
    std::stop_source source;
    source.request_stop();
    HierarchicalPrices prices(test::validFrom("gcp-a100:2"), {}, source.get_token());
    const Placement placement({Axis{"x", 32, true}}, test::valueOf(parseMatrix("[[2,16]]")));
    QCOMPARE(prices.secondsOn(placement, kAllReduceGoal, Bytes(1)).error().kind, ErrorKind::Cancelled);
  }

  // The times of a solved strategy's needs and of its products make its cost, where edges cost nothing.
  void needsExplainTheCost() {
    const ComputationGraph graph = test::valueOf(bundledGraph("alexnet"));
    GraphCostOptions options;
    options.devices = 32;
    FlatPricer flat(options.bandwidth);
    const StrategyProblem problem = test::valueOf(validated(test::valueOf(strategyProblemFrom(graph, options, flat))));
    const Strategy strategy = test::valueOf(solveExactly(problem)).strategies[0];
    const auto needs = test::valueOf(strategyNeeds(graph, options, problem, strategy));
    double wanted = 0;
    for (std::size_t v = 0; v < graph.operators.size(); ++v) {
      const ConfigurationDomain& domain = problem.domainOf(v);
      wanted += domain.costs[strategy.choice[v]] -
                2 * multiplyAdds(graph.operators[v], domain.configurations[strategy.choice[v]]) / options.flops;
    }
    double seconds = 0;
    for (const StrategyNeed& need : needs) {
      seconds += need.seconds;
      QVERIFY(!need.operators.empty());
      QVERIFY(checkReduction(need.axes).ok());
      QVERIFY(need.program.empty());
      if (&need != &needs[0]) QVERIFY(need.seconds <= (&need - 1)->seconds);
    }
    QVERIFY(!needs.empty());
    QVERIFY(std::abs(seconds - wanted) <= 1e-9 * wanted);
  }

  void theModelNeedsItsSystem() {
    QVERIFY(!systemOfDevices(std::nullopt, 8).ok());
    const System system = test::valueOf(parseSystem("gcp-a100:2"));
    QCOMPARE(QString::fromStdString(systemOfDevices(system, 8).error().text()),
             QString("the system has 32 devices, not 8; use its number, or another system"));
    QVERIFY(systemOfDevices(system, 32).ok());
  }
};

QTEST_APPLESS_MAIN(TestHierarchicalPrices)
#include "tst_hierarchical_prices.moc"
