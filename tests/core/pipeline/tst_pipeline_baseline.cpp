// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "graphs/strategy_source.h"
#include "pipeline/pipeline_baseline.h"
#include "pipeline/pipeline_workload.h"
#include "tests/core/pipeline/pipeline_cases.h"

using namespace p2;

namespace {

/// GPT-3 on 32 nodes: 16 microbatches of 8 sequences.
struct Gpt {
  System system = test::valueOf(parseSystem("node:32@25GB/s,2us gpu:8@450GB/s,1us"));
  ComputationGraph graph = test::valueOf(graphFromArgument("gpt3-175b", {8, 2048, {}})).graph;
  GraphCostOptions options;
  PipelineChain chain{graph};
  std::unique_ptr<HierarchicalPrices> prices;
  std::unique_ptr<SimulatedPipelinePricer> pricer;

  Gpt() {
    options.devices = 256;
    options.model = StrategyCostModel::Hierarchical;
    options.space.cutoff = 1;
    options.flops = 989e12;
    options.memoryBandwidth = 3.35e12;
    options.bytesPerElement = Bytes(2);
    options.microbatches = 16;
    options.memory = {Optimizer::Adam, 1, Recomputation::Selective};
    prices = std::make_unique<HierarchicalPrices>(test::valueOf(validated(system)), ExploreOptions());
    pricer = std::make_unique<SimulatedPipelinePricer>(*prices);
  }
};

}  // namespace

class TestPipelineBaseline : public QObject {
  Q_OBJECT

 private slots:
  // The published recipe: eight devices of a node for tensors, 16 stages across the nodes, six layers each.
  void megatronDividesLayersEvenly() {
    Gpt gpt;
    const auto found = test::valueOf(pipelineBaseline(gpt.chain, gpt.options, gpt.system, *gpt.pricer, 16, true));
    const Pipeline& pipeline = found.pipeline;
    QVERIFY(pipeline.fits);
    QCOMPARE(pipeline.setting.factors, (StageFactors{16, 1}));
    QCOMPARE(pipeline.stages.size(), std::size_t{16});
    for (std::size_t stage = 1; stage + 1 < 16; ++stage) {
      QCOMPARE(pipeline.stages[stage].part.operators.size(), std::size_t{60});
    }
    const Mesh& mesh = pipeline.stages[3].mapped().mesh;
    QCOMPARE(mesh.sizes[1], found.tensor);
    QVERIFY(found.tensor >= 2 && found.tensor <= 8);
    // Products cut their weights along the tensor axis, the batch along the other.
    const PipelineStage& stage = pipeline.stages[3];
    for (std::size_t v = 0; v < stage.part.operators.size(); ++v) {
      if (stage.part.graph.operators[v].kind != OperatorKind::Gemm) continue;
      const AxisAssignment& at = stage.mapped().assignmentOf(v, stage.answer->strategy().choice[v]);
      QVERIFY(at.at[0] <= 0);
      QVERIFY(at.at[1] >= 2);
    }
    PipelineRequest request;
    request.stages = 16;
    const auto best = test::valueOf(solvePipeline(gpt.chain, gpt.options, gpt.system, *gpt.pricer, request));
    QVERIFY(best.cost <= pipeline.cost);
    const double most = best.stages[best.slowest()].answer->cost();
    QVERIFY(best.lowerBound <= best.cost && best.lowerBound > 0.9 * leastPlayed(most, 16, best.setting.microbatches));
    QVERIFY(test::valueOf(pipelineBaseline(gpt.chain, gpt.options, gpt.system, *gpt.pricer, 16, false)).pipeline.cost >=
            pipeline.cost);
  }

  void layersThatDoNotDivideAreAnError() {
    Gpt gpt;
    const auto found = pipelineBaseline(gpt.chain, gpt.options, gpt.system, *gpt.pricer, 64, true);
    QVERIFY(found.error().text().find("96 layers cannot be divided evenly among 64") != std::string::npos);
  }

  // What the slowest stage communicates, as often as there are microbatches, and messages to its neighbours.
  void workloadHasSends() {
    Gpt gpt;
    PipelineRequest request;
    request.stages = 8;
    const auto found = test::valueOf(solvePipeline(gpt.chain, gpt.options, gpt.system, *gpt.pricer, request));
    const PipelineStage& slowest = found.stages[found.slowest()];
    const auto source = test::valueOf(workloadOf(gpt.chain, found));
    QCOMPARE(source.workload.axes.front().name, std::string("pipeline"));
    QCOMPARE(source.workload.axes.front().size, std::int64_t{8});
    std::int64_t shifts = 0;
    double perPass = 0;
    for (const WorkloadEntry& entry : source.workload.collectives) {
      if (entry.kind != CommunicationKind::Shift) {
        perPass += double(entry.count) * double(entry.bytes);
        continue;
      }
      QCOMPARE(entry.count, std::int64_t{16});
      QVERIFY(!entry.closed);
      shifts += entry.bytes;
    }
    // 8 · 2048 · 12288 numbers of 2 bytes, sharded over 32 devices, each way.
    const std::int64_t part = std::int64_t{8} * 2048 * 12288 * 2 / 32;
    const bool ends = found.slowest() == 0 || found.slowest() == 7;
    QCOMPARE(shifts, ends ? part : 2 * part);
    double listed = 0;
    double collectives = 0;  // a file has whole bytes of each
    const auto add = [&](const std::vector<Transfer>& transfers) {
      for (const Transfer& each : transfers) {
        const double times = each.times == 1 ? 1 : each.times / double(found.slotCount()) * 16;
        if (slowest.mapped().mesh.sizeOf(each.axes) == 1) continue;
        listed += times * each.bytes.value();
        collectives += times;
      }
    };
    for (const auto& transfers : slowest.mapping.vertices) add(transfers);
    for (const auto& transfers : slowest.mapping.edges) add(transfers);
    QVERIFY2(perPass >= (1 - 1e-9) * listed && perPass <= listed + collectives,
             qPrintable(QString("%1 and %2 bytes").arg(perPass, 0, 'f', 1).arg(listed, 0, 'f', 1)));
  }
};

QTEST_APPLESS_MAIN(TestPipelineBaseline)
#include "tst_pipeline_baseline.moc"
