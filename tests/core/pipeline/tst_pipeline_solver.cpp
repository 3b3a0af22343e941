// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <functional>

#include "base/near.h"
#include "graphs/bundled_graphs.h"
#include "support/filled.h"
#include "tests/core/pipeline/pipeline_cases.h"

using namespace p2;

namespace {

GraphCostOptions optionsFor(const System& system, std::int64_t microbatches) {
  GraphCostOptions options = test::smallOptions(system.deviceCount());
  options.microbatches = microbatches;
  return options;
}

Result<Pipeline> solved(const ComputationGraph& graph, const GraphCostOptions& options, const System& system,
                        std::optional<std::int64_t> stages) {
  test::AffinePipelinePricer pricer;
  const PipelineChain chain(graph);
  return solvePipeline(chain, options, system, pricer, {stages, {}});
}

/// What the search found at most above the shortest step, in any of the cases.
constexpr double kMostRegret = 1.035;

bool isNear(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(a, b); }

}  // namespace

class TestPipelineSolver : public QObject {
  Q_OBJECT

  /// The search over cuts of one division is a heuristic, its bound is proven.
  static void checkAgainst(const Pipeline& found, double best) {
    const QByteArray text = QByteArray::number(found.cost / best, 'g', 17);
    QCOMPARE(found.cost, playedSeconds(found.times(), found.setting.microbatches));
    QVERIFY2(!definitelyLess(found.cost, best), text);
    QVERIFY2(found.cost <= kMostRegret * best, text);
    QVERIFY2(found.lowerBound <= best, QByteArray::number(found.lowerBound / best));
    QCOMPARE(found.optimal, found.lowerBound >= found.cost);
  }

