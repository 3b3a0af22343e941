// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QtTest>

#include "support/warnings.h"
#include "tests/app/cli/example_request.h"

using p2::test::aboutExample;
using p2::test::Answer;
using p2::test::exampleMatrix;
using p2::test::jsonFrom;
using p2::test::runP2;

// Programs that are chosen to run, and what is exported of them.
class TestCliPlans : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { QVERIFY(m_folder.isValid()); }
  void init() { p2::test::failOnWarnings(); }

  void plansAndExports() {
    const QString file = m_folder.filePath("plan.json");
    const Answer written = runP2(aboutExample("plan", {"--program", "1", "-o", file}));
    QCOMPARE(written.status, 0);
    QCOMPARE(written.out, QString());
    QFile plan(file);
    QVERIFY(plan.open(QFile::ReadOnly));
    const QString text = QString::fromUtf8(plan.readAll());
    QCOMPARE(runP2(aboutExample("plan", {"--program", "1"})).out, text);
    QCOMPARE(runP2({"export", file, "--to", "json"}).out, text);
    const QString again = m_folder.filePath("again.json");
    QCOMPARE(runP2({"export", file, "--to", "json", "-o", again}).status, 0);
    QCOMPARE(runP2({"export", again, "--to", "csv"}).out, runP2({"export", file, "--to", "csv"}).out);
    const QJsonObject object = QJsonDocument::fromJson(text.toUtf8()).object();
    const double best = jsonFrom(aboutExample("simulate", {"--best", "1"}))["placements"][1]["best_seconds"].toDouble();
    QCOMPARE(object["predicted"]["seconds"].toDouble(), best);
    QCOMPARE(jsonFrom({"placements", file, "--axes", "8,2,4"})["count"].toInt(), 5);
  }

  void plansATitleWhereThereIsOnePlacement() {
    const QStringList question{"plan", "node:2 gpu:4", "--axes", "8", "--reduce", "0", "--program"};
    const Answer title = runP2(question + QStringList{"AR"});
    QVERIFY2(title.status == 0, qPrintable(title.err));
    QCOMPARE(title.out, runP2(question + QStringList{"root:InsideGroup:AllReduce"}).out);
    QCOMPARE(QJsonDocument::fromJson(title.out.toUtf8()).object()["program"].toString(), "root:InsideGroup:AllReduce");
  }

  void saysThatAnAlgorithmIsNotToBeHad() {
    const QStringList question{"simulate", "mi300x:2", "--axes", "16", "--reduce", "0", "--best", "1", "--algorithm"};
    QVERIFY(runP2(question + QStringList{"nvls"}).out.contains("; nvls, which no step here can take, so that others"));
    QVERIFY(!runP2(question + QStringList{"ring"}).out.contains("which no step here can take"));
  }

  /// A bandwidth that is edited by hand: what was predicted stays in the file, and what it would be now is said.
  void saysThatAPredictionIsStale() {
    const QString file = m_folder.filePath("edited.json");
    QCOMPARE(runP2({"plan", "gpu:4@100GB/s", "--axes", "4", "--reduce", "0", "--matrix", "[[4]]", "--program",
                    "root:InsideGroup:AllReduce", "--bytes", "1GB", "--repeat", "1", "-o", file})
                 .status,
             0);
    const Answer fresh = runP2({"export", file, "--to", "text"});
    QCOMPARE(fresh.err, QString());
    QFile plan(file);
    QVERIFY(plan.open(QFile::ReadWrite));
    QString text = QString::fromUtf8(plan.readAll());
    QCOMPARE(text.count("100000000000"), 1);
    plan.resize(0);
    plan.write(text.replace("100000000000", "50000000000").toUtf8());
    plan.close();
    const Answer edited = runP2({"export", file, "--to", "text"});
    QCOMPARE(edited.status, 0);
    QVERIFY2(
        edited.err.contains("edited.json predicts 15.0 ms, and its system and options as they stand now give 30.0 ms"),
        qPrintable(edited.err));
  }

  void plansTheProgramThatIsWritten() {
    const Answer answer =
        runP2(aboutExample("plan", exampleMatrix() + QStringList{"--program", "root:InsideGroup:AllReduce"}));
    const QJsonObject plan = QJsonDocument::fromJson(answer.out.toUtf8()).object();
    QCOMPARE(plan["program"].toString(), QString("root:InsideGroup:AllReduce"));
    QCOMPARE(plan["predicted"]["seconds"], plan["predicted"]["allreduce_seconds"]);
    QCOMPARE(plan["lowered"][0]["groups"].toArray().size(), 2);
  }

  void listsExportFormats() {
    const Answer answer = runP2({"export", "--list"});
    QCOMPARE(answer.status, 0);
    for (const char* format : {"json", "csv", "text", "jax", "torch", "maxtext", "axlearn", "megatron", "rankfile",
                               "slurm", "comm-split", "msccl-xml", "degrees", "chrome-trace", "page", "handout"}) {
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

 private:
  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCliPlans)
#include "tst_cli_plans.moc"
