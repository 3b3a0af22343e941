// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "app/runner/launch.h"

using namespace p2;

/// What launchers have said, word for word, and the one sentence that is made of it.
class TestLaunchFailure : public QObject {
  Q_OBJECT
 private slots:
  void isOneSentence_data() {
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QByteArray>("stated");
    QTest::addColumn<QByteArray>("sentence");
    const QByteArray rule = QByteArray(74, '-') + '\n';
    QTest::newRow("a killed rank, Open MPI 4")
        << 137 << rule + "mpirun noticed that process rank 1 with PID 0 on node a exited on signal 9 (Killed).\n" + rule
        << QByteArray("rank 1 on a was killed by signal 9 (Killed) before the run was over");
    QTest::newRow("a killed rank, Open MPI 5")
        << 137
        << rule + "prterun noticed that process rank 3 with PID 20448 on node vm exited on\nsignal 9 (Killed).\n" + rule
        << QByteArray("rank 3 on vm was killed by signal 9 (Killed) before the run was over");
    QTest::newRow("an unknown option, Open MPI 4")
        << 1 << QByteArray("mpirun: Error: unknown option \"--no-such\"\nType 'mpirun --help' for usage.\n")
        << QByteArray(
               "mpirun ended with status 1 before the run was over: mpirun: Error: unknown option \"--no-such\"");
    QTest::newRow("an unknown option, Open MPI 5")
        << 213
        << rule +
               "An unrecognized option was included on the mpirun command line:\n\n  Option: --no-such\n\nPlease use "
               "the "
               "\"mpirun --help\" command to obtain a list of all\nsupported options.\n" +
               rule
        << QByteArray(
               "mpirun ended with status 213 before the run was over: An unrecognized option was included on the "
               "mpirun command line: Option: --no-such Please use the \"mpirun --help\" command to obtain a list of "
               "all "
               "supported options.");
    QTest::newRow("srun, which had to wait")
        << 1
        << QByteArray(
               "mpirun: job 7 queued and waiting for resources\nmpirun: job 7 has been allocated resources\nmpirun: "
               "error: n0: task 3: Killed\nmpirun: error: n0: task 0: Terminated\n")
        << QByteArray("mpirun ended with status 1 before the run was over: mpirun: error: n0: task 3: Killed");
    QTest::newRow("srun without the plugin of Open MPI 4")
        << 1
        << rule +
               "The application appears to have been direct launched using \"srun\",\nbut OMPI was not built with "
               "SLURM's PMI support and therefore cannot\nexecute.\n" +
               rule
        << QByteArray(
               "srun has started processes that do not find each other; name the plugin that this MPI goes by among "
               "the "
               "launcher's arguments, as in --mpi=pmix (srun --mpi=list has them all)");
    const QByteArray killed = "mpirun noticed that process rank 1 with PID 0 on node ";
    const QByteArray longHost = rule + killed + QByteArray(60'000, 'h') + " exited on signal 9 (Killed).\n" + rule;
    QTest::newRow("a host's name without an end")
        << 137 << longHost
        << QByteArray("rank 1 on " + QByteArray(255, 'h') +
                      " … was killed by signal 9 (Killed) before the run was over");
    QTest::newRow("numbers without an end")
        << 1 << QByteArray("process rank " + QByteArray(60'000, '7') + "\n")
        << QByteArray("mpirun ended with status 1 before the run was over: process rank …");
    QTest::newRow("a thousand beginnings, and then one with an end")
        << 137
        << QByteArray(QByteArray("process rank 1 with PID 2 on node n\n").repeated(1000) + killed +
                      "b exited on signal 6 (Aborted)")
        << QByteArray("rank 1 on b was killed by signal 6 (Aborted) before the run was over");
    QTest::newRow("a rank that does not end its sentence")
        << 1 << QByteArray("p2-runner: " + QByteArray(60'000, 'x') + "\n") << QByteArray(QByteArray(800, 'x') + " …");
    QTest::newRow("a rank that lacks a library")
        << 127
        << QByteArray(
               "p2-runner: error while loading shared libraries: libnccl.so.2: cannot open shared object file: No "
               "such file or directory\n" +
               rule + "prterun detected that one or more processes exited with non-zero status\n" + rule)
        << QByteArray(
               "a program of the run cannot be loaded: libnccl.so.2: cannot open shared object file: No such "
               "file or directory; install the missing library on every node");
    QTest::newRow("no word") << 2 << QByteArray() << QByteArray("mpirun ended with status 2 before the run was over");
  }
  void isOneSentence() {
    QFETCH(int, exitCode);
    QFETCH(QByteArray, stated);
    QFETCH(QByteArray, sentence);
    const int status = exitCode << 8;  // as waitpid() has it
    QCOMPARE(QByteArray::fromStdString(runner::launchFailure(Launch(), status, stated.toStdString())), sentence);
  }
};

QTEST_APPLESS_MAIN(TestLaunchFailure)
#include "tst_launch_failure.moc"
