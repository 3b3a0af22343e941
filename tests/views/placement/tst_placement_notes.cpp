// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/placement/placements_model.h"

using namespace p2;
using namespace p2::views;

/// What stands beside placements about the rest of a training step: the case in which one reduction alone gives the
/// worst advice.
class TestPlacementNotes : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void init() { test::failOnWarnings(); }
  void otherAxesWarn();
  void otherAxesThatDoNotSuffer();
  void noOtherAxes();
  void theWholeStep();
  void tiesAreNoWarning();
  void isBesideTheRightRow();
  void sortsByWhatTheySay();

 private:
  std::shared_ptr<const Exploration> m_exploration;
  std::shared_ptr<const OtherAxes> m_others;
  std::shared_ptr<const StepRanking> m_ranking;
};

namespace {

Workspace nodes(const std::string& reduce) {
  return test::workspaceOf("node:4@400GB/s gpu:8@450GB/s", "data=4,tensor=8", reduce);
}

/// The row of a matrix in enumeration order.
int rowOf(const Exploration& exploration, const char* matrix) {
  for (std::size_t row = 0; row < exploration.placements.size(); ++row) {
    if (exploration.placements[row].matrix.text() == matrix) return int(row);
  }
  qFatal("there is no %s", matrix);
}

/// Fully sharded data parallelism and tensor parallelism of a layer, 80 times.
Workload layers() {
  Workload workload;
  workload.name = "70B <b>";
  workload.axes = {{"data", 4}, {"tensor", 8}};
  const auto add = [&](const char* axis, CommunicationKind kind, std::int64_t bytes, std::int64_t count) {
    WorkloadEntry entry;
    entry.name = axis;
    entry.axes = {axis};
    entry.kind = kind;
    entry.bytes = bytes;
    entry.count = count;
    workload.collectives.push_back(entry);
  };
  add("data", CommunicationKind::AllReduce, 427'827'200, 80);
  add("tensor", CommunicationKind::AllReduce, 2'147'483'648, 480);
  return workload;
}

}  // namespace

void TestPlacementNotes::initTestCase() {
  const Workspace workspace = nodes("data");
  m_exploration = test::valueOf(exploreWorkspace(workspace, ExploreScope{}));
  m_others = test::valueOf(otherAxes(workspace));
  StepQuestion question;
  question.system = workspace.system;
  question.workload = layers();
  question.axes = workspace.axes;
  question.options = workspace.options;
  m_ranking = test::valueOf(rankSteps(question));
}

void TestPlacementNotes::otherAxesWarn() {
  const PlacementNotes notes(m_exploration, m_others);
  QCOMPARE(notes.kind(), PlacementNotes::Kind::OtherAxes);
  const int across = rowOf(*m_exploration, "[[1,4],[4,2]]");
  const int inside = rowOf(*m_exploration, "[[4,1],[1,8]]");
  QCOMPARE(m_exploration->bestPlacement, across);
  QCOMPARE(notes.text(across), QStringLiteral("▲ tensor 4.43×\n18.5 ms/GiB"));
  QVERIFY(notes.warns(across));
  QCOMPARE(notes.text(inside), QStringLiteral("tensor 1.00×\n4.18 ms/GiB"));
  QVERIFY(!notes.warns(inside));
  QVERIFY(notes.rank(inside) < notes.rank(across));
  QCOMPARE(notes.finding(),
           QStringLiteral("▲ The placements are ranked for data only. The best one makes tensor communicate across "
                          "nodes, 4.43× slower than it could. <a href=\"workload\">Add a workload</a> to rank by "
                          "everything that a training step "
                          "communicates."));
}

void TestPlacementNotes::otherAxesThatDoNotSuffer() {
  const Workspace workspace = test::workspaceOf("node:2 gpu:4", "data=2,model=2,shards=2", "data");
  const auto exploration = test::valueOf(exploreWorkspace(workspace, ExploreScope{}));
  OtherAxes others;
  for (const PlacementResult& placement : exploration->placements) {
    others[placement.matrix] = {{"model", "gpu", true, "node", 1.0, 1.0}, {"shards", "gpu", true, "node", 1.5, 1.5}};
  }
  const PlacementNotes notes(exploration, std::make_shared<const OtherAxes>(others));
  QVERIFY(notes.finding().startsWith("The best placement for data makes no other axis more than 1.50× slower."));
  QCOMPARE(notes.text(0), QStringLiteral("shards 1.50×\n1.50 s/GiB"));
  QCOMPARE(notes.tip(0), QStringLiteral("model within a node: 1.00 s/GiB\n"
                                        "shards within a node: 1.50 s/GiB, 1.50× its best"));
}

void TestPlacementNotes::noOtherAxes() {
  const Workspace workspace = nodes("data,tensor");
  const auto exploration = test::valueOf(exploreWorkspace(workspace, ExploreScope{}));
  const PlacementNotes notes(exploration, test::valueOf(otherAxes(workspace)));
  QCOMPARE(notes.kind(), PlacementNotes::Kind::None);
  QCOMPARE(notes.text(0), QString());
  QCOMPARE(notes.finding(), QString());
  QCOMPARE(PlacementNotes().finding(), QString());
}

void TestPlacementNotes::theWholeStep() {
  const PlacementNotes notes(m_exploration, m_ranking);
  QCOMPARE(notes.kind(), PlacementNotes::Kind::Step);
  const int across = rowOf(*m_exploration, "[[1,4],[4,2]]");
  const int inside = rowOf(*m_exploration, "[[4,1],[1,8]]");
  // 480 tensors of 2 GiB and 80 of 427,827,200 bytes, both reduced: 17.9 s, of which 17.75 are 480 · 2 · 18.49 ms.
  QCOMPARE(notes.text(across), QStringLiteral("17.9 s"));
  QVERIFY(notes.isBest(inside) && !notes.isBest(across));
  QVERIFY(notes.rank(inside) < notes.rank(across));
  QVERIFY(notes.tip(inside).contains("Megatron-LM"));
  const QString finding = notes.finding();
  QVERIFY2(finding.contains(QStringLiteral("● <a href=\"%1\">[[4,1],[1,8]]</a> is best for 70B &lt;b&gt;: "
                                           "5.04 s of communication per step")
                                .arg(inside)),
           qPrintable(finding));
  QVERIFY2(finding.contains(QStringLiteral("<a href=\"%1\">best for data alone</a> would take 17.9 s").arg(across)),
           qPrintable(finding));
}

// Reduced over everything all placements take as long, and the best for the step is the best for that as well.
void TestPlacementNotes::tiesAreNoWarning() {
  const auto exploration = test::valueOf(exploreWorkspace(nodes("data,tensor"), ExploreScope{}));
  const int inside = rowOf(*exploration, "[[4,1],[1,8]]");
  QVERIFY(exploration->bestPlacement != inside);
  const PlacementNotes notes(exploration, m_ranking);
  QVERIFY2(notes.finding().endsWith(", and also best for data, tensor alone."), qPrintable(notes.finding()));
}

void TestPlacementNotes::isBesideTheRightRow() {
  PlacementsModel model;
  model.setExploration(m_exploration);
  QCOMPARE(model.index(0, PlacementsModel::OtherAxes).data().toString(), QString());
  model.setNotes(PlacementNotes(m_exploration, m_others), false);
  const int across = rowOf(*m_exploration, "[[1,4],[4,2]]");
  QVERIFY(model.index(across, PlacementsModel::OtherAxes).data().toString().startsWith("▲"));
  const QColor warning = model.index(across, PlacementsModel::OtherAxes).data(Qt::ForegroundRole).value<QColor>();
  QVERIFY(warning.isValid());
  QVERIFY(!model.index(across, PlacementsModel::BestTime).data(Qt::ForegroundRole).isValid());
  model.setNotes(PlacementNotes(m_exploration, m_others), true);
  QVERIFY(model.index(across, PlacementsModel::OtherAxes).data(Qt::ForegroundRole).value<QColor>() != warning);
  model.setNotes(PlacementNotes(m_exploration, m_ranking), false);
  const int inside = rowOf(*m_exploration, "[[4,1],[1,8]]");
  QCOMPARE(model.index(inside, PlacementsModel::Mark).data().toString(), QStringLiteral("●◇"));
  QCOMPARE(model.index(across, PlacementsModel::OtherAxes).data().toString(), QString());
}

void TestPlacementNotes::sortsByWhatTheySay() {
  PlacementsModel model;
  model.setExploration(m_exploration);
  PlacementsProxy proxy;
  proxy.setSourceModel(&model);
  model.setNotes(PlacementNotes(m_exploration, m_others), false);
  proxy.sort(PlacementsModel::OtherAxes, Qt::AscendingOrder);
  const auto first = [&] { return proxy.index(0, PlacementsModel::Matrix).data().toString(); };
  QCOMPARE(first(), QStringLiteral("[[4,1],[1,8]]"));
  proxy.sort(PlacementsModel::OtherAxes, Qt::DescendingOrder);
  QCOMPARE(first(), QStringLiteral("[[1,4],[4,2]]"));
  model.setNotes(PlacementNotes(m_exploration, m_ranking), false);
  proxy.sort(PlacementsModel::Step, Qt::DescendingOrder);
  QCOMPARE(first(), QStringLiteral("[[1,4],[4,2]]"));
}

QTEST_MAIN(TestPlacementNotes)
#include "tst_placement_notes.moc"
