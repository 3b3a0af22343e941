// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/graph_view.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "views/common/graph_drawing.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr double kMostWidth = 8;  // of the dearest edge
constexpr double kStrip = 8;      // coloured by cost, at the left of a vertex
constexpr double kBadge = 20;
constexpr double kArrow = 6;

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

}  // namespace

GraphView::GraphView(QWidget* parent) : Canvas(parent) {
  setObjectName(QStringLiteral("strategyGraph"));
  setAccessibleName(tr("Computation graph with its strategy"));
}

void GraphView::setGraph(GraphLayout layout, StrategyPicture picture) {
  m_layout = std::move(layout);
  m_picture = std::move(picture);
  m_hovered = -1;
  m_selected = -1;
  fit();
  update();
}

void GraphView::setPicture(StrategyPicture picture) {
  m_picture = std::move(picture);
  describe();
  update();
}

void GraphView::setStale(bool stale) {
  m_stale = stale;
  update();
}

void GraphView::select(int vertex) {
  m_selected = vertex < vertexCount() ? vertex : -1;
  describe();
  if (m_selected >= 0) reveal(m_layout.nodes[std::size_t(m_selected)]);
  update();
  emit vertexSelected(m_selected);
}

QRectF GraphView::rectOf(int vertex) const {
  const QRectF& rect = m_layout.nodes[std::size_t(vertex)];
  return {toWidget(rect.topLeft()), toWidget(rect.bottomRight())};
}

void GraphView::describe() {
  setAccessibleDescription(m_selected < 0 ? QString() : m_picture.textOf(std::size_t(m_selected)));
}

bool GraphView::isLit(std::size_t edge) const {
  const StrategyPicture::Edge& ends = m_picture.edges[edge];
  return m_hovered >= 0 && (ends.from == std::size_t(m_hovered) || ends.to == std::size_t(m_hovered));
}

bool GraphView::isLitVertex(std::size_t vertex) const {
  if (m_hovered < 0) return false;
  const auto hovered = std::size_t(m_hovered);
  return vertex == hovered || std::any_of(m_picture.edges.begin(), m_picture.edges.end(), [=](const auto& edge) {
           return (edge.from == hovered && edge.to == vertex) || (edge.to == hovered && edge.from == vertex);
         });
}

void GraphView::paintDrawing(QPainter& painter, const QRectF& visible) {
  QFont font = Theme::tabularFont();
  font.setPixelSize(kTextPixels);
  painter.setFont(font);
  for (std::size_t i = 0; i < m_layout.edges.size(); ++i) {
    if (m_layout.edges[i].controlPointRect().adjusted(-1, -1, 1, 1).intersects(visible)) paintEdge(painter, i);
  }
  for (std::size_t i = 0; i < m_layout.nodes.size(); ++i) {
    if (m_layout.nodes[i].intersects(visible)) paintVertex(painter, i);
  }
}

void GraphView::paintEdge(QPainter& painter, std::size_t edge) const {
  const double part = m_picture.largestShare > 0 ? m_picture.edges[edge].share / m_picture.largestShare : 0;
  const QColor rest = isLit(edge) ? Theme::accent() : Theme::mutedText();
  const QPainterPath& path = m_layout.edges[edge];
  const double width = std::max(isLit(edge) ? 2.0 : 1.0, kMostWidth * part);
  painter.setBrush(Qt::NoBrush);
  // A rim, because either end of the colours is faint on one of the surfaces.
  painter.setPen(QPen(rest, part > 0 && !m_stale ? width + 1.5 : width, Qt::SolidLine, Qt::FlatCap));
  painter.drawPath(path);
  if (part > 0 && !m_stale) {
    painter.setPen(QPen(Theme::load(part), width, Qt::SolidLine, Qt::FlatCap));
    painter.drawPath(path);
  }
  paintArrow(painter, path, rest);
}

void GraphView::paintVertex(QPainter& painter, std::size_t index) const {
  const StrategyPicture::Vertex& vertex = m_picture.vertices[index];
  const QRectF& rect = m_layout.nodes[index];
  const bool readable = kTextPixels * zoom() >= kLeastTextHeight;
  const double part = m_picture.largestShare > 0 ? vertex.share / m_picture.largestShare : 0;
  const QColor load = m_stale ? Theme::line() : Theme::load(part);
  const bool chosen = int(index) == m_selected;
  painter.setPen(Qt::NoPen);
  painter.setBrush(readable ? (chosen ? Theme::tint() : Theme::surface()) : load);
  painter.drawRoundedRect(rect, 4, 4);
  if (readable) {
    painter.setBrush(load);
    painter.drawRoundedRect(QRectF(rect.topLeft(), QSizeF(kStrip, rect.height())), 4, 4);
    paintTexts(painter, rect.adjusted(kStrip + 4, 2, -4, -2), vertex);
  }
  painter.setBrush(Qt::NoBrush);
  const bool strong = chosen || isLitVertex(index);
  const Qt::PenStyle style = vertex.instead.isEmpty() ? Qt::SolidLine : Qt::DashLine;
  // Seen from afar, too: an outline keeps its width on the screen.
  const double width = (chosen ? 3 : strong ? 2 : 1) / (readable ? 1 : std::max(zoom(), 0.1));
  painter.setPen(QPen(strong                     ? Theme::accent()
                      : vertex.instead.isEmpty() ? Theme::mutedText()
                                                 : Theme::bad(),
                      width, style));
  painter.drawRoundedRect(rect, 4, 4);
}

