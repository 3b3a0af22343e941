// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "cost/calibration/calibration.h"
#include "plan/plan.h"
#include "remote/detail/osu_tests.h"
#include "remote/measured_files.h"
#include "support/fixtures.h"

using namespace p2;

namespace {

const char* const kOsu = R"(srun -n 16 ./osu_allreduce
# OSU MPI Allreduce Latency Test v7.3
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)
1                       2.00
1024                    8.00
0                       1.00

# OSU MPI Allgather Latency Test v5.6.2
# Size       Avg Latency(us)
64                      4.00
# OSU MPI All-to-All Personalized Exchange Latency Test v5.6.2
# Size       Avg Latency(us)
16                      5.00
# OSU MPI Bandwidth Test v5.6.2
# Size      Bandwidth (MB/s)
1                       1.50
)";

const char* const kNccl = R"($ ./all_reduce_perf -b 1M -e 2M -g 8
     1048576        262144     float     sum      -1    30.00   34.95   61.16      0    29.50   35.54   62.20      0
     2097152        524288     float     sum      -1    50.00   41.94   73.40      0    52.00   40.33   70.58      3
$ ./sendrecv_perf -g 8
     1048576        262144     float    none      -1    30.00   34.95   30.58      0    29.50   35.54   31.10    N/A
)";

QString joinedLines(const std::vector<std::string>& texts) {
  QStringList list;
  for (const std::string& text : texts) list << QString::fromStdString(text);
  return list.join('\n');
}

/// A plan and what running it gave, as p2 run --json writes it.
std::string runOf(const std::string& system, double seconds, int wrong) {
  Workspace workspace = test::workspaceOf(system, "data=8", "data", "[[2,4]]");
  workspace.program = "root:InsideGroup:AllReduce";
  const std::string plan = planToJson(test::valueOf(makePlan(workspace)));
  QString text = QString::fromStdString(plan);
  text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  return QString(
             R"({"bytes": 1000000, "wrong_elements": %1, "seconds": {"min": 1, "median": %2, "max": 9}, "plan": "%3"})")
      .arg(wrong)
      .arg(seconds)
      .arg(text)
      .toStdString();
}

}  // namespace

/// Measurements out of whatever measured.
class TestMeasuredFiles : public QObject {
  Q_OBJECT
 private slots:
  void readsOsuBenchmarks() {
    const auto tests = osuTestsIn(kOsu);
    QCOMPARE(tests.size(), std::size_t{4});
    QCOMPARE(tests[0].collective, std::string("AllReduce"));
    QCOMPARE(tests[0].ranks, 16);
    QCOMPARE(tests[0].sizes.size(), std::size_t{2});
    QCOMPARE(tests[0].sizes[1].seconds, 8e-6);
    QVERIFY(tests[1].perRank);
    QCOMPARE(tests[2].collective, std::string("AllToAll"));
    QVERIFY(tests[2].perRank);
    QVERIFY(tests[3].collective.empty());
  }

  void takesTheRowsThatFit() {
    const System system = test::valueOf(parseSystem("node:4 gpu:8"));
    const MeasuredFiles osu = test::valueOf(measurementsIn(kOsu, "osu.txt", system));
    QCOMPARE(joinedLines(osu.used), QString("osu.txt: 2 sizes of AllReduce over 16 ranks, 1 B to 1.02 kB\n"
                                            "osu.txt: 1 size of AllGather over 16 ranks, 1.02 kB to 1.02 kB\n"
                                            "osu.txt: 1 size of AllToAll over 16 ranks, 256 B to 256 B"));
    QCOMPARE(joinedLines(osu.left),
             QString("osu.txt: OSU MPI Bandwidth Test v5.6.2, which is not one of our collectives"));
    QCOMPARE(osu.measurements.size(), std::size_t{4});
    QCOMPARE(osu.measurements[2].cost.bytes, Bytes(1024.0));
    QCOMPARE(osu.measurements[2].outermost, std::int64_t{2});
    QCOMPARE(osu.measurements[2].step, StepId(1));

    const MeasuredFiles nccl = test::valueOf(measurementsIn(kNccl, "nccl.txt", system));
    QCOMPARE(joinedLines(nccl.used), QString("nccl.txt: 1 size of AllReduce over 8 ranks, 1.05 MB to 1.05 MB"));
    QCOMPARE(joinedLines(nccl.left), QString("nccl.txt: 1 size of all_reduce_perf with wrong elements\n"
                                             "nccl.txt: sendrecv_perf, which is not one of our collectives"));
    QCOMPARE(nccl.measurements[0].outermost, std::int64_t{1});
    QCOMPARE(nccl.measurements[0].matrix.text(), std::string("[[1,8]]"));
  }

