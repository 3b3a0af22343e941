// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "run_answer/run_answer.h"
#include "support/fixtures.h"
#include "support/warnings.h"
#include "timeline/run_timeline.h"

using namespace p2;
using p2::test::valueOf;

namespace {

/// One event of a Kineto trace, in microseconds.
std::string traceEvent(const std::string& name, const std::string& category, int thread, double begin, double length,
                       int correlation) {
  return R"({"ph": "X", "cat": ")" + category + R"(", "name": ")" + name + R"(", "pid": 9, "tid": )" +
         std::to_string(thread) + R"(, "ts": )" + std::to_string(begin) + R"(, "dur": )" + std::to_string(length) +
         R"(, "args": {"correlation": )" + std::to_string(correlation) + R"(, "External id": 1}})";
}

/// One line of the Inspector: the end of a collective of a communicator on a rank.
struct InspectorLine {
  std::string host = "a";
  int process = 10;
  std::string communicator = "0xworld";
  int rank = 0;
  int members = 4;
  int number = 0;
  int microseconds = 100;
  std::string collective = "AllReduce";
  double bytes = 1e6;
  double bandwidth = 0;  ///< GB/s
  std::string more;      ///< of coll_perf

  [[nodiscard]] std::string text() const {
    return R"({"header": {"id": ")" + communicator + R"(", "rank": )" + std::to_string(rank) + R"(, "n_ranks": )" +
           std::to_string(members) + R"(}, "metadata": {"hostname": ")" + host + R"(", "pid": )" +
           std::to_string(process) + R"(}, "coll_perf": {"coll": ")" + collective + R"(", "coll_sn": )" +
           std::to_string(number) + R"(, "coll_msg_size_bytes": )" + std::to_string(bytes) +
           R"(, "coll_exec_time_us": )" + std::to_string(microseconds) + R"(, "coll_algobw_gbs": )" +
           std::to_string(bandwidth) + more + "}}\n";
  }
};

}  // namespace

