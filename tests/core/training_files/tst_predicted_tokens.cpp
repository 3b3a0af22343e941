// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>

#include "core/training/planner_questions.h"
#include "support/warnings.h"
#include "training/framework_placements.h"
#include "training/memory.h"
#include "training_files/stated_training.h"
#include "workload/generate/training_recipe.h"

using namespace p2;
using test::questionOf;

namespace {

TrainingAnswer answerOf(const TrainingQuestion& question) {
  return planTraining(question, frameworkPlacements(question.model, question.system)).value();
}

}  // namespace

/// Multi-token prediction, as a configuration asks for it.
class TestPredictedTokens : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  // DeepSeek-V3 (2412.19437, §2.2): a projection of two widths to one, a layer, and the head once more.
  void workIsThatOfALayerAProjectionAndAHead() {
    const ModelShape model = resolved(bundledRecipe("llama3-8b").value().model);
    TrainingConfiguration plain;
    plain.plan.data = 8;
    plain.plan.sequence = 4096;
    plain.plan.globalBatch = 64;
    plain.plan = resolved(plain.plan);
    TrainingConfiguration more = plain;
    more.predictedTokens = 1;
    const double h = 4096;
    const double layer = 2 * h * h + 2 * h * 1024 + 3 * h * 14336;
    const double perToken = 6 * (layer + 2 * h * h + h * 128256) + 6 * h * 4096;
    const double added = modelFlop(model, more) - modelFlop(model, plain);
    QVERIFY2(std::abs(added / (perToken * 64 * 4096) - 1) < 1e-3, qPrintable(QString::number(added)));
  }

  // Only the last stage has more to keep: the layer, the projection, a further embedding, and more logits.
  void theLastStageHoldsMore() {
    const ModelShape model = resolved(bundledRecipe("llama3-8b").value().model);
    TrainingConfiguration plain;
    plain.plan.pipeline = 4;
    plain.plan.microbatches = 8;
    plain.plan.sequence = 4096;
    plain.plan = resolved(plain.plan);
    TrainingConfiguration more = plain;
    more.predictedTokens = 1;
    const auto before = stageMemory(model, plain);
    const auto after = stageMemory(model, more);
    for (std::size_t stage = 0; stage + 1 < before.size(); ++stage) {
      QCOMPARE(after[stage].total(), before[stage].total());
    }
    const double h = 4096;
    const double parameters = 2 * h * h + 2 * h * 1024 + 3 * h * 14336 + 2 * h + 2 * h * h + 128256 * h;
    QVERIFY(std::abs((after[3].parameters - before[3].parameters) / (2 * parameters) - 1) < .01);
    QVERIFY(after[3].buffers > before[3].buffers && after[3].activations > before[3].activations);
  }

  // The search leaves nothing out that the full one finds, with the longer last stage too.
  void boundsHoldWithThem() {
    TrainingQuestion question = questionOf("llama3-8b", "dgx-h100:1", 32, "megatron");
    question.sequence = 4096;
    const double without = answerOf(question).configurations.front().estimate.seconds;
    question.fixed.predictedTokens = 1;
    const TrainingAnswer quick = answerOf(question);
    question.exhaustive = true;
    const TrainingAnswer all = answerOf(question);
    QCOMPARE(quick.configurations.front().estimate.seconds, all.configurations.front().estimate.seconds);
    QVERIFY(quick.configurations.front().estimate.seconds > 1.03 * without);
    QCOMPARE(quick.configurations.front().configuration.predictedTokens, std::int64_t{1});
  }

  void flagsSayThemAndAreReadBack() {
    TrainingQuestion question = questionOf("llama3-8b", "dgx-h100:2", 64, "megatron");
    question.fixed = fixedChoicesFrom("mtp=1,pp=2,tp=1,layers=18+14,vpp=1").value();
    const PlannedConfiguration planned = answerOf(question).configurations.front();
    const std::string flags = launchTextOf(question.model, question.system, planned);
    QVERIFY2(flags.find("--mtp-num-layers 1") != std::string::npos, flags.c_str());
    QVERIFY2(flags.find("mL'") != std::string::npos, flags.c_str());
    auto stated = readTraining(flags).value();
    const auto again = configurationOf(stated, question.model, question.system, {});
    QVERIFY(again.ok());
    QCOMPARE(again->predictedTokens, std::int64_t{1});
    QCOMPARE(fixedChoicesText(choicesOf(*again)), fixedChoicesText(choicesOf(planned.configuration)));
  }

  void othersRefuseThem() {
    TrainingConfiguration made;
    made.predictedTokens = 1;
    made.plan = resolved(made.plan);
    const ModelShape model = resolved(bundledRecipe("llama3-8b").value().model);
    for (const char* name : {"deepspeed", "fsdp"}) {
      const FrameworkRule* rule = brokenRule(*trainingFrameworkFrom(name).value(), model, made);
      QVERIFY(rule != nullptr);
      QCOMPARE(rule->name, std::string_view("multi-token prediction"));
    }
  }
};

QTEST_GUILESS_MAIN(TestPredictedTokens)
#include "tst_predicted_tokens.moc"
