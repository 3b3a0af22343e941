// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/stage_marks.h"

#include <QFontMetricsF>
#include <QPen>
#include <algorithm>

#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr double kBadge = 14;
constexpr double kLeastCount = 7;  // widget pixels of a digit that can be read

void ring(QPainter& painter, const QRectF& rect, const QColor& color, double width, double pixel) {
  painter.setPen(QPen(color, width * pixel));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(rect, 2 * pixel, 2 * pixel);
}

}  // namespace

void paintDoubleRing(QPainter& painter, const QRectF& rect, const QColor& color, double pixel) {
  const double out = 2.5 * pixel;
  ring(painter, rect.adjusted(-pixel, -pixel, pixel, pixel), color, 1, pixel);
  ring(painter, rect.adjusted(-out, -out, out, out).adjusted(-pixel, -pixel, pixel, pixel), color, 1, pixel);
}

void paintEmphasis(QPainter& painter, const StageLayout& layout, const StageEmphasis& emphasis) {
  const double pixel = 1 / layout.zoom();
  const auto ringed = [&](const QRectF& rect) {
    if (rect.isEmpty()) return;
    const double out = 2 * pixel;
    const QRectF around = rect.adjusted(-out, -out, out, out);
    ring(painter, around, Theme::surface(), 5, pixel);
    ring(painter, around, Theme::accent(), 2.5, pixel);
  };
  for (const Device device : emphasis.devices) {
    if (!device.isNone() && device.index() < layout.map().cells.size()) ringed(layout.map().cells[device.index()].rect);
  }
  for (const auto& [device, chunk] : emphasis.rows) ringed(layout.rowRect(device, chunk));
}

void paintRowOfGroup(QPainter& painter, const StageLayout& layout, const StageGroups& groups,
                     const StageLayout::Row& row) {
  StageEmphasis rows{{}, {{row.device, row.chunk}}};
  const int group = groups.of(row.device).group;
  if (group >= 0) {
    for (const Device device : groups.groups()[std::size_t(group)]) {
      if (device != row.device) rows.rows.emplace_back(device, row.chunk);
    }
  }
  paintEmphasis(painter, layout, rows);
}

void paintPreview(QPainter& painter, const StageLayout& layout, const StageGroups& groups) {
  const double pixel = 1 / layout.zoom();
  QFont font = painter.font();
  font.setPointSizeF(std::max(font.pointSizeF(), 1.0));
  for (std::size_t group = 0; group < groups.groups().size(); ++group) {
    const QPainterPath hull = hullOf(groups.groups()[group], layout.map(), 1.5 * pixel);
    QColor fill = Theme::accent();
    fill.setAlpha(24);
    painter.fillPath(hull, fill);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(groupPen(int(group), Theme::accent(), 2.5 * pixel));
    painter.drawPath(hull);
    for (const Device device : groups.groups()[group]) {
      if (!layout.hasHeader()) break;
      paintBadge(painter, layout.headerRect(layout.map().cells[device.index()].rect), {int(group), false, false},
                 Theme::accent(), pixel);
    }
  }
}

void paintBadge(QPainter& painter, const QRectF& header, const StageGroups::Membership& member, const QColor& color,
                double pixel) {
  if (member.group < 0) return;
  const QString letter = Theme::categoryLetter(member.group);
  const QFontMetricsF metrics(painter.font());
  const double side = std::min(std::max(kBadge * pixel, metrics.height()), header.height());
  const double width = std::max(side, metrics.horizontalAdvance(letter) + 4 * pixel);
  const QRectF badge(header.right() - width, header.top() + (header.height() - side) / 2, width, side);
  painter.setPen(groupPen(member.group, color, 1.2 * pixel));
  painter.setBrush(Theme::surface());
  painter.drawRect(badge);
  painter.setPen(color);
  painter.drawText(badge, Qt::AlignCenter, letter);
  if (!member.root) return;
  const double crown = side;
  paintCrown(painter, QRectF(badge.left() - crown - 4 * pixel, badge.top() + pixel, crown, crown - 2 * pixel), color);
}

// The count stands in the bit itself as long as it can be read there, else next to it.
void paintTwice(QPainter& painter, const QRectF& bit, const QFont& font, double pixel) {
  const QString text = QStringLiteral("2×");
  const QFontMetricsF metrics(font);
  const QSizeF size(metrics.horizontalAdvance(text) + 4 * pixel, metrics.ascent() + 2 * pixel);
  const double share = std::min({1.0, bit.width() / size.width(), bit.height() / size.height()});
  const bool inside = share * metrics.ascent() >= kLeastCount * pixel;
  const double grown = std::max(0.0, 8 * pixel - bit.width() / 2);
  const QPointF corner(bit.right() + pixel + grown, bit.top() - size.height());
  const QRectF plate = inside ? bit : QRectF(corner, size);
  QFont own = font;
  if (inside) own.setPointSizeF(std::max(font.pointSizeF() * share, 0.1));
  painter.setPen(QPen(Theme::bad(), 2 * pixel));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(bit);
  painter.setBrush(Theme::bad());
  painter.setPen(Qt::NoPen);
  painter.drawRoundedRect(plate, inside ? 0 : 3 * pixel, inside ? 0 : 3 * pixel);
  painter.setPen(Theme::surface());
  painter.setFont(own);
  painter.drawText(plate, Qt::AlignCenter | Qt::TextDontClip, text);
}

void paintCrown(QPainter& painter, const QRectF& rect, const QColor& color) {
  const auto at = [&rect](double x, double y) {
    return QPointF(rect.left() + x * rect.width(), rect.top() + y * rect.height());
  };
  const QPolygonF crown{{at(0, 1), at(0, 0.2), at(0.25, 0.6), at(0.5, 0), at(0.75, 0.6), at(1, 0.2), at(1, 1)}};
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawPolygon(crown);
}

}  // namespace p2::views
