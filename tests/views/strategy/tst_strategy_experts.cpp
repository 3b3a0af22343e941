// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDoubleSpinBox>
#include <QTemporaryDir>
#include <QTest>

#include "graphs/detail/graph_json.h"
#include "support/warnings.h"
#include "tests/core/mapping/mapped_cases.h"
#include "tests/views/strategy/strategy_desk.h"
#include "text/text_file.h"
#include "views/shell/session.h"
#include "views/strategy/operators_model.h"
#include "views/strategy/strategy_inspector.h"
#include "views/strategy/strategy_picture.h"

using namespace p2;
using namespace p2::views;

/// What the window says of tokens on their way to experts.
class TestStrategyExperts : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  /// The graph with its experts sharded over the devices of a node, by pins.
  [[nodiscard]] std::shared_ptr<const StrategyInstance> instance(StrategyCostModel model) const {
    ComputationGraph graph = test::expertGraph();
    graph.assumed = {"all experts get the same number of tokens"};
    const std::string path = m_folder.filePath("experts.json").toStdString();
    if (!writeTextFile(path, graphToJson(graph)).ok()) qFatal("not written");
    Workspace workspace = test::strategyWorkspace();
    workspace.strategy.graph = path;
    workspace.strategy.options.model = model;
    workspace.strategy.options.space.cutoff = 1;
    if (model == StrategyCostModel::Hierarchical) {
      workspace.strategy.pins = {{"dispatch", {4, 1, 1}}, {"expand", {1, 4, 1, 1}}, {"combine", {4, 1, 1}}};
    }
    return test::instanceOf(workspace);
  }

 private slots:
  void init() { test::failOnWarnings(); }

  void kindsSplitsAndAllToAllsAreShown() {
    const auto shown = instance(StrategyCostModel::Hierarchical);
    const Strategy& best = shown->onMesh->solution.bounded.solution.strategies.front();
    const StrategyPicture picture = pictureOf(*shown, {}, best, best);
    QCOMPARE(picture.vertices[1].kind, QString("Dispatch"));
    QCOMPARE(picture.vertices[2].kind, QString("Experts"));
    QVERIFY2(picture.vertices[2].marks.startsWith("e÷4 "), qPrintable(picture.vertices[2].marks));
    QVERIFY2(picture.edges[1].shortly.contains("A2A") && picture.edges[1].shortly.contains("back"),
             qPrintable(picture.edges[1].shortly));
    OperatorsModel model;
    model.show(shown, picture);
    const QString tip = model.index(2, 0).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains("expand (Experts): e÷4") && tip.contains("from dispatch: ") && tip.contains("AllToAll over"),
             qPrintable(tip));
    QVERIFY(picture.vertices[2].costs.resharding > 0);
    QCOMPARE(warningsOf(*shown), QStringList{"Assumed: all experts get the same number of tokens."});
  }

  // Only where there are experts.
  void roomIsAskedFor() {
    Session session;
    session.reset(test::strategyWorkspace());
    StrategyInspector inspector(session);
    inspector.show();
    auto* const capacity = inspector.findChild<QDoubleSpinBox*>("strategyCapacity");
    QVERIFY(capacity && !capacity->isEnabled());
    Workspace next = *session.workspace();
    next.strategy.graph = "mixtral-8x7b";
    session.edit("Choose", std::move(next));
    QVERIFY(capacity->isEnabled());
    capacity->setValue(1.5);
    QCOMPARE(session.workspace()->strategy.capacityFactor, 1.5);
    QCOMPARE(questionOf(*session.workspace()).sizes.capacityFactor, std::optional<double>(1.5));
    session.undoStack().undo();
    QCOMPARE(capacity->value(), 1.0);
    QVERIFY(!questionOf(*session.workspace()).sizes.capacityFactor);
  }

  void expertParallelismIsCompared_data() {
    QTest::addColumn<int>("model");
    QTest::newRow("flat") << int(StrategyCostModel::Flat);
    QTest::newRow("hierarchical") << int(StrategyCostModel::Hierarchical);
  }
  void expertParallelismIsCompared() {
    QFETCH(int, model);
    const auto answers = test::baselinesOf(*instance(StrategyCostModel(model)));
    QCOMPARE(answers.back().name, "expert parallelism");
    QCOMPARE(answers.back().reason, "");
    QVERIFY(answers.back().split && answers.back().split->resharding > 0);
    QVERIFY(test::baselinesOf(*test::instanceOf(test::strategyWorkspace())).back().name != "expert parallelism");
  }
};

QTEST_MAIN(TestStrategyExperts)
#include "tst_strategy_experts.moc"
