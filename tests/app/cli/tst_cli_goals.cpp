// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include "support/warnings.h"
#include "tests/app/cli/run_p2.h"

using p2::test::runP2;

/// Goals other than AllReduce on the command line.
class TestCliGoals : public QObject {
  Q_OBJECT
 private slots:
  void init() { p2::test::failOnWarnings(); }

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

  // Scattered from the inside, the parts lie in another order than the devices; where the memory is known, so is the
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
    QVERIFY(right.out.contains("valid: in the end every device holds a different part of the sum"));
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

  // Hybrid sharding: gradients scattered over the shards and replicated along the replicas.
  void scattersOverSomeAxesOnly() {
    const QStringList machine{"node:4 gpu:8", "--axes", "replica=4,data=8", "--reduce", "replica,data",
                              "--goal",       "rs",     "--scatter",        "data"};
    const auto answer = runP2(QStringList{"simulate"} + machine + QStringList{"--json"});
    QCOMPARE(answer.status, 0);
    const QJsonObject json = QJsonDocument::fromJson(answer.out.toUtf8()).object();
    QCOMPARE(json["goal"].toString(), QString("ReduceScatter"));
    QCOMPARE(json["scatter"].toArray(), QJsonArray{"data"});
    QCOMPARE(json["placements"].toArray().size(), 3);
    for (const QJsonValue& value : json["placements"].toArray()) {
      const QJsonObject placement = value.toObject();
      const double best = placement["best_seconds"].toDouble();
      QVERIFY(best <= placement["flat_seconds"].toDouble() * (1 + 1e-9));
      QVERIFY(placement["limit_seconds"].toDouble() > 0);
      QVERIFY(placement["limit_seconds"].toDouble() <= best * (1 + 1e-9));
      QCOMPARE(placement["flat"].toObject()["steps"].toArray().size(), 2);
    }
    const QString text = runP2(QStringList{"programs"} + machine).out;
    QVERIFY2(text.contains("; ReduceScatter over replica, data, scattered over data\n"), qPrintable(text));
    QVERIFY2(text.contains("RS·AR alone "), qPrintable(text));
    QVERIFY2(text.contains("node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce"), qPrintable(text));
    const auto byNumber = runP2(
        {"programs", "node:4 gpu:8", "--axes", "4,8", "--reduce", "0,1", "--goal", "rs", "--scatter", "1", "--count"});
    const auto byName = runP2(QStringList{"programs"} + machine + QStringList{"--count"});
    QCOMPARE(byNumber.out.section('\n', 1), byName.out.section('\n', 1));
    const auto all = runP2({"programs", "node:4 gpu:8", "--axes", "4,8", "--reduce", "0,1", "--goal", "rs", "--json"});
    const auto named = runP2(
        {"programs", "node:4 gpu:8", "--axes", "4,8", "--reduce", "0,1", "--goal", "rs", "--json", "--scatter", "0,1"});
    QCOMPARE(named.out, all.out);
  }

  void plansChecksAndSweepsShards() {
    const QStringList machine{"node:4 gpu:8", "--axes", "replica=4,data=8", "--reduce", "0,1",
                              "--goal",       "rs",     "--scatter",        "data"};
    const QStringList mixed{"--matrix", "[[2,2],[2,4]]"};
    const auto right =
        runP2(QStringList{"check"} + machine + mixed + QStringList{"RS.root@shards -> AR.root@replicas"});
    QVERIFY2(right.out.contains("every device holds its shard of the sum, replicas the same one"),
             qPrintable(right.err));
    QCOMPARE(right.status, 0);
    const auto early = runP2(QStringList{"check"} + machine + mixed + QStringList{"root:Shards:RS"});
    QCOMPARE(early.status, 1);
    QVERIFY2(early.out.contains("hint: add AllReduce over replicas at the end: "), qPrintable(early.out));
    QTemporaryDir folder;
    const QString file = folder.filePath("plan.json");
    const auto planned =
        runP2(QStringList{"plan"} + machine +
              QStringList{"--matrix", "[[4,1],[1,8]]", "--program", "RS·node; AR·node∥root", "-o", file});
    QVERIFY2(planned.status == 0, qPrintable(planned.err));
    const auto report = runP2({"export", file, "--to", "text"});
    QVERIFY2(report.out.contains("RS·AR"), qPrintable(report.out + report.err));
    QVERIFY2(report.out.contains("replica 4 (reduced, replicated), data 8 (reduced)"), qPrintable(report.out));
    const auto flags = runP2({"export", file, "--to", "degrees"});
    QVERIFY2(flags.out.contains("data_parallel_shard_degree=8"), qPrintable(flags.out + flags.err));
    const auto msccl = runP2({"export", file, "--to", "msccl-xml"});
    QCOMPARE(msccl.status, 2);
    QVERIFY2(msccl.err.contains("leaves replicas of every shard"), qPrintable(msccl.err));
    const auto sweep =
        runP2(QStringList{"sweep"} + machine + QStringList{"--over", "bytes", "--points", "3", "--json"});
    const QJsonObject json = QJsonDocument::fromJson(sweep.out.toUtf8()).object();
    QCOMPARE(json["scatter"].toArray(), QJsonArray{"data"});
    QCOMPARE(json["points"].toArray().size(), 3);
  }

  void refusesAxesThatCannotBeScattered_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("not reduced")
        << QStringList{"--reduce", "0", "--goal", "rs", "--scatter", "b"}
        << "p2: --scatter: axis b is not reduced over, so no sum can be scattered over it; use "
           "one or more of a\n";
    QTest::newRow("unknown") << QStringList{"--reduce", "0,1", "--goal", "rs", "--scatter", "c"}
                             << "p2: --scatter: there is no axis \"c\", so no sum can be scattered over it; use one or "
                                "more of a, b\n";
    QTest::newRow("twice") << QStringList{"--reduce", "0,1", "--goal", "rs", "--scatter", "a,0"}
                           << "p2: --scatter: axis a is named twice; keep one\n";
    QTest::newRow("another goal") << QStringList{"--reduce", "0,1", "--scatter", "a"}
                                  << "p2: --scatter: only a ReduceScatter scatters over some of the axes; add --goal "
                                     "ReduceScatter, or leave --scatter out\n";
    QTest::newRow("size 1")
        << QStringList{"--reduce", "0,2", "--goal", "rs", "--scatter", "one"}
        << "p2: --scatter: every axis that the sum is to be scattered over has size 1; use an axis of "
           "size 2 or more, or the goal AllReduce\n";
  }
  void refusesAxesThatCannotBeScattered() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, sentence);
    const auto answer = runP2(QStringList{"programs", "node:2 gpu:4", "--axes", "a=2,b=4,one=1"} + arguments);
    QCOMPARE(answer.status, 2);
    QCOMPARE(answer.err, sentence);
    QVERIFY(answer.out.isEmpty());
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
