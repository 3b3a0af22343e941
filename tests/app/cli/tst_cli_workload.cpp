// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QtTest>

#include "support/filled.h"
#include "support/warnings.h"
#include "tests/app/cli/run_p2.h"

using p2::test::jsonFrom;
using p2::test::notRefused;
using p2::test::runP2;

namespace {

void writeTo(const QString& path, const QByteArray& text) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(text);
}

}  // namespace

class TestCliWorkload : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { QVERIFY(m_folder.isValid()); }
  void init() { p2::test::failOnWarnings(); }

  void listsTheBundledWorkloads() {
    const QJsonArray workloads = jsonFrom({"workload", "--list"})["workloads"].toArray();
    QCOMPARE(workloads.size(), 7);
    const QString text = runP2({"workload", "--list"}).out;
    for (const auto& workload : workloads) {
      const QString name = workload.toObject()["name"].toString();
      QVERIFY(text.contains('\n' + name + ' '));
      QVERIFY(QFile::exists(QString(P2_RESOURCES "/workloads/%1.json").arg(name)));
      const QJsonObject answer = jsonFrom({"workload", name});
      for (const char* key : {"axes", "collectives", "understood", "assumed", "ignored"}) {
        QVERIFY2(answer.contains(key), key);
      }
      for (const auto& entry : p2::test::filled(answer["collectives"].toArray())) {
        const QJsonObject collective = entry.toObject();
        for (const char* key : {"name", "axes", "kind", "bytes", "count", "overlap"}) {
          QVERIFY2(collective.contains(key), key);
        }
        QVERIFY(collective["bytes"].toDouble() >= 1 && collective["count"].toDouble() >= 1);
      }
    }
  }

  void aFileIsTheWorkloadAgain() {
    const QString path = m_folder.filePath("step.json");
    QCOMPARE(runP2({"workload", "llama3-70b", "-o", path}).status, 0);
    const QJsonObject named = jsonFrom({"workload", "llama3-70b"});
    const QJsonObject read = jsonFrom({"workload", path});
    QCOMPARE(read["collectives"], named["collectives"]);
    QCOMPARE(read["axes"], named["axes"]);
    QCOMPARE(read["axes"].toObject(), (QJsonObject{{"data", 32}, {"tensor", 8}}));
    const QString recipe = QString(P2_RESOURCES "/workloads/llama3-70b.json");
    QCOMPARE(jsonFrom({"workload", recipe}), named);
  }

  void degreesAreTaken() {
    const QJsonObject changed =
        jsonFrom({"workload", "llama3-70b", "--tp", "4", "--dp", "64", "--cp-kind", "allgather", "--set", "layers=40"});
    QCOMPARE(changed["axes"].toObject(), (QJsonObject{{"data", 64}, {"tensor", 4}}));
    const QJsonObject factors = changed["collectives"].toArray()[0].toObject()["factors"].toObject();
    QCOMPARE(factors["blocks"].toInt(), 80);
    const QString text = runP2({"workload", "llama3-70b"}).out;
    QVERIFY2(text.contains(QString::fromUtf8("β·b·s·h = 2·16·8192·8192")), qPrintable(text));
    QVERIFY(text.contains("understood\n"));
    QVERIFY(text.contains("assumed\n"));
  }

  void longListsAreCollapsed() {
    QByteArray entries;
    for (int i = 0; i < 10'000; ++i) {
      entries += (i == 0 ? "" : ",");
      entries +=
          R"({"name": "layer", "axes": ["data"], "kind": "AllReduce", "bytes": )" + QByteArray::number(1 + i % 3) + "}";
    }
    const QString path = m_folder.filePath("long.json");
    writeTo(path, R"({"format": "p2-workload", "version": 1, "axes": {"data": 8}, "collectives": [)" + entries + "]}");
    const QString text = runP2({"workload", path}).out;
    QVERIFY(text.contains("10000 entries; those with equal kind"));
    QCOMPARE(text.count("AllReduce"), 3);
    QCOMPARE(jsonFrom({"workload", path})["collectives"].toArray().size(), 10'000);
  }

  void saysWhatIsWrong_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* says, const QStringList& arguments) {
      QTest::newRow(says) << arguments << QString::fromUtf8(says);
    };
    row("a file or a bundled workload is needed", {});
    row("there is no workload called \"llama4\"; use one of llama3-8b", {"llama4"});
    row("dp = 8 would fit", {"llama3-405b", "--sequence", "131072", "--cp", "16", "--dp", "4", "--devices", "16384"});
    row("tp: \"x\" is not a whole number; use 1 to 16777216", {"llama3-70b", "--tp", "x"});
    row("\"layers\" is not of the form NAME=VALUE; write, for example, layers=40", {"llama3-70b", "--set", "layers"});
    row("nothing is called \"width\"", {"llama3-70b", "--set", "width=3"});
    row("/nowhere.json", {"/nowhere.json"});
    row("unknown workload format", {QString(P2_RESOURCES "/palette.json")});
  }
  void saysWhatIsWrong() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    QCOMPARE(notRefused(QStringList{"workload"} + arguments, says), QString());
  }

 private:
  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCliWorkload)
#include "tst_cli_workload.moc"
