// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QtTest>

#include "support/warnings.h"
#include "tests/app/cli/run_p2.h"

using p2::test::jsonFrom;
using p2::test::runP2;

/// What is answered over ranges of sizes, and with the models of libraries.
class TestCliSweeps : public QObject {
  Q_OBJECT
 private slots:
  void init() { p2::test::failOnWarnings(); }

  // Where NCCL's choice is not the fastest, text and JSON both say so, and where it is neither does.
  void aFasterChoiceThanTheLibrarysIsNamed() {
    int named = 0;
    for (const char* bytes : {"64KiB", "4MiB", "16MiB", "256MiB", "1GiB"}) {
      const QStringList question{"simulate", "dgx-a100:16", "--axes",  "128", "--reduce", "0",
                                 "--bytes",  bytes,         "--limit", "1",   "--best",   "1"};
      const QString text = runP2(question).out;
      const QJsonObject placement = jsonFrom(question)["placements"].toArray()[0].toObject();
      const QJsonObject step = placement["programs"].toArray()[0].toObject()["steps"].toArray()[0].toObject();
      QCOMPARE(step.contains("faster"), text.contains("NCCL would choose"));
      if (!step.contains("faster")) continue;
      const QJsonObject faster = step["faster"].toObject();
      QVERIFY(faster["seconds"].toDouble() * 1.05 <= step["seconds"].toDouble());
      QVERIFY(faster["algorithm"] != step["algorithm"] || faster["protocol"] != step["protocol"]);
      QVERIFY(text.contains(faster["algorithm"].toString() + ", " + faster["protocol"].toString() + " is "));
      ++named;
    }
    QVERIFY(named > 0 && named < 5);
  }

  void systemsWithKnownGpusArePricedByNccl() {
    const QStringList machine{"dgx-h100:4", "--axes", "32", "--reduce", "0", "--bytes", "1GiB", "--best", "1"};
    const QJsonObject answer = jsonFrom(QStringList{"simulate"} + machine);
    QCOMPARE(answer["model"].toString(), QString("nccl"));
    QCOMPARE(answer["algorithm"].toString(), QString("auto"));
    QVERIFY(!answer["leaves_out"].toString().isEmpty());
    const QJsonObject placement = answer["placements"].toArray()[0].toObject();
    const QJsonObject step = placement["programs"].toArray()[0].toObject()["steps"].toArray()[0].toObject();
    QVERIFY(!step["algorithm"].toString().isEmpty() && !step["protocol"].toString().isEmpty());
    QVERIFY(step["latency_seconds"].toDouble() > 0);
    QCOMPARE(step["channels"].toInt(), 8);
    QCOMPARE(step["latency_seconds"].toDouble() + step["bandwidth_seconds"].toDouble(), step["seconds"].toDouble());
    QVERIFY(!placement["allreduce"].toObject()["protocol"].toString().isEmpty());
    const QString text = runP2(QStringList{"simulate"} + machine).out;
    QVERIFY(text.contains("nccl model, auto") && text.contains(", Simple") && text.contains("not modelled: "));
    const QJsonObject paper = jsonFrom(QStringList{"simulate"} + machine + QStringList{"--model", "paper"});
    QCOMPARE(paper["model"].toString(), QString("paper"));
    QCOMPARE(paper["algorithm"].toString(), QString("ring"));
    QVERIFY(paper["leaves_out"].toString() != answer["leaves_out"].toString());
    const QJsonObject priced = paper["placements"].toArray()[0].toObject();
    QCOMPARE(priced["flat_seconds"], priced["allreduce_seconds"]);
    QVERIFY(placement["limit_seconds"].toDouble() > 0);
    QVERIFY(priced["limit_seconds"].toDouble() >= placement["limit_seconds"].toDouble());
  }

  // PAT is in no public table, which is said where it is chosen, in text and in JSON, and nowhere else.
  void whatWasNeverMeasuredIsSaidWhereItIsChosen_data() {
    QTest::addColumn<QStringList>("command");
    QTest::newRow("simulate") << QStringList{"simulate", "--bytes", "1MiB", "--best", "1"};
    QTest::newRow("sweep") << QStringList{"sweep", "--sizes", "1MB..1GB", "--points", "3"};
    QTest::newRow("map") << QStringList{"sweep", "--map", "--sizes", "1MB..1GB", "--points", "3"};
  }
  void whatWasNeverMeasuredIsSaidWhereItIsChosen() {
    QFETCH(QStringList, command);
    const QString pat = "measurements of pat, which is priced by its hops and links alone";
    const auto ask = [&](const QString& algorithm) {
      return command + QStringList{"node:64@50GB/s,3us gpu:1", "--axes", "64", "--reduce", "0", "--goal", "AllGather"} +
             QStringList{"--model", "nccl", "--algorithm", algorithm};
    };
    QVERIFY(runP2(ask("auto")).out.contains(pat));
    QVERIFY(jsonFrom(ask("auto"))["leaves_out"].toString().contains(pat));
    QVERIFY(!runP2(ask("ring")).out.contains(pat));
    QVERIFY(!jsonFrom(ask("ring"))["leaves_out"].toString().contains(pat));
  }

