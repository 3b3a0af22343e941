// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "export_plans.h"
#include "mscclpp_machine.h"
#include "support/warnings.h"

using namespace p2;
using test::MscclppMachine;

namespace {

/// What is wrong after one and after two runs with that order of ranks; empty for nothing.
QString wrongAfter(MscclppMachine& machine, unsigned seed) {
  std::mt19937_64 dice(seed);
  const std::size_t ranks = std::size_t(machine.gpus.size());
  const std::size_t part = std::size_t(machine.chunks) / ranks;
  std::vector<MscclppMachine::Buffer> memory(ranks);
  MscclppMachine::Buffer right(std::size_t(machine.chunks), 0);
  const bool gathers = machine.collective == "allgather";
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    for (std::size_t chunk = 0; chunk < right.size(); ++chunk) {
      memory[rank].push_back(dice());
      if (!gathers) right[chunk] += memory[rank].back();
      if (gathers && chunk / part == rank) right[chunk] = memory[rank].back();
    }
  }
  // A second ReduceScatter sums parts that the first has left in any state.
  const int times = seed % 2 == 0 || machine.collective == "reducescatter" ? 1 : 2;
  if (!machine.run(memory, seed, times)) return QString::fromStdString(machine.fault);
  // A second run sums equal vectors.
  if (times == 2 && !gathers) {
    for (std::uint64_t& sum : right) sum *= std::uint64_t(ranks);
  }
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    for (std::size_t chunk = 0; chunk < right.size(); ++chunk) {
      const bool own = machine.collective != "reducescatter" || chunk / part == rank;
      if (own && memory[rank][chunk] != right[chunk]) return "a wrong value";
    }
  }
  return {};
}

}  // namespace

