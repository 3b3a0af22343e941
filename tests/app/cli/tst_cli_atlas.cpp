// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include "base/units.h"
#include "support/warnings.h"
#include "tests/app/cli/run_p2.h"

using p2::test::Answer;
using p2::test::runP2;

namespace {

QJsonArray tablesOf(const Answer& answer) {
  return QJsonDocument::fromJson(answer.out.toUtf8()).object()["tables"].toArray();
}

}  // namespace

/// p2 atlas: public measurements as text, JSON and CSV.
class TestCliAtlas : public QObject {
  Q_OBJECT
 private slots:
  void init() { p2::test::failOnWarnings(); }

  void listsMachines() {
    const Answer answer = runP2({"atlas", "--list"});
    QCOMPARE(answer.status, 0);
    QCOMPARE(answer.err, QString());
    const QStringList lines = answer.out.split('\n', Qt::SkipEmptyParts);
    QVERIFY(lines.size() > 40);
    QVERIFY2(lines[0].startsWith("machine"), qPrintable(lines[0]));
    const QStringList abci = lines.filter(QRegularExpression("^abci-a100 "));
    QCOMPARE(abci.size(), 1);
    for (const char* word : {"A100-SXM4-40GB", "2 × 8, 4 × 8, 8 × 8, 1 × 4, 1 × 8", "all_reduce, broadcast",
                             "https://github.com/aistabci/abci2.0benchmark/"}) {
      QVERIFY2(abci[0].contains(QString::fromUtf8(word)), qPrintable(abci[0]));
    }
    const Answer reduce = runP2({"atlas", "--list", "--collective", "ReduceScatter"});
    QVERIFY(!reduce.out.contains("abci-a100 ") && reduce.out.contains("mit-b200"));
  }

  void trainingStepsNextToPredictions() {
    const Answer answer = runP2({"atlas", "--training"});
    QCOMPARE(answer.status, 0);
    QVERIFY(answer.out.contains("Narayanan 2021 / A100-80GB / Megatron"));
    const QJsonArray tables = tablesOf(runP2({"atlas", "--training", "--json"}));
    QVERIFY(tables.size() > 80);
    int used = 0;
    for (const auto table : tables) {
      for (const auto each : table.toObject()["runs"].toArray()) {
        const QJsonObject run = each.toObject();
        QVERIFY(run["measured_seconds"].toDouble() > 0);
        if (!run["used"].toBool()) {
          QVERIFY(!run["reason"].toString().isEmpty());
          continue;
        }
        ++used;
        QVERIFY(run["seconds_low"].toDouble() < run["predicted_seconds"].toDouble());
        QVERIFY(run["predicted_seconds"].toDouble() < run["seconds_high"].toDouble());
        QVERIFY(run["mfu"].toDouble() < 1);
        QVERIFY(run["held_out_seconds"].toDouble() > 0);
      }
    }
    QVERIFY(used > 1800);
    QCOMPARE(runP2({"atlas", "--training", "--list"}).status, 2);
  }

  void showsATable() {
    const Answer answer = runP2({"atlas", "sb-a100x8-all_reduce"});
    QCOMPARE(answer.status, 0);
    const QStringList lines = answer.out.split('\n');
    QCOMPARE(lines[0], QString("sb-a100x8-all_reduce: all_reduce on 1 × 8 A100-SXM4-40GB"));
    QVERIFY(lines[2].trimmed().startsWith("https://github.com/microsoft/superbenchmark/"));
    QVERIFY(lines[3].contains("size") && lines[3].contains("time") && lines[3].contains("bus bandwidth"));
    QVERIFY2(lines[4].contains("34.7 µs") && !lines[4].contains("yes"), qPrintable(lines[4]));
    QVERIFY2(lines[5].contains("35.3 µs") && lines[5].endsWith("yes"), qPrintable(lines[5]));
  }

  void machinesShowAllTheirTables() {
    const QJsonArray tables = tablesOf(runP2({"atlas", "abci-a100", "--json"}));
    QCOMPARE(tables.size(), 10);
    const QJsonObject first = tables[0].toObject();
    QCOMPARE(first["nodes"].toInt(), 2);
    QCOMPARE(first["nic_bandwidth"].toDouble(), 25e9);
    QCOMPARE(first["version"].toString(), QString("2.8.4"));
    QVERIFY(first["algorithm"].isNull());
    const QJsonObject row = first["rows"].toArray()[0].toObject();
    QVERIFY(row["seconds"].toDouble() > 1e-6 && row["seconds"].toDouble() < 1e-3);
    QCOMPARE(row["in_place"].toBool(), false);
  }

  // A preset shows what was measured on as many nodes of its kind.
  void presetsShowSimilarMachines() {
    const QJsonArray tables = tablesOf(runP2({"atlas", "dgx-h100:2", "--collective", "all_reduce", "--json"}));
    QVERIFY(tables.size() >= 2);
    for (const QJsonValue& table : tables) {
      QCOMPARE(table["nodes"].toInt(), 2);
      QCOMPARE(table["gpus_per_node"].toInt(), 8);
      QCOMPARE(table["collective"].toString(), QString("all_reduce"));
    }
    QVERIFY(tablesOf(runP2({"atlas", "dgx-h100:2", "--all", "--json"})).size() > tables.size());
  }

