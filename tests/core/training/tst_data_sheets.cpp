// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "support/fixtures.h"
#include "training/data_sheets.h"
#include "workspace/presets.h"

using namespace p2;

/// Figures that come with the name of an accelerator.
class TestDataSheets : public QObject {
  Q_OBJECT

 private slots:
  // Datasheets: H200 141 GB, 4.8 TB/s; B200 180 GB, 8 TB/s, NVLink 1.8 TB/s both ways.
  void aKnownOneBringsItsFigures() {
    const OtherAccelerator h200 = withDataSheetOf(h100(), "h200");
    const Accelerator& figures = h200.system.accelerator;
    QCOMPARE(figures.type, std::string("H200"));
    QCOMPARE(figures.memory, 141e9);
    QCOMPARE(figures.memoryBandwidth, 4.8e12);
    QCOMPARE(figures.bf16, 989e12);
    QCOMPARE(h200.taken, (std::vector<std::string>{"memory", "memoryBandwidth"}));
    QVERIFY(h200.kept.empty() && h200.link == 0);
    QCOMPARE(h200.system.levels, h100().levels);
    const OtherAccelerator b200 = withDataSheetOf(h100(), "B200");
    QCOMPARE(b200.system.accelerator.memory, 180e9);
    QCOMPARE(b200.system.accelerator.fp32, 80e12);
    QCOMPARE(b200.system.accelerator.bf16, 2250e12);
    QCOMPARE(b200.system.accelerator.fp8, 4500e12);
    QCOMPARE(b200.system.library.generation, std::string("blackwell"));
    QCOMPARE(b200.link, 900e9);
    QCOMPARE(b200.system.levels.back().interconnect.bandwidth, 900e9);
    // And back.
    QCOMPARE(withDataSheetOf(b200.system, "H100-SXM5-80GB").system, h100());
  }

  void figuresSetByHandStay() {
    System own = h100();
    own.accelerator.memory = 70e9;
    own.accelerator.price = 2.5;
    own.levels.back().interconnect.bandwidth = 300e9;
    const OtherAccelerator other = withDataSheetOf(own, "B200");
    QCOMPARE(other.system.accelerator.memory, 70e9);
    QCOMPARE(other.system.accelerator.price, 2.5);
    QCOMPARE(other.kept, (std::vector<std::string>{"memory"}));
    QCOMPARE(other.system.levels.back().interconnect.bandwidth, 300e9);
  }

  void withoutAFormerOneFiguresAreFilledIn() {
    System drawn = test::valueOf(parseSystem("node:2@50GB/s gpu:8@450GB/s"));
    drawn.accelerator.fp8 = 1e15;
    const OtherAccelerator other = withDataSheetOf(drawn, "MI300X");
    QCOMPARE(other.system.accelerator.memory, 192e9);
    QCOMPARE(other.system.accelerator.fp8, 1e15);
    QCOMPARE(other.system.library.generation, std::string("cdna3"));
  }

  void unknownOnesBringNothing() {
    const OtherAccelerator other = withDataSheetOf(h100(), "X1");
    System expected = h100();
    expected.accelerator.type = "X1";
    QCOMPARE(other.system, expected);
    QVERIFY(!dataSheetOf("X1") && !dataSheetOf(""));
  }

  // A peak that the new one lacks does not stay behind.
  void peaksGoWithTheFormerOne() {
    QCOMPARE(withDataSheetOf(h100(), "A100").system.accelerator.fp8, 0.0);
    QCOMPARE(test::valueOf(presetSystem("dgx-a100", 2)).accelerator.fp8, 0.0);
  }

  void everyNameIsKnown() {
    const auto& known = knownAccelerators();
    QVERIFY(std::ranges::is_sorted(known));
    for (const char* name : {"H100", "H100-SXM5-80GB", "H200", "H200-SXM-141GB", "B200-SXM", "MI350X", "TPU v5p"})
      QVERIFY2(std::ranges::find(known, std::string(name)) != known.end(), name);
    for (const std::string& name : known) {
      const auto sheet = dataSheetOf(name);
      QVERIFY2(sheet && sheet->memory > 0 && sheet->memoryBandwidth > 0, name.c_str());
    }
  }

  // The name of a card says how much memory it has.
  void namesSayTheMemory() {
    QCOMPARE(dataSheetOf("V100-SXM2-32GB")->memory, 32e9);
    QCOMPARE(dataSheetOf("H100-SXM5-94GB")->memory, 94e9);
  }

 private:
  static System h100() { return test::valueOf(presetSystem("dgx-h100", 2)); }
};

QTEST_APPLESS_MAIN(TestDataSheets)
#include "tst_data_sheets.moc"
