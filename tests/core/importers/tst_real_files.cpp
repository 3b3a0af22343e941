// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "cost/simulator.h"
#include "importers/importers.h"
#include "support/filled.h"
#include "support/fixtures.h"
#include "system/text_drawing.h"

using namespace p2;

namespace {

std::string realFile(const QString& name) {
  QFile file(QStringLiteral(P2_TEST_DATA "/import/") + name);
  if (!file.open(QIODevice::ReadOnly)) qFatal("cannot read %s", qPrintable(file.fileName()));
  return file.readAll().toStdString();
}

QString listed(const std::vector<std::string>& things) {
  QStringList list;
  for (const std::string& thing : things) list << QString::fromStdString(thing);
  return list.join(QStringLiteral("; "));
}

/// Seconds of an AllReduce of all devices of one node.
double singleSeconds(const System& system) {
  const Topology topology(test::valid(system));
  LoweredGroup group;
  for (const Device device : IdRange<Device>(8)) group.devices.push_back(device);
  group.before.assign(8, 1);
  group.after = group.before;
  return simulateStep(topology, {Collective::AllReduce, {group}}, {}).seconds;
}

}  // namespace

/// Files of real machines, from public sources.
class TestRealFiles : public QObject {
  Q_OBJECT
 private slots:
  void areReadAsTheyAre_data() {
    QTest::addColumn<QString>("drawing");
    QTest::addColumn<QString>("stated");
    const auto row = [](const char* file, const char* drawing, const char* stated) {
      QTest::newRow(file) << QString::fromUtf8(drawing) << QString::fromUtf8(stated);
    };
    row("mi300-xgmi.xml",
        "gpu:8, 8 devices, cdna3\n  device: MI300X\n  xGMI: mesh of 8 gpus, 64.0 GB/s, members forward nothing\n  gpu "
        "×8\n",
        "xGMI mesh, 1 xGMI link between every two GPUs");
    row("aws-p4d.xml",
        "cpu:2 bridge:2 gpu:2, 8 devices, one node, ampere\n"
        "  device: A100-SXM4-40GB\n"
        "  CPU link: switch of 2 cpus, 20.0 GB/s\n"
        "  cpu ×2\n"
        "    PCIe: switch of 2 bridges, 15.8 GB/s\n"
        "    bridge ×2\n"
        "      PCIe: switch of 2 gpus, 15.8 GB/s\n"
        "      gpu ×2\n",
        "8 GPUs; 4 network cards");
    row("two-sys.txt", "gpu:2, 2 devices\n  CPU link: switch of 2 gpus, 20.0 GB/s\n  gpu ×2\n", "2 GPUs");
    row("p8-nvlink-hwloc.xml",
        "package:2 gpu:2, 4 devices, one node\n"
        "  device: P100\n"
        "  CPU link: switch of 2 packages, 20.0 GB/s\n"
        "  NVLink 0-1: mesh of gpu 0, gpu 1, 40.0 GB/s, members forward nothing\n"
        "  NVLink 2-3: mesh of gpu 2, gpu 3, 40.0 GB/s, members forward nothing\n"
        "  package ×2\n"
        "    PCIe: switch of 2 gpus, 7.88 GB/s\n"
        "    gpu ×2\n",
        "NVLinks of 4 GPUs to CPUs");
    row("gb300-1of8-nolink.xml",
        "gpu:8, 8 devices, blackwell\n"
        "  device: GB300\n"
        "  CPU link: switch of 8 gpus, 20.0 GB/s\n"
        "  NVSwitch: switch of gpu 0, gpu 1, gpu 2, gpu 3, gpu 4, gpu 6, gpu 7, 900 GB/s\n"
        "  gpu ×8\n",
        "NVSwitch of 7 GPUs, 18 NVLinks a GPU; without it GPU 5");
    row("bmc-only.xml",
        "numanode:4 package:4 core:6, 96 devices, one node\n"
        "  CPU link: switch of 4 numanodes, 20.0 GB/s\n"
        "  numanode ×4\n"
        "    CPU link: switch of 4 packages, 20.0 GB/s\n"
        "    package ×4\n"
        "      cache: switch of 6 cores, 64.0 GB/s\n"
        "      core ×6\n",
        "96 cores");
    row("rocm-showtopo.txt", "gpu:4, 4 devices\n  xGMI: mesh of 4 gpus, 46.0 GB/s, members forward nothing\n  gpu ×4\n",
        "46.0 GB/s for every xGMI link");
    row("calico-61nics.xml",
        "gpu:4, 4 devices, ada\n  device: RTX-4090\n  CPU link: switch of 4 gpus, 20.0 GB/s\n  gpu ×4\n",
        "1 network card; 15 network interfaces of software");
    row("b200-mesh-6.3TBs.xml",
        "gpu:8, 8 devices, blackwell\n  device: B200\n  NVSwitch: switch of 8 gpus, 900 GB/s\n  gpu ×8\n",
        "an NVSwitch, because NV18 to 7 peers would be more links than a GPU has");
    row("gen6-behind-gen5.xml",
        "cpu:2 gpu:4, 8 devices, one node\n"
        "  CPU link: switch of 2 cpus, 20.0 GB/s\n"
        "  cpu ×2\n"
        "    PCIe: switch of 4 gpus, 63.0 GB/s\n"
        "    gpu ×4\n",
        "8 GPUs; 10 network cards");
    row("astra-ringring.yml",
        "dim1:8 npu:4, 32 devices\n"
        "  Ring-1 ×4: ring of all npu, round robin, 80.0 GB/s, 1.00 µs\n"
        "  dim1 ×8\n"
        "    Ring: ring of 4 npus, 80.0 GB/s, 1.00 µs\n"
        "    npu ×4\n",
        "Ring of 4; Ring of 8");
  }
  void areReadAsTheyAre() {
    QFETCH(QString, drawing);
    QFETCH(QString, stated);
    const Imported imported = test::valueOf(importTopology(realFile(QString::fromUtf8(QTest::currentDataTag()))));
    QCOMPARE(QString::fromStdString(drawnAsText(imported.system)), drawing);
    std::vector<std::string> all = imported.understood;
    for (const auto* list : {&imported.assumed, &imported.ignored}) all.insert(all.end(), list->begin(), list->end());
    QString text = listed(all);
    if (stated.contains("software")) text = listed({imported.understood.back(), imported.ignored.front()});
    QVERIFY2(text.contains(stated), qPrintable(text));
  }

