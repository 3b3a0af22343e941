// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include "support/filled.h"
#include "support/warnings.h"
#include "tests/app/cli/run_p2.h"

using p2::test::Answer;
using p2::test::jsonFrom;
using p2::test::notRefused;
using p2::test::runP2;

/// Llama 3.1 70B on 256 devices: FSDP over data, TP over tensor.
static constexpr const char* kWorkload = R"({"format": "p2-workload", "version": 1,
  "axes": {"data": 32, "tensor": 8},
  "collectives": [
    {"name": "layer weights", "axes": ["data"], "kind": "AllGather", "bytes": 213913600, "count": 160, "overlap": "compute"},
    {"name": "gradients", "axes": ["data"], "kind": "ReduceScatter", "bytes": 427827200, "count": 80, "overlap": "compute"},
    {"name": "activations", "axes": ["tensor"], "kind": "AllGather", "bytes": 2147483648, "count": 480},
    {"name": "activations", "axes": ["tensor"], "kind": "ReduceScatter", "bytes": 2147483648, "count": 480}]})";

class TestCliStep : public QObject {
  Q_OBJECT

  [[nodiscard]] QStringList asked(const QStringList& more = {}) const {
    return QStringList{"step", "dgx-h100:32", "--model", "paper", "--workload", m_folder.filePath("llama.json")} + more;
  }

