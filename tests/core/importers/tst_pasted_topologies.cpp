// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include "importers/gpu_parts.h"
#include "importers/importers.h"
#include "support/damages.h"
#include "support/fixtures.h"
#include "system/text_drawing.h"

using namespace p2;

namespace {

std::string pastedFile(const QString& name) {
  QFile file(QStringLiteral(P2_TEST_DATA "/pasted/") + name);
  return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

QString notesOf(const Imported& imported) {
  QStringList list;
  for (const auto* notes : {&imported.understood, &imported.assumed, &imported.ignored}) {
    for (const std::string& note : *notes) list << QString::fromStdString(note);
  }
  return list.join('\n');
}

ImportOptions with(std::int64_t nodes, const char* gpu) {
  ImportOptions options;
  options.nodes = nodes;
  options.gpu = gpu;
  return options;
}

/// Bandwidth of a level, GB/s.
double gigabytes(const Imported& imported, std::size_t level) {
  return imported.system.levels.at(level).interconnect.bandwidth / 1e9;
}

}  // namespace

/// Topologies of public reports, with their right values.
class TestPastedTopologies : public QObject {
  Q_OBJECT
 private slots:
  void joinedNamesAreSplit_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("cards");
    QTest::newRow("H200") << "topo02_h200_wrapped.txt"
                          << "10 network cards";
    QTest::newRow("B200") << "topo03_b200_header_joined.txt"
                          << "12 network cards";
  }
  void joinedNamesAreSplit() {
    QFETCH(QString, file);
    QFETCH(QString, cards);
    const Imported imported = test::valueOf(importTopology(pastedFile(file)));
    QVERIFY2(notesOf(imported).contains(cards), qPrintable(notesOf(imported)));
    QVERIFY(!notesOf(imported).contains("the head names"));
    QCOMPARE(imported.system.deviceCount(), std::int64_t{8});
    QCOMPARE(gigabytes(imported, 0), 450.0);
  }

  void countsAreCompared() {
    QString text = QString::fromStdString(pastedFile("topo25_h100pcie_nvpairs_1nic.txt"));
    const Imported short_ = test::valueOf(importTopology(QString(text).replace("\tNIC0\tCPU", "\tCPU").toStdString()));
    QVERIFY2(notesOf(short_).contains(
                 "the head names 8 columns and the rows have 9 connections: 1 network card by the rows"),
             qPrintable(notesOf(short_)));
    const Imported long_ =
        test::valueOf(importTopology(QString(text).replace("\tNIC0\tCPU", "\tNIC0\tNIC1\tCPU").toStdString()));
    QVERIFY2(notesOf(long_).contains("the head names 10 columns"), qPrintable(notesOf(long_)));
  }

  // A terminal, a browser, a mail, a launcher.
  void wrappedMatricesAreTheSame_data() {
    QTest::addColumn<QString>("text");
    const QString text = QString::fromStdString(pastedFile("topo02_h200_wrapped.txt"));
    const QStringList lines = text.split('\n', Qt::SkipEmptyParts);
    QTest::newRow("quoted") << "> " + lines.join("\n> ");
    QTest::newRow("labels") << "0: " + lines.join("\n0: ");
    QTest::newRow("node") << "node-1: " + lines.join("\nnode-1: ");
    QTest::newRow("one line") << text.simplified();
    QTest::newRow("a cell per line") << text.simplified().replace(' ', '\n');
    QTest::newRow("Markdown") << "| " + QString(lines.join(" |\n| ")).replace(QRegularExpression("  +"), " | ") + " |";
    QTest::newRow("HTML")
        << "<table><tr><td>" +
               QString(lines.join("</td></tr>\n<tr><td>")).replace(QRegularExpression("  +"), "</td><td>") +
               "</td></tr></table>";
  }
  void wrappedMatricesAreTheSame() {
    QFETCH(QString, text);
    const Imported whole = test::valueOf(importTopology(pastedFile("topo02_h200_wrapped.txt")));
    const Imported read = test::valueOf(importTopology(text.toStdString()));
    QCOMPARE(read.system, whole.system);
    QVERIFY2(notesOf(read).contains("10 network cards"), qPrintable(notesOf(read)));
  }

