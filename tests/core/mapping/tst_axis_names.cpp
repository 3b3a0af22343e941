// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <set>

#include "graphs/strategy_source.h"
#include "mapping/axis_names.h"
#include "mapping/mapped_baselines.h"
#include "mapping/mapped_needs.h"
#include "placement/framework_axes.h"
#include "support/fixtures.h"

using namespace p2;

namespace {

struct Machine {
  System system = test::valueOf(systemFromArgument("dgx-h100:2"));
  HierarchicalPrices prices{test::valueOf(validated(system)), ownPricing(system)};
  SimulatedMeshPricer pricer{prices};

  [[nodiscard]] GraphCostOptions options() const {
    GraphCostOptions options;
    options.devices = system.deviceCount();
    options.model = StrategyCostModel::Hierarchical;
    options.space.cutoff = 1;
    options.deviceMemory = Bytes(0);
    return filledIn(options, system);
  }
};

/// The names of axes that are longer than 1.
std::set<std::string> namesOf(const Mesh& mesh, const std::vector<std::string>& names) {
  std::set<std::string> used;
  for (const Axis& axis : namedAxesOf(mesh, names)) {
    if (axis.size > 1) used.insert(axis.name);
  }
  return used;
}

}  // namespace

/// Axes of meshes are named by what they split, in words that frameworks know.
class TestAxisNames : public QObject {
  Q_OBJECT
 private slots:
  void baselinesHaveTheirDegrees_data() {
    QTest::addColumn<QString>("graph");
    QTest::addColumn<int>("baseline");
    QTest::addColumn<QString>("needed");
    QTest::addColumn<QString>("allowed");
    const auto row = [](const char* graph, MappedBaseline baseline, const char* needed, const char* allowed) {
      const auto name = nameOf(baseline);
      QTest::newRow(qPrintable(QString(graph) + ' ' + QString::fromUtf8(name.data(), qsizetype(name.size()))))
          << graph << int(baseline) << needed << allowed;
    };
    row("gpt2-medium", MappedBaseline::Data, "data", "data");
    row("gpt2-medium", MappedBaseline::FullyShardedData, "data", "data");
    row("gpt2-medium", MappedBaseline::Tensor, "tensor", "data tensor");
    row("gpt2-medium", MappedBaseline::TensorSequence, "tensor", "data tensor");
    row("mixtral-8x7b", MappedBaseline::Expert, "expert", "data tensor expert");
  }
  void baselinesHaveTheirDegrees() {
    QFETCH(QString, graph);
    QFETCH(int, baseline);
    QFETCH(QString, needed);
    QFETCH(QString, allowed);
    Machine machine;
    const ComputationGraph asked = test::valueOf(graphFromArgument(graph.toStdString())).graph;
    const auto found = test::valueOf(
        mappedBaseline(asked, machine.options(), machine.system, machine.pricer, MappedBaseline(baseline)));
    const std::set<std::string> names = namesOf(found.solution.mapped.mesh, found.axisNames);
    QVERIFY2(names.contains(needed.toStdString()), qPrintable(QString::fromStdString(*names.begin())));
    for (const std::string& name : names) {
      QVERIFY2(allowed.split(' ').contains(QString::fromStdString(name)), name.c_str());
    }
  }

  // What the best strategy hands over needs no rename before a framework knows it.
  void theWorkloadOfAStrategyHasThem() {
    Machine machine;
    const ComputationGraph graph = test::valueOf(graphFromArgument("gpt2-medium")).graph;
    const GraphCostOptions options = machine.options();
    const auto found = test::valueOf(solveMapped(graph, options, machine.system, machine.pricer));
    const MappedGraph mapped(graph, options);
    const auto mapping =
        test::valueOf(mappingOf(mapped, found.mapped, found.bounded.solution.strategies.front(), machine.pricer));
    const auto source = test::valueOf(workloadOf(mapped, found.mapped, mapping));
    for (const Axis& axis : source.workload.axes) {
      const auto form = frameworkAxisOf(axis.name);
      QVERIFY2(form && !frameworkAxes()[*form].megatron.empty(), axis.name.c_str());
    }
    QCOMPARE(source.workload.axes.size(), found.mapped.mesh.sizes.size());
  }

  // An axis that splits the batch of one product and the weights of the other is named by both.
  void whatDisagreesIsNamedByBoth() {
    Machine machine;
    machine.system = test::valueOf(parseSystem("gpu:4@100GB/s"));
    HierarchicalPrices prices(test::valueOf(validated(machine.system)), {});
    SimulatedMeshPricer pricer(prices);
    ComputationGraph graph;
    using Role = Tensor::Role;
    const auto product = [](const char* name) {
      return Operator{name,
                      OperatorKind::Gemm,
                      {{"m", 8}, {"n", 8}, {"k", 8}},
                      {{"x", Role::Input, {0, 2}}, {"w", Role::Parameter, {2, 1}}, {"y", Role::Output, {0, 1}}}};
    };
    graph.operators = {product("first"), product("second")};
    graph.edges = {{0, 2, 1, 0}};
    graph = test::valueOf(validated(graph));
    GraphCostOptions options = machine.options();
    const auto namesWith = [&](const Configuration& first, const Configuration& second) {
      MappedRequest request;
      request.limits.pins = {MappedPin{first, {}}, MappedPin{second, {}}};
      request.mesh = Mesh{{4}, test::valueOf(parseMatrix("[[4]]"))};
      const auto found = test::valueOf(solveMapped(graph, options, machine.system, pricer, request));
      return axisNamesOf(graph, found.mapped, found.bounded.solution.strategies.front());
    };
    QCOMPARE(namesWith({4, 1, 1}, {4, 1, 1}), std::vector<std::string>{"data"});
    QCOMPARE(namesWith({1, 4, 1}, {1, 1, 4}), std::vector<std::string>{"tensor"});
    QCOMPARE(namesWith({4, 1, 1}, {1, 4, 1}), std::vector<std::string>{"data-tensor"});
    const Mesh mesh{{4}, test::valueOf(parseMatrix("[[4]]"))};
    QCOMPARE(meshText(mesh, {"data-tensor"}), std::string("dp/tp 4 (x)"));
    QCOMPARE(meshText(mesh, {"tensor-2"}), std::string("tp 4 (x)"));
    QCOMPARE(meshText(mesh, {"copies"}), std::string("copies 4 (x)"));
  }
};

QTEST_APPLESS_MAIN(TestAxisNames)
#include "tst_axis_names.moc"
