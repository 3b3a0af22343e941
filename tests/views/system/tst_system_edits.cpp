// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/system/members_text.h"
#include "views/system/part_fields.h"
#include "views/system/system_edits.h"

using namespace p2;
using namespace p2::views;
using Kind = SystemPart::Kind;

/// Edits of systems as pure functions: text in, text out.
class TestSystemEdits : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }
  void addsLevels_data();
  void addsLevels();
  void addsInterconnects_data();
  void addsInterconnects();
  void connects_data();
  void connects();
  void partsThatAreGoneAreNotConnected();
  void renamesEverywhere();
  void removesWithWhatHangsOnIt();
  void movesLevels();
  void nodesFollowTheirLevel();
  void takesChoicesBack();
  void togglesNames();
  void copiesAndPastes();
  void readsMembers_data();
  void readsMembers();
  void setsFields_data();
  void setsFields();
  void checksLevelsAlone();
};

namespace {

/// "node gpu; PCIe[4] in node: gpu; NIC in node: PCIe": levels, then networks.
QString textOf(const System& system) {
  QStringList parts;
  QStringList levels;
  for (const Level& level : system.levels) {
    levels += QString::fromStdString(level.name + "(" + std::string(nameOf(level.interconnect.kind)) + ")");
  }
  parts += levels.join(' ');
  for (const Network& network : system.networks) {
    QString text = QString::fromStdString(network.interconnect.name);
    if (network.instances > 1) text += QStringLiteral("[%1]").arg(network.instances);
    if (!network.within.empty()) text += " in " + QString::fromStdString(network.within);
    parts += text + ": " + membersText(network.members);
  }
  return parts.join("; ");
}

/// node:2 gpu:8, PCIe switches over pairs of GPUs, one NIC over them.
System sample() {
  System system = test::valueOf(parseSystem("node:2 gpu:8@ring"));
  system.networks = {test::networkOf(InterconnectKind::Bus, 32e9, "PCIe", "node", 4, "gpu"),
                     test::networkOf(InterconnectKind::Switch, 8e9, "NIC", "node", 1, "PCIe", true)};
  return test::valueOf(validated(system));
}

const char* const kSample = "node(switch) gpu(ring); PCIe[4] in node: gpu; NIC in node: PCIe";

}  // namespace

void TestSystemEdits::addsLevels_data() {
  QTest::addColumn<QString>("inside");
  QTest::addColumn<QString>("expected");
  QTest::newRow("around everything") << ""
                                     << "rack(none) node(switch) gpu(ring)";
  QTest::newRow("inside") << "node"
                          << "node(switch) level2(none) gpu(ring)";
  QTest::newRow("innermost") << "gpu"
                             << "node(switch) gpu(ring) level3(none)";
}

void TestSystemEdits::addsLevels() {
  QFETCH(QString, inside);
  System system = sample();
  const SystemPart part = partNamed(system, inside.toStdString());
  system = withLevel(system, inside.isEmpty() ? std::nullopt : std::optional(part));
  QTEST(textOf(system).section("; ", 0, 0), "expected");
  const System grown = withLevel(withLevel(System(), std::nullopt), std::nullopt);
  QCOMPARE(textOf(grown), QString("node(none) gpu(none)"));
}

void TestSystemEdits::addsInterconnects_data() {
  QTest::addColumn<QString>("joining");
  QTest::addColumn<QString>("added");
  QTest::newRow("the system") << ""
                              << "switch: node";
  QTest::newRow("a level") << "node"
                           << "switch in node: gpu";
  QTest::newRow("the devices") << "gpu"
                               << "switch in node: gpu";
  QTest::newRow("a network") << "NIC"
                             << "switch in node: NIC";
  QTest::newRow("a level and a network") << "gpu NIC"
                                         << "switch in node: gpu, NIC";
  QTest::newRow("across levels") << "node PCIe"
                                 << "switch: node, PCIe";
}

void TestSystemEdits::addsInterconnects() {
  QFETCH(QString, joining);
  std::vector<SystemPart> parts;
  for (const QString& name : joining.split(' ', Qt::SkipEmptyParts)) {
    parts.push_back(partNamed(sample(), name.toStdString()));
  }
  const System system = withInterconnect(sample(), InterconnectKind::Switch, parts);
  QTEST(textOf(system).section("; ", -1), "added");
  System bare = sample();
  bare.levels[1].interconnect.kind = InterconnectKind::None;
  QCOMPARE(withInterconnect(bare, InterconnectKind::Mesh, {{Kind::Level, 0}}).levels[1].interconnect.kind,
           InterconnectKind::Mesh);
  QCOMPARE(textOf(withInterconnect(System(), InterconnectKind::Bus, {})), QString("; bus: "));
}

void TestSystemEdits::connects_data() {
  QTest::addColumn<QString>("network");
  QTest::addColumn<QString>("member");
  QTest::addColumn<QString>("expected");
  QTest::newRow("a level") << "NIC"
                           << "gpu"
                           << "NIC in node: PCIe, gpu";
  QTest::newRow("from outside") << "NIC"
                                << "node"
                                << "NIC: PCIe, node";
  QTest::newRow("again") << "NIC"
                         << "PCIe"
                         << "PCIe is a member of NIC already";
  QTest::newRow("itself") << "NIC"
                          << "NIC"
                          << "NIC is made of NIC already";
  QTest::newRow("a cycle") << "PCIe"
                           << "NIC"
                           << "NIC is made of PCIe already";
}

