// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <memory>

#include "views/workload/ranking_words.h"

class QPainter;

namespace p2::views {

/// The best placements of a ranking as a picture that stands by itself: the finding, the legend, and a bar for each
/// with its matrix, the places of the axes, its time and the orders that give it. A value.
class RankingPicture {
 public:
  /// The picture of a ranking; empty without one. The bars take the width that the words leave.
  RankingPicture(std::shared_ptr<const StepRanking> ranking, std::optional<ReductionWinner> winner, int width);

  [[nodiscard]] QSize size() const;
  void paint(QPainter& painter) const;

 private:
  /// The columns' left edges and the height of rows.
  struct Grid {
    int matrix = 0;
    int words = 0;
    int bars = 0;
    int orders = 0;
    int right = 0;
    int rowHeight = 0;
    int head = 0;
  };
  [[nodiscard]] std::size_t rows() const;
  [[nodiscard]] Grid grid() const;
  [[nodiscard]] QString wordsOf(std::size_t row) const;
  [[nodiscard]] int paintHead(QPainter& painter) const;
  void paintRow(QPainter& painter, const Grid& grid, std::size_t row, int top) const;

  std::shared_ptr<const StepRanking> m_ranking;
  std::optional<ReductionWinner> m_winner;
  int m_width;
};

}  // namespace p2::views