  // A guide that shows the matrices of several machines.
  void theFirstOfSeveralMatrices() {
    const std::string two = "GPU0 GPU1 CPU Affinity\nGPU0 X PHB 0-11\nGPU1 PHB X 0-11\n";
    const std::string four =
        "the NVIDIA A100-SXM4-80GB:\nGPU0 GPU1 GPU2 GPU3 CPU Affinity\nGPU0 X NV4 NV4 NV4 0-11\n"
        "GPU1 NV4 X NV4 NV4 0-11\nGPU2 NV4 NV4 X NV4 0-11\nGPU3 NV4 NV4 NV4 X 0-11\n";
    const Imported first = test::valueOf(importTopology(two + four));
    QCOMPARE(first.system.deviceCount(), std::int64_t{2});
    QVERIFY2(notesOf(first).contains("the first of 2 matrices"), qPrintable(notesOf(first)));
    QVERIFY2(!notesOf(first).contains("A100"), qPrintable(notesOf(first)));
    QVERIFY2(notesOf(test::valueOf(importTopology(four + two))).contains("the first of 2 matrices"), "");
    QVERIFY(!notesOf(test::valueOf(importTopology(four))).contains("matrices"));
  }

  void nvlinkThatMpLeavesOut() {
    const Imported plain = test::valueOf(importTopology(pastedFile("topo05_h800_mp.txt")));
    QVERIFY2(notesOf(plain).contains("topo -mp leaves NVLink out; if they have NVLink, name the GPU, as in --gpu H800"),
             qPrintable(notesOf(plain)));
    for (const Imported& known : {test::valueOf(importTopology(pastedFile("topo05_h800_mp.txt"), with(1, "h800"))),
                                  test::valueOf(importTopology("NVIDIA H800\n" + pastedFile("topo05_h800_mp.txt")))}) {
      QCOMPARE(gigabytes(known, 0), 200.0);
      QVERIFY2(notesOf(known).contains("from the data sheet of the H800"), qPrintable(notesOf(known)));
    }
    const auto wrong = importTopology(pastedFile("topo05_h800_mp.txt"), with(1, "H900"));
    QVERIFY(!wrong.ok());
    QVERIFY(wrong.error().text().starts_with("--gpu: there is no data sheet of the GPU \"H900\"; use one of "));
  }

  void traysOfARackShareNvlink() {
    const Imported plain = test::valueOf(importTopology(pastedFile("topo06_gb200.txt"), with(2, "")));
    QVERIFY2(notesOf(plain).contains("looks like a tray of a GB200 or GB300 rack"), qPrintable(notesOf(plain)));
    QVERIFY(notesOf(plain).contains("as the preset gb200-nvl72 does"));
    const Imported rack = test::valueOf(importTopology(pastedFile("topo06_gb200.txt"), with(18, "GB200")));
    QCOMPARE(rack.system.deviceCount(), std::int64_t{72});
    QCOMPARE(gigabytes(rack, 0), 3600.0);
    QCOMPARE(gigabytes(rack, 1), 900.0);
    const Imported two = test::valueOf(importTopology(pastedFile("topo06_gb200.txt"), with(36, "GB200")));
    QVERIFY2(notesOf(two).contains("144 GPUs are more than the 72 of a rack"), qPrintable(notesOf(two)));
  }

  void amdSmiTopology() {
    const Imported imported = test::valueOf(importTopology(pastedFile("topo09_amd_smi_topology.txt")));
    QCOMPARE(imported.format, std::string("amd-smi topology"));
    QVERIFY2(notesOf(imported).contains("xGMI mesh, 1 xGMI link between every two GPUs"),
             qPrintable(notesOf(imported)));
    QString reported = QString::fromStdString(pastedFile("topo09_amd_smi_topology.txt"));
    reported.replace("0-0", "50000-64000");
    QCOMPARE(gigabytes(test::valueOf(importTopology(reported.toStdString())), 0), 64.0);
    QCOMPARE(gigabytes(test::valueOf(importTopology(pastedFile("topo09_amd_smi_topology.txt"), with(1, "MI300X"))), 0),
             64.0);
  }

