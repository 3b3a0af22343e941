// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "views/strategy/plan_graph.h"

using namespace p2;
using namespace p2::views;

/// The document's training as a question about its graph.
class TestPlanGraph : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    m_document = test::workspaceOf("dgx-h100:4", "data=32", "data");
    m_document.training.model = "llama3-8b";
    m_document.training.batch = 256;
    m_document.training.sequence = 8192;
  }

  void withoutAPlanAStepIsOneMicrobatch() {
    const auto choice = graphOfPlan(m_document, nullptr);
    QVERIFY(choice.has_value());
    QCOMPARE(choice->graph, std::string("llama3-8b"));
    QCOMPARE(choice->batch, std::int64_t{256});
    QCOMPARE(choice->options.microbatches, std::int64_t{1});
    QCOMPARE(choice->sequence, std::int64_t{8192});
    // Speed, memory and devices stay those of the system.
    QCOMPARE(choice->options.flops, 0.0);
    QCOMPARE(choice->options.devices, StrategyChoice::kAllDevices);
    QVERIFY(choice->options.model == StrategyCostModel::Hierarchical);
  }

  void aPlanGivesMicrobatchesAndMemory() {
    PlannedConfiguration planned;
    planned.configuration.plan.data = 16;
    planned.configuration.plan.microbatch = 2;
    planned.configuration.plan.pipeline = 4;
    planned.configuration.plan.zero = 1;
    planned.configuration.recomputation = RecomputeKind::Full;
    const auto choice = graphOfPlan(m_document, &planned);
    QVERIFY(choice.has_value());
    // 256 sequences in microbatches of 2 on each of 16 replicas.
    QCOMPARE(choice->batch, std::int64_t{32});
    QCOMPARE(choice->options.microbatches, std::int64_t{8});
    QCOMPARE(choice->stages, std::int64_t{4});
    QCOMPARE(choice->options.memory.zero, 1);
    QVERIFY(choice->options.memory.recomputation == Recomputation::Full);
  }

  void modelsWithoutAGraphHaveNone() {
    m_document.training.model = "pasted";
    QVERIFY(!graphOfPlan(m_document, nullptr));
    m_document.training.model.clear();
    QVERIFY(!graphOfPlan(m_document, nullptr));
  }

 private:
  Workspace m_document;
};

QTEST_MAIN(TestPlanGraph)
#include "tst_plan_graph.moc"
