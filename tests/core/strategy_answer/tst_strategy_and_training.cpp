// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <tuple>

#include "strategy_answer/strategy_baselines.h"
#include "tests/core/strategy_answer/strategy_case.h"
#include "training/framework_placements.h"
#include "training/frameworks.h"
#include "training/model_argument.h"
#include "training/step_computation.h"

using namespace p2;

namespace {

constexpr double kAny = std::numeric_limits<double>::infinity();

constexpr test::StrategyCase kCases[] = {
    {"llama3-8b", "dgx-h100:1", 8, 4096, 8, 1, Recomputation::Full},
    {"llama3-8b", "dgx-h100:2", 16, 4096, 4, 1, Recomputation::None},
    {"llama3-8b", "dgx-a100:4", 32, 4096, 4, 3, Recomputation::None},
    {"llama3-8b", "mi300x:2", 16, 8192, 4, 1, Recomputation::None},
    {"gpt3-175b", "dgx-h100:16", 16, 2048, 8, 1, Recomputation::Full},
    {"llama3-70b", "dgx-h100:8", 16, 4096, 4, 3, Recomputation::Full},
    {"llama3-70b", "dgx-b200:4", 8, 8192, 4, 1, Recomputation::Full},
    {"llama3-8b", "dgx-h100:2", 16, 4096, 4, 1, Recomputation::None, 1, "node 1: 80%"},
    {"llama3-8b", "mi300x:2", 16, 8192, 4, 1, Recomputation::None, 1, "gpu 3 of node 0: 50%"},
};

struct PricedTraining {
  TrainingConfiguration configuration;
  StepEstimate step;
  double memory = 0;
};

TrainingConfiguration configurationOf(const test::StrategyCase& of, const StrategyBaseline& baseline) {
  TrainingConfiguration made;
  TrainingPlan& plan = made.plan;
  plan.data = 1;
  for (const Axis& axis : baseline.degrees) {
    if (axis.name.starts_with("data")) plan.data *= axis.size;
    if (axis.name.starts_with("tensor")) plan.tensor *= axis.size;
  }
  plan.sequence = of.tokens;
  plan.microbatch = of.sequences / plan.data;
  plan.microbatches = of.microbatches;
  plan.zero = baseline.zero.value_or(of.zero);
  plan.sequenceParallel = baseline.sequenceParallel ? SequenceParallelism::Megatron : SequenceParallelism::None;
  made.recomputation = of.recomputation == Recomputation::Full ? RecomputeKind::Full : RecomputeKind::None;
  made.plan = resolved(plan);
  return made;
}

/// The training that a baseline is, as p2 train prices it; nothing where it has no such degrees.
std::optional<PricedTraining> trainingOf(const test::StrategyCase& of, const System& system,
                                         const StrategyBaseline& baseline) {
  if (!baseline.reason.empty()) return std::nullopt;
  const ModelShape model = test::valueOf(modelFromArgument(of.model)).shape;
  const TrainingConfiguration made = configurationOf(of, baseline);
  if (!checkConfiguration(model, made).ok() || devicesOf(made.plan) != system.deviceCount()) return std::nullopt;
  const auto& megatron = *test::valueOf(trainingFrameworkFrom("megatron"));
  const auto placements = test::valueOf(frameworkPlacements(model, system)(megatron, made, {}));
  if (placements.empty()) return std::nullopt;
  const auto accelerator = test::valueOf(trainingAcceleratorOf(system));
  return PricedTraining{made, test::valueOf(estimateStep(model, made, accelerator, *placements.front().prices)),
                        peakMemory(model, made).total()};
}

/// Without a limit of memory, so that every baseline is compared.
StrategyQuestion unlimitedQuestion(const test::StrategyCase& of) {
  StrategyQuestion question = test::questionOf(of);
  question.options.deviceMemory = Bytes(0);
  return question;
}

/// Seconds that whole buckets take more than the shares of them that a strategy pays: a group of devices whose
/// parameters fill no whole number of buckets fills one or more equally.
double fillingOf(const StrategyInstance& instance, const Strategy& strategy, StrategyPrices& prices) {
  std::map<std::tuple<Transfer::Purpose, MeshCollective, MeshAxes>, Transfer> groups;
  for (const auto& transfers : instance.mappingOf(strategy.choice)->vertices) {
    for (const Transfer& each : transfers) {
      if (each.bucket == Bytes(0)) continue;
      const auto [known, isNew] = groups.try_emplace({each.purpose, each.collective, each.axes}, each);
      if (!isNew) known->second.bytes += each.bytes;
    }
  }
  double seconds = 0;
  for (const auto& [group, sum] : groups) {
    const auto secondsAt = [&, &sum = sum](Bytes bytes) {
      return test::valueOf(prices.onMesh().secondsAt(instance.mapped().mesh, sum.collective, sum.axes, bytes));
    };
    const double buckets = std::max(1.0, std::round(sum.bytes / sum.bucket));
    seconds += sum.times * (buckets * secondsAt(sum.bytes / buckets) - sum.bytes / sum.bucket * secondsAt(sum.bucket));
  }
  return seconds;
}

/// What p2 train says of a baseline against what p2 strategy says of it.
void compare(const test::StrategyCase& of, const StrategyBaseline& baseline, const PricedTraining& training) {
  const StepEstimate& step = training.step;
  const StepParts& parts = step.parts;
  const auto within = [&](const char* label, double one, double other, double least, double most) {
    QVERIFY2(one >= least * other && one <= most * other,
             qPrintable(QString("%1 on %2, %3: %4 %5 and %6")
                            .arg(of.model, of.system, QString::fromStdString(baseline.name), label)
                            .arg(one)
                            .arg(other)));
  };
  // Kernels are the same, so only what a graph cannot know is left: fused operators of a layer.
  within("computation", baseline.split->compute, parts.compute + parts.inefficiency + parts.recompute, 0.97, 1.03);
  // Strategies hide no communication.
  const double exposed = std::accumulate(parts.exposed.begin(), parts.exposed.end(), 0.0);
  within("communication", baseline.split->reduce + baseline.split->resharding, exposed, 0.85, kAny);
  const bool gathers = training.configuration.plan.zero == 3;
  // Strategies know neither the host nor stragglers nor the optimizer's pass. Tensor parallelism exposes nearly all of
  // its communication in a training too, so that nothing makes up for them there.
  const double known = step.seconds - parts.host - parts.imbalance - parts.optimizer;
  within("step", baseline.cost, known, 0.97, kAny);
  const double least = training.configuration.plan.tensor > 1 ? 0 : 0.97;
  within("step", baseline.cost, step.seconds, least, gathers ? 1.6 : 1.3);
  // Gathered parameters and gradients of FSDP are buffers, which strategies leave out.
  within("memory", baseline.memory->value(), training.memory, gathers ? 0.75 : 0.94, 1.02);
}

}  // namespace

