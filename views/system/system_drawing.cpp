// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/system_drawing.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>
#include <set>

#include "base/units.h"
#include "views/system/inside_layout.h"
#include "views/system/link_names.h"

namespace p2::views {
namespace {

using Shape = SystemDrawing::Shape;
using Kind = SystemPart::Kind;

QString drawingTr(const char* text) { return QCoreApplication::translate("SystemDrawing", text); }

QString bandwidthText(const Interconnect& link) {
  const QString bandwidth = QString::fromStdString(formatBandwidth(link.bandwidth));
  if (link.kind == InterconnectKind::Bus) return drawingTr("%1 in all").arg(bandwidth);
  return link.halfDuplex ? drawingTr("%1 both ways together").arg(bandwidth) : drawingTr("%1 each way").arg(bandwidth);
}

QString kindText(const Interconnect& link) { return QString::fromUtf8(nameOf(link.kind).data()); }

QString textOf(const System& system, const Place& place) { return QString::fromStdString(placeName(system, place)); }

class Drawer {
 public:
  Drawer(const System& system, const std::vector<std::int64_t>& open)
      : m_system(system),
        m_insides(measureInsides(system, open)),
        m_disabled(system.disabled.begin(), system.disabled.end()) {}

  SystemDrawing draw() {
    m_drawing.bounds = QRectF({0, 0}, m_insides[0].size);
    drawRoom(0, 0, {0, 0});
    for (std::size_t i = 0; i < m_system.networks.size(); ++i) joinMembers(i);
    std::stable_sort(m_drawing.shapes.begin(), m_drawing.shapes.end(),
                     [](const Shape& a, const Shape& b) { return layerOf(a) < layerOf(b); });
    return std::move(m_drawing);
  }

 private:
  /// Links run over the boxes that they lead out of and behind everything else.
  static int layerOf(const Shape& shape) {
    return shape.kind == Shape::Kind::Box ? 0 : shape.kind == Shape::Kind::Link ? 1 : 2;
  }

  void drawRoom(std::size_t level, std::int64_t parent, QPointF origin) {
    const InsideLayout& inside = m_insides[level];
    const QPointF at = origin + QPointF((inside.size.width() - inside.block.size.width()) / 2, 0);
    if (level < m_system.levels.size()) {
      drawInterconnect(level, parent, at);
      for (std::int64_t i = 0; i < inside.level.drawn; ++i) drawInstance(level, parent, i, at);
      if (inside.block.places > inside.block.drawn) drawMore(level, at);
      if (inside.level.open >= 0) drawBox(level, instance(level, parent, inside.level.open), inside.openRect(), origin);
    }
    for (std::size_t row = 0; row < inside.rows.size(); ++row) drawBars(inside, row, parent, origin);
  }

  [[nodiscard]] std::int64_t instance(std::size_t level, std::int64_t parent, std::int64_t child) const {
    return parent * m_system.levels[level].count + child;
  }

  void drawInstance(std::size_t level, std::int64_t parent, std::int64_t slot, QPointF at) {
    const InsideLayout& inside = m_insides[level];
    const std::int64_t child = inside.level.first + slot;
    const std::int64_t own = instance(level, parent, child);
    const QRectF rect = inside.block.slot(slot).translated(at);
    const bool device = level + 1 == m_system.levels.size();
    if (!device && inside.level.open < 0) {
      drawBox(level, own, rect, {0, 0});
      remember({Kind::Level, level, own}, rect);
      return;
    }
    Shape shape = instanceShape(device ? Shape::Kind::Device : Shape::Kind::Tab, {Kind::Level, level, own}, rect);
    shape.text = inside.block.numbered ? QString::number(child) : levelName(level) + ' ' + QString::number(child);
    if (device) shape.name = drawingTr("device %1: %2").arg(own).arg(shape.name);
    shape.open = child == inside.level.open;
    add(std::move(shape));
    remember({Kind::Level, level, own}, rect);
  }

  void drawBox(std::size_t level, std::int64_t own, QRectF rect, QPointF offset) {
    rect.translate(offset);
    Shape shape = instanceShape(Shape::Kind::Box, {Kind::Level, level, own}, rect);
    shape.text = levelName(level) + ' ' + QString::number(own % m_system.levels[level].count);
    add(std::move(shape));
    drawRoom(level + 1, own, rect.topLeft() + QPointF(kPadding, kSystemTitleHeight));
  }

  void drawMore(std::size_t level, QPointF at) {
    const InsideLayout& inside = m_insides[level];
    const std::int64_t count = m_system.levels[level].count;
    const std::int64_t next = inside.level.first + inside.level.drawn;
    SystemPart part{Kind::Level, int(level), next < count ? next : 0};
    Shape shape{Shape::Kind::More, std::move(part)};
    shape.rect = inside.block.slot(inside.block.drawn).translated(at);
    shape.text = inside.block.numbered ? QStringLiteral("…") : drawingTr("+ %L1 more").arg(count - inside.level.drawn);
    shape.name =
        drawingTr("%L1 more of level %2: click for the next").arg(count - inside.level.drawn).arg(levelName(level));
    add(std::move(shape));
  }

