// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "cost/nccl/detail/nccl_model.h"
#include "tests/core/cost/step_of_all.h"

using namespace p2;
using test::costOf;
using test::stepOfAll;

namespace {

constexpr double kMiB = 1048576;

StepCost costUnder(const char* version, const char* name, double bytes, Collective collective) {
  System system = test::valueOf(parseSystem(name));
  system.library.version = version;
  const Topology topology(test::valid(system));
  return simulateStep(topology, stepOfAll(collective, topology), {Algorithm::Direct, Bytes(bytes), 1, "nccl"});
}

}  // namespace

/// Kernels for buffers in symmetric windows, and multicast one way: what NCCL's own figures make of them.
class TestRegisteredKernels : public QObject {
  Q_OBJECT
 private slots:
  // 7.8 µs and 1 MiB over 344 GB/s, whose first microsecond the start hides: worked out by hand from NCCL's formula.
  void pairsOfHopperTakeWhatTheFormulaSays() {
    System system = test::valueOf(parseSystem("node:1 gpu:2@450GB/s,1us"));
    system.library.generation = "hopper";
    const Topology topology(test::valid(system));
    const LoweredStep step = stepOfAll(Collective::AllReduce, topology);
    const auto seconds = [&](double bytes) {
      return simulateStep(topology, step, {Algorithm::Direct, Bytes(bytes), 1, "nccl"}).seconds;
    };
    const double moving = kMiB / 344e3;
    const double formula = 7.8 + std::log1p(std::exp(moving - 1));
    QVERIFY2(std::abs(seconds(kMiB) * 1e6 / formula - 1) < 0.026, qPrintable(QString::number(seconds(kMiB) * 1e6)));
    QVERIFY(seconds(1024) > 4.5e-6 && seconds(1024) < 5.5e-6);
  }

  // Far below the start of a ring with flags, whose messages wait for one another.
  void smallMessagesAreFasterThanRings() {
    for (const char* system : {"dgx-h100:1", "dgx-b200:1", "dgx-a100:1"}) {
      for (const Collective collective : {Collective::AllReduce, Collective::AllGather, Collective::ReduceScatter}) {
        const StepCost direct = costUnder("2.30.7", system, 4096, collective);
        const StepCost standard = costOf(system, 4096, Algorithm::Auto, collective);
        QCOMPARE(direct.algorithm, Algorithm::Direct);
        QCOMPARE(direct.protocol, Protocol::LL);
        QVERIFY2(direct.seconds < 0.8 * standard.seconds, system);
      }
    }
  }

  // The library's figures are for a choice and promise more than links carry: rings and multicast bound them.
  void longVectorsAreNoFasterThanLinks() {
    for (const char* system : {"dgx-h100:1", "dgx-b200:1", "dgx-a100:1"}) {
      const double bytes = 4096 * kMiB;
      for (const Collective collective : {Collective::AllReduce, Collective::AllGather, Collective::ReduceScatter}) {
        const double direct = costUnder("2.30.7", system, bytes, collective).seconds;
        const double standard = costOf(system, bytes, Algorithm::Auto, collective).seconds;
        QVERIFY2(direct > 0.9 * standard && direct < 1.3 * standard, qPrintable(QString::number(direct / standard)));
      }
    }
  }

  // Under one kernel; where the library changes it, some time is given up for fewer thread blocks.
  void moreBytesTakeLongerUnderOneKernel() {
    for (const char* system : {"dgx-h100:1", "dgx-b200:1"}) {
      for (const Collective collective : {Collective::AllReduce, Collective::AllGather, Collective::ReduceScatter}) {
        StepCost before;
        int compared = 0;
        for (double bytes = 256; bytes <= 1024 * kMiB; bytes *= 2) {
          const StepCost now = costOf(system, bytes, Algorithm::Direct, collective);
          const bool same = now.protocol == before.protocol;
          const QString ratio =
              QStringLiteral("%1, %2 bytes: %3").arg(system).arg(bytes).arg(now.seconds / before.seconds);
          QVERIFY2(now.seconds > before.seconds * (same ? 1 / 1.03 : 0.85), qPrintable(ratio));
          compared += same;
          before = now;
        }
        QVERIFY(compared > 15);
      }
    }
  }

  void ringsTakeTheirPlaceWhereThereAreNone() {
    // Several nodes, PCIe, AMD, Volta, and collectives that have no such kernel.
    for (const char* system : {"dgx-h100:2", "rtx4090-pcie:1", "mi300x:1", "dgx2:1"})
      QCOMPARE(costOf(system, 1e6, Algorithm::Direct).algorithm, Algorithm::Ring);
    QCOMPARE(costOf("dgx-h100:1", 1e6, Algorithm::Direct, Collective::Broadcast).algorithm, Algorithm::Ring);
    QCOMPARE(costUnder("2.26.6", "dgx-h100:1", 1e6, Collective::AllReduce).algorithm, Algorithm::Ring);
    QCOMPARE(costUnder("2.27.3", "dgx-h100:1", 1e6, Collective::AllReduce).algorithm, Algorithm::Direct);
    // Nothing takes them for buffers that are not registered.
    QVERIFY(costOf("dgx-h100:1", 4096).algorithm != Algorithm::Direct);
  }