  void twoRingsHaveNoSwitches() {
    const Imported imported = test::valueOf(importTopology(realFile(QStringLiteral("astra-ringring.yml"))));
    QVERIFY(imported.assumed.empty());
  }

  // libhwloc 2.9 takes a segmentation fault on both.
  void filesThatBringHwlocDownGetASentence() {
    const auto empty = importTopology(realFile(QStringLiteral("doctype-nosystem.xml")));
    QVERIFY(!empty.ok());
    QVERIFY(empty.error().text().find("no <object>") != std::string::npos);
    const auto incomplete = importTopology(realFile(QStringLiteral("no-complete-cpuset.xml")));
    QVERIFY(!incomplete.ok());
    QVERIFY(incomplete.error().text().find("PU 4 has a cpuset but no complete_cpuset") != std::string::npos);
  }

  void theHybridCubeMeshHasItsRings() {
    const Imported imported = test::valueOf(importTopology(realFile(QStringLiteral("dgx1.txt"))));
    QCOMPARE(shapeOf(imported.system), std::string("cpu:2 gpu:4"));
    QVERIFY(listed(imported.understood).contains(QStringLiteral("16 pairs of GPUs; 3 NVLink rings through 8 GPUs")));
    std::size_t pairs = 0;
    std::size_t rings = 0;
    for (const Network& network : imported.system.networks) {
      pairs += network.interconnect.kind == InterconnectKind::Mesh ? 1 : 0;
      if (network.interconnect.name != "NVLink rings") continue;
      ++rings;
      QCOMPARE(network.interconnect.bandwidth, 2 * 3 * 25e9);
    }
    QCOMPARE(rings, std::size_t{1});
    QCOMPARE(pairs, std::size_t{16});
    const double preset = singleSeconds(test::valueOf(parseSystem("gcp-v100:1")));
    const double own = singleSeconds(imported.system);
    QVERIFY2(own > 0.8 * preset && own < 1.25 * preset, qPrintable(QString("%1 %2").arg(own).arg(preset)));
  }

