// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/filled.h"
#include "support/fixtures.h"
#include "support/warnings.h"
#include "system/interconnects.h"
#include "system/topology.h"
#include "workspace/machine_parts.h"

using namespace p2;

namespace {

const Network* networkNamed(const System& system, const std::string& name) {
  for (const Network& network : system.networks) {
    if (network.interconnect.name == name) return &network;
  }
  return nullptr;
}

/// Of one machine, as published.
struct Sheet {
  const char* preset;
  int gpus;        ///< of a node, or of a rack
  int nics;        ///< drawn in it
  double outside;  ///< Gbit/s of all NICs of it together
  InterconnectKind kind;
  double link;  ///< bytes/s of one link or port
  bool reduces;
  const char* generation;
};

constexpr InterconnectKind kSwitch = InterconnectKind::Switch;
constexpr InterconnectKind kMesh = InterconnectKind::Mesh;
const Sheet kSheets[] = {
    {"dgx2", 16, 8, 800, kSwitch, 150e9, false, "volta"},
    {"dgx-a100", 8, 8, 1600, kSwitch, 300e9, false, "ampere"},
    {"dgx-h100", 8, 8, 3200, kSwitch, 450e9, true, "hopper"},
    {"dgx-h200", 8, 8, 3200, kSwitch, 450e9, true, "hopper"},
    {"dgx-b200", 8, 8, 3200, kSwitch, 900e9, true, "blackwell"},
    {"dgx-b300", 8, 8, 6400, kSwitch, 900e9, true, "blackwell"},
    {"h800", 8, 8, 3200, kSwitch, 200e9, true, "hopper"},
    {"aws-p4d", 8, 4, 400, kSwitch, 300e9, false, "ampere"},
    {"aws-p5", 8, 8, 3200, kSwitch, 450e9, true, "hopper"},
    {"aws-p5en", 8, 8, 3200, kSwitch, 450e9, true, "hopper"},
    {"gcp-a3mega", 8, 8, 1600, kSwitch, 450e9, true, "hopper"},
    {"gcp-a3ultra", 8, 8, 3200, kSwitch, 450e9, true, "hopper"},
    {"azure-ndh100", 8, 8, 3200, kSwitch, 450e9, true, "hopper"},
    {"alps-gh200", 4, 4, 800, kMesh, 150e9, false, "hopper"},
    {"abci-v100", 4, 2, 200, kMesh, 50e9, false, "volta"},
    {"abci-a100", 8, 4, 800, kSwitch, 300e9, false, "ampere"},
    {"polaris", 4, 2, 400, kMesh, 100e9, false, "ampere"},
    {"snellius-h100", 4, 4, 800, kMesh, 150e9, false, "hopper"},
    {"gb200-nvl72", 72, 72, 72 * 400, kSwitch, 900e9, true, "blackwell"},
    {"gb300-nvl72", 72, 72, 72 * 800, kSwitch, 900e9, true, "blackwell"},
    {"mi300x", 8, 8, 3200, kMesh, 64e9, false, "cdna3"},
    {"mi325x", 8, 8, 3200, kMesh, 64e9, false, "cdna3"},
    {"mi355x", 8, 8, 3200, kMesh, 76.8e9, false, "cdna4"},
    {"rtx4090-pcie", 8, 1, 100, kSwitch, 32e9, false, "ada"},
};

}  // namespace

