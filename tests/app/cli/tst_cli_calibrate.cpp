// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include "support/warnings.h"
#include "tests/app/cli/run_p2.h"

using p2::test::Answer;
using p2::test::notRefused;
using p2::test::objectIn;
using p2::test::runP2;
using p2::test::writeFile;

/// p2 calibrate: figures of a system fitted to measurements.
class TestCliCalibrate : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { QVERIFY(m_folder.isValid()); }
  void init() { p2::test::failOnWarnings(); }

  void calibratesASystem() {
    const QString measurements = m_folder.filePath("times.csv");
    writeFile(measurements,
              "axes,reduce,matrix,seconds\n"
              "\"4,16\",0,\"[[4,1],[1,16]]\",120\n"
              "\"4,16\",0,\"[[1,4],[4,4]]\",0.2\n"
              "\"4,16\",1,\"[[1,4],[4,4]]\",17.7\n");
    const QString file = m_folder.filePath("calibrated.json");
    const Answer text = runP2({"calibrate", "gcp-a100:4", measurements, "-o", file});
    QCOMPARE(text.err, QString());
    QCOMPARE(text.status, 0);
    QVERIFY(text.out.contains("held-out rows"));
    const QJsonObject answer =
        QJsonDocument::fromJson(runP2({"calibrate", "gcp-a100:4", measurements, "--json"}).out.toUtf8()).object();
    QVERIFY(answer["after"]["median_error"].toDouble() < answer["before"]["median_error"].toDouble());
    QCOMPARE(answer["held_out"]["rows"].toInt(), 3);
    const QJsonValue network = answer["interconnects"][0];
    QCOMPARE(network["bandwidth"].toDouble(), 8e9);
    const QJsonObject written = objectIn(file);
    QVERIFY(written["calibrated"].toBool());
    const QJsonValue link = written["levels"][0]["interconnect"];
    QCOMPARE(link["bandwidth"].toDouble(), 8e9);
    QCOMPARE(link["fittedBandwidth"], network["fitted_bandwidth"]);
    QVERIFY(runP2({"system", file}).out.contains("(fitted "));
  }

  // What a foreign machine was measured to do, under the nccl model: the result predicts better, says what it knows,
  // and gives intervals, which the switch in the file takes away again.
  void calibratesUnderNccl() {
    const QString log = QStringLiteral(P2_TEST_DATA "/nccl/h100x8-cnode3-002-all_reduce.txt");
    const QString file = m_folder.filePath("tuned.json");
    const Answer text = runP2({"calibrate", "dgx-h100:1", log, "--folds", "2", "-o", file});
    QVERIFY2(text.status == 0, qPrintable(text.err));
    for (const char* part : {"by these measurements", "determined", "held out by rows", "80 % of times are within",
                             "other parameters are not determined", "AllReduce inside a node, above 4 MiB"}) {
      QVERIFY2(text.out.contains(part), qPrintable(part + text.out));
    }
    const QJsonObject answer =
        QJsonDocument::fromJson(runP2({"calibrate", "dgx-h100:1", log, "--folds", "2", "--json"}).out.toUtf8())
            .object();
    QVERIFY(answer["after"]["median_error"].toDouble() < 0.6 * answer["before"]["median_error"].toDouble());
    QVERIFY(answer["held_out"]["median_error"].toDouble() < answer["before"]["median_error"].toDouble());
    QCOMPARE(answer["held_out"]["rows"].toInt(), answer["before"]["rows"].toInt());
    QCOMPARE(answer["sizes"].toArray().size(), 1);
    QVERIFY(answer["parameters"].toArray().size() > 80);
    QCOMPARE(answer["ranges"].toArray().size(), 1);
    QJsonObject system = objectIn(file);
    QVERIFY(system["calibrated"].toBool());
    QVERIFY(!system["tuned"].toObject().isEmpty());
    QCOMPARE(system["ranges"].toArray().size(), 1);

    const QStringList asked{"--axes", "8", "--reduce", "0", "--bytes", "64MiB", "--repeat", "1", "--json"};
    const auto simulated = [&](const QString& name) {
      return QJsonDocument::fromJson(runP2(QStringList{"simulate", name} + asked).out.toUtf8())["placements"][0];
    };
    const QJsonValue fitted = simulated(file)["programs"][0];
    QVERIFY(fitted["seconds_low"].toDouble() > 0);
    QVERIFY(fitted["seconds_low"].toDouble() <= fitted["seconds"].toDouble());
    QVERIFY(fitted["seconds_high"].toDouble() >= fitted["seconds"].toDouble());
    system["calibrated"] = false;
    writeFile(file, QString::fromUtf8(QJsonDocument(system).toJson()));
    const QJsonValue off = simulated(file)["programs"][0];
    QCOMPARE(off["seconds"], simulated("dgx-h100:1")["programs"][0]["seconds"]);
    QVERIFY(off["seconds"] != fitted["seconds"]);
    QVERIFY(off["seconds_high"].toDouble() > off["seconds"].toDouble());
    system["tuned"] = QJsonObject{{"hop of hops", 1}};
    writeFile(file, QString::fromUtf8(QJsonDocument(system).toJson()));
    const Answer refused = runP2({"system", file});
    QCOMPARE(refused.status, 2);
    QVERIFY2(refused.err.contains("\"hop of hops\" is not a constant"), qPrintable(refused.err));
    QVERIFY(runP2({"simulate", "dgx-h100:1", "--axes", "8", "--reduce", "0"}).out.contains("–"));
  }

  void refusesInOneLine_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* name, const QStringList& arguments, const char* part) {
      QTest::newRow(name) << arguments << QString::fromUtf8(part);
    };
    row("no measurements", {"calibrate", "gcp-a100:4", data("bad-unknown.txt")}, "no measurements that are known");
    row("model", {"calibrate", "dgx-h100:2", nccl("oci-h100-n2-all_reduce.txt"), "--model", "tarot"},
        "--model: \"tarot\" is not a cost model");
    row("held out", {"calibrate", "dgx-h100:2", nccl("oci-h100-n2-all_reduce.txt"), "--hold-out", "half"},
        "--hold-out: \"half\" cannot be held out");
    row("held out under paper",
        {"calibrate", "dgx-h100:2", nccl("oci-h100-n2-all_reduce.txt"), "--hold-out", "files", "--model", "paper"},
        "--hold-out: under the paper model rows are held out");
    row("another machine", {"calibrate", "dgx-h100:1", nccl("oci-h100-n2-all_reduce.txt")}, "none of its rows");
    row("folds", {"calibrate", "gcp-a100:4", data("bad-unknown.txt"), "--folds", "1"}, "--folds: 1 is out of range");
  }
  void refusesInOneLine() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, part);
    QCOMPARE(notRefused(arguments, part), QString());
  }

 private:
  static QString nccl(const char* file) { return QStringLiteral(P2_TEST_DATA "/nccl/") + QString::fromUtf8(file); }
  static QString data(const char* file) { return QStringLiteral(P2_TEST_DATA "/import/") + QString::fromUtf8(file); }

  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCliCalibrate)
#include "tst_cli_calibrate.moc"
