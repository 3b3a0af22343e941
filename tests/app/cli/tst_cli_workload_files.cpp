// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QtTest>

#include "support/warnings.h"
#include "tests/app/cli/run_p2.h"

using p2::test::Answer;
using p2::test::jsonFrom;
using p2::test::runP2;

namespace {

QString foreignFile(const char* name) { return QString(P2_TEST_DATA "/workload/") + name; }

}  // namespace

/// p2 workload with the files of others, and p2 strategy --as-workload.
class TestCliWorkloadFiles : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { QVERIFY(m_folder.isValid()); }
  void init() { p2::test::failOnWarnings(); }

  void filesOfOthersAreRead_data() {
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<int>("entries");
    QTest::newRow("kineto") << QStringList{foreignFile("kineto_resnet50.json")} << 7;
    QTest::newRow("aicb") << QStringList{foreignFile("aicb_stages.csv")} << 6;
    QTest::newRow("simai") << QStringList{foreignFile("simai_moe.txt")} << 7;
    QTest::newRow("chakra") << QStringList{foreignFile("chakra_graph.json"), foreignFile("comm_group.json")} << 3;
    QTest::newRow("calculon") << QStringList{foreignFile("calculon_model.json"), foreignFile("calculon_execution.json")}
                              << 10;
  }
  void filesOfOthersAreRead() {
    QFETCH(QStringList, files);
    QFETCH(int, entries);
    const QJsonObject read = jsonFrom(QStringList{"workload"} + files);
    QCOMPARE(read["collectives"].toArray().size(), entries);
    QVERIFY(!read["understood"].toArray().isEmpty());
    QVERIFY(!read["assumed"].toArray().isEmpty());

    const QString saved = m_folder.filePath("saved.json");
    QCOMPARE(runP2(QStringList{"workload"} + files + QStringList{"-o", saved}).status, 0);
    QCOMPARE(jsonFrom({"workload", saved})["collectives"], read["collectives"]);
  }

  void aTraceIsRankedAsItIs() {
    const Answer answer = runP2({"step", "node:2", "--workload", foreignFile("kineto_resnet50.json")});
    QVERIFY2(answer.status == 0, qPrintable(answer.err));
  }

  void wrongFilesAreNamed() {
    const auto errorOf = [](const QStringList& arguments) {
      const Answer answer = runP2(QStringList{"workload"} + arguments);
      return answer.status == 0 ? QString() : answer.err;
    };
    QVERIFY(errorOf({foreignFile("chakra_graph.json")}).contains("name its comm_group.json as well"));
    QVERIFY(errorOf({foreignFile("simai_moe.txt"), "--tp", "3"}).contains("leave it out"));
    QVERIFY(errorOf({foreignFile("simai_moe.txt"), foreignFile("aicb_stages.csv")}).contains("one file at a time"));
    QVERIFY(errorOf({P2_TEST_DATA "/workload"}).contains("directory"));
  }

  void aStrategyIsAWorkload() {
    const QString saved = m_folder.filePath("strategy.json");
    const QStringList asked{"strategy", "alexnet", "--exactly", "--space", "powers-of-two", "--as-workload"};
    const Answer printed = runP2(asked);
    QCOMPARE(printed.status, 0);
    QVERIFY(printed.err.contains("p2: assumed: operators share one mesh"));
    QCOMPARE(runP2(asked + QStringList{"-o", saved}).status, 0);
    QFile file(saved);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(file.readAll()), printed.out);
    qint64 devices = 1;
    const QJsonObject axes = jsonFrom({"workload", saved})["axes"].toObject();
    for (const auto& size : axes) devices *= size.toInt();
    QCOMPARE(devices, 8);

    QVERIFY(runP2({"strategy", P2_TEST_DATA "/strategy/" + firstTables(), "--as-workload"})
                .err.contains("has cost tables, which name no communication"));
  }

 private:
  static QString firstTables() { return QDir(P2_TEST_DATA "/strategy").entryList({"*.json"}, QDir::Files).value(0); }

  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCliWorkloadFiles)
#include "tst_cli_workload_files.moc"
