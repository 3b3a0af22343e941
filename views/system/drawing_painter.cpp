// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/drawing_painter.h"

#include <QPainter>
#include <algorithm>

#include "views/common/category_stroke.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

using Shape = SystemDrawing::Shape;

constexpr double kLeastTextHeight = 6;  // on the screen; below it text is noise
constexpr double kLinkWidth = 2;
constexpr double kRailWidth = 4;
constexpr double kWidestLink = 6;
constexpr double kDimmed = 0.2;

struct Colors {
  QColor fill;
  QColor border;
  QColor text;
};

Colors colorsOf(const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::Box:
      return {Theme::box(shape.part.index), Theme::line(), Theme::mutedText()};
    case Shape::Kind::Device:
      return {Theme::surface(), Theme::mutedText(), Theme::text()};
    case Shape::Kind::Chip:
      return {Theme::box(0), Theme::mutedText(), Theme::text()};
    case Shape::Kind::More:
      return {Theme::surface(), Theme::mutedText(), Theme::mutedText()};
    case Shape::Kind::Bar:
      if (shape.colour < 0) return {Theme::tint(), Theme::accent(), Theme::text()};
      return {Theme::category(shape.colour), Theme::text(), Theme::onCategory(shape.colour)};
    default:
      return {Qt::transparent, Qt::transparent, Theme::text()};
  }
}

Qt::PenStyle borderStyle(const Shape& shape) {
  if (shape.kind == Shape::Kind::More) return Qt::DashLine;
  return shape.kind == Shape::Kind::Bar && shape.interconnect == InterconnectKind::Mesh   ? Qt::DashDotLine
         : shape.kind == Shape::Kind::Bar && shape.interconnect == InterconnectKind::Ring ? Qt::DotLine
                                                                                          : Qt::SolidLine;
}

/// Eight colours repeat; dashes tell the repeats apart.
Qt::PenStyle railStyle(const Shape& shape) {
  if (!shape.rail || shape.colour < 8) return Qt::SolidLine;
  return shape.colour < 16 ? Qt::DashLine : Qt::DotLine;
}

QColor colorOf(const ShownLoad& load) { return load.stale ? Theme::line() : Theme::load(load.fraction); }

void drawLine(QPainter& painter, const QPolygonF& line, const QColor& color, double width,
              Qt::PenStyle style = Qt::SolidLine) {
  painter.setPen(QPen(color, width, style, Qt::FlatCap, Qt::RoundJoin));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(line);
}

void paintLine(QPainter& painter, const Shape& shape, const QPolygonF& line, double width, const ShapeLook& look) {
  QColor color = shape.colour >= 0 ? categoryStroke(shape.colour) : Theme::mutedText();
  if (look.load != nullptr) {
    width += (kWidestLink - kLinkWidth) * std::clamp(look.load->fraction, 0.0, 1.0);
    // cividis ends as dark or as light as the surface it is on: an outline keeps every load in sight.
    drawLine(painter, line, Theme::mutedText(), width + 2);
    color = colorOf(*look.load);
  }
  if (look.lit || look.selected || look.marked) drawLine(painter, line, Theme::accent(), width + 3);
  drawLine(painter, line, color, width, railStyle(shape));
  if (shape.disabled) drawLine(painter, line, Theme::bad(), width, Qt::DotLine);
}

void paintLink(QPainter& painter, const Shape& shape, const ShapeLook& look) {
  paintLine(painter, shape, shape.line, kLinkWidth, look);
  if (!shape.rail) return;
  // A dot where it ends on its rail; rails that it passes it does not touch.
  constexpr double kDot = 4;
  painter.setPen(Qt::NoPen);
  painter.setBrush(look.load != nullptr ? colorOf(*look.load) : categoryStroke(shape.colour));
  painter.drawEllipse(shape.line.back(), kDot, kDot);
}

bool setDrawnFont(QPainter& painter, bool struck, bool smallText) {
  // Logical pixels count, not the device's.
  if (!smallText && kDrawnText * painter.worldTransform().m11() < kLeastTextHeight) return false;
  QFont font = Theme::tabularFont();
  font.setPixelSize(int(kDrawnText));
  font.setStrikeOut(struck);
  painter.setFont(font);
  return true;
}

void paintText(QPainter& painter, const Shape& shape, const QColor& color, bool smallText) {
  if (shape.text.isEmpty() || !setDrawnFont(painter, shape.disabled, smallText)) return;
  const bool box = shape.kind == Shape::Kind::Box;
  const bool left = box || shape.kind == Shape::Kind::Rail;
  const double inset = box ? 8 : 2;
  QRectF room(shape.rect.left() + inset, shape.rect.top(), shape.rect.width() - 2 * inset,
              box ? kSystemTitleHeight : shape.rect.height());
  if (shape.kind == Shape::Kind::Rail) room.setWidth(shape.textWidth);
  painter.setPen(color);
  const Qt::Alignment align = (left ? Qt::AlignLeft : Qt::AlignHCenter) | Qt::AlignVCenter;
  QStringList lines = shape.text.split('\n');
  for (QString& line : lines) line = painter.fontMetrics().elidedText(line, Qt::ElideRight, int(room.width()) + 1);
  painter.drawText(room, int(align), lines.join('\n'));
}

/// The load of the middle of a bus or switch, along the lower edge of its bar: as long as it is busy.
void paintCoreLoad(QPainter& painter, const Shape& shape, const ShownLoad& load) {
  constexpr double kHeight = 5;
  const QRectF room(shape.rect.left() + 4, shape.rect.bottom() - kHeight, shape.rect.width() - 8, kHeight);
  painter.setPen(QPen(Theme::mutedText(), 1));
  painter.setBrush(Theme::surface());
  painter.drawRect(room);
  painter.fillRect(QRectF(room.topLeft(), QSizeF(room.width() * std::clamp(load.fraction, 0.0, 1.0), kHeight)),
                   colorOf(load));
}

