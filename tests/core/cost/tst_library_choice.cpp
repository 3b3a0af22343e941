// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <QTest>
#include <cmath>

#include "cost/nccl/detail/nccl_model.h"
#include "cost/nccl/detail/nccl_tuner.h"
#include "tests/core/cost/step_of_all.h"

using namespace p2;
using test::stepOfAll;

/// "NCCL would choose tree; ring is 1.4× faster: NCCL_ALGO=Ring", on each kind of network: true of the prices, and only
/// where NCCL's own estimates choose.
class TestLibraryChoice : public QObject {
  Q_OBJECT

  /// Seconds of the forced algorithm and protocol.
  static double forced(const Topology& topology, const LoweredStep& step, Algorithm algorithm, Protocol protocol,
                       double bytes) {
    const NcclModel model;
    return model.price(trafficOf(topology, step, model, algorithm), Bytes(bytes), protocol).seconds;
  }

 private slots:
  void hintsAreTrueOnEveryFabric_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<NetworkKind>("network");
    QTest::addColumn<bool>("hasHints");
    const auto row = [](const char* system, NetworkKind network, bool hasHints) {
      QTest::newRow(system) << system << network << hasHints;
    };
    row("dgx-h100:16", NetworkKind::InfiniBand, true);
    row("alps-gh200:32", NetworkKind::Slingshot, true);
    row("polaris:16", NetworkKind::Slingshot, true);
    row("gcp-a3ultra:16", NetworkKind::Roce, true);
    row("gcp-a3mega:16", NetworkKind::Tcp, true);
    // A plugin chooses over EFA, RCCL on AMD's GPUs.
    row("aws-p5:16", NetworkKind::Efa, false);
    row("mi300x:2", NetworkKind::Roce, false);
  }
  void hintsAreTrueOnEveryFabric() {
    QFETCH(QString, system);
    QFETCH(NetworkKind, network);
    QFETCH(bool, hasHints);
    const Topology topology(test::validFrom(system.toUtf8().constData()));
    QCOMPARE(networkKindOf(*topology.system()), network);
    const LoweredStep step = stepOfAll(Collective::AllReduce, topology);
    int hints = 0;
    for (double bytes = 1024; bytes <= 17179869184.0; bytes *= 4) {
      const StepCost cost = simulateStep(topology, step, {Algorithm::Auto, Bytes(bytes), 1, "nccl"});
      const std::string text = fasterChoiceText(cost);
      const auto near = [](double a, double b) { return std::abs(a / b - 1) < 1e-9; };
      QVERIFY(near(cost.seconds, forced(topology, step, cost.algorithm, cost.protocol, bytes)));
      if (text.empty()) continue;
      ++hints;
      const double other = forced(topology, step, cost.fasterAlgorithm, cost.fasterProtocol, bytes);
      QVERIFY2(near(cost.fasterSeconds, other) && cost.seconds >= 1.05 * other, text.c_str());
      const auto stated = QRegularExpression(
                              "^NCCL would choose .+; .+ is ([0-9.]+)× faster:( NCCL_ALGO=(Ring|Tree|"
                              "NVLSTree))?( NCCL_PROTO=(LL|LL128|Simple))?$")
                              .match(QString::fromStdString(text));
      QVERIFY2(stated.hasMatch(), text.c_str());
      QVERIFY(std::abs(stated.captured(1).toDouble() - cost.seconds / other) < 0.006 * cost.seconds / other);
      QCOMPARE(stated.captured(2).isEmpty(), cost.algorithm == cost.fasterAlgorithm);
      QCOMPARE(stated.captured(4).isEmpty(), cost.protocol == cost.fasterProtocol);
    }
    QCOMPARE(hints > 0, hasHints);
  }

  // NCCL corrects its estimate of NVLSTree by size on Blackwell with x86 hosts alone (v2.29.2-1 to v2.30.7-1,
  // ncclTopoGetAlgoTime): a factor of 0.5 on the bandwidth at 256 KiB, none on Grace.
  void multicastTreesAreCorrectedOnX86Alone() {
    const auto estimate = [](System system, const char* type) {
      system.accelerator.type = type;
      const Topology topology(test::valid(system));
      const NcclModel model;
      const LoweredStep step = stepOfAll(Collective::AllReduce, topology);
      return tunerSeconds(trafficOf(topology, step, model, Algorithm::NvlsTree), Bytes(262144), Protocol::Simple);
    };
    const System racks = test::valueOf(parseSystem("gb200-nvl72:2"));
    const System nodes = test::valueOf(parseSystem("dgx-b200:2"));
    QVERIFY(isOnArm(racks) && isOnArm(test::valueOf(parseSystem("alps-gh200:2"))));
    QVERIFY(!isOnArm(nodes) && !isOnArm(test::valueOf(parseSystem("dgx-h100:2"))));
    for (const System& system : {racks, nodes}) {
      const double arm = estimate(system, "GB200");
      const double x86 = estimate(system, "B200");
      QVERIFY(x86 > arm);
      System older = system;
      older.library.version = "2.28.3";
      QVERIFY(estimate(older, "GB200") == estimate(older, "B200"));
      System longer = system;
      longer.library.version = "2.30.7";
      QVERIFY(estimate(longer, "B200") > estimate(longer, "GB200"));
    }
  }
};

QTEST_APPLESS_MAIN(TestLibraryChoice)
#include "tst_library_choice.moc"
