// SPDX-License-Identifier: GPL-3.0-or-later
#include <QStandardPaths>

#include "support/warnings.h"
#include "tests/app/runner/runner_desk.h"

using namespace p2;
using namespace p2::test;

/// Launchers that do not do what one expects of them, in their place in PATH.
class TestLaunchers : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  // As Open MPI 5.0.7 does where the first rank is on another host than mpirun: of what comes together only the last
  // block arrives.
  void anInputOfWhichBlocksAreLostBringsTheRequest() {
    const RunnerDesk desk;
    const RunRequest request = RunnerDesk::request("node:4 gpu:2");
    QVERIFY(messageLine(request).size() > 4096);
    const Target target = withLauncher(desk, "mpirun", R"(#!/usr/bin/env python3
import os, subprocess, sys, time
child = subprocess.Popen(['MPIRUN'] + sys.argv[1:], stdin=subprocess.PIPE)
while True:
    time.sleep(0.1)
    came = os.read(0, 1 << 20)
    if not came: break
    child.stdin.write(came[(len(came) - 1) // 4096 * 4096:])
    child.stdin.flush()
child.stdin.close()
sys.exit(child.wait())
)");
    auto session = valueOf(RunnerSession::open(target));
    const RunResult result = valueOf(session.run(request));
    QCOMPARE(result.wrongElements, 0);
    QCOMPARE(result.hosts.size(), std::size_t(8));
  }

  // As srun does without the plugin of the MPI that is used: every process is a world of its own.
  void processesThatDoNotFindEachOtherAreNamed() {
    const RunnerDesk desk;
    Target target = withLauncher(desk, "srun", R"(#!/bin/sh
while test "$1" != 'RUNNER'; do shift; done
SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=4 "$@"
)");
    target.launch.launcher = "srun";
    auto session = valueOf(RunnerSession::open(target));
    P2_VERIFY_ERROR(
        session.run(RunnerDesk::request("node:2 gpu:2")),
        "srun has started 4 processes that do not find each other; name the plugin that this MPI goes by among "
        "the launcher's arguments, as in --mpi=pmix");
  }

  // As srun does while others have the nodes.
  void whatALauncherWaitsForIsSaid() {
    const RunnerDesk desk;
    Target target = withLauncher(desk, "srun", R"(#!/bin/sh
echo 'srun: job 7 queued and waiting for resources' >&2
exec sleep 60
)");
    target.launch.launcher = "srun";
    RunRequest request = RunnerDesk::request("node:2 gpu:2");
    request.timeLimit = 1;
    auto session = valueOf(RunnerSession::open(target));
    P2_VERIFY_ERROR(session.run(request),
                    "no rank had started after 1 s, and the run was ended; allow it more time; srun said last: srun: "
                    "job 7 queued and waiting for resources");
  }

 private:
  /// The desk's runner with a launcher of this text, where MPIRUN stands for the real one and RUNNER for the runner.
  static Target withLauncher(const RunnerDesk& desk, const char* name, const char* text) {
    const QString folder = desk.path("launchers");
    if (!QDir().mkpath(folder)) qFatal("no folder");
    const QString real = QStandardPaths::findExecutable("mpirun");
    desk.writeScript("launchers/" + QString(name),
                     QString(text).replace("MPIRUN", real).replace("RUNNER", desk.runner()));
    desk.writeScript("elsewhere", "#!/bin/sh\nPATH='" + folder + "':$PATH exec '" + desk.runner() + "' serve\n");
    Target target = desk.target();
    target.runner = desk.path("elsewhere").toStdString();
    return target;
  }
};

QTEST_GUILESS_MAIN(TestLaunchers)
#include "tst_launchers.moc"
