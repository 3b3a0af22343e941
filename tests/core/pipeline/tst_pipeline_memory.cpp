// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/core/pipeline/pipeline_cases.h"

using namespace p2;

class TestPipelineMemory : public QObject {
  Q_OBJECT

 private slots:
  // Two products of 8 × 8 each on a device of its own, in 4 bytes with Adam: 64 parameters, as many gradients, two
  // moments; 64 outputs of every pass in flight, and on the second stage 64 that came in.
  void holdsWhatIsInFlight_data() {
    QTest::addColumn<int>("microbatches");
    QTest::addColumn<double>("first");
    QTest::addColumn<double>("second");
    const double kept = 64 * (4 + 4 + 8);
    QTest::newRow("one microbatch") << 1 << kept + 256 << kept + 256;
    QTest::newRow("many") << 9 << kept + 2 * 256 << kept + 256;
  }
  void holdsWhatIsInFlight() {
    QFETCH(int, microbatches);
    QFETCH(double, first);
    QFETCH(double, second);
    const ComputationGraph graph = test::chainGraph({8, 8, 8});
    const System drawn = test::valueOf(parseSystem("gpu:2"));
    GraphCostOptions options = test::smallOptions(2);
    options.microbatches = microbatches;
    test::AffinePipelinePricer pricer;
    const PipelineChain chain(graph);
    const auto found = test::valueOf(solvePipeline(chain, options, drawn, pricer, {2, {}}));
    QCOMPARE(found.stages[0].memory.total().value(), first);
    QCOMPARE(found.stages[1].memory.total().value(), second);
    QCOMPARE(found.stages[0].inFlight, std::int64_t{std::min(2, microbatches)});
    QCOMPARE(found.stages[1].inFlight, std::int64_t{1});
    // A byte less than the larger of both needs is too little.
    options.deviceMemory = Bytes(std::max(first, second));
    QVERIFY(solvePipeline(chain, options, drawn, pricer, {2, {}}).ok());
    options.deviceMemory = Bytes(std::max(first, second) - 1);
    QVERIFY(!solvePipeline(chain, options, drawn, pricer, {2, {}}).ok());
  }
};

QTEST_APPLESS_MAIN(TestPipelineMemory)
#include "tst_pipeline_memory.moc"
