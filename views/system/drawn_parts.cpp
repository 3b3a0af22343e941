// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/drawn_parts.h"

#include <QCoreApplication>
#include <algorithm>

#include "views/common/text.h"

namespace p2::views {
namespace {

using Shape = SystemDrawing::Shape;

/// Whether a text has the name of a part as whole words: "node 1", not "node 10".
bool namesPart(const std::string& text, const std::string& part) {
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    const std::size_t end = at + part.size();
    const bool begins = at == 0 || text[at - 1] == ' ';
    if (begins && (end == text.size() || text[end] == ' ' || text[end] == ':')) return true;
  }
  return false;
}

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
  for (const PartState& state : system.states) {
    const auto part = statePartFrom(system, state.part);
    if (!part.ok()) continue;
    QString mark = state.share == 1 ? QString() : qs(stateText({state.part, state.share}));
    if (state.jobs > 1) mark += QStringLiteral("÷%1").arg(state.jobs);
    m_states.emplace_back(*part, mark);
  }
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

/// Whether something in a folded part is out of order, slow or shared.
bool DrawnParts::hidesStates(const std::string& name) const {
  const auto isInside = [&](const std::string& part) { return namesPart(part, "of " + name); };
  return std::any_of(m_disabled.begin(), m_disabled.end(), isInside) ||
         std::any_of(m_system.states.begin(), m_system.states.end(),
                     [&](const PartState& state) { return isInside(state.part); });
}

QString DrawnParts::stateOf(const Shape& shape) const {
  using Scope = StatePart::Scope;
  const bool isLink = shape.kind == Shape::Kind::Link;
  for (const auto& [part, mark] : m_states) {
    for (const std::string& name : shape.part.names) {
      const bool own = !isLink && (part.scope == Scope::Devices || part.scope == Scope::Instance) &&
                       placeName(m_system, part.place) == name;
      const bool link = isLink && part.scope == Scope::Link && part.link == name;
      const bool between = isLink && part.scope == Scope::Between && namesPart(name, placeName(m_system, part.place)) &&
                           namesPart(name, placeName(m_system, part.at));
      if (own || link || between) return mark;
    }
    const bool whole = !isLink && part.scope == Scope::Whole && shape.part.kind == part.place.kind &&
                       shape.part.index == int(part.place.index) && shape.kind != Shape::Kind::More;
    if (whole) return mark;
  }
  const bool folded = shape.kind == Shape::Kind::Chip && !shape.part.names.empty();
  return folded && hidesStates(shape.part.names.front()) ? QStringLiteral("!") : QString();
}

void DrawnParts::add(Shape shape) {
  if (shape.part.kind != SystemPart::Kind::Level) {
    const Interconnect& link = interconnectOf(m_system, shape.part);
    shape.interconnect = link.kind;
    if (shape.colour < 0) shape.colour = link.colour;
  }
  shape.disabled = std::any_of(shape.part.names.begin(), shape.part.names.end(),
                               [this](const std::string& name) { return m_disabled.contains(name); });
  shape.state = stateOf(shape);
  if (!shape.state.isEmpty() && shape.state != QLatin1String("!")) {
    shape.name += drawingTr(", %1").arg(shape.state);
  }
  m_drawing.shapes.push_back(std::move(shape));
}

SystemDrawing DrawnParts::finished() && {
  std::stable_sort(m_drawing.shapes.begin(), m_drawing.shapes.end(),
                   [](const Shape& a, const Shape& b) { return layerOf(a) < layerOf(b); });
  return std::move(m_drawing);
}

}  // namespace p2::views
