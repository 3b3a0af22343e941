// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>

#include "support/fixtures.h"
#include "tests/core/system/route_text.h"

using namespace p2;
using p2::test::routeText;

// Systems with networks of their own: which links there are, what they are called, and which of them a message takes.
class TestLinkGraph : public QObject {
  Q_OBJECT

  static Network network(const char* name, const char* within, std::int64_t instances, const char* of,
                         Interconnect link = {InterconnectKind::Switch, 1e9, 0, ""}) {
    link.name = name;
    return {link, within, instances, Network::Assignment::Blocks, {{of, 0, 0}}};
  }

  /// Not validated. `outermost` is the kind of the first level.
  static System with(const char* levels, const std::vector<Network>& networks,
                     InterconnectKind outermost = InterconnectKind::Switch) {
    System system = test::valueOf(parseSystem(levels));
    system.levels[0].interconnect.kind = outermost;
    system.networks = networks;
    return system;
  }

 private slots:
  void v100NodesAreThePapersFigure() {
    const Topology topology(test::validFrom("gcp-v100:2"));
    QVERIFY(!topology.isUniform());
    QCOMPARE(routeText(topology, 0, 1), QStringLiteral("gpu 0 of node 0 → next"));
    QCOMPARE(routeText(topology, 0, 7), QStringLiteral("gpu 0 of node 0 → previous"));
    // NVLink does not forward, so two apart is PCIe: over the CPU's memory, and to the other CPU over theirs.
    QCOMPARE(
        routeText(topology, 8, 10),
        QStringLiteral("gpu 0 of node 1 → PCIe switch 0 of node 1, PCIe switch 0 of node 1, "
                       "PCIe switch 0 of node 1 → CPU memory 0 of node 1, CPU memory 0 of node 1 → PCIe switch 1 of "
                       "node 1, "
                       "PCIe switch 1 of node 1, PCIe switch 1 of node 1 → gpu 2 of node 1"));
    QVERIFY(routeText(topology, 0, 4)
                .contains(QStringLiteral("CPU memory 0 of node 0 → CPU link 0 of node 0, "
                                         "CPU link 0 of node 0 → CPU memory 1")));
    QVERIFY(routeText(topology, 3, 12)
                .contains(QStringLiteral(
                    "CPU memory 0 of node 0 → NIC 0 of node 0, node 0 ↑, node 1 ↓, NIC 0 of node 1 → CPU memory 1")));
  }

  void railsAreTakenWhenThereIsOne() {
    const Topology topology(test::validFrom("dgx-h100:4"));
    QCOMPARE(routeText(topology, 0, 5), QStringLiteral("gpu 0 of node 0 ↑, gpu 5 of node 0 ↓"));
    QCOMPARE(routeText(topology, 3, 11), QStringLiteral("gpu 3 of node 0 → NIC 3 of node 0, NIC 3 of node 0 → rail 3, "
                                                        "rail 3 → NIC 3 of node 1, NIC 3 of node 1 → gpu 3 of node 1"));
    QVERIFY(routeText(topology, 3, 12).contains(QStringLiteral("rail 3 → spine 0, spine 0 → rail 4")));
  }

  void aTorusIsWalkedRingByRing() {
    const Topology topology(test::validFrom("tpu-v4:4"));
    QCOMPARE(routeText(topology, 0, 1), QStringLiteral("chip 0 of layer 0 → next on x ring 0 of layer 0"));
    QCOMPARE(routeText(topology, 0, 4), QStringLiteral("chip 0 of layer 0 → next on y ring 0 of layer 0"));
    QCOMPARE(routeText(topology, 0, 48), QStringLiteral("chip 0 of layer 0 → previous on z ring 0"));
    QCOMPARE(routeText(topology, 0, 21).count(QStringLiteral("→")), 3);
  }

  // A socket without a NIC of its own reaches it through the other, since their mesh forwards.
  void forwardingMeshesLeadToTheGateway() {
    const Topology topology(test::validFrom("cpu-cluster:2"));
    QCOMPARE(routeText(topology, 4, 0),
             QStringLiteral("rank 0 of socket 1 of node 0 ↑, rank bus of socket 1 of node 0, "
                            "socket 1 of node 0 → socket 0 of node 0, rank bus of socket 0 of node 0, "
                            "rank 0 of socket 0 of node 0 ↓"));
    QVERIFY(routeText(topology, 4, 8)
                .contains(QStringLiteral(
                    "socket 1 of node 0 → socket 0 of node 0, socket 0 of node 0 → NIC 0 of node 0, node 0 ↑")));
  }

