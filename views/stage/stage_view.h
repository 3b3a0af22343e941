// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "views/common/accessible_items.h"
#include "views/common/canvas.h"
#include "views/stage/stage_painter.h"

namespace p2::views {

class StageStrip;

/// The devices with their matrices at one moment of a replay, and how they are read. A click or Enter chooses a device,
/// Ctrl and the arrow keys walk, Esc leaves; a double click goes into a node. B shows the holdings before the
/// last step, N sums instead of bits. The row under the mouse lights up on all devices of its group. Screen readers
/// find the devices one by one, and hear of every step.
class StageView : public Canvas, public AccessibleItems {
  Q_OBJECT
 public:
  explicit StageView(QWidget* parent = nullptr);

  /// `whole` is the program that this replay begins. Showing its legend keeps the devices in place when the rest
  /// follows.
  void setReplay(std::shared_ptr<const Replay> replay, const Replay* whole = nullptr);
  void setMoment(int step, double progress);
  void setStale(bool stale);
  void setHovered(Device device);
  [[nodiscard]] Device chosen() const { return m_frame.chosen; }
  void setChosen(Device device);
  /// How many steps are behind the states that are drawn: one less while the step before is looked at.
  [[nodiscard]] int stepsShown() const;
  /// Whether sums stand for bits.
  [[nodiscard]] bool showsNumbers() const { return m_frame.numbers; }
  /// Draws rings round devices and rows; an empty emphasis takes them away.
  void setEmphasis(StageEmphasis emphasis);
  /// Outlines groups that an instruction would use; no groups take the outlines away.
  void setPreview(const std::vector<DeviceGroup>& groups);
  /// Rectangle of a device, in widget coordinates.
  [[nodiscard]] QRectF rectOf(Device device) const;
  /// Rectangle of a row of its matrix.
  [[nodiscard]] QRectF rectOf(Device device, std::int64_t chunk) const;

  /// Enlarges everything by this factor, text included: for projectors.
  void setMagnification(double factor);
  /// Pixels of the smallest text that it writes.
  [[nodiscard]] double leastTextPixels() const;
  /// Whether legend and buttons stand below; else all of the room is the devices'.
  void setStripShown(bool shown);
  /// Whether devices are too small for bits at this zoom: bars stand for chunks and sums.
  [[nodiscard]] bool drawsGlyphs() const { return m_glyphs; }
  /// Does as another one does from now on: zoom, before and after, numbers.
  void follow(StageView& other);
  [[nodiscard]] int itemCount() const override { return m_replay ? int(m_painter.map().cells.size()) : 0; }
  [[nodiscard]] AccessibleItem itemAt(int index) const override;
  [[nodiscard]] int focusedItem() const override {
    return m_frame.focused.isNone() ? -1 : int(m_frame.focused.value());
  }

  /// Also lays the devices out again, as large as the widget allows.
  void fit() override;

 signals:
  void deviceHovered(p2::Device device);
  void deviceChosen(p2::Device device);
  void optionsChanged();  ///< stepsShown() by a button, or showsNumbers()
  void navigatedByUser();
  void detailChanged();  ///< drawsGlyphs()

 protected:
  [[nodiscard]] QRectF drawingBounds() const override { return m_painter.map().bounds; }
  /// Laid out for the widget already: pixels stay pixels.
  [[nodiscard]] double mostFittedZoom() const override { return m_magnification; }
  void navigated() override;
  void paintDrawing(QPainter& painter, const QRectF& visible) override;
  void hovered(std::optional<QPointF> point) override;
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void connectStrip();
  void placeStrip();
  void layOut();
  void setPainterScale();
  void tellDetail();
  void moveCursor(int key);
  void choose(Device device);
  [[nodiscard]] QRectF inWidget(const QRectF& drawing) const;
  void describe();
  void announceMoment();
  [[nodiscard]] QString holdingOf(Device device) const;
  [[nodiscard]] QString textOf(Device device) const;

  StageStrip* m_strip;
  std::shared_ptr<const Replay> m_replay;
  StagePainter m_painter;
  StageFrame m_frame;
  QString m_announced;  // the last sentence about a step
  QPointF m_pressedAt;
  double m_magnification = 1;
  bool m_glyphs = false;
  bool m_following = false;  // it is another one's doing, not the user's
};

}  // namespace p2::views
