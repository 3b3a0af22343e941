// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "strategy/computation_graph.h"
#include "support/fixtures.h"
#include "support/parameter_count.h"

using namespace p2;

namespace {

Operator copyOf(const std::string& name, std::int64_t size = 8) {
  return {name,
          OperatorKind::Elementwise,
          {{"b", size, true}},
          {{"x", Tensor::Role::Input, {0}, {}}, {"y", Tensor::Role::Output, {0}, {}}}};
}

/// a → b → c.
ComputationGraph chain() {
  return {"chain", "", {copyOf("a"), copyOf("b"), copyOf("c")}, {{0, 1, 1, 0}, {1, 1, 2, 0}}};
}

}  // namespace

class TestComputationGraph : public QObject {
  Q_OBJECT
 private slots:
  void kindsHaveNames() {
    for (std::size_t i = 0; i < kOperatorKinds; ++i) {
      const auto kind = static_cast<OperatorKind>(i);
      QVERIFY(!nameOf(kind).empty());
      QCOMPARE(test::valueOf(operatorKindFrom(nameOf(kind))), kind);
    }
    QVERIFY(operatorKindFrom("rnn").error().message.find("lstm") != std::string::npos);
  }

  void aGraphIsItself() { QCOMPARE(test::valueOf(validated(chain())), chain()); }

  void whatIsWrongIsNamed_data() {
    QTest::addColumn<ComputationGraph>("graph");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* name, const char* text, const std::function<void(ComputationGraph&)>& spoil) {
      ComputationGraph graph = chain();
      spoil(graph);
      QTest::newRow(name) << graph << QString::fromUtf8(text);
    };
    row("empty", "/operators: a graph without operators", [](auto& g) { g = {}; });
    row("cycle", "/edges: the operators form a cycle, a → b → c → a; ", [](auto& g) {
      g.edges.push_back({2, 1, 0, 0});
    });
    row("inner cycle", "form a cycle, b → c → b; ", [](auto& g) { g.edges.push_back({2, 1, 1, 0}); });
    row("itself", "form a cycle, b → b; ", [](auto& g) { g.edges.push_back({1, 1, 1, 0}); });
    row("same name", "/operators/2/name: the name \"a\" already names operator 0",
        [](auto& g) { g.operators[2].name = "a"; });
    row("no name", "/operators/1/name: an operator needs a name", [](auto& g) { g.operators[1].name = ""; });
    row("size", "/operators/0/dimensions/b: dimension \"b\" has size 0; use 1 to 2^40",
        [](auto& g) { g.operators[0].dimensions[0].size = 0; });
    row("same dimension", "/operators/0/dimensions/b: dimension \"b\" appears twice", [](auto& g) {
      g.operators[0].dimensions.push_back({"b", 2, true});
    });
    row("too many dimensions", "has 13 dimensions; use 12 at most",
        [](auto& g) { g.operators[0].dimensions.resize(13); });
    row("unknown dimension", "tensor \"x\" of \"a\" spans dimension 3; there are 1",
        [](auto& g) { g.operators[0].tensors[0].dimensions = {3}; });
    row("twice", "spans dimension \"b\" twice", [](auto& g) { g.operators[0].tensors[0].dimensions = {0, 0}; });
    row("sizes", "has 2 sizes for 1 dimension", [](auto& g) { g.operators[0].tensors[0].sizes = {8, 8}; });
    row("tensor size", "has a size of -1", [](auto& g) { g.operators[0].tensors[0].sizes = {-1}; });
    row("dots", "tensor \"x.1\" of \"a\" needs a name without dots",
        [](auto& g) { g.operators[0].tensors[0].name = "x.1"; });
    row("same tensor", "tensor \"x\" of \"a\" appears twice", [](auto& g) { g.operators[0].tensors[1].name = "x"; });
    row("no operator", "/edges/0: there is no operator 7; there are 3", [](auto& g) { g.edges[0].to = 7; });
    row("from an input", "/edges/1/0: an edge begins at an output", [](auto& g) { g.edges[1].fromTensor = 0; });
    row("to an output", "/edges/1/1: an edge ends at an input", [](auto& g) { g.edges[1].toTensor = 1; });
    row("shapes", "/edges/0: \"a\" sends 8 and \"b\" takes 9; the shapes must be equal",
        [](auto& g) { g.operators[1].tensors[0].sizes = {9}; });
  }
  void whatIsWrongIsNamed() {
    QFETCH(ComputationGraph, graph);
    QFETCH(QString, text);
    const auto checked = validated(graph);
    QVERIFY(!checked.ok());
    const QString stated = QString::fromStdString(checked.error().text());
    QVERIFY2(stated.contains(text), qPrintable(stated));
  }

  void parametersAreCounted() {
    ComputationGraph graph = chain();
    QCOMPARE(test::parameterCount(graph), 0.0);
    graph.operators[1].tensors.push_back({"w", Tensor::Role::Parameter, {0}, {}});
    graph.operators[2].tensors.push_back({"w", Tensor::Role::Parameter, {0}, {100}});
    QCOMPARE(test::parameterCount(graph), 108.0);
  }
};

QTEST_APPLESS_MAIN(TestComputationGraph)
#include "tst_computation_graph.moc"