 private slots:
  void initTestCase() {
    QFile file(m_folder.filePath("llama.json"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(kWorkload) > 0);
  }
  void init() { p2::test::failOnWarnings(); }

  // Llama 3 405B was trained on 16,384 H100 with its tensor parallelism inside the nodes.
  void sixteenThousandDevicesOnRails() {
    // What it assumes of the model stands on standard error.
    const auto placementsOf = [](const QStringList& asked) {
      const QStringList all = asked + QStringList{"--workload", "llama3-405b", "--json"};
      return QJsonDocument::fromJson(runP2(all).out.toUtf8())["placements"].toArray();
    };
    const QJsonArray placements = placementsOf({"step", "dgx-h100:2048"});
    QCOMPARE(placements.size(), 10);
    const QJsonObject best = placements[0].toObject();
    QCOMPARE(best["matrix"].toArray(), (QJsonArray{QJsonArray{128, 1}, QJsonArray{16, 1}, QJsonArray{1, 8}}));
    QVERIFY(best["orders"].toArray().contains("Llama 3"));
    // Groups of the same size that share no link with others take as long on an eighth of the nodes.
    const QJsonArray small = placementsOf({"step", "dgx-h100:256", "--axes", "data=128,pipeline=2,tensor=8"});
    const auto secondsOf = [](const QJsonObject& placement, const char* name) {
      for (const auto& entry : placement["entries"].toArray()) {
        if (entry.toObject()["name"].toString() == name) return entry.toObject()["seconds"].toDouble();
      }
      return 0.0;
    };
    const double large = secondsOf(best, "model gradients");
    QVERIFY(large > 0);
    const double equal = secondsOf(small[0].toObject(), "model gradients");
    QVERIFY2(std::abs(large - equal) < 0.02 * equal, qPrintable(QString("%1 s and %2 s").arg(large).arg(equal)));
  }

  void ranksPlacementsByTheStep() {
    const QJsonObject answer = jsonFrom(asked());
    const QJsonArray placements = answer["placements"].toArray();
    QCOMPARE(placements.size(), 4);
    const QJsonObject best = placements[0].toObject();
    QCOMPARE(best["matrix"].toArray(), (QJsonArray{QJsonArray{32, 1}, QJsonArray{1, 8}}));
    const double exposed = best["exposed_seconds"].toDouble();
    const double overlappable = best["overlappable_seconds"].toDouble();
    QVERIFY(exposed > 4 && exposed < 4.1 && overlappable > 1.3 && overlappable < 1.4);
    QCOMPARE(best["step_seconds"].toDouble(), exposed + overlappable);
    QVERIFY(best["front"].toBool());
    QVERIFY(best["orders"].toArray().contains("Megatron-LM"));
    QVERIFY(best["realisable_by"].toArray().contains("jax"));
    QCOMPARE(best["link_bytes"].toObject().contains("NIC"), true);
    double sum = 0;
    const QJsonArray entries = best["entries"].toArray();
    for (const auto& entry : entries) sum += entry.toObject()["seconds"].toDouble();
    QVERIFY(std::abs(sum - exposed - overlappable) < 1e-9 * sum);
    QCOMPARE(entries.size(), 4);
    QCOMPARE(entries[0].toObject()["name"].toString(), QString("layer weights"));
    QCOMPARE(entries[0].toObject()["program"].toString(), QString("root:InsideGroup:AllGather"));
    for (qsizetype i = 1; i < placements.size(); ++i) {
      QVERIFY(placements[i - 1].toObject()["step_seconds"].toDouble() <=
              placements[i].toObject()["step_seconds"].toDouble());
    }
    const QJsonArray breakEvens = answer["break_evens"].toArray();
    QCOMPARE(breakEvens.size(), 3);
    QCOMPARE(breakEvens[2].toObject()["to"], best["matrix"]);
    QVERIFY(!answer["leaves_out"].toArray().isEmpty());
    QCOMPARE(jsonFrom(asked({"--best", "2"}))["placements"].toArray().size(), 2);
  }

  // Where PAT is chosen, which is in no public table.
  void saysWhatWasNeverMeasured() {
    const QString path = m_folder.filePath("shards.json");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"format": "p2-workload", "version": 1, "axes": {"data": 64},
      "collectives": [{"name": "weights", "axes": ["data"], "kind": "AllGather", "bytes": 1048576}]})");
    file.close();
    const QStringList ask{"step", "node:64@50GB/s,3us gpu:1", "--model", "nccl", "--workload", path};
    const auto leftOut = [](const QJsonObject& answer) {
      QString all;
      for (const auto& sentence : answer["leaves_out"].toArray()) all += sentence.toString() + '\n';
      return all;
    };
    const QString pat = "measurements of pat, which is priced by its hops and links alone";
    QVERIFY(runP2(ask + QStringList{"--algorithm", "auto"}).out.contains(pat));
    QVERIFY(leftOut(jsonFrom(ask + QStringList{"--algorithm", "auto"})).contains(pat));
    QVERIFY(!leftOut(jsonFrom(ask + QStringList{"--algorithm", "ring"})).contains(pat));
  }

  void computationHides() {
    const QJsonObject answer = jsonFrom(asked({"--compute-seconds", "20s", "--slowdown", "2", "--usable", "0.1"}));
    const QJsonObject best = answer["placements"].toArray()[0].toObject();
    QCOMPARE(best["step_seconds"].toDouble(),
             20 + best["exposed_seconds"].toDouble() + 2 * best["overlappable_seconds"].toDouble() - 2);
    const QJsonObject together = jsonFrom(asked({"--concurrent"}))["placements"].toArray()[0].toObject();
    QVERIFY(together["step_seconds"].toDouble() < best["step_seconds"].toDouble() - 20);
    // In the title and above the column.
    const QString bound = "lower bound of the communication per step";
    QCOMPARE(runP2(asked({"--concurrent"})).out.count(bound), 2);
    QVERIFY(!runP2(asked({"--no-concurrent"})).out.contains("lower bound of the"));
  }

  // A workload may say itself how its step runs; what is said on the command line goes before it.
  void theWorkloadSaysHowItRuns() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("workload.json");
    QJsonObject workload = QJsonDocument::fromJson(kWorkload).object();
    workload["compute_seconds"] = 20;
    workload["slowdown"] = 2;
    workload["usable_share"] = 0.1;
    workload["concurrent"] = true;
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QJsonDocument(workload).toJson());
    file.close();
    const auto step = [&](const QStringList& more) {
      return jsonFrom(QStringList{"step", "dgx-h100:32", "--model", "paper", "--workload", path} + more);
    };
    const QJsonObject own = step({});
    QCOMPARE(own["slowdown"].toDouble(), 2.0);
    QCOMPARE(own["usable_share"].toDouble(), 0.1);
    QVERIFY(own["concurrent"].toBool());
    const QStringList stated{"--compute-seconds", "20s", "--slowdown", "2", "--usable", "0.1"};
    QCOMPARE(own["placements"], jsonFrom(asked(stated + QStringList{"--concurrent"}))["placements"]);
    QCOMPARE(step({"--no-concurrent"})["placements"], jsonFrom(asked(stated))["placements"]);
  }

  void theBusiestNicIsOfTheLinks() {
    for (const auto& each : p2::test::filled(jsonFrom(asked())["placements"].toArray())) {
      const QJsonObject placement = each.toObject();
      const QJsonObject nic = placement["between_nodes"].toObject();
      QVERIFY(!nic.isEmpty());
      QCOMPARE(nic["bytes"], placement["link_bytes"].toObject()[nic["interconnect"].toString()]);
      QVERIFY(nic["seconds"].toDouble() > 0);
    }
  }

  void textNamesWhatMatters() {
    const Answer answer = runP2(asked());
    QCOMPARE(answer.status, 0);
    for (const char* part :
         {"●", "Megatron-LM", "over NIC", "not modelled: contention", "can be set up with plain reshape",
          "bytes over tensor per byte over data, here 30.1", "6.77×"}) {
      QVERIFY2(answer.out.contains(part), part);
    }
    QVERIFY(!answer.out.contains("here that would be"));
  }

  // Where computation hides what decides between two groups, the placement that is best for these is not the step's.
  void breakEvensSayWhereTheyDisagree() {
    const QString path = m_folder.filePath("hidden.json");
    QFile file(path);
    QVERIFY(file.open(QFile::WriteOnly));
    file.write(
        R"({"format": "p2-workload", "version": 1, "name": "t", "axes": {"data": 4, "tensor": 4}, "collectives": [
      {"name": "g", "axes": ["data"], "kind": "AllReduce", "bytes": 1600000000, "count": 1, "overlap": "compute"},
      {"name": "t", "axes": ["tensor"], "kind": "AllReduce", "bytes": 400000000, "count": 1}]})");
    file.close();
    const QStringList question{"step", "node:4@8GB/s gpu:4@270GB/s", "--workload", path, "--model", "paper"};
    const Answer hidden = runP2(question + QStringList{"--compute-seconds", "2"});
    QVERIFY2(hidden.out.contains("here that would be [[1,4],[4,1]]; with all communication and its overlap it is "
                                 "[[4,1],[1,4]]\n"),
             qPrintable(hidden.out));
    QVERIFY(!runP2(question).out.contains("here that would be"));
  }

  // Whoever reduces over one axis is told what the other pays.
  void reductionsSayWhatTheOtherAxesPay() {
    const QStringList machine{"dgx-h100:32", "--axes", "data=32,tensor=8", "--reduce", "data"};
    const QJsonObject simulated =
        jsonFrom(QStringList{"simulate"} + machine + QStringList{"--count", "--model", "paper"});
    const QJsonObject first = simulated["placements"].toArray()[0].toObject()["other_axes"].toArray()[0].toObject();
    QCOMPARE(first["axis"].toString(), QString("tensor"));
    QCOMPARE(first["crosses"].toString(), QString("node"));
    QVERIFY(std::abs(first["seconds_per_gib"].toDouble() - 0.0376) < 0.0001);
    QVERIFY(std::abs(first["times_best"].toDouble() - 9) < 0.02);
    const QJsonObject placements = jsonFrom(QStringList{"placements"} + machine);
    QCOMPARE(placements["other_axes"].toArray().size(), placements["matrices"].toArray().size());
    QCOMPARE(placements["other_axes"].toArray()[3].toArray()[0].toObject()["times_best"].toDouble(), 1.0);
    QVERIFY(runP2(QStringList{"placements"} + machine).out.contains("tensor crosses nodes: "));
    const QStringList ranked = machine + QStringList{"--model", "paper", "--best", "1"};
    QVERIFY(runP2(QStringList{"simulate"} + ranked).out.contains("tensor crosses nodes: 37.6 ms/GiB, 8.99× its best"));
  }

  // The bytes of an entry do not follow the sizes of the axes, which is said wherever they differ.
  void otherDegreesAreToldApart() {
    QStringList asks = asked({"--axes", "data=64,tensor=4"});
    const Answer other = runP2(asks);
    QVERIFY2(other.err.contains("they are for data 32, tensor 8"), qPrintable(other.err));
    QVERIFY(other.out.contains("not modelled: the effect of other degrees"));
    const Answer same = runP2(asked({"--axes", "data=32,tensor=8"}));
    QVERIFY2(!same.err.contains("the bytes are those"), qPrintable(same.err));
    QVERIFY(!same.out.contains("the effect of other degrees"));
  }

  void refusesInOneLine_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("part");
    QTest::newRow("no workload") << QStringList{"step", "dgx-h100:32"} << "--workload";
    QTest::newRow("no file") << QStringList{"step", "dgx-h100:32", "--workload", "no.json"} << "--workload";
    QTest::newRow("devices") << asked({"--axes", "data=16,tensor=8"}) << "--axes: the axes are for";
    QTest::newRow("axis") << asked({"--axes", "data=32,model=8"}) << "tensor";
    QTest::newRow("seconds") << asked({"--compute-seconds", "long"}) << "--compute-seconds: \"long\" is not a time";
    QTest::newRow("slowdown") << asked({"--slowdown", "0.5"})
                              << "--slowdown: communication overlapped with computation cannot take less time than "
                                 "alone; write a factor of 1 or more";
    QTest::newRow("goal") << asked({"--goal", "rs"}) << "--goal";
    QTest::newRow("algorithm of another model")
        << QStringList{"step", "dgx-h100:32", "--workload", "llama3-70b", "--model", "paper", "--algorithm", "nvls"}
        << "--algorithm: the paper model has no algorithm nvls";
    QTest::newRow("slowdown text") << asked({"--slowdown", "x"}) << "--slowdown: \"x\" is not a number";
    QTest::newRow("usable") << asked({"--usable", "1.5"}) << "0 to 1";
    QTest::newRow("best") << asked({"--best", "0"}) << "--best: 0 is out of range";
  }
  void refusesInOneLine() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, part);
    QCOMPARE(notRefused(arguments, part), QString());
  }

 private:
  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCliStep)
#include "tst_cli_step.moc"
