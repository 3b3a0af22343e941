// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "graphs/bundled_graphs.h"
#include "graphs/strategy_source.h"
#include "support/fixtures.h"
#include "system/part_states.h"
#include "text/text_file.h"

using namespace p2;

// Where the graph of a strategy comes from, and what its system leaves to be filled in.
class TestStrategySource : public QObject {
  Q_OBJECT

 private slots:
  void modelsAreListed() {
    const auto names = bundledModelNames();
    for (const char* name : {"llama3-70b", "gpt3-175b", "mixtral-8x7b", "deepseek-v3", "mixtral-8x22b"}) {
      QVERIFY2(std::find(names.begin(), names.end(), name) != names.end(), name);
    }
    QVERIFY(std::find(names.begin(), names.end(), "resnet50") == names.end());
  }

  void aConfigurationOfHuggingFaceIsAGraph() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("config.json").toStdString();
    QVERIFY(writeTextFile(path, R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2,
      "intermediate_size": 128, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 256})")
                .ok());
    const auto loaded = test::valueOf(graphFromArgument(path, {.batch = 2, .sequence = 16}));
    QCOMPARE(loaded.graph.operators.size(), std::size_t(1 + 2 * 10 + 3));
    QCOMPARE(loaded.graph.assumed, (std::vector<std::string>{"the head is another matrix than the embedding"}));
    QVERIFY(loaded.warnings.empty());
    QVERIFY(namesGraph(path));
    QVERIFY(hasOpenBatch(path));
  }

  /// A bundled graph's name is the graph's; a file of that name needs its folder before it.
  void aFileNeedsNoDotInItsName() {
    QTemporaryDir folder;
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(folder.path()));
    const auto back = qScopeGuard([&] { QDir::setCurrent(before); });
    const BundledGraph& bundled = bundledGraphs()[0];
    const BundledGraph& another = bundledGraphs()[1];
    QVERIFY(writeTextFile("plain", bundled.json).ok());
    QVERIFY(writeTextFile(std::string(another.name), bundled.json).ok());
    const auto plain = test::valueOf(graphFromArgument("plain"));
    QCOMPARE(plain.graph, test::valueOf(graphFromArgument(std::string(bundled.name))).graph);
    QVERIFY(!(plain.graph == test::valueOf(graphFromArgument(std::string(another.name))).graph));
    QVERIFY(graphFromArgument("./" + std::string(another.name)).ok());
    QVERIFY(graphFromArgument("plainer").error().message.find("no graph called") != std::string::npos);
  }

  void sizesAndModelsThatCannotBeAreRefused() {
    const auto refused = [](const Result<LoadedGraph>& result, const char* word) {
      return !result.ok() && QString::fromStdString(result.error().text()).contains(word);
    };
    QVERIFY(refused(graphFromArgument("mlp", GraphSizes{{}, 5}), "sequence"));
    QVERIFY(refused(graphFromArgument("mlp", GraphSizes{5, {}}), "batch"));
    QVERIFY(refused(graphFromArgument("mixtral-8x7b", {.capacityFactor = 0.5}), "not a capacity factor"));
    QVERIFY(refused(graphFromArgument("llama3-8b", {.capacityFactor = 2}), "experts"));
    QVERIFY(refused(graphFromArgument("mlp", {.capacityFactor = 2}), "experts"));
    QVERIFY(refused(graphFromArgument("llama3-8b", GraphSizes{kMostSequences + 1, {}}), "sequences"));
  }

  // What is open is taken from the system's accelerator, what is said is kept.
  void openFiguresAreThoseOfTheSystem() {
    const auto system = test::valueOf(systemFromArgument("dgx-h100:2"));
    GraphCostOptions open = StrategyChoice{}.options;
    open.model = StrategyCostModel::Hierarchical;
    const GraphCostOptions filled = filledIn(open, system);
    QCOMPARE(filled.bytesPerElement, Bytes(2));
    QCOMPARE(filled.flops, 989e12);
    QCOMPARE(filled.memoryBandwidth, 3.35e12);
    QCOMPARE(*filled.deviceMemory, Bytes(80e9));
    const GraphCostOptions slow = filledIn(open, test::valueOf(withState(system, "node 1: 80%")));
    QCOMPARE(slow.flops, 0.8 * 989e12);
    QCOMPARE(slow.memoryBandwidth, 0.8 * 3.35e12);
    QCOMPARE(*slow.deviceMemory, Bytes(80e9));
    // What a graph's numbers take bounds it from above.
    QCOMPARE(filledIn(open, system, 4).bytesPerElement, Bytes(2));
    QCOMPARE(filledIn(open, system, 1).bytesPerElement, Bytes(1));
    QCOMPARE(filledIn(StrategyChoice{}.options, system, 2).bytesPerElement, Bytes(2));
    open.bytesPerElement = Bytes(4);
    QCOMPARE(filledIn(open, system, 2).bytesPerElement, Bytes(4));
    QCOMPARE(filledIn(open, system).flops, 66.9e12);
    open.flops = 5e12;
    open.deviceMemory = Bytes(0);
    QCOMPARE(filledIn(open, system).flops, 5e12);
    QCOMPARE(*filledIn(open, system).deviceMemory, Bytes(0));
    const GraphCostOptions flat = filledIn(StrategyChoice{}.options, system);
    QCOMPARE(flat.flops, GraphCostOptions{}.flops);
    QCOMPARE(flat.bytesPerElement, Bytes(4));
    QCOMPARE(*flat.deviceMemory, Bytes(0));
  }

  void aLeastPartThatBindsTheBatchIsSaid() {
    const auto graph = test::valueOf(graphFromArgument("llama3-8b", {.batch = 64, .sequence = 64})).graph;
    GraphCostOptions options{.devices = 64};
    // Queries, keys and values one after the other, as ONNX models of attention have them: no batch of 3.
    auto shuffled = graph;
    for (std::size_t v = 1; v < shuffled.operators.size(); ++v) shuffled.operators[v].dimensions.front().size = 3;
    QCOMPARE(cutoffNote(shuffled, options), cutoffNote(graph, options));
    const auto note = cutoffNote(graph, options);
    QVERIFY(note && note->find("limits a batch of 64 to 8 ways; set it to 1 to allow 64") != std::string::npos);
    options.space.cutoff = 1;
    QVERIFY(!cutoffNote(graph, options));
    options = {.devices = 8};
    QVERIFY(!cutoffNote(graph, options));
  }
};

QTEST_APPLESS_MAIN(TestStrategySource)
#include "tst_strategy_source.moc"
