// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include "support/filled.h"
#include "support/warnings.h"
#include "tests/app/cli/run_p2.h"

using namespace p2::test;

namespace {

/// What an answer puts first, as the keys of its JSON: other values there are another first place.
QString firstOf(const QString& command, const QJsonObject& answer) {
  QJsonObject first;
  if (command == "strategy") {
    for (const char* key : {"parts", "axes", "mesh"}) first[key] = answer[key];
  } else if (command == "step") {
    first["matrix"] = answer["placements"].toArray()[0].toObject()["matrix"];
  } else if (command == "train") {
    const QJsonObject best = answer["configurations"].toArray()[0].toObject();
    for (const char* key : {"framework", "degrees", "recompute", "microbatch", "zero"}) first[key] = best[key];
  } else {
    QJsonArray winners;
    for (const auto& point : answer["points"].toArray()) {
      winners.append(point.toObject()["matrix"]);
      winners.append(point.toObject()["program"]);
    }
    first["winners"] = winners;
  }
  return QString::fromUtf8(QJsonDocument(first).toJson(QJsonDocument::Compact));
}

bool isNamed(const QJsonObject& answer, const QString& option) {
  for (const auto& each : answer["assumed"].toArray()) {
    if (each.toString().contains(option)) return true;
  }
  return false;
}

}  // namespace

/// A default that another value would change the first place by is among the assumptions of the answer.
class TestCliAssumed : public QObject {
  Q_OBJECT
 private slots:
  void init() { failOnWarnings(); }

  void whatChangesTheFirstPlaceIsNamed_data() {
    QTest::addColumn<QStringList>("question");
    QTest::addColumn<QList<QStringList>>("flips");
    const QList<QStringList> ofStrategies{{"--space", "all"},        {"--space", "powers-of-two"},
                                          {"--cutoff", "1"},         {"--flops", "1e13"},
                                          {"--dtype", "fp32"},       {"--device-memory", "any"},
                                          {"--passes", "8"},         {"--optimizer", "none"},
                                          {"--zero", "1"},           {"--zero", "3"},
                                          {"--recompute", "full"},   {"--recompute", "selective"},
                                          {"--cost-model", "paper"}, {"--exactly"}};
    for (const char* graph : {"mlp", "lstm", "transformer"}) {
      for (const char* system : {"dgx-h100:1", "gcp-a100:2"}) {
        QTest::addRow("strategy %s %s", graph, system)
            << QStringList{"strategy", graph, "--model", "hierarchical", "--system", system} << ofStrategies;
      }
    }
    QTest::newRow("strategy of a model")
        << QStringList{"strategy", "qwen3-30b-a3b", "--model", "hierarchical", "--system", "dgx-h100:2"}
        << QList<QStringList>{{"--batch", "64"}, {"--sequence", "1024"}, {"--zero", "3"}, {"--capacity-factor", "2"}};
    const QList<QStringList> ofPrograms{{"--limit", "1"},        {"--limit", "3"},       {"--rules", "all"},
                                        {"--overlap"},           {"--model", "paper"},   {"--model", "nccl"},
                                        {"--algorithm", "ring"}, {"--algorithm", "tree"}};
    for (const char* system : {"gcp-a100:4", "dgx-h100:8", "polaris:16"}) {
      QTest::addRow("sweep %s", system) << QStringList{"sweep",    system, "--axes",   "16,4",
                                                       "--reduce", "0",    "--points", "8"}
                                        << ofPrograms;
    }
    QList<QStringList> ofSteps = ofPrograms;
    ofSteps << QStringList{"--compute-seconds", "0"} << QStringList{"--compute-seconds", "100"}
            << QStringList{"--slowdown", "2"} << QStringList{"--usable", "0.1"} << QStringList{"--concurrent"};
    QTest::newRow("step llama3-70b") << QStringList{"step", "dgx-h100:32", "--workload", "llama3-70b"} << ofSteps;
    QTest::newRow("step mixtral-8x7b") << QStringList{"step", "dgx-h100:8", "--workload", "mixtral-8x7b"} << ofSteps;
    QTest::newRow("train") << QStringList{"train", "llama3-8b", "dgx-h100:2", "--batch", "64"}
                           << QList<QStringList>{{"--framework", "megatron"},
                                                 {"--framework", "fsdp"},
                                                 {"--sequence", "16384"},
                                                 {"--precision", "fp8"},
                                                 {"--reserve", "40GB"}};
  }
  void whatChangesTheFirstPlaceIsNamed() {
    QFETCH(QStringList, question);
    QFETCH(QList<QStringList>, flips);
    const QString command = question[0];
    const QJsonObject base = jsonFrom(question);
    QVERIFY(!base["assumed"].toArray().isEmpty());
    for (const QStringList& flip : test::filled(flips)) {
      const Answer answer = runP2(question + flip + QStringList{"--json"});
      if (answer.status != 0) continue;  // a value that this question cannot have
      const QJsonObject other = QJsonDocument::fromJson(answer.out.toUtf8()).object();
      const bool changes = firstOf(command, base) != firstOf(command, other);
      QVERIFY2(!changes || isNamed(base, flip[0]), qPrintable(flip.join(' ') + " changes the first place"));
      // What was typed is no default.
      QVERIFY2(!isNamed(other, '(' + flip[0] + ')'), qPrintable(flip.join(' ')));
    }
  }

