// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "system/text_drawing.h"

using namespace p2;

class TestTextDrawing : public QObject {
  Q_OBJECT
 private slots:
  void levelsAreDrawnOnce() {
    QCOMPARE(drawnAsText(test::valueOf(parseSystem("gcp-a100:4"))),
             std::string(
                 "gcp-a100:4, 64 devices\n"
                 "  device: A100-SXM4-40GB, 40.0 GB, 1.55 TB/s, bf16 312 TFLOP/s\n"
                 "  data-centre network: switch of 4 nodes, 8.00 GB/s (fitted 8.98 GB/s), fitted ring cap 8.52 GB/s, "
                 "fitted tree cap 5.92 GB/s\n"
                 "  node ×4\n"
                 "    NVSwitch: switch of 16 gpus, 270 GB/s (fitted 210 GB/s), fitted tree cap 126 GB/s\n"
                 "    gpu ×16\n"));
  }

  void figuresThatMatterAreNamed() {
    System system = test::valueOf(parseSystem("node:1@8GB/s gpu:4@135GB/s,2us,ring"));
    system.name.clear();
    Interconnect& ring = system.levels[1].interconnect;
    ring.name = "NVLink";
    ring.halfDuplex = true;
    ring.forwards = false;
    system.levels[0].interconnect.core = 4e9;
    QCOMPARE(drawnAsText(system), std::string("node:1 gpu:4, 4 devices\n"
                                              "  network: switch of 1 node, 8.00 GB/s, core 4.00 GB/s\n"
                                              "  node\n"
                                              "    NVLink: ring of 4 gpus, 135 GB/s, 2.00 µs, half duplex, "
                                              "members forward nothing\n"
                                              "    gpu ×4\n"));
  }

  void fittedFiguresStandBesideTheNominal() {
    System system = test::valueOf(parseSystem("gpu:2@10GB/s"));
    system.calibrated = true;
    system.levels[0].interconnect.fittedBandwidth = 9e9;
    system.levels[0].interconnect.fittedLatency = 3e-6;
    QCOMPARE(drawnAsText(system),
             std::string("gpu:2, 2 devices, calibrated\n"
                         "  NVSwitch: switch of 2 gpus, 10.0 GB/s (fitted 9.00 GB/s), 0 s (fitted 3.00 µs)\n"
                         "  gpu ×2\n"));
  }

  void nodesAndTheirLibraryAreNamed() {
    System system = test::valueOf(parseSystem("rack:2@8GB/s tray:18@1TB/s,reduces=yes gpu:4"));
    system.node = "rack";
    system.library = {"blackwell", "2.27", 18e-6};
    QCOMPARE(drawnAsText(system),
             std::string("rack:2 tray:18 gpu:4, 144 devices, blackwell, library 2.27, launch 18.0 µs\n"
                         "  network: switch of 2 racks, 8.00 GB/s\n"
                         "  rack ×2, a node each\n"
                         "    network: switch of 18 trays, 1.00 TB/s, reduces\n"
                         "    tray ×18\n"
                         "      NVSwitch: switch of 4 gpus, 270 GB/s\n"
                         "      gpu ×4\n"));
  }

  void networksStandWhereTheyBelong() {
    System system = test::valueOf(parseSystem("node:2@8GB/s gpu:8@135GB/s"));
    system.levels[0].interconnect.kind = InterconnectKind::None;
    Network pci;
    pci.interconnect = {InterconnectKind::Bus, 32e9, 0, "PCIe switch"};
    pci.within = "node";
    pci.instances = 4;
    pci.members = {{"gpu", 0, 0}};
    Network card;
    card.interconnect = {InterconnectKind::Switch, 8e9, 0, "NIC"};
    card.within = "node";
    card.members = {{"PCIe switch", 0, 2}, {"PCIe switch", 2, 0}};
    card.gateway = true;
    Network rails;
    rails.interconnect = {InterconnectKind::Switch, 25e9, 0, "rail"};
    rails.instances = 2;
    rails.assignment = Network::Assignment::InTurn;
    rails.members = {{"gpu", 0, 0}};
    system.networks = {pci, card, rails};
    system.disabled = {"NIC of node 1"};
    QCOMPARE(drawnAsText(system),
             std::string("node:2 gpu:8, 16 devices\n"
                         "  rail ×2: switch of all gpu, round robin, 25.0 GB/s\n"
                         "  node ×2\n"
                         "    NVSwitch: switch of 8 gpus, 135 GB/s\n"
                         "    PCIe switch ×4: bus of all gpu, contiguous, 32.0 GB/s\n"
                         "    NIC: switch of PCIe switch 0–1, all PCIe switch from 2 on, 8.00 GB/s, uplink\n"
                         "    gpu ×8\n"
                         "  out of order: NIC of node 1\n"));
  }
};

QTEST_APPLESS_MAIN(TestTextDrawing)
#include "tst_text_drawing.moc"
