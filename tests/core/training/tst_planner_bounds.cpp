// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <algorithm>
#include <random>

#include "base/near.h"
#include "support/warnings.h"
#include "tests/core/training/planner_questions.h"
#include "training/detail/placement_bound.h"
#include "workspace/presets.h"

using namespace p2;
using test::answerOf;
using test::answerWithRankFiles;
using test::questionOf;

namespace {

/// The bound of a configuration with its own layout, under any prices.
double withoutCommunication(const ModelShape& model, const TrainingConfiguration& configuration,
                            const TrainingAccelerator& accelerator) {
  const TrainingConfiguration run = runnableOn(configuration, accelerator);
  LayoutPricer pricer(model, run, accelerator, constantsFor(run, accelerator));
  pricer.setLayout(run.layersPerStage);
  return pricer.secondsAtLeast();
}

/// The bound of a configuration for every layout of its stages and every placement.
double secondsAnywhere(const TrainingQuestion& question, const TrainingConfiguration& configuration,
                       const TrainingAccelerator& accelerator) {
  const NodeLinks nodes = nodeLinksOf(question.system);
  const auto routing = routingOf(question.model, configuration.dispatch);
  const LeastOnAnyPlacement least(nodes, configuration.plan, routing);
  const StepConstants constants = constantsFor(runnableOn(configuration, accelerator), accelerator);
  LayoutPricer pricer(question.model, configuration, accelerator, constants);
  pricer.setPrices(least);
  return pricer.secondsOfAnyLayout();
}

/// Whether a number of chunks is the least for chunks of some size, of the layers alone or with embedding and head.
bool isWorthCutting(std::int64_t layers, std::int64_t stages, std::int64_t chunks) {
  for (const std::int64_t all : {layers, layers + 2}) {
    if (chunks * stages > all) continue;
    for (std::int64_t each = 1; each <= all; ++each) {
      if ((all + stages * each - 1) / (stages * each) == chunks) return true;
    }
  }
  return chunks == 1;
}

/// All ways to write `layers` as a sum of `stages` numbers of at least 0.
void compositions(std::int64_t layers, std::int64_t stages, StageLayout& made,
                  const std::function<void(const StageLayout&)>& visit) {
  if (stages == 1) {
    made.push_back(layers);
    visit(made);
    made.pop_back();
    return;
  }
  for (std::int64_t first = 0; first <= layers; ++first) {
    made.push_back(first);
    compositions(layers - first, stages - 1, made, visit);
    made.pop_back();
  }
}

}  // namespace

class TestPlannerBounds : public QObject {
  Q_OBJECT

 private slots:
  void init() { p2::test::failOnWarnings(); }