/// One question, one answer: what `p2 strategy` and `p2 train` say of the same way to train a model.
class TestStrategyAndTraining : public QObject {
  Q_OBJECT
 private slots:
  void theSameConfigurationTakesTheSameTime() {
    int compared = 0;
    for (const test::StrategyCase& of : kCases) {
      const StrategyInput input = test::valueOf(readStrategyInput(unlimitedQuestion(of)));
      StrategyPrices prices = test::valueOf(StrategyPrices::of(input));
      for (const StrategyBaseline& each : test::valueOf(meshBaselinesOf(input, prices))) {
        const auto training = trainingOf(of, *input.system, each);
        if (!training) continue;
        compare(of, each, *training);
        ++compared;
      }
    }
    QVERIFY(compared > 12);
  }

  // All devices of a step wait for the slowest one, whatever splits the work; a chosen speed is the peak of each.
  void slowDevicesDecide() {
    const test::StrategyCase whole{"llama3-8b", "dgx-h100:2", 16, 4096, 4, 1, Recomputation::None};
    test::StrategyCase slow = whole;
    slow.state = "gpu 5 of node 1: 50%";
    const StrategyInput fast = test::valueOf(readStrategyInput(unlimitedQuestion(whole)));
    const StrategyInput halved = test::valueOf(readStrategyInput(unlimitedQuestion(slow)));
    QCOMPARE(halved.options.flops, fast.options.flops / 2);
    QCOMPARE(halved.options.memoryBandwidth, fast.options.memoryBandwidth / 2);
    QVERIFY(halved.options.kernels->products < 0.55 * fast.options.kernels->products);
    int products = 0;
    for (const Operator& op : halved.graph->operators) {
      const Configuration parts(op.dimensions.size(), 1);
      const double before = computeSeconds(op, parts, fast.options);
      const double after = computeSeconds(op, parts, halved.options);
      QVERIFY2(after >= before && after <= 2.001 * before, op.name.c_str());
      if (op.kind != OperatorKind::Gemm) continue;
      QVERIFY2(after > 1.9 * before, op.name.c_str());
      ++products;
    }
    QVERIFY(products > 0);
    const auto assumed = halved.assumed();
    QVERIFY(std::any_of(assumed.begin(), assumed.end(), [](const std::string& each) {
      return each == "all devices wait for gpu 5 of node 1, whose devices have 50 % of their speed";
    }));
    StrategyQuestion chosen = unlimitedQuestion(slow);
    chosen.options.flops = 1e15;
    QCOMPARE(test::valueOf(readStrategyInput(chosen)).options.flops, 1e15);
  }

