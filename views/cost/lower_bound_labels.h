// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <vector>

namespace p2::views {

class CostBars;

/// Labels of the bars' lower bounds, outside the bars: right of the plot if there is one line under all, below
/// the axis if every placement has its own. Left out where it would run into the next.
class LowerBoundLabels : public QObject {
  Q_OBJECT
 public:
  LowerBoundLabels(QCustomPlot& plot, const CostBars& bars);

  /// Keeps room for the labels of other bars.
  void reserve();

 private:
  void place();

  QCustomPlot& m_plot;
  const CostBars& m_bars;
  std::vector<QCPItemText*> m_items;
};

}  // namespace p2::views
