// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <set>

#include "tests/app/cli/run_p2.h"
#include "tests/support/schemas.h"

using p2::test::Answer;
using p2::test::jsonFrom;
using p2::test::runP2;

namespace {

const QStringList kLlama{"strategy", "llama3-8b", "--model",     "hierarchical", "--system", "dgx-h100:2",
                         "--batch",  "2",         "--passes",    "16",           "--cutoff", "1",
                         "--zero",   "1",         "--recompute", "selective"};

bool isPipelineFile(const QJsonObject& object) {
  return p2::test::schemaAccepts("p2-pipeline", QJsonDocument(object).toJson().toStdString());
}

}  // namespace

class TestCliStages : public QObject {
  Q_OBJECT

 private slots:
  // Every operator is in one stage, every device too; slots, bubble and costs follow from what is listed.
  void listsStages() {
    const QJsonObject found = jsonFrom(kLlama + QStringList{"--stages", "4", "--compare"});
    QVERIFY(isPipelineFile(found));
    const QJsonObject pipeline = found["pipeline"].toObject();
    QCOMPARE(pipeline["slots"].toInt(), 16 + 4 - 1);
    QCOMPARE(pipeline["bubble"].toDouble(), 3.0 / 19);
    const QJsonArray stages = found["stages"].toArray();
    QCOMPARE(stages.size(), 4);
    std::set<QString> operators;
    std::set<int> devices;
    double most = 0;
    for (int i = 0; i < 4; ++i) {
      const QJsonObject stage = stages[i].toObject();
      for (const auto& name : stage["operators"].toArray()) QVERIFY(operators.insert(name.toString()).second);
      for (const auto& device : stage["devices"].toArray()) QVERIFY(devices.insert(device.toInt()).second);
      QCOMPARE(stage["in_flight"].toInt(), 4 - i);
      const double cost = 19 * stage["slot_seconds"].toDouble() + stage["once_seconds"].toDouble();
      QVERIFY(std::abs(cost - stage["cost"].toDouble()) <= 1e-9 * cost);
      most = std::max(most, cost);
    }
    QCOMPARE(int(operators.size()), found["configuration"].toObject().size());
    QCOMPARE(devices.size(), std::size_t{16});
    QVERIFY(std::abs(most - found["cost"].toDouble()) <= 1e-9 * most);
    QVERIFY(pipeline["played_seconds"].toDouble() > 0.8 * most);
    QStringList names;
    for (const auto& each : found["baselines"].toArray()) {
      names << each.toObject()["name"].toString();
      if (names.back().endsWith("+ PP")) QVERIFY(each.toObject()["cost"].toDouble() >= found["cost"].toDouble());
    }
    QCOMPARE(names.mid(0, 3), (QStringList{"one stage", "Megatron TP + PP", "Megatron TP + SP + PP"}));
  }

  // The best of all numbers of stages is as good as each of them; one stage is what is found without the option.
  void autoIsTheBest() {
    const double any = jsonFrom(kLlama + QStringList{"--stages", "auto"})["cost"].toDouble();
    const QJsonObject without = jsonFrom(kLlama);
    QCOMPARE(jsonFrom(kLlama + QStringList{"--stages", "1"}), without);
    QVERIFY(!without.contains("pipeline") && !without.contains("stages"));
    double best = without["cost"].toDouble();
    for (const char* stages : {"2", "4", "8", "16"}) {
      best = std::min(best, jsonFrom(kLlama + QStringList{"--stages", stages})["cost"].toDouble());
    }
    QVERIFY(std::abs(any - best) <= 1e-12 * best);
  }

  void printsATableAndAWorkload() {
    const QString text = runP2(kLlama + QStringList{"--stages", "2"}).out;
    QVERIFY2(text.contains("2 stages of 8 devices"), qPrintable(text));
    QVERIFY(text.contains("16 microbatches in 17 slots of 1F1B: bubble 5.9 %"));
    const Answer workload = runP2(kLlama + QStringList{"--stages", "2", "--as-workload"});
    QCOMPARE(workload.status, 0);
    QVERIFY(workload.out.contains("\"pipeline\"") && workload.out.contains("activations to the next stage"));
    QVERIFY(workload.err.contains("assumed: the workload is that of stage"));
  }

  // As a strategy without stages does.
  void saysWhatIsTakenForGranted() {
    const QStringList mixtral = QStringList(kLlama).replaceInStrings("llama3-8b", "mixtral-8x7b") << "--stages"
                                                                                                  << "4";
    const QJsonObject found = jsonFrom(mixtral);
    QVERIFY(isPipelineFile(found));
    const QJsonArray assumed = found["assumed"].toArray();
    QVERIFY(!assumed.isEmpty());
    const QString text = runP2(mixtral).out;
    QVERIFY2(text.contains("more than 16 devices (64 for the tokens of experts)"), qPrintable(text.left(999)));
    for (const auto& each : assumed) QVERIFY2(text.contains("assumed: " + each.toString()), qPrintable(text.left(999)));
  }

  void refusesInOneLine_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* name, const QStringList& more, const char* part) {
      QTest::newRow(name) << kLlama + more << part;
    };
    row("no divisor", {"--stages", "3"}, "3 stages cannot share 16 devices evenly");
    row("a word", {"--stages", "many"}, "--stages: \"many\" is no number of stages");
    row("none", {"--stages", "0"}, "--stages: ");
    row("pins", {"--stages", "2", "--pin", "output=1,1,1,1"}, "--pin: pins hold on a mesh of all devices");
    row("several", {"--stages", "2", "--best", "3"}, "--best: one pipeline is found");
    row("memory", {"--stages", "2", "--device-memory", "1GB"}, "the one that needs least takes");
    QTest::newRow("flat") << QStringList{"strategy", "mlp", "--stages", "2"} << "--stages: stages lie on the devices";
    QTest::newRow("tables") << QStringList{"strategy", P2_TEST_DATA "/strategy/alexnet_p8.json", "--stages", "2"}
                            << "which do not say what a stage is";
  }
  void refusesInOneLine() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, part);
    const Answer answer = runP2(arguments);
    QCOMPARE(answer.status, 2);
    QCOMPARE(answer.err.count('\n'), 1);
    QVERIFY2(answer.err.contains(part), qPrintable(answer.err));
  }
};

QTEST_GUILESS_MAIN(TestCliStages)
#include "tst_cli_stages.moc"
