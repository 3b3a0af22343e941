// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "views/stage/folded_runs.h"

namespace p2::views {

/// One device's bit matrix in a group too large to draw bit by bit: equal neighbouring rows and columns are drawn as
/// one, with their number written next to it.
class FoldedMatrix : public QWidget {
  Q_OBJECT
 public:
  /// Largest number of rows and columns drawn.
  static constexpr std::size_t kMostRuns = 11;

  explicit FoldedMatrix(QWidget* parent = nullptr);
  void show(const FoldedState& state);
  [[nodiscard]] QSize sizeHint() const override { return {256, 288}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void paintCell(QPainter& painter, const QRectF& cell, const FoldedRun& row, const FoldedRun& column) const;

  std::int64_t m_size = 0;
  std::vector<FoldedRun> m_rows;
  std::vector<FoldedRun> m_columns;
};

}  // namespace p2::views
