// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include "support/warnings.h"
#include "views/shell/file_use.h"

using namespace p2;
using views::FileUse;

/// Files are told by what they hold.
class TestFileUse : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }

  void isToldByContent_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<int>("use");
    const auto row = [](const char* file, FileUse use) { QTest::newRow(file) << QString(file) << int(use); };
    row(P2_RESOURCES "/examples/a100-4x16.p2.json", FileUse::Document);
    row(P2_RESOURCES "/examples/llama3-70b-fsdp32-tp8.p2.json", FileUse::Document);
    row(P2_TEST_DATA "/plans/version-1-split.json", FileUse::Document);
    row(P2_RESOURCES "/lessons/01-read-a-grid.json", FileUse::Document);
    row(P2_TEST_DATA "/import/hwloc-gpus.xml", FileUse::Machine);
    row(P2_TEST_DATA "/import/nccl-ring.xml", FileUse::Machine);
    row(P2_TEST_DATA "/import/smi-mesh.txt", FileUse::Machine);
    row(P2_TEST_DATA "/import/rocm-showtopo.txt", FileUse::Machine);
    row(P2_TEST_DATA "/import/astra-ring.yml", FileUse::Machine);
    row(P2_RESOURCES "/workloads/llama3-70b.json", FileUse::Workload);
    row(P2_TEST_DATA "/workload/kineto_mesh.json", FileUse::Workload);
    row(P2_TEST_DATA "/workload/chakra_graph.json", FileUse::Workload);
    row(P2_TEST_DATA "/workload/aicb_stages.csv", FileUse::Workload);
    row(P2_TEST_DATA "/workload/simai_moe.txt", FileUse::Workload);
    row(P2_TEST_DATA "/workload/calculon_model.json", FileUse::Workload);
    row(P2_RESOURCES "/graphs/mlp.json", FileUse::Graph);
    row(P2_TEST_DATA "/strategy/alexnet_p8.json", FileUse::Graph);
    row(P2_TEST_DATA "/nccl/h100x8-cnode3-002-all_reduce.txt", FileUse::Measurements);
    row(P2_TEST_DATA "/nccl/oci-h100-n2-all_reduce.txt", FileUse::Measurements);
  }
  void isToldByContent() {
    QFETCH(QString, path);
    QFETCH(int, use);
    const QTemporaryDir folder;
    // Whatever the file is called.
    const QString copy = folder.filePath("download");
    QVERIFY(QFile::copy(path, copy));
    const auto reported = views::fileUse(copy);
    QVERIFY2(reported.ok(), reported.ok() ? "" : reported.error().text().c_str());
    QCOMPARE(int(*reported), use);
  }

  void textsAreTold_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("use");
    QTest::newRow("config.json") << QByteArray("{\"architectures\": [\"LlamaForCausalLM\"], \"model_type\": \"llama\"}")
                                 << int(FileUse::ModelShape);
    QTest::newRow("system") << QByteArray("{\"version\": 1, \"format\" : \"p2-system\", \"levels\": []}")
                            << int(FileUse::Machine);
    QTest::newRow("plan of p2 train") << QByteArray("{\"dispatch\": \"alltoall\", \"format\": \"p2-training\"}")
                                      << int(FileUse::Training);
    QTest::newRow("measured rows") << QByteArray("axes,reduce,matrix,seconds\ndata=8,0,[[8]],0.1\n")
                                   << int(FileUse::Measurements);
    QTest::newRow("runs") << QByteArray("{\"runs\": [{\"plan\": \"{\\\"format\\\": \\\"p2-plan\\\"}\"}]}")
                          << int(FileUse::Measurements);
    QTest::newRow("a workspace that speaks of others")
        << QByteArray("{\"notes\": \"\\\"format\\\": \\\"p2-graph\\\"\", \"format\": \"p2-workspace\", \"version\": 1}")
        << int(FileUse::Document);
  }
  void textsAreTold() {
    QFETCH(QByteArray, text);
    QFETCH(int, use);
    const auto reported = views::fileUse(written("file", text));
    QVERIFY2(reported.ok(), reported.ok() ? "" : reported.error().text().c_str());
    QCOMPARE(int(*reported), use);
  }

  void modelsOfOnnxAreToldByTheirName() {
    const auto reported = views::fileUse(written("model.onnx", QByteArray("\x08\x07\x12\x00", 4)));
    QVERIFY(reported.ok() && *reported == FileUse::Graph);
  }

  void nobodyKnowsTheRest_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("words") << QByteArray("Dear diary");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("json") << QByteArray("{\"hello\": 1}");
    QTest::newRow("broken json") << QByteArray("{\"hello\": ");
    QTest::newRow("bytes") << QByteArray(100'000, '\xff');
    QTest::newRow("another format") << QByteArray("{\"format\": \"p2-strategy\", \"version\": 1}");
  }
  void nobodyKnowsTheRest() {
    QFETCH(QByteArray, text);
    const auto reported = views::fileUse(written("letter.txt", text));
    QVERIFY(!reported.ok());
    const QString sentence = QString::fromStdString(reported.error().text());
    QVERIFY2(sentence.contains("letter.txt: unknown kind of file"), qPrintable(sentence));
    QCOMPARE(sentence.count('\n'), 0);
  }

  // Opening it says where the text ends.
  void aDocumentThatWasCutOffIsToldByItsName() {
    const auto reported = views::fileUse(written("mine.p2.json", "{\"format\": \"p2-workspace\", \"axes\": [{"));
    QVERIFY2(reported.ok() && *reported == FileUse::Document, reported.ok() ? "" : reported.error().text().c_str());
  }

  void whatIsNoFileIsSaid() {
    const auto folder = views::fileUse(m_folder.path());
    QVERIFY(!folder.ok() && QString::fromStdString(folder.error().text()).contains("folder"));
    const auto nothing = views::fileUse(m_folder.filePath("nothing.json"));
    QVERIFY(!nothing.ok() && QString::fromStdString(nothing.error().text()).contains("nothing.json"));
    const auto device = views::fileUse("/dev/zero");
    QVERIFY(!device.ok() && QString::fromStdString(device.error().text()).contains("regular"));
  }

 private:
  QString written(const char* name, const QByteArray& text) {
    const QString path = m_folder.filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("cannot write %s", name);
    return path;
  }

  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestFileUse)
#include "tst_file_use.moc"
