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
using p2::test::p2Program;
using p2::test::runP2;

/// p2 import: systems from the descriptions of other programs.
class TestCliImport : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { QVERIFY(m_folder.isValid()); }
  void init() { p2::test::failOnWarnings(); }

  void importsAndDrawsTheSame_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("hwloc") << QStringList{data("hwloc-gpus.xml")};
    QTest::newRow("NCCL") << QStringList{data("nccl-ring.xml"), "--nodes", "4"};
    QTest::newRow("nvidia-smi") << QStringList{data("smi-cube-mesh.txt"), "--nodes", "2"};
    QTest::newRow("ASTRA-sim") << QStringList{data("astra-three-dimensions.yml")};
    QTest::newRow("synthetic") << QStringList{"--synthetic", "pack:2 core:4 pu:2"};
    QTest::newRow("this machine") << QStringList{"--this-machine"};
  }
  void importsAndDrawsTheSame() {
    QFETCH(QStringList, arguments);
    const QString file = m_folder.filePath("system.json");
    const Answer preview = runP2(QStringList{"import"} + arguments + QStringList{"-o", file});
    QCOMPARE(preview.err, QString());
    QCOMPARE(preview.status, 0);
    QVERIFY(preview.out.contains("understood"));
    const Answer drawing = runP2({"system", file});
    QCOMPARE(drawing.status, 0);
    QVERIFY2(preview.out.endsWith("\n\n" + drawing.out), qPrintable(preview.out + drawing.out));
    const Answer answer = runP2(QStringList{"import"} + arguments + QStringList{"--json"});
    const QJsonObject json = QJsonDocument::fromJson(answer.out.toUtf8()).object();
    QVERIFY(!json["source"].toString().isEmpty());
    for (const char* key : {"understood", "assumed", "ignored"}) QVERIFY(json[QString(key)].isArray());
    QCOMPARE(json["system"], QJsonValue(objectIn(file)));
  }

  void importsStandardInputAndOurOwnSystems() {
    const QString file = m_folder.filePath("own.json");
    QCOMPARE(runP2({"import", data("smi-nvswitch.txt"), "-o", file}).status, 0);
    const Answer own = runP2({"import", file});
    QVERIFY2(own.out.startsWith("P² Explorer: 8 GPUs"), qPrintable(own.out + own.err));
    QProcess process;
    process.setStandardInputFile(data("smi-nvswitch.txt"));
    process.start(p2Program(), {"import", "-"});
    QVERIFY(process.waitForFinished());
    QCOMPARE(QString::fromUtf8(process.readAllStandardOutput()), runP2({"import", data("smi-nvswitch.txt")}).out);
  }

  // A log with choices for collectives, and a training script in the place of a system.
  void importsNcclsChoices() {
    QTemporaryDir folder;
    QFile log(folder.filePath("nccl.log"));
    QFile sample(P2_TEST_DATA "/import/nccl-info.txt");
    QVERIFY(log.open(QIODevice::WriteOnly) && sample.open(QIODevice::ReadOnly));
    log.write(sample.readAll());
    const QByteArray mark = "node-a:4021:4088 [0] NCCL INFO ";
    log.write(mark + "comm 0x55 rank 0 nRanks 4 nNodes 1 localRanks 4 localRank 0 MNNVL 0\n");
    log.write(mark + "AllReduce: 4 Bytes -> Algo TREE proto LL channel{Lo..Hi}={0..0}\n");
    log.write(mark + "AllReduce: 268435456 Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={0..15}\n");
    log.write(mark + "comm 0x56 rank 0 nRanks 64 nNodes 16 localRanks 4 localRank 0 MNNVL 0\n");
    log.write(mark + "AllReduce: 8 Bytes -> Algo TREE proto LL channel{Lo..Hi}={0..0}\n");
    log.close();
    const QJsonObject answer =
        QJsonDocument::fromJson(runP2({"import", log.fileName(), "--json"}).out.toUtf8()).object();
    const QJsonArray choices = answer["choices"].toArray();
    QCOMPARE(choices.size(), 2);
    QCOMPARE(choices[1]["algorithm"].toString(), QStringLiteral("RING"));
    QCOMPARE(choices[1]["channels"].toInt(), 16);
    QVERIFY(!choices[1]["expected_algorithm"].toString().isEmpty());
    QVERIFY(choices[1]["expected_seconds"].toDouble() > 0);
    const Answer text = runP2({"import", log.fileName()});
    QVERIFY2(text.out.contains("1 logged choice left out: they have more ranks than the system has devices"),
             qPrintable(text.out));
    QFile script(folder.filePath("train.sh"));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("--tensor-model-parallel-size 4\n--micro-batch-size 1\n--global-batch-size 64\n");
    script.close();
    const Answer refused = runP2({"import", script.fileName()});
    QCOMPARE(refused.status, 2);
    QVERIFY2(refused.err.contains("p2 train MODEL SYSTEM --evaluate"), qPrintable(refused.err));
  }

  void importsSpeedsAndDifferentNodes() {
    const Answer faster = runP2({"import", data("smi-nvswitch.txt"), "--nvlink", "50GB/s"});
    QVERIFY2(faster.out.contains("NVSwitch: switch of 8 gpus, 600 GB/s"), qPrintable(faster.out + faster.err));
    const Answer nodes = runP2({"import", data("smi-nvswitch.txt"), data("mi300-xgmi.xml"), "--nic", "400Gbit/s"});
    QVERIFY2(nodes.out.contains("2 nodes × 8 GPUs"), qPrintable(nodes.out + nodes.err));
    QVERIFY(nodes.out.contains("n1-NIC"));
  }

  // Wherever a system is asked for, a description of another program will do.
  void importsUnasked() {
    const Answer answer = runP2({"placements", data("smi-nvswitch.txt"), "--axes", "4,2", "--json"});
    QCOMPARE(answer.status, 0);
    QCOMPARE(QJsonDocument::fromJson(answer.out.toUtf8())["count"].toInt(), 1);
  }

  void refusesInOneLine_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* name, const QStringList& arguments, const char* part) {
      QTest::newRow(name) << arguments << QString::fromUtf8(part);
    };
    row("nothing to import", {"import"}, "name one thing to import");
    row("two things to import", {"import", data("astra-ring.yml"), "--this-machine"}, "name one thing to import");
    row("no such file", {"import", "missing.xml"}, "there is no such file");
    row("entities", {"import", data("bad-xml-entities.xml")}, "XML entities");
    row("truncated", {"import", data("bad-xml-truncated.xml")}, "broken or ends too early");
    row("unequal lists", {"import", data("bad-astra-lengths.yml")}, "lists 1 value");
    row("no GPU", {"import", data("bad-smi-no-gpu.txt")}, "the matrix has no GPU");
    row("100 MB", {"import", large()}, "larger than 64 MiB");
    row("17 MiB", {"import", large(17)}, "it has 17 MiB");
    row("synthetic", {"import", "--synthetic", "racks:2"}, "--synthetic: \"racks:2\" is not a machine");
    row("no nodes", {"import", data("astra-ring.yml"), "--nodes", "0"}, "--nodes: 0 is out of range");
    row("nodes of a cluster", {"import", data("astra-ring.yml"), "--nodes", "2"}, "describes a whole cluster");
    row("too many devices", {"import", data("smi-pcie.txt"), "--nodes", "16000000"}, "more than 16777216 devices");
    row("a speed", {"import", data("smi-pcie.txt"), "--pcie", "fast"}, "--pcie: ");
    row("nodes of several files", {"import", data("smi-pcie.txt"), data("smi-ring.txt"), "--nodes", "2"},
        "several files describe one node each");
  }
  void refusesInOneLine() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, part);
    QCOMPARE(notRefused(arguments, part), QString());
  }

 private:
  static QString data(const char* file) { return QStringLiteral(P2_TEST_DATA "/import/") + QString::fromUtf8(file); }
  QString large(qint64 mebibytes = 96) {
    QFile file(m_folder.filePath(QString::number(mebibytes)));
    if (!file.open(QFile::WriteOnly) || !file.resize(mebibytes << 20)) qFatal("cannot write a large file");
    return file.fileName();
  }

  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCliImport)
#include "tst_cli_import.moc"
