// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QComboBox>
#include <QSpinBox>
#include <QTabWidget>
#include <QToolButton>

#include "tests/views/strategy/strategy_window.h"
#include "views/strategy/comparison_bars.h"

using namespace p2;
using namespace p2::views;

/// The graph and its best strategy, by mouse and keys.
class TestStrategyPerspective : public QObject, private test::StrategyWindow {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() { setUp(); }
  void cleanup() { clearAway(); }
  void opensOnASmallGraph();
  void comparesWithWhatPeopleDo();
  void clickShowsTheConfigurations();
  void keysWalkOverTheGraph();
  void spacePinsAndUndoUnpins();
  void pInTheGraphPins();
  void bestTotalsAgreeWithThePins();
  void strategiesAreComparedInTheGraph();
  void anotherGraphIsAnEdit();
  void aPinThatDoesNotFitIsSaid();
  void whatIsWrongIsSaidWithAWayOut();
  void aWrongBandwidthStaysInItsField();
  void nothingRunsWhileNobodyLooks();
  void aDearOneLeavesTheOthersTheirLength();
  void namesAnotherModelThanTheDocuments();
  void idleDevicesOfCommonStrategiesAreSaid();
};

// The page begins with a small example, also in a document with a model.
void TestStrategyPerspective::namesAnotherModelThanTheDocuments() {
  const auto* line = find<QWidget>("planGraphLine");
  QVERIFY(!line->isVisible());
  Workspace next = test::workspaceOf("dgx-h100:1", "data=8", "data");
  next.training.model = "llama3-8b";
  next.training.batch = 64;
  session->edit("Choose a model", next);
  auto* show = find<QToolButton>("planGraphButton");
  QVERIFY(line->isVisible() && !show->isEnabled());
  QCOMPARE(find<QLabel>("planGraphText")->text(), "This is the graph mlp, not the document's model, llama3-8b.");
  QTRY_VERIFY_WITH_TIMEOUT(show->isEnabled(), 60000);
  QTest::mouseClick(show, Qt::LeftButton);
  const StrategyChoice taken = session->workspace()->strategy;
  QCOMPARE(taken.graph, std::string("llama3-8b"));
  QCOMPARE(taken.batch * taken.options.microbatches, std::int64_t{64});
  QVERIFY(!line->isVisible() || taken.stages > 1);
  session->undoStack().undo();
  QVERIFY(line->isVisible());
  QCOMPARE(session->workspace()->strategy.graph, StrategyChoice{}.graph);
}

// A minimum shard size of 8 leaves a batch of 128 no more than 16 parts.
void TestStrategyPerspective::idleDevicesOfCommonStrategiesAreSaid() {
  session->edit("A larger machine", test::workspaceOf("node:8 gpu:4", "data=32", "data"));
  const auto& bars = find<ComparisonBars>("strategyComparison")->bars();
  const auto isThere = [&](const QString& name) {
    return std::any_of(bars.begin(), bars.end(), [&](const auto& bar) { return bar.name == name; });
  };
  QTRY_VERIFY_WITH_TIMEOUT(isThere("data parallelism · 16 of 32"), 60000);
  for (const ComparisonBars::Bar& bar : bars)
    QCOMPARE(bar.name.contains(" of 32"), bar.meaning.contains(" of 32 devices."));
}

void TestStrategyPerspective::opensOnASmallGraph() {
  const auto answer = test::answerOf(test::strategyWorkspace(), 1);
  QCOMPARE(graph()->vertexCount(), int(answer->instance->problem.vertices.size()));
  const QString cost = costText(*answer->instance, answer->solution.strategies.front().cost);
  QVERIFY2(headline().startsWith("Best strategy: " + cost + " on 1 of 8 devices, "), qPrintable(headline()));
  // The flat model knows nothing of the system beside it.
  QVERIFY2(headline().contains(" · 4.00 GB/s between any two"), qPrintable(headline()));
  QVERIFY(!find<QLabel>("strategyNote")->isVisible());
  // Something to look at: the dearest vertex.
  QVERIFY(graph()->selected() >= 0);
  QVERIFY(table()->model()->rowCount() > 0);
  QVERIFY(chosenRow().isValid());
}

void TestStrategyPerspective::comparesWithWhatPeopleDo() {
  const auto& bars = find<ComparisonBars>("strategyComparison")->bars();
  // The best, data and model parallelism, greedy, and FSDP.
  QCOMPARE(bars.size(), std::size_t(5));
  for (const ComparisonBars::Bar& bar : bars) {
    QVERIFY(bar.cost.has_value());
    QVERIFY(*bar.cost >= *bars.front().cost);
    QVERIFY(!bar.meaning.isEmpty());
  }
}

