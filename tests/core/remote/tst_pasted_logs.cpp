// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QTest>

#include "remote/inspector_log.h"
#include "remote/measured_files.h"
#include "remote/nccl_tests.h"
#include "support/damages.h"
#include "support/filled.h"
#include "support/fixtures.h"
#include "workspace/workspace.h"

using namespace p2;

namespace {

std::string pasted(const char* name) {
  QFile file(QStringLiteral(P2_TEST_DATA "/pasted/") + name);
  return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

/// A row of a table; bandwidths as nccl-tests prints them.
QString row(std::int64_t bytes, std::int64_t count, const char* columns, double microseconds, double share) {
  const double algorithm = static_cast<double>(bytes) / microseconds / 1e3;
  const QString cells =
      QString(" %1 %2 %3 0").arg(microseconds, 0, 'f', 1).arg(algorithm, 0, 'f', 2).arg(algorithm * share, 0, 'f', 2);
  return QString("%1 %2 float %3").arg(bytes).arg(count).arg(columns) + cells + cells + "\n";
}

}  // namespace

/// Tables of public reports, and tables under names that are not theirs.
class TestPastedLogs : public QObject {
  Q_OBJECT
 private slots:
  void publicTables_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QStringList>("tables");
    QTest::newRow("names behind tables") << "log07_concluded_only.txt"
                                         << QStringList{"AllGather over 8, 4 sizes", "AllReduce over 8, 4 sizes"};
    QTest::newRow("time stamps") << "log10_mpirun_timestamp_prefix.txt" << QStringList{"AllReduce over 40, 4 sizes"};
    QTest::newRow("before and after") << "log12_gb10_before_after.txt"
                                      << QStringList{"AllGather over 2, 3 sizes", "AllGather over 2, 3 sizes"};
    QTest::newRow("rounded ratios") << "log13b_ranks_from_ratio.txt" << QStringList{"AllReduce over 24, 9 sizes"};
    QTest::newRow("the end of a log") << "log14_gb200_nvl72_tail.txt" << QStringList{"AllReduce over 72, 5 sizes"};
  }
  void publicTables() {
    QFETCH(QString, file);
    QFETCH(QStringList, tables);
    QStringList read;
    for (const NcclTests& tests : ncclTestsIn(pasted(qPrintable(file)), file.toStdString())) {
      read << QString("%1 over %2, %3 sizes").arg(tests.collective.c_str()).arg(tests.ranks).arg(tests.sizes.size());
    }
    QCOMPARE(read, tables);
  }

