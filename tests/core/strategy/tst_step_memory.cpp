// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "strategy/graph_costs.h"
#include "support/fixtures.h"

using namespace p2;

namespace {

Operator product(std::int64_t m, std::int64_t n, std::int64_t k) {
  return {"product",
          OperatorKind::Gemm,
          {{"m", m, true}, {"n", n, true}, {"k", k, true}},
          {{"x", Tensor::Role::Input, {0, 2}, {}},
           {"w", Tensor::Role::Parameter, {2, 1}, {}},
           {"y", Tensor::Role::Output, {0, 1}, {}}}};
}

Operator activation(std::int64_t m, std::int64_t n) {
  return {"activation",
          OperatorKind::Elementwise,
          {{"m", m, true}, {"n", n, true}},
          {{"x", Tensor::Role::Input, {0, 1}, {}}, {"y", Tensor::Role::Output, {0, 1}, {}}}};
}

constexpr Bytes kHalf(2);

bool isNear(double a, double b, double tolerance = 1e-9) { return std::abs(a - b) <= tolerance * std::abs(b); }

}  // namespace

class TestStepMemory : public QObject {
  Q_OBJECT

 private slots:
  // ZeRO (Rajbhandari et al., SC 2020), figure 1: 7.5 billion parameters on 64 devices, Adam in mixed precision.
  void stagesOfZeroAreThoseOfTheirPaper_data() {
    QTest::addColumn<int>("zero");
    QTest::addColumn<double>("gigabytes");
    QTest::newRow("none") << 0 << 120.0;
    QTest::newRow("optimizer") << 1 << 31.4;
    QTest::newRow("gradients") << 2 << 16.6;
    QTest::newRow("parameters") << 3 << 1.9;
  }
  void stagesOfZeroAreThoseOfTheirPaper() {
    QFETCH(int, zero);
    QFETCH(double, gigabytes);
    const StepMemory memory = memoryOf(product(64, 75'000, 100'000), {64, 1, 1}, kHalf, {.zero = zero});
    const double states = (memory.parameters + memory.gradients + memory.optimizer).value();
    QVERIFY2(std::abs(states / 1e9 - gigabytes) < 0.05, qPrintable(QString::number(states)));
  }

  // A split of the parameter itself leaves nothing to share out.
  void whatIsSplitIsNotSharedOut() {
    const Operator op = product(64, 1024, 512);
    for (int zero = 0; zero <= kMostZero; ++zero) {
      const StepMemory memory = memoryOf(op, {1, 8, 2}, kHalf, {.zero = zero});
      QCOMPARE(memory.parameters, Bytes(2.0 * 1024 * 512 / 16));
      QCOMPARE(memory.optimizer, Bytes(12.0 * 1024 * 512 / 16));
    }
  }

  void optimizersKeepWhatTheyNeed() {
    const Operator op = product(8, 10, 10);
    QCOMPARE(memoryOf(op, {1, 1, 1}, kHalf, {.optimizer = Optimizer::Adam}).optimizer, Bytes(1200));
    QCOMPARE(memoryOf(op, {1, 1, 1}, Bytes(4), {.optimizer = Optimizer::Adam}).optimizer, Bytes(800));
    QCOMPARE(memoryOf(op, {1, 1, 1}, kHalf, {.optimizer = Optimizer::Momentum}).optimizer, Bytes(800));
    QCOMPARE(memoryOf(op, {1, 1, 1}, Bytes(4), {.optimizer = Optimizer::None}).optimizer, Bytes(0));
  }

