// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <memory>

#include "explore/sweep_map.h"

namespace p2::views {

/// Draws the cells of a map on a plot: row i stands around i on the vertical axis, columns around their values. Colour,
/// hatching and, where there is room, the name tell which program wins; the best row of every column is outlined.
class MapCells : public QCPAbstractPlottable {
  Q_OBJECT
 public:
  MapCells(QCPAxis* keyAxis, QCPAxis* valueAxis);

  void setMap(std::shared_ptr<const SweepMap> map) { m_map = std::move(map); }
  [[nodiscard]] const std::shared_ptr<const SweepMap>& map() const { return m_map; }
  void setStale(bool stale) { m_stale = stale; }
  /// The cell to light up; −1 for none. And the row that is chosen.
  void setHovered(int row, int column);
  void setChosenRow(int row) { m_chosenRow = row; }

  struct Cell {
    int row = -1;
    int column = -1;
  };
  /// The cell under a point of the plot; {−1, −1} for none.
  [[nodiscard]] Cell cellAt(QPointF point) const;
  /// Rectangle of a row's cells from one column to another, in pixels of the plot.
  [[nodiscard]] QRectF rectOf(int row, int first, int last) const;
  /// Rectangles of the names in a row; they avoid the outlines of the best placement.
  [[nodiscard]] std::vector<QRectF> namePlaces(int row, const QFontMetrics& metrics) const;
  /// Edge between two columns, before the first or behind the last.
  [[nodiscard]] double edge(std::size_t column) const;

  double selectTest(const QPointF& pos, bool onlySelectable, QVariant* details = nullptr) const override;
  QCPRange getKeyRange(bool& foundRange, QCP::SignDomain inSignDomain = QCP::sdBoth) const override;
  QCPRange getValueRange(bool& foundRange, QCP::SignDomain inSignDomain = QCP::sdBoth,
                         const QCPRange& inKeyRange = QCPRange()) const override;

 protected:
  void draw(QCPPainter* painter) override;
  void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override;

 private:
  /// Columns side by side in which the same program wins.
  struct Run {
    int first = 0;
    int last = 0;
    std::size_t winner = 0;
  };
  [[nodiscard]] std::vector<Run> runsOf(int row) const;
  /// Rectangle of a run's name; empty if the run is too narrow.
  [[nodiscard]] QRectF namePlace(int row, const Run& run, const QFontMetrics& metrics) const;
  void drawRow(QCPPainter& painter, int row) const;
  void drawNames(QCPPainter& painter, int row) const;
  void drawBest(QCPPainter& painter) const;
  void drawMarks(QCPPainter& painter) const;

  std::shared_ptr<const SweepMap> m_map;
  Cell m_hovered;
  int m_chosenRow = -1;
  bool m_stale = false;
};

/// Fills a rectangle as the cells look in which that winner is the best: the swatch of legends too.
void fillLikeWinner(QPainter& painter, const QRectF& rect, std::size_t winner);

}  // namespace p2::views
