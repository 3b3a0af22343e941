// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QTest>
#include <ctime>

#include "importers/importers.h"
#include "support/damages.h"

using namespace p2;

namespace {

constexpr int kMutationsPerFile = 30;
constexpr std::size_t kLargest = std::size_t{16} << 20;

/// Of the processor, whatever else the machine does: two seconds in a release, debug builds take their time.
#ifdef NDEBUG
constexpr double kMostSeconds = 2;
#else
constexpr double kMostSeconds = 20;
#endif

std::string repeated(const std::string& part, const std::string& begin, const std::string& end = {}) {
  std::string text = begin;
  while (text.size() + part.size() + end.size() < kLargest) text += part;
  return text + end;
}

}  // namespace

/// Whatever happens to a file, it gives a system or a sentence, and soon.
class TestMutations : public QObject {
  Q_OBJECT
 private slots:
  void damagedFilesAreAnswered_data() {
    QTest::addColumn<QString>("path");
    const QDir folder(QStringLiteral(P2_TEST_DATA "/import"));
    for (const QFileInfo& file : folder.entryInfoList(QDir::Files, QDir::Name)) {
      QTest::newRow(qPrintable(file.fileName())) << file.filePath();
    }
  }
  void damagedFilesAreAnswered() {
    QFETCH(QString, path);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const std::string whole = file.readAll().toStdString();
    std::mt19937 random(static_cast<unsigned>(whole.size()));
    for (int i = 0; i < kMutationsPerFile; ++i) {
      const auto result = importTopology(test::damaged(whole, random, {}));
      if (result.ok()) {
        QVERIFY(result->system.deviceCount() >= 1);
        for (const auto* list : {&result->understood, &result->assumed, &result->ignored}) {
          for (const std::string& text : *list) QVERIFY2(!test::hasControlCodes(text, true), text.c_str());
        }
      } else {
        QVERIFY(!result.error().message.empty());
        QVERIFY2(!test::hasControlCodes(result.error().text(), true), result.error().text().c_str());
      }
    }
  }

  void hugeFilesAreAnsweredSoon_data() {
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* name, const std::string& text) {
      QTest::newRow(name) << QByteArray::fromStdString(text);
    };
    row("rows", repeated("GPU1 X NV1 SYS PIX 0-17 0 N/A\n", "\tGPU0\tGPU1\n"));
    row("columns", repeated(" GPU7", "", "\n"));
    std::string square = "\t";
    for (int i = 0; i < 1024; ++i) square += "GPU" + std::to_string(i) + "\t";
    for (int i = 0; i < 1024; ++i) {
      square += "\nGPU" + std::to_string(i);
      for (int j = 0; j < 1024; ++j) square += i == j ? "\tX" : (i + j) % 3 == 0 ? "\tPIX" : "\tSYS";
    }
    row("1024 GPUs", square);
    row("YAML", repeated("  - [1, 2, 3]\n", "npus_count:\n"));
    row("deep YAML", repeated("[", "npus_count: "));
    row("deep small YAML", "npus_count: " + std::string(200'000, '['));
    row("hwloc", repeated("<object type=\"PU\" cpuset=\"0x1\" complete_cpuset=\"0x1\"/>\n",
                          "<topology version=\"2.0\"><object type=\"Machine\">", "</object></topology>"));
    row("NCCL", repeated("<pci class=\"0x030200\" vendor=\"0x10de\"><gpu dev=\"0\"><nvlink target=\"a\" "
                         "count=\"1\"/></gpu></pci>\n",
                         "<system version=\"1\"><cpu>", "</cpu></system>"));
    row("networks",
        repeated("<nic><net name=\"cali0\" speed=\"1\"/></nic>\n",
                 "<system><cpu><pci busid=\"1\" class=\"0x030200\"><gpu dev=\"0\"/></pci>", "</cpu></system>"));
    row("deep XML", repeated("<a>", ""));
    row("attributes", repeated(" a=\"1\"", "<system><cpu", "/></system>"));
    row("ROCm", repeated("GPU0 XGMI XGMI\n", "=== Link Type between two GPUs ===\n GPU0 GPU1\n"));
  }
  void hugeFilesAreAnsweredSoon() {
    QFETCH(QByteArray, text);
    QVERIFY(text.size() <= qsizetype(kLargest));
    const std::clock_t begin = std::clock();
    const auto result = importTopology({text.constData(), static_cast<std::size_t>(text.size())});
    const double taken = double(std::clock() - begin) / CLOCKS_PER_SEC;
    QVERIFY(result.ok() || !result.error().message.empty());
    QVERIFY2(taken < kMostSeconds, qPrintable(QString("%1 s").arg(taken)));
  }
};

QTEST_APPLESS_MAIN(TestMutations)
#include "tst_mutations.moc"
