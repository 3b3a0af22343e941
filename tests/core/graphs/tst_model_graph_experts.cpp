// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>

#include "graphs/detail/model_graph.h"
#include "graphs/strategy_source.h"
#include "strategy/baselines.h"
#include "strategy/bounded_solver.h"
#include "strategy/graph_costs.h"
#include "support/fixtures.h"
#include "support/parameter_count.h"
#include "tests/core/graphs/model_graph_parts.h"
#include "workload/generate/bundled_models.h"
#include "workload/generate/hugging_face.h"
#include "workload/generate/training_plan.h"
#include "workload/generate/training_recipe.h"

using namespace p2;

class TestModelGraphExperts : public QObject {
  Q_OBJECT
 private slots:
  // Totals of the weights that their authors publish.
  void denseModelsHaveThePublishedParameters() {
    QCOMPARE(modelParameters(shapeOf("qwen2.5-7b")), std::int64_t{7'615'616'512});
    QCOMPARE(modelParameters(shapeOf("llama2-13b")), std::int64_t{13'015'864'320});
    QCOMPARE(modelParameters(shapeOf("qwen2.5-32b")), std::int64_t{32'763'876'352});
    QCOMPARE(modelParameters(shapeOf("qwen3-32b")), std::int64_t{32'762'123'264});
  }

  // All of them, and those that a token passes through, as the models' authors say (in billions) and their weights
  // have.
  void expertsHaveThePublishedParameters_data() {
    QTest::addColumn<double>("parameters");
    QTest::addColumn<double>("active");
    QTest::newRow("mixtral-8x7b") << 46'702'792'704.0 << 12.9;
    QTest::newRow("mixtral-8x22b") << 140'620'634'112.0 << 39.0;
    QTest::newRow("deepseek-v3") << 671'026'419'200.0 << 37.0;
    QTest::newRow("qwen3-30b-a3b") << 30'532'122'624.0 << 3.3;
    QTest::newRow("qwen3-235b-a22b") << 235'093'634'560.0 << 22.0;
  }

  void expertsHaveThePublishedParameters() {
    QFETCH(double, parameters);
    QFETCH(double, active);
    const std::string model = QTest::currentDataTag();
    const auto graph = test::valueOf(graphFromArgument(model, {.batch = 1, .sequence = 256})).graph;
    QCOMPARE(test::parameterCount(graph), parameters);
    const ModelShape shape = shapeOf(model);
    QVERIFY2(std::abs(double(activeParameters(shape)) / 1e9 / active - 1) < 0.02,
             qPrintable(QString::number(double(activeParameters(shape)))));
    // 2 FLOPs forward and 4 backward for every active parameter of a matrix and token.
    double flops = 0;
    for (const Operator& op : graph.operators) {
      const bool product = op.kind == OperatorKind::Gemm || op.kind == OperatorKind::Experts;
      if (product) flops += 2 * multiplyAdds(op, Configuration(op.dimensions.size(), 1));
    }
    const double looked = double(shape.vocabulary * shape.hidden);  // up in the embedding
    QVERIFY2(std::abs(flops / (6 * (double(activeParameters(shape)) - looked) * 256) - 1) < 1e-3,
             qPrintable(QString::number(flops)));
  }

  // One expert that every token goes to is an MLP, and what leads there and back is all that comes on top.
  void oneExpertIsTheDenseMlp() {
    ModelShape shape{"one", 1, 64, 256, 4, 4, 16, 128};
    const StepShape step{8, 16};
    const auto dense = test::valueOf(graphOf(shape, step));
    shape.experts = 1;
    shape.expertsPerToken = 1;
    const auto routed = test::valueOf(graphOf(shape, step));
    GraphCostOptions options{.devices = 8, .space = {SpaceKind::Divisors, 1, false}, .memoryBandwidth = 1e12};
    const Bytes word(2);
    for (const char* name : {"layer1_expand", "layer1_activate", "layer1_contract"}) {
      const Operator& plain = named(dense, name);
      const Operator& expert = named(routed, name);
      for (const char* cut : {"b", "s", "n", "b", ""}) {
        const std::string of = cut;
        // The width inside is n in the one and k in the other half of a dense MLP.
        const std::string there = of == "n" && std::string(name) == "layer1_contract" ? "k" : of;
        const Configuration before = split(plain, there, 4);
        const Configuration after = split(expert, of, 4);
        QCOMPARE(computeSeconds(expert, after, options), computeSeconds(plain, before, options));
        QCOMPARE(memoryOf(expert, after, word, {}), memoryOf(plain, before, word, {}));
        double words = 0;
        for (const Reduction& each : reductionsOf(plain, before)) words += each.elements;
        for (const Reduction& each : reductionsOf(expert, after)) words -= each.elements;
        QCOMPARE(words, 0.0);
      }
    }
    FlatPricer pricer(options.bandwidth);
    const auto price = [&](const ComputationGraph& graph) {
      const auto problem = test::valueOf(strategyProblemFrom(graph, options, pricer));
      return test::valueOf(baselineStrategy(problem, Baseline::DataParallelism)).cost;
    };
    double extra = 0;
    for (const Operator& op : routed.operators) {
      const bool added = std::none_of(dense.operators.begin(), dense.operators.end(),
                                      [&](const Operator& other) { return other.name == op.name; });
      const Configuration parts = split(op, "b", 8);
      if (!added) continue;
      extra += computeSeconds(op, parts, options);
      for (const Reduction& each : reductionsOf(op, parts)) {
        extra += 2 * 7.0 / 8 * each.elements * options.bytesPerElement.value() / options.bandwidth;
      }
    }
    QVERIFY(extra > 0);
    const double found = price(routed) - extra;
    QVERIFY2(std::abs(found / price(dense) - 1) < 1e-12, qPrintable(QString::number(found / price(dense) - 1)));
  }

  // Mixtral 8x7B on one sequence of 4096 tokens in bf16, by hand; experts over 8 devices have an eighth of them.
  void memoryOfMixtral() {
    const auto graph = test::valueOf(graphFromArgument("mixtral-8x7b", {.batch = 8, .sequence = 4096})).graph;
    StepMemory memory;
    double parameters = 0;
    const BackwardNeeds needs(graph, Recomputation::None);
    for (std::size_t v = 0; v < graph.operators.size(); ++v) {
      const Operator& op = graph.operators[v];
      const bool moves = op.kind == OperatorKind::Dispatch || op.kind == OperatorKind::Combine;
      const bool routed = expertDimension(op).has_value() && !moves;
      const StepMemory one = memoryOf(op, split(op, routed ? "e" : "b", 8), Bytes(2), {}, needs.of(v), 1);
      if (op.kind == OperatorKind::Experts) parameters += one.parameters.value();
      if (op.name.starts_with("layer1_") && (routed || moves)) memory += one;
    }
    // 45,097,156,608 parameters of experts, 2 bytes each.
    QCOMPARE(parameters, 32.0 * 3 * 4096 * 14336 * 2);
    const double rows = 2 * 4096;  // two of eight experts a token: on each device as many rows as two sequences have
    // The output of combine goes into a sum, which keeps nothing of it.
    const double activations = rows * (4096 + 2 * 14336 + 14336 + 4096);
    QCOMPARE(memory.activations.value(), 2 * activations);
    QCOMPARE(memory.optimizer.value(), 12.0 * 3 * 4096 * 14336);
  }

  void capacityIsRoomForMore() {
    const auto graph = [](double factor) {
      return test::valueOf(graphFromArgument("mixtral-8x7b", {.batch = 1, .sequence = 64, .capacityFactor = factor}))
          .graph;
    };
    const auto work = [&](double factor) {
      const Operator op = named(graph(factor), "layer1_expand");
      return multiplyAdds(op, Configuration(op.dimensions.size(), 1));
    };
    QCOMPARE(work(1), 3.0 * 2 * 64 * 2 * 4096 * 14336);  // top 2
    QCOMPARE(work(1.5), 1.5 * work(1));
    QCOMPARE(work(1.01), work(17.0 / 16));  // rows are whole
    QVERIFY(graph(1).assumed.front().find("same number of tokens") != std::string::npos);
  }

  // Every head of DeepSeek-V3 multiplies keys of 192 and values of 128 numbers.
  void latentAttentionIsCountedAsItIs() {
    const auto graph = test::valueOf(graphFromArgument("deepseek-v3", {.batch = 1, .sequence = 32})).graph;
    const Operator& attention = named(graph, "layer1_attention");
    QCOMPARE(multiplyAdds(attention, Configuration(attention.dimensions.size(), 1)), 3.0 * 128 * 32 * 32 * (192 + 128));
    double latent = 0;
    for (const char* name : {"query_down", "query_norm", "query_up", "kv_down", "kv_norm", "kv_up", "merge"}) {
      ComputationGraph one;
      one.operators = {named(graph, "layer1_" + std::string(name))};
      latent += test::parameterCount(one);
    }
    QCOMPARE(latent, 187'107'328.0);  // of a layer's attention, as its weights have
  }
};

QTEST_APPLESS_MAIN(TestModelGraphExperts)
#include "tst_model_graph_experts.moc"
