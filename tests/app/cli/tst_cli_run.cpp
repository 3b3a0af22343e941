// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include "support/warnings.h"
#include "tests/app/cli/lying_runner.h"
#include "tests/app/cli/run_p2.h"

using p2::test::Answer;
using p2::test::hashOf;
using p2::test::jsonFrom;
using p2::test::lyingRunner;
using p2::test::planFileIn;
using p2::test::runP2;
using p2::test::writeFile;

/// p2 run: the commands it would start, answers of a runner that are no answers, and text that would command a
/// terminal.
class TestCliRun : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QVERIFY(m_folder.isValid());
    writeFile(m_folder.filePath("names.json"),
              "{\"format\": \"p2-system\", \"version\": 1,"
              " \"levels\": [{\"name\": \"g\\u001b[2J\", \"count\": 4}]}");
  }
  void init() { p2::test::failOnWarnings(); }

  void refusesAnswersToAnotherPlan_data() {
    QTest::addColumn<QString>("hash");
    QTest::addColumn<int>("steps");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<QString>("part");
    QTest::newRow("more steps") << QString() << 5 << 4 << "a number of steps of 5, not 1";
    QTest::newRow("no steps") << QString() << 0 << 4 << "a number of steps of 0, not 1";
    QTest::newRow("fewer ranks") << QString() << 1 << 3 << "a number of ranks of 3, not 4";
    QTest::newRow("another plan") << "0123456789abcdef" << 1 << 4 << "the plan 0123456789abcdef, not ";
    QTest::newRow("the right one") << QString() << 1 << 4 << "";
  }
  void refusesAnswersToAnotherPlan() {
    QFETCH(QString, hash);
    QFETCH(int, steps);
    QFETCH(int, ranks);
    QFETCH(QString, part);
    const QString plan = planFileIn(m_folder);
    if (hash.isEmpty()) hash = hashOf(plan);
    const Answer answer =
        runP2({"run", plan, "--bytes", "16", "--repeat", "1", "--runner", lyingRunner(m_folder, hash, steps, ranks)});
    QCOMPARE(answer.status, part.isEmpty() ? 0 : 1);
    if (part.isEmpty()) return;
    QCOMPARE(answer.out, QString());
    QCOMPARE(answer.err.count('\n'), 1);
    QVERIFY2(answer.err.contains("the runner answers for " + part), qPrintable(answer.err));
  }

  // Names in files and what a runner says are text, whatever a terminal would take them for.
  void nothingCommandsTheTerminal_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("a name in a file") << QStringList{
        "programs", m_folder.filePath("names.json"), "--axes", "4", "--reduce", "0"};
    QTest::newRow("a name that is typed") << QStringList{"placements", "gpu:4", "--axes", "\x1b[2J=4"};
    QTest::newRow("a file's name") << QStringList{"placements", "./\x1b[2J\u009b.json", "--axes", "4"};
    QTest::newRow("no UTF-8") << QStringList{"placements", "gpu:4", "--axes", QString::fromLatin1("a\xff=4")};
    QTest::newRow("a runner's answer") << QStringList{"run", planFileIn(m_folder), "--runner",
                                                      lyingRunner(m_folder, "\x1b[2J\u009b", 1, 4)};
  }
  void nothingCommandsTheTerminal() {
    QFETCH(QStringList, arguments);
    const Answer answer = runP2(arguments);
    QVERIFY(answer.status >= 0);
    const QString all = answer.out + answer.err;
    QVERIFY(!all.isEmpty());
    for (const QChar c : all) QVERIFY2(c == '\n' || c == '\t' || c.category() != QChar::Other_Control, qPrintable(all));
  }

  void showsEveryCommandItWouldRun() {
    const QStringList run{"run",
                          planFileIn(m_folder),
                          "--target",
                          "login.cluster",
                          "--runner",
                          "/opt/p2 runner",
                          "--env",
                          "NCCL_DEBUG=INFO",
                          "--dry",
                          "--ssh-argument=-p22",
                          "--launcher-argument=--bind",
                          "--by-node"};
    const Answer answer = runP2(run);
    QCOMPARE(answer.status, 0);
    QCOMPARE(answer.err, QString());
    QCOMPARE(answer.out,
             QString("on this machine, starts the runner:\n"
                     "  ssh -T -o BatchMode=yes -p22 -- login.cluster ''\\''/opt/p2 runner'\\'' serve'\n"
                     "on login.cluster, starts the ranks, called by the runner:\n"
                     "  NCCL_DEBUG=INFO mpirun -n 4 --oversubscribe --mca mpi_yield_when_idle 1 --map-by node "
                     "-x NCCL_DEBUG --bind '/opt/p2 runner' worker\n"
                     "nothing was run\n"));
    const QJsonObject json = jsonFrom(run);
    const QJsonArray commands = json["commands"].toArray();
    QCOMPARE(commands.size(), 2);
    QCOMPARE(commands[0]["arguments"][0].toString(), QStringLiteral("ssh"));
    QCOMPARE(commands[1]["where"].toString(), QStringLiteral("login.cluster"));
    QCOMPARE(commands[1]["environment"]["NCCL_DEBUG"].toString(), QStringLiteral("INFO"));
    QCOMPARE(json["ranks"].toInt(), 4);
    QCOMPARE(json["plan_hash"].toString(), hashOf(planFileIn(m_folder)));
    // Nor does it start anything here.
    const Answer local =
        runP2({"run", planFileIn(m_folder), "--dry", "--runner", "/nonexistent/runner", "--launcher", "srun"});
    QCOMPARE(local.status, 0);
    QVERIFY2(local.out.contains("/nonexistent/runner serve\n") && local.out.contains(" srun -n 4 "),
             qPrintable(local.out));
    const Answer wide = runP2({"run", planFileIn(m_folder), "--dry", "--slots", "2"});
    QCOMPARE(wide.status, 2);
    QVERIFY2(wide.err.contains("the plan is for 4 devices, but the target has 2 slots"), qPrintable(wide.err));
  }

 private:
  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCliRun)
#include "tst_cli_run.moc"
