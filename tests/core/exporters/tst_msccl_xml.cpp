// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>

#include "export_plans.h"
#include "msccl_machine.h"

using namespace p2;
using test::MscclMachine;

namespace {

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
  void initTestCase() { QTest::failOnWarning(QRegularExpression(".*")); }

  void everyProgramSums_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("axes");
    QTest::addColumn<QString>("reduce");
    QTest::addColumn<QString>("rules");
    QTest::addColumn<int>("every");
    QTest::newRow("2x4") << "node:2 gpu:4"
                         << "8"
                         << "0"
                         << "all" << 1;
    QTest::newRow("4x2") << "node:4 gpu:2"
                         << "8"
                         << "0"
                         << "all" << 1;
    QTest::newRow("3x2") << "node:3 gpu:2"
                         << "6"
                         << "0"
                         << "all" << 1;
    QTest::newRow("2x2x2") << "pod:2 node:2 gpu:2"
                           << "8"
                           << "0"
                           << "paper" << 5;
    QTest::newRow("2x3x2") << "pod:2 node:3 gpu:2"
                           << "12"
                           << "0"
                           << "paper" << 29;
    QTest::newRow("two axes") << "node:2 gpu:4"
                              << "data=4,tensor=2"
                              << "data"
                              << "all" << 1;
  }
  void everyProgramSums() {
    QFETCH(QString, system);
    QFETCH(QString, axes);
    QFETCH(QString, reduce);
    QFETCH(QString, rules);
    QFETCH(int, every);
    const auto plans =
        test::plansOfPrograms(system.toStdString(), axes.toStdString(), reduce.toStdString(), rules.toStdString());
    QVERIFY(plans.size() > 10);
    for (std::size_t i = 0; i < plans.size(); i += std::size_t(every)) {
      const Plan& plan = plans[i];
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
