// SPDX-License-Identifier: GPL-3.0-or-later
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "support/warnings.h"
#include "views/common/theme.h"
#include "views/timeline/slice_look.h"
#include "views/timeline/timeline_view.h"

using namespace p2;
using namespace p2::views;

namespace {

/// Four stages with passes and their parts, one after the other.
std::shared_ptr<const p2::Timeline> stages(int passes) {
  TimelineBuilder builder("a step");
  const auto forward = builder.detail({SliceKind::Forward, "forward", 0, {}, {}, {}});
  const auto tensor = builder.detail({SliceKind::Tensor, "AllGather", 134e6, "8 devices over gpu 8", "NVSwitch", {}});
  for (int stage = 0; stage < 4; ++stage) {
    const auto track = builder.track("predicted", "stage " + std::to_string(stage));
    for (int i = 0; i < passes; ++i) {
      builder.slice({track, forward, 0, i, i * 1e-3, 1e-3});
      builder.slice({track, tensor, 1, i, i * 1e-3 + 0.8e-3, 0.2e-3});
    }
  }
  return std::make_shared<const p2::Timeline>(builder.take());
}

/// WCAG contrast of two colours.
double contrastOf(const QColor& a, const QColor& b) {
  const auto luminance = [](const QColor& color) {
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
  };
  const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
  return (light + 0.05) / (dark + 0.05);
}

}  // namespace

