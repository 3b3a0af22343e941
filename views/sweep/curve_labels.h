// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <vector>

namespace p2::views {

/// The label at the right end of a curve.
struct EndLabel {
  QString text;
  QColor color;
  double value = 0;  ///< value of the curve at the right edge, in seconds
};

/// A vertical line and its label.
struct LineLabel {
  QString text;
  double value = 0;  ///< on the horizontal axis
};

/// Words of a plot of curves: names at the right ends of the curves, pushed apart where they would meet, and sentences
/// at the top of vertical lines, in as many rows as they need and the plot has room for. They are placed again whenever
/// the plot is laid out.
class CurveLabels : public QObject {
  Q_OBJECT
 public:
  explicit CurveLabels(QCustomPlot& plot);

  void setEnds(std::vector<EndLabel> ends);
  void setLines(std::vector<LineLabel> lines);
  void setFaded(bool faded) { m_faded = faded; }
  /// Pixels at the right that the names need.
  [[nodiscard]] int roomAtRight() const;
  /// Pixels at the top that the sentences take of a plot of that height.
  [[nodiscard]] int roomAtTop(int height) const;

 private:
  [[nodiscard]] static int mostRows(int height);
  void place();
  void placeEnds();
  void placeLines();

  QCustomPlot& m_plot;
  std::vector<EndLabel> m_ends;
  std::vector<LineLabel> m_lines;
  std::vector<QCPItemText*> m_endItems;
  std::vector<QCPItemText*> m_lineItems;
  std::vector<QCPItemStraightLine*> m_lineMarks;
  bool m_faded = false;
};

}  // namespace p2::views
