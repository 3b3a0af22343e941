// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <set>

#include "base/near.h"
#include "support/warnings.h"
#include "tests/core/training_answer/training_inputs.h"
#include "training/framework_placements.h"
#include "training_answer/training_evaluation.h"

using namespace p2;

namespace {

struct Evaluated {
  TrainingInput input;
  StatedTraining stated;
  TrainingConfiguration mine;
  TrainingEvaluation evaluation;
};

Evaluated evaluated(const std::string& text, const char* model, const char* system) {
  Evaluated made{test::inputFor(model, system, 16), {}, {}, {}};
  auto stated = readTraining(text);
  if (!stated.ok()) qFatal("%s", stated.error().text().c_str());
  made.stated = std::move(stated.value());
  const auto own = ownConfiguration(made.stated, made.input, {});
  if (!own.ok()) qFatal("%s", own.error().text().c_str());
  made.mine = *own;
  auto evaluation = evaluateTraining(made.input, made.stated, made.mine);
  if (!evaluation.ok()) qFatal("%s", evaluation.error().text().c_str());
  made.evaluation = std::move(evaluation.value());
  return made;
}

/// Every configuration of all frameworks on all of its placements, best first.
std::vector<PlannedConfiguration> everyConfiguration(TrainingQuestion question) {
  question.frameworks = frameworksOn(AcceleratorPlatform::Cuda, trainingFrameworks());
  question.everyVariant = true;
  question.exhaustive = true;
  question.best = 1'000'000;
  auto answer = planTraining(question, frameworkPlacements(question.model, question.system));
  if (!answer.ok()) qFatal("%s", answer.error().text().c_str());
  return std::move(answer.value().configurations);
}

constexpr const char* kMegatron =
    "--tensor-model-parallel-size 2 --pipeline-model-parallel-size 2 --micro-batch-size 1 --global-batch-size 16 "
    "--seq-length 4096 --sequence-parallel --use-distributed-optimizer --bf16";

}  // namespace

class TestTrainingEvaluation : public QObject {
  Q_OBJECT
  // Enumerated once, since that takes ten seconds.
  const std::vector<PlannedConfiguration>& ofOneNode() {
    if (m_ofOneNode.empty()) m_ofOneNode = everyConfiguration(test::inputFor("llama3-8b", "dgx-h100:1", 16).question);
    return m_ofOneNode;
  }
  std::vector<PlannedConfiguration> m_ofOneNode;

 private slots:
  void init() { test::failOnWarnings(); }

  void ranksAreThoseOfTheFullEnumeration() {
    const Evaluated made = evaluated(kMegatron, "llama3-8b", "dgx-h100:1");
    // Steps that read the same share a rank.
    const double seconds = made.evaluation.mine.estimate.seconds * (1 - kDisplayTolerance);
    std::int64_t faster = 0;
    std::int64_t fasterHere = 0;
    std::int64_t here = 0;
    const auto& all = ofOneNode();
    for (const PlannedConfiguration& each : all) {
      const bool same = each.framework == made.evaluation.mine.framework;
      here += same ? 1 : 0;
      faster += each.estimate.seconds < seconds ? 1 : 0;
      fasterHere += same && each.estimate.seconds < seconds ? 1 : 0;
    }
    QVERIFY(here > 100);
    QVERIFY(made.evaluation.inFramework.has_value());
    QCOMPARE(made.evaluation.inFramework->rank, fasterHere + 1);
    QCOMPARE(made.evaluation.inFramework->of, here);
    QCOMPARE(made.evaluation.inAll->rank, faster + 1);
    QCOMPARE(made.evaluation.inAll->of, static_cast<std::int64_t>(all.size()));
  }

  void theBestConfigurationIsTheFirst() {
    const PlannedConfiguration& best = ofOneNode().front();
    Evaluated made{test::inputFor("llama3-8b", "dgx-h100:1", 16), {}, best.configuration, {}};
    made.stated.framework = best.framework;
    made.stated.order = best.orders.front();
    const auto evaluation = evaluateTraining(made.input, made.stated, made.mine);
    QVERIFY(evaluation.ok());
    QCOMPARE(evaluation->inAll->rank, std::int64_t{1});
    // Only choices that the search does not make can be faster, replicas and parts of experts: one node has neither.
    QCOMPARE(evaluation->changes.size(), std::size_t{0});
  }

