// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "graphs/bundled_graphs.h"
#include "graphs/detail/graph_json.h"
#include "support/filled.h"
#include "support/fixtures.h"

using namespace p2;

namespace {

const QString kSmall = QStringLiteral(R"({
  "format": "p2-graph",
  "version": 1,
  "name": "small",
  "operators": [
    {"name": "conv.1", "kind": "convolution", "dimensions": {"b": 8, "h": 4}, "whole": ["h"], "inputs": {"x": ["b", "h=9"]}, "outputs": {"y": ["b", "h"]}},
    {"name": "loss", "kind": "loss", "dimensions": {"b": 8, "n": 4}, "inputs": {"x": ["b", "n"]}, "statistics": {"sum": ["b"]}}
  ],
  "edges": [
    ["conv.1.y", "loss.x"]
  ]
}
)");

const QString kRouted = QStringLiteral(R"({
  "format": "p2-graph",
  "version": 1,
  "name": "routed",
  "assumed": [
    "all experts get the same number of tokens"
  ],
  "operators": [
    {"name": "there", "kind": "dispatch", "dimensions": {"b": 8, "e": 4, "h": 2}, "experts": "e", "inputs": {"x": ["b", "h"]}, "outputs": {"y": ["e", "b=4", "h"]}},
    {"name": "fc", "kind": "experts", "dimensions": {"b": 4, "e": 4, "n": 2, "h": 2}, "experts": "e", "inputs": {"x": ["e", "b", "h"]}, "parameters": {"w": ["e", "h", "n"]}, "outputs": {"y": ["e", "b", "n"]}},
    {"name": "back", "kind": "combine", "dimensions": {"b": 8, "e": 4, "h": 2}, "experts": "e", "inputs": {"x": ["e", "b=4", "h"]}, "outputs": {"y": ["b", "h"]}}
  ],
  "edges": [
    ["there.y", "fc.x"],
    ["fc.y", "back.x"]
  ]
}
)");

QString refusalOf(const QString& text) {
  const auto read = graphFromJson(text.toStdString());
  return read.ok() ? QString() : QString::fromStdString(read.error().text());
}

}  // namespace

class TestGraphJson : public QObject {
  Q_OBJECT
 private slots:
  void reads() {
    const ComputationGraph graph = test::valueOf(graphFromJson(kSmall.toStdString()));
    QCOMPARE(graph.name, std::string("small"));
    QCOMPARE(graph.operators.size(), 2u);
    const Operator& conv = graph.operators[0];
    QCOMPARE(conv.name, std::string("conv.1"));
    QCOMPARE(conv.kind, OperatorKind::Convolution);
    QCOMPARE(conv.dimensions, (std::vector<Dimension>{{"b", 8, true}, {"h", 4, false}}));
    QCOMPARE(conv.tensors, (std::vector<Tensor>{{"x", Tensor::Role::Input, {0, 1}, {8, 9}},
                                                {"y", Tensor::Role::Output, {0, 1}, {}}}));
    QCOMPARE(graph.operators[1].tensors[1].role, Tensor::Role::Statistic);
    QCOMPARE(graph.edges, (std::vector<ComputationGraph::Edge>{{0, 1, 1, 0}}));
  }

  void writesWhatItRead() {
    QCOMPARE(QString::fromStdString(graphToJson(test::valueOf(graphFromJson(kSmall.toStdString())))), kSmall);
    for (const BundledGraph& bundled : bundledGraphs()) {
      const ComputationGraph graph = test::valueOf(bundledGraph(bundled.name));
      QCOMPARE(QString::fromStdString(graphToJson(graph)),
               QString::fromUtf8(bundled.json.data(), qsizetype(bundled.json.size())));
      QCOMPARE(test::valueOf(graphFromJson(graphToJson(graph))), graph);
    }
  }

