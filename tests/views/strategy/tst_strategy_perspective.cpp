// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>

#include "tests/views/strategy/strategy_desk.h"
#include "tests/views/widget_driver.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/strategy/comparison_bars.h"
#include "views/strategy/configurations_model.h"
#include "views/strategy/devices_plot.h"
#include "views/strategy/graph_view.h"
#include "views/strategy/strategy_perspective.h"

using namespace p2;
using namespace p2::views;

class TestStrategyPerspective : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void init();
  void cleanup();
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
  void costOverDevices();
  void carriesAxesToThePlacements();
  void hierarchicalNeedsSayWhereTheyLand();
  void exports_data();
  void exports();
  void exportErrorsStayInline();
  void becomesTheWorkload();
  void refusesAWorkloadOfOtherDevices();
  void nothingRunsWhileNobodyLooks();

 private:
  template <class T>
  T* find(const char* name) {
    return &test::childOf<T>(*m_view, name);
  }
  GraphView* graph() { return find<GraphView>("strategyGraph"); }
  QTableView* table() { return find<QTableView>("strategyConfigurations"); }
  bool settled() { return m_session->jobs().running().empty() && graph()->vertexCount() > 0; }
  const std::vector<StrategyPin>& pins() { return m_session->workspace()->strategy.pins; }
  QString headline() { return find<QLabel>("strategyHeadline")->text(); }
  QModelIndex chosenRow();
  QPushButton* wayOut();
  void exportTo(const char* action, const QString& path);

  std::unique_ptr<Session> m_session;
  std::unique_ptr<StrategyPerspective> m_view;
};

void TestStrategyPerspective::initTestCase() {
  QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support propagateSizeHints).*"));
  Theme::apply(Theme::Scheme::Light);
}

void TestStrategyPerspective::init() {
  m_session = std::make_unique<Session>();
  m_session->reset(test::strategyWorkspace());
  m_view = test::shown<StrategyPerspective>(*m_session, {1440, 840});
  QVERIFY(m_view);
  QTRY_VERIFY(settled());
}

void TestStrategyPerspective::cleanup() {
  m_view.reset();
  m_session.reset();
}

QModelIndex TestStrategyPerspective::chosenRow() {
  for (int row = 0; row < table()->model()->rowCount(); ++row) {
    const QModelIndex index = table()->model()->index(row, ConfigurationsModel::SplitColumn);
    if (index.data().toString().startsWith("★ ")) return index;
  }
  return {};
}

/// The button of the empty page that is seen, if one is.
QPushButton* TestStrategyPerspective::wayOut() {
  for (QPushButton* button : m_view->findChildren<QPushButton*>("emptyButton")) {
    if (button->isVisible()) return button;
  }
  return nullptr;
}

void TestStrategyPerspective::exportTo(const char* action, const QString& path) {
  find<QAction>(action)->trigger();
  auto* dialog = find<QFileDialog>("strategyExportDialog");
  QTRY_VERIFY(dialog->isVisible());
  dialog->selectFile(path);
  QMetaObject::invokeMethod(dialog, "accept");
  QTRY_VERIFY(find<QLabel>("strategyWritten")->isVisible());
}

void TestStrategyPerspective::opensOnASmallGraph() {
  const auto answer = test::answerOf(test::strategyWorkspace(), 1);
  QCOMPARE(graph()->vertexCount(), int(answer->instance->problem.vertices.size()));
  const QString cost = costText(*answer->instance, answer->solution.strategies.front().cost);
  QCOMPARE(headline(), "Best strategy: " + cost + " on 8 devices");
  QVERIFY(!find<QLabel>("strategyNote")->isVisible());
  // Something to look at: the dearest vertex.
  QVERIFY(graph()->selected() >= 0);
  QVERIFY(table()->model()->rowCount() > 0);
  QVERIFY(chosenRow().isValid());
}

void TestStrategyPerspective::comparesWithWhatPeopleDo() {
  const auto& bars = find<ComparisonBars>("strategyComparison")->bars();
  QCOMPARE(bars.size(), std::size_t(4));
  for (const ComparisonBars::Bar& bar : bars) {
    QVERIFY(bar.cost.has_value());
    QVERIFY(*bar.cost >= *bars.front().cost);
    QVERIFY(!bar.meaning.isEmpty());
  }
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
  m_session->undoStack().undo();
  QVERIFY(pins().empty());
  QTRY_COMPARE(headline(), before);
  m_session->undoStack().redo();
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
  QCOMPARE(headline(), before);  // pinned to what it had chosen anyway
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
  QCOMPARE(m_session->workspace()->strategy.graph, bundledGraphNames()[1].toStdString());
  QTRY_VERIFY(settled() && graph()->vertexCount() != before);
  m_session->undoStack().undo();
  QCOMPARE(choice->currentText(), bundledGraphNames()[0]);
  QTRY_COMPARE(graph()->vertexCount(), before);
}

