// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRandomGenerator>
#include <QTest>
#include <map>

#include "cost/pattern_pricer.h"
#include "cost/simulator.h"
#include "support/filled.h"
#include "support/fixtures.h"
#include "support/reach.h"
#include "system/properties.h"

using namespace p2;

// The closed form against the simulator that adds up every flow, on random systems of up to 256 devices.
class TestUniformLoad : public QObject {
  Q_OBJECT

  QRandomGenerator m_random{2110};

  struct Setting {
    System system;
    std::vector<Axis> axes;
    ParallelismMatrix matrix;
  };

  std::int64_t pick(const std::vector<std::int64_t>& values) {
    return values[std::size_t(m_random.bounded(int(values.size())))];
  }

  Setting randomSetting() {
    Setting setting;
    const int levels = m_random.bounded(1, 5);
    const bool capped = m_random.bounded(3) == 0;
    std::int64_t devices = 1;
    for (int level = 0; level < levels; ++level) {
      std::int64_t count = pick({1, 2, 2, 3, 4, 5, 6, 8, 12, 16});
      while (devices * count > 256) --count;
      devices *= count;
      const bool ring = m_random.bounded(3) == 0;
      setting.system.levels.push_back(
          {std::string(1, char('a' + level)),
           count,
           {ring ? InterconnectKind::Ring : InterconnectKind::Switch, double(pick({1, 2, 8, 135, 270})) * 1e9,
            double(pick({0, 0, 1, 5, 20})) * 1e-6, "x"}});
      Interconnect& link = setting.system.levels.back().interconnect;
      if (!capped) continue;
      link.ringCap = double(pick({0, 0, 1, 5, 100})) * 1e9;
      link.treeCap = double(pick({0, 0, 1, 5, 100})) * 1e9;
    }
    // Axis sizes and one matrix by dealing out each level's prime factors.
    const int axes = m_random.bounded(1, 4);
    setting.matrix = ParallelismMatrix(std::size_t(axes), std::size_t(levels));
    for (int level = 0; level < levels; ++level) {
      std::int64_t rest = setting.system.levels[std::size_t(level)].count;
      for (std::int64_t prime = 2; rest > 1; ++prime) {
        for (; rest % prime == 0; rest /= prime) {
          const std::size_t axis = std::size_t(m_random.bounded(axes));
          setting.matrix.set(axis, std::size_t(level), setting.matrix.at(axis, std::size_t(level)) * prime);
        }
      }
    }
    for (int axis = 0; axis < axes; ++axis) {
      std::int64_t size = 1;
      for (int level = 0; level < levels; ++level) size *= setting.matrix.at(std::size_t(axis), std::size_t(level));
      setting.axes.push_back({std::to_string(axis), size, axis == 0 || m_random.bounded(2) == 0});
    }
    return setting;
  }

  static LevelSet classOf(const SynthesisHierarchy& hierarchy, Device device) {
    unsigned nonFirst = 0;
    for (int level = 0; level < hierarchy.levelCount(); ++level) {
      for (const Digit& digit : hierarchy.levels()[std::size_t(level)].digits) {
        if (digit.of(device) != 0) nonFirst |= 1u << level;
      }
    }
    return LevelSet(nonFirst);
  }

  struct Question {
    StateEdge edge;
    LoweredStep step;  // the same, lowered
  };

  Question randomQuestion(const SynthesisHierarchy& hierarchy, const Instruction& instruction, bool uneven) {
    StateEdge edge{instruction, 0, {}};
    LoweredStep step{instruction.collective, {}};
    for (DeviceGroup& devices : hierarchy.groups(instruction.pattern)) {
      const LevelSet outside = classOf(hierarchy, devices[0]);
      auto share = std::find_if(edge.shares.begin(), edge.shares.end(),
                                [&](const GroupShare& s) { return s.outsideClass == outside; });
      if (share == edge.shares.end()) {
        const auto split = LevelSet(m_random.bounded(1 << hierarchy.levelCount()));
        edge.shares.push_back({outside, uneven || edge.shares.empty() ? split : edge.shares[0].split});
        share = edge.shares.end() - 1;
      }
      double held = 1;
      for (int level = 0; level < hierarchy.levelCount(); ++level) {
        if ((share->split >> level & 1) != 0) held /= double(hierarchy.sizes()[std::size_t(level)]);
      }
      const std::vector<double> members(devices.size(), held);
      step.groups.push_back({std::move(devices), members, members});
    }
    if (!uneven) edge.shares.resize(1);
    if (traitsOf(instruction.collective).keepsApart) edge.shares = {GroupShare{}};
    return {edge, step};
  }