class TestPresets : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void blanksAndCommasOfDrawings_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("commas") << "node:2@50GB/s,gpu:8@450GB/s,2us,ring";
    QTest::newRow("commas and blanks") << "node:2@50GB/s, gpu:8@450GB/s, 2us, ring";
    QTest::newRow("two lines") << "node:2@50GB/s,\n gpu:8@450GB/s,2us,ring";
    QTest::newRow("blanks before units") << "node:2@50 GB/s gpu:8@450 GB/s, 2 us,ring";
    QTest::newRow("blanks around signs") << " node : 2 @ 50GB/s\tgpu: 8 @ 450GB/s ,2us , ring ";
  }
  void blanksAndCommasOfDrawings() {
    QFETCH(QString, text);
    QCOMPARE(test::valueOf(parseSystem(text.toStdString())),
             test::valueOf(parseSystem("node:2@50GB/s gpu:8@450GB/s,2us,ring")));
  }

  // A lone word may be a misspelt preset, unless its devices have a known name or a bandwidth.
  void devicesAlone() {
    for (const char* text : {"gpu:8", "tpus:4", "device:8", "foo:12@50GB/s", "foo:2 bar:4"})
      QVERIFY2(parseSystem(text).ok(), text);
    for (const char* text : {"foo:12", "dgxh100:4"}) QVERIFY2(!parseSystem(text).ok(), text);
  }

  void whatIsNoDrawing_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("names");
    QTest::newRow("no level") << "node:2,,gpu:8"
                              << "\"node:2,\" is not a level";
    QTest::newRow("a misspelt preset") << "dgxh100:12"
                                       << "\"dgxh100\" is neither a known system nor a known name of devices";
    QTest::newRow("two figures") << "node:2@50GB/s 2us gpu:8"
                                 << "\"2us\" is not a level";
    QTest::newRow("nothing") << " \t"
                             << "the system is empty";
    QTest::newRow("commas alone") << ","
                                  << "\",\" is not a level";
    QTest::newRow("a comma at the end") << "node:2, gpu:8,"
                                        << "\"gpu:8,\" is not a level";
  }
  void whatIsNoDrawing() {
    QFETCH(QString, text);
    QFETCH(QString, names);
    const auto read = parseSystem(text.toStdString());
    QVERIFY(!read.ok());
    QVERIFY2(QString::fromStdString(read.error().text()).contains(names), read.error().text().c_str());
  }

  void machinesAreAsPublished_data() {
    QTest::addColumn<int>("sheet");
    QTest::addColumn<int>("nodes");
    for (int i = 0; i < int(std::size(kSheets)); ++i) {
      for (const int nodes : {1, 2, 3, 4}) QTest::addRow("%s:%d", kSheets[i].preset, nodes) << i << nodes;
    }
  }
  void machinesAreAsPublished() {
    QFETCH(int, sheet);
    QFETCH(int, nodes);
    const Sheet& wanted = kSheets[sheet];
    const System system = *test::valid(test::valueOf(presetSystem(wanted.preset, nodes)));
    QCOMPARE(system.name, std::string(wanted.preset) + ":" + std::to_string(nodes));
    QCOMPARE(system.counts(), (std::vector<std::int64_t>{nodes, wanted.gpus}));
    QCOMPARE(nodeDepth(system), std::size_t(1));
    const Interconnect& link = system.levels[1].interconnect;
    QCOMPARE(link.kind, wanted.kind);
    QCOMPARE(link.bandwidth, wanted.link);
    QCOMPARE(link.reduces, wanted.reduces);
    QVERIFY(link.latency > 0.1e-6 && link.latency < 5e-6);
    QCOMPARE(system.library.generation, std::string(wanted.generation));
    QVERIFY(!system.library.version.empty());
    const Network* nic = networkNamed(system, "NIC");
    QVERIFY(nic != nullptr && nic->gateway);
    QCOMPARE(nic->instances, wanted.nics);
    QCOMPARE(nic->interconnect.bandwidth * double(nic->instances) * 8 / 1e9, wanted.outside);
  }

  // Eight ports of a rail's switch go down to the nodes of its rack, four go up.
  void racksHaveRailsBelowASpine_data() {
    QTest::addColumn<QString>("nodes");
    for (const char* nodes : {"dgx-h100", "dgx-h200", "dgx-b200", "dgx-b300"}) QTest::newRow(nodes) << nodes;
  }
  void racksHaveRailsBelowASpine() {
    QFETCH(QString, nodes);
    const System one = test::valueOf(presetSystem(nodes.toStdString(), 1));
    const System system = *test::valid(test::valueOf(presetSystem(nodes.toStdString() + "-racks", 3)));
    QCOMPARE(system.counts(), (std::vector<std::int64_t>{3, 8, 8}));
    QCOMPARE(nodeDepth(system), std::size_t(2));
    QCOMPARE(system.accelerator, one.accelerator);
    QCOMPARE(system.library, one.library);
    QCOMPARE(system.levels[2], one.levels[1]);
    const Network* nic = networkNamed(system, "NIC");
    const Network* rail = networkNamed(system, "rail");
    const Network* spine = networkNamed(system, "spine");
    QVERIFY(nic && rail && spine && rail->gateway);
    QCOMPARE(nic->interconnect, networkNamed(one, "NIC")->interconnect);
    QCOMPARE(rail->within, std::string("rack"));
    QCOMPARE(rail->instances, std::int64_t(8));
    QCOMPARE(rail->assignment, Network::Assignment::InTurn);
    QCOMPARE(spine->interconnect.bandwidth, 4 * rail->interconnect.bandwidth);
  }

  void racksAreFull() {
    MachineParts parts{.gpu = "H100", .nvlink = "NVSwitch", .nodes = 12, .nics = 8, .fabric = "IB NDR"};
    parts.nodesPerRack = 8;
    QCOMPARE(systemOf(parts).error().text(), std::string("12 nodes do not fill racks of 8; use a multiple"));
    parts.nodes = 16;
    QVERIFY(systemOf(parts).ok());
    parts.nvlink = "MNNVL";
    QCOMPARE(systemOf(parts).error().text(),
             std::string("only nodes with several NICs on a fabric with rails stand in racks of rails"));
  }

  // What leaves one node fully: all its GPUs at once, each to its twin, share the NICs and nothing narrower.
  void nothingOutsideIsNarrowerThanTheNics_data() { machinesAreAsPublished_data(); }
  void nothingOutsideIsNarrowerThanTheNics() {
    QFETCH(int, sheet);
    QFETCH(int, nodes);
    const Sheet& wanted = kSheets[sheet];
    const System system = test::valueOf(presetSystem(wanted.preset, nodes));
    const Network* outside = networkNamed(system, "NIC");
    QVERIFY(outside != nullptr);
    const double nic = outside->interconnect.bandwidth;
    for (const Network& network : test::filled(system.networks)) {
      if (network.interconnect.name == "rail") QCOMPARE(network.interconnect.bandwidth, nic);
      if (network.interconnect.name == "rail") QCOMPARE(network.assignment, Network::Assignment::InTurn);
    }
    if (const Network* spine = networkNamed(system, "spine")) {
      const Network* rail = networkNamed(system, "rail");
      QVERIFY(rail != nullptr);
      QCOMPARE(spine->interconnect.bandwidth * double(rail->instances), nic * double(wanted.nics * nodes));
    }
  }

  void latenciesAddUpAlongTheWay_data() {
    QTest::addColumn<QString>("preset");
    QTest::addColumn<double>("least");
    QTest::addColumn<double>("most");
    QTest::newRow("InfiniBand") << "dgx-h100" << 4.3e-6 << 4.5e-6;
    QTest::newRow("InfiniBand racks") << "gb200-nvl72" << 4.3e-6 << 4.5e-6;
    QTest::newRow("shared NICs") << "abci-v100" << 4.3e-6 << 4.5e-6;
    QTest::newRow("RoCE") << "mi300x" << 6.9e-6 << 7.1e-6;
    QTest::newRow("one NIC") << "rtx4090-pcie" << 6.9e-6 << 7.1e-6;
    QTest::newRow("Slingshot") << "alps-gh200" << 5.1e-6 << 5.3e-6;
    QTest::newRow("EFA") << "aws-p5" << 22e-6 << 24e-6;
    QTest::newRow("TCPXO") << "gcp-a3mega" << 49e-6 << 51e-6;
  }
  void latenciesAddUpAlongTheWay() {
    QFETCH(QString, preset);
    QFETCH(double, least);
    QFETCH(double, most);
    const ValidSystem system = test::valid(test::valueOf(presetSystem(preset.toStdString(), 2)));
    const double seconds = Topology(system).routeLatency(Device(0), Device(system->levels[1].count));
    QVERIFY2(seconds >= least && seconds <= most, qPrintable(QString::number(seconds)));
  }

  // They are as they are meant, one machine alone, too.
  void nothingIsSaidAgainstThem() {
    for (const Preset& preset : presets()) {
      for (const std::int64_t nodes : {1, 2}) {
        const System system = test::valueOf(presetSystem(preset.name, nodes));
        const auto notes = notesOn(system);
        QVERIFY2(notes.empty(), notes.empty() ? "" : (preset.name + ": " + notes[0].sentence).c_str());
        // N counts racks where a preset is made of racks.
        const bool ofRacks = system.levels.size() > 2 && system.levels.front().name == "rack";
        QCOMPARE(ofRacks ? system.levels.front().count : nodeCount(system), nodes);
      }
    }
  }

  void thePapersSystemsStay() {
    QCOMPARE(test::valueOf(presetSystem("gcp-a100", 4)).levels[1].interconnect.latency, 0.0);
    QCOMPARE(test::valueOf(presetSystem("gcp-v100", 4)).levels[0].interconnect.bandwidth, 8e9);
    for (const char* name : {"gcp-a100", "gcp-v100", "cpu-cluster", "tpu-v4", "tpu-v5p", "tpu-v6e", "tpu-v7"}) {
      const System system = test::valueOf(presetSystem(name, 2));
      QCOMPARE(system.library, Library{});
      QCOMPARE(system.node, std::string(std::string_view(name) == "cpu-cluster" ? "node" : ""));
    }
  }

  void unknownMachinesAreRefused() {
    MachineParts parts;
    parts.gpu = "P100";
    QCOMPARE(systemOf(parts).error().message,
             std::string("there are no figures of the GPU \"P100\"; use one of another name, as in H100-SXM5-80GB"));
    parts.gpu = "H100";
    parts.nodes = 0;
    QVERIFY(!systemOf(parts).ok());
    parts.nodes = 100000;
    QVERIFY(!systemOf(parts).ok());
    QVERIFY(!presetSystem("dgx-h100", 16777216).ok());
    QVERIFY(!presetSystem("gb200-nvl72", 16777216).ok());
    QCOMPARE(generationOf("H20-SXM"), std::string("hopper"));
    QCOMPARE(generationOf("P100"), std::string());
  }

  // Sixteen NICs of 100 Gbit/s at eight GPUs, six at four, and more than one GPU can feed.
  void nicsAreAssigned_data() {
    QTest::addColumn<int>("gpus");
    QTest::addColumn<int>("nics");
    QTest::addColumn<double>("gbit");
    QTest::addColumn<int>("drawn");
    QTest::addColumn<double>("each");
    QTest::newRow("two a GPU") << 8 << 16 << 100.0 << 8 << 200.0;
    QTest::newRow("half a GPU") << 8 << 4 << 100.0 << 4 << 100.0;
    QTest::newRow("three for two") << 4 << 6 << 100.0 << 2 << 300.0;
    QTest::newRow("too many for one") << 1 << 4 << 200.0 << 1 << 200.0;
    QTest::newRow("usual") << 8 << 0 << 0.0 << 8 << 200.0;
    QTest::newRow("twelve of sixteen") << 12 << 8 << 100.0 << 4 << 200.0;
  }
  void nicsAreAssigned() {
    QFETCH(int, gpus);
    QFETCH(int, nics);
    QFETCH(double, gbit);
    MachineParts parts{"A100-SXM4-40GB", "NVSwitch", gpus, 2, nics, gbit * 1e9 / 8, "IB HDR"};
    const System system = *test::valid(test::valueOf(systemOf(parts)));
    const Network* nic = networkNamed(system, "NIC");
    QVERIFY(nic != nullptr);
    QTEST(int(nic->instances), "drawn");
    QTEST(nic->interconnect.bandwidth * 8 / 1e9, "each");
  }
};

QTEST_APPLESS_MAIN(TestPresets)
#include "tst_presets.moc"