  // Every command prints them by the same line, once, without sentences that stand twice.
  void oneLineNamesThem_data() {
    QTest::addColumn<QStringList>("question");
    QTest::newRow("strategy") << QStringList{"strategy", "mlp"};
    QTest::newRow("stages") << QStringList{"strategy",   "alexnet",  "--model", "hierarchical", "--system",
                                           "dgx-a100:2", "--stages", "2",       "--passes",     "4"};
    QTest::newRow("sweep") << QStringList{"sweep", "gcp-a100:2", "--axes", "32", "--reduce", "0", "--points", "3"};
    QTest::newRow("step") << QStringList{"step", "dgx-h100:32", "--workload", "llama3-70b"};
    QTest::newRow("train") << QStringList{"train", "llama3-8b", "dgx-h100:2", "--batch", "64"};
    QTest::newRow("what-if") << QStringList{"what-if", "llama3-8b", "dgx-h100:2", "--batch", "64", "--vary", "nodes=4"};
  }
  void oneLineNamesThem() {
    QFETCH(QStringList, question);
    const QJsonArray assumed = jsonFrom(question + QStringList{"--json"})["assumed"].toArray();
    QStringList sentences;
    for (const auto& each : assumed) sentences << each.toString();
    QVERIFY(!sentences.isEmpty());
    QCOMPARE(QSet<QString>(sentences.begin(), sentences.end()).size(), sentences.size());
    const QStringList lines = runP2(question).out.split('\n').filter(QRegularExpression("^assumed: "));
    QCOMPARE(lines, QStringList{"assumed: " + sentences.join("; ")});
  }

  // A price or a power that no point has is noted, not dropped.
  void figuresThatNoPointUsesAreNoted() {
    const QStringList asked{"what-if", "llama3-8b", "dgx-h100:1", "--batch", "64", "--kept", "--vary"};
    const QString other = "H200";
    const Answer nodes = runP2(asked + QStringList{"nodes=2", "--price", "2", "--price", other + "=4"});
    QCOMPARE(nodes.status, 0);
    QVERIFY2(nodes.out.contains("--price " + other + "=… is not used: no point has " + other), qPrintable(nodes.out));
    const Answer swapped =
        runP2(asked + QStringList{"gpu=" + other, "--price", "2", "--price", other + "=4", "--power", "900"});
    QVERIFY2(!swapped.out.contains("is not used"), qPrintable(swapped.out));
    QVERIFY2(swapped.out.contains("--power applies to today's devices; " + other + " draws its board's limit, 700 W"),
             qPrintable(swapped.out + swapped.err));
  }

  // A plan's file has no place for them.
  void plansNameThemOnStandardError() {
    const Answer plan = runP2({"plan", "dgx-h100:8", "--axes", "16,4", "--reduce", "0", "--program", "1"});
    QCOMPARE(plan.status, 0);
    for (const char* option : {"--limit", "--rules", "--model", "--algorithm", "--overlap"}) {
      QVERIFY2(plan.err.contains(option), qPrintable(plan.err));
    }
  }
};

QTEST_GUILESS_MAIN(TestCliAssumed)
#include "tst_cli_assumed.moc"
