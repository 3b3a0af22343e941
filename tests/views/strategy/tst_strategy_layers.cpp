// SPDX-License-Identifier: GPL-3.0-or-later
#include <QClipboard>
#include <QMenu>
#include <QTemporaryDir>
#include <set>

#include "graphs/detail/graph_json.h"
#include "tests/views/strategy/strategy_window.h"
#include "views/common/graph_drawing.h"
#include "views/strategy/operators_table.h"
#include "views/strategy/strategy_costs.h"

using namespace p2;
using namespace p2::views;

namespace {

constexpr int kLayers = 6;
constexpr int kParts = 4;  // operators of a layer

/// Layers between a first and a last product; `odd` is a layer that is wider than the others, 0 for none.
QString layeredGraph(int odd = 0) {
  QStringList operators{R"({"name":"first","kind":"gemm","dimensions":{"b":64,"n":64,"k":32},"inputs":{"x":["b","k"]},)"
                        R"("parameters":{"w":["k","n"]},"outputs":{"y":["b","n"]}})"};
  QStringList edges;
  QString before = "first";
  for (int layer = 1; layer <= kLayers; ++layer) {
    const QString name = QStringLiteral("l%1_").arg(layer);
    const int wide = layer == odd ? 256 : 128;
    operators << QStringLiteral(
                     R"({"name":"%1up","kind":"gemm","dimensions":{"b":64,"n":%2,"k":64},"inputs":{"x":["b","k"]},)"
                     R"("parameters":{"w":["k","n"]},"outputs":{"y":["b","n"]}})")
                     .arg(name)
                     .arg(wide)
              << QStringLiteral(
                     R"({"name":"%1act","kind":"elementwise","dimensions":{"b":64,"n":%2},"inputs":{"x":["b","n"]},)"
                     R"("outputs":{"y":["b","n"]}})")
                     .arg(name)
                     .arg(wide)
              << QStringLiteral(
                     R"({"name":"%1down","kind":"gemm","dimensions":{"b":64,"n":64,"k":%2},"inputs":{"x":["b","k"]},)"
                     R"("parameters":{"w":["k","n"]},"outputs":{"y":["b","n"]}})")
                     .arg(name)
                     .arg(wide)
              << QStringLiteral(R"({"name":"%1add","kind":"elementwise","dimensions":{"b":64,"n":64},)"
                                R"("inputs":{"x":["b","n"],"r":["b","n"]},"outputs":{"y":["b","n"]}})")
                     .arg(name);
    const QStringList carried{before + ".y>up.x", "up.y>act.x", "act.y>down.x", "down.y>add.x", before + ".y>add.r"};
    for (const QString& each : carried) {
      const QString from = each.section('>', 0, 0);
      edges << QStringLiteral(R"(["%1%2","%3%4"])")
                   .arg(from.startsWith(before + '.') ? QString() : name, from, name, each.section('>', 1));
    }
    before = name + "add";
  }
  operators << R"({"name":"last","kind":"gemm","dimensions":{"b":64,"n":8,"k":64},"inputs":{"x":["b","k"]},)"
               R"("parameters":{"w":["k","n"]},"outputs":{"y":["b","n"]}})";
  edges << QStringLiteral(R"(["%1.y","last.x"])").arg(before);
  return QStringLiteral(R"({"format":"p2-graph","version":1,"name":"layers","operators":[%1],"edges":[%2]})")
      .arg(operators.join(','), edges.join(','));
}

ComputationGraph layers(int odd = 0) { return test::valueOf(graphFromJson(layeredGraph(odd).toStdString())); }

/// Only names and edges, as a graph's problem has them.
StrategyProblem problemOf(const ComputationGraph& graph) {
  StrategyProblem problem;
  for (const Operator& op : graph.operators) problem.vertices.push_back({op.name, 0});
  for (const auto& edge : graph.edges) problem.edges.push_back({edge.from, edge.to, 0});
  return problem;
}

std::vector<Repeat> repeatsIn(const ComputationGraph& graph) { return repeatsOf(problemOf(graph), &graph); }

}  // namespace

