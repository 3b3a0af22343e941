// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "graphs/strategy_source.h"
#include "strategy/bounded_solver.h"
#include "strategy/graph_costs.h"
#include "support/fixtures.h"
#include "text/text_file.h"
#include "workload/generate/training_recipe.h"

using namespace p2;

namespace {

const Operator& named(const ComputationGraph& graph, const std::string& name) {
  const auto found =
      std::find_if(graph.operators.begin(), graph.operators.end(), [&](const Operator& op) { return op.name == name; });
  if (found == graph.operators.end()) qFatal("no operator %s", name.c_str());
  return *found;
}

/// Splits one dimension of an operator, by its name.
Configuration split(const Operator& op, const std::string& dimension, std::int64_t parts) {
  Configuration configuration(op.dimensions.size(), 1);
  for (std::size_t d = 0; d < op.dimensions.size(); ++d) {
    if (op.dimensions[d].name == dimension) configuration[d] = parts;
  }
  return configuration;
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
    const auto recipe = test::valueOf(bundledRecipe(model.toStdString()));
    const ModelShape shape = resolved(recipe.model);
    double expected = double(modelParameters(shape));
    // The graph has a matrix of its own for the head.
    if (shape.tiedEmbeddings) expected += double(shape.vocabulary * shape.hidden);
    QCOMPARE(parameterCount(test::valueOf(graphFromArgument(model.toStdString())).graph), expected);
  }

  void denseModelsAreListed() {
    const auto names = bundledModelNames();
    QVERIFY(std::find(names.begin(), names.end(), "llama3-70b") != names.end());
    QVERIFY(std::find(names.begin(), names.end(), "gpt3-175b") != names.end());
    QVERIFY(std::find(names.begin(), names.end(), "mixtral-8x7b") == names.end());
  }

