// SPDX-License-Identifier: GPL-3.0-or-later
// The bundled trainings against what was published of them, by hand where only the shape was.
#include <QtTest>

#include "support/warnings.h"
#include "tests/core/workload/generated.h"

using namespace p2;
using test::asLines;
using test::entryLines;
using test::entryNamed;
using test::recipeSource;

class TestPublishedTrainings : public QObject {
  Q_OBJECT

  using Changes = std::vector<PlanChange>;
  static constexpr auto kAllGather = CommunicationKind::AllGather;
  static constexpr auto kReduceScatter = CommunicationKind::ReduceScatter;

 private slots:
  void init() { test::failOnWarnings(); }

  // FSDP 32 × TP 8, local batch 16, everything computed again: TorchTitan's Llama 3.1 70B.
  void seventyBillionOverData() {
    const WorkloadSource source = recipeSource("llama3-70b", {{"layers_only", "yes"}});
    QCOMPARE(source.workload.axes, (std::vector<Axis>{{"data", 32}, {"tensor", 8}}));
    QCOMPARE(asLines(entryLines(source.workload)), std::string("AllGather data 160 × 213913600 compute\n"
                                                               "AllGather tensor 480 × 2147483648 none\n"
                                                               "ReduceScatter data 80 × 427827200 compute\n"
                                                               "ReduceScatter tensor 480 × 2147483648 none\n"));
    const WorkloadEntry& activations = source.workload.collectives.at(0);
    QCOMPARE(activations.formula, std::string("β·b·s·h = 2·16·8192·8192"));
    QCOMPARE(activations.factors, (std::vector<CountFactor>{{"passes", 3}, {"blocks", 160}, {"microbatches", 1}}));
  }

  // TP 4, CP 4, DP 16, sequences of 32,768, four microbatches, gradients reduced once.
  void seventyBillionOverContext() {
    const WorkloadSource source = recipeSource("llama3-70b", {{"layers_only", "yes"},
                                                              {"dp", "16"},
                                                              {"cp", "4"},
                                                              {"tp", "4"},
                                                              {"sequence", "32768"},
                                                              {"microbatch", "1"},
                                                              {"microbatches", "4"},
                                                              {"cp_kind", "allgather"},
                                                              {"recompute", "none"},
                                                              {"accumulate", "yes"}});
    QCOMPARE(source.workload.axes, (std::vector<Axis>{{"data", 16}, {"context", 4}, {"tensor", 4}}));
    QCOMPARE(asLines(entryLines(source.workload)), std::string("AllGather context 640 × 33554432 none\n"
                                                               "AllGather context,data 640 × 427827200 compute\n"
                                                               "AllGather tensor 1280 × 134217728 none\n"
                                                               "ReduceScatter context 320 × 33554432 none\n"
                                                               "ReduceScatter context,data 80 × 855654400 compute\n"
                                                               "ReduceScatter tensor 1280 × 134217728 none\n"));
  }

