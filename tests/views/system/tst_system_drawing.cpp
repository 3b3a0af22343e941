// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <set>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "system/topology.h"
#include "views/system/system_drawing.h"

using namespace p2;
using namespace p2::views;
using Shape = SystemDrawing::Shape;

/// The drawing of a system, as shapes.
class TestSystemDrawing : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }
  void drawsEveryPart_data();
  void drawsEveryPart();
  void nestsWithoutOverlap_data();
  void nestsWithoutOverlap();
  void collapsesWhatIsTooMuch_data();
  void collapsesWhatIsTooMuch();
  void opensTheInstanceAskedFor();
  void staysSmallWhateverTheSystem_data();
  void staysSmallWhateverTheSystem();
  void namesItsParts();
  void assignsMembers_data();
  void assignsMembers();
  void marksWhatIsOutOfOrder();
  void drawsTheUnfinished();
  void namesNoLinkThatCannotBe();
};

namespace {

SystemDrawing drawingOf(const QString& system, const std::vector<std::int64_t>& open = {}) {
  return drawSystem(test::valueOf(parseSystem(system.toStdString())), open);
}

std::vector<Shape> shapesOf(const SystemDrawing& drawing, Shape::Kind kind) {
  std::vector<Shape> found;
  for (const Shape& shape : drawing.shapes) {
    if (shape.kind == kind) found.push_back(shape);
  }
  return found;
}

/// A node of eight devices under networks of two, which another joins.
System eightUnderNetworks(Network::Assignment assignment) {
  System system = test::valueOf(parseSystem("node:2 gpu:8"));
  const Interconnect pcie{InterconnectKind::Bus, 32e9, 0, "PCIe"};
  const Interconnect nic{InterconnectKind::Switch, 8e9, 0, "NIC"};
  system.networks.push_back({pcie, "node", 4, assignment, {{"gpu"}}});
  system.networks.push_back({nic, "node", 1, Network::Assignment::Blocks, {{"PCIe"}}, true});
  return test::valueOf(validated(system));
}

QString lineOf(const Shape& shape) { return shape.name.section(',', 0, 0); }

}  // namespace

void TestSystemDrawing::drawsEveryPart_data() {
  QTest::addColumn<QString>("system");
  QTest::addColumn<QList<int>>("counts");  // boxes, devices, chips, more, bars, captions, links
  QTest::newRow("a100") << "node:4 gpu:16" << QList<int>{4, 64, 0, 0, 5, 0, 68};
  QTest::newRow("rings") << "node:4 gpu:8@ring" << QList<int>{4, 32, 0, 0, 1, 4, 36};
  QTest::newRow("figure 2") << "rack:1 server:2 cpu:2 gpu:4" << QList<int>{7, 16, 0, 0, 7, 0, 22};
  QTest::newRow("a mesh and a bus") << "node:2@bus gpu:4@mesh" << QList<int>{2, 8, 0, 0, 1, 2, 14};
  QTest::newRow("a pair is one link") << "gpu:2@ring" << QList<int>{0, 2, 0, 0, 0, 1, 1};
  QTest::newRow("one device has no network") << "gpu:1" << QList<int>{0, 1, 0, 0, 0, 0, 0};
  QTest::newRow("one of many is open") << "node:64 gpu:16" << QList<int>{1, 16, 15, 1, 2, 0, 33};
}

void TestSystemDrawing::drawsEveryPart() {
  QFETCH(QString, system);
  const SystemDrawing drawing = drawingOf(system);
  QList<int> counts;
  for (const auto kind : {Shape::Kind::Box, Shape::Kind::Device, Shape::Kind::Chip, Shape::Kind::More, Shape::Kind::Bar,
                          Shape::Kind::Caption, Shape::Kind::Link}) {
    counts += int(shapesOf(drawing, kind).size());
  }
  QTEST(counts, "counts");
}

void TestSystemDrawing::nestsWithoutOverlap_data() {
  QTest::addColumn<QString>("system");
  for (const char* system :
       {"gcp-a100:4", "gcp-v100:4", "rack:1 server:2 cpu:2 gpu:4", "a:3@ring b:5@ring c:3@ring", "gpu:4096@ring",
        "node:4096 gpu:16", "node:40@mesh gpu:16@bus", "dgx-h100:4", "gb200-nvl72", "tpu-v4", "mi300x", "alps-gh200",
        "a:4 b:4 c:4 d:4 e:4 f:4 g:4 h:4 i:4 j:4 k:4 l:4"}) {
    QTest::newRow(system) << QString(system);
  }
}

