// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/warnings.h"
#include "tests/core/training/planner_questions.h"

using namespace p2;
using test::answerOf;
using test::questionOf;

class TestFixedChoices : public QObject {
  Q_OBJECT

 private slots:
  void init() { p2::test::failOnWarnings(); }

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

  // Overlap of tensor parallelism and the kind of context parallelism are choices like degrees.
  void overlapAndKindCanBeFixed() {
    const std::string text = "tp=2,pp=1,cp=2,zero=1,sp=yes,tp_overlap=yes,cp_kind=a2a";
    TrainingQuestion question = questionOf("llama3-8b", "dgx-h100:2", 64, "megatron");
    question.fixed = fixedChoicesFrom(text).value();
    QCOMPARE(fixedChoicesText(question.fixed), text);
    const auto fixed = answerOf(question);
    QVERIFY(fixed.ok());
    for (const PlannedConfiguration& each : fixed->configurations) {
      QVERIFY(each.configuration.plan.tensorOverlap);
      QCOMPARE(each.configuration.plan.contextCollective, ContextCollective::AllToAll);
    }
    const FixedChoices made = choicesOf(fixed->configurations.front().configuration);
    QVERIFY(made.tensorOverlap == true && made.contextKind == ContextCollective::AllToAll);
    question.fixed.tensorOverlap = false;
    const auto plain = answerOf(question);
    QVERIFY(plain.ok());
    QVERIFY(fixed->configurations.front().estimate.seconds < plain->configurations.front().estimate.seconds);
  }

  void choicesAreReadAsTheyAreTyped() {
    const FixedChoices stated = fixedChoicesFrom("tp=8,pp=4,vpp=2,microbatch=1,schedule=interleaved").value();
    for (const char* typed :
         {"tp=8, pp=4, vpp=2, microbatch=1, schedule=interleaved", "tp 8, pp 4, vpp 2, micro batch 1, schedule = 1f1b",
          " tp8,pp4,vpp2,microbatch1,schedule=interleaved 1F1B"}) {
      const auto read = fixedChoicesFrom(typed);
      QVERIFY2(read.ok(), read.ok() ? "" : read.error().message.c_str());
      QVERIFY2(*read == stated, typed);
    }
    QCOMPARE(fixedChoicesText(stated), std::string("tp=8,pp=4,vpp=2,microbatch=1,schedule=interleaved"));
  }

  // Full names are the same keys.
  void fullNamesAreKeys() {
    const auto read = fixedChoicesFrom("tensor=4, pipeline=2, data=8, context=1, expert=16, sequence=yes");
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().message.c_str());
    QVERIFY(*read == fixedChoicesFrom("tp=4,pp=2,dp=8,cp=1,ep=16,sp=yes").value());
    QVERIFY(isChoiceList("tensor=4"));
    QCOMPARE(fixedChoicesFrom("tensor=4,tp=4").error().message,
             std::string("tp is fixed twice; keep one of its values"));
    QCOMPARE(fixedChoicesFrom("sequence=4096").error().message, std::string("sp is yes or no, not \"4096\""));
  }

  // The names that the projects and their users have.
  void frameworksHaveOtherNames() {
    for (const char* name : {"megatron", "megatron-lm", "Megatron-LM", "megatron-core", "Megatron-Core"}) {
      const auto framework = trainingFrameworkFrom(name);
      QVERIFY2(framework.ok(), name);
      QCOMPARE(std::string((*framework)->name), std::string("megatron"));
    }
    QVERIFY(!trainingFrameworkFrom("megatron-").ok());
    QVERIFY(!trainingFrameworkFrom("").ok());
  }

  void degreesThatDoNotDivideAreTheReason() {
    TrainingQuestion question = questionOf("llama3-8b", "dgx-h100:16", 768, "megatron");
    question.fixed = fixedChoicesFrom("tp=2,pp=3").value();
    const auto answer = answerOf(question);
    QVERIFY(!answer.ok());
    QCOMPARE(answer.error().message, std::string("tp 2 × pp 3 does not divide 128 devices; change these degrees"));
    // Their product is beyond 64 bits.
    question.fixed = fixedChoicesFrom("tp=65536,cp=65536,pp=65536,dp=16777216").value();
    const auto large = answerOf(question);
    QVERIFY(!large.ok());
    QCOMPARE(
        large.error().message,
        std::string("tp 65536 × cp 65536 × pp 65536 × dp 16777216 does not divide 128 devices; change these degrees"));
  }

  void badChoicesAreRefused_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("error");
    QTest::newRow("no value") << "tp"
                              << "\"tp\" is not of the form key=value, as in tp=8,pp=4";
    QTest::newRow("unknown")
        << "tensors=8"
        << "\"tensors\" is not a choice that can be fixed; use tp, pp, vpp, cp, ep, etp, dp, "
           "replicas, mtp, zero, microbatch, sp, tp_overlap, ep_overlap, reshard, fp8_param_gather, fused_attention, "
           "cp_kind, dispatch, "
           "graphs, recompute, schedule or layers";
    QTest::newRow("range") << "zero=4"
                           << "\"4\" is not a value of zero; use 0 to 3";
    QTest::newRow("layers")
        << "layers=3+"
        << "\"3+\" does not list the layers of stages; write even, or numbers in the order of the model, as in "
           "3+14*4+2";
    QTest::newRow("two numbers") << "tp=1 6"
                                 << "\"1 6\" is not a value of tp; use 1 to 65536";
    QTest::newRow("twice") << "tp=8,pp=2,tp=4"
                           << "tp is fixed twice; keep one of its values";
    QTest::newRow("word") << "sp=maybe"
                          << "sp is yes or no, not \"maybe\"";
    QTest::newRow("kind") << "cp_kind=tree"
                          << "\"tree\" is not a kind of context parallelism; use one of ring, allgather, a2a, a2a+p2p";
  }
  void badChoicesAreRefused() {
    QFETCH(QString, text);
    QFETCH(QString, error);
    QCOMPARE(QString::fromStdString(fixedChoicesFrom(text.toStdString()).error().message), error);
  }
};

QTEST_GUILESS_MAIN(TestFixedChoices)
#include "tst_fixed_choices.moc"
