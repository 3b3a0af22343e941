// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include "views/runs/run_record_row.h"

namespace p2::views {

/// Runs sorted by what was measured, from the fastest repetition to the slowest, with what was predicted beside it
/// (paper Fig. 11).
class ComparisonPlot : public QCustomPlot {
  Q_OBJECT
 public:
  explicit ComparisonPlot(QWidget* parent = nullptr);

  /// Runs without a right result or without a prediction are left out.
  void setRows(std::vector<RunRow> rows);
  /// In the order in which they are drawn.
  [[nodiscard]] const std::vector<RunRow>& rows() const { return m_rows; }
  void setSelected(qint64 id);

 signals:
  void runClicked(qint64 id);

 protected:
  bool event(QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  void applyTheme();
  [[nodiscard]] int rowAt(QPointF position) const;

  std::vector<RunRow> m_rows;
  QCPGraph* m_measured;
  QCPErrorBars* m_spread;
  QCPGraph* m_predicted;
  QCPItemStraightLine* m_mark;
};

}  // namespace p2::views
