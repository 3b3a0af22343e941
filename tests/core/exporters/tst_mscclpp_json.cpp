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
  std::vector<MscclppMachine::Buffer> memory(std::size_t(machine.gpus.size()));
  MscclppMachine::Buffer sums(std::size_t(machine.chunks), 0);
  for (MscclppMachine::Buffer& buffer : memory) {
    for (std::uint64_t& sum : sums) {
      buffer.push_back(dice());
      sum += buffer.back();
    }
  }
  const int times = seed % 2 == 0 ? 1 : 2;
  if (!machine.run(memory, seed, times)) return QString::fromStdString(machine.fault);
  // A second run sums equal vectors.
  if (times == 2) {
    for (std::uint64_t& sum : sums) sum *= std::uint64_t(machine.gpus.size());
  }
  for (const MscclppMachine::Buffer& buffer : memory) {
    if (buffer != sums) return "a wrong sum";
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
    const Plan other = test::planOf("node:2 gpu:4", "8", "0", "[[2,4]]", {}, kReduceScatterGoal);
    QCOMPARE(exportPlan(other, "mscclpp-json").error().text(),
             std::string(
                 "plans for MSCCL++ are written for AllReduce, and this one is for ReduceScatter; export msccl-xml or "
                 "torchrun"));
    const Plan large = test::planOf("node:4 gpu:8", "32", "0", "[[4,8]]");
    QVERIFY(exportPlan(large, "mscclpp-json").error().text().find("more than 16 peers") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TestMscclppJson)
#include "tst_mscclpp_json.moc"