  // The tables do not name the GPUs, and only AMD's newer ones have a link to each of seven others.
  void gpusOfAMesh() {
    const auto tableOf = [](int gpus, const char* reported) {
      const auto named = [](int gpu) { return "0000:0" + std::to_string(gpu) + ":00.0 "; };
      std::string header;
      for (int gpu = 0; gpu < gpus; ++gpu) header += named(gpu);
      std::string types = "amd-smi topology\n\nLINK TYPE TABLE:\n" + header + "\n";
      std::string speeds = "NUMA BW TABLE:\n" + header + "\n";
      for (int a = 0; a < gpus; ++a) {
        types += named(a);
        speeds += named(a);
        for (int b = 0; b < gpus; ++b) {
          types += a == b ? "SELF " : "XGMI ";
          speeds += a == b ? "N/A " : std::string(reported) + " ";
        }
        types += "\n";
        speeds += "\n";
      }
      return types + speeds;
    };
    const Imported eight = test::valueOf(importTopology(tableOf(8, "0-0")));
    QCOMPARE(eight.system.accelerator.type, std::string("MI300X"));
    QCOMPARE(eight.system.library.generation, std::string("cdna3"));
    QCOMPARE(gigabytes(eight, 0), 64.0);
    QVERIFY2(
        notesOf(eight).contains("MI300X, since 8 GPUs form a mesh of xGMI links; so do MI355X, MI350X, MI325X: name "
                                "yours, as in --gpu MI355X"),
        qPrintable(notesOf(eight)));
    const Imported faster = test::valueOf(importTopology(tableOf(8, "50000-76800")));
    QCOMPARE(faster.system.library.generation, std::string("cdna4"));
    const Imported four = test::valueOf(importTopology(tableOf(4, "0-0")));
    QVERIFY(four.system.library.generation.empty());
    QVERIFY2(notesOf(four).contains("name yours, as in --gpu MI250X"), qPrintable(notesOf(four)));
    const Imported named = test::valueOf(importTopology(tableOf(8, "0-0"), with(1, "MI355X")));
    QCOMPARE(named.system.accelerator.type, std::string("MI355X"));
    QVERIFY2(!notesOf(named).contains("MI300X"), qPrintable(notesOf(named)));
  }

  void linksThatNoGpuHas() {
    const Imported imported = test::valueOf(importTopology(pastedFile("hwloc01_mi250x_pruned.xml")));
    QVERIFY2(notesOf(imported).contains("it shows 14 links of a GPU, and the MI250X has 8"),
             qPrintable(notesOf(imported)));
    QVERIFY(notesOf(imported).contains("a known fault of the driver"));
    QCOMPARE(gigabytes(imported, 0), 50.0);
  }

  void linksThatSleep() {
    const Imported imported = test::valueOf(importTopology(pastedFile("hwloc02_mi60_idle_links_pruned.xml")));
    QVERIFY2(notesOf(imported).contains("links above GPUs at 1.00 GB/s are asleep: 15.8 GB/s"),
             qPrintable(notesOf(imported)));
    QCOMPARE(qRound(gigabytes(imported, 1) * 10), 158);
  }

  void systemsInLogsOfNccl() {
    const Imported imported = test::valueOf(importTopology(pastedFile("../import/nccl-info.txt")));
    QCOMPARE(imported.format, std::string("NCCL log"));
    QCOMPARE(imported.system.deviceCount(), std::int64_t{4});
    QCOMPARE(gigabytes(imported, 0), 240.0);
    QVERIFY2(notesOf(imported).contains("2 network cards"), qPrintable(notesOf(imported)));
    QVERIFY2(notesOf(imported).contains("NVSwitch, 12 NVLinks a GPU"), qPrintable(notesOf(imported)));
    QVERIFY2(
        notesOf(imported).contains("NCCL chose for ring: 10 channels of 24.0 GB/s over NVL/PIX, together 240 GB/s"),
        qPrintable(notesOf(imported)));
    QVERIFY(!importTopology("NCCL INFO === System : maxBw 1 ===\nNCCL INFO CPU/0 (1/2/-1)\n").ok());
  }

  void cablingOfACluster() {
    const std::string text = pastedFile("../import/ibnetdiscover.txt");
    const Imported tree = test::valueOf(importTopology(text));
    QCOMPARE(tree.system.deviceCount(), std::int64_t{8});
    QCOMPARE(tree.system.levels.size(), std::size_t{2});
    QCOMPARE(gigabytes(tree, 0), 50.0);
    QCOMPARE(gigabytes(tree, 1), 25.0);
    QVERIFY2(notesOf(tree).contains("50.0 GB/s up from a leaf, 50 % of its hosts' ports"), qPrintable(notesOf(tree)));
    // A host on the other leaf too: no equal leaves any more.
    const Imported flat = test::valueOf(
        importTopology(QString::fromStdString(text).replace("\"node007 HCA-1\"", "\"node001 HCA-2\"").toStdString()));
    QCOMPARE(flat.system.deviceCount(), std::int64_t{7});
    QVERIFY(!importTopology("switchguid=0x1\ncaguid=0x2\n").ok());
  }

