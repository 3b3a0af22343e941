// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "remote/nccl_tests.h"

using namespace p2;

namespace {

const char* const kTable =
    R"(# nThread 1 nGpus 1 minBytes 1048576 maxBytes 4194304 step: 2(factor) warmup iters: 5 iters: 20
# Using devices
#  Rank  0 Group  0 Pid   6899 on n0 device  0 [0000:04:00] NVIDIA A100
#  Rank  1 Group  0 Pid   6900 on n0 device  1 [0000:05:00] NVIDIA A100
#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
     1048576        262144     float     sum      -1    30.00   34.95   34.95      0    29.50   35.54   35.54      0
     2097152        524288     float     sum      -1    50.00   41.94   41.94      0    52.00   40.33   40.33      2
     4194304       1048576     float     sum      -1    90.00   46.60   46.60    N/A    91.00   46.09   46.09    N/A
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 40.0
)";

const char* const kJson = R"({"version": 1, "args": ["./build/all_gather_perf", "-g", "2"], "devices": [{}, {}, {}, {}],
"results": [{"size": 1024, "count": 256, "type": "float", "redop": "none", "root": "-1",
"out_of_place": {"time": 12.5, "alg_bw": 0.08, "bus_bw": 0.06, "nwrong": 0},
"in_place": {"time": 11.5, "alg_bw": 0.09, "bus_bw": 0.07, "nwrong": null}},
{"size": 2048, "out_of_place": null, "in_place": {"time": 20, "nwrong": 1}}]})";

const char* const kPasted =
    R"(user@n0:~$ mpirun -np 2 -x NCCL_ALGO=Ring ./build/all_reduce_perf -b 1M -e 4M -f 2
[1,0]<stdout>:# nThread 1 nGpus 1 minBytes 1048576 maxBytes 4194304 step: 2(factor) warmup iters: 5 iters: 20
[1,0]<stdout>:#  Rank  0 Group  0 Pid   6899 on n0 device  0 [0000:04:00] NVIDIA A100
[1,0]<stdout>:#  Rank  1 Group  0 Pid   6900 on n0 device  1 [0000:05:00] NVIDIA A100
n0:6899:6899 [0] NCCL INFO NCCL version 2.19.3+cuda12.2
[1,0]<stdout>:     1048576        262144     float     sum      -1    30.00   34.95   34.95      0    29.50   35.54   35.54      0
[1,0]<stdout>:           0             0     float     sum      -1     0.00    0.00    0.00      0     0.00    0.00    0.00      0
# Avg bus bandwidth    : 40.0
user@n0:~$ ./build/alltoall_perf -g 2
     1048576        262144     float    none      -1    30.00   34.95   17.47      0    29.50   35.54   17.77    N/A
# nThread 1 nGpus 8 minBytes 1048576 maxBytes 4194304 step: 2(factor)
     1048576        262144     float     sum      -1    30.00   34.95   30.58      0    29.50   35.54   31.10      0
     4194304       1048576     float     sum      -1    60.00   69.90   61.16      0    59.00   71.09   62.20      0
)";

}  // namespace

class TestNcclTests : public QObject {
  Q_OBJECT
 private slots:
  void readsTheTable() {
    const auto tests = ncclTestsFrom(kTable, "results/all_reduce_perf.log");
    QVERIFY(tests.ok());
    QCOMPARE(tests->collective, std::string("AllReduce"));
    QCOMPARE(tests->ranks, 2);
    QCOMPARE(tests->sizes, (std::vector<NcclTest>{
                               {Bytes(1048576), 29.5e-6, 0}, {Bytes(2097152), 50e-6, 2}, {Bytes(4194304), 90e-6, 0}}));
  }

  void readsJson() {
    const auto tests = ncclTestsFrom(kJson, "out.json");
    QVERIFY(tests.ok());
    QCOMPARE(tests->collective, std::string("AllGather"));
    QCOMPARE(tests->ranks, 4);
    QCOMPARE(tests->sizes, (std::vector<NcclTest>{{Bytes(1024), 11.5e-6, 0}, {Bytes(2048), 20e-6, 1}}));
  }

  // A session as people paste it: launcher's marks, log lines, command lines, several programs.
  void readsWhatPeoplePaste() {
    const auto tests = ncclTestsIn(kPasted, "notes.txt");
    QCOMPARE(tests.size(), std::size_t{3});
    QCOMPARE(tests[0].program, std::string("all_reduce_perf"));
    QCOMPARE(tests[0].ranks, 2);
    QCOMPARE(tests[0].algorithm, std::string("Ring"));
    QCOMPARE(tests[0].sizes, (std::vector<NcclTest>{{Bytes(1048576), 29.5e-6, 0}}));
    QCOMPARE(tests[0].silent, std::size_t{1});
    QCOMPARE(tests[1].program, std::string("alltoall_perf"));
    QCOMPARE(tests[1].collective, std::string("AllToAll"));
    QCOMPARE(tests[2].collective, std::string("ReduceScatter"));  // told by its columns
    QCOMPARE(tests[2].ranks, 8);                                  // told by its bandwidths
  }

  void countsOfWrongElementsDoNotOverflow() {
    const auto tests = ncclTestsFrom(
        "# all_reduce_perf\n 1024 256 float sum -1 30.0 2.00 3.50 18446744073709551615 31.0 2.00 3.50 1e30\n",
        "out.txt");
    QVERIFY(tests.ok());
    QCOMPARE(tests->sizes[0].wrong, std::numeric_limits<std::int64_t>::max());
    const auto older =
        ncclTestsFrom("# all_reduce_perf\n 1024 256 float sum 30.0 2.00 3.50 4e-07 31.0 2.00 3.50 0e+00\n", "out.txt");
    QVERIFY(older.ok());
    QCOMPARE(older->sizes[0].wrong, std::int64_t{0});
  }

  void refuses_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("nothing") << ""
                             << "no measured size";
    QTest::newRow("other text") << "make: *** no rule"
                                << "no measured size";
    QTest::newRow("other JSON") << R"({"results": 7})"
                                << "no measured size";
    QTest::newRow("nameless") << QString(kTable).replace("sum      -1", "none     -1")
                              << "does not say which collective";
    QTest::newRow("two programs") << QString("$ ./all_reduce_perf -g 2\n") + kTable + "$ ./reduce_perf -g 2\n" + kTable
                                  << "it holds 2 programs one after the other";
    QTest::newRow("another program") << QString(kTable).prepend("# sendrecv_perf\n") << "does not say which collective";
  }
  void refuses() {
    QFETCH(QString, text);
    QFETCH(QString, sentence);
    const auto tests = ncclTestsFrom(text.toStdString(), "out.txt");
    QVERIFY(!tests.ok());
    QVERIFY2(QString::fromStdString(tests.error().text()).contains(sentence), tests.error().text().c_str());
  }
};

QTEST_APPLESS_MAIN(TestNcclTests)
#include "tst_nccl_tests.moc"
