// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <QtTest>

#include "support/warnings.h"
#include "training_answer/training_request.h"
#include "workspace/workspace.h"

using namespace p2;

namespace {

Result<TrainingAnswer> answerOf(const char* model, const std::string& system, std::int64_t batch, const char* framework,
                                const char* fixed) {
  TrainingRequest request;
  request.batch = batch;
  request.framework = framework;
  request.fixed = fixed;
  auto source = modelFromArgument(model);
  auto machine = systemFromArgument(system);
  if (!source.ok() || !machine.ok()) qFatal("model or system");
  auto input = readTrainingRequest(request, std::move(source.value()), std::move(machine.value()));
  if (!input.ok()) return input.error();
  return answerTraining(*input);
}

}  // namespace

class TestTrainingReasons : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void questionsWithoutAnAnswerSayWhatWouldBeRight_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("system");
    QTest::addColumn<int>("batch");
    QTest::addColumn<QString>("framework");
    QTest::addColumn<QString>("fixed");
    QTest::addColumn<QString>("stated");
    const auto row = [](const char* name, const char* model, const char* system, int batch, const char* framework,
                        const char* fixed, const char* stated) {
      QTest::newRow(name) << model << system << batch << framework << fixed << stated;
    };
    row("batch", "llama3-8b", "dgx-h100:2", 7, "fsdp", "",
        "a batch of 7 sequences does not divide by dp·microbatch of any configuration on 16 devices (dp is 16 or "
        "more); use 16");
    row("batch of a microbatch", "llama3-8b", "dgx-h100:1", 20, "fsdp", "microbatch=2", "use 16 or 32");
    row("batch next to degrees that no rule allows", "llama3-8b", "dgx-h100:12", 512, "megatron",
        "tp=8,pp=2,microbatch=2",
        "a batch of 512 sequences does not divide by dp·microbatch of any configuration with the fixed choices on "
        "96 devices (dp is 3 or more); use 510 or 516");
    row("rule", "llama3-8b", "dgx-h100:4", 64, "megatron", "tp=32",
        "tp 32 does not divide the 8 heads of keys and values");
    row("rule's source", "llama3-8b", "dgx-h100:4", 64, "megatron", "tp=32", "transformer_config.py");
    row("the framework that can", "llama3-8b", "dgx-h100:2", 64, "fsdp", "tp=2",
        "this runs with Megatron-Core, TorchTitan");
    row("a stage it has not", "llama3-8b", "dgx-h100:2", 64, "megatron", "zero=3,tp=1",
        "Megatron-Core does not have all fixed choices (tp=1,zero=3); this runs with");
    row("experts that the framework does not split", "mixtral-8x7b", "dgx-h100:4", 64, "fsdp", "ep=8",
        "PyTorch FSDP does not have all fixed choices (ep=8); this runs with");
    row("experts that the model has not", "llama3-8b", "dgx-h100:1", 64, "any", "ep=8",
        "the model has no experts; leave ep and etp out");
    row("parts of such experts", "llama3-8b", "dgx-h100:1", 64, "any", "etp=2", "the model has no experts");
    row("a schedule that no framework has", "llama3-8b", "dgx-h100:2", 64, "any", "schedule=dualpipe",
        "no framework has all fixed choices (schedule=dualpipe)");
    row("another framework's schedule", "llama3-8b", "dgx-h100:2", 64, "megatron", "schedule=zbv",
        "Megatron-Core does not have all fixed choices (schedule=zbv); this runs with TorchTitan");
    row("chunks without a pipeline", "llama3-8b", "dgx-h100:2", 64, "deepspeed", "vpp=2",
        "DeepSpeed does not have all fixed choices (vpp=2)");
    row("degrees", "llama3-8b", "dgx-h100:2", 64, "megatron", "tp=3",
        "tp 3 does not divide 16 devices; change these degrees");
    row("expert degrees", "deepseek-v3", "gb200-nvl72:4", 1024, "megatron", "ep=64",
        "ep 64 does not divide 288 devices; change these degrees");
    row("accelerator", "llama3-8b", "node:2 gpu:8", 64, "any", "", "the system names no accelerator; give");
  }
  void questionsWithoutAnAnswerSayWhatWouldBeRight() {
    QFETCH(QString, model);
    QFETCH(QString, system);
    QFETCH(int, batch);
    QFETCH(QString, framework);
    QFETCH(QString, fixed);
    QFETCH(QString, stated);
    const auto answer =
        answerOf(qPrintable(model), system.toStdString(), batch, qPrintable(framework), qPrintable(fixed));
    QVERIFY(!answer.ok());
    QVERIFY2(QString::fromStdString(answer.error().text()).contains(stated), answer.error().text().c_str());
  }

  // The number of devices that is named fits, and half a node less does not.
  void theLeastMachineThatWouldDo() {
    const auto answer = answerOf("llama3-405b", "dgx-h100:2", 512, "megatron", "recompute=full");
    QVERIFY(!answer.ok());
    QVERIFY(answer.error().kind == ErrorKind::TooLarge);
    const QString text = QString::fromStdString(answer.error().message);
    const auto match = QRegularExpression("(\\d+) such devices would do").match(text);
    QVERIFY2(match.hasMatch(), qPrintable(text));
    const int devices = match.captured(1).toInt();
    QVERIFY(devices > 16 && devices % 8 == 0);
    QVERIFY(answerOf("llama3-405b", "dgx-h100:" + std::to_string(devices / 8), 512, "megatron", "recompute=full").ok());
    QVERIFY(!answerOf("llama3-405b", "dgx-h100:" + std::to_string(devices / 8 - 1), 512, "megatron", "recompute=full")
                 .ok());
  }

  void noNumberOfDevicesMayDo() {
    const auto answer = answerOf("llama3-405b", "dgx-h100:1", 64, "fsdp", "zero=2");
    QVERIFY(!answer.ok());
    QVERIFY2(answer.error().message.find("more devices of this kind would not help") != std::string::npos,
             answer.error().message.c_str());
  }
};

QTEST_APPLESS_MAIN(TestTrainingReasons)
#include "tst_training_reasons.moc"
