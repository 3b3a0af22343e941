// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "remote/messages.h"
#include "remote/run_setting.h"
#include "runs/run_record.h"
#include "tests/support/fixtures.h"

using namespace p2;
using namespace p2::test;

namespace {

RunRecord record() {
  RunRecord one;
  one.when = RunRecord::Time(std::chrono::milliseconds(1'700'000'000'123));
  one.target = "cluster7";
  one.system = "gcp-a100:2";
  one.axes = "data 8 ∑ · model 2";
  one.matrix = "[[2,4]]";
  one.program = "root:InsideGroup:AllReduce";
  one.plan = "{\"format\": \"p2-plan\"}";
  one.predicted = 0.25;
  one.setting = RunSetting{
      "0.2.0", "desk", "login.cluster", "mpirun", {"--bind-to", "core"}, {{"NCCL_DEBUG", "INFO"}, {"TOKEN", ""}}};
  one.result = RunResult{"mpi",
                         "Open MPI 4.1.4",
                         "0.1.0",
                         "af63dc4c8601ec8c",
                         {"n0", "n1"},
                         Bytes(4096),
                         3,
                         0,
                         {0.25, 0.5, 1},
                         {{"AllReduce", 2, Bytes(4096), {1, 2, 3}, 2048, 1024}},
                         4};
  return one;
}

/// The record's JSON with one text of it replaced.
std::string with(std::string_view what, std::string_view by) {
  std::string json = runRecordToJson(record());
  const std::size_t at = json.find(what);
  if (at == std::string::npos) qFatal("the record has no %s", std::string(what).c_str());
  return json.replace(at, what.size(), by);
}

}  // namespace

/// What is kept can be read by whatever comes later, and what is read may be older or newer.
class TestKeptRecord : public QObject {
  Q_OBJECT
 private slots:
  void comesBackAsItWas() {
    QCOMPARE(valueOf(runRecordFromJson(runRecordToJson(record()))), record());
    RunRecord failed = record();
    failed.result.reset();
    failed.predicted.reset();
    failed.plan.clear();
    failed.problem = "rank 3 was killed; \"quoted\" 'text'\n";
    const std::string json = runRecordToJson(failed);
    QVERIFY(json.find('\n') == std::string::npos);
    QCOMPARE(valueOf(runRecordFromJson(json)), failed);
    QCOMPARE(valueOf(runRecordFromJson(runRecordToJson(RunRecord()))), RunRecord());
  }

  void saysWhatWasRunAndWithWhat() {
    RunRecord failed = record();
    failed.result.reset();
    failed.problem = "rank 3 was killed";
    const std::string json = runRecordToJson(failed);
    QVERIFY(json.find("\"plan_hash\":\"" + planHash(failed.plan) + "\"") != std::string::npos);
    QVERIFY(json.find("\"NCCL_DEBUG\":\"INFO\"") != std::string::npos);
    // Kept by an earlier version.
    QVERIFY(!valueOf(runRecordFromJson(with("\"setting\"", "\"elsewhere\""))).setting);
  }

  // Runs are handed on, and a variable may be a password.
  void keepsNoValueThatMayBeASecret() {
    Target target;
    target.host = "login.cluster";
    target.launch.arguments = {"--bind-to", "core"};
    target.launch.environment = {{"NCCL_DEBUG", "INFO"}, {"WANDB_API_KEY", "secret"}, {"MY_NCCL_KEY", "secret"}};
    const RunSetting setting = settingOf(target);
    QCOMPARE(setting.host, std::string("login.cluster"));
    QCOMPARE(setting.launcher, std::string("mpirun"));
    QCOMPARE(setting.arguments, target.launch.arguments);
    QVERIFY(!setting.version.empty() && !setting.from.empty());
    QCOMPARE(setting.environment.size(), std::size_t(3));
    QCOMPARE(setting.environment[0].second, std::string("INFO"));
    for (std::size_t i : {1, 2}) {
      QCOMPARE(setting.environment[i].first, target.launch.environment[i].first);
      QCOMPARE(setting.environment[i].second, std::string());
    }
  }