  // The dimension that counts experts lies where the kind has it.
  void expertsAreADimension() {
    const ComputationGraph graph = test::valueOf(graphFromJson(kRouted.toStdString()));
    QCOMPARE(QString::fromStdString(graphToJson(graph)), kRouted);
    for (const Operator& op : test::filled(graph.operators))
      QCOMPARE(expertDimension(op), std::optional<std::size_t>(1));
    const auto stated = [](const char* before, const char* after) {
      QString text = kRouted;
      return refusalOf(text.replace(text.indexOf(before), int(qstrlen(before)), after));
    };
    QVERIFY(stated("\"experts\": \"e\", ", "")
                .contains("\"there\", of kind dispatch, needs the dimension that counts experts"));
    QVERIFY(stated("\"experts\": \"e\"", "\"experts\": \"q\"")
                .contains("/operators/0/experts: \"there\" has no dimension"));
    QVERIFY(stated("\"x\": [\"b\", \"h\"]", "\"x\": [\"e\", \"h\"]").contains("of its output alone"));
    QVERIFY(stated("[\"e\", \"h\", \"n\"]", "[\"h\", \"n\"]").contains("let \"w\" span \"e\""));
    QVERIFY(stated("\"outputs\": {\"y\": [\"b\", \"h\"]}", "\"outputs\": {\"y\": [\"b\", \"e\"]}")
                .contains("of its first input alone"));
    QVERIFY(
        stated(
            "\"kind\": \"combine\", \"dimensions\": {\"b\": 8, \"e\": 4, \"h\": 2}, \"experts\": \"e\", \"inputs\"",
            "\"kind\": \"combine\", \"dimensions\": {\"b\": 8, \"e\": 4, \"h\": 2}, \"experts\": \"e\", \"statistics\"")
            .contains("has an input and an output"));
  }

  void errorsNameThePlace_data() {
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const char* before, const char* after, const char* error) {
      QTest::newRow(name) << before << after << error;
    };
    row("format", "p2-graph", "p2-system", "/format: \"p2-system\" is not a format that can be read here");
    row("version", "\"version\": 1", "\"version\": 2", "/version: written by a newer version");
    row("no name", "\"name\": \"small\",", "", "the key \"name\" is missing; a graph needs a name");
    row("syntax", "\"edges\": [", "\"edges\": [,", "line 9");
    row("kind", "\"loss\", \"dim", "\"lost\", \"dim",
        "/operators/1/kind: \"lost\" is not a kind of operator; use one of gemm");
    row("size", "\"n\": 4", "\"n\": 0", "/operators/1/dimensions/n: 0 is out of range; a dimension has a size of 1 to");
    row("half", "\"n\": 4", "\"n\": 4.5", "/operators/1/dimensions/n: 4.5 is not a whole number");
    row("no dimensions", "{\"b\": 8, \"n\": 4}", "[8, 4]", "/operators/1/dimensions: a list is not an object");
    row("span", "[\"b\", \"n\"]", "[\"b\", \"m\"]", "/operators/1/inputs/x/1: \"loss\" has no dimension \"m\"");
    row("span size", "h=9", "h=x", "/operators/0/inputs/x/1: \"h=x\" names no size");
    row("whole", "[\"h\"]", "[\"w\"]", "/operators/0/whole/0: \"conv.1\" has no dimension \"w\"");
    row("tensors", "{\"sum\": [\"b\"]}", "3", "/operators/1/statistics: 3 is not an object");
    row("vertex", "\"loss.x\"", "\"lost.x\"", "/edges/0/1: there is no operator \"lost\"");
    row("tensor", "\"loss.x\"", "\"loss.z\"", "/edges/0/1: \"loss\" has no tensor \"z\"");
    row("no dot", "\"loss.x\"", "\"loss\"", "/edges/0/1: \"loss\" has no tensor \"\"");
    row("three ends", "\"loss.x\"", "\"loss.x\", \"loss.x\"", "/edges/0: 3 ends");
    row("shape", "\"n\": 4", "\"n\": 5", "/edges/0: \"conv.1\" sends 8×4 and \"loss\" takes 8×5");
    row("direction", "[\"conv.1.y\", \"loss.x\"]", "[\"loss.x\", \"conv.1.x\"]",
        "/edges/0/0: an edge begins at an output");
  }
  void errorsNameThePlace() {
    QFETCH(QString, before);
    QFETCH(QString, after);
    QFETCH(QString, error);
    QString text = kSmall;
    QVERIFY(text.contains(before));
    text.replace(text.indexOf(before), before.size(), after);
    const auto read = graphFromJson(text.toStdString());
    QVERIFY(!read.ok());
    const QString stated = QString::fromStdString(read.error().text());
    QVERIFY2(stated.contains(error), qPrintable(stated));
  }
};

QTEST_APPLESS_MAIN(TestGraphJson)
#include "tst_graph_json.moc"
