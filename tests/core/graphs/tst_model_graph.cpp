// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
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

namespace {

/// Of 8 heads that share 2 of keys and values.
ModelShape smallTransformer(std::int64_t layers) {
  return {.name = "small",
          .layers = layers,
          .hidden = 64,
          .ffn = 256,
          .heads = 8,
          .kvHeads = 2,
          .headSize = 16,
          .vocabulary = 128};
}

}  // namespace

class TestModelGraph : public QObject {
  Q_OBJECT
 private slots:
  // What modelParameters() counts, checked elsewhere against the published numbers.
  void parametersAreThoseOfTheModel_data() {
    QTest::addColumn<QString>("model");
    for (const std::string& name : bundledModelNames()) QTest::newRow(name.c_str()) << QString::fromStdString(name);
  }

  void parametersAreThoseOfTheModel() {
    QFETCH(QString, model);
    const ModelShape shape = shapeOf(model.toStdString());
    double expected = double(modelParameters(shape));
    // The graph has a matrix of its own for the head.
    if (shape.tiedEmbeddings) expected += double(shape.vocabulary * shape.hidden);
    QCOMPARE(test::parameterCount(test::valueOf(graphFromArgument(model.toStdString())).graph), expected);
  }

  // Learned positions end somewhere, computed ones do not; a matrix that is counted twice is named.
  void sequencesEndWhereThePositionsDo() {
    ModelShape learned = smallTransformer(2);
    learned.positions = 1024;
    QVERIFY(graphOf(learned, {1, 1024, 1}).ok());
    QCOMPARE(
        QString::fromStdString(graphOf(learned, {1, 1025, 1}).error().text()),
        QStringLiteral("a sequence of 1025 tokens is longer than the 1024 positions that the model has learned; use "
                       "at most that many"));
    QVERIFY(graphOf(smallTransformer(2), {1, 1025, 1}).ok());
    QCOMPARE(unsaidPlan(learned).sequence, std::int64_t{1024});
    QCOMPARE(unsaidPlan(smallTransformer(2)).sequence, TrainingPlan().sequence);
    TrainingPlan plan;
    plan.data = 2;
    QCOMPARE(checkPlan(resolved(learned), resolved(plan)).error().where.position, std::string("sequence"));
  }

  // Refused before billions of layers are made.
  void tooManyLayersAreRefusedAtOnce() {
    for (const std::int64_t layers : {std::int64_t{1} << 32, std::int64_t{2000}}) {
      const auto graph = graphOf(smallTransformer(layers), {1, 16, 1});
      QVERIFY(!graph.ok());
      QCOMPARE(graph.error().kind, ErrorKind::TooLarge);
      QCOMPARE(graph.error().where.position, std::string("layers"));
      QCOMPARE(QString::fromStdString(graph.error().message),
               QString("%1 layers are over 20000 operators, the most that fit; use fewer").arg(layers));
    }
  }

  void sharedMatricesAreNamed() {
    ModelShape tied = smallTransformer(2);
    QVERIFY(test::valueOf(graphOf(tied, {1, 16, 1})).assumed.empty());
    tied.tiedEmbeddings = true;
    const std::vector<std::string> assumed = test::valueOf(graphOf(tied, {1, 16, 1})).assumed;
    QCOMPARE(assumed.size(), std::size_t(1));
    QVERIFY2(assumed[0].find("8192 parameters") != std::string::npos, assumed[0].c_str());
  }

  void traitsOfNoBundledModelHaveTheirParameters() {
    const ModelShape plain = smallTransformer(4);
    ModelShape wide = plain, behind = plain, stepped = plain;
    wide.wideQkNorm = true;
    behind.postNorms = true;
    stepped.experts = 8;
    stepped.expertsPerToken = 2;
    stepped.expertFfn = 32;
    stepped.expertStep = 2;
    for (const ModelShape& shape : {plain, wide, behind, stepped}) {
      const auto graph = test::valueOf(graphOf(shape, {8, 16}));
      QCOMPARE(test::parameterCount(graph), double(modelParameters(shape)));
    }
    QCOMPARE(modelParameters(wide) - modelParameters(plain), 4 * (8 + 2) * 16);
    QCOMPARE(modelParameters(behind) - modelParameters(plain), 4 * 2 * 64);
    const auto graph = test::valueOf(graphOf(stepped, {8, 16}));
    QCOMPARE(named(graph, "layer1_expand").kind, OperatorKind::Gemm);
    QCOMPARE(named(graph, "layer2_expand").kind, OperatorKind::Experts);
  }

  void normsAreOfOneKind() {
    ModelShape shape = smallTransformer(1);
    shape.qkNorm = true;
    shape.wideQkNorm = true;
    const auto graph = graphOf(shape, {8, 16});
    QVERIFY(!graph.ok());
    QCOMPARE(graph.error().text(), std::string("wide_qk_norm: queries and keys have norms of every head or over all "
                                               "heads, not both; set one"));
  }

