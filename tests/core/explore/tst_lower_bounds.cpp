// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRandomGenerator>
#include <QTest>
#include <set>

#include "cost/bounds/lower_bound.h"
#include "explore/explore.h"
#include "support/fixtures.h"
#include "system/interconnects.h"

using namespace p2;

// No program is ever faster than the limit: systems of every kind, all placements, all programs, all algorithms.
class TestLowerBounds : public QObject {
  Q_OBJECT

  QRandomGenerator m_random{2402};
  int m_compared = 0;
  std::set<std::string_view> m_goals;
  bool m_replicate = false;
  int m_sharded = 0;       // systems on which shards have replicas
  int m_addedUp = 0;       // best programs of which a switch adds up some step
  double m_closest = 1e9;  // of all best programs, in limits

  template <class Value>
  Value pick(const std::vector<Value>& values) {
    return values[std::size_t(m_random.bounded(int(values.size())))];
  }
  bool oneIn(int n) { return m_random.bounded(n) == 0; }

  System uniformSystem(int mostDevices) {
    System system;
    std::int64_t devices = 1;
    const int levels = m_random.bounded(1, 4);
    for (int level = 0; level < levels; ++level) {
      std::int64_t count = pick<std::int64_t>({1, 2, 2, 3, 4, 4, 6, 8, 9, 12});
      while (devices * count > mostDevices) --count;
      devices *= count;
      const bool ring = oneIn(3);
      system.levels.push_back({std::string(1, char('a' + level)),
                               count,
                               {ring ? InterconnectKind::Ring : InterconnectKind::Switch,
                                pick<double>({1, 2, 8, 135}) * 1e9, oneIn(3) ? 1e-6 : 0, "x"}});
    }
    return system;
  }

  Interconnect drawnInterconnect() {
    Interconnect link;
    link.kind = pick<InterconnectKind>({InterconnectKind::Switch, InterconnectKind::Switch, InterconnectKind::Ring,
                                        InterconnectKind::Mesh, InterconnectKind::Bus});
    link.bandwidth = pick<double>({1, 2, 3, 8, 20}) * 1e9;
    link.halfDuplex = link.kind != InterconnectKind::Bus && oneIn(3);
    link.forwards = !oneIn(3);
    if (link.kind == InterconnectKind::Switch && oneIn(3)) link.core = pick<double>({1, 4, 10}) * 1e9;
    link.shared = link.kind == InterconnectKind::Switch && oneIn(4);
    return link;
  }

  /// Levels joined in any manner, networks over some members of theirs, now and then a gateway or something broken.
  System drawnSystem(int mostDevices) {
    System system = uniformSystem(mostDevices);
    for (Level& level : system.levels) {
      level.interconnect = drawnInterconnect();
      if (oneIn(8)) level.interconnect.kind = InterconnectKind::None;
    }
    for (int i = m_random.bounded(4); i > 0; --i) {
      Network network;
      network.interconnect = drawnInterconnect();
      network.interconnect.name = "net" + std::to_string(i);
      const std::size_t inside = std::size_t(m_random.bounded(int(system.levels.size())));
      if (inside > 0) network.within = system.levels[inside - 1].name;
      network.gateway = inside > 0 && oneIn(3);
      const bool ofNetwork = !system.networks.empty() && oneIn(3);
      const std::size_t below = inside + std::size_t(m_random.bounded(int(system.levels.size() - inside)));
      network.members = {{ofNetwork ? system.networks.back().interconnect.name : system.levels[below].name}};
      if (oneIn(2)) network.members[0].first = m_random.bounded(2);
      if (oneIn(2)) network.members[0].count = m_random.bounded(1, 4);
      network.instances = oneIn(2) ? 1 : 2;
      if (oneIn(2)) network.assignment = Network::Assignment::InTurn;
      system.networks.push_back(network);
    }
    return system;
  }

