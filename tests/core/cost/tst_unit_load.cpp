// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRandomGenerator>
#include <QTest>

#include "cost/flows/exchange_load.h"
#include "cost/flows/listed_load.h"
#include "cost/flows/unit_load.h"
#include "cost/pattern_pricer.h"
#include "cost/simulator.h"
#include "support/fixtures.h"
#include "support/reach.h"
#include "system/detail/route_search.h"
#include "system/part_states.h"

using namespace p2;

// Loads counted for one of all equal nodes against every flow on a route of its own, on machines with rails, racks,
// sick parts and relays.
class TestUnitLoad : public QObject {
  Q_OBJECT

  QRandomGenerator m_random{4407};

  std::int64_t pick(const std::vector<std::int64_t>& values) {
    return values[std::size_t(m_random.bounded(int(values.size())))];
  }

  /// Nodes of GPUs with NICs, on rails below a spine or in one network, in racks or not.
  System randomSystem() {
    System system;
    const bool racks = m_random.bounded(2) == 0;
    const std::int64_t gpus = pick({2, 4, 8});
    const std::int64_t nics = pick({1, 2, gpus});
    if (racks) system.levels.push_back({"rack", 2, {InterconnectKind::None, 50e9, 0, "racks"}});
    system.levels.push_back({"node", pick({2, 3, 4}), {InterconnectKind::None, 50e9, 0, "nodes"}});
    system.levels.push_back({"gpu", gpus, {InterconnectKind::Switch, 450e9, 1e-6, "NVSwitch"}});
    system.node = "node";
    system.library.generation = "hopper";
    const bool railed = nics > 1 && m_random.bounded(3) != 0;
    system.networks.push_back(test::networkOf(InterconnectKind::Switch, 50e9, "NIC", "node", nics, "gpu", true));
    system.networks.back().interconnect.latency = 2e-6;
    const std::string within = railed && racks && m_random.bounded(2) == 0 ? "rack" : "";
    system.networks.push_back(
        test::networkOf(InterconnectKind::Switch, 50e9, "rail", within, railed ? nics : 1, "NIC"));
    system.networks.back().assignment = Network::Assignment::InTurn;
    if (railed) {
      system.networks.push_back(
          test::networkOf(InterconnectKind::Switch, double(pick({50, 100, 400})) * 1e9, "spine", "", 1, "rail"));
    }
    if (!railed && racks && m_random.bounded(2) == 0) {
      system.networks.back().within = "rack";
      system.networks.push_back(test::networkOf(InterconnectKind::Switch, 100e9, "spine", "", 1, "rail"));
    }
    for (Network& network : system.networks) network.interconnect.shared = m_random.bounded(6) == 0;
    return system;
  }

  System withRandomStates(System system) {
    const bool racks = system.levels.size() == 3;
    const std::int64_t nodes = system.levels[racks ? 1 : 0].count;
    for (int i = m_random.bounded(3); i > 0; --i) {
      std::string nic = "NIC " + std::to_string(m_random.bounded(int(system.networks[0].instances))) + " of node " +
                        std::to_string(m_random.bounded(int(nodes)));
      if (racks) nic += " of rack " + std::to_string(m_random.bounded(2));
      const auto state = withState(system, nic + (m_random.bounded(2) == 0 ? ": down" : ": 40%"));
      if (state.ok() && validated(*state).ok()) system = *state;
    }
    return system;
  }

  ParallelismMatrix randomMatrix(const System& system, std::size_t axes) {
    ParallelismMatrix matrix(axes, system.levels.size());
    for (std::size_t level = 0; level < system.levels.size(); ++level) {
      std::int64_t rest = system.levels[level].count;
      for (std::int64_t prime = 2; rest > 1; ++prime) {
        for (; rest % prime == 0; rest /= prime) {
          const auto axis = std::size_t(m_random.bounded(int(axes)));
          matrix.set(axis, level, matrix.at(axis, level) * prime);
        }
      }
    }
    return matrix;
  }