  // Queries, keys and values by three products, as in the bundled graph, or by one, as in the graph of a config.json.
  void projectionsCostTheSameApartAndFused() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("gpt2m.json");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"architectures":["GPT2LMHeadModel"],"model_type":"gpt2","n_embd":1024,"n_layer":24,"n_head":16,)"
               R"("vocab_size":50257,"n_positions":1024,"n_ctx":1024})");
    file.close();
    const auto baselinesOf = [](StrategyQuestion question) {
      const StrategyInput input = test::valueOf(readStrategyInput(question));
      StrategyPrices prices = test::valueOf(StrategyPrices::of(input));
      return test::valueOf(meshBaselinesOf(input, prices));
    };
    StrategyQuestion apart = unlimitedQuestion({"gpt2-medium", "dgx-a100:1", 512, 1024, 1, 0, Recomputation::None});
    StrategyQuestion fused = apart;
    fused.graph = path.toStdString();
    apart.sizes = {};
    const auto ofThree = baselinesOf(apart);
    const auto ofOne = baselinesOf(fused);
    QCOMPARE(ofThree.size(), ofOne.size());
    int compared = 0;
    for (std::size_t i = 0; i < ofOne.size(); ++i) {
      QCOMPARE(ofThree[i].name, ofOne[i].name);
      const CostSplit& one = ofOne[i].split.value();
      const CostSplit& three = ofThree[i].split.value();
      // The embedding is no reason for a difference: both graphs have a matrix for the head.
      QVERIFY2(one.reduce > 0 && std::abs(three.reduce / one.reduce - 1) < 1e-9,
               qPrintable(QString("%1: %2").arg(ofOne[i].name.c_str()).arg(three.reduce / one.reduce, 0, 'g', 12)));
      QCOMPARE(one.resharding > 0, ofOne[i].name.starts_with("Megatron TP"));
      if (one.resharding == 0) continue;
      QVERIFY2(std::abs(three.resharding / one.resharding - 1) < 1e-9, ofOne[i].name.c_str());
      ++compared;
    }
    QCOMPARE(compared, 2);
  }

  // A strategy handed over as a workload keeps its axes, its computation and its time on its own placement: `p2 step`
  // answers what `p2 strategy` says.
  void asAWorkloadNothingIsLost() {
    for (const test::StrategyCase& of : kCases) {
      StrategyQuestion question = unlimitedQuestion(of);
      // With few bytes, so that the search is short.
      question.sizes.sequence = of.tokens / 4;
      const StrategyInput input = test::valueOf(readStrategyInput(question));
      StrategyPrices prices = test::valueOf(StrategyPrices::of(input));
      const auto instance =
          std::make_shared<const StrategyInstance>(test::valueOf(strategyInstance(input, {}, prices)));
      const StrategyAnswer answer = test::valueOf(strategyAnswer(instance, {}));
      const WorkloadSource source = test::valueOf(workloadOf(*instance, answer.best()));
      const CostSplit split = splitOf(*instance, answer.best().choice);
      QCOMPARE(source.workload.axes, degreesOf(*instance, answer.best()));
      QVERIFY(qFuzzyCompare(source.workload.computeSeconds.value(), split.compute));
      StepQuestion step;
      step.system = *input.system;
      step.workload = source.workload;
      step.options = input.pricing;
      const auto ranking = test::valueOf(rankSteps(withComputation(step)));
      const auto own = ranking->find(instance->mapped().mesh.matrix);
      QVERIFY(own.has_value());
      const double seconds = ranking->placements[*own].stepSeconds;
      const double expected = answer.best().cost + fillingOf(*instance, answer.best(), prices);
      QVERIFY2(std::abs(seconds - expected) <= 1e-3 * expected,
               qPrintable(QString("%1 on %2: %3 and %4").arg(of.model, of.system).arg(seconds).arg(expected)));
    }
  }
};

QTEST_APPLESS_MAIN(TestStrategyAndTraining)
#include "tst_strategy_and_training.moc"
