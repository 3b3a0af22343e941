// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "views/system/hierarchy_drawing.h"

using namespace p2;
using namespace p2::views;
using Shape = HierarchyDrawing::Shape;

/// The drawing of a system, as shapes.
class TestHierarchyDrawing : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QTest::failOnWarning(QRegularExpression(".*")); }
  void drawsEveryPart_data();
  void drawsEveryPart();
  void nestsWithoutOverlap_data();
  void nestsWithoutOverlap();
  void collapsesWhatIsTooMuch_data();
  void collapsesWhatIsTooMuch();
  void namesWhatIsUnderAPoint();
};

namespace {

HierarchyDrawing drawingOf(const QString& system) {
  return drawHierarchy(test::valueOf(parseSystem(system.toStdString())));
}

std::vector<Shape> shapesOf(const HierarchyDrawing& drawing, Shape::Kind kind) {
  std::vector<Shape> found;
  for (const Shape& shape : drawing.shapes) {
    if (shape.kind == kind) found.push_back(shape);
  }
  return found;
}

}  // namespace

void TestHierarchyDrawing::drawsEveryPart_data() {
  QTest::addColumn<QString>("system");
  QTest::addColumn<QList<int>>("counts");  // boxes, devices, more, switches, captions, links
  QTest::newRow("a100") << "gcp-a100:4" << QList<int>{4, 64, 0, 5, 0, 68};
  QTest::newRow("v100, rings") << "gcp-v100:4" << QList<int>{4, 32, 0, 1, 4, 36};
  QTest::newRow("figure 2") << "rack:1 server:2 cpu:2 gpu:4" << QList<int>{7, 16, 0, 7, 0, 22};
  QTest::newRow("a pair is one link") << "gpu:2@ring" << QList<int>{0, 2, 0, 0, 1, 1};
  QTest::newRow("one device has no network") << "gpu:1" << QList<int>{0, 1, 0, 0, 0, 0};
  QTest::newRow("collapsed") << "gcp-a100:64" << QList<int>{4, 64, 1, 5, 0, 69};
}

void TestHierarchyDrawing::drawsEveryPart() {
  QFETCH(QString, system);
  const HierarchyDrawing drawing = drawingOf(system);
  QList<int> counts;
  for (const auto kind : {Shape::Kind::Box, Shape::Kind::Device, Shape::Kind::More, Shape::Kind::Switch,
                          Shape::Kind::Caption, Shape::Kind::Link}) {
    counts += int(shapesOf(drawing, kind).size());
  }
  QTEST(counts, "counts");
}

void TestHierarchyDrawing::nestsWithoutOverlap_data() {
  QTest::addColumn<QString>("system");
  for (const char* system : {"gcp-a100:4", "gcp-v100:8", "rack:1 server:2 cpu:2 gpu:4", "a:3@ring b:5@ring c:3@ring",
                             "gpu:4096@ring", "a:4 b:4 c:4 d:4 e:4 f:4 g:4 h:4 i:4 j:4 k:4 l:4"}) {
    QTest::newRow(system) << QString(system);
  }
}

void TestHierarchyDrawing::nestsWithoutOverlap() {
  QFETCH(QString, system);
  const HierarchyDrawing drawing = drawingOf(system);
  const QRectF bounds = drawing.bounds.adjusted(-0.5, -0.5, 0.5, 0.5);
  for (const Shape& a : drawing.shapes) {
    QVERIFY(a.kind == Shape::Kind::Link ? bounds.contains(a.line.p1()) && bounds.contains(a.line.p2())
                                        : bounds.contains(a.rect));
    QVERIFY(!a.name.isEmpty());
    for (const Shape& b : drawing.shapes) {
      if (&a == &b || a.kind == Shape::Kind::Link || b.kind == Shape::Kind::Link) continue;
      const bool nested = (a.kind == Shape::Kind::Box && a.rect.contains(b.rect)) ||
                          (b.kind == Shape::Kind::Box && b.rect.contains(a.rect));
      QVERIFY2(nested || !a.rect.intersects(b.rect), qPrintable(a.name + " / " + b.name));
    }
  }
}

void TestHierarchyDrawing::collapsesWhatIsTooMuch_data() {
  QTest::addColumn<QString>("system");
  QTest::addColumn<QString>("drawn");
  QTest::newRow("small") << "gcp-a100:4" << "4 16";
  QTest::newRow("many nodes") << "node:4096 gpu:16" << "4 16";
  QTest::newRow("many devices") << "gpu:65536" << "16";
  QTest::newRow("wide and flat") << "node:2 gpu:1000" << "2 16";
  QTest::newRow("deep") << "a:4 b:4 c:4 d:4 e:4 f:4 g:4 h:4 i:4 j:4 k:4 l:4" << "1 1 1 1 1 1 2 2 2 2 2 2";
}

void TestHierarchyDrawing::collapsesWhatIsTooMuch() {
  QFETCH(QString, system);
  QStringList drawn;
  for (const std::int64_t count : drawnCounts(test::valueOf(parseSystem(system.toStdString())))) {
    drawn += QString::number(count);
  }
  QTEST(drawn.join(' '), "drawn");
}

void TestHierarchyDrawing::namesWhatIsUnderAPoint() {
  const HierarchyDrawing drawing = drawingOf("node:2@8GB/s gpu:8@135GB/s,2us,ring");
  const Shape device = shapesOf(drawing, Shape::Kind::Device)[9];
  QCOMPARE(drawing.at(device.rect.center(), 4)->name, QStringLiteral("device 9: gpu 1 of node 1"));
  const Shape port = shapesOf(drawing, Shape::Kind::Link)[0];
  QCOMPARE(drawing.at(port.line.center(), 4)->name, QStringLiteral("node 0 ↔ the network, 8.00 GB/s each way"));
  const Shape neighbours = shapesOf(drawing, Shape::Kind::Link)[2];
  QCOMPARE(drawing.at(neighbours.line.center(), 4)->name,
           QStringLiteral("gpu 0 of node 0 ↔ gpu 1 on the NVSwitch, 135 GB/s each way"));
  QVERIFY(drawing.at({-50, -50}, 4) == nullptr);
}

QTEST_GUILESS_MAIN(TestHierarchyDrawing)
#include "tst_hierarchy_drawing.moc"
