// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRandomGenerator>
#include <QTest>

#include "cost/bounds/detail/listed_lower_bound.h"
#include "cost/bounds/detail/uniform_lower_bound.h"
#include "cost/bounds/lower_bound.h"
#include "cost/simulator.h"
#include "support/fixtures.h"

using namespace p2;

class TestLowerBound : public QObject {
  Q_OBJECT

  inline static const CostOptions kOnce{Algorithm::Ring, Bytes(1e9), 1};

  static System systemOf(InterconnectKind kind, std::int64_t gpus) {
    System system;
    system.levels = {{"gpu", gpus, {kind, 1e9, 0, "link"}}};
    return system;
  }

  static LowerBound limit(const System& system, const std::string& axes, const std::string& matrix,
                          Collective collective = Collective::AllReduce) {
    const Placement placement(test::valueOf(withReduction(test::valueOf(parseAxes(axes)), "0")),
                              test::valueOf(parseMatrix(matrix)));
    return placementLowerBound(Topology(test::valid(system)), placement, collective, kOnce);
  }

  static void compare(double actual, double expected, const std::string& what) {
    QVERIFY2(std::abs(actual - expected) <= 1e-9 * expected,
             qPrintable(QString::fromStdString(what) + QStringLiteral(": %1, not %2").arg(actual).arg(expected)));
  }

  static System randomSystem(QRandomGenerator& random, bool rings, bool reducing) {
    System system;
    std::int64_t devices = 1;
    const int levels = random.bounded(1, 4);
    for (int level = 0; level < levels; ++level) {
      std::int64_t count = random.bounded(1, 9);
      while (devices * count > 24) --count;
      devices *= count;
      const bool ring = rings && random.bounded(2) == 0;
      system.levels.push_back(
          {std::string(1, char('a' + level)),
           count,
           {ring ? InterconnectKind::Ring : InterconnectKind::Switch, double(1 + random.bounded(9)) * 1e9, 0, "x"}});
      system.levels.back().interconnect.reduces = reducing && !ring && random.bounded(2) == 0;
    }
    return system;
  }

  /// The levels' prime factors assigned to three axes, of which the first is reduced over.
  static Placement randomPlacement(QRandomGenerator& random, const System& system) {
    ParallelismMatrix matrix(3, system.levels.size());
    std::vector<Axis> axes{{"0", 1, true}, {"1", 1, false}, {"2", 1, random.bounded(2) == 0}};
    for (std::size_t level = 0; level < system.levels.size(); ++level) {
      std::int64_t rest = system.levels[level].count;
      for (std::int64_t prime = 2; rest > 1; ++prime) {
        for (; rest % prime == 0; rest /= prime) {
          const auto axis = std::size_t(random.bounded(3));
          matrix.set(axis, level, matrix.at(axis, level) * prime);
          axes[axis].size *= prime;
        }
      }
    }
    return {axes, matrix};
  }

  template <class Compare>
  static void overRandomSystems(bool rings, bool reducing, const Compare& compared) {
    QRandomGenerator random(6787);
    int count = 0;
    for (int round = 0; round < 150 && !QTest::currentTestFailed(); ++round) {
      const System system = randomSystem(random, rings, reducing);
      const Placement placement = randomPlacement(random, system);
      if (placement.groupSize() == 1) continue;
      const ValidSystem checked = test::valid(system);
      compared(Topology(checked), Topology::listed(checked), SynthesisHierarchy(system, placement),
               systemToJson(system) + placement.matrix().text());
      ++count;
    }
    QVERIFY(count > 50);
  }

 private slots:
  void ofANode() {
    const System system = test::valueOf(systemFromArgument("gcp-a100:4"));
    const LowerBound whole = limit(system, "64", "[[4,16]]");
    compare(whole.seconds, 2 * 3.0 / 4 / 8, "one group over all nodes");
    QCOMPARE(whole.where, std::string("every node to data-centre network"));
    compare(limit(system, "4,16", "[[4,1],[1,16]]").seconds, 16 * 2 * 3.0 / 4 / 8, "sixteen groups over all nodes");
    const LowerBound inside = limit(system, "16,4", "[[1,16],[4,1]]");
    compare(inside.seconds, 2 * 15.0 / 16 / 270, "a group in each node");
    QCOMPARE(inside.where, std::string("every gpu to NVSwitch"));
    compare(limit(system, "64", "[[4,16]]", Collective::ReduceScatter).seconds, 3.0 / 4 / 8, "ReduceScatter");
    compare(limit(system, "64", "[[4,16]]", Collective::AllGather).seconds, 3.0 / 4 / 8, "AllGather");
    compare(limit(system, "64", "[[4,16]]", Collective::Reduce).seconds, 1.0 / 8, "Reduce");
    compare(limit(system, "64", "[[4,16]]", Collective::Broadcast).seconds, 1.0 / 8, "Broadcast");
  }

