// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <functional>
#include <numeric>

#include "graphs/bundled_graphs.h"
#include "graphs/strategy_source.h"
#include "strategy/graph_costs.h"
#include "support/filled.h"
#include "support/fixtures.h"
#include "training/kernel_choice.h"

using namespace p2;

namespace {

bool isProduct(const Operator& op) {
  return op.kind == OperatorKind::Gemm || op.kind == OperatorKind::Convolution || op.kind == OperatorKind::Lstm ||
         op.kind == OperatorKind::Experts;
}

/// Operators of the bundled graphs and of models with grouped heads, latent attention and experts.
std::vector<Operator> bundledOperators() {
  std::vector<Operator> operators;
  const auto add = [&](const ComputationGraph& graph) {
    // Layers repeat: the first hundred operators show all kinds.
    const std::size_t count = std::min<std::size_t>(graph.operators.size(), 100);
    operators.insert(operators.end(), graph.operators.begin(), graph.operators.begin() + std::ptrdiff_t(count));
  };
  for (const BundledGraph& each : bundledGraphs()) add(test::valueOf(bundledGraph(each.name)));
  for (const char* model : {"llama3-8b", "mixtral-8x7b", "deepseek-v3"}) {
    add(test::valueOf(graphFromArgument(model, {.batch = 8})).graph);
  }
  return operators;
}

/// The whole operator, and every dimension that can be split cut in two.
std::vector<Configuration> configurationsOf(const Operator& op) {
  std::vector<Configuration> all{Configuration(op.dimensions.size(), 1)};
  for (std::size_t d = 0; d < op.dimensions.size(); ++d) {
    if (!op.dimensions[d].splittable || op.dimensions[d].size % 2 != 0) continue;
    all.push_back(all.front());
    all.back()[d] = 2;
  }
  return all;
}

double points(const Operator& op, const Configuration& parts) {
  double product = 1;
  for (std::size_t d = 0; d < parts.size(); ++d) product *= double(op.dimensions[d].size) / double(parts[d]);
  return product;
}

KernelRates ratesOf(const TrainingAccelerator& accelerator) { return kernelRatesOf(accelerator, {}); }

}  // namespace

/// Operators of a graph as kernels of an accelerator.
class TestOperatorKernels : public QObject {
  Q_OBJECT
 private slots:
  // A product is its iteration domain, however that is cut.
  void productsHaveThePointsOfTheirDomain() {
    int products = 0;
    for (const Operator& op : bundledOperators()) {
      if (!isProduct(op)) continue;
      for (const Configuration& parts : configurationsOf(op)) {
        const Product product = productOf(op, parts);
        QVERIFY2(qFuzzyCompare(product.flop(), 2 * points(op, parts)), op.name.c_str());
        ++products;
      }
    }
    QVERIFY(products > 500);
  }

  void productsAreAsTheyAreWritten() {
    using Role = Tensor::Role;
    const Operator gemm{"gemm",
                        OperatorKind::Gemm,
                        {{"b", 4}, {"s", 512}, {"n", 1024}, {"k", 256}},
                        {{"x", Role::Input, {0, 1, 3}},
                         {"w", Role::Parameter, {3, 2}},
                         {"bias", Role::Parameter, {2}},
                         {"y", Role::Output, {0, 1, 2}}}};
    const Product product = productOf(gemm, {2, 1, 4, 1});
    QCOMPARE(product.rows, 2.0 * 512);
    QCOMPARE(product.columns, 256.0);
    QCOMPARE(product.depth, 256.0);
    QCOMPARE(product.count, 1.0);
    // The gates of an LSTM are columns.
    const ComputationGraph lstm = test::valueOf(bundledGraph("lstm"));
    const Product gates = productOf(lstm.operators[1], Configuration(5, 1));
    QCOMPARE(gates.rows, 20.0 * 35);
    QCOMPARE(gates.columns, 4.0 * 1500);
    QCOMPARE(gates.depth, 3000.0);
  }

