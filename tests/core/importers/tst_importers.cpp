// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QTest>
#include <algorithm>
#include <set>

#include "importers/importers.h"
#include "support/fixtures.h"
#include "system/text_drawing.h"

using namespace p2;

namespace {

std::string fileText(const QString& name) {
  QFile file(QStringLiteral(P2_TEST_DATA "/import/") + name);
  if (!file.open(QIODevice::ReadOnly)) qFatal("cannot read %s", qPrintable(file.fileName()));
  return file.readAll().toStdString();
}

Imported imported(const QString& name, std::int64_t nodes = 1) {
  return test::valueOf(importTopology(fileText(name), {nodes}));
}

QString joined(const std::vector<std::string>& things) {
  QStringList list;
  for (const std::string& thing : things) list << QString::fromStdString(thing);
  return list.join(QStringLiteral("; "));
}

}  // namespace

/// Every format as a drawing in words, from files in tests/data/import.
class TestImporters : public QObject {
  Q_OBJECT
 private slots:
  // A format without a sample in tests/data/import is one that nothing tests.
  void everyFormatHasASample() {
    std::set<std::string_view> seen;
    const QStringList files = QDir(QStringLiteral(P2_TEST_DATA "/import")).entryList(QDir::Files);
    for (const QString& file : files) {
      const std::string text = fileText(file);
      const std::size_t start = text.find_first_not_of(" \t\r\n");
      if (start == std::string::npos) continue;
      const auto formats = importFormats();
      const auto found = std::find_if(formats.begin(), formats.end(),
                                      [&](const ImportFormat& format) { return format.recognises(text, text[start]); });
      if (found != formats.end() && importTopology(text).ok()) seen.insert(found->name);
    }
    for (const ImportFormat& format : importFormats()) {
      QVERIFY2(seen.contains(format.name), std::string(format.name).c_str());
      QVERIFY(!format.help.empty() && !format.extension.empty());
      QVERIFY((format.readMachine == nullptr) != (format.readCluster == nullptr));
      QVERIFY(importFormatNames().find(format.name) != std::string::npos);
    }
  }
  void drawsEveryFormat_data() {
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("drawing");
    const auto row = [](const char* file, const char* format, const char* drawing) {
      QTest::newRow(file) << QString::fromUtf8(format) << QString::fromUtf8(drawing);
    };
    row("hwloc-cores.xml", "hwloc XML",
        "package:2 l3:2 core:3, 12 devices, one node\n"
        "  CPU link: switch of 2 packages, 20.0 GB/s\n"
        "  package ×2\n"
        "    on-chip network: switch of 2 l3s, 64.0 GB/s\n"
        "    l3 ×2\n"
        "      cache: switch of 3 cores, 64.0 GB/s\n"
        "      core ×3\n");
    row("hwloc-gpus.xml", "hwloc XML",
        "package:2 gpu:2, 4 devices, one node, ampere\n"
        "  device: A100-PCIE-80GB\n"
        "  CPU link: switch of 2 packages, 20.0 GB/s\n"
        "  package ×2\n"
        "    PCIe: switch of 2 gpus, 31.5 GB/s\n"
        "    gpu ×2\n");
    row("smi-nvswitch.txt", "nvidia-smi topo -m",
        "gpu:8, 8 devices, ampere\n  device: A100-SXM4-80GB\n  NVSwitch: switch of 8 gpus, 300 GB/s\n  gpu ×8\n");
    row("smi-mesh.txt", "nvidia-smi topo -m",
        "gpu:4, 4 devices\n  NVLink: mesh of 4 gpus, 100 GB/s, members forward nothing\n  gpu ×4\n");
    row("smi-one.txt", "nvidia-smi topo -m", "gpu:1, 1 device\n  PCIe: switch of 1 gpu, 32.0 GB/s\n  gpu\n");
    row("smi-pcie.txt", "nvidia-smi topo -m",
        "cpu:2 hostbridge:2 gpu:2, 8 devices, one node\n"
        "  CPU link: switch of 2 cpus, 20.0 GB/s\n"
        "  cpu ×2\n"
        "    CPU: switch of 2 hostbridges, 32.0 GB/s\n"
        "    hostbridge ×2\n"
        "      PCIe: switch of 2 gpus, 32.0 GB/s\n"
        "      gpu ×2\n");
    row("smi-ring.txt", "nvidia-smi topo -m",
        "cpu:2 gpu:2, 4 devices, one node\n"
        "  CPU link: switch of 2 cpus, 20.0 GB/s\n"
        "  NVLink ring: ring of gpu 0, gpu 1, gpu 2, gpu 3, 100 GB/s, half duplex, members "
        "forward nothing\n"
        "  cpu ×2\n"
        "    PCIe: switch of 2 gpus, 16.0 GB/s\n"
        "    gpu ×2\n");
    row("nccl-nvswitch.xml", "NCCL topology XML",
        "gpu:8, 8 devices, ampere\n  device: A100-SXM4-80GB\n  NVSwitch: switch of 8 gpus, 300 GB/s\n  gpu ×8\n");
    row("nccl-pcie.xml", "NCCL topology XML",
        "cpu:2 gpu:2, 4 devices, one node, ampere\n"
        "  device: A100-SXM4-80GB\n"
        "  CPU link: switch of 2 cpus, 20.0 GB/s\n"
        "  cpu ×2\n"
        "    PCIe: switch of 2 gpus, 63.0 GB/s\n"
        "    gpu ×2\n");
    row("nccl-ring.xml", "NCCL topology XML",
        "cpu:2 gpu:2, 4 devices, one node, ampere\n"
        "  device: A100-SXM4-80GB\n"
        "  CPU link: switch of 2 cpus, 15.8 GB/s\n"
        "  NVLink ring: ring of gpu 0, gpu 1, gpu 2, gpu 3, 100 GB/s, half duplex, members forward nothing\n"
        "  cpu ×2\n"
        "    PCIe: switch of 2 gpus, 15.8 GB/s\n"
        "    gpu ×2\n");
    row("astra-ring.yml", "ASTRA-sim network",
        "npu:8, 8 devices\n  Ring: ring of 8 npus, 50.0 GB/s, 0.50 µs\n  npu ×8\n");
    row("astra-three-dimensions.yml", "ASTRA-sim network",
        "dim2:3 dim1:2 npu:4, 24 devices\n"
        "  Switch-2: switch of all npu, 25.0 GB/s, 2.00 µs\n"
        "  dim2 ×3\n"
        "    Ring-1 ×4: ring of all npu, round robin, 100 GB/s, 0.50 µs\n"
        "    dim1 ×2\n"
        "      FullyConnected: mesh of 4 npus, 200 GB/s, 0.05 µs\n"
        "      npu ×4\n");
    row("astra-large.yml", "ASTRA-sim network",
        "dim1:1024 npu:128, 131072 devices\n"
        "  Switch: switch of 1024 dim1s, 1.60 TB/s, 4.00 µs\n"
        "  dim1 ×1024\n"
        "    Switch: switch of 128 npus, 300 GB/s, 0.50 µs\n"
        "    npu ×128\n");
  }
  void drawsEveryFormat() {
    QFETCH(QString, format);
    QFETCH(QString, drawing);
    QVERIFY(isImportable(fileText(QString::fromUtf8(QTest::currentDataTag()))));
    const Imported result = imported(QString::fromUtf8(QTest::currentDataTag()));
    QCOMPARE(QString::fromStdString(result.format), format);
    QCOMPARE(QString::fromStdString(drawnAsText(result.system)), drawing);
  }

