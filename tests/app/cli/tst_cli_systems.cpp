// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

#include "support/warnings.h"
#include "tests/app/cli/run_p2.h"

using p2::test::Answer;
using p2::test::p2Program;
using p2::test::runP2;

/// p2 system, import and calibrate: where systems and their figures come from.
class TestCliSystems : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { QVERIFY(m_folder.isValid()); }
  void init() { p2::test::failOnWarnings(); }

  void drawsASystem() {
    const Answer answer = runP2({"system", "gcp-a100:4"});
    QCOMPARE(answer.status, 0);
    QVERIFY(
        answer.out.startsWith("gcp-a100:4, 64 devices\n  device: A100-SXM4-40GB, 40.0 GB, 1.55 TB/s, bf16 312 "
                              "TFLOP/s\n  data-centre network: switch of 4 nodes, 8.00 GB/s (fitted "
                              "8.98 GB/s), fitted ring cap 8.52 GB/s"));
    const QString file = m_folder.filePath("a100.json");
    write(file, runP2({"system", "gcp-a100:4", "--json"}).out);
    QCOMPARE(runP2({"system", file}).out, answer.out);
  }

  // No price rests on a figure that nobody gave, unsaid; where there are no prices nobody need care.
  void saysWhichFiguresAreAssumed() {
    const auto errorsOf = [](const char* command, const char* system, const QStringList& more) {
      const Answer answer = runP2(QStringList{command, system, "--axes", "8", "--reduce", "0"} + more);
      return answer.status == 0 ? answer.err : "failed: " + answer.err;
    };
    const QString note =
        "p2: note: assumed bandwidths: 8.00 GB/s between nodes, 270 GB/s between GPUs; "
        "enter your own, as in node:2@50GB/s\n";
    QCOMPARE(errorsOf("simulate", "node:2 gpu:4", {}), note);
    QCOMPARE(errorsOf("simulate", "node:2 gpu:4", {"--json"}), QString());
    QCOMPARE(errorsOf("programs", "node:2 gpu:4", {"--count"}), QString());
    QCOMPARE(errorsOf("simulate", "node:2@50GB/s gpu:4@400GB/s", {}), QString());
    QCOMPARE(runP2({"system", "node:2 gpu:4"}).err, note);
    // What is given is no assumption, though it be the usual figure.
    QCOMPARE(runP2({"system", "node:2@8GB/s gpu:4@2us,270GB/s"}).err, QString());
    QVERIFY(errorsOf("simulate", "node:2@64Gbit/s gpu:4", {})
                .startsWith("p2: note: assumed bandwidths: 270 GB/s between GPUs; enter"));
  }

  void degradedPartsCost() {
    const QStringList simulate{"simulate", "dgx-h100:4", "--axes", "32", "--reduce", "0", "--best", "1", "--json"};
    const auto secondsWith = [&](const QStringList& states) {
      QStringList arguments = simulate;
      for (const QString& state : states) arguments += {"--degrade", state};
      const Answer answer = runP2(arguments);
      const QJsonObject best = QJsonDocument::fromJson(answer.out.toUtf8()).object();
      return best["placements"].toArray()[0].toObject()["best_seconds"].toDouble();
    };
    const double plain = secondsWith({});
    QVERIFY(plain > 0);
    const double half = secondsWith({"rail 3 of node 1: 50%"});
    const double dead = secondsWith({"NIC 3 of node 1: down"});
    QVERIFY2(half > 1.2 * plain && half < 2.05 * plain, qPrintable(QString::number(half / plain)));
    QVERIFY2(dead > 1.2 * plain && dead < 2.05 * plain, qPrintable(QString::number(dead / plain)));
    // A ring on rails does not cross the spine.
    QCOMPARE(secondsWith({"spine: shared by 2 jobs"}), plain);
    QVERIFY(secondsWith({"rail 3 of node 1: 50%", "NIC 2 of node 0: 25%"}) > half);
  }

  void statesThatAreNone() {
    const auto errorOf = [](const char* state) {
      return runP2({"simulate", "dgx-h100:4", "--axes", "32", "--reduce", "0", "--degrade", state}).err;
    };
    QCOMPARE(errorOf("rail 9 of node 1: 50%"), QString("p2: --degrade: there is no rail 9; use rail 0 to rail 7\n"));
    QVERIFY(errorOf("router 1: 50%")
                .startsWith("p2: --degrade: nothing is called \"router 1\"; there are node 0 to node 3"));
    QVERIFY(errorOf("rail 3 of node 1").startsWith("p2: --degrade: \"rail 3 of node 1\" is not a state; write"));
  }

  void aNodeThatIsDownIsTakenAway() {
    const Answer answer = runP2({"simulate", "dgx-h100:4", "--axes", "24", "--reduce", "0", "--degrade", "Node 1: down",
                                 "--best", "1", "--json"});
    QCOMPARE(answer.err, QString("p2: note: without the parts that are down 24 devices are left; nodes have "
                                 "new numbers\n"));
    const Answer three = runP2({"simulate", "dgx-h100:3", "--axes", "24", "--reduce", "0", "--best", "1", "--json"});
    const auto secondsOf = [](const Answer& each) {
      const QJsonObject best = QJsonDocument::fromJson(each.out.toUtf8()).object();
      return best["placements"].toArray()[0].toObject()["best_seconds"].toDouble();
    };
    QVERIFY(secondsOf(three) > 0);
    QCOMPARE(secondsOf(answer), secondsOf(three));
  }

  void comparesMachines() {
    const Answer answer = runP2({"compare", "dgx-h100:4", "dgx-h100:4", "--degrade", "NIC 3 of node 1: down", "--axes",
                                 "4,8", "--reduce", "0", "--json"});
    QCOMPARE(answer.err, QString());
    const QJsonObject json = QJsonDocument::fromJson(answer.out.toUtf8()).object();
    const QJsonArray placements = json["placements"].toArray();
    QVERIFY(placements.size() > 1);
    for (const QJsonValue& each : placements) {
      QVERIFY(each["b_seconds"].toDouble() >= each["a_seconds"].toDouble());
      QCOMPARE(each["ratio"].toDouble(), each["b_seconds"].toDouble() / each["a_seconds"].toDouble());
    }
    QVERIFY(placements.last()["b_link"].toString().contains("NIC"));
    const Answer asked = runP2({"compare", "dgx-h100:4", "dgx-h100:4"});
    QCOMPARE(asked.status, 2);
    QVERIFY(asked.err.contains("there is nothing to compare"));
  }

  void comparesADocument() {
    QTemporaryDir folder;
    const QString path = folder.filePath("job.p2.json");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"format": "p2-workspace", "version": 1, "system": {"name": "two", "levels": [
      {"name": "node", "count": 2, "interconnect": {"kind": "switch", "bandwidth": 5e10}},
      {"name": "gpu", "count": 8, "interconnect": {"kind": "switch", "bandwidth": 4.5e11}}],
      "library": {"generation": "hopper"}, "accelerator": {"type": "H100-SXM5-80GB"}},
      "axes": [{"name": "data", "size": 2}, {"name": "tensor", "size": 8}], "reduce": [0],
      "training": {"model": "llama3-8b", "batch": 64,
                   "chosen": {"framework": "megatron", "choices": "tp=8,pp=1"}}})");
    file.close();
    const Answer answer = runP2({"compare", path, "dgx-b200:2", "--json"});
    QCOMPARE(answer.err, QString());
    const QJsonObject json = QJsonDocument::fromJson(answer.out.toUtf8()).object();
    const QJsonObject step = json["step"].toObject();
    QVERIFY(step["a_is_chosen"].toBool());
    QVERIFY(step["a"].toObject()["configuration"].toString().startsWith("tp=8,pp=1"));
    QCOMPARE(step["deciding_part"].toString(), QString("computation"));
    double sum = 0;
    for (const QJsonValue& part : step["parts"].toArray()) sum += part.toObject()["b_seconds"].toDouble();
    const double whole = step["kept"].toObject()["seconds"].toDouble();
    QVERIFY(whole > 0 && std::abs(sum - whole) < 1e-9 * whole);
    QVERIFY(!json["placements"].toArray().isEmpty());
    // Axes of another number of devices are no reason against the comparison of steps.
    const Answer more = runP2({"compare", path, "dgx-b200:4"});
    QCOMPARE(more.status, 0);
    QVERIFY2(more.out.contains("are not compared: B: the axes are for"), qPrintable(more.out));
  }

  // What nothing crosses costs nothing, which is said where it cannot get into the answer.
  void notesFiguresThatNothingCrosses() {
    const Answer quiet = runP2({"placements", "rack:1 node:2 gpu:4", "--axes", "8"});
    QCOMPARE(quiet.err, QString());
    const Answer answer = runP2({"placements", "rack:1@100GB/s node:2 gpu:4", "--axes", "8"});
    QCOMPARE(answer.status, 0);
    QVERIFY2(answer.err.startsWith("p2: note: level rack has one instance"), qPrintable(answer.err));
    QCOMPARE(answer.err.count('\n'), 1);
    QVERIFY(!answer.out.contains("note"));
  }

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
    QCOMPARE(json["system"], QJsonValue(object(file)));
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
    QVERIFY2(text.out.contains("1 logged choice left out: they are of more ranks than the system has devices"),
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

  void calibratesASystem() {
    const QString measurements = m_folder.filePath("times.csv");
    write(measurements,
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
    const QJsonObject written = object(file);
    QVERIFY(written["calibrated"].toBool());
    const QJsonValue link = written["levels"][0]["interconnect"];
    QCOMPARE(link["bandwidth"].toDouble(), 8e9);
    QCOMPARE(link["fittedBandwidth"], network["fitted_bandwidth"]);
    QVERIFY(runP2({"system", file}).out.contains("(fitted "));
  }

  // The paper's presets have figures fitted to its measurements: one NIC carries 11.7 GB/s rather than 8.
  void fittedFiguresAreOneOptionAway() {
    const QStringList command{"simulate", "gcp-v100:2",    "--axes", "2,8", "--reduce", "0",
                              "--matrix", "[[2,1],[1,8]]", "--best", "1",   "--json"};
    const auto seconds = [](const QStringList& arguments) {
      const Answer answer = runP2(arguments);
      return QJsonDocument::fromJson(answer.out.toUtf8())["placements"][0]["allreduce_seconds"].toDouble();
    };
    const double nominal = seconds(command);
    const double fitted = seconds(command + QStringList{"--fitted"});
    QVERIFY(std::abs(nominal - 21.47) < 0.01);
    QVERIFY2(std::abs(fitted / 14.53 - 1) < 0.05, qPrintable(QString::number(fitted)));
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
    QJsonObject system = object(file);
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
    write(file, QString::fromUtf8(QJsonDocument(system).toJson()));
    const QJsonValue off = simulated(file)["programs"][0];
    QCOMPARE(off["seconds"], simulated("dgx-h100:1")["programs"][0]["seconds"]);
    QVERIFY(off["seconds"] != fitted["seconds"]);
    QVERIFY(off["seconds_high"].toDouble() > off["seconds"].toDouble());
    system["tuned"] = QJsonObject{{"hop of hops", 1}};
    write(file, QString::fromUtf8(QJsonDocument(system).toJson()));
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
    row("bad file for a system", {"system", data("bad-smi-cell.txt")}, "\"PXX\" is not a connection");
    row("a speed", {"import", data("smi-pcie.txt"), "--pcie", "fast"}, "--pcie: ");
    row("nodes of several files", {"import", data("smi-pcie.txt"), data("smi-ring.txt"), "--nodes", "2"},
        "several files describe one node each");
    row("no measurements", {"calibrate", "gcp-a100:4", data("bad-unknown.txt")}, "no measurements that are known");
    row("nothing fitted", {"simulate", "node:2 gpu:2", "--axes", "4", "--reduce", "0", "--fitted"},
        "--fitted: the system has no fitted figures");
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
    const Answer answer = runP2(arguments);
    QVERIFY2(answer.status == 2, qPrintable(answer.out.left(300) + answer.err));
    QCOMPARE(answer.out, QString());
    QCOMPARE(answer.err.count('\n'), 1);
    QVERIFY(answer.err.startsWith("p2: "));
    QVERIFY2(answer.err.contains(part), qPrintable(answer.err));
  }

 private:
  static QString nccl(const char* file) { return QStringLiteral(P2_TEST_DATA "/nccl/") + QString::fromUtf8(file); }
  static QString data(const char* file) { return QStringLiteral(P2_TEST_DATA "/import/") + QString::fromUtf8(file); }

  QString large(qint64 mebibytes = 96) {
    QFile file(m_folder.filePath(QString::number(mebibytes)));
    if (!file.open(QFile::WriteOnly) || !file.resize(mebibytes << 20)) qFatal("cannot write a large file");
    return file.fileName();
  }
  static void write(const QString& name, const QString& text) {
    QFile file(name);
    QVERIFY(file.open(QFile::WriteOnly));
    file.write(text.toUtf8());
  }
  static QJsonObject object(const QString& name) {
    QFile file(name);
    if (!file.open(QFile::ReadOnly)) return {};
    return QJsonDocument::fromJson(file.readAll()).object();
  }

  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCliSystems)
#include "tst_cli_systems.moc"
