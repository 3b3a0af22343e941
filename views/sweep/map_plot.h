// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "explore/sweep_map.h"
#include "views/common/themed_plot.h"

namespace p2::views {

class MapCells;

/// A map with axes and legend: placements from top to bottom, values from left to right. The wheel zooms, dragging
/// pans; the arrow keys walk from cell to cell, Enter chooses.
class MapPlot : public ThemedPlot {
  Q_OBJECT
 public:
  explicit MapPlot(QWidget* parent = nullptr);

  /// Null for none.
  void setMap(std::shared_ptr<const SweepMap> map);
  [[nodiscard]] const std::shared_ptr<const SweepMap>& map() const;
  void setStale(bool stale);
  /// The placement that is chosen; an empty matrix for none.
  void setChosen(const ParallelismMatrix& matrix);
  void zoom(double factor);
  void fit();

  /// Rectangle of a cell, in pixels of this widget.
  [[nodiscard]] QRectF rectOf(int row, int column) const;
  [[nodiscard]] QString textOf(int row, int column) const;

 signals:
  void cellHovered(const QString& text);  ///< empty for none
  void cellClicked(int row, int column);
  void cellActivated(int row, int column);  ///< by double click

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void leave() override;

 private:
  void connectMouse();
  void applyTheme() override;
  [[nodiscard]] QString toolTipAt(const QPoint& place) const override;
  [[nodiscard]] int rowsPerLabel() const;
  void labelRows();
  void hover(int row, int column);

  MapCells* m_cells;
  ParallelismMatrix m_chosen;
  QPoint m_pressedAt;
  int m_rowsPerLabel = 0;
  int m_row = -1;
  int m_column = -1;
};

}  // namespace p2::views
