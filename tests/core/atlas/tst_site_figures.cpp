// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cstdio>

#include "atlas/predictions.h"
#include "base/median.h"
#include "cost/nccl/detail/nccl_model.h"
#include "cost/nccl/detail/nccl_tuner.h"
#include "cost/nccl/site_defaults.h"
#include "cost/simulator.h"
#include "support/fixtures.h"
#include "workspace/presets.h"

using namespace p2;

namespace {

constexpr int kNodes = 64;

struct RingTime {
  double seconds = 0;
  double ofTuner = 0;  ///< NCCL's own estimate
};

/// An AllReduce over all devices by rings under Simple.
RingTime ringOf(const System& system, Bytes bytes) {
  const Topology topology(test::valid(system));
  DeviceGroup group;
  for (const Device device : IdRange<Device>(topology.deviceCount())) group.push_back(device);
  const std::vector<double> whole(group.size(), 1);
  const LoweredStep step{Collective::AllReduce, {{group, whole, whole}}};
  const NcclModel model(ncclConstants(), NcclModel::Repeats::BackToBack);
  const Traffic traffic = trafficOf(topology, step, model, Algorithm::Ring);
  return {model.price(traffic, bytes, Protocol::Simple).seconds, tunerSeconds(traffic, bytes, Protocol::Simple)};
}

}  // namespace

// The network between nodes under the nccl model: healthy fat trees, a site's own figures and their defaults, sums in
// switches. Nothing is fitted here; tst_scale has the errors of fits.
class TestSiteFigures : public QObject {
  Q_OBJECT

 private slots:
  // NCCL's own estimates are within 3 % of what a rail-optimised fat tree of 200 Gbit/s InfiniBand was measured to do
  // on 64 nodes, and what such nodes carry in pairs they carry there too, once vectors are long.
  void healthyFatTreesAreWithinFivePercent() {
    int judged = 0;
    for (const AtlasTable& table : atlasTables()) {
      const bool isHealthy = table.machine() == "deepops-dgxa100" || table.machine() == "azure-aks-sriov";
      if (!isHealthy || table.nodes != 2 || table.collective != "all_reduce") continue;
      double most = 0;
      for (const AtlasRow& row : table.rows) most = std::max(most, row.busBandwidth);
      AtlasTable large = table;
      large.nodes = kNodes;
      const System system = test::valueOf(systemOf(large));
      const double factor = busFactor("all_reduce", kNodes * table.gpusPerNode);
      for (const double gigabytes : {1, 4, 8, 16, 256}) {
        const Bytes bytes(gigabytes * 1073741824);
        const RingTime time = ringOf(system, bytes);
        std::printf("%s on 64 nodes, %.0f GiB: predicted %.1f GB/s, NCCL's own estimate %.1f, measured in pairs %.1f\n",
                    table.name.c_str(), gigabytes, factor * bytes.value() / time.seconds / 1e9,
                    factor * bytes.value() / time.ofTuner / 1e9, most / 1e9);
        if (gigabytes >= 4 && gigabytes <= 16) QVERIFY(std::abs(time.seconds / time.ofTuner - 1) < 0.05);
        if (gigabytes >= 256) QVERIFY(std::abs(factor * bytes.value() / time.seconds / most - 1) < 0.05);
      }
      ++judged;
    }
    QVERIFY(judged >= 2);
  }

  void aSitesFiguresReplaceDefaults() {
    System system = test::valueOf(presetSystem("dgx-a100", kNodes));
    const Bytes large(17179869184.0);
    const Bytes small(1024);
    const double standard = ringOf(system, large).seconds;
    const double usualSmall = ringOf(system, small).seconds;
    system.library.congestion = 0.1;
    QVERIFY(ringOf(system, large).seconds > 1.2 * standard);
    system.library.congestion = 0;
    QVERIFY(ringOf(system, large).seconds < standard);
    system.library.nicShare = 0.5;
    QVERIFY(ringOf(system, large).seconds > 1.5 * standard);
    QVERIFY(std::abs(ringOf(system, small).seconds / usualSmall - 1) < 1e-3);
    system.library.hop = 50e-6;
    QVERIFY(ringOf(system, small).seconds > 1.5 * usualSmall);
    for (const SiteDefaults& site : siteDefaults()) {
      const double share = ncclConstants().of(NcclConstant::AcrossShareFirst, site.network);
      QVERIFY(site.share.low <= share && share <= site.share.high && !site.sites.empty());
      const double congestion = ncclConstants().of(NcclConstant::CongestionFirst, site.network);
      QVERIFY(site.congestion.low <= congestion && congestion <= site.congestion.high);
    }
  }

  // What a site's figures are where nothing is said, by the kind of network; also on rails, which have other names.
  void defaultsAreSaid() {
    const auto text = [](const char* system, const char* key) {
      return siteDefaultText(test::valueOf(parseSystem(system)), key);
    };
    QCOMPARE(text("dgx-h100:4", "nicShare"), std::string("Default of InfiniBand: 0.945, on most sites 0.86 to 0.98"));
    QCOMPARE(text("mi300x:2", "nicShare"), std::string("Default of RoCE: 0.945, on most sites 0.84 to 0.96"));
    QCOMPARE(text("alps-gh200:4", "hop"),
             std::string("Default of Slingshot: 5.20 µs, on most sites 4.00 µs to 12.0 µs"));
    QCOMPARE(text("gcp-a3mega:4", "congestion"), std::string("Default of TCP: 0.024, on most sites 0.001 to 0.1"));
    QCOMPARE(text("dgx-h100:1", "hop"), std::string());
    QCOMPARE(text("dgx-h100:4", "version"), std::string());
  }

  // CollNet along chains inside nodes: 526 to 546 GB/s on 2 to 64 nodes of B200. Nothing is fitted to these tables.
  void sumsInTheNetworkTakeChainsInside() {
    std::vector<double> errors;
    for (const AtlasTable& table : atlasTables()) {
      if (table.sharp != "on" || table.collective != "all_reduce" || !table.algorithm.empty()) continue;
      const TablePrediction prediction = test::valueOf(predictionOf(table));
      for (const AtlasRow& row : table.rows) {
        const double ratio = prediction.seconds.at(row.bytes) / row.seconds;
        std::printf("%s, %.0f GiB: measured %.1f GB/s, predicted %.1f\n", table.name.c_str(), row.bytes / 1073741824,
                    row.busBandwidth / 1e9, row.busBandwidth / ratio / 1e9);
        errors.push_back(std::abs(std::log(ratio)));
      }
    }
    std::printf("median |ln error| %.3f of %zu\n", upperMedianOf(errors), errors.size());
    QVERIFY(errors.size() > 10);
    QVERIFY(upperMedianOf(errors) < 0.15);
  }
};

QTEST_APPLESS_MAIN(TestSiteFigures)
#include "tst_site_figures.moc"
