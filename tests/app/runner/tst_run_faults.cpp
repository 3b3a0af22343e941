// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProcess>

#include "support/warnings.h"
#include "tests/app/runner/runner_desk.h"

using namespace p2;
using namespace p2::test;

namespace {

constexpr int kSoon = 15'000;  // milliseconds in which everything must have ended
constexpr int kKills = 8;

}  // namespace

// Real launchers and ranks, and what can happen to them.
class TestRunFaults : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    test::failOnWarnings();
    m_desk = std::make_unique<RunnerDesk>();
  }
  void cleanup() {
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->processes().isEmpty(), kSoon);
    m_desk.reset();
  }

  void runs() {
    auto session = valueOf(RunnerSession::open(m_desk->target()));
    QVERIFY(!session.capabilities().backends[0].library.empty());
    WatchedRun run(session, RunnerDesk::request("node:2 gpu:4", 20));
    const RunResult result = valueOf(run.result());
    QCOMPARE(result.wrongElements, 0);
    QCOMPARE(result.hosts.size(), 8u);
    QCOMPARE(result.repeat, 20);
    QCOMPARE(result.bytes, Bytes(64 * 1024));
    QVERIFY(result.seconds.min > 0 && result.seconds.min <= result.seconds.median &&
            result.seconds.median <= result.seconds.max);
    QCOMPARE(result.planHash, planHash(RunnerDesk::plan("node:2 gpu:4")));
    // One repetition's steps add up to it; the slowest rank of each step can be another.
    double steps = 0;
    for (const StepRun& step : result.steps) steps += step.seconds.max;
    QVERIFY(steps >= result.seconds.median);
    // Another in the same session.
    QCOMPARE(valueOf(session.run(RunnerDesk::request("node:2 gpu:2"))).hosts.size(), 4u);
  }

  // 64 KiB in 8 chunks, each in 3 pieces of 683 elements: two elements of every chunk are padding.
  void runsOverlapping() {
    auto session = valueOf(RunnerSession::open(m_desk->target()));
    RunRequest request = RunnerDesk::request("node:2 gpu:4", 5);
    request.pieces = 3;
    const RunResult result = valueOf(session.run(request));
    QCOMPARE(result.wrongElements, 0);
    QCOMPARE(result.pieces, 3);
    QCOMPARE(result.bytes, Bytes(8 * 3 * 683 * 4));
    QVERIFY(result.seconds.min > 0 && result.seconds.median <= result.seconds.max);
    QVERIFY(!result.steps.empty());
    for (const StepRun& step : result.steps) {
      QCOMPARE(step.seconds, Spread());
      QCOMPARE(step.busBandwidth, 0.0);
    }
    request.pieces = kMostChunks + 1;
    P2_VERIFY_ERROR(session.run(request), "257 pieces; use 1 to 256");
  }

  // Threads of other ranks wait in calls that never return.
  void aRankThatIsKilledWhileStepsOverlapEndsTheRun() {
    auto session = valueOf(RunnerSession::open(m_desk->target()));
    RunRequest request = RunnerDesk::endlessRequest();
    request.pieces = 4;
    WatchedRun run(session, std::move(request));
    QTRY_VERIFY_WITH_TIMEOUT(run.running(), kSoon);
    ::kill(m_desk->workers().last(), SIGKILL);
    QTRY_VERIFY_WITH_TIMEOUT(run.over(), kSoon);
    P2_VERIFY_ERROR(run.result(), "was killed by signal 9 (Killed) before the run was over");
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->workers().isEmpty(), kSoon);
  }

  void aRankThatIsKilledEndsTheRun() {
    auto session = valueOf(RunnerSession::open(m_desk->target()));
    WatchedRun run(session, RunnerDesk::endlessRequest());
    QTRY_VERIFY_WITH_TIMEOUT(run.running(), kSoon);
    QCOMPARE(m_desk->workers().size(), 4);
    ::kill(m_desk->workers().last(), SIGKILL);
    QTRY_VERIFY_WITH_TIMEOUT(run.over(), kSoon);
    P2_VERIFY_ERROR(run.result(), "was killed by signal 9 (Killed) before the run was over");
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->workers().isEmpty(), kSoon);
    QVERIFY(session.isOpen());
    QCOMPARE(valueOf(session.run(RunnerDesk::request("node:2 gpu:2"))).wrongElements, 0);
  }

  void aLauncherThatIsKilledTakesItsRanksAlong() {
    auto session = valueOf(RunnerSession::open(m_desk->target()));
    WatchedRun run(session, RunnerDesk::endlessRequest());
    QTRY_VERIFY_WITH_TIMEOUT(run.running(), kSoon);
    for (const int id : m_desk->processes("worker")) {
      if (!m_desk->workers().contains(id)) ::kill(id, SIGKILL);
    }
    QTRY_VERIFY_WITH_TIMEOUT(run.over(), kSoon);
    P2_VERIFY_ERROR(run.result(), "mpirun was killed by signal 9");
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->workers().isEmpty(), kSoon);
  }

  // Neither mpirun nor MPI notices; whoever waits for it would wait until the time limit. Another session, of which
  // nothing is heard meanwhile, can be used all the same.
  void whatIsStoppedEndsTheRun_data() {
    QTest::addColumn<bool>("launcher");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("a rank") << false << "rank 3 has said nothing for 10 s";
    QTest::newRow("the launcher") << true << "mpirun and its ranks have said nothing for 10 s";
  }
  void whatIsStoppedEndsTheRun() {
    QFETCH(bool, launcher);
    QFETCH(QString, sentence);
    auto idle = valueOf(RunnerSession::open(m_desk->target()));
    auto session = valueOf(RunnerSession::open(m_desk->target()));
    WatchedRun run(session, RunnerDesk::endlessRequest());
    QTRY_VERIFY_WITH_TIMEOUT(run.running(), kSoon);
    const QList<int> workers = m_desk->workers();
    for (const int id : m_desk->processes("worker")) {
      const bool isRank = workers.contains(id);
      if (launcher ? !isRank : RunnerDesk::rankOf(id) == 3) ::kill(id, SIGSTOP);
    }
    QTRY_VERIFY_WITH_TIMEOUT(run.over(), 2 * kSoon);
    P2_VERIFY_ERROR(run.result(), sentence);
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->workers().isEmpty(), kSoon);
    QVERIFY(session.isOpen());
    QCOMPARE(valueOf(session.run(RunnerDesk::request("node:2 gpu:2"))).wrongElements, 0);
    QCOMPARE(valueOf(idle.run(RunnerDesk::request("node:2 gpu:2"))).wrongElements, 0);
  }

  // Killed at any moment between its first instruction and its first message.
  void ranksKilledDuringStartEndTheRun() {
    for (int attempt = 0; attempt < kKills; ++attempt) {
      auto session = valueOf(RunnerSession::open(m_desk->target()));
      WatchedRun run(session, RunnerDesk::endlessRequest());
      const int rank = attempt % 4;
      QList<int> workers;
      const auto isThere = [&] {
        workers = m_desk->workers();
        workers.removeIf([rank](int id) { return RunnerDesk::rankOf(id) != rank; });
        return !workers.isEmpty();
      };
      QTRY_VERIFY_WITH_TIMEOUT(isThere(), kSoon);
      ::kill(workers.first(), SIGKILL);
      QTRY_VERIFY_WITH_TIMEOUT(run.over(), 3 * kSoon);
      QVERIFY(!run.result().ok());
      QTRY_VERIFY_WITH_TIMEOUT(m_desk->workers().isEmpty(), kSoon);
    }
  }

  // What stands in an argument is read by everybody on the machine.
  void valuesOfVariablesStandInNoArguments() {
    Target target = m_desk->target();
    target.launch.environment = {{"P2_SECRET", "tell-nobody"}};
    auto session = valueOf(RunnerSession::open(target));
    WatchedRun run(session, RunnerDesk::endlessRequest());
    QTRY_VERIFY_WITH_TIMEOUT(run.running(), kSoon);
    for (const int id : m_desk->processes()) {
      QFile arguments(QString("/proc/%1/cmdline").arg(id));
      QVERIFY(arguments.open(QIODevice::ReadOnly));
      QVERIFY(!arguments.readAll().contains("tell-nobody"));
    }
    for (const int id : m_desk->workers()) {
      QFile environment(QString("/proc/%1/environ").arg(id));
      QVERIFY(environment.open(QIODevice::ReadOnly));
      QVERIFY(environment.readAll().split('\0').contains("P2_SECRET=tell-nobody"));
    }
    run.stop();
    QTRY_VERIFY_WITH_TIMEOUT(run.over(), kSoon);
    QVERIFY(!run.result().ok());
  }

  void aServerThatIsKilledTakesEverythingAlong() {
    auto session = valueOf(RunnerSession::open(m_desk->target()));
    WatchedRun run(session, RunnerDesk::endlessRequest());
    QTRY_VERIFY_WITH_TIMEOUT(run.running(), kSoon);
    QCOMPARE(m_desk->processes("serve").size(), 1);
    ::kill(m_desk->processes("serve")[0], SIGKILL);
    QTRY_VERIFY_WITH_TIMEOUT(run.over(), kSoon);
    P2_VERIFY_ERROR(run.result(), "was killed by signal 9");
    QVERIFY(!session.isOpen());
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->workers().isEmpty(), kSoon);
  }

  void cancels_data() {
    QTest::addColumn<QString>("phase");
    for (const char* phase : {"", "starting", "warming up", "running"}) QTest::newRow(phase) << phase;
  }
  void cancels() {
    QFETCH(QString, phase);
    auto session = valueOf(RunnerSession::open(m_desk->target()));
    RunRequest request = RunnerDesk::endlessRequest();
    if (phase == "warming up") request.warmup = kMostRuns;
    WatchedRun run(session, request, phase);
    if (phase.isEmpty()) run.stop();
    QTRY_VERIFY_WITH_TIMEOUT(run.over(), kSoon);
    const auto result = run.result();
    QVERIFY(!result.ok());
    QCOMPARE(result.error().kind, ErrorKind::Cancelled);
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->workers().isEmpty(), kSoon);
    QVERIFY(session.isOpen());
    QCOMPARE(valueOf(session.run(RunnerDesk::request("node:2 gpu:2"))).wrongElements, 0);
  }

  void oneWhoLeavesMidRunLeavesNothing() {
    QFile file(m_desk->path("plan.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(RunnerDesk::plan("node:2 gpu:2")));
    file.close();
    QProcess p2;
    p2.start(P2_PROGRAM,
             {"run", file.fileName(), "--runner", m_desk->runner(), "--repeat", "100000", "--bytes", "64KiB"});
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->workers().size() == 4, kSoon);
    p2.kill();
    QVERIFY(p2.waitForFinished());
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->processes().isEmpty(), kSoon);
  }

  void refuses_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("more ranks than slots") << "slots"
                                           << "the plan is for 4 devices, but the target has 3 slots";
    QTest::newRow("a plan that is none") << "plan"
                                         << "plan: ";
    QTest::newRow("a backend nobody knows") << "backend"
                                            << "\"gloo\" is not a backend; use mpi or nccl";
    QTest::newRow("no repetition") << "repeat"
                                   << "0 repetitions; use 1 to 100000";
    QTest::newRow("too many bytes") << "bytes"
                                    << "use up to 8 GB";
    QTest::newRow("no time") << "time"
                             << "was not over after 1 s";
    QTest::newRow("an argument mpirun does not know") << "argument"
                                                      << "--no-such-argument";
    QTest::newRow("a host file that is not there") << "hostfile"
                                                   << "was unable to open the hostfile: /nonexistent/hosts";
  }
  void refuses() {
    QFETCH(QString, what);
    QFETCH(QString, sentence);
    Target target = m_desk->target();
    RunRequest request = RunnerDesk::request("node:2 gpu:2");
    if (what == "slots") target.launch.mostRanks = 3;
    if (what == "plan") request.plan = "{}";
    if (what == "backend") request.backend = "gloo";
    if (what == "repeat") request.repeat = 0;
    if (what == "bytes") request.bytes = Bytes(1e12);
    if (what == "time") request = RunnerDesk::endlessRequest();
    if (what == "time") request.timeLimit = 1;
    if (what == "argument") target.launch.arguments = {"--no-such-argument"};
    if (what == "hostfile") target.launch.hostfile = "/nonexistent/hosts";
    auto session = valueOf(RunnerSession::open(target));
    P2_VERIFY_ERROR(session.run(request), sentence);
    QVERIFY(session.isOpen());
  }

  void aMessageThatIsTooLongEndsTheSession() {
    QProcess server;
    server.start(m_desk->runner(), {"serve"});
    server.write(QByteArray((64 << 20) + 1, 'x'));
    QVERIFY(server.waitForFinished(kSoon));
    QCOMPARE(server.exitCode(), 0);
    const QByteArrayList stated = server.readAllStandardOutput().trimmed().split('\n');
    QVERIFY2(stated.last().contains("a message has over 64 MiB; run a plan with fewer devices or steps"),
             stated.last().constData());
  }

  void aMissingLauncherIsNamed() {
    m_desk->writeScript("bare", "#!/bin/sh\nPATH=/nonexistent exec " + m_desk->runner() + " serve\n");
    Target target = m_desk->target();
    target.runner = m_desk->path("bare").toStdString();
    auto session = valueOf(RunnerSession::open(target));
    QVERIFY(session.capabilities().launchers.empty());
    P2_VERIFY_ERROR(session.run(RunnerDesk::request("node:2 gpu:2")), "there is no mpirun on this target");
  }

  void ncclSaysWhyItCannot() {
    auto session = valueOf(RunnerSession::open(m_desk->target()));
    const BackendState& nccl = session.capabilities().backends[1];
    if (nccl.why.empty()) QSKIP("this machine has NCCL and a GPU");
    RunRequest request = RunnerDesk::request("node:2 gpu:2");
    request.backend = "nccl";
    P2_VERIFY_ERROR(session.run(request), QString::fromStdString(nccl.why));
  }

  // Names, paths and arguments in a plan are data.
  void aPlanCannotMakeAnythingRun() {
    const QString trap = m_desk->path("trapped");
    Workspace workspace;
    workspace.system = valueOf(parseSystem("node:2 gpu:2"));
    workspace.system.name = ("$(touch " + trap + "); `touch " + trap + "` ; touch " + trap).toStdString();
    workspace.axes = {{"$(touch " + trap.toStdString() + ")", 4, true}};
    workspace.matrix = valueOf(parseMatrix("[[2,2]]"));
    workspace.program = "root:InsideGroup:AllReduce";
    workspace.notes = "-x LD_PRELOAD=" + trap.toStdString() + "\n--launcher " + trap.toStdString();
    RunRequest request = RunnerDesk::request("node:2 gpu:2");
    request.plan = planToJson(valueOf(makePlan(workspace)));
    auto session = valueOf(RunnerSession::open(m_desk->target()));
    QCOMPARE(valueOf(session.run(request)).wrongElements, 0);
    QVERIFY(!QFile::exists(trap));
  }

 private:
  std::unique_ptr<RunnerDesk> m_desk;
};

QTEST_GUILESS_MAIN(TestRunFaults)
#include "tst_run_faults.moc"