 private slots:
  void bruteForceAgrees_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<int>("microbatches");
    QTest::addColumn<int>("zero");
    QTest::addColumn<bool>("small");
    QTest::newRow("chain on four devices") << "node:2 gpu:2" << 4 << 0 << false;
    QTest::newRow("one microbatch") << "node:2 gpu:2" << 1 << 1 << false;
    QTest::newRow("two cut axes") << "node:2 gpu:4" << 6 << 0 << true;
    QTest::newRow("gradients scattered every pass") << "node:4 gpu:2" << 3 << 2 << true;
    QTest::newRow("all sharded") << "node:2 gpu:4" << 3 << 3 << false;
  }
  void bruteForceAgrees() {
    QFETCH(QString, system);
    QFETCH(int, microbatches);
    QFETCH(int, zero);
    QFETCH(bool, small);
    const ComputationGraph graph = small ? test::smallGraph() : test::chainGraph({8, 32, 8, 8, 64});
    const System drawn = test::valueOf(parseSystem(system.toStdString()));
    GraphCostOptions options = optionsFor(drawn, microbatches);
    options.memory.zero = zero;
    options.flops = 2e9;
    const PipelineChain chain(graph);
    test::AffinePipelinePricer pricer;
    double overall = std::numeric_limits<double>::infinity();
    double needed = 0;
    for (const std::int64_t stages : {2, 4, 8}) {
      const double best = test::everyPipeline(chain, options, drawn, pricer, stages);
      const auto found = solved(graph, options, drawn, stages);
      QCOMPARE(found.ok(), std::isfinite(best));
      if (!found.ok()) continue;
      checkAgainst(*found, best);
      overall = std::min(overall, best);
      for (const PipelineStage& stage : found->stages) needed = std::max(needed, stage.memory.total().value());
    }
    const double whole = test::valueOf(solved(graph, options, drawn, 1)).cost;
    checkAgainst(test::valueOf(solved(graph, options, drawn, std::nullopt)), std::min(overall, whole));
    // Within a bound on memory, too.
    int bound = 0;
    for (const double part : {0.35, 0.6, 0.9}) {
      options.deviceMemory = Bytes(part * needed);
      const double best = test::everyPipeline(chain, options, drawn, pricer, 2);
      const auto found = solved(graph, options, drawn, 2);
      QCOMPARE(found.ok(), std::isfinite(best));
      if (!found.ok()) continue;
      ++bound;
      checkAgainst(*found, best);
      for (const PipelineStage& stage : test::filled(found->stages))
        QVERIFY(stage.memory.total() <= *options.deviceMemory);
    }
    QVERIFY(bound > 0);
  }

  // To the bit.
  void oneStageIsTheSolverOfMeshes() {
    const ComputationGraph graph = test::smallGraph();
    const System drawn = test::valueOf(parseSystem("node:4 gpu:4"));
    GraphCostOptions options = optionsFor(drawn, 5);
    test::AffinePricer pricer;
    for (const double memory : {0.0, 1200.0}) {
      options.deviceMemory = Bytes(memory);
      const auto one = test::valueOf(solved(graph, options, drawn, 1));
      const auto mapped = test::valueOf(solveMapped(graph, options, drawn, pricer));
      QCOMPARE(one.cost, mapped.bounded.solution.strategies.front().cost);
      QCOMPARE(one.lowerBound, mapped.bounded.lowerBound);
      QCOMPARE(one.stages.front().answer->strategy().choice, mapped.bounded.solution.strategies.front().choice);
      QCOMPARE(one.stages.front().mapped().mesh, mapped.mapped.mesh);
    }
  }

  // What is listed of a stage adds up to its cost: slots of what it does, its sends, and what happens once.
  void timesAddUp() {
    const ComputationGraph graph = test::chainGraph({8, 32, 8, 8, 64});
    const System drawn = test::valueOf(parseSystem("node:2 gpu:4"));
    for (const int zero : {0, 1, 2, 3}) {
      GraphCostOptions options = optionsFor(drawn, 6);
      options.memory.zero = zero;
      const auto found = test::valueOf(solved(graph, options, drawn, 2));
      QCOMPARE(found.slotCount(), std::int64_t{7});
      for (const PipelineStage& stage : found.stages) {
        const double cost = 7 * stage.times.slot() + stage.times.once;
        QVERIFY2(isNear(cost, stage.answer->cost()), qPrintable(QString::number(cost / stage.answer->cost(), 'g', 17)));
        const double sends = stage.sends.forwardSeconds + stage.sends.backwardSeconds;
        QVERIFY(isNear(stage.mapping.seconds() + 7 * sends, cost));
        QVERIFY(sends > 0);
      }
      QCOMPARE(found.cost, scheduleOf(found.times(), 6)->seconds);
      QVERIFY(isNear(found.bubbleSeconds(), found.stages[found.slowest()].times.slot()));
      QCOMPARE(found.bubbleShare(), 1.0 / 7);
    }
  }

  // Numbers of stages are ranked by the steps that are played: none of them has a shorter one than the best of all.
  void rankedByTheSchedule() {
    const System drawn = test::valueOf(parseSystem("node:2@25GB/s,5us gpu:8@300GB/s,2us"));
    const ComputationGraph graph = test::valueOf(bundledGraph("alexnet"));
    int compared = 0;
    for (const std::int64_t microbatches : {2, 8}) {
      GraphCostOptions options = optionsFor(drawn, microbatches);
      options.flops = 1e14;
      const auto any = test::valueOf(solved(graph, options, drawn, std::nullopt));
      QCOMPARE(any.cost, playedSeconds(any.times(), microbatches));
      for (const std::int64_t stages : {1, 2, 4, 8}) {
        const auto fixed = test::valueOf(solved(graph, options, drawn, stages));
        QVERIFY2(any.cost <= fixed.cost, QByteArray::number(any.cost / fixed.cost));
        ++compared;
      }
    }
    QCOMPARE(compared, 8);
  }

  // Every device lies in one stage, and a stage's devices are one block of each level.
  void stagesShareTheDevices() {
    const System drawn = test::valueOf(parseSystem("node:4 gpu:8"));
    const auto all = stageFactorsOf(drawn, 8);
    QCOMPARE(all, (std::vector<StageFactors>{{4, 2}, {2, 4}, {1, 8}}));
    for (const StageFactors& factors : all) {
      std::map<std::int64_t, int> counts;
      for (std::int64_t device = 0; device < 32; ++device) {
        const std::int64_t stage = stageOf(drawn, factors, Device(device));
        const std::int64_t node = device / 8 / (4 / factors[0]);
        QCOMPARE(stage, node * factors[1] + device % 8 / (8 / factors[1]));
        ++counts[stage];
      }
      QCOMPARE(counts.size(), std::size_t{8});
      for (const auto& [stage, count] : test::filled(counts)) QCOMPARE(count, 4);
    }
    QCOMPARE(stageFactorsOf(drawn, 3), std::vector<StageFactors>{});
  }

  void whatCannotBeIsSaid() {
    const ComputationGraph graph = test::smallGraph();
    const System drawn = test::valueOf(parseSystem("node:4 gpu:4"));
    GraphCostOptions options = optionsFor(drawn, 4);
    const auto textOf = [&](std::int64_t stages) {
      return QString::fromStdString(solved(graph, options, drawn, stages).error().text());
    };
    QVERIFY(textOf(3).contains("3 stages cannot share 16 devices"));
    QVERIFY(textOf(4).contains("can be cut into 3 stages at most"));
    const ComputationGraph longChain = test::chainGraph(std::vector<std::int64_t>(1200, 8));
    QVERIFY(solved(longChain, options, drawn, 2).error().text().find("at 1198 places, more than 1023") !=
            std::string::npos);
    options.deviceMemory = Bytes(10);
    QVERIFY(textOf(2).contains("use more devices"));
  }

  void cancelledIsNoPipeline() {
    std::stop_source source;
    source.request_stop();
    test::AffinePipelinePricer pricer;
    const ComputationGraph graph = test::smallGraph();
    const PipelineChain chain(graph);
    const System drawn = test::valueOf(parseSystem("node:2 gpu:4"));
    for (const std::optional<std::int64_t> stages : {std::optional<std::int64_t>{}, std::optional<std::int64_t>{2}}) {
      const auto found = solvePipeline(chain, optionsFor(drawn, 4), drawn, pricer, {stages, {}}, source.get_token());
      QCOMPARE(found.error().kind, ErrorKind::Cancelled);
    }
  }
};

QTEST_APPLESS_MAIN(TestPipelineSolver)
#include "tst_pipeline_solver.moc"
