// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRandomGenerator>
#include <QTest>

#include "support/fixtures.h"
#include "support/reach.h"
#include "support/state_texts.h"
#include "system/detail/route_search.h"
#include "system/part_states.h"
#include "system/topology.h"

using namespace p2;

class TestPartStates : public QObject {
  Q_OBJECT

  static System rails(const std::string& preset = "dgx-h100:4") { return test::valueOf(parseSystem(preset)); }

  static System with(System system, const std::vector<std::string>& states) {
    for (const std::string& state : states) system = test::valueOf(withState(system, state));
    return system;
  }

  static double bandwidthOfLink(const Topology& topology, const std::string& name) {
    for (const LinkId link : topology.links()) {
      if (topology.linkName(link) == name) return topology.bandwidth(link);
    }
    return 0;
  }

  static QStringList namesOf(const Topology& topology, std::int64_t from, std::int64_t to) {
    std::vector<LinkId> links;
    topology.route(Device(from), Device(to), links);
    QStringList names;
    for (const LinkId link : links) names << QString::fromStdString(topology.linkName(link));
    return names;
  }

 private slots:
  void texts_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("states");
    QTest::newRow("rail of a node") << "rail 3 of node 1: 50%"
                                    << "rail 3 of node 1: 50%";
    QTest::newRow("a share") << "NIC 3 of node 1: 0.25"
                             << "NIC 3 of node 1: 25%";
    QTest::newRow("oversubscribed") << "spine: 4:1"
                                    << "spine: 25%";
    QTest::newRow("shared") << "spine: shared"
                            << "spine: shared by 2 jobs";
    QTest::newRow("shared by three") << "spine: shared by 3 jobs"
                                     << "spine: shared by 3 jobs";
    QTest::newRow("slow devices") << "node 2: 80 %"
                                  << "node 2: 80%";
    QTest::newRow("one device") << "gpu 3 of node 2: 80%"
                                << "gpu 3 of node 2: 80%";
    QTest::newRow("down") << "NIC 0 of node 2: down"
                          << "NIC 0 of node 2: down";
    QTest::newRow("a link down") << "rail 3 of node 1: down"
                                 << "rail 3 of node 1: down";
    QTest::newRow("whole rail down") << "rail 3: down"
                                     << "rail 3: down";
    QTest::newRow("another case of letters") << "RAIL 3 of Node 1: 50%"
                                             << "rail 3 of node 1: 50%";
    QTest::newRow("a device in capitals") << "GPU 3 OF NODE 2: 80%"
                                          << "gpu 3 of node 2: 80%";
    QTest::newRow("a NIC in small letters") << "nic 0 of node 2: Down"
                                            << "NIC 0 of node 2: down";
    QTest::newRow("a network in capitals") << "SPINE: Shared by 2 Jobs"
                                           << "spine: shared by 2 jobs";
    QTest::newRow("what joins devices") << "nvswitch: 50%"
                                        << "NVSwitch: 50%";
    QTest::newRow("a link in capitals") << "nic 3 of NODE 1 → RAIL 3: 50%"
                                        << "NIC 3 of node 1 → rail 3: 50%";
    QTest::newRow("as it should be") << "spine: 100%"
                                     << "";
  }

  void texts() {
    QFETCH(QString, text);
    const System system = with(rails(), {text.toStdString()});
    QStringList texts;
    for (const std::string& each : test::stateTexts(system)) texts << QString::fromStdString(each);
    QTEST(texts.join(", "), "states");
    QVERIFY(validated(system).ok());
    // What a system says of itself can be read again.
    System again = rails();
    for (const QString& each : texts) again = with(again, {each.toStdString()});
    QCOMPARE(again.states, system.states);
    QCOMPARE(again.disabled, system.disabled);
  }

  void aPartHasOneState() {
    const System system =
        with(rails(), {"spine: 50%", "spine: shared", "NIC 0 of node 2: down", "NIC 0 of node 2: 50%"});
    QCOMPARE(test::stateTexts(system), (std::vector<std::string>{"spine: shared by 2 jobs", "NIC 0 of node 2: 50%"}));
    QVERIFY(with(system, {"spine: 100%", "NIC 0 of node 2: 100%"}) == rails());
  }

  // 4:1 is what a network is, not what is taken from it: racks whose spine is drawn 2:1 keep half of its bandwidth.
  void oversubscriptionIsOfEachLevel() {
    const System racks = rails("dgx-h100-racks:4");
    QCOMPARE(test::stateTexts(with(racks, {"spine: 4:1"})), (std::vector<std::string>{"spine: 50%"}));
    QCOMPARE(test::stateTexts(with(racks, {"rack: 8:1"})), (std::vector<std::string>{"spine: 25%"}));
    QCOMPARE(test::stateTexts(with(racks, {"spine 0 of rack 1: 4:1"})),
             (std::vector<std::string>{"spine 0 of rack 1: 50%"}));
    QVERIFY(with(racks, {"spine: 2:1"}) == racks);
    const auto levels = test::valueOf(parseSystem("pod:2@100GB/s rack:2@50GB/s node:4@25GB/s gpu:8@450GB/s"));
    const auto both = test::valid(with(levels, {"pod: 4:1", "rack: 4:1"}));
    QCOMPARE(both->levels[0].interconnect.bandwidth, 25e9);
    QCOMPARE(both->levels[1].interconnect.bandwidth, 25e9);
    QCOMPARE(both->levels[2].interconnect.bandwidth, 25e9);
    const auto wide = test::valueOf(parseSystem("pod:2@200GB/s rack:2@50GB/s node:4@25GB/s gpu:8@450GB/s"));
    QCOMPARE(test::valid(with(wide, {"pod: 1:1"}))->levels[0].interconnect.bandwidth, 100e9);
    const auto third = test::valueOf(parseSystem("pod:2@75GB/s rack:2@50GB/s node:4@25GB/s gpu:8@450GB/s"));
    QVERIFY(with(third, {"pod: 1.333:1"}) == third);  // as it is shown, with three decimals
    const auto plain = test::valueOf(parseSystem("node:8@25GB/s gpu:8@450GB/s"));
    QVERIFY(with(plain, {"node: 2:1"}) == with(plain, {"network: 50%"}));
  }

  void oversubscriptionBelowTheDrawnOneIsRefused() {
    const auto below = withState(rails("dgx-h100-racks:4"), "spine: 1:1");
    QVERIFY(!below.ok());
    QVERIFY(below.error().text().starts_with("\"spine\" is drawn 2:1, and a state takes bandwidth away"));
    const auto devices = withState(rails("dgx-h100-racks:4"), "rack 1: 4:1");
    QVERIFY(!devices.ok());
    QVERIFY(devices.error().text().ends_with("4:1 is for a network, as in spine: 4:1"));
  }

  void errors_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    QTest::newRow("no state") << "rail 3 of node 1"
                              << "is not a state; write a part and its share";
    QTest::newRow("no share") << "rail 3 of node 1: slow"
                              << "\"slow\" is not the state of a part; write 50%";
    QTest::newRow("too much") << "rail 3 of node 1: 120%"
                              << "is not the state of a part";
    QTest::newRow("two shares") << "rail 3 of node 1: 50%, 20%"
                                << "\"50%, 20%\" is not the state of a part";
    QTest::newRow("unknown") << "router 3: 50%"
                             << "nothing is called \"router 3\"; there are node 0 to node 3, gpu 0 to gpu 7";
    QTest::newRow("no such node") << "rail 3 of node 9: 50%"
                                  << "there is no node 9; use node 0 to node 3";
    QTest::newRow("no such NIC") << "NIC 8 of node 1: 50%"
                                 << "there is no NIC 8; use NIC 0 to NIC 7";
    QTest::newRow("of which") << "NIC 3: 50%"
                              << "names no node; add \" of node 0\"";
    QTest::newRow("a node down") << "node 2: down"
                                 << "use a system with one node fewer";
    QTest::newRow("a device down") << "gpu 3 of node 2: down"
                                   << "cannot be down as a state, since a step takes all devices";
    QTest::newRow("all down") << "spine: down"
                              << "cannot be down as a state";
    QTest::newRow("shared devices") << "node 1: shared"
                                    << "is not a link";
  }

  void errors() {
    QFETCH(QString, text);
    QFETCH(QString, message);
    const auto system = withState(rails(), text.toStdString());
    QVERIFY(!system.ok());
    QVERIFY2(QString::fromStdString(system.error().text()).contains(message), system.error().text().c_str());
  }

  void aLinkThatIsNone() {
    const System system = with(rails(), {"NIC 9 of node 1 → rail 3: 50%"});
    const auto checked = validated(system);
    QVERIFY(!checked.ok());
    QVERIFY(QString::fromStdString(checked.error().text()).contains("no link has that name"));
  }

  void sharesOfBandwidth() {
    const Topology plain(test::valid(rails()));
    const Topology topology(test::valid(with(rails(), {"rail 3 of node 1: 50%", "NIC 2 of node 0: 25%"})));
    const double nic = bandwidthOfLink(plain, "NIC 3 of node 1 → rail 3");
    QVERIFY(nic > 0);
    QCOMPARE(bandwidthOfLink(topology, "NIC 3 of node 1 → rail 3"), nic / 2);
    QCOMPARE(bandwidthOfLink(topology, "rail 3 → NIC 3 of node 1"), nic / 2);
    QCOMPARE(bandwidthOfLink(topology, "gpu 3 of node 1 → NIC 3 of node 1"), nic);
    QCOMPARE(bandwidthOfLink(topology, "NIC 3 of node 0 → rail 3"), nic);
    QCOMPARE(bandwidthOfLink(topology, "gpu 2 of node 0 → NIC 2 of node 0"), nic / 4);
    QCOMPARE(bandwidthOfLink(topology, "NIC 2 of node 0 → rail 2"), nic / 4);
  }

  // A state of a whole network is its figure: nothing has to be listed for it.
  void wholeNetworks() {
    const System uniform = with(test::valueOf(parseSystem("gcp-a100:4")), {"node 1: 90%"});
    QVERIFY(uniform.isUniform());
    QCOMPARE(slowestDevices(uniform), 0.9);
    QCOMPARE(slowestPart(uniform), std::string("node 1"));
    QCOMPARE(describeSlowestDevices(uniform),
             std::string("all devices wait for node 1, whose devices have 90 % of their speed"));
    QVERIFY(describeSlowestDevices(rails()).empty());
    const Accelerator slow = slowestAccelerator(with(rails(), {"node 1: 90%", "gpu 2 of node 0: 60%"}));
    const Accelerator whole = rails().accelerator;
    QVERIFY(whole.bf16 > 0 && whole.fp32 > 0 && whole.fp8 > 0 && whole.memoryBandwidth > 0);
    QCOMPARE(slow.bf16, 0.6 * whole.bf16);
    QCOMPARE(slow.fp32, 0.6 * whole.fp32);
    QCOMPARE(slow.fp8, 0.6 * whole.fp8);
    QCOMPARE(slow.memoryBandwidth, 0.6 * whole.memoryBandwidth);
    QCOMPARE(slow.memory, whole.memory);
    const System spine = with(rails(), {"spine: shared by 4 jobs"});
    const double full = rails().networks.back().interconnect.bandwidth;
    QCOMPARE(test::valid(spine)->networks.back().interconnect.bandwidth, full / 4);
    QCOMPARE(spine.networks.back().interconnect.bandwidth, full);
  }

  void aDeadNicIsRoutedAround() {
    const Topology topology(test::valid(with(rails("dgx-h100:2"), {"NIC 0 of node 0: down"})));
    // Over the neighbour's NIC, from whose rail the spine leads to that of the receiver.
    QCOMPARE(namesOf(topology, 0, 8),
             (QStringList{"gpu 0 of node 0 ↑", "gpu 1 of node 0 ↓", "gpu 1 of node 0 → NIC 1 of node 0",
                          "NIC 1 of node 0 → rail 1", "rail 1 → spine 0", "spine 0 → rail 0",
                          "rail 0 → NIC 0 of node 1", "NIC 0 of node 1 → gpu 0 of node 1"}));
    QCOMPARE(namesOf(topology, 8, 0).last(), QString("gpu 0 of node 0 ↓"));
    QCOMPARE(namesOf(topology, 1, 9), namesOf(Topology(test::valid(rails("dgx-h100:2"))), 1, 9));
  }

  void twoDeadNicsHaveTwoRelays() {
    const System system = with(rails("dgx-h100:2"), {"NIC 0 of node 0: down", "NIC 1 of node 0: down"});
    const ValidSystem checked = test::valid(system);
    QCOMPARE(checked.linkGraph()->relayOut(Device(0)), Device(2));
    QCOMPARE(checked.linkGraph()->relayOut(Device(1)), Device(3));
    QCOMPARE(checked.linkGraph()->relayIn(Device(2)), Device(2));
  }

  void aDeadRailIsRoutedAroundInEveryNode() {
    const ValidSystem checked = test::valid(with(rails("dgx-h100:3"), {"rail 5: down"}));
    for (std::int64_t node = 0; node < 3; ++node) {
      QCOMPARE(checked.linkGraph()->relayOut(Device(node * 8 + 5)), Device(node * 8 + 6));
    }
  }

  void aNodeWithoutWays() {
    System system = rails("dgx-h100:2");
    for (int nic = 0; nic < 8; ++nic) system = with(system, {"NIC " + std::to_string(nic) + " of node 0: down"});
    const auto checked = validated(system);
    QVERIFY(!checked.ok());
    QVERIFY(QString::fromStdString(checked.error().text()).contains("are not connected"));
  }

  // Routes that are found once for a class of nodes are those of the search, on machines with all sorts of parts.
  void routesByClassAreThoseOfTheSearch_data() {
    QTest::addColumn<QString>("preset");
    for (const char* preset : {"dgx-h100:3", "gcp-a3mega:3", "aws-p5:2", "alps-gh200:4", "mi300x:2", "dgx-a100:3",
                               "gb200-nvl72:1", "abci-v100:3", "polaris:4", "rtx4090-pcie:2"}) {
      QTest::newRow(preset) << preset;
    }
  }

  void routesByClassAreThoseOfTheSearch() {
    QFETCH(QString, preset);
    QRandomGenerator random(44);
    const System plain = rails(preset.toStdString());
    for (int round = 0; round < 3; ++round) {
      System system = plain;
      for (int i = 0; i < round && !plain.networks.empty(); ++i) {
        const auto node = "node " + std::to_string(random.bounded(2));
        const auto state = withState(system, "NIC 0 of " + node + ": " + std::to_string(random.bounded(10, 90)) + "%");
        if (state.ok()) system = *state;
      }
      const ValidSystem checked = test::valid(system);
      if (checked.linkGraph() == nullptr) return;
      const Topology topology(checked);
      RouteSearch search(*checked.linkGraph());
      const auto count = int(topology.deviceCount());
      for (int i = 0; i < test::reach(2000, 400); ++i) {
        const Device from(random.bounded(count));
        const Device to(random.bounded(count));
        std::vector<LinkId> links;
        topology.route(from, to, links);
        const std::vector<LinkId> searched = search.route(from, to);
        QVERIFY2(links == searched, qPrintable(QStringLiteral("%1 to %2").arg(from.value()).arg(to.value())));
      }
    }
  }

  // What is shown of a state is read back as the same state.
  void textsAreReadBack() {
    const System system =
        test::valueOf(withState(test::valueOf(parseSystem("dgx-h100:4")), "spine: 50%, shared by 2 jobs"));
    QCOMPARE(test::stateTexts(system), (std::vector<std::string>{"spine: 50%, shared by 2 jobs"}));
    QVERIFY(test::valueOf(withState(system, test::stateTexts(system).front())) == system);
    QVERIFY(!withState(system, "spine: 50%, asleep").ok());
  }

  // Together they are what one after the other gives.
  void manyStatesAtOnce() {
    const System system = rails();
    const std::vector<std::string> texts{"NIC 0 of node 0: down", "NIC 0 of node 1: 50%", "NIC 0 of node 0: 40%",
                                         "NIC 0 of node 1: down"};
    System each = system;
    for (const std::string& text : texts) each = test::valueOf(withState(each, text));
    const System together = test::valueOf(withStates(system, texts));
    QVERIFY(together.states == each.states);
    QVERIFY(together.disabled == each.disabled);
    QVERIFY(!withStates(system, {"NIC 0 of node 0: down", "NIC 99 of node 0: down"}).ok());
    // A later text takes an earlier state away.
    QVERIFY(test::valueOf(withStates(system, {"NIC 0 of node 0: down", "NIC 0 of node 0: 100%"})).disabled.empty());
  }
};

QTEST_APPLESS_MAIN(TestPartStates)
#include "tst_part_states.moc"