void GraphView::paintTexts(QPainter& painter, const QRectF& rect, const StrategyPicture::Vertex& vertex) const {
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
  if (vertex.pinned) {
    paintPin(painter, {first.right() - 6, first.center().y()});
    first.setRight(first.right() - 16);
  }
  if (!vertex.instead.isEmpty()) {
    painter.setPen(Theme::bad());
    painter.drawText(first, Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("≠"));
    first.setRight(first.right() - 16);
  }
  const QFontMetrics metrics = painter.fontMetrics();
  painter.setPen(m_stale ? Theme::mutedText() : Theme::text());
  painter.drawText(first, Qt::AlignVCenter, metrics.elidedText(vertex.name, Qt::ElideMiddle, int(first.width())));
  const QRectF second(rect.left(), rect.top() + half, rect.width(), half);
  painter.setPen(Theme::mutedText());
  painter.drawText(second, Qt::AlignRight | Qt::AlignVCenter, vertex.cost);
  const int room = int(second.width()) - metrics.horizontalAdvance(vertex.cost) - 8;
  painter.setPen(m_stale ? Theme::mutedText() : Theme::text());
  painter.drawText(second, Qt::AlignVCenter, metrics.elidedText(vertex.marks, Qt::ElideRight, room));
}

void GraphView::paintEvent(QPaintEvent* event) {
  Canvas::paintEvent(event);
  QPainter painter(this);
  if (m_picture.largestShare > 0) paintLegend(painter);
}

/// What the colours mean, at the lower left, over the drawing.
void GraphView::paintLegend(QPainter& painter) const {
  constexpr int kLength = 96;
  constexpr int kThickness = 8;
  const QString most = tr("%1 of the cost").arg(percentText(m_picture.largestShare));
  const QFontMetrics metrics = fontMetrics();
  const QString none = QStringLiteral("0");
  const int words = metrics.horizontalAdvance(none) + metrics.horizontalAdvance(most);
  const QRect box(Theme::kGrid, height() - metrics.height() - 2 * Theme::kGrid, words + kLength + 4 * Theme::kGrid,
                  metrics.height() + Theme::kGrid);
  painter.setPen(Theme::line());
  painter.setBrush(Theme::surface());
  painter.drawRect(box);
  const int left = box.left() + 2 * Theme::kGrid + metrics.horizontalAdvance(none);
  for (int x = 0; x < kLength; ++x) {
    painter.fillRect(left + x, box.center().y() - kThickness / 2, 1, kThickness, Theme::load(double(x) / kLength));
  }
  painter.setPen(Theme::mutedText());
  painter.drawText(box.adjusted(Theme::kGrid, 0, 0, 0), Qt::AlignVCenter, none);
  painter.drawText(box.adjusted(0, 0, -Theme::kGrid, 0), Qt::AlignVCenter | Qt::AlignRight, most);
}

void GraphView::hovered(std::optional<QPointF> point) {
  const int over = point ? m_layout.nodeAt(*point) : -1;
  if (std::exchange(m_hovered, over) != over) update();
}

bool GraphView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int vertex = m_layout.nodeAt(toDrawing(help->pos()));
    QStringList lines;
    if (vertex >= 0)
      lines = QStringList{m_picture.textOf(std::size_t(vertex))} + m_picture.exchangesInto(std::size_t(vertex));
    QToolTip::showText(help->globalPos(), lines.join('\n'), this);
    return true;
  }
  return Canvas::event(event);
}

void GraphView::mousePressEvent(QMouseEvent* event) {
  m_pressedAt = event->position();
  Canvas::mousePressEvent(event);
}

void GraphView::mouseReleaseEvent(QMouseEvent* event) {
  Canvas::mouseReleaseEvent(event);
  const bool dragged = (event->position() - m_pressedAt).manhattanLength() >= QApplication::startDragDistance();
  if (event->button() != Qt::LeftButton || dragged) return;
  select(m_layout.nodeAt(toDrawing(event->position())));
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event) {
  const int vertex = m_layout.nodeAt(toDrawing(event->position()));
  if (vertex >= 0) emit vertexActivated(vertex);
}

void GraphView::keyPressEvent(QKeyEvent* event) {
  const QPoint direction = directionOf(event->key());
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  const bool pans = event->modifiers().testFlag(Qt::ShiftModifier);
  if (!direction.isNull() && !pans && vertexCount() > 0) {
    select(m_selected < 0 ? 0 : m_layout.neighbour(m_selected, direction));
  } else if (enter && m_selected >= 0) {
    emit vertexActivated(m_selected);
  } else if (event->key() == Qt::Key_P && m_selected >= 0) {
    emit pinToggled(m_selected);
  } else {
    Canvas::keyPressEvent(event);
  }
}

}  // namespace p2::views
