// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <vector>

#include "views/cost/cost_colours.h"

namespace p2::views {

/// One line of the plot's legend: a swatch, a letter and a matrix, or a text.
class CostLegendItem : public QCPAbstractLegendItem {
  Q_OBJECT
 public:
  enum class Swatch { Category, Reference, Steps, None };

  /// The look of a placement's bars.
  CostLegendItem(QCPLegend* legend, int placement, const ParallelismMatrix& matrix);
  CostLegendItem(QCPLegend* legend, Swatch swatch, const QString& text, int category = 0);

 protected:
  void draw(QCPPainter* painter) override;
  [[nodiscard]] QSize minimumOuterSizeHint() const override;

 private:
  Swatch m_swatch;
  int m_category = 0;
  QString m_text;
  ParallelismMatrix m_matrix;
};

/// Fills a legend with the look of these placements' bars, one by one or by the level that they cross,
/// with the reference, and with the steps of stacked bars.
void fillLegend(QCPLegend& legend, const Exploration& exploration, const CostColours& colours,
                const std::vector<int>& placements, bool stacked);

}  // namespace p2::views
