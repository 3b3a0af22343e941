// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QTest>

#include "tests/app/cli/example_request.h"

using namespace p2::test;

// What p2 check says of programs, most of them wrong.
class TestCliCheck : public QObject {
  Q_OBJECT

  static Answer check(const QString& program, const QStringList& more = {}) {
    return runP2(QStringList{"check", "node:2 gpu:4", "--axes", "8", "--reduce", "0", "--matrix", "[[2,4]]", program} +
                 more);
  }
  static QJsonObject answer(const QString& program) {
    const Answer given = check(program, {"--json"});
    return given.status == 1 ? QJsonDocument::fromJson(given.out.toUtf8()).object() : QJsonObject{};
  }

 private slots:
  void checksAValidProgram() {
    const QJsonObject answer = jsonFrom(aboutExample(
        "check",
        exampleMatrix() +
            QStringList{"node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather"}));
    QCOMPARE(answer["valid"].toBool(), true);
    QCOMPARE(answer["steps"].toArray().size(), 3);
    QCOMPARE(answer["steps"][1]["rule"].toString(), QString("AllReduce"));
  }

  void namesTheFailingPremise() {
    const QJsonObject answer = jsonFrom(
        aboutExample(
            "check",
            exampleMatrix() +
                QStringList{"node:InsideGroup:ReduceScatter; root:InsideGroup:AllReduce; node:InsideGroup:AllGather"}),
        1);
    QCOMPARE(answer["valid"].toBool(true), false);
    QCOMPARE(answer["steps"].toArray().size(), 2);
    const QJsonValue failed = answer["steps"][1];
    QCOMPARE(failed["rule"].toString(), QString("AllReduce"));
    QCOMPARE(failed["premise"].toString(), QString("every member holds the same chunks"));
    QCOMPARE(failed["group"].toArray().size(), 32);
    QCOMPARE(failed["members"].toArray(), QJsonArray({0, 1}));
    QCOMPARE(failed["sentence"].toString(), QString("device 0 holds chunk 0 but device 1 does not"));
  }

  void findsProgramsIncomplete() {
    const Answer answer = runP2(aboutExample("check", exampleMatrix() + QStringList{"node:InsideGroup:AllReduce"}));
    QCOMPARE(answer.status, 1);
    QVERIFY2(answer.out.contains("ends before every device holds the whole sum"), qPrintable(answer.out));
  }

  void checksGroupsTooLargeToDraw() {
    const QStringList request{"check", "node:32 gpu:16", "--axes", "512", "--reduce", "0", "--matrix", "[[32,16]]"};
    QCOMPARE(jsonFrom(request + QStringList{"root:InsideGroup:AllReduce"})["valid"].toBool(), true);
    const QJsonObject failing = jsonFrom(request + QStringList{"root:InsideGroup:AllGather"}, 1);
    QCOMPARE(failing["valid"].toBool(true), false);
    QCOMPARE(failing["steps"].toArray().size(), 1);
  }

  void wrongStepsListTheirPairs() {
    const QJsonObject wrong = answer("AllReduce·node → AllReduce·node");
    QCOMPARE(wrong["failing_pairs"]["count"].toInt(), 96);
    QCOMPARE(wrong["failing_pairs"]["pairs"].toArray().size(), 96);
    QCOMPARE(wrong["failing_pairs"]["pairs"][0]["sentence"], wrong["sentence"]);
    QCOMPARE(wrong["failing_pairs"]["pairs"][0]["members"].toArray(), QJsonArray({0, 1}));
    QCOMPARE(wrong["hint"]["program"].toString(), QString("node:InsideGroup:AllReduce; node:Parallel(root):AllReduce"));
    QVERIFY(!wrong.contains("missing"));
    const Answer text = check("AllReduce·node → AllReduce·node");
    QVERIFY2(
        text.out.contains("5 of 96: ") &&
            text.out.contains(
                "hint: make step 2 AllReduce across nodes: node:InsideGroup:AllReduce; node:Parallel(root):AllReduce"),
        qPrintable(text.out));
  }

  void aBroadcastOfNothingSaysWhy() {
    const QJsonObject wrong = answer("root:InsideGroup:Broadcast");
    QCOMPARE(wrong["sentence"].toString(),
             QString("Broadcast would erase device 1's contribution to chunk 0 from device 1: the root, device 0, does "
                     "not have it"));
    QCOMPARE(wrong["hint"]["program"].toString(), QString("root:InsideGroup:AllReduce"));
  }

  void shortProgramsSayWhatIsMissing() {
    const QJsonObject early = answer("AllReduce·node");
    QCOMPARE(early["missing"]["count"].toInt(), 64);
    QCOMPARE(early["missing"]["parts"][0]["device"].toInt(), 0);
    QCOMPARE(early["missing"]["parts"][0]["chunk"].toInt(), 0);
    QCOMPARE(early["missing"]["parts"][0]["contributors"].toArray(), QJsonArray({4, 5, 6, 7}));
    QVERIFY(!early.contains("failing_pairs"));
    QCOMPARE(early["hint"]["sentence"].toString(), QString("add AllReduce across nodes at the end"));
  }

  void titlesAreReadWhereTheyAreClear() {
    QCOMPARE(check("AR").status, 0);
    const Answer ambiguous = check("RS·AR·AG");
    QCOMPARE(ambiguous.status, 2);
    QVERIFY2(ambiguous.err.contains("PROGRAM: RS·AR·AG can be read in 2 ways"), qPrintable(ambiguous.err));
  }
};

QTEST_GUILESS_MAIN(TestCliCheck)
#include "tst_cli_check.moc"
