// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/app/cli/run_p2.h"

using p2::test::runP2;

/// Goals other than AllReduce on the command line.
class TestCliGoals : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { QTest::failOnWarning(QRegularExpression(".*")); }

  void listsTheProgramsOfAGoal_data() {
    QTest::addColumn<QString>("goal");
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("programs");
    QTest::newRow("reducescatter") << "reducescatter"
                                   << "ReduceScatter" << 3;
    QTest::newRow("ALLGATHER") << "ALLGATHER"
                               << "AllGather" << 3;
    QTest::newRow("Reduce") << "Reduce"
                            << "Reduce" << 2;
    QTest::newRow("broadcast") << "broadcast"
                               << "Broadcast" << 11;
    QTest::newRow("short name") << "rs"
                                << "ReduceScatter" << 3;
    QTest::newRow("allreduce") << "allreduce"
                               << "AllReduce" << 47;
  }
  void listsTheProgramsOfAGoal() {
    QFETCH(QString, goal);
    QFETCH(QString, name);
    QFETCH(int, programs);
    const QStringList machine{"node:2 gpu:4", "--axes", "8", "--reduce", "0", "--goal", goal};
    const auto answer = runP2(QStringList{"simulate"} + machine + QStringList{"--json"});
    QCOMPARE(answer.status, 0);
    const QJsonObject json = QJsonDocument::fromJson(answer.out.toUtf8()).object();
    QCOMPARE(json["goal"].toString(), name);
    QCOMPARE(json["count"].toInt(), programs);
    const QJsonObject placement = json["placements"].toArray()[0].toObject();
    QCOMPARE(placement.contains("allreduce_seconds"), name == "AllReduce");
    // Sums of seconds are rounded, so that ties are ties.
    const double best = placement["best_seconds"].toDouble();
    QVERIFY(best <= placement["flat_seconds"].toDouble() * (1 + 1e-9));
    QVERIFY(placement["limit_seconds"].toDouble() <= best * (1 + 1e-9));
    QVERIFY(placement["limit_seconds"].toDouble() > 0);
    const QString text = runP2(QStringList{"programs"} + machine).out;
    QVERIFY2(text.contains(name + " alone "), qPrintable(text));
    QCOMPARE(text.contains("; " + name + " over axis0"), name != "AllReduce");
  }

  // The bytes are those of the whole vector, so the two halves of an AllReduce take as long as it does.
  void halvesOfAnAllReduceAddUp() {
    const auto secondsOf = [](const char* goal) {
      const auto answer = runP2({"simulate", "node:2 gpu:4", "--axes", "8", "--reduce", "0", "--goal", goal, "--json"});
      const QJsonObject json = QJsonDocument::fromJson(answer.out.toUtf8()).object();
      return json["placements"].toArray()[0].toObject()["best_seconds"].toDouble();
    };
    const double halves = secondsOf("reducescatter") + secondsOf("allgather");
    QVERIFY(std::abs(halves - secondsOf("allreduce")) < 1e-9 * halves);
  }

  // Dealt out from the inside, the parts lie in another order than the devices; where the memory is known, so is the
  // copy that puts them right.
  void saysInWhichOrderPartsLie() {
    const auto programsOf = [](const QString& system, const char* goal) {
      const auto answer = runP2({"simulate", system, "--axes", "8", "--reduce", "0", "--goal", goal, "--json"});
      const QJsonObject json = QJsonDocument::fromJson(answer.out.toUtf8()).object();
      return json["placements"].toArray()[0].toObject()["programs"].toArray();
    };
    const QJsonObject inside = programsOf("node:2 gpu:4", "rs")[0].toObject();
    QCOMPARE(inside["steps"].toArray().size(), 2);
    QCOMPARE(inside["shard_order"].toArray(), (QJsonArray{0, 2, 4, 6, 1, 3, 5, 7}));
    QVERIFY(!inside.contains("local_copy_seconds"));
    const QJsonObject flat = programsOf("node:2 gpu:4", "rs")[1].toObject();
    QCOMPARE(flat["shard_order"].toArray(), (QJsonArray{0, 1, 2, 3, 4, 5, 6, 7}));
    QVERIFY(!programsOf("node:2 gpu:4", "allreduce")[0].toObject().contains("shard_order"));
    const auto text = runP2({"programs", "node:2 gpu:4", "--axes", "8", "--reduce", "0", "--goal", "rs"}).out;
    QVERIFY2(text.contains("shards in the order 0,2,4,6,1,3,5,7"), qPrintable(text));
    const auto known =
        runP2({"simulate", "dgx-a100:2", "--axes", "16", "--reduce", "0", "--goal", "rs", "--matrix", "[[2,8]]"});
    QVERIFY2(known.out.contains("; a copy of "), qPrintable(known.out));
  }

  void checksAndPlansForAGoal() {
    const QStringList machine{"node:2 gpu:4", "--axes", "8", "--reduce", "0", "--matrix", "[[2,4]]"};
    const QString program = "node:InsideGroup:ReduceScatter; node:Parallel(root):ReduceScatter";
    const auto right = runP2(QStringList{"check"} + machine + QStringList{program, "--goal", "rs"});
    QCOMPARE(right.status, 0);
    QVERIFY(right.out.contains("valid: in the end every device holds another part of the sum"));
    const auto wrong = runP2(QStringList{"check"} + machine + QStringList{program});
    QCOMPARE(wrong.status, 1);
    QVERIFY(wrong.out.contains("ends before every device holds the whole sum"));
    QTemporaryDir folder;
    const QString file = folder.filePath("plan.json");
    const auto planned =
        runP2({"plan", "node:2 gpu:4", "--axes", "8", "--reduce", "0", "--goal", "rs", "--program", "1", "-o", file});
    QCOMPARE(planned.status, 0);
    const auto report = runP2({"export", file, "--to", "text"});
    QVERIFY2(report.out.contains("ReduceScatter"), qPrintable(report.out + report.err));
  }

  void refusesUnknownGoals() {
    const auto answer = runP2({"programs", "gpu:4", "--axes", "4", "--reduce", "0", "--goal", "scan"});
    QCOMPARE(answer.status, 2);
    QVERIFY2(answer.err.contains("--goal: \"scan\" is not a goal; use one of AllReduce, ReduceScatter"),
             qPrintable(answer.err));
  }
};

QTEST_GUILESS_MAIN(TestCliGoals)
#include "tst_cli_goals.moc"
