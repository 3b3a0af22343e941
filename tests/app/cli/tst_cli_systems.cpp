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
using p2::test::notRefused;
using p2::test::runP2;
using p2::test::writeFile;

/// p2 system and compare, and the states of parts: systems as drawn, degraded and compared.
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
    writeFile(file, runP2({"system", "gcp-a100:4", "--json"}).out);
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

  void slowDevicesChangeNoCollective() {
    const QStringList simulate{"simulate", "dgx-h100:4", "--axes", "32", "--reduce", "0", "--best", "1"};
    const Answer plain = runP2(simulate);
    const Answer slow = runP2(simulate + QStringList{"--degrade", "node 2: 70%"});
    QCOMPARE(slow.err, QString("p2: note: node 2 computes slower; times of collectives stay the same, p2 train "
                               "counts it\n"));
    QVERIFY(!plain.out.isEmpty() && plain.err.isEmpty());
    QCOMPARE(slow.out, plain.out);
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

  void refusesInOneLine_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* name, const QStringList& arguments, const char* part) {
      QTest::newRow(name) << arguments << QString::fromUtf8(part);
    };
    row("bad file for a system", {"system", data("bad-smi-cell.txt")}, "\"PXX\" is not a connection");
    row("nothing fitted", {"simulate", "node:2 gpu:2", "--axes", "4", "--reduce", "0", "--fitted"},
        "--fitted: the system has no fitted figures");
  }
  void refusesInOneLine() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, part);
    QCOMPARE(notRefused(arguments, part), QString());
  }

 private:
  static QString data(const char* file) { return QStringLiteral(P2_TEST_DATA "/import/") + QString::fromUtf8(file); }

  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCliSystems)
#include "tst_cli_systems.moc"
