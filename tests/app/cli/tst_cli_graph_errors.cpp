// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include "support/warnings.h"
#include "tests/app/cli/run_p2.h"

using p2::test::Answer;
using p2::test::p2Program;
using p2::test::runP2;

// What p2 strategy says of graphs and options that cannot be.
class TestCliGraphErrors : public QObject {
  Q_OBJECT
 private slots:
  void init() { p2::test::failOnWarnings(); }

  void aMissingReaderGetsASentence() {
    const QTemporaryDir folder;
    const QString alone = folder.filePath("p2");
    QVERIFY(QFile::copy(p2Program(), alone));
    QProcess process;
    process.start(alone, {"strategy", "model.onnx"});
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 2);
    const QString stated = QString::fromUtf8(process.readAllStandardError());
    QVERIFY2(stated.startsWith("p2: model.onnx: ONNX models are read by p2-onnx-reader, which is not in "),
             qPrintable(stated));
    QVERIFY(stated.endsWith("; install P² Explorer again\n"));
  }

  void mistakesGetASentence_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("error");
    const auto row = [](const QStringList& arguments, const char* error) {
      QTest::newRow(qPrintable(arguments.join(' '))) << arguments << QString::fromUtf8(error);
    };
    row({}, "p2: FILE: a file or a bundled graph is needed; see p2 strategy --list\n");
    row({"vgg"},
        "p2: there is no graph called \"vgg\"; use one of mlp, lstm, alexnet, resnet50, transformer, "
        "gpt2-medium, llama3-8b, llama3-70b, llama3-405b, gpt3-175b, mixtral-8x7b, deepseek-v3, mixtral-8x22b, "
        "qwen3-30b-a3b, qwen3-235b-a22b, glm-4.5-air, gpt-oss-120b, qwen2.5-7b, llama2-13b, "
        "qwen2.5-32b, qwen3-32b, or a file\n");
    row({"llama-70b", "--batch", "64"},
        "p2: there is no graph called \"llama-70b\"; use one of mlp, lstm, alexnet, resnet50, transformer, "
        "gpt2-medium, llama3-8b, llama3-70b, llama3-405b, gpt3-175b, mixtral-8x7b, deepseek-v3, mixtral-8x22b, "
        "qwen3-30b-a3b, qwen3-235b-a22b, glm-4.5-air, gpt-oss-120b, qwen2.5-7b, llama2-13b, "
        "qwen2.5-32b, qwen3-32b, or a file\n");
    row({"mlp", "--model", "deep"},
        "p2: --model: \"deep\" is not a cost model of strategies; "
        "use flat or hierarchical\n");
    row({"mlp", "--model", "hierarchical"},
        "p2: --system: the hierarchical model needs a system, as in --system gcp-a100:4\n");
    row({"mlp", "--system", "gcp-a100:2"}, "p2: --system: the flat model takes no system; add --model hierarchical\n");
    row({"mlp", "--model", "hierarchical", "--system", "gcp-a100:2", "--devices", "8"},
        "p2: --devices: the system has 32 devices, not 8; use its number, or another system\n");
    row({"mlp", "--space", "odd"},
        "p2: --space: \"odd\" is not a space of configurations; use all, divisors or powers-of-two\n");
    row({"llama3-8b", "--batch", "0"}, "p2: --batch: 0 is out of range; a batch has 1 or more samples\n");
    row({"llama3-8b", "--sequence", "0"}, "p2: --sequence: 0 is out of range; a sequence has 1 or more tokens\n");
    row({"mlp", "--flops", "10GB"},
        "p2: --flops: \"10GB\" is not a speed; write a positive number of FLOP/s, as in 1e13 or 989TFLOP/s\n");
    row({"mlp", "--batch", "4"}, "p2: a batch is for models that leave it open; \"mlp\" has one of its own\n");
    row({"mlp", "--dim", "N=4"}, "p2: sizes of dimensions are for ONNX models; \"mlp\" has its own\n");
    row({"m.onnx", "--dim", "N"}, "p2: --dim: \"N\" is not of the form DIMENSION=SIZE; write, for example, N=8\n");
    row({"m.onnx", "--dim", "N=0"}, "p2: --dim: 0 is out of range; use 1 to 1099511627776\n");
    row({"m.onnx", "--dim", "N=1", "--dim", "N=2"}, "p2: --dim: \"N\" is given twice; keep one size\n");
    row({"none.onnx"}, "p2: none.onnx: it cannot be read: No such file or directory\n");
    row({"alexnet", "--devices", "7", "--exactly"},
        "p2: \"conv1\" cannot be split into exactly 7 parts in this space; allow fewer, or use another space or a "
        "smaller cutoff\n");
    const QString tables = P2_TEST_DATA "/strategy/alexnet_p8.json";
    const QString stated = "p2: --model: " + tables + " has cost tables already; leave the option out\n";
    row({tables, "--model", "flat"}, qPrintable(stated));
  }
  void mistakesGetASentence() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, error);
    const Answer answer = runP2(QStringList{"strategy"} + arguments);
    QCOMPARE(answer.err, error);
    QCOMPARE(answer.status, 2);
    QVERIFY(answer.out.isEmpty());
  }
};

QTEST_APPLESS_MAIN(TestCliGraphErrors)
#include "tst_cli_graph_errors.moc"
