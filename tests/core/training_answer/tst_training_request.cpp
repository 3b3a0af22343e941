// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <algorithm>

#include "support/filled.h"
#include "support/warnings.h"
#include "training_answer/training_request.h"
#include "workspace/workspace.h"

using namespace p2;

namespace {

Result<TrainingInput> inputOf(const TrainingRequest& request) {
  auto model = modelFromArgument("llama3-8b");
  auto system = systemFromArgument("dgx-h100:2");
  if (!model.ok()) return model.error();
  if (!system.ok()) return system.error();
  return readTrainingRequest(request, std::move(model.value()), std::move(system.value()));
}

}  // namespace

class TestTrainingRequest : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  // An A100 has no products of 4 or 8 bits.
  void widerNumbersAreNamed() {
    TrainingRequest request;
    request.batch = 16;
    request.precision = "fp4";
    request.framework = "fsdp";
    for (const auto& [system, named] : {std::pair("dgx-a100:1", true), std::pair("dgx-b200:1", false)}) {
      auto input =
          readTrainingRequest(request, modelFromArgument("llama3-8b").value(), systemFromArgument(system).value());
      QVERIFY(input.ok());
      const auto answer = answerTraining(*input);
      QVERIFY(answer.ok());
      const auto& assumed = answer->assumed;
      QCOMPARE(std::count(assumed.begin(), assumed.end(), "products in bf16: the accelerator has none in fp4"),
               named ? 1 : 0);
    }
  }

  // GPT-3 has learned 2048 positions.
  void theDefaultSequenceHasPositions() {
    TrainingRequest request;
    request.batch = 64;
    request.sequence = 0;
    const auto input =
        readTrainingRequest(request, modelFromArgument("gpt3-175b").value(), systemFromArgument("dgx-h100:8").value());
    QVERIFY2(input.ok(), input.ok() ? "" : input.error().text().c_str());
    QCOMPARE(input->question.sequence, std::int64_t{2048});
  }

  void onlyFrameworksThatRunOnTheAcceleratorArePlanned() {
    const auto inputOn = [](const char* system, const char* framework) {
      TrainingRequest request;
      request.batch = 64;
      request.framework = framework;
      return readTrainingRequest(request, modelFromArgument("llama3-8b").value(), systemFromArgument(system).value());
    };
    const auto any = inputOn("tpu-v4:4", "any");
    QVERIFY(any.ok());
    QCOMPARE(any->question.frameworks.size(), std::size_t{1});
    const auto& assumed = any->assumed;
    QCOMPARE(std::count(assumed.begin(), assumed.end(), "only MaxText: the other frameworks do not run on TPUs"), 1);
    QVERIFY(std::none_of(any->open.begin(), any->open.end(),
                         [](const auto& each) { return each.starts_with("all frameworks"); }));
    const auto answer = answerTraining(*any);
    QVERIFY(answer.ok());
    for (const PlannedConfiguration& each : test::filled(answer->configurations))
      QCOMPARE(each.framework->name, "maxtext");
    const auto refused = inputOn("tpu-v4:4", "megatron");
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().text(), "framework: Megatron-Core does not run on TPUs; use maxtext");
    QCOMPARE(inputOn("mi300x:4", "any")->question.frameworks.size(),
             frameworksOn(AcceleratorPlatform::Rocm, trainingFrameworks()).size());
    QCOMPARE(inputOn("aws-trn1:1", "any")->question.frameworks.front()->name, "neuronx");
  }

  // A document without a framework of its own follows its system.
  void aFrameworkThatIsNotChosenRunsOnTheAccelerator() {
    const auto nameOn = [](const char* system, const char* chosen) {
      TrainingChoice choice;
      choice.framework = chosen;
      return frameworkNameOf(systemFromArgument(system).value(), choice);
    };
    QCOMPARE(nameOn("dgx-h100:4", ""), std::string("megatron"));
    QCOMPARE(nameOn("tpu-v4:4", ""), std::string("maxtext"));
    QCOMPARE(nameOn("tpu-v4:4", "megatron"), std::string("megatron"));
    QCOMPARE(nameOn("tpu-v4:4", "any"), std::string("any"));
    QCOMPARE(nameOn("node:2 gpu:8", ""), std::string("megatron"));
  }

  void aDenseModelHasNoCapacity() {
    TrainingRequest request;
    request.batch = 16;
    request.capacity = 1.25;
    const auto input = inputOf(request);
    QVERIFY(!input.ok());
    QVERIFY(input.error().text().find("the model has no experts") != std::string::npos);
  }

  void textsBecomeAQuestion() {
    TrainingRequest request;
    request.batch = 64;
    request.sequence = 8192;
    request.framework = "megatron";
    request.precision = "fp8";
    request.fixed = "tp=4,recompute=full";
    request.reserve = 4e9;
    request.best = 3;
    const auto input = inputOf(request);
    QVERIFY2(input.ok(), input.ok() ? "" : input.error().text().c_str());
    const TrainingQuestion& question = input->question;
    QCOMPARE(question.batch, std::int64_t{64});
    QCOMPARE(question.sequence, std::int64_t{8192});
    QCOMPARE(question.frameworks.size(), std::size_t{1});
    QCOMPARE(question.frameworks.front()->name, std::string_view("megatron"));
    QVERIFY(question.precision == ProductPrecision::Fp8);
    QCOMPARE(question.fixed.tensor, std::optional<std::int64_t>(4));
    QVERIFY(question.fixed.recomputation == RecomputeKind::Full);
    QCOMPARE(question.reserve, 4e9);
    QVERIFY(input->assumed.empty());
    const auto answer = answerTraining(*input);
    QVERIFY2(answer.ok(), answer.ok() ? "" : answer.error().text().c_str());
    QCOMPARE(answer->configurations.size(), std::size_t{3});
    for (const PlannedConfiguration& each : answer->configurations) {
      QCOMPARE(each.configuration.plan.tensor, std::int64_t{4});
      QVERIFY(each.configuration.recomputation == RecomputeKind::Full);
    }
  }

  void missingValuesAreAssumed() {
    TrainingRequest request;
    request.batch = 64;
    request.fixed = "tp=1,pp=1,cp=1,zero=3";
    const auto input = inputOf(request);
    QVERIFY(input.ok());
    QCOMPARE(input->question.frameworks.size(), frameworksOn(AcceleratorPlatform::Cuda, trainingFrameworks()).size());
    QCOMPARE(input->open.front(), "all frameworks that run on NVIDIA GPUs (--framework)");
    QCOMPARE(input->question.sequence, TrainingChoice::kDefaultSequence);
    QVERIFY(input->assumed.empty());
    QCOMPARE(input->open.size(), std::size_t{2});
    const auto answer = answerTraining(*input);
    QVERIFY(answer.ok());
    QCOMPARE(answer->assumed.front(), input->open.front());
    const auto names = [&](const char* part) {
      return std::any_of(answer->assumed.begin(), answer->assumed.end(),
                         [&](const std::string& each) { return each.find(part) != std::string::npos; });
    };
    for (const char* part : {"--framework", "--sequence", "--precision", "--reserve", "hidden behind computation",
                             "gradients are reduced in every microbatch"}) {
      QVERIFY2(names(part), part);
    }
  }

  // All configurations break it; others only break rules of the degrees that are tried first.
  void theRuleOfTheFixedChoiceIsNamed() {
    TrainingRequest request;
    request.batch = 1152;
    request.framework = "megatron";
    request.fixed = "ep=144";
    const auto input = readTrainingRequest(request, modelFromArgument("deepseek-v3").value(),
                                           systemFromArgument("gb200-nvl72:2").value());
    QVERIFY(input.ok());
    const auto answer = answerTraining(*input);
    QVERIFY(!answer.ok());
    const std::string& message = answer.error().message;
    QVERIFY2(message.find("ep 144 does not divide the 256 experts") != std::string::npos, message.c_str());
  }

  void errorsNameTheKeyOfTheValue_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("stated");
    QTest::newRow("framework") << kFrameworkKey << "pax"
                               << "use one of megatron";
    QTest::newRow("precision") << kPrecisionKey << "int4"
                               << "bf16";
    QTest::newRow("fix") << kFixKey << "tp=zero"
                         << "is not a value of tp";
  }
  void errorsNameTheKeyOfTheValue() {
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(QString, stated);
    TrainingRequest request;
    request.batch = 64;
    if (key == kFrameworkKey) request.framework = value.toStdString();
    if (key == kPrecisionKey) request.precision = value.toStdString();
    if (key == kFixKey) request.fixed = value.toStdString();
    const auto input = inputOf(request);
    QVERIFY(!input.ok());
    QCOMPARE(QString::fromStdString(input.error().where.document), key);
    QVERIFY2(QString::fromStdString(input.error().message).contains(stated), input.error().message.c_str());
  }
};

QTEST_APPLESS_MAIN(TestTrainingRequest)
#include "tst_training_request.moc"
