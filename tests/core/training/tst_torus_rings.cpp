// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "cost/bounds/lower_bound.h"
#include "cost/flows/torus_rings.h"
#include "cost/simulator.h"
#include "placement/containment.h"
#include "support/fixtures.h"
#include "synthesis/synthesis_hierarchy.h"
#include "training/detail/nccl_prices.h"
#include "workspace/presets.h"

using namespace p2;

namespace {

constexpr double kGibibyte = 1 << 30;

std::vector<Axis> axesOf(std::int64_t reduced, std::int64_t others) {
  std::vector<Axis> axes(2);
  axes[0] = {.name = "data", .size = reduced, .reduce = true};
  axes[1] = {.name = "tensor", .size = others};
  return axes;
}

}  // namespace

/// Gathers over all rings of a torus at once, against cuts of the links, which share no code with them.
class TestTorusRings : public QObject {
  Q_OBJECT

 private slots:
  void noPlacementIsFasterThanItsCuts_data() {
    QTest::addColumn<QString>("preset");
    QTest::addColumn<int>("reduced");
    for (const char* preset : {"tpu-v4:2", "tpu-v4:4", "tpu-v4-host:4", "tpu-v5p:8", "tpu-v6e:4"}) {
      const auto devices = int(test::valueOf(parseSystem(preset)).deviceCount());
      for (int reduced = 2; reduced <= devices; reduced *= 2)
        QTest::addRow("%s %d", preset, reduced) << preset << reduced;
    }
  }
  void noPlacementIsFasterThanItsCuts() {
    QFETCH(QString, preset);
    QFETCH(int, reduced);
    const ValidSystem system = test::validFrom(preset.toStdString());
    const Topology topology(system);
    QVERIFY(topology.torus() != nullptr);
    const std::vector<Axis> axes = axesOf(reduced, system->deviceCount() / reduced);
    PlacementLowerBounds bounds(topology, Collective::AllGather);
    CostOptions options;
    options.bytes = Bytes(kGibibyte);
    options.repeat = 1;
    int compared = 0;
    MatrixEnumerator matrices = matricesOf(*system, axes);
    while (matrices.next()) {
      const Placement placement(axes, matrices.matrix());
      const SynthesisHierarchy hierarchy(*system, placement);
      const DeviceGroup group = hierarchy.groups({0, hierarchy.levelCount(), false}).front();
      const auto rings = torusRings(topology, *topology.torus(), group);
      if (!rings) continue;
      const double seconds = rings->gatherSeconds;
      ++compared;
      const double bound = bounds.of(placement, options).seconds;
      QVERIFY2(
          seconds * kGibibyte > bound * (1 - 1e-9),
          qPrintable(
              QString("%1: %2 s, cut %3 s").arg(matrices.matrix().text().c_str()).arg(seconds * kGibibyte).arg(bound)));
    }
    QVERIFY(compared > 0);
  }

  /// All devices of a torus with closed rings: as fast as the links around one device allow.
  void wholeSlicesReachTheirCuts_data() {
    QTest::addColumn<QString>("preset");
    QTest::newRow("two axes of 16") << "tpu-v6e:16";
    QTest::newRow("three axes of 4") << "tpu-v4:4";
    QTest::newRow("three axes, one long") << "tpu-v5p:16";
  }
  void wholeSlicesReachTheirCuts() {
    QFETCH(QString, preset);
    const ValidSystem system = test::validFrom(preset.toStdString());
    const Topology topology(system);
    const std::vector<Axis> axes = axesOf(system->deviceCount(), 1);
    MatrixEnumerator matrices = matricesOf(*system, axes);
    QVERIFY(matrices.next());
    const Placement placement(axes, matrices.matrix());
    const SynthesisHierarchy hierarchy(*system, placement);
    const DeviceGroup group = hierarchy.groups({0, hierarchy.levelCount(), false}).front();
    CostOptions options;
    options.bytes = Bytes(kGibibyte);
    options.repeat = 1;
    const double bound = placementLowerBound(topology, placement, Collective::AllGather, options).seconds;
    const double seconds = torusRings(topology, *topology.torus(), group).value().gatherSeconds * kGibibyte;
    QVERIFY2(seconds < 1.02 * bound, qPrintable(QString("%1 times its cuts").arg(seconds / bound)));
  }

  /// XLA runs collectives so; NCCL and libraries like it run along one ring.
  void onlyTpusUseAllRings() {
    System system = test::valueOf(parseSystem("tpu-v4:4"));
    const auto secondsOn = [](const System& drawn) {
      ModelShape model;
      model.layers = 8;
      model.hidden = 1024;
      model.heads = 8;
      model.vocabulary = 32000;
      model = resolved(model);
      TrainingPlan plan;
      plan.devices = drawn.deviceCount();
      plan = resolved(plan);
      const TrainingMesh mesh = trainingMesh(model, plan).value();
      const auto topology = std::make_shared<const Topology>(*validated(drawn));
      const NcclPrices prices(topology, mesh, defaultPlacement(drawn, mesh).value(), std::nullopt);
      const double gather = prices.seconds(TrainingGroup::Data, CommunicationKind::AllGather, kGibibyte);
      const double reduce = prices.seconds(TrainingGroup::Data, CommunicationKind::AllReduce, kGibibyte);
      return std::pair(gather, reduce);
    };
    const auto [gather, reduce] = secondsOn(system);
    QCOMPARE(reduce, 2 * gather);
    system.accelerator.type = "H100-SXM5-80GB";
    const auto [ring, reduceOnRing] = secondsOn(system);
    QVERIFY2(ring > 2 * gather, qPrintable(QString::number(ring / gather)));
    QVERIFY(reduceOnRing > 1.5 * ring);
  }
};

QTEST_APPLESS_MAIN(TestTorusRings)
#include "tst_torus_rings.moc"
