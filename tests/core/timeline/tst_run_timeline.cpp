// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "tests/core/timeline/trace_reader.h"
#include "timeline/chrome_trace.h"
#include "timeline/plan_timeline.h"
#include "timeline/run_timeline.h"

using namespace p2;
using p2::test::valueOf;

namespace {

/// A run as it would be: every rank computes, arrives, and all leave a collective together.
struct Run {
  int ranks = 4;
  int steps = 10;
  double compute = 8e-3;
  double transfer = 5e-3;
  int late = -1;        ///< rank that computes longer
  double delay = 3e-3;  ///< and by how much

  [[nodiscard]] std::string kineto(int rank) const {
    std::string events;
    double start = 100 + 17.5 * rank;  // clocks are apart
    const double last = compute + (late >= 0 ? delay : 0);
    for (int step = 0; step < steps; ++step) {
      const double mine = compute + (rank == late ? delay : 0);
      events += kernel("sm90_gemm", start, mine, "") + ",";
      events += kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", start + mine, last + transfer - mine,
                       R"(, "Collective name": "allreduce", "dtype": "BFloat16", "In msg nelems": 134217728,
                          "Out msg nelems": 134217728, "Group size": 4, "Process Group Description": "dp")") +
                (step + 1 < steps ? "," : "");
      start += last + transfer;
    }
    return R"({"schemaVersion": 1, "distributedInfo": {"rank": )" + std::to_string(rank) +
           R"(, "world_size": 4}, "traceEvents": [)" + events + "]}";
  }
  static std::string kernel(const std::string& name, double start, double seconds, const std::string& more) {
    return R"({"ph": "X", "cat": "kernel", "name": ")" + name + R"(", "pid": 0, "tid": 7, "ts": )" +
           std::to_string(start * 1e6) + R"(, "dur": )" + std::to_string(seconds * 1e6) + R"(, "args": {"device": 0)" +
           more + "}}";
  }
};

Plan allReducePlan(double bandwidth) {
  Workspace workspace =
      test::workspaceOf("node:1 gpu:4@" + std::to_string(bandwidth / 1e9) + "GB/s", "4", "0", "[[1,4]]");
  workspace.options.cost.bytes = Bytes(268435456);
  workspace.program = "root:InsideGroup:AllReduce";
  return valueOf(makePlan(workspace));
}

}  // namespace

