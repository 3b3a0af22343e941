// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <memory>

#include "views/program/stepper_painter.h"

namespace p2::views {

/// The devices with their matrices at one moment of a replay. A click or Enter chooses a device; once one is under the
/// cursor (chosen, or Up or Down pressed) the arrow keys walk, until Esc gives them back to the steps.
class StepperView : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit StepperView(QWidget* parent = nullptr);

  void setReplay(std::shared_ptr<const Replay> replay);
  void setMoment(int step, double progress);
  void setStale(bool stale);
  void setHovered(Device device);
  [[nodiscard]] Device chosen() const { return m_frame.chosen; }
  void setChosen(Device device);
  /// Where a device is drawn, in the coordinates of viewport().
  [[nodiscard]] QRectF rectOf(Device device) const;

 signals:
  void deviceHovered(p2::Device device);
  void deviceChosen(p2::Device device);

 protected:
  bool event(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void relayout();
  void moveCursor(int key);
  void choose(Device device);
  void describe();
  [[nodiscard]] QPointF origin() const;
  [[nodiscard]] QString textOf(Device device) const;

  std::shared_ptr<const Replay> m_replay;
  StepperPainter m_painter;
  StepperFrame m_frame;
  double m_pixelRatio = 0;
};

}  // namespace p2::views
