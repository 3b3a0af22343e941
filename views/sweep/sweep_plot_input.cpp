// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QKeyEvent>
#include <algorithm>
#include <cmath>

#include "views/common/text.h"
#include "views/sweep/sweep_plot.h"

namespace p2::views {
namespace {

constexpr int kNear = 8;  // pixels

}  // namespace

void SweepPlot::connectMouse() {
  connect(this, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) { m_pressedAt = event->pos(); });
  connect(this, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
    if (event->buttons() != Qt::NoButton) return;
    hover(pointAt(event->pos()));
    tell(textAt(event->pos()));
  });
  connect(this, &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
    const bool dragged = (event->pos() - m_pressedAt).manhattanLength() >= QApplication::startDragDistance();
    const int point = pointAt(event->pos());
    if (event->button() == Qt::LeftButton && !dragged && point >= 0) emit pointClicked(point);
  });
  connect(this, &QCustomPlot::mouseDoubleClick, this, [this](QMouseEvent* event) {
    if (const int point = pointAt(event->pos()); point >= 0) emit pointActivated(point);
  });
}

int SweepPlot::pointAt(QPointF position) const {
  if (!m_sweep || !axisRect()->rect().contains(position.toPoint())) return -1;
  const auto& points = m_sweep->points;
  const auto nearest = std::min_element(points.begin(), points.end(), [&](const SweepPoint& a, const SweepPoint& b) {
    return std::abs(xAxis->coordToPixel(a.value) - position.x()) <
           std::abs(xAxis->coordToPixel(b.value) - position.x());
  });
  return int(nearest - points.begin());
}

int SweepPlot::measuredAt(QPointF position) const {
  int nearest = -1;
  double least = kNear;
  for (int row = 0; row < measuredCount(); ++row) {
    const double away = QLineF(pixelOfMeasured(row), position).length();
    if (away < least) nearest = row;
    least = std::min(least, away);
  }
  return nearest;
}

QString SweepPlot::textAt(QPointF position) const {
  if (const int row = measuredAt(position); row >= 0) {
    return tr("measured: %1 at %2 · %3")
        .arg(secondsText(m_measured->dataMainValue(row)), bytesText(Bytes(m_measured->dataMainKey(row))),
             m_measuredTitle);
  }
  const int point = pointAt(position);
  return point < 0 ? QString() : textOf(point);
}

void SweepPlot::hover(int point) {
  if (point == m_hovered) return;
  m_hovered = point;
  if (point < 0) {
    m_mark->setData({}, {});
  } else {
    const SweepPoint& shown = m_sweep->points[std::size_t(point)];
    m_mark->setData({shown.value, shown.value}, {shown.best.seconds, shown.single.seconds}, true);
  }
  replot(rpQueuedReplot);
}

void SweepPlot::tell(const QString& text) {
  if (std::exchange(m_reported, text) == text) return;
  setAccessibleDescription(text);
  emit pointHovered(text);
}

QString SweepPlot::toolTipAt(const QPoint& place) const { return textAt(place).replace(" · ", "\n"); }

void SweepPlot::leave() {
  hover(-1);
  tell({});
}

void SweepPlot::keyPressEvent(QKeyEvent* event) {
  const int count = m_sweep ? int(m_sweep->points.size()) : 0;
  const bool walks = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
  if (walks && count > 0) {
    hover(event->key() == Qt::Key_Right ? std::min(m_hovered + 1, count - 1) : std::max(m_hovered - 1, 0));
    tell(textOf(m_hovered));
  } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_hovered >= 0) {
    emit pointClicked(m_hovered);
  } else {
    QCustomPlot::keyPressEvent(event);
  }
}

}  // namespace p2::views