void TestSystemEdits::connects() {
  QFETCH(QString, network);
  QFETCH(QString, member);
  QFETCH(QString, expected);
  const System system = sample();
  const auto connected =
      withMember(system, partNamed(system, network.toStdString()).index, partNamed(system, member.toStdString()));
  const QString text = connected.ok() ? textOf(*connected) : QString::fromStdString(connected.error().text());
  QVERIFY2(text.contains(expected), qPrintable(text));
}

void TestSystemEdits::partsThatAreGoneAreNotConnected() {
  const System system = sample();
  const int networks = int(system.networks.size());
  for (const auto& [network, member] : {std::pair{0, SystemPart{Kind::Network, networks}},
                                        {0, SystemPart{Kind::Level, int(system.levels.size())}},
                                        {networks, SystemPart{Kind::Level, 0}}}) {
    const auto connected = withMember(system, network, member);
    QVERIFY(!connected.ok());
    QVERIFY(connected.error().text().find("no longer has this part") != std::string::npos);
  }
}

void TestSystemEdits::renamesEverywhere() {
  System system = sample();
  system.disabled = {"gpu 5 of node 1", "gpu 3 of node 0 → PCIe 1 of node 0"};
  system = renamed(system, {Kind::Level, 0}, "host");
  system = renamed(system, {Kind::Network, 0}, "bus-of-two");
  QCOMPARE(textOf(system), QString("host(switch) gpu(ring); bus-of-two[4] in host: gpu; NIC in host: bus-of-two"));
  QCOMPARE(system.disabled[0], std::string("gpu 5 of host 1"));
  QCOMPARE(system.disabled[1], std::string("gpu 3 of host 0 → bus-of-two 1 of host 0"));
}

void TestSystemEdits::removesWithWhatHangsOnIt() {
  QCOMPARE(textOf(withoutParts(sample(), {{Kind::Network, 1}})),
           QString("node(switch) gpu(ring); PCIe[4] in node: gpu"));
  QCOMPARE(textOf(withoutParts(sample(), {{Kind::Network, 0}})), QString("node(switch) gpu(ring)"));
  QCOMPARE(textOf(withoutParts(sample(), {{Kind::Level, 0}})), QString("gpu(ring); PCIe[4]: gpu; NIC: PCIe"));
  QCOMPARE(textOf(withoutParts(sample(), {{Kind::Interconnect, 1}})),
           QString("node(switch) gpu(none); PCIe[4] in node: gpu; NIC in node: PCIe"));
  QCOMPARE(textOf(withoutParts(sample(), {{Kind::Level, 0}, {Kind::Level, 1}})), QString());
}

void TestSystemEdits::movesLevels() {
  const System system = test::systemOf({2, 3, 4});
  QCOMPARE(shapeOf(withLevelMoved(system, 0, 2)), std::string("b:3 c:4 a:2"));
  QCOMPARE(shapeOf(withLevelMoved(system, 2, 0)), std::string("c:4 a:2 b:3"));
  QCOMPARE(shapeOf(withLevelMoved(system, 1, 1)), std::string("a:2 b:3 c:4"));
}

void TestSystemEdits::nodesFollowTheirLevel() {
  System system = test::systemOf({2, 3, 4});
  system.node = "b";
  QCOMPARE(renamed(system, {Kind::Level, 1}, "tray").node, std::string("tray"));
  QCOMPARE(withLevelMoved(system, 1, 0).node, std::string("b"));
  QCOMPARE(withLevelMoved(system, 1, 2).node, std::string());
  QCOMPARE(withoutParts(system, {{Kind::Level, 0}}).node, std::string("b"));
  QCOMPARE(withoutParts(system, {{Kind::Level, 1}}).node, std::string());
  QCOMPARE(withoutParts(system, {{Kind::Level, 2}}).node, std::string());
}

void TestSystemEdits::takesChoicesBack() {
  System system = sample();
  system.node = "node";
  system.library = {"hopper", "2.18", 18e-6};
  system = test::valueOf(withField(system, std::nullopt, "node", "the whole system"));
  QCOMPARE(system.node, std::string("root"));
  QCOMPARE(withLevelMoved(system, 1, 0).node, std::string("root"));
  system = test::valueOf(withField(system, std::nullopt, "node", "above the devices"));
  system = test::valueOf(withField(system, std::nullopt, "generation", "unknown"));
  system = test::valueOf(withField(system, std::nullopt, "version", ""));
  system = test::valueOf(withField(system, std::nullopt, "launch", "0"));
  QCOMPARE(system, sample());
  const auto refused = withField(system, std::nullopt, "version", "newest");
  QVERIFY(!refused.ok());
  QCOMPARE(refused.error().message,
           std::string("\"newest\" is not a version; write numbers with dots between them, as in 2.18"));
}

