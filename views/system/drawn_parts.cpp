// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/drawn_parts.h"

#include <QCoreApplication>
#include <algorithm>

#include "base/units.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

using Shape = SystemDrawing::Shape;

constexpr int kArcPoints = 16;

/// Links run over the boxes that they lead out of and behind everything else.
int layerOf(const Shape& shape) { return shape.kind == Shape::Kind::Box ? 0 : shape.kind == Shape::Kind::Link ? 1 : 2; }

}  // namespace

QString drawingTr(const char* text) { return QCoreApplication::translate("SystemDrawing", text); }

QString bandwidthWords(const Interconnect& link) {
  const QString bandwidth = bandwidthText(link.bandwidth);
  if (link.kind == InterconnectKind::Bus) return drawingTr("%1 in all").arg(bandwidth);
  return link.halfDuplex ? drawingTr("%1 both ways together").arg(bandwidth) : drawingTr("%1 each way").arg(bandwidth);
}

QPolygonF arcBetween(QPointF from, QPointF to, QPointF rise) {
  QPolygonF line;
  for (int i = 0; i <= kArcPoints; ++i) {
    const double t = double(i) / kArcPoints;
    // A parabola through both ends, as high as it shall rise in its middle.
    line << from + (to - from) * t + rise * (4 * t * (1 - t));
  }
  return line;
}

DrawnParts::DrawnParts(const System& system, std::vector<InsideLayout> insides)
    : m_system(system), m_insides(std::move(insides)), m_disabled(system.disabled.begin(), system.disabled.end()) {
  m_drawing.bounds = QRectF({0, 0}, m_insides[0].size);
}

std::int64_t DrawnParts::instance(std::size_t level, std::int64_t parent, std::int64_t child) const {
  return parent * m_system.levels[level].count + child;
}

QString DrawnParts::levelName(std::size_t level) const { return qs(m_system.levels[level].name); }

DrawnParts::Shape DrawnParts::shapeOf(Shape::Kind kind, const Place& place, const QRectF& rect) const {
  Shape shape{kind, {place.kind, int(place.index), place.instance}, rect};
  shape.part.names = {placeName(m_system, place)};
  shape.name = qs(shape.part.names.front());
  return shape;
}

void DrawnParts::add(Shape shape) {
  if (shape.part.kind != SystemPart::Kind::Level) {
    const Interconnect& link = interconnectOf(m_system, shape.part);
    shape.interconnect = link.kind;
    if (shape.colour < 0) shape.colour = link.colour;
  }
  shape.disabled = std::any_of(shape.part.names.begin(), shape.part.names.end(),
                               [this](const std::string& name) { return m_disabled.contains(name); });
  m_drawing.shapes.push_back(std::move(shape));
}

SystemDrawing DrawnParts::finished() && {
  std::stable_sort(m_drawing.shapes.begin(), m_drawing.shapes.end(),
                   [](const Shape& a, const Shape& b) { return layerOf(a) < layerOf(b); });
  return std::move(m_drawing);
}

}  // namespace p2::views
