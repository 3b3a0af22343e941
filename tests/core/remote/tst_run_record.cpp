// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "remote/messages.h"
#include "runs/run_result.h"
#include "tests/support/fixtures.h"

using namespace p2;

class TestRunRecord : public QObject {
  Q_OBJECT
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

  void resultsAnswerWhatWasAsked() {
    RunResult result;
    result.planHash = "a";
    result.hosts = {"vm", "vm"};
    result.steps.resize(3);
    QVERIFY(checkAnswer(result, {"a", 3, 2}).ok());
    QVERIFY(!checkAnswer(result, {"b", 3, 2}).ok());
    QVERIFY(!checkAnswer(result, {"a", 2, 2}).ok());
    QCOMPARE(checkAnswer(result, {"a", 3, 4}).error().message,
             std::string("the runner answers for a number of ranks of 2, not 4; install the same version on both sides "
                         "and run it again"));
    QVERIFY(checkAnswer(result, {"a", 3, 4}).error().kind == ErrorKind::Failed);
    result.pieces = 4;
    QVERIFY(checkAnswer(result, {"a", 3, 2, 4}).ok());
    QCOMPARE(
        checkAnswer(result, {"a", 3, 2, 8}).error().message,
        std::string("the runner answers for a number of pieces of 4, not 8; install the same version on both sides "
                    "and run it again"));
  }

  // It passes over what it does not know, and its answer says nothing of pieces.
  void aRunnerThatCannotOverlapIsFound() {
    RunFinished old{1, {}};
    old.result.version = "0.0.9";
    old.result.planHash = "a";
    std::string line = messageLine(old);
    const std::string said = ",\"pieces\":1";
    QVERIFY(line.find(said) != std::string::npos);
    line.erase(line.find(said), said.size());
    const RunResult result = std::get<RunFinished>(test::valueOf(messageFrom(line))).result;
    QCOMPARE(result.pieces, 1);
    QVERIFY(checkAnswer(result, {"a", 0, 0, 1}).ok());
    QCOMPARE(
        checkAnswer(result, {"a", 0, 0, 4}).error().message,
        std::string("the runner has done one step after the other, since its version (0.0.9) cannot overlap steps; "
                    "install the same version on both sides and run it again"));
  }

  void refusesTargets_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("launcher") << "launcher=rm"
                              << "\"rm\" is not a launcher";
    QTest::newRow("slots") << "slots=0"
                           << "0 slots";
    QTest::newRow("host that is an option") << "host=-oProxyCommand=evil"
                                            << "is no host";
    QTest::newRow("host of two words") << "host=a b"
                                       << "is no host";
    QTest::newRow("no runner") << "runner="
                               << "is no program";
    QTest::newRow("runner that is an option") << "runner=-c"
                                              << "is no program";
    QTest::newRow("variable") << "env=LD PRELOAD"
                              << "no name of an environment variable";
    QTest::newRow("variable that begins with a digit") << "env=1A"
                                                       << "no name of an environment variable";
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

  void theUsualTargetIsThisMachine() {
    const auto target = validated(Target{});
    QVERIFY(target.ok());
    QVERIFY(target->host.empty());
    QCOMPARE(target->launch.launcher, std::string("mpirun"));
  }
};

QTEST_APPLESS_MAIN(TestRunRecord)
#include "tst_run_record.moc"
