// SPDX-License-Identifier: GPL-3.0-or-later
// Multiply-adds against numbers computed by hand.
#include <QTest>
#include <array>

#include "onnx_folder.h"
#include "strategy/operator_costs.h"
#include "strategy/operator_kernels.h"
#include "support/parameter_count.h"

using namespace p2;
using test::Model;
using test::Sizes;
using test::sizesOf;

namespace {

/// Multiply-adds of the forward pass: a step takes three times as many, attention counts both products.
double products(const Operator& op) { return multiplyAdds(op, Configuration(op.dimensions.size(), 1)) / 3; }

/// Multiplies by `w` what is called `from`.
Model scaled(const char* from, const char* to) {
  Model model;
  model.node("MatMul", {from, "w"}, {to});
  return model;
}

}  // namespace

class TestOnnxOperators : public QObject, test::OnnxFolder {
  Q_OBJECT

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
  // Shapes by hand: what batches, broadcasts and lone vectors make of a matrix product.
  void batchedProducts() {
    Model m;
    m.input("q", {2, 12, 128, 64}).input("k", {2, 12, 64, 256}).input("one", {1, 12, 64, 256}).input("flat", {64, 256});
    m.input("rows", {24, 128, 64}).input("columns", {24, 64, 32});
    m.node("MatMul", {"q", "k"}, {"a"}).node("MatMul", {"q", "one"}, {"b"}).node("MatMul", {"q", "flat"}, {"c"});
    m.node("MatMul", {"rows", "columns"}, {"d"});
    m.node("Einsum", {"q", "k"}, {"e"}).text("equation", "bhqd, bhdk -> bhqk");
    std::vector<std::array<double, 4>> shapes;
    for (const Operator& op : imported(m).graph.operators) {
      if (op.kind != OperatorKind::Gemm) continue;
      const Product product = productOf(op, Configuration(op.dimensions.size(), 1));
      shapes.push_back({product.count, product.rows, product.columns, product.depth});
    }
    using Shapes = std::vector<std::array<double, 4>>;
    QCOMPARE(
        shapes,
        (Shapes{{24, 128, 256, 64}, {12, 256, 256, 64}, {1, 3072, 256, 64}, {24, 128, 32, 64}, {24, 128, 256, 64}}));
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
    QCOMPARE(test::parameterCount(imported(m).graph), 4.0);
  }
};

QTEST_APPLESS_MAIN(TestOnnxOperators)
#include "tst_onnx_operators.moc"
