// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "cost/bounds/lower_bound.h"
#include "cost/flows/link_loads.h"
#include "cost/flows/rail_relays.h"
#include "cost/pattern_pricer.h"
#include "cost/simulator.h"
#include "support/fixtures.h"
#include "tests/core/cost/step_of_all.h"

using namespace p2;

// NCCL's PXN on machines with rails inside racks: which device relays, what the links carry, and the time.
class TestRailRelays : public QObject {
  Q_OBJECT

  static constexpr std::int64_t kGpus = 8;
  static constexpr std::int64_t kNodes = 8;
  static constexpr std::int64_t kRack = kGpus * kNodes;

  static System racks(const std::string& version = "2.29.2") {
    System system = test::valueOf(parseSystem("dgx-h100-racks:2"));
    system.library.version = version;
    return system;
  }

  /// One group of the devices 0 … members−1.
  static LoweredStep stepOf(Collective collective, std::int64_t members) {
    DeviceGroup group;
    for (std::int64_t device = 0; device < members; ++device) group.push_back(Device(device));
    const std::vector<double> whole(group.size(), 1);
    return {collective, {{group, whole, whole}}};
  }

  /// The most that a link whose name begins and ends like this carries, for a vector of one byte.
  static double most(const System& system, const LoweredStep& step, const std::string& from, const std::string& to,
                     const std::string& model = "nccl") {
    const Topology topology(test::valid(system));
    const LinkLoads loads = linkLoads(topology, step, {defaultAlgorithm(model), Bytes(1), 1, model});
    double bytes = 0;
    bool any = false;
    for (const LinkId link : topology.links()) {
      const std::string name = topology.linkName(link);
      const std::size_t arrow = name.find(" → ");
      if (!name.starts_with(from) ||
          (arrow == std::string::npos ? name.find(to) : name.find(to, arrow)) == std::string::npos)
        continue;
      any = true;
      bytes = std::max(bytes, loads.bytes(link).value());
    }
    return any ? bytes : -1;
  }

  static Device relay(const System& system, std::int64_t from, std::int64_t to) {
    const Topology topology(test::valid(system));
    return RailRelays(topology, libraryViewOf(topology)).relayOf(Device(from), Device(to), [](Device) { return true; });
  }

  static double seconds(const System& system, Collective collective, std::int64_t members, const char* model = "nccl") {
    const Topology topology(test::valid(system));
    return simulateStep(topology, stepOf(collective, members), {defaultAlgorithm(model), Bytes(1e9), 1, model}).seconds;
  }

 private slots:
  // GPU 1 of node 0 sends to GPU 3 of node 2 by GPU 3 of node 0, to GPU 1 of any node by itself.
  void theDeviceAtTheReceiversPlaceRelays() {
    QCOMPARE(relay(racks(), 1, 2 * kGpus + 3), Device(3));
    QCOMPARE(relay(racks(), 1, 2 * kGpus + 1), Device(1));
    QCOMPARE(relay(racks(), 1, 5), Device(1));
    QCOMPARE(relay(racks(), 1, kRack + 5), Device(5));
  }

  void onlyWhereTheLibraryHasIt() {
    QCOMPARE(relay(racks("2.11.4"), 1, 2 * kGpus + 3), Device(1));
    QCOMPARE(relay(racks("2.12.7"), 1, 2 * kGpus + 3), Device(3));
    QCOMPARE(relay(racks(""), 1, 2 * kGpus + 3), Device(3));
    System disabled = racks();
    disabled.library.pxn = false;
    QCOMPARE(relay(disabled, 1, 2 * kGpus + 3), Device(1));
    System amd = racks();
    amd.library.generation = "cdna3";
    QCOMPARE(relay(amd, 1, 2 * kGpus + 3), Device(1));
    System pcie = racks();
    pcie.levels.back().interconnect.bandwidth = 32e9;
    QCOMPARE(relay(pcie, 1, 2 * kGpus + 3), Device(1));
  }

  // A tray of GB200 is a host of its own: GPU 5 of rack 0 is in the second tray of four.
  void relaysStayInTheirHost() {
    const System system = test::valueOf(parseSystem("gb200-nvl72:2"));
    QCOMPARE(relay(system, 5, 72 + 10), Device(6));
    QCOMPARE(relay(system, 5, 72 + 9), Device(5));
  }

  // Two GPUs on one NIC leave by the same link.
  void aSharedNicNeedsNone() {
    const System system = test::valueOf(parseSystem("abci-a100:2"));
    QCOMPARE(Topology(test::valid(system)).levels().back().count, 8);
    QCOMPARE(relay(system, 0, 8 + 1), Device(0));
    System newer = system;
    newer.library.version = "2.18";
    QCOMPARE(relay(newer, 0, 8 + 1), Device(0));
    QCOMPARE(relay(newer, 0, 8 + 7), Device(7));
  }

  void onlyMembersOfTheCommunicatorRelay() {
    const System system = racks();
    const Topology topology(test::valid(system));
    const RailRelays relays(topology, libraryViewOf(topology));
    const DeviceGroup group = test::devices({0, 1, 8 + 1, 8 + 3});
    QCOMPARE(relays.relayOf(Device(0), Device(8 + 1), membersOf(group)), Device(1));
    QCOMPARE(relays.relayOf(Device(0), Device(8 + 3), membersOf(group)), Device(0));
  }