  void saysHowFarItWent_data() {
    QTest::addColumn<QString>("understood");
    QTest::addColumn<QString>("assumed");
    QTest::addColumn<QString>("ignored");
    const auto row = [](const char* file, const char* understood, const char* assumed, const char* ignored) {
      QTest::newRow(file) << QString::fromUtf8(understood) << QString::fromUtf8(assumed) << QString::fromUtf8(ignored);
    };
    row("hwloc-gpus.xml", "4 GPUs; 2 network cards", "20.0 GB/s between packages",
        "1 other PCI device; 2 network cards, since a single node needs none; give the number of nodes to keep them");
    row("hwloc-cores.xml", "12 cores", "20.0 GB/s between packages; 64.0 GB/s between l3s; 64.0 GB/s between cores",
        "24 hardware threads, since the threads of a core share it");
    row("nccl-nvswitch.xml", "2 CPUs; 8 GPUs; 4 network cards; NVSwitch, 12 NVLinks a GPU",
        "25.0 GB/s for every NVLink",
        "PCIe and CPUs, since NVLink joins all GPUs; 4 network cards, since a single node needs none; give the number "
        "of nodes to keep them");
    // What makes no uniform hierarchy is left out by name; all devices stay. Sockets are kept even so.
    row("nccl-unequal.xml", "2 CPUs; 4 GPUs",
        "no direct links, though the A100 has 12 NVLinks; --gpu A100 takes them; 20.0 GB/s between cpus; 32.0 GB/s "
        "between GPUs",
        "");
    row("smi-unequal.txt", "4 GPUs", "20.0 GB/s between cpus; 32.0 GB/s between GPUs", "");
    row("smi-interleaved.txt", "4 GPUs",
        "20.0 GB/s between cpus; 32.0 GB/s between GPUs; devices numbered along the hierarchy: GPUs 0 2 1 3", "");
    row("smi-nvswitch.txt", "8 GPUs; 4 network cards; NVSwitch, 12 NVLinks a GPU",
        "an NVSwitch, because NV12 to 7 peers would be more links than a GPU has; 25.0 GB/s for every NVLink; "
        "A100-SXM4-80GB, since its GPUs have 12 NVLinks",
        "PCIe and CPUs, since NVLink joins all GPUs; 4 network cards, since a single node needs none; give the number "
        "of nodes to keep them");
    row("astra-large.yml", "Switch of 128; Switch of 1024",
        "the outer links of neighbouring devices bundled, for over 65536 devices", "");
  }
  void saysHowFarItWent() {
    QFETCH(QString, understood);
    QFETCH(QString, assumed);
    QFETCH(QString, ignored);
    const Imported result = imported(QString::fromUtf8(QTest::currentDataTag()));
    QCOMPARE(joined(result.understood), understood);
    QCOMPARE(joined(result.assumed), assumed);
    QCOMPARE(joined(result.ignored), ignored);
  }