  /// Both ways of pricing over the same topology.
  static void compare(const Setting& setting, const Topology& topology, const SynthesisHierarchy& hierarchy,
                      const Question& question, Algorithm algorithm, const char* model = "paper") {
    const CostOptions options{algorithm, Bytes(1e9), 2, model};
    const StepCost closed = PatternPricer(topology, hierarchy, options).price(question.edge);
    const StepCost flowByFlow = simulateStep(topology, question.step, options);
    QString kinds = QString::fromStdString("node " + setting.system.node);
    for (const Level& level : setting.system.levels)
      kinds += " " + QString::fromStdString(attributesOf(level.interconnect));
    const QString where =
        QStringLiteral("%1, matrix %2, %3, %4 s and %5 s; %6")
            .arg(QString::fromStdString(shapeOf(setting.system)), QString::fromStdString(setting.matrix.text()),
                 QString::fromStdString(instructionText(hierarchy, question.edge.instruction)))
            .arg(closed.seconds)
            .arg(flowByFlow.seconds)
            .arg(kinds);
    QVERIFY2(std::abs(closed.seconds - flowByFlow.seconds) <= 1e-9 * flowByFlow.seconds, qPrintable(where));
    QVERIFY2(closed.algorithm == flowByFlow.algorithm, qPrintable(where));
    QVERIFY2(closed.protocol == flowByFlow.protocol, qPrintable(where));
    // Of several links that are as busy, rings over channels may find another one.
    if (options.model != "paper") return;
    QVERIFY2(std::abs(closed.linkBytes.value() - flowByFlow.linkBytes.value()) <= 1e-9 * flowByFlow.linkBytes.value(),
             qPrintable(where));
    QVERIFY2(closed.link == flowByFlow.link, qPrintable(where));
  }

  static void sameLoads(const Topology& uniform, const Topology& drawn, const LoweredStep& step,
                        const CostOptions& options) {
    const StepCost closed = simulateStep(uniform, step, options);
    const StepCost searched = simulateStep(drawn, step, options);
    QVERIFY(std::abs(closed.seconds - searched.seconds) <= 1e-9 * closed.seconds);
    QCOMPARE(uniform.linkName(closed.link), drawn.linkName(searched.link));
    std::map<std::string, Bytes> expected;
    const LinkLoads loads = linkLoads(uniform, step, options);
    for (const LinkId link : uniform.links()) expected[uniform.linkName(link)] = loads.bytes(link);
    const LinkLoads drawnLoads = linkLoads(drawn, step, options);
    for (const LinkId link : test::filled(drawn.links())) {
      const auto known = expected.find(drawn.linkName(link));
      QVERIFY2(known != expected.end(), drawn.linkName(link).c_str());
      QVERIFY2(std::abs(known->second.value() - drawnLoads.bytes(link).value()) <= 1e-9 * known->second.value(),
               known->first.c_str());
      expected.erase(known);
    }
    // What is left are levels of one instance, which nothing crosses.
    for (const auto& [name, bytes] : expected) QVERIFY2(bytes == Bytes(0), name.c_str());
  }

 private slots:
  void equalsTheSimulator() {
    int compared = 0;
    for (int round = 0; round < test::reach(400, 100); ++round) {
      const Setting setting = randomSetting();
      const Placement placement(setting.axes, setting.matrix);
      if (placement.groupSize() == 1) continue;
      const SynthesisHierarchy hierarchy(setting.system, placement);
      const Topology topology(test::valid(setting.system));
      for (const GroupPattern& pattern : groupPatterns(hierarchy.levelCount())) {
        for (const Collective collective : kCollectives) {
          for (const bool uneven : {false, true}) {
            for (const Algorithm algorithm : {Algorithm::Ring, Algorithm::Tree, Algorithm::Auto}) {
              const Question question = randomQuestion(hierarchy, {pattern, collective}, uneven);
              compare(setting, topology, hierarchy, question, algorithm);
              if (QTest::currentTestFailed()) return;
              ++compared;
            }
          }
        }
      }
    }
    QVERIFY(compared > test::reach(10000, 2000));
  }