  void whatIsRecomputedIsNotKeptAndRunsAgain() {
    GraphCostOptions options;
    const Operator op = activation(64, 1000);
    QCOMPARE(memoryOf(op, {8, 1}, kHalf, {}).activations, Bytes(16'000));
    options.memory.recomputation = Recomputation::Selective;
    QVERIFY(isNear(computeSeconds(op, {8, 1}, options), computeSeconds(op, {8, 1}, {}) * 4 / 3));
    const Operator kept = product(64, 10, 10);
    QCOMPARE(memoryOf(kept, {8, 1, 1}, kHalf, options.memory).activations, Bytes(8.0 * 10 * 2));
    QCOMPARE(computeSeconds(kept, {8, 1, 1}, options), computeSeconds(kept, {8, 1, 1}, {}));
  }

  // x → product → activation → product: with selective recomputation the output of the activation is not kept, and the
  // backward pass needs it where the second product reads it.
  void recomputedOutputsAreNotKept() {
    Operator first = product(64, 1000, 10);
    Operator second = product(64, 10, 1000);
    second.name = "second";
    const ComputationGraph graph{"three", "", {first, activation(64, 1000), second}, {{0, 2, 1, 0}, {1, 1, 2, 0}}};
    const auto keptOf = [&](Recomputation recomputation) {
      std::vector<double> kept;
      const BackwardNeeds needs(graph, recomputation);
      for (std::size_t v = 0; v < 3; ++v) {
        const Operator& op = graph.operators[v];
        const MemoryOptions options{.recomputation = recomputation};
        kept.push_back(
            memoryOf(op, Configuration(op.dimensions.size(), 1), kHalf, options, needs.of(v), 1).activations.value());
      }
      return kept;
    };
    QCOMPARE(keptOf(Recomputation::None), (std::vector<double>{64.0 * 10 * 2, 2 * 64'000.0 * 2, 0}));
    QCOMPARE(keptOf(Recomputation::Selective), (std::vector<double>{64.0 * 10 * 2, 64'000.0 * 2, 0}));
    QVERIFY(BackwardNeeds(graph, Recomputation::Selective).of(2)[0].movesAgain);
    QVERIFY(!BackwardNeeds(graph, Recomputation::None).of(1)[0].movesAgain);
  }

  // Two readers of one output keep one copy, a sum keeps none of its inputs, and sums of partial sums are kept by their
  // reader, after they are scattered.
  void readersShareACopy() {
    Operator sum = activation(64, 10);
    sum.name = "sum";
    sum.tensors.insert(sum.tensors.begin(), {"z", Tensor::Role::Input, {0, 1}, {}});
    Operator left = product(64, 20, 10);
    Operator right = product(64, 30, 10);
    left.name = "left";
    right.name = "right";
    const ComputationGraph graph{
        "fork", "", {product(64, 10, 10), left, right, sum}, {{0, 2, 1, 0}, {0, 2, 2, 0}, {0, 2, 3, 0}}};
    const BackwardNeeds needs(graph, Recomputation::None);
    QCOMPARE(needs.of(0)[2].keptBy, std::int64_t{0});
    QCOMPARE(needs.of(1)[0].keptBy, std::int64_t{2});
    QCOMPARE(needs.of(2)[0].keptBy, std::int64_t{2});
    QCOMPARE(needs.of(3)[0].keptBy, std::int64_t{0});
  }

  // An H100: 989 TFLOP/s in bf16, 3.35 TB/s. Large products are bound by the first, element-wise operators by the
  // other.
  void operatorsTakeWhatBindsThem() {
    const GraphCostOptions options{.flops = 989e12, .bytesPerElement = kHalf, .memoryBandwidth = 3.35e12};
    const double product8k = computeSeconds(product(8192, 8192, 8192), {1, 1, 1}, options);
    QVERIFY(isNear(product8k, 6 * std::pow(8192.0, 3) / 989e12));
    const double relu = computeSeconds(activation(8192, 8192), {1, 1}, options);
    QVERIFY(isNear(relu, 3 * 2 * 8192.0 * 8192 * 2 / 3.35e12));
    QVERIFY(isNear(computeSeconds(activation(8192, 8192), {8, 1}, options), relu / 8));
    // A row of few columns is read, not computed.
    QVERIFY(isNear(computeSeconds(product(1, 8192, 8192), {1, 1, 1}, options),
                   3 * (8192.0 * 8192 + 2 * 8192) * 2 / 3.35e12));
  }

  // What stage 3 gathers again takes half an all-reduce more; other stages move what they moved.
  void gatheringParametersAgainHasItsPrice() {
    ComputationGraph graph{"one", "", {product(64, 1024, 512)}, {}};
    FlatPricer pricer(1e9);
    const auto costOfSplit = [&](int zero) {
      GraphCostOptions options{.devices = 8, .bandwidth = 1e9};
      options.memory.zero = zero;
      const auto problem = test::valueOf(strategyProblemFrom(graph, options, pricer));
      const auto& domain = problem.domains[0];
      const auto at = std::find(domain.configurations.begin(), domain.configurations.end(), Configuration{8, 1, 1});
      return domain.costs[std::size_t(at - domain.configurations.begin())];
    };
    QCOMPARE(costOfSplit(1), costOfSplit(0));
    QCOMPARE(costOfSplit(2), costOfSplit(0));
    const double allReduce = 2 * 7.0 / 8 * (4.0 * 1024 * 512) / 1e9;
    QVERIFY(isNear(costOfSplit(3) - costOfSplit(0), allReduce / 2, 1e-6));
  }

  // A gradient is summed up once a step, what passes through the graph in every pass; shares of it in every pass.
  void passesAddUp() {
    const Operator op = product(64, 1024, 512);
    const DeviceAxes axes = deviceAxesOf({4, 1, 2}, 8);
    GraphCostOptions options{.devices = 8};
    options.microbatches = 5;
    const auto timesOf = [&](int zero) {
      options.memory.zero = zero;
      std::vector<double> times;
      const auto reductions = reductionsOf(op, {4, 1, 2});
      const auto demands = demandsOf(op, {4, 1, 2}, axes, options);
      for (std::size_t i = 0; i < demands.size(); ++i) {
        const bool parameter = op.tensors[reductions[i].tensor].role == Tensor::Role::Parameter;
        times.push_back(parameter ? -demands[i].times : demands[i].times);
      }
      return times;
    };
    QCOMPARE(timesOf(1), (std::vector<double>{-1, 5}));
    QCOMPARE(timesOf(2), (std::vector<double>{-3, 5}));
    const auto again = [&](int zero) {
      options.memory.zero = zero;
      return regatheringsOf(op, {4, 1, 2}, axes, options);
    };
    QVERIFY(again(2).empty());
    QCOMPARE(again(3).front().times, 9.0);
    ComputationGraph graph{"one", "", {op}, {}};
    FlatPricer pricer(1e9);
    const auto costs = [&](std::int64_t passes) {
      const GraphCostOptions each{.devices = 8, .bandwidth = 1e9, .microbatches = passes};
      return test::valueOf(strategyProblemFrom(graph, each, pricer)).domains[0].costs;
    };
    QVERIFY(isNear(costs(5)[0], 5 * costs(1)[0]));
  }

  void tablesKnowTheMemoryOfEveryConfiguration() {
    ComputationGraph graph{"one", "", {product(64, 1024, 512)}, {}};
    FlatPricer pricer(1e9);
    const GraphCostOptions options{.devices = 8};
    const auto problem = test::valueOf(validated(test::valueOf(strategyProblemFrom(graph, options, pricer))));
    const ConfigurationDomain& domain = problem.domains[0];
    QCOMPARE(domain.memory.size(), domain.costs.size());
    for (std::size_t i = 0; i < domain.costs.size(); ++i) {
      const Strategy strategy{{i}, domain.costs[i]};
      const StepMemory memory = memoryOf(graph, problem, strategy, options.bytesPerElement, options.memory);
      QCOMPARE(domain.memory[i], memory.total().value());
      QCOMPARE(memoryOf(problem, strategy.choice), memory.total().value());
    }
  }

  void namesAreRead() {
    for (const auto optimizer : {Optimizer::Adam, Optimizer::Momentum, Optimizer::None}) {
      QCOMPARE(test::valueOf(optimizerFrom(nameOf(optimizer))), optimizer);
    }
    for (const auto recomputation : {Recomputation::None, Recomputation::Selective, Recomputation::Full}) {
      QCOMPARE(test::valueOf(recomputationFrom(nameOf(recomputation))), recomputation);
    }
    QVERIFY(!optimizerFrom("lion").ok());
    QVERIFY(!recomputationFrom("some").ok());
    GraphCostOptions options;
    options.memory.zero = 4;
    QVERIFY(!checkGraphCostOptions(options).ok());
  }

  // What is in use already helps nobody.
  void saysWhatWouldNeedLess() {
    QCOMPARE(waysToNeedLess({}, false),
             "use more devices, a higher stage of ZeRO, recomputation, stages of a pipeline, or a smaller batch");
    const MemoryOptions all{.zero = kMostZero, .recomputation = Recomputation::Full};
    QCOMPARE(waysToNeedLess(all, true), "use more devices, or a smaller batch");
  }
};

QTEST_APPLESS_MAIN(TestStepMemory)
#include "tst_step_memory.moc"
