// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <algorithm>
#include <random>
#include <thread>

#include "support/warnings.h"
#include "training/framework_placements.h"
#include "workload/generate/training_recipe.h"
#include "workspace/workspace.h"

using namespace p2;

namespace {

TrainingQuestion questionOf(const char* model, const char* system, std::int64_t batch, const char* framework) {
  TrainingQuestion question;
  question.model = resolved(bundledRecipe(model).value().model);
  question.system = systemFromArgument(system).value();
  question.batch = batch;
  question.sequence = 4096;
  if (std::string_view(framework) == "any") {
    question.frameworks.assign(trainingFrameworks().begin(), trainingFrameworks().end());
  } else {
    question.frameworks = {trainingFrameworkFrom(framework).value()};
  }
  return question;
}

Result<TrainingAnswer> answerOf(const TrainingQuestion& question, std::stop_token stop = {}) {
  return planTraining(question, frameworkPlacements(question.model, question.system), std::move(stop));
}

}  // namespace

class TestPlanner : public QObject {
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
              for (int variant = 0; variant < 36; ++variant) {
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
                if (chunks > 1 && (32 / pipeline) % chunks != 0) continue;
                made.plan.zero = variant % 2;
                made.recomputation = static_cast<RecomputeKind>(variant / 2 % 3);
                made.plan.sequenceParallel =
                    variant / 6 % 2 == 0 ? SequenceParallelism::None : SequenceParallelism::Megatron;
                if (tensor == 1 && variant / 6 % 2 == 1) continue;
                const int kind = variant / 12;
                if (context == 1 && kind > 0) continue;
                made.plan.contextCollective =
                    context == 1 ? ContextCollective::Ring : megatron.contextKinds[static_cast<std::size_t>(kind)];
                made.family = megatron.family;
                megatron.applyDefaults(made);
                if (brokenRule(megatron, question.model, made) != nullptr) continue;
                if (peakMemory(question.model, made).total() > room) continue;
                ++fitting;
                const auto priced = placements(megatron, made, {});
                for (const PricedPlacement& placement : priced.value()) {
                  best = std::min(best,
                                  estimateStep(question.model, made, accelerator, *placement.prices).value().seconds);
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

  /// A small question: its space can be estimated whole.
  static TrainingQuestion randomQuestion(std::mt19937& random) {
    const auto one = [&](std::initializer_list<std::int64_t> of) {
      return of.begin()[std::uniform_int_distribution<std::size_t>(0, of.size() - 1)(random)];
    };
    TrainingQuestion question;
    ModelShape& model = question.model;
    model.layers = one({2, 3, 4, 6, 8, 12});
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
      const auto whole = answerOf(question);
      question.exhaustive = false;
      question.best = 3;
      const auto pruned = answerOf(question);
      QCOMPARE(whole.ok(), pruned.ok());
      if (!whole.ok()) continue;
      const TrainingAccelerator accelerator = trainingAcceleratorOf(question.system).value();
      for (const PlannedConfiguration& each : whole->configurations) {
        const double bound = stepLowerBound(question.model, each.configuration, accelerator);
        QVERIFY2(bound <= each.estimate.seconds, describe(each.configuration).c_str());
        const double still = stepSecondsWithoutCommunication(question.model, each.configuration, accelerator);
        QVERIFY2(still <= each.estimate.seconds * (1 + 1e-9), describe(each.configuration).c_str());
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

  // After a stop request no further placement is priced and no further step estimated.
  void stopsAtOnce() {
    const TrainingQuestion question = questionOf("llama3-70b", "dgx-h100:16", 512, "any");
    const PlacementPricer placements = frameworkPlacements(question.model, question.system);
    std::stop_source source;
    int calls = 0;
    double reached = 0;
    const PlacementPricer counted = [&](const TrainingFramework& framework, const TrainingConfiguration& configuration,
                                        std::stop_token stop) {
      if (++calls == 5) source.request_stop();
      return placements(framework, configuration, stop);
    };
    const auto answer =
        planTraining(question, counted, source.get_token(), [&](double share) { reached = std::max(reached, share); });
    QVERIFY(!answer.ok());
    QCOMPARE(answer.error().message, cancelledError().message);
    QCOMPARE(calls, 5);
    QVERIFY(reached < 1);
  }

  void nothingExceedsThePeak() {
    for (const char* model : {"llama3-8b", "llama3-70b", "mixtral-8x7b", "deepseek-v3"}) {
      TrainingQuestion question = questionOf(model, "dgx-h100:32", 512, "any");
      question.best = 50;
      const auto answer = answerOf(question);
      QVERIFY2(answer.ok(), answer.ok() ? "" : answer.error().message.c_str());
      for (const PlannedConfiguration& each : answer.value().configurations) {
        QVERIFY(each.estimate.mfu > 0 && each.estimate.mfu < 1);
        QVERIFY(each.estimate.low <= each.estimate.seconds && each.estimate.seconds <= each.estimate.high);
        QVERIFY(std::abs(each.estimate.parts.sum() / each.estimate.seconds - 1) < 1e-6);
        QVERIFY(each.memory.total() + answer.value().reserve <= answer.value().memory);
      }
    }
  }

  void fixedChoicesArePricedAlone() {
    TrainingQuestion question = questionOf("llama3-70b", "dgx-h100:16", 1024, "megatron");
    question.fixed = fixedChoicesFrom("tp=8,pp=4,vpp=5,cp=1,microbatch=1,zero=1,sp=yes,recompute=selective").value();
    const TrainingAnswer answer = answerOf(question).value();
    QCOMPARE(answer.configurations.size(), std::size_t{1});
    const TrainingPlan& plan = answer.configurations[0].configuration.plan;
    QCOMPARE(plan.tensor, 8);
    QCOMPARE(plan.data, 4);
    QCOMPARE(choicesOf(answer.configurations[0].configuration).chunks, std::optional<std::int64_t>(5));
  }

  void badChoicesAreRefused_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("error");
    QTest::newRow("no value") << "tp"
                              << "\"tp\" is not of the form key=value, as in tp=8,pp=4";
    QTest::newRow("unknown") << "tensor=8"
                             << "\"tensor\" is not a choice that can be fixed; use tp, pp, vpp, cp, ep, etp, dp, "
                                "replicas, zero, microbatch, sp, recompute or schedule";
    QTest::newRow("range") << "zero=4"
                           << "\"4\" is not a value of zero; use 0 to 3";
    QTest::newRow("word") << "sp=maybe"
                          << "sp is yes or no, not \"maybe\"";
  }
  void badChoicesAreRefused() {
    QFETCH(QString, text);
    QFETCH(QString, error);
    QCOMPARE(QString::fromStdString(fixedChoicesFrom(text.toStdString()).error().message), error);
  }

  void aModelThatIsTooLargeSaysHowManyDevicesWouldDo() {
    const auto answer = answerOf(questionOf("llama3-405b", "dgx-h100:1", 64, "megatron"));
    QVERIFY(!answer.ok());
    QCOMPARE(answer.error().kind, ErrorKind::TooLarge);
    QVERIFY2(QString::fromStdString(answer.error().message).contains("such devices would do"),
             answer.error().message.c_str());
  }

  void aBatchThatDividesByNothingSaysSo() {
    TrainingQuestion question = questionOf("llama3-8b", "dgx-h100:2", 7, "fsdp");
    const auto answer = answerOf(question);
    QVERIFY(!answer.ok());
    QVERIFY2(QString::fromStdString(answer.error().message).contains("batch divides by microbatch and dp"),
             answer.error().message.c_str());
  }

  // Progress rises from near 0 to at most 1.
  void progressIsTheShareOfTheSearch() {
    const TrainingQuestion question = questionOf("llama3-8b", "dgx-h100:2", 64, "any");
    std::vector<double> shares;
    const auto answer = planTraining(question, frameworkPlacements(question.model, question.system), {},
                                     [&](double share) { shares.push_back(share); });
    QVERIFY(answer.ok() && shares.size() > 10);
    QVERIFY(shares.front() < 0.1 && shares.back() > 0.9 && shares.back() <= 1);
    QVERIFY(std::is_sorted(shares.begin(), shares.end()));
  }

  void aStopIsHeard() {
    std::stop_source stop;
    stop.request_stop();
    const auto answer = answerOf(questionOf("llama3-70b", "dgx-h100:64", 1024, "any"), stop.get_token());
    QVERIFY(!answer.ok());
    QCOMPARE(answer.error().kind, ErrorKind::Cancelled);
  }
};

QTEST_GUILESS_MAIN(TestPlanner)
#include "tst_planner.moc"
