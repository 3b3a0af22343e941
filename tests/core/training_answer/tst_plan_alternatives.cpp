// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <set>

#include "base/near.h"
#include "support/fixtures.h"
#include "support/warnings.h"
#include "training_answer/configuration_comparison.h"
#include "training_answer/plan_alternatives.h"
#include "training_answer/training_evaluation.h"
#include "training_files/stated_training.h"
#include "workspace/workspace.h"

using namespace p2;

namespace {

using Verdict = PlanAlternative::Verdict;

TrainingInput alternativeInputOf(const char* model, const char* system, std::int64_t batch, const char* fixed = "") {
  TrainingRequest request;
  request.batch = batch;
  request.framework = "megatron";
  request.fixed = fixed;
  return test::valueOf(
      readTrainingRequest(request, test::valueOf(modelFromArgument(model)), test::valueOf(systemFromArgument(system))));
}

/// The best plan of a question without its fixed choices.
struct AlternativePlan {
  TrainingQuestion question;
  TrainingAnswer answer;
  PlannedConfiguration best;
  double memory = 0;
  double reserve = 0;
};
AlternativePlan alternativePlanOf(const char* model, const char* system, std::int64_t batch, const char* fixed = "") {
  const TrainingInput input = alternativeInputOf(model, system, batch, fixed);
  TrainingAnswer answer = test::valueOf(answerTraining(input));
  TrainingQuestion question = input.question;
  question.fixed = {};
  return {question, answer, answer.configurations.front(), answer.memory, answer.reserve};
}

}  // namespace