/// A bus is the broad arrow with two heads that schematics have for it.
QPolygonF busArrow(const QRectF& rect) {
  constexpr double kHead = 14;
  constexpr double kBarb = 3;  // extra width of the heads on each side
  const double middle = rect.center().y();
  const double left = rect.left() + kHead;
  const double right = rect.right() - kHead;
  return QPolygonF({{rect.left(), middle},
                    {left, rect.top() - kBarb},
                    {left, rect.top()},
                    {right, rect.top()},
                    {right, rect.top() - kBarb},
                    {rect.right(), middle},
                    {right, rect.bottom() + kBarb},
                    {right, rect.bottom()},
                    {left, rect.bottom()},
                    {left, rect.bottom() + kBarb}});
}

void drawPlate(QPainter& painter, const Shape& shape) {
  const bool bus = shape.kind == Shape::Kind::Bar && shape.interconnect == InterconnectKind::Bus;
  if (bus) {
    painter.drawPolygon(busArrow(shape.rect));
  } else {
    painter.drawRoundedRect(shape.rect, 4, 4);
  }
}

void paintPlate(QPainter& painter, const Shape& shape, const ShapeLook& look, const Colors& colors) {
  painter.setPen(look.lit ? QPen(Theme::accent(), 2.5) : QPen(colors.border, 1, borderStyle(shape)));
  painter.setBrush(colors.fill);
  drawPlate(painter, shape);
  if (shape.kind == Shape::Kind::Bar && shape.colour >= 0 && Theme::categoryPattern(shape.colour) != Qt::SolidPattern) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(QBrush(colors.text, Theme::categoryPattern(shape.colour)));
    drawPlate(painter, shape);
  }
  if (!shape.disabled) return;
  painter.setPen(QPen(Theme::bad(), 1.5));
  painter.setBrush(QBrush(Theme::bad(), Qt::BDiagPattern));
  drawPlate(painter, shape);
}

void paintRail(QPainter& painter, const Shape& shape, const ShapeLook& look) {
  const double y = shape.rect.center().y();
  const QPolygonF line{QPointF(shape.rect.left() + shape.textWidth, y), QPointF(shape.rect.right(), y)};
  paintLine(painter, shape, line, kRailWidth, look);
  paintText(painter, shape, Theme::text(), look.smallText);
}

/// A plate with the state of a part: in its upper right corner, or on the middle of a line.
void paintState(QPainter& painter, const Shape& shape, bool smallText) {
  if (shape.state.isEmpty() || !setDrawnFont(painter, false, smallText)) return;
  QFont font = painter.font();
  font.setBold(true);
  painter.setFont(font);
  const QString text = QStringLiteral("▾") + shape.state;
  const QSizeF size(painter.fontMetrics().horizontalAdvance(text) + 6, painter.fontMetrics().height());
  QRectF room(QPointF(shape.rect.right() - size.width() + 3, shape.rect.top() - 3), size);
  if (shape.kind == Shape::Kind::Link) {
    room.moveCenter((shape.line.front() + shape.line.back()) / 2);
  } else if (shape.kind == Shape::Kind::Rail) {
    room.moveCenter({shape.rect.right() - size.width() / 2, shape.rect.center().y()});
  }
  painter.setPen(QPen(Theme::bad(), 1.5));
  painter.setBrush(Theme::surface());
  painter.drawRoundedRect(room, 3, 3);
  painter.setPen(Theme::text());
  painter.drawText(room, Qt::AlignCenter, text);
}

}  // namespace

void paintShape(QPainter& painter, const Shape& shape, const ShapeLook& look) {
  const double opacity = painter.opacity();
  if (look.dimmed) painter.setOpacity(opacity * kDimmed);
  if (shape.kind == Shape::Kind::Link) {
    paintLink(painter, shape, look);
  } else if (shape.kind == Shape::Kind::Rail) {
    paintRail(painter, shape, look);
  } else {
    const Colors colors = colorsOf(shape);
    if (shape.kind != Shape::Kind::Caption || look.lit) paintPlate(painter, shape, look, colors);
    if (look.load != nullptr) paintCoreLoad(painter, shape, *look.load);
    paintText(painter, shape, colors.text, look.smallText);
  }
  if (look.selected && shape.kind != Shape::Kind::Link) {
    painter.setPen(QPen(Theme::accent(), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(shape.rect.adjusted(-3, -3, 3, 3), 6, 6);
  }
  paintState(painter, shape, look.smallText);
  painter.setOpacity(opacity);
}

void paintLabels(QPainter& painter, const std::vector<WireLabel>& labels, bool smallText) {
  if (!setDrawnFont(painter, false, smallText)) return;
  QColor paper = Theme::surface();
  paper.setAlphaF(0.85F);
  for (const WireLabel& label : labels) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(paper);
    painter.drawRoundedRect(label.rect, 3, 3);
    painter.setPen(Theme::text());
    painter.drawText(label.rect, Qt::AlignCenter, label.text);
  }
}

void paintDrawing(QPainter& painter, const SystemDrawing& drawing, const ShownLoads& loads, bool smallText) {
  for (const Shape& shape : drawing.shapes) {
    ShapeLook look;
    look.load = loadOf(shape, loads);
    look.smallText = smallText;
    paintShape(painter, shape, look);
  }
  paintLabels(painter, wireLabels(drawing, loads), smallText);
}

}  // namespace p2::views