void TestStrategyPerspective::aDearOneLeavesTheOthersTheirLength() {
  ComparisonBars bars;
  bars.resize(400, 300);
  bars.setBars({{"best", "", 1.0, "1 s"}, {"twice", "", 2.0, "2 s"}, {"no choice", "", 1000.0, "1000 s"}});
  const QImage image = bars.grab().toImage();
  const QColor ground = image.pixelColor(image.width() - 1, image.height() - 1);
  const int line = bars.fontMetrics().height();
  const auto middleOf = [line](int bar) { return bar * (2 * line + Theme::kGrid / 2) + line + line / 2; };
  const auto endOf = [&](int bar) {
    int end = image.width();
    while (end > 0 && image.pixelColor(end - 1, middleOf(bar)) == ground) --end;
    return end;
  };
  const auto isBroken = [&](int bar) {
    int gap = 0;
    for (int x = 0; x < endOf(bar); ++x) gap += image.pixelColor(x, middleOf(bar)) == Theme::surface() ? 1 : 0;
    return gap > 0;
  };
  QVERIFY2(endOf(0) > 30, qPrintable(QString::number(endOf(0))));
  QVERIFY(std::abs(endOf(1) - 2 * endOf(0)) < 4);
  QCOMPARE(endOf(2), image.width());
  QVERIFY(isBroken(2) && !isBroken(1) && !isBroken(0));
}

void TestStrategyPerspective::clickShowsTheConfigurations() {
  const auto instance = test::instanceOf(test::strategyWorkspace());
  const StrategyProblem& problem = instance->problem;
  for (int vertex = 0; vertex < graph()->vertexCount(); ++vertex) {
    QTest::mouseClick(graph(), Qt::LeftButton, {}, graph()->rectOf(vertex).center().toPoint());
    QCOMPARE(graph()->selected(), vertex);
    QVERIFY(find<QLabel>("strategyVertexTitle")
                ->text()
                .startsWith(QString::fromStdString(problem.vertices[std::size_t(vertex)].name)));
    QCOMPARE(table()->model()->rowCount(), int(problem.domainOf(std::size_t(vertex)).configurations.size()));
  }
}

void TestStrategyPerspective::keysWalkOverTheGraph() {
  graph()->setFocus();
  for (int i = 0; i < graph()->vertexCount(); ++i) QTest::keyClick(graph(), Qt::Key_Up);
  const int top = graph()->selected();
  QTest::keyClick(graph(), Qt::Key_Down);
  QVERIFY(graph()->selected() != top);
  QVERIFY(graph()->rectOf(graph()->selected()).top() > graph()->rectOf(top).bottom());
  QVERIFY(!graph()->accessibleDescription().isEmpty());
  QTest::keyClick(graph(), Qt::Key_Return);
  QTRY_VERIFY(table()->hasFocus());
}

void TestStrategyPerspective::spacePinsAndUndoUnpins() {
  const QString before = headline();
  const int rows = table()->model()->rowCount();
  QVERIFY(rows > 1);
  const int other = chosenRow().row() == rows - 1 ? rows - 2 : rows - 1;
  table()->setFocus();
  table()->setCurrentIndex(table()->model()->index(other, ConfigurationsModel::PinColumn));
  QTest::keyClick(table(), Qt::Key_Space);
  QCOMPARE(pins().size(), std::size_t(1));
  QTRY_VERIFY(settled());
  QTRY_VERIFY(headline() != before);
  QCOMPARE(chosenRow().row(), other);
  QCOMPARE(chosenRow().siblingAtColumn(ConfigurationsModel::PinColumn).data(Qt::CheckStateRole).toInt(),
           int(Qt::Checked));
  QVERIFY(find<QPushButton>("strategyUnpinAll")->isEnabled());
  session->undoStack().undo();
  QVERIFY(pins().empty());
  QTRY_COMPARE(headline(), before);
  session->undoStack().redo();
  QTRY_VERIFY(settled());
  QTest::mouseClick(find<QPushButton>("strategyUnpinAll"), Qt::LeftButton);
  QVERIFY(pins().empty());
  QTRY_COMPARE(headline(), before);
}

void TestStrategyPerspective::pInTheGraphPins() {
  graph()->setFocus();
  const QString before = headline();
  QTest::keyClick(graph(), Qt::Key_P);
  QCOMPARE(pins().size(), std::size_t(1));
  QTRY_VERIFY(settled());
  // Pinned to what it had chosen anyway.
  QTRY_COMPARE(headline(), before + " · 1 pin: costs nothing");
  QTRY_VERIFY(graph()->accessibleDescription().endsWith("; pinned"));
  QTest::keyClick(graph(), Qt::Key_P);
  QVERIFY(pins().empty());
}