class TestMscclppJson : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void everyProgramSums_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("axes");
    QTest::addColumn<QString>("reduce");
    QTest::addColumn<int>("least");
    QTest::newRow("2x4") << "node:2 gpu:4"
                         << "8"
                         << "0" << 90;
    QTest::newRow("3x2") << "node:3 gpu:2"
                         << "6"
                         << "0" << 40;
    QTest::newRow("2x2x2") << "pod:2 node:2 gpu:2"
                           << "8"
                           << "0" << 60;
    QTest::newRow("two axes of three") << "node:2 gpu:8"
                                       << "data=4,tensor=2,shards=2"
                                       << "data,shards" << 60;
  }
  void everyProgramSums() {
    QFETCH(QString, system);
    QFETCH(QString, axes);
    QFETCH(QString, reduce);
    QFETCH(int, least);
    int written = 0;
    for (const Plan& plan :
         test::plansOfPrograms(system.toStdString(), axes.toStdString(), reduce.toStdString(), "all")) {
      const auto text = exportPlan(plan, "mscclpp-json");
      if (!text.ok()) {
        QVERIFY2(text.error().text().find("MSCCL++ takes 64") != std::string::npos, text.error().text().c_str());
        continue;
      }
      ++written;
      MscclppMachine machine;
      QVERIFY2(machine.load(QByteArray::fromStdString(*text)), machine.fault.c_str());
      for (unsigned seed = 0; seed < 6; ++seed) {
        const QString wrong = wrongAfter(machine, seed);
        QVERIFY2(wrong.isEmpty(), qPrintable(QString::fromStdString(plan.workspace().program) + ": " + wrong));
      }
    }
    QVERIFY2(written >= least, qPrintable(QString::number(written)));
  }

  // Every rank has its own part, whatever order the program leaves the shards in.
  void everyProgramScattersAndGathers_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("axes");
    QTest::addColumn<QString>("goal");
    QTest::addColumn<int>("least");
    const auto row = [](const char* system, const char* axes, const char* goal, int least) {
      QTest::addRow("%s %s", system, goal) << system << axes << goal << least;
    };
    row("node:2 gpu:4", "8", "ReduceScatter", 3);
    row("node:3 gpu:2", "6", "ReduceScatter", 3);
    row("pod:2 node:2 gpu:2", "8", "ReduceScatter", 11);
    row("node:2 gpu:4", "8", "AllGather", 5);
    row("node:3 gpu:2", "6", "AllGather", 5);
    row("pod:2 node:2 gpu:2", "8", "AllGather", 60);
  }
  void everyProgramScattersAndGathers() {
    QFETCH(QString, system);
    QFETCH(QString, axes);
    QFETCH(QString, goal);
    QFETCH(int, least);
    const Goal asked = goal == "AllGather" ? kAllGatherGoal : kReduceScatterGoal;
    int written = 0;
    for (const Plan& plan : test::plansOfPrograms(system.toStdString(), axes.toStdString(), "0", "all", asked)) {
      const auto text = exportPlan(plan, "mscclpp-json");
      if (!text.ok()) {
        QVERIFY2(text.error().text().find("MSCCL++") != std::string::npos, text.error().text().c_str());
        continue;
      }
      ++written;
      MscclppMachine machine;
      QVERIFY2(machine.load(QByteArray::fromStdString(*text)), machine.fault.c_str());
      QCOMPARE(machine.collective, goal.toLower());
      for (unsigned seed = 0; seed < 6; ++seed) {
        const QString wrong = wrongAfter(machine, seed);
        QVERIFY2(wrong.isEmpty(), qPrintable(QString::fromStdString(plan.workspace().program) + ": " + wrong));
      }
    }
    QVERIFY2(written >= least, qPrintable(QString::number(written)));
  }

  // The machine finds a plan that lacks any one of its operations.
  void theMachineFindsWhatIsMissing() {
    const Plan plan =
        test::planOf("node:2 gpu:2", "4", "0", "[[2,2]]",
                     "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather");
    const auto text = QByteArray::fromStdString(test::valueOf(exportPlan(plan, "mscclpp-json")));
    const QJsonObject whole = QJsonDocument::fromJson(text).object();
    const qsizetype count = whole["gpus"].toArray().at(0)["threadblocks"].toArray().at(0)["ops"].toArray().size();
    QVERIFY(count > 10);
    for (qsizetype left = 0; left < count; ++left) {
      QJsonObject broken = whole;
      QJsonArray gpus = broken["gpus"].toArray();
      QJsonObject gpu = gpus[0].toObject();
      QJsonArray blocks = gpu["threadblocks"].toArray();
      QJsonObject block = blocks[0].toObject();
      QJsonArray operations = block["ops"].toArray();
      const bool meets = operations.at(left)["name"] == "nop";
      operations.removeAt(left);
      block["ops"] = operations;
      blocks[0] = block;
      gpu["threadblocks"] = blocks;
      gpus[0] = gpu;
      broken["gpus"] = gpus;
      MscclppMachine machine;
      bool found = !machine.load(QJsonDocument(broken).toJson());
      for (unsigned seed = 0; seed < 40 && !found; ++seed) found = !wrongAfter(machine, seed).isEmpty();
      // Threads may meet more often than they have to.
      QVERIFY2(found || meets, qPrintable(QString::number(left)));
    }
  }

  void whatItCannotSayIsRefused() {
    const Plan other = test::planOf("node:2 gpu:4", "8", "0", "[[2,4]]", {}, kAllToAllGoal);
    QCOMPARE(
        exportPlan(other, "mscclpp-json").error().text(),
        std::string("plans for MSCCL++ are written for AllReduce, ReduceScatter and AllGather, and this one is for "
                    "AllToAll; export msccl-xml or torchrun"));
    const Plan large = test::planOf("node:4 gpu:8", "32", "0", "[[4,8]]");
    QVERIFY(exportPlan(large, "mscclpp-json").error().text().find("more than 16 peers") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TestMscclppJson)
#include "tst_mscclpp_json.moc"
