// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <numeric>

#include "support/warnings.h"
#include "training/framework_placements.h"
#include "workload/generate/training_recipe.h"
#include "workspace/workspace.h"

using namespace p2;

/// Uneven loads of experts: by hand, and in the time and memory of a step.
class TestExpertLoad : public QObject {
  Q_OBJECT

 private slots:
  void init() { p2::test::failOnWarnings(); }

  void theFullestDeviceDecides() {
    const ExpertLoad load = expertLoadFrom("4 2\n1,1", 4).value();
    QCOMPARE(fullestLoad(load, 4, 4), 2.0);  // half of the copies at one of four
    QCOMPARE(fullestLoad(load, 4, 2), 1.5);  // 6 of 8 at one of two
    QCOMPARE(fullestLoad(load, 4, 1), 1.0);
    QCOMPARE(fullestLoad(expertLoadFrom("uniform", 4).value(), 4, 4), 1.0);
  }

  void capacityDropsTheRest() {
    ExpertLoad load = expertLoadFrom("4 2 1 1", 4).value();
    QCOMPARE(droppedShare(load, 4), 0.0);
    load.capacity = 1.5;
    QCOMPARE(fullestLoad(load, 4, 4), 1.5);
    QCOMPARE(droppedShare(load, 4), .125);  // (2 − 1.5) of 4 even parts
    load.capacity = 2;
    QCOMPARE(droppedShare(load, 4), 0.0);
  }

  void powerLawsGetMoreUneven() {
    double before = 1;
    for (const char* text : {"power:0", "power:0.5", "power:1", "power:2"}) {
      const ExpertLoad load = expertLoadFrom(text, 128).value();
      QVERIFY(std::abs(std::accumulate(load.shares.begin(), load.shares.end(), 0.0) - 1) < 1e-12);
      const double now = fullestLoad(load, 128, 8);
      QVERIFY(now >= before - 1e-12 && now <= 8);
      QVERIFY(fullestLoad(load, 128, 32) >= now);
      before = now;
    }
    QVERIFY(before > 2);
  }

  void refusesWhatIsNoLoad_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("words");
    QTest::newRow("count") << "1 2 3"
                           << "3 loads for 4 experts";
    QTest::newRow("word") << "1 2 x 4"
                          << "\"x\" is not a load";
    QTest::newRow("negative") << "1 2 -3 4"
                              << "\"-3\" is not a load";
    QTest::newRow("zeros") << "0 0 0 0"
                           << "all loads are 0";
    QTest::newRow("exponent") << "power:many"
                              << "is not an exponent";
  }
  void refusesWhatIsNoLoad() {
    QFETCH(QString, text);
    QFETCH(QString, words);
    const auto load = expertLoadFrom(text.toStdString(), 4);
    QVERIFY(!load.ok());
    QVERIFY2(QString::fromStdString(load.error().message).contains(words), load.error().message.c_str());
  }

  void aStepTakesLongerAndMoreMemory() {
    TrainingQuestion question;
    question.model = resolved(bundledRecipe("mixtral-8x7b").value().model);
    question.system = systemFromArgument("dgx-h100:8").value();
    question.batch = 256;
    question.sequence = 4096;
    question.frameworks = {trainingFrameworkFrom("megatron").value()};
    question.fixed = fixedChoicesFrom("tp=1,pp=4,ep=8,vpp=1,microbatch=1,recompute=full,cp=1,etp=1,zero=1").value();
    question.best = 1;
    const auto ask = [&](const char* text) {
      question.expertLoad = expertLoadFrom(text, 8).value();
      return planTraining(question, frameworkPlacements(question.model, question.system)).value();
    };
    const PlannedConfiguration even = ask("uniform").configurations.front();
    const PlannedConfiguration uneven = ask("3 1 1 1 1 1 1 1").configurations.front();
    QCOMPARE(uneven.configuration.expertImbalance, 2.4);
    QVERIFY(uneven.estimate.seconds > 1.2 * even.estimate.seconds);
    QVERIFY(uneven.estimate.seconds < 2.4 * even.estimate.seconds);
    QVERIFY(uneven.estimate.parts.imbalance > even.estimate.parts.imbalance);
    QVERIFY(std::abs(uneven.estimate.parts.inefficiency / even.estimate.parts.inefficiency - 1) < 1e-9);
    QVERIFY(std::abs(uneven.estimate.parts.sum() / uneven.estimate.seconds - 1) < 1e-9);
    QVERIFY(uneven.memory.activations > even.memory.activations);
    question.expertLoad.capacity = 1.25;
    const TrainingAnswer dropping =
        planTraining(question, frameworkPlacements(question.model, question.system)).value();
    QCOMPARE(dropping.configurations.front().configuration.expertImbalance, 1.25);
    QVERIFY(std::abs(dropping.droppedTokens - 1.15 / 8) < 1e-12);
  }
};

QTEST_GUILESS_MAIN(TestExpertLoad)
#include "tst_expert_load.moc"