  // Llama 3 405B with 8,192 tokens: 1280 collectives of tensor parallelism and 6.4 and 12.8 GB of weights and
  // gradients.
  void fourHundredBillion() {
    const WorkloadSource source = recipeSource("llama3-405b");
    QCOMPARE(source.workload.axes, (std::vector<Axis>{{"data", 128}, {"pipeline", 16}, {"tensor", 8}}));
    std::int64_t blocks = 0;
    for (const WorkloadEntry& entry : source.workload.collectives) {
      if (entry.bytes == 268'435'456 && entry.name.starts_with("activations")) blocks += entry.count;
    }
    QCOMPARE(blocks, 1280);
    const WorkloadEntry* weights = entryNamed(source.workload, "model weights", kAllGather);
    const WorkloadEntry* gradients = entryNamed(source.workload, "model gradients", kReduceScatter);
    const WorkloadEntry* stages = entryNamed(source.workload, "between stages", CommunicationKind::Shift);
    QVERIFY(weights && gradients && stages);
    QCOMPARE(weights->bytes, 6'375'407'616);
    QCOMPARE(weights->count, 1);
    QCOMPARE(gradients->bytes, 12'750'815'232);
    QCOMPARE(gradients->count, 1);
    QCOMPARE(stages->bytes, 33'554'432);
    QCOMPARE(stages->count, 2 * 16);
    QVERIFY(!stages->closed);
    QCOMPARE(stages->overlap, (CommunicationOverlap{CommunicationOverlap::Extent::Fraction, 1 - 15.0 / 16}));
  }

  // With 131,072 tokens over CP 16; the first print of the paper has DP 4.
  void longContext() {
    const Changes longer{
        {"sequence", "131072"}, {"cp", "16"}, {"dp", "8"}, {"devices", "16384"}, {"global_batch", "128"}};
    const WorkloadSource source = recipeSource("llama3-405b", longer);
    const WorkloadEntry* keys = entryNamed(source.workload, "keys and values", kAllGather);
    const WorkloadEntry* gradients = entryNamed(source.workload, "key and value gradients", kReduceScatter);
    QVERIFY(keys && gradients);
    QCOMPARE(keys->bytes, 67'108'864);
    QCOMPARE(keys->count + gradients->count, 3 * 8 * 16);
    QCOMPARE(keys->axes, (std::vector<std::string>{"context"}));
    QCOMPARE(entryNamed(source.workload, "activations", kAllGather)->bytes, 268'435'456);
    QCOMPARE(test::joinedAxes(entryNamed(source.workload, "model weights", kAllGather)->axes),
             std::string("context,data"));
    Changes printed = longer;
    printed[2].value = "4";
    const auto refused = recipeWorkload(bundledRecipe("llama3-405b").value(), printed);
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().message,
             std::string(
                 "the degrees tp 8 · cp 16 · pp 16 · dp 4 multiply to 8192 devices, not to 16384; dp = 8 would fit"));
    // As a ring: (c − 1) sends of a part, three times a layer.
    Changes ring = longer;
    ring.push_back({"cp_kind", "ring"});
    const WorkloadSource around = recipeSource("llama3-405b", ring);
    const WorkloadEntry* sends =
        entryNamed(around.workload, "keys and values round the ring", CommunicationKind::Shift);
    QVERIFY(sends);
    QCOMPARE(sends->bytes, 4'194'304);
    QCOMPARE(sends->count, 3 * 15 * 8 * 16);
    QVERIFY(sends->closed);
  }

  void eightBillion() {
    const WorkloadSource source = recipeSource("llama3-8b");
    QCOMPARE(entryNamed(source.workload, "layer weights", kAllGather)->bytes, 436'224'000);
    QCOMPARE(entryNamed(source.workload, "layer gradients", kReduceScatter)->bytes, 872'448'000);
    std::int64_t gathered = 0;
    std::int64_t reduced = 0;
    for (const WorkloadEntry& entry : source.workload.collectives) {
      (entry.kind == kAllGather ? gathered : reduced) += entry.bytes * entry.count;
    }
    QCOMPARE(gathered, 32'121'044'992);
    QCOMPARE(reduced, 32'121'044'992);
  }

  // 4,096 tokens of a device to 8 of 256 experts, fp8 with scales on their way out, bf16 back.
  void deepSeek() {
    const WorkloadSource source = recipeSource("deepseek-v3");
    QCOMPARE(source.workload.axes, (std::vector<Axis>{{"pipeline", 16}, {"expert-data", 2}, {"expert", 64}}));
    const WorkloadEntry* dispatch = entryNamed(source.workload, "dispatch", CommunicationKind::Dispatch);
    const WorkloadEntry* combine = entryNamed(source.workload, "combine", CommunicationKind::Dispatch);
    QVERIFY(dispatch && combine);
    QCOMPARE(dispatch->bytes, 242'221'056);
    QCOMPARE(combine->bytes, 469'762'048);
    QCOMPARE(dispatch->routing, (ExpertRouting{256, 8, 4, 8}));
    QCOMPARE(dispatch->axes, (std::vector<std::string>{"expert"}));
    QCOMPARE(dispatch->count, 2 * 4 * 120);
    const WorkloadEntry* experts = entryNamed(source.workload, "expert gradients", kReduceScatter);
    QVERIFY(experts);
    QCOMPARE(experts->axes, (std::vector<std::string>{"expert-data"}));
    QCOMPARE(experts->bytes, std::int64_t{4} * 4 * (256 / 64) * 3 * 7168 * 2048);
    QCOMPARE(test::joinedAxes(entryNamed(source.workload, "model gradients", kReduceScatter)->axes),
             std::string("expert,expert-data"));
  }

  void mixtral() {
    const WorkloadSource source = recipeSource("mixtral-8x7b");
    QCOMPARE(source.workload.axes, (std::vector<Axis>{{"pipeline", 4}, {"expert-data", 2}, {"expert", 8}}));
    const WorkloadEntry* dispatch = entryNamed(source.workload, "dispatch", CommunicationKind::Dispatch);
    QVERIFY(dispatch);
    QCOMPARE(dispatch->bytes, std::int64_t{2} * 2 * 4096 * 4096);
    QCOMPARE(dispatch->count, 2 * 8 * 16);
    const WorkloadEntry* stages = entryNamed(source.workload, "between stages", CommunicationKind::Shift);
    QVERIFY(stages && stages->closed);
    QCOMPARE(stages->count, 2 * 16 * 8);
  }
};

QTEST_APPLESS_MAIN(TestPublishedTrainings)
#include "tst_published_trainings.moc"
