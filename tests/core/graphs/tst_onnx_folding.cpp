// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes that are computed in the graph.
#include <QTest>

#include "onnx_folder.h"

using namespace p2;
using test::Model;
using test::Sizes;
using test::sizesOf;

namespace {

/// A model with whole numbers to compute with; every list that is asked for becomes the shape of an operator.
class Lists : public Model {
 public:
  Lists() { input("x", {2, 3, 4}).input("one", {1}); }
  void asked(const QString& list, const Sizes& expected) {
    node("Expand", {"one", list}, {list + "_"});
    m_expected.push_back(expected);
  }
  [[nodiscard]] const std::vector<Sizes>& expected() const { return m_expected; }

 private:
  std::vector<Sizes> m_expected;
};

}  // namespace

class TestOnnxFolding : public QObject, test::OnnxFolder {
  Q_OBJECT

 private slots:
  void listsThatMoveNumbers() {
    Lists m;
    m.weight("0", {}, {0}).weight("-1", {1}, {-1}).weight("2", {1}, {2}).weight("far", {1}, {INT64_MAX});
    m.weight("1,2", {2}, {1, 2}).weight("0,2", {2}, {0, 2}).weight("3x2", {3, 2}, {1, 2, 3, 4, 5, 6});
    m.node("Shape", {"x"}, {"s"});
    m.asked("s", {2, 3, 4});
    m.node("Shape", {"x"}, {"end"}, {{"start", {1}}});
    m.asked("end", {3, 4});
    m.node("Gather", {"s", "1,2"}, {"g"});
    m.asked("g", {3, 4});
    m.node("Slice", {"s", "-1", "far"}, {"last"});
    m.asked("last", {4});
    m.node("Slice", {"s", "-1", "back", "zeroth", "-1"}, {"turned"})
        .weight("back", {1}, {-9})
        .weight("zeroth", {1}, {0});
    m.asked("turned", {4, 3, 2});
    m.node("Gather", {"s", "0"}, {"n"})
        .node("Unsqueeze", {"n", "zeroth"}, {"n1"})
        .node("Concat", {"n1", "2"}, {"c"}, {{"axis", {0}}});
    m.asked("c", {2, 2});
    m.node("Reshape", {"3x2", "-1"}, {"flat"});
    m.asked("flat", {1, 2, 3, 4, 5, 6});
    m.node("Transpose", {"3x2"}, {"t"}).node("Reshape", {"t", "-1"}, {"tf"});
    m.asked("tf", {1, 3, 5, 2, 4, 6});
    m.node("Gather", {"3x2", "0,2"}, {"rows"}).node("Reshape", {"rows", "-1"}, {"rf"});
    m.asked("rf", {1, 2, 5, 6});
    m.node("Split", {"s"}, {"a", "b", "c3"});
    m.asked("b", {3});
    m.node("Tile", {"n1", "2"}, {"tiled"});
    m.asked("tiled", {2, 2});
    m.node("Expand", {"n1", "2"}, {"expanded"});
    m.asked("expanded", {2, 2});
    m.node("Squeeze", {"n1"}, {"n0"}).node("Unsqueeze", {"n0", "zeroth"}, {"again"});
    m.asked("again", {2});
    const auto graph = imported(m).graph;
    QCOMPARE(graph.operators.size(), m.expected().size());
    for (std::size_t i = 0; i < m.expected().size(); ++i) QCOMPARE(sizesOf(graph.operators[i]), m.expected()[i]);
  }