void TestStrategyPerspective::bestTotalsAgreeWithThePins() {
  QTRY_VERIFY(table()->model()->index(0, ConfigurationsModel::TotalColumn).data().toString() != "–");
  const QString best = chosenRow().siblingAtColumn(ConfigurationsModel::TotalColumn).data().toString();
  QVERIFY(headline().contains(" " + best + " "));
  const int last = table()->model()->rowCount() - 1;
  const QString total = table()->model()->index(last, ConfigurationsModel::TotalColumn).data().toString();
  emit table()->activated(table()->model()->index(last, 0));
  QTRY_VERIFY(headline().contains(" " + total + " "));
}

void TestStrategyPerspective::strategiesAreComparedInTheGraph() {
  find<QTabWidget>("strategyDetails")->setCurrentIndex(1);
  auto* list = find<QTableView>("strategyList");
  QTRY_COMPARE(list->model()->rowCount(), 10);
  QVERIFY(list->selectionModel()->isRowSelected(0, {}));
  list->setFocus();
  QTest::keyClick(list, Qt::Key_Down);
  QTRY_VERIFY(headline().startsWith("Strategy 2: "));
  int different = 0;
  for (int vertex = 0; vertex < graph()->vertexCount(); ++vertex) {
    graph()->select(vertex);
    different += graph()->accessibleDescription().contains("the best strategy has") ? 1 : 0;
  }
  QCOMPARE(QString::number(different), list->model()->index(1, 3).data().toString());
}

void TestStrategyPerspective::anotherGraphIsAnEdit() {
  const int before = graph()->vertexCount();
  auto* choice = find<QComboBox>("strategyGraphName");
  choice->setFocus();
  QTest::keyClick(choice, Qt::Key_Down);
  QCOMPARE(session->workspace()->strategy.graph, bundledGraphNames()[1].toStdString());
  QTRY_VERIFY(settled() && graph()->vertexCount() != before);
  session->undoStack().undo();
  QCOMPARE(choice->currentText(), bundledGraphNames()[0]);
  QTRY_COMPARE(graph()->vertexCount(), before);
}

void TestStrategyPerspective::aPinThatDoesNotFitIsSaid() {
  Workspace next = *session->workspace();
  next.strategy.pins = {{"nobody", {2}}};
  session->edit("Pin", next);
  auto* note = find<QLabel>("strategyNote");
  QTRY_VERIFY(note->isVisible());
  QTRY_VERIFY2(note->text().contains("nobody"), qPrintable(note->text()));
  QTest::mouseClick(find<QPushButton>("strategyUnpinAll"), Qt::LeftButton);
  QTRY_VERIFY(!note->isVisible());
}

void TestStrategyPerspective::whatIsWrongIsSaidWithAWayOut() {
  Workspace wrong = test::strategyWorkspace();
  wrong.strategy.graph = "/nowhere/graph.json";
  session->edit("Lose the graph", wrong);
  auto* note = find<QLabel>("strategyNote");
  QTRY_VERIFY2(note->text().contains("/nowhere/graph.json"), qPrintable(note->text()));
  // A document that starts with it has nothing to show.
  cleanup();
  session = std::make_unique<Session>();
  session->reset(wrong);
  view = test::shown<StrategyPerspective>(*session, {1440, 840});
  QTRY_VERIFY(wayOut() != nullptr);
  QPushButton* button = wayOut();
  QTest::mouseClick(button, Qt::LeftButton);
  QTRY_VERIFY(settled());
  QVERIFY(graph()->isVisible());
}

void TestStrategyPerspective::aWrongBandwidthStaysInItsField() {
  auto* field = find<QLineEdit>("strategyBandwidth");
  const double before = session->workspace()->strategy.options.bandwidth;
  field->setFocus();
  field->selectAll();
  QTest::keyClicks(field, "fast");
  QTest::keyClick(field, Qt::Key_Return);
  QVERIFY(find<QLabel>("strategyBandwidthProblem")->text().contains("fast"));
  QCOMPARE(session->workspace()->strategy.options.bandwidth, before);
  field->selectAll();
  QTest::keyClicks(field, "100Gbit/s");
  QTest::keyClick(field, Qt::Key_Return);
  QVERIFY(!find<QLabel>("strategyBandwidthProblem")->isVisible());
  QCOMPARE(session->workspace()->strategy.options.bandwidth, 12.5e9);
}

void TestStrategyPerspective::nothingRunsWhileNobodyLooks() {
  view->hide();
  Workspace next = *session->workspace();
  next.strategy.options.devices = 4;
  session->edit("Fewer devices", next);
  for (const JobQueue::Job& job : session->jobs().running()) QVERIFY(!job.title.contains("configurations"));
  view->show();
  QTRY_VERIFY(headline().contains(" on 1 of 4 devices"));
}

QTEST_MAIN(TestStrategyPerspective)
#include "tst_strategy_perspective.moc"
