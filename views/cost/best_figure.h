// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <memory>

#include "views/common/figure_style.h"
#include "views/cost/best_rows.h"

class QPainter;

namespace p2::views {

/// The best program of every placement as a figure for print: a row each with its matrix, the bars of the best
/// program and the single collective, over a logarithmic axis of time. Without sentences. A value.
class BestFigure {
 public:
  static constexpr std::size_t kMostRows = 16;

  BestFigure(std::shared_ptr<const Exploration> exploration, const FigureStyle& style, QString title);

  /// Pixels before FigureStyle::scale().
  [[nodiscard]] QSize size() const;
  void paint(QPainter& painter) const;
  /// Seconds at the ends of the axis: powers of ten.
  [[nodiscard]] double from() const { return m_from; }
  [[nodiscard]] double to() const { return m_to; }

 private:
  struct Frame {
    int nameWidth = 0;
    int left = 0;  ///< end of the axis
    int right = 0;
    int top = 0;  ///< first row
    int rowHeight = 0;
    int bottom = 0;  ///< last row
  };
  [[nodiscard]] Frame frame() const;
  [[nodiscard]] double placeOf(const Frame& frame, double seconds) const;
  void paintAxis(QPainter& painter, const Frame& frame) const;
  void paintRow(QPainter& painter, const Frame& frame, std::size_t row) const;
  void paintLegend(QPainter& painter, const Frame& frame) const;

  std::shared_ptr<const Exploration> m_exploration;
  std::vector<BestRow> m_rows;
  FigureStyle m_style;
  QString m_title;
  double m_from = 1;
  double m_to = 10;
};

}  // namespace p2::views
