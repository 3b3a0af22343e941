// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "cost/detail/paper_model.h"
#include "cost/nccl/detail/nccl_model.h"
#include "cost/pattern_pricer.h"
#include "cost/simulator.h"
#include "support/filled.h"
#include "support/fixtures.h"

using namespace p2;

class TestCostModel : public QObject {
  Q_OBJECT

  static constexpr double kBytes = 1e9;

  static StepCost priceOf(const char* system, const char* instruction, Algorithm algorithm = Algorithm::Ring) {
    const System parsed = test::valueOf(parseSystem(system));
    const Placement placement = test::wholeReduction(parsed);
    const SynthesisHierarchy hierarchy(parsed, placement);
    const Program program = test::valueOf(parseProgram(hierarchy, instruction));
    LoweredStep step{program[0].collective, {}};
    for (DeviceGroup& devices : hierarchy.groups(program[0].pattern)) {
      const std::vector<double> whole(devices.size(), 1.0);
      step.groups.push_back({std::move(devices), whole, whole});
    }
    return simulateStep(Topology(test::valid(parsed)), step, {algorithm, Bytes(kBytes), 1});
  }

  static void same(const StepCost& a, const StepCost& b) {
    QVERIFY2(std::abs(a.seconds - b.seconds) <= 1e-9 * std::max(a.seconds, b.seconds),
             qPrintable(QStringLiteral("%1 and %2").arg(a.seconds).arg(b.seconds)));
    QVERIFY(std::abs(a.linkBytes.value() - b.linkBytes.value()) <= 1e-9 * a.linkBytes.value());
    QCOMPARE(a.link, b.link);
    QCOMPARE(a.algorithm, b.algorithm);
  }

 private slots:
  void closedForms() {
    QCOMPARE(priceOf("gpu:4@10GB/s", "root:InsideGroup:AllReduce").seconds, 1.5 * kBytes / 10e9);
    QCOMPARE(priceOf("gpu:4@10GB/s", "root:InsideGroup:ReduceScatter").seconds, 0.75 * kBytes / 10e9);
    QCOMPARE(priceOf("gpu:4@10GB/s", "root:InsideGroup:Reduce").seconds, kBytes / 10e9);
    QCOMPARE(priceOf("gpu:4@10GB/s,ring", "root:InsideGroup:AllReduce").seconds, 1.5 * kBytes / 10e9);
    QCOMPARE(priceOf("gpu:4@10GB/s,ring", "root:InsideGroup:Broadcast").seconds, kBytes / 10e9);
  }

  // Where all links are alike, whatever they join, one collective is no worse than two that do as much and more.
  void reduceAndBroadcastAreNoShortcut_data() {
    QTest::addColumn<QString>("system");
    for (const char* system :
         {"gpu:8@300GB/s,ring", "gpu:3@300GB/s,ring", "gpu:8@300GB/s,ring,halfDuplex=yes", "gpu:8@300GB/s,mesh",
          "gpu:2@300GB/s,mesh", "gpu:8@300GB/s", "gpu:8@300GB/s,bus", "x:4@50GB/s,ring y:4@50GB/s,ring", "tpu-v4:4",
          "node:4@50GB/s gpu:8@300GB/s", "dgx-h100:2"}) {
      QTest::addRow("%s", system) << system;
    }
  }
  void reduceAndBroadcastAreNoShortcut() {
    QFETCH(QString, system);
    const auto seconds = [&](const char* collective) {
      return priceOf(qPrintable(system), (std::string("root:InsideGroup:") + collective).c_str()).seconds;
    };
    QVERIFY(seconds("AllReduce") <= (seconds("Reduce") + seconds("Broadcast")) * (1 + 1e-9));
    QVERIFY(std::abs(seconds("AllReduce") / (seconds("ReduceScatter") + seconds("AllGather")) - 1) < 1e-9);
  }

