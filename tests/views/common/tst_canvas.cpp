// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QMainWindow>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QPointingDevice>
#include <QTest>
#include <QWheelEvent>
#include <memory>

#include "support/warnings.h"
#include "views/common/canvas.h"

using namespace p2::views;

namespace {

/// A drawing of one rectangle that remembers where the mouse was.
class Sheet : public Canvas {
 public:
  using Canvas::Canvas;
  using Canvas::reveal;
  std::optional<QPointF> pointer;

 protected:
  [[nodiscard]] QRectF drawingBounds() const override { return {0, 0, 1000, 500}; }
  void paintDrawing(QPainter& painter, const QRectF&) override { painter.fillRect(drawingBounds(), Qt::red); }
  void hovered(std::optional<QPointF> point) override { pointer = point; }
};

}  // namespace

/// Zooming, panning and pointing, with real events.
class TestCanvas : public QObject {
  Q_OBJECT

 private slots:
  void init() { p2::test::failOnWarnings(); }
  void staysFittedUntilTheUserZooms();
  void wheelZoomsAtThePointer();
  void dragPans();
  void revealsByPanning();
  void theMiddleButtonPansToo();
  void keysZoomAndPanBeforeTheWindowSeesThem();
  void plusMinusAndZeroNeedNoCtrl();
  void aWheelTurnedSidewaysChangesNothing();
  void twoFingersZoom();
  void touchpadsZoom();
  void tellsWhereTheMouseIs();
};

void TestCanvas::staysFittedUntilTheUserZooms() {
  Sheet sheet;
  sheet.resize(516, 516);
  sheet.show();
  QVERIFY(QTest::qWaitForWindowExposed(&sheet));
  QCOMPARE(sheet.zoom(), 0.5);
  sheet.resize(266, 266);
  QTRY_COMPARE(sheet.zoom(), 0.25);
  sheet.zoomIn();
  const double zoomed = sheet.zoom();
  QVERIFY(zoomed > 0.25);
  sheet.resize(516, 516);
  QCOMPARE(sheet.zoom(), zoomed);
  sheet.fit();
  QCOMPARE(sheet.zoom(), 0.5);
}

void TestCanvas::revealsByPanning() {
  Sheet sheet;
  sheet.resize(516, 516);
  sheet.show();
  QVERIFY(QTest::qWaitForWindowExposed(&sheet));
  const QRectF corner(900, 450, 50, 25);
  const QPointF fitted = sheet.toWidget({0, 0});
  sheet.reveal(corner);
  QCOMPARE(sheet.toWidget({0, 0}), fitted);
  for (int i = 0; i < 8; ++i) sheet.zoomIn();
  const double zoom = sheet.zoom();
  const QRectF inside = QRectF(sheet.rect());
  for (const QRectF& part : {corner, QRectF(0, 0, 50, 25)}) {
    QVERIFY(!inside.contains(sheet.toWidget(part.center())));
    sheet.reveal(part);
    QVERIFY(inside.contains(sheet.toWidget(part.topLeft())) && inside.contains(sheet.toWidget(part.bottomRight())));
  }
  QCOMPARE(sheet.zoom(), zoom);
}

