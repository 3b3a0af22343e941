// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "system/interconnects.h"
#include "system/topology.h"
#include "workspace/presets.h"

using namespace p2;
using Kind = Place::Kind;

namespace {

/// Two nodes of four GPUs, with a NIC that has a latency and a core.
System withNetwork() {
  System system = test::valueOf(parseSystem("node:2@8GB/s gpu:4@100GB/s,2us"));
  system.networks = {test::networkOf(InterconnectKind::Switch, 5e9, "NIC", "node", 2, "gpu")};
  system.networks[0].interconnect.latency = 3e-6;
  system.networks[0].interconnect.core = 7e9;
  return system;
}

FaultyPart faultOf(const System& system) {
  const auto checked = validated(system);
  if (checked.ok()) return {};
  return faultyPart(checked.error()).value_or(FaultyPart{Kind::Level, 99, "nothing"});
}

}  // namespace

class TestInterconnects : public QObject {
  Q_OBJECT
 private slots:
  void levelsAndNetworksAlike() {
    System system = withNetwork();
    QStringList owners;
    for (const auto& placed : interconnects(system)) {
      owners += QString::fromStdString(placed.owner() + " " + placed.ownerPart());
      placed.link.bandwidth *= 2;
    }
    QCOMPARE(owners.join("; "), QString("level node /levels/0; level gpu /levels/1; network NIC /networks/0"));
    QCOMPARE(system.levels[0].interconnect.bandwidth, 16e9);
    QCOMPARE(system.networks[0].interconnect.bandwidth, 10e9);
    const System& fixed = system;
    QCOMPARE(interconnects(fixed)[2].place, (Place{Kind::Network, 0, 0}));
    QCOMPARE(&interconnects(fixed)[1].link, &system.levels[1].interconnect);
  }