  void everyPresetIsConnectedAndItsLinksHaveNamesOfTheirOwn() {
    for (const Preset& preset : presets()) {
      const Topology topology = Topology::listed(test::validFrom(preset.name));
      std::set<std::string> names;
      for (const LinkId link : topology.links()) {
        names.insert(topology.linkName(link));
        QVERIFY(topology.resource(link) <= link);
        QCOMPARE(topology.resource(topology.resource(link)), topology.resource(link));
      }
      QCOMPARE(std::int64_t(names.size()), topology.linkCount());
      QVERIFY(!preset.source.empty());
      for (std::int64_t from = 0; from < topology.deviceCount(); ++from) {
        const std::int64_t to = (from * 7 + 3) % topology.deviceCount();
        QCOMPARE(routeText(topology, from, to).isEmpty(), from == to);
      }
    }
  }

  void nodesMultiplyWhatGrowsWithThem() {
    const System system = test::valueOf(parseSystem("dgx-h100:16"));
    QCOMPARE(system.networks[2].interconnect.bandwidth, 16 * 50e9);
    QCOMPARE(system.levels[0].count, 16);
  }

  void disabledPartsAreLeftOut() {
    System system = test::valueOf(parseSystem("gcp-v100:2"));
    system.disabled = {"gpu 0 of node 0 → next"};
    const Topology broken(test::valueOf(validated(system)));
    QVERIFY(routeText(broken, 0, 1).contains(QStringLiteral("PCIe")));
    QCOMPARE(routeText(broken, 1, 0), QStringLiteral("gpu 1 of node 0 → previous"));
    system.disabled = {"gpu ring of node 0"};
    const Topology without(test::valueOf(validated(system)));
    QVERIFY(routeText(without, 1, 0).contains(QStringLiteral("PCIe")));
    QCOMPARE(routeText(without, 9, 8), QStringLiteral("gpu 1 of node 1 → previous"));
  }

  void halfDuplexDirectionsShareTheirBandwidth() {
    const Topology topology(test::validFrom("gcp-v100:2"));
    std::vector<LinkId> there;
    std::vector<LinkId> back;
    topology.route(Device(7), Device(0), there);
    topology.route(Device(0), Device(7), back);
    QCOMPARE(topology.resource(there[0]), topology.resource(back[0]));
    std::vector<LinkId> elsewhere;
    topology.route(Device(1), Device(0), elsewhere);
    QVERIFY(topology.resource(elsewhere[0]) != topology.resource(back[0]));
  }

  void sharedPortsHaveOneBandwidthEachWay() {
    const auto resourcesOf = [](bool halfDuplex) {
      System system = with("gpu:3", {});
      system.levels[0].interconnect.shared = true;
      system.levels[0].interconnect.halfDuplex = halfDuplex;
      const Topology topology(test::valid(system));
      std::map<LinkId, QStringList> shared;
      for (const LinkId link : topology.links()) {
        shared[topology.resource(link)].append(QString::fromStdString(topology.linkName(link)));
      }
      QStringList texts;
      for (const auto& [resource, names] : shared) texts.append(names.join(QStringLiteral(" + ")));
      return texts;
    };
    QCOMPARE(resourcesOf(false), (QStringList{"gpu 0 ↑ + gpu 1 ↑ + gpu 2 ↑", "gpu 0 ↓ + gpu 1 ↓ + gpu 2 ↓"}));
    QCOMPARE(resourcesOf(true), (QStringList{"gpu 0 ↑ + gpu 0 ↓ + gpu 1 ↑ + gpu 1 ↓ + gpu 2 ↑ + gpu 2 ↓"}));
  }

  void linksKnowTheirEnds() {
    const Topology topology(test::validFrom("gcp-v100:2"));
    const Topology uniform(test::validFrom("node:2 gpu:4@ring"));
    QCOMPARE(uniform.ends(LinkId(0)),
             (Topology::LinkEnds{{Place::Kind::Level, 0, 0}, {Place::Kind::Interconnect, 0, 0}}));
    QCOMPARE(uniform.ends(LinkId(4 + 2 * 7)),
             (Topology::LinkEnds{{Place::Kind::Level, 1, 7}, {Place::Kind::Level, 1, 4}}));
    std::vector<LinkId> links;
    topology.route(Device(8), Device(10), links);
    QCOMPARE(topology.ends(links[0]), (Topology::LinkEnds{{Place::Kind::Level, 1, 8}, {Place::Kind::Network, 0, 4}}));
    QCOMPARE(topology.owner(links[0]), (Place{Place::Kind::Network, 0, 4}));
  }