  // Dimensions of both inputs and the output count products; those of one input are rows or columns.
  void batchesOfTwoInputs() {
    using Role = Tensor::Role;
    const Operator scores{"scores",
                          OperatorKind::Gemm,
                          {{"b", 4}, {"h", 16}, {"q", 512}, {"t", 1024}, {"d", 64}},
                          {{"queries", Role::Input, {0, 1, 2, 4}},
                           {"keys", Role::Input, {0, 1, 4, 3}},
                           {"scores", Role::Output, {0, 1, 2, 3}}}};
    const Product whole = productOf(scores, Configuration(5, 1));
    QCOMPARE(whole.count, 4.0 * 16);
    QCOMPARE(whole.rows, 512.0);
    QCOMPARE(whole.columns, 1024.0);
    QCOMPARE(whole.depth, 64.0);
    const Product part = productOf(scores, {2, 4, 2, 1, 1});
    QCOMPARE(part.count, 2.0 * 4);
    QCOMPARE(part.rows, 256.0);
    // Keys and queries that heads share: one input lacks h, whose sizes are rows or columns of larger products.
    Operator shared = scores;
    shared.tensors[1].dimensions = {0, 4, 3};
    const Product grouped = productOf(shared, Configuration(5, 1));
    QCOMPARE(grouped.count, 4.0);
    QCOMPARE(grouped.rows, 16.0 * 512);
    QCOMPARE(grouped.columns, 1024.0);
    // As many products of a parameter, as of grouped convolutions.
    Operator learnt = scores;
    learnt.tensors[1].role = Role::Parameter;
    QCOMPARE(productOf(learnt, Configuration(5, 1)).count, 4.0 * 16);
  }

  // No operator of any graph is faster than its work at the peak of any accelerator.
  void nothingIsFasterThanThePeak() {
    const std::vector<Operator> operators = bundledOperators();
    for (const TrainingAccelerator& accelerator : trainingAccelerators()) {
      const KernelRates rates = ratesOf(accelerator);
      QVERIFY2(rates.products <= rates.peak && rates.attention <= accelerator.bf16, accelerator.begins.c_str());
      for (const Operator& op : test::filled(operators)) {
        // Kernels of causal attention skip half of what multiplyAdds() counts.
        const double counted = op.causal ? 0.5 : 1;
        for (const Configuration& parts : test::filled(configurationsOf(op))) {
          const PassSeconds seconds = kernelSeconds(op, parts, Bytes(2), rates);
          QVERIFY2(seconds.forward + seconds.backward >= counted * 2 * multiplyAdds(op, parts) / rates.peak,
                   qPrintable(QString::fromStdString(op.name + " on " + accelerator.begins)));
        }
      }
    }
  }

  void causalAttentionIsHalf() {
    const KernelRates rates = ratesOf(test::valueOf(trainingAcceleratorOf(std::string_view("H100"))));
    Operator attention = test::valueOf(graphFromArgument("llama3-8b", {.batch = 8})).graph.operators[3];
    QCOMPARE(attention.kind, OperatorKind::Attention);
    QVERIFY(attention.causal);
    const Configuration whole(attention.dimensions.size(), 1);
    const PassSeconds half = kernelSeconds(attention, whole, Bytes(2), rates);
    attention.causal = false;
    const PassSeconds all = kernelSeconds(attention, whole, Bytes(2), rates);
    QVERIFY(qFuzzyCompare(all.forward - rates.floor, 2 * (half.forward - rates.floor)));
    QVERIFY(all.backward > all.forward);
  }

  // What is recomputed runs forward once more, and only that.
  void recomputationRunsForwardAgain() {
    GraphCostOptions options;
    options.bytesPerElement = Bytes(2);
    options.kernels = ratesOf(test::valueOf(trainingAcceleratorOf(std::string_view("A100"))));
    for (const Operator& op : test::filled(bundledOperators())) {
      const Configuration whole(op.dimensions.size(), 1);
      options.memory.recomputation = Recomputation::None;
      const PassSeconds once = passSeconds(op, whole, options);
      QCOMPARE(computeSeconds(op, whole, options), once.forward + once.backward);
      for (const Recomputation kind : {Recomputation::Selective, Recomputation::Full}) {
        options.memory.recomputation = kind;
        const PassSeconds twice = passSeconds(op, whole, options);
        QCOMPARE(twice.forward, once.forward);
        QCOMPARE(twice.backward, once.backward + (isRecomputed(op.kind, kind) ? once.forward : 0));
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestOperatorKernels)
#include "tst_operator_kernels.moc"
