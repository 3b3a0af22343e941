// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/warnings.h"
#include "training/step_log.h"

using namespace p2;

/// Step times of logs as the frameworks print them.
class TestStepLog : public QObject {
  Q_OBJECT

 private slots:
  void init() { p2::test::failOnWarnings(); }

  void readsEveryFramework_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("framework");
    QTest::addColumn<double>("seconds");
    QTest::newRow("Megatron-LM")
        << " [2026-01-01 00:00:00] iteration 10/ 100 | consumed samples: 640 | elapsed time per "
           "iteration (ms): 2345.6 | throughput per GPU (TFLOP/s/GPU): 401.2 | learning rate: 1E-4"
        << "Megatron-LM" << 2.3456;
    QTest::newRow("NeMo") << "Epoch 0: reduced_train_loss=2.1, global_step=10, train_step_timing in s: 3.25"
                          << "NeMo" << 3.25;
    QTest::newRow("NeMo bar") << "v_num=0, train_step_timing in s=3.250, consumed_samples=640"
                              << "NeMo" << 3.25;
    QTest::newRow("TorchTitan")
        << "[titan] step: 10  loss: 7.1  memory: 40.1GiB(50%)  tps: 4,096  tflops: 380.2  mfu: 38%"
        << "TorchTitan" << 64.0 * 8192 / (4096 * 16);
    QTest::newRow("TorchTitan, coloured") << "\x1b[31mstep: 10 \x1b[34mtps: \x1b[36m4,096 \x1b[0m"
                                          << "TorchTitan" << 64.0 * 8192 / (4096 * 16);
    QTest::newRow("DeepSpeed") << "epoch=0/micro_step=20/global_step=20, RunningAvgSamplesPerSec=12.1, "
                                  "CurrSamplesPerSec=12.8, MemAllocated=20.5GB"
                               << "DeepSpeed" << 5.0;
    QTest::newRow("MaxText")
        << "completed step: 5, seconds: 3.456, TFLOP/s/device: 345.6, Tokens/s/device: 2370.4, loss: 9"
        << "MaxText" << 3.456;
  }
  void readsEveryFramework() {
    QFETCH(QString, line);
    QFETCH(QString, framework);
    QFETCH(double, seconds);
    const std::string text = QString(line + "\n").repeated(12).toStdString();
    const StepLog log = stepLogFrom(text, {64, 8192, 16}).value();
    QCOMPARE(QString::fromStdString(log.framework), framework);
    QCOMPARE(log.seconds.size(), std::size_t(12));
    QCOMPARE(log.skipped, std::size_t(2));
    QVERIFY2(std::abs(log.median / seconds - 1) < 1e-12, qPrintable(QString::number(log.median)));
  }

  void theFirstStepsAreLeftOut() {
    std::string text;
    for (const int milliseconds : {60000, 2100, 2000, 2000, 2010, 1990}) {
      text += "elapsed time per iteration (ms): " + std::to_string(milliseconds) + "\n";
    }
    const StepLog log = stepLogFrom(text, {}).value();
    QCOMPARE(log.skipped, std::size_t(1));
    QCOMPARE(log.median, 2.0);
  }

  void saysWhatItReads() {
    const auto none = stepLogFrom("loss 3.2\nloss 3.1\n", {});
    QVERIFY(!none.ok() && none.error().message.find("no step times are in the log") != std::string::npos);
    const auto few = stepLogFrom("elapsed time per iteration (ms): 5.0\n", {});
    QVERIFY(!few.ok() && few.error().message.find("1 step;") != std::string::npos);
    QVERIFY(!stepLogFrom("", {}).ok());
    QVERIFY(!stepLogFrom("elapsed time per iteration (ms): many", {}).ok());
  }
};

QTEST_GUILESS_MAIN(TestStepLog)
#include "tst_step_log.moc"