  void speedsTakeTheFilesPlace() {
    ImportOptions options;
    options.nodes = 2;
    options.speeds[SpeedKind::GpuLink] = 10e9;
    options.speeds[SpeedKind::Nic] = 1e9;
    const System system =
        test::valueOf(importTopology(realFile(QStringLiteral("b200-mesh-6.3TBs.xml")), options)).system;
    QCOMPARE(system.levels[0].interconnect.bandwidth, 13e9);
    QCOMPARE(system.levels[1].interconnect.bandwidth, 180e9);
    options = {};
    options.speeds[SpeedKind::Socket] = 5e9;
    options.speeds[SpeedKind::Pcie] = 7e9;
    const Imported sockets = test::valueOf(importTopology(realFile(QStringLiteral("aws-p4d.xml")), options));
    QCOMPARE(sockets.system.levels[0].interconnect.bandwidth, 5e9);
    QCOMPARE(sockets.system.levels[1].interconnect.bandwidth, 7e9);
    QCOMPARE(sockets.system.levels[2].interconnect.bandwidth, 7e9);
    QCOMPARE(sockets.assumedSpeeds[SpeedKind::Socket], 5e9);
    QVERIFY(!listed(sockets.assumed).contains(QStringLiteral("GB/s")));
  }

  void differentNodesStandSideBySide() {
    const std::vector<NamedText> files{{"a.xml", realFile(QStringLiteral("mi300-xgmi.xml"))},
                                       {"b.xml", realFile(QStringLiteral("b200-mesh-6.3TBs.xml"))},
                                       {"c.txt", realFile(QStringLiteral("two-sys.txt"))}};
    QCOMPARE(test::valueOf(importMachines(files)).system.deviceCount(), std::int64_t{18});
    const Imported mixed = test::valueOf(importMachines(std::vector<NamedText>{files[0], files[1]}));
    QCOMPARE(shapeOf(mixed.system), std::string("node:2 gpu:8"));
    const Topology topology(test::valid(mixed.system));
    std::vector<LinkId> links;
    topology.route(Device(0), Device(7), links);
    QCOMPARE(links.size(), std::size_t{1});  // their own xGMI link
    links.clear();
    topology.route(Device(8), Device(15), links);
    QCOMPARE(links.size(), std::size_t{2});  // up into the NVSwitch and down again
    links.clear();
    topology.route(Device(0), Device(8), links);
    QVERIFY(links.size() > 2);
    for (const std::string& text : test::filled(mixed.understood)) QVERIFY(text.find(": ") != std::string::npos);
    const Imported equal = test::valueOf(importMachines(std::vector<NamedText>{files[1], files[1]}));
    QCOMPARE(shapeOf(equal.system), std::string("node:2 gpu:8"));
    const auto cores =
        importMachines(std::vector<NamedText>{files[0], {"d.xml", realFile(QStringLiteral("bmc-only.xml"))}});
    QVERIFY(!cores.ok());
    QVERIFY(cores.error().text().starts_with("d.xml: it has cores, but a.xml has GPUs"));
  }

  void utf16IsText() {
    const QString text = QString::fromStdString(realFile(QStringLiteral("dgx1.txt")));
    std::string wide = "\xFF\xFE";
    for (const QChar c : text) {
      wide += static_cast<char>(c.unicode() & 0xFF);
      wide += static_cast<char>(c.unicode() >> 8);
    }
    QCOMPARE(drawnAsText(test::valueOf(importTopology(wide)).system),
             drawnAsText(test::valueOf(importTopology(text.toStdString())).system));
  }

  void theJsonOfBeforeIsRead() {
    const Imported imported = test::valueOf(importTopology(R"({
      "topology-name": "Hierarchical", "topologies-per-dim": ["Ring", "FullyConnected", "Switch"],
      "dimension-type": ["T", "N", "P"], "dimensions-count": 3, "units-count": [4, 2, 2], "links-count": [4, 1, 1],
      "link-latency": [500, 500, 500], "link-bandwidth": [25, 10, 5], "nic-latency": [0, 0, 0]})"));
    QCOMPARE(shapeOf(imported.system), std::string("dim2:2 dim1:2 npu:4"));
    QCOMPARE(imported.system.levels[2].interconnect.bandwidth, 50e9);
    QCOMPARE(listed(imported.ignored), QStringLiteral("the key nic-latency"));
  }

  void controlCodesAreNeverPassedOn() {
    QString text = QString::fromStdString(realFile(QStringLiteral("two-sys.txt")));
    const auto broken =
        importTopology(text.replace(QStringLiteral("SYS\t0"), QStringLiteral("S\u009bYS\t0")).toStdString());
    QVERIFY(!broken.ok());
    QVERIFY2(broken.error().text().find("S?YS") != std::string::npos, broken.error().text().c_str());
    const auto xml = importTopology("<sys&#27;[31mtem/>");
    QVERIFY(!xml.ok());
    QVERIFY(xml.error().text().find('\x1b') == std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TestRealFiles)
#include "tst_real_files.moc"
