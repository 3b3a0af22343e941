// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QPushButton>
#include <QTableView>

#include "tests/views/workload/workload_desk.h"
#include "views/shell/taken_workload.h"
#include "workload/generate/generator.h"
#include "workload/generate/refit.h"
#include "workload/generate/training_recipe.h"

using namespace p2;
using namespace p2::views;

/// Workloads for another number of devices than the cluster has, and the button that makes them fit.
class TestWorkloadFit : public QObject, private test::WorkloadDesk {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() { setUp(); }
  void cleanup() { clearAway(); }
  void aWorkloadForOtherDevicesIsFitted();
  void anEditedWorkloadIsDerivedOnRequest();
};

// An imported workload for 256 devices, on 32 and on 20.
void TestWorkloadFit::aWorkloadForOtherDevicesIsFitted() {
  Workspace workspace = test::trainingStep();
  workspace.system = test::valueOf(parseSystem("dgx-h100:4"));
  workspace.axes = test::valueOf(withReduction(test::valueOf(parseAxes("data=4,tensor=8")), "data"));
  session->reset(workspace);
  QTRY_VERIFY(find<QLabel>("workloadMessage")->isVisible());
  QCOMPARE(stated("workloadMessage"), QString("✗ this workload is for 256 devices, and the cluster has 32"));
  QVERIFY(!find<QPushButton>("useWorkloadAxes")->isVisible());
  auto* fix = find<QPushButton>("fixWorkload");
  QCOMPARE(QString(fix->text()).remove('&'), QString("Set data to 4"));
  QTest::mouseClick(fix, Qt::LeftButton);
  QCOMPARE(session->workspace()->workload->axes[0].size, std::int64_t(4));
  QTRY_VERIFY(ranking()->model()->rowCount() > 0);
  QVERIFY(!fix->isVisible() && !find<QLabel>("workloadMessage")->isVisible());
  workspace.system = test::valueOf(parseSystem("node:5 gpu:4"));
  session->reset(workspace);
  QTRY_COMPARE(stated("workloadMessage"),
               QString("✗ this workload is for 256 devices, and the cluster has 20; start it "
                       "from a model, or open one for this cluster"));
  QVERIFY(!fix->isVisible());
}

// What a hand has changed is not given up without a click.
void TestWorkloadFit::anEditedWorkloadIsDerivedOnRequest() {
  TrainingPlan plan;
  plan.devices = 64;
  plan.tensor = 8;
  Workspace workspace = test::workspaceOf("dgx-h100:8", "data=64", "data");
  const auto generated = test::valueOf(generateWorkload(test::valueOf(bundledRecipe("llama3-8b")).model, plan));
  workspace = withWorkload(std::move(workspace), generated.workload);
  workspace.workload->collectives.front().bytes *= 2;
  session->reset(workspace);
  session->edit("Nodes", withSystem(workspace, test::valueOf(parseSystem("dgx-h100:4"))));
  auto* fix = find<QPushButton>("fixWorkload");
  QTRY_VERIFY(fix->isVisible());
  QCOMPARE(stated("workloadMessage"), QString("✗ this workload is for 64 devices, and the cluster has 32"));
  QCOMPARE(QString(fix->text()).remove('&'), QString("Derive it again"));
  QTest::mouseClick(fix, Qt::LeftButton);
  QVERIFY(isAsGenerated(workload()));
  QCOMPARE(workload().training->plan.data, std::int64_t(4));
  QVERIFY(checkAxes(session->workspace()->system, session->workspace()->axes).ok());
  QTRY_VERIFY(!fix->isVisible());
  session->undoStack().undo();
  QTRY_VERIFY(fix->isVisible());
}

QTEST_MAIN(TestWorkloadFit)
#include "tst_workload_fit.moc"
