// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "support/fixtures.h"
#include "support/state_texts.h"
#include "support/warnings.h"
#include "system/oversubscription.h"
#include "system/part_states.h"
#include "whatif/degraded_system.h"
#include "whatif/system_changes.h"

using namespace p2;
using p2::test::valueOf;

namespace {

System preset(const std::string& text) { return valueOf(systemFromArgument(text)); }

const Network& networkOf(const System& system, const std::string& name) {
  for (const Network& network : system.networks) {
    if (network.interconnect.name == name) return network;
  }
  qFatal("there is no network %s", name.c_str());
}

}  // namespace

class TestSystemChanges : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  // A preset with another number of nodes is drawn by other code.
  void nodesGiveThePresetOfThatSize_data() {
    QTest::addColumn<QString>("preset");
    for (const char* name : {"dgx-h100", "gcp-a3mega", "gb200-nvl72", "mi300x", "dgx-a100"})
      QTest::newRow(name) << name;
  }
  void nodesGiveThePresetOfThatSize() {
    QFETCH(QString, preset);
    const std::string name = preset.toStdString();
    const System changed = valueOf(withNodeCount(::preset(name + ":4"), 8));
    QVERIFY(changed == ::preset(name + ":8"));
  }

  // Whole nodes, or a part of one with its share of NICs and rails.
  void fewerDevicesAreNodesOrAPartOfOne() {
    QVERIFY(valueOf(withDeviceCount(preset("dgx-h100:4"), 16)) == preset("dgx-h100:2"));
    for (const char* name : {"dgx-h100:1", "dgx-h100:4", "dgx-a100:2", "mi300x:2"}) {
      const System whole = preset(name);
      for (const std::int64_t devices : {2, 4}) {
        const System part = valueOf(withDeviceCount(whole, devices));
        QCOMPARE(part.deviceCount(), devices);
        QCOMPARE(nodeCount(part), std::int64_t{1});
        int shared = 0;
        for (std::size_t i = 0; i < part.networks.size(); ++i) {
          const std::int64_t all = whole.networks[i].instances;
          if (all % 8 != 0) continue;
          QCOMPARE(part.networks[i].instances, all * devices / 8);
          ++shared;
        }
        QVERIFY(shared > 0);
      }
    }
    const auto odd = withDeviceCount(preset("dgx-h100:4"), 12);
    QVERIFY(!odd.ok());
    QCOMPARE(odd.error().message, std::string("12 devices do not make whole nodes of 8; use 8 or 16"));
  }

  // Most public runs on racks of 72 use 64 of each.
  void fewerDevicesOfRacksAreAPartOfEachRack() {
    const System racks = preset("gb200-nvl72:4");
    for (const auto& [devices, nodes] : {std::pair{64, 1}, {72, 1}, {96, 2}, {128, 2}, {144, 2}, {256, 4}}) {
      const System part = valueOf(withDeviceCount(racks, devices));
      QCOMPARE(part.deviceCount(), std::int64_t{devices});
      QCOMPARE(nodeCount(part), std::int64_t{nodes});
    }
    QCOMPARE(withDeviceCount(racks, 101).error().message,
             std::string("101 devices do not make whole nodes of 72; use 72 or 144"));
  }

  void aPartOfEveryNodeFails() {
    const System racks = preset("dgx-h100-racks:2");
    const System all = valueOf(withPartDown(racks, "NIC 0 of every node"));
    const std::vector<std::string> states = test::stateTexts(all);
    QCOMPARE(states.size(), std::size_t(nodeCount(racks)));
    for (const char* state : {"NIC 0 of node 0 of rack 0: down", "NIC 0 of node 7 of rack 1: down"}) {
      QVERIFY2(std::find(states.begin(), states.end(), state) != states.end(), states.front().c_str());
    }
    const System slow = valueOf(withPartDown(preset("dgx-h100:4"), "NIC 2 of every node: 50%"));
    QCOMPARE(test::stateTexts(slow).size(), std::size_t(4));
    const auto unknown = withPartDown(racks, "NIC 0 of every shelf");
    QVERIFY(!unknown.ok());
    QVERIFY2(unknown.error().text().find("NIC 0 of every node") != std::string::npos, unknown.error().text().c_str());
  }

  void theOnlySwitchIsOversubscribedByItsCore() {
    const System before = preset("polaris:24");
    const Place place = valueOf(oversubscribedPart(before));
    QCOMPARE(oversubscriptionOf(before, place), 1.0);
    const System after = valueOf(withOversubscription(before, place, 2));
    // 48 cards of 25 GB/s.
    QCOMPARE(networkOf(after, "Slingshot").interconnect.core, 48 * 25e9 / 2);
    QCOMPARE(oversubscriptionOf(after, place), 2.0);
    QVERIFY(valueOf(withOversubscription(after, place, 1)) == before);
  }

  // Whole racks, or racks that are all smaller.
  void nodesInRacksComeInEqualRacks() {
    const System racks = preset("rack:2@100GB/s node:4@50GB/s gpu:8@450GB/s");
    QCOMPARE(valueOf(withNodeCount(racks, 16)).levels.front().count, std::int64_t{4});
    const System smaller = valueOf(withNodeCount(racks, 6));
    QCOMPARE(smaller.levels[0].count, std::int64_t{2});
    QCOMPARE(smaller.levels[1].count, std::int64_t{3});
    const auto odd = withNodeCount(racks, 5);
    QVERIFY(!odd.ok());
    QCOMPARE(odd.error().text(),
             std::string("5 nodes do not fill whole instances of rack, of 4 nodes each; use 4 or 8"));
  }

  // Racks stay equal: the rack with the dead node sets the size of all.
  void aNodeOfARackIsDown() {
    const System racks = preset("rack:2@100GB/s node:4@50GB/s gpu:8@450GB/s");
    const System left = valueOf(withPartDown(racks, "node 0 of rack 1"));
    QCOMPARE(left.levels[0].count, std::int64_t{2});
    QCOMPARE(left.levels[1].count, std::int64_t{3});
    QVERIFY(validated(left).ok());
    // Parts of the nodes with that number go, those behind it move up.
    const System slow = valueOf(withDegraded(racks, {"node 1 of rack 0: 90%", "node 3 of rack 1: 80%"}));
    const System moved = valueOf(withPartDown(slow, "node 1 of rack 1"));
    QCOMPARE(moved.states.size(), std::size_t{1});
    QCOMPARE(moved.states.front().part, std::string("node 2 of rack 1"));
    QVERIFY(validated(moved).ok());
    QVERIFY(!withPartDown(racks, "node 4 of rack 0").ok());
  }

  void racksOfAnotherSizeHoldTheSameNodes() {
    const System racks = preset("rack:2@100GB/s node:8@50GB/s gpu:8@450GB/s");
    const System small = valueOf(withRackNodes(racks, 4));
    QCOMPARE(small.levels[0].count, std::int64_t{4});
    QCOMPARE(small.levels[1].count, std::int64_t{4});
    QCOMPARE(nodeCount(small), nodeCount(racks));
    // Half as many nodes send into a port of half the bandwidth.
    QCOMPARE(small.levels[0].interconnect.bandwidth, 50e9);
    QVERIFY(valueOf(withRackNodes(racks, 8)) == racks);
    QCOMPARE(withRackNodes(racks, 3).error().text(),
             std::string("16 nodes do not fill racks of 3; use one of 1, 2, 4, 8, 16"));
    QVERIFY(!withRackNodes(preset("dgx-h100:4"), 2).ok());
  }

  void aSpineHasABandwidth() {
    const System pod = preset("dgx-h100:16");
    const double before = networkOf(pod, "spine").interconnect.bandwidth;
    const System slow = valueOf(withSpineBandwidth(pod, before / 4));
    QVERIFY(slow == valueOf(withOversubscription(pod, 4)));
    const System racks = preset("rack:2@200GB/s node:4@50GB/s gpu:8@450GB/s");
    QCOMPARE(valueOf(withSpineBandwidth(racks, 80e9)).levels.front().interconnect.bandwidth, 80e9);
    QVERIFY(!withSpineBandwidth(pod, 0).ok());
    QVERIFY(!withSpineBandwidth(preset("gpu:8@450GB/s"), 1e9).ok());
  }

  void aSpineIsOversubscribed() {
    const System pod = preset("dgx-h100:16");
    QVERIFY(valueOf(withOversubscription(pod, 1)) == pod);
    const System four = valueOf(withOversubscription(pod, 4));
    QCOMPARE(networkOf(four, "spine").interconnect.bandwidth * 4, networkOf(pod, "spine").interconnect.bandwidth);
    // More nodes keep the ratio.
    const System larger = valueOf(withNodeCount(four, 32));
    QCOMPARE(networkOf(larger, "spine").interconnect.bandwidth * 2, networkOf(pod, "spine").interconnect.bandwidth);
    const System racks = preset("rack:2@200GB/s node:4@50GB/s gpu:8@450GB/s");
    QCOMPARE(valueOf(withOversubscription(racks, 2)).levels.front().interconnect.bandwidth, 100e9);
    QVERIFY(!withOversubscription(pod, 0.5).ok());
  }

  void nicsTakeTheirSwitchesAlong() {
    const System pod = preset("dgx-h100:4");
    QCOMPARE(nicBandwidthOf(pod), 50e9);
    const System slow = valueOf(withNicBandwidth(pod, 25e9));
    QCOMPARE(networkOf(slow, "NIC").interconnect.bandwidth, 25e9);
    QCOMPARE(networkOf(slow, "rail").interconnect.bandwidth, 25e9);
    QCOMPARE(networkOf(slow, "spine").interconnect.bandwidth, 100e9);
    QVERIFY(valueOf(withNicBandwidth(slow, 50e9)) == pod);
    QCOMPARE(nicBandwidthOf(preset("node:4@25GB/s gpu:8")), 25e9);
  }

  void anotherAcceleratorBringsItsFigures() {
    const System pod = valueOf(withAccelerator(preset("dgx-h100:4"), "B200"));
    QVERIFY(pod.accelerator.memory > 170e9);
    QCOMPARE(pod.library.generation, std::string("blackwell"));
    QCOMPARE(pod.levels.back().interconnect.bandwidth, 900e9);
    QVERIFY(!withAccelerator(pod, "Q9000").ok());
  }

  // The nodes left are given new numbers, and so are the parts of states.
  void aNodeThatIsDownIsTakenAway() {
    const System pod = preset("dgx-h100:4");
    const System less = valueOf(withDegraded(pod, {"node 1: down", "rail 3 of node 2: 50%", "NIC 0 of Node 3: down",
                                                   "NIC 0 of node 1: 50%", "node 0: 80%"}));
    QCOMPARE(nodeCount(less), std::int64_t{3});
    QVERIFY(validated(less).ok());
    const System expected =
        valueOf(withDegraded(preset("dgx-h100:3"), {"rail 3 of node 1: 50%", "NIC 0 of node 2: down", "node 0: 80%"}));
    QVERIFY(less == expected);
    QCOMPARE(nodeCount(valueOf(withDegraded(pod, {"node 3: down", "NODE 0: DOWN"}))), std::int64_t{2});
    for (const char* nothingLeft : {"node 3: 0%", "node 3: 0", "node 3:  0.0 %"}) {
      QVERIFY(valueOf(withDegraded(pod, {nothingLeft})) == valueOf(withDegraded(pod, {"node 3: down"})));
    }
    const auto errorOf = [](const System& system, const char* state) {
      return QString::fromStdString(withDegraded(system, {state}).error().message);
    };
    QVERIFY(errorOf(pod, "gpu 3 of node 1: down").endsWith("leave out its node, as in node 1: down"));
    QVERIFY(errorOf(pod, "node 4: down").startsWith("there is no node 4"));
    QVERIFY(errorOf(preset("dgx-h100:1"), "node 0: down").startsWith("nothing is left"));
    const System racks = preset("dgx-h100-racks:2");
    QCOMPARE(nodeCount(valueOf(withDegraded(racks, {"rack 0: down"}))), std::int64_t{8});
    QCOMPARE(nodeCount(valueOf(withDegraded(racks, {"node 1 of rack 0: down"}))), std::int64_t{14});
    QVERIFY(
        errorOf(racks, "gpu 1 of node 3 of rack 1: down").endsWith("leave out its node, as in node 3 of rack 1: down"));
    QVERIFY(errorOf(preset("gb200-nvl72:2"), "gpu 5 of rack 1: down").endsWith("its rack, as in rack 1: down"));
    QVERIFY(errorOf(preset("gb200-nvl72:1"), "gpu 5 of rack 0: down").endsWith("leave out all of them"));
  }

  void partsGoDown() {
    const System pod = preset("dgx-h100:4");
    QCOMPARE(nodeCount(valueOf(withPartDown(pod, "node 3"))), std::int64_t{3});
    QCOMPARE(valueOf(withPartDown(pod, "NIC 0")).disabled, std::vector<std::string>{"NIC 0 of node 0"});
    QCOMPARE(valueOf(withPartDown(pod, "NIC 3 of node 2")).disabled, std::vector<std::string>{"NIC 3 of node 2"});
    QCOMPARE(valueOf(withPartDown(pod, "rail 3 of node 2: 50%")).states.front().share, 0.5);
    QVERIFY(!withPartDown(pod, "node 4").ok());
    QVERIFY(!withPartDown(pod, "NIC 8").ok());
    QVERIFY(!withPartDown(pod, "fan 1").ok());
  }

  void effectsInWords() {
    const System pod = preset("dgx-h100:4");
    QVERIFY(effectsOf(pod).empty());
    QCOMPARE(effectsOf(valueOf(withPartDown(pod, "NIC 3 of node 2"))),
             std::vector<std::string>{"gpu 3 of node 2 sends over the NIC of gpu 4 of node 2, which then carries the "
                                      "traffic of both"});
    QCOMPARE(effectsOf(valueOf(withJobs(pod, 2))),
             std::vector<std::string>{"spine is used by 2 jobs all the time: each gets its fair share"});
    QCOMPARE(sharedPartOf(preset("node:4@25GB/s gpu:8")), std::string("network"));
    QVERIFY(sharedPartOf(preset("gpu:8")).empty());
  }

  void aSpineKeepsItsRatioWhenItsPodGrows() {
    const System pod = valueOf(withOversubscription(preset("dgx-h100:4"), 2));
    std::vector<std::string> stated;
    System grown = pod;
    grown.levels.front().count = 8;
    grown = keepingOversubscription(pod, grown, &stated);
    QCOMPARE(oversubscriptionOf(grown, valueOf(oversubscribedPart(grown))), 2.0);
    QCOMPARE(stated, std::vector<std::string>{"spine now has 200 GB/s per port and stays 2:1"});
    QCOMPARE(valueOf(ratioFrom("4:1")), 4.0);
    QCOMPARE(ratioText(1.5), std::string("1.5:1"));
    QVERIFY(!ratioFrom("0.5").ok());
  }

  void changedSystemsAreValid() {
    for (const char* name : {"dgx-h100:4", "gb200-nvl72:2", "mi300x:2", "rack:2@100GB/s node:4@50GB/s gpu:8@450GB/s"}) {
      const System system = preset(name);
      QVERIFY(validated(valueOf(withNicBandwidth(system, 10e9))).ok());
      QVERIFY(validated(valueOf(withOversubscription(system, 8))).ok());
      QVERIFY(validated(valueOf(withNodeCount(system, 2 * nodeCount(system)))).ok());
    }
  }

  // A pod's ratio follows from the ports of its racks, and these from their nodes.
  void everyLevelKeepsItsRatio() {
    const System before = test::valueOf(parseSystem("pod:2@400GB/s rack:4@200GB/s node:4@100GB/s gpu:8@400GB/s"));
    System after = before;
    after.levels[2].count = 2;
    after = keepingOversubscription(before, after);
    int kept = 0;
    for (std::size_t level = 0; level < before.levels.size(); ++level) {
      const Place place{Place::Kind::Interconnect, level, 0};
      const double ratio = oversubscriptionOf(before, place);
      if (ratio <= 0) continue;
      ++kept;
      QVERIFY2(std::abs(oversubscriptionOf(after, place) - ratio) < 1e-9, qPrintable(QString::number(int(level))));
    }
    QVERIFY(kept >= 2);
  }
};

QTEST_GUILESS_MAIN(TestSystemChanges)
#include "tst_system_changes.moc"