void TestCanvas::wheelZoomsAtThePointer() {
  Sheet sheet;
  sheet.resize(516, 516);
  sheet.show();
  const QPointF at(100, 260);
  const QPointF before = sheet.toDrawing(at);
  QWheelEvent wheel(at, sheet.mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(&sheet, &wheel);
  QVERIFY(sheet.zoom() > 0.5);
  QVERIFY((sheet.toDrawing(at) - before).manhattanLength() < 1e-6);
}

void TestCanvas::dragPans() {
  Sheet sheet;
  sheet.resize(516, 516);
  sheet.show();
  const QPointF grabbed = sheet.toDrawing({100, 100});
  QTest::mousePress(&sheet, Qt::LeftButton, {}, {100, 100});
  QMouseEvent move(QEvent::MouseMove, {160, 130}, sheet.mapToGlobal(QPointF(160, 130)), Qt::NoButton, Qt::LeftButton,
                   Qt::NoModifier);
  QCoreApplication::sendEvent(&sheet, &move);
  QTest::mouseRelease(&sheet, Qt::LeftButton, {}, {160, 130});
  QVERIFY((sheet.toDrawing({160, 130}) - grabbed).manhattanLength() < 1e-6);
}

void TestCanvas::theMiddleButtonPansToo() {
  Sheet sheet;
  sheet.resize(516, 516);
  sheet.show();
  const QPointF grabbed = sheet.toDrawing({100, 100});
  QTest::mousePress(&sheet, Qt::MiddleButton, {}, {100, 100});
  QCOMPARE(sheet.cursor().shape(), Qt::ClosedHandCursor);
  QMouseEvent move(QEvent::MouseMove, {60, 130}, sheet.mapToGlobal(QPointF(60, 130)), Qt::NoButton, Qt::MiddleButton,
                   Qt::NoModifier);
  QCoreApplication::sendEvent(&sheet, &move);
  QTest::mouseRelease(&sheet, Qt::MiddleButton, {}, {60, 130});
  QVERIFY((sheet.toDrawing({60, 130}) - grabbed).manhattanLength() < 1e-6);
  QVERIFY(sheet.cursor().shape() != Qt::ClosedHandCursor);
  // Let go of, it follows the mouse no more.
  QTest::mouseMove(&sheet, {200, 200});
  QVERIFY((sheet.toDrawing({60, 130}) - grabbed).manhattanLength() < 1e-6);
}

void TestCanvas::plusMinusAndZeroNeedNoCtrl() {
  Sheet sheet;
  sheet.resize(516, 516);
  sheet.show();
  QCOMPARE(sheet.zoom(), 0.5);
  QTest::keyClick(&sheet, Qt::Key_Plus, Qt::ShiftModifier);
  QCOMPARE(sheet.zoom(), 0.5 * Navigation::kStep);
  QTest::keyClick(&sheet, Qt::Key_Plus, Qt::KeypadModifier);
  QTest::keyClick(&sheet, Qt::Key_Minus);
  QCOMPARE(sheet.zoom(), 0.5 * Navigation::kStep);
  QTest::keyClick(&sheet, Qt::Key_0);
  QCOMPARE(sheet.zoom(), 0.5);
  for (int i = 0; i < 100; ++i) QTest::keyClick(&sheet, Qt::Key_Plus);
  QCOMPARE(sheet.zoom(), Navigation::kMostZoom);
  for (int i = 0; i < 100; ++i) QTest::keyClick(&sheet, Qt::Key_Minus);
  QCOMPARE(sheet.zoom(), Navigation::kLeastZoom);
}

void TestCanvas::aWheelTurnedSidewaysChangesNothing() {
  Sheet sheet;
  sheet.resize(516, 516);
  sheet.show();
  QVERIFY(QTest::qWaitForWindowExposed(&sheet));
  const QPointF at(100, 260);
  QWheelEvent wheel(at, sheet.mapToGlobal(at), {}, {120, 0}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(&sheet, &wheel);
  sheet.resize(266, 266);
  QTRY_COMPARE(sheet.zoom(), 0.25);
}

void TestCanvas::twoFingersZoom() {
  Sheet sheet;
  sheet.resize(516, 516);
  sheet.show();
  QVERIFY(QTest::qWaitForWindowExposed(&sheet));
  const std::unique_ptr<QPointingDevice> screen(QTest::createTouchDevice());
  QTest::touchEvent(&sheet, screen.get()).press(0, {200, 250}).press(1, {300, 250});
  for (int apart = 60; apart <= 150; apart += 10) {
    QTest::touchEvent(&sheet, screen.get()).move(0, {250 - apart, 250}).move(1, {250 + apart, 250});
  }
  QTest::touchEvent(&sheet, screen.get()).release(0, {100, 250}).release(1, {400, 250});
  QVERIFY2(sheet.zoom() > 1, qPrintable(QString::number(sheet.zoom())));
}

void TestCanvas::touchpadsZoom() {
  Sheet sheet;
  sheet.resize(516, 516);
  sheet.show();
  const QPointF at(100, 260);
  const QPointF before = sheet.toDrawing(at);
  QNativeGestureEvent pinch(Qt::ZoomNativeGesture, QPointingDevice::primaryPointingDevice(), 2, at, at,
                            sheet.mapToGlobal(at), 0.5, {});
  QCoreApplication::sendEvent(&sheet, &pinch);
  QCOMPARE(sheet.zoom(), 0.75);
  QVERIFY((sheet.toDrawing(at) - before).manhattanLength() < 1e-6);
}

void TestCanvas::keysZoomAndPanBeforeTheWindowSeesThem() {
  QMainWindow window;
  auto* sheet = new Sheet;
  window.setCentralWidget(sheet);
  auto* textZoom = new QAction(&window);
  textZoom->setShortcut(Qt::CTRL | Qt::Key_Plus);
  window.addAction(textZoom);
  bool taken = false;
  connect(textZoom, &QAction::triggered, this, [&taken] { taken = true; });
  window.resize(516, 516);
  window.show();
  window.activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&window));
  sheet->setFocus();
  const double fitted = sheet->zoom();
  QTest::keyClick(sheet, Qt::Key_Plus, Qt::ControlModifier);
  QVERIFY(sheet->zoom() > fitted);
  QVERIFY(!taken);
  QTest::keyClick(sheet, Qt::Key_Minus, Qt::ControlModifier);
  QCOMPARE(sheet->zoom(), fitted);
  const QPointF corner = sheet->toDrawing({0, 0});
  QTest::keyClick(sheet, Qt::Key_Right, Qt::ShiftModifier);
  QVERIFY(sheet->toDrawing({0, 0}).x() > corner.x());
  QTest::keyClick(sheet, Qt::Key_0, Qt::ControlModifier);
  QCOMPARE(sheet->toDrawing({0, 0}), corner);
}

void TestCanvas::tellsWhereTheMouseIs() {
  Sheet sheet;
  sheet.resize(516, 516);
  sheet.show();
  QTest::mouseMove(&sheet, {258, 258});
  QTRY_VERIFY(sheet.pointer.has_value());
  QCOMPARE(sheet.pointer->toPoint(), QPoint(500, 250));
  QEvent leave(QEvent::Leave);
  QCoreApplication::sendEvent(&sheet, &leave);
  QVERIFY(!sheet.pointer.has_value());
}

QTEST_MAIN(TestCanvas)
#include "tst_canvas.moc"