  void ofARing() {
    const System ring = systemOf(InterconnectKind::Ring, 8);
    compare(limit(ring, "8", "[[8]]").seconds, 2 * 7.0 / 8 / 2, "one group");
    // Two groups side by side: both must pass the two ends of any two neighbours.
    const LowerBound strided = limit(ring, "4,2", "[[4],[2]]");
    compare(strided.seconds, 2 * 2 * 3.0 / 4 / 2, "two groups in turn");
    QCOMPARE(strided.where, std::string("2 neighbouring gpus to link"));
  }

  void whatIsSharedCountsOnce() {
    compare(limit(systemOf(InterconnectKind::Bus, 4), "4", "[[4]]").seconds, 2 * 3, "bus");
    System half = systemOf(InterconnectKind::Switch, 4);
    half.levels[0].interconnect.halfDuplex = true;
    compare(limit(half, "4", "[[4]]").seconds, 2 * (2 * 3.0 / 4), "half duplex");
    System core = systemOf(InterconnectKind::Switch, 4);
    core.levels[0].interconnect.core = 2e9;
    const LowerBound blocked = limit(core, "4", "[[4]]");
    compare(blocked.seconds, 2 * 3.0 / 2, "core");
    QCOMPARE(blocked.where, std::string("every gpu to link"));
    compare(limit(systemOf(InterconnectKind::Mesh, 4), "4", "[[4]]").seconds, 2 * 3.0 / (4 * 3), "mesh");
  }

  // Every member sends its vector to the switch and gets the sum from it; a ReduceScatter saves nothing that all links
  // together wait for.
  void switchesThatAddUpNeedOneVectorEachWay() {
    System system = systemOf(InterconnectKind::Switch, 4);
    system.levels[0].interconnect.reduces = true;
    compare(limit(system, "4", "[[4]]").seconds, 1, "AllReduce");
    compare(limit(system, "4", "[[4]]", Collective::ReduceScatter).seconds, 3.0 / 4, "ReduceScatter");
    compare(limit(system, "4", "[[4]]", Collective::AllGather).seconds, 3.0 / 4, "AllGather");
    system.levels[0].interconnect.halfDuplex = true;
    compare(limit(system, "4", "[[4]]").seconds, 2, "half duplex");
    compare(limit(system, "4", "[[4]]", Collective::ReduceScatter).seconds, 1, "half duplex ReduceScatter");
  }

  // What adds up inside the nodes does nothing for what goes from node to node, nor the other way round.
  void onlySwitchesBetweenThePartsCount() {
    System system;
    system.levels = {{"node", 4, {InterconnectKind::Switch, 1e9, 0, "network"}},
                     {"gpu", 4, {InterconnectKind::Switch, 3e9, 0, "NVSwitch"}}};
    system.levels[1].interconnect.reduces = true;
    for (const bool core : {false, true}) {
      if (core) system.levels[1].interconnect.core = 1e12;  // listed, no longer in closed form
      system.levels[0].interconnect.reduces = false;
      compare(limit(system, "16", "[[4,4]]").seconds, 2 * 3.0 / 4, "network that passes on");
      system.levels[0].interconnect.reduces = true;
      compare(limit(system, "16", "[[4,4]]").seconds, 1, "network that adds up");
    }
    system.levels[1].interconnect.core = 0;
    system.levels[1].interconnect.reduces = false;
    compare(limit(system, "4,4", "[[1,4],[4,1]]").seconds, 2 * 3.0 / 4 / 3, "groups inside the nodes");
    system.levels[1].interconnect.core = 1e12;
    compare(limit(system, "4,4", "[[1,4],[4,1]]").seconds, 2 * 3.0 / 4 / 3, "the same, listed");
  }

  void fittedBandwidthsCount() {
    System system = systemOf(InterconnectKind::Switch, 4);
    system.levels[0].interconnect.fittedBandwidth = 0.5e9;
    system.calibrated = true;
    compare(limit(system, "4", "[[4]]").seconds, 2 * (2 * 3.0 / 4), "fitted");
  }

  void repeatsAndBytesCount() {
    const System system = systemOf(InterconnectKind::Switch, 2);
    const Placement placement({{"0", 2, true}}, test::valueOf(parseMatrix("[[2]]")));
    const Topology topology(test::valid(system));
    compare(placementLowerBound(topology, placement, Collective::AllReduce, {Algorithm::Ring, Bytes(2e9), 10}).seconds,
            20, "ten of 2 GB");
  }

  void nothingToMove() {
    QCOMPARE(limit(systemOf(InterconnectKind::Switch, 4), "1,4", "[[1],[4]]"), LowerBound());
    QCOMPARE(timesLowerBound(1, LowerBound()), std::string());
    QCOMPARE(timesLowerBound(1.04, LowerBound{1, "x"}), std::string("1.04× the lower bound"));
  }