  void impossibleSystemsGetOneSentence_data() {
    QTest::addColumn<System>("system");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char* title, const System& system, const char* sentence) {
      QTest::newRow(title) << system << QString(sentence);
    };
    row("unconnected", with("node:2 gpu:4", {network("rail", "node", 1, "gpu")}, InterconnectKind::None),
        "devices 0 and 4 are not connected: no links lead from gpu 0 of node 0 to gpu 0 of node 1");
    row("in pairs", with("gpu:8", {network("pair", "", 4, "gpu")}, InterconnectKind::None),
        "devices 0 and 2 are not connected: no links lead from gpu 0 to gpu 2");
    System alone = with("gpu:4", {});
    alone.disabled = {"gpu 3"};
    row("disabled device", alone, "devices 0 and 3 are not connected: no links lead from gpu 0 to gpu 3");
    alone.disabled = {"gpu 4"};
    row("unknown disabled", alone,
        "\"gpu 4\" is listed as out of order, but nothing has that name; name an instance or a link, as in gpu 0");
    row("no name", with("gpu:4", {network("", "", 1, "gpu")}),
        "network 1: \"\" is not a network's name; use words of letters, digits, '-', '_' or '.', none of them a "
        "number, "
        "as in PCIe switch");
    row("number in a name", with("gpu:4", {network("gpu 1 of node", "", 1, "gpu")}),
        "network 1: \"gpu 1 of node\" is not a network's name; use words of letters, digits, '-', '_' or '.', none of "
        "them a number, as in PCIe switch");
    row("a level's name", with("gpu:4", {network("gpu", "", 1, "gpu")}),
        "network 1: the name \"gpu\" is used twice; give every level and network its own");
    row("twice", with("gpu:4", {network("NIC", "", 1, "gpu"), network("NIC", "", 1, "gpu")}),
        "network 2: the name \"NIC\" is used twice; give every level and network its own");
    row("itself", with("gpu:4", {network("NIC", "", 1, "NIC")}),
        "network NIC: it contains itself through its members; leave one of them out");
    row("in a circle", with("gpu:4", {network("a", "", 1, "b"), network("b", "", 1, "a")}),
        "network a: it contains itself through its members; leave one of them out");
    row("unequal", with("gpu:4", {network("NIC", "", 3, "gpu")}),
        "network NIC: 4 gpu cannot be assigned to 3 instances in equal shares; use a number that divides them");
    row("no bandwidth", with("gpu:4", {network("NIC", "", 1, "gpu", {InterconnectKind::Bus, 0, 0, ""})}),
        "network NIC: the bandwidth is 0 B/s; use 1 B/s to 1e18 B/s");
    row("endless", with("gpu:4", {network("NIC", "", 1, "gpu", {InterconnectKind::Bus, double(INFINITY), 0, ""})}),
        "network NIC: the bandwidth is inf B/s; use 1 B/s to 1e18 B/s");
    row("unknown member", with("gpu:4", {network("NIC", "", 1, "cpu")}),
        "network NIC: its member \"cpu\" is neither a level nor a network");
    row("unknown place", with("gpu:4", {network("NIC", "node", 1, "gpu")}),
        "network NIC: there is no level \"node\" to place it in; use gpu, or nothing for the system itself");
    row("outside its place", with("node:2 gpu:4", {network("NIC", "node", 1, "node")}),
        "network NIC: its member node is not within one node");
    row("in a device", with("node:2 gpu:4", {network("NIC", "gpu", 1, "gpu")}),
        "network NIC: it stands within gpu, which is a single device; use a level above it");
    row("a million", with("gpu:4", {network("NIC", "", 1000000, "gpu")}),
        "network NIC: it has 1000000 instances for the 4 devices of the system; each needs a member");
    row("no instances", with("gpu:4", {network("NIC", "", 0, "gpu")}),
        "network NIC: it has 0 instances; it needs 1 or more");
    Network narrow = network("NIC", "", 1, "gpu");
    narrow.members = {{"gpu", 2, 3}};
    row("too many members", with("gpu:4", {narrow}),
        "network NIC: it has members from gpu 2 on, 3 of them, but the system has 4");
    narrow.members = {{"gpu", 0, 3}, {"gpu", 2, 2}};
    row("member twice", with("gpu:4", {narrow}), "network NIC: gpu 2 is its member twice; name each once");
    row("nothing", with("gpu:4", {network("NIC", "", 1, "gpu", {InterconnectKind::None, 1e9, 0, ""})}),
        "network NIC: a network of kind none joins nothing; use switch, ring, mesh or bus");
    row("too many devices", with("node:16385 gpu:4", {}, InterconnectKind::Bus),
        "the system has 65540 devices; use at most 65536 with networks such as rails, or links other than switches and "
        "rings");
    row("too many links", with("gpu:4096", {}, InterconnectKind::Mesh),
        "the system has more than 1048576 links; use a switch in place of a large mesh");
  }
  void impossibleSystemsGetOneSentence() {
    QFETCH(System, system);
    QFETCH(QString, sentence);
    const auto checked = validated(system);
    QVERIFY(!checked.ok());
    QCOMPARE(QString::fromStdString(checked.error().text()), sentence);
  }
};

QTEST_APPLESS_MAIN(TestLinkGraph)
#include "tst_link_graph.moc"
