// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "graphs/detail/model_graph.h"
#include "strategy/shared_tensors.h"
#include "strategy/step_memory.h"
#include "support/fixtures.h"
#include "training/memory.h"

using namespace p2;

namespace {

constexpr std::int64_t kTokens = 2048;
constexpr std::int64_t kTensor = 8;

ModelShape gpt(std::int64_t layers) {
  ModelShape model;
  model.layers = layers;
  model.hidden = 12288;
  model.ffn = 4 * 12288;
  model.heads = 96;
  model.vocabulary = 51200;
  model.gatedMlp = false;
  model.biases = true;
  model.positions = kTokens;
  return resolved(model);
}

ModelShape llama(std::int64_t layers) {
  ModelShape model;
  model.layers = layers;
  model.hidden = 8192;
  model.ffn = 28672;
  model.heads = 64;
  model.kvHeads = 8;
  model.vocabulary = 128256;
  return resolved(model);
}

/// Tensor parallelism of an operator as Megatron has it.
Configuration partsOf(const Operator& op, bool sequence) {
  Configuration parts(op.dimensions.size(), 1);
  const bool product = op.kind == OperatorKind::Gemm || op.kind == OperatorKind::Attention ||
                       op.name.find("activate") != std::string::npos;
  const auto cut = [&](const std::string& name) {
    for (std::size_t d = 0; d < parts.size(); ++d) {
      if (op.dimensions[d].name == name) parts[d] = kTensor;
    }
  };
  if (!product) {
    if (sequence) cut("s");
  } else if (op.name.find("contract") != std::string::npos) {
    cut("k");
  } else if (op.name.find("expand") != std::string::npos || op.name.find("activate") != std::string::npos) {
    cut("n");
  } else {
    cut("g");
  }
  return parts;
}

double activationsOf(const ModelShape& model, bool sequence, Recomputation recomputation, bool rebuilt = false) {
  const ComputationGraph graph = withSharedTensors(test::valueOf(graphOf(model, {1, kTokens})));
  const BackwardNeeds needs(graph, recomputation);
  StepMemory memory;
  for (std::size_t v = 0; v < graph.operators.size(); ++v) {
    const Operator& op = graph.operators[v];
    memory +=
        memoryOf(op, partsOf(op, sequence), Bytes(2), {.recomputation = recomputation}, needs.of(v), needs.layers());
  }
  return (rebuilt ? memory.rebuilt : memory.activations).value();
}

}  // namespace

class TestLayerMemory : public QObject {
  Q_OBJECT

 private slots:
  // Bytes of one layer, as the difference of graphs with five and four of them: Korthikanti et al., arXiv 2205.05198,
  // table 2, with fused attention and without the two masks of dropout (2 sbh); and core/training for one question.
  void aLayerKeepsWhatMegatronPublished_data() {
    QTest::addColumn<bool>("isGpt");
    QTest::addColumn<bool>("sequence");
    QTest::addColumn<bool>("full");
    for (const bool isGpt : {true, false}) {
      for (const bool sequence : {false, true}) {
        for (const bool full : {false, true}) {
          QTest::addRow("%s, %s%s", isGpt ? "GPT-3" : "Llama 3", sequence ? "TP + SP" : "TP", full ? ", full" : "")
              << isGpt << sequence << full;
        }
      }
    }
  }
  void aLayerKeepsWhatMegatronPublished() {
    QFETCH(bool, isGpt);
    QFETCH(bool, sequence);
    QFETCH(bool, full);
    const auto model = isGpt ? gpt : llama;
    const Recomputation recomputation = full ? Recomputation::Full : Recomputation::None;
    const double layer =
        activationsOf(model(5), sequence, recomputation) - activationsOf(model(4), sequence, recomputation);
    TrainingConfiguration made;
    made.plan.tensor = kTensor;
    made.plan.sequence = kTokens;
    made.plan.microbatch = 1;
    made.plan.sequenceParallel = sequence ? SequenceParallelism::Megatron : SequenceParallelism::None;
    made.recomputation = full ? RecomputeKind::Full : RecomputeKind::None;
    made.family = FrameworkFamily::Fsdp;  // no masks of dropout
    const double trained = layerActivations(model(4), made, false);
    QVERIFY2(std::abs(layer / trained - 1) < 0.03, qPrintable(QString::number(layer / trained)));
    if (!isGpt) return;
    const double sbh = double(kTokens) * 12288;
    const double t = kTensor;
    const double published = full ? (sequence ? 2 / t : 2) : sequence ? 32 / t : 8 + 24 / t;
    QVERIFY2(std::abs(layer / (published * sbh) - 1) < 0.03, qPrintable(QString::number(layer / sbh)));
  }

  // While a layer is rebuilt it holds what it would keep without recomputation.
  void oneLayerIsRebuiltAtATime() {
    const double whole = activationsOf(gpt(8), true, Recomputation::None);
    const double layer = whole - activationsOf(gpt(7), true, Recomputation::None);
    const double rebuilt = activationsOf(gpt(8), true, Recomputation::Full, true);
    QVERIFY2(rebuilt > 0.9 * layer && rebuilt < 1.5 * layer, qPrintable(QString::number(rebuilt / layer)));
    QCOMPARE(activationsOf(gpt(8), true, Recomputation::None, true), 0.0);
  }

  // Selective recomputation keeps outputs of products only: queries, keys, values, and the MLP's halves.
  void selectiveKeepsProducts() {
    const auto layerOf = [](bool sequence) {
      return activationsOf(gpt(5), sequence, Recomputation::Selective) -
             activationsOf(gpt(4), sequence, Recomputation::Selective);
    };
    const double sbh = double(kTokens) * 12288;
    // 6 of attention and 8 of the MLP are cut by heads and width; the two sums keep their inputs.
    QVERIFY2(std::abs(layerOf(true) / (18 / 8.0 * sbh) - 1) < 0.03, qPrintable(QString::number(layerOf(true) / sbh)));
    QVERIFY2(std::abs(layerOf(false) / ((4 + 14 / 8.0) * sbh) - 1) < 0.03,
             qPrintable(QString::number(layerOf(false) / sbh)));
  }
};

QTEST_APPLESS_MAIN(TestLayerMemory)
#include "tst_layer_memory.moc"
