// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "runs/measured_program.h"

using namespace p2;

namespace {

const MeasuredQuestion kQuestion{"node:2 gpu:4", "data 8 ∑", "[[2,4]]", "best", "[[2,4]]", "flat"};

MeasuredProgram run(const char* program, double seconds, std::int64_t bytes = 1 << 20, const char* backend = "gloo") {
  MeasuredProgram one;
  one.system = kQuestion.system;
  one.axes = kQuestion.axes;
  one.matrix = kQuestion.matrixA;
  one.program = program;
  one.target = "here";
  one.backend = backend;
  one.ranks = 8;
  one.bytes = Bytes(static_cast<double>(bytes));
  one.seconds = seconds;
  return one;
}

QString reported(const std::vector<MeasuredProgram>& runs) {
  return QString::fromStdString(measuredText(measuredPair(runs, kQuestion), "A", "B"));
}

}  // namespace

/// Measured runs of the two programs of A|B.
class TestMeasuredProgram : public QObject {
  Q_OBJECT
 private slots:
  void theNewestThatCanBeComparedAreTaken() {
    // The newest of A has other bytes than any of B.
    const std::vector<MeasuredProgram> runs{run("best", 1e-3, 4096), run("flat", 4e-3), run("best", 2e-3),
                                            run("flat", 9e-3), run("other", 5)};
    const MeasuredPair pair = measuredPair(runs, kQuestion);
    QVERIFY(pair.equal);
    QCOMPARE(pair.a->seconds, 2e-3);
    QCOMPARE(pair.b->seconds, 4e-3);
    QCOMPARE(reported(runs),
             QString("Measured on here (gloo, 8 ranks, 1.05 MB): A takes 2.00 ms, B 4.00 ms; A is 2.00× as fast as B"));
  }

  void predictionsOfTheSameRunsFollow() {
    MeasuredProgram a = run("best", 4e-3), b = run("flat", 3e-3);
    a.predicted = 1e-3;
    b.predicted = 2e-3;
    QVERIFY2(reported({a, b}).endsWith("B is 1.33× as fast as A; predicted for these runs: 1.00 ms and 2.00 ms"),
             qPrintable(reported({a, b})));
    QVERIFY(reported({run("best", 1e-3), run("flat", 1.003e-3)}).endsWith("A and B take the same time"));
  }

  void runsThatDifferAreNotCompared() {
    const QString text = reported({run("best", 2e-3, 1 << 20, "nccl"), run("flat", 4e-3)});
    QVERIFY2(text.contains("their times are not compared") && !text.contains("as fast"), qPrintable(text));
  }

  void oneAlone() {
    QCOMPARE(reported({run("flat", 4e-3)}),
             QString("Measured: B takes 4.00 ms on here (gloo, 8 ranks, 1.05 MB); A has not been run"));
    QCOMPARE(reported({}), QString());
    MeasuredProgram elsewhere = run("flat", 4e-3);
    elsewhere.system = "node:4 gpu:2";
    QCOMPARE(reported({elsewhere}), QString());
  }

  void failedRunsAreNone() {
    RunRecord record;
    QVERIFY(!measuredProgram(record));
    record.result = RunResult{};
    record.result->seconds = {1, 2, 3};
    record.result->hosts = {"a", "b"};
    QCOMPARE(measuredProgram(record)->seconds, 2.0);
    QCOMPARE(measuredProgram(record)->ranks, std::size_t{2});
    record.result->wrongElements = 1;
    QVERIFY(!measuredProgram(record));
  }
};

QTEST_APPLESS_MAIN(TestMeasuredProgram)
#include "tst_measured_program.moc"
