// SPDX-License-Identifier: GPL-3.0-or-later
#include <QStandardPaths>
#include <QTest>

#include "export_plans.h"
#include "exporters/torchrun.h"
#include "remote/measured_files.h"
#include "runs/measured_program.h"
#include "runs/runs_file.h"
#include "support/warnings.h"
#include "tests/core/exporters/torchrun_script.h"

using namespace p2;

/// The script of p2 export --to torchrun, on processes of this machine.
class TestTorchrun : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void theSingleCollectiveIsItsCompanion() {
    const std::string program =
        "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather";
    const auto jobs = test::valueOf(torchrunJobs(test::planOf("node:2 gpu:4", "8", "0", "[[2,4]]", program)));
    QCOMPARE(jobs.size(), std::size_t{2});
    QCOMPARE(jobs[0].workspace().program, program);
    QCOMPARE(jobs[1].name, std::string("single AllReduce"));
    QCOMPARE(std::get<Plan>(jobs[1].work).steps().size(), std::size_t{1});
    QCOMPARE(test::valueOf(torchrunJobs(std::get<Plan>(jobs[1].work))).size(), std::size_t{1});
  }

  void commandsFitTheSystem() {
    const TorchrunLaunch launch{"run.py", false, Bytes(4096), 5, 1};
    QCOMPARE(torchrunCommand(test::valueOf(parseSystem("node:1 gpu:4")), launch),
             std::string("torchrun --nproc_per_node 4 run.py --bytes 4096 --repeat 5 -o runs.json"));
    const TorchrunLaunch slurm{"run.py", true, Bytes(4096), 5, 3};
    QCOMPARE(torchrunCommand(test::valueOf(parseSystem("node:2 gpu:4")), slurm),
             std::string(
                 "srun --nodes 2 --ntasks-per-node 4 python3 run.py --bytes 4096 --repeat 5 --overlap 3 -o runs.json"));
  }

  void jobsOfOtherSizesAreRefused() {
    const auto jobs =
        jobsOf({test::planOf("node:2 gpu:4", "8", "0", "[[2,4]]"), test::planOf("gpu:4", "4", "0", "[[4]]")});
    QVERIFY(torchrunScript(jobs).error().text().find("is for 4 devices and") != std::string::npos);
    QVERIFY(!torchrunScript({}).ok());
  }

  // The proof on integers needs no torch: plans of several axes, goals and forms.
  void plansAreProvedOnIntegers() {
    const QString python = QStandardPaths::findExecutable("python3");
    if (python.isEmpty()) QSKIP("python3 is not installed");
    std::vector<Plan> plans =
        test::plansOfPrograms("rack:2 node:2 gpu:4", "data=4,tensor=2,shards=2", "data,shards", "all");
    for (const Goal& goal : goals()) {
      const auto more = test::plansOfPrograms("rack:2 node:2 gpu:4", "16", "0", "all", goal, 20);
      plans.insert(plans.end(), more.begin(), more.end());
    }
    const Outcome outcome = runScript(python, scriptOf(jobsOf(plans)), {"--check-only"});
    QVERIFY2(outcome.status == 0, outcome.stated.constData());
    const QByteArray count = QByteArray::number(qulonglong(plans.size()));
    QVERIFY2(outcome.stated.contains(count + " of " + count + " plans are right"), outcome.stated.constData());
  }

  void tamperedPlansAreRefused_data() {
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QByteArray>("stated");
    // With the hash put right, the proof on integers has to find it.
    QTest::newRow("another group") << QByteArray("\"devices\": [0, 4]") << QByteArray("\"devices\": [0, 5]")
                                   << QByteArray("/lowered/1/groups/0");
    QTest::newRow("another collective") << QByteArray("\"collective\": \"AllGather\"")
                                        << QByteArray("\"collective\": \"AllReduce\"")
                                        << QByteArray("/lowered/2/groups/0");
    QTest::newRow("unknown collective") << QByteArray("\"collective\": \"AllGather\"")
                                        << QByteArray("\"collective\": \"system\"") << QByteArray("is not known here");
    QTest::newRow("a device twice") << QByteArray("[[0, 1, 2,") << QByteArray("[[0, 1, 1,")
                                    << QByteArray("/reduction_groups");
    QTest::newRow("too many chunks") << QByteArray("\"chunks\": 8") << QByteArray("\"chunks\": 9")
                                     << QByteArray("other chunks than the plan says");
    QTest::newRow("no steps") << QByteArray("\"lowered\": [") << QByteArray("\"lowered\": 1, \"other\": [")
                              << QByteArray("is damaged");
  }

  void tamperedPlansAreRefused() {
    const QString python = QStandardPaths::findExecutable("python3");
    if (python.isEmpty()) QSKIP("python3 is not installed");
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QByteArray, stated);
    const Plan plan =
        test::planOf("node:2 gpu:4", "8", "0", "[[2,4]]",
                     "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather");
    const QByteArray text = QByteArray::fromStdString(planToJson(plan));
    const QByteArray script = scriptOf(jobsOf({plan}));
    QByteArray changed = text;
    QVERIFY(changed.contains(from));
    changed.replace(changed.indexOf(from), from.size(), to);
    QByteArray tampered = script;
    tampered.replace(text, changed);
    Outcome outcome = runScript(python, tampered, {"--spawn"});
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.stated.contains("was changed after its export"), outcome.stated.constData());
    tampered.replace(QByteArray::fromStdString(planHash(text.toStdString())),
                     QByteArray::fromStdString(planHash(changed.toStdString())));
    outcome = runScript(python, tampered, {"--spawn"});
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.stated.contains(stated), outcome.stated.constData());
  }

  void badArgumentsAreOneSentence() {
    const QString python = QStandardPaths::findExecutable("python3");
    if (python.isEmpty()) QSKIP("python3 is not installed");
    const QByteArray script = scriptOf(jobsOf({test::planOf("node:2 gpu:4", "8", "0", "[[2,4]]")}));
    for (const auto& [arguments, stated] : std::vector<std::pair<QStringList, QByteArray>>{
             {{"--bytes", "0"}, "is not a number of bytes"},
             {{"--bytes", "nan"}, "is not a number of bytes"},
             {{"--repeat", "0"}, "is not a whole number from 1"},
             {{"--spawn", "--nnodes", "3"}, "8 devices on 3 machines"},
             {{"--spawn", "--nnodes", "2", "--node_rank", "2"}, "count machines from 0"},
             {{"--graphs", "--backend", "gloo"}, "--graphs needs --backend nccl"},
             {{}, "no launcher has started this"}}) {
      const Outcome outcome = runScript(python, script, arguments);
      QCOMPARE(outcome.status, 2);
      QVERIFY2(outcome.stated.contains(stated), outcome.stated.constData());
      QVERIFY(!outcome.stated.contains("Traceback"));
    }
  }
};

QTEST_GUILESS_MAIN(TestTorchrun)
#include "tst_torchrun.moc"
