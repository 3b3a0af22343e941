// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <optional>

#include "explore/sweep_map.h"

namespace p2::views {

/// One line of the map's legend: the look of a winner's cells and its name, or an outline or a sign.
class MapLegendItem : public QCPAbstractLegendItem {
  Q_OBJECT
 public:
  enum class Sign { Best, Chosen, None };

  MapLegendItem(QCPLegend* legend, std::size_t winner, const QString& text);
  MapLegendItem(QCPLegend* legend, Sign sign, const QString& text);

 protected:
  void draw(QCPPainter* painter) override;
  [[nodiscard]] QSize minimumOuterSizeHint() const override;

 private:
  std::optional<std::size_t> m_winner;
  Sign m_sign = Sign::None;
  QString m_text;
};

/// Fills a legend with the winners of a map; of many, the most frequent ones and how many more there are.
void fillMapLegend(QCPLegend& legend, const SweepMap& map);

}  // namespace p2::views