  void drawInterconnect(std::size_t level, std::int64_t parent, QPointF at) {
    const Block& block = m_insides[level].block;
    const Level& own = m_system.levels[level];
    const QRectF bar(at.x(), at.y() + block.barTop(), block.size.width(), kBar);
    Shape shape =
        instanceShape(block.ring ? Shape::Kind::Caption : Shape::Kind::Bar, {Kind::Interconnect, level, parent}, bar);
    const QString owner =
        level == 0 ? QString() : drawingTr(" of %1").arg(textOf(m_system, {Kind::Level, level - 1, parent}));
    shape.text = levelCaption(own, block.numbered);
    shape.name = drawingTr("%1%2: a %3, %4")
                     .arg(interconnectName(own.interconnect), owner, kindText(own.interconnect),
                          bandwidthText(own.interconnect));
    for (std::int64_t slot = 0; slot < block.places && (block.ring || block.bar); ++slot) {
      if (block.ring) {
        drawNeighbours(level, parent, slot, at);
      } else {
        drawPort(level, parent, slot, at, bar);
      }
    }
    if (block.ring || block.bar) add(std::move(shape));
  }

  void drawPort(std::size_t level, std::int64_t parent, std::int64_t slot, QPointF at, const QRectF& bar) {
    const QRectF child = m_insides[level].block.slot(slot).translated(at);
    const bool above = child.center().y() < bar.center().y();
    const QPointF from(child.center().x(), above ? child.bottom() : child.top());
    addLevelLink(level, parent, slot, QPolygonF({from, QPointF(from.x(), above ? bar.top() : bar.bottom())}), -1);
  }

  void drawNeighbours(std::size_t level, std::int64_t parent, std::int64_t slot, QPointF at) {
    const Block& block = m_insides[level].block;
    // Two neighbours share one link, not the two ways round a ring of two.
    if (block.places == 2 && slot == 1) return;
    const std::int64_t next = (slot + 1) % block.places;
    const QRectF a = block.slot(slot).translated(at);
    const QRectF b = block.slot(next).translated(at);
    QPolygonF line;
    if (!block.twoRows() && next == 0) {
      const double top = a.top() - kGap;
      line << QPointF(a.center().x(), a.top()) << QPointF(a.center().x(), top) << QPointF(b.center().x(), top)
           << QPointF(b.center().x(), b.top());
    } else if (std::abs(a.center().y() - b.center().y()) < 1) {
      const bool rightwards = a.x() < b.x();
      line << QPointF(rightwards ? a.right() : a.left(), a.center().y())
           << QPointF(rightwards ? b.left() : b.right(), b.center().y());
    } else {
      const bool down = a.y() < b.y();
      line << QPointF(a.center().x(), down ? a.bottom() : a.top())
           << QPointF(b.center().x(), down ? b.top() : b.bottom());
    }
    addLevelLink(level, parent, slot, line, next < block.drawn ? next : -1);
  }

  /// The port of a child, or its link to the sibling in the slot `next`.
  void addLevelLink(std::size_t level, std::int64_t parent, std::int64_t slot, QPolygonF line, std::int64_t next) {
    const InsideLayout& inside = m_insides[level];
    const Interconnect& link = m_system.levels[level].interconnect;
    const bool known = slot < inside.block.drawn;
    const auto child = [&](std::int64_t at) {
      const std::int64_t count = m_system.levels[level].count;
      return Place{Kind::Level, level, instance(level, parent, (inside.level.first + at) % count)};
    };
    Shape shape{Shape::Kind::Link, {Kind::Interconnect, int(level), parent, true}};
    shape.line = std::move(line);
    if (known) {
      std::vector<Place> siblings;
      for (std::int64_t i = 0; i < inside.block.drawn; ++i) siblings.push_back(child(i));
      const Place owner{Kind::Interconnect, level, parent};
      shape.part.names = linkNames(m_system, owner, child(slot), child(slot + 1), siblings);
    }
    const QString from = known ? textOf(m_system, child(slot)) : drawingTr("more %1").arg(levelName(level));
    QString to = drawingTr("the %1").arg(interconnectName(link));
    if (next >= 0) to = levelName(level) + ' ' + QString::number(inside.level.first + next) + drawingTr(" on ") + to;
    shape.name = drawingTr("%1 ↔ %2, %3").arg(from, to, bandwidthText(link));
    add(std::move(shape));
  }