  void listsThatAreComputed() {
    Lists m;
    m.weight("zero", {}, {0}).weight("two", {}, {2}).weight("seven", {}, {7}).weight("list", {3}, {7, 2, 5});
    m.weight("-1", {1}, {-1}).weight("zeroth", {1}, {0}).node("Shape", {"x"}, {"s"});
    const auto binary = [&](const char* type, const Sizes& expected) {
      m.node(type, {"list", "two"}, {type});
      m.asked(type, expected);
    };
    binary("Add", {9, 4, 7});
    binary("Mul", {14, 4, 10});
    binary("Div", {3, 1, 2});
    binary("Pow", {49, 4, 25});
    binary("Max", {7, 2, 5});
    m.node("Sub", {"seven", "s"}, {"sub"});
    m.asked("sub", {5, 4, 3});
    m.node("Mod", {"seven", "s"}, {"mod"}).node("Add", {"mod", "two"}, {"mod2"});
    m.asked("mod2", {3, 3, 5});
    // 7 / 2 as real numbers, rounded both ways.
    m.node("Cast", {"seven"}, {"f7"}, {{"to", {1}}})
        .node("Cast", {"two"}, {"f2"}, {{"to", {1}}})
        .node("Div", {"f7", "f2"}, {"f"});
    for (const char* type : {"Ceil", "Floor"}) {
      const QString name = QString(type) + "w";
      m.node(type, {"f"}, {type})
          .node("Cast", {type}, {name}, {{"to", {7}}})
          .node("Unsqueeze", {name, "zeroth"}, {name + "1"});
      m.asked(name + "1", {QString(type) == "Ceil" ? 4 : 3});
    }
    m.node("Range", {"two", "seven", "two"}, {"range"});
    m.asked("range", {2, 4, 6});
    m.node("Slice", {"s", "zeroth", "zeroth"}, {"none"}).node("Concat", {"none", "s"}, {"joined"}, {{"axis", {0}}});
    m.asked("joined", {2, 3, 4});
    m.node("Equal", {"list", "two"}, {"is"}).node("Where", {"is", "seven", "list"}, {"where"});
    m.asked("where", {7, 7, 5});
    m.node("ReduceProd", {"s"}, {"all"}, {{"keepdims", {0}}}).node("Reshape", {"all", "-1"}, {"all1"});
    m.asked("all1", {24});
    m.node("NonZero", {"is"}, {"places"}).node("Reshape", {"places", "-1"}, {"place"});
    m.asked("place", {1});
    const auto graph = imported(m).graph;
    QCOMPARE(graph.operators.size(), m.expected().size());
    for (std::size_t i = 0; i < m.expected().size(); ++i) QCOMPARE(sizesOf(graph.operators[i]), m.expected()[i]);
  }

  // Exporters compute the number of heads and the length of the sequence.
  void shapesFollowFromNamedSizes() {
    Model model;
    model.indices("tokens", {0, 1}, "batch").weight("table", {50, 8}).weight("w", {8, 8});
    model.weight("heads", {2}, {2, 4}).weight("zero", {1}, {0}).weight("two", {1}, {2});
    model.node("Gather", {"table", "tokens"}, {"e"}).node("MatMul", {"e", "w"}, {"q"}).node("Shape", {"q"}, {"s"});
    model.node("Slice", {"s", "zero", "two"}, {"bs"}).node("Concat", {"bs", "heads"}, {"shape"}, {{"axis", {0}}});
    model.node("Reshape", {"q", "shape"}, {"split"}).node("Softmax", {"split"}, {"y"});
    const auto graph = imported(model, {{}, {{"batch", 5}}}).graph;
    QCOMPARE(sizesOf(graph.operators.back()), (Sizes{5, 1, 2, 4}));
    QCOMPARE(graph.operators.size(), 4u);
    QCOMPARE(imported(model, {5, {}}).graph, graph);
    const auto open = test::valueOf(openDimensions(path()));
    QCOMPARE(open, (std::vector<OpenDimension>{{"batch", "tokens", 0, 1}}));
    const auto unknown = importOnnx(path(), {{}, {{"batch", 5}, {"S", 1}}});
    QVERIFY(unknown.error().text().ends_with("no open dimension is called \"S\"; there is \"batch\""));
  }
};

QTEST_APPLESS_MAIN(TestOnnxFolding)
#include "tst_onnx_folding.moc"
