// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <numeric>

#include "graphs/detail/model_graph.h"
#include "graphs/strategy_source.h"
#include "mapping/mapped_baselines.h"
#include "pipeline/pipeline_solver.h"
#include "strategy/shared_tensors.h"
#include "strategy_answer/system_figures.h"
#include "support/fixtures.h"
#include "tests/core/training/memory_runs.h"

using namespace p2;

namespace {

/// Nodes of a run's accelerators that its pipeline divides evenly.
System systemOf(const TrainingRun& run) {
  const std::int64_t devices = devicesOf(run.configuration.plan);
  const std::int64_t node = std::gcd(devices / run.configuration.plan.pipeline, run.accelerator.domain);
  const auto text = QString("node:%1@100GB/s,3us gpu:%2@100GB/s,1us").arg(devices / node).arg(node);
  System system = test::valueOf(parseSystem(text.toStdString()));
  system.accelerator = {run.accelerator.begins, run.accelerator.memory, run.accelerator.memoryBandwidth, 0,
                        run.accelerator.bf16,   run.accelerator.fp8};
  return system;
}

Recomputation recomputationOf(RecomputeKind kind) {
  return kind == RecomputeKind::Full        ? Recomputation::Full
         : kind == RecomputeKind::Selective ? Recomputation::Selective
                                            : Recomputation::None;
}

GraphCostOptions optionsOf(const TrainingRun& run, const System& system) {
  GraphCostOptions asked = StrategyChoice{}.options;
  asked.model = StrategyCostModel::Hierarchical;
  asked.devices = system.deviceCount();
  asked.space.cutoff = 1;
  asked.microbatches = run.configuration.plan.microbatches;
  asked.memory.zero = static_cast<int>(run.configuration.plan.zero);
  asked.memory.recomputation = recomputationOf(run.configuration.recomputation);
  return withTrainingFigures(filledIn(asked, system), asked, system);
}

/// The run as a strategy: equal stages, each of them data parallel, under the memory of `options`.
Result<Pipeline> strategyOf(const TrainingRun& run, const System& system, const GraphCostOptions& options) {
  const TrainingPlan& plan = run.configuration.plan;
  P2_TRY_ASSIGN(auto graph, graphOf(run.model, {plan.microbatch * plan.data, plan.sequence}));
  graph = withSharedTensors(std::move(graph));
  const PipelineChain chain(graph);
  const auto factors = stageFactorsOf(system, plan.pipeline);
  if (factors.empty()) return Error{"stages that do not divide the system"};
  P2_TRY_ASSIGN(const auto cuts, chain.evenCuts(plan.pipeline));
  const PipelineSetting setting(system, options, factors.front());
  HierarchicalPrices prices(test::valid(system), ownPricing(system));
  SimulatedPipelinePricer pricer(prices);
  StageRequest request;
  request.limits.allows = [](const Operator& op, const AxisAssignment& assignment, const Mesh& mesh) {
    return isTensorParallel(op, assignment, mesh, MeshAxes{0}, false);
  };
  return pipelineOf(chain, setting, cuts, pricer, request);
}

}  // namespace

/// Public runs that ran out of memory, as strategies.
class TestOutOfMemory : public QObject {
  Q_OBJECT
 private slots:
  void noRunThatDidNotFitIsCalledFitting() {
    int refused = 0;
    for (const test::MemoryRun& each : test::memoryRuns()) {
      if (each.figure != test::MemoryFigure::Exceeded || !each.isScored()) continue;
      const TrainingPlan& plan = each.run.configuration.plan;
      QCOMPARE(plan.tensor * plan.context * plan.expert, 1);
      const System system = systemOf(each.run);
      GraphCostOptions options = optionsOf(each.run, system);
      const auto fitting = strategyOf(each.run, system, options);
      const QString name =
          QString::fromStdString(each.run.name + ", " + describe(each.run.configuration) + ", " + each.run.reference);
      QVERIFY2(!fitting.ok(), qPrintable(name));
      QVERIFY2(fitting.error().kind == ErrorKind::TooLarge, fitting.error().text().c_str());
      // Memory alone refuses it.
      options.deviceMemory = Bytes(0);
      const Pipeline unbounded = test::valueOf(strategyOf(each.run, system, options));
      qInfo("%s: %.1f GB of %.1f", qPrintable(name), memoryOf(unbounded).value() / 1e9,
            each.run.accelerator.memory / 1e9);
      QVERIFY(memoryOf(unbounded).value() > each.run.accelerator.memory);
      ++refused;
    }
    QVERIFY2(refused >= 2, qPrintable(QString::number(refused)));
  }
};

QTEST_APPLESS_MAIN(TestOutOfMemory)
#include "tst_out_of_memory.moc"
