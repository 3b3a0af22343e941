// SPDX-License-Identifier: GPL-3.0-or-later
#include <QNativeGestureEvent>
#include <QPointingDevice>
#include <QTest>
#include <QWheelEvent>

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
  void initTestCase() {
    QTest::failOnWarning(QRegularExpression("^(?!.*propagateSizeHints).*"));
    Theme::apply(Theme::Scheme::Light);
  }
  void init() {
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
    const QPointF at(200, 150);
    QWidget* surface = m_canvas->viewport();
    // A drawing smaller than the widget stays in its middle.
    while (m_canvas->drawn().drawing().bounds.height() * zoom() < 2 * surface->height()) m_canvas->zoomIn();
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

 private:
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