void TestStrategyPerspective::aPinThatDoesNotFitIsSaid() {
  Workspace next = *m_session->workspace();
  next.strategy.pins = {{"nobody", {2}}};
  m_session->edit("Pin", next);
  auto* note = find<QLabel>("strategyNote");
  QTRY_VERIFY(note->isVisible());
  QTRY_VERIFY2(note->text().contains("nobody"), qPrintable(note->text()));
  QTest::mouseClick(find<QPushButton>("strategyUnpinAll"), Qt::LeftButton);
  QTRY_VERIFY(!note->isVisible());
}

void TestStrategyPerspective::whatIsWrongIsSaidWithAWayOut() {
  Workspace wrong = test::strategyWorkspace();
  wrong.strategy.graph = "/nowhere/graph.json";
  m_session->edit("Lose the graph", wrong);
  auto* note = find<QLabel>("strategyNote");
  QTRY_VERIFY2(note->text().contains("/nowhere/graph.json"), qPrintable(note->text()));
  // A document that starts with it has nothing to show.
  cleanup();
  m_session = std::make_unique<Session>();
  m_session->reset(wrong);
  m_view = test::shown<StrategyPerspective>(*m_session, {1440, 840});
  QTRY_VERIFY(wayOut() != nullptr);
  QPushButton* button = wayOut();
  QTest::mouseClick(button, Qt::LeftButton);
  QTRY_VERIFY(settled());
  QVERIFY(graph()->isVisible());
}

void TestStrategyPerspective::aWrongBandwidthStaysInItsField() {
  auto* field = find<QLineEdit>("strategyBandwidth");
  const double before = m_session->workspace()->strategy.options.bandwidth;
  field->setFocus();
  field->selectAll();
  QTest::keyClicks(field, "fast");
  QTest::keyClick(field, Qt::Key_Return);
  QVERIFY(find<QLabel>("strategyBandwidthProblem")->text().contains("fast"));
  QCOMPARE(m_session->workspace()->strategy.options.bandwidth, before);
  field->selectAll();
  QTest::keyClicks(field, "100Gbit/s");
  QTest::keyClick(field, Qt::Key_Return);
  QVERIFY(!find<QLabel>("strategyBandwidthProblem")->isVisible());
  QCOMPARE(m_session->workspace()->strategy.options.bandwidth, 12.5e9);
}

void TestStrategyPerspective::costOverDevices() {
  find<QTabWidget>("strategyDetails")->setCurrentIndex(3);
  QTest::mouseClick(find<QPushButton>("strategyDevicesButton"), Qt::LeftButton);
  auto* plot = find<DevicesPlot>("strategyDevicesPlot");
  QTRY_COMPARE(plot->points().size(), std::size_t(4));
  std::int64_t devices = 1;
  for (const DevicesPlot::Point& point : plot->points()) {
    QCOMPARE(point.devices, devices);
    Workspace alone = test::strategyWorkspace();
    alone.strategy.options.devices = devices;
    QCOMPARE(point.best, test::answerOf(alone, 1)->solution.strategies.front().cost);
    devices *= 2;
  }
}

void TestStrategyPerspective::carriesAxesToThePlacements() {
  // Fast enough for splitting to pay.
  Workspace fast = *m_session->workspace();
  fast.strategy.options.bandwidth = 100e9;
  m_session->edit("Faster links", fast);
  find<QTabWidget>("strategyDetails")->setCurrentIndex(2);
  auto* needs = find<QTableView>("strategyNeeds");
  QTRY_VERIFY(needs->model()->rowCount() > 0);
  auto* carry = find<QPushButton>("strategyCarry");
  QTRY_VERIFY(carry->isEnabled());
  const std::vector<Axis> before = m_session->workspace()->axes;
  QSignalSpy wanted(m_view.get(), &Perspective::perspectiveWanted);
  QTest::mouseClick(carry, Qt::LeftButton);
  QCOMPARE(wanted.count(), 1);
  QCOMPARE(wanted[0][0].toString(), "placements");
  const Workspace carried = *m_session->workspace();
  QVERIFY(carried.axes != before);
  QVERIFY(checkWorkspace(carried).ok());
  QTRY_VERIFY(m_session->isCurrent());
  m_session->undoStack().undo();
  QCOMPARE(m_session->workspace()->axes, before);
}