  // The same over channels, wherever the nodes begin, with switches that add up, and devices of any generation.
  void equalsTheSimulatorOverChannels() {
    m_random.seed(1);  // the same settings however many were compared before
    int compared = 0;
    std::map<Algorithm, int> taken;
    for (int round = 0; round < 100; ++round) {
      Setting setting = randomSetting();
      System& system = setting.system;
      if (system.levels.size() > 1)
        system.node = system.levels[std::size_t(m_random.bounded(int(system.levels.size()) - 1))].name;
      system.library.generation = m_random.bounded(2) == 0 ? "hopper" : "volta";
      for (Level& level : system.levels) {
        level.interconnect.reduces = level.interconnect.kind == InterconnectKind::Switch && m_random.bounded(2) == 0;
      }
      const Placement placement(setting.axes, setting.matrix);
      if (placement.groupSize() == 1) continue;
      const SynthesisHierarchy hierarchy(system, placement);
      const Topology topology(test::valid(system));
      for (const GroupPattern& pattern : groupPatterns(hierarchy.levelCount())) {
        for (const Collective collective : kCollectives) {
          for (const Algorithm algorithm :
               {Algorithm::Ring, Algorithm::Tree, Algorithm::NvlsTree, Algorithm::CollNet, Algorithm::Auto}) {
            const Question question = randomQuestion(hierarchy, {pattern, collective}, m_random.bounded(2) == 0);
            compare(setting, topology, hierarchy, question, algorithm, "nccl");
            if (QTest::currentTestFailed()) return;
            ++taken[simulateStep(topology, question.step, {algorithm, Bytes(1e9), 1, "nccl"}).algorithm];
            ++compared;
          }
        }
      }
    }
    QVERIFY(compared > 2000);
    for (const Algorithm algorithm :
         {Algorithm::Ring, Algorithm::Tree, Algorithm::Nvls, Algorithm::NvlsTree, Algorithm::Pat, Algorithm::CollNet}) {
      QVERIFY2(taken[algorithm] > 10, std::string(nameOf(algorithm)).c_str());
    }
  }

  // Drawn link by link, with routes searched for, a uniform system carries the same over every link.
  void drawnLinksCarryTheSame() {
    int compared = 0;
    for (int round = 0; round < 60; ++round) {
      const Setting setting = randomSetting();
      const Placement placement(setting.axes, setting.matrix);
      if (placement.groupSize() == 1) continue;
      const SynthesisHierarchy hierarchy(setting.system, placement);
      const Topology uniform(test::valid(setting.system));
      const Topology drawn = Topology::listed(test::valid(setting.system));
      for (const GroupPattern& pattern : groupPatterns(hierarchy.levelCount())) {
        for (const Algorithm algorithm : {Algorithm::Ring, Algorithm::Tree, Algorithm::Auto}) {
          const Collective collective = kCollectives[std::size_t(m_random.bounded(int(kCollectives.size())))];
          const Question question = randomQuestion(hierarchy, {pattern, collective}, m_random.bounded(2) == 0);
          compare(setting, drawn, hierarchy, question, algorithm);
          sameLoads(uniform, drawn, question.step, {algorithm, Bytes(1e9), 1});
          if (QTest::currentTestFailed()) return;
          ++compared;
        }
      }
    }
    QVERIFY(compared > 500);
  }

  // As many as are listed at most, in part across all of them.
  void drawnLinksOfManyDevicesCarryTheSame() {
    Setting setting;
    setting.system = test::valueOf(parseSystem("node:8192@25GB/s,5us gpu:8@300GB/s,1us"));
    setting.axes = {{"data", 8192, true}, {"tensor", 8, false}};
    setting.matrix = test::valueOf(parseMatrix("[[8192,1],[1,8]]"));
    const SynthesisHierarchy hierarchy(setting.system, Placement(setting.axes, setting.matrix));
    const Topology uniform(test::valid(setting.system));
    const Topology drawn = Topology::listed(test::valid(setting.system));
    for (const Algorithm algorithm : {Algorithm::Ring, Algorithm::Tree}) {
      const GroupPattern everyMember{0, hierarchy.levelCount(), false};
      const Question question = randomQuestion(hierarchy, {everyMember, Collective::AllReduce}, false);
      compare(setting, drawn, hierarchy, question, algorithm);
      sameLoads(uniform, drawn, question.step, {algorithm, Bytes(1e9), 1});
      if (QTest::currentTestFailed()) return;
    }
  }

  // A million devices take no longer than a handful.
  void doesNotWalkDevices() {
    const System system = test::valueOf(parseSystem("a:64 b:64 c:256"));
    const Placement placement = test::wholeReduction(system);
    const SynthesisHierarchy hierarchy(system, placement);
    const Topology topology(test::valid(system));
    PatternPricer pricer(topology, hierarchy, {});
    const auto graph = test::valueOf(StateGraph::build(hierarchy.sizes(), RuleSet::Paper));
    const std::vector<double> seconds = pricer.priceAll(*graph);
    QVERIFY(std::all_of(seconds.begin(), seconds.end(), [](double s) { return s > 0; }));
  }
};

QTEST_APPLESS_MAIN(TestUniformLoad)
#include "tst_uniform_load.moc"
