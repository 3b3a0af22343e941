// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <functional>
#include <map>

#include "plan/plan.h"
#include "remote/messages.h"
#include "runs/run_result.h"
#include "tests/support/fixtures.h"

using namespace p2;

class TestRunRecord : public QObject {
  Q_OBJECT

  inline static std::map<std::string, std::function<void(RunResult&)>> s_changes;

 private slots:
  void spreads_data() {
    QTest::addColumn<QList<double>>("values");
    QTest::addColumn<QList<double>>("expected");
    QTest::newRow("one") << QList<double>{2} << QList<double>{2, 2, 2};
    QTest::newRow("odd") << QList<double>{5, 1, 3} << QList<double>{1, 3, 5};
    QTest::newRow("even") << QList<double>{4, 1, 2, 8} << QList<double>{1, 3, 8};
  }
  void spreads() {
    QFETCH(QList<double>, values);
    QFETCH(QList<double>, expected);
    QCOMPARE(spreadOf({values.begin(), values.end()}), (Spread{expected[0], expected[1], expected[2]}));
  }

  void hashesTellPlansApart() {
    QCOMPARE(planHash(""), std::string("cbf29ce484222325"));
    QCOMPARE(planHash("a"), std::string("af63dc4c8601ec8c"));
    QVERIFY(planHash("plan 1") != planHash("plan 2"));
  }

