// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>

#include "strategy_answer/strategy_answer.h"
#include "strategy_answer/strategy_baselines.h"
#include "support/fixtures.h"
#include "training/framework_placements.h"
#include "training/frameworks.h"
#include "training/model_argument.h"

using namespace p2;

namespace {

constexpr double kAny = std::numeric_limits<double>::infinity();

struct Case {
  const char* model;
  const char* system;
  std::int64_t sequences;  ///< of a microbatch of all devices
  std::int64_t tokens;
  std::int64_t passes;
  int zero;
  Recomputation recomputation;
};

constexpr Case kCases[] = {
    {"llama3-8b", "dgx-h100:1", 8, 4096, 8, 1, Recomputation::Full},
    {"llama3-8b", "dgx-h100:2", 16, 4096, 4, 1, Recomputation::None},
    {"llama3-8b", "dgx-a100:4", 32, 4096, 4, 3, Recomputation::None},
    {"llama3-8b", "mi300x:2", 16, 8192, 4, 1, Recomputation::None},
    {"gpt3-175b", "dgx-h100:16", 16, 2048, 8, 1, Recomputation::Full},
    {"llama3-70b", "dgx-h100:8", 16, 4096, 4, 3, Recomputation::Full},
    {"llama3-70b", "dgx-b200:4", 8, 8192, 4, 1, Recomputation::Full},
};

/// The training that a baseline is: its degrees, and what the question fixes.
TrainingConfiguration trainingOf(const Case& of, const StrategyBaseline& baseline, bool sequenceParallel) {
  TrainingConfiguration made;
  TrainingPlan& plan = made.plan;
  plan.data = 1;
  for (const Axis& axis : baseline.degrees) {
    if (axis.name.starts_with("data")) plan.data *= axis.size;
    if (axis.name.starts_with("tensor")) plan.tensor *= axis.size;
  }
  plan.sequence = of.tokens;
  plan.microbatch = of.sequences / plan.data;
  plan.microbatches = of.passes;
  plan.zero = baseline.zero.value_or(of.zero);
  plan.sequenceParallel =
      sequenceParallel && plan.tensor > 1 ? SequenceParallelism::Megatron : SequenceParallelism::None;
  made.recomputation = of.recomputation == Recomputation::Full ? RecomputeKind::Full : RecomputeKind::None;
  made.plan = resolved(plan);
  return made;
}

}  // namespace

/// One question, one answer: what `p2 strategy` and `p2 train` say of the same way to train a model.
class TestStrategyAndTraining : public QObject {
  Q_OBJECT
 private slots:
  void theSameConfigurationTakesTheSameTime() {
    int compared = 0;
    for (const Case& of : kCases) {
      StrategyQuestion question{.graph = of.model};
      question.sizes.batch = of.sequences;
      question.sizes.sequence = of.tokens;
      question.system = test::valueOf(parseSystem(of.system));
      question.pricing = ownPricing(*question.system);
      question.options = StrategyChoice{}.options;
      question.options.model = StrategyCostModel::Hierarchical;
      question.options.devices = question.system->deviceCount();
      question.options.space.cutoff = 1;
      question.options.passes = of.passes;
      question.options.memory.zero = of.zero;
      question.options.memory.recomputation = of.recomputation;
      question.options.deviceMemory = Bytes(0);
      const StrategyInput input = test::valueOf(readStrategyInput(question));
      StrategyPrices prices = test::valueOf(StrategyPrices::of(input));
      const ModelShape model = test::valueOf(modelFromArgument(of.model)).shape;
      const auto accelerator = test::valueOf(trainingAcceleratorOf(*question.system));
      for (const StrategyBaseline& each : test::valueOf(meshBaselinesOf(input, prices))) {
        if (!each.reason.empty()) continue;
        const TrainingConfiguration training = trainingOf(of, each, each.sequenceParallel);
        if (!checkConfiguration(model, training).ok() || devicesOf(training.plan) != question.options.devices) continue;
        const auto placements = test::valueOf(frameworkPlacements(model, *question.system)(
            *test::valueOf(trainingFrameworkFrom("megatron")), training, {}));
        if (placements.empty()) continue;
        const StepEstimate step = test::valueOf(estimateStep(model, training, accelerator, *placements.front().prices));
        const QString what = QString("%1 on %2, %3: ").arg(of.model, of.system, QString::fromStdString(each.name));
        const auto within = [&](const char* label, double one, double other, double least, double most) {
          QVERIFY2(one >= least * other && one <= most * other,
                   qPrintable(what + QString("%1 %2 and %3").arg(label).arg(one).arg(other)));
        };
        // Kernels are the same, so only what a graph cannot know is left: fused operators of a layer.
        const StepParts& parts = step.parts;
        within("computation", each.split->compute, parts.compute + parts.inefficiency + parts.recompute, 0.97, 1.03);
        // Strategies hide no communication, and know neither host nor optimizer.
        const double exposed = std::accumulate(parts.exposed.begin(), parts.exposed.end(), 0.0);
        within("communication", each.split->reduce + each.split->exchange, exposed, 0.85, kAny);
        const bool gathers = training.plan.zero == 3;
        within("step", each.cost, step.seconds, 0.97, gathers ? 1.6 : 1.3);
        // Gathered parameters and gradients of FSDP are buffers, which strategies leave out.
        within("memory", each.memory->value(), peakMemory(model, training).total(), gathers ? 0.75 : 0.94, 1.02);
        ++compared;
      }
    }
    QVERIFY(compared > 12);
  }
};

QTEST_APPLESS_MAIN(TestStrategyAndTraining)
#include "tst_strategy_and_training.moc"