  // Every combination of degrees is tried by loops that share no code with the search.
  void findsTheBestOfAllCombinations() {
    TrainingQuestion question = questionOf("llama3-8b", "dgx-h100:2", 64, "megatron");
    question.everyVariant = true;
    const TrainingFramework& megatron = *question.frameworks[0];
    const PlacementPricer placements = frameworkPlacements(question.model, question.system);
    const TrainingAccelerator accelerator = trainingAcceleratorOf(question.system).value();
    const double room = accelerator.memory - defaultMemoryReserve(accelerator.memory);
    double best = std::numeric_limits<double>::infinity();
    int fitting = 0;
    for (int tensor = 1; tensor <= 16; ++tensor)
      for (int context = 1; context <= 4; ++context)
        for (int pipeline = 1; pipeline <= 16; ++pipeline)
          for (int microbatch = 1; microbatch <= 32; ++microbatch)
            for (int chunks = 1; chunks <= 32; ++chunks)
              for (int variant = 0; variant < 96; ++variant) {
                if (16 % (tensor * context * pipeline) != 0) continue;
                TrainingConfiguration made;
                made.plan.tensor = tensor;
                made.plan.context = context;
                made.plan.pipeline = pipeline;
                made.plan.chunks = chunks;
                made.plan.data = 16 / (tensor * context * pipeline);
                made.plan.sequence = 4096;
                made.plan.microbatch = microbatch;
                made.plan.globalBatch = 64;
                made.plan.devices = 16;
                if (64 % (microbatch * made.plan.data) != 0) continue;
                made.plan.microbatches = 64 / (microbatch * made.plan.data);
                if (pipeline == 1 && chunks > 1) continue;
                if (!isWorthCutting(32, pipeline, chunks)) continue;
                made.plan.zero = variant % 2;
                constexpr std::array kRecomputed{RecomputeKind::None, RecomputeKind::Selective,
                                                 RecomputeKind::Selective, RecomputeKind::Full};
                made.recomputation = kRecomputed[static_cast<std::size_t>(variant / 2 % 4)];
                if (variant / 2 % 4 == 2) made.recomputedModules.add(RecomputedModule::Mlp);
                made.plan.sequenceParallel =
                    variant / 8 % 2 == 0 ? SequenceParallelism::None : SequenceParallelism::Megatron;
                if (tensor == 1 && variant / 8 % 2 == 1) continue;
                const int kind = variant / 16 % 3;
                // A node's switch joins eight devices.
                made.plan.tensorOverlap = variant >= 48;
                const bool splits = made.plan.sequenceParallel != SequenceParallelism::None;
                if (made.plan.tensorOverlap && (!splits || tensor > 8)) continue;
                if (context == 1 && kind > 0) continue;
                made.plan.contextCollective =
                    context == 1 ? ContextCollective::Ring : megatron.contextKinds[static_cast<std::size_t>(kind)];
                made.family = megatron.family;
                megatron.applyDefaults(made);
                const auto layouts =
                    pipeline == 1 ? std::vector<StageLayout>(1) : megatron.layouts(question.model, made);
                for (const StageLayout& layout : layouts) {
                  made.layersPerStage = layout;
                  if (brokenRule(megatron, question.model, made) != nullptr) continue;
                  if (peakMemory(question.model, made).total() > room) continue;
                  ++fitting;
                  const auto priced = placements(megatron, made, {});
                  for (const PricedPlacement& placement : priced.value()) {
                    best = std::min(best,
                                    estimateStep(question.model, made, accelerator, *placement.prices).value().seconds);
                  }
                }
              }
    const TrainingAnswer answer = answerOf(question).value();
    QVERIFY(fitting > 100);
    QCOMPARE(answer.configurations[0].estimate.seconds, best);
    std::int64_t excluded = answer.tooLarge;
    for (const auto& [rule, count] : answer.broken) excluded += count;
    QVERIFY(answer.considered >= excluded + fitting);
  }