void TestSystemEdits::togglesNames() {
  System system = withToggled(sample(), {"gpu 1 of node 0"});
  system = withToggled(system, {"gpu 1 of node 0", "NIC 0 of node 1"});
  QCOMPARE(system.disabled.size(), std::size_t(2));
  QVERIFY(withToggled(system, {"gpu 1 of node 0", "NIC 0 of node 1"}).disabled.empty());
}

void TestSystemEdits::copiesAndPastes() {
  const System system = sample();
  const QString networks = copied(system, {{Kind::Network, 1}});
  QCOMPARE(textOf(test::valueOf(pasted(System(), networks))), QString(kSample));
  QCOMPARE(textOf(test::valueOf(pasted(system, networks))),
           QString(kSample) + "; PCIe2[4] in node: gpu; NIC2 in node: PCIe2");
  const QString level = copied(system, {{Kind::Level, 1}});
  QCOMPARE(textOf(test::valueOf(pasted(system, level))).section("; ", 0, 0),
           QString("node(switch) gpu(ring) gpu2(ring)"));
  QVERIFY(!pasted(system, "{").ok());
}

void TestSystemEdits::readsMembers_data() {
  QTest::addColumn<QString>("typed");
  QTest::addColumn<QString>("expected");
  QTest::newRow("all") << "gpu"
                       << "gpu";
  QTest::newRow("several") << " gpu ,PCIe "
                           << "gpu, PCIe";
  QTest::newRow("range") << "gpu 0-3"
                         << "gpu 0-3";
  QTest::newRow("one") << "gpu 5"
                       << "gpu 5";
  QTest::newRow("from") << "gpu 4-"
                        << "gpu 4-";
  QTest::newRow("dash") << "gpu 0–3"
                        << "gpu 0-3";
  QTest::newRow("nobody") << "tpu"
                          << "\"tpu\" is neither a level nor a network";
  QTest::newRow("nothing") << " , "
                           << "a network needs members";
  QTest::newRow("backwards") << "gpu 3-1"
                             << "ends before it begins";
}

void TestSystemEdits::readsMembers() {
  QFETCH(QString, typed);
  QFETCH(QString, expected);
  const auto members = membersFrom(sample(), typed);
  const QString text = members.ok() ? membersText(*members) : QString::fromStdString(members.error().text());
  QVERIFY2(members.ok() ? text == expected : text.contains(expected), qPrintable(text));
}

void TestSystemEdits::setsFields_data() {
  QTest::addColumn<QString>("part");
  QTest::addColumn<QString>("field");
  QTest::addColumn<QString>("typed");
  QTest::addColumn<QString>("shown");
  const auto row = [](const char* part, const char* field, const char* typed, const char* shown) {
    QTest::addRow("%s %s", part, field) << part << field << typed << shown;
  };
  row("gpu", "name", "tpu", "tpu");
  row("gpu", "count", "4", "4");
  row("gpu", "kind", "mesh", "mesh");
  row("gpu", "network", "Infinity Fabric", "Infinity Fabric");
  row("gpu", "bandwidth", "100Gbit/s", "12.5GB/s");
  row("gpu", "latency", "2us", "2µs");
  row("gpu", "halfDuplex", "yes", "yes");
  row("gpu", "forwards", "no", "no");
  row("node", "core", "1TB/s", "1TB/s");
  row("NIC", "core", "0", "");  // the field says what empty means
  row("NIC", "colour", "C", "C");
  row("NIC", "within", "the system", "the system");
  row("NIC", "instances", "2", "2");
  row("NIC", "members", "gpu 0-3", "gpu 0-3");
  row("NIC", "deal", "in turn", "in turn");
  row("NIC", "gateway", "no", "no");
  row("", "name", "our cluster", "our cluster");
  row("", "disabled", "gpu 1 of node 0", "gpu 1 of node 0");
  row("node", "reduces", "yes", "yes");
  row("", "node", "node", "node");
  row("", "generation", "hopper", "hopper");
  row("", "version", "2.18", "2.18");
  row("", "launch", "18us", "18µs");
}

void TestSystemEdits::setsFields() {
  QFETCH(QString, part);
  QFETCH(QString, field);
  QFETCH(QString, typed);
  const System before = sample();
  const auto which = part.isEmpty() ? std::nullopt : std::optional(partNamed(before, part.toStdString()));
  const System after = test::valueOf(withField(before, which, field, typed));
  const std::vector<PartField> fields = fieldsOf(after, which);
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const PartField& f) { return f.key == field; });
  QVERIFY(found != fields.end());
  QTEST(found->value, "shown");
  QCOMPARE(after == before, field == "core" && part == "NIC");
}

void TestSystemEdits::checksLevelsAlone() {
  System system = sample();
  system.networks[1].members.clear();
  QVERIFY(!validated(system).ok());
  QVERIFY(checkLevels(system).ok());
  system.levels[1].count = 0;
  QVERIFY(!checkLevels(system).ok());
}

QTEST_GUILESS_MAIN(TestSystemEdits)
#include "tst_system_edits.moc"
