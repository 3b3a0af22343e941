// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/shell/session.h"
#include "views/shell/taken_workload.h"
#include "workload/generate/generator.h"
#include "workload/generate/training_recipe.h"
#include "workspace/presets.h"

using namespace p2;
using namespace p2::views;

/// The workload of a document while the cluster changes.
class TestFollowedWorkload : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    test::failOnWarnings();
    m_session = std::make_unique<Session>();
    m_session->reset(document());
  }
  void cleanup() { m_session.reset(); }

  void itFollowsTheNodesInOneStep() {
    const Workspace before = workspace();
    QSignalSpy followed(m_session.get(), &Session::followed);
    setNodes(32);
    QCOMPARE(axesText(), QString("pipeline 4 data 8 tensor 8"));
    QVERIFY(workspace().axes[1].reduce);
    QCOMPARE(workspace().workload->axes[1].size, std::int64_t(8));
    QVERIFY(checkWorkloadAxes(*workspace().workload, workspace().axes).ok());
    QVERIFY(!m_session->problem());
    QCOMPARE(followed.size(), 1);
    QCOMPARE(followed.front().front().toString(),
             QString("The workload follows the cluster: data parallelism 8 instead of 2, 16 microbatches instead of 64 "
                     "for each replica, the batch stays 128."));
    m_session->undoStack().undo();
    QCOMPARE(workspace(), before);
    m_session->undoStack().redo();
    QCOMPARE(workspace().workload->training->plan.data, std::int64_t(8));
  }

  // Twelve nodes hold three replicas, which cannot share 128 sequences; they must not decide about sixteen.
  void nodesInBetweenLeaveNothing() {
    for (const std::int64_t nodes : {12, 10, 16}) setNodes(nodes, "nodes");
    QCOMPARE(workspace().workload->training->plan.data, std::int64_t(4));
    QCOMPARE(workspace().workload->training->plan.globalBatch, std::int64_t(128));
    setNodes(8, "nodes");
    QCOMPARE(m_session->undoStack().count(), 0);
  }

  void otherChangesOfTheClusterLeaveIt() {
    Workspace next = workspace();
    next.system.levels.back().interconnect.bandwidth /= 2;
    QSignalSpy followed(m_session.get(), &Session::followed);
    m_session->edit("Slower", next);
    QCOMPARE(workspace().workload, document().workload);
    QVERIFY(followed.isEmpty());
  }

  void whatTheUserChangedStays_data() {
    QTest::addColumn<bool>("imported");
    QTest::newRow("edited") << false;
    QTest::newRow("imported") << true;
  }
  void whatTheUserChangedStays() {
    QFETCH(bool, imported);
    Workspace changed = document();
    if (imported) {
      changed.workload->training.reset();
    } else {
      changed.workload->collectives.front().bytes *= 2;
    }
    m_session->reset(changed);
    setNodes(32);
    QCOMPARE(workspace().workload, changed.workload);
    QCOMPARE(workspace().axes, changed.axes);
  }

  // An axis that stays inside a node still does.
  void limitsOfAxesStay() {
    Workspace limited = workspace();
    limited.axes[2].inside = "node";
    m_session->edit("Limit", limited);
    setNodes(32);
    QCOMPARE(workspace().axes[2].inside, std::string("node"));
  }

 private:
  static Workspace document() {
    TrainingPlan plan;
    plan.devices = 64;
    plan.tensor = 8;
    plan.pipeline = 4;
    plan.globalBatch = 128;
    Workspace workspace = test::workspaceOf("dgx-h100:8", "data=64", "data");
    auto generated = test::valueOf(generateWorkload(test::valueOf(bundledRecipe("llama3-70b")).model, plan));
    return withWorkload(std::move(workspace), std::move(generated.workload));
  }
  [[nodiscard]] const Workspace& workspace() const { return *m_session->workspace(); }
  void setNodes(std::int64_t nodes, const QString& mergeKey = {}) {
    m_session->edit("Nodes", withSystem(workspace(), test::valueOf(presetSystem("dgx-h100", nodes))), mergeKey);
  }
  [[nodiscard]] QString axesText() const {
    QStringList axes;
    for (const Axis& axis : workspace().axes) axes += QString("%1 %2").arg(axis.name.c_str()).arg(axis.size);
    return axes.join(' ');
  }

  std::unique_ptr<Session> m_session;
};

QTEST_GUILESS_MAIN(TestFollowedWorkload)
#include "tst_followed_workload.moc"
