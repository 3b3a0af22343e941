// SPDX-License-Identifier: GPL-3.0-or-later
#include <QContextMenuEvent>
#include <QNativeGestureEvent>
#include <QPointingDevice>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include "support/warnings.h"
#include "tests/support/fixtures.h"
#include "views/common/theme.h"
#include "views/system/system_canvas.h"

using namespace p2;
using namespace p2::test;
using namespace p2::views;

/// The system's drawing is walked around in like any other.
class TestSystemCanvas : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { Theme::apply(Theme::Scheme::Light); }
  void init() {
    test::failOnWarnings();
    m_canvas = std::make_unique<SystemCanvas>();
    m_canvas->resize(600, 400);
    m_canvas->setSystem(valueOf(parseSystem("rack:2 node:4 gpu:8")));
    m_canvas->show();
    m_canvas->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_canvas.get()));
    m_canvas->setFocus();
    m_fitted = zoom();
  }

  void keysZoomPanAndFit() {
    drawAllOf("node:2 gpu:4");
    QTest::keyClick(m_canvas.get(), Qt::Key_Plus);
    QCOMPARE(zoom(), m_fitted * Navigation::kStep);
    QTest::keyClick(m_canvas.get(), Qt::Key_Plus, Qt::ControlModifier);
    QTest::keyClick(m_canvas.get(), Qt::Key_Minus);
    QCOMPARE(zoom(), m_fitted * Navigation::kStep);
    for (int i = 0; i < 6; ++i) QTest::keyClick(m_canvas.get(), Qt::Key_Plus);
    const QPointF before = middle();
    QTest::keyClick(m_canvas.get(), Qt::Key_Right, Qt::ShiftModifier);
    QVERIFY(middle().x() > before.x());
    QTest::keyClick(m_canvas.get(), Qt::Key_Left, Qt::ShiftModifier);
    QTest::keyClick(m_canvas.get(), Qt::Key_Up, Qt::ShiftModifier);
    QVERIFY(middle().y() < before.y());
    QTest::keyClick(m_canvas.get(), Qt::Key_0);
    QCOMPARE(zoom(), m_fitted);
  }

  void theWheelAndTwoFingersZoomAtThePointer() {
    drawAllOf("node:2 gpu:4");
    const QPointF at(200, 150);
    QWidget* surface = m_canvas->viewport();
    // A drawing smaller than the widget stays in its middle.
    while (m_canvas->drawn().drawing().bounds.height() * zoom() < 1.2 * surface->height()) m_canvas->zoomIn();
    const double fitting = zoom();
    const QPointF before = m_canvas->mapToScene(at.toPoint());
    for (int i = 0; i < 3; ++i) {
      QWheelEvent wheel(at, surface->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                        false);
      QCoreApplication::sendEvent(surface, &wheel);
    }
    QVERIFY(zoom() > 1.9 * fitting);
    // Scroll bars move by whole pixels.
    QVERIFY((m_canvas->mapToScene(at.toPoint()) - before).manhattanLength() * zoom() < 6);
    const double wheeled = zoom();
    QNativeGestureEvent pinch(Qt::ZoomNativeGesture, QPointingDevice::primaryPointingDevice(), 2, at, at,
                              surface->mapToGlobal(at), -0.5, {});
    QCoreApplication::sendEvent(surface, &pinch);
    QCOMPARE(zoom(), wheeled / 2);
  }

  void theMiddleButtonPansAndTheLeftOneDoesNot() {
    for (int i = 0; i < 8; ++i) m_canvas->zoomIn();
    const QPointF before = middle();
    drag(Qt::LeftButton, {300, 200}, {240, 170});
    QCOMPARE(middle(), before);
    drag(Qt::MiddleButton, {300, 200}, {240, 170});
    QVERIFY(middle().x() > before.x() && middle().y() > before.y());
  }

  // Eight rails side by side: the one under the mouse stands out, and what is selected marks its links.
  void railsDimAndNetworksMarkTheirLinks() {
    m_canvas->resize(900, 600);
    m_canvas->setSystem(valueOf(parseSystem("dgx-h100:4")));
    const SystemScene& scene = m_canvas->drawn();
    const ShapeItem* rail = scene.itemOf({SystemPart::Kind::Network, 1, 3});
    QVERIFY(rail != nullptr && rail->drawn().kind == SystemDrawing::Shape::Kind::Rail);
    const QPoint at = m_canvas->mapFromScene(rail->drawn().rect.topLeft() + QPointF(20, 9));
    QTest::mouseMove(m_canvas->windowHandle(), m_canvas->viewport()->mapTo(m_canvas.get(), at));
    QTRY_COMPARE(count(&ShapeLook::dimmed), 7 + 7 * 4);
    QTest::mouseClick(m_canvas->viewport(), Qt::LeftButton, {}, at);
    QCOMPARE(count(&ShapeLook::marked), 4);
    QTest::mouseMove(m_canvas->windowHandle(), {2, 2});
    QTRY_COMPARE(count(&ShapeLook::dimmed), 0);
    m_canvas->drawn().select({});
    QCOMPARE(count(&ShapeLook::marked), 0);
  }

  void foldsAndUnfoldsWithItsRoom() {
    m_canvas->setSystem(valueOf(parseSystem("dgx-h100:4")));
    m_canvas->resize(1900, 900);
    QTRY_COMPARE(m_canvas->drawn().detail().folded, std::size_t(0));
    m_canvas->resize(700, 500);
    QTRY_VERIFY(m_canvas->drawn().detail().folded > 0);
    QVERIFY(zoom() * kDrawnText >= kLeastLabel);
  }

  // Level of detail: what is folded from afar is drawn close by, where it was, and folded again on the way back.
  void zoomingUnfolds() {
    m_canvas->setSystem(valueOf(parseSystem("dgx-h100:4")));
    const DrawingDetail fromAfar = m_canvas->drawn().detail();
    QVERIFY(fromAfar.folded > 0);
    const SystemPart node{SystemPart::Kind::Level, 0, 1};
    QVERIFY(kindOf(node) == SystemDrawing::Shape::Kind::Chip);
    const QPoint at = m_canvas->mapFromScene(m_canvas->drawn().itemOf(node)->drawn().rect.center());
    wheel(at, 1, [&] { return kindOf(node) == SystemDrawing::Shape::Kind::Box; });
    QVERIFY(kindOf(node) == SystemDrawing::Shape::Kind::Box);
    const ShapeItem* open = m_canvas->drawn().itemOf(node);
    // What is under the mouse is still the node that was.
    QVERIFY(m_canvas->mapFromScene(open->drawn().rect).boundingRect().contains(at));
    QVERIFY(zoom() * kDrawnText >= kLeastLabel);
    wheel(at, -1, [&] { return m_canvas->drawn().detail() == fromAfar; });
    QCOMPARE(m_canvas->drawn().detail(), fromAfar);
    m_canvas->fit();
    QVERIFY(m_canvas->viewport()->rect().contains(
        m_canvas->mapFromScene(m_canvas->drawn().drawing().bounds).boundingRect()));
  }

  // There is never room for a whole pod: what one goes up to is opened.
  void zoomingOpensWhatIsUnderTheMouse() {
    m_canvas->setSystem(valueOf(parseSystem("node:4096 gpu:16")));
    const SystemPart node{SystemPart::Kind::Level, 0, 1};
    QVERIFY(kindOf(node) == SystemDrawing::Shape::Kind::Chip);
    wheel(m_canvas->mapFromScene(m_canvas->drawn().itemOf(node)->drawn().rect.center()), 1,
          [&] { return kindOf(node) == SystemDrawing::Shape::Kind::Box; });
    QVERIFY(kindOf(node) == SystemDrawing::Shape::Kind::Box);
  }

  // Whatever was clicked before, the menu is about what lies under the mouse.
  void theMenuIsAboutWhatLiesUnderTheMouse() {
    QSignalSpy wanted(m_canvas.get(), &SystemCanvas::menuWanted);
    const ShapeItem* chip = m_canvas->drawn().itemOf({SystemPart::Kind::Level, 1, 2});
    const ShapeItem* bar = m_canvas->drawn().itemOf({SystemPart::Kind::Interconnect, 0});
    for (const ShapeItem* item : {chip, bar, chip}) {
      const SystemPart part = item->drawn().part;
      rightClick(m_canvas->mapFromScene(middleOf(*item)));
      QCOMPARE(m_canvas->drawn().selectedParts(), std::vector{part});
    }
    rightClick({2, 2});
    QVERIFY(m_canvas->drawn().selectedParts().empty());
    QCOMPARE(wanted.count(), 4);
  }

 private:
  /// A small system in its stead, of which nothing is folded.
  void drawAllOf(const char* system) {
    m_canvas->setSystem(valueOf(parseSystem(system)));
    QCOMPARE(m_canvas->drawn().detail(), DrawingDetail{});
    m_fitted = zoom();
  }
  /// How a part is drawn; nothing where it is not.
  [[nodiscard]] std::optional<SystemDrawing::Shape::Kind> kindOf(const SystemPart& part) const {
    const ShapeItem* item = m_canvas->drawn().itemOf(part);
    return item == nullptr ? std::nullopt : std::optional(item->drawn().kind);
  }
  /// Notch by notch until that is so, or one has turned far enough.
  template <class Done>
  void wheel(QPoint at, int notches, Done done) {
    QWidget* surface = m_canvas->viewport();
    for (int i = 0; i < 24 && !done(); ++i) {
      QWheelEvent turn(at, surface->mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, Qt::NoModifier,
                       Qt::NoScrollPhase, false);
      QCoreApplication::sendEvent(surface, &turn);
    }
  }
  static QPointF middleOf(const ShapeItem& item) {
    const bool box = item.drawn().kind == SystemDrawing::Shape::Kind::Box;
    return box ? item.drawn().rect.topLeft() + QPointF(30, 8) : item.drawn().rect.center();
  }
  void rightClick(QPoint at) {
    QWidget* surface = m_canvas->viewport();
    QTest::mousePress(surface, Qt::RightButton, {}, at);
    QContextMenuEvent menu(QContextMenuEvent::Mouse, at, surface->mapToGlobal(at));
    QCoreApplication::sendEvent(surface, &menu);
    QTest::mouseRelease(surface, Qt::RightButton, {}, at);
  }
  [[nodiscard]] int count(bool ShapeLook::*flag) const {
    int all = 0;
    for (const QGraphicsItem* item : m_canvas->drawn().items()) {
      all += static_cast<const ShapeItem*>(item)->look().*flag ? 1 : 0;
    }
    return all;
  }
  [[nodiscard]] double zoom() const { return m_canvas->transform().m11(); }
  [[nodiscard]] QPointF middle() const { return m_canvas->mapToScene(m_canvas->viewport()->rect().center()); }
  void drag(Qt::MouseButton button, QPoint from, QPoint to) {
    QWidget* surface = m_canvas->viewport();
    QTest::mousePress(surface, button, {}, from);
    QMouseEvent move(QEvent::MouseMove, to, surface->mapToGlobal(QPointF(to)), Qt::NoButton, button, Qt::NoModifier);
    QCoreApplication::sendEvent(surface, &move);
    QTest::mouseRelease(surface, button, {}, to);
  }

  std::unique_ptr<SystemCanvas> m_canvas;
  double m_fitted = 0;
};

QTEST_MAIN(TestSystemCanvas)
#include "tst_system_canvas.moc"
