// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "graphs/bundled_graphs.h"
#include "strategy/operator_costs.h"
#include "support/fixtures.h"
#include "support/parameter_count.h"

using namespace p2;

class TestBundledGraphs : public QObject {
  Q_OBJECT

  /// Multiply-adds of the products alone, of one forward step.
  static double forward(const ComputationGraph& graph) {
    double sum = 0;
    for (const Operator& op : graph.operators) {
      const bool product = op.kind == OperatorKind::Gemm || op.kind == OperatorKind::Convolution ||
                           op.kind == OperatorKind::Lstm || op.kind == OperatorKind::Attention;
      if (product) sum += multiplyAdds(op, Configuration(op.dimensions.size(), 1)) / 3;
    }
    return sum;
  }

 private slots:
  // Parameters and forward multiply-adds per example as published, what a shared matrix counts twice taken off.
  void sizesArePublished_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<double>("sharedTwice");
    QTest::addColumn<double>("parameters");
    QTest::addColumn<double>("examples");
    QTest::addColumn<double>("multiplyAdds");
    QTest::newRow("mlp") << "mlp" << 0.0 << 2395210.0 << 128.0 << 784.0 * 1200 + 1200.0 * 1200 + 12000;
    QTest::newRow("alexnet") << "alexnet" << 0.0 << 61100840.0 << 128.0 << 714188480.0;
    QTest::newRow("resnet50") << "resnet50" << 0.0 << 25557032.0 << 256.0 << 4089184256.0;
    // Per word: two layers of 8 h² and the output of h words.
    QTest::newRow("lstm") << "lstm" << 0.0 << 66022000.0 << 700.0 << 2 * 8 * 1500.0 * 1500 + 1500.0 * 10000;
    QTest::newRow("gpt2-medium") << "gpt2-medium" << 50257.0 * 1024 << 354823168.0 << 512.0 * 1024
                                 << 24 * (12 * 1024.0 * 1024 + 2 * 1024.0 * 1024) + 50257.0 * 1024;
    // 44 M in attention and feed-forward, 19 M in the shared embedding; table 3 rounds to 65 M.
    QTest::newRow("transformer") << "transformer" << 2 * 37000.0 * 512 << 63045632.0 << 96.0 * 256
                                 << 44040192.0 + 18 * 2 * 256.0 * 512 + 37000.0 * 512;
  }
  void sizesArePublished() {
    QFETCH(QString, name);
    QFETCH(double, sharedTwice);
    QFETCH(double, parameters);
    QFETCH(double, examples);
    QFETCH(double, multiplyAdds);
    const ComputationGraph graph = test::valueOf(bundledGraph(name.toStdString()));
    QCOMPARE(test::parameterCount(graph) - sharedTwice, parameters);
    QCOMPARE(forward(graph) / examples, multiplyAdds);
    QVERIFY(!graph.source.empty());
  }

  void theLossComesLast() {
    for (const BundledGraph& bundled : bundledGraphs()) {
      const ComputationGraph graph = test::valueOf(bundledGraph(bundled.name));
      std::size_t last = 0;
      for (const ComputationGraph::Edge& edge : graph.edges) last = std::max(last, edge.to);
      QCOMPARE(last, graph.operators.size() - 1);
      QCOMPARE(graph.operators.back().kind, OperatorKind::Loss);
    }
  }

  void unknownNamesAreAnswered() {
    QCOMPARE(QString::fromStdString(bundledGraph("vgg").error().text()),
             QString("there is no graph called \"vgg\"; use one of mlp, lstm, alexnet, resnet50, transformer, "
                     "gpt2-medium, or a file"));
  }
};

QTEST_APPLESS_MAIN(TestBundledGraphs)
#include "tst_bundled_graphs.moc"
