// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <limits>
#include <set>

#include "cost/bounds/detail/cut_survey.h"
#include "cost/bounds/detail/listed_lower_bound.h"
#include "placement/containment.h"
#include "support/fixtures.h"
#include "system/part_states.h"

using namespace p2;

// Cuts found once for all placements, in the first of equal nodes where there are such, against those found again for
// each.
class TestCutSurvey : public QObject {
  Q_OBJECT
 private slots:
  void equalsEachPlacementsOwn_data() {
    QTest::addColumn<QString>("preset");
    QTest::addColumn<QString>("state");
    QTest::newRow("rails") << "dgx-h100:12"
                           << "";
    QTest::newRow("rails, oversubscribed") << "dgx-h100:12"
                                           << "spine: 4:1";
    QTest::newRow("a slow NIC") << "dgx-h100:12"
                                << "NIC 3 of node 5: 30%";
    QTest::newRow("a dead NIC") << "dgx-h100:12"
                                << "NIC 3 of node 5: down";
    QTest::newRow("one network") << "aws-p5:10"
                                 << "";
    QTest::newRow("four GPUs") << "alps-gh200:24"
                               << "";
    QTest::newRow("racks") << "gb200-nvl72:2"
                           << "";
    QTest::newRow("meshes") << "mi300x:12"
                            << "";
    QTest::newRow("PCIe") << "rtx4090-pcie:12"
                          << "";
    QTest::newRow("sockets") << "cpu-cluster:12"
                             << "";
  }

  void equalsEachPlacementsOwn() {
    QFETCH(QString, preset);
    QFETCH(QString, state);
    System system = test::valueOf(parseSystem(preset.toStdString()));
    if (!state.isEmpty()) system = test::valueOf(withState(system, state.toStdString()));
    const Topology topology(test::valid(system));
    QVERIFY(!topology.isUniform());  // a uniform system has a closed form and no survey
    const std::int64_t devices = system.deviceCount();
    const std::vector<Axis> axes{{"data", devices / 4, true}, {"model", 4, false}};
    for (const Collective collective : {Collective::AllReduce, Collective::ReduceScatter, Collective::AllGather,
                                        Collective::AllToAll, Collective::Broadcast, Collective::Reduce}) {
      const CutSurvey survey(topology, collective);
      MatrixEnumerator matrices = matricesOf(system, axes);
      int compared = 0;
      while (matrices.next()) {
        const SynthesisHierarchy hierarchy(system, Placement(axes, matrices.matrix()));
        const LeastTime surveyed = survey.least(hierarchy);
        const LeastTime own = ListedLowerBound(topology, hierarchy, collective).byInstances();
        const QString where = QStringLiteral("%1 %2: %3 (%4) and %5 (%6)")
                                  .arg(int(collective))
                                  .arg(QString::fromStdString(matrices.matrix().text()))
                                  .arg(surveyed.seconds)
                                  .arg(QString::fromStdString(surveyed.where))
                                  .arg(own.seconds)
                                  .arg(QString::fromStdString(own.where));
        QVERIFY2(own.seconds > 0, qPrintable(where));
        QVERIFY2(std::abs(surveyed.seconds - own.seconds) <= 1e-9 * own.seconds, qPrintable(where));
        ++compared;
      }
      QVERIFY(compared > 0);
    }
  }

  // One device's cut stands for all: none of the others lets less through.
  void devicesOfATorusHaveEqualCuts() {
    const System system = test::valueOf(parseSystem("tpu-v4:4"));
    const Topology topology(test::valid(system));
    QVERIFY(topology.torus() != nullptr);
    CutSurvey survey(topology, Collective::AllToAll);
    const auto ofOne = [&](std::int64_t device) {
      const Part part = survey.instance({device, device + 1});
      return survey.cutOf({&part, 1}, {}, 1).value();
    };
    const Cut first = ofOne(0);
    QVERIFY(first.out && first.in);
    for (std::int64_t device = 1; device < system.deviceCount(); ++device) {
      const Cut cut = ofOne(device);
      QVERIFY2(cut.out == first.out && cut.in == first.in && cut.both == first.both,
               qPrintable(QString::number(device)));
    }
    const auto ofDevices = std::count_if(survey.cuts().begin(), survey.cuts().end(), [](const Cut& cut) {
      return cut.parts.size() == 1 && cut.parts.front().size() == 1;
    });
    QCOMPARE(ofDevices, 1);
  }

  // Half of the chips send to the other half over 16 rings, two links each: a quarter of all vectors, over 32 links.
  void exchangesCrossTheMiddleOfATorus() {
    constexpr std::int64_t kLayers = 64;
    const System system = test::valueOf(parseSystem("tpu-v4:" + std::to_string(kLayers)));
    const Topology topology(test::valid(system));
    const std::int64_t devices = system.deviceCount();
    const auto boundOf = [&](const std::vector<Axis>& axes) {
      const CutSurvey survey(topology, Collective::AllToAll);
      MatrixEnumerator matrices = matricesOf(system, axes);
      double least = std::numeric_limits<double>::infinity();
      while (matrices.next()) {
        const SynthesisHierarchy hierarchy(system, Placement(axes, matrices.matrix()));
        least = std::min(least, survey.least(hierarchy).seconds);
      }
      return least;
    };
    const double ofAll = static_cast<double>(devices) / 4 / (32 * 50e9);
    QVERIFY(std::abs(boundOf({{"all", devices, true}}) / ofAll - 1) < 1e-9);
    // Blocks of four layers: each sends a quarter of 64 vectors across its middle, where it has 16 links.
    ParallelismMatrix blocks(2, 2);
    blocks.set(0, 0, kLayers / 4);
    blocks.set(0, 1, 1);
    blocks.set(1, 0, 4);
    blocks.set(1, 1, 16);
    const SynthesisHierarchy hierarchy(system, Placement({{"data", kLayers / 4, false}, {"model", 64, true}}, blocks));
    const LeastTime ofBlocks = CutSurvey(topology, Collective::AllToAll).least(hierarchy);
    QVERIFY2(std::abs(ofBlocks.seconds / (16 / (16 * 50e9)) - 1) < 1e-9, ofBlocks.where.c_str());
  }

  // The links around one ring are counted for all of its network: as many and as wide as those around each.
  void ringsOfATorusHaveTheirOwnCuts() {
    const System system = test::valueOf(parseSystem("tpu-v4:6"));
    const Topology topology(test::valid(system));
    CutSurvey survey(topology, Collective::AllReduce);
    const std::vector<Cut> cuts(survey.cuts().begin(), survey.cuts().end());
    std::set<std::vector<std::int32_t>> rings;
    for (const Cut& cut : cuts) {
      if (cut.parts.size() != 1 || cut.parts[0].size() < 2) continue;
      Part part;
      for (const std::int32_t device : cut.parts[0]) {
        const Part own = survey.instance({device, device + 1});
        part.insert(part.end(), own.begin(), own.end());
      }
      std::sort(part.begin(), part.end());
      const Cut again = survey.cutOf({&part, 1}, {}, 1).value();
      QVERIFY2(again.out == cut.out && again.in == cut.in && again.both == cut.both, cut.name.c_str());
      if (!cut.name.starts_with("places ")) QCOMPARE(cut.name, survey.nameOf(part));
      if (cut.parts[0].size() < 16) rings.insert(cut.parts[0]);
    }
    // Along x and along y four in each of six layers, along z sixteen.
    QCOMPARE(rings.size(), std::size_t{64});
  }
};

QTEST_APPLESS_MAIN(TestCutSurvey)
#include "tst_cut_survey.moc"
