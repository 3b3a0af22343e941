// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "graphs/onnx_import.h"
#include "onnx_models.h"
#include "support/filled.h"
#include "support/fixtures.h"

using namespace p2;
using test::Model;
using Shape = std::vector<std::int64_t>;

namespace {

/// "gemm b=8 n=4 k=16: x0[b,k] w1[k,n] y0[b,n]", whole dimensions with a bar behind.
QString described(const Operator& op) {
  QString text = QString::fromUtf8(nameOf(op.kind).data());
  for (const Dimension& d : op.dimensions) {
    text += QString(" %1=%2%3").arg(QString::fromStdString(d.name)).arg(d.size).arg(d.splittable ? "" : "|");
  }
  text += ':';
  for (const Tensor& tensor : op.tensors) {
    QStringList spans;
    for (std::size_t i = 0; i < tensor.dimensions.size(); ++i) {
      const Dimension& dimension = op.dimensions[tensor.dimensions[i]];
      const std::int64_t size = op.sizeAlong(tensor, i);
      spans +=
          QString::fromStdString(dimension.name) + (size == dimension.size ? QString() : '=' + QString::number(size));
    }
    text += QString(" %1[%2]").arg(QString::fromStdString(tensor.name), spans.join(','));
  }
  return text;
}

}  // namespace

class TestOnnxImport : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  std::string written(const std::string& bytes) {
    const std::string path = m_folder.filePath("model.onnx").toStdString();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  /// Every operator on a line, then the edges.
  QString imported(const Model& model, std::optional<std::int64_t> batch = {}) {
    const LoadedGraph loaded = test::valueOf(importOnnx(written(model.bytes()), {batch, {}}));
    QStringList lines;
    for (const Operator& op : loaded.graph.operators) lines += described(op);
    for (const auto& edge : loaded.graph.edges) {
      const Operator& from = loaded.graph.operators[edge.from];
      const Operator& to = loaded.graph.operators[edge.to];
      lines += QString::fromStdString(from.name + "." + from.tensors[edge.fromTensor].name + " > " + to.name + "." +
                                      to.tensors[edge.toTensor].name);
    }
    return lines.join('\n');
  }

 private slots:
  void aPerceptron() {
    Model model;
    model.input("image", {32, 784}).weight("w1", {784, 100}).weight("b1", {100}).weight("w2", {10, 100});
    model.node("MatMul", {"image", "w1"}, {"a"}).node("Add", {"a", "b1"}, {"b"}).node("Relu", {"b"}, {"c"});
    model.node("Gemm", {"c", "w2"}, {"d"}, {{"transB", {1}}}).node("Softmax", {"d"}, {"e"}, {{"axis", {1}}});
    QCOMPARE(imported(model), QString("gemm d0=32 d1=100 k=784: x0[d0,k] w1[k,d1] y0[d0,d1]\n"
                                      "elementwise d0=32 d1=100: x0[d0,d1] w1[d1] y0[d0,d1]\n"
                                      "elementwise d0=32 d1=100: x0[d0,d1] y0[d0,d1]\n"
                                      "gemm b=32 n=10 k=100: x0[b,k] w1[n,k] y0[b,n]\n"
                                      "softmax d0=32 d1=10: x0[d0,d1] maximum[d0] sum[d0] gradient[d0] y0[d0,d1]\n"
                                      "MatMul.y0 > Add.x0\nAdd.y0 > Relu.x0\nRelu.y0 > Gemm.x0\nGemm.y0 > Softmax.x0"));
  }

