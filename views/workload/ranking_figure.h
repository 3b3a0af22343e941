// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>
#include <memory>

#include "step/step_ranking.h"
#include "views/common/figure_style.h"

class QPainter;

namespace p2::views {

/// The best placements of a ranking as a figure for print: a matrix, the bar of its step, and the time for each, on
/// white. Finding and places of the axes belong into the caption. A value.
class RankingFigure {
 public:
  static constexpr std::size_t kMostRows = 12;

  /// Without a ranking it is empty.
  RankingFigure(std::shared_ptr<const StepRanking> ranking, const FigureStyle& style, QString title);

  /// In pixels of FigureStyle::layoutWidth().
  [[nodiscard]] QSize size() const;
  void paint(QPainter& painter) const;

 private:
  [[nodiscard]] std::size_t rows() const;
  [[nodiscard]] int rowHeight() const;
  /// Left edge of the bars.
  [[nodiscard]] int barsLeft() const;
  /// Lays the legend out below `top`, and draws it where there is a painter; answers where it ends.
  int legend(QPainter* painter, int top) const;
  void paintRow(QPainter& painter, std::size_t row, int top) const;

  std::shared_ptr<const StepRanking> m_ranking;
  FigureStyle m_style;
  QString m_title;
};

}  // namespace p2::views
