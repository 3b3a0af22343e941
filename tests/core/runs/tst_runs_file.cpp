// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "runs/runs_file.h"
#include "tests/support/fixtures.h"
#include "tests/support/schemas.h"

using namespace p2;

namespace {

RunRecord run(int pieces) {
  RunRecord one;
  one.when = RunRecord::Time(std::chrono::milliseconds(1'709'164'800'007));  // on a 29th of February
  one.target = "cluster7";
  one.system = "gcp-a100:2";
  one.axes = "data 8 ∑ · model 2";
  one.matrix = "[[2,4]]";
  one.program = "root:InsideGroup:AllReduce";
  one.plan = "{\"format\": \"p2-plan\"}";
  one.predicted = 1.0 / 3;
  one.setting = RunSetting{
      "0.2.0", "desk", "login.cluster", "mpirun", {"--bind-to", "core"}, {{"NCCL_DEBUG", "INFO"}, {"TOKEN", ""}}};
  StepRun step{"AllReduce", 2, Bytes(4096), {1, 2, 3}, 2048, 1024};
  if (pieces > 1) step = {"AllReduce", 2, Bytes(4096), {}, 0, 0};
  one.result = RunResult{"mpi",          "Open MPI 4.1.4", "0.1.0", "af63dc4c8601ec8c", {"n0", "n1"}, Bytes(4096), 3, 0,
                         {0.25, 0.5, 1}, {step},           pieces};
  return one;
}

RunRecord failed() {
  RunRecord one = run(1);
  one.result.reset();
  one.predicted.reset();
  one.when.reset();
  one.problem = "rank 3 was killed";
  return one;
}

}  // namespace

/// Runs that somebody hands on are read as they were.
class TestRunsFile : public QObject {
  Q_OBJECT
 private slots:
  void comesBackAsItWas() {
    const std::vector<RunRecord> runs{run(1), run(4), failed()};
    const std::string text = runsToJson(runs);
    QVERIFY(looksLikeRuns(text));
    const auto read = test::valueOf(runsFromJson(text));
    QCOMPARE(read.size(), runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
      RunRecord back = read[i];
      QCOMPARE(back.version, 0);  // a file's, not a database's
      back.version = kRunRecordVersion;
      QVERIFY(back == runs[i]);
    }
    QVERIFY(test::valueOf(runsFromJson(runsToJson({}))).empty());
    QVERIFY(test::schemaAccepts("p2-runs", text));
  }

  void hasTheKeysThatScriptsRead() {
    const QJsonObject json =
        QJsonDocument::fromJson(QByteArray::fromStdString(runsToJson({run(1), failed()}))).object();
    QCOMPARE(json["format"].toString(), QStringLiteral("p2-runs"));
    const QJsonArray runs = json["runs"].toArray();
    QCOMPARE(runs.size(), 2);
    QCOMPARE(runs[1]["plan_hash"].toString(), QString::fromStdString(planHash(run(1).plan)));
    QCOMPARE(runs[1]["setting"]["environment"]["NCCL_DEBUG"].toString(), QStringLiteral("INFO"));
    QCOMPARE(runs[0]["when"].toString(), QStringLiteral("2024-02-29T00:00:00.007Z"));
    QCOMPARE(runs[0]["result"]["seconds"]["median"].toDouble(), 0.5);
    QCOMPARE(runs[0]["result"]["steps"][0]["collective"].toString(), QStringLiteral("AllReduce"));
    QCOMPARE(runs[0]["predicted_seconds"].toDouble(), 1.0 / 3);
    QVERIFY(runs[1]["result"].isNull());
    QCOMPARE(runs[1]["problem"].toString(), QStringLiteral("rank 3 was killed"));
  }

  void saysWhatIsWrong_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("no JSON") << R"({"format": "p2-runs",)"
                             << "";
    QTest::newRow("another format") << R"({"format": "p2-plan", "version": 1, "runs": []})"
                                    << "/format: \"p2-plan\" is not a format that can be read here; it needs p2-runs";
    QTest::newRow("newer") << R"({"format": "p2-runs", "version": 9, "runs": []})"
                           << "/version: written by a newer version (9); this one reads version 1";
    QTest::newRow("no list") << R"({"format": "p2-runs", "version": 1, "runs": 3})"
                             << "exported runs are a list of objects";
    QTest::newRow("no object") << R"({"format": "p2-runs", "version": 1, "runs": [{}, 3]})"
                               << "/runs/1: ";
    QTest::newRow("when") << R"({"format": "p2-runs", "version": 1, "runs": [{"when": 3}]})"
                          << "/runs/0/when: ";
  }
  void saysWhatIsWrong() {
    QFETCH(QString, text);
    QFETCH(QString, sentence);
    const auto read = runsFromJson(text.toStdString());
    QVERIFY(!read.ok());
    QVERIFY2(QString::fromStdString(read.error().text()).contains(sentence), read.error().text().c_str());
  }

  // What one cannot use leaves a gap, not the file unread.
  void momentsThatAreNone_data() {
    QTest::addColumn<QString>("when");
    for (const char* when : {"", "yesterday", "2024-02-30T00:00:00.000Z", "2024-02-01T25:00:00.000Z",
                             "2024-02-01T00:00:00.000Z and more", "2024-02-01T00:00:00.-1Z", "2024-02-01"}) {
      QTest::newRow(when) << when;
    }
  }
  void momentsThatAreNone() {
    QFETCH(QString, when);
    const auto read = test::valueOf(
        runsFromJson(QStringLiteral(R"({"format": "p2-runs", "version": 1, "runs": [{"when": "%1", "target": "t"}]})")
                         .arg(when)
                         .toStdString()));
    QVERIFY(!read[0].when);
    QCOMPARE(read[0].target, std::string("t"));
  }

  void looksAtTheBeginning() {
    QVERIFY(!looksLikeRuns(""));
    QVERIFY(!looksLikeRuns("# nccl-tests p2-runs"));
    QVERIFY(!looksLikeRuns(R"({"format": "p2-plan"})"));
    QVERIFY(looksLikeRuns("\n {\"version\": 7, \"format\": \"p2-runs\""));
  }
};

QTEST_GUILESS_MAIN(TestRunsFile)
#include "tst_runs_file.moc"
