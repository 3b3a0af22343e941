// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "views/common/canvas.h"
#include "views/stage/stage_painter.h"

namespace p2::views {

/// The devices with their matrices at one moment of a replay. A click or Enter chooses a device; once one is under the
/// cursor (chosen, or Up or Down pressed) the arrow keys walk, until Esc gives them back to the steps.
class StageView : public Canvas {
  Q_OBJECT
 public:
  explicit StageView(QWidget* parent = nullptr);

  void setReplay(std::shared_ptr<const Replay> replay);
  void setMoment(int step, double progress);
  void setStale(bool stale);
  void setHovered(Device device);
  [[nodiscard]] Device chosen() const { return m_frame.chosen; }
  void setChosen(Device device);
  /// Where a device is drawn, in widget coordinates.
  [[nodiscard]] QRectF rectOf(Device device) const;

  /// Also lays the devices out anew, as large as the widget allows.
  void fit() override;

 signals:
  void deviceHovered(p2::Device device);
  void deviceChosen(p2::Device device);

 protected:
  [[nodiscard]] QRectF drawingBounds() const override { return m_painter.map().bounds; }
  /// Laid out for the widget already: pixels stay pixels.
  [[nodiscard]] double mostFittedZoom() const override { return 1; }
  void paintDrawing(QPainter& painter, const QRectF& visible) override;
  void hovered(std::optional<QPointF> point) override;
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void layOut();
  void moveCursor(int key);
  void choose(Device device);
  void describe();
  [[nodiscard]] QString textOf(Device device) const;

  std::shared_ptr<const Replay> m_replay;
  StagePainter m_painter;
  StageFrame m_frame;
  QPointF m_pressedAt;
};

}  // namespace p2::views
