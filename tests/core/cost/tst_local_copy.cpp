// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "cost/local_copy.h"
#include "support/fixtures.h"
#include "workspace/presets.h"

using namespace p2;

class TestLocalCopy : public QObject {
  Q_OBJECT

  static LibraryView viewOf(const char* system) {
    return libraryViewOf(Topology(test::valid(test::valueOf(systemFromArgument(system)))));
  }

 private slots:
  // A GiB is read once and written once: 2.147 GB over 4.8 to 3.35 TB/s.
  void readsAndWritesOnce() {
    const auto seconds = localCopySeconds(viewOf("dgx-h100:2"), Bytes(1073741824));
    QVERIFY(seconds.has_value());
    QVERIFY(std::abs(seconds->low - 0.4474e-3) < 1e-7);
    QVERIFY(std::abs(seconds->high - 0.6411e-3) < 1e-7);
    QCOMPARE(localCopySeconds(viewOf("dgx-h100:2"), Bytes(0))->high, 0.0);
  }

  void everyKnownGenerationIsSlowerAtItsSlowest() {
    int known = 0;
    LibraryView machine;
    for (const std::string_view name : kGenerations) {
      machine.generation = generationFrom(name);
      const auto memory = deviceMemoryOf(machine);
      if (!memory) continue;
      QVERIFY(memory->least > 0 && memory->least <= memory->most && !memory->parts.empty());
      ++known;
    }
    QCOMPARE(known, 7);
  }

  // Nothing is guessed.
  void whatIsNotKnownIsNotTold() {
    QVERIFY(!localCopySeconds(viewOf("node:2 gpu:4"), Bytes(1e9)));
    LibraryView machine;
    machine.generation = Generation::Ada;
    QVERIFY(!deviceMemoryOf(machine));
    machine.generation = Generation::Ampere;
    QVERIFY(deviceMemoryOf(machine));
    machine.hostLinked = true;
    QVERIFY(!deviceMemoryOf(machine));
  }
};

QTEST_APPLESS_MAIN(TestLocalCopy)
#include "tst_local_copy.moc"