void TestSystemDrawing::nestsWithoutOverlap() {
  QFETCH(QString, system);
  const SystemDrawing drawing = drawingOf(system);
  const QRectF bounds = drawing.bounds.adjusted(-0.5, -0.5, 0.5, 0.5);
  for (const Shape& a : drawing.shapes) {
    QVERIFY2(bounds.contains(a.kind == Shape::Kind::Link ? a.line.boundingRect() : a.rect) ||
                 (a.kind == Shape::Kind::Link && bounds.contains(a.line.first()) && bounds.contains(a.line.last())),
             qPrintable(a.name));
    QVERIFY(!a.name.isEmpty());
    for (const Shape& b : drawing.shapes) {
      if (&a == &b || a.kind == Shape::Kind::Link || b.kind == Shape::Kind::Link) continue;
      const bool nested = (a.kind == Shape::Kind::Box && a.rect.contains(b.rect)) ||
                          (b.kind == Shape::Kind::Box && b.rect.contains(a.rect));
      QVERIFY2(nested || !a.rect.intersects(b.rect), qPrintable(a.name + " / " + b.name));
    }
  }
}

void TestSystemDrawing::collapsesWhatIsTooMuch_data() {
  QTest::addColumn<QString>("system");
  QTest::addColumn<QString>("drawn");  // instances of each level, and the open one where they are tabs
  QTest::newRow("small") << "node:4 gpu:16"
                         << "4 16";
  QTest::newRow("many nodes") << "node:4096 gpu:16"
                              << "16(0) 16";
  QTest::newRow("many devices") << "gpu:65536"
                                << "16";
  QTest::newRow("wide and flat") << "node:2 gpu:1000"
                                 << "2 16";
  QTest::newRow("deep") << "a:4 b:4 c:4 d:4 e:4 f:4"
                        << "4(0) 4(0) 4(0) 4 4 4";
  QTest::newRow("a rack of pods") << "pod:2 node:64 gpu:8"
                                  << "2 16(0) 8";
}

void TestSystemDrawing::collapsesWhatIsTooMuch() {
  QFETCH(QString, system);
  QStringList drawn;
  for (const DrawnLevel& level : drawnLevels(test::valueOf(parseSystem(system.toStdString())), {})) {
    drawn += QString::number(level.drawn) + (level.open < 0 ? QString() : QStringLiteral("(%1)").arg(level.open));
  }
  QTEST(drawn.join(' '), "drawn");
}

void TestSystemDrawing::opensTheInstanceAskedFor() {
  const SystemDrawing drawing = drawingOf("node:100 gpu:16", {37});
  const std::vector<Shape> boxes = shapesOf(drawing, Shape::Kind::Box);
  QCOMPARE(boxes.size(), std::size_t(1));
  QCOMPARE(boxes[0].name, QString("node 37"));
  const std::vector<Shape> chips = shapesOf(drawing, Shape::Kind::Chip);
  QCOMPARE(chips.front().name, QString("node 32"));
  QCOMPARE(chips.back().name, QString("node 47"));
  QCOMPARE(shapesOf(drawing, Shape::Kind::Device).front().part.instance, std::int64_t(37 * 16));
  QCOMPARE(shapesOf(drawing, Shape::Kind::More)[0].part.instance, std::int64_t(48));
  QCOMPARE(shapesOf(drawingOf("node:100 gpu:16", {99}), Shape::Kind::More)[0].part.instance, std::int64_t(0));
}

void TestSystemDrawing::staysSmallWhateverTheSystem_data() {
  QTest::addColumn<QString>("system");
  for (const char* system : {"gpu:16777216", "node:65536 gpu:16", "node:256@mesh gpu:16@mesh",
                             "a:4 b:4 c:4 d:4 e:4 f:4 g:4 h:4 i:4 j:4 k:4 l:4"}) {
    QTest::newRow(system) << QString(system);
  }
}

void TestSystemDrawing::staysSmallWhateverTheSystem() {
  QFETCH(QString, system);
  const std::size_t shapes = drawingOf(system).shapes.size();
  QVERIFY2(shapes < 400, qPrintable(QString::number(shapes)));
}

