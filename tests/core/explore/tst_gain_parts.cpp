// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "cost/simulator.h"
#include "explore/gain_parts.h"
#include "support/fixtures.h"

namespace p2::test {
namespace {

/// Bytes of a program's steps over the busiest link of an interconnect, from the loads that the model prices.
double priced(const Exploration& exploration, const PlacementResult& result, const Program& program,
              std::size_t interconnect) {
  const Workspace& workspace = exploration.workspace;
  const Placement placed(workspace.axes, result.matrix);
  const auto trace = valueOf(ProgramTrace::run(placed, *result.hierarchy, program, workspace.options.rules));
  double bytes = 0;
  for (const StepId step : IdRange<StepId>(trace.validSteps())) {
    const StepCost cost =
        simulateStep(*exploration.topology, loweredStep(trace, step, placed.devices()), workspace.options.cost);
    if (exploration.topology->interconnectOf(cost.link) == interconnect) bytes += cost.linkBytes.value();
  }
  return bytes;
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

}  // namespace

/// The two factors by which the best program is faster, derived again from the prices and the bytes of the model.
class TestGainParts : public QObject {
  Q_OBJECT

 private slots:
  void factorsAreThoseOfThePrices_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("axes");
    QTest::addColumn<QString>("reduce");
    QTest::newRow("the paper's example") << "gcp-a100:4"
                                         << "data=8,model=2,shards=4"
                                         << "data,shards";
    QTest::newRow("one placement") << "node:2 gpu:4"
                                   << "data=8"
                                   << "data";
    QTest::newRow("racks") << "rack:2@10GB/s gpu:8@400GB/s"
                           << "data=4,tensor=4"
                           << "data";
    QTest::newRow("many nodes") << "node:32@25GB/s gpu:8@450GB/s"
                                << "data=256"
                                << "data";
  }
  void factorsAreThoseOfThePrices() {
    QFETCH(const QString, system);
    QFETCH(const QString, axes);
    QFETCH(const QString, reduce);
    const auto exploration =
        valueOf(exploreWorkspace(workspaceOf(system.toStdString(), axes.toStdString(), reduce.toStdString()), {}));
    const GainParts parts = valueOf(gainPartsWithBytes(*exploration));
    const PlacementResult& best = exploration->placements[std::size_t(exploration->bestPlacement)];
    QVERIFY(exploration->defaultPlacement >= 0);
    const PlacementResult& standard = exploration->placements[std::size_t(exploration->defaultPlacement)];
    QVERIFY(near(parts.gain(), standard.singleSeconds / best.programs.front().seconds));
    QVERIFY(near(parts.placementGain, standard.singleSeconds / best.singleSeconds));
    QVERIFY(near(parts.programGain, best.singleSeconds / best.programs.front().seconds));
    QVERIFY(parts.port.has_value());
    const std::size_t interconnect = exploration->topology->interconnectOf(standard.singleSteps.front().link);
    const auto single = [&](const PlacementResult& placement) { return singleProgram(*placement.hierarchy); };
    QVERIFY(near(parts.port->reference, priced(*exploration, standard, single(standard), interconnect)));
    // A reason is named only where the bytes bear it out.
    const double ratio = parts.port->best > 0 ? parts.port->single / parts.port->best : 0;
    QCOMPARE(parts.bytesExplainProgram(),
             std::abs(ratio / parts.programGain - 1) <= 0.1 && ratio - 1 >= (parts.programGain - 1) / 2);
  }

  // 3.67× = 2.0× for crossing 2 nodes instead of 4, times 1.84× for 2.15 instead of 4.16 GB through a node's port.
  void thePapersExample() {
    const auto exploration =
        valueOf(exploreWorkspace(workspaceOf("gcp-a100:4", "data=8,model=2,shards=4", "data,shards"), {}));
    const GainParts parts = valueOf(gainPartsWithBytes(*exploration));
    QCOMPARE(parts.referenceNodes, std::int64_t{4});
    QCOMPARE(parts.bestNodes, std::int64_t{2});
    QVERIFY(parts.bytesExplainProgram());
    QCOMPARE(parts.port->owner, std::string("a node"));
    QCOMPARE(parts.port->best, 2147483648.0);
  }
};

}  // namespace p2::test

using p2::test::TestGainParts;
QTEST_GUILESS_MAIN(TestGainParts)
#include "tst_gain_parts.moc"
