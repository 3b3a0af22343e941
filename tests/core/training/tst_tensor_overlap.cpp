// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>

#include "support/filled.h"
#include "support/warnings.h"
#include "tests/core/training/planner_questions.h"
#include "training/model_argument.h"

using namespace p2;
using test::answerOf;
using test::answerWithRankFiles;
using test::questionOf;

namespace {

constexpr const char* kTitanPair = "tp=8,pp=1,cp=1,zero=3,replicas=1";

/// The fastest step with this choice of overlap.
PlannedConfiguration fixedTo(TrainingQuestion question, const std::string& choices, bool overlaps) {
  question.fixed = fixedChoicesFrom(choices + (overlaps ? ",tp_overlap=yes" : ",tp_overlap=no")).value();
  question.listsLarge = true;
  const TrainingAnswer answer = answerOf(question).value();
  return answer.configurations.empty() ? answer.large.front() : answer.configurations.front();
}

}  // namespace

class TestTensorOverlap : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }

  // Published pairs of runs with and without the overlap. None of them was fitted.
  void gainsAreThoseOfPublishedPairs_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("framework");
    QTest::addColumn<int>("batch");
    QTest::addColumn<int>("sequence");
    QTest::addColumn<QString>("precision");
    QTest::addColumn<QString>("choices");
    QTest::addColumn<double>("measured");
    const auto titan = [](const char* name, const char* model, const char* system, int batch, const char* precision,
                          const char* more, double measured) {
      QTest::newRow(name) << model << system << "torchtitan" << batch << 8192 << precision << kTitanPair + QString(more)
                          << measured;
    };
    // pytorch/torchtitan, benchmarks/asyncTP_llama3_h100_2025-06_torchtitan.md
    titan("70B bf16", "llama3-70b", "dgx-h100:32", 512, "bf16", ",recompute=full,microbatch=16", 652.4 / 597.3);
    titan("70B fp8", "llama3-70b", "dgx-h100:32", 512, "fp8", ",recompute=full,microbatch=16", 942.4 / 809.8);
    titan("8B bf16", "llama3-8b", "dgx-h100:8", 96, "bf16", ",recompute=selective,microbatch=12", 4809.4 / 4378);
    titan("8B fp8", "llama3-8b", "dgx-h100:8", 96, "fp8", ",recompute=selective,microbatch=12", 5570.1 / 5078.1);
    // pytorch/torchtitan issue 1185; benchmarks/llama3_h100_202412_torchtitan.md
    titan("70B bf16, 128", "llama3-70b", "dgx-h100:16", 256, "bf16", ",recompute=full,microbatch=16", 673. / 598);
    titan("70B fp8, 2024", "llama3-70b", "dgx-h100:32", 512, "fp8", ",recompute=full,microbatch=16", 876. / 829);
    // xtuner's table of Megatron runs on 256 H800, whose links have less than half of an H100's bandwidth
    QTest::newRow("Qwen3 235B") << "qwen3-235b-a22b"
                                << "dgx-h100:32"
                                << "megatron" << 2048 << 4096 << "bf16"
                                << "tp=2,pp=8,vpp=1,cp=1,ep=8,etp=1,zero=1,sp=yes,recompute=selective,microbatch=1"
                                << 29.66 / 29.276;
  }
  void gainsAreThoseOfPublishedPairs() {
    QFETCH(QString, model);
    QFETCH(QString, system);
    QFETCH(QString, framework);
    QFETCH(int, batch);
    QFETCH(int, sequence);
    QFETCH(QString, precision);
    QFETCH(QString, choices);
    QFETCH(double, measured);
    TrainingQuestion question = questionOf("llama3-8b", qPrintable(system), batch, qPrintable(framework));
    question.model = modelFromArgument(model.toStdString()).value().shape;
    question.sequence = sequence;
    question.precision = productPrecisionFrom(precision.toStdString()).value();
    const double without = fixedTo(question, choices.toStdString(), false).estimate.seconds;
    const double with = fixedTo(question, choices.toStdString(), true).estimate.seconds;
    qInfo("%s: measured %.3f, predicted %.3f", QTest::currentDataTag(), measured, without / with);
    QVERIFY(without > with);
    QVERIFY(std::abs(without / with - measured) < 0.07);
  }

  // The search overlaps where the framework's rules and the machine allow it, and nowhere else.
  void searchedWhereItRuns_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("framework");
    QTest::addColumn<QString>("precision");
    QTest::addColumn<bool>("overlaps");
    const auto row = [](const char* name, const char* model, const char* system, const char* framework,
                        const char* precision, bool overlaps) {
      QTest::newRow(name) << model << system << framework << precision << overlaps;
    };
    row("H100", "llama3-8b", "dgx-h100:2", "megatron", "bf16", true);
    row("TorchTitan", "llama3-8b", "dgx-h100:2", "torchtitan", "bf16", true);
    row("NVL72", "llama3-8b", "gb200-nvl72:1", "megatron", "fp8", true);
    row("experts, Megatron", "mixtral-8x7b", "dgx-h100:8", "megatron", "bf16", true);
    row("A100 has no multicast", "llama3-8b", "dgx-a100:2", "megatron", "bf16", false);
    row("links without a switch", "llama3-8b", "snellius-h100:4", "megatron", "bf16", false);
    row("no buffers in 4 bits", "llama3-8b", "dgx-b200:2", "megatron", "fp4", false);
    row("no buffers of latent attention", "deepseek-v3", "dgx-b200:32", "megatron", "bf16", false);
    row("experts, TorchTitan", "mixtral-8x7b", "dgx-h100:8", "torchtitan", "bf16", false);
    row("DeepSpeed has none", "llama3-8b", "dgx-h100:2", "deepspeed", "bf16", false);
  }
  void searchedWhereItRuns() {
    QFETCH(QString, model);
    QFETCH(QString, system);
    QFETCH(QString, framework);
    QFETCH(QString, precision);
    QFETCH(bool, overlaps);
    TrainingQuestion question = questionOf(qPrintable(model), qPrintable(system), 576, qPrintable(framework));
    question.precision = productPrecisionFrom(precision.toStdString()).value();
    const bool splits = question.frameworks.front()->sequenceParallel != SequenceParallelism::None;
    question.fixed = fixedChoicesFrom(splits ? "tp=4,sp=yes" : "tp=4").value();
    question.listsLarge = true;
    const TrainingAnswer answer = answerWithRankFiles(question).value();
    const auto& listed = answer.configurations.empty() ? answer.large : answer.configurations;
    QVERIFY(!listed.empty());
    for (const PlannedConfiguration& each : listed) {
      // A rank file may lay tensor parallelism out over nodes.
      if (overlaps && each.needsRankFile()) continue;
      QCOMPARE(each.configuration.plan.tensorOverlap, overlaps);
    }
    question.fixed.tensorOverlap = false;
    for (const PlannedConfiguration& each : test::filled(answerOf(question).value().configurations)) {
      QVERIFY(!each.configuration.plan.tensorOverlap);
    }
  }

  // With all variants both are listed; the overlap makes no step longer, so that the short search needs one of them.
  void noStepIsLongerWithIt() {
    TrainingQuestion question = questionOf("llama3-8b", "dgx-h100:1", 16, "megatron");
    question.everyVariant = question.exhaustive = true;
    question.best = 100000;
    const TrainingAnswer answer = answerOf(question).value();
    std::map<std::string, double> without;
    const auto keyOf = [](TrainingConfiguration each, const std::string& order) {
      each.plan.tensorOverlap = false;
      return fixedChoicesText(choicesOf(each)) + order;
    };
    for (const PlannedConfiguration& each : answer.configurations) {
      if (!each.configuration.plan.tensorOverlap) {
        without[keyOf(each.configuration, each.matrix.text())] = each.estimate.seconds;
      }
    }
    int compared = 0;
    for (const PlannedConfiguration& each : answer.configurations) {
      if (!each.configuration.plan.tensorOverlap) continue;
      const auto found = without.find(keyOf(each.configuration, each.matrix.text()));
      QVERIFY(found != without.end());
      QVERIFY(each.estimate.seconds <= found->second);
      ++compared;
    }
    QVERIFY(compared > 20);
    question.everyVariant = question.exhaustive = false;
    QCOMPARE(answerOf(question).value().configurations.front().estimate.seconds,
             answer.configurations.front().estimate.seconds);
  }

  // The flags of a plan with the overlap name it, and what it needs.
  void flagsNameIt() {
    for (const char* framework : {"megatron", "torchtitan"}) {
      TrainingQuestion question = questionOf("llama3-8b", "dgx-h100:2", 64, framework);
      question.fixed = fixedChoicesFrom("tp=4").value();
      const PlannedConfiguration planned = answerOf(question).value().configurations.front();
      QVERIFY(planned.configuration.plan.tensorOverlap);
      const std::string text = launchTextOf(question.model, question.system, planned);
      const bool megatron = std::string_view(framework) == "megatron";
      QVERIFY(text.find(megatron ? "--tp-comm-overlap\n" : "--compile.enable_async_tensor_parallel\n") !=
              std::string::npos);
      QVERIFY(megatron || text.find("--compile.enable\n") != std::string::npos);
    }
  }
};

QTEST_GUILESS_MAIN(TestTensorOverlap)
#include "tst_tensor_overlap.moc"
