// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <numeric>

#include "compare/machine_comparison.h"
#include "support/filled.h"
#include "support/fixtures.h"
#include "support/warnings.h"
#include "system/part_states.h"
#include "training_answer/document_training.h"

using namespace p2;
using p2::test::valueOf;

namespace {

System systemOf(const char* name) { return valueOf(systemFromArgument(name)); }

TrainingInput inputOn(const char* system) {
  TrainingChoice choice;
  choice.model = "llama3-8b";
  choice.batch = 128;
  return valueOf(trainingInputOf(systemOf(system), choice));
}

bool sumsToSteps(const StepComparison& comparison) {
  double a = 0;
  double b = 0;
  for (const PartPair& part : comparison.parts()) {
    a += part.a;
    b += part.b;
  }
  const double whole = comparison.kept ? comparison.kept->planned.estimate.seconds : 0;
  return qFuzzyCompare(1 + a, 1 + comparison.a.planned.estimate.seconds) && qFuzzyCompare(1 + b, 1 + whole);
}

}  // namespace

class TestMachineComparison : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void partsSumToTheSteps() {
    const StepComparison comparison = valueOf(compareSteps(inputOn("dgx-h100:2"), systemOf("dgx-b200:2")));
    QVERIFY(comparison.kept && !comparison.isChosen);
    QVERIFY(sumsToSteps(comparison));
    const auto part = comparison.decidingPart();
    QVERIFY(part);
    QCOMPARE(QString::fromStdString(part->name), QString("computation"));
    QVERIFY(part->b < part->a);
  }

  void theSameMachineDiffersInNothing() {
    const StepComparison comparison = valueOf(compareSteps(inputOn("dgx-h100:2"), systemOf("dgx-h100:2")));
    QVERIFY(!comparison.decidingPart());
    QVERIFY(!comparison.bestChanges());
    for (const PartPair& part : test::filled(comparison.parts())) QCOMPARE(part.a, part.b);
  }

  void theChosenConfigurationIsKept() {
    const ChosenConfiguration chosen{"megatron", "tp=8,pp=2", {}};
    const System slow = valueOf(withState(systemOf("dgx-h100:2"), "NIC 0 of node 1: 2%"));
    const StepComparison comparison = valueOf(compareSteps(inputOn("dgx-h100:2"), slow, chosen));
    QVERIFY(comparison.isChosen && comparison.kept);
    for (const StepSide* side : {&comparison.a, &*comparison.kept}) {
      QCOMPARE(side->planned.configuration.plan.tensor, std::int64_t{8});
      QCOMPARE(side->planned.configuration.plan.pipeline, std::int64_t{2});
    }
    QVERIFY(sumsToSteps(comparison));
    // Stages are on different nodes, and only their exchange crosses the NICs.
    const auto part = comparison.decidingPart();
    QVERIFY(part && part->axis == ExposedAxis::Pipeline);
    const std::string& link = comparison.kept->links[std::size_t(ExposedAxis::Pipeline)];
    QVERIFY2(link.find("NIC 0 of node 1") != std::string::npos, link.c_str());
  }

  void aChoiceThatCannotRunLeavesTheBest() {
    const ChosenConfiguration chosen{"megatron", "tp=8,pp=4", {}};
    const StepComparison comparison = valueOf(compareSteps(inputOn("dgx-h100:2"), systemOf("dgx-h100:4"), chosen));
    QVERIFY(!comparison.isChosen);
    QVERIFY(!comparison.chosenProblem.empty());
    QVERIFY(comparison.kept);
  }
};

QTEST_MAIN(TestMachineComparison)
#include "tst_machine_comparison.moc"
