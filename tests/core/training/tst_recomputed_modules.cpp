// SPDX-License-Identifier: GPL-3.0-or-later
// Selective recomputation of single modules, next to steps that NVIDIA measured with and without them
// (Megatron-Bridge 067f987, skills/nemo-mbridge-perf-activation-recompute/card.yaml).
#include <QtTest>

#include "support/filled.h"
#include "support/fixtures.h"
#include "support/warnings.h"
#include "tests/core/training/planner_questions.h"
#include "training/model_argument.h"

using namespace p2;
using test::answerOf;
using test::questionOf;

namespace {

/// Moonlight 16B-A3B by its config.json: one dense layer and 26 with experts, latent attention without a rank of
/// queries.
ModelShape moonlight() {
  ModelShape model = modelFromArgument("deepseek-v3").value().shape;
  model.layers = 27;
  model.hidden = 2048;
  model.heads = model.kvHeads = 16;
  model.ffn = 11264;
  model.vocabulary = 163840;
  model.qRank = 0;
  model.experts = 64;
  model.expertsPerToken = 6;
  model.expertFfn = 1408;
  model.sharedFfn = 2816;
  model.denseLayers = 1;
  model.expertGroups = model.groupsPerToken = 0;
  return resolved(model);
}

/// The fastest step of choices, as if it fitted.
PlannedConfiguration planned(TrainingQuestion question, const std::string& choices) {
  question.fixed = test::valueOf(fixedChoicesFrom(choices));
  question.listsLarge = true;
  const TrainingAnswer answer = test::valueOf(answerOf(question));
  return answer.configurations.empty() ? answer.large.front() : answer.configurations.front();
}

TrainingQuestion moonlightQuestion() {
  TrainingQuestion question = questionOf("llama3-8b", "dgx-h100:1", 4, "megatron");
  question.model = moonlight();
  return question;
}
constexpr const char* kMoonlight = "tp=2,pp=1,cp=1,ep=8,etp=1,zero=1,microbatch=1,sp=yes,tp_overlap=no,ep_overlap=no,";

}  // namespace