  /// As libraries see it: some or all switches add up, nodes are any level, GPUs of any kind.
  void equip(System& system) {
    const bool all = oneIn(2);
    for (const auto& [place, name, link] : interconnects(system)) {
      link.reduces = link.kind == InterconnectKind::Switch && (all || oneIn(2));
    }
    system.node = oneIn(3) ? "" : pick(system.levels).name;
    system.library.generation = pick<std::string>({"", "volta", "ampere", "hopper", "hopper", "blackwell", "cdna3"});
  }

  void breakSomething(System& system, const Topology& topology) {
    if (topology.linkCount() == 0) return;
    const LinkId link(m_random.bounded(int(topology.linkCount())));
    system.disabled.push_back(topology.linkName(link));
  }

  /// Axes of these devices, the first reduced over.
  std::vector<Axis> axesFor(std::int64_t devices) {
    std::vector<std::int64_t> sizes(std::size_t(m_random.bounded(1, 4)), 1);
    for (std::int64_t prime = 2; devices > 1; ++prime) {
      for (; devices % prime == 0; devices /= prime) sizes[std::size_t(m_random.bounded(int(sizes.size())))] *= prime;
    }
    std::vector<Axis> axes;
    for (const std::int64_t size : sizes) axes.push_back({std::to_string(axes.size()), size, axes.empty() || oneIn(3)});
    return axes;
  }

  /// Along some of the axes, if a sum can still be scattered over others.
  void replicateSome(std::vector<Axis>& axes) {
    for (int attempt = 0; attempt < 8; ++attempt) {
      std::vector<Axis> tried = axes;
      bool any = false;
      for (Axis& axis : tried) {
        axis.reduce = axis.reduce || !oneIn(3);
        axis.replicate = axis.reduce && oneIn(2);
        any = any || (axis.replicate && axis.size > 1);
      }
      if (!checkReplicas(tried).ok() || !any) continue;
      axes = tried;
      ++m_sharded;
      return;
    }
  }

  void check(Workspace workspace, const std::shared_ptr<const Topology>& topology) {
    const auto rare = pick<Algorithm>({Algorithm::Nvls, Algorithm::NvlsTree, Algorithm::CollNet, Algorithm::Pat});
    for (const Algorithm algorithm : {Algorithm::Ring, Algorithm::Tree, rare, Algorithm::Auto}) {
      workspace.options.cost.algorithm = algorithm;
      for (const CostModel* model : costModels()) {
        workspace.options.cost.model = model->name();
        ExploreScope scope;
        workspace.options.cost.overlap = oneIn(3);
        scope.programsPerPlacement = workspace.options.cost.overlap ? 40 : 1;
        const auto explored = exploreOn(topology, workspace, scope);
        QVERIFY2(explored.ok(), explored.ok() ? "" : explored.error().text().c_str());
        for (const PlacementResult& placement : (*explored)->placements) check(workspace, **explored, placement);
      }
    }
  }

  void check(const Workspace& workspace, const Exploration& explored, const PlacementResult& placement) {
    const Goal& goal = workspace.options.goal;
    const LowerBound limit = placementLowerBound(*explored.topology, Placement(workspace.axes, placement.matrix),
                                                 goal.single, workspace.options.cost);
    const std::string what = std::string(goal.name) + " " + placement.matrix.text() + ": limit " +
                             std::to_string(limit.seconds) + " s, " + limit.where + "; best " +
                             std::to_string(placement.rankedBestSeconds()) + " s, " + workspace.options.cost.model +
                             ", " + std::string(nameOf(workspace.options.cost.algorithm)) + "\n" +
                             systemToJson(workspace.system);
    QVERIFY2(limit.seconds > 0 && !limit.where.empty(), what.c_str());
    QVERIFY2(limit.seconds <= placement.rankedBestSeconds() * (1 + 1e-9), what.c_str());
    ++m_compared;
    m_goals.insert(goal.name);
    const auto addsUp = [](const StepCost& step) {
      return step.algorithm == Algorithm::Nvls || step.algorithm == Algorithm::NvlsTree ||
             step.algorithm == Algorithm::CollNet;
    };
    const auto& programs = placement.programs;
    if (!programs.empty() && std::any_of(programs[0].steps.begin(), programs[0].steps.end(), addsUp)) ++m_addedUp;
    m_closest = std::min(m_closest, placement.bestSeconds / limit.seconds);
  }

