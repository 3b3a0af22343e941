// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainterPath>
#include <QTest>
#include <optional>
#include <set>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "system/topology.h"
#include "views/common/navigation.h"
#include "views/system/system_drawing.h"
#include "views/system/wire_labels.h"
#include "workspace/presets.h"

using namespace p2;
using namespace p2::views;
using Shape = SystemDrawing::Shape;

/// How much of a system is drawn, and what stands for the rest.
class TestDrawingDetail : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }
  void foldsUntilLabelsAreLegible_data();
  void foldsUntilLabelsAreLegible();
  void instancesAreApart_data();
  void instancesAreApart();
  void chipsHaveWiresOfTheirOwn_data();
  void chipsHaveWiresOfTheirOwn();
  void drawsATorusAsAGrid();
  void joinsTheWayOutToItsNetwork();
  void showsTheFiguresInUse();
};

namespace {

SystemDrawing detailedDrawing(const QString& system, const std::vector<std::int64_t>& open = {}) {
  return drawSystem(test::valueOf(parseSystem(system.toStdString())), open);
}

std::vector<Shape> shapesLike(const SystemDrawing& drawing, Shape::Kind kind) {
  std::vector<Shape> found;
  for (const Shape& shape : drawing.shapes) {
    if (shape.kind == kind) found.push_back(shape);
  }
  return found;
}

std::set<std::string> linkNamesOf(const System& system) {
  const Topology topology(test::valid(system));
  std::set<std::string> names;
  for (const LinkId link : topology.links()) names.insert(topology.linkName(link));
  return names;
}

/// What is written into a shape whose plate hides no line: a caption, a rail's label, the title of a box.
std::optional<QRectF> bareText(const Shape& shape) {
  if (shape.kind == Shape::Kind::Rail) {
    return QRectF(shape.rect.topLeft(), QSizeF(shape.textWidth, shape.rect.height()));
  }
  if (shape.kind == Shape::Kind::Box) return QRectF(shape.rect.topLeft(), QSizeF(50, kSystemTitleHeight));
  if (shape.kind != Shape::Kind::Caption) return std::nullopt;
  QRectF words({0, 0}, QSizeF(6 * double(shape.text.size()), 14));
  words.moveCenter(shape.rect.center());
  return words;
}

bool runsThrough(const QPolygonF& line, const QRectF& rect) {
  QPainterPath path;
  path.addPolygon(line);
  QPainterPath room;
  room.addRect(rect.adjusted(1, 1, -1, -1));
  for (int i = 0; i <= 200; ++i) {
    if (room.contains(path.pointAtPercent(i / 200.0))) return true;
  }
  return false;
}

}  // namespace

void TestDrawingDetail::foldsUntilLabelsAreLegible_data() {
  QTest::addColumn<QString>("system");
  QTest::addColumn<QSizeF>("room");
  for (const char* system : {"dgx-h100:4", "gb200-nvl72", "tpu-v4", "gcp-v100:4", "gcp-a100:4", "mi300x", "dgx2",
                             "alps-gh200", "cpu-cluster", "aws-trn1", "node:8192 gpu:8", "rack:8 node:8 gpu:8"}) {
    QTest::addRow("%s, a window of 1440×900", system) << QString(system) << QSizeF(920, 660);
    QTest::addRow("%s, a window of 1024×700", system) << QString(system) << QSizeF(580, 460);
  }
}

void TestDrawingDetail::foldsUntilLabelsAreLegible() {
  QFETCH(QString, system);
  QFETCH(QSizeF, room);
  const System drawn = test::valueOf(parseSystem(system.toStdString()));
  const DrawingDetail detail = fittingDetail(drawn, {}, room);
  const SystemDrawing drawing = drawSystem(drawn, {}, detail);
  const double pixels = Navigation::fittedZoom(drawing.bounds, room).value() * kDrawnText;
  QVERIFY2(pixels >= kLeastLabel, qPrintable(QString::number(pixels)));
  // Lines never run over what is written.
  const std::vector<WireLabel> labels = wireLabels(drawing, {});
  for (const Shape& link : shapesLike(drawing, Shape::Kind::Link)) {
    for (const Shape& shape : drawing.shapes) {
      const auto text = bareText(shape);
      QVERIFY2(!text || !runsThrough(link.line, *text), qPrintable(link.name + " over " + shape.name));
    }
  }
  for (const WireLabel& label : labels) {
    QVERIFY(drawing.bounds.contains(label.rect));
    qsizetype under = 0;
    for (const Shape& link : shapesLike(drawing, Shape::Kind::Link))
      under += runsThrough(link.line, label.rect) ? 1 : 0;
    QVERIFY2(under <= 1, qPrintable(label.text));
  }
}

void TestDrawingDetail::showsTheFiguresInUse() {
  System system = test::valueOf(parseSystem("node:2@50GB/s gpu:4@450GB/s"));
  system.levels[1].interconnect.fittedBandwidth = 400e9;
  const auto says = [&](const char* figure) {
    const SystemDrawing drawing = drawSystem(system, {});
    return std::any_of(drawing.shapes.begin(), drawing.shapes.end(),
                       [&](const Shape& shape) { return shape.text.contains(QLatin1String(figure)); });
  };
  QVERIFY(says("450 GB/s") && !says("400 GB/s"));
  system.calibrated = true;
  QVERIFY(says("400 GB/s") && !says("450 GB/s"));
  QVERIFY(says("50.0 GB/s"));
}