class TestTimelineView : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { Theme::apply(Theme::Scheme::Light); }
  void init() {
    test::failOnWarnings();
    m_view = std::make_unique<TimelineView>();
    m_view->resize(800, 400);
    m_view->show(stages(100));
    static_cast<QWidget*>(m_view.get())->show();
    m_view->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_view.get()));
    m_view->setFocus();
  }
  void cleanup() { m_view.reset(); }

  void theWheelZoomsAtThePointer() {
    const QPointF point(500, 30);
    const auto before = m_view->sliceAt(point);
    QVERIFY(before);
    QWheelEvent wheel(point, m_view->viewport()->mapToGlobal(point.toPoint()), {}, {0, 240}, Qt::NoButton, {},
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(m_view->viewport(), &wheel);
    const auto [from, to] = m_view->shown();
    QVERIFY(std::abs((to - from) * 1.25 * 1.25 - 0.1) < 1e-9);
    QCOMPARE(m_view->sliceAt(point), before);
  }

  // Keys zoom at the mouse as the wheel does, and what is said is under it in every frame; also at the deepest zoom.
  void whatIsUnderTheMouseStays() {
    const QPoint point(611, 30);
    QTest::mouseMove(m_view->viewport(), point);
    QTRY_VERIFY(m_view->statusText().contains("forward"));
    const auto slice = m_view->sliceAt(point);
    for (int i = 0; i < 12; ++i) {
      QTest::keyClick(m_view.get(), Qt::Key_W);
      QCOMPARE(m_view->sliceAt(point), slice);
      QVERIFY2(m_view->statusText().contains(QString("stage 0")), qPrintable(m_view->statusText()));
    }
    for (int i = 0; i < 12; ++i) QTest::keyClick(m_view.get(), Qt::Key_S);
    QCOMPARE(m_view->sliceAt(point), slice);
    // Past the least span nothing moves any more.
    for (int i = 0; i < 120; ++i) QTest::keyClick(m_view.get(), Qt::Key_W);
    const auto deepest = m_view->shown();
    QTest::keyClick(m_view.get(), Qt::Key_W);
    QVERIFY(std::abs(m_view->shown().first - deepest.first) < 1e-14);
    QCOMPARE(m_view->sliceAt(point), slice);
    // A pan brings another slice under the mouse, which has not moved.
    QTest::keyClick(m_view.get(), Qt::Key_0);
    for (int i = 0; i < 3; ++i) QTest::keyClick(m_view.get(), Qt::Key_W);
    const QString before = m_view->statusText();
    QTest::keyClick(m_view.get(), Qt::Key_D);
    QVERIFY(m_view->sliceAt(point) != slice);
    QVERIFY(m_view->statusText() != before);
  }

  // Zoomed out, all columns of an even row look the same, and a little zoom changes no colour: no stripes, no flicker.
  void narrowSlicesHaveOneColour_data() {
    QTest::addColumn<int>("passes");
    QTest::addColumn<int>("most");
    QTest::newRow("many a pixel") << 25000 << 4;
    QTest::newRow("about a pixel") << 2000 << 16;
  }
  void narrowSlicesHaveOneColour() {
    QFETCH(int, passes);
    QFETCH(int, most);
    m_view->show(stages(passes));
    for (const int item : {0, 1}) {
      m_view->showAll();
      const int y = m_view->itemAt(item).rect.center().y();
      for (int frame = 0; frame < 6; ++frame) {
        const QImage image = m_view->viewport()->grab().toImage();
        int darkest = 255;
        int lightest = 0;
        for (int x = 300; x < image.width() - 20; ++x) {
          darkest = std::min(darkest, qGray(image.pixel(x, y)));
          lightest = std::max(lightest, qGray(image.pixel(x, y)));
        }
        QVERIFY2(lightest - darkest <= most,
                 qPrintable(QString("%1 to %2 in frame %3").arg(darkest).arg(lightest).arg(frame)));
        QTest::keyClick(m_view.get(), Qt::Key_W);
      }
    }
  }

  // Where there is little room the rows have it, not the legend: here one of two lines, a third of the rows.
  void theLegendLeavesRoomForTheRows() {
    const int line = m_view->fontMetrics().height() + 4;
    const auto rowsReach = [&](int lines) {
      for (int y = 0; y < line; ++y) {
        if (m_view->sliceAt(QPointF(150, lines * line + y))) return true;
      }
      return false;
    };
    const int frame = m_view->height() - m_view->viewport()->height();
    m_view->resize(200, 10 * line + frame);
    m_view->resize(200, 10 * line + frame);
    QVERIFY(rowsReach(6) && !rowsReach(8));
    m_view->resize(200, 10 * line - 4 + frame);
    QVERIFY(rowsReach(8));
  }

  void keysZoomAndPan() {
    QTest::keyClick(m_view.get(), Qt::Key_W);
    const auto zoomed = m_view->shown();
    QVERIFY(std::abs((zoomed.second - zoomed.first) * 1.25 - 0.1) < 1e-9);
    QTest::keyClick(m_view.get(), Qt::Key_A);
    QVERIFY(m_view->shown().first < zoomed.first);
    QTest::keyClick(m_view.get(), Qt::Key_D);
    QVERIFY(std::abs(m_view->shown().first - zoomed.first) < 1e-9);
    QTest::keyClick(m_view.get(), Qt::Key_S);
    QVERIFY(showsAll());
    for (int i = 0; i < 200; ++i) QTest::keyClick(m_view.get(), Qt::Key_W);
    QVERIFY(m_view->shown().second > m_view->shown().first);
    QVERIFY(!showsAll());
    QTest::keyClick(m_view.get(), Qt::Key_0);
    QVERIFY(showsAll());
  }

  void draggingPansAndAClickChooses() {
    m_view->showTime(0.04, 0.06);
    QTest::mousePress(m_view->viewport(), Qt::LeftButton, {}, {500, 60});
    QTest::mouseMove(m_view->viewport(), {300, 60});
    QTest::mouseMove(m_view->viewport(), {301, 60});
    QTest::mouseRelease(m_view->viewport(), Qt::LeftButton, {}, {301, 60});
    QVERIFY(m_view->shown().first > 0.04);
    QVERIFY(!m_view->chosen());
    QSignalSpy chosen(m_view.get(), &TimelineView::chosenChanged);
    QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, {400, 30});
    QCOMPARE(chosen.count(), 1);
    QVERIFY(m_view->chosen());
    QVERIFY2(m_view->statusText().contains("stage 0"), qPrintable(m_view->statusText()));
  }

  void arrowsGoFromSliceToSlice() {
    QTest::keyClick(m_view.get(), Qt::Key_Right);
    QCOMPARE(m_view->chosen(), std::optional<std::uint32_t>(0));
    QTest::keyClick(m_view.get(), Qt::Key_Right);
    QVERIFY(m_view->statusText().contains("microbatch 1"));
    QTest::keyClick(m_view.get(), Qt::Key_Down);
    QTest::keyClick(m_view.get(), Qt::Key_Down);
    QVERIFY2(m_view->statusText().contains("stage 1"), qPrintable(m_view->statusText()));
    QSignalSpy followed(m_view.get(), &TimelineView::followed);
    QTest::keyClick(m_view.get(), Qt::Key_Return);
    QCOMPARE(followed.count(), 1);
  }

  void aTooltipNamesBytesGroupAndLink() {
    m_view->choose(1);
    for (const char* part : {"134 MB", "8 devices over gpu 8", "NVSwitch"}) {
      QVERIFY2(m_view->statusText().contains(part), qPrintable(m_view->statusText()));
    }
  }

  // Painting grows with the pixels, not with the slices.
  void manySlicesArePaintedByColumns() {
    m_view->show(stages(25000));
    m_view->grab();
    const int rows = 8;
    QVERIFY2(m_view->painted() <= 2 * rows * m_view->width(), qPrintable(QString::number(m_view->painted())));
    QVERIFY(m_view->painted() >= rows);
  }

  // Between slices of computation a thin one is no more than a line.
  void thinSlicesAreSeenInTheDark() {
    Theme::apply(Theme::Scheme::Dark);
    for (const SliceKind kind : {SliceKind::Tensor, SliceKind::Context, SliceKind::Expert, SliceKind::Pipeline,
                                 SliceKind::Data, SliceKind::Optimizer}) {
      QImage image(20, 20, QImage::Format_RGB32);
      QPainter painter(&image);
      fillSlice(painter, QRectF(0, 0, 20, 20), SliceKind::Computation);
      fillSlice(painter, QRectF(8, 0, 2, 20), kind);
      const double ratio = contrastOf(image.pixelColor(8, 10), image.pixelColor(2, 10));
      QVERIFY2(ratio >= 2, qPrintable(QString("%1: %2").arg(titleOf(kind)).arg(ratio)));
    }
    Theme::apply(Theme::Scheme::Light);
  }

  void screenReadersFindSlices() {
    QVERIFY(m_view->itemCount() > 0);
    QVERIFY(m_view->itemAt(1).value.contains("AllGather"));
    m_view->choose(1);
    QCOMPARE(m_view->focusedItem(), 1);
    QVERIFY(!m_view->accessibleDescription().isEmpty());
  }

 private:
  [[nodiscard]] bool showsAll() const {
    const auto [from, to] = m_view->shown();
    return std::abs(from) < 1e-12 && std::abs(to - 0.1) < 1e-9;
  }

  std::unique_ptr<TimelineView> m_view;
};

QTEST_MAIN(TestTimelineView)
#include "tst_timeline_view.moc"
