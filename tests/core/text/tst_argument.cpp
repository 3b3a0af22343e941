// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>

#include "support/warnings.h"
#include "text/argument.h"

using p2::ArgumentText;

class TestArgument : public QObject {
  Q_OBJECT
 private slots:
  void init() { p2::test::failOnWarnings(); }

  void tellsPathsFromNames_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("path");
    for (const char* path : {"a.json", "./gpt2", "dir/file", "/tmp/x", "trace.json.gz", "node:2/x", "model.onnx",
                             "x.CSV", "../node:2@8GB/s"}) {
      QTest::newRow(path) << path << true;
    }
    for (const char* name : {"gpt2", "gcp-a100:4", "llama3.1-8b", "node:2@270GB/s gpu:4", "node:2@1.5GB/s,2us gpu:4",
                             "", ".", "node:2@12.5GB/s", "qwen2.5"}) {
      QTest::newRow(qPrintable(QString("name \"%1\"").arg(name))) << name << false;
    }
  }
  void tellsPathsFromNames() {
    QFETCH(QString, text);
    QFETCH(bool, path);
    QCOMPARE(ArgumentText(text.toStdString()).isPath(), path);
  }

  void readsTheHeadOnce() {
    QTemporaryDir folder;
    QFile file(folder.filePath("x"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(
        "\xEF\xBB\xBF"
        "first");
    file.close();
    const ArgumentText argument(file.fileName().toStdString());
    QVERIFY(argument.exists());
    QCOMPARE(argument.head(), std::string("first"));
    QVERIFY(file.remove());
    QCOMPARE(argument.head(), std::string("first"));
    QCOMPARE(ArgumentText(folder.path().toStdString()).head(), std::string());
    QCOMPARE(ArgumentText(folder.filePath("none").toStdString()).head(), std::string());
  }

  void findsOurFormats() {
    QCOMPARE(p2::formatIn("{\"format\": \"p2-plan\", \"version\": 1}"), std::string_view("p2-plan"));
    QCOMPARE(p2::formatIn("{\"version\": 1,\n \"format\" :\n \"strategy-tables\"}"),
             std::string_view("strategy-tables"));
    QCOMPARE(p2::formatIn("{\"format\": \"other\", \"x\": {\"format\": \"p2-graph\"}}"), std::string_view("p2-graph"));
    QCOMPARE(p2::formatIn("{\"format\": 3, \"formats\": \"p2-plan\"}"), std::string_view());
    QCOMPARE(p2::formatIn("{\"format\": \"p2-pl"), std::string_view("p2-pl"));
  }
};

QTEST_APPLESS_MAIN(TestArgument)
#include "tst_argument.moc"
