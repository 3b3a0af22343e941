// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/system_drawing.h"

#include "views/common/text.h"
#include "views/system/drawn_parts.h"
#include "views/system/network_rows.h"

namespace p2::views {
namespace {

using Shape = SystemDrawing::Shape;
using Kind = SystemPart::Kind;

class Drawer {
 public:
  Drawer(const System& system, std::vector<InsideLayout> insides) : m_parts(system, std::move(insides)) {}

  SystemDrawing draw() {
    drawRoom(0, 0, {0, 0});
    joinMembers(m_parts);
    return std::move(m_parts).finished();
  }

 private:
  void drawRoom(std::size_t level, std::int64_t parent, QPointF origin) {
    const InsideLayout& inside = m_parts.inside(level);
    const QPointF at = origin + inside.blockAt;
    if (level < m_parts.system().levels.size()) {
      for (std::int64_t i = 0; i < inside.block.drawn; ++i) drawInstance(level, parent, i, at);
      if (inside.block.places > inside.block.drawn) drawMore(level, parent, at);
      drawInterconnect(m_parts, level, parent, at);
      if (inside.torus) drawTorus(m_parts, level, parent, at);
      for (const int network : inside.lanes) drawLanes(m_parts, network, level, parent, at);
    }
    for (std::size_t row = 0; row < inside.rows.size(); ++row) {
      for (std::size_t run = 0; run < inside.rows[row].runs.size(); ++run) drawBars(inside, row, run, parent, origin);
    }
  }

  void drawInstance(std::size_t level, std::int64_t parent, std::int64_t slot, QPointF at) {
    const InsideLayout& inside = m_parts.inside(level);
    const std::int64_t child = (inside.block.joint == Joint::Torus ? 0 : inside.level.first) + slot;
    const std::int64_t own = m_parts.instance(level, parent, child);
    const QRectF rect = inside.block.slot(slot).translated(at);
    const bool device = level + 1 == m_parts.system().levels.size();
    const bool folded = !device && inside.level.open >= 0 && child != inside.level.open;
    m_parts.addAnchor({Kind::Level, int(level), own, own + 1, rect, folded || device});
    if (!device && !folded) return drawBox(level, own, rect);
    Shape shape = m_parts.shapeOf(device ? Shape::Kind::Device : Shape::Kind::Chip, {Kind::Level, level, own}, rect);
    shape.text = folded                  ? chipText(m_parts.system(), level, child)
                 : inside.block.numbered ? QString::number(child)
                                         : m_parts.levelName(level) + ' ' + QString::number(child);
    if (device) shape.name = drawingTr("device %1: %2").arg(own).arg(shape.name);
    m_parts.add(std::move(shape));
  }

  void drawBox(std::size_t level, std::int64_t own, const QRectF& rect) {
    Shape shape = m_parts.shapeOf(Shape::Kind::Box, {Kind::Level, level, own}, rect);
    shape.text = m_parts.levelName(level) + ' ' + QString::number(own % m_parts.system().levels[level].count);
    m_parts.add(std::move(shape));
    const double spare = rect.width() - 2 * kPadding - m_parts.inside(level + 1).size.width();
    drawRoom(level + 1, own, rect.topLeft() + QPointF(kPadding + spare / 2, kSystemTitleHeight));
  }

  void drawMore(std::size_t level, std::int64_t parent, QPointF at) {
    const InsideLayout& inside = m_parts.inside(level);
    const std::int64_t count = m_parts.system().levels[level].count;
    const std::int64_t next = inside.level.first + inside.level.drawn;
    Shape shape{Shape::Kind::More, {Kind::Level, int(level), next < count ? next : 0}};
    shape.rect = inside.block.slot(inside.block.drawn).translated(at);
    const QString rest = QStringLiteral("%L1").arg(count - inside.level.drawn);
    const bool narrow = inside.block.numbered;
    shape.text = narrow ? QStringLiteral("+ %1").arg(rest) : drawingTr("+ %1\nmore").arg(rest);
    shape.name = drawingTr("%1 more of level %2: click for the next").arg(rest, m_parts.levelName(level));
    const auto stands = [&](std::int64_t first, std::int64_t last) {
      if (first < last) {
        m_parts.addAnchor({Kind::Level, int(level), m_parts.instance(level, parent, first),
                           m_parts.instance(level, parent, last), shape.rect, true});
      }
    };
    stands(0, inside.level.first);
    stands(next, count);
    m_parts.add(std::move(shape));
  }

