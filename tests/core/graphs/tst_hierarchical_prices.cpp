// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "explore/explore.h"
#include "graphs/bundled_graphs.h"
#include "graphs/hierarchical_prices.h"
#include "graphs/strategy_source.h"
#include "strategy/exact_solver.h"
#include "support/fixtures.h"

using namespace p2;

namespace {

/// The best program of every placement, by explore() at exactly these bytes and for one run.
std::vector<double> explored(const char* system, const char* axes, const char* reduce, double bytes) {
  Workspace workspace = test::workspaceOf(system, axes, reduce);
  workspace.options.cost.bytes = Bytes(bytes);
  workspace.options.cost.repeat = 1;
  std::vector<double> seconds;
  const auto exploration = test::valueOf(explore(workspace, {}));
  for (const PlacementResult& placement : exploration->placements) {
    seconds.push_back(placement.bestSeconds);
  }
  return seconds;
}

}  // namespace

class TestHierarchicalPrices : public QObject {
  Q_OBJECT
 private slots:
  void oneDemandCostsItsBestPlacement() {
    HierarchicalPrices prices(test::validFrom("gcp-a100:4"), {});
    for (const double bytes : {1.0, 4096.0, 1e6, 3.7e9}) {
      const std::vector<double> all = explored("gcp-a100:4", "8,2,4", "0,2", bytes);
      const double best = *std::min_element(all.begin(), all.end());
      const double seconds = test::valueOf(prices.seconds({8, 2, 4}, {{{true, false, true}, Bytes(bytes)}}));
      QVERIFY(std::abs(seconds - best) <= 1e-9 * best);
    }
  }

  // Groups that lie alike are simulated once, whatever their axes are called and in which order they come.
  void everyGroupCostsWhatItsOwnSimulationSays_data() {
    QTest::addColumn<QString>("system");
    QTest::newRow("switches") << "rack:2@5GB/s,3us node:2@20GB/s,2us gpu:4@300GB/s,1us";
    QTest::newRow("rails") << "dgx-h100:2";
    QTest::newRow("a ring") << "node:2@10GB/s gpu:8@50GB/s,ring";
    QTest::newRow("pairs of GPUs") << "gcp-v100:2";
  }
  void everyGroupCostsWhatItsOwnSimulationSays() {
    QFETCH(QString, system);
    const QByteArray name = system.toUtf8();
    HierarchicalPrices prices(test::validFrom(name.constData()), {});
    for (const auto& axes : {std::vector<std::int64_t>{2, 4, 2}, {4, 2, 2}, {2, 2, 4}}) {
      const std::string spelt = std::to_string(axes[0]) + "," + std::to_string(axes[1]) + "," + std::to_string(axes[2]);
      for (const char* reduce : {"0", "1", "2", "0,1", "0,2", "1,2", "0,1,2"}) {
        AllReduceDemand demand{{false, false, false}, Bytes(1 << 20)};
        for (const char* at = reduce; *at != 0; ++at) {
          if (*at != ',') demand.axes[std::size_t(*at - '0')] = true;
        }
        const auto all = explored(name.constData(), spelt.c_str(), reduce, 1 << 20);
        const double best = *std::min_element(all.begin(), all.end());
        const double seconds = test::valueOf(prices.seconds(axes, {demand}));
        QVERIFY2(std::abs(seconds - best) <= 1e-9 * best, qPrintable(QString::fromStdString(spelt) + " over " + reduce +
                                                                     ": " + QString::number(seconds / best)));
      }
    }
  }

  // The document's goal is not that of a strategy.
  void anotherGoalChangesNothing() {
    ExploreOptions options;
    options.goal = test::valueOf(goalFrom("ReduceScatter"));
    HierarchicalPrices plain(test::validFrom("gcp-a100:4"), {});
    HierarchicalPrices other(test::validFrom("gcp-a100:4"), options);
    const std::vector<AllReduceDemand> demands{{{true, false}, Bytes(1e9)}};
    QCOMPARE(test::valueOf(other.seconds({16, 4}, demands)), test::valueOf(plain.seconds({16, 4}, demands)));
  }

  // Axes cannot all be inside a node: what is best for each demand alone is not what is best together.
  void severalDemandsShareAPlacement() {
    HierarchicalPrices prices(test::validFrom("gcp-a100:4"), {});
    const std::vector<AllReduceDemand> demands{{{true, false}, Bytes(1e9)}, {{false, true}, Bytes(2e9)}};
    const std::vector<double> first = explored("gcp-a100:4", "16,4", "0", 1e9);
    const std::vector<double> second = explored("gcp-a100:4", "16,4", "1", 2e9);
    double together = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < first.size(); ++i) together = std::min(together, first[i] + second[i]);
    const double apart =
        *std::min_element(first.begin(), first.end()) + *std::min_element(second.begin(), second.end());
    const double seconds = test::valueOf(prices.seconds({16, 4}, demands));
    QVERIFY(std::abs(seconds - together) <= 1e-9 * together);
    QVERIFY(seconds > apart);
  }

  void latenciesAreInterpolatedFromBelow() {
    const char* system = "node:4@8GB/s,20us gpu:8@270GB/s,2us";
    HierarchicalPrices prices(test::validFrom(system), {});
    for (double bytes = 1; bytes < 1e9; bytes *= 2.9) {
      const std::vector<double> all = explored(system, "32", "0", bytes);
      const double best = *std::min_element(all.begin(), all.end());
      const double seconds = test::valueOf(prices.seconds({32}, {{{true}, Bytes(bytes)}}));
      QVERIFY2(seconds <= best * (1 + 1e-9) && seconds >= 0.82 * best, qPrintable(QString::number(bytes)));
    }
  }

  // A latency counts wherever it is: of a network, or one that measurements told of.
  void everyLatencyCounts_data() {
    QTest::addColumn<bool>("fitted");
    QTest::newRow("of a network") << false;
    QTest::newRow("fitted") << true;
  }
  void everyLatencyCounts() {
    QFETCH(bool, fitted);
    Workspace workspace = test::workspaceOf("node:2@8GB/s gpu:4@100GB/s", "8", "0");
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
      workspace.options.cost.repeat = 1;
      const auto exploration = test::valueOf(explore(workspace, {}));
      const double best = exploration->placements[std::size_t(exploration->bestPlacement)].bestSeconds;
      const double seconds = test::valueOf(prices.seconds({8}, {{{true}, Bytes(bytes)}}));
      QVERIFY2(seconds <= best * (1 + 1e-9) && seconds >= 0.82 * best, qPrintable(QString::number(seconds / best)));
    }
  }

  void nothingToReduceIsFree() {
    HierarchicalPrices prices(test::validFrom("gcp-a100:2"), {});
    QCOMPARE(test::valueOf(prices.seconds({32}, {})), 0.0);
  }

  void cancelledIsNotAPrice() {
    std::stop_source source;
    source.request_stop();
    HierarchicalPrices prices(test::validFrom("gcp-a100:2"), {}, source.get_token());
    QCOMPARE(prices.seconds({32}, {{{true}, Bytes(1)}}).error().kind, ErrorKind::Cancelled);
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
