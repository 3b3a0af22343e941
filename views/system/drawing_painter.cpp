// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/drawing_painter.h"

#include <QPainter>
#include <algorithm>

#include "views/common/theme.h"

namespace p2::views {
namespace {

using Shape = SystemDrawing::Shape;

constexpr int kTextPixels = 12;
constexpr double kLeastTextHeight = 6;  // on the screen; below it text is noise
constexpr double kLinkWidth = 2;
constexpr double kWidestLink = 8;

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
    case Shape::Kind::Tab:
      return {shape.open ? Theme::tint() : Theme::box(0), Theme::mutedText(), Theme::text()};
    case Shape::Kind::More:
      return {Qt::transparent, Theme::mutedText(), Theme::mutedText()};
    case Shape::Kind::Bar:
      if (shape.colour < 0) return {Theme::tint(), Theme::accent(), Theme::text()};
      return {Theme::category(shape.colour), Theme::text(), Theme::onCategory(shape.colour)};
    default:
      return {Qt::transparent, Qt::transparent, Theme::text()};
  }
}

Qt::PenStyle styleOf(const Shape& shape) {
  if (shape.kind == Shape::Kind::More) return Qt::DashLine;
  if (shape.kind != Shape::Kind::Bar) return Qt::SolidLine;
  switch (shape.interconnect) {
    case InterconnectKind::Mesh:
      return Qt::DashDotLine;
    case InterconnectKind::Ring:
      return Qt::DotLine;
    default:
      return Qt::SolidLine;
  }
}

QColor colorOf(const ShownLoad& load) { return load.stale ? Theme::line() : Theme::load(load.fraction); }

void paintLink(QPainter& painter, const Shape& shape, const ShapeLook& look) {
  QColor color = shape.colour >= 0 ? Theme::category(shape.colour) : Theme::mutedText();
  double width = kLinkWidth;
  if (look.load != nullptr) {
    width += (kWidestLink - kLinkWidth) * std::clamp(look.load->fraction, 0.0, 1.0);
    // cividis ends as dark or as light as the surface it lies on: an outline keeps every load in sight.
    painter.setPen(QPen(Theme::mutedText(), width + 2, Qt::SolidLine, Qt::FlatCap));
    painter.drawPolyline(shape.line);
    color = colorOf(*look.load);
  }
  if (look.lit || look.selected) {
    painter.setPen(QPen(Theme::accent(), width + 3, Qt::SolidLine, Qt::FlatCap));
    painter.drawPolyline(shape.line);
  }
  painter.setPen(QPen(shape.disabled ? Theme::bad() : color, width, shape.disabled ? Qt::DashLine : Qt::SolidLine));
  painter.drawPolyline(shape.line);
  if (!shape.disabled || shape.line.size() < 2) return;
  const QPointF middle = (shape.line[0] + shape.line[1]) / 2;
  painter.drawLine(middle - QPointF(4, 4), middle + QPointF(4, 4));
  painter.drawLine(middle - QPointF(4, -4), middle + QPointF(4, -4));
}

void paintText(QPainter& painter, const Shape& shape, const QColor& color) {
  if (kTextPixels * painter.worldTransform().m11() < kLeastTextHeight) return;
  QFont font = Theme::tabularFont();
  font.setPixelSize(kTextPixels);
  font.setStrikeOut(shape.disabled);
  painter.setFont(font);
  const bool box = shape.kind == Shape::Kind::Box;
  const double inset = box ? 8 : 2;
  const QRectF room(shape.rect.left() + inset, shape.rect.top(), shape.rect.width() - 2 * inset,
                    box ? kSystemTitleHeight : shape.rect.height());
  if (shape.kind == Shape::Kind::Caption) {
    // Links to the networks below run behind it.
    const QRectF words = QFontMetricsF(painter.font()).boundingRect(shape.text).adjusted(-4, 0, 4, 0);
    painter.fillRect(words.translated(room.center() - words.center()), Theme::box(shape.part.index - 1));
  }
  painter.setPen(color);
  painter.drawText(room, int((box ? Qt::AlignLeft : Qt::AlignHCenter) | Qt::AlignVCenter),
                   painter.fontMetrics().elidedText(shape.text, Qt::ElideRight, int(room.width())));
}

/// What the middle of a bus or switch carries, along the lower edge of its bar: as long as it is busy.
void paintCoreLoad(QPainter& painter, const Shape& shape, const ShownLoad& load) {
  constexpr double kHeight = 5;
  const QRectF room(shape.rect.left() + 4, shape.rect.bottom() - kHeight, shape.rect.width() - 8, kHeight);
  painter.setPen(QPen(Theme::mutedText(), 1));
  painter.setBrush(Theme::surface());
  painter.drawRect(room);
  painter.fillRect(QRectF(room.topLeft(), QSizeF(room.width() * std::clamp(load.fraction, 0.0, 1.0), kHeight)),
                   colorOf(load));
}

void paintPlate(QPainter& painter, const Shape& shape, const ShapeLook& look, const Colors& colors) {
  const bool thick = shape.kind == Shape::Kind::Bar && shape.interconnect == InterconnectKind::Bus;
  QPen pen(colors.border, thick ? 2.5 : 1, styleOf(shape));
  if (look.lit) pen = QPen(Theme::accent(), 2.5);
  painter.setPen(pen);
  painter.setBrush(colors.fill);
  painter.drawRoundedRect(shape.rect, 4, 4);
  if (shape.kind == Shape::Kind::Bar && shape.colour >= 0) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(QBrush(colors.text, Theme::categoryPattern(shape.colour)));
    if (Theme::categoryPattern(shape.colour) != Qt::SolidPattern) painter.drawRoundedRect(shape.rect, 4, 4);
  }
  if (!shape.disabled) return;
  painter.setPen(QPen(Theme::bad(), 1.5));
  painter.setBrush(QBrush(Theme::bad(), Qt::BDiagPattern));
  painter.drawRoundedRect(shape.rect, 4, 4);
}

}  // namespace

const ShownLoad* loadOf(const Shape& shape, const ShownLoads& loads) {
  const ShownLoad* busiest = nullptr;
  if (shape.kind != Shape::Kind::Link && shape.kind != Shape::Kind::Bar) return busiest;
  for (const std::string& name : shape.part.names) {
    const auto load = loads.find(name);
    if (load == loads.end()) continue;
    if (busiest == nullptr || busiest->fraction < load->second.fraction) busiest = &load->second;
  }
  return busiest;
}

void paintShape(QPainter& painter, const Shape& shape, const ShapeLook& look) {
  if (shape.kind == Shape::Kind::Link) {
    paintLink(painter, shape, look);
    return;
  }
  const Colors colors = colorsOf(shape);
  if (shape.kind != Shape::Kind::Caption || look.lit) paintPlate(painter, shape, look, colors);
  if (look.selected) {
    painter.setPen(QPen(Theme::accent(), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(shape.rect.adjusted(-3, -3, 3, 3), 6, 6);
  }
  if (look.load != nullptr) paintCoreLoad(painter, shape, *look.load);
  paintText(painter, shape, colors.text);
}

void paintDrawing(QPainter& painter, const SystemDrawing& drawing, const ShownLoads& loads) {
  for (const Shape& shape : drawing.shapes) paintShape(painter, shape, {false, false, loadOf(shape, loads)});
}

}  // namespace p2::views
