// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "timeline/step_timeline.h"
#include "views/common/view_figure.h"

namespace p2::views {

/// The memory of the fullest device over a step: parameters, gradients, optimizer states and buffers, and on top of
/// them the activations that wait for their backward pass; the limit leaves the reserve free.
class MemoryView : public QWidget {
  Q_OBJECT
 public:
  explicit MemoryView(QWidget* parent = nullptr);

  void setCurve(std::optional<MemoryCurve> curve);
  void setStale(bool stale);
  /// "at 1.20 s: 71.2 GB of 80.0 GB, 32.1 GB of it activations"; empty where there is no curve.
  [[nodiscard]] QString textAt(double x) const;

  /// The curve without the pointer and without sentences, for a figure.
  [[nodiscard]] ViewPicture picture() const;

  [[nodiscard]] QSize sizeHint() const override { return {320, 200}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {200, 60}; }

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  [[nodiscard]] QRectF area() const;
  [[nodiscard]] double yOf(double bytes) const;
  [[nodiscard]] double activationsAt(double time) const;
  [[nodiscard]] double mostActivations(double from, double to) const;
  void paintAxis(QPainter& painter) const;
  void paintStates(QPainter& painter) const;
  void paintActivations(QPainter& painter) const;
  void paintLimit(QPainter& painter) const;
  void paint(QPainter& painter) const;
  void describeCurve();

  std::optional<MemoryCurve> m_curve;
  std::optional<double> m_pointer;
  bool m_stale = false;
  bool m_isFigure = false;
  bool m_hasLegend = true;
};

}  // namespace p2::views