  // Links that join not all GPUs alike become a network for every pair, and one for the rings there are.
  void drawsTheCubeMeshPairByPair() {
    const Imported result = imported(QStringLiteral("smi-cube-mesh.txt"), 2);
    QCOMPARE(shapeOf(result.system), std::string("node:2 cpu:2 gpu:4"));
    double links = 0;
    std::size_t pairs = 0;
    for (const Network& network : result.system.networks) {
      if (network.interconnect.kind != InterconnectKind::Mesh) continue;
      ++pairs;
      QCOMPARE(network.within, std::string("node"));
      QCOMPARE(network.members.size(), 2u);
      links += network.interconnect.bandwidth / 25e9;
    }
    QCOMPARE(pairs, 16u);
    QCOMPARE(links, 24.0);  // eight GPUs of six NVLinks each
  }

  void putsMachinesTogetherThroughTheirCards() {
    const Imported result = imported(QStringLiteral("nccl-nvswitch.xml"), 16);
    QCOMPARE(shapeOf(result.system), std::string("node:16 gpu:8"));
    const Interconnect& network = result.system.levels[0].interconnect;
    QCOMPARE(network.bandwidth, 4 * 25e9);
    QCOMPARE(network.latency, 1.5e-6);
    QVERIFY(joined(result.assumed).contains(QStringLiteral("work as one port")));
    QVERIFY(!joined(result.ignored).contains(QStringLiteral("network card")));
    const Imported silent = imported(QStringLiteral("smi-one.txt"), 2);
    QVERIFY(joined(silent.assumed).contains(QStringLiteral("12.5 GB/s for every network card")));
    QVERIFY(joined(silent.assumed).contains(QStringLiteral("one network card in every machine")));
    QCOMPARE(silent.assumedCards, std::int64_t(1));
    QCOMPARE(result.assumedCards, std::int64_t(0));
  }

  // A card behind the PCIe switch of each GPU makes rails, and cards behind none are for storage.
  void keepsRails() {
    const Imported result = imported(QStringLiteral("smi-rails.txt"), 4);
    const System& system = result.system;
    QCOMPARE(shapeOf(system), std::string("node:4 gpu:8"));
    QCOMPARE(system.networks.size(), std::size_t(3));
    QCOMPARE(system.networks[0].interconnect.name, std::string("NIC"));
    QCOMPARE(system.networks[0].instances, std::int64_t(8));
    QCOMPARE(system.networks[0].interconnect.bandwidth, 50e9);
    QCOMPARE(system.networks[1].instances, std::int64_t(8));
    QCOMPARE(system.networks[2].interconnect.bandwidth, 4 * 50e9);
    QCOMPARE(system.accelerator.type, std::string("H100-SXM5-80GB"));
    QCOMPARE(system.library.generation, std::string("hopper"));
    QVERIFY(joined(result.understood)
                .contains(QStringLiteral("8 rails: 1 network card behind the PCIe switch of each GPU")));
    QVERIFY(joined(result.assumed).contains(QStringLiteral("H100-SXM5-80GB, since its GPUs have 18 NVLinks")));
    QVERIFY(joined(result.ignored).contains(QStringLiteral("2 network cards that no GPU has behind its PCIe switch")));
    ImportOptions options{4, {}, 0};
    options.speeds[SpeedKind::Nic] = 50e9;
    const Imported fast = test::valueOf(importTopology(fileText(QStringLiteral("smi-rails.txt")), options));
    QCOMPARE(fast.system.networks[0].interconnect.bandwidth, 50e9);
  }