  // Node 0 has a link of a third of the others' bandwidth. A tree makes it a leaf, which sends and receives the vector
  // once, and the others carry up to 3/2 of it: 1 s. ReduceScatter and AllGather need 3/4 s each.
  void theSumOfBothHalvesIsNoBoundWhereOnePartIsSlower() {
    System system;
    system.levels = {{"node", 4, {InterconnectKind::None, 1e9, 0, ""}}, {"gpu", 1, {}}};
    system.levels[1].interconnect.bandwidth = 100e9;
    system.networks = {test::networkOf(InterconnectKind::Switch, 3e9, "fast", "", 1, "node"),
                       test::networkOf(InterconnectKind::Switch, 1e9, "slow", "", 1, "node")};
    system.networks[0].members = {{"node", 1, 3}};
    system.networks[1].members = {{"node", 0, 1}, {"fast", 0, 0}};
    const Topology topology(test::valid(system));
    const Placement placement({{"0", 4, true}}, test::valueOf(parseMatrix("[[4,1]]")));
    const SynthesisHierarchy hierarchy(system, placement);
    CostOptions tree = kOnce;
    tree.algorithm = Algorithm::Tree;
    const auto lowered = lower(placement, hierarchy, singleProgram(hierarchy), RuleSet::Paper);
    QVERIFY(lowered.ok());
    const double simulated = simulateStep(topology, (*lowered)[0], tree).seconds;
    const auto least = [&](Collective collective) {
      return placementLowerBound(topology, placement, collective, tree);
    };
    compare(simulated, 1, "tree");
    compare(least(Collective::AllReduce).seconds, 1, "limit");
    QCOMPARE(least(Collective::AllReduce).where, std::string("node 0 to slow"));
    compare(least(Collective::ReduceScatter).seconds + least(Collective::AllGather).seconds, 1.5, "sum");
  }

  void closedFormIsTheBoundOfListedLinksAndFlows_data() {
    QTest::addColumn<bool>("reducing");
    QTest::newRow("switches that pass on") << false;
    QTest::newRow("switches that add up") << true;
  }
  void closedFormIsTheBoundOfListedLinksAndFlows() {
    QFETCH(bool, reducing);
    overRandomSystems(true, reducing,
                      [](const Topology& uniform, const Topology& listed, const SynthesisHierarchy& hierarchy,
                         const std::string& what) {
                        for (const Collective collective :
                             {Collective::AllReduce, Collective::ReduceScatter, Collective::AllGather}) {
                          const double closed = uniformLowerBound(uniform, hierarchy, collective).seconds;
                          compare(ListedLowerBound(listed, hierarchy, collective).least().seconds, closed, what);
                        }
                      });
  }

  // Two nodes of four: each GPU has a part for each of the four others, half a vector; of what the root scatters half
  // leaves its node, and all but an eighth leaves the root.
  void allToAllAndScatters() {
    System system = test::valueOf(parseSystem("node:2 gpu:4"));
    system.levels[0].interconnect.bandwidth = 1e9;
    system.levels[1].interconnect.bandwidth = 1e12;
    compare(limit(system, "8", "[[2,4]]", Collective::AllToAll).seconds, 2, "AllToAll");
    compare(limit(system, "8", "[[2,4]]", Collective::Scatter).seconds, 0.5, "Scatter");
    // Two placements of one axis: pairs across the nodes, four of them at once, and groups that never leave.
    compare(limit(system, "2,4", "[[2,1],[1,4]]", Collective::AllToAll).seconds, 2, "AllToAll of pairs");
    compare(limit(system, "4,2", "[[1,4],[2,1]]", Collective::AllToAll).seconds, 0.75e-3, "AllToAll inside");
    system.levels[0].interconnect.bandwidth = 1e12;
    system.levels[1].interconnect.bandwidth = 1e9;
    compare(limit(system, "8", "[[2,4]]", Collective::Scatter).seconds, 0.875, "Scatter out of a slow root");
  }

  void closedFormIsTheMaximumFlowOfSwitches() {
    overRandomSystems(false, false,
                      [](const Topology& uniform, const Topology& listed, const SynthesisHierarchy& hierarchy,
                         const std::string& what) {
                        for (const Collective collective : {Collective::ReduceScatter, Collective::AllGather}) {
                          const double closed = uniformLowerBound(uniform, hierarchy, collective).seconds;
                          compare(ListedLowerBound(listed, hierarchy, collective).byFlows(0).seconds, closed, what);
                        }
                      });
  }

  void closedFormIsTheBoundOfListedSwitches() {
    overRandomSystems(false, false,
                      [](const Topology& uniform, const Topology& listed, const SynthesisHierarchy& hierarchy,
                         const std::string& what) {
                        for (const Collective collective : kCollectives) {
                          const double closed = uniformLowerBound(uniform, hierarchy, collective).seconds;
                          compare(ListedLowerBound(listed, hierarchy, collective).byInstances().seconds, closed, what);
                          compare(ListedLowerBound(listed, hierarchy, collective).least().seconds, closed, what);
                        }
                        const double both = uniformLowerBound(uniform, hierarchy, Collective::ReduceScatter).seconds +
                                            uniformLowerBound(uniform, hierarchy, Collective::AllGather).seconds;
                        compare(uniformLowerBound(uniform, hierarchy, Collective::AllReduce).seconds, both, what);
                      });
  }
};

QTEST_GUILESS_MAIN(TestLowerBound)
#include "tst_lower_bound.moc"
