// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/graph_painter.h"

#include <QObject>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "views/common/graph_drawing.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr double kMostWidth = 8;  // width of the most expensive edge
constexpr double kStrip = 8;      // coloured by cost, at the left of a vertex
constexpr double kBadge = 20;
constexpr double kArrow = 6;
constexpr double kNear = 10;         // an edge is pointed at within this
constexpr double kCards = 3;         // by which the copies of a frame stand behind each other
constexpr double kLabelled = 0.002;  // share of the whole: edges that cost less have their width alone

void paintArrow(QPainter& painter, const QPainterPath& path, const QColor& color) {
  const double radians = path.angleAtPercent(1) * M_PI / 180;
  const QPointF ahead(std::cos(radians), -std::sin(radians));
  const QPointF aside(-ahead.y(), ahead.x());
  const QPointF tip = path.pointAtPercent(1);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawPolygon(
      QPolygonF{tip, tip - kArrow * ahead + kArrow / 2 * aside, tip - kArrow * ahead - kArrow / 2 * aside});
}

/// A drawing pin, seen from the side.
void paintPin(QPainter& painter, QPointF at) {
  painter.setPen(QPen(Theme::accent(), 1.5));
  painter.drawLine(at + QPointF(0, 2), at + QPointF(0, 7));
  painter.drawLine(at + QPointF(-4, 2), at + QPointF(4, 2));
  painter.setBrush(Theme::accent());
  painter.drawRect(QRectF(at + QPointF(-2.5, -4), QSizeF(5, 6)));
}

/// From the right side of a box, along the inside of its frame, into the right side of another.
QPainterPath loopOf(const QRectF& from, const QRectF& to, double x) {
  constexpr double kRound = 8;
  const bool up = to.center().y() < from.center().y();
  const double turn = up ? -kRound : kRound;
  QPainterPath path({from.right(), from.center().y()});
  path.lineTo(x - kRound, from.center().y());
  path.quadTo({x, from.center().y()}, {x, from.center().y() + turn});
  path.lineTo(x, to.center().y() - turn);
  path.quadTo({x, to.center().y()}, {x - kRound, to.center().y()});
  path.lineTo(to.right(), to.center().y());
  return path;
}

QString labelOf(const StrategyPicture::Edge& edge) {
  return edge.shortly.isEmpty() ? edge.cost : edge.shortly + QStringLiteral(" · ") + edge.cost;
}

}  // namespace

int PlacedPicture::edgeAt(QPointF point) const {
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (!edges[e].controlPointRect().adjusted(-kNear, -kNear, kNear, kNear).contains(point)) continue;
    QPainterPathStroker stroker;
    stroker.setWidth(kNear);
    if (stroker.createStroke(edges[e]).contains(point)) return int(e);
  }
  return -1;
}

int PlacedPicture::frameAt(QPointF point) const {
  const auto found =
      std::find_if(frames.begin(), frames.end(), [=](const QRectF& rect) { return rect.contains(point); });
  return found == frames.end() ? -1 : int(found - frames.begin());
}

PlacedPicture placed(const GraphLayout& layout, StrategyPicture picture) {
  constexpr double kLane = 8;  // from one edge to the next that runs back
  PlacedPicture placed{{}, layout.nodes, layout.clusters, {}, layout.bounds};
  std::vector<int> lanes(picture.frames.size(), 0);
  const auto frameOf = [&](std::size_t node) { return std::size_t(placed.frameAt(layout.nodes[node].center())); };
  std::size_t next = 0;
  for (const StrategyPicture::Edge& edge : picture.edges) {
    if (!edge.again) {
      placed.edges.push_back(layout.edges[next++]);
      continue;
    }
    const std::size_t frame = frameOf(edge.to);
    const double x = placed.frames[frame].right() - kClusterMargin + (2 + lanes[frame]) * kLane;
    lanes[frame] = std::min(lanes[frame] + 1, 1);
    placed.edges.push_back(loopOf(layout.nodes[edge.from], layout.nodes[edge.to], x));
  }
  placed.picture = std::move(picture);
  return placed;
}

GraphPainter::GraphPainter(const PlacedPicture& placed, const State& state)
    : m_placed(placed),
      m_picture(placed.picture),
      m_state(state),
      m_readable(kTextPixels * state.zoom >= kLeastTextHeight) {}

bool GraphPainter::isLit(std::size_t edge) const {
  const StrategyPicture::Edge& ends = m_picture.edges[edge];
  return m_state.hovered >= 0 && (ends.from == std::size_t(m_state.hovered) || ends.to == std::size_t(m_state.hovered));
}

bool GraphPainter::isLitVertex(std::size_t vertex) const {
  if (m_state.hovered < 0) return false;
  const auto hovered = std::size_t(m_state.hovered);
  return vertex == hovered || std::any_of(m_picture.edges.begin(), m_picture.edges.end(), [=](const auto& edge) {
           return (edge.from == hovered && edge.to == vertex) || (edge.to == hovered && edge.from == vertex);
         });
}