  // The count of faster configurations is the only part that is left out.
  void theRankCanBeLeftForLater() {
    const Evaluated made = evaluated(kMegatron, "llama3-8b", "dgx-h100:1");
    const auto quick = evaluateTraining(made.input, made.stated, made.mine, {}, {}, EvaluationExtent::WithoutRank);
    QVERIFY(quick.ok());
    QVERIFY(made.evaluation.inAll && !quick->inAll && !quick->inFramework);
    QCOMPARE(quick->mine.estimate.seconds, made.evaluation.mine.estimate.seconds);
    QCOMPARE(quick->changes.size(), made.evaluation.changes.size());
    for (std::size_t i = 0; i < quick->changes.size(); ++i) {
      QCOMPARE(quick->changes[i].choice, made.evaluation.changes[i].choice);
    }
  }

  void changesGainWhatTheySay() {
    const Evaluated made = evaluated(kMegatron, "llama3-8b", "dgx-h100:1");
    const auto& changes = made.evaluation.changes;
    QVERIFY(changes.size() >= 2 && changes.size() <= kMostChanges);
    std::set<std::string> keys;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      keys.insert(changes[i].key);
      QVERIFY(changes[i].gain > 0);
      QCOMPARE(changes[i].gain, made.evaluation.mine.estimate.seconds - changes[i].planned.estimate.seconds);
      if (i > 0) QVERIFY(changes[i].gain <= changes[i - 1].gain);
      QVERIFY(!changes[i].flags.empty() || !changes[i].dropped.empty());
      QVERIFY(brokenRule(*made.stated.framework, made.input.question.model, changes[i].planned.configuration) ==
              nullptr);
      QVERIFY(changes[i].planned.memory.total() + made.evaluation.reserve <= made.evaluation.memory);
    }
    QCOMPARE(keys.size(), changes.size());
    // The largest gain of one choice is that of the exhaustive search over this choice.
    const auto& all = ofOneNode();
    const TrainingPlan& mine = made.mine.plan;
    double best = made.evaluation.mine.estimate.seconds;
    for (const PlannedConfiguration& each : all) {
      TrainingPlan plan = each.configuration.plan;
      if (each.framework != made.stated.framework || each.orders != made.evaluation.mine.orders) continue;
      if (each.configuration.recomputation != made.mine.recomputation) continue;
      if (plan.microbatch == mine.microbatch) continue;
      plan.microbatch = mine.microbatch;
      plan.microbatches = mine.microbatches;
      if (plan == mine) best = std::min(best, each.estimate.seconds);
    }
    const auto change =
        std::find_if(changes.begin(), changes.end(), [](const auto& each) { return each.key == "microbatch"; });
    if (change != changes.end()) {
      QCOMPARE(change->planned.estimate.seconds, best);
    } else {  // the listed ones gain more
      QCOMPARE(changes.size(), kMostChanges);
      QVERIFY(made.evaluation.mine.estimate.seconds - best <= changes.back().gain);
    }
  }

  /// --overlap-grad-reduce is about data parallelism alone.
  void overlapOfGradientsLeavesOtherCommunicationAsItIs() {
    std::string flags(kMegatron);
    flags += " --no-rope-fusion";
    const Evaluated without = evaluated(flags, "llama3-8b", "dgx-h100:2");
    const Evaluated with =
        evaluated(flags + " --overlap-grad-reduce --overlap-param-gather", "llama3-8b", "dgx-h100:2");
    QVERIFY(!without.mine.overlapsData && with.mine.overlapsData);
    const StepParts& a = without.evaluation.mine.estimate.parts;
    const StepParts& b = with.evaluation.mine.estimate.parts;
    for (const ExposedAxis axis : {ExposedAxis::Tensor, ExposedAxis::Pipeline}) {
      const auto number = static_cast<std::size_t>(axis);
      QVERIFY2(nearlyEqual(a.exposed[number], b.exposed[number]), kExposedAxes[number].data());
    }
    const auto data = static_cast<std::size_t>(ExposedAxis::Data);
    QVERIFY(a.exposed[data] > b.exposed[data]);
    int offered = 0;
    for (const TrainingChange& each : without.evaluation.changes) {
      if (each.key != "dp overlap") continue;
      QVERIFY(each.gain <= a.exposed[data] * (1 + kArithmeticTolerance));
      ++offered;
    }
    QCOMPARE(offered, 1);
  }

  void switchedOffOverlapIsAChange() {
    const Evaluated made = evaluated(
        "model:\n  tensor_model_parallel_size: 1\n  micro_batch_size: 1\n  global_batch_size: 16\n  seq_length: 4096\n"
        "  recompute_granularity: full\n  recompute_method: uniform\nddp:\n  overlap_grad_reduce: false\n"
        "  use_distributed_optimizer: true\n",
        "llama3-8b", "dgx-h100:1");
    QVERIFY(!made.mine.overlapsData);
    const auto& changes = made.evaluation.changes;
    const auto found = std::ranges::find(changes, "dp overlap", &TrainingChange::key);
    QVERIFY(found != changes.end());
    QVERIFY(std::ranges::find(found->flags, "--overlap-grad-reduce") != found->flags.end());
  }

  void aRefusedConfigurationNamesTheRule() {
    const Evaluated made = evaluated(
        "--tensor-model-parallel-size 1 --pipeline-model-parallel-size 4 --num-layers-per-virtual-pipeline-stage 4 "
        "--micro-batch-size 4 --global-batch-size 16 --seq-length 4096 --use-distributed-optimizer",
        "llama3-8b", "dgx-h100:1");
    QVERIFY(made.evaluation.refused.has_value());
    QCOMPARE(made.evaluation.refused->rule, std::string("microbatches of an interleaved schedule divide by pp"));
    QVERIFY(made.evaluation.refused->source.find("schedules.py") != std::string::npos);
    QVERIFY(!made.evaluation.inFramework.has_value());
    QVERIFY(!made.evaluation.changes.empty());
  }

  /// V100 has no fused attention: an evaluation, its rules and the search agree about the scores in memory.
  void memoryOnV100IsThatOfTheSearch() {
    const std::string text =
        "--tensor-model-parallel-size 8 --micro-batch-size 1 --global-batch-size 16 --seq-length 2048 "
        "--sequence-parallel --use-distributed-optimizer --bf16";
    Evaluated made = evaluated(text, "llama3-8b", "gcp-v100:2");
    QVERIFY(!made.mine.fusedAttention);
    TrainingQuestion question = made.input.question;
    question.frameworks = {made.stated.framework};
    question.fixed = choicesOf(made.mine);
    question.listsLarge = true;
    const auto answer = planTraining(question, frameworkPlacements(question.model, question.system));
    QVERIFY2(answer.ok(), answer.ok() ? "" : answer.error().message.c_str());
    const auto& listed = answer->configurations.empty() ? answer->large : answer->configurations;
    QVERIFY(!listed.empty());
    const double memory = made.evaluation.mine.memory.total();
    QCOMPARE(listed.front().memory.total(), memory);
    TrainingConfiguration fused = made.mine;
    fused.fusedAttention = true;
    QVERIFY(memory > 1.1 * peakMemory(question.model, fused).total());
    const Evaluated split = evaluated(text + " --context-parallel-size 2", "llama3-8b", "gcp-v100:2");
    QVERIFY(split.evaluation.refused.has_value());
    QCOMPARE(split.evaluation.refused->rule, std::string("cp needs fused attention"));
  }

  void aLargeConfigurationSaysWhatMakesItFit() {
    const Evaluated made = evaluated(
        "{\"train_batch_size\": 16, \"train_micro_batch_size_per_gpu\": 2, \"zero_optimization\": {\"stage\": 0}, "
        "\"bf16\": {\"enabled\": true}}",
        "llama3-8b", "dgx-h100:1");
    QVERIFY(!made.evaluation.refused.has_value());
    QVERIFY(!made.evaluation.fits);
    QVERIFY(!made.evaluation.inAll.has_value());
    QVERIFY(!made.evaluation.changes.empty());
    for (const TrainingChange& each : made.evaluation.changes) {
      QVERIFY(each.planned.memory.total() + made.evaluation.reserve <= made.evaluation.memory);
    }
  }

  /// No single change is enough for 70 billion parameters in microbatches of 8 on tp 8.
  void aConfigurationFarTooLargeTakesTwoChanges() {
    const Evaluated made = evaluated(
        "--tensor-model-parallel-size 8 --micro-batch-size 8 --global-batch-size 64 --seq-length 4096 "
        "--sequence-parallel --use-distributed-optimizer --bf16",
        "llama3-70b", "dgx-h100:8");
    QVERIFY(!made.evaluation.fits);
    QCOMPARE(made.evaluation.changes.size(), kMostChanges);
    double before = 0;
    for (const TrainingChange& each : made.evaluation.changes) {
      QVERIFY2(each.key.find(',') != std::string::npos, each.key.c_str());
      QVERIFY2(each.choice.find(" and ") != std::string::npos, each.choice.c_str());
      QVERIFY(each.planned.memory.total() + made.evaluation.reserve <= made.evaluation.memory);
      QVERIFY(brokenRule(*made.stated.framework, made.input.question.model, each.planned.configuration) == nullptr);
      QVERIFY(each.planned.estimate.seconds >= before);
      before = each.planned.estimate.seconds;
    }
    // With one of the two alone it is still too large.
    QVERIFY(std::any_of(made.evaluation.changes.begin(), made.evaluation.changes.end(),
                        [](const TrainingChange& each) { return each.key == "microbatch,pp"; }));
    for (const auto& [pipeline, microbatch] : {std::pair{2, 8}, std::pair{1, 2}}) {
      TrainingConfiguration alone = made.mine;
      alone.plan.pipeline = pipeline;
      alone.plan.data = 8 / pipeline;
      alone.plan.microbatch = microbatch;
      alone.plan.microbatches = 64 / (alone.plan.data * microbatch);
      QVERIFY(peakMemory(made.input.question.model, alone).total() + made.evaluation.reserve > made.evaluation.memory);
    }
  }

  void choicesAreCompletedByTheFastest() {
    TrainingInput input = test::inputFor("llama3-8b", "dgx-h100:1", 16);
    const auto own = ownFromChoices(input, "tp=2,microbatch=1");
    QVERIFY(own.ok());
    QCOMPARE(own->configuration.plan.tensor, std::int64_t{2});
    double best = std::numeric_limits<double>::max();
    for (const PlannedConfiguration& each : ofOneNode()) {
      const TrainingPlan& plan = each.configuration.plan;
      if (plan.tensor == 2 && plan.microbatch == 1) best = std::min(best, each.estimate.seconds);
    }
    QVERIFY2(own->completed.find("tp=") == std::string::npos && own->completed.find("microbatch=") == std::string::npos,
             own->completed.c_str());
    // Typed choices hold, and the others are named.
    const auto pipeline = ownFromChoices(input, "tp=1,pp=4,recompute=full");
    QVERIFY(pipeline.ok());
    QCOMPARE(pipeline->configuration.plan.pipeline, std::int64_t{4});
    QVERIFY2(pipeline->completed.find("zero=") != std::string::npos, pipeline->completed.c_str());
    const auto evaluation = evaluateTraining(input, own->stated, own->configuration);
    QVERIFY(evaluation.ok());
    QVERIFY(nearlyEqual(evaluation->mine.estimate.seconds, best, kDisplayTolerance));
  }

  void cancelledEvaluationsSaySo() {
    Evaluated made{test::inputFor("llama3-8b", "dgx-h100:1", 16), {}, {}, {}};
    auto stated = readTraining(kMegatron);
    QVERIFY(stated.ok());
    const auto own = ownConfiguration(stated.value(), made.input, {});
    QVERIFY(own.ok());
    std::stop_source stop;
    stop.request_stop();
    const auto evaluation = evaluateTraining(made.input, *stated, *own, stop.get_token());
    QVERIFY(!evaluation.ok());
    QVERIFY(evaluation.error().kind == ErrorKind::Cancelled);
  }
};

QTEST_APPLESS_MAIN(TestTrainingEvaluation)
#include "tst_training_evaluation.moc"
