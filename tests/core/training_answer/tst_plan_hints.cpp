// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "training_answer/configuration_text.h"
#include "training_answer/plan_hints.h"
#include "workspace/presets.h"

using namespace p2;

namespace {

QString textOf(const std::optional<PlanHint>& hint) { return hint ? QString::fromStdString(hint->text) : QString(); }

/// A plan of as many seconds with a number of tensor ranks and of stages.
PlannedConfiguration planned(double seconds, std::int64_t tensor, std::int64_t pipeline) {
  PlannedConfiguration made;
  made.framework = trainingFrameworkFrom("megatron").value();
  made.estimate.seconds = seconds;
  made.configuration.plan.tensor = tensor;
  made.configuration.plan.pipeline = pipeline;
  return made;
}

}  // namespace

class TestPlanHints : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void batchesAreNextToTheGivenOne_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<int>("batch");
    QTest::addColumn<QString>("hint");
    QTest::newRow("three") << "dgx-h100:12" << 512
                           << "512 sequences do not divide by 3, a factor of the 96 devices; more degrees divide 528";
    QTest::newRow("eleven") << "dgx-h100:11" << 512
                            << "512 sequences do not divide by 11, a factor of the 88 devices; more degrees divide 528";
    QTest::newRow("divides") << "dgx-h100:12" << 768 << "";
    QTest::newRow("powers of two") << "dgx-h100:16" << 512 << "";
    QTest::newRow("none near") << "dgx-h100:12" << 64 << "";
  }
  void batchesAreNextToTheGivenOne() {
    QFETCH(QString, system);
    QFETCH(int, batch);
    QFETCH(QString, hint);
    TrainingQuestion question;
    question.system = test::valueOf(parseSystem(system.toStdString()));
    question.batch = batch;
    QCOMPARE(textOf(batchHint(question)), hint);
  }

  void tiesWithMoreRoomAreNamed() {
    TrainingAnswer answer;
    answer.memory = 80e9;
    answer.reserve = 6e9;
    answer.configurations.resize(3);
    const auto needs = [&](std::size_t row, std::int64_t tensor, double bytes) {
      answer.configurations[row].configuration.plan.tensor = tensor;
      answer.configurations[row].memory.activations = bytes;
    };
    needs(0, 1, 73.5e9);
    needs(1, 2, 60e9);
    needs(2, 4, 50e9);
    // Without a tie that has room, the first place that has it is named with its price.
    answer.configurations[1].estimate.seconds = 2.5;
    const QString roomy = textOf(memoryHint(answer));
    QVERIFY2(roomy.startsWith("the first fills the memory; the first row with a tenth of it free, tp 2 ") &&
                 roomy.endsWith(", takes 2.50 s"),
             qPrintable(roomy));
    answer.configurations[0].tiesWith = {1, 2};
    const QString hint = textOf(memoryHint(answer));
    QVERIFY2(hint.startsWith("the first fills the memory; tp 4") && hint.endsWith("leaves 23.5 GB more"),
             qPrintable(hint));
    answer.configurations[0].tiesWith = {1};
    QVERIFY(textOf(memoryHint(answer)).contains("tp 2"));
    needs(1, 2, 70e9);  // is nearly as full
    QVERIFY(textOf(memoryHint(answer)).contains("with a tenth of it free, tp 4"));
    needs(2, 4, 70e9);
    QVERIFY(!memoryHint(answer));
    needs(0, 1, 60e9);  // has room
    QVERIFY(!memoryHint(answer));
  }

  void simplerPlansWithinTheNoiseAreNamed() {
    TrainingAnswer answer;
    answer.memory = 80e9;
    answer.configurations = {planned(1, 2, 4), planned(1.01, 2, 1), planned(1.02, 1, 1), planned(1.04, 1, 1)};
    QVERIFY(!simplerHint(answer));  // no ties
    answer.configurations[0].tiesWith = {1};
    QVERIFY2(textOf(simplerHint(answer)).endsWith(" is 1.0 % slower, less than repeated runs differ"),
             qPrintable(textOf(simplerHint(answer))));
    QVERIFY(textOf(simplerHint(answer)).startsWith("the simpler tp 2"));
    answer.configurations[0].tiesWith = {1, 2, 3};
    QCOMPARE(simplerHint(answer)->place, std::optional<std::size_t>(2));
    answer.configurations[2].framework = trainingFrameworkFrom("torchtitan").value();
    QVERIFY(textOf(simplerHint(answer)).contains(" with TorchTitan is 2.0 % slower"));
    answer.configurations[2].estimate.seconds = 1.05;  // farther than runs differ
    QCOMPARE(simplerHint(answer)->place, std::optional<std::size_t>(1));
    answer.configurations[0] = planned(1, 1, 1);
    answer.configurations[0].tiesWith = {1, 2, 3};
    QVERIFY(!simplerHint(answer));  // nothing is simpler than data parallelism alone
  }

  void aConfigurationIsNamedByOneHint() {
    TrainingQuestion question;
    question.system = test::valueOf(parseSystem("dgx-h100:16"));
    question.batch = 512;
    TrainingAnswer answer;
    answer.memory = 80e9;
    answer.configurations = {planned(1, 2, 4), planned(1.01, 2, 1), planned(1.02, 1, 1)};
    answer.configurations[0].memory.activations = 79e9;
    answer.configurations[0].tiesWith = {1, 2};
    answer.configurations[1].memory.activations = 60e9;
    answer.configurations[2].memory.activations = 50e9;
    std::vector<PlanHint> hints = planHints(question, answer);
    QCOMPARE(hints.size(), std::size_t(1));
    QCOMPARE(hints[0].place, std::optional<std::size_t>(2));
    answer.configurations[2].memory.activations = 70e9;
    hints = planHints(question, answer);
    QCOMPARE(hints.size(), std::size_t(2));
    QCOMPARE(hints[0].place, std::optional<std::size_t>(1));
    QCOMPARE(hints[1].place, std::optional<std::size_t>(2));
  }

  void recomputedPartsAreNamed() {
    TrainingConfiguration configuration;
    configuration.plan.microbatch = configuration.plan.microbatches = 1;
    configuration.recomputation = RecomputeKind::Selective;
    const auto words = [&] { return QString::fromStdString(explainBatches(configuration).at(1)); };
    configuration.family = FrameworkFamily::MegatronCore;
    QVERIFY2(words().contains("the core of attention"), qPrintable(words()));
    configuration.recomputedModules = {RecomputedModule::LayerNorm, RecomputedModule::ExpertActivation};
    QVERIFY2(words().contains("layernorm") && words().contains("moe_act") && !words().contains("attention"),
             qPrintable(words()));
    configuration.recomputedModules = {};
    configuration.family = FrameworkFamily::Fsdp;
    configuration.fusedAttention = true;
    QVERIFY2(words().contains("cheap operators"), qPrintable(words()));
  }

  // The first is ranked by what its framework gives; a rank file can make another one faster.
  void theFastestWithARankFileIsNamed() {
    TrainingAnswer answer;
    answer.configurations.resize(2);
    PlannedConfiguration& first = answer.configurations[0];
    PlannedConfiguration& other = answer.configurations[1];
    first.configuration.plan.tensor = 4;
    first.axes = {{"tensor", 4, false}};
    first.orders = {"Megatron-LM"};
    first.estimate.seconds = 5.25;
    other.configuration.plan.tensor = 2;
    other.axes = {{"tensor", 2, false}};
    other.estimate.seconds = 5.1;
    QVERIFY(other.needsRankFile());
    QVERIFY(rankFileHint(answer).has_value());
    QCOMPARE(rankFileHint(answer)->place, std::optional<std::size_t>(1));
    QVERIFY(textOf(rankFileHint(answer)).startsWith("with a rank file, "));
    QVERIFY(textOf(rankFileHint(answer)).endsWith(" takes 5.10 s"));
    other.estimate.seconds = 5.24;  // reads nearly the same
    QVERIFY(!rankFileHint(answer));
    other.estimate.seconds = 5.1;
    other.orders = {"Megatron-LM"};
    QVERIFY(!rankFileHint(answer));
  }
};

QTEST_APPLESS_MAIN(TestPlanHints)
#include "tst_plan_hints.moc"