  void headsWithoutGpus() {
    for (const char* text : {"\tGPU99999999999999999999\tCPU Affinity\nGPU99999999999999999999\tX\n",
                             "GPU0 CPU Affinity\n", "GPU GPU GPU\n"}) {
      const auto result = importTopology(text);
      QVERIFY2(!result.ok(), text);
      QVERIFY(!result.error().message.empty());
    }
    QCOMPARE(test::valueOf(importTopology("GPU0CPU Affinity\nGPU0 X\n")).system.deviceCount(), std::int64_t{1});
  }

  // An FPGA on a GPU's place.
  void otherDevicesAreNoGpus() {
    const char* const kXml =
        R"(<system version="1"><cpu numaid="0"><pci busid="0000:01:00.0" class="0x120000" vendor="0x10ee" device="0x5004"
           link_speed="16 GT/s" link_width="16"><gpu dev="0" sm="0" rank="0"/></pci>
           <pci busid="0000:02:00.0" class="0x030200" vendor="0x10de" device="0x20b0" link_speed="16 GT/s" link_width="16">
           <gpu dev="1" sm="80" rank="1"/></pci></cpu></system>)";
    const Imported imported = test::valueOf(importTopology(kXml));
    QCOMPARE(imported.system.deviceCount(), std::int64_t{1});
    QVERIFY2(notesOf(imported).contains("1 accelerator that is not a GPU"), qPrintable(notesOf(imported)));
  }

  // As people and drivers write them.
  void gpusAreNamedInManyWays() {
    for (const char* name : {"H100-PCIe", "h100 pcie", "NVIDIA H100 PCIe", "nvidia_h100_pcie"})
      QCOMPARE(QString::fromStdString(std::string(test::valueOf(gpuPartNamed(name))->name)), QString("H100-PCIe"));
    QCOMPARE(QString::fromStdString(std::string(test::valueOf(gpuPartNamed("AMD Instinct MI300X"))->name)),
             QString("MI300X"));
    const auto unknown = gpuPartNamed("H100 of mine");
    QVERIFY(!unknown.ok());
    const QStringList listed = QString::fromStdString(unknown.error().text()).section("use one of ", 1).split(", ");
    QCOMPARE(QSet<QString>(listed.begin(), listed.end()).size(), listed.size());
  }

  void dataSheetsAreComplete() {
    QVERIFY(gpuParts().size() >= 30);
    for (const GpuPart& part : gpuParts()) {
      const std::string name(part.name);
      QVERIFY2(!part.source.empty() && part.links >= 0 && part.links <= 18, name.c_str());
      QVERIFY2((part.links == 0) == (part.join == GpuJoin::None), name.c_str());
      QVERIFY2(part.links == 0 || (part.linkBandwidth >= 14e9 && part.linkBandwidth <= 100e9), name.c_str());
      QVERIFY2(gpuPartNamed(name).ok(), name.c_str());
      for (const std::uint32_t device : part.devices) {
        if (device != 0) QCOMPARE(gpuPartOf(part.vendor, device), &part);
      }
    }
    // Printed names do not hide each other.
    for (const GpuPart& part : gpuParts())
      QCOMPARE(gpuPartIn("NVIDIA " + std::string(part.text) + " x")->name, part.name);
  }

  void damagedFilesAreAnswered() {
    const QDir folder(QStringLiteral(P2_TEST_DATA "/pasted"));
    const QFileInfoList files = folder.entryInfoList({"topo*", "hwloc*", "log*"}, QDir::Files, QDir::Name);
    QVERIFY(files.size() >= 11);
    for (const QFileInfo& file : files) {
      const std::string whole = pastedFile(file.fileName());
      std::mt19937 random(static_cast<unsigned>(whole.size()));
      for (int i = 0; i < 40; ++i) {
        const auto result = importTopology(test::damaged(whole, random, {}));
        if (result.ok()) {
          QVERIFY(result->system.deviceCount() >= 1);
        } else {
          QVERIFY2(!test::hasControlCodes(result.error().text(), true), result.error().text().c_str());
        }
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestPastedTopologies)
#include "tst_pasted_topologies.moc"
