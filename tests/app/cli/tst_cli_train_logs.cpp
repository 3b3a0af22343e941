// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include "support/warnings.h"
#include "tests/app/cli/run_p2.h"

using p2::test::Answer;
using p2::test::jsonFrom;
using p2::test::runP2;

/// Logs and traces of runs: they calibrate a plan, and are held against it.
class TestCliTrainLogs : public QObject {
  Q_OBJECT
 private slots:
  void init() { p2::test::failOnWarnings(); }

  void logsCalibrate() {
    QTemporaryDir folder;
    QFile log(folder.filePath("run.log"));
    QVERIFY(log.open(QIODevice::WriteOnly));
    for (int i = 0; i < 10; ++i) log.write("iteration | elapsed time per iteration (ms): 9000.0 | lm loss: 2\n");
    log.close();
    const QStringList asked{"train", "llama3-70b", "dgx-h100:16", "--batch", "256", "--framework", "megatron"};
    const QJsonObject plain = jsonFrom(asked);
    const QJsonObject answer = jsonFrom(asked + QStringList{"--measured", log.fileName() + ":tp=8,pp=2"});
    const QJsonObject calibration = answer["calibration"].toObject();
    QVERIFY(calibration["left_out_error"].isNull());
    const QJsonObject run = calibration["measured"].toArray()[0].toObject();
    QCOMPARE(run["framework"].toString(), QStringLiteral("Megatron-LM"));
    QCOMPARE(run["steps"].toInt(), 10);
    QCOMPARE(run["measured_seconds"].toDouble(), 9.0);
    QVERIFY(run["predicted_seconds"].toDouble() < 9);
    QVERIFY(calibration["factors"].toObject()["computation"].toDouble() > 1);
    const auto best = [](const QJsonObject& each) { return each["configurations"].toArray()[0].toObject(); };
    QVERIFY(best(answer)["seconds"].toDouble() > best(plain)["seconds"].toDouble());
    QVERIFY(!plain.contains("calibration"));
    const Answer unstated = runP2(asked + QStringList{"--measured", log.fileName()});
    QCOMPARE(unstated.status, 2);
    QVERIFY2(unstated.err.contains("needs its configuration"), qPrintable(unstated.err));
  }

  // ProfilerStep marks of a trace, in microseconds: 9.5, 9, 9 and 9 seconds.
  void profilerTracesCalibrate() {
    QTemporaryDir folder;
    QFile trace(folder.filePath("rank0.json"));
    QVERIFY(trace.open(QIODevice::WriteOnly));
    trace.write("{\"schemaVersion\": 1, \"deviceProperties\": [], \"traceEvents\": [\n");
    const int starts[] = {0, 9'500'000, 18'500'000, 27'500'000};
    for (int i = 0; i < 4; ++i) {
      trace.write(
          QStringLiteral("{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#%1\", \"pid\": 1, "
                         "\"tid\": 1, \"ts\": %2, \"dur\": 9000000},\n")
              .arg(i + 3)
              .arg(starts[i])
              .toUtf8());
    }
    trace.write(
        "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"gemm\", \"pid\": 0, \"tid\": 7, \"ts\": 5, \"dur\": 10}]}\n");
    trace.close();
    const QStringList asked{"train", "llama3-70b", "dgx-h100:16", "--batch", "256", "--framework", "megatron"};
    const QJsonObject answer = jsonFrom(asked + QStringList{"--measured", trace.fileName() + ":tp=8,pp=2"});
    const QJsonObject run = answer["calibration"].toObject()["measured"].toArray()[0].toObject();
    QCOMPARE(run["framework"].toString(), QStringLiteral("PyTorch profiler"));
    QCOMPARE(run["steps"].toInt(), 4);
    QCOMPARE(run["measured_seconds"].toDouble(), 9.0);
    // Without marks the trace says nothing about steps.
    QVERIFY(trace.open(QIODevice::ReadOnly));
    QByteArray bare = trace.readAll();
    bare.replace("ProfilerStep#", "forward_");
    QFile other(folder.filePath("bare.json"));
    QVERIFY(other.open(QIODevice::WriteOnly));
    other.write(bare);
    other.close();
    const Answer refused = runP2(asked + QStringList{"--measured", other.fileName() + ":tp=8,pp=2"});
    QCOMPARE(refused.status, 2);
    QVERIFY2(refused.err.contains("call profiler.step() after every training step"), qPrintable(refused.err));
  }

  // A plan next to a recorded step of 10 s, of which kernels compute for 6 and communicate for 3.
  void aRecordedStepIsComparedWithItsPlan() {
    QTemporaryDir folder;
    const QString plan = folder.filePath("plan.json");
    const Answer made =
        runP2({"train", "llama3-8b", "dgx-h100:1", "--batch", "128", "--framework", "megatron", "-o", plan});
    QCOMPARE(made.status, 0);
    QFile trace(folder.filePath("rank0.json"));
    QVERIFY(trace.open(QIODevice::WriteOnly));
    const auto event = [&](const char* category, const char* name, double start, double seconds) {
      return QStringLiteral(
                 "{\"ph\": \"X\", \"cat\": \"%1\", \"name\": \"%2\", \"pid\": 0, \"tid\": 7, \"ts\": %3, "
                 "\"dur\": %4}")
          .arg(category, name)
          .arg(start * 1e6, 0, 'f', 0)
          .arg(seconds * 1e6, 0, 'f', 0);
    };
    const QStringList events{event("user_annotation", "ProfilerStep#1", 0, 10), event("kernel", "sm90_gemm", 0, 6),
                             event("kernel", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 6, 3)};
    trace.write(("{\"schemaVersion\": 1, \"traceEvents\": [" + events.join(", ") + "]}").toUtf8());
    trace.close();
    const QJsonObject answer = jsonFrom({"compare-run", trace.fileName(), "--plan", plan});
    QCOMPARE(answer["steps"].toInt(), 1);
    QCOMPARE(answer["step_seconds"].toDouble(), 10.0);
    QCOMPARE(answer["computation_seconds"].toDouble(), 6.0);
    QCOMPARE(answer["exposed_seconds"].toDouble(), 3.0);
    QCOMPARE(answer["idle_seconds"].toDouble(), 1.0);
    const QJsonArray parts = answer["parts"].toArray();
    QCOMPARE(parts.size(), 4);
    double predicted = 0;
    for (qsizetype i = 1; i < parts.size(); ++i) predicted += parts[i]["predicted_seconds"].toDouble();
    QVERIFY(std::abs(predicted / parts[0]["predicted_seconds"].toDouble() - 1) < 1e-9);
    QVERIFY(predicted > 1 && predicted < 60);
  }
};

QTEST_APPLESS_MAIN(TestCliTrainLogs)
#include "tst_cli_train_logs.moc"
