// SPDX-License-Identifier: GPL-3.0-or-later
// The links of a level among the children of one instance.
#include <algorithm>
#include <cmath>

#include "views/common/text.h"
#include "views/system/drawn_parts.h"
#include "views/system/link_names.h"
#include "views/system/network_rows.h"

namespace p2::views {
namespace {

using Shape = SystemDrawing::Shape;
using Kind = SystemPart::Kind;

QString nameOfPlace(const System& system, const Place& place) { return qs(placeName(system, place)); }

/// One interconnect of a level, as it is drawn.
class LevelLinks {
 public:
  LevelLinks(DrawnParts& parts, std::size_t level, std::int64_t parent, QPointF at)
      : m_parts(parts), m_level(level), m_parent(parent), m_at(at) {}

  void draw() {
    if (block().joint == Joint::Ring) {
      for (std::int64_t slot = 0; slot < block().places; ++slot) drawNeighbours(slot);
    } else if (block().joint == Joint::Mesh) {
      drawPairs();
    } else if (block().hasBar()) {
      for (std::int64_t slot = 0; slot < block().places; ++slot) drawPort(slot);
    }
    drawCaption();
  }

 private:
  [[nodiscard]] const InsideLayout& inside() const { return m_parts.inside(m_level); }
  [[nodiscard]] const Block& block() const { return inside().block; }
  [[nodiscard]] const Interconnect& link() const { return m_parts.system().levels[m_level].interconnect; }
  [[nodiscard]] QRectF slot(std::int64_t index) const { return block().slot(index).translated(m_at); }
  [[nodiscard]] QRectF bar() const { return {m_at.x(), m_at.y() + block().captionTop, block().size.width(), kBar}; }
  [[nodiscard]] Place child(std::int64_t slot) const {
    const std::int64_t count = m_parts.system().levels[m_level].count;
    return {Kind::Level, m_level, m_parts.instance(m_level, m_parent, (inside().level.first + slot) % count)};
  }

  void drawCaption() {
    if (block().captionTop < 0) return;
    const Place place{Kind::Interconnect, m_level, m_parent};
    const System& system = m_parts.system();
    Shape shape = m_parts.shapeOf(block().hasBar() ? Shape::Kind::Bar : Shape::Kind::Caption, place, bar());
    const QString owner =
        m_level == 0 ? QString() : drawingTr(" of %1").arg(nameOfPlace(system, {Kind::Level, m_level - 1, m_parent}));
    shape.text = levelCaption(system.levels[m_level], block().numbered);
    shape.name = drawingTr("%1%2: a %3, %4")
                     .arg(interconnectName(link()), owner, qs(nameOf(link().kind)), bandwidthWords(link()));
    m_parts.add(std::move(shape));
  }

  /// From a child, or from each network through which it talks to the outside, to the bar.
  void drawPort(std::int64_t index) {
    const QRectF own = slot(index);
    const bool above = own.center().y() < bar().center().y();
    std::vector<QRectF> ends;
    for (const int gateway : index < block().drawn ? gatewaysOf(m_parts.system(), m_level) : std::vector<int>()) {
      for (const Anchor& anchor : m_parts.anchors()) {
        const bool here = anchor.kind == Kind::Network && anchor.index == gateway && !anchor.folded;
        if (here && own.contains(anchor.rect)) ends.push_back(anchor.rect);
      }
    }
    if (ends.empty() || !above) ends = {own};
    for (const QRectF& end : ends) {
      const QPointF from(end.center().x(), above ? end.bottom() : end.top());
      addLink(index, QPolygonF({from, QPointF(from.x(), above ? bar().top() : bar().bottom())}), -1);
    }
  }

  void drawNeighbours(std::int64_t index) {
    // Two neighbours share one link, not the two ways round a ring of two.
    if (block().places == 2 && index == 1) return;
    if (block().places < 2) return;
    const std::int64_t next = (index + 1) % block().places;
    const QRectF a = slot(index);
    const QRectF b = slot(next);
    QPolygonF line;
    if (!block().twoRows() && next == 0) {
      line = arcBetween({a.center().x(), a.top()}, {b.center().x(), b.top()}, {0, -kRise * 0.9});
    } else if (std::abs(a.center().y() - b.center().y()) < 1) {
      const bool rightwards = a.x() < b.x();
      line << QPointF(rightwards ? a.right() : a.left(), a.center().y())
           << QPointF(rightwards ? b.left() : b.right(), b.center().y());
    } else {
      const bool down = a.y() < b.y();
      line << QPointF(a.center().x(), down ? a.bottom() : a.top())
           << QPointF(b.center().x(), down ? b.top() : b.bottom());
    }
    addLink(index, line, next < block().drawn ? next : -1);
  }

  void drawPairs() {
    const double most = block().top - kBar;
    for (std::int64_t i = 0; i < block().drawn; ++i) {
      for (std::int64_t j = i + 1; j < block().drawn; ++j) {
        const QRectF a = slot(i);
        const QRectF b = slot(j);
        const double height = most * double(j - i) / double(std::max<std::int64_t>(block().places - 1, 1));
        const double spread = 0.25 * (1 - double(j - i) / double(block().places));
        addPair(i, j,
                arcBetween({a.center().x() + a.width() * spread, a.top()},
                           {b.center().x() - b.width() * spread, b.top()}, {0, -height}));
      }
    }
  }

  void addPair(std::int64_t i, std::int64_t j, QPolygonF line) {
    Shape shape{Shape::Kind::Link, {Kind::Interconnect, int(m_level), m_parent, true}};
    shape.line = std::move(line);
    const System& system = m_parts.system();
    shape.part.names = linkNames(system, {Kind::Interconnect, m_level, m_parent}, child(i), child(j), {child(j)});
    shape.name = drawingTr("%1 ↔ %2, %3")
                     .arg(nameOfPlace(system, child(i)), nameOfPlace(system, child(j)), bandwidthWords(link()));
    m_parts.add(std::move(shape));
  }

  /// The port of a child, or its link to the sibling in the slot `next`.
  void addLink(std::int64_t index, QPolygonF line, std::int64_t next) {
    const System& system = m_parts.system();
    const bool known = index < block().drawn;
    Shape shape{Shape::Kind::Link, {Kind::Interconnect, int(m_level), m_parent, true}};
    shape.line = std::move(line);
    if (known) {
      shape.part.names = linkNames(system, {Kind::Interconnect, m_level, m_parent}, child(index), child(index + 1), {});
    }
    const QString from =
        known ? nameOfPlace(system, child(index)) : drawingTr("more %1").arg(m_parts.levelName(m_level));
    QString to = drawingTr("the %1").arg(interconnectName(link()));
    if (next >= 0) {
      to = m_parts.levelName(m_level) + ' ' + QString::number(inside().level.first + next) + drawingTr(" on ") + to;
    }
    shape.name = drawingTr("%1 ↔ %2, %3").arg(from, to, bandwidthWords(link()));
    m_parts.add(std::move(shape));
  }

  DrawnParts& m_parts;
  std::size_t m_level;
  std::int64_t m_parent;
  QPointF m_at;
};

}  // namespace

void drawInterconnect(DrawnParts& parts, std::size_t level, std::int64_t parent, QPointF at) {
  LevelLinks(parts, level, parent, at).draw();
}

}  // namespace p2::views