  void drawBars(const InsideLayout& inside, std::size_t row, std::size_t run, std::int64_t parent, QPointF origin) {
    const BarRun& own = inside.rows[row].runs[run];
    const Network& network = m_parts.system().networks[std::size_t(own.network)];
    const std::int64_t begin = parent * network.instances;
    for (std::int64_t i = 0; i < own.drawn; ++i) {
      drawBar(own, begin + own.first + i, inside.barRect(row, run, i).translated(origin));
    }
    if (!own.rest) return;
    const QRectF rect = inside.barRect(row, run, own.drawn).translated(origin);
    const bool rail = own.style == BarRun::Style::Rails;
    const std::int64_t left = network.instances - own.drawn;
    Shape shape{Shape::Kind::More, {Kind::Network, own.network, begin + own.first + own.drawn}, rect};
    shape.text = QStringLiteral("+ %L1").arg(left);
    shape.name = drawingTr("%L1 more %2").arg(left).arg(interconnectName(network.interconnect));
    m_parts.addAnchor({Kind::Network, own.network, begin, begin + own.first, rect, true, rail});
    m_parts.addAnchor(
        {Kind::Network, own.network, begin + own.first + own.drawn, begin + network.instances, rect, true, rail});
    m_parts.add(std::move(shape));
  }

  void drawBar(const BarRun& run, std::int64_t instance, const QRectF& rect) {
    const Network& network = m_parts.system().networks[std::size_t(run.network)];
    const bool rail = run.style == BarRun::Style::Rails;
    const bool caption = run.style == BarRun::Style::Caption;
    const Place place{Kind::Network, std::size_t(run.network), instance};
    const std::int64_t own = instance % std::max<std::int64_t>(network.instances, 1);
    Shape shape = m_parts.shapeOf(rail      ? Shape::Kind::Rail
                                  : caption ? Shape::Kind::Caption
                                            : Shape::Kind::Bar,
                                  place, rect);
    shape.text = caption                  ? ringsCaption(network)
                 : network.instances <= 1 ? networkCaption(network)
                                          : barText(network, own);
    shape.rail = rail;
    shape.textWidth = run.width;
    if (rail && network.interconnect.colour < 0) shape.colour = int(own);
    const QString kind = qs(nameOf(network.interconnect.kind));
    shape.name = drawingTr("%1: a %2, %3%4")
                     .arg(shape.name, kind, bandwidthWords(network.interconnect),
                          network.gateway ? drawingTr(", uplink") : QString());
    if (!caption) m_parts.addAnchor({Kind::Network, run.network, instance, instance + 1, rect, false, rail});
    m_parts.add(std::move(shape));
  }

  DrawnParts m_parts;
};

/// The system with the fitted figures in place of the nominal ones, if it is calibrated.
System withUsedFigures(System system) {
  const auto use = [&](Interconnect& link) {
    link.bandwidth = bandwidthOf(link, system.calibrated);
    link.latency = latencyOf(link, system.calibrated);
  };
  for (Level& level : system.levels) use(level.interconnect);
  for (Network& network : system.networks) use(network.interconnect);
  return system;
}

}  // namespace

SystemDrawing drawSystem(const System& system, const std::vector<std::int64_t>& open, const DrawingDetail& detail) {
  const System shown = withUsedFigures(system);
  return Drawer(shown, measureInsides(shown, drawnLevels(shown, open, detail))).draw();
}

}  // namespace p2::views