  // Four groups that cross the nodes share each node's one port: that is what makes placements differ.
  void groupsShareTheNetwork() {
    const StepCost shared = priceOf("node:2@1GB/s gpu:4@100GB/s", "node:Parallel(root):AllReduce");
    QCOMPARE(shared.seconds, 4 * kBytes / 1e9);
    const StepCost flat = priceOf("node:2@1GB/s gpu:4@100GB/s", "root:InsideGroup:AllReduce");
    QCOMPARE(flat.seconds, 1.75 * kBytes / 1e9);
    QCOMPARE(Topology(test::validFrom("node:2 gpu:4")).linkName(flat.link), std::string("node 0 ↑"));
    QCOMPARE(flat.linkBytes, Bytes(1.75 * kBytes));
  }

  // A ring over every second member of a ring cannot close over links of its own.
  void partialRingsShareLinks() {
    QCOMPARE(priceOf("node:2 gpu:4@10GB/s,ring", "node:InsideGroup:AllReduce").seconds, 1.5 * kBytes / 10e9);
    QCOMPARE(priceOf("half:2@10GB/s gpu:4@10GB/s,ring", "root:InsideGroup:Reduce").seconds, kBytes / 10e9);
  }

  void treesBeatRingsBetweenTwoNodes() {
    const char* system = "node:2@8GB/s gpu:16@270GB/s";
    const double ring = priceOf(system, "root:InsideGroup:AllReduce", Algorithm::Ring).seconds;
    const double tree = priceOf(system, "root:InsideGroup:AllReduce", Algorithm::Tree).seconds;
    QCOMPARE(ring, 2 * 31.0 / 32 * kBytes / 8e9);
    QCOMPARE(tree, kBytes / 8e9);
    const StepCost best = priceOf(system, "root:InsideGroup:AllReduce", Algorithm::Auto);
    QCOMPARE(best.seconds, tree);
    QCOMPARE(best.algorithm, Algorithm::Tree);
    QCOMPARE(priceOf(system, "root:InsideGroup:Reduce", Algorithm::Tree).seconds, kBytes / 8e9);
  }

  void latencyCountsWhenGiven() {
    const StepCost cost = priceOf("gpu:4@10GB/s,1ms", "root:InsideGroup:AllReduce");
    QCOMPARE(cost.seconds, 1.5 * kBytes / 10e9 + 6e-3);
  }

