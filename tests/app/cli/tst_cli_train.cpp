// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonObject>
#include <QtTest>

#include "support/warnings.h"
#include "tests/app/cli/run_p2.h"

using p2::test::Answer;
using p2::test::jsonFrom;
using p2::test::runP2;

class TestCliTrain : public QObject {
  Q_OBJECT
 private slots:
  void init() { p2::test::failOnWarnings(); }

  void theKeysAreThoseOfTheFormat() {
    const QJsonObject answer = jsonFrom({"train", "llama3-8b", "dgx-h100:2", "--batch", "64", "--best", "3"});
    for (const char* key : {"model", "system", "framework", "batch", "sequence", "precision", "considered", "excluded",
                            "assumed", "configurations"}) {
      QVERIFY2(answer.contains(key), key);
    }
    const QJsonArray configurations = answer["configurations"].toArray();
    QCOMPARE(configurations.size(), 3);
    for (const auto& each : configurations) {
      const QJsonObject made = each.toObject();
      for (const char* key : {"tp",
                              "sp",
                              "cp",
                              "cp_kind",
                              "pp",
                              "vpp",
                              "ep",
                              "etp",
                              "dp",
                              "replicas",
                              "zero",
                              "microbatch",
                              "microbatches",
                              "recompute",
                              "schedule",
                              "layers_per_stage",
                              "axes",
                              "matrix",
                              "orders",
                              "seconds",
                              "seconds_low",
                              "seconds_high",
                              "tokens_per_second",
                              "mfu",
                              "memory",
                              "memory_parts",
                              "parts",
                              "ties_with"}) {
        QVERIFY2(made.contains(key), key);
      }
      QCOMPARE(made["tp"].toInt() * made["cp"].toInt() * made["pp"].toInt() * made["dp"].toInt(), 16);
      QCOMPARE(made["microbatch"].toInt() * made["microbatches"].toInt() * made["dp"].toInt(), 64);
      const QJsonObject parts = made["parts"].toObject();
      double sum = 0;
      for (const auto& part : parts) sum += part.toDouble();
      for (const auto& part : parts["exposed"].toObject()) sum += part.toDouble();
      QVERIFY(std::abs(sum / made["seconds"].toDouble() - 1) < 1e-6);
    }
  }

  void aModelThatDoesNotFitIsANo() {
    const Answer answer = runP2({"train", "llama3-405b", "dgx-h100:1", "--batch", "64", "--framework", "megatron"});
    QCOMPARE(answer.status, 1);
    QVERIFY2(answer.err.contains("no configuration fits"), qPrintable(answer.err));
  }

  void badInputSaysWhatWouldBeRight_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("error");
    const QStringList asked{"train", "llama3-8b", "dgx-h100:2", "--batch", "64"};
    QTest::newRow("model") << QStringList{"train", "llama9", "dgx-h100:2", "--batch", "64"} << "llama3-8b";
    QTest::newRow("framework") << asked + QStringList{"--framework", "pax"} << "use one of megatron, torchtitan";
    QTest::newRow("fix") << asked + QStringList{"--fix", "tp"} << "is not of the form key=value";
    QTest::newRow("accelerator") << QStringList{"train", "llama3-8b", "node:2 gpu:8", "--batch", "64"}
                                 << "the system names no accelerator; give";
    QTest::newRow("place") << asked + QStringList{"--best", "2", "--flags", "3"} << "raise --best";
  }
  void badInputSaysWhatWouldBeRight() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, error);
    const Answer answer = runP2(arguments);
    QCOMPARE(answer.status, 2);
    QVERIFY2(answer.err.contains(error), qPrintable(answer.err));
  }
};

QTEST_APPLESS_MAIN(TestCliTrain)
#include "tst_cli_train.moc"