  void anImageNetwork() {
    Model model;
    model.input("image", {0, 3, 32, 32}, "N").weight("w", {16, 3, 3, 3}).weight("bias", {16});
    for (const char* name : {"scale", "shift", "mean", "variance"}) model.weight(name, {16});
    model.node("Conv", {"image", "w", "bias"}, {"a"}, {{"strides", {2, 2}}, {"pads", {1, 1, 1, 1}}});
    model.node("BatchNormalization", {"a", "scale", "shift", "mean", "variance"}, {"b"});
    model.node("MaxPool", {"b"}, {"c"}, {{"kernel_shape", {2, 2}}, {"strides", {2, 2}}});
    model.node("Flatten", {"c"}, {"d"}, {{"axis", {1}}});
    model.node("GlobalAveragePool", {"c"}, {"e"});
    QCOMPARE(imported(model, 8),
             QString("convolution b=8 n=16 c=3 u3=16| u4=16| u5=3| u6=3|: x0[b,c,u3=32,u4=32] w1[n,c,u5,u6] w2[n] "
                     "y0[b,n,u3,u4]\n"
                     "normalisation b=8 c=16 u2=16| u3=16|: x0[b,c,u2,u3] w1[c] w2[c] mean[c] variance[c] "
                     "mean_gradient[c] variance_gradient[c] y0[b,c,u2,u3]\n"
                     "pooling b=8 c=16 u2=8| u3=8| u4=2| u5=2|: x0[b,c,u2=16,u3=16] y0[b,c,u2,u3]\n"
                     "reshape d0=8 d1=16 u2=8| u3=8|: x0[d0,d1,u2,u3] y0[d0,d1=1024]\n"
                     "pooling b=8 c=16 u2=1| u3=1| u4=8| u5=8|: x0[b,c,u2=8,u3=8] y0[b,c,u2,u3]\n"
                     "Conv.y0 > BatchNormalization.x0\nBatchNormalization.y0 > MaxPool.x0\nMaxPool.y0 > Flatten.x0\n"
                     "MaxPool.y0 > GlobalAveragePool.x0"));
  }

  void wordsAndSequences() {
    Model model;
    model.indices("tokens", {4, 20}).weight("table", {1000, 64}).weight("w", {1, 128, 64}).weight("r", {1, 128, 32});
    model.weight("shape", {4}, {4, 20, 8, 8}).weight("scale", {64}).weight("shift", {64});
    model.node("Gather", {"table", "tokens"}, {"a"});
    model.node("LayerNormalization", {"a", "scale", "shift"}, {"b"}, {{"axis", {-1}}});
    model.node("Reshape", {"b", "shape"}, {"c"}).node("Transpose", {"c"}, {"d"});
    model.node("Transpose", {"b"}, {"e"}).node("Concat", {"a", "b"}, {"g"}, {{"axis", {2}}});
    const QStringList lines = imported(model).split('\n');
    QCOMPARE(lines[0], QString("embedding d0=4 d1=20 v=1000 e=64: x1[d0,d1] w0[v,e] y0[d0,d1,e]"));
    QCOMPARE(lines[1], QString("normalisation d0=4 d1=20 d2=64: x0[d0,d1,d2] w1[d2] w2[d2] mean[d0,d1] "
                               "variance[d0,d1] mean_gradient[d0,d1] variance_gradient[d0,d1] y0[d0,d1,d2]"));
    QCOMPARE(lines[2], QString("reshape d0=4 d1=20 d2=8 u3=8|: x0[d0,d1,d2=64] y0[d0,d1,d2,u3]"));
    QCOMPARE(lines[4], QString("reshape d0=4 d1=20 d2=64: x0[d0,d1,d2] y0[d2,d1,d0]"));
    QCOMPARE(lines[5], QString("concat d0=4 d1=20 d2=128: x0[d0,d1,d2=64] x1[d0,d1,d2=64] y0[d0,d1,d2]"));
  }

  void whatIsNotCountedIsNamed() {
    Model model;
    model.input("x", {4, 6}).input("wide", {4, 2, 6}).indices("top", {1});
    model.node("Det", {"x"}, {"y"}).node("Det", {"y"}, {"z"}).output("y", {4, 6}).output("z", {4, 6});
    // Where numbers are not zero is not known before a model runs, and how much follows from that neither.
    model.node("NonZero", {"x"}, {"places"}).node("Transpose", {"places"}, {"turned"}).node("Relu", {"wide"}, {"u"});
    const LoadedGraph loaded = test::valueOf(importOnnx(written(model.bytes())));
    QCOMPARE(loaded.graph.unpriced,
             (std::vector<std::string>{"Det (2 times)", "NonZero, and where sizes depend on it Transpose"}));
    QVERIFY(loaded.warnings.empty());
    for (const Operator& op : test::filled(loaded.graph.operators)) QCOMPARE(op.kind, OperatorKind::Elementwise);
    QCOMPARE(loaded.graph.operators.size(), 3u);
    QCOMPARE(loaded.graph.operators[1].name, std::string("Det 2"));
    QCOMPARE(loaded.graph.edges.size(), 1u);
    Model all;
    all.input("x", {4, 6}).node("NonZero", {"x"}, {"y"});
    QVERIFY(importOnnx(written(all.bytes())).error().text().ends_with("no operator of it can be priced: NonZero"));
  }