  /// Route by route, relays included, without classes of nodes.
  static std::vector<LinkId> searchedRoute(RouteSearch& search, const LinkGraph& graph, std::int64_t node, Device from,
                                           Device to) {
    if (from.value() / node == to.value() / node) return search.route(from, to);
    std::vector<LinkId> links;
    const Device stops[] = {from, graph.relayOut(from), graph.relayIn(to), to};
    for (int i = 0; i < 3; ++i) {
      const auto part = search.route(stops[i], stops[i + 1]);
      links.insert(links.end(), part.begin(), part.end());
    }
    return links;
  }

  /// NCCL's PXN as a reference: the member of the sender's node at the receiver's place, where it leaves the node by
  /// another link. The first network of randomSystem() is that of the NICs.
  static Device relayOf(RouteSearch& search, const LinkGraph& graph, std::int64_t node, const DeviceGroup& group,
                        const Flow& flow) {
    const std::int64_t from = flow.from.value() / node;
    const Device at(from * node + flow.to.value() % node);
    if (from == flow.to.value() / node || std::find(group.begin(), group.end(), at) == group.end()) return flow.from;
    const auto outOf = [&](Device device) {
      for (const LinkId link : searchedRoute(search, graph, node, device, flow.to)) {
        const Place& owner = graph.link(link).owner;
        if (owner.kind == Place::Kind::Network && owner.index > 0) return link;
      }
      return LinkId();
    };
    return outOf(flow.from) == outOf(at) ? flow.from : at;
  }

  static void compareLoads(const std::vector<LinkLoad>& counted, const std::vector<LinkLoad>& listed,
                           const QString& where) {
    QVERIFY2(counted.size() == listed.size(), qPrintable(where));
    for (std::size_t i = 0; i < counted.size(); ++i) {
      const QString both =
          QStringLiteral("%1: %2 and %3").arg(where).arg(counted[i].seconds()).arg(listed[i].seconds());
      QVERIFY2(std::abs(counted[i].seconds() - listed[i].seconds()) <= 1e-9 * listed[i].seconds(), qPrintable(both));
      QVERIFY2(counted[i].interconnect == listed[i].interconnect, qPrintable(where));
    }
  }

  static constexpr std::int64_t kNodes = 12;
  static constexpr std::int64_t kEach = 512;

  /// Twelve nodes of 512 devices, each with a sick NIC of its own, are as many classes: 144 pairs of 262,144 routes
  /// each are more than are kept.
  static System manySickNodes() {
    System system;
    system.levels.push_back({"node", kNodes, {InterconnectKind::None, 50e9, 0, "nodes"}});
    system.levels.push_back({"gpu", kEach, {InterconnectKind::Switch, 450e9, 1e-6, "NVSwitch"}});
    system.node = "node";
    system.networks.push_back(test::networkOf(InterconnectKind::Switch, 50e9, "NIC", "node", 8, "gpu", true));
    system.networks.push_back(test::networkOf(InterconnectKind::Switch, 50e9, "fabric", "", 1, "NIC"));
    for (std::int64_t node = 0; node < kNodes; ++node) {
      system = test::valueOf(
          withState(system, "NIC 0 of node " + std::to_string(node) + ": " + std::to_string(40 + node) + "%"));
    }
    return system;
  }

 private slots:
  void routesBeyondThoseKeptAreSearchedFor() {
    const ValidSystem checked = test::valid(manySickNodes());
    const Topology topology(checked);
    QVERIFY(topology.units() != nullptr);
    QCOMPARE(topology.units()->classCount(), static_cast<std::int32_t>(kNodes));
    RouteSearch search(*checked.linkGraph());
    int kept = 0;
    int searched = 0;
    for (std::int64_t from = 0; from < kNodes; ++from) {
      for (std::int64_t to = 0; to < kNodes; ++to) {
        const Device one(from * kEach + 3);
        const Device other(to * kEach + 77);
        std::vector<LinkId> links;
        topology.route(one, other, links);
        QVERIFY(links == search.route(one, other));
        ++(topology.hops(one, other) != nullptr ? kept : searched);
      }
    }
    QVERIFY2(kept > 32 && searched > 32, qPrintable(QString::number(kept)));
  }

