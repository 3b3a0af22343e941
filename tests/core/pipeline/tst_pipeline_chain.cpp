// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "graphs/strategy_source.h"
#include "tests/core/pipeline/pipeline_cases.h"

using namespace p2;

class TestPipelineChain : public QObject {
  Q_OBJECT

 private slots:
  // fc1 → act → fc2 → sum, where the sum reads act as well: no cut between fc2 and the sum.
  void isCutWhereOneTensorPasses() {
    const ComputationGraph graph = test::smallGraph();
    const PipelineChain chain(graph);
    QCOMPARE(chain.pieces(), std::size_t{3});
    const StageGraph last = chain.stageOf(2, 3);
    QCOMPARE(last.operators, (std::vector<std::size_t>{2, 3}));
    QVERIFY(last.receives && !last.sends);
    QCOMPARE(last.graph.operators[*last.receives].name, std::string("act received"));
    // What comes in is read twice, by fc2 and by the sum.
    QCOMPARE(std::count_if(last.graph.edges.begin(), last.graph.edges.end(),
                           [&](const auto& edge) { return edge.from == last.receives; }),
             2);
    const StageGraph middle = chain.stageOf(1, 2);
    QCOMPARE(middle.operators, (std::vector<std::size_t>{1}));
    QCOMPARE(middle.graph.edges.size(), std::size_t{2});
    QCOMPARE(middle.graph.edges.back().to, *middle.sends);
    const StageGraph whole = chain.stageOf(0, 3);
    QVERIFY(!whole.receives && !whole.sends);
    QCOMPARE(whole.graph.operators, graph.operators);
    QCOMPARE(whole.graph.edges, graph.edges);
  }

  void ordersWhatIsListedBackwards() {
    ComputationGraph graph = test::chainGraph({8, 8, 4, 8});
    std::reverse(graph.operators.begin(), graph.operators.end());
    for (auto& edge : graph.edges) edge = {2 - edge.from, edge.fromTensor, 2 - edge.to, edge.toTensor};
    const PipelineChain chain(graph);
    QCOMPARE(chain.pieces(), std::size_t{3});
    QCOMPARE(chain.stageOf(0, 1).operators, (std::vector<std::size_t>{2}));
    QCOMPARE(chain.stageOf(2, 3).operators, (std::vector<std::size_t>{0}));
  }

  // A tensor that a stage neither makes nor reads is handed on.
  void forwards() {
    ComputationGraph graph = test::chainGraph({8, 8, 8, 8});
    graph.edges[1].from = 0;  // fc2 reads fc0, and nobody fc1
    graph = test::valueOf(validated(graph));
    const PipelineChain chain(graph);
    QCOMPARE(chain.pieces(), std::size_t{3});
    const StageGraph middle = chain.stageOf(1, 2);
    QCOMPARE(middle.graph.edges.size(), std::size_t{2});
    QCOMPARE(middle.graph.edges[1].from, *middle.receives);
    QCOMPARE(middle.graph.edges[1].to, *middle.sends);
  }

  // GPT-3: embedding and positions, 96 layers of two pieces, product and loss.
  void layersAreEqualAndDividedEvenly() {
    const ComputationGraph graph = test::valueOf(graphFromArgument("gpt3-175b", {8, 2048, {}})).graph;
    const PipelineChain chain(graph);
    QCOMPARE(chain.pieces(), std::size_t{2 + 2 * 96 + 2});
    for (std::size_t piece = 4; piece < 2 + 2 * 96; ++piece) QCOMPARE(chain.kindOf(piece), chain.kindOf(piece - 2));
    QVERIFY(chain.kindOf(2) != chain.kindOf(3));
    QCOMPARE(chain.shapeOf(2, 14), chain.shapeOf(40, 52));
    QVERIFY(chain.shapeOf(2, 14) != chain.shapeOf(3, 15));
    const auto cuts = test::valueOf(chain.evenCuts(16));
    QCOMPARE(cuts.size(), std::size_t{17});
    QCOMPARE(cuts[1], std::size_t{2 + 12});
    QCOMPARE(cuts[15], std::size_t{2 + 15 * 12});
    QCOMPARE(cuts.back(), chain.pieces());
    QVERIFY(chain.evenCuts(7).error().text().find("96 layers cannot be divided evenly among 7") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TestPipelineChain)
#include "tst_pipeline_chain.moc"
