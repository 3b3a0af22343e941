// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRandomGenerator>
#include <QTest>

#include "support/filled.h"
#include "support/fixtures.h"
#include "support/reach.h"
#include "synthesis/lowering.h"

using namespace p2;

namespace {

/// Devices with real integers in their chunks: the meaning of a program without bit matrices.
class Machine {
 public:
  Machine(const Placement& placement, QRandomGenerator& random)
      : m_placement(placement), m_chunks(placement.groupSize()) {
    for (std::int64_t device = 0; device < placement.deviceCount(); ++device) {
      auto& memory = m_memory.emplace_back();
      for (std::int64_t chunk = 0; chunk < m_chunks; ++chunk)
        memory.emplace_back(chunk, std::int64_t(random.generate()));
      m_initial.push_back(memory);
    }
  }

  [[nodiscard]] double share(Device device) const { return double(m_memory[device.index()].size()) / double(m_chunks); }

  void run(const LoweredStep& step) {
    for (const LoweredGroup& group : step.groups) run(step.collective, group.devices);
  }

  /// Every device holds, in every chunk, the sum over its reduction group.
  [[nodiscard]] bool holdsTheSums() const {
    for (std::int64_t group = 0; group < m_placement.groupCount(); ++group) {
      const DeviceGroup members = m_placement.groupMembers(group);
      Memory sums;
      for (const Device member : members) add(sums, m_initial[member.index()]);
      for (const Device member : members) {
        if (m_memory[member.index()] != sums) return false;
      }
    }
    return true;
  }

 private:
  using Memory = std::vector<std::pair<std::int64_t, std::int64_t>>;  // chunk and value, by chunk

  static void add(Memory& sums, const Memory& values) {
    Memory both;
    both.reserve(sums.size() + values.size());
    auto other = values.begin();
    for (const auto& [chunk, value] : sums) {
      while (other != values.end() && other->first < chunk) both.push_back(*other++);
      const bool inBoth = other != values.end() && other->first == chunk;
      both.emplace_back(chunk, inBoth ? value + other++->second : value);
    }
    both.insert(both.end(), other, values.end());
    sums = std::move(both);
  }
  Memory& memory(Device device) { return m_memory[device.index()]; }

  void run(Collective collective, const DeviceGroup& devices) {
    Memory all;
    if (collective == Collective::Broadcast) {
      all = memory(devices[0]);
    } else {
      for (const Device device : devices) add(all, memory(device));
    }
    const std::size_t share = all.size() / devices.size();
    for (std::size_t i = 0; i < devices.size(); ++i) {
      Memory& own = memory(devices[i]);
      own = all;
      if (collective == Collective::Reduce && i > 0) own.clear();
      if (collective != Collective::ReduceScatter) continue;
      own.erase(std::next(own.begin(), std::ptrdiff_t((i + 1) * share)), own.end());
      own.erase(own.begin(), std::next(own.begin(), std::ptrdiff_t(i * share)));
    }
  }

  const Placement& m_placement;
  std::int64_t m_chunks;
  std::vector<Memory> m_memory;
  std::vector<Memory> m_initial;
};

}  // namespace

class TestLowering : public QObject {
  Q_OBJECT

  QRandomGenerator m_random{42};

  static std::vector<Program> programsOf(const SynthesisHierarchy& hierarchy, RuleSet rules, int limit) {
    const auto graph = test::valueOf(StateGraph::build(hierarchy.sizes(), rules));
    std::vector<Program> programs;
    Program prefix;
    collect(*graph, StateGraph::start(), limit, prefix, programs);
    return programs;
  }
  static void collect(const StateGraph& graph, int node, int left, Program& prefix, std::vector<Program>& programs) {
    if (graph.isGoal(node)) programs.push_back(prefix);
    if (graph.distance(node) > left) return;
    for (std::size_t e = graph.firstEdge(node); e < graph.firstEdge(node + 1); ++e) {
      prefix.push_back(graph.edges()[e].instruction);
      collect(graph, graph.edges()[e].target, left - 1, prefix, programs);
      prefix.pop_back();
    }
  }