  // Every collective of ours is priced as what was measured: the fit finds the bandwidth that the times were made with.
  void everyCollectiveCanBeFitted_data() {
    QTest::addColumn<QByteArray>("program");
    QTest::addColumn<QByteArray>("columns");
    QTest::addColumn<double>("share");
    QTest::newRow("AllReduce") << QByteArray("all_reduce_perf") << QByteArray("sum -1") << 1.75;
    QTest::newRow("ReduceScatter") << QByteArray("reduce_scatter_perf") << QByteArray("sum -1") << 0.875;
    QTest::newRow("AllGather") << QByteArray("all_gather_perf") << QByteArray("none -1") << 0.875;
    QTest::newRow("Reduce") << QByteArray("reduce_perf") << QByteArray("sum 0") << 1.0;
    QTest::newRow("Broadcast") << QByteArray("broadcast_perf") << QByteArray("none 0") << 1.0;
    QTest::newRow("AllToAll") << QByteArray("alltoall_perf") << QByteArray("none -1") << 0.875;
    QTest::newRow("Scatter") << QByteArray("scatter_perf") << QByteArray("none 0") << 0.875;
  }
  void everyCollectiveCanBeFitted() {
    QFETCH(QByteArray, program);
    QFETCH(QByteArray, columns);
    QFETCH(double, share);
    const System system = test::valueOf(parseSystem("gpu:8@100GB/s"));
    QByteArray text = "# " + program + "\n";
    for (const double bytes : {1e8, 2e8, 4e8}) {
      const QByteArray seconds = QByteArray::number(bytes * share / 50e9 * 1e6, 'f', 3);
      const QByteArray figures = seconds + " " + QByteArray::number(50 / share, 'f', 2) + " 50.00 0 ";
      text += QByteArray::number(bytes, 'f', 0) + " 1 float " + columns + " " + figures + figures + "\n";
    }
    const MeasuredFiles files = test::valueOf(measurementsIn(text.toStdString(), "out.txt", system));
    const Calibration fitted = test::valueOf(calibrate(system, files.measurements));
    const double bandwidth = fitted.interconnects[0].fitted;
    QVERIFY2(std::abs(bandwidth / 50e9 - 1) < 0.05, qPrintable(QString::number(bandwidth)));
  }

  void readsOurRuns() {
    const System system = test::valueOf(parseSystem("node:2 gpu:4"));
    const MeasuredFiles one = test::valueOf(measurementsIn(runOf("node:2 gpu:4", 0.25, 0), "run.json", system));
    QCOMPARE(joinedLines(one.used), QString("run.json: 1 run"));
    QCOMPARE(one.measurements[0].seconds, 0.25);
    QCOMPARE(one.measurements[0].cost.bytes, Bytes(1e6));
    QCOMPARE(one.measurements[0].program, std::string("root:InsideGroup:AllReduce"));
    const QString body = QString::fromStdString(runOf("node:2 gpu:4", 0.5, 0));
    const QString plan = body.mid(body.indexOf("\"plan\": "));
    const QString runs =
        R"({"format": "p2-runs", "version": 1, "runs": [{"result": {"bytes": 1000000, "wrong_elements": 0,
      "seconds": {"median": 0.5}}, )" +
        plan + R"(, {"result": null, )" + plan + R"(, {"plan": "x"}, {"result": {"bytes": 1000000, "pieces": 4,
      "wrong_elements": 0, "seconds": {"median": 0.4}}, )" +
        plan + "]}";
    const MeasuredFiles all = test::valueOf(measurementsIn(runs.toStdString(), "runs.json", system));
    QCOMPARE(joinedLines(all.used), QString("runs.json: 1 run"));
    QCOMPARE(joinedLines(all.left), QString("runs.json: 1 run whose steps overlapped\nruns.json: 1 run that "
                                            "failed\nruns.json: 1 run not made from a plan for this system"));
    QCOMPARE(all.measurements[0].seconds, 0.5);
    // Figures that no machine has.
    const QString absurd =
        R"({"format": "p2-runs", "version": 1, "runs": [{"result": {"bytes": 1e30, "wrong_elements": 0,
      "seconds": {"median": 0.5}}, )" +
        plan + R"(, {"result": {"bytes": 1000000, "wrong_elements": 0, "seconds": {"median": 1e300}}, )" + plan +
        R"(, {"result": {"bytes": 1000000, "wrong_elements": 0, "seconds": {"median": 2}}, )" + plan + "]}";
    const MeasuredFiles left = test::valueOf(measurementsIn(absurd.toStdString(), "runs.json", system));
    QCOMPARE(left.measurements.size(), std::size_t{1});
    QCOMPARE(joinedLines(left.left), QString("runs.json: 2 runs with over 1e18 bytes or 1e9 seconds"));
  }

  void saysWhyNothingFits_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("other text") << "hello"
                                << "f: it holds no measurements that are known";
    QTest::newRow("other ranks") << kNccl
                                 << "over 8 ranks: the system has 6 devices in 2 nodes × 3 GPUs; sendrecv_perf";
    QTest::newRow("other collectives") << "$ sendrecv_perf\n" + QString(kNccl).section('\n', 4, 4)
                                       << "f: sendrecv_perf, which is not one of our collectives; none of its rows";
    QTest::newRow("a column") << "axes,seconds\n8,1\n"
                              << "f: line 1: the header needs one column named reduce";
  }
  void saysWhyNothingFits() {
    QFETCH(QString, text);
    QFETCH(QString, sentence);
    const auto files = measurementsIn(text.toStdString(), "f", test::valueOf(parseSystem("node:2 gpu:3")));
    QVERIFY(!files.ok());
    const QString stated = QString::fromStdString(files.error().text());
    QVERIFY2(stated.contains(sentence), qPrintable(stated));
  }
};

QTEST_APPLESS_MAIN(TestMeasuredFiles)
#include "tst_measured_files.moc"
