// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "tests/core/training/planner_questions.h"
#include "training/model_argument.h"

using namespace p2;
using test::answerOf;
using test::questionOf;

namespace {

TrainingQuestion expertQuestion(const char* model, const char* system, std::int64_t batch, const std::string& choices) {
  TrainingQuestion question = questionOf("llama3-8b", system, batch, "megatron");
  question.model = test::valueOf(modelFromArgument(model)).shape;
  question.fixed = test::valueOf(fixedChoicesFrom(choices));
  question.listsLarge = true;
  return question;
}

/// The fastest step, as if it fitted.
PlannedConfiguration fastest(const TrainingQuestion& question) {
  const TrainingAnswer answer = test::valueOf(answerOf(question));
  return answer.configurations.empty() ? answer.large.front() : answer.configurations.front();
}

}  // namespace

class TestExpertOverlap : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }

  // Megatron-Bridge, skills/nemo-mbridge-perf-expert-parallel-overlap: 24.71 s without, 21.07 and 20.99 s with it.
  void gainIsThatOfAPublishedPair() {
    const std::string choices =
        "tp=1,pp=1,cp=1,ep=16,etp=1,zero=1,recompute=none,microbatch=1,dispatch=hybridep,graphs=routing,ep_overlap=";
    const auto seconds = [&](const char* overlaps) {
      return fastest(expertQuestion("qwen3-30b-a3b", "dgx-h100:2", 1024, choices + overlaps)).estimate.seconds;
    };
    const double gain = seconds("no") / seconds("yes");
    qInfo("measured 1.175, predicted %.3f", gain);
    QVERIFY(std::abs(gain - 24.7138 / 21.03) < 0.12);
  }

  // Where Megatron-Core runs it, both are searched; it takes the memory of one more microbatch.
  void bothAreSearchedWhereItRuns() {
    TrainingQuestion question = expertQuestion("qwen3-30b-a3b", "dgx-h100:2", 128, "tp=1,cp=1,microbatch=1");
    question.everyVariant = question.exhaustive = true;
    question.best = 100000;
    const TrainingAnswer answer = test::valueOf(answerOf(question));
    std::map<std::string, const PlannedConfiguration*> without;
    const auto keyOf = [](TrainingConfiguration each, const std::string& matrix) {
      each.plan.expertOverlap = false;
      return fixedChoicesText(choicesOf(each)) + matrix;
    };
    for (const auto* listed : {&answer.configurations, &answer.large}) {
      for (const PlannedConfiguration& each : *listed) {
        if (!each.configuration.plan.expertOverlap) without[keyOf(each.configuration, each.matrix.text())] = &each;
      }
    }
    int overlapped = 0;
    int larger = 0;
    for (const auto* listed : {&answer.configurations, &answer.large}) {
      for (const PlannedConfiguration& each : *listed) {
        const TrainingPlan& plan = each.configuration.plan;
        if (!plan.expertOverlap) continue;
        QVERIFY(plan.expert > 1 && plan.microbatches > 1 && (plan.pipeline == 1 || plan.chunks > 1));
        QVERIFY(each.configuration.recomputation != RecomputeKind::Full);
        const auto found = without.find(keyOf(each.configuration, each.matrix.text()));
        QVERIFY(found != without.end());
        const PlannedConfiguration& other = *found->second;
        QVERIFY(each.memory.total() >= other.memory.total());
        larger += each.memory.total() > other.memory.total() ? 1 : 0;
        // Of many microbatches most have a partner.
        if (plan.microbatches >= 2 * plan.pipeline) QVERIFY(each.estimate.seconds < other.estimate.seconds);
        ++overlapped;
      }
    }
    QVERIFY(overlapped > 20);
    QVERIFY(larger > 20);
  }

  // While a pipeline fills and drains, no passes pair up.
  void fewMicrobatchesHideLess() {
    const auto exposed = [](std::int64_t batch, const char* overlaps) {
      const PlannedConfiguration planned =
          fastest(expertQuestion("qwen3-235b-a22b", "dgx-h100:8", batch,
                                 std::string("tp=1,pp=4,vpp=2,cp=1,ep=16,zero=1,recompute=none,microbatch=1,"
                                             "ep_overlap=") +
                                     overlaps));
      return planned.estimate.parts.exposed[static_cast<std::size_t>(ExposedAxis::Expert)] /
             static_cast<double>(planned.configuration.plan.microbatches);
    };
    // 8 and 64 microbatches: half of the passes and 15 of 16 have a partner.
    const double few = exposed(16 * 8, "yes");
    const double many = exposed(16 * 64, "yes");
    const double alone = exposed(16 * 8, "no");
    QVERIFY(many < few);
    QVERIFY(few < alone);
    QVERIFY(many < 0.4 * alone);
  }

  void whatMegatronRefuses_data() {
    QTest::addColumn<QString>("choices");
    QTest::addColumn<QString>("reason");
    QTest::newRow("ep") << "pp=1,ep=1"
                        << "overlap of expert parallelism needs ep > 1";
    QTest::newRow("vpp") << "pp=2,vpp=1,ep=8"
                         << "overlap of expert parallelism needs virtual stages with pp > 1";
    QTest::newRow("full") << "pp=1,ep=8,recompute=full"
                          << "overlap of expert parallelism excludes full recomputation";
  }
  void whatMegatronRefuses() {
    QFETCH(QString, choices);
    QFETCH(QString, reason);
    const TrainingQuestion question =
        expertQuestion("mixtral-8x7b", "dgx-h100:4", 256, (choices + ",tp=1,ep_overlap=no").toStdString());
    TrainingConfiguration made = fastest(question).configuration;
    made.plan.expertOverlap = true;
    const auto refused = checkFramework(*question.frameworks.front(), question.model, made);
    QVERIFY(!refused.ok());
    QVERIFY2(refused.error().message.find(reason.toStdString()) != std::string::npos, refused.error().message.c_str());
  }

  void flagsNameIt() {
    const TrainingQuestion question =
        expertQuestion("mixtral-8x7b", "dgx-h100:4", 256, "tp=1,pp=1,ep=8,ep_overlap=yes");
    const std::string text = launchTextOf(question.model, question.system, fastest(question));
    QVERIFY(text.find("--overlap-moe-expert-parallel-comm\n--delay-wgrad-compute\n") != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TestExpertOverlap)
#include "tst_expert_overlap.moc"
