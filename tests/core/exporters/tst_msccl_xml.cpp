// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>

#include "export_plans.h"
#include "msccl_machine.h"
#include "support/warnings.h"

using namespace p2;
using test::MscclMachine;

namespace {

std::string lowered(std::string_view name) {
  std::string word(name);
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return word;
}

/// Of every chunk at every rank, and after the run of every one their sums.
QString wrongAfter(const Plan& plan, MscclMachine& machine, unsigned seed, std::size_t capacity) {
  std::mt19937_64 dice(seed);
  std::vector<MscclMachine::Buffers> memory(machine.ranks);
  MscclMachine::Buffer sums(machine.chunks, 0);
  for (MscclMachine::Buffers& buffers : memory) {
    for (std::size_t chunk = 0; chunk < machine.chunks; ++chunk) {
      buffers['i'].push_back(dice());
      sums[chunk] += buffers['i'].back();
    }
  }
  if (!machine.run(memory, seed, capacity))
    return QString::fromStdString(plan.workspace().program + ": " + machine.fault);
  for (const MscclMachine::Buffers& buffers : memory) {
    if (buffers.at('i') != sums) return QString::fromStdString(plan.workspace().program + ": a wrong sum");
  }
  return {};
}

/// What the collective promises, after a run on random inputs. A rank's part lies in the place of the rank; what the
/// others' output holds is nobody's concern where a root has it all.
QString wrongGoal(const Plan& plan, MscclMachine& machine, unsigned seed) {
  std::mt19937_64 dice(seed);
  std::vector<MscclMachine::Buffers> memory(machine.ranks);
  for (std::size_t rank = 0; rank < machine.ranks; ++rank) {
    for (const char buffer : {'i', 'o', 's'}) {
      memory[rank][buffer].resize(machine.sizeOf(rank, buffer));
      for (std::uint64_t& value : memory[rank][buffer]) value = dice();
    }
  }
  const std::vector<MscclMachine::Buffers> before = memory;
  if (!machine.run(memory, seed, 2)) return QString::fromStdString(plan.workspace().program + ": " + machine.fault);
  const std::string& collective = machine.collective;
  for (std::size_t rank = 0; rank < machine.ranks; ++rank) {
    if (memory[rank].at('i') != before[rank].at('i')) return "an input was overwritten";
    if (collective == "reduce" && rank > 0) continue;
    MscclMachine::Buffer expected;
    const std::size_t part = machine.chunks / machine.ranks;
    for (std::size_t chunk = 0; chunk < machine.sizeOf(rank, 'o'); ++chunk) {
      std::uint64_t sum = 0;
      for (const MscclMachine::Buffers& buffers : before) {
        if (collective == "reduce") sum += buffers.at('i').at(chunk);
        if (collective == "reducescatter") sum += buffers.at('i').at(rank * part + chunk);
      }
      if (collective == "scatter") sum = before[0].at('i').at(rank * machine.chunks + chunk);
      if (collective == "alltoall") sum = before[chunk].at('i').at(rank);
      if (collective == "broadcast") sum = before[0].at('i').at(chunk);
      if (collective == "allgather") sum = before[chunk / part].at('i').at(chunk % part);
      expected.push_back(sum);
    }
    if (memory[rank].at('o') != expected) return QString::fromStdString(plan.workspace().program + ": a wrong output");
  }
  return {};
}

/// The groups of every step within one reduction group, as positions in it.
std::vector<std::set<std::vector<std::ptrdiff_t>>> groupsWithin(const Plan& plan, const DeviceGroup& communicator) {
  std::vector<std::set<std::vector<std::ptrdiff_t>>> steps;
  for (const PlanStep& step : plan.steps()) {
    auto& groups = steps.emplace_back();
    for (const PlanGroup& group : step.groups) {
      std::vector<std::ptrdiff_t> positions;
      for (const Device device : group.devices) {
        positions.push_back(std::find(communicator.begin(), communicator.end(), device) - communicator.begin());
      }
      if (positions[0] < std::ptrdiff_t(communicator.size())) groups.insert(positions);
    }
  }
  return steps;
}

}  // namespace