  // AllGather of more than 8 Mi elements a rank on Blackwell since 2.29; never on Hopper.
  void copyEnginesTakeLongAllGathers() {
    const double parts = 8 * 64 * kMiB;
    QCOMPARE(costUnder("2.28.9", "dgx-b200:1", parts, Collective::AllGather).protocol, Protocol::Simple);
    const StepCost engines = costUnder("2.29.2", "dgx-b200:1", parts, Collective::AllGather);
    QCOMPARE(engines.protocol, Protocol::None);
    QCOMPARE(costUnder("2.29.2", "dgx-b200:1", parts / 4, Collective::AllGather).protocol, Protocol::Simple);
    QCOMPARE(costUnder("2.29.2", "dgx-b200:1", parts, Collective::ReduceScatter).protocol, Protocol::Simple);
    QCOMPARE(costUnder("2.29.2", "dgx-h100:1", parts, Collective::AllGather).protocol, Protocol::Simple);
    QVERIFY(std::abs(engines.latencySeconds - 33.08e-6) < 1e-8);
    QVERIFY(engines.seconds > 0.875 * parts / 779e9);
  }

  void newerFiguresAreThoseOfTheirVersion() {
    const double before = costUnder("2.31.2", "dgx-b200:1", 4096, Collective::AllGather).seconds;
    const double since = costUnder("2.32.3", "dgx-b200:1", 4096, Collective::AllGather).seconds;
    QVERIFY2(since < before, qPrintable(QString::number(since / before)));
    QCOMPARE(costUnder("2.31.2", "dgx-h100:1", 4096, Collective::AllGather).seconds,
             costUnder("2.32.3", "dgx-h100:1", 4096, Collective::AllGather).seconds);
  }

  // NVLS of AllGather and ReduceScatter: where it is asked for, since 2.19, and slower than rings at all sizes that the
  // links decide.
  void multicastOneWayIsPricedWhereAskedFor() {
    for (const Collective collective : {Collective::AllGather, Collective::ReduceScatter}) {
      for (const char* system : {"dgx-h100:1", "dgx-b200:1"}) {
        const StepCost asked = costOf(system, 1e9, Algorithm::Nvls, collective);
        QCOMPARE(asked.algorithm, Algorithm::Nvls);
        QVERIFY(asked.seconds > costOf(system, 1e9, Algorithm::Auto, collective).seconds);
        QCOMPARE(costOf(system, 1e9, Algorithm::Auto, collective).algorithm, Algorithm::Ring);
      }
      // 208 GB/s by NCCL's own estimate for eight Hopper.
      const double rate = 1e10 / costOf("dgx-h100:1", 1e10, Algorithm::Nvls, collective).seconds;
      QVERIFY2(std::abs(rate / 208e9 - 1) < 0.05, qPrintable(QString::number(rate)));
    }
    QCOMPARE(costOf("dgx-a100:1", 1e9, Algorithm::Nvls, Collective::AllGather).algorithm, Algorithm::Ring);
    // NCCL does neither with more than 32 members.
    QCOMPARE(costOf("gb200-nvl72:1", 1e9, Algorithm::Nvls, Collective::ReduceScatter).algorithm, Algorithm::Ring);
    QCOMPARE(costOf("gb200-nvl72:1", 1e9, Algorithm::Nvls, Collective::AllReduce).algorithm, Algorithm::Nvls);
  }

  void whatIsNotMeasuredIsSaid() {
    CostOptions options;
    options.model = "nccl";
    options.algorithm = Algorithm::Direct;
    const System system = test::valueOf(parseSystem("dgx-h100:1"));
    QVERIFY(
        unmodelledEffectsOf(options, {Algorithm::Direct}, system)
            .ends_with("; measurements of AllReduce, AllGather and ReduceScatter as direct, which are priced by NCCL's "
                       "own figures (as rings where a step cannot take direct)"));
    QVERIFY(!rangeOf(costOf("dgx-h100:1", 4096, Algorithm::Direct)).has_value());
    // An AllToAll is direct without such kernels, and an AllReduce between nodes is a ring.
    QCOMPARE(costOf("dgx-h100:2", 1e6, Algorithm::Direct, Collective::AllToAll).algorithm, Algorithm::Direct);
    QCOMPARE(costOf("dgx-h100:2", 1e6, Algorithm::Direct).algorithm, Algorithm::Ring);
    const std::string both = unmodelledEffectsOf(options, {Algorithm::Ring, Algorithm::Direct}, system);
    QVERIFY(both.find("kernels") == std::string::npos);
    QVERIFY(both.ends_with("as rings where a step cannot take direct)"));
    QVERIFY(unmodelledEffectsOf(options, {Algorithm::Ring}, system)
                .ends_with("; direct, which no step here can take, so that others are priced"));
    options.algorithm = Algorithm::Auto;
    QVERIFY(unmodelledEffectsOf(options, {Algorithm::Direct}, system).find("direct") == std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TestRegisteredKernels)
#include "tst_registered_kernels.moc"