  // Inside a rack every GPU sends an eighth to each of the others of its node and 7/8 to its leaf; nothing goes up.
  void anAllToAllInARackKeepsToTheLeaves() {
    const LoweredStep step = stepOf(Collective::AllToAll, kRack);
    const double out = double(kRack - kGpus) / double(kRack);
    QCOMPARE(most(racks(), step, "rail", "spine"), 0.0);
    QCOMPARE(most(racks(), step, "NIC", "rail"), out);
    QCOMPARE(most(racks(), step, "rail", "NIC"), out);
    QCOMPARE(most(racks(), step, "gpu 0 of node 0 of rack 0 ↑", ""), 7.0 / 8);
    // Straight to every receiver: seven of eight messages change rails.
    QVERIFY(std::abs(most(racks("2.11.4"), step, "rail", "spine") - kNodes * out * 7 / 8) < 1e-9);
    QVERIFY(std::abs(most(racks("2.11.4"), step, "gpu 0 of node 0 of rack 0 ↑", "") - 7.0 / kRack) < 1e-9);
  }

  // The paper has no library: its AllToAll goes straight, in any version.
  void thePapersModelKeepsItsDefinition() {
    const LoweredStep step = stepOf(Collective::AllToAll, kRack);
    QVERIFY(most(racks(), step, "rail", "spine", "paper") > 1);
    QCOMPARE(seconds(racks(), Collective::AllToAll, kRack, "paper"),
             seconds(racks("2.11.4"), Collective::AllToAll, kRack, "paper"));
  }

  // Half of what a rack's 64 GPUs have goes to the other rack, over eight rails.
  void betweenRacksTheSpineCarriesWhatItMust() {
    const LoweredStep step = stepOf(Collective::AllToAll, 2 * kRack);
    QVERIFY(std::abs(most(racks(), step, "rail", "spine") - double(kRack) / 2 / 8) < 1e-9);
    QVERIFY(most(racks("2.11.4"), step, "rail", "spine") > double(kRack) / 2 / 8 + 1);
  }

  // The root's parts for other nodes leave by all NICs of its node.
  void aScatterUsesAllNicsOfTheRootsNode() {
    const LoweredStep step = stepOf(Collective::Scatter, kRack);
    const double out = double(kRack - kGpus) / double(kRack);
    QCOMPARE(most(racks(), step, "NIC", "rail"), out / kGpus);
    QCOMPARE(most(racks("2.11.4"), step, "NIC", "rail"), out);
    QCOMPARE(most(racks(), step, "gpu 0 of node 0 of rack 0 ↑", ""), out + 7.0 / kRack - out / kGpus);
    QVERIFY(seconds(racks(), Collective::Scatter, kRack) < .3 * seconds(racks("2.11.4"), Collective::Scatter, kRack));
  }

  // Rails of one network that does not block are as fast as rails in racks.
  void timesInARackAreThoseOfTheLeaves() {
    const double railed = seconds(racks(), Collective::AllToAll, kRack);
    QVERIFY(railed < .6 * seconds(racks("2.11.4"), Collective::AllToAll, kRack));
    System broad = racks("2.11.4");
    broad.networks.back().interconnect.bandwidth = 1e13;
    QVERIFY(std::abs(railed / seconds(broad, Collective::AllToAll, kRack) - 1) < 1e-9);
  }

  // By pattern for a program, by group for its links, in all ways of placing an axis of 16.
  void oneQuestionHasOneAnswer() {
    const System system = racks();
    const Topology topology(test::valid(system));
    int compared = 0;
    for (const char* matrix : {"[[1,8,2],[2,1,4]]", "[[1,2,8],[2,4,1]]", "[[2,8,1],[1,1,8]]", "[[2,1,8],[1,8,1]]"}) {
      const Placement placement(test::valueOf(withReduction(test::valueOf(parseAxes("16,8")), "0")),
                                test::valueOf(parseMatrix(matrix)));
      const SynthesisHierarchy hierarchy(system, placement);
      for (const Collective collective : {Collective::AllToAll, Collective::Scatter}) {
        const CostOptions options{Algorithm::Auto, Bytes(1e9), 1, "nccl"};
        const GroupPattern whole{0, hierarchy.levelCount(), false};
        LoweredStep step{collective, {}};
        for (const DeviceGroup& group : hierarchy.groups(whole)) {
          const std::vector<double> each(group.size(), 1);
          step.groups.push_back({group, each, each});
        }
        PatternPricer pricer(topology, hierarchy, options);
        const StateEdge edge{{whole, collective}, 0, {GroupShare{}}};
        const StepCost cost = simulateStep(topology, step, options);
        QVERIFY(std::abs(pricer.price(edge).seconds / cost.seconds - 1) < 1e-9);
        const LinkLoads loads = linkLoads(topology, step, options);
        for (const LinkLoad& load : pricer.busiestLinks(edge)) {
          QVERIFY(std::abs(loads.bytes(load.link).value() / load.bytes - 1) < 1e-9);
          ++compared;
        }
        // Relays send no more through a cut than has to pass it.
        const LowerBound least = placementLowerBound(topology, placement, collective, options);
        double busiest = 0;
        for (const LinkId link : topology.links()) busiest = std::max(busiest, loads.seconds(link));
        QVERIFY2(busiest >= least.seconds * (1 - 1e-9), matrix);
        QVERIFY(cost.seconds >= least.seconds);
      }
    }
    QVERIFY(compared >= 16);
  }
};

QTEST_APPLESS_MAIN(TestRailRelays)
#include "tst_rail_relays.moc"
