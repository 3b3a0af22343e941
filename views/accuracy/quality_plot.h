// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "views/accuracy/model_quality.h"
#include "views/common/themed_plot.h"

namespace p2::views {

/// Predicted against measured times, both axes logarithmic: on the diagonal a prediction is right, between the dotted
/// lines within a quarter. Bands of sizes differ in their marks. The point under the mouse or reached by Left, Right,
/// Home and End is ringed and told.
class QualityPlot : public ThemedPlot {
  Q_OBJECT
 public:
  explicit QualityPlot(QWidget* parent = nullptr);

  void setPoints(std::vector<QualityPoint> points);
  /// The points, in the order of the measured times.
  [[nodiscard]] const std::vector<QualityPoint>& points() const { return m_points; }
  /// Position of a point, in pixels of this widget.
  [[nodiscard]] QPointF pixelOf(std::size_t point) const;
  [[nodiscard]] QString textOf(std::size_t point) const;

 signals:
  void pointHovered(const QString& text);  ///< empty for none

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void leave() override;

 private:
  void applyTheme() override;
  [[nodiscard]] QString toolTipAt(const QPoint& place) const override;
  void hover(int point);
  [[nodiscard]] int pointAt(QPointF position) const;

  std::vector<QualityPoint> m_points;
  int m_hovered = -1;
  std::array<QCPGraph*, kSizeBands> m_bands{};
  QCPGraph* m_right;
  std::array<QCPGraph*, 2> m_near{};
  QCPGraph* m_ring = nullptr;
};

}  // namespace p2::views
