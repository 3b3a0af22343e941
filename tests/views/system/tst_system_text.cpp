// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "system/part_states.h"
#include "views/shell/examples.h"
#include "views/system/system_text.h"
#include "workspace/presets.h"

using namespace p2;
using namespace p2::views;

/// Systems as text, and the names they keep.
class TestSystemText : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }
  void writesAndReadsBack_data();
  void writesAndReadsBack();
  void saysWhatALineCannot_data();
  void saysWhatALineCannot();
  void knowsPresets();
  void knowsEveryPreset_data();
  void knowsEveryPreset();
  void examplesAreThePresetsThatTheyAreNamedAfter();
  void askingBuildsHardlyAnyPreset();
  void keepsNamesTrue();
  void keepsNodesTrue();
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
  QTest::newRow("nodes by their name") << "server:2 cpu:2 gpu:4"
                                       << "server:2@8GB/s cpu:2@32GB/s gpu:4@270GB/s";
  QTest::newRow("odd") << "gpu:4@123456789,0.1us"
                       << "gpu:4@123.456789MB/s,0.1µs";
}

void TestSystemText::writesAndReadsBack() {
  QFETCH(QString, system);
  QFETCH(QString, expected);
  const System described = test::valueOf(parseSystem(system.toStdString()));
  QCOMPARE(*systemText(described), expected);
  QVERIFY(test::valueOf(parseSystem(expected.toStdString())).levels == described.levels);
  QCOMPARE(test::valueOf(parseSystem(expected.toStdString())).node, described.node);
}

void TestSystemText::saysWhatALineCannot_data() {
  QTest::addColumn<int>("change");
  QTest::newRow("network") << 0;
  QTest::newRow("fitted") << 1;
  QTest::newRow("out of order") << 2;
  QTest::newRow("other nodes") << 3;
}

void TestSystemText::saysWhatALineCannot() {
  QFETCH(int, change);
  System system = test::valueOf(parseSystem("node:2 gpu:8"));
  QVERIFY(systemText(system).has_value());
  if (change == 0) system.networks = {test::networkOf(InterconnectKind::Switch, 8e9, "NIC", "node", 1, "gpu")};
  if (change == 1) system.levels[0].interconnect.fittedBandwidth = 7e9;
  if (change == 3) system.node = "node";
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

void TestSystemText::knowsEveryPreset_data() {
  QTest::addColumn<QString>("preset");
  for (const Preset& preset : presets()) QTest::newRow(preset.name.c_str()) << QString::fromStdString(preset.name);
}

void TestSystemText::knowsEveryPreset() {
  QFETCH(QString, preset);
  for (const std::int64_t nodes : {1, 2, 3, 10}) {
    const System system = test::valueOf(presetSystem(preset.toStdString(), nodes));
    const auto found = presetOf(system);
    QVERIFY2(found.has_value(), system.name.c_str());
    QCOMPARE(found->name + ":" + std::to_string(found->nodes), system.name);
  }
}

// A preset that changes takes the examples along; else the page Cluster calls them "own system".
void TestSystemText::examplesAreThePresetsThatTheyAreNamedAfter() {
  int named = 0;
  for (const Example& each : examples()) {
    const System system = test::valueOf(readExample(each.name)).system;
    const std::string preset = system.name.substr(0, system.name.find(':'));
    const auto& all = presets();
    if (std::none_of(all.begin(), all.end(), [&](const Preset& other) { return other.name == preset; })) continue;
    ++named;
    const auto text = systemText(system);
    QVERIFY2(text && text->toStdString() == system.name, system.name.c_str());
  }
  QVERIFY(named > 5);
}

/// The question is asked on the thread that draws, at every edit.
void TestSystemText::askingBuildsHardlyAnyPreset() {
  std::size_t built = 0;
  for (const Preset& preset : presets()) {
    const System system = test::valueOf(presetSystem(preset.name, 5));
    const std::vector<std::string> like = presetsLike(system);
    QVERIFY2(std::find(like.begin(), like.end(), preset.name) != like.end(), preset.name.c_str());
    QVERIFY2(like.size() <= 3, preset.name.c_str());
    built += like.size();
  }
  QVERIFY2(built < 2 * presets().size(), qPrintable(QString::number(built)));
  System drawn = test::valueOf(parseSystem("dgx-h100:4"));
  drawn.networks.push_back(test::networkOf(InterconnectKind::Switch, 8e9, "mine", "node", 1, "gpu"));
  QVERIFY(!presetOf(drawn).has_value());
  QVERIFY(presetsLike(drawn).size() <= 3);
  drawn.levels.back().count = 7;
  QVERIFY(presetsLike(drawn).empty());
}

void TestSystemText::keepsNamesTrue() {
  const System preset = test::valueOf(parseSystem("gcp-a100:4"));
  System changed = preset;
  changed.levels[0].interconnect.bandwidth = 9e9;
  QCOMPARE(withDerived(preset, changed).name, std::string("gcp-a100:4, edited"));
  const System slow = test::valueOf(withState(preset, "node 1: 80%"));
  QVERIFY(!systemText(slow));  // the text would lose the state
  QCOMPARE(withDerived(preset, slow).name, std::string("gcp-a100:4, edited"));
  changed.name = "gcp-a100:4, edited";
  System six = changed;
  six.levels[0].count = 6;
  QCOMPARE(withDerived(changed, six).name, std::string("gcp-a100:6, edited"));
  // A level around the counted one.
  six.levels.insert(six.levels.begin(), Level{"rack", 2, {}});
  QCOMPARE(withDerived(changed, six).name, std::string("gcp-a100, edited"));
  QCOMPARE(withDerived(changed, preset).name, std::string("gcp-a100:4"));
  System mine = changed;
  mine.name = "our cluster";
  System more = mine;
  more.levels[1].count = 8;
  QCOMPARE(withDerived(mine, more).name, std::string("our cluster"));
}

void TestSystemText::keepsNodesTrue() {
  const System plain = test::valueOf(parseSystem("server:2 gpu:4"));
  const System sockets = test::valueOf(parseSystem("server:2 cpu:2 gpu:4"));
  System drawn = sockets;
  drawn.node.clear();
  QCOMPARE(withDerived(plain, drawn).node, std::string("server"));
  System renamed = sockets;
  renamed.node = renamed.levels[1].name = "blade";
  QCOMPARE(withDerived(sockets, renamed).node, std::string("server"));
  // What somebody chose stays, and so does what a preset says.
  QCOMPARE(withDerived(sockets, drawn).node, std::string());
  System chosen = drawn;
  chosen.levels[2].name = "device";
  QCOMPARE(withDerived(drawn, chosen).node, std::string());
  for (const Preset& preset : presets()) {
    const System system = test::valueOf(presetSystem(preset.name, 2));
    QCOMPARE(withDerived(sockets, system), system);
  }
}

QTEST_GUILESS_MAIN(TestSystemText)
#include "tst_system_text.moc"
