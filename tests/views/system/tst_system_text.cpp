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
  void saysWhatALineCannot_data();
  void saysWhatALineCannot();
  void knowsPresets();
  void keepsNamesTrue();
};

void TestSystemText::writesAndReadsBack_data() {
  QTest::addColumn<QString>("system");
  QTest::addColumn<QString>("expected");
  QTest::newRow("preset") << "gcp-a100:4"
                          << "gcp-a100:4";
  QTest::newRow("ring preset") << "gcp-v100:2"
                               << "gcp-v100:2";
  QTest::newRow("defaults") << "node:2 gpu:8"
                            << "node:2@8GB/s gpu:8@270GB/s";
  QTest::newRow("everything") << "rack:1 gpu:4@100Gbit/s,2us,ring"
                              << "rack:1@8GB/s gpu:4@12.5GB/s,2µs,ring";
  QTest::newRow("kinds") << "node:2@mesh gpu:4@bus"
                         << "node:2@8GB/s,mesh gpu:4@270GB/s,bus";
  QTest::newRow("by their keys") << "node:2@core=1TB/s gpu:4@ring,halfDuplex=yes"
                                 << "node:2@8GB/s,core=1TB/s gpu:4@270GB/s,ring,halfDuplex=yes";
  QTest::newRow("odd") << "gpu:4@123456789,0.1us"
                       << "gpu:4@123456789B/s,0.1µs";
}

void TestSystemText::writesAndReadsBack() {
  QFETCH(QString, system);
  QFETCH(QString, expected);
  const System described = test::valueOf(parseSystem(system.toStdString()));
  QCOMPARE(*systemText(described), expected);
  QVERIFY(test::valueOf(parseSystem(expected.toStdString())).levels == described.levels);
}

void TestSystemText::saysWhatALineCannot_data() {
  QTest::addColumn<int>("change");
  QTest::newRow("network") << 0;
  QTest::newRow("fitted") << 1;
  QTest::newRow("out of order") << 2;
}

void TestSystemText::saysWhatALineCannot() {
  QFETCH(int, change);
  System system = test::valueOf(parseSystem("node:2 gpu:8"));
  QVERIFY(systemText(system).has_value());
  if (change == 0) system.networks = {test::networkOf(InterconnectKind::Switch, 8e9, "NIC", "node", 1, "gpu")};
  if (change == 1) system.levels[0].interconnect.fittedBandwidth = 7e9;
  if (change == 2) system.disabled = {"node 0"};
  QVERIFY(!systemText(system).has_value());
}

void TestSystemText::knowsPresets() {
  QCOMPARE(presetOf(test::valueOf(parseSystem("gcp-v100:3")))->name, std::string("gcp-v100"));
  QCOMPARE(presetOf(test::valueOf(parseSystem("gcp-v100:3")))->nodes, std::int64_t(3));
  QVERIFY(!presetOf(test::valueOf(parseSystem("node:3 gpu:8"))).has_value());
  System changed = test::valueOf(parseSystem("gcp-v100:3"));
  changed.networks.push_back(test::networkOf(InterconnectKind::Switch, 8e9, "mine", "node", 1, "gpu"));
  QVERIFY(!presetOf(changed).has_value());
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