  // An output that nobody takes may have no name, the first as well.
  void outputsCanBeLeftOut() {
    Model model;
    model.input("x", {20, 4, 64}).weight("w", {1, 128, 64}).weight("r", {1, 128, 32});
    model.node("LSTM", {"x", "w", "r"}, {"", "h"}, {{"hidden_size", {32}}}).node("Relu", {"h"}, {"y"});
    QCOMPARE(imported(model), QString("lstm s=20| directions=1 b=4 g=4| n=32 k=96: x0[s,b,k=64] w[directions,g,n,k] "
                                      "gates[s,directions,b,g,n] y1[directions,b,n]\n"
                                      "elementwise d0=1 d1=4 d2=32: x0[d0,d1,d2] y0[d0,d1,d2]\n"
                                      "LSTM.y1 > Relu.x0"));
    Model gru;
    gru.input("x", {20, 4, 64}).weight("w", {1, 96, 64}).weight("r", {1, 96, 32});
    gru.node("GRU", {"x", "w", "r"}, {"", "h"}, {{"hidden_size", {32}}}).node("Relu", {"h"}, {"y"});
    const QString text = imported(gru);
    QVERIFY2(text.contains("GRU.y1 > Relu.x0"), qPrintable(text));
    Model none;
    none.input("x", {4, 6}).node("Relu", {"x"}, {""}).node("Relu", {"x"}, {"y"});
    QCOMPARE(imported(none).count("elementwise"), 1);
  }

  void canBeCancelled() {
    std::stop_source source;
    source.request_stop();
    Model model;
    model.input("x", {4, 6}).node("Relu", {"x"}, {"y"});
    const auto stopped = importOnnx(written(model.bytes()), {}, source.get_token());
    QVERIFY(!stopped.ok());
    QCOMPARE(stopped.error().kind, ErrorKind::Cancelled);
  }

  void whatFollowsFromWeightsIsAWeight() {
    Model model;
    model.input("x", {4, 6}).weight("w", {5, 6}).node("Transpose", {"w"}, {"t"}).node("MatMul", {"x", "t"}, {"y"});
    QCOMPARE(imported(model), QString("gemm d0=4 d1=5 k=6: x0[d0,k] w1[k,d1] y0[d0,d1]"));
  }