  // Nodes of two classes take the same routes, whose links differ in bandwidth alone.
  void equalRoutesAreKeptOnce() {
    const Topology topology(test::valid(manySickNodes()));
    const auto route = [&](std::int64_t from, std::int64_t to) {
      return topology.hops(Device(from * kEach + 3), Device(to * kEach + 77));
    };
    QVERIFY(route(0, 1) != nullptr && route(0, 0) != nullptr);
    QCOMPARE(route(0, 1), route(2, 1));
    QCOMPARE(route(0, 0), route(3, 3));
    QVERIFY(route(0, 1) != route(0, 0));
  }

  // 156 pairs of classes: the routes of about 64 of them are kept.
  void anAllToAllBeyondThoseKeptIsCounted() {
    const Topology topology(test::valid(manySickNodes()));
    DeviceGroup group;
    for (std::int64_t node = 0; node < kNodes; ++node) {
      for (std::int64_t device = 0; device < kEach; device += 64) group.push_back(Device(node * kEach + device + 5));
    }
    const auto exchange = ExchangeLoad::of(topology, group);
    QVERIFY(exchange.has_value());
    LinkLoads counted(topology);
    QVERIFY(exchange->addTo(counted, 1, [](std::size_t) { return 1.0; }));
    LinkLoads listed(topology);
    double slowest = 0;
    int beyond = 0;
    for (const Device from : group) {
      for (const Device to : group) {
        if (from == to) continue;
        std::vector<LinkId> links;
        topology.route(from, to, links);
        for (const LinkId link : links) listed.add(link, 1);
        slowest = std::max(slowest, topology.routeLatency(from, to));
        beyond += topology.hops(from, to) == nullptr;
      }
    }
    QVERIFY(beyond > 1000);
    compareLoads(counted.busiestLinks(), listed.busiestLinks(), "all");
    QCOMPARE(exchange->slowestRoute(), slowest);
  }

  void equalsTheFlows() {
    int compared = 0;
    int relayed = 0;
    for (int round = 0; round < test::reach(150, 40); ++round) {
      const System system = withRandomStates(randomSystem());
      const ValidSystem checked = test::valid(system);
      const Topology topology(checked);
      QVERIFY(topology.units() != nullptr);
      RouteSearch search(*checked.linkGraph());
      const LibraryView machine = libraryViewOf(topology);
      std::vector<Axis> axes;
      const ParallelismMatrix matrix = randomMatrix(system, 2);
      for (std::size_t axis = 0; axis < 2; ++axis) {
        std::int64_t size = 1;
        for (std::size_t level = 0; level < system.levels.size(); ++level) size *= matrix.at(axis, level);
        axes.push_back({std::to_string(axis), size, axis == 0});
      }
      if (axes[0].size == 1) continue;
      const SynthesisHierarchy hierarchy(system, Placement(axes, matrix));
      for (const GroupPattern& pattern : groupPatterns(hierarchy.levelCount())) {
        UnitLoad counted(topology, machine, hierarchy, pattern);
        for (const FlowShape shape :
             {FlowShape::Ring, FlowShape::Tree, FlowShape::RailRing, FlowShape::RailTree, FlowShape::Exchange,
              FlowShape::RailExchange, FlowShape::Spread, FlowShape::RailSpread, FlowShape::ChainFromRoot}) {
          LinkLoads flows(topology);
          for (const DeviceGroup& group : hierarchy.groups(pattern)) {
            for (const Flow& flow : flowsOf(shape, group, machine)) {
              const LinkGraph& graph = *checked.linkGraph();
              const Device relay =
                  keepsToRails(shape) ? relayOf(search, graph, machine.nodeDevices, group, flow) : flow.from;
              relayed += relay == flow.from ? 0 : 1;
              for (const auto& [from, to] : {std::pair(flow.from, relay), std::pair(relay, flow.to)}) {
                if (from == to) continue;
                for (const LinkId link : searchedRoute(search, graph, machine.nodeDevices, from, to))
                  flows.add(link, flow.weight);
              }
            }
          }
          const QString where = QStringLiteral("%1, matrix %2, shape %3, %4 states")
                                    .arg(QString::fromStdString(shapeOf(system)), QString::fromStdString(matrix.text()))
                                    .arg(int(shape))
                                    .arg(system.states.size() + system.disabled.size());
          compareLoads(counted.loads(shape, {GroupShare{}}), flows.busiestLinks(), where);
          ++compared;
        }
        ListedLoad listed(topology, machine, hierarchy, pattern);
        QVERIFY(std::abs(counted.path().seconds() - listed.path().seconds()) <= 1e-12);
        QCOMPARE(counted.nodes(), listed.nodes());
        for (const FlowShape shape : {FlowShape::Exchange, FlowShape::RailExchange}) {
          QCOMPARE(counted.hops(Collective::AllToAll, shape).latency, listed.hops(Collective::AllToAll, shape).latency);
        }
      }
    }
    QVERIFY(compared > 100);
    QVERIFY(relayed > 1000);
  }