  // What is left out by its lower bound is not listed when everything is estimated either.
  void lowerBoundsLeaveOutNothing_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("framework");
    QTest::addColumn<int>("batch");
    QTest::newRow("dense, any") << "llama3-8b"
                                << "dgx-h100:4"
                                << "any" << 128;
    QTest::newRow("dense, A100") << "llama3-70b"
                                 << "dgx-a100:16"
                                 << "megatron" << 256;
    QTest::newRow("experts") << "mixtral-8x7b"
                             << "dgx-h100:8"
                             << "megatron" << 256;
  }
  void lowerBoundsLeaveOutNothing() {
    QFETCH(QString, model);
    QFETCH(QString, system);
    QFETCH(QString, framework);
    QFETCH(int, batch);
    TrainingQuestion question = questionOf(qPrintable(model), qPrintable(system), batch, qPrintable(framework));
    question.best = 5;
    const TrainingAnswer pruned = answerOf(question).value();
    question.exhaustive = true;
    const TrainingAnswer all = answerOf(question).value();
    QCOMPARE(pruned.configurations.size(), all.configurations.size());
    for (std::size_t i = 0; i < all.configurations.size(); ++i) {
      QCOMPARE(pruned.configurations[i].configuration, all.configurations[i].configuration);
      QCOMPARE(pruned.configurations[i].estimate.seconds, all.configurations[i].estimate.seconds);
    }
  }

  // Tori, rails, meshes and rings leave a node in other ways than through one switch.
  void lowerBoundsHoldOnEveryMachine_data() {
    QTest::addColumn<QString>("system");
    for (const Preset& each : presets()) {
      QTest::newRow(each.name.c_str()) << QString::fromStdString(each.name) + ":4";
    }
  }
  void lowerBoundsHoldOnEveryMachine() {
    QFETCH(QString, system);
    TrainingQuestion question = questionOf("llama3-8b", qPrintable(system), 256, "maxtext");
    question.best = 1;
    const auto pruned = answerOf(question);
    question.exhaustive = true;
    const auto all = answerOf(question);
    QCOMPARE(pruned.ok(), all.ok());
    if (!all.ok()) {
      QCOMPARE(QString::fromStdString(pruned.error().message), QString::fromStdString(all.error().message));
      return;
    }
    QCOMPARE(pruned->configurations.front().estimate.seconds, all->configurations.front().estimate.seconds);
  }
  void lowerBoundsHoldWithLinksBetweenNodes_data() {
    QTest::addColumn<QString>("links");
    for (const char* kind : {"ring", "mesh", "bus", "switch"}) QTest::newRow(kind) << kind;
  }
  void lowerBoundsHoldWithLinksBetweenNodes() {
    QFETCH(QString, links);
    TrainingQuestion question = questionOf("llama3-8b", "dgx-h100:4", 256, "maxtext");
    System drawn = parseSystem(qPrintable("node:4@25GB/s,5us," + links + " gpu:8@450GB/s,1us")).value();
    drawn.accelerator = question.system.accelerator;
    question.system = drawn;
    question.best = 1;
    const auto pruned = answerOf(question);
    question.exhaustive = true;
    const auto all = answerOf(question);
    QVERIFY(pruned.ok() && all.ok());
    QCOMPARE(pruned->configurations.front().estimate.seconds, all->configurations.front().estimate.seconds);
  }

  /// A small question: its space can be estimated whole.
  static TrainingQuestion randomQuestion(std::mt19937& random) {
    const auto one = [&](std::initializer_list<std::int64_t> of) {
      return of.begin()[std::uniform_int_distribution<std::size_t>(0, of.size() - 1)(random)];
    };
    TrainingQuestion question;
    ModelShape& model = question.model;
    model.layers = one({2, 3, 4, 5, 7, 8, 11});
    model.hidden = one({512, 1024, 2048});
    model.heads = model.hidden / 128;
    model.ffn = 4 * model.hidden;
    model.vocabulary = one({1024, 32000, 128256});
    if (one({0, 0, 1}) == 1) {
      model.experts = one({4, 8});
      model.expertsPerToken = 2;
      model.expertFfn = model.hidden;
      model.denseLayers = one({0, 1});
    }
    model.gatedMlp = one({0, 1}) == 1;
    model = resolved(model);
    question.system = systemFromArgument(one({0, 1}) == 0 ? "dgx-h100:1" : "dgx-a100:2").value();
    question.batch = one({8, 12, 16, 24});
    question.sequence = one({512, 2048});
    question.frameworks = {trainingFrameworks()[static_cast<std::size_t>(one({0, 1, 2, 3, 4}))]};
    // Megatron-Core has most variants; their ties take memory with the square of their number.
    if (question.frameworks[0]->recomputedModules != nullptr) question.fixed.zero = one({0, 1});
    if (one({0, 1}) == 1) question.precision = ProductPrecision::Fp8;
    return question;
  }

  // stepLowerBound() against every configuration of many small questions, and what a pruned search lists against the
  // whole listing.
  void lowerBoundsOfRandomQuestions() {
    std::mt19937 random(7);
    std::size_t estimates = 0;
    for (int round = 0; round < 40; ++round) {
      TrainingQuestion question = randomQuestion(random);
      QVERIFY(checkModel(question.model).ok());
      question.everyVariant = true;
      question.exhaustive = true;
      question.best = 1'000'000;
      // Every placement of every configuration takes long.
      const bool withRankFiles = round % 4 == 0;
      const auto whole = withRankFiles ? answerWithRankFiles(question) : answerOf(question);
      question.exhaustive = false;
      question.best = 3;
      const auto pruned = withRankFiles ? answerWithRankFiles(question) : answerOf(question);
      QCOMPARE(whole.ok(), pruned.ok());
      if (!whole.ok()) continue;
      const TrainingAccelerator accelerator = trainingAcceleratorOf(question.system).value();
      for (const PlannedConfiguration& each : whole->configurations) {
        const double bound = stepLowerBound(question.model, each.configuration, accelerator,
                                            constantsFor(each.configuration, accelerator), false);
        QVERIFY2(bound <= each.estimate.seconds, describe(each.configuration).c_str());
        const double any = stepLowerBound(question.model, each.configuration, accelerator,
                                          constantsFor(each.configuration, accelerator), true);
        QVERIFY2(any <= each.estimate.seconds, describe(each.configuration).c_str());
        const double still = withoutCommunication(question.model, each.configuration, accelerator);
        QVERIFY2(still <= each.estimate.seconds * (1 + 1e-9), describe(each.configuration).c_str());
        const double anywhere = secondsAnywhere(question, each.configuration, accelerator);
        QVERIFY2(anywhere <= each.estimate.seconds * (1 + 1e-9), describe(each.configuration).c_str());
      }
      estimates += whole->configurations.size();
      QCOMPARE(pruned->configurations.size(), std::min<std::size_t>(3, whole->configurations.size()));
      for (std::size_t i = 0; i < pruned->configurations.size(); ++i) {
        QCOMPARE(pruned->configurations[i].estimate.seconds, whole->configurations[i].estimate.seconds);
      }
    }
    qInfo("%zu estimates of 40 questions", estimates);
    QVERIFY(estimates > 2000);
  }

  // The layouts that are searched against every layout there is, of models with awkward numbers of layers.
  void noLayoutIsMuchFaster() {
    std::mt19937 random(20);
    const TrainingFramework& megatron = *trainingFrameworkFrom("megatron").value();
    const System system = systemFromArgument("dgx-h100:1").value();
    const TrainingAccelerator accelerator = trainingAcceleratorOf(system).value();
    double worst = 1;
    for (const std::int64_t layers : {5, 7, 11, 13}) {
      for (const std::int64_t stages : {2, 4}) {
        TrainingQuestion question = randomQuestion(random);
        question.model.experts = 0;
        question.model.layers = layers;
        TrainingConfiguration made;
        made.plan.pipeline = stages;
        made.plan.data = 8 / stages;
        made.plan.devices = 8;
        made.plan.sequence = 2048;
        made.plan.microbatch = 1;
        made.plan.microbatches = 8;
        made.plan.globalBatch = 8 * made.plan.data;
        made.family = megatron.family;
        megatron.applyDefaults(made);
        const auto placed = frameworkPlacements(question.model, system)(megatron, made, {});
        const auto seconds = [&](const StageLayout& layout) {
          made.layersPerStage = layout;
          return estimateStep(question.model, made, accelerator, *placed->front().prices)->seconds;
        };
        double best = std::numeric_limits<double>::infinity();
        for (const StageLayout& layout : megatron.layouts(question.model, made)) best = std::min(best, seconds(layout));
        double all = best;
        StageLayout layout;
        compositions(layers, stages, layout, [&](const StageLayout& each) { all = std::min(all, seconds(each)); });
        worst = std::max(worst, best / all);
      }
    }
    qInfo("searched layouts are at most %.4f times as slow as the best of all", worst);
    QVERIFY2(worst < 1.02, qPrintable(QString::number(worst)));
  }
};

QTEST_GUILESS_MAIN(TestPlannerBounds)
#include "tst_planner_bounds.moc"