void GraphPainter::paint(QPainter& painter, const QRectF& visible) const {
  QFont font = Theme::tabularFont();
  font.setPixelSize(kTextPixels);
  painter.setFont(font);
  for (std::size_t i = 0; i < m_placed.frames.size(); ++i) {
    if (m_placed.frames[i].intersects(visible)) paintFrame(painter, i);
  }
  for (std::size_t i = 0; i < m_placed.edges.size(); ++i) {
    if (m_placed.edges[i].controlPointRect().adjusted(-1, -1, 1, 1).intersects(visible)) paintEdge(painter, i);
  }
  for (std::size_t i = 0; i < m_placed.nodes.size(); ++i) {
    if (m_placed.nodes[i].intersects(visible)) paintVertex(painter, i);
  }
  if (m_readable && !m_state.stale) paintLabels(painter);
}

void GraphPainter::paintFrame(QPainter& painter, std::size_t index) const {
  const StrategyPicture::Frame& frame = m_picture.frames[index];
  const QRectF& rect = m_placed.frames[index];
  painter.setPen(QPen(Theme::mutedText(), 1));
  painter.setBrush(Theme::box(0));
  for (const double behind : {2 * kCards, kCards, 0.0}) painter.drawRoundedRect(rect.translated(behind, behind), 6, 6);
  if (!m_readable) return;
  QFont bold = painter.font();
  const QFont plain = bold;
  bold.setBold(true);
  QRectF line(rect.left() + 12, rect.top() + 4, rect.width() - 24, kClusterMargin - 8);
  painter.setFont(bold);
  painter.setPen(m_state.stale ? Theme::mutedText() : Theme::text());
  const QString title = painter.fontMetrics().elidedText(frame.title, Qt::ElideMiddle, int(line.width()));
  painter.drawText(line, Qt::AlignVCenter, title);
  line.setLeft(line.left() + painter.fontMetrics().horizontalAdvance(title) + 12);
  if (!frame.variants.isEmpty()) {
    painter.setPen(Theme::bad());
    const QString variants = painter.fontMetrics().elidedText("≠ " + frame.variants, Qt::ElideRight, int(line.width()));
    painter.drawText(line, Qt::AlignVCenter, variants);
    line.setLeft(line.left() + painter.fontMetrics().horizontalAdvance(variants) + 12);
  }
  painter.setFont(plain);
  painter.setPen(Theme::mutedText());
  painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(frame.share, Qt::ElideRight, int(line.width())));
}

void GraphPainter::paintEdge(QPainter& painter, std::size_t edge) const {
  const double part = m_picture.largestShare > 0 ? m_picture.edges[edge].share / m_picture.largestShare : 0;
  const QColor rest = isLit(edge) ? Theme::accent() : Theme::mutedText();
  const QPainterPath& path = m_placed.edges[edge];
  const double width = std::max(isLit(edge) ? 2.0 : 1.0, kMostWidth * part);
  const Qt::PenStyle style = m_picture.edges[edge].again ? Qt::DashLine : Qt::SolidLine;
  painter.setBrush(Qt::NoBrush);
  // A rim, because either end of the colours is faint on one of the surfaces.
  painter.setPen(QPen(rest, part > 0 && !m_state.stale ? width + 1.5 : width, style, Qt::FlatCap));
  painter.drawPath(path);
  if (part > 0 && !m_state.stale) {
    painter.setPen(QPen(Theme::load(part), width, style, Qt::FlatCap));
    painter.drawPath(path);
  }
  paintArrow(painter, path, rest);
}

void GraphPainter::paintVertex(QPainter& painter, std::size_t index) const {
  const StrategyPicture::Vertex& vertex = m_picture.vertices[index];
  const QRectF& rect = m_placed.nodes[index];
  const double part = m_picture.largestShare > 0 ? vertex.share / m_picture.largestShare : 0;
  const QColor load = m_state.stale ? Theme::line() : Theme::load(part);
  const bool chosen = int(index) == m_state.selected;
  painter.setPen(Qt::NoPen);
  painter.setBrush(m_readable ? (chosen ? Theme::tint() : Theme::surface()) : load);
  painter.drawRoundedRect(rect, 4, 4);
  if (m_readable) {
    painter.setBrush(load);
    painter.drawRoundedRect(QRectF(rect.topLeft(), QSizeF(kStrip, rect.height())), 4, 4);
    paintTexts(painter, rect.adjusted(kStrip + 4, 2, -4, -2), vertex);
  }
  painter.setBrush(Qt::NoBrush);
  const bool strong = chosen || isLitVertex(index);
  const bool differs = !vertex.instead.isEmpty() || !vertex.others.isEmpty();
  // Seen from afar, too: an outline keeps its width on the screen.
  const double width = (chosen ? 3 : strong ? 2 : 1) / (m_readable ? 1 : std::max(m_state.zoom, 0.1));
  painter.setPen(QPen(strong    ? Theme::accent()
                      : differs ? Theme::bad()
                                : Theme::mutedText(),
                      width, differs ? Qt::DashLine : Qt::SolidLine));
  painter.drawRoundedRect(rect, 4, 4);
}