void TestStrategyPerspective::hierarchicalNeedsSayWhereTheyLand() {
  auto* model = find<QComboBox>("strategyModel");
  model->setFocus();
  QTest::keyClick(model, Qt::Key_Down);
  QVERIFY(m_session->workspace()->strategy.options.model == StrategyCostModel::Hierarchical);
  auto* needs = find<QTableView>("strategyNeeds");
  QTRY_VERIFY(settled() && needs->model()->rowCount() > 0);
  QTRY_VERIFY(needs->model()->index(0, 4).data().toString().startsWith("[["));
}

void TestStrategyPerspective::exports_data() {
  QTest::addColumn<QString>("format");
  QTest::newRow("json") << "json";
  QTest::newRow("csv") << "csv";
}

void TestStrategyPerspective::exports() {
  QFETCH(QString, format);
  QTemporaryDir folder;
  const QString path = folder.filePath("strategy." + format);
  exportTo(qPrintable("strategyExport-" + format), path);
  QVERIFY2(find<QLabel>("strategyWritten")->text().contains(path), qPrintable(find<QLabel>("strategyWritten")->text()));
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QByteArray content = file.readAll();
  if (format == "json") {
    const QJsonObject json = QJsonDocument::fromJson(content).object();
    QCOMPARE(json["cost"].toDouble(), test::answerOf(test::strategyWorkspace(), 1)->solution.strategies.front().cost);
  } else {
    QCOMPARE(content.count('\n'), graph()->vertexCount() + 1);
  }
}

void TestStrategyPerspective::exportErrorsStayInline() {
  exportTo("strategyExport-csv", "/nonexistent/strategy.csv");
  const QString text = find<QLabel>("strategyWritten")->text();
  QVERIFY2(text.startsWith("✗") && text.contains("/nonexistent/strategy.csv"), qPrintable(text));
}

void TestStrategyPerspective::becomesTheWorkload() {
  find<QCheckBox>("strategyExactly")->click();
  auto* button = find<QToolButton>("strategyWorkload");
  QTRY_VERIFY(settled() && button->isEnabled());
  QTest::mouseClick(button, Qt::LeftButton);
  QTRY_VERIFY(find<QLabel>("strategyWritten")->isVisible());
  const QString text = find<QLabel>("strategyWritten")->text();
  QVERIFY2(text.startsWith("✓ this is the document's workload now: "), qPrintable(text));
  const Workspace& document = *m_session->workspace();
  QVERIFY(document.workload && !document.workload->collectives.empty());
  QVERIFY(checkWorkspace(document).ok());
  QCOMPARE(m_session->undoStack().undoText(), QStringLiteral("Use the strategy as workload"));
  m_session->undoStack().undo();
  QVERIFY(!m_session->workspace()->workload);
}

void TestStrategyPerspective::refusesAWorkloadOfOtherDevices() {
  Workspace fewer = *m_session->workspace();
  fewer.strategy.options.devices = 4;
  fewer.strategy.options.space.exactly = true;
  m_session->edit("Fewer devices", fewer);
  auto* button = find<QToolButton>("strategyWorkload");
  QTRY_VERIFY(settled() && button->isEnabled() && headline().endsWith(" on 4 devices"));
  QTest::mouseClick(button, Qt::LeftButton);
  QTRY_VERIFY(find<QLabel>("strategyWritten")->isVisible());
  const QString text = find<QLabel>("strategyWritten")->text();
  QVERIFY2(text.startsWith("✗") && text.contains("= 4") && text.contains("8"), qPrintable(text));
  QVERIFY(!m_session->workspace()->workload);
}

void TestStrategyPerspective::nothingRunsWhileNobodyLooks() {
  m_view->hide();
  Workspace next = *m_session->workspace();
  next.strategy.options.devices = 4;
  m_session->edit("Fewer devices", next);
  for (const JobQueue::Job& job : m_session->jobs().running()) QVERIFY(!job.title.contains("configurations"));
  m_view->show();
  QTRY_VERIFY(headline().endsWith(" on 4 devices"));
}

QTEST_MAIN(TestStrategyPerspective)
#include "tst_strategy_perspective.moc"
