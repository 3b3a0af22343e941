// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "cost/nccl_model.h"
#include "cost/simulator.h"
#include "support/fixtures.h"

using namespace p2;

class TestNcclModel : public QObject {
  Q_OBJECT

  static LoweredStep stepOfAll(Collective collective, const Topology& topology) {
    DeviceGroup group;
    for (const Device device : IdRange<Device>(topology.deviceCount())) group.push_back(device);
    const std::vector<double> whole(group.size(), 1);
    return {collective, {{group, whole, whole}}};
  }

  static StepCost costOf(const char* system, double bytes, Algorithm algorithm = Algorithm::Auto,
                         Collective collective = Collective::AllReduce) {
    const Topology topology(test::validFrom(system));
    return simulateStep(topology, stepOfAll(collective, topology), {algorithm, Bytes(bytes), 1, "nccl"});
  }

 private slots:
  // Eight NICs of 50 GB/s a node, all of which one ring per NIC uses; one ring alone reaches 50 GB/s.
  void ringsUseEveryNic() {
    const double bytes = 1073741824;
    const double busBandwidth = 2 * 31.0 / 32 * bytes / costOf("dgx-h100:4", bytes).seconds;
    QVERIFY2(busBandwidth > 320e9 && busBandwidth < 400e9, qPrintable(QString::number(busBandwidth)));
  }

  void smallMessagesWaitAndLargeOnesMove() {
    const StepCost small = costOf("dgx-a100:8", 1024);
    QVERIFY2(small.seconds > 30e-6 && small.seconds < 80e-6, qPrintable(QString::number(small.seconds)));
    QVERIFY(small.latencySeconds > 0.9 * small.seconds);
    QCOMPARE(small.protocol, Protocol::LL);
    const StepCost large = costOf("dgx-a100:8", 4e9);
    QVERIFY(large.latencySeconds < 0.1 * large.seconds);
    QCOMPARE(large.protocol, Protocol::Simple);
  }

  // What does not fit into the first packet of Slingshot is asked for before it goes.
  void longMessagesWaitOnSlingshot() {
    const auto grown = [](const char* system) {
      const auto waiting = [&](double bytes) {
        const Topology topology(test::validFrom(system));
        const NcclModel model;
        const Traffic traffic = trafficOf(topology, stepOfAll(Collective::AllReduce, topology), model, Algorithm::Tree);
        return model.price(traffic, Bytes(bytes), Protocol::LL).latencySeconds;
      };
      return waiting(65536) / waiting(8);
    };
    QCOMPARE(grown("dgx-a100:2"), 1.0);
    QVERIFY2(grown("polaris:2") > 1.3 && grown("alps-gh200:4") > 1.3, qPrintable(QString::number(grown("polaris:2"))));
  }

  void moreBytesTakeLonger() {
    for (const char* system : {"dgx-h100:1", "dgx-h100:4", "mi300x:1", "polaris:2", "rtx4090-pcie:1", "gcp-v100:2"}) {
      double before = 0;
      for (double bytes = 8; bytes < 2e10; bytes *= 3) {
        const double seconds = costOf(system, bytes).seconds;
        QVERIFY2(seconds >= before && seconds > 0, system);
        before = seconds;
      }
    }
  }

  void switchesThatAddUpAreUsedSinceTheLibraryKnowsThem() {
    QCOMPARE(costOf("dgx-h100:1", 1e9).algorithm, Algorithm::Nvls);
    QVERIFY(costOf("dgx-a100:1", 1e9).algorithm != Algorithm::Nvls);
    System old = test::valueOf(parseSystem("dgx-h100:1"));
    old.library.version = "2.16";
    const Topology topology(test::valid(old));
    const CostOptions options{Algorithm::Auto, Bytes(1e9), 1, "nccl"};
    QCOMPARE(simulateStep(topology, stepOfAll(Collective::AllReduce, topology), options).algorithm, Algorithm::Ring);
  }

  // Where the wanted algorithm cannot run, the library takes a ring.
  void whatCannotRunIsARing() {
    QCOMPARE(costOf("dgx-a100:2", 1e9, Algorithm::Nvls).algorithm, Algorithm::Ring);
    QCOMPARE(costOf("dgx-h100:2", 1e9, Algorithm::NvlsTree).algorithm, Algorithm::NvlsTree);
    QCOMPARE(costOf("dgx-h100:2", 1e9, Algorithm::Tree, Collective::AllGather).algorithm, Algorithm::Ring);
  }

  // What a device on PCIe sends and receives at once is limited by its own link; a slower network is used all the same.
  void devicesOnPcieLimitFastNetworksOnly() {
    const auto rate = [](const char* system) { return 1e9 / costOf(system, 1e9, Algorithm::Ring).seconds; };
    QVERIFY2(rate("node:2@1.25GB/s gpu:1@25GB/s") > 0.9 * 1.25e9,
             qPrintable(QString::number(rate("node:2@1.25GB/s gpu:1@25GB/s"))));
    const double fast = rate("node:2@25GB/s gpu:1@25GB/s");
    QVERIFY2(fast > 13e9 && fast < 16e9, qPrintable(QString::number(fast)));
    QVERIFY(rate("node:2@50GB/s gpu:1@25GB/s") < 1.02 * fast);
  }

  // A program waits for the last member; a benchmark that repeats a Broadcast does not.
  void broadcastsWaitForTheLastMember() {
    const Topology topology(test::validFrom("dgx-h100:4"));
    const NcclModel program;
    const NcclModel benchmark(ncclConstants(), NcclModel::Repeats::BackToBack);
    const Traffic traffic = trafficOf(topology, stepOfAll(Collective::Broadcast, topology), program, Algorithm::Ring);
    QVERIFY(program.price(traffic, Bytes(1024)).seconds > 2 * benchmark.price(traffic, Bytes(1024)).seconds);
  }

  void theNodeLevelCutsChains() {
    const StepCost flat = costOf("node:4@50GB/s,3us gpu:8@400GB/s,1us", 1e6, Algorithm::Tree);
    System deeper = test::valueOf(parseSystem("node:4@50GB/s,3us cpu:1@400GB/s,1us gpu:8@400GB/s,1us"));
    deeper.node = "node";
    const Topology topology(test::valid(deeper));
    const CostOptions options{Algorithm::Tree, Bytes(1e6), 1, "nccl"};
    const double seconds = simulateStep(topology, stepOfAll(Collective::AllReduce, topology), options).seconds;
    QVERIFY2(std::abs(seconds / flat.seconds - 1) < 1e-9, qPrintable(QString::number(seconds / flat.seconds)));
  }
};

QTEST_APPLESS_MAIN(TestNcclModel)
#include "tst_nccl_model.moc"