  void resultsAnswerWhatWasAsked_data() {
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char* name, const char* sentence, std::function<void(RunResult&)> change) {
      s_changes[name] = std::move(change);
      QTest::newRow(name) << QString(sentence);
    };
    s_changes.clear();
    row("plan", "the runner answers for the plan b, not a", [](auto& result) { result.planHash = "b"; });
    row("backend", "the runner answers for the backend mpi, not nccl", [](auto& result) { result.backend = "mpi"; });
    row("ranks", "the runner answers for a number of ranks of 3, not 2",
        [](auto& result) { result.hosts.push_back("vm"); });
    row("repetitions", "the runner answers for a number of repetitions of 1, not 10",
        [](auto& result) { result.repeat = 1; });
    row("bytes", "the runner answers for a vector of 999 B, not 1.00 kB",
        [](auto& result) { result.bytes = Bytes(999); });
    row("far more bytes", "the runner answers for a vector of 1.00 EB, not 1.00 kB",
        [](auto& result) { result.bytes = Bytes(1e18); });
    row("steps", "the runner answers for a number of steps of 1, not 2", [](auto& result) { result.steps.pop_back(); });
    row("collective", "the runner answers for step 2 with Broadcast over 2 devices, not AllReduce over 2 devices",
        [](auto& result) { result.steps[1].collective = "Broadcast"; });
    row("members", "the runner answers for step 1 with Reduce over 1 device, not Reduce over 4 devices",
        [](auto& result) { result.steps[0].members = 1; });
    row("times", "the runner's times of the whole program are impossible: minimum 3 s, median 2 s, maximum 3 s",
        [](auto& result) { result.seconds.min = 3; });
    row("negative", "the runner's times of the whole program are impossible: minimum -1 s, median 2 s, maximum 3 s",
        [](auto& result) { result.seconds.min = -1; });
    row("times of a step", "the runner's times of step 2 are impossible: minimum 1 s, median 5 s, maximum 2 s",
        [](auto& result) { result.steps[1].seconds.median = 5; });
    row("longer than it may run",
        "the runner's times of the whole program are impossible: minimum 1 s, median 2 s, maximum 1e+308 s",
        [](auto& result) { result.seconds.max = 1e308; });
    row("bytes of a step", "the runner's figures of step 1 are impossible: 1.00 EB in 0 s at 0 B/s (bus 0 B/s)",
        [](auto& result) { result.steps[0].bytes = Bytes(1e18); });
    row("bandwidth of a step",
        "the runner's figures of step 2 are impossible: 1.00 kB in 1 s at 1.10 kB/s (bus 1.00 kB/s)",
        [](auto& result) { result.steps[1].algorithmBandwidth = 1100; });
    row("bus bandwidth", "the runner's figures of step 2 are impossible: 1.00 kB in 1 s at 1.00 kB/s (bus 100 PB/s)",
        [](auto& result) { result.steps[1].busBandwidth = 1e17; });
    row("no time", "the runner's times of the whole program are impossible: minimum 0 s, median 0 s, maximum 0 s",
        [](auto& result) { result.seconds = {}; });
    row("wrong elements", "the runner reports 1025 wrong elements, but only 1024 were checked (both number formats)",
        [](auto& result) { result.wrongElements = 1025; });
    row("host", "the runner reports a host name of 60.0 kB; a name has at most 255 bytes",
        [](auto& result) { result.hosts[1] = std::string(60000, 'n'); });
    row("pieces", "the runner answers for a number of pieces of 8, not 4", [](auto& result) { result.pieces = 8; });
  }
  void resultsAnswerWhatWasAsked() {
    QFETCH(QString, sentence);
    const RunIdentity asked{"a", {{"Reduce", 4}, {"AllReduce", 2}}, 2, 4, "nccl", Bytes(1000), 10, 8, 600};
    RunResult result{"nccl", "", "1", "a", {"vm", "vm"}, Bytes(1024), 10, 0, {1, 2, 3}, {}, 4};
    result.steps = {{"Reduce", 4, {}, {}, 0, 0}, {"AllReduce", 2, Bytes(1000), {1, 1, 2}, 1000, 1000}};
    QVERIFY(checkAnswer(result, asked).ok());
    RunResult tiny = result;  // steps too short for the clock, every element wrong
    tiny.steps[0].bytes = Bytes(1024);
    tiny.wrongElements = 2 * 1024 / 4 * 2;
    QVERIFY(checkAnswer(tiny, asked).ok());
    s_changes[QTest::currentDataTag()](result);
    const auto answer = checkAnswer(result, asked);
    QVERIFY(!answer.ok() && answer.error().kind == ErrorKind::Failed);
    QCOMPARE(QString::fromStdString(answer.error().message),
             sentence + "; install the same version on both sides and run it again");
  }

  void identitiesAreOfThePlan() {
    Workspace workspace = test::workspaceOf("node:2 gpu:4", "data=8", "data", "[[2,4]]");
    workspace.program = "RS·node → AR·node∥root → AG·node";
    const Plan plan = test::valueOf(makePlan(workspace));
    RunRequest request;
    request.plan = planToJson(plan);
    request.backend = "nccl";
    request.repeat = 7;
    request.pieces = 3;
    const RunIdentity identity = identityOf(request, plan);
    QCOMPARE(identity.planHash, planHash(request.plan));
    QCOMPARE(identity.ranks, std::int64_t(8));
    QCOMPARE(identity.repeat, 7);
    QCOMPARE(identity.pieces, 3);
    QCOMPARE(identity.chunks, std::int64_t(8));
    QCOMPARE(identity.timeLimit, request.timeLimit);
    QCOMPARE(identity.backend, std::string("nccl"));
    QCOMPARE(identity.steps.size(), std::size_t(3));
    QCOMPARE(identity.steps[0].collective, std::string("ReduceScatter"));
    QCOMPARE(identity.steps[0].members, std::int64_t(4));
    QCOMPARE(identity.steps[1].members, std::int64_t(2));
  }

  // It passes over what it does not know, and its answer says nothing of pieces.
  void aRunnerThatCannotOverlapIsFound() {
    RunFinished old{1, {}};
    old.result.version = "0.0.9";
    old.result.planHash = "a";
    std::string line = messageLine(old);
    const std::string stated = ",\"pieces\":1";
    QVERIFY(line.find(stated) != std::string::npos);
    line.erase(line.find(stated), stated.size());
    const RunResult result = std::get<RunFinished>(test::valueOf(messageFrom(line))).result;
    QCOMPARE(result.pieces, 1);
    const RunIdentity whole{"a", {}, 0, 1, "", {}, 0};
    QVERIFY(checkAnswer(result, whole).ok());
    RunIdentity inPieces = whole;
    inPieces.pieces = 4;
    QCOMPARE(
        checkAnswer(result, inPieces).error().message,
        std::string("the runner did not overlap steps, because its version (0.0.9) cannot; install the same version on "
                    "both sides and run it again"));
  }

  void refusesTargets_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("launcher") << "launcher=rm"
                              << "\"rm\" is not a launcher";
    QTest::newRow("slots") << "slots=0"
                           << "0 slots";
    QTest::newRow("host that is an option") << "host=-oProxyCommand=evil"
                                            << "is not a host";
    QTest::newRow("host of two words") << "host=a b"
                                       << "is not a host";
    QTest::newRow("no runner") << "runner="
                               << "is not a program";
    QTest::newRow("runner that is an option") << "runner=-c"
                                              << "is not a program";
    QTest::newRow("variable") << "env=LD PRELOAD"
                              << "is not the name of an environment variable";
    QTest::newRow("variable that begins with a digit") << "env=1A"
                                                       << "is not the name of an environment variable";
  }
  void refusesTargets() {
    QFETCH(QString, what);
    QFETCH(QString, sentence);
    const std::string key = what.section('=', 0, 0).toStdString();
    const std::string value = what.section('=', 1).toStdString();
    Target target;
    if (key == "launcher") target.launch.launcher = value;
    if (key == "slots") target.launch.mostRanks = QString::fromStdString(value).toInt();
    if (key == "host") target.host = value;
    if (key == "runner") target.runner = value;
    if (key == "env") target.launch.environment = {{value, "1"}};
    const auto checked = validated(target);
    QVERIFY(!checked.ok());
    QVERIFY2(QString::fromStdString(checked.error().text()).contains(sentence), checked.error().text().c_str());
    QCOMPARE(checked.error().where.text(), std::string("local"));
  }

  void theDefaultTargetIsThisMachine() {
    const auto target = validated(Target{});
    QVERIFY(target.ok());
    QVERIFY(target->host.empty());
    QCOMPARE(target->launch.launcher, std::string("mpirun"));
  }
};

QTEST_APPLESS_MAIN(TestRunRecord)
#include "tst_run_record.moc"