/// Marks at the right of a vertex's first line: pinned, stage, differs; returns the remaining
/// rectangle.
QRectF GraphPainter::paintMarks(QPainter& painter, QRectF line, const StrategyPicture::Vertex& vertex) const {
  if (vertex.pinned) {
    const QString pinned =
        vertex.pins < vertex.vertices.size() ? QObject::tr("%1 pinned").arg(vertex.pins) : QObject::tr("pinned");
    painter.setPen(m_state.stale ? Theme::mutedText() : Theme::text());
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, pinned);
    line.setRight(line.right() - painter.fontMetrics().horizontalAdvance(pinned) - 2);
    paintPin(painter, {line.right() - 6, line.center().y()});
    line.setRight(line.right() - 16);
  }
  if (!vertex.stage.isEmpty()) {
    const QRectF band(line.right() - painter.fontMetrics().horizontalAdvance(vertex.stage) - 8, line.top() + 1,
                      painter.fontMetrics().horizontalAdvance(vertex.stage) + 8, line.height() - 2);
    painter.setPen(QPen(m_state.stale ? Theme::mutedText() : Theme::accent(), 1));
    painter.setBrush(Theme::box(0));
    painter.drawRoundedRect(band, 3, 3);
    painter.setPen(m_state.stale ? Theme::mutedText() : Theme::text());
    painter.drawText(band, Qt::AlignCenter, vertex.stage);
    line.setRight(band.left() - 4);
  }
  if (!vertex.instead.isEmpty() || !vertex.others.isEmpty()) {
    painter.setPen(Theme::bad());
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("≠"));
    line.setRight(line.right() - 16);
  }
  return line;
}

void GraphPainter::paintTexts(QPainter& painter, const QRectF& rect, const StrategyPicture::Vertex& vertex) const {
  const double half = rect.height() / 2;
  QRectF first(rect.left(), rect.top(), rect.width(), half);
  if (!vertex.kind.isEmpty()) {
    const QRectF badge(first.left(), first.center().y() - kBadge / 2 + 1, kBadge, kBadge - 2);
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::box(1));
    painter.drawRoundedRect(badge, 3, 3);
    painter.setPen(Theme::mutedText());
    painter.drawText(badge, Qt::AlignCenter, vertex.kind.left(1));
    first.setLeft(badge.right() + 4);
  }
  first = paintMarks(painter, first, vertex);
  const QFontMetrics metrics = painter.fontMetrics();
  painter.setPen(m_state.stale ? Theme::mutedText() : Theme::text());
  painter.drawText(first, Qt::AlignVCenter, metrics.elidedText(vertex.name, Qt::ElideMiddle, int(first.width())));
  const QRectF second(rect.left(), rect.top() + half, rect.width(), half);
  painter.setPen(Theme::mutedText());
  painter.drawText(second, Qt::AlignRight | Qt::AlignVCenter, vertex.cost);
  const int room = int(second.width()) - metrics.horizontalAdvance(vertex.cost) - 8;
  painter.setPen(m_state.stale ? Theme::mutedText() : Theme::text());
  const QString marks = vertex.others.isEmpty() ? vertex.marks : vertex.marks + " · " + vertex.others;
  painter.drawText(second, Qt::AlignVCenter, metrics.elidedText(marks, Qt::ElideRight, room));
}

/// What edges cost, and by which collectives, where there is room next to the vertices and other labels.
void GraphPainter::paintLabels(QPainter& painter) const {
  std::vector<QRectF> taken = m_placed.nodes;
  for (QRectF title : m_placed.frames) {
    title.setHeight(kClusterMargin);
    taken.push_back(title);
  }
  std::vector<std::size_t> costliest;
  for (std::size_t e = 0; e < m_picture.edges.size(); ++e) {
    if (m_picture.edges[e].share >= kLabelled) costliest.push_back(e);
  }
  std::sort(costliest.begin(), costliest.end(),
            [this](std::size_t a, std::size_t b) { return m_picture.edges[a].share > m_picture.edges[b].share; });
  const QFontMetrics metrics = painter.fontMetrics();
  for (const std::size_t e : costliest) {
    const QString label = labelOf(m_picture.edges[e]);
    QRectF box(0, 0, metrics.horizontalAdvance(label) + 8, metrics.height());
    for (const double along : {0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8}) {
      box.moveCenter(m_placed.edges[e].pointAtPercent(along));
      const bool free =
          std::none_of(taken.begin(), taken.end(), [&](const QRectF& rect) { return rect.intersects(box); });
      if (!free || !m_placed.bounds.contains(box)) continue;
      painter.setPen(QPen(Theme::line(), 1));
      painter.setBrush(Theme::surface());
      painter.drawRoundedRect(box, 3, 3);
      painter.setPen(Theme::text());
      painter.drawText(box, Qt::AlignCenter, label);
      taken.push_back(box);
      break;
    }
  }
}

}  // namespace p2::views
