// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/themed_plot.h"
#include "views/runs/run_record_row.h"

namespace p2::views {

/// Runs of one group as points: predicted time to the right, measured time upwards, both on the same logarithmic scale.
/// Runs above the diagonal were slower than predicted.
class ComparisonPlot : public ThemedPlot {
  Q_OBJECT
 public:
  explicit ComparisonPlot(QWidget* parent = nullptr);

  /// Runs without a right result or without a prediction are left out.
  void setRows(std::vector<RunRow> rows);
  /// The rows from the fastest measured to the slowest, as the arrow keys walk over them.
  [[nodiscard]] const std::vector<RunRow>& rows() const { return m_rows; }
  void setSelected(qint64 id);
  /// Position of a run, in pixels of this widget.
  [[nodiscard]] QPointF pointOf(std::size_t row) const;

 signals:
  void runClicked(qint64 id);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  void applyTheme() override;
  [[nodiscard]] QString toolTipAt(const QPoint& place) const override;
  [[nodiscard]] int rowAt(QPointF position) const;
  [[nodiscard]] QString textOf(const RunRow& row) const;

  std::vector<RunRow> m_rows;
  QCPGraph* m_points;
  QCPErrorBars* m_spread;
  QCPGraph* m_chosen;
  QCPItemLine* m_diagonal;
  QCPItemText* m_right;  // label of the diagonal
};

}  // namespace p2::views