void TestSystemDrawing::namesItsParts() {
  const SystemDrawing drawing = drawingOf("node:2@8GB/s gpu:8@135GB/s,2us,ring");
  const std::vector<Shape> links = shapesOf(drawing, Shape::Kind::Link);
  QCOMPARE(shapesOf(drawing, Shape::Kind::Device)[9].name, QString("device 9: gpu 1 of node 1"));
  QCOMPARE(links.front().name, QString("gpu 0 of node 0 ↔ gpu 1 on the NVLink, 135 GB/s each way"));
  QCOMPARE(links.back().name, QString("node 1 ↔ the network, 8.00 GB/s each way"));
  // Links are called what the routes call them.
  const Topology topology(test::validFrom("node:2@8GB/s gpu:8@135GB/s,2us,ring"));
  std::set<std::string> known;
  for (const LinkId link : topology.links()) known.insert(topology.linkName(link));
  std::size_t named = 0;
  for (const Shape& link : links) {
    for (const std::string& name : link.part.names) QVERIFY2(known.contains(name), name.c_str());
    named += link.part.names.size();
  }
  QCOMPARE(named, known.size());
}

void TestSystemDrawing::assignsMembers_data() {
  QTest::addColumn<int>("assignment");
  QTest::addColumn<QString>("third");
  QTest::newRow("blocks") << int(Network::Assignment::Blocks) << "gpu 2 of node 0 ↔ PCIe 1 of node 0";
  QTest::newRow("in turn") << int(Network::Assignment::InTurn) << "gpu 2 of node 0 ↔ PCIe 2 of node 0";
}

void TestSystemDrawing::assignsMembers() {
  QFETCH(int, assignment);
  QFETCH(QString, third);
  const System system = eightUnderNetworks(Network::Assignment(assignment));
  const SystemDrawing drawing = drawSystem(system, {});
  QStringList joined;
  std::set<std::string> known;
  const Topology topology(test::valid(system));
  for (const LinkId link : topology.links()) known.insert(topology.linkName(link));
  for (const Shape& link : shapesOf(drawing, Shape::Kind::Link)) {
    if (link.part.kind == SystemPart::Kind::Network && link.part.index == 0) joined += lineOf(link);
    for (const std::string& name : link.part.names) QVERIFY2(known.contains(name), name.c_str());
  }
  joined.sort();
  QCOMPARE(joined.size(), 16);
  QVERIFY2(joined.contains(third), qPrintable(joined.join('\n')));
}

void TestSystemDrawing::marksWhatIsOutOfOrder() {
  System system = eightUnderNetworks(Network::Assignment::Blocks);
  system.disabled = {"PCIe 3 of node 1", "node 0 ↑"};
  QStringList marked;
  for (const Shape& shape : drawSystem(system, {}).shapes) {
    if (shape.disabled) marked += lineOf(shape);
  }
  marked.sort();
  QCOMPARE(marked.join("; "), QString("PCIe 3 of node 1: a bus; node 0 ↔ the network"));
}

void TestSystemDrawing::drawsTheUnfinished() {
  System system;
  QVERIFY(drawSystem(system, {}).shapes.empty());
  system.networks.push_back({{InterconnectKind::Switch, 1e9, 0, "NIC"}, {}, 1, {}, {}});
  QCOMPARE(drawSystem(system, {}).shapes.size(), std::size_t(1));
  system = test::valueOf(parseSystem("gpu:3"));
  system.levels[0].interconnect.kind = InterconnectKind::None;
  QCOMPARE(drawSystem(system, {}).shapes.size(), std::size_t(3));
  system = eightUnderNetworks(Network::Assignment::Blocks);
  system.networks[0].members = {{"nobody"}, {"NIC"}};
  system.networks[1].instances = 3;
  QVERIFY(!drawSystem(system, {}).shapes.empty());
}

// A mesh of 4,096 devices, one press away from any system of so many, has sixteen million links.
void TestSystemDrawing::namesNoLinkThatCannotBe() {
  System system = test::valueOf(parseSystem("node:64 gpu:64"));
  system.networks = {test::networkOf(InterconnectKind::Mesh, 25e9, "mesh", "", 1, "gpu")};
  const auto namesOf = [](const SystemDrawing& drawing) {
    std::size_t names = 0;
    for (const Shape& shape : drawing.shapes) names += shape.part.names.size();
    return names;
  };
  QVERIFY(!validated(system).ok());
  const SystemDrawing drawing = drawSystem(system, {});
  QVERIFY(drawing.shapes.size() > 100);
  QVERIFY(namesOf(drawing) < 1000);
  system.levels[0].count = 4;
  QVERIFY(validated(system).ok());
  // Every link of the mesh is named at both of its ends.
  QVERIFY(namesOf(drawSystem(system, {})) > 2 * 256 * 255);
}

QTEST_GUILESS_MAIN(TestSystemDrawing)
#include "tst_system_drawing.moc"