class TestPlanAlternatives : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  // The listing was searched over all of them, so that none is clearly faster than its best.
  void noneBeatsTheBest_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("system");
    QTest::addColumn<int>("batch");
    QTest::newRow("dense") << "llama3-8b"
                           << "dgx-h100:2" << 64;
    QTest::newRow("large") << "llama3-70b"
                           << "dgx-h100:8" << 256;
    QTest::newRow("experts") << "mixtral-8x7b"
                             << "dgx-h100:4" << 256;
  }
  void noneBeatsTheBest() {
    QFETCH(QString, model);
    QFETCH(QString, system);
    QFETCH(int, batch);
    const AlternativePlan plan = alternativePlanOf(qPrintable(model), qPrintable(system), batch);
    const auto found = test::valueOf(planAlternatives(plan.question, plan.answer, plan.best));
    const auto runs =
        std::count_if(found.begin(), found.end(), [](const auto& each) { return each.verdict == Verdict::Runs; });
    QVERIFY(runs >= 4);
    std::set<std::pair<std::string, Verdict>> seen;  // by choice, of which a key can have several that run
    double before = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const PlanAlternative& each = found[i];
      const bool isBest = each.verdict == Verdict::Runs && !each.keepsRest;
      QVERIFY2(seen.emplace(isBest ? each.choice : each.key, each.verdict).second, each.choice.c_str());
      QVERIFY(!(each.planned.configuration == plan.best.configuration) || each.key == "order");
      const double needed = each.planned.memory.total() + plan.reserve;
      if (each.verdict == Verdict::Runs) {
        QVERIFY(std::int64_t(i) < runs);
        QVERIFY(needed <= plan.memory);
        QVERIFY(each.planned.estimate.seconds >= before);
        before = each.planned.estimate.seconds;
        QVERIFY2(!definitelyLess(before, plan.best.estimate.seconds, kDisplayTolerance), each.choice.c_str());
        QCOMPARE(each.reason, describeMainPart(plan.best.estimate, each.planned.estimate));
      } else if (each.verdict == Verdict::TooLarge) {
        QVERIFY(needed > plan.memory);
        QVERIFY2(each.reason.starts_with("needs "), each.reason.c_str());
      } else {
        QVERIFY(!checkFramework(*plan.best.framework, plan.question.model, each.planned.configuration).ok());
      }
    }
    for (const char* key : {"tp", "pp", "microbatch", "zero", "recompute"}) {
      QVERIFY2(std::any_of(found.begin(), found.end(), [&](const auto& each) { return each.key == key; }), key);
    }
  }

  // The time of an alternative is that of a plan with its choices, and the changes of a user's own are among them.
  void timesAreThoseOfThePlans() {
    const AlternativePlan plan =
        alternativePlanOf("llama3-70b", "dgx-h100:8", 256, "tp=8,pp=1,microbatch=1,zero=1,recompute=full");
    const auto found = test::valueOf(planAlternatives(plan.question, plan.answer, plan.best));
    StatedTraining stated;
    stated.framework = plan.best.framework;
    if (!plan.best.orders.empty()) stated.order = plan.best.orders.front();
    const TrainingInput input{plan.question, {}};
    const auto own =
        test::valueOf(evaluateTraining(input, stated, plan.best.configuration, {}, {}, EvaluationExtent::WithoutRank));
    QVERIFY(!own.changes.empty());
    for (const TrainingChange& change : own.changes) {
      const auto same = std::find_if(found.begin(), found.end(), [&](const PlanAlternative& each) {
        return each.verdict == Verdict::Runs && each.choice == change.choice;
      });
      QVERIFY2(same != found.end(), change.choice.c_str());
      // Where everything else may change too, it can only become faster.
      QVERIFY(!definitelyLess(change.planned.estimate.seconds, same->planned.estimate.seconds, kDisplayTolerance));
      if (same->keepsRest) QCOMPARE(same->planned.estimate.seconds, change.planned.estimate.seconds);
      QVERIFY2(same->reason.find("less ") == 0 || same->reason.find("faster ") == 0 || same->reason.find("a s") == 0,
               same->reason.c_str());
    }
  }

  // The best plan with each value, whatever the other choices: looked up in a whole listing, or searched.
  void everyValueHasItsBestPlan() {
    TrainingInput input = alternativeInputOf("llama3-8b", "dgx-h100:2", 64);
    const TrainingAnswer few = test::valueOf(answerTraining(input));
    TrainingQuestion whole = input.question;
    whole.best = 1000;
    const TrainingAnswer all = test::valueOf(answerTraining({whole, {}}));
    QVERIFY(all.configurations.size() < whole.best && few.configurations.size() == input.question.best);
    const PlannedConfiguration& best = all.configurations.front();
    const auto listed = test::valueOf(planAlternatives(whole, all, best));
    const auto searched = test::valueOf(planAlternatives(input.question, few, best));
    QCOMPARE(listed.size(), searched.size());
    int degrees = 0;
    int others = 0;
    for (std::size_t i = 0; i < listed.size(); ++i) {
      const PlanAlternative& each = listed[i];
      if (each.verdict != Verdict::Runs || each.keepsRest) continue;
      const auto same = std::find_if(searched.begin(), searched.end(), [&](const PlanAlternative& other) {
        return other.choice == each.choice && other.verdict == Verdict::Runs;
      });
      QVERIFY2(same != searched.end(), each.choice.c_str());
      QVERIFY2(nearlyEqual(each.planned.estimate.seconds, same->planned.estimate.seconds, kDisplayTolerance),
               each.choice.c_str());
      TrainingQuestion fixed = whole;
      FixedChoices value = choicesOf(each.planned.configuration);
      if (each.key == "tp") fixed.fixed.tensor = value.tensor;
      if (each.key == "microbatch") fixed.fixed.microbatch = value.microbatch;
      if (fixed.fixed == FixedChoices()) continue;
      ++(each.key == "tp" ? degrees : others);
      const TrainingAnswer alone = test::valueOf(answerTraining({fixed, {}}));
      QVERIFY2(
          nearlyEqual(alone.configurations.front().estimate.seconds, each.planned.estimate.seconds, kDisplayTolerance),
          each.choice.c_str());
    }
    QVERIFY(degrees >= 3 && others >= 2);
  }

  void theMainPartIsTheOneThatDecides() {
    StepEstimate a;
    a.seconds = 10;
    a.parts.compute = 8;
    a.parts.bubble = 1;
    a.parts.exposed[0] = 1;
    StepEstimate b = a;
    QCOMPARE(describeMainPart(a, b), std::string());
    b.parts.exposed[0] = 0.4;
    b.parts.bubble = 3;
    b.seconds = 11.4;
    QCOMPARE(describeMainPart(a, b), std::string("a larger bubble, +2.00 s"));
    QCOMPARE(describeMainPart(b, a), std::string("a smaller bubble, −2.00 s"));
  }

  void aRequestToStopIsHonoured() {
    const AlternativePlan plan = alternativePlanOf("llama3-8b", "dgx-h100:2", 64);
    std::stop_source source;
    source.request_stop();
    const auto found = planAlternatives(plan.question, plan.answer, plan.best, {}, source.get_token());
    QVERIFY(!found.ok());
    QCOMPARE(found.error().kind, ErrorKind::Cancelled);
  }
};

QTEST_GUILESS_MAIN(TestPlanAlternatives)
#include "tst_plan_alternatives.moc"
