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

}  // namespace

class TestNcclTests : public QObject {
  Q_OBJECT
 private slots:
  void readsTheTable() {
    const auto tests = ncclTestsFrom(kTable, "results/all_reduce_perf.log");
    QVERIFY(tests.ok());
    QCOMPARE(tests->collective, std::string("AllReduce"));
    QCOMPARE(tests->ranks, 2);
    QCOMPARE(tests->sizes, (std::vector<NcclTest>{{1048576, 29.5e-6, 0}, {2097152, 50e-6, 2}, {4194304, 90e-6, 0}}));
  }

  void readsJson() {
    const auto tests = ncclTestsFrom(kJson, "out.json");
    QVERIFY(tests.ok());
    QCOMPARE(tests->collective, std::string("AllGather"));
    QCOMPARE(tests->ranks, 4);
    QCOMPARE(tests->sizes, (std::vector<NcclTest>{{1024, 11.5e-6, 0}, {2048, 20e-6, 1}}));
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
    QTest::newRow("nameless") << kTable << "does not say which collective";
    QTest::newRow("another program") << QString(kTable).prepend("# alltoall_perf\n") << "does not say which collective";
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