  void csvHasALineForEachRow() {
    const Answer rows = runP2({"atlas", "abci-v100-n2-all_reduce", "--csv"});
    const QStringList lines = rows.out.split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines[0], QString("table,collective,in_place,bytes,seconds,bus_bandwidth,predicted_seconds,error"));
    QVERIFY2(lines[1].startsWith("abci-v100-n2-all_reduce,all_reduce,no,"), qPrintable(lines[1]));
    const QJsonArray tables = tablesOf(runP2({"atlas", "abci-v100-n2-all_reduce", "--json"}));
    QCOMPARE(lines.size() - 1, tables[0]["rows"].toArray().size());
    const Answer list = runP2({"atlas", "--list", "--csv"});
    QVERIFY(list.out.startsWith("table,machine,gpu,gpus_per_node,nodes,"));
    QVERIFY(list.out.contains("\"ABCI 2.0 single node, 100 iters\""));
  }

  void predictionsStandBesideWhatWasMeasured() {
    const QStringList ask{"atlas", "sb-a100x8-all_reduce"};
    const QJsonObject table = tablesOf(runP2(ask + QStringList{"--json"}))[0].toObject();
    std::vector<double> above;
    for (const QJsonValue& each : table["rows"].toArray()) {
      const QJsonObject row = each.toObject();
      const double predicted = row["predicted_seconds"].toDouble();
      QVERIFY(predicted > 0);
      QCOMPARE(row["error"].toDouble(), predicted / row["seconds"].toDouble() - 1);
      if (row["bytes"].toDouble() > 4 << 20) above.push_back(std::abs(row["error"].toDouble()));
    }
    const double median = table["median_error"]["above_4MiB"].toDouble();
    QVERIFY(median > 0 && median < 0.25);
    QVERIFY(median >= *std::min_element(above.begin(), above.end()));
    QVERIFY(median <= *std::max_element(above.begin(), above.end()));
    const QString text = runP2(ask).out;
    QVERIFY(text.contains("predicted"));
    QVERIFY2(text.contains("above " + QString::fromStdString(p2::formatPercent(median))), qPrintable(text));
    QVERIFY(text.contains("median error of the nccl model: below 64 KiB "));
  }

  void nothingLikeItIsAnAnswer() {
    const Answer answer = runP2({"atlas", "cpu-cluster:2"});
    QCOMPARE(answer.status, 1);
    QCOMPARE(answer.out, QString("no machine like cpu-cluster:2 was measured; see p2 atlas --list\n"));
    const Answer json = runP2({"atlas", "cpu-cluster:2", "--json"});
    QCOMPARE(json.status, 1);
    QVERIFY(json.out.contains("\"tables\": []"));
  }

  void listsWhatVersionsOfTheLibraryDifferIn() {
    const Answer text = runP2({"atlas", "--versions"});
    QCOMPARE(text.status, 0);
    const QStringList lines = text.out.split('\n', Qt::SkipEmptyParts);
    QVERIFY2(lines[0].startsWith("since  priced  tag"), qPrintable(lines[0]));
    QCOMPARE(lines.filter(QRegularExpression("^2\\.15 +yes +v2\\.15\\.5-1 +LL128 on Hopper$")).size(), 1);
    const Answer json = runP2({"atlas", "--versions", "--json"});
    const QJsonArray changes = QJsonDocument::fromJson(json.out.toUtf8()).object()["changes"].toArray();
    QCOMPARE(changes.size(), lines.size() - 1);
    QCOMPARE(changes[0].toObject()["generations"].toArray()[0].toString(), QString("volta"));
    const Answer csv = runP2({"atlas", "--versions", "--csv"});
    QCOMPARE(csv.out.count('\n'), lines.size());
    QVERIFY(csv.out.contains("2.27,yes,LL128,turing ada,"));
  }

  void badInputGetsOneSentence_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const QStringList& arguments, const char* says) {
      QTest::newRow(name) << arguments << QString(says);
    };
    row("nothing", {}, "p2: name a SYSTEM, or use --list to see them\n");
    row("both", {"--list", "dgx-h100"}, "p2: --list lists all systems; leave out SYSTEM\n");
    row("unknown", {"dgx-h10"}, "p2: \"dgx-h10\" is not a machine or table of p2 atlas --list; SYSTEM: ");
    row("collective", {"--list", "--collective", "scan"},
        "p2: --collective: \"scan\" is not a collective that was measured; use all_reduce, all_gather");
    row("versions of a system", {"dgx-h100", "--versions"}, "p2: SYSTEM excludes --versions; see p2 atlas --help\n");
    row("two formats", {"--list", "--json", "--csv"}, "p2: --json excludes --csv; see p2 atlas --help\n");
  }
  void badInputGetsOneSentence() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    const Answer answer = runP2(QStringList{"atlas"} + arguments);
    QCOMPARE(answer.status, 2);
    QVERIFY2(answer.err.startsWith(says), qPrintable(answer.err));
    QCOMPARE(answer.err.count('\n'), 1);
    QCOMPARE(answer.out, QString());
  }
};

QTEST_GUILESS_MAIN(TestCliAtlas)
#include "tst_cli_atlas.moc"
