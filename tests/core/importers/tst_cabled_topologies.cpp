// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QTest>

#include "importers/importers.h"
#include "support/fixtures.h"
#include "system/text_drawing.h"

using namespace p2;

namespace {

QString cabledFile(const QString& name) {
  QFile file(QStringLiteral(P2_TEST_DATA "/import/") + name);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString allNotesOf(const Imported& imported) {
  QStringList list;
  for (const auto* notes : {&imported.understood, &imported.assumed, &imported.ignored}) {
    for (const std::string& note : *notes) list << QString::fromStdString(note);
  }
  return list.join('\n');
}

Imported readText(const QString& text) { return test::valueOf(importTopology(text.toStdString())); }

QString errorOf(const QString& text) {
  const auto result = importTopology(text.toStdString());
  return result.ok() ? QString("no error") : QString::fromStdString(result.error().text());
}

/// A document of two machines on one switch, with some text in its place.
QString smallInfra(const QString& from, const QString& to) {
  QString text = QStringLiteral(R"(name: small
devices:
- name: box
  components:
  - {name: xpu, count: 4, choice: xpu, description: Accelerator}
  - {name: nic, count: 2, choice: nic}
  - {name: cpu, count: 1, choice: cpu}
  links:
  - {name: fast, physical: {bandwidth: {gigabytes_per_second: 40}}}
  - {name: pcie, physical: {bandwidth: {gigatransfers_per_second: 16}}}
  edges:
  - {ep1: {component: xpu}, ep2: {component: xpu}, scheme: many2many, link: fast}
  - {ep1: {component: "xpu[0:4]"}, ep2: {component: cpu}, scheme: many2many, link: pcie}
- name: sw
  components:
  - {name: port, count: 8, choice: port}
  links: []
  edges: []
links:
- {name: eth, physical: {bandwidth: {gigabits_per_second: 200}, latency: {us: 1.5}}}
instances:
- {name: host, device: box, count: 2}
- {name: tor, device: sw, count: 1}
edges:
- {ep1: {instance: "host[0:2]", component: "nic[0:2]"}, ep2: {instance: tor, component: "port[0:4]"}, scheme: one2one, link: eth}
)");
  return text.replace(from, to);
}

}  // namespace

/// Clusters by their cables: InfraGraph, LLDP, links of ns-3.
class TestCabledTopologies : public QObject {
  Q_OBJECT
 private slots:
  void areReadAsTheyAre_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("drawing");
    // One server a leaf: the leaf's way up, 3 × 400 Gbit/s, is wider than the server's two cables of 100.
    QTest::newRow("InfraGraph, YAML") << "infragraph-clos.yaml"
                                      << "node:4 gpu:2, 8 devices\n"
                                         "  network: switch of 4 nodes, 25.0 GB/s\n"
                                         "  node ×4\n"
                                         "    NVSwitch: switch of 2 gpus, 25.0 GB/s\n"
                                         "    gpu ×2\n";
    // 8 cables of 200 Gbit/s from a machine, 8 of 100 up from its leaf.
    QTest::newRow("InfraGraph, JSON") << "infragraph-a100.json"
                                      << "node:16 gpu:8, 128 devices, ampere\n"
                                         "  device: A100\n"
                                         "  network: switch of 16 nodes, 100 GB/s\n"
                                         "  node ×16\n"
                                         "    NVSwitch: switch of 8 gpus, 300 GB/s\n"
                                         "    gpu ×8\n";
    QTest::newRow("LLDP, JSON") << "lldp-hosts.json"
                                << "leaf:2 host:3, 6 devices\n"
                                   "  spine: switch of 2 leaves, 25.0 GB/s\n"
                                   "  leaf ×2\n"
                                   "    leaf: switch of 3 hosts, 25.0 GB/s\n"
                                   "    host ×3\n";
    QTest::newRow("LLDP, text") << "lldp-plain.txt"
                                << "host:4, 4 devices\n"
                                   "  leaf: switch of 4 hosts, 25.0 GB/s\n"
                                   "  host ×4\n";
    QTest::newRow("ns-3, SimAI's dialect") << "ns3-spectrum.txt"
                                           << "node:4 gpu:8, 32 devices\n"
                                              "  leaf: switch of 4 nodes, 400 GB/s, 1.00 µs\n"
                                              "  node ×4\n"
                                              "    NVSwitch: switch of 8 gpus, 360 GB/s, 0.05 µs\n"
                                              "    gpu ×8\n";
  }
  void areReadAsTheyAre() {
    QFETCH(QString, file);
    QFETCH(QString, drawing);
    const Imported imported = readText(cabledFile(file));
    QCOMPARE(QString::fromStdString(drawnAsText(imported.system)), drawing);
  }

