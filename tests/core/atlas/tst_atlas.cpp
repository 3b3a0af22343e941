// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <set>

#include "atlas/atlas.h"
#include "atlas/detail/atlas_files.h"
#include "support/filled.h"
#include "support/fixtures.h"
#include "support/warnings.h"
#include "text/text_file.h"

using namespace p2;

namespace {

const AtlasTable& tableNamed(const std::string& name) {
  const auto found =
      std::find_if(atlasTables().begin(), atlasTables().end(), [&](const AtlasTable& t) { return t.name == name; });
  if (found == atlasTables().end()) qFatal("no table %s", name.c_str());
  return *found;
}

const Network& networkNamed(const System& system, const std::string& name) {
  const auto found = std::find_if(system.networks.begin(), system.networks.end(),
                                  [&](const Network& network) { return network.interconnect.name == name; });
  if (found == system.networks.end()) qFatal("no network %s", name.c_str());
  return *found;
}

constexpr const char* kTitles =
    "table,gpu,gpus_per_node,nodes,nic_count,nic_gbit,fabric,nvlink,nccl_version,algo_forced,proto_forced,nvls,sharp,"
    "collective,healthy,note,source\n";

}  // namespace

class TestAtlas : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void everyLineIsRead() {
    const std::string tables = test::valueOf(readTextFile(P2_RESOURCES "/atlas/tables.csv"));
    const std::string rows = test::valueOf(readTextFile(P2_RESOURCES "/atlas/rows.csv"));
    QCOMPARE(std::ptrdiff_t(atlasTables().size()), std::count(tables.begin(), tables.end(), '\n') - 1);
    std::size_t count = 0;
    for (const AtlasTable& table : atlasTables()) count += table.rows.size();
    QCOMPARE(std::ptrdiff_t(count), std::count(rows.begin(), rows.end(), '\n') - 1);
    std::set<std::string> names;
    for (const AtlasTable& table : atlasTables()) {
      QVERIFY2(names.insert(table.name).second, table.name.c_str());
      QVERIFY2(!table.rows.empty() && table.source.starts_with("https://"), table.name.c_str());
    }
  }

  void figuresAreAsPrinted() {
    const AtlasTable& table = tableNamed("abci-a100-n4-all_reduce");
    QCOMPARE(table.gpu, std::string("A100-SXM4-40GB"));
    QCOMPARE(table.gpusPerNode, 8);
    QCOMPARE(table.nodes, 4);
    QCOMPARE(table.nics, 4);
    QCOMPARE(table.nicBandwidth, 25e9);
    QCOMPARE(table.version, std::string("2.8.4"));
    QCOMPARE(table.note, std::string("ABCI 2.0, NCCL_NET_GDR_LEVEL=2, 100 iters; shared production fabric, noisy"));
    const AtlasRow& first = tableNamed("sb-a100x8-all_reduce").rows.front();
    QCOMPARE(first.bytes, 4.0);
    QCOMPARE(first.seconds, 34.73e-6);
    QVERIFY(!first.inPlace);
    QCOMPARE(first.busBandwidth, 4 * 1.75 / 34.73e-6);  // printed as 0.00
  }

  // As nccl-tests defines it, in every row that has both; what is printed with two digits is known no better.
  void timeAndBandwidthAgree() {
    for (const AtlasTable& table : atlasTables()) {
      for (const AtlasRow& row : test::filled(table.rows)) {
        const double factor = busFactor(table.collective, table.gpusPerNode * table.nodes);
        const double bandwidth = row.bytes * factor / row.seconds;
        QVERIFY2(std::abs(bandwidth - row.busBandwidth) <= 0.025 * row.busBandwidth + 0.006e9,
                 qPrintable(QString("%1 %2").arg(table.name.c_str()).arg(row.bytes)));
      }
    }
  }

  void timesFollowFromBandwidths() {
    const AtlasTable& table = tableNamed("stas-h200x8-all_reduce");
    const AtlasRow& row = table.rows.front();
    QCOMPARE(row.bytes, 32768.0);
    QCOMPARE(row.busBandwidth, 1.44e9);
    QCOMPARE(row.seconds, 32768 * 1.75 / 1.44e9);
  }

  void versionsAreCutOut_data() {
    QTest::addColumn<QString>("table");
    QTest::addColumn<QString>("version");
    QTest::newRow("plain") << "abci-v100-n2-all_reduce"
                           << "2.8.4";
    QTest::newRow("inferred") << "mit-h200x8-reduce"
                              << "2.18";
    QTest::newRow("in brackets") << "mit-b200x8-5500a-reduce"
                                 << "2.29.2";
    QTest::newRow("doubtful") << "iss-2080tix2-nvl-all_gather"
                              << "2.6.4";
    QTest::newRow("RCCL") << "amd-mi355x-n2-all_reduce"
                          << "2.26.6";
    QTest::newRow("RCCL of no version") << "amd-mi300x-n1-all_reduce"
                                        << "";
    QTest::newRow("unknown") << "sb-a100x8-reduce"
                             << "";
  }
  void versionsAreCutOut() {
    QFETCH(QString, table);
    QTEST(QString::fromStdString(tableNamed(table.toStdString()).version), "version");
  }

  void machinesAreWhatIsLeftOut_data() {
    QTest::addColumn<QString>("table");
    QTest::addColumn<QString>("machine");
    const auto row = [](const char* table, const char* machine) {
      QTest::newRow(table) << QString(table) << QString(machine);
    };
    row("alps-gh200-n16-ofi1.9.2-r0", "alps-gh200");
    row("cscs-gh200-n2-tcp-all_reduce", "alps-gh200");
    row("abci-a100x4-n1-all_reduce", "abci-a100");
    row("abci-v100-n16-broadcast", "abci-v100");
    row("aws-p4de-n2-all_reduce", "aws-p4de");
    row("aws-p4d-n2-all_reduce", "aws-p4d");
    row("mit-h100-lambda-n2g1-all_reduce", "mit-h100-lambda");
    row("simula-a100pciex2-smartio-reduce", "simula-a100pcie-smartio");
    row("oci-gb200q-n48-all_reduce", "oci-gb200");
    row("iss-h100pcie-nvl2-all_reduce", "iss-h100pcie");
  }
  void machinesAreWhatIsLeftOut() {
    QFETCH(QString, table);
    QTEST(QString::fromStdString(tableNamed(table.toStdString()).machine()), "machine");
  }

  // A machine left out by itself must not lend its figures under another name.
  void noMachineIsATable() {
    std::set<std::string> machines;
    for (const AtlasTable& table : atlasTables()) {
      QVERIFY2(table.machine() != table.name, table.name.c_str());
      machines.insert(table.machine());
    }
    QVERIFY(machines.size() > 40);
  }

  void everyTableHasItsMachine() {
    for (const AtlasTable& table : atlasTables()) {
      const System system = *test::valid(test::valueOf(systemOf(table)));
      QCOMPARE(system.name, table.name);
      QCOMPARE(system.deviceCount(), std::int64_t(table.gpusPerNode) * table.nodes);
      QVERIFY2(!system.library.generation.empty(), table.name.c_str());
      QCOMPARE(system.library.version, table.version);
    }
  }

  void nicsAreThoseOfTheTable() {
    const System polaris = test::valueOf(systemOf(tableNamed("polaris-n2-2.18-s4-all_reduce")));
    QCOMPARE(networkNamed(polaris, "NIC").instances, std::int64_t(2));
    QCOMPARE(networkNamed(polaris, "NIC").interconnect.bandwidth, 25e9);
    QCOMPARE(polaris.levels[1].interconnect.kind, InterconnectKind::Mesh);
    QCOMPARE(polaris.levels[1].interconnect.bandwidth, 100e9);
    const System two = test::valueOf(systemOf(tableNamed("xx-h100-n10g2-all_reduce")));
    QCOMPARE(two.counts(), (std::vector<std::int64_t>{10, 2}));
    QCOMPARE(networkNamed(two, "NIC").instances, std::int64_t(2));
    const System one = test::valueOf(systemOf(tableNamed("iss-h100-n2g1-tree-all_reduce")));
    QCOMPARE(networkNamed(one, "NIC").interconnect.bandwidth, 50e9);  // of four, one GPU drives one
    const System cube = test::valueOf(systemOf(tableNamed("deepops-roce-n2-all_reduce")));
    QCOMPARE(cube.levels[1].interconnect.kind, InterconnectKind::Ring);
    QCOMPARE(networkNamed(cube, "NIC").instances, std::int64_t(2));
  }

  void racksAreNodes_data() {
    QTest::addColumn<QString>("table");
    QTest::addColumn<QList<qint64>>("counts");
    QTest::newRow("a tray") << "oci-gb200q-n1-all_reduce" << QList<qint64>{1, 4};
    QTest::newRow("two trays") << "oci-gb300-n2-all_reduce" << QList<qint64>{1, 8};
    QTest::newRow("within a rack") << "oci-gb200q-n16-all_reduce" << QList<qint64>{1, 64};
    QTest::newRow("two racks") << "oci-gb200-n32-all_reduce" << QList<qint64>{2, 64};
    QTest::newRow("three racks") << "oci-gb200q-n48-all_reduce" << QList<qint64>{3, 64};
  }
  void racksAreNodes() {
    QFETCH(QString, table);
    QFETCH(QList<qint64>, counts);
    const System system = test::valueOf(systemOf(tableNamed(table.toStdString())));
    QCOMPARE(system.counts(), std::vector<std::int64_t>(counts.begin(), counts.end()));
    QCOMPARE(system.node, std::string("rack"));
    QVERIFY(system.levels[1].interconnect.reduces);
  }

  void oneProcessLaunchesLater() {
    QCOMPARE(test::valueOf(systemOf(tableNamed("sb-a100x8-all_reduce"))).library.launch, 8 * 5e-6);
    QCOMPARE(test::valueOf(systemOf(tableNamed("mit-b200-n2-reduce"))).library.launch, 8 * 5e-6);
    QCOMPARE(test::valueOf(systemOf(tableNamed("mit-h200x8-all_gather"))).library.launch, 8 * 5e-6);
    QCOMPARE(test::valueOf(systemOf(tableNamed("mit-h100-lambda-n1g2-all_reduce"))).library.launch, 2 * 5e-6);
    QCOMPARE(test::valueOf(systemOf(tableNamed("abci-a100x8-n1-all_reduce"))).library.launch, 0.0);
    QCOMPARE(test::valueOf(systemOf(tableNamed("ofccl-h800x8-reduce-r0"))).library.launch, 0.0);
  }

  void switchesThatWereToldNotToAddUpDoNot() {
    QVERIFY(!test::valueOf(systemOf(tableNamed("ofccl-h800x8-reduce-r0"))).levels[1].interconnect.reduces);
    QVERIFY(!test::valueOf(systemOf(tableNamed("alps-gh200-n4-ofi1.9.2-r0"))).levels[1].interconnect.reduces);
    QVERIFY(test::valueOf(systemOf(tableNamed("xx-h100x8-cnode3-002-all_reduce"))).levels[1].interconnect.reduces);
  }

  // The preset of a machine that was measured is that machine.
  void presetsAreTheirMachines_data() {
    QTest::addColumn<QString>("preset");
    QTest::addColumn<QString>("table");
    const auto row = [](const char* preset, const char* table) {
      QTest::newRow(preset) << QString(preset) << QString(table);
    };
    row("dgx-a100:2", "deepops-dgxa100-n2-all_reduce");
    row("dgx-h100:2", "mit-h100-dgx-n2g8-all_reduce");
    row("dgx-b200:2", "mit-b200-n2-all_reduce");
    row("aws-p4d:2", "aws-p4d-n2-all_reduce");
    row("aws-p5:2", "aws-p5-n2-2.22.3-all_reduce");
    row("gcp-a3mega:2", "gcp-a3mega-n2-all_reduce");
    row("gcp-a3ultra:2", "gcp-a3ultra-n2-all_gather");
    row("alps-gh200:4", "alps-gh200-n4-ofi1.13.0-r0");
    row("abci-v100:8", "abci-v100-n8-all_reduce");
    row("abci-a100:4", "abci-a100-n4-all_reduce");
    row("polaris:2", "polaris-n2-2.21-s4-all_reduce");
  }
  void presetsAreTheirMachines() {
    QFETCH(QString, preset);
    QFETCH(QString, table);
    const System of = test::valueOf(systemOf(tableNamed(table.toStdString())));
    const System named = test::valueOf(parseSystem(preset.toStdString()));
    QCOMPARE(named.levels, of.levels);
    QCOMPARE(named.networks, of.networks);
    QCOMPARE(named.library.generation, of.library.generation);
    const std::vector<const AtlasTable*> like = tablesLike(named);
    QVERIFY(std::find(like.begin(), like.end(), &tableNamed(table.toStdString())) != like.end());
    // The nearest is of as many nodes, and as the preset is.
    const System nearest = test::valueOf(systemOf(*like.front()));
    QCOMPARE(nearest.levels, named.levels);
  }

  void likeTablesAreOfTheSameKind() {
    for (const AtlasTable* table : test::filled(tablesLike(test::valueOf(parseSystem("abci-a100:16"))))) {
      QCOMPARE(table->gpusPerNode, 8);
      QVERIFY2(table->gpu.starts_with("A100"), table->gpu.c_str());
    }
    const auto racks = tablesLike(test::valueOf(parseSystem("gb200-nvl72:2")));
    QVERIFY(!racks.empty());
    for (const AtlasTable* table : racks)
      QVERIFY2(table->nvlink.find("MNNVL") != std::string::npos, table->name.c_str());
    QVERIFY(tablesLike(test::valueOf(parseSystem("cpu-cluster:2"))).empty());
    QVERIFY(tablesLike(test::valueOf(parseSystem("gpu:5"))).empty());
    // Links alone tell of one that says no generation.
    const auto drawn = tablesLike(test::valueOf(parseSystem("node:2@50GB/s gpu:8@450GB/s")));
    QVERIFY(!drawn.empty());
    QVERIFY(drawn.front()->gpu.starts_with("H"));
    QCOMPARE(drawn.front()->nodes, 2);
  }

  void brokenFilesAreRefused_data() {
    QTest::addColumn<QString>("tables");
    QTest::addColumn<QString>("rows");
    QTest::addColumn<QString>("says");
    const QString good = "t,A100,8,2,,,IB,NVSwitch,,,,,,all_reduce,yes,\"a, \"\"b\"\"\",https://x\n";
    const QString head = "table,inplace,bytes,time_us,busbw_gbs\n";
    QTest::newRow("good") << good << head + "t,0,8,10,\n"
                          << "";
    QTest::newRow("a column less") << "t,A100\n" << head << "tables.csv, line 2: there are 17 columns";
    QTest::newRow("no number") << QString(good).replace(",8,2,", ",8,x,") << head
                               << "tables.csv, line 2: GPUs, nodes and NICs are positive whole numbers";
    QTest::newRow("no table") << good << head + "u,0,8,10,\n"
                              << "rows.csv, line 2: there is no table \"u\"";
    QTest::newRow("no time") << good << head + "t,0,8,10,\nt,0,8,,\n"
                             << "rows.csv, line 3: bytes, and a time or a bandwidth, are positive numbers";
    QTest::newRow("too many") << good << head + "t,0,8,10,1,1\n"
                              << "rows.csv, line 2: there are 5 columns";
  }
  void brokenFilesAreRefused() {
    QFETCH(QString, tables);
    QFETCH(QString, rows);
    QFETCH(QString, says);
    const auto read = atlasFrom(kTitles + tables.toStdString(), rows.toStdString());
    QCOMPARE(read.ok() ? QString() : QString::fromStdString(read.error().text()), says);
    if (read.ok()) QCOMPARE(read->front().note, std::string("a, \"b\""));
  }
};

QTEST_APPLESS_MAIN(TestAtlas)
#include "tst_atlas.moc"