  // Every figure of every interconnect has a range, those of networks and fitted ones too.
  void figuresAreWithinTheirRanges_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("property");
    const auto row = [](const char* property, double value) {
      QTest::addRow("%s %g", property, value) << value << QString(property);
    };
    for (const double value : {0.0, -1.0, 0.5, 1e19, double(INFINITY), double(NAN)}) row("bandwidth", value);
    for (const double value : {-1.0, 1e7, double(NAN)}) row("latency", value);
    for (const double value : {-1.0, 0.5, 1e19}) row("core", value);
    for (const double value : {-1.0, 0.5, 1e19}) row("fittedBandwidth", value);
    for (const double value : {-2.0, 1e7}) row("fittedLatency", value);
  }
  void figuresAreWithinTheirRanges() {
    QFETCH(double, value);
    QFETCH(QString, property);
    for (std::size_t i = 0; i < 3; ++i) {
      System system = withNetwork();
      QVERIFY(validated(system).ok());
      Interconnect& link = interconnects(system)[i].link;
      if (property == "bandwidth") link.bandwidth = value;
      if (property == "latency") link.latency = value;
      if (property == "core") link.core = value;
      if (property == "fittedBandwidth") link.fittedBandwidth = value;
      if (property == "fittedLatency") link.fittedLatency = value;
      const FaultyPart expected{i == 2 ? Kind::Network : Kind::Interconnect, i == 2 ? 0 : i, property.toStdString()};
      QCOMPARE(faultOf(system), expected);
      QVERIFY(!checkParts(system).ok());
    }
  }

  void errorsSayWhichPart() {
    System system = withNetwork();
    system.levels[1].name = "a b";
    QCOMPARE(faultOf(system), (FaultyPart{Kind::Level, 1, "name"}));
    system = withNetwork();
    system.levels[0].count = 0;
    QCOMPARE(faultOf(system), (FaultyPart{Kind::Level, 0, "count"}));
    system = withNetwork();
    system.networks[0].members[0].of = "chip";
    QCOMPARE(faultOf(system), (FaultyPart{Kind::Network, 0, "members"}));
    system = withNetwork();
    system.networks[0].instances = 3;
    QCOMPARE(faultOf(system), (FaultyPart{Kind::Network, 0, "instances"}));
    system = withNetwork();
    system.levels[0].interconnect.kind = InterconnectKind::None;
    QCOMPARE(faultOf(system), (FaultyPart{Kind::Level, 1, ""}));
    system = test::valueOf(parseSystem("gpu:8"));
    system.levels[0].count = 4096;
    system.levels[0].interconnect.kind = InterconnectKind::Mesh;
    QCOMPARE(faultOf(system), (FaultyPart{Kind::Interconnect, 0, ""}));
    system = withNetwork();
    system.disabled = {"gpu 0 of node 0", "gpu 9"};
    const Error unknown = validated(system).error();
    QCOMPARE(unknown.where.part, std::string("/disabled/1"));
    QVERIFY(!faultyPart(unknown).has_value());
    QVERIFY(!faultyPart(Error{"anything else"}).has_value());
  }

  // What a part is does not depend on the document that it was read from.
  void partsOfWorkspacesAreThoseOfTheirSystems() {
    Workspace workspace = test::workspaceOf("node:2 gpu:4", "8", "0");
    workspace.system.levels[1].interconnect.latency = -1;
    const Error error = checkWorkspace(workspace).error();
    QCOMPARE(error.where.part, std::string("/system/levels/1/interconnect/latency"));
    QCOMPARE(faultyPart(error), (FaultyPart{Kind::Interconnect, 1, "latency"}));
  }

  void loneInstancesAreNoted() {
    QVERIFY(notesOn(test::valueOf(parseSystem("node:1 gpu:8"))).empty());
    QVERIFY(notesOn(test::valueOf(parseSystem("node:2@5GB/s gpu:8@3GB/s"))).empty());
    const auto notes = notesOn(test::valueOf(parseSystem("rack:1@100GB/s,4us node:2 gpu:8")));
    QCOMPARE(notes.size(), std::size_t(1));
    QCOMPARE(notes[0].part, std::string("/levels/0/interconnect"));
    QVERIFY(
        notes[0].sentence.starts_with("level rack has one instance, so nothing crosses its interconnect (100 GB/s, "
                                      "4.00 µs);"));
    System unjoined = test::valueOf(parseSystem("rack:1@100GB/s,none gpu:8"));
    QVERIFY(notesOn(unjoined).empty());
    QVERIFY(notesOn(test::valueOf(parseSystem("node:1@5GB/s gpu:1@7GB/s"))).empty());
  }

  void levelsFromTheInsideOutAreNoted() {
    const auto notes = notesOn(test::valueOf(parseSystem("gpu:8@400GB/s rack:3@100GB/s Servers:2@50GB/s")));
    QCOMPARE(notes.size(), std::size_t(1));
    QCOMPARE(notes[0].part, std::string("/levels/0"));
    QCOMPARE(notes[0].sentence, std::string("level Servers is drawn inside gpu; levels go from the outside in, as in "
                                            "Servers:2 gpu:8"));
    QVERIFY(notesOn(test::valueOf(parseSystem("server:2@50GB/s cpu:2@20GB/s gpu:8 die:2"))).empty());
  }

  void socketsTakenForNodesAreNoted() {
    System system = test::valueOf(parseSystem("server:2@50GB/s cpu:2@20GB/s gpu:8"));
    QVERIFY(notesOn(system).empty());
    system.node.clear();
    auto notes = notesOn(system);
    QCOMPARE(notes.size(), std::size_t(1));
    QCOMPARE(notes[0].part, std::string("/node"));
    QCOMPARE(notes[0].sentence, std::string("each cpu is taken for a node; to have each server be one, say \"node\": "
                                            "\"server\" in the file, or choose it under Nodes"));
    system.levels.erase(system.levels.begin());
    notes = notesOn(system);
    QCOMPARE(notes.size(), std::size_t(1));
    QVERIFY(notes[0].sentence.find("to have one node in all, say \"node\": \"root\"") != std::string::npos);
  }

  void assumedFiguresAreNamed() {
    const auto noteOf = [](const char* text) { return assumedFigures(test::valueOf(parseSystem(text))); };
    const auto both = noteOf("node:2 gpu:8");
    QVERIFY(both.has_value());
    QCOMPARE(both->sentence, std::string("assumed bandwidths: 8.00 GB/s between nodes, 270 GB/s between GPUs; "
                                         "enter your own, as in node:2@50GB/s"));
    QCOMPARE(both->part, std::string("/levels/0/interconnect"));
    // What is given is not assumed, nor what nothing crosses or a latency was given to.
    const auto inner = noteOf("node:2@50GB/s gpu:8");
    QVERIFY(inner && inner->part == "/levels/1/interconnect");
    QVERIFY(!noteOf("node:2@50GB/s gpu:8@400GB/s"));
    QVERIFY(!noteOf("node:1 gpu:8@400GB/s"));
    for (const Preset& preset : presets()) {
      QVERIFY2(!assumedFigures(test::valueOf(presetSystem(preset.name, 2))), preset.name.c_str());
    }
  }

  void otherFiguresNeedNoCheck() {
    for (const bool listed : {false, true}) {
      System system = listed ? withNetwork() : test::valueOf(parseSystem("node:2@8GB/s gpu:4@100GB/s,2us"));
      system.calibrated = true;
      system.levels[0].interconnect.fittedBandwidth = 6e9;
      const ValidSystem before = test::valid(system);
      std::vector<ValidSystem::Figures> figures;
      for (const auto& placed : interconnects(*before)) {
        figures.push_back({placed.link.bandwidth / 1e20, 0, 5});
      }
      const ValidSystem after = before.withFigures(figures);
      QCOMPARE(after.linkGraph() != nullptr, listed);
      QVERIFY(!after->calibrated);
      QCOMPARE(after->levels[0].interconnect.bandwidth, 8e9 / 1e20);
      QCOMPARE(after->levels[1].interconnect.latency, 5.0);
      QCOMPARE(before->levels[1].interconnect.latency, 2e-6);
      const Topology topology(after);
      QCOMPARE(topology.bandwidth(LinkId(0)), listed ? after.linkGraph()->link(LinkId(0)).bandwidth : 8e9 / 1e20);
      QVERIFY(topology.bandwidth(LinkId(0)) < 1);
    }
  }

  // Who copies a valid system, or asks its topology, shares the list of links.
  void linksAreShared() {
    const ValidSystem system = test::valid(withNetwork());
    const ValidSystem copy = system;
    QCOMPARE(copy.linkGraph().get(), system.linkGraph().get());
    QCOMPARE(Topology(copy).system().linkGraph().get(), system.linkGraph().get());
    QCOMPARE(&system.linkGraph()->system(), &*system);
    QVERIFY(test::validFrom("node:2 gpu:4").linkGraph() == nullptr);
  }
};

QTEST_APPLESS_MAIN(TestInterconnects)
#include "tst_interconnects.moc"