class TestMscclXml : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void everyProgramSums_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("axes");
    QTest::addColumn<QString>("reduce");
    QTest::addColumn<QString>("rules");
    QTest::addColumn<int>("most");
    QTest::newRow("2x4") << "node:2 gpu:4"
                         << "8"
                         << "0"
                         << "all" << 200;
    QTest::newRow("4x2") << "node:4 gpu:2"
                         << "8"
                         << "0"
                         << "all" << 200;
    QTest::newRow("3x2") << "node:3 gpu:2"
                         << "6"
                         << "0"
                         << "all" << 200;
    QTest::newRow("2x2x2") << "pod:2 node:2 gpu:2"
                           << "8"
                           << "0"
                           << "paper" << 60;
    QTest::newRow("2x3x2") << "pod:2 node:3 gpu:2"
                           << "12"
                           << "0"
                           << "paper" << 60;
    QTest::newRow("two axes") << "node:2 gpu:4"
                              << "data=4,tensor=2"
                              << "data"
                              << "all" << 200;
  }
  void everyProgramSums() {
    QFETCH(QString, system);
    QFETCH(QString, axes);
    QFETCH(QString, reduce);
    QFETCH(QString, rules);
    QFETCH(int, most);
    const auto plans = test::plansOfPrograms(system.toStdString(), axes.toStdString(), reduce.toStdString(),
                                             rules.toStdString(), kAllReduceGoal, std::size_t(most));
    QVERIFY(plans.size() > 10);
    for (const Plan& plan : plans) {
      const std::string text = test::valueOf(exportPlan(plan, "msccl-xml"));
      MscclMachine machine;
      QVERIFY2(machine.load(QByteArray::fromStdString(text)),
               (plan.workspace().program + ": " + machine.fault).c_str());
      QCOMPARE(machine.ranks, plan.reductionGroups()[0].size());
      QCOMPARE(machine.collective, std::string("allreduce"));
      QVERIFY(machine.inPlace);
      QCOMPARE(wrongAfter(plan, machine, 1, 2), QString());
      QCOMPARE(wrongAfter(plan, machine, 2, 100), QString());
      for (const DeviceGroup& other : plan.reductionGroups()) {
        QVERIFY(groupsWithin(plan, other) == groupsWithin(plan, plan.reductionGroups()[0]));
      }
    }
  }

  void otherGoalsAreReached_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<int>("chunks");
    QTest::newRow("2x4") << "node:2 gpu:4" << 8;
    QTest::newRow("4x2") << "node:4 gpu:2" << 8;
    QTest::newRow("2x3x2") << "pod:2 node:3 gpu:2" << 12;
  }
  void otherGoalsAreReached() {
    QFETCH(QString, system);
    QFETCH(int, chunks);
    for (const Goal& goal : goals()) {
      if (goal == kAllReduceGoal) continue;
      const auto plans = test::plansOfPrograms(system.toStdString(), std::to_string(chunks), "0", "all", goal, 20);
      QVERIFY(!plans.empty());
      for (const Plan& plan : plans) {
        MscclMachine machine;
        const auto text = exportPlan(plan, "msccl-xml");
        QVERIFY2(text.ok(), text.ok() ? "" : text.error().text().c_str());
        QVERIFY2(machine.load(QByteArray::fromStdString(*text)), machine.fault.c_str());
        QCOMPARE(machine.collective, lowered(nameOf(goal.single)));
        const bool parts = goal.after.chunks == Distribution::Chunks::OneEach;
        const bool counted = goal.single == Collective::Scatter || goal.single == Collective::AllToAll;
        QCOMPARE(machine.sizeOf(0, 'o'), parts && !counted ? machine.chunks / machine.ranks : machine.chunks);
        QCOMPARE(wrongGoal(plan, machine, 1), QString());
      }
    }
  }

  // An AllToAll of all with all has a threadblock for every other rank, on one channel.
  void blocksGoStraight() {
    const Plan plan = test::planOf("node:4 gpu:8", "32", "0", "[[4,8]]", "root:InsideGroup:AllToAll", kAllToAllGoal);
    MscclMachine machine;
    QVERIFY2(machine.load(QByteArray::fromStdString(test::valueOf(exportPlan(plan, "msccl-xml")))),
             machine.fault.c_str());
    QCOMPARE(machine.channels, 1);
    // A copy for each of 32 blocks; then one of them all, which waits for 31 threadblocks.
    QCOMPARE(machine.longestBlock(), std::size_t{32 + 31});
    QCOMPARE(wrongGoal(plan, machine, 1), QString());
  }

  // Told at once, however many blocks there would be.
  void tooManyBlocksAreRefused() {
    const auto refusal = [](const char* system, const char* axes, const char* matrix) {
      const Plan plan = test::planOf(system, axes, "0", matrix, "root:InsideGroup:AllToAll", kAllToAllGoal);
      const auto text = exportPlan(plan, "msccl-xml");
      return text.ok() ? std::string() : text.error().text();
    };
    QVERIFY(refusal("node:32 gpu:8", "256", "[[32,8]]").find("at most 32767 chunks") != std::string::npos);
    QVERIFY(refusal("node:65 gpu:16", "1040", "[[65,16]]").find("at most 1024 ranks") != std::string::npos);
  }

  void flagsOfAllToAll() {
    const auto plans = test::plansOfPrograms("node:2 gpu:2", "4", "0", "all", kAllToAllGoal);
    QVERIFY(exportPlan(plans.at(0), "comm-split").ok());
    const std::string flags = test::valueOf(exportPlan(plans.at(0), "degrees"));
    QVERIFY2(flags.ends_with("; use the communicators of comm-split\n"), flags.c_str());
  }

  // Not every program may pass: one without its last step has to be caught.
  void missingStepsAreNoticed() {
    const Plan plan = test::planOf("node:2 gpu:2", "4", "0", "[[2,2]]");
    QByteArray text = QByteArray::fromStdString(test::valueOf(exportPlan(plan, "msccl-xml")));
    QByteArray summed = text;
    summed.replace("\"rrs\"", "\"rcs\"");
    MscclMachine machine;
    QVERIFY2(machine.load(summed), machine.fault.c_str());
    QVERIFY(!wrongAfter(plan, machine, 1, 2).isEmpty());
    const qsizetype last = text.lastIndexOf("      <step");
    text.remove(last, text.indexOf('\n', last) + 1 - last);
    MscclMachine shorter;
    QVERIFY2(shorter.load(text), shorter.fault.c_str());
    QVERIFY(!wrongAfter(plan, shorter, 1, 2).isEmpty());
  }

  // The ring of n devices takes every rank 2n − 1 steps, and chunks are as few as equal pieces allow.
  void takesWhatMscclTakes() {
    const Plan ring = test::planOf("node:16 gpu:8", "128", "0", "[[16,8]]");
    MscclMachine machine;
    QVERIFY(machine.load(QByteArray::fromStdString(test::valueOf(exportPlan(ring, "msccl-xml")))));
    QCOMPARE(machine.longestBlock(), std::size_t{255});
    QCOMPARE(machine.chunks, std::size_t{128});
    QCOMPARE(wrongAfter(ring, machine, 1, 2), QString());
    const auto longer = exportPlan(test::planOf("node:32 gpu:8", "256", "0", "[[32,8]]"), "msccl-xml");
    QCOMPARE(longer.error().text(),
             std::string("MSCCL takes at most 256 steps in a threadblock, and this program needs 511; use comm-split, "
                         "or a program of smaller groups"));
    const auto wider = exportPlan(test::planOf("node:256 gpu:8", "2048", "0", "[[256,8]]"), "msccl-xml");
    QVERIFY(!wider.ok() && wider.error().text().find("1024 ranks") != std::string::npos);
  }

  // Pieces beyond what MSCCL moves at once take several steps, one after the other all the way round.
  void largePiecesAreCut() {
    const Plan plan = test::planOf("a:2 b:16 c:9", "288", "0", "[[2,16,9]]",
                                   "b:InsideGroup:AllReduce; b:Parallel(a):AllReduce; a:Parallel(root):AllReduce");
    MscclMachine machine;
    QVERIFY(machine.load(QByteArray::fromStdString(test::valueOf(exportPlan(plan, "msccl-xml")))));
    QCOMPARE(machine.chunks, std::size_t{144});
    QCOMPARE(wrongAfter(plan, machine, 1, 2), QString());
  }
};

QTEST_APPLESS_MAIN(TestMscclXml)
#include "tst_msccl_xml.moc"
