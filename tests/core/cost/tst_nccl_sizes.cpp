// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "base/near.h"
#include "cost/nccl/detail/nccl_model.h"
#include "cost/nccl/published_latencies.h"
#include "tests/core/cost/step_of_all.h"

using namespace p2;
using test::costOf;
using test::stepOfAll;

class TestNcclSizes : public QObject {
  Q_OBJECT
 private slots:
  // EFA's packets arrive in any order; what puts them in order loses more of the middle sizes than other NICs do.
  void efaLosesMoreOfTheMiddleSizes() {
    System other = test::valueOf(parseSystem("aws-p5:4"));
    for (Network& network : other.networks) {
      if (network.interconnect.name == "EFA") network.interconnect.name = "network";
    }
    for (Level& level : other.levels) {
      if (level.interconnect.name == "EFA NICs") level.interconnect.name = "NICs";
    }
    const Topology efa(test::validFrom("aws-p5:4"));
    const Topology without(test::valid(other));
    const auto times = [&](double bytes, Algorithm algorithm) {
      const NcclModel model;
      const auto simple = [&](const Topology& topology) {
        const Traffic traffic = trafficOf(topology, stepOfAll(Collective::AllReduce, topology), model, algorithm);
        return model.price(traffic, Bytes(bytes), Protocol::Simple).seconds;
      };
      return simple(efa) / simple(without);
    };
    for (const Algorithm algorithm : {Algorithm::Ring, Algorithm::NvlsTree}) {
      QVERIFY2(times(64e6, algorithm) > 1.1, qPrintable(QString::number(times(64e6, algorithm))));
      QVERIFY2(times(64e9, algorithm) < 1.03, qPrintable(QString::number(times(64e9, algorithm))));
    }
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

  // What is longer than Slingshot sends at once is asked for before it goes; channels share the vector.
  void longMessagesWaitOnSlingshot() {
    const auto grown = [](const char* system) {
      const auto waiting = [&](double bytes) {
        const Topology topology(test::validFrom(system));
        const NcclModel model;
        const Traffic traffic = trafficOf(topology, stepOfAll(Collective::AllReduce, topology), model, Algorithm::Tree);
        return model.price(traffic, Bytes(bytes), Protocol::LL).latencySeconds;
      };
      return waiting(1048576) / waiting(8);
    };
    QVERIFY2(grown("dgx-a100:2") < 1.2, qPrintable(QString::number(grown("dgx-a100:2"))));
    QVERIFY2(grown("polaris:2") > 1.3 && grown("alps-gh200:4") > 1.3, qPrintable(QString::number(grown("polaris:2"))));
  }

  // Under one algorithm and protocol.
  void moreBytesTakeLonger() {
    const NcclModel model;
    int priced = 0;
    for (const char* system : {"dgx-h100:1", "dgx-h100:4", "mi300x:1", "polaris:2", "rtx4090-pcie:1", "gcp-v100:2"}) {
      const Topology topology(test::validFrom(system));
      const LoweredStep step = stepOfAll(Collective::AllReduce, topology);
      for (const Algorithm algorithm : model.candidates(Collective::AllReduce, Algorithm::Auto)) {
        const Traffic traffic = trafficOf(topology, step, model, algorithm);
        for (const Protocol protocol : {Protocol::LL, Protocol::LL128, Protocol::Simple}) {
          double before = 0;
          for (double bytes = 8; bytes < 2e10; bytes *= 3) {
            const double seconds = model.price(traffic, Bytes(bytes), protocol).seconds;
            if (!std::isfinite(seconds)) break;  // cannot run there
            QVERIFY2(seconds >= before && seconds > 0, system);
            before = seconds;
            ++priced;
          }
          QVERIFY2(before == 0 || before > 1e-3, system);  // 16 GB are not free
        }
      }
    }
    QVERIFY(priced > 400);
  }

  // NCCL may choose badly, so a time can fall where it changes its choice: Alps on 16 nodes takes 312 us for 256 KiB
  // and 246 us for 512 KiB. It looks at powers of two, and nothing gets faster than what could have run before.
  void timesFallOnlyWhereNcclChangesItsChoice() {
    const NcclModel model;
    const auto fastestOf = [](const StepCost& run) { return run.fasterSeconds > 0 ? run.fasterSeconds : run.seconds; };
    int falls = 0;
    for (const char* system : {"dgx-h100:1", "dgx-h100:4", "mi300x:1", "mi300x:2", "aws-p5:4", "polaris:2",
                               "alps-gh200:16", "rtx4090-pcie:1", "gcp-v100:2"}) {
      const bool hasNoTuner = QByteArray(system).startsWith("mi300x") || QByteArray(system).startsWith("aws");
      const Topology topology(test::validFrom(system));
      const LoweredStep step = stepOfAll(Collective::AllReduce, topology);
      for (const Algorithm wanted : {Algorithm::Ring, Algorithm::Tree, Algorithm::Auto}) {
        std::vector<Traffic> traffic;
        for (const Algorithm each : model.candidates(Collective::AllReduce, wanted))
          traffic.push_back(trafficOf(topology, step, model, each));
        StepCost before;
        double fastestBefore = 0;
        double smaller = 0;
        for (double bytes = 8; bytes < 2e10; bytes *= 1.1) {
          RunChoice runs;
          double fastest = std::numeric_limits<double>::infinity();
          for (const Traffic& each : traffic) {
            const StepCost run = model.price(each, Bytes(bytes));
            runs.consider(run);
            fastest = std::min(fastest, fastestOf(run));
          }
          const StepCost now = runs.chosen();
          const QByteArray where = QByteArray(system) + ", " + QByteArray::number(bytes) + " bytes";
          if (smaller > 0) {
            QVERIFY2(!definitelyLess(fastest, fastestBefore), where);
            QVERIFY2(!definitelyLess(now.seconds, fastestBefore), where);
            if (definitelyLess(now.seconds, before.seconds)) {
              ++falls;
              QVERIFY2(!hasNoTuner, where);
              QVERIFY2(now.algorithm != before.algorithm || now.protocol != before.protocol, where);
              QVERIFY2(std::floor(std::log2(bytes)) > std::floor(std::log2(smaller)), where);
            }
          }
          before = now;
          fastestBefore = fastest;
          smaller = bytes;
        }
      }
    }
    QVERIFY(falls > 0);  // else times need not be allowed to fall
  }

  // Nobody waits to fill a chain of two, however fast it is; one of eight has hops to fill.
  void chainsOfTwoHaveNothingToFill() {
    const auto slower = [](const char* system) {
      const Topology topology(test::validFrom(system));
      const NcclModel model(ncclConstants(), NcclModel::Repeats::BackToBack);
      const Traffic traffic = trafficOf(topology, stepOfAll(Collective::Broadcast, topology), model, Algorithm::Ring);
      const auto seconds = [&](double bytes) { return model.price(traffic, Bytes(bytes), Protocol::Simple).seconds; };
      const double moving = (seconds(64e9) - seconds(32e9)) / 32e9;
      return (seconds(1e6) - seconds(1)) / (moving * 1e6);
    };
    QVERIFY2(slower("node:8@100GB/s,1us") > 1.3 * slower("node:2@100GB/s,1us"),
             qPrintable(QString::number(slower("node:8@100GB/s,1us") / slower("node:2@100GB/s,1us"))));
  }

  // Inside a node pipelines lose time from small vectors on, between nodes only where as much moves as waits.
  void insideNodesPipelinesLoseEarlier() {
    const auto early = [](const char* system) {
      const Topology topology(test::validFrom(system));
      const NcclModel model;
      const Traffic traffic = trafficOf(topology, stepOfAll(Collective::AllReduce, topology), model, Algorithm::Ring);
      const auto price = [&](double bytes) { return model.price(traffic, Bytes(bytes), Protocol::Simple); };
      const double moving = (price(64e12).seconds - price(32e12).seconds) / 32e12;
      const auto lost = [&](double bytes) {
        const StepCost cost = price(bytes);
        const double p = ncclConstants()[NcclConstant::SumExponent];
        return cost.seconds - std::pow(std::pow(cost.latencySeconds, p) + std::pow(bytes * moving, p), 1 / p);
      };
      const double balanced = price(1).latencySeconds / moving;
      return lost(balanced / 64) / lost(balanced);
    };
    const double inside = early("node:1 gpu:8@200GB/s,1us");
    const double across = early("node:8@20GB/s,1us gpu:1@200GB/s");
    QVERIFY2(inside > 0.15, qPrintable(QString::number(inside)));
    QVERIFY2(across < 0.1, qPrintable(QString::number(across)));
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

QTEST_APPLESS_MAIN(TestNcclSizes)
#include "tst_nccl_sizes.moc"
