// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "workload/generate/generator.h"
#include "workload/generate/refit.h"
#include "workload/generate/training_recipe.h"

using namespace p2;

/// Workloads on another number of devices than they were made for.
class TestRefit : public QObject {
  Q_OBJECT

 private slots:
  // Llama 3 70B, tp 8 pp 4: 64 devices hold two replicas, 256 eight.
  void dataParallelismIsDerivedAnew() {
    const Workload before = workloadOn(64, 128);
    const Workload after = test::valueOf(generatedFor(before, 256));
    const TrainingPlan& plan = after.training->plan;
    QCOMPARE(plan.data, std::int64_t(8));
    QCOMPARE(plan.globalBatch, std::int64_t(128));
    QCOMPARE(plan.microbatches, std::int64_t(16));
    QVERIFY(isAsGenerated(after));
    QCOMPARE(test::valueOf(generatedFor(after, 64)), before);
  }

  // 128 sequences are not a multiple of three replicas: these keep their 64 microbatches.
  void aBatchThatCannotBeDividedFollows() {
    const Workload after = test::valueOf(generatedFor(workloadOn(64, 128), 96));
    const TrainingPlan& plan = after.training->plan;
    QCOMPARE(plan.data, std::int64_t(3));
    QCOMPARE(plan.microbatches, std::int64_t(64));
    QCOMPARE(plan.globalBatch, std::int64_t(192));
  }

  void whatTheUserSetStays() {
    Workload before = workloadOn(64, 128);
    before.name = "ours";
    before.slowdown = 1.2;
    before.computeSeconds = 4;
    QVERIFY(isAsGenerated(before));
    const Workload after = test::valueOf(generatedFor(before, 256));
    QCOMPARE(after.name, std::string("ours"));
    QCOMPARE(after.slowdown, std::optional(1.2));
    // A quarter of the microbatches for each replica.
    QCOMPARE(after.computeSeconds, std::optional(1.0));
  }

  void degreesThatDoNotDivideAreRefused() {
    const auto refused = generatedFor(workloadOn(64, 128), 48);
    QVERIFY(!refused.ok());
    QVERIFY2(refused.error().text().find("48") != std::string::npos, refused.error().text().c_str());
  }

  void editedAndImportedOnesAreNotAsGenerated() {
    Workload edited = workloadOn(64, 128);
    edited.collectives.front().bytes += 1;
    QVERIFY(!isAsGenerated(edited));
    Workload imported = workloadOn(64, 128);
    imported.training.reset();
    QVERIFY(!isAsGenerated(imported));
    QVERIFY(!generatedFor(imported, 128).ok());
  }

  void filesStayAsGenerated() {
    const Workload before = workloadOn(64, 128);
    QVERIFY(isAsGenerated(test::valueOf(workloadFromJson(workloadToJson(before)))));
  }

  void anImportedOneCanHaveOtherReplicas() {
    Workload imported = workloadOn(64, 128);
    imported.training.reset();
    const Workload after = test::valueOf(withDataOf(imported, 256));
    QCOMPARE(after.collectives, imported.collectives);
    std::int64_t product = 1;
    for (const Axis& axis : after.axes) product *= axis.size;
    QCOMPARE(product, std::int64_t(256));
    QCOMPARE(withDataOf(imported, 48).error().text(),
             std::string("the axes other than data do not divide 48 devices; open a workload for this system"));
    imported.axes = {{"x", 64, false}};
    for (WorkloadEntry& entry : imported.collectives) entry.axes = {"x"};
    QCOMPARE(withDataOf(imported, 256).error().text(),
             std::string("the workload has no axis called data; open one for this system"));
  }

 private:
  static Workload workloadOn(std::int64_t devices, std::int64_t batch) {
    TrainingPlan plan;
    plan.devices = devices;
    plan.tensor = 8;
    plan.pipeline = 4;
    plan.globalBatch = batch;
    return test::valueOf(generateWorkload(test::valueOf(bundledRecipe("llama3-70b")).model, plan)).workload;
  }
};

QTEST_APPLESS_MAIN(TestRefit)
#include "tst_refit.moc"