  // Six multiply-adds and more for every parameter and token (Kaplan et al., arXiv 2001.08361): 6 · N · D FLOPs.
  void workIsSixTimesParametersTimesTokens() {
    const auto graph = test::valueOf(graphFromArgument("llama3-8b", {.batch = 4, .sequence = 128})).graph;
    double flops = 0;
    for (const Operator& op : graph.operators) {
      if (op.kind == OperatorKind::Gemm) flops += 2 * multiplyAdds(op, Configuration(op.dimensions.size(), 1));
    }
    const auto shape = resolved(test::valueOf(bundledRecipe("llama3-8b")).model);
    const double matrices =
        parameterCount(graph) - double(shape.vocabulary * shape.hidden) - double((2 * shape.layers + 1) * shape.hidden);
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
        if (op.tensors[reduction.tensor].role != Tensor::Role::Parameter) words.push_back(reduction.words);
      }
    }
    QCOMPARE(words, (std::vector<double>{activations, activations, activations, activations}));
  }

  // Along the whole layer, heads and rows are handed on as they are cut: nothing is exchanged.
  void whatIsCutAlikeIsNotExchanged() {
    const auto graph = test::valueOf(graphFromArgument("llama3-8b", {.batch = 8, .sequence = 64})).graph;
    int edges = 0;
    for (const ComputationGraph::Edge& edge : graph.edges) {
      const Operator& from = graph.operators[edge.from];
      const Operator& to = graph.operators[edge.to];
      if (!from.name.starts_with("layer1_") || !to.name.starts_with("layer1_")) continue;
      const Exchange batch = exchangeAlong(graph, edge, split(from, "b", 4), split(to, "b", 4), SpareDevices::Copies);
      QCOMPARE(batch.parts, 1);
      if (from.name.ends_with("qkv") || from.name.ends_with("attention")) {
        const Exchange heads = exchangeAlong(graph, edge, split(from, "g", 4), split(to, "g", 4), SpareDevices::Copies);
        QCOMPARE(heads.parts, 1);
      }
      ++edges;
    }
    QVERIFY(edges >= 11);
  }

  // 175 billion parameters in bf16 with Adam: 16 bytes each, 2.8 TB on one device.
  void statesTakeSixteenBytesAParameter() {
    const auto graph = test::valueOf(graphFromArgument("gpt3-175b", {.batch = 1, .sequence = 1})).graph;
    StepMemory memory;
    for (const Operator& op : graph.operators) {
      memory += memoryOf(op, Configuration(op.dimensions.size(), 1), Bytes(2), {});
    }
    const double states = (memory.parameters + memory.gradients + memory.optimizer).value();
    QCOMPARE(states, 16 * parameterCount(graph));
    QVERIFY(std::abs(states / 2.8e12 - 1) < 0.01);
  }

  void aConfigurationOfHuggingFaceIsAGraph() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("config.json").toStdString();
    QVERIFY(writeTextFile(path, R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2,
      "intermediate_size": 128, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 256})")
                .ok());
    const auto loaded = test::valueOf(graphFromArgument(path, {.batch = 2, .sequence = 16}));
    QCOMPARE(loaded.graph.operators.size(), std::size_t(1 + 2 * 10 + 3));
    QVERIFY(namesGraph(path));
    QVERIFY(hasOpenBatch(path));
  }

  void sizesAndModelsThatCannotBeAreRefused() {
    const auto refused = [](const Result<LoadedGraph>& result, const char* word) {
      return !result.ok() && QString::fromStdString(result.error().text()).contains(word);
    };
    QVERIFY(refused(graphFromArgument("mlp", GraphSizes{{}, 5}), "sequence"));
    QVERIFY(refused(graphFromArgument("mlp", GraphSizes{5, {}}), "batch"));
    QVERIFY(refused(graphFromArgument("mixtral-8x7b"), "experts"));
    QVERIFY(refused(graphFromArgument("deepseek-v3"), "experts"));
    QVERIFY(refused(graphFromArgument("llama3-8b", GraphSizes{kMostSequences + 1, {}}), "sequences"));
  }

  // What is open is taken from the system's accelerator, what is said is kept.
  void openFiguresAreThoseOfTheSystem() {
    const auto system = test::valueOf(systemFromArgument("dgx-h100:2"));
    GraphCostOptions open = StrategyChoice{}.options;
    open.model = StrategyCostModel::Hierarchical;
    const GraphCostOptions filled = filledIn(open, system);
    QCOMPARE(filled.wordBytes, Bytes(2));
    QCOMPARE(filled.flops, 989e12);
    QCOMPARE(filled.memoryBandwidth, 3.35e12);
    QCOMPARE(*filled.deviceMemory, Bytes(80e9));
    // What a graph's numbers take bounds it from above.
    QCOMPARE(filledIn(open, system, 4).wordBytes, Bytes(2));
    QCOMPARE(filledIn(open, system, 1).wordBytes, Bytes(1));
    QCOMPARE(filledIn(StrategyChoice{}.options, system, 2).wordBytes, Bytes(2));
    open.wordBytes = Bytes(4);
    QCOMPARE(filledIn(open, system, 2).wordBytes, Bytes(4));
    QCOMPARE(filledIn(open, system).flops, 66.9e12);
    open.flops = 5e12;
    open.deviceMemory = Bytes(0);
    QCOMPARE(filledIn(open, system).flops, 5e12);
    QCOMPARE(*filledIn(open, system).deviceMemory, Bytes(0));
    const GraphCostOptions flat = filledIn(StrategyChoice{}.options, system);
    QCOMPARE(flat.flops, GraphCostOptions{}.flops);
    QCOMPARE(flat.wordBytes, Bytes(4));
    QCOMPARE(*flat.deviceMemory, Bytes(0));
  }

  void aLeastPartThatBindsTheBatchIsSaid() {
    const auto graph = test::valueOf(graphFromArgument("llama3-8b", {.batch = 64, .sequence = 64})).graph;
    GraphCostOptions options{.devices = 64};
    const auto note = cutoffNote(graph, options);
    QVERIFY(note && note->find("batch of 64 from being split more than 8 ways, where 64") != std::string::npos);
    options.space.cutoff = 1;
    QVERIFY(!cutoffNote(graph, options));
    options = {.devices = 8};
    QVERIFY(!cutoffNote(graph, options));
  }
};

QTEST_APPLESS_MAIN(TestModelGraph)
#include "tst_model_graph.moc"