  // A norm over all heads adds up what devices with some of them have, one of each head does not.
  void normsOverAllHeadsReduceOverDevices() {
    ModelShape shape = smallTransformer(1);
    const auto words = [&](const ModelShape& model) {
      const Operator norm = named(test::valueOf(graphOf(model, {8, 16})), "layer1_query_norm");
      double sum = 0;
      for (const Reduction& each : reductionsOf(norm, split(norm, "g", 2))) sum += each.elements;
      return sum;
    };
    shape.wideQkNorm = true;
    const double wide = words(shape);
    shape.wideQkNorm = false;
    shape.qkNorm = true;
    // Two numbers of every token; the gradient of the scale is one of every device in both.
    QVERIFY2(wide > words(shape), qPrintable(QString::number(wide)));
  }

  // Six multiply-adds and more for every parameter and token (Kaplan et al., arXiv 2001.08361): 6 · N · D FLOPs.
  void workIsSixTimesParametersTimesTokens() {
    const auto graph = test::valueOf(graphFromArgument("llama3-8b", {.batch = 4, .sequence = 128})).graph;
    double flops = 0;
    for (const Operator& op : graph.operators) {
      if (op.kind == OperatorKind::Gemm) flops += 2 * multiplyAdds(op, Configuration(op.dimensions.size(), 1));
    }
    const auto shape = resolved(test::valueOf(bundledRecipe("llama3-8b")).model);
    const double matrices = test::parameterCount(graph) - double(shape.vocabulary * shape.hidden) -
                            double((2 * shape.layers + 1) * shape.hidden);
    QVERIFY(std::abs(flops / (6 * matrices * 4 * 128) - 1) < 1e-9);
  }

  // Megatron-LM: two all-reduces forward and two backward in every layer, each of all activations b·s·h.
  void tensorParallelismReducesFourTimesALayer() {
    const auto graph = test::valueOf(graphFromArgument("gpt3-175b", {.batch = 2, .sequence = 64})).graph;
    const double activations = 2.0 * 64 * 12288;
    std::vector<double> words;
    for (const auto& [name, dimension] : {std::pair{"layer1_qkv", "g"},
                                          {"layer1_attention", "g"},
                                          {"layer1_merge", "g"},
                                          {"layer1_expand", "n"},
                                          {"layer1_activate", "n"},
                                          {"layer1_contract", "k"}}) {
      const Operator& op = named(graph, name);
      for (const Reduction& reduction : reductionsOf(op, split(op, dimension, 8))) {
        if (op.tensors[reduction.tensor].role != Tensor::Role::Parameter) words.push_back(reduction.elements);
      }
    }
    QCOMPARE(words, (std::vector<double>{activations, activations, activations, activations}));
  }

  // Along the whole layer, heads and rows are handed on as they are cut: nothing is exchanged.
  void equalLayoutsNeedNoResharding() {
    const auto graph = test::valueOf(graphFromArgument("llama3-8b", {.batch = 8, .sequence = 64})).graph;
    int edges = 0;
    int byHeads = 0;
    for (const ComputationGraph::Edge& edge : graph.edges) {
      const Operator& from = graph.operators[edge.from];
      const Operator& to = graph.operators[edge.to];
      if (!from.name.starts_with("layer1_") || !to.name.starts_with("layer1_")) continue;
      const Resharding batch =
          reshardingAlong(graph, edge, split(from, "b", 4), split(to, "b", 4), SpareDevices::Copies);
      QCOMPARE(batch.parts, 1);
      if (from.name.ends_with("qkv") || from.name.ends_with("attention")) {
        const Resharding heads =
            reshardingAlong(graph, edge, split(from, "g", 4), split(to, "g", 4), SpareDevices::Copies);
        QCOMPARE(heads.parts, 1);
        ++byHeads;
      }
      ++edges;
    }
    QVERIFY(edges >= 11);
    QCOMPARE(byHeads, 4);
  }

  // 175 billion parameters in bf16 with Adam: 16 bytes each, 2.8 TB on one device.
  void statesTakeSixteenBytesAParameter() {
    const auto graph = test::valueOf(graphFromArgument("gpt3-175b", {.batch = 1, .sequence = 1})).graph;
    StepMemory memory;
    for (const Operator& op : graph.operators) {
      memory += memoryOf(op, Configuration(op.dimensions.size(), 1), Bytes(2), {});
    }
    const double states = (memory.parameters + memory.gradients + memory.optimizer).value();
    QCOMPARE(states, 16 * test::parameterCount(graph));
    QVERIFY(std::abs(states / 2.8e12 - 1) < 0.01);
  }
};

QTEST_APPLESS_MAIN(TestModelGraph)
#include "tst_model_graph.moc"
