// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "importers/importers.h"
#include "support/fixtures.h"

using namespace p2;

/// Whatever is wrong with a description: one sentence that says so, and quickly.
class TestImportErrors : public QObject {
  Q_OBJECT
 private slots:
  void badFilesGetOneSentence_data() {
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char* file, const char* sentence) { QTest::newRow(file) << QString::fromUtf8(sentence); };
    row("bad-smi-no-gpu.txt", "the matrix has no GPU");
    row("bad-smi-no-header.txt", "no line that names its columns");
    row("bad-smi-cell.txt", "line 2: \"PXX\" is not a connection");
    row("bad-smi-short.txt", "line 3: the row of GPU1 ends too early");
    row("bad-smi-asymmetric.txt", "the rows of GPU0 and GPU1 give different connections");
    row("bad-smi-missing-row.txt", "the row of GPU1 is missing");
    row("bad-xml-truncated.xml", "the XML is broken or ends too early");
    row("bad-xml-entities.xml", "XML entities");
    row("bad-xml-root.xml", "its first element is <topo>");
    row("bad-hwloc.xml", "an object of type \"Cabinet\"");
    row("bad-nccl-no-gpu.xml", "no <gpu> element");
    row("bad-nccl-count.xml", "gpu 0000:10:00.0: an nvlink has count \"-3\"");
    row("bad-astra-lengths.yml", "line 3: bandwidth lists 1 value but topology lists 2");
    row("bad-astra-zero.yml", "line 3: bandwidth is \"0\"");
    row("bad-astra-negative.yml", "line 3: bandwidth is \"-50.0\"");
    row("bad-astra-kind.yml", "line 1: a topology is \"Torus\"; use Ring, FullyConnected or Switch");
    row("bad-astra-broken.yml", "line 2: the YAML is broken");
    row("bad-astra-missing.yml", "the key bandwidth is missing");
    row("bad-astra-fraction.yml", "npus_count is \"2.5\"");
    row("bad-astra-huge.yml", "more than 16777216 devices");
    row("bad-unknown.txt", "none of the formats");
  }
  void badFilesGetOneSentence() {
    QFETCH(QString, sentence);
    QFile file(QStringLiteral(P2_TEST_DATA "/import/") + QString::fromUtf8(QTest::currentDataTag()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    checkSentence(importTopology(file.readAll().toStdString()), sentence);
  }

  void badTextGetsOneSentence_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("sentence");
    const QByteArray element = "<cpu>";
    QTest::newRow("empty") << QByteArray() << "none of the formats";
    QTest::newRow("blank") << QByteArray(" \n ") << "none of the formats";
    QTest::newRow("binary") << QByteArray(
                                   "\x7f"
                                   "ELF\x02\x01\0\0topology:",
                                   18)
                            << "none of the formats";
    QTest::newRow("JSON") << QByteArray("{\"topology:\": 1}") << "none of the formats";
    QTest::newRow("lone bracket") << QByteArray("<") << "the XML is broken";
    QTest::newRow("100 MB") << QByteArray(100'000'000, ' ') << "it has 95 MiB";
    QTest::newRow("deep XML") << "<system>" + element.repeated(5000) + QByteArray("</cpu>").repeated(5000) + "</system>"
                              << "nested over 64 deep";
    QTest::newRow("more devices than a number counts")
        << QByteArray(
               "topology: [Ring, Ring, Ring]\nnpus_count: [16777216, 16777216, 16777216]\n"
               "bandwidth: [50, 50, 50]\nlatency: [1, 1, 1]\n")
        << "more than 16777216 devices";
    QTest::newRow("deep YAML") << "topology: " + QByteArray("[").repeated(100'000) << "the YAML is broken";
    QTest::newRow("YAML of one word") << QByteArray("npus_count") << "not a table of keys";
    QTest::newRow("YAML of nothing") << QByteArray("topology: []\nnpus_count: []") << "lists nothing";
    QTest::newRow("YAML of lists") << QByteArray("topology: [[Ring]]") << "more than plain values";
    QTest::newRow("many dimensions") << manyDimensions(13) << "13 dimensions";
    QTest::newRow("not a number") << QByteArray("topology: Ring\nnpus_count: 8\nbandwidth: .nan\nlatency: 1")
                                  << "bandwidth is \".nan\"";
    QTest::newRow("endless latency") << QByteArray("topology: Ring\nnpus_count: 8\nbandwidth: 1\nlatency: .inf")
                                     << "latency is \".inf\"";
    const QByteArray linkTable = "=== ROCm ===\n=== Link Type between two GPUs ===\nGPU0 GPU1\nGPU0 0 XGMI\n";
    QTest::newRow("ROCm row without values") << linkTable + "GPU1\nGPU0 XGMI\n"
                                             << "the row of GPU1 has 0 values";
    QTest::newRow("ROCm heading amid rows") << linkTable + "GPU0 GPU1 GPU2\nGPU1 XGMI 0 XGMI\n"
                                            << "\"Link between two GPUs\" has 2 rows for 3 GPUs";
    QTest::newRow("wide matrix") << "\t" + QByteArray("GPU0\t").repeated(2000) << "over 1024 columns";
    QTest::newRow("X off the diagonal") << QByteArray("\tGPU0\tGPU1\nGPU0\tX\tX\nGPU1\tX\tX\n") << "diagonal";
    QTest::newRow("endless NVLinks") << QByteArray("\tGPU0\tGPU1\nGPU0\tX\tNV99999999999\nGPU1\tPIX\tX\n")
                                     << "is not a connection";
  }
  void badTextGetsOneSentence() {
    QFETCH(QByteArray, text);
    QFETCH(QString, sentence);
    checkSentence(importTopology({text.constData(), static_cast<std::size_t>(text.size())}), sentence);
  }

  void badSyntheticMachinesGetOneSentence_data() {
    QTest::addColumn<QString>("sentence");
    QTest::newRow("") << "is not a machine in hwloc's notation";
    QTest::newRow("racks:2 of gpus") << "is not a machine in hwloc's notation";
    QTest::newRow("pack:0 core:4") << "count of 0";
    QTest::newRow("pack:1000000 core:1000000") << "over 65536 units";
    QTest::newRow("pack:99999999999999999999") << "over 65536 units";
  }
  void badSyntheticMachinesGetOneSentence() {
    QFETCH(QString, sentence);
    checkSentence(importSynthetic(QTest::currentDataTag()), sentence);
  }

  void aClusterTakesNoNodes() {
    checkSentence(importTopology("topology: Ring\nnpus_count: 8\nbandwidth: 1\nlatency: 1\n", {4}),
                  QStringLiteral("describes a whole cluster"));
  }

  // Cutting any description short anywhere gives a system or a sentence, never anything else.
  void everyBeginningOfAFileIsAnswered_data() {
    QTest::addColumn<int>("stride");
    QTest::newRow("hwloc-gpus.xml") << 97;
    QTest::newRow("nccl-ring.xml") << 31;
    QTest::newRow("smi-cube-mesh.txt") << 31;
    QTest::newRow("astra-three-dimensions.yml") << 1;
  }
  void everyBeginningOfAFileIsAnswered() {
    QFETCH(int, stride);
    QFile file(QStringLiteral(P2_TEST_DATA "/import/") + QString::fromUtf8(QTest::currentDataTag()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const std::string whole = file.readAll().toStdString();
    int refused = 0;
    for (std::size_t size = 0; size < whole.size(); size += static_cast<std::size_t>(stride)) {
      const auto result = importTopology(whole.substr(0, size));
      if (!result.ok()) {
        ++refused;
        QVERIFY(!result.error().message.empty());
      }
    }
    QVERIFY(refused > 0);
    QVERIFY(importTopology(whole).ok());
  }

 private:
  static QByteArray manyDimensions(int count) {
    const auto list = [count](const char* key, const char* item) {
      return QByteArray(key) + ": [" + (QByteArray(item) + ", ").repeated(count - 1) + item + "]\n";
    };
    return list("topology", "Ring") + list("npus_count", "2") + list("bandwidth", "1") + list("latency", "1");
  }

  static void checkSentence(const Result<Imported>& result, const QString& part) {
    QVERIFY(!result.ok());
    const QString sentence = QString::fromStdString(result.error().text());
    QVERIFY2(sentence.contains(part), qPrintable(sentence));
    QVERIFY2(!sentence.contains(QLatin1Char('\n')), qPrintable(sentence));
  }
};

QTEST_APPLESS_MAIN(TestImportErrors)
#include "tst_import_errors.moc"
