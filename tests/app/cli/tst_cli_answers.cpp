// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QtTest>
#include <cmath>

#include "support/filled.h"
#include "support/warnings.h"
#include "tests/app/cli/example_request.h"

using p2::test::aboutExample;
using p2::test::Answer;
using p2::test::exampleMatrix;
using p2::test::exampleRequest;
using p2::test::jsonFrom;
using p2::test::runP2;

class TestCliAnswers : public QObject {
  Q_OBJECT
 private slots:
  void init() { p2::test::failOnWarnings(); }

  /// Where the intervals of both times cover a gain it is marked, and one that they do not is not.
  void whatIsLeftOpenIsMarked() {
    const QStringList one{"aws-p4d:4", "--axes", "32", "--reduce", "0"};
    const QString sizes = runP2(QStringList{"sweep"} + one + QStringList{"--sizes", "1KB..8MB", "--points", "2"}).out;
    QVERIFY2(sizes.contains("\n≈: the intervals leave open whether the best is faster than one AllReduce\n"),
             qPrintable(sizes));
    QVERIFY2(sizes.count("≈ 1.") == 1 && sizes.contains(QRegularExpression("  1\\.[0-9]+×")), qPrintable(sizes));
    const QStringList simulated = QStringList{"simulate"} + one + QStringList{"--best", "1", "--bytes"};
    const QString dear = runP2(simulated + QStringList{"4GiB"}).out;
    QVERIFY2(dear.contains("\nleft open by the intervals: one AllReduce ("), qPrintable(dear));
    const QString small = runP2(simulated + QStringList{"1KiB"}).out;
    QVERIFY2(small.contains("\nbest ") && !small.contains("left open"), qPrintable(small));
  }

  /// Where the library's choice is slower than another, the answer names the variable, and its price is what the
  /// other algorithm takes when it is forced.
  void slowerChoicesOfTheLibraryAreNamed() {
    const auto ask = [](const char* algorithm, const char* bytes) {
      return runP2({"simulate", "dgx-h100:4", "--axes", "32", "--reduce", "0", "--model", "nccl", "--algorithm",
                    algorithm, "--bytes", bytes, "--limit", "1"})
          .out;
    };
    const auto secondsIn = [](const QString& answer) {
      const auto best = QRegularExpression("\nbest ([0-9.]+) ms").match(answer);
      return best.captured(1).toDouble() / 1e3;
    };
    const QString chosen = ask("auto", "256MiB");
    const auto stated = QRegularExpression(
                            "NCCL would choose nvlstree, Simple; ring, Simple is ([0-9.]+)× faster: "
                            "NCCL_ALGO=Ring\n")
                            .match(chosen);
    QVERIFY2(stated.hasMatch(), qPrintable(chosen));
    const double gain = secondsIn(chosen) / secondsIn(ask("ring", "256MiB"));
    QVERIFY2(std::abs(gain - stated.captured(1).toDouble()) < 0.01, qPrintable(QString::number(gain)));
    QVERIFY(!ask("ring", "256MiB").contains("NCCL would choose"));
    QVERIFY(!ask("auto", "1KiB").contains("NCCL would choose"));
  }