  void tryOut(const System& system) {
    auto made = validated(system);
    if (!made.ok()) return;
    Workspace workspace;
    workspace.system = system;
    workspace.options.rules = oneIn(4) ? RuleSet::All : RuleSet::Paper;
    workspace.options.sizeLimit = 4;
    if (oneIn(3)) workspace.options.goal = goals()[std::size_t(m_random.bounded(int(goals().size())))];
    workspace.options.cost.bytes = Bytes(pick<double>({1e9, 1e12}));
    workspace.axes = axesFor(system.deviceCount());
    if (!checkReduction(workspace.axes).ok()) return;
    if (m_replicate) {
      workspace.options.goal = kReduceScatterGoal;
      replicateSome(workspace.axes);
    }
    check(workspace, std::make_shared<const Topology>(std::move(made).value()));
  }

 private slots:
  void init() {
    m_compared = 0;
    m_goals.clear();
    m_replicate = false;
    m_sharded = 0;
    m_addedUp = 0;
    m_closest = 1e9;
  }

  void noProgramOfAUniformSystemIsFaster() {
    for (int round = 0; round < 150; ++round) {
      System system = uniformSystem(96);
      if (oneIn(2)) equip(system);
      tryOut(system);
      if (QTest::currentTestFailed()) return;
    }
    QVERIFY2(m_compared > 500, std::to_string(m_compared).c_str());
    QVERIFY2(m_addedUp > 5, std::to_string(m_addedUp).c_str());
    QCOMPARE(m_goals.size(), goals().size());
    QVERIFY(std::abs(m_closest - 1) < 1e-9);
  }

  void noProgramOfADrawnSystemIsFaster() {
    for (int round = 0; round < 400; ++round) {
      System system = drawnSystem(24);
      if (oneIn(2)) equip(system);
      tryOut(system);
      if (QTest::currentTestFailed()) return;
      const auto made = validated(system);
      if (!made.ok() || (*made).linkGraph() == nullptr || !oneIn(2)) continue;
      for (int broken = m_random.bounded(1, 3); broken > 0; --broken) breakSomething(system, Topology(*made));
      tryOut(system);
      if (QTest::currentTestFailed()) return;
    }
    QVERIFY2(m_compared > 500, std::to_string(m_compared).c_str());
    QVERIFY2(m_addedUp > 5, std::to_string(m_addedUp).c_str());
    QCOMPARE(m_goals.size(), goals().size());
    QVERIFY(std::abs(m_closest - 1) < 1e-9);
  }

  void noProgramThatLeavesReplicasIsFaster() {
    m_replicate = true;
    for (int round = 0; round < 240; ++round) {
      System system = round % 2 == 0 ? uniformSystem(64) : drawnSystem(24);
      if (oneIn(2)) equip(system);
      tryOut(system);
      if (QTest::currentTestFailed()) return;
    }
    QVERIFY2(m_sharded > 40, std::to_string(m_sharded).c_str());
    QVERIFY2(m_closest < 1.01, std::to_string(m_closest).c_str());
  }

  void noProgramOfARealMachineIsFaster_data() {
    QTest::addColumn<QString>("machine");
    for (const char* machine : {"dgx-h100:2", "dgx-h100:3", "alps-gh200:2", "mi300x:1", "polaris:4", "aws-p5:2"})
      QTest::newRow(machine) << machine;
  }
  void noProgramOfARealMachineIsFaster() {
    QFETCH(QString, machine);
    for (int round = 0; round < 6; ++round) {
      System system = test::valueOf(systemFromArgument(machine.toStdString()));
      if (round % 2 == 1) equip(system);
      tryOut(system);
      if (QTest::currentTestFailed()) return;
    }
    QVERIFY2(m_compared > 20, std::to_string(m_compared).c_str());
  }
};

QTEST_GUILESS_MAIN(TestLowerBounds)
#include "tst_lower_bounds.moc"