  void everyProgramSums(const System& system, const Placement& placement, RuleSet rules, int limit) {
    const SynthesisHierarchy hierarchy(system, placement);
    for (const Program& program : test::filled(programsOf(hierarchy, rules, limit))) {
      const LoweredProgram lowered = test::valueOf(lower(placement, hierarchy, program, rules));
      Machine machine(placement, m_random);
      for (const LoweredStep& step : test::filled(lowered)) {
        for (const LoweredGroup& group : step.groups) {
          for (std::size_t i = 0; i < group.devices.size(); ++i) {
            QCOMPARE(group.before[i], machine.share(group.devices[i]));
          }
        }
        machine.run(step);
        for (const LoweredGroup& group : test::filled(step.groups)) {
          for (std::size_t i = 0; i < group.devices.size(); ++i) {
            QCOMPARE(group.after[i], machine.share(group.devices[i]));
          }
        }
      }
      QVERIFY2(machine.holdsTheSums(), programText(hierarchy, program).c_str());
    }
  }

 private slots:
  void everyProgramSumsOnEveryHierarchy_data() {
    QTest::addColumn<QString>("rules");
    QTest::addColumn<int>("levels");
    for (const QString& rules : {QStringLiteral("paper"), QStringLiteral("all")}) {
      for (int levels = 1; levels <= 4; ++levels) {
        QTest::newRow(qPrintable(QStringLiteral("%1, %2 levels").arg(rules).arg(levels))) << rules << levels;
      }
    }
  }
  void everyProgramSumsOnEveryHierarchy() {
    QFETCH(QString, rules);
    QFETCH(int, levels);
    for (const auto& sizes : test::hierarchiesUpTo(test::reach(32, 16), 4)) {
      if (int(sizes.size()) != levels) continue;
      const System system = test::systemOf(sizes);
      everyProgramSums(system, test::wholeReduction(system), test::ruleSetOf(rules.toStdString()), 5);
    }
  }

  void everyProgramSumsOnEveryPlacement_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("axes");
    QTest::addColumn<QString>("reduce");
    QTest::newRow("Fig. 2") << "rack:1 server:2 cpu:2 gpu:4"
                            << "4,4"
                            << "1";
    QTest::newRow("A100") << "gcp-a100:2"
                          << "8,4"
                          << "0";
    QTest::newRow("V100, three axes") << "gcp-v100:4"
                                      << "8,2,2"
                                      << "0,2";
    QTest::newRow("uneven factors") << "a:2 b:6 c:2"
                                    << "6,2,2"
                                    << "0,2";
  }
  void everyProgramSumsOnEveryPlacement() {
    QFETCH(QString, system);
    QFETCH(QString, axes);
    QFETCH(QString, reduce);
    const Workspace workspace = test::workspaceOf(system.toStdString(), axes.toStdString(), reduce.toStdString());
    MatrixEnumerator enumerator(sizesOf(workspace.axes), workspace.system.counts());
    while (enumerator.next()) {
      everyProgramSums(workspace.system, Placement(workspace.axes, enumerator.matrix()), RuleSet::Paper, 5);
    }
  }

  // Beyond the explicit limit the compact states say what each device holds.
  void largeSystemsAreLoweredWithoutBitMatrices() {
    const System system = test::valueOf(parseSystem("node:64 gpu:8"));
    const Placement placement = test::wholeReduction(system);
    const SynthesisHierarchy hierarchy(system, placement);
    const Program program = test::valueOf(parseProgram(
        hierarchy, "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather"));
    const LoweredProgram lowered = test::valueOf(lower(placement, hierarchy, program, RuleSet::Paper));
    QCOMPARE(lowered[0].groups.size(), 64u);
    QCOMPARE(lowered[1].groups.size(), 8u);
    QCOMPARE(lowered[1].groups[3].devices[1], Device(11));
    QCOMPARE(lowered[1].groups[3].before[1], 1.0 / 8);
    QCOMPARE(lowered[2].groups[0].after[0], 1.0);
  }

  void invalidProgramsSayWhere() {
    for (const char* shape : {"node:2 gpu:4", "node:64 gpu:8"}) {
      const System system = test::valueOf(parseSystem(shape));
      const Placement placement = test::wholeReduction(system);
      const SynthesisHierarchy hierarchy(system, placement);
      const Program twice =
          test::valueOf(parseProgram(hierarchy, "node:InsideGroup:AllReduce; node:InsideGroup:AllReduce"));
      const auto lowered = lower(placement, hierarchy, twice, RuleSet::Paper);
      QVERIFY(!lowered.ok());
      QVERIFY2(lowered.error().where.text() == "step 2", lowered.error().text().c_str());
      const Program half = test::valueOf(parseProgram(hierarchy, "node:InsideGroup:AllReduce"));
      QVERIFY(QString::fromStdString(lower(placement, hierarchy, half, RuleSet::Paper).error().message)
                  .contains(QStringLiteral("ends before")));
    }
  }
};

QTEST_APPLESS_MAIN(TestLowering)
#include "tst_lowering.moc"
