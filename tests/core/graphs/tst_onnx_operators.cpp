// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes that are computed in the graph, and multiply-adds against numbers computed by hand.
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "graphs/onnx_import.h"
#include "onnx_models.h"
#include "strategy/operator_costs.h"
#include "support/fixtures.h"

using namespace p2;
using test::Model;
using Sizes = std::vector<std::int64_t>;

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

/// Of its first output.
Sizes sizesOf(const Operator& op) {
  const auto output = std::find_if(op.tensors.begin(), op.tensors.end(),
                                   [](const Tensor& tensor) { return tensor.role == Tensor::Role::Output; });
  Sizes sizes;
  if (output == op.tensors.end()) return sizes;
  for (std::size_t i = 0; i < output->dimensions.size(); ++i) sizes.push_back(op.sizeAlong(*output, i));
  return sizes;
}

/// Multiply-adds of the forward pass: a step takes three times as many, attention counts both products.
double products(const Operator& op) { return multiplyAdds(op, Configuration(op.dimensions.size(), 1)) / 3; }

/// Multiplies by `w` what is called `from`.
Model scaled(const char* from, const char* to) {
  Model model;
  model.node("MatMul", {from, "w"}, {to});
  return model;
}

}  // namespace

class TestOnnxOperators : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  LoadedGraph imported(const Model& model, const OnnxSizes& sizes = {}) {
    const std::string path = m_folder.filePath("model.onnx").toStdString();
    std::ofstream(path, std::ios::binary) << model.bytes();
    return test::valueOf(importOnnx(path, sizes));
  }

  /// Of all operators with products.
  std::vector<double> productsOf(const Model& model) {
    std::vector<double> counts;
    for (const Operator& op : imported(model).graph.operators) {
      const bool counted = op.kind == OperatorKind::Gemm || op.kind == OperatorKind::Convolution ||
                           op.kind == OperatorKind::Lstm || op.kind == OperatorKind::Attention;
      if (counted) counts.push_back(products(op));
    }
    return counts;
  }

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
    const std::string path = m_folder.filePath("model.onnx").toStdString();
    const auto open = test::valueOf(openDimensions(path));
    QCOMPARE(open, (std::vector<OpenDimension>{{"batch", "tokens", 0, 1}}));
    const auto unknown = importOnnx(path, {{}, {{"batch", 5}, {"S", 1}}});
    QVERIFY(unknown.error().text().ends_with("no open dimension is called \"S\"; there is \"batch\""));
  }

  void productsAndConvolutions() {
    Model m;
    m.input("x", {2, 6, 8, 8}).input("rows", {3, 4, 5}).input("vector", {5}).input("column", {4});
    m.weight("k", {6, 6, 3, 3}).weight("grouped", {12, 2, 3, 3}).weight("up", {6, 4, 2, 2}).weight("w", {5, 7});
    m.weight("up2", {6, 5, 2, 2}).weight("scale", {}).weight("zero", {}).weight("bias", {6});
    const QStringList scaledBy{"scale", "zero"};
    m.node("Conv", {"x", "k"}, {"a"}).node("Conv", {"x", "grouped"}, {"b"}, {{"group", {3}}});
    m.node("ConvTranspose", {"x", "up"}, {"c"}, {{"strides", {2, 2}}});
    m.node("ConvTranspose", {"x", "up2"}, {"d"}, {{"group", {2}}});
    m.node("QLinearConv", QStringList{"x"} + scaledBy + QStringList{"k"} + scaledBy + scaledBy + QStringList{"bias"},
           {"e"});
    m.node("ConvInteger", {"x", "k", "zero", "zero"}, {"f"});
    m.node("MatMul", {"rows", "w"}, {"g"})
        .node("MatMul", {"vector", "w"}, {"h"})
        .node("MatMul", {"rows", "vector"}, {"i"});
    m.node("MatMul", {"column", "rows"}, {"j"});
    m.node("QLinearMatMul", QStringList{"rows"} + scaledBy + QStringList{"w"} + scaledBy + scaledBy, {"l"});
    m.node("MatMulInteger", {"rows", "w"}, {"m"});
    m.node("Einsum", {"rows", "w"}, {"n"}).text("equation", "abc, cd -> bad");
    m.node("Einsum", {"rows", "rows"}, {"o"}).text("equation", "...ij,...kj->...ik");
    m.node("FusedMatMul", {"w", "rows"}, {"p"}, {{"transA", {1}}, {"transB", {1}}}).domain("com.microsoft");
    const double plain = 2 * 6 * 6 * 6 * 6 * 9;  // no padding: 6 × 6 pixels
    const std::vector<double> expected{plain,
                                       2 * 12 * 36 * 2 * 9,
                                       2 * 6 * 64 * 4 * 4,
                                       2 * 6 * 64 * 5 * 4,
                                       plain,
                                       plain,
                                       3 * 4 * 5 * 7,
                                       5 * 7,
                                       3 * 4 * 5,
                                       3 * 4 * 5,
                                       3 * 4 * 5 * 7,
                                       3 * 4 * 5 * 7,
                                       3 * 4 * 5 * 7,
                                       3 * 4 * 4 * 5,
                                       3 * 7 * 5 * 4};
    QCOMPARE(productsOf(m), expected);
  }

  // 20 steps of 4 sequences, 64 numbers in, 32 units.
  void recurrentNetworks() {
    Model m;
    m.input("x", {20, 4, 64});
    const auto net = [&](const char* type, std::int64_t gates, std::int64_t directions) {
      const QString name = QString("%1%2").arg(type).arg(directions);
      const std::string w = (name + "w").toStdString();
      const std::string r = (name + "r").toStdString();
      m.weight(w.c_str(), {directions, gates * 32, 64}).weight(r.c_str(), {directions, gates * 32, 32});
      m.node(type, {"x", name + "w", name + "r"}, {name, name + "h"}, {{"hidden_size", {32}}});
      if (directions == 2) m.text("direction", "bidirectional");
      m.node("Relu", {name + "h"}, {name + "y"});
    };
    net("LSTM", 4, 1);
    net("GRU", 3, 1);
    net("RNN", 1, 2);
    const double step = 20 * 4 * 32 * (64 + 32);
    QCOMPARE(productsOf(m), (std::vector<double>{4 * step, 3 * step, 2 * step}));
    const auto graph = imported(m).graph;
    QCOMPARE(sizesOf(graph.operators[5]), (Sizes{2, 4, 32}));
    QCOMPARE(graph.edges.size(), 3u);
  }

  // 2 sequences of 10 tokens, 4 heads of 8.
  void fusedAttention() {
    Model m;
    m.input("x", {2, 10, 32}).input("past", {2, 2, 6, 8}).weight("w", {32, 96}).weight("b", {96}).weight("v", {32, 32});
    m.input("kv", {2, 10, 16});
    m.node("Attention", {"x", "w", "b"}, {"a"}, {{"num_heads", {4}}}).domain("com.microsoft");
    m.node("MultiHeadAttention", {"x", "x", "x"}, {"c"}, {{"num_heads", {4}}}).domain("com.microsoft");
    m.node("GroupQueryAttention", {"x", "kv", "kv", "past", "past"}, {"d"},
           {{"num_heads", {4}}, {"kv_num_heads", {2}}});
    m.domain("com.microsoft").node("MatMul", {"a", "v"}, {"e"}).node("Add", {"c", "d"}, {"f"});
    const double joined = 2.0 * 2 * 4 * 10 * 10 * 8;
    const double withPast = 2.0 * 2 * 4 * 10 * 16 * 8;
    QCOMPARE(productsOf(m), (std::vector<double>{20 * 32 * 96, joined, joined, withPast, 20 * 32 * 32}));
    QVERIFY(imported(m).graph.unpriced.empty());
  }

  // From the left, as runtimes do: 4 × 5 × 6 and 4 × 6 × 7; a letter that only one operand has is summed up at once.
  void einsumsOfSeveralOperands() {
    Model m;
    m.input("a", {4, 5}).input("b", {5, 6}).input("c", {6, 7}).input("batch", {2, 3, 4}).input("d", {3, 9});
    m.node("Einsum", {"a", "b", "c"}, {"x"}).text("equation", "ij,jk,kl->il");
    m.node("Einsum", {"batch", "a", "b"}, {"y"}).text("equation", "...i, ij, jk -> ...k");
    m.node("Einsum", {"batch", "d", "a"}, {"z"}).text("equation", "bij,ik,jl");
    QCOMPARE(productsOf(m),
             (std::vector<double>{4 * 5 * 6, 4 * 6 * 7, 6 * 4 * 5, 6 * 5 * 6, 2 * 3 * 4 * 9, 2 * 4 * 9 * 5}));
    const auto graph = imported(m).graph;
    QVERIFY(graph.unpriced.empty());
    QCOMPARE(sizesOf(graph.operators[1]), (Sizes{4, 7}));
    QCOMPARE(sizesOf(graph.operators[3]), (Sizes{2, 3, 6}));
    QCOMPARE(sizesOf(graph.operators[5]), (Sizes{2, 9, 5}));
  }

  // Queries, keys and values in one tensor, and keys and values of former tokens: the same products as apart.
  void packedAttention() {
    Model m;
    m.input("x", {2, 10, 32}).weight("w", {32, 96}).input("past", {2, 2, 4, 6, 8});
    m.input("qkv", {2, 10, 4, 3, 8}).input("q", {2, 10, 32}).input("kv", {2, 12, 4, 2, 8}).input("heads", {2, 10, 64});
    m.node("Attention", {"x", "w", "", "", "past"}, {"a", "present"}, {{"num_heads", {4}}}).domain("com.microsoft");
    m.node("MultiHeadAttention", {"qkv"}, {"b"}, {{"num_heads", {4}}}).domain("com.microsoft");
    m.node("MultiHeadAttention", {"q", "kv"}, {"c"}, {{"num_heads", {4}}}).domain("com.microsoft");
    m.node("GroupQueryAttention", {"heads"}, {"d"}, {{"num_heads", {4}}, {"kv_num_heads", {2}}});
    m.domain("com.microsoft").node("Relu", {"present"}, {"kept"});
    const double tokens = 2.0 * 2 * 4 * 10 * 8;  // two products of every head's queries
    QCOMPARE(productsOf(m), (std::vector<double>{20 * 32 * 96, tokens * 16, tokens * 10, tokens * 12, tokens * 10}));
    const auto graph = imported(m).graph;
    QVERIFY2(graph.unpriced.empty(), graph.unpriced.empty() ? "" : graph.unpriced.front().c_str());
    QCOMPARE(sizesOf(graph.operators.back()), (Sizes{2, 2, 4, 16, 8}));
  }

  void functionsAndBranches() {
    Model m;
    m.input("x", {3, 4}).input("yes", {}).weight("w", {4, 4}).weight("no", {}, {0}).weight("is", {}, {1});
    m.function("Twice", scaled("in", "mid").node("MatMul", {"mid", "w"}, {"out"}), {"in", "w"}, {"out"});
    m.node("Twice", {"x", "w"}, {"a"}).domain("test").node("Twice", {"a", "w"}, {"b"}).domain("test");
    const Model product = scaled("b", "p").output("p", {3, 4});
    const Model two = scaled("b", "q").node("MatMul", {"q", "w"}, {"r"}).output("r", {3, 4});
    m.node("If", {"is"}, {"c"}).graph("then_branch", product).graph("else_branch", two);
    m.node("If", {"no"}, {"d"}).graph("then_branch", product).graph("else_branch", two);
    m.node("If", {"yes"}, {"e"}).graph("then_branch", two).graph("else_branch", product).node("Add", {"c", "e"}, {"y"});
    QCOMPARE(productsOf(m), std::vector<double>(4 + 1 + 2 + 2, 3 * 4 * 4));
    // It is part of the graph, so that every result says so.
    const LoadedGraph loaded = imported(m);
    QVERIFY(loaded.warnings.empty());
    QCOMPARE(loaded.graph.assumed.size(), 1u);
    QVERIFY(loaded.graph.assumed[0].starts_with("which branch If takes is not known before it runs"));
    QVERIFY(loaded.graph.unpriced.empty());
  }

  // A loop of three turns, each a product, and what its turns leave behind stacked up.
  void loopsAndSequencesOfKnownLength() {
    Model body;
    body.input("turn", {}).input("on", {}).input("h", {3, 4});
    body.node("MatMul", {"h", "w"}, {"next"}).node("Identity", {"on"}, {"still"});
    body.output("still", {}).output("next", {3, 4}).output("next", {3, 4});
    Model m;
    m.input("x", {3, 4}).weight("w", {4, 4}).weight("turns", {}, {3}).weight("first", {}, {0});
    m.node("Loop", {"turns", "", "x"}, {"last", "all"}).graph("body", body);
    m.node("SplitToSequence", {"all"}, {"list"}, {{"axis", {0}}}).node("SequenceAt", {"list", "first"}, {"a"});
    m.node("SequenceEmpty", {}, {"none"}).node("SequenceInsert", {"none", "a"}, {"one"});
    m.node("SequenceInsert", {"one", "a"}, {"two"}).node("ConcatFromSequence", {"two"}, {"b"}, {{"axis", {0}}});
    m.node("MatMul", {"b", "w"}, {"y"}).node("Add", {"y", "last"}, {"z"});
    QCOMPARE(productsOf(m), (std::vector<double>{3 * 4 * 4, 3 * 4 * 4, 3 * 4 * 4, 2 * 3 * 4 * 4}));
    QVERIFY(imported(m).graph.unpriced.empty());
  }

  void numbersAreAsLargeAsMostWeights() {
    Model m;
    m.input("x", {3, 4}).weight("w", {4, 4}).weight("small", {1}).typed("w", onnx::TensorProto::FLOAT16);
    m.node("MatMul", {"x", "w"}, {"y"});
    QCOMPARE(imported(m).graph.elementBytes, 2.0);
  }

  // Masks, bounds and scalars are not learnt.
  void parametersAreWeights() {
    Model m;
    m.input("x", {3, 4}).weight("half", {}).weight("mask", {3, 4}, Sizes(12, 1)).weight("w", {4});
    m.node("Mul", {"x", "half"}, {"a"}).node("Where", {"mask", "a", "half"}, {"b"}).node("Add", {"b", "w"}, {"y"});
    QCOMPARE(parameterCount(imported(m).graph), 4.0);
  }
};

QTEST_APPLESS_MAIN(TestOnnxOperators)
#include "tst_onnx_operators.moc"
