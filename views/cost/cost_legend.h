// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <vector>

#include "explore/explore.h"

namespace p2::views {

/// One line of the plot's legend: a swatch, a letter and a matrix, or a text.
class CostLegendItem : public QCPAbstractLegendItem {
  Q_OBJECT
 public:
  enum class Swatch { Placement, Reference, None };

  /// What the bars of a placement look like.
  CostLegendItem(QCPLegend* legend, int placement, const ParallelismMatrix& matrix);
  CostLegendItem(QCPLegend* legend, Swatch swatch, const QString& text);

 protected:
  void draw(QCPPainter* painter) override;
  [[nodiscard]] QSize minimumOuterSizeHint() const override;

 private:
  Swatch m_swatch;
  int m_placement = 0;
  QString m_text;
  ParallelismMatrix m_matrix;
};

/// Fills a legend with what the bars of these placements look like; of many, the first ones and how many more there
/// are.
void fillLegend(QCPLegend& legend, const Exploration& exploration, const std::vector<int>& placements);

}  // namespace p2::views
