// SPDX-License-Identifier: GPL-3.0-or-later
// Words on a motion: sums, contributions counted twice, chunks overwritten.
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "views/common/device_names.h"
#include "views/common/theme.h"
#include "views/stage/motion_painter.h"

namespace p2::views {
namespace {

constexpr std::size_t kMostNamed = 4;  // contributions that are counted twice

}  // namespace

QString MotionPainter::additionText(const Flight& flight, double progress) const {
  const double lasts = flight.end - flight.start;
  const bool near = progress >= flight.start + lasts / 2 && progress < flight.end + StepMotion::kAdded * lasts;
  if (!near || !m_replay->isExplicit()) return {};
  const auto sum = additionOf(m_replay->trace, StepId(m_step), m_motion->groups[flight.group],
                              static_cast<const StepMessage&>(flight));
  if (!sum) return {};
  const QString terms = QStringLiteral("%1 + %2").arg(sum->held).arg(sum->brought);
  return progress < flight.end ? terms : QStringLiteral("%1 → %2").arg(terms).arg(sum->held + sum->brought);
}

void MotionPainter::paintAddition(QPainter& painter, const Flight& flight, double progress) const {
  const QString text = additionText(flight, progress);
  if (text.isEmpty()) return;
  const double below = 14 / m_layout->zoom();
  const QPointF at = flight.to.isNone() ? wayOf(flight).back() : rowsRect(flight, flight.to).center();
  paintPlate(painter, at + QPointF(0, sizeOf(flight).height() / 2 + below), text, Theme::accent());
}

QRectF MotionPainter::plateRect(const QFont& font, QPointF centre, const QString& text) const {
  const double pixel = 1 / m_layout->zoom();
  const QFontMetricsF metrics(font);
  const QSizeF size(metrics.horizontalAdvance(text) + 10 * pixel, metrics.height() + 2 * pixel);
  QRectF plate(centre - QPointF(size.width(), size.height()) / 2, size);
  const QRectF& bounds = m_layout->map().bounds;
  plate.moveRight(std::min(plate.right(), bounds.right()));
  plate.moveLeft(std::max(plate.left(), bounds.left()));
  return plate;
}

/// Words on a plate of that colour.
void MotionPainter::paintPlate(QPainter& painter, QPointF centre, const QString& text, const QColor& color) const {
  const double pixel = 1 / m_layout->zoom();
  const QRectF plate = plateRect(painter.font(), centre, text);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawRoundedRect(plate, 3 * pixel, 3 * pixel);
  painter.setPen(Theme::surface());
  painter.drawText(plate, Qt::AlignCenter, text);
}

/// Below the parts that collide: the contributions counted twice.
void MotionPainter::paintCollision(QPainter& painter, double progress) const {
  if (!m_motion->failsAt || progress < *m_motion->failsAt || !m_replay->failure || !m_replay->isExplicit()) return;
  const PremiseFailure& failure = *m_replay->failure;
  const auto collides = [](const Flight& flight) { return flight.ends == Flight::End::Collides; };
  const auto found = std::find_if(m_motion->flights.begin(), m_motion->flights.end(), collides);
  if (found == m_motion->flights.end() || failure.rows.empty()) return;
  QString text = QObject::tr("twice");
  if (failure.premise != Premise::ColumnsDisjoint) {
    text = QObject::tr("overwritten");
  } else if (!failure.columns.empty() && failure.columns.size() <= kMostNamed) {
    const DeviceGroup contributors = m_replay->contributorsOf(failure.members[0]);
    QStringList names;
    for (const int column : failure.columns) names << deviceShortName(contributors[std::size_t(column)]);
    text = QObject::tr("%1: twice").arg(names.join(QStringLiteral(", ")));
  }
  const QRectF tile = tileRect(*found, progress);
  paintPlate(painter, tile.center() + QPointF(0, tile.height() / 2 + 14 / m_layout->zoom()), text, Theme::bad());
}

}  // namespace p2::views