class TestRecomputedModules : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }

  // 8 H100, tp 2, ep 8, one sequence of 4,096 tokens each: a step of launches more than of kernels. The MLP of the one
  // dense layer is measured with 3 % of the step, which is the noise of these runs. The recipe's optimizer keeps
  // moments in 16 bits, so that the whole memory does not compare.
  void timesAndMemoryAreThoseMeasured() {
    struct Measured {
      const char* recompute;
      double milliseconds;
      double gigabytes;
    };
    const PlannedConfiguration plain = planned(moonlightQuestion(), std::string(kMoonlight) + "recompute=none");
    qInfo("none: measured 457 ms and 36.6 GB, predicted %.0f ms and %.1f GB", 1e3 * plain.estimate.seconds,
          plain.memory.total() / 1e9);
    std::vector<double> errors;
    for (const Measured& each : {Measured{"mla_up_proj", 480.89, 35.902}, Measured{"mla_up_proj+mlp", 496.73, 35.917},
                                 Measured{"moe_act", 466.26, 35.941}, Measured{"layernorm+moe_act", 506.53, 35.949}}) {
      const PlannedConfiguration made =
          planned(moonlightQuestion(), std::string(kMoonlight) + "recompute=" + each.recompute);
      const double slower = made.estimate.seconds / plain.estimate.seconds;
      const double saved = (plain.memory.total() - made.memory.total()) / 1e9;
      qInfo("%-18s measured %.3f times as long and %.2f GB less, predicted %.3f and %.2f", each.recompute,
            each.milliseconds / 457.18, 36.618 - each.gigabytes, slower, saved);
      QVERIFY(slower > 1 && saved >= 0);
      // With two modules another moment of the step holds most.
      if (QString(each.recompute).contains('+')) {
        QVERIFY(saved > 36.618 - each.gigabytes);
      } else {
        QVERIFY(std::abs(saved / (36.618 - each.gigabytes) - 1) < 0.4);
      }
      errors.push_back(std::abs(slower - each.milliseconds / 457.18));
    }
    std::sort(errors.begin(), errors.end());
    QVERIFY(errors[1] < 0.04 && errors.back() < 0.1);
  }

  // Llama 3 70B on 32 H100 in 8 bits: 704 TFLOP/s with attention's core alone, 593.6 with the MLP, 702 with norms,
  // which are fused with the products after them.
  void wholeMlpsCostWhatTheyDo() {
    TrainingQuestion question = questionOf("llama3-70b", "dgx-h100:4", 32, "megatron");
    question.precision = ProductPrecision::Fp8;
    const std::string choices = "tp=4,pp=4,vpp=5,cp=1,zero=1,microbatch=1,sp=yes,layers=even,tp_overlap=no,recompute=";
    const double plain = planned(question, choices + "none").estimate.seconds;
    const double mlp = planned(question, choices + "mlp").estimate.seconds;
    const double norms = planned(question, choices + "layernorm").estimate.seconds;
    qInfo("measured %.3f times as long with the MLP, predicted %.3f", 704 / 593.6, mlp / plain);
    QVERIFY(std::abs(mlp / plain - 704 / 593.6) < 0.06);
    QCOMPARE(norms, plain);
  }

  // Each module costs time and saves memory, whole layers most of both.
  void modulesLieBetweenNoneAndFull() {
    for (const char* name : {"deepseek-v3", "qwen3-30b-a3b", "llama3-8b"}) {
      TrainingQuestion question = questionOf("llama3-8b", "dgx-h100:4", 256, "megatron");
      question.model = modelFromArgument(name).value().shape;
      const std::string choices = std::string("tp=2,pp=4,vpp=1,cp=1,zero=1,microbatch=1,ep_overlap=no,layers=even,") +
                                  (question.model.experts > 0 ? "ep=8,etp=1," : "") + "recompute=";
      if (question.model.layers % 4 != 0) question.model.layers = 60;
      const PlannedConfiguration none = planned(question, choices + "none");
      const PlannedConfiguration full = planned(question, choices + "full");
      for (const RecomputedModules& modules : test::filled(question.frameworks[0]->recomputedModules(question.model))) {
        const std::string text = recomputationName({RecomputeKind::Selective, modules});
        const PlannedConfiguration made = planned(question, choices + text);
        QVERIFY2(made.estimate.seconds > none.estimate.seconds && made.estimate.seconds < full.estimate.seconds,
                 text.c_str());
        QVERIFY2(made.memory.total() < none.memory.total() && made.memory.total() > full.memory.total(), text.c_str());
        QVERIFY(made.estimate.parts.recompute > 0);
      }
    }
  }

  // Modules are tried where the memory asks for them alone: the answer is that of a search without bounds.
  void modulesAreFoundWhereMemoryIsShort() {
    TrainingQuestion question = questionOf("mixtral-8x7b", "dgx-h100:4", 64, "megatron");
    question.fixed = test::valueOf(fixedChoicesFrom("tp=2,pp=2,cp=1,sp=yes"));
    question.reserve = 40e9;
    question.best = 5;
    const TrainingAnswer pruned = test::valueOf(answerOf(question));
    question.exhaustive = true;
    const TrainingAnswer all = test::valueOf(answerOf(question));
    QCOMPARE(pruned.configurations.size(), all.configurations.size());
    bool recomputes = false;
    for (std::size_t i = 0; i < all.configurations.size(); ++i) {
      QCOMPARE(pruned.configurations[i].configuration, all.configurations[i].configuration);
      recomputes = recomputes || !all.configurations[i].configuration.recomputedModules.empty();
    }
    QVERIFY(recomputes);
  }

  void choicesAreReadAndWritten() {
    for (const char* text :
         {"none", "selective", "full", "moe_act", "layernorm+mla_up_proj+moe_act", "core_attn+mlp"}) {
      QCOMPARE(recomputationName(test::valueOf(recomputeChoiceFrom(text))), std::string(text));
    }
    QCOMPARE(recomputationName(test::valueOf(recomputeChoiceFrom("moe_act+layernorm"))),
             std::string("layernorm+moe_act"));
    QCOMPARE(recomputationName(test::valueOf(recomputeChoiceFrom("core_attn"))), std::string("selective"));
    QCOMPARE(recomputationText(test::valueOf(recomputeChoiceFrom("moe_act+mlp+layernorm"))),
             std::string("recomputation of layernorm, moe_act and mlp"));
    const auto unknown = recomputeChoiceFrom("moe_act+norm");
    QVERIFY(!unknown.ok());
    QVERIFY(unknown.error().message.find("core_attn, layernorm, mla_up_proj") != std::string::npos);
  }

  void whatMegatronRefuses_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("choices");
    QTest::addColumn<QString>("rule");
    QTest::newRow("latent") << "llama3-8b"
                            << "recompute=mla_up_proj"
                            << "recomputed modules are in the model";
    QTest::newRow("experts") << "llama3-8b"
                             << "recompute=moe_act"
                             << "recomputed modules are in the model";
    QTest::newRow("overlap") << "qwen3-30b-a3b"
                             << "recompute=moe,tp=1,pp=1,ep=8,ep_overlap=yes"
                             << "ep overlap needs virtual stages";
  }
  void whatMegatronRefuses() {
    QFETCH(QString, model);
    QFETCH(QString, choices);
    QFETCH(QString, rule);
    TrainingQuestion question = questionOf("llama3-8b", "dgx-h100:2", 64, "megatron");
    question.model = modelFromArgument(model.toStdString()).value().shape;
    question.fixed = test::valueOf(fixedChoicesFrom(choices.toStdString()));
    const auto answer = answerOf(question);
    QVERIFY(!answer.ok());
    QVERIFY2(answer.error().message.find(rule.toStdString()) != std::string::npos, answer.error().message.c_str());
  }
};

QTEST_GUILESS_MAIN(TestRecomputedModules)
#include "tst_recomputed_modules.moc"
