// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "tests/core/training_answer/training_inputs.h"
#include "training/frameworks.h"
#include "training_answer/training_evaluation.h"

using namespace p2;

/// Configurations of which some choices are typed, and which the planner completes.
class TestOwnChoices : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  /// No order of DeepSpeed places these degrees in a node: only rank files do.
  void choicesMayNeedARankFile() {
    TrainingInput input = test::inputFor("mixtral-8x7b", "dgx-h100:4", 64);
    input.question.frameworks = {test::valueOf(trainingFrameworkFrom("deepspeed"))};
    const auto own = ownFromChoices(input, "tp=8");
    QVERIFY2(own.ok(), own.ok() ? "" : own.error().text().c_str());
    QVERIFY(own->stated.matrix.has_value());
    const auto evaluation = evaluateTraining(input, own->stated, own->configuration);
    QVERIFY(evaluation.ok());
    QVERIFY(evaluation->fits && !evaluation->refused);
    QCOMPARE(evaluation->mine.matrix.text(), *own->stated.matrix);
  }

  /// Where no configuration with the choices fits, the smallest is priced and the choices that must go are named.
  void choicesThatFitNowhereAreEvaluated() {
    const TrainingInput input = test::inputFor("llama3-70b", "dgx-h100:8", 16);
    const auto own = ownFromChoices(input, "tp=4,pp=1,cp=1,zero=1");
    QVERIFY2(own.ok(), own.ok() ? "" : own.error().text().c_str());
    const auto evaluation = evaluateTraining(input, own->stated, own->configuration);
    QVERIFY(evaluation.ok());
    QVERIFY(!evaluation->fits && !evaluation->refused);
    QVERIFY(!evaluation->changes.empty());
    for (const TrainingChange& each : evaluation->changes) {
      QVERIFY(each.planned.memory.total() + evaluation->reserve <= evaluation->memory);
    }
    QVERIFY(!ownFromChoices(input, "tp=3").ok());
    QVERIFY(!ownFromChoices(input, "tp=eight").ok());
  }
};

QTEST_APPLESS_MAIN(TestOwnChoices)
#include "tst_own_choices.moc"