class TestRunTimeline : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void aLateRankIsToldFromASlowLink_data() {
    QTest::addColumn<int>("late");
    QTest::addColumn<double>("transfer");
    QTest::addColumn<int>("verdict");
    QTest::newRow("as predicted") << -1 << 4.2e-3 << int(RunVerdict::AsPredicted);
    QTest::newRow("late rank") << 2 << 4.2e-3 << int(RunVerdict::LateRank);
    QTest::newRow("slow link") << -1 << 12e-3 << int(RunVerdict::SlowLink);
  }
  void aLateRankIsToldFromASlowLink() {
    QFETCH(int, late);
    QFETCH(double, transfer);
    QFETCH(int, verdict);
    Run run;
    run.late = late;
    run.transfer = transfer;
    auto measured = collectivesOf(tracesOf(run));
    QCOMPARE(measured.size(), std::size_t{1});
    // 2·3/4 of 268 MB at 100 GB/s: 4.03 ms.
    addPredictions(measured, allReducePlan(100e9));
    const MeasuredCollective& each = measured.front();
    QVERIFY(std::abs(*each.predicted - 4.03e-3) < 0.1e-3);
    QVERIFY(std::abs(each.transfer - transfer) < 1e-6);
    QCOMPARE(each.runs, std::int64_t{10});
    QCOMPARE(each.bytes, 268435456.0);
    QCOMPARE(int(verdictOf(each)), verdict);
    if (late >= 0) {
      QCOMPARE(each.late, std::int64_t(late));
      QVERIFY(std::abs(each.wait - 3e-3) < 1e-6);
    }
    QVERIFY(!describeVerdict(each).empty());
  }

  // Each slice takes the first track that is free, and any number of them may overlap.
  void overlappingKernelsHaveTracksOfTheirOwn() {
    constexpr int kMany = 50'000;
    RunTrace trace;
    trace.rank = 3;
    trace.slices.resize(kMany + 2);
    for (int i = 0; i < kMany + 2; ++i) {
      RunSlice& slice = trace.slices[std::size_t(i)];
      slice.name = "kernel";
      slice.start = i < kMany ? i * 1e-6 : 1.5;
      slice.seconds = 1;
    }
    const Timeline timeline = runTimeline({trace});
    QCOMPARE(timeline.tracks.size(), std::size_t(kMany));
    QCOMPARE(timeline.tracks[0].name, std::string("rank 3 computation"));
    QCOMPARE(timeline.tracks[1].name, std::string("rank 3 computation 2"));
    const auto onTrack = [&](std::uint32_t track) {
      const auto [first, last] = timeline.rangeOf(track);
      return last - first;
    };
    QCOMPARE(onTrack(0), std::size_t{2});
    QCOMPARE(onTrack(1), std::size_t{2});
    QCOMPARE(onTrack(2), std::size_t{1});
  }

  void otherSizesHaveNoPrediction() {
    auto measured = collectivesOf(tracesOf(Run{}));
    measured.front().bytes *= 2;
    addPredictions(measured, allReducePlan(100e9));
    QVERIFY(!measured.front().predicted);
    QCOMPARE(verdictOf(measured.front()), RunVerdict::Unknown);
  }

  void clocksAreAligned() {
    const Timeline timeline = runTimeline(tracesOf(Run{}));
    QCOMPARE(timeline.tracks.size(), std::size_t{8});
    QVERIFY2(std::abs(timeline.seconds - 10 * 13e-3) < 1e-6, qPrintable(QString::number(timeline.seconds)));
  }

  void predictedStandsAboveMeasured() {
    if (!test::hasPython()) QSKIP("python3 is not installed");
    const Timeline predicted = valueOf(planTimeline(allReducePlan(100e9)));
    const Timeline measured = runTimeline(tracesOf(Run{}));
    std::ostringstream out;
    writeChromeTrace(out, {&predicted, &measured});
    const QJsonObject read = test::readTrace(out.str());
    QVERIFY2(!read.contains("error"), qPrintable(read["error"].toString()));
    QCOMPARE(read["threads"].toInt(), 4 + 8);
  }

  void inspectorLinesAreRead() {
    std::string lines;
    for (int rank = 0; rank < 2; ++rank) {
      lines += R"({"header": {"id": "0x7f", "rank": )" + std::to_string(rank) +
               R"(, "n_ranks": 2, "nnodes": 1}, "metadata": {"dump_timestamp_us": 1748030377748202, "hostname": "a"}, )"
               R"("coll_perf": {"coll": "ReduceScatter", "coll_sn": 7, "coll_msg_size_bytes": 1048576, )"
               R"("coll_exec_time_us": 400}})" +
               "\n";
    }
    const auto traces = valueOf(readRunTraces(written("inspector.jsonl", lines)));
    QCOMPARE(traces.size(), std::size_t{2});
    QCOMPARE(traces[1].rank, std::int64_t{1});
    QCOMPARE(traces[0].slices.size(), std::size_t{1});
    QCOMPARE(traces[0].slices[0].seconds, 400e-6);
    // NCCL counts one rank's part of a ReduceScatter.
    QCOMPARE(traces[0].slices[0].bytes, 2 * 1048576.0);
    QVERIFY(traces[0].slices[0].kind == CommunicationKind::ReduceScatter);
  }

  // Tables of kernels. "2021.5" is written from the documentation, docs.nvidia.com/nsight-systems/2021.5, reduced to
  // these columns; no file of that version was read. "2026.2" has the columns of schema 3.25, whose globalPid may be
  // empty, and one row is a part of an export that others have cut down. The rows are made up.
  void nsightExportsAreRead_data() {
    QTest::addColumn<QString>("columns");
    QTest::addColumn<QString>("rows");
    QTest::addColumn<int>("ranks");
    const QString old =
        "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL,"
        " streamId INTEGER NOT NULL, correlationId INTEGER NOT NULL, globalPid INTEGER NOT NULL,"
        " demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL";
    const QString current =
        "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL,"
        " greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,"
        " demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, mangledName INTEGER, launchType INTEGER";
    QTest::newRow("2021.5") << old
                            << "(1000000, 5000000, 0, 1, 7, 1, 100, 2, 2), (5000000, 9000000, 0, 1, 9, 2, 100, 1, 1),"
                               " (1000000, 6000000, 1, 1, 7, 3, 200, 2, 2)"
                            << 2;
    QTest::newRow("2026.2") << current
                            << "(1000000, 5000000, 0, 1, NULL, 7, 1, 100, 2, 2, 3, 1),"
                               " (5000000, 9000000, 0, 1, NULL, 9, 2, 100, 1, 1, 3, 1),"
                               " (1000000, 6000000, 1, 1, NULL, 7, NULL, 200, 2, 2, NULL, NULL)"
                            << 2;
    QTest::newRow("no process") << current
                                << "(1000000, 5000000, 0, 1, NULL, 7, 1, NULL, 2, 2, 3, 1),"
                                   " (5000000, 9000000, 0, 1, NULL, 9, 2, NULL, 1, 1, 3, 1),"
                                   " (1000000, 6000000, 1, 1, NULL, 7, NULL, NULL, 2, 2, NULL, NULL)"
                                << 2;
    QTest::newRow("one process, two devices")
        << old
        << "(1000000, 5000000, 0, 1, 7, 1, 100, 2, 2), (5000000, 9000000, 0, 1, 9, 2, 100, 1, 1),"
           " (1000000, 6000000, 1, 1, 7, 3, 100, 2, 2)"
        << 2;
    QTest::newRow("cut down") << "start INTEGER, \"end\" INTEGER, deviceId INTEGER, streamId INTEGER, shortName INTEGER"
                              << "(1000000, 5000000, 0, 7, 2), (5000000, 9000000, 0, 9, 1), (1000000, 6000000, 1, 7, 2)"
                              << 2;
  }
  void nsightExportsAreRead() {
    QFETCH(QString, columns);
    QFETCH(QString, rows);
    QFETCH(int, ranks);
    if (QStandardPaths::findExecutable("sqlite3").isEmpty()) QSKIP("sqlite3 is not installed");
    const QString path = m_folder.filePath(QString("report-%1.sqlite").arg(columns.size() + rows.size()));
    writeNsight(path, "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(" + columns +
                          ");INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES" + rows + ";");
    const auto traces = valueOf(readRunTraces(path.toStdString()));
    QCOMPARE(traces.size(), std::size_t(ranks));
    QCOMPARE(traces[0].slices.size(), std::size_t{2});
    QVERIFY(traces[0].slices[1].communicates);
    QVERIFY(traces[0].slices[1].kind == CommunicationKind::AllGather);
    QVERIFY(std::abs(traces[0].slices[1].seconds - 4e-3) < 1e-9);
    QCOMPARE(traces[1].slices[0].device, std::int64_t{1});
    // Damaged ones end their reader and nothing else.
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite) && file.resize(file.size() / 2));
    file.close();
    QVERIFY(!readRunTraces(path.toStdString()).ok());
  }

  void nsightExportsWithoutKernels_data() {
    QTest::addColumn<QString>("tables");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("none") << ""
                          << "it has no kernels";
    QTest::newRow("graphs") << "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE(start INTEGER, end INTEGER);"
                            << "--cuda-graph-trace=node";
    QTest::newRow("no device")
        << "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, shortName INTEGER);"
        << "no column deviceId";
    QTest::newRow("no rows") << "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId INTEGER,"
                                " shortName INTEGER);"
                             << "no kernel ran";
  }
  void nsightExportsWithoutKernels() {
    QFETCH(QString, tables);
    QFETCH(QString, sentence);
    if (QStandardPaths::findExecutable("sqlite3").isEmpty()) QSKIP("sqlite3 is not installed");
    const QString path = m_folder.filePath(QString("bare-%1.sqlite").arg(tables.size()));
    writeNsight(path, tables);
    const auto traces = readRunTraces(path.toStdString());
    QVERIFY(!traces.ok());
    QVERIFY2(QString::fromStdString(traces.error().text()).contains(sentence), traces.error().text().c_str());
  }

  void otherFilesAreRefused_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("text") << QByteArray("hello");
    QTest::newRow("breaks off") << QByteArray(R"({"traceEvents": [{"ph": "X", )");
    QTest::newRow("no events") << QByteArray(R"({"traceEvents": []})");
    QTest::newRow("no collective") << QByteArray(R"({"header": {}, "coll_perf": {}})");
    QTest::newRow("wrong number") << QByteArray(R"({"coll_perf": {"coll": "AllReduce", "coll_exec_time_us": "x"}})");
  }
  void otherFilesAreRefused() {
    QFETCH(QByteArray, content);
    const auto traces = readRunTraces(written("other", content.toStdString()));
    QVERIFY(!traces.ok());
    QVERIFY(!traces.error().text().empty());
  }

 private:
  void writeNsight(const QString& path, const QString& tables) {
    QFile::remove(path);
    QProcess sqlite;
    sqlite.start("sqlite3", {path});
    sqlite.write(
        "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT NOT NULL);"
        "INSERT INTO StringIds VALUES(1, 'ncclDevKernel_AllGather_RING_LL'), (2, 'gemm');" +
        tables.toUtf8());
    sqlite.closeWriteChannel();
    if (!sqlite.waitForFinished() || sqlite.exitCode() != 0) qFatal("%s", sqlite.readAllStandardError().constData());
  }
  std::string written(const QString& name, const std::string& content) {
    QFile file(m_folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(content.data(), qint64(content.size())) < 0)
      qFatal("cannot write");
    return file.fileName().toStdString();
  }
  std::vector<RunTrace> tracesOf(const Run& run) {
    std::vector<RunTrace> traces;
    for (int rank = 0; rank < run.ranks; ++rank) {
      auto read = valueOf(readRunTraces(written(QStringLiteral("rank%1.json").arg(rank), run.kineto(rank))));
      traces.push_back(std::move(read.front()));
    }
    return traces;
  }

  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestRunTimeline)
#include "tst_run_timeline.moc"
