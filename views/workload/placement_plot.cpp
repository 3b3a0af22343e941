// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/placement_plot.h"

#include <QApplication>
#include <QKeyEvent>
#include <algorithm>

#include "views/common/focus_ring.h"

namespace p2::views {

PlacementPlot::PlacementPlot(const QString& accessibleName, QWidget* parent) : ThemedPlot(parent) {
  setFocusPolicy(Qt::StrongFocus);
  showFocusRing(*this);
  setAccessibleName(accessibleName);
  setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  legend->setVisible(false);
  connectMouse();
}

void PlacementPlot::connectMouse() {
  connect(this, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) { m_pressedAt = event->pos(); });
  connect(this, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
    if (event->buttons() == Qt::NoButton) hover(spotAt(event->pos()));
  });
  connect(this, &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
    const bool dragged = (event->pos() - m_pressedAt).manhattanLength() >= QApplication::startDragDistance();
    const int placement = placementAt(event->pos());
    if (event->button() == Qt::LeftButton && !dragged && placement >= 0) emit pointClicked(placement);
  });
  connect(this, &QCustomPlot::mouseDoubleClick, this, [this](QMouseEvent* event) {
    if (const int placement = placementAt(event->pos()); placement >= 0) emit pointActivated(placement);
  });
}

PlacementPlot::Spot PlacementPlot::spotAt(QPointF position) const {
  return {placementAt(position), xAxis->pixelToCoord(position.x())};
}

QCPGraph* PlacementPlot::addPoints() {
  QCPGraph* points = addGraph();
  points->setLineStyle(QCPGraph::lsNone);
  points->setSelectable(QCP::stNone);
  return points;
}

void PlacementPlot::setRing(QCPGraph* ring) {
  m_ring = ring;
  m_hovered.first = -1;
  if (ring != nullptr) ring->setData({}, {});
}

QColor PlacementPlot::current(QColor color) const {
  if (m_stale) color.setAlphaF(0.4F);
  return color;
}

void PlacementPlot::setStale(bool stale) {
  if (std::exchange(m_stale, stale) != stale) applyTheme();
}

void PlacementPlot::hover(Spot spot) {
  const int before = m_hovered.first;
  if (m_ring == nullptr || (spot.first < 0 && before < 0)) return;
  if (spot.first == before && coordsOf(spot) == coordsOf(m_hovered)) return;
  m_hovered = spot;
  m_ring->setData({}, {});
  QString text;
  if (spot.first >= 0) {
    const QPointF at = coordsOf(spot);
    m_ring->addData(at.x(), at.y());
    text = textOf(spot);
  }
  setAccessibleDescription(text);
  emit pointHovered(text);
  replot(rpQueuedReplot);
}

QString PlacementPlot::toolTipAt(const QPoint& place) const {
  const Spot spot = spotAt(place);
  return spot.first < 0 ? QString() : textOf(spot).replace(QStringLiteral(" · "), QStringLiteral("\n"));
}

void PlacementPlot::leave() { hover({-1, 0}); }

void PlacementPlot::keyPressEvent(QKeyEvent* event) {
  const auto spots = walk();
  const bool back = event->key() == Qt::Key_Left;
  if ((back || event->key() == Qt::Key_Right) && !spots.empty()) {
    const auto at =
        std::find_if(spots.begin(), spots.end(), [this](const Spot& spot) { return spot.first == m_hovered.first; });
    if (at == spots.end()) return hover(back ? spots.back() : spots.front());
    const auto end = back ? spots.begin() : spots.end() - 1;
    return hover(at == end ? *at : *(back ? at - 1 : at + 1));
  }
  if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_hovered.first >= 0) {
    return emit pointClicked(m_hovered.first);
  }
  QCustomPlot::keyPressEvent(event);
}

}  // namespace p2::views