  void sweepsOverSizes() {
    const QStringList ask{"sweep", "alps-gh200:4", "--axes",    "16",       "--reduce",
                          "0",     "--sizes",      "1KB..16GB", "--points", "9"};
    const QJsonObject answer = jsonFrom(ask);
    const QJsonArray points = answer["points"].toArray();
    QCOMPARE(points.size(), 9);
    int gained = 0;
    for (const QJsonValue& each : points) {
      const QJsonObject point = each.toObject();
      const QJsonObject best = point["best"].toObject();
      const QString bytes = QString::number(point["value"].toDouble(), 'g', 17);
      const QJsonObject simulated = jsonFrom({"simulate", "alps-gh200:4", "--axes", "16", "--reduce", "0", "--repeat",
                                              "1", "--best", "1", "--bytes", bytes});
      const QJsonObject placement = simulated["placements"].toArray()[0].toObject();
      QCOMPARE(point["allreduce_seconds"].toDouble(), placement["allreduce_seconds"].toDouble());
      QCOMPARE(best["matrix"].toArray(), placement["matrix"].toArray());
      if (point["gain"].toDouble() > 1) {
        QCOMPARE(best["seconds"].toDouble(), placement["best_seconds"].toDouble());
        ++gained;
      }
      QCOMPARE(best["latency_seconds"].toDouble() + best["bandwidth_seconds"].toDouble(), best["seconds"].toDouble());
      QVERIFY(best["seconds_low"].toDouble() > 0 && best["seconds_low"].toDouble() <= best["seconds"].toDouble());
      QVERIFY(best["seconds_high"].toDouble() >= best["seconds"].toDouble());
      QVERIFY(!best["steps"].toArray()[0].toObject()["protocol"].toString().isEmpty());
    }
    QVERIFY(gained > 0);
    const QJsonArray crossovers = answer["crossovers"].toArray();
    QVERIFY(!crossovers.isEmpty());
    const QString text = runP2(ask).out;
    const QJsonObject last = crossovers.last().toObject();
    QVERIFY2(text.contains(last["to"].toString() + " wins over " + last["from"].toString()), qPrintable(text));
    const QStringList lines = runP2(ask + QStringList{"--csv"}).out.split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 10);
    QVERIFY(lines[0].startsWith("bytes,matrix,program,seconds,latency_seconds,"));
    QCOMPARE(
        jsonFrom({"sweep", "alps-gh200:4", "--axes", "16", "--reduce", "0", "--bytes", "1KB..16GB", "--points", "9"}),
        answer);
  }

  void mapsPlacementsBySize() {
    const QStringList ask{"sweep", "gcp-a100:4", "--axes",    "8,8",      "--reduce", "0",
                          "--map", "--sizes",    "1KB..16GB", "--points", "5"};
    const QJsonObject answer = jsonFrom(ask);
    QCOMPARE(answer["values"].toArray().size(), 5);
    const QJsonArray placements = answer["placements"].toArray();
    QVERIFY(placements.size() >= 2);
    const QJsonArray best = answer["best"].toArray();
    for (int column = 0; column < 5; ++column) {
      const double least = placements[best[column].toInt()].toObject()["seconds"].toArray()[column].toDouble();
      for (const QJsonValue& each : placements) {
        const QJsonObject placement = each.toObject();
        QVERIFY(placement["seconds"].toArray()[column].toDouble() >= least * (1 - 1e-9));
        QVERIFY(placement["winner"].toArray()[column].toInt() < answer["winners"].toArray().size());
        QVERIFY(placement["gain"].toArray()[column].toDouble() >= 1);
      }
    }
    const QString text = runP2(ask).out;
    QVERIFY2(text.contains(answer["winners"].toArray()[0].toString()) && text.contains("of 5"), qPrintable(text));
    const QStringList lines = runP2(ask + QStringList{"--csv"}).out.split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 1 + 5 * placements.size());
  }
};

QTEST_GUILESS_MAIN(TestCliSweeps)
#include "tst_cli_sweeps.moc"