/// Layers that repeat: found, drawn and listed as one.
class TestStrategyLayers : public QObject, private test::StrategyWindow {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void cleanup() {
    clearAway();
    Theme::setTextZoom(100);
  }
  void findsLayersByStructure();
  void copiesOfSeveralLayersAreCalledByAllOfThem();
  void namesNeitherMakeNorBreakThem();
  void aLayerThatDiffersIsNoCopy();
  void bundledGraphsFold_data();
  void bundledGraphsFold();
  void nothingIsLostInFolding();
  void otherSplitsAreSeen();
  void doubleClickAndKeysUnfold();
  void operatorsAreLinkedWithTheGraph();
  void theMenuPinsAllCopies();
  void textGrowsWithTheWindows();

 private:
  /// The window on the layered graph, and its instance.
  void openLayers() {
    setUp();
    QFile file(m_folder.filePath("layers.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(layeredGraph().toUtf8());
    file.close();
    Workspace next = *session->workspace();
    next.strategy.graph = file.fileName().toStdString();
    session->edit("Open layers", next);
    QTRY_VERIFY(settled() && graph()->vertexCount() == kParts + 2);
  }
  OperatorsTable* operators() const { return find<OperatorsTable>("strategyOperators"); }
  /// Clicks an entry of the menu that is open.
  void choose(const char* action) {
    auto* menu = view->findChild<QMenu*>("strategyMenu");
    QVERIFY(menu != nullptr && menu->isVisible());
    auto* entry = menu->findChild<QAction*>(action);
    QVERIFY2(entry != nullptr, action);
    test::chooseEntry(*menu, *entry);
  }

  QTemporaryDir m_folder;
};

void TestStrategyLayers::findsLayersByStructure() {
  const auto repeats = repeatsIn(layers());
  QCOMPARE(repeats.size(), std::size_t(1));
  QCOMPARE(repeats[0].copies.size(), std::size_t(kLayers));
  QCOMPARE(repeats[0].copies[2], (std::vector<std::size_t>{9, 10, 11, 12}));
  QCOMPARE(repeats[0].name(), std::string("l 1–6"));
  QCOMPARE(repeats[0].nameOf(1, 1), std::string("l 2"));
}

void TestStrategyLayers::copiesOfSeveralLayersAreCalledByAllOfThem() {
  ComputationGraph graph = layers();
  for (std::size_t v = 1; v <= kLayers * kParts; ++v) {
    for (Dimension& dimension : graph.operators[v].dimensions) {
      if ((v - 1) / kParts % 2 == 1 && dimension.size == 128) dimension.size = 256;
    }
  }
  const auto repeats = repeatsIn(graph);
  QCOMPARE(repeats.size(), std::size_t(1));
  QCOMPARE(repeats[0].copies.size(), std::size_t(kLayers / 2));
  QCOMPARE(repeats[0].name(), std::string("l 1–6"));
  QCOMPARE(repeats[0].nameOf(1, 1), std::string("l 3–4"));
  QVERIFY(repeats[0].countsWithinCopies() && !repeatsIn(layers())[0].countsWithinCopies());
}

void TestStrategyLayers::namesNeitherMakeNorBreakThem() {
  ComputationGraph graph = layers();
  for (std::size_t v = 0; v < graph.operators.size(); ++v) {
    graph.operators[v].name = std::string(1, char('a' + v % 26)) + char('z' - v / 26);
  }
  const auto repeats = repeatsIn(graph);
  QCOMPARE(repeats.size(), std::size_t(1));
  QCOMPARE(repeats[0].copies.size(), std::size_t(kLayers));
  QVERIFY(repeats[0].name().empty());
  // Names that count do not make alike what is not.
  ComputationGraph chain = layers();
  chain.operators.resize(5);
  std::erase_if(chain.edges, [](const auto& edge) { return edge.to >= 5; });
  QVERIFY(repeatsIn(chain).empty());
}

void TestStrategyLayers::aLayerThatDiffersIsNoCopy() {
  const ComputationGraph graph = layers(3);
  std::size_t folded = 0;
  for (const Repeat& repeat : repeatsIn(graph)) {
    for (const auto& copy : repeat.copies) {
      for (std::size_t k = 0; k < copy.size(); ++k) {
        QCOMPARE(graph.operators[copy[k]].dimensions, graph.operators[repeat.copies[0][k]].dimensions);
        ++folded;
      }
    }
  }
  // Layers 1 and 2, and 4 to 6.
  QCOMPARE(folded, std::size_t(5 * kParts));
}

void TestStrategyLayers::bundledGraphsFold_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<int>("copies");
  QTest::addColumn<int>("parts");
  QTest::newRow("gpt2-medium") << "gpt2-medium" << 24 << 11;
  QTest::newRow("transformer") << "transformer" << 6 << 18;
  QTest::newRow("mlp") << "mlp" << 0 << 0;
}

void TestStrategyLayers::bundledGraphsFold() {
  QFETCH(QString, name);
  QFETCH(int, copies);
  QFETCH(int, parts);
  const auto loaded = test::valueOf(graphFromArgument(name.toStdString()));
  const auto repeats = repeatsIn(loaded.graph);
  QCOMPARE(repeats.empty() ? 0 : int(repeats[0].copies.size()), copies);
  QCOMPARE(repeats.empty() ? 0 : int(repeats[0].copies[0].size()), parts);
}

void TestStrategyLayers::nothingIsLostInFolding() {
  const ComputationGraph graph = layers();
  const StrategyProblem problem = problemOf(graph);
  const auto repeats = repeatsIn(graph);
  for (const bool open : {false, true}) {
    const FoldedGraph folded = foldedGraph(problem, &graph, repeats, {open});
    QCOMPARE(folded.nodes.size(), open ? graph.operators.size() : std::size_t(kParts + 2));
    std::set<std::size_t> edges;
    for (const auto& edge : folded.edges) {
      for (const std::size_t e : edge.edges) {
        QVERIFY(edges.insert(e).second);
        QCOMPARE(folded.nodeOf[graph.edges[e].from], edge.from);
        QCOMPARE(folded.nodeOf[graph.edges[e].to], edge.to);
      }
    }
    QCOMPARE(edges.size(), graph.edges.size());
    std::set<std::size_t> vertices;
    for (const auto& node : folded.nodes) vertices.insert(node.vertices.begin(), node.vertices.end());
    QCOMPARE(vertices.size(), graph.operators.size());
    // Two edges lead from a layer to the next: what is carried, and the residual.
    QCOMPARE(std::count_if(folded.edges.begin(), folded.edges.end(), [](const auto& edge) { return edge.again; }),
             std::ptrdiff_t(open ? 0 : 2));
  }
}

void TestStrategyLayers::otherSplitsAreSeen() {
  openLayers();
  const auto instance = test::instanceOf(*session->workspace());
  Strategy strategy;
  strategy.choice.assign(instance->problem.vertices.size(), 0);
  const std::size_t up = instance->repeats[0].copies[4][0];
  strategy.choice[up] = 1;
  strategy.cost = costOf(instance->problem, strategy.choice);
  const FoldedGraph folded = foldedGraph(instance->problem, &*instance->graph, instance->repeats, {false});
  const StrategyPicture picture = pictureOf(*instance, {}, strategy, strategy, folded);
  QCOMPARE(picture.frames.size(), std::size_t(1));
  QVERIFY2(picture.frames[0].title.endsWith("×6"), qPrintable(picture.frames[0].title));
  QCOMPARE(picture.frames[0].variants, QString("×5 the same, ×1 other"));
  QVERIFY(picture.frames[0].differences.join(' ').contains("l5_up"));
  QCOMPARE(picture.vertices[folded.nodeOf[up]].others, "1× " + marksOf(*instance, up, 1));
  // All of them count, and together they are the whole.
  double sum = 0;
  for (const auto& vertex : picture.vertices) sum += vertex.costs.total();
  QVERIFY(qAbs(sum / strategy.cost - 1) < 1e-9);
  double edges = 0;
  for (const auto& edge : picture.edges) edges += edge.share;
  QVERIFY(qAbs(edges - splitOf(*instance, strategy.choice).resharding / strategy.cost) < 1e-9);
}

void TestStrategyLayers::doubleClickAndKeysUnfold() {
  openLayers();
  const QPoint title = graph()->frameRectOf(0).topLeft().toPoint() + QPoint(6, 6);
  QTest::mouseDClick(graph(), Qt::LeftButton, {}, title);
  QTRY_COMPARE(graph()->vertexCount(), kLayers * kParts + 2);
  QCOMPARE(operators()->model()->rowCount(), kLayers * kParts + 2);
  QVERIFY(!find<QAction>("strategyFoldAction")->isChecked());
  graph()->setFocus();
  graph()->select(5);
  QTest::keyClick(graph(), Qt::Key_F);
  QTRY_COMPARE(graph()->vertexCount(), kParts + 2);
  // The vertex that was selected is the one that stands for it.
  QCOMPARE(graph()->picture().vertices[std::size_t(graph()->selected())].name, QString("up"));
  QTest::keyClick(graph(), Qt::Key_F, Qt::ShiftModifier);
  QTRY_COMPARE(graph()->vertexCount(), kLayers * kParts + 2);
}

void TestStrategyLayers::operatorsAreLinkedWithTheGraph() {
  openLayers();
  // The dearest comes first.
  double before = std::numeric_limits<double>::max();
  for (int row = 0; row < operators()->model()->rowCount(); ++row) {
    const QModelIndex share = operators()->model()->index(row, OperatorsModel::ShareColumn);
    const double cost = share.data(OperatorsModel::kSortRole).toDouble();
    QVERIFY(cost <= before);
    before = cost;
  }
  operators()->setFocus();
  operators()->selectRow(0);
  QTest::keyClick(operators(), Qt::Key_Down);
  QCOMPARE(operators()->currentIndex().row(), 1);
  QCOMPARE(graph()->selected(), operators()->selected());
  QTest::mouseClick(graph(), Qt::LeftButton, {}, graph()->rectOf(0).center().toPoint());
  QCOMPARE(operators()->selected(), 0);
  QTest::keyClick(operators(), Qt::Key_C, Qt::ControlModifier);
  const QStringList copied = QGuiApplication::clipboard()->text().split('\n');
  QVERIFY2(copied[0].startsWith("Operator\tShare\t") && copied[1].startsWith("first\t"), qPrintable(copied.join('|')));
  QTest::keyClick(operators(), Qt::Key_Return);
  QTRY_VERIFY(table()->hasFocus());
}

void TestStrategyLayers::theMenuPinsAllCopies() {
  openLayers();
  const QPoint down = graph()->rectOf(3).center().toPoint();
  QContextMenuEvent event(QContextMenuEvent::Mouse, down, graph()->mapToGlobal(down));
  QCoreApplication::sendEvent(graph(), &event);
  choose("strategyMenuPin");
  QCOMPARE(pins().size(), std::size_t(kLayers));
  QTRY_VERIFY(settled() && headline().endsWith(" · 6 pins: costs nothing"));
  QVERIFY(graph()->picture().textOf(3).endsWith("; pinned"));
  session->undoStack().undo();
  QVERIFY(pins().empty());
  QTRY_VERIFY(settled() && !headline().contains(" pins"));
}

void TestStrategyLayers::textGrowsWithTheWindows() {
  openLayers();
  const double standard = graph()->zoom();
  const auto isReadable = [this] {
    const double text = kTextPixels * graph()->zoom();
    return text >= 0.79 * QFontInfo(graph()->font()).pixelSize();
  };
  QVERIFY(isReadable());
  Theme::setTextZoom(200);
  QTRY_VERIFY(isReadable());
  QVERIFY(graph()->zoom() > 1.5 * standard);
  // Who has looked around keeps what they see.
  graph()->zoomOut();
  const double chosen = graph()->zoom();
  Theme::setTextZoom(150);
  QCoreApplication::processEvents();
  QCOMPARE(graph()->zoom(), chosen);
}

QTEST_MAIN(TestStrategyLayers)
#include "tst_strategy_layers.moc"