void TestDrawingDetail::instancesAreApart_data() {
  QTest::addColumn<QString>("system");
  for (const Preset& preset : presets()) {
    const QString system = QString::fromStdString(preset.name) + ":3";
    QTest::newRow(qPrintable(system)) << system;
  }
}

// An instance lies inside another or next to it, with the first instances open or folded.
void TestDrawingDetail::instancesAreApart() {
  QFETCH(QString, system);
  const System drawn = test::valueOf(parseSystem(system.toStdString()));
  for (const SystemDrawing& drawing :
       {drawSystem(drawn, {}), drawSystem(drawn, {}, fittingDetail(drawn, {}, {900, 600}))}) {
    std::vector<QRectF> boxes;
    for (const Shape::Kind kind : {Shape::Kind::Box, Shape::Kind::Chip, Shape::Kind::Device}) {
      for (const Shape& shape : shapesLike(drawing, kind)) boxes.push_back(shape.rect.adjusted(.5, .5, -.5, -.5));
    }
    QVERIFY(boxes.size() > 2);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const bool isNested = boxes[i].contains(boxes[j]) || boxes[j].contains(boxes[i]);
        QVERIFY2(isNested || !boxes[i].intersects(boxes[j]), qPrintable(QString("%1 and %2").arg(i).arg(j)));
      }
    }
  }
}

void TestDrawingDetail::chipsHaveWiresOfTheirOwn_data() {
  QTest::addColumn<QString>("system");
  QTest::addColumn<int>("chips");
  QTest::addColumn<int>("wires");  // of each chip
  QTest::newRow("eight rails") << "dgx-h100:4" << 3 << 8;
  QTest::newRow("eighteen NICs of a rack share a rail") << "gb200-nvl72:2" << 1 << 4;
  QTest::newRow("one network") << "gcp-a100:4" << 3 << 1;
  QTest::newRow("a torus") << "tpu-v4" << 3 << 0;
}

void TestDrawingDetail::chipsHaveWiresOfTheirOwn() {
  QFETCH(QString, system);
  QFETCH(int, chips);
  QFETCH(int, wires);
  const System drawn = test::valueOf(parseSystem(system.toStdString()));
  const SystemDrawing drawing = drawSystem(drawn, {}, {1});
  const std::vector<Shape> found = shapesLike(drawing, Shape::Kind::Chip);
  QCOMPARE(int(found.size()), chips);
  std::set<std::string> named;
  for (const Shape& chip : found) {
    int own = 0;
    for (const Shape& link : shapesLike(drawing, Shape::Kind::Link)) {
      const QPointF from = link.line.front();
      const bool below = std::abs(from.y() - chip.rect.bottom()) < 0.5 || std::abs(from.y() - chip.rect.top()) < 0.5;
      own += below && chip.rect.left() < from.x() && from.x() < chip.rect.right() && link.line.size() == 2 ? 1 : 0;
    }
    QCOMPARE(own, wires);
  }
  const std::set<std::string> known = linkNamesOf(drawn);
  for (const Shape& link : shapesLike(drawing, Shape::Kind::Link)) {
    for (const std::string& name : link.part.names) {
      QVERIFY2(known.contains(name), name.c_str());
      named.insert(name);
    }
  }
  // Whatever leads from node to node stands for a line, folded or not.
  for (const std::string& name : known) {
    const bool between = name.find("rail") != std::string::npos || name.find("z ring") != std::string::npos;
    QVERIFY2(!between || named.contains(name), name.c_str());
  }
}

void TestDrawingDetail::drawsATorusAsAGrid() {
  const System system = test::valueOf(parseSystem("tpu-v4"));
  const SystemDrawing drawing = drawSystem(system, {});
  QCOMPARE(shapesLike(drawing, Shape::Kind::Device).size(), std::size_t(64));
  // Three links between neighbours and one around in each of 8 rings of 4 layers; 4 bundles between the layers.
  QCOMPARE(shapesLike(drawing, Shape::Kind::Link).size(), std::size_t(4 * 8 * 4 + 4));
  std::set<std::string> named;
  for (const Shape& link : shapesLike(drawing, Shape::Kind::Link)) {
    named.insert(link.part.names.begin(), link.part.names.end());
  }
  QCOMPARE(named, linkNamesOf(system));
  const std::vector<Shape> devices = shapesLike(drawing, Shape::Kind::Device);
  QCOMPARE(devices[0].rect.top(), devices[3].rect.top());
  QCOMPARE(devices[0].rect.left(), devices[12].rect.left());
}

void TestDrawingDetail::joinsTheWayOutToItsNetwork() {
  const SystemDrawing drawing = detailedDrawing("gcp-v100:4", {});
  int joined = 0;
  for (const Shape& link : shapesLike(drawing, Shape::Kind::Link)) {
    if (link.part.kind != SystemPart::Kind::Interconnect || link.part.index != 0) continue;
    for (const Shape& bar : shapesLike(drawing, Shape::Kind::Bar)) {
      const bool nic = bar.text.startsWith("NIC");
      const QRectF edge = bar.rect.adjusted(0, 0, 0, 1);
      joined += nic && edge.contains(link.line.front()) ? 1 : 0;
    }
  }
  QCOMPARE(joined, 4);
}

QTEST_GUILESS_MAIN(TestDrawingDetail)
#include "tst_drawing_detail.moc"
