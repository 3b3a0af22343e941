// SPDX-License-Identifier: GPL-3.0-or-later
// Networks that are rings between neighbours: a torus's rings, and rings from child to child.
#include <algorithm>

#include "views/common/ratio_text.h"
#include "views/common/text.h"
#include "views/system/drawn_parts.h"
#include "views/system/link_names.h"

namespace p2::views {
namespace {

using Shape = SystemDrawing::Shape;
using Kind = SystemPart::Kind;

constexpr std::int64_t kMostNamedLinks = 4096;  // of one line; a system of that many is none that can be explored

QString nameOfRingMember(const System& system, const Place& place) { return qs(placeName(system, place)); }

/// One ring of a torus: a row of its grid, or a column.
class TorusRing {
 public:
  TorusRing(DrawnParts& parts, const Place& ring, std::vector<Place> members, std::vector<QRectF> rects)
      : m_parts(parts), m_ring(ring), m_members(std::move(members)), m_rects(std::move(rects)) {}

  void draw() {
    for (std::size_t i = 0; i + 1 < m_members.size(); ++i) add(i, i + 1, straight(m_rects[i], m_rects[i + 1]));
    if (m_members.size() > 2) add(m_members.size() - 1, 0, wrapped());
  }

 private:
  [[nodiscard]] bool alongRow() const { return m_rects[0].center().y() == m_rects.back().center().y(); }

  [[nodiscard]] QPolygonF straight(const QRectF& a, const QRectF& b) const {
    if (alongRow()) return QPolygonF({QPointF(a.right(), a.center().y()), QPointF(b.left(), b.center().y())});
    return QPolygonF({QPointF(a.center().x(), a.bottom()), QPointF(b.center().x(), b.top())});
  }

  /// From the last back to the first, past the others: through the gap above a row, or left of a column.
  [[nodiscard]] QPolygonF wrapped() const {
    const QRectF& a = m_rects.back();
    const QRectF& b = m_rects.front();
    constexpr double kAway = kTorusGap * 0.55;
    QRectF all;
    for (const QRectF& rect : m_rects) all |= rect;
    if (alongRow()) {
      const double y = all.top() - kAway;
      return QPolygonF({QPointF(a.center().x() + 8, a.top()), QPointF(a.center().x() + 4, y),
                        QPointF(b.center().x() - 4, y), QPointF(b.center().x() - 8, b.top())});
    }
    const double x = all.left() - kAway;
    return QPolygonF({QPointF(a.left(), a.center().y() + 6), QPointF(x, a.center().y() + 2),
                      QPointF(x, b.center().y() - 2), QPointF(b.left(), b.center().y() - 6)});
  }

  void add(std::size_t from, std::size_t to, QPolygonF line) {
    const System& system = m_parts.system();
    Shape shape{Shape::Kind::Link, {Kind::Network, int(m_ring.index), m_ring.instance, true}};
    shape.line = std::move(line);
    shape.part.names = linkNames(system, m_ring, m_members[from], m_members[to], m_members);
    shape.name = drawingTr("%1 ↔ %2 on %3, %4")
                     .arg(nameOfRingMember(system, m_members[from]), nameOfRingMember(system, m_members[to]),
                          nameOfRingMember(system, m_ring), bandwidthWords(interconnectOf(system, shape.part)));
    m_parts.add(std::move(shape));
  }

  DrawnParts& m_parts;
  Place m_ring;
  std::vector<Place> m_members;
  std::vector<QRectF> m_rects;
};

/// The lines of a network that joins each child with the next, one for all its rings.
class Lanes {
 public:
  Lanes(DrawnParts& parts, int network, std::size_t level, std::int64_t parent, QPointF at)
      : m_parts(parts), m_network(network), m_level(level), m_parent(parent), m_at(at) {
    m_of = partNamed(parts.system(), parts.system().networks[std::size_t(network)].members.front().of);
  }

