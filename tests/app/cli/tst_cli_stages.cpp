// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <set>

#include "tests/app/cli/run_p2.h"
#include "tests/support/schemas.h"

using p2::test::Answer;
using p2::test::jsonFrom;
using p2::test::notRefused;
using p2::test::runP2;

namespace {

const QStringList kLlama{"strategy", "llama3-8b", "--model",     "hierarchical", "--system", "dgx-h100:2",
                         "--batch",  "2",         "--passes",    "16",           "--cutoff", "1",
                         "--zero",   "1",         "--recompute", "selective"};

bool isAccepted(const QJsonObject& object, const char* schema) {
  return p2::test::schemaAccepts(schema, QJsonDocument(object).toJson().toStdString());
}

bool isPipelineFile(const QJsonObject& object) { return isAccepted(object, "p2-pipeline"); }

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
    QCOMPARE(found["cost"].toDouble(), pipeline["played_seconds"].toDouble());
    QVERIFY(found["cost"].toDouble() > 0.8 * most);
    QVERIFY(found["cost"].toDouble() >= found["lower_bound"].toDouble());
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
    QJsonObject without = jsonFrom(kLlama);
    QJsonObject one = jsonFrom(kLlama + QStringList{"--stages", "1"});
    // Only where it is not asked for, a pipeline is assumed to be none.
    const QJsonArray assumed = without.take("assumed").toArray();
    QVERIFY(assumed.contains("no pipeline (--stages)"));
    QCOMPARE(one.take("assumed").toArray().size() + 1, assumed.size());
    QCOMPARE(one, without);
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
    QVERIFY2(workload.err.contains("p2: assumed: ") && workload.err.contains("the workload describes stage"),
             qPrintable(workload.err));
  }

  // What was written is priced as it was found, on its stages and meshes.
  void aFileIsPricedAgain() {
    const QStringList asked = kLlama + QStringList{"--stages", "4"};
    const QString path = m_folder.filePath("pipeline.json");
    QCOMPARE(runP2(asked + QStringList{"-o", path}).status, 0);
    const QJsonObject file = fileAt(path);
    QVERIFY(isAccepted(file, "p2-strategy"));
    QCOMPARE(file["stages"].toArray().size(), 4);
    const QJsonObject found = jsonFrom(asked);
    const QJsonObject again = jsonFrom(kLlama + QStringList{"--evaluate", path});
    QVERIFY(isPipelineFile(again));
    QCOMPARE(again["cost"].toDouble(), found["cost"].toDouble());
    QCOMPARE(again["parts"], found["parts"]);
    QCOMPARE(again["axes"], found["axes"]);
    QCOMPARE(again["stages"], found["stages"]);
    QVERIFY(!again["optimal"].toBool() && !again.contains("gap"));
    const QString text = runP2(kLlama + QStringList{"--evaluate", path}).out;
    QVERIFY2(text.contains(", evaluated\n4 stages of 4 devices"), qPrintable(text.left(500)));
    // One that does not fit is priced all the same, and the answer is no.
    QCOMPARE(runP2(kLlama + QStringList{"--evaluate", path, "--device-memory", "1GB"}).status, 1);
    QVERIFY(runP2(kLlama + QStringList{"--evaluate", path, "--as-workload"}).out.contains("\"pipeline\""));
    // One stage that is the best of all is a strategy like any other.
    const QString whole = m_folder.filePath("whole.json");
    QStringList one = kLlama;
    one[one.indexOf("16")] = "1";
    QCOMPARE(runP2(one + QStringList{"--stages", "auto", "-o", whole}).status, 0);
    QVERIFY(!fileAt(whole).contains("stages"));
    QVERIFY(fileAt(whole).contains("mesh"));
    QCOMPARE(runP2(one + QStringList{"--evaluate", whole}).status, 0);
  }

  void mistakesInAFileGetASentence_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("part");
    QTest::newRow("a stage too few") << R"("factors": [2,2])"
                                     << R"("factors": [2,1])"
                                     << "2 stages, and 4 stages";
    QTest::newRow("no divisor") << R"("factors": [2,2])"
                                << R"("factors": [2,3])"
                                << "/pipeline/factors/1";
    QTest::newRow("levels") << R"("factors": [2,2])"
                            << R"("factors": [4])"
                            << "the system has 2 levels, not 1";
    QTest::newRow("an operator of the next stage") << R"("embedding",)"
                                                   << R"("loss", "embedding",)"
                                                   << "is in two stages";
    QTest::newRow("an unknown one") << R"("embedding",)"
                                    << R"("embeding",)"
                                    << "no vertex \"embeding\"";
    QTest::newRow("left out") << R"("embedding",)"
                              << ""
                              << "\"embedding\" is in no stage";
    QTest::newRow("newer") << R"("version": 2)"
                           << R"("version": 3)"
                           << "newer version (3)";
  }
  void mistakesInAFileGetASentence() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, part);
    const QString path = m_folder.filePath("mistaken.json");
    QCOMPARE(runP2(kLlama + QStringList{"--stages", "4", "-o", path}).status, 0);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QString text = QString::fromUtf8(file.readAll());
    file.close();
    // However the devices were dealt.
    text.replace(QRegularExpression(R"("factors": \[[^\]]*\])"), R"("factors": [2,2])");
    const qsizetype at = text.indexOf(from);
    QVERIFY2(at >= 0, qPrintable(text.left(900)));
    text.replace(at, from.size(), to);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text.toUtf8());
    file.close();
    QCOMPARE(notRefused(kLlama + QStringList{"--evaluate", path}, part), QString());
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
    for (const auto& each : assumed) QVERIFY2(text.contains(each.toString()), qPrintable(text.left(999)));
    QCOMPARE(text.count("\nassumed: "), 1);
  }

  void refusesInOneLine_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* name, const QStringList& more, const char* part) {
      QTest::newRow(name) << kLlama + more << part;
    };
    row("no divisor", {"--stages", "3"}, "3 stages cannot share 16 devices evenly");
    row("a word", {"--stages", "many"}, "--stages: \"many\" is not a number of stages");
    row("none", {"--stages", "0"}, "--stages: ");
    row("pins", {"--stages", "2", "--pin", "output=1,1,1,1"}, "--pin: a pin in one of several equal stages is not possible");
    row("several", {"--stages", "2", "--best", "3"}, "--best: pipelines are not ranked below the best");
    row("stages of a file", {"--stages", "2", "--evaluate", "none.json"}, "none.json");
    QTest::newRow("flat") << QStringList{"strategy", "mlp", "--stages", "2"} << "--stages: stages need the devices";
    QTest::newRow("tables") << QStringList{"strategy", P2_TEST_DATA "/strategy/alexnet_p8.json", "--stages", "2"}
                            << "which have no stages";
  }
  // That nothing fits is an answer: one line, and status 1.
  void nothingFits() {
    for (const QStringList& stages : {QStringList{"--stages", "2"}, QStringList{"--stages", "auto"}, QStringList{}}) {
      const Answer answer = runP2(kLlama + stages + QStringList{"--device-memory", "1GB"});
      QVERIFY2(answer.err.contains(" per device, and a device has 1.00 GB; "), qPrintable(answer.err));
      QCOMPARE(answer.err.count('\n'), 1);
      QCOMPARE(answer.status, 1);
    }
  }
  void refusesInOneLine() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, part);
    QCOMPARE(notRefused(arguments, part), QString());
  }

 private:
  static QJsonObject fileAt(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QJsonDocument::fromJson(file.readAll()).object();
  }

  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCliStages)
#include "tst_cli_stages.moc"