/// Files of profilers that leave names, ranks or sizes open.
class TestRunTraces : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  // The kernel's name says SendRecv for all of them, as NCCL 2.17 in public traces of recommendation models does.
  void launchesNameTheCollective() {
    const std::string kernel = "ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclWorkElem)";
    std::string events =
        traceEvent(kernel, "kernel", 7, 500, 30, 1) + "," + traceEvent(kernel, "kernel", 7, 600, 30, 2) + "," +
        traceEvent(kernel, "kernel", 7, 700, 30, 3) + "," + traceEvent(kernel, "kernel", 7, 800, 30, 4);
    // Launches and spans come after their kernels, on two threads at one time.
    events += "," + traceEvent("cudaLaunchKernel", "cuda_runtime", 1, 110, 5, 1) + "," +
              traceEvent("cudaLaunchKernelExC", "cuda_runtime", 2, 112, 5, 2) + "," +
              traceEvent("cudaLaunchKernel", "cuda_runtime", 1, 210, 5, 3) + "," +
              traceEvent("cudaLaunchKernel", "cuda_runtime", 1, 300, 5, 4);
    events += "," + traceEvent("nccl:all_to_all", "user_annotation", 1, 100, 50, -1) + "," +
              traceEvent("nccl:_reduce_scatter_base", "user_annotation", 2, 105, 50, -1) + "," +
              traceEvent("nccl:coalesced", "user_annotation", 1, 200, 50, -1) + "," +
              traceEvent("nccl:send 0->1", "user_annotation", 1, 205, 20, -1) + "," +
              traceEvent("nccl:all_gather", "gpu_user_annotation", 1, 290, 50, -1);
    const auto traces = valueOf(readRunTraces(written("names.json", R"({"traceEvents": [)" + events + "]}")));
    const auto& slices = traces.front().slices;
    QCOMPARE(slices.size(), std::size_t{4});
    QVERIFY(slices[0].kind == CommunicationKind::AllToAll);
    QVERIFY(slices[1].kind == CommunicationKind::ReduceScatter);
    QVERIFY(slices[2].kind == CommunicationKind::Shift);
    QVERIFY(!slices[3].kind && slices[3].communicates);
    const auto measured = collectivesOf(traces);
    QVERIFY(std::ranges::count(measured, std::string("SendRecv"), &MeasuredCollective::name) == 1);
  }

  void sizesAreOfTheFullTensor_data() {
    QTest::addColumn<QString>("collective");
    QTest::addColumn<double>("bandwidth");
    QTest::addColumn<double>("bytes");
    QTest::newRow("AllReduce") << "AllReduce" << 0.0 << 1e6;
    QTest::newRow("ReduceScatter") << "ReduceScatter" << 0.0 << 4e6;
    QTest::newRow("AllGather") << "AllGather" << 0.0 << 4e6;
    QTest::newRow("the bandwidth decides: part") << "AllGather" << 40.1 << 4e6;
    QTest::newRow("the bandwidth decides: whole") << "AllGather" << 10.0 << 1e6;
  }
  void sizesAreOfTheFullTensor() {
    QFETCH(QString, collective);
    QFETCH(double, bandwidth);
    QFETCH(double, bytes);
    InspectorLine line;
    line.collective = collective.toStdString();
    line.bandwidth = bandwidth;
    const auto traces = valueOf(readRunTraces(written("size.log", line.text())));
    QCOMPARE(traces.front().slices.front().bytes, bytes);
  }

  // The Inspector writes what it finds at intervals: collectives are missing, each rank's own ones.
  void numbersPairLossyLines() {
    std::vector<std::string> files;
    for (int rank = 0; rank < 4; ++rank) {
      std::string text;
      for (int number = 0; number < 40; ++number) {
        if ((number * 7 + rank) % 9 == 0) continue;
        // Every collective has a length of its own, so that a wrong pair shows.
        const int transfer = 100 + 50 * (number % 8);
        InspectorLine line;
        line.host = rank < 2 ? "a" : "b";
        line.process = 10 + rank;
        line.rank = rank;
        line.number = number;
        line.microseconds = transfer + (rank == 3 ? 0 : 30);
        text += line.text();
        line.communicator = rank < 2 ? "0xa" : "0xb";
        line.rank = rank % 2;
        line.members = 2;
        line.microseconds = 20;
        text += line.text();
      }
      files.push_back(written("lossy-" + std::to_string(rank) + ".log", text));
    }
    const RunAnswer answer = valueOf(answerRun({files, {}}));
    QCOMPARE(answer.ranks, std::size_t{4});
    QCOMPARE(answer.collectives.size(), std::size_t{3});
    const MeasuredCollective& world = answer.collectives.front();
    QCOMPARE(world.members, std::int64_t{4});
    QCOMPARE(world.late, std::int64_t{3});
    QCOMPARE(world.lateShare, 1.0);
    QVERIFY(std::abs(world.wait - 30e-6) < 1e-9);
  }

  // One process drives all GPUs of nccl-tests -g 2; communicators of different nodes have no common one.
  void ranksOfProcesses() {
    InspectorLine first;
    first.members = 2;
    InspectorLine second = first;
    second.rank = 1;
    const std::string shared = written("shared.log", first.text() + second.text());
    QCOMPARE(valueOf(readRunTraces(shared)).size(), std::size_t{2});
    second.rank = 0;
    second.host = "b";
    second.communicator = "0xb";
    const RunAnswer apart = valueOf(answerRun({{written("a.log", first.text()), written("b.log", second.text())}, {}}));
    QCOMPARE(apart.ranks, std::size_t{2});
    QVERIFY(apart.timelines.back().tracks[0].name != apart.timelines.back().tracks[1].name);
  }

  // Collectors of logs write rank and process into the line itself.
  void flattenedLinesHaveTheirRank() {
    const auto lineOf = [](int rank, double microseconds) {
      return R"({"id": "abc123", "rank": )" + std::to_string(rank) + R"(, "n_ranks": 8, "nnodes": 1, "pid": )" +
             std::to_string(12345 + rank) + R"(, "hostname": "worker-0", "coll_perf": {"coll": "AllReduce", )" +
             R"("coll_sn": 1, "coll_msg_size_bytes": 1048576, "coll_exec_time_us": )" + std::to_string(microseconds) +
             "}}\n";
    };
    const RunAnswer answer = valueOf(answerRun({{written("flat.jsonl", lineOf(0, 61974.5) + lineOf(1, 62100.2))}, {}}));
    QCOMPARE(answer.ranks, std::size_t{2});
    QCOMPARE(answer.collectives.size(), std::size_t{1});
    QCOMPARE(answer.collectives.front().members, std::int64_t{8});
    QCOMPARE(answer.collectives.front().group, std::string("abc123"));
    QCOMPARE(answer.collectives.front().ranks, std::int64_t{2});
    QVERIFY(std::abs(answer.collectives.front().transfer - 61974.5e-6) < 1e-9);
  }

  void verboseLinesSayWhenTheyBegan() {
    InspectorLine line;
    line.more = R"(, "event_trace_ts": {"kernel_events": [{"channel_id": 0, "kernel_start_ts": 1752867229235181},
                 {"channel_id": 1, "kernel_start_ts": 1752867229235180}]})";
    line.more.erase(line.more.find('\n'), 1);
    InspectorLine next = line;
    next.number = 1;
    next.more.replace(next.more.find("235181"), 6, "236181");
    next.more.replace(next.more.find("235180"), 6, "236180");
    const auto traces = valueOf(readRunTraces(written("verbose.log", line.text() + next.text())));
    QCOMPARE(traces.front().slices[0].start, 0.0);
    QVERIFY(std::abs(traces.front().slices[1].start - 1e-3) < 1e-9);
  }

  void twoFilesOfOneRankAreRefused() {
    const auto trace = [&](const std::string& name) {
      return written(name, R"({"distributedInfo": {"rank": 3}, "traceEvents": [)" +
                               traceEvent("ncclDevKernel_AllReduce_Sum_f32_RING_LL", "kernel", 7, 1, 1, 1) + "]}");
    };
    const auto answer = answerRun({{trace("one.json"), trace("two.json")}, {}});
    QVERIFY(!answer.ok());
    QVERIFY2(QString::fromStdString(answer.error().text()).contains("two.json: it is of rank 3, and so is"),
             answer.error().text().c_str());
  }

 private:
  std::string written(const std::string& name, const std::string& content) {
    QFile file(m_folder.filePath(QString::fromStdString(name)));
    if (!file.open(QIODevice::WriteOnly) || file.write(content.data(), qint64(content.size())) < 0)
      qFatal("cannot write");
    return file.fileName().toStdString();
  }
  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestRunTraces)
#include "tst_run_traces.moc"