  void countsPlacementsAndPrograms_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("axes");
    QTest::addColumn<QString>("reduce");
    QTest::addColumn<QString>("rules");
    QTest::addColumn<int>("placements");
    QTest::addColumn<int>("programs");
    // The paper's totals (§4): 47 programs where the reduction spans two levels, 3 where it spans one.
    QTest::newRow("4×16, [4,16]") << "gcp-a100:4"
                                  << "4,16"
                                  << "1"
                                  << "paper" << 3 << 97;
    QTest::newRow("2×16, [32]") << "gcp-a100:2"
                                << "32"
                                << "0"
                                << "paper" << 1 << 47;
    QTest::newRow("2×16, [2,16]") << "gcp-a100:2"
                                  << "2,16"
                                  << "0"
                                  << "paper" << 2 << 6;
    QTest::newRow("three axes") << "gcp-a100:4"
                                << "data=8,model=2,shards=4"
                                << "data,shards"
                                << "paper" << 5 << 235;
    QTest::newRow("three levels") << "a:2 b:2 c:2"
                                  << "8"
                                  << "0"
                                  << "paper" << 1 << 721;
    QTest::newRow("bandwidth per second") << "node:2@8GB/s,2us gpu:2"
                                          << "4"
                                          << "0"
                                          << "paper" << 1 << 47;
    QTest::newRow("all rules") << "node:2 gpu:2"
                               << "4"
                               << "0"
                               << "all" << 1 << 93;
    QTest::newRow("sizes of 1") << "a:1 b:4"
                                << "1,4"
                                << "1"
                                << "paper" << 1 << 3;
  }
  void countsPlacementsAndPrograms() {
    QFETCH(QString, system);
    QFETCH(QString, axes);
    QFETCH(QString, reduce);
    QFETCH(QString, rules);
    QFETCH(int, placements);
    QFETCH(int, programs);
    const QJsonObject matrices = jsonFrom({"placements", system, "--axes", axes});
    QCOMPARE(matrices["count"].toInt(), placements);
    QCOMPARE(matrices["matrices"].toArray().size(), placements);
    const QStringList request{"programs", system, "--axes", axes, "--reduce", reduce, "--rules", rules};
    const QJsonObject counted = jsonFrom(request + QStringList{"--count"});
    QCOMPARE(counted["count"].toInt(), programs);
    QVERIFY(!counted["placements"][0].toObject().contains("programs"));
    int listed = 0;
    for (const QJsonValue& placement : jsonFrom(request)["placements"].toArray()) {
      listed += int(placement["programs"].toArray().size());
    }
    QCOMPARE(listed, programs);
  }

  void keepsTheBestOfAllPlacements() {
    const QJsonArray placements = jsonFrom(aboutExample("programs", {"--best", "7"}))["placements"].toArray();
    QVector<double> kept;
    for (const QJsonValue& placement : placements) {
      for (const QJsonValue& program : placement["programs"].toArray()) kept << program["seconds"].toDouble();
    }
    QVector<double> all;
    for (const QJsonValue& placement : jsonFrom(aboutExample("programs", {}))["placements"].toArray()) {
      for (const QJsonValue& program : placement["programs"].toArray()) all << program["seconds"].toDouble();
    }
    std::sort(kept.begin(), kept.end());
    std::sort(all.begin(), all.end());
    QCOMPARE(kept, all.mid(0, 7));
  }

  void simulatesEveryStep() {
    const QJsonObject answer = jsonFrom(aboutExample("simulate", exampleMatrix() + QStringList{"--best", "1"}));
    QCOMPARE(answer["model"].toString(), QString("paper"));
    const QJsonValue placement = answer["placements"][0];
    const QJsonValue program = placement["programs"][0];
    QCOMPARE(program["seconds"].toDouble(), placement["best_seconds"].toDouble());
    QVERIFY(placement["best_seconds"].toDouble() < placement["allreduce_seconds"].toDouble());
    double sum = 0;
    for (const QJsonValue& step : program["steps"].toArray()) {
      for (const char* key : {"slice", "form", "collective", "link"}) QVERIFY(!step[QString(key)].toString().isEmpty());
      sum += step["seconds"].toDouble();
    }
    QCOMPARE(sum, program["seconds"].toDouble());
  }

  void autoSaysWhatItChose() {
    const QStringList ask{"--model", "paper", "--algorithm", "auto", "--best", "3"};
    QSet<QString> chosen;
    for (const QJsonValue& placement : jsonFrom(aboutExample("simulate", ask))["placements"].toArray()) {
      for (const QJsonValue& program : placement["programs"].toArray()) {
        for (const QJsonValue& step : program["steps"].toArray()) chosen.insert(step["algorithm"].toString());
      }
    }
    QCOMPARE(chosen, (QSet<QString>{"ring", "tree"}));
    const QString text = runP2(aboutExample("simulate", ask)).out;
    QVERIFY(text.contains("per device, paper model, auto"));
    QVERIFY(text.contains(QRegularExpression("AllReduce .* tree\n")));
    QVERIFY(text.contains(QRegularExpression("ReduceScatter .* ring\n")));
    QVERIFY(!runP2(aboutExample("simulate", {"--algorithm", "ring"})).out.contains("algorithm"));
  }

  void scalesWithBytesAndRuns() {
    const auto best = [](const QStringList& more) {
      const QJsonObject answer =
          jsonFrom(aboutExample("simulate", exampleMatrix() + QStringList{"--best", "1"} + more));
      return answer["placements"][0]["best_seconds"].toDouble();
    };
    const double seconds = best({});
    QVERIFY(seconds > 0);
    QCOMPARE(best({"--bytes", "2GiB"}), seconds);
    QCOMPARE(best({"--bytes", "1GiB"}), seconds / 2);
    QCOMPARE(best({"--repeat", "1"}), seconds / 10);
    QVERIFY(best({"--algorithm", "auto"}) <= seconds);
  }

  void comparesHierarchies() {
    // Paper §2.5: the reduction hierarchy finds at least what the others do.
    const QStringList request{"programs", "node:2 gpu:4", "--axes", "4,2", "--reduce", "0", "--count", "--limit", "3"};
    QMap<QString, int> counts;
    for (const char* kind : {"reduction", "row", "column", "system"}) {
      const QJsonObject answer = jsonFrom(request + QStringList{"--hierarchy", kind});
      QVERIFY(answer.contains("count"));
      counts[kind] = answer["count"].toInt();
    }
    QVERIFY(counts["reduction"] >= counts["row"]);
    QVERIFY(counts["row"] >= counts["column"]);
    QVERIFY(counts["column"] >= counts["system"]);
    QVERIFY(counts["reduction"] > counts["system"]);
  }

  void printsTablesForPeople() {
    const Answer answer = runP2(aboutExample("simulate", {"--best", "2"}));
    QCOMPARE(answer.status, 0);
    for (const char* part :
         {"4 nodes × 16 GPUs", "5 placements, 235 programs", "[[1,8],[2,1],[2,2]]", "busiest link"}) {
      QVERIFY2(answer.out.contains(QString::fromUtf8(part)), qPrintable(answer.out));
    }
  }

  void showsTheLowerBound() {
    const QStringList request = aboutExample("simulate", {"--best", "1"});
    const QString text = runP2(request).out;
    static const QRegularExpression kLimit("\nbest \\S+ m?s, 1\\S*× the lower bound of \\S+ m?s \\(\\S.* to .*\\)");
    QVERIFY2(kLimit.match(text).hasMatch(), qPrintable(text));
    for (const QJsonValue& placement :
         p2::test::filled(jsonFrom(request + QStringList{"--bound"})["placements"].toArray())) {
      const QJsonObject limit = placement["limit"].toObject();
      QVERIFY(limit["seconds"].toDouble() > 0);
      QVERIFY(limit["seconds"].toDouble() <= placement["best_seconds"].toDouble() * (1 + 1e-9));
      QVERIFY(limit["where"].toString().contains(" to "));
    }
    QVERIFY(!jsonFrom(request)["placements"][0].toObject().contains("limit"));
    QVERIFY(runP2(aboutExample("programs", {"--count"})).out.contains("  lower bound"));
  }

  // What an axis must not leave filters what is counted, listed and priced, and refuses a matrix.
  void keepsAxesInside() {
    const QStringList kept{"--inside", "model=node"};
    const QJsonObject listed = jsonFrom(QStringList{"placements"} + exampleRequest().first(3) + kept);
    QCOMPARE(listed["count"].toInt(), 3);
    QCOMPARE(listed["matrices"].toArray().size(), 3);
    const QJsonObject priced = jsonFrom(aboutExample("simulate", kept));
    for (const QJsonValue& placement : p2::test::filled(priced["placements"].toArray())) {
      const QJsonArray model = placement.toObject()["matrix"].toArray()[1].toArray();
      QCOMPARE(model[0].toInt(), 1);
    }
    const Answer refused = runP2(aboutExample("simulate", kept + QStringList{"--matrix", "[[1,8],[2,1],[2,2]]"}));
    QCOMPARE(refused.status, 2);
    QVERIFY(refused.err.contains("splits axis model across nodes, and it is to stay inside a node"));
    QVERIFY(
        runP2(aboutExample("simulate", {"--inside", "data=node,shards=node"})).err.contains("8·4 = 32 is more than"));
  }

  void isTheSameUnderEveryLocale() {
    const QStringList request = aboutExample("simulate", {"--best", "3", "--json"});
    QCOMPARE(runP2(request, {"LC_ALL=de_DE.UTF-8"}).out, runP2(request, {"LC_ALL=C"}).out);
  }

  void saysWhatItIs() {
    const QString version = runP2({"--version"}).out;
    QVERIFY2(version.startsWith("p2 0."), qPrintable(version));
    for (const char* line : {"\nbuilt by ", "\nbackends: ", "\nlibraries: CLI11 2"}) {
      QVERIFY2(version.contains(line), qPrintable(version));
    }
    const Answer help = runP2({"--help"});
    QCOMPARE(help.status, 0);
    for (const char* command : {"placements", "programs", "simulate", "check", "plan", "export"}) {
      QVERIFY(help.out.contains(command));
      QCOMPARE(runP2({command, "--help"}).status, 0);
    }
  }
};

QTEST_GUILESS_MAIN(TestCliAnswers)
#include "tst_cli_answers.moc"