  // Switches join all links of a GPU, and their number is one generation's; two have eight, which is left to the user.
  void namesTheGpuByItsLinks_data() {
    QTest::addColumn<QString>("links");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<QString>("gpu");
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("assumed");
    QTest::newRow("H100") << "NV18" << 8 << ""
                          << "H100-SXM5-80GB"
                          << "H200, H20 and B200 have as many";
    QTest::newRow("A100") << "NV12" << 8 << ""
                          << "A100-SXM4-80GB"
                          << "since its GPUs have 12 NVLinks";
    QTest::newRow("V100 of a DGX-2") << "NV6" << 16 << ""
                                     << "V100-SXM3-32GB"
                                     << "since its GPUs have 6 NVLinks";
    QTest::newRow("eight links") << "NV8" << 8 << ""
                                 << ""
                                 << "A800 and H800 have 8 NVLinks; name yours";
    QTest::newRow("named") << "NV8" << 8 << "H800"
                           << "H800"
                           << "an NVSwitch";
    QTest::newRow("another of 18") << "NV18" << 8 << "H200"
                                   << "H200"
                                   << "an NVSwitch";
    QTest::newRow("a bridge of two") << "NV12" << 2 << ""
                                     << ""
                                     << "";
  }
  void namesTheGpuByItsLinks() {
    QFETCH(QString, links);
    QFETCH(int, gpus);
    QFETCH(QString, gpu);
    QFETCH(QString, type);
    QFETCH(QString, assumed);
    QString text;
    for (int column = 0; column < gpus; ++column) text += QStringLiteral("\tGPU%1").arg(column);
    for (int row = 0; row < gpus; ++row) {
      text += QStringLiteral("\nGPU%1").arg(row);
      for (int column = 0; column < gpus; ++column) text += '\t' + (row == column ? QStringLiteral(" X ") : links);
    }
    for (const std::int64_t nodes : {1, 4}) {
      ImportOptions options{nodes, {}, 0};
      options.gpu = gpu.toStdString();
      const Imported result = test::valueOf(importTopology(text.toStdString() + "\n", options));
      QCOMPARE(QString::fromStdString(result.system.accelerator.type), type);
      QVERIFY2(joined(result.assumed).contains(assumed), qPrintable(joined(result.assumed)));
    }
  }

  // However many cards are described, somebody may know better.
  void takesOtherCountsOfCards() {
    const auto portWith = [](const QString& file, std::int64_t cards) {
      ImportOptions options{2, {}, cards};
      const Imported result = test::valueOf(importTopology(fileText(file), options));
      return std::pair(result.system.levels[0].interconnect.bandwidth, joined(result.assumed));
    };
    const auto [eight, assumed] = portWith(QStringLiteral("smi-one.txt"), 8);
    QCOMPARE(eight, 8 * 12.5e9);
    QVERIFY(!assumed.contains(QStringLiteral("one network card")));
    QVERIFY(assumed.contains(QStringLiteral("12.5 GB/s for every network card")));
    QCOMPARE(portWith(QStringLiteral("nccl-nvswitch.xml"), 2).first, 2 * 25e9);
    QCOMPARE(portWith(QStringLiteral("nccl-nvswitch.xml"), 5).first, 4 * 25e9 + 12.5e9);
  }

  void readsSyntheticMachines_data() {
    QTest::addColumn<QString>("shape");
    QTest::newRow("pack:2 core:4 pu:2") << "package:2 core:4";
    QTest::newRow("pack:2 numa:2 l3:2 core:4 pu:1") << "package:2 numanode:2 l3:2 core:4";
    QTest::newRow("core:6 pu:2") << "core:6";
    QTest::newRow("pu:3") << "core:3";
    QTest::newRow("pack:1 core:1 pu:1") << "core:1";
  }
  void readsSyntheticMachines() {
    QFETCH(QString, shape);
    const Imported result = test::valueOf(importSynthetic(QTest::currentDataTag()));
    QCOMPARE(QString::fromStdString(shapeOf(result.system)), shape);
  }

  void readsThisMachine() {
    const Imported result = test::valueOf(importThisMachine());
    QVERIFY(result.system.deviceCount() >= 1);
    QVERIFY(!result.understood.empty());
  }

  // Byte order marks, carriage returns and terminal colours are not part of what is said.
  void overlooksDecoration() {
    const QString plain = QString::fromStdString(fileText(QStringLiteral("smi-pcie.txt")));
    QString decorated = plain;
    decorated.replace(QStringLiteral("\n"), QStringLiteral("\r\n"));
    decorated.replace(QStringLiteral("\tGPU3"), QStringLiteral("\t\x1b[4mGPU3\x1b[0m"));
    const Imported result = test::valueOf(importTopology("\xEF\xBB\xBF" + decorated.toStdString()));
    QCOMPARE(drawnAsText(result.system), drawnAsText(test::valueOf(importTopology(plain.toStdString())).system));
  }
};

QTEST_APPLESS_MAIN(TestImporters)
#include "tst_importers.moc"
