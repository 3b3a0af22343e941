// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/app/cli/run_p2.h"

using p2::test::Answer;
using p2::test::runP2;

namespace {

const QStringList kExample{"gcp-a100:4", "--axes", "data=8,model=2,shards=4", "--reduce", "data,shards"};
const QStringList kMatrix{"--matrix", "[[2,4],[2,1],[1,4]]"};

QJsonObject json(const QStringList& arguments, int status = 0) {
  const Answer answer = runP2(arguments + QStringList{"--json"});
  if (answer.status != status || !answer.err.isEmpty()) return {};
  return QJsonDocument::fromJson(answer.out.toUtf8()).object();
}

QStringList with(const char* command, const QStringList& more) { return QStringList{command} + kExample + more; }

}  // namespace

class TestCliAnswers : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QTest::failOnWarning(QRegularExpression(".*"));
    QVERIFY(m_folder.isValid());
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
    const QJsonObject matrices = json({"placements", system, "--axes", axes});
    QCOMPARE(matrices["count"].toInt(), placements);
    QCOMPARE(matrices["matrices"].toArray().size(), placements);
    const QStringList request{"programs", system, "--axes", axes, "--reduce", reduce, "--rules", rules};
    const QJsonObject counted = json(request + QStringList{"--count"});
    QCOMPARE(counted["count"].toInt(), programs);
    QVERIFY(!counted["placements"][0].toObject().contains("programs"));
    int listed = 0;
    for (const QJsonValue& placement : json(request)["placements"].toArray()) {
      listed += int(placement["programs"].toArray().size());
    }
    QCOMPARE(listed, programs);
  }

  void keepsTheBestOfAllPlacements() {
    const QJsonArray placements = json(with("programs", {"--best", "7"}))["placements"].toArray();
    QVector<double> kept;
    for (const QJsonValue& placement : placements) {
      for (const QJsonValue& program : placement["programs"].toArray()) kept << program["seconds"].toDouble();
    }
    QVector<double> all;
    for (const QJsonValue& placement : json(with("programs", {}))["placements"].toArray()) {
      for (const QJsonValue& program : placement["programs"].toArray()) all << program["seconds"].toDouble();
    }
    std::sort(kept.begin(), kept.end());
    std::sort(all.begin(), all.end());
    QCOMPARE(kept, all.mid(0, 7));
  }

  void simulatesEveryStep() {
    const QJsonObject answer = json(with("simulate", kMatrix + QStringList{"--best", "1"}));
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
    for (const QJsonValue& placement : json(with("simulate", ask))["placements"].toArray()) {
      for (const QJsonValue& program : placement["programs"].toArray()) {
        for (const QJsonValue& step : program["steps"].toArray()) chosen.insert(step["algorithm"].toString());
      }
    }
    QCOMPARE(chosen, (QSet<QString>{"ring", "tree"}));
    const QString text = runP2(with("simulate", ask)).out;
    QVERIFY(text.contains("per device, paper model, auto"));
    QVERIFY(text.contains(QRegularExpression("AllReduce .* tree\n")));
    QVERIFY(text.contains(QRegularExpression("ReduceScatter .* ring\n")));
    QVERIFY(!runP2(with("simulate", {"--algorithm", "ring"})).out.contains("algorithm"));
  }

  void scalesWithBytesAndRuns() {
    const auto best = [](const QStringList& more) {
      const QJsonObject answer = json(with("simulate", kMatrix + QStringList{"--best", "1"} + more));
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
      const QJsonObject answer = json(request + QStringList{"--hierarchy", kind});
      QVERIFY(answer.contains("count"));
      counts[kind] = answer["count"].toInt();
    }
    QVERIFY(counts["reduction"] >= counts["row"]);
    QVERIFY(counts["row"] >= counts["column"]);
    QVERIFY(counts["column"] >= counts["system"]);
    QVERIFY(counts["reduction"] > counts["system"]);
  }

  void checksAValidProgram() {
    const QJsonObject answer = json(with(
        "check",
        kMatrix +
            QStringList{"node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather"}));
    QCOMPARE(answer["valid"].toBool(), true);
    QCOMPARE(answer["steps"].toArray().size(), 3);
    QCOMPARE(answer["steps"][1]["rule"].toString(), QString("AllReduce"));
  }

  void namesTheFailingPremise() {
    const QJsonObject answer = json(
        with("check",
             kMatrix +
                 QStringList{"node:InsideGroup:ReduceScatter; root:InsideGroup:AllReduce; node:InsideGroup:AllGather"}),
        1);
    QCOMPARE(answer["valid"].toBool(true), false);
    QCOMPARE(answer["steps"].toArray().size(), 2);
    const QJsonValue failed = answer["steps"][1];
    QCOMPARE(failed["rule"].toString(), QString("AllReduce"));
    QCOMPARE(failed["premise"].toString(), QString("every member holds the same chunks"));
    QCOMPARE(failed["group"].toArray().size(), 32);
    QCOMPARE(failed["members"].toArray(), QJsonArray({0, 1}));
    QCOMPARE(failed["sentence"].toString(), QString("device 0 holds chunk 0 but device 1 does not"));
  }

  void findsProgramsIncomplete() {
    const Answer answer = runP2(with("check", kMatrix + QStringList{"node:InsideGroup:AllReduce"}));
    QCOMPARE(answer.status, 1);
    QVERIFY2(answer.out.contains("ends before every device holds the whole sum"), qPrintable(answer.out));
  }

  void checksGroupsTooLargeToDraw() {
    const QStringList request{"check", "node:32 gpu:16", "--axes", "512", "--reduce", "0", "--matrix", "[[32,16]]"};
    QCOMPARE(json(request + QStringList{"root:InsideGroup:AllReduce"})["valid"].toBool(), true);
    const QJsonObject failing = json(request + QStringList{"root:InsideGroup:AllGather"}, 1);
    QCOMPARE(failing["valid"].toBool(true), false);
    QCOMPARE(failing["steps"].toArray().size(), 1);
  }

  void plansAndExports() {
    const QString file = m_folder.filePath("plan.json");
    const Answer written = runP2(with("plan", {"--program", "1", "-o", file}));
    QCOMPARE(written.status, 0);
    QCOMPARE(written.out, QString());
    QFile plan(file);
    QVERIFY(plan.open(QFile::ReadOnly));
    const QString text = QString::fromUtf8(plan.readAll());
    QCOMPARE(runP2(with("plan", {"--program", "1"})).out, text);
    QCOMPARE(runP2({"export", file, "--to", "json"}).out, text);
    const QString again = m_folder.filePath("again.json");
    QCOMPARE(runP2({"export", file, "--to", "json", "-o", again}).status, 0);
    QCOMPARE(runP2({"export", again, "--to", "csv"}).out, runP2({"export", file, "--to", "csv"}).out);
    const QJsonObject object = QJsonDocument::fromJson(text.toUtf8()).object();
    const double best = json(with("simulate", {"--best", "1"}))["placements"][1]["best_seconds"].toDouble();
    QCOMPARE(object["predicted"]["seconds"].toDouble(), best);
    QCOMPARE(json({"placements", file, "--axes", "8,2,4"})["count"].toInt(), 5);
  }

  void plansTheProgramThatIsWritten() {
    const Answer answer = runP2(with("plan", kMatrix + QStringList{"--program", "root:InsideGroup:AllReduce"}));
    const QJsonObject plan = QJsonDocument::fromJson(answer.out.toUtf8()).object();
    QCOMPARE(plan["program"].toString(), QString("root:InsideGroup:AllReduce"));
    QCOMPARE(plan["predicted"]["seconds"], plan["predicted"]["allreduce_seconds"]);
    QCOMPARE(plan["lowered"][0]["groups"].toArray().size(), 2);
  }

  void listsExportFormats() {
    const Answer answer = runP2({"export", "--list"});
    QCOMPARE(answer.status, 0);
    for (const char* format : {"json", "csv", "text", "jax", "torch", "maxtext", "axlearn", "megatron", "rankfile",
                               "slurm", "comm-split", "msccl-xml", "degrees", "page", "handout"}) {
      QVERIFY(answer.out.contains(QString("\n") + format));
    }
  }

  void startsRanksOnHosts() {
    const QString file = m_folder.filePath("ranks.json");
    QCOMPARE(runP2({"plan", "node:2 gpu:2", "--axes", "data=2,tensor=2", "--reduce", "data", "--matrix",
                    "[[1,2],[2,1]]", "--program", "1", "-o", file})
                 .status,
             0);
    const QStringList request{"export", file, "--to", "rankfile"};
    const Answer named = runP2(request + QStringList{"--hosts", "a,b", "--order", "tensor,data"});
    QVERIFY2(named.out.endsWith("rank 0=a slot=0\nrank 1=a slot=1\nrank 2=b slot=0\nrank 3=b slot=1\n"),
             qPrintable(named.out));
    const QString hosts = m_folder.filePath("hosts");
    QFile names(hosts);
    QVERIFY(names.open(QFile::WriteOnly));
    names.write("a slots=2\nb slots=2\n");
    names.close();
    const Answer listed = runP2(request + QStringList{"--hostfile", hosts});
    QVERIFY2(listed.out.endsWith("rank 0=a slot=0\nrank 1=b slot=0\nrank 2=a slot=1\nrank 3=b slot=1\n"),
             qPrintable(listed.out));
    const QJsonObject plan = QJsonDocument::fromJson(runP2({"export", file, "--to", "json"}).out.toUtf8()).object();
    QCOMPARE(plan["realisable_by"][0]["name"].toString(), QString("megatron order"));
  }

  void printsTablesForPeople() {
    const Answer answer = runP2(with("simulate", {"--best", "2"}));
    QCOMPARE(answer.status, 0);
    for (const char* part :
         {"4 nodes × 16 GPUs", "5 placements, 235 programs", "[[1,8],[2,1],[2,2]]", "busiest link"}) {
      QVERIFY2(answer.out.contains(QString::fromUtf8(part)), qPrintable(answer.out));
    }
  }

  void saysTheLimit() {
    const QStringList request = with("simulate", {"--best", "1"});
    const QString text = runP2(request).out;
    static const QRegularExpression kLimit("\nbest \\S+ m?s, 1\\S*× the limit of \\S+ m?s \\(\\S.* to .*\\)");
    QVERIFY2(kLimit.match(text).hasMatch(), qPrintable(text));
    for (const QJsonValue& placement : json(request + QStringList{"--bound"})["placements"].toArray()) {
      const QJsonObject limit = placement["limit"].toObject();
      QVERIFY(limit["seconds"].toDouble() > 0);
      QVERIFY(limit["seconds"].toDouble() <= placement["best_seconds"].toDouble() * (1 + 1e-9));
      QVERIFY(limit["where"].toString().contains(" to "));
    }
    QVERIFY(!json(request)["placements"][0].toObject().contains("limit"));
    QVERIFY(runP2(with("programs", {"--count"})).out.contains("  limit"));
  }

  // What an axis must not leave filters what is counted, listed and priced, and refuses a matrix.
  void keepsAxesInside() {
    const QStringList kept{"--inside", "model=node"};
    const QJsonObject listed = json(QStringList{"placements"} + kExample.first(3) + kept);
    QCOMPARE(listed["count"].toInt(), 3);
    QCOMPARE(listed["matrices"].toArray().size(), 3);
    const QJsonObject priced = json(with("simulate", kept));
    for (const QJsonValue& placement : priced["placements"].toArray()) {
      const QJsonArray model = placement.toObject()["matrix"].toArray()[1].toArray();
      QCOMPARE(model[0].toInt(), 1);
    }
    const Answer refused = runP2(with("simulate", kept + QStringList{"--matrix", "[[1,8],[2,1],[2,2]]"}));
    QCOMPARE(refused.status, 2);
    QVERIFY(refused.err.contains("splits axis model across nodes, and it is to stay inside a node"));
    QVERIFY(runP2(with("simulate", {"--inside", "data=node,shards=node"})).err.contains("8·4 = 32 is more than"));
  }

  void isTheSameUnderEveryLocale() {
    const QStringList request = with("simulate", {"--best", "3", "--json"});
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

 private:
  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCliAnswers)
#include "tst_cli_answers.moc"