  void columnsDecide_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("collective");
    QTest::addColumn<QString>("doubt");
    const QString reduce = row(8 << 20, 2 << 20, "sum -1", 100, 1.75);
    const QString gather = row(8 << 20, 262144, "none -1", 100, 0.875);
    const QString end = "# Collective test concluded: %1\n";
    QTest::newRow("right name behind") << reduce + end.arg("all_reduce_perf") << "AllReduce"
                                       << "";
    QTest::newRow("redop against a name") << "all_gather_perf\n" + reduce << ""
                                          << "column redop says sum";
    QTest::newRow("no redop against a name") << "all_reduce_perf\n" + gather << ""
                                             << "column redop says none";
    QTest::newRow("root against a name") << "all_reduce_perf\n" + row(8 << 20, 2 << 20, "sum 0", 100, 1) << ""
                                         << "column root says 0";
    QTest::newRow("share against a name") << "reduce_scatter_perf\n" + row(8 << 20, 2 << 20, "sum -1", 100, 1.75) << ""
                                          << "bus bandwidth is 1.75";
    QTest::newRow("count against a name") << "all_reduce_perf\n" + row(8 << 20, 262144, "sum -1", 100, 1.75) << ""
                                          << "size is 8.00×";
    QTest::newRow("two names, one fits") << "all_gather_perf\n" + reduce + end.arg("all_reduce_perf") << "AllReduce"
                                         << "";
    QTest::newRow("nameless AllReduce") << reduce << "AllReduce"
                                        << "";
    QTest::newRow("nameless AllGather") << gather << ""
                                        << "AllGather or AllToAll";
    QTest::newRow("another's closing line first") << end.arg("all_gather_perf") + reduce << "AllReduce"
                                                  << "";
  }
  void columnsDecide() {
    QFETCH(QString, text);
    QFETCH(QString, collective);
    QFETCH(QString, doubt);
    const auto tests = ncclTestsIn(text.toStdString(), "notes.txt");
    QCOMPARE(tests.size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(tests[0].collective), collective);
    QVERIFY2(QString::fromStdString(tests[0].doubt).contains(doubt), tests[0].doubt.c_str());
    QCOMPARE(tests[0].doubt.empty(), doubt.isEmpty());
  }

  // All rows together tell what none tells alone.
  void ranksAreWhatAllRowsAllow_data() {
    QTest::addColumn<int>("ranks");
    for (const int ranks : {2, 3, 7, 8, 16, 24, 40, 64, 72}) QTest::newRow(qPrintable(QString::number(ranks))) << ranks;
  }
  void ranksAreWhatAllRowsAllow() {
    QFETCH(int, ranks);
    QString text = "all_reduce_perf\n";
    for (int i = 0; i < 40; ++i) {
      text += row(std::int64_t(1) << 28, std::int64_t(1) << 26, "sum -1", 2000 + 137.3 * i, 2.0 * (ranks - 1) / ranks);
    }
    const auto tests = ncclTestsIn(text.toStdString(), "notes.txt");
    QCOMPARE(tests.size(), std::size_t{1});
    QCOMPARE(tests[0].ranks, ranks);
    const QString gathered = "all_gather_perf\n" + row(std::int64_t(1) << 20, (1 << 18) / ranks, "none -1", 9000, 0.9);
    QCOMPARE(ncclTestsIn(gathered.toStdString(), "notes.txt").at(0).ranks, ranks);
  }

  // A browser collapses a table into one line; a terminal breaks its rows.
  void wrappedRows() {
    const QString one = "# all_reduce_perf\n# size count type redop root time algbw busbw #wrong\n" +
                        row(1 << 20, 1 << 18, "sum -1", 30, 1.75) + row(2 << 20, 1 << 19, "sum -1", 50, 1.75);
    const auto whole = ncclTestsIn(one.toStdString(), "notes.txt");
    QCOMPARE(whole.size(), std::size_t{1});
    QCOMPARE(ncclTestsIn(QString(one).replace(" sum", "\nsum").toStdString(), "notes.txt"), whole);
    const QString collapsed = "all_reduce_perf " + one.mid(18).remove('#').simplified();
    QCOMPARE(ncclTestsIn(collapsed.toStdString(), "notes.txt"), whole);
    QCOMPARE(ncclTestsIn(QString(one).replace(" sum -1 ", " sum -1[12] ").replace(" 0 ", " 0[12] ").toStdString(), "n"),
             whole);
    QCOMPARE(ncclTestsIn(QString(one).replace("\n1", "\n[0] 1").replace(" 0 ", " 0 [0] ").toStdString(), "n"), whole);
  }

  void twoTablesOfTheSameAreToldApart() {
    const System system = test::valueOf(parseSystem("node:2@25GB/s"));
    const std::string text = pasted("log12_gb10_before_after.txt");
    const auto both = measurementsIn(text, "log.txt", system);
    QVERIFY(!both.ok());
    const QString sentence = QString::fromStdString(both.error().text());
    QVERIFY2(sentence.contains("tables 1 and 2 both measure AllGather over 2 ranks, and the second takes 7.80×"),
             qPrintable(sentence));
    const auto second = test::valueOf(measurementsIn(text, "log.txt", system, {2}));
    QCOMPARE(second.measurements.size(), std::size_t{3});
    QCOMPARE(second.measurements[0].seconds, 0.190310);
    QVERIFY(!measurementsIn(text, "log.txt", system, {3}).ok());
  }

  // Whatever happens to a log, it gives measurements or a sentence.
  void damagedLogsAreAnswered() {
    const System system = test::valueOf(parseSystem("node:2 gpu:4"));
    const QDir folder(QStringLiteral(P2_TEST_DATA "/pasted"));
    const QFileInfoList files = folder.entryInfoList({"log*"}, QDir::Files, QDir::Name);
    QCOMPARE(files.size(), 5);
    for (const QFileInfo& file : files) {
      const std::string whole = pasted(qPrintable(file.fileName()));
      std::mt19937 random(static_cast<unsigned>(whole.size()));
      for (int i = 0; i < 100; ++i) {
        const auto read = measurementsIn(test::damaged(whole, random, {}), "log.txt", system);
        QVERIFY(read.ok() ? !read->measurements.empty() : !read.error().message.empty());
      }
    }
  }

  // Operations of a running job, a JSON object per line.
  void inspectorLogs() {
    std::string text;
    for (const double microseconds : {9000.0, 61974.0, 62000.0, 62100.0}) {
      text +=
          R"({"header":{"id":"0x9e7a","rank":0,"n_ranks":8,"nnodes":1},"metadata":{"pid":7},"coll_perf":{"coll":"AllReduce",)"
          R"("coll_sn":7,"coll_msg_size_bytes":17179869184,"coll_exec_time_us":)" +
          std::to_string(microseconds) + R"(,"coll_algobw_gbs":)" + std::to_string(17179869184 / microseconds / 1e3) +
          R"(,"coll_busbw_gbs":485.1}})" + "\n";
    }
    const System node = test::valueOf(systemFromArgument("dgx-h100:1"));
    const auto files = test::valueOf(measurementsIn(text, "inspector.log", node));
    QCOMPARE(files.measurements.size(), std::size_t{1});
    QCOMPARE(files.measurements[0].cost.bytes, Bytes(17179869184.0));
    QCOMPARE(files.measurements[0].seconds, 0.062);
    QVERIFY(holdsMeasurements("[pod/a/b] " + text, "x.log"));
    // Over several lines, with the communicator in a record of its own, and its algorithm.
    const auto marked = inspectorOperationsIn(
        "{\n  \"header\": {\"n_ranks\": 3}\n}\n{\n \"coll_perf\": {\"coll\": \"AllReduce\", \"coll_algo\": \"RING\",\n"
        "\"coll_msg_size_bytes\": 2360832, \"coll_exec_time_us\": 5663.0, \"coll_algobw_gbs\": 0.416887}}\n");
    QCOMPARE(marked.size(), std::size_t{1});
    QCOMPARE(marked[0].ranks, 3);
    QCOMPARE(marked[0].algorithm, std::string("Ring"));
    QCOMPARE(marked[0].sizes, (std::vector<NcclTest>{{Bytes(2360832), 5663e-6, 0}}));
  }

  // Without a bandwidth, the message of AllGather and ReduceScatter is a rank's part, as the reader of runs takes it.
  void inspectorLogsWithoutBandwidths() {
    const std::vector<std::pair<const char*, double>> logged{{"AllGather", 4}, {"ReduceScatter", 4}, {"AllReduce", 1}};
    for (const auto& [collective, whole] : test::filled(logged)) {
      const std::string line = std::string("{\"header\": {\"rank\": 0, \"n_ranks\": 4}, \"coll_perf\": {\"coll\": \"") +
                               collective + "\", \"coll_msg_size_bytes\": 1048576, \"coll_exec_time_us\": 300.0}}\n";
      const auto read = inspectorOperationsIn(line);
      QCOMPARE(read.size(), std::size_t{1});
      QCOMPARE(read[0].sizes, (std::vector<NcclTest>{{Bytes(whole * 1048576), 300e-6, 0}}));
    }
  }

  // Eight of the 72 GPUs of a rack.
  void partOfARack() {
    const System rack = test::valueOf(systemFromArgument("gb300-nvl72:1"));
    QString text = "all_reduce_perf\n";
    for (const int size : {20, 24, 28, 29, 30}) {
      text +=
          row(std::int64_t(1) << size, std::int64_t(1) << (size - 2), "sum -1", double(1LL << size) / 4e5 + 10, 1.75);
    }
    const auto files = test::valueOf(measurementsIn(text.toStdString(), "log.txt", rack));
    QCOMPARE(files.measurements.size(), std::size_t{5});
    QCOMPARE(files.measurements[0].innermost, std::int64_t{8});
    const auto part = measuredPart(rack, files.measurements[0].outermost, files.measurements[0].innermost);
    QCOMPARE(part.deviceCount(), std::int64_t{8});
  }
};

QTEST_APPLESS_MAIN(TestPastedLogs)
#include "tst_pasted_logs.moc"
