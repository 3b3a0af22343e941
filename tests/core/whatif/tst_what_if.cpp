// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "whatif/what_if.h"

using namespace p2;
using p2::test::valueOf;

namespace {

TrainingInput inputOf(const std::string& model, const std::string& system, std::int64_t batch,
                      const std::string& fixed = {}) {
  TrainingRequest request;
  request.batch = batch;
  request.framework = "megatron";
  request.fixed = fixed;
  request.best = 1;
  return valueOf(readTrainingRequest(request, valueOf(modelFromArgument(model)), valueOf(systemFromArgument(system))));
}

PlannedConfiguration bestOf(const TrainingInput& input) {
  return valueOf(answerTraining(input)).configurations.front();
}

WhatIfChange changeOf(const std::string& text) { return valueOf(whatIfChangesFrom(text)).front(); }

double keptSeconds(const TrainingInput& input, const PlannedConfiguration& chosen, const WhatIfChange& change) {
  const WhatIfPoint point = valueOf(whatIf(input.question, chosenFrom(chosen), change));
  if (!point.kept) qFatal("%s", point.keptProblem.c_str());
  return point.kept->estimate.seconds;
}

}  // namespace

class TestWhatIf : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void nothingChangedIsTheSameStep() {
    const TrainingInput input = inputOf("llama3-8b", "dgx-h100:4", 256);
    const PlannedConfiguration best = bestOf(input);
    WhatIfPoint point = valueOf(whatIf(input.question, chosenFrom(best), {}));
    QVERIFY(point.kept);
    QCOMPARE(point.kept->estimate.seconds, best.estimate.seconds);
    QVERIFY(findBest(point, input.question).ok());
    QCOMPARE(point.best->estimate.seconds, best.estimate.seconds);
    QVERIFY(!point.bestChanges());
  }

  // Settings of the training are changed like parts of the machine.
  void settingsOfTheTrainingAreChanged() {
    const TrainingInput input = inputOf("llama3-8b", "dgx-h100:2", 128);
    const PlannedConfiguration best = bestOf(input);
    QCOMPARE(best.configuration.recomputation, RecomputeKind::None);
    WhatIfPoint full = valueOf(whatIf(input.question, chosenFrom(best), changeOf("recompute=full")));
    QVERIFY(full.kept && full.kept->configuration.recomputation == RecomputeKind::Full);
    QVERIFY(full.kept->estimate.seconds > best.estimate.seconds);
    QVERIFY(findBest(full, input.question).ok());
    QVERIFY(full.best->configuration.recomputation == RecomputeKind::Full);
    const WhatIfPoint fp8 = valueOf(whatIf(input.question, chosenFrom(best), changeOf("precision=fp8")));
    QVERIFY(fp8.kept && fp8.kept->estimate.seconds < best.estimate.seconds);
    const auto fp4 = whatIf(input.question, chosenFrom(best), changeOf("precision=fp4"));
    QVERIFY(!fp4.ok());
    QCOMPARE(fp4.error().message, std::string("H100-SXM5-80GB has no products in fp4"));
    // In fp8 Megatron-Core keeps its parameters in 8 bits, in bf16 it cannot.
    TrainingInput eight = input;
    eight.question.precision = ProductPrecision::Fp8;
    eight.question.frameworks = {valueOf(trainingFrameworkFrom("megatron"))};
    const PlannedConfiguration inEight = bestOf(eight);
    QVERIFY(inEight.configuration.fp8Parameters);
    const WhatIfPoint bf16 = valueOf(whatIf(eight.question, chosenFrom(inEight), changeOf("precision=bf16")));
    QVERIFY(bf16.kept && !bf16.kept->configuration.fp8Parameters);
    QVERIFY(bf16.kept->estimate.seconds > inEight.estimate.seconds);
    WhatIfPoint tight = valueOf(whatIf(input.question, chosenFrom(best), changeOf("reserve=60GB")));
    QVERIFY(!tight.kept || tight.kept->memory.total() <= 20e9);
    QVERIFY(findBest(tight, input.question).ok());
    QVERIFY(tight.best->memory.total() <= 20e9);
    QCOMPARE(describe(combined(changeOf("recompute=none"), changeOf("reserve=8GB"))),
             std::string("no recomputation, 8.00 GB kept free"));
  }

  // The kept degrees in another framework, and the answer of a question asked for it.
  void anotherFrameworkIsTried() {
    const TrainingInput input = inputOf("llama3-8b", "dgx-h100:2", 128, "tp=2,zero=1");
    const PlannedConfiguration best = bestOf(input);
    TrainingInput there = input;
    there.question.frameworks = {valueOf(trainingFrameworkFrom("torchtitan"))};
    there.question.fixed = {};
    WhatIfPoint point = valueOf(whatIf(input.question, chosenFrom(best), changeOf("framework=torchtitan")));
    QVERIFY2(point.kept.has_value(), point.keptProblem.c_str());
    QCOMPARE(point.kept->framework->name, std::string_view("torchtitan"));
    const TrainingPlan& before = best.configuration.plan;
    const TrainingPlan& kept = point.kept->configuration.plan;
    QCOMPARE(kept.tensor, before.tensor);
    QCOMPARE(kept.pipeline, before.pipeline);
    QCOMPARE(kept.microbatch, before.microbatch);
    // TorchTitan has no ZeRO 1.
    QVERIFY(before.zero == 1 && kept.zero != 1);
    QCOMPARE(describe(point.change), std::string("TorchTitan"));
    TrainingQuestion free = input.question;
    free.fixed = {};
    QVERIFY(findBest(point, free).ok());
    QCOMPARE(point.best->estimate.seconds, bestOf(there).estimate.seconds);
    const auto neuron = whatIf(input.question, chosenFrom(best), changeOf("framework=neuronx"));
    QVERIFY(!neuron.ok());
    QVERIFY2(neuron.error().message.starts_with("NxD Training does not run on NVIDIA GPUs"),
             neuron.error().message.c_str());
    // The framework of today changes nothing.
    const WhatIfPoint same = valueOf(whatIf(input.question, chosenFrom(best), changeOf("framework=megatron")));
    QVERIFY(same.kept.has_value());
    QCOMPARE(same.kept->estimate.seconds, best.estimate.seconds);
  }

  // A spine that no collective needs is named as the reason; one that some do is not.
  void anIdleSpineIsSaid() {
    const auto effectsAt = [](const TrainingInput& input, const char* change) {
      return valueOf(whatIf(input.question, chosenFrom(bestOf(input)), changeOf(change))).effects;
    };
    const std::vector<std::string> onRails = effectsAt(inputOf("llama3-8b", "dgx-h100:4", 256), "spine=2");
    QCOMPARE(onRails, std::vector<std::string>{"the spine carries nothing of this plan: every axis that crosses nodes "
                                               "stays on its rail"});
    const TrainingInput racks = inputOf("llama3-8b", "dgx-h100-racks:2", 256, "tp=1,pp=1");
    const double before = bestOf(racks).estimate.seconds;
    QVERIFY(keptSeconds(racks, bestOf(racks), changeOf("spine=64")) > before);
    QVERIFY(effectsAt(racks, "spine=2").empty());
  }

  // In racks, which are alike, a dead node takes one from each.
  void aNodeOfARackIsDown() {
    const TrainingInput input = inputOf("llama3-8b", "dgx-h100-racks:2", 1792, "tp=1,pp=1");
    const std::int64_t nodes = nodeCount(input.question.system);
    const WhatIfPoint point =
        valueOf(whatIf(input.question, chosenFrom(bestOf(input)), changeOf("down=node 0 of rack 0")));
    QCOMPARE(point.devices, (nodes - 2) * 8);
    QVERIFY2(!point.effects.empty() && point.effects.front().ends_with("1 working node is spare"),
             point.effects.empty() ? "" : point.effects.front().c_str());
  }

  // The changed question has the answer of a question asked for that machine.
  void pointsAreAnswersOfTheirOwn_data() {
    QTest::addColumn<QString>("change");
    QTest::addColumn<QString>("system");
    QTest::addColumn<int>("batch");
    QTest::newRow("nodes") << "nodes=8"
                           << "dgx-h100:8" << 256;
    QTest::newRow("batch") << "batch=512"
                           << "dgx-h100:4" << 512;
  }
  void pointsAreAnswersOfTheirOwn() {
    QFETCH(QString, change);
    QFETCH(QString, system);
    QFETCH(int, batch);
    const TrainingInput input = inputOf("llama3-8b", "dgx-h100:4", 256);
    const PlannedConfiguration chosen = bestOf(input);
    WhatIfPoint point = valueOf(whatIf(input.question, chosenFrom(chosen), changeOf(change.toStdString())));
    QVERIFY(findBest(point, input.question).ok());
    const TrainingInput other = inputOf("llama3-8b", system.toStdString(), batch);
    QCOMPARE(point.best->estimate.seconds, bestOf(other).estimate.seconds);
    QVERIFY(point.kept);
    QVERIFY(point.best->estimate.seconds <= point.kept->estimate.seconds);
    const auto& plan = point.kept->configuration.plan;
    QCOMPARE(plan.tensor, chosen.configuration.plan.tensor);
    QCOMPARE(plan.pipeline, chosen.configuration.plan.pipeline);
  }

  void worseNetworksAreNeverFaster() {
    TrainingInput drawn = inputOf("llama3-8b", "dgx-h100:8", 256, "tp=8,pp=1");
    drawn.question.system = valueOf(systemFromArgument("rack:2@400GB/s node:4@50GB/s gpu:8@450GB/s"));
    drawn.question.system.accelerator = valueOf(systemFromArgument("dgx-h100:1")).accelerator;
    const PlannedConfiguration chosen = bestOf(drawn);
    double before = 0;
    for (const char* text : {"spine=1", "spine=2", "spine=8", "spine=64"}) {
      const double seconds = keptSeconds(drawn, chosen, changeOf(text));
      QVERIFY2(seconds >= before, text);
      before = seconds;
    }
    QVERIFY(before > keptSeconds(drawn, chosen, changeOf("spine=1")));
    QVERIFY(keptSeconds(drawn, chosen, changeOf("nic=5GB/s")) > keptSeconds(drawn, chosen, changeOf("nic=50GB/s")));
  }

  void aModelThatNoLongerFitsIsNoError() {
    const TrainingInput input = inputOf("llama3-70b", "dgx-h100:8", 256);
    const WhatIfPoint point = valueOf(whatIf(input.question, chosenFrom(bestOf(input)), changeOf("nodes=1")));
    QVERIFY(!point.kept);
    QVERIFY(!point.keptProblem.empty());
    // With the batches that would do.
    const WhatIfPoint odd = valueOf(whatIf(input.question, chosenFrom(bestOf(input)), changeOf("batch=255")));
    QVERIFY(!odd.kept);
    QVERIFY2(odd.keptProblem.find("; use 2") != std::string::npos, odd.keptProblem.c_str());
  }

  // Twelve nodes of eight, one of them down: 88 devices, of which the chosen tp 2 · pp 3 can use 84.
  void aLostNodeLeavesFewerReplicas() {
    const TrainingInput input = inputOf("llama3-8b", "dgx-h100:12", 512, "tp=2,pp=3,cp=1,microbatch=1");
    const ChosenConfiguration chosen = chosenFrom(bestOf(input));
    WhatIfPoint point = valueOf(whatIf(input.question, chosen, changeOf("down=node 0")));
    QVERIFY(!point.kept);
    QVERIFY(!point.fewer);
    QVERIFY(findFewerReplicas(point, input.question, chosen).ok());
    QVERIFY(point.fewer);
    const TrainingPlan& plan = point.fewer->planned.configuration.plan;
    QCOMPARE(plan.tensor, std::int64_t(2));
    QCOMPARE(plan.pipeline, std::int64_t(3));
    QCOMPARE(point.fewer->nodes, std::int64_t(9));
    QCOMPARE(plan.data * 2 * 3, point.fewer->devices);
    QCOMPARE(point.fewer->devices, std::int64_t(72));
    QCOMPARE(point.fewer->batch, std::int64_t(516));
    QCOMPARE(point.fewerText(), std::string("dp 12 on 9 nodes, batch 516"));
    // It is the same as the machine of nine nodes.
    const WhatIfPoint nine =
        valueOf(whatIf(input.question, chosen, combined(changeOf("nodes=9"), changeOf("batch=516"))));
    QVERIFY(nine.kept);
    QCOMPARE(point.fewer->planned.estimate.seconds, nine.kept->estimate.seconds);
    // Nothing is lost with a part that is no node, and where the configuration is kept.
    for (const char* change : {"down=NIC 0 of every node", "nodes=6"}) {
      WhatIfPoint other = valueOf(whatIf(input.question, chosen, changeOf(change)));
      QVERIFY(findFewerReplicas(other, input.question, chosen).ok());
      QVERIFY2(!other.fewer, change);
    }
  }

  void anUnusualDegreeIsExplained() {
    const TrainingInput input = inputOf("llama3-8b", "dgx-h100:12", 512);
    WhatIfPoint point = valueOf(whatIf(input.question, chosenFrom(bestOf(input)), changeOf("down=node 0")));
    QVERIFY(findBest(point, input.question).ok());
    QVERIFY(point.best);
    const TrainingPlan& plan = point.best->configuration.plan;
    const bool isOdd = plan.tensor % 11 == 0 || plan.context % 11 == 0 || plan.pipeline % 11 == 0;
    QVERIFY(isOdd);
    QVERIFY2(point.bestReason.starts_with("88 devices have the prime factor 11, "), point.bestReason.c_str());
    WhatIfPoint even = valueOf(whatIf(input.question, chosenFrom(bestOf(input)), changeOf("nodes=8")));
    QVERIFY(findBest(even, input.question).ok());
    QCOMPARE(even.bestReason, std::string());
  }

  // 512 sequences do not divide by 11: fewer nodes, or a batch that divides, can be faster than all 22 nodes.
  void fasterChangesNearbyAreNamed() {
    const TrainingInput input = inputOf("llama3-8b", "dgx-h100:24", 512);
    WhatIfPoint point = valueOf(whatIf(input.question, chosenFrom(bestOf(input)), changeOf("nodes=22")));
    QVERIFY(findFasterNearby(point, input.question).ok());
    QVERIFY(point.faster.empty());  // there is nothing to be faster than
    QVERIFY(findBest(point, input.question).ok());
    QVERIFY(findFasterNearby(point, input.question).ok());
    QVERIFY(!point.faster.empty());
    for (const FasterNearby& each : point.faster) {
      QVERIFY(each.planned.estimate.tokensPerSecond > 1.004 * point.best->estimate.tokensPerSecond);
      // It is the best of that machine and batch.
      WhatIfChange change = changeOf("nodes=" + std::to_string(each.nodes));
      change.batch = each.batch;
      WhatIfPoint same = valueOf(whatIf(input.question, chosenFrom(*point.best), change));
      QVERIFY(findBest(same, input.question).ok());
      QCOMPARE(same.best->estimate.seconds, each.planned.estimate.seconds);
      QVERIFY(each.idle > 0 ? each.batch == 512 && each.nodes + each.idle == 22 && each.nodes % 4 == 0
                            : each.batch == 528 && each.nodes == 22);
    }
    const std::string text = point.fasterText();
    QVERIFY2(text.find(" of 22 nodes take ") != std::string::npos || text.find("a batch of 528 takes ") == 0,
             text.c_str());
    WhatIfPoint even = valueOf(whatIf(input.question, chosenFrom(bestOf(input)), changeOf("nodes=16")));
    QVERIFY(findBest(even, input.question).ok() && findFasterNearby(even, input.question).ok());
    QCOMPARE(even.fasterText(), std::string());
  }

  void nodesAreCalledAsTheirLevel() {
    QCOMPARE(describe(changeOf("nodes=32"), "rack"), std::string("32 racks"));
    const TrainingInput input = inputOf("llama3-8b", "gb200-nvl72:2", 288);
    QCOMPARE(valueOf(whatIf(input.question, chosenFrom(bestOf(input)), changeOf("nodes=4"))).node, std::string("rack"));
  }

  void priceAndEnergyFollowFromTheStep() {
    StepEstimate step;
    step.tokensPerSecond = 1e6;
    const RunningCost cost{2.0, 700.0};
    QCOMPARE(*pricePerMillionTokens(cost, step, 1800), 1.0);
    QCOMPARE(*joulesPerToken(cost, step, 1000), 0.7);
    QVERIFY(!pricePerMillionTokens({}, step, 8));
    QCOMPARE(boardPowerOf("H100-SXM5-80GB"), std::optional<double>(700));
    QCOMPARE(boardPowerOf("GB200"), std::optional<double>(1200));
    QCOMPARE(runningCostOf({.type = "H100-SXM5-80GB"}), (RunningCost{{}, 700}));
    QCOMPARE(runningCostOf({.type = "H100-SXM5-80GB", .power = 900, .price = 2.5}), (RunningCost{2.5, 900}));
  }

  void theCheapestReachesTheDeadline() {
    const TrainingInput input = inputOf("llama3-8b", "dgx-h100:4", 256);
    const ChosenConfiguration chosen = chosenFrom(bestOf(input));
    std::vector<WhatIfPoint> points;
    for (const WhatIfChange& change : valueOf(whatIfChangesFrom("nodes=2,4,8,16"))) {
      points.push_back(valueOf(whatIf(input.question, chosen, change)));
    }
    const double tokens = 1e12;
    const RunningCost cost{2.0, {}};
    const auto secondsOf = [&](std::size_t i) { return tokens / points[i].kept->estimate.tokensPerSecond; };
    // Just what the third needs: the two smaller machines are too slow, the largest costs more or as much.
    const auto found = cheapestWithin(points, cost, tokens, secondsOf(2) * 1.0001);
    QVERIFY(found);
    QVERIFY(*found >= 2);
    QVERIFY(!cheapestWithin(points, cost, tokens, secondsOf(3) * 0.5));
    QVERIFY(!cheapestWithin(points, {}, tokens, 1e18));
  }

  // The system states what its own accelerator costs, and nothing of another one.
  void anotherAcceleratorHasItsOwnCost() {
    TrainingInput input = inputOf("llama3-8b", "dgx-h100:1", 64);
    input.question.system.accelerator.price = 2;
    input.question.system.accelerator.power = 800;
    const RunningCost now = runningCostOf(input.question.system.accelerator);
    const ChosenConfiguration chosen = chosenFrom(bestOf(input));
    const WhatIfPoint same = valueOf(whatIf(input.question, chosen, changeOf("batch=128")));
    QCOMPARE(costAt(same, now), now);
    WhatIfPoint other = valueOf(whatIf(input.question, chosen, changeOf("gpu=B200")));
    QCOMPARE(costAt(other, now), (RunningCost{{}, 1000}));
    QCOMPARE(costAt(valueOf(whatIf(input.question, chosen, changeOf("gpu=H100"))), now), now);
    const double tokens = 1e9;
    QCOMPARE(cheapestWithin({same, other}, now, tokens, 1e18), std::optional<std::size_t>(0));
    other.cost.pricePerDeviceHour = 0.01;
    QCOMPARE(cheapestWithin({same, other}, now, tokens, 1e18), std::optional<std::size_t>(1));
  }

  void changesAreReadAndDescribed() {
    QCOMPARE(describe(changeOf("spine=4:1")), std::string("spine 4:1"));
    QCOMPARE(describe(combined(changeOf("nodes=16"), changeOf("gpu=H200"))), std::string("16 nodes, H200"));
    QCOMPARE(describe(changeOf("down=NIC 3 of node 2")), std::string("NIC 3 of node 2 down"));
    QCOMPARE(describe(changeOf("down=rail 3 of node 2: 50%")), std::string("rail 3 of node 2: 50%"));
    QCOMPARE(describe(changeOf("rack=4")), std::string("racks of 4 nodes"));
    QCOMPARE(describe(changeOf("spine=400GB/s")), std::string("spine 400 GB/s"));
    QCOMPARE(describe(changeOf("jobs=2")), std::string("2 jobs on the network"));
    for (const char* wrong :
         {"nodes", "nodes=", "nodes=0", "nodes=two", "spine=0.5", "spine=1e9", "rack=0", "nic=fast", "color=red"}) {
      QVERIFY2(!whatIfChangesFrom(wrong).ok(), wrong);
    }
  }
};

QTEST_GUILESS_MAIN(TestWhatIf)
#include "tst_what_if.moc"