  void refusals_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("batch");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const std::string& bytes, int batch, const char* error) {
      QTest::newRow(name) << QByteArray::fromStdString(bytes) << batch << error;
    };
    const std::string open = Model().input("x", {0, 6}, "N").node("Relu", {"x"}, {"y"}).bytes();
    row("open", open, 0, "dimension 0 of the input \"x\" is open; give it a size, as in --dim N=1");
    row("batch", open, -1, "a batch of -1; use 1 to 2^40");
    row("second", Model().input("x", {2, 0}, "S").node("Relu", {"x"}, {"y"}).bytes(), 4,
        "dimension 1 of the input \"x\" is open; give it a size, as in --dim S=128");
    row("garbage", "this is no protobuf", 0, "it is not an ONNX model, or it is cut short");
    row("empty", "", 0, "it is not an ONNX model, or it is cut short");
    row("cut", open.substr(0, open.size() - 5), 0, "it is not an ONNX model, or it is cut short");
    row("contradiction", Model().input("x", {2, 3}).weight("w", {4, 5}).node("MatMul", {"x", "w"}, {"y"}).bytes(), 0,
        "MatMul: its shapes contradict each other: ");
    row("ranks",
        Model()
            .input("x", {2, 3, 4, 4})
            .weight("w", {5, 3, 1, 1})
            .weight("b", {1, 5})
            .node("Conv", {"x", "w", "b"}, {"y"})
            .bytes(),
        0, "Conv: its tensors do not have the ranks");
    const auto pooling = [](const char* name, const Shape& values) {
      return Model().input("x", {2, 3, 8, 8}).node("MaxPool", {"x"}, {"y"}, {{"kernel_shape", {2, 2}}, {name, values}});
    };
    const auto pooled = [&](const char* name, const Shape& values) { return pooling(name, values).bytes(); };
    row("strides", pooled("strides", {0, 0}), 0, "MaxPool: strides holds 0; it needs numbers of 1 to 2^40");
    row("dilations", pooled("dilations", {1, -1}), 0, "MaxPool: dilations holds -1; it needs numbers of 1 to 2^40");
    row("group",
        Model()
            .input("x", {2, 3, 4, 4})
            .weight("w", {5, 3, 1, 1})
            .node("Conv", {"x", "w"}, {"y"}, {{"group", {0}}})
            .bytes(),
        0, "Conv: group holds 0; it needs numbers of 1 to 2^40");
    row("inside a branch", Model().input("x", {2, 3, 8, 8}).branch(pooling("strides", {0, 0})).bytes(), 0,
        "MaxPool: strides holds 0; it needs numbers of 1 to 2^40");
    row("nothing, but huge",
        Model().input("x", {2, 3}).weight("w", {0, std::int64_t{1} << 40, 1 << 30}).node("Relu", {"x"}, {"y"}).bytes(),
        0, "a dimension over 2^40, or over 2^63 elements");
    row("huge",
        Model()
            .input("x", {std::int64_t{1} << 40, 1 << 20})
            .weight("shape", {3}, {std::int64_t{1} << 40, std::int64_t{1} << 40, 1 << 20})
            .node("Reshape", {"x", "shape"}, {"y"})
            .bytes(),
        0, "a dimension over 2^40, or over 2^63 elements");
    row("nothing", Model().input("x", {2, 3}).bytes(), 0, "nothing in it is computed from its inputs");
  }
  void refusals() {
    QFETCH(QByteArray, bytes);
    QFETCH(int, batch);
    QFETCH(QString, error);
    const auto refused =
        importOnnx(written(bytes.toStdString()), {batch == 0 ? std::nullopt : std::optional<std::int64_t>(batch), {}});
    QVERIFY(!refused.ok());
    const QString stated = QString::fromStdString(refused.error().text());
    QVERIFY2(stated.contains(error), qPrintable(stated));
  }

  // Too few inputs, a permutation of nothing: taken as far as it goes, or refused, never followed.
  void malformedNodes_data() {
    QTest::addColumn<QString>("type");
    for (const char* type :
         {"Gemm", "MatMul", "Conv", "MaxPool", "BatchNormalization", "LayerNormalization", "Softmax",
          "NegativeLogLikelihoodLoss", "Gather", "Concat", "Split", "Transpose", "Reshape", "LSTM"}) {
      QTest::newRow(type) << type;
    }
  }
  void malformedNodes() {
    QFETCH(QString, type);
    for (const Shape& shape : {Shape{}, Shape{4}, Shape{4, 5}, Shape{4, 5, 6}}) {
      Model model;
      model.input("x", shape).weight("w", {3}).output("y", {4, 5});
      model.node(qPrintable(type), {"x"}, {"y"}, {{"perm", {7, 7}}, {"axis", {9}}, {"hidden_size", {8}}});
      (void)importOnnx(written(model.bytes()));
      Model second;
      second.input("x", shape).weight("w", {3}).output("y", {4, 5}).node(qPrintable(type), {"w", "x", "x"}, {"y"});
      const auto imported = importOnnx(written(second.bytes()));
      QVERIFY(imported.ok() || !imported.error().message.empty());
    }
  }

  void filesThatCannotBeRead() {
    QVERIFY(!importOnnx(m_folder.filePath("none.onnx").toStdString()).ok());
    QVERIFY(importOnnx(m_folder.path().toStdString()).error().text().find("directory") != std::string::npos);
    const QString large = m_folder.filePath("large.onnx");
    QFile file(large);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.resize(qint64(3) << 30));
    const auto refused = importOnnx(large.toStdString());
    QCOMPARE(refused.error().kind, ErrorKind::TooLarge);
  }
};

QTEST_APPLESS_MAIN(TestOnnxImport)
#include "tst_onnx_import.moc"
