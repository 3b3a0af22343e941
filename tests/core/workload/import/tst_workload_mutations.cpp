// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QTest>
#include <ctime>

#include "chakra_encoding.h"
#include "import_fixtures.h"
#include "support/damages.h"

using namespace p2;
using namespace p2::test;

namespace {

constexpr int kDamagesPerFile = 100;

constexpr Damages kTraceDamages{60, 200, ',', true};

QString faultOf(const Result<WorkloadSource>& result) {
  if (!result.ok()) return result.error().message.empty() ? "no sentence" : "";
  if (const auto checked = checkWorkload(result->workload); !checked.ok()) {
    return QString::fromStdString(checked.error().text());
  }
  for (const auto* list : {&result->understood, &result->assumed, &result->ignored}) {
    for (const std::string& text : *list) {
      if (hasControlCodes(text, false)) return "control codes: " + QString::fromStdString(text);
    }
  }
  for (const WorkloadEntry& entry : result->workload.collectives) {
    if (hasControlCodes(entry.name, false)) return "control codes in a name";
  }
  return {};
}

}  // namespace

/// Whatever happens to a file, it gives a workload that can be worked with or a sentence.
class TestWorkloadMutations : public QObject {
  Q_OBJECT
 private slots:
  void damagedFilesAreAnswered_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("overlapped");
    const QDir folder(QStringLiteral(P2_TEST_DATA "/workload"));
    const QByteArray groups = QByteArray::fromStdString(fixtureText("comm_group.json"));
    for (const QFileInfo& file : folder.entryInfoList(QDir::Files, QDir::Name)) {
      const std::string name = file.fileName().toStdString();
      QByteArray overlapped;
      if (name == "chakra_graph.json" || name == "stg.json") overlapped = groups;
      if (name == "comm_group.json") overlapped = QByteArray::fromStdString(chakraTrace());
      if (name == "calculon_model.json") overlapped = QByteArray::fromStdString(fixtureText("calculon_execution.json"));
      if (name == "calculon_execution.json") overlapped = QByteArray::fromStdString(fixtureText("calculon_model.json"));
      QTest::newRow(name.c_str()) << QByteArray::fromStdString(fixtureText(name)) << overlapped;
    }
    QTest::newRow("chakra.et") << QByteArray::fromStdString(chakraTrace()) << groups;
  }
  void damagedFilesAreAnswered() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, overlapped);
    std::mt19937 random(static_cast<unsigned>(text.size()));
    int answered = 0;
    for (int i = 0; i < kDamagesPerFile; ++i) {
      const auto result = importOf(damaged(text.toStdString(), random, kTraceDamages), overlapped.toStdString());
      const QString fault = faultOf(result);
      QVERIFY2(fault.isEmpty(), qPrintable(fault));
      answered += result.ok() ? 1 : 0;
    }
    QVERIFY2(answered < kDamagesPerFile, "nothing was damaged");
  }

  void damagedConfigurationsAreAnswered_data() {
    QTest::addColumn<QByteArray>("text");
    for (const QFileInfo& each : QDir(QStringLiteral(P2_TEST_DATA "/pasted")).entryInfoList({"cfg*.json"})) {
      QFile file(each.filePath());
      QVERIFY(file.open(QIODevice::ReadOnly));
      QTest::newRow(qPrintable(each.fileName())) << file.readAll();
    }
  }
  void damagedConfigurationsAreAnswered() {
    QFETCH(QByteArray, text);
    const std::vector<PlanChange> degrees{{"pp", "2"}, {"dp", "8"}, {"microbatches", "4"}, {"sequence", "2048"}};
    std::mt19937 random(static_cast<unsigned>(text.size()));
    int read = 0;
    for (int i = 0; i < kDamagesPerFile; ++i) {
      const std::string damage = damaged(text.toStdString(), random, kTraceDamages);
      const auto result = workloadFromText(damage, "config.json", {degrees, {}});
      const QString fault = faultOf(result);
      QVERIFY2(fault.isEmpty(), qPrintable(fault));
      read += result.ok() ? 1 : 0;
    }
    QVERIFY2(read > 0 && read < kDamagesPerFile, qPrintable(QString::number(read)));
  }

  void endlessFilesAreRefusedSoon_data() {
    QTest::addColumn<QByteArray>("begin");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* name, const char* begin, const char* part) {
      QTest::newRow(name) << QByteArray(begin) << QByteArray(part);
    };
    row("deep", "{\"traceEvents\": [", "[");
    row("one text", "{\"traceEvents\": [\"", "a");
    row("one event", "{\"traceEvents\": [{", "\"a\": 1, ");
    row("columns", "comm_type,comm_group,msg_size,stage\n", ",");
    row("rows", "comm_type,comm_group,comm_group_size,msg_size,stage\n",
        "CommType.all_reduce,CommGroup.tp_group,2,8,x\n");
    row("words", "HYBRID_TRANSFORMER all_gpus: 8\n9\n", "a ");
    row("messages", "\x02\x0A", "");
  }
  void endlessFilesAreRefusedSoon() {
    QFETCH(QByteArray, begin);
    QFETCH(QByteArray, part);
    if (part.isEmpty()) part = QByteArray("\0\0\0\0", 4);
    QByteArray text = begin;
    if (begin == "\x02\x0A") text += '\0';
    while (text.size() < 1 << 20) text += part;
    const std::clock_t start = std::clock();
    const auto result = importOf(text.toStdString());
    const double taken = double(std::clock() - start) / CLOCKS_PER_SEC;
    QVERIFY(faultOf(result).isEmpty());
    QVERIFY2(taken < 20, qPrintable(QString("%1 s").arg(taken)));
  }
};

QTEST_APPLESS_MAIN(TestWorkloadMutations)
#include "tst_workload_mutations.moc"
