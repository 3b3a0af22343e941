// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "step/framework_orders.h"
#include "support/fixtures.h"

using namespace p2;

class TestFrameworkOrders : public QObject {
  Q_OBJECT

  static FrameworkOrder orderOf(const char* name, const char* system, const char* axes,
                                const std::vector<double>& traffic = {}) {
    const std::vector<Axis> all = test::valueOf(parseAxes(axes));
    const auto orders = frameworkOrders(test::valueOf(parseSystem(system)), all,
                                        traffic.empty() ? std::vector<double>(all.size(), 1) : traffic);
    for (const FrameworkOrder& order : orders) {
      if (order.name == name) return order;
    }
    qFatal("no order %s", name);
  }

 private slots:
  void places_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("axes");
    QTest::addColumn<QString>("matrix");
    const auto row = [](const char* name, const char* axes, const char* matrix) {
      QTest::addRow("%s %s", name, axes) << QString(name) << QString(axes) << QString(matrix);
    };
    // On 32 nodes of 8: whatever comes last stands in the node.
    row("Megatron-LM", "dp=32,tp=8", "[[32,1],[1,8]]");
    row("Megatron-LM", "tp=8,dp=32", "[[1,8],[32,1]]");
    row("Megatron-LM", "pp=4,dp=16,tp=4", "[[4,1],[8,2],[1,4]]");
    row("Megatron-LM tp-pp-dp", "pp=4,dp=16,tp=4", "[[2,2],[16,1],[1,4]]");
    row("Llama 3", "Pipe=4,fsdp=16,model=4", "[[2,2],[16,1],[1,4]]");
    row("TorchTitan", "context=4,dp_replicate=4,tensor=2,dp_shard=8", "[[1,4],[4,1],[1,2],[8,1]]");
    row("DeepSpeed", "data=16,pipe=2,model=8", "[[16,1],[2,1],[1,8]]");
    row("nanotron", "pp=4,dp=16,tp=4", "[[4,1],[8,2],[1,4]]");
    // With experts, data is outermost, and the experts' mesh has degrees of its own.
    row("nanotron", "expert=8,expert-data=32", "[[1,8],[32,1]]");
    row("nanotron", "pipeline=4,data=8,tensor-expert=8", "[[4,1],[8,1],[1,8]]");
    row("nanotron", "expert-data=8,data-expert=4,tensor-expert=8", "[[8,1],[4,1],[1,8]]");
    row("picotron", "pp=4,dp=16,tp=4", "[[2,2],[16,1],[1,4]]");
    row("MaxText", "expert=8,data=32", "[[1,8],[32,1]]");
    row("plain reshape", "tensor=8,data=32", "[[8,1],[4,8]]");
    // Pieces of data that experts split otherwise.
    row("Megatron-LM", "pp=2,data-expert-data=4,data-expert=4,tp=8", "[[2,1],[4,1],[4,1],[1,8]]");
    row("Megatron-LM tp-pp-dp", "pipeline=4,data=8,tensor-expert=8", "[[4,1],[8,1],[1,8]]");
    row("Megatron-LM", "expert-data=8,data-expert=4,tensor-expert=8", "[[8,1],[4,1],[1,8]]");
    // Replicas are outside of what they replicate, however they are listed.
    row("TorchTitan", "data=8,replica=4,tensor=8", "[[8,1],[4,1],[1,8]]");
    row("TorchTitan", "data=32,replica=8", "[[4,8],[8,1]]");
    row("Megatron-LM", "data=32,replica=8", "[[4,8],[8,1]]");
    row("MaxText", "data=32,replica=8", "[[4,8],[8,1]]");
    row("TorchTitan", "expert=32,pipeline=4,expert-data=2", "[[4,8],[4,1],[2,1]]");
    row("Llama 3", "context-ring=4,context=8,data=8", "[[4,1],[1,8],[8,1]]");
  }
  void places() {
    QFETCH(QString, name);
    QFETCH(QString, axes);
    QFETCH(QString, matrix);
    const FrameworkOrder order = orderOf(name.toUtf8(), "node:32 gpu:8", axes.toUtf8());
    QCOMPARE(QString::fromStdString(order.matrix.text()), matrix);
    QVERIFY(order.reason.empty() && !order.source.empty());
    QCOMPARE(order.axes.size(), std::size_t(axes.count('=')));
  }

  // The axis over which the most goes is the innermost.
  void hybridMeshesFollowTheTraffic() {
    QCOMPARE(orderOf("JAX hybrid mesh", "node:32 gpu:8", "tensor=8,data=32", {30, 1}).matrix.text(),
             std::string("[[1,8],[32,1]]"));
    QCOMPARE(orderOf("JAX hybrid mesh", "node:32 gpu:8", "tensor=8,data=32", {1, 30}).matrix.text(),
             std::string("[[8,1],[4,8]]"));
  }

  void reasons_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("axes");
    QTest::addColumn<QString>("stated");
    QTest::newRow("no place") << "DeepSpeed"
                              << "node:32 gpu:8"
                              << "data=64,context=4"
                              << "no context axis";
    QTest::newRow("name") << "TorchTitan"
                          << "node:32 gpu:8"
                          << "rows=64,data=4"
                          << "what rows splits";
    const auto row = [](const char* name, const char* axes, const char* stated) {
      QTest::addRow("%s %s", name, axes) << QString(name) << QString("node:32 gpu:8") << QString(axes)
                                         << QString(stated);
    };
    // Megatron asserts the same data parallelism for experts where the pipeline is not last: expert parallelism over
    // data and context that experts do not have make it another.
    row("Megatron-LM tp-pp-dp", "pipeline=4,expert-data=2,expert=32", "the same data parallelism");
    row("Megatron-LM tp-pp-dp", "pipeline=4,data=4,context=2,tensor=8", "the same data parallelism");
    // nanotron's data is outermost where there are experts.
    row("nanotron", "ep=2,pp=4,dp=8,tp=4", "the same data parallelism");
    // MaxText's validate_sparse_matmul_parallelism.
    row("MaxText", "expert=32,pipeline=2,expert-data=4", "the axes expert and pipeline together");
    row("MaxText", "expert-data=4,expert=8,tensor=4,replica=2", "expert, fsdp and tensor together");
    row("MaxText", "expert-data=16,expert=16", "not both");
    row("MaxText", "expert-data=8,data-expert=4,tensor-expert=8", "one mesh");
    row("TorchTitan", "data=8,context=4,expert=2,tensor=4", "all of \"context\"");
    row("TorchTitan", "data=8,data-expert=4,tensor-expert=2,expert-tensor=4", "8 or 1 for experts, not 4");
    QTest::newRow("72 devices") << "Megatron-LM"
                                << "node:2 gpu:72"
                                << "pp=9,dp=4,tp=4"
                                << "do not divide";
  }
  void reasons() {
    QFETCH(QString, name);
    QFETCH(QString, system);
    QFETCH(QString, axes);
    QFETCH(QString, stated);
    const FrameworkOrder order = orderOf(name.toUtf8(), system.toUtf8(), axes.toUtf8());
    QVERIFY(order.matrix.empty());
    QVERIFY2(QString::fromStdString(order.reason).contains(stated), order.reason.c_str());
  }
};

QTEST_GUILESS_MAIN(TestFrameworkOrders)
#include "tst_framework_orders.moc"