  void draw() {
    const Block& block = m_parts.inside(m_level).block;
    for (std::int64_t slot = 0; slot + 1 < block.drawn; ++slot) {
      const QRectF a = block.slot(slot).translated(m_at);
      const QRectF b = block.slot(slot + 1).translated(m_at);
      add(slot, slot + 1, QPolygonF({QPointF(a.right(), a.center().y()), QPointF(b.left(), b.center().y())}));
    }
    if (block.drawn < 3 || block.places > block.drawn) return;
    const QRectF a = block.slot(block.drawn - 1).translated(m_at);
    const QRectF b = block.slot(0).translated(m_at);
    const QPointF up(0, -kRise * 0.6);
    add(block.drawn - 1, 0,
        QPolygonF({QPointF(a.center().x(), a.top()), QPointF(a.center().x() - kGap, a.top() + up.y()),
                   QPointF(b.center().x() + kGap, b.top() + up.y()), QPointF(b.center().x(), b.top())}));
  }

 private:
  [[nodiscard]] Place memberOf(std::int64_t slot, std::int64_t ring) const {
    const std::int64_t child = m_parts.instance(m_level, m_parent, m_parts.inside(m_level).level.first + slot);
    return {m_of.kind, std::size_t(m_of.index), child * rings() + ring};
  }
  [[nodiscard]] std::int64_t rings() const { return m_parts.system().networks[std::size_t(m_network)].instances; }

  void add(std::int64_t from, std::int64_t to, QPolygonF line) {
    const System& system = m_parts.system();
    const std::int64_t first = m_parent * rings();
    Shape shape{Shape::Kind::Link, {Kind::Network, m_network, first, true}};
    shape.line = std::move(line);
    for (std::int64_t ring = 0; ring < rings() && rings() <= kMostNamedLinks; ++ring) {
      const Place owner{Kind::Network, std::size_t(m_network), first + ring};
      const auto names = linkNames(system, owner, memberOf(from, ring), memberOf(to, ring), {});
      shape.part.names.insert(shape.part.names.end(), names.begin(), names.end());
    }
    const auto child = [&](std::int64_t slot) {
      return nameOfRingMember(
          system,
          {Kind::Level, m_level, m_parts.instance(m_level, m_parent, m_parts.inside(m_level).level.first + slot)});
    };
    const Interconnect& link = interconnectOf(system, shape.part);
    shape.name = drawingTr("%1 ↔ %2: %3 of the %4, %5")
                     .arg(child(from), child(to))
                     .arg(counted(rings(), drawingTr("link"), drawingTr("links")))
                     .arg(interconnectName(link), bandwidthWords(link));
    m_parts.add(std::move(shape));
  }

  DrawnParts& m_parts;
  int m_network;
  std::size_t m_level;
  std::int64_t m_parent;
  QPointF m_at;
  SystemPart m_of;
};

}  // namespace

void drawTorus(DrawnParts& parts, std::size_t level, std::int64_t parent, QPointF at) {
  const Torus& torus = *parts.inside(level).torus;
  const Block& block = parts.inside(level).block;
  const auto drawRing = [&](int network, std::int64_t ring, std::int64_t first, std::int64_t step, std::int64_t count) {
    std::vector<Place> members;
    std::vector<QRectF> rects;
    for (std::int64_t i = 0; i < count; ++i) {
      members.push_back({Kind::Level, level, parts.instance(level, parent, first + i * step)});
      rects.push_back(block.slot(first + i * step).translated(at));
    }
    const std::int64_t rings = parts.system().networks[std::size_t(network)].instances;
    TorusRing(parts, {Kind::Network, std::size_t(network), parent * rings + ring}, members, rects).draw();
  };
  for (std::int64_t row = 0; row < torus.rows; ++row) {
    drawRing(torus.alongRows, row, row * torus.columns, 1, torus.columns);
  }
  for (std::int64_t column = 0; column < torus.columns; ++column) {
    drawRing(torus.alongColumns, column, column, torus.columns, torus.rows);
  }
}

void drawLanes(DrawnParts& parts, int network, std::size_t level, std::int64_t parent, QPointF at) {
  Lanes(parts, network, level, parent, at).draw();
}

}  // namespace p2::views
