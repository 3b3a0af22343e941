// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "views/system/system_text.h"

using namespace p2;
using namespace p2::views;

/// Systems as text, and the names they keep.
class TestSystemText : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QTest::failOnWarning(QRegularExpression(".*")); }
  void writesAndReadsBack_data();
  void writesAndReadsBack();
  void knowsPresets();
  void keepsNamesTrue();
};

void TestSystemText::writesAndReadsBack_data() {
  QTest::addColumn<QString>("system");
  QTest::addColumn<QString>("expected");
  QTest::newRow("preset") << "gcp-a100:4" << "gcp-a100:4";
  QTest::newRow("ring preset") << "gcp-v100:2" << "gcp-v100:2";
  QTest::newRow("defaults") << "node:2 gpu:8" << "node:2@8GB/s gpu:8@270GB/s";
  QTest::newRow("everything") << "rack:1 gpu:4@100Gbit/s,2us,ring" << "rack:1@8GB/s gpu:4@12.5GB/s,2µs,ring";
  QTest::newRow("odd") << "gpu:4@123456789,0.1us" << "gpu:4@123456789,0.1µs";
}

void TestSystemText::writesAndReadsBack() {
  QFETCH(QString, system);
  QFETCH(QString, expected);
  const System described = test::valueOf(parseSystem(system.toStdString()));
  QCOMPARE(systemText(described), expected);
  QVERIFY(test::valueOf(parseSystem(expected.toStdString())).levels == described.levels);
}

void TestSystemText::knowsPresets() {
  QCOMPARE(presetOf(test::valueOf(parseSystem("gcp-v100:3")))->name, std::string("gcp-v100"));
  QCOMPARE(presetOf(test::valueOf(parseSystem("gcp-v100:3")))->nodes, std::int64_t(3));
  QVERIFY(!presetOf(test::valueOf(parseSystem("node:3 gpu:8"))).has_value());
}

void TestSystemText::keepsNamesTrue() {
  const System preset = test::valueOf(parseSystem("gcp-a100:4"));
  System changed = preset;
  changed.levels[0].interconnect.bandwidth = 9e9;
  QCOMPARE(withFittingName(preset, changed).name, std::string("node:4 gpu:16"));
  QCOMPARE(withFittingName(changed, preset).name, std::string("gcp-a100:4"));
  System mine = changed;
  mine.name = "our cluster";
  System more = mine;
  more.levels[1].count = 8;
  QCOMPARE(withFittingName(mine, more).name, std::string("our cluster"));
}

QTEST_GUILESS_MAIN(TestSystemText)
#include "tst_system_text.moc"
