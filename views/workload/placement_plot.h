// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <utility>
#include <vector>

#include "views/common/themed_plot.h"

namespace p2::views {

/// A chart whose marks stand for placements: the one under the mouse or reached by Left and Right is ringed and told,
/// a click or Enter chooses it.
class PlacementPlot : public ThemedPlot {
  Q_OBJECT
 public:
  void setStale(bool stale);

 signals:
  void pointHovered(const QString& text);  ///< empty for none
  void pointClicked(int placement);
  void pointActivated(int placement);

 protected:
  /// A placement and where on the x axis it is looked at.
  using Spot = std::pair<int, double>;

  explicit PlacementPlot(const QString& accessibleName, QWidget* parent);

  /// The placement of a point in pixels, −1 for none.
  [[nodiscard]] virtual int placementAt(QPointF position) const = 0;
  [[nodiscard]] virtual QString textOf(Spot spot) const = 0;
  /// Position in coordinates of the axes.
  [[nodiscard]] virtual QPointF coordsOf(Spot spot) const = 0;
  /// The marks that Left and Right walk over, from left to right.
  [[nodiscard]] virtual std::vector<Spot> walk() const = 0;
  [[nodiscard]] QString toolTipAt(const QPoint& place) const override;

  /// A graph of points without a line, which cannot be selected.
  QCPGraph* addPoints();
  /// Removes all rings; this graph draws the rings from now on, null for none.
  void setRing(QCPGraph* ring);
  [[nodiscard]] QCPGraph* ring() const { return m_ring; }
  /// The colour, weak while the answer is stale.
  [[nodiscard]] QColor current(QColor color) const;

  void keyPressEvent(QKeyEvent* event) override;
  void leave() override;

 private:
  void connectMouse();
  void hover(Spot spot);
  [[nodiscard]] Spot spotAt(QPointF position) const;

  QCPGraph* m_ring = nullptr;
  QPoint m_pressedAt;
  Spot m_hovered{-1, 0};
  bool m_stale = false;
};

}  // namespace p2::views