  void infraGraphTellsWhatItTook() {
    const Imported imported = readText(cabledFile("infragraph-a100.json"));
    for (const char* note : {"8 accelerators in every dgx_a100", "16 machines", "stand for the 12 NVLinks of the A100",
                             "100 GB/s up from a leaf, 50 % of its hosts' ports"}) {
      QVERIFY2(allNotesOf(imported).contains(note), qPrintable(allNotesOf(imported)));
    }
  }

  void infraGraphByHand() {
    const Imported imported = readText(smallInfra("", ""));
    QCOMPARE(QString::fromStdString(drawnAsText(imported.system)),
             QString("node:2 gpu:4, 8 devices\n"
                     "  network: switch of 2 nodes, 50.0 GB/s, 3.00 µs\n"
                     "  node ×2\n"
                     "    NVLink: mesh of 4 gpus, 40.0 GB/s, members forward nothing\n"
                     "    gpu ×4\n"));
    // Every edge is a cable of its own, whichever end comes first.
    const char* const cables =
        "- {ep1: {instance: \"host[0:2]\", component: \"nic[0:2]\"}, ep2: {instance: tor, component: \"port[0:4]\"}, "
        "scheme: one2one, link: eth}";
    const char* const mirrored =
        "- {ep1: {instance: \"host[0:2]\", component: \"nic[0:1]\"}, ep2: {instance: tor, component: \"port[0:2]\"}, "
        "scheme: one2one, link: eth}\n"
        "- {ep1: {instance: tor, component: \"port[2:4]\"}, ep2: {instance: \"host[0:2]\", component: \"nic[1:2]\"}, "
        "scheme: one2one, link: eth}";
    QVERIFY(smallInfra("", "").contains(cables));
    QCOMPARE(drawnAsText(readText(smallInfra(cables, mirrored)).system), drawnAsText(imported.system));
    // A ring of links instead of all pairs.
    const Imported ring =
        readText(smallInfra("ep2: {component: xpu}, scheme: many2many", "ep2: {component: xpu}, scheme: ring"));
    QVERIFY2(drawnAsText(ring.system).find("ring of") != std::string::npos, drawnAsText(ring.system).c_str());
    // PCIe alone: 16 lanes of 16 GT/s.
    const Imported pcie = readText(
        smallInfra("fast, physical: {bandwidth: {gigabytes_per_second: 40}}", "fast, description: PCI Express"));
    QCOMPARE(pcie.system.levels.back().interconnect.bandwidth, 32e9);
  }