  // The pricer routes each pattern once and scales; the simulator adds up every flow of the lowered step.
  void pricerAndSimulatorAgree_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("axes");
    QTest::addColumn<QString>("reduce");
    QTest::addColumn<QString>("rules");
    QTest::newRow("A100") << "gcp-a100:4"
                          << "8,2,4"
                          << "0,2"
                          << "paper";
    QTest::newRow("V100") << "gcp-v100:2"
                          << "4,4"
                          << "0"
                          << "all";
    QTest::newRow("three levels") << "a:2@1GB/s,5us b:3@3GB/s,ring c:4@9GB/s,1us"
                                  << "12,2"
                                  << "0"
                                  << "paper";
    QTest::newRow("three levels, all rules") << "a:2@1GB/s b:2@3GB/s c:2@9GB/s,1us"
                                             << "8"
                                             << "0"
                                             << "all";
  }
  void pricerAndSimulatorAgree() {
    QFETCH(QString, system);
    QFETCH(QString, axes);
    QFETCH(QString, reduce);
    QFETCH(QString, rules);
    const Workspace workspace = test::workspaceOf(system.toStdString(), axes.toStdString(), reduce.toStdString());
    const RuleSet ruleSet = test::ruleSetOf(rules.toStdString());
    const Topology topology(test::valid(workspace.system));
    MatrixEnumerator enumerator(sizesOf(workspace.axes), workspace.system.counts());
    int uneven = 0;
    while (enumerator.next()) {
      const Placement placement(workspace.axes, enumerator.matrix());
      const SynthesisHierarchy hierarchy(workspace.system, placement);
      const auto graph = test::valueOf(StateGraph::build(hierarchy.sizes(), ruleSet));
      for (const Algorithm algorithm : {Algorithm::Ring, Algorithm::Tree, Algorithm::Auto}) {
        const CostOptions options{algorithm, Bytes(kBytes), 3};
        PatternPricer pricer(topology, hierarchy, options);
        // One program through every edge: a shortest way there and on to the goal.
        for (std::size_t target = 0; target < graph->edges().size(); target += 7) {
          const Program program = programThrough(*graph, target);
          const LoweredProgram lowered = test::valueOf(lower(placement, hierarchy, program, ruleSet));
          int node = StateGraph::start();
          for (std::size_t step = 0; step < program.size(); ++step) {
            const StateEdge& edge = edgeOf(*graph, node, program[step]);
            uneven += edge.shares.size() > 1 ? 1 : 0;
            same(pricer.price(edge), simulateStep(topology, lowered[step], options));
            node = edge.target;
          }
        }
      }
    }
    if (rules == QStringLiteral("all") && axes == QStringLiteral("8")) QVERIFY(uneven > 0);
  }

  // A model sees the same of a step, whichever engine counted its traffic.
  void simulatorSeesGroupsAndHops() {
    const System system = test::valueOf(parseSystem("rack:2 node:2@8GB/s,10us gpu:4@270GB/s,2us"));
    const Topology topology(test::valid(system));
    LoweredStep step{Collective::AllReduce, {}};
    for (const std::int64_t first : {0, 4}) {
      const DeviceGroup devices = test::devices({first, first + 1, first + 8, first + 9});
      step.groups.push_back({devices, std::vector<double>(4, 0.5), std::vector<double>(4, 0.5)});
    }
    const Traffic ring = trafficOf(topology, step, PaperModel(), Algorithm::Ring);
    QCOMPARE(ring.members, std::int64_t(4));
    QCOMPARE(ring.nodes, std::int64_t(2));
    QCOMPARE(ring.hops.count, 6.0);
    QCOMPARE(ring.loads.size(), std::size_t(3));
    for (const LinkLoad& load : test::filled(ring.loads))
      QVERIFY(load.bytes > 0 && load.bandwidth > 0 && !load.link.isNone());
    const Traffic tree = trafficOf(topology, step, PaperModel(), Algorithm::Tree);
    QCOMPARE(tree.hops.count, 4.0);
  }

  // A second model: what it is given is enough to price by, and the choice of an algorithm is made by its figures.
  void modelsDecideTheAlgorithm() {
    class HopModel : public PaperModel {
     public:
      [[nodiscard]] std::string_view name() const override { return "hops"; }
      [[nodiscard]] StepCost price(const Traffic& traffic, Bytes) const override {
        return {traffic.hops.count, {}, {}};
      }
    };
    const HopModel model;
    const Topology topology(test::validFrom("node:8 gpu:2"));
    LoweredStep step{Collective::AllReduce, {{{}, {}, {}}}};
    for (const Device device : IdRange<Device>(16)) step.groups[0].devices.push_back(device);
    step.groups[0].before = step.groups[0].after = std::vector<double>(16, 1.0);
    const auto cost = [&](Algorithm algorithm) {
      return priceStep(model, step.collective, {algorithm, Bytes(kBytes), 3}, [&](Algorithm one) {
        return model.price(trafficOf(topology, step, model, one), Bytes(kBytes));
      });
    };
    QCOMPARE(cost(Algorithm::Ring).seconds, 3 * 30.0);
    QCOMPARE(cost(Algorithm::Tree).seconds, 3 * 8.0);
    QCOMPARE(cost(Algorithm::Auto).algorithm, Algorithm::Tree);
    step.collective = Collective::ReduceScatter;
    QCOMPARE(cost(Algorithm::Tree).algorithm, Algorithm::Ring);
  }

  void systemsHaveAModel() {
    const auto modelFor = [](const char* system) { return defaultModel(test::valueOf(parseSystem(system))); };
    QCOMPARE(modelFor("dgx-h100:4"), std::string_view("nccl"));
    QCOMPARE(modelFor("gcp-a100:4"), std::string_view("paper"));
    QCOMPARE(modelFor("node:2 gpu:8"), std::string_view("paper"));
    QCOMPARE(defaultAlgorithm("paper"), Algorithm::Ring);
    QCOMPARE(defaultAlgorithm("nccl"), Algorithm::Auto);
    QVERIFY(algorithmsOf(PaperModel()) == std::vector({Algorithm::Ring, Algorithm::Tree, Algorithm::Auto}));
    // All of them, and Auto: direct is there for registered buffers.
    QCOMPARE(algorithmsOf(NcclModel()).size(), kAlgorithms + 1);
    for (const CostModel* model : costModels()) QVERIFY(!model->unmodelledEffects().empty());
  }

  void gainsAtRoundingLevelAreTies() {
    QCOMPARE(gainOver(1, 1 - 1e-10), 1.0);
    QCOMPARE(gainOver(1, 1 + 1e-10), 1.0);
    QVERIFY(gainOver(1, 1 - 1e-8) > 1);
    QVERIFY(gainOver(1, 1 + 1e-8) < 1);
    QCOMPARE(gainOver(1, 2), 0.5);
    QCOMPARE(gainOver(0, 0), 1.0);
  }

  void choicesSayTheProtocol() {
    StepCost cost;
    cost.algorithm = Algorithm::Tree;
    QCOMPARE(choiceText(cost), std::string("tree"));
    cost.protocol = Protocol::LL128;
    QCOMPARE(choiceText(cost), std::string("tree, LL128"));
    QVERIFY(test::valueOf(protocolFrom("LL128")) == Protocol::LL128);
    QVERIFY(!protocolFrom("").ok());
  }

  void modelsAreFoundByName() {
    for (const CostModel* model : costModels()) {
      QCOMPARE(test::valueOf(costModelFrom(model->name())), model);
      QVERIFY(QString::fromStdString(costModelFrom("nccl 1").error().message)
                  .contains(QString::fromUtf8(model->name().data(), qsizetype(model->name().size()))));
    }
    QCOMPARE(modelOf({}).name(), std::string_view("paper"));
  }

 private:
  static const StateEdge& edgeOf(const StateGraph& graph, int node, const Instruction& instruction) {
    std::size_t e = graph.firstEdge(node);
    while (graph.edges()[e].instruction != instruction) ++e;
    return graph.edges()[e];
  }

  static Program programThrough(const StateGraph& graph, std::size_t target) {
    int source = 0;
    while (graph.firstEdge(source + 1) <= target) ++source;
    std::vector<std::size_t> entering(std::size_t(graph.nodeCount()), SIZE_MAX);
    std::vector<int> queue{StateGraph::start()};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (std::size_t e = graph.firstEdge(queue[i]); e < graph.firstEdge(queue[i] + 1); ++e) {
        const int next = graph.edges()[e].target;
        if (next == StateGraph::start() || entering[std::size_t(next)] != SIZE_MAX) continue;
        entering[std::size_t(next)] = e;
        queue.push_back(next);
      }
    }
    Program program;
    for (int node = source; node != StateGraph::start();) {
      const std::size_t e = entering[std::size_t(node)];
      program.insert(program.begin(), graph.edges()[e].instruction);
      node = 0;
      while (graph.firstEdge(node + 1) <= e) ++node;
    }
    program.push_back(graph.edges()[target].instruction);
    for (int node = graph.edges()[target].target; !graph.isGoal(node);) {
      std::size_t e = graph.firstEdge(node);
      while (graph.distance(graph.edges()[e].target) != graph.distance(node) - 1) ++e;
      program.push_back(graph.edges()[e].instruction);
      node = graph.edges()[e].target;
    }
    return program;
  }
};

QTEST_APPLESS_MAIN(TestCostModel)
#include "tst_cost_model.moc"