  void drawBars(const InsideLayout& inside, std::size_t row, std::int64_t parent, QPointF origin) {
    const NetworkRow& own = inside.rows[row];
    const Network& network = m_system.networks[std::size_t(own.network)];
    const bool alone = own.drawn <= 1;
    for (std::int64_t i = 0; i < own.drawn; ++i) {
      const Place place{Kind::Network, std::size_t(own.network), parent * network.instances + i};
      Shape shape = instanceShape(Shape::Kind::Bar, place, inside.barRect(row, i).translated(origin));
      shape.text = alone ? interconnectCaption(network.interconnect)
                         : interconnectName(network.interconnect) + ' ' + QString::number(i);
      if (i + 1 == own.drawn && own.drawn < network.instances) shape.text += QStringLiteral(" …");
      shape.name = drawingTr("%1: a %2, %3%4")
                       .arg(shape.name, kindText(network.interconnect), bandwidthText(network.interconnect),
                            network.gateway ? drawingTr(", the way out") : QString());
      remember(place, shape.rect);
      add(std::move(shape));
    }
  }

  /// Draws the links of a network to those of its members that are in sight. Each entry of the members is dealt to its
  /// instances as Network says.
  void joinMembers(std::size_t index) {
    const Network& network = m_system.networks[index];
    const int within = levelIndex(m_system, network.within);
    std::map<std::int64_t, std::vector<Place>> shares;
    for (const Member& member : network.members) {
      const SystemPart part = partNamed(m_system, member.of);
      const std::int64_t each = part.index < 0 ? 0 : instancesWithin(m_system, part, within);
      const std::int64_t left = std::max<std::int64_t>(each - member.first, 0);
      const std::int64_t count = member.count == 0 ? left : std::min(member.count, left);
      const auto first = m_places.lower_bound({part.kind, std::size_t(part.index), 0});
      for (auto at = first; at != m_places.end() && at->first.index == std::size_t(part.index) && each > 0; ++at) {
        if (at->first.kind != part.kind) break;
        const std::int64_t order = at->first.instance % each - member.first;
        if (order < 0 || order >= count) continue;
        const bool inTurn = network.deal == Network::Deal::InTurn;
        const std::int64_t to = inTurn ? order % network.instances : order * network.instances / count;
        shares[at->first.instance / each * network.instances + to].push_back(at->first);
      }
    }
    for (const auto& [instance, members] : shares) {
      for (const Place& member : members) joinMember({Kind::Network, index, instance}, member, members);
    }
  }

  void joinMember(const Place& network, const Place& member, const std::vector<Place>& members) {
    const auto bar = m_places.find(network);
    if (bar == m_places.end()) return;
    const QRectF& from = m_places.at(member);
    const QRectF& to = bar->second;
    const bool down = from.center().y() < to.center().y();
    const double x = std::clamp(from.center().x(), to.left() + kPadding, to.right() - kPadding);
    Shape shape{Shape::Kind::Link, {Kind::Network, int(network.index), network.instance, true}};
    shape.part.names = linkNames(m_system, network, member, member, members);
    shape.line << QPointF(from.center().x(), down ? from.bottom() : from.top())
               << QPointF(x, down ? to.top() : to.bottom());
    shape.name = drawingTr("%1 ↔ %2, %3")
                     .arg(textOf(m_system, member), textOf(m_system, network),
                          bandwidthText(interconnectOf(m_system, shape.part)));
    add(std::move(shape));
  }

  [[nodiscard]] Shape instanceShape(Shape::Kind kind, const Place& place, const QRectF& rect) const {
    Shape shape{kind, {place.kind, int(place.index), place.instance}, rect};
    shape.part.names = {placeName(m_system, place)};
    shape.name = QString::fromStdString(shape.part.names.front());
    return shape;
  }

  [[nodiscard]] QString levelName(std::size_t level) const {
    return QString::fromStdString(m_system.levels[level].name);
  }
  void remember(const Place& place, const QRectF& rect) { m_places.emplace(place, rect); }
  void add(Shape shape) {
    if (shape.part.kind != Kind::Level) {
      const Interconnect& link = interconnectOf(m_system, shape.part);
      shape.interconnect = link.kind;
      shape.colour = link.colour;
    }
    shape.disabled = std::any_of(shape.part.names.begin(), shape.part.names.end(),
                                 [this](const std::string& name) { return m_disabled.contains(name); });
    m_drawing.shapes.push_back(std::move(shape));
  }

  const System& m_system;
  std::vector<InsideLayout> m_insides;
  std::set<std::string> m_disabled;
  std::map<Place, QRectF> m_places;
  SystemDrawing m_drawing;
};

}  // namespace

SystemDrawing drawSystem(const System& system, const std::vector<std::int64_t>& open) {
  return Drawer(system, open).draw();
}

}  // namespace p2::views