  void infraGraphErrorsNameTheirPlace_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const char* from, const char* to, const char* error) {
      QTest::newRow(name) << QString::fromUtf8(from) << QString::fromUtf8(to) << QString::fromUtf8(error);
    };
    row("device", "device: box", "device: bux", "line 22: there is no device \"bux\"; name one of the devices");
    row("link", "scheme: one2one, link: eth", "link: ether", "line 25: there is no link \"ether\"");
    row("slice", "xpu[0:4]", "xpu[0:9]", "line 13: the device box has no component \"xpu.4\"");
    row("instance", "host[0:2]", "host[0:3]", "line 25: \"host[0:3]\" is beyond the 2 instances");
    row("scheme", "scheme: one2one", "scheme: torus",
        "line 25: the scheme is \"torus\"; use one2one, many2many or ring");
    row("count", "count: 2}\n- {name: tor", "count: 0}\n- {name: tor",
        "line 22: an instance needs a name and a count of 1 to 65536");
    row("bandwidth", "gigabits_per_second: 200", "gigabits_per_second: fast",
        "line 20: gigabits_per_second needs a number of 0 or more");
    row("no accelerator", "choice: xpu", "choice: fpga",
        "no instance has an accelerator (a component of the kind xpu)");
  }
  void infraGraphErrorsNameTheirPlace() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, error);
    QCOMPARE(errorOf(smallInfra(from, to)), error);
  }

  void devicesThatHoldThemselves() {
    QVERIFY(errorOf(smallInfra("{name: cpu, count: 1, choice: cpu}", "{name: box, count: 1, choice: device}"))
                .contains("more than 8 levels deep"));
  }

  void managementIsNoFabric() {
    const Imported imported = readText(cabledFile("lldp-hosts.json"));
    QVERIFY2(allNotesOf(imported).contains("6 cables of a tenth of the fastest speed or less, as for management"),
             qPrintable(allNotesOf(imported)));
    QVERIFY2(allNotesOf(imported).contains("25.0 GB/s up from a leaf, 33 % of its hosts' ports"),
             qPrintable(allNotesOf(imported)));
    const Imported rails = readText(cabledFile("lldp-plain.txt"));
    QVERIFY2(allNotesOf(rails).contains("12.5 GB/s for 8 cables: LLDP does not say their speed"),
             qPrintable(allNotesOf(rails)));
    QVERIFY2(allNotesOf(rails).contains("hosts are on several switches, as on rails"), qPrintable(allNotesOf(rails)));
  }

  // A file for every machine.
  void listingsOfSeveralFilesAreOneCabling() {
    const QString all = cabledFile("lldp-hosts.json");
    std::vector<NamedText> texts;
    for (const QString& part : all.split("\n}\n", Qt::SkipEmptyParts)) {
      const qsizetype open = part.indexOf('{');
      texts.push_back({"dir/" + part.left(open).trimmed().chopped(1).toStdString() + ".json",
                       part.mid(open).toStdString() + "\n}\n"});
    }
    QCOMPARE(texts.size(), std::size_t{8});
    QCOMPARE(test::valueOf(importMachines(texts)).system, readText(all).system);
    QVERIFY(errorOf("{\"lldp\": {\"interface\": {\"a\": {\"chassis\": {\"s\": {\"id\": {\"value\": \"x\"}}}}}}}")
                .contains("fewer than two hosts on switches; put the listings of all hosts into one file"));
  }

  // Listings without names are numbered; a second listing of one name is a machine of its own.
  void listingsOfOneNameAreSeveralMachines() {
    QString text;
    for (const char* name : {"n1", "n2", "n2", "n4"}) {
      text += QStringLiteral(
                  "== %1 ==\nLLDP neighbors:\nInterface: eth0, via: LLDP\nSysName: leaf\n"
                  "Capability: Bridge, on\nMAU oper type: 100GbaseCR4\n")
                  .arg(name);
    }
    QCOMPARE(QString::fromStdString(shapeOf(readText(text).system)), QString("host:4"));
  }

  void linksInTwoDialects() {
    const QString plain =
        "5 1 8\n4\n0 4 400Gbps 0.0005ms 0\n1 4 400Gbps 0.0005ms 0\n2 4 400Gbps 0.0005ms 0\n3 4 400Gbps 0.0005ms 0\n"
        "4 0 400Gbps 0.0005ms 0\n4 1 400Gbps 0.0005ms 0\n4 2 400Gbps 0.0005ms 0\n4 3 400Gbps 0.0005ms 0\n";
    // Both directions are one cable.
    QCOMPARE(QString::fromStdString(drawnAsText(readText(plain).system)),
             QString("npu:4, 4 devices\n  leaf: switch of 4 npus, 50.0 GB/s, 1.00 µs\n  npu ×4\n"));
    QCOMPARE(drawnAsText(readText(QString(plain).replace("400Gbps", "50GBps")).system),
             drawnAsText(readText(plain).system));
    QVERIFY(errorOf(QString(plain).replace("2 4 400Gbps", "2 9 400Gbps")).startsWith("line 5: a link joins two nodes"));
    QVERIFY(errorOf(QString(plain).replace("2 4 400Gbps", "2 4 400Gxps"))
                .startsWith("line 5: \"400Gxps\" is not a bandwidth, as in 400Gbps"));
    QVERIFY(allNotesOf(readText(QString(plain).replace("5 1 8", "5 1 9")))
                .contains("has 8 links, although its first line says 9"));
  }

  void linksOfNvSwitchesMayBeListedBothWays() {
    const QString once =
        "5 4 1 0 4\n4\n0 4 400Gbps 0.0005ms 0\n1 4 400Gbps 0.0005ms 0\n2 4 400Gbps 0.0005ms 0\n"
        "3 4 400Gbps 0.0005ms 0\n";
    const QString back =
        "4 0 400Gbps 0.0005ms 0\n4 1 400Gbps 0.0005ms 0\n4 2 400Gbps 0.0005ms 0\n"
        "4 3 400Gbps 0.0005ms 0\n";
    const QString both = QString(once).replace("5 4 1 0 4\n", "5 4 1 0 8\n") + back;
    const std::string drawn = drawnAsText(readText(once).system);
    QVERIFY2(drawn.find("50.0 GB/s") != std::string::npos, drawn.c_str());
    QCOMPARE(drawnAsText(readText(both).system), drawn);
  }

  void networksNameTheirLinks() {
    QCOMPARE(linksFileOf("topology: [ Custom ]\ntopology_file: \"links.txt\"\n"), std::string("links.txt"));
    QCOMPARE(linksFileOf("topology: [Ring]\nnpus_count: [4]\n"), std::string());
    QVERIFY(errorOf("topology: [ Custom ]\ntopology_file: \"links.txt\"\n")
                .contains("its links are in the file that topology_file names; import that file"));
  }
};

QTEST_APPLESS_MAIN(TestCabledTopologies)
#include "tst_cabled_topologies.moc"
