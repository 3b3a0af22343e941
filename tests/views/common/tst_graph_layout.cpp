// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <future>

#include "support/warnings.h"
#include "tests/support/fixtures.h"
#include "views/common/graph_layout.h"

using namespace p2;
using namespace p2::views;

namespace {

constexpr QSizeF kSize{184, 48};

/// "0>1 1>2 0>2": vertices are as many as the largest number needs.
GraphShape shapeOf(const QString& arrows) {
  GraphShape shape;
  std::size_t most = 0;
  for (const QString& arrow : arrows.split(' ', Qt::SkipEmptyParts)) {
    const QStringList ends = arrow.split('>');
    shape.edges.push_back({ends[0].toULongLong(), ends[1].toULongLong()});
    most = std::max({most, shape.edges.back().from, shape.edges.back().to});
  }
  shape.nodes.assign(most + 1, kSize);
  return shape;
}

GraphShape chainOf(std::size_t length) {
  GraphShape shape;
  shape.nodes.assign(length, kSize);
  for (std::size_t i = 0; i + 1 < length; ++i) shape.edges.push_back({i, i + 1});
  return shape;
}

bool touches(const QRectF& box, QPointF point) { return box.adjusted(-4, -4, 4, 4).contains(point); }

void checkLayout(const GraphShape& shape, const GraphLayout& layout) {
  QCOMPARE(layout.nodes.size(), shape.nodes.size());
  QCOMPARE(layout.edges.size(), shape.edges.size());
  for (std::size_t i = 0; i < layout.nodes.size(); ++i) {
    QCOMPARE(layout.nodes[i].size(), shape.nodes[i]);
    QVERIFY(layout.bounds.contains(layout.nodes[i]));
    for (std::size_t j = 0; j < i; ++j) QVERIFY(!layout.nodes[i].intersects(layout.nodes[j]));
  }
  for (std::size_t e = 0; e < layout.edges.size(); ++e) {
    QVERIFY(touches(layout.nodes[shape.edges[e].from], layout.edges[e].pointAtPercent(0)));
    QVERIFY(touches(layout.nodes[shape.edges[e].to], layout.edges[e].pointAtPercent(1)));
    const QRectF path = layout.edges[e].boundingRect();
    QVERIFY(layout.bounds.contains(path.topLeft()) && layout.bounds.contains(path.bottomRight()));
  }
}

}  // namespace

class TestGraphLayout : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void placesEverything_data() {
    QTest::addColumn<QString>("arrows");
    QTest::newRow("one edge") << "0>1";
    QTest::newRow("diamond") << "0>1 0>2 1>3 2>3";
    QTest::newRow("parallel edges") << "0>1 0>1 1>2";
    QTest::newRow("two components") << "0>1 2>3";
    QTest::newRow("skip") << "0>1 1>2 2>3 0>3";
  }
  void placesEverything() {
    QFETCH(QString, arrows);
    const GraphShape shape = shapeOf(arrows);
    const GraphLayout layout = test::valueOf(layoutGraph(shape, 1.3));
    checkLayout(shape, layout);
    // In one column arrows point downwards.
    for (const GraphShape::Edge& edge : shape.edges) {
      QVERIFY(layout.nodes[edge.from].bottom() < layout.nodes[edge.to].top());
    }
  }

  void nothingHasNoBounds() {
    const GraphLayout layout = test::valueOf(layoutGraph({}, 1));
    QVERIFY(layout.nodes.empty() && layout.bounds.isEmpty());
  }

  void aLongChainIsFolded() {
    const GraphShape shape = chainOf(200);
    const GraphLayout layout = test::valueOf(layoutGraph(shape, 1.3));
    checkLayout(shape, layout);
    const double aspect = layout.bounds.width() / layout.bounds.height();
    QVERIFY2(aspect > 0.8 && aspect < 2, qPrintable(QString::number(aspect)));
    // Read down the columns, from the left.
    for (std::size_t i = 1; i < layout.nodes.size(); ++i) {
      const QPointF step = layout.nodes[i].center() - layout.nodes[i - 1].center();
      QVERIFY(step.y() > 0 || step.x() > 0);
    }
  }

  void findsWhatIsUnderAPoint() {
    const GraphLayout layout = test::valueOf(layoutGraph(shapeOf("0>1 0>2"), 1));
    for (int i = 0; i < 3; ++i) QCOMPARE(layout.nodeAt(layout.nodes[std::size_t(i)].center()), i);
    QCOMPARE(layout.nodeAt({-1000, -1000}), -1);
  }

  void arrowKeysWalk() {
    const GraphLayout layout = test::valueOf(layoutGraph(shapeOf("0>1 0>2 1>3 2>3"), 1));
    const int left = layout.nodes[1].left() < layout.nodes[2].left() ? 1 : 2;
    const int right = 3 - left;
    QCOMPARE(layout.neighbour(left, {1, 0}), right);
    QCOMPARE(layout.neighbour(right, {-1, 0}), left);
    QCOMPARE(layout.neighbour(left, {-1, 0}), left);
    QCOMPARE(layout.neighbour(left, {0, -1}), 0);
    QCOMPARE(layout.neighbour(right, {0, 1}), 3);
  }

  void refusesWhatNobodyCouldRead() {
    GraphShape shape;
    shape.nodes.assign(kMostLaidOutNodes + 1, kSize);
    const auto layout = layoutGraph(shape, 1);
    QVERIFY(!layout.ok());
    QVERIFY(layout.error().kind == ErrorKind::TooLarge);
    QVERIFY(layout.error().text().find("2001 vertices") != std::string::npos);
  }

  void saysWhatIsMissing() {
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", "/nowhere");
    const auto layout = layoutGraph(chainOf(3), 1);
    qputenv("PATH", path);
    QVERIFY(!layout.ok());
    QVERIFY(QString::fromStdString(layout.error().text()).contains("install the package graphviz"));
  }

  void canBeCancelled() {
    std::stop_source stop;
    stop.request_stop();
    const auto layout = layoutGraph(chainOf(3), 1, stop.get_token());
    QVERIFY(!layout.ok() && layout.error().kind == ErrorKind::Cancelled);
  }

  void runsFromSeveralThreads() {
    const GraphShape shape = chainOf(60);
    const GraphLayout alone = test::valueOf(layoutGraph(shape, 1));
    std::vector<std::future<Result<GraphLayout>>> runs;
    for (int i = 0; i < 4; ++i) {
      runs.push_back(std::async(std::launch::async, [&shape] { return layoutGraph(shape, 1); }));
    }
    for (auto& run : runs) QVERIFY(test::valueOf(run.get()).nodes == alone.nodes);
  }
};

QTEST_APPLESS_MAIN(TestGraphLayout)
#include "tst_graph_layout.moc"