  void aKeyThatIsMissingLeavesItsFieldEmpty() {
    const RunRecord bare = valueOf(runRecordFromJson("{\"target\": \"local\"}"));
    RunRecord expected;
    expected.version = 0;
    expected.target = "local";
    QCOMPARE(bare, expected);
    for (const char* key : {"library", "plan_hash", "hosts", "repeat", "steps", "bytes", "min", "pieces"}) {
      const RunRecord old = valueOf(runRecordFromJson(with("\"" + std::string(key) + "\"", "\"elsewhere\"")));
      QVERIFY2(old.result.has_value(), key);
      QCOMPARE(old.result->seconds.median, 0.5);
      QVERIFY(old != record());
    }
  }

  void aNewerRecordShowsWhatIsKnown() {
    const RunRecord newer =
        valueOf(runRecordFromJson(with("\"version\":1", "\"version\":99,\"joules\":{\"rank\":[1,2]},\"goal\":null")));
    QCOMPARE(newer.version, 99);
    RunRecord known = record();
    known.version = 99;
    QCOMPARE(newer, known);
  }

  void valuesOfAnotherTypeAreLeftOut_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("by");
    QTest::newRow("text") << "\"cluster7\""
                          << "[\"cluster7\"]";
    QTest::newRow("number") << "0.25"
                            << "\"a quarter\"";
    QTest::newRow("negative") << "0.25"
                              << "-1";
    QTest::newRow("beyond numbers") << "1700000000123"
                                    << "17000000001230000000000";
    QTest::newRow("beyond calendars") << "1700000000123"
                                      << "9223372036854775807";
    QTest::newRow("list") << "[\"n0\",\"n1\"]"
                          << "{\"n0\":1}";
    QTest::newRow("item") << "[\"n0\",\"n1\"]"
                          << "[0,null]";
    QTest::newRow("step") << "[{\"collective\""
                          << "[7,{\"collective\"";
  }
  void valuesOfAnotherTypeAreLeftOut() {
    QFETCH(QString, what);
    QFETCH(QString, by);
    const RunRecord read = valueOf(runRecordFromJson(with(what.toStdString(), by.toStdString())));
    QVERIFY(read != record());
    QCOMPARE(read.system, record().system);
    QCOMPARE(read.program, record().program);
    QVERIFY(read.result.has_value());
    QCOMPARE(read.result->library, record().result->library);
  }

  void aResultNeedsItsTimeAndItsCheck_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("by");
    QTest::newRow("no time") << "\"median\":0.5"
                             << "\"median\":null";
    QTest::newRow("no check") << "\"wrong_elements\":0"
                              << "\"wrong_elements\":\"none\"";
    QTest::newRow("no result") << "\"result\":{"
                               << "\"result\":[],\"former\":{";
  }
  void aResultNeedsItsTimeAndItsCheck() {
    QFETCH(QString, what);
    QFETCH(QString, by);
    const RunRecord read = valueOf(runRecordFromJson(with(what.toStdString(), by.toStdString())));
    QVERIFY(!read.result.has_value());
    QVERIFY(read.problem.find("cannot read") != std::string::npos);
    QCOMPARE(read.plan, record().plan);
  }

  void whatIsNoObjectIsRefused() {
    for (const char* text : {"", "[]", "{\"target\": \"lo", "7", "\xff\xfe"}) {
      const auto read = runRecordFromJson(text);
      QVERIFY2(!read.ok(), text);
      QVERIFY(read.error().message.find("damaged") != std::string::npos);
    }
  }

  void takesTheResultOfAMessage() {
    RunRecord before = record();
    const std::string message = messageLine(RunFinished{0, *before.result});
    before.result.reset();
    QCOMPARE(valueOf(runRecordFromJson(runRecordWithMessage(before, message))), record());
    // What is not understood is kept all the same.
    for (const char* odd : {"no JSON {", "[\"odd\"]"}) {
      const std::string json = runRecordWithMessage(before, odd);
      QVERIFY(json.find(odd[0] == '[' ? "[\"odd\"]" : odd) != std::string::npos);
      QVERIFY(!valueOf(runRecordFromJson(json)).result.has_value());
    }
  }
};

QTEST_APPLESS_MAIN(TestKeptRecord)
#include "tst_kept_record.moc"