  // The ways around a ring depend on the node, though a ring of one member has no link that shows where it is.
  void ringsOfNetworksDoNotRepeat() {
    System system;
    system.levels.push_back({"node", 8, {InterconnectKind::None, 10e9, 0, "nodes"}});
    system.levels.push_back({"gpu", 4, {InterconnectKind::Switch, 100e9, 0, "NVSwitch"}});
    system.networks.push_back(test::networkOf(InterconnectKind::Switch, 200e9, "NIC", "node", 1, "gpu"));
    system.networks.push_back(test::networkOf(InterconnectKind::Ring, 5e9, "leaf", "", 8, "NIC"));
    system.networks.back().assignment = Network::Assignment::InTurn;
    system.networks.push_back(test::networkOf(InterconnectKind::Ring, 20e9, "ring", "", 1, "leaf"));
    const ValidSystem checked = test::valid(system);
    const Topology topology(checked);
    RouteSearch search(*checked.linkGraph());
    for (std::int64_t from = 0; from < topology.deviceCount(); ++from) {
      for (std::int64_t to = 0; to < topology.deviceCount(); ++to) {
        if (from == to) continue;
        std::vector<LinkId> links;
        topology.route(Device(from), Device(to), links);
        QCOMPARE(links, search.route(Device(from), Device(to)));
      }
    }
  }

  // NCCL goes around a dead NIC by way of a neighbour's, which then carries twice; a ring waits for it.
  void aDeadNicCostsTwice() {
    const System plain = test::valueOf(parseSystem("dgx-h100:4"));
    const System dead = test::valueOf(withState(plain, "NIC 3 of node 2: down"));
    const auto nicBytes = [](const System& system) {
      const Topology topology(test::valid(system));
      const SynthesisHierarchy hierarchy(system, test::wholeReduction(system));
      const LibraryView machine = libraryViewOf(topology);
      UnitLoad load(topology, machine, hierarchy, {0, hierarchy.levelCount(), false});
      std::map<std::string, double> bytes;
      for (const LinkLoad& each : load.loads(FlowShape::RailRing, {GroupShare{}})) {
        bytes[topology.linkName(each.link)] = each.bytes;
      }
      return bytes;
    };
    const auto before = nicBytes(plain);
    const auto after = nicBytes(dead);
    QCOMPARE(before.at("gpu 0 of node 0 → NIC 0 of node 0"), 1.0 / 8);
    QCOMPARE(after.at("gpu 4 of node 2 → NIC 4 of node 2"), 2.0 / 8);
  }

  void anAllToAllOverEverything() {
    const System system = test::valueOf(parseSystem("dgx-h100:1024"));
    const ValidSystem checked = test::valid(system);
    const Topology topology(checked);
    const SynthesisHierarchy hierarchy(system, test::wholeReduction(system));
    const LibraryView machine = libraryViewOf(topology);
    UnitLoad load(topology, machine, hierarchy, {0, hierarchy.levelCount(), false});
    const std::vector<LinkLoad> loads = load.loads(FlowShape::Exchange, {GroupShare{}});
    double nic = 0;
    for (const LinkLoad& each : loads) {
      if (topology.linkName(each.link).starts_with("gpu 0 of node 0 → NIC")) nic = each.bytes;
    }
    // Every GPU sends 8184 of 8192 parts to other nodes.
    QVERIFY(std::abs(nic - 8184.0 / 8192) < 1e-9);
  }
};

QTEST_APPLESS_MAIN(TestUnitLoad)
#include "tst_unit_load.moc"
