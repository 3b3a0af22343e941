// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/graph_view.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "views/common/graph_drawing.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr double kReadableShare = 0.8;  // share of the window's text
constexpr double kOverviewZoom = 0.4;   // below it there is more to see than to read

}  // namespace

GraphView::GraphView(QWidget* parent) : Canvas(parent) {
  setObjectName(QStringLiteral("strategyGraph"));
  setAccessibleName(tr("Computation graph with its strategy"));
  keepLegendFree();
}

void GraphView::keepLegendFree() { setBottomInset(fontMetrics().height() + 3 * Theme::kGrid); }

double GraphView::sameTextZoom() const { return double(QFontInfo(font()).pixelSize()) / kTextPixels; }

double GraphView::mostFittedZoom() const { return std::max(Canvas::mostFittedZoom(), sameTextZoom()); }

void GraphView::setGraph(GraphLayout layout, StrategyPicture picture) {
  m_placed = placed(layout, std::move(picture));
  m_layout = std::move(layout);
  m_hovered = -1;
  m_selected = -1;
  begin();
  update();
}

/// The first view of a graph; it adapts to the size of the window until the user moves it.
void GraphView::begin() {
  fit();
  makeReadable();
  m_begins = true;
}

void GraphView::fit() {
  m_begins = false;
  Canvas::fit();
}

void GraphView::navigated() {
  if (!m_placing) m_begins = false;
}

void GraphView::resizeEvent(QResizeEvent* event) {
  const bool begins = m_begins;
  Canvas::resizeEvent(event);
  if (begins) begin();
}

void GraphView::changeEvent(QEvent* event) {
  Canvas::changeEvent(event);
  if (event->type() != QEvent::FontChange) return;
  const bool begins = m_begins;
  keepLegendFree();
  if (begins) begin();
}

/// A graph that is folded, or only a little too large to be read, begins with its most expensive vertex instead of with
/// all of it.
void GraphView::makeReadable() {
  const double readable = kReadableShare * sameTextZoom();
  const bool overview = picture().frames.empty() && zoom() < kOverviewZoom;
  if (zoom() >= readable || overview || vertexCount() == 0) return;
  QRectF part(QPointF(), (window().size() - QSizeF(2 * Theme::kGrid, 2 * Theme::kGrid)) / readable);
  part.moveCenter(m_layout.nodes[std::size_t(picture().costliest())].center());
  // Nothing beyond the drawing is worth looking at.
  const QRectF& all = m_layout.bounds;
  if (part.height() < all.height()) {
    part.moveTop(std::clamp(part.top(), all.top(), all.bottom() - part.height()));
  } else {
    part.moveCenter({part.center().x(), all.center().y()});
  }
  if (part.width() < all.width()) {
    part.moveLeft(std::clamp(part.left(), all.left(), all.right() - part.width()));
  } else {
    part.moveCenter({all.center().x(), part.center().y()});
  }
  m_placing = true;
  zoomTo(part);
  m_placing = false;
}

void GraphView::setPicture(StrategyPicture picture) {
  m_placed = placed(m_layout, std::move(picture));
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

QRectF GraphView::frameRectOf(int frame) const {
  const QRectF& rect = m_placed.frames[std::size_t(frame)];
  return {toWidget(rect.topLeft()), toWidget(rect.bottomRight())};
}

void GraphView::describe() {
  setAccessibleDescription(m_selected < 0 ? QString() : picture().textOf(std::size_t(m_selected)));
}

void GraphView::paintDrawing(QPainter& painter, const QRectF& visible) {
  GraphPainter(m_placed, {m_selected, m_hovered, m_stale, zoom()}).paint(painter, visible);
}

void GraphView::paintEvent(QPaintEvent* event) {
  Canvas::paintEvent(event);
  QPainter painter(this);
  if (picture().largestShare > 0) paintLegend(painter);
}

/// The legend of colours, at the lower left, over the drawing.
void GraphView::paintLegend(QPainter& painter) const {
  constexpr int kLength = 96;
  constexpr int kThickness = 8;
  const QString most = tr("%1 of the cost").arg(qs(formatPercent(picture().largestShare)));
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
    QToolTip::showText(help->globalPos(), textAt(toDrawing(help->pos())), this);
    return true;
  }
  return Canvas::event(event);
}

QString GraphView::textAt(QPointF point) const {
  if (const int vertex = m_layout.nodeAt(point); vertex >= 0) {
    return (QStringList{picture().textOf(std::size_t(vertex))} + picture().reshardingsInto(std::size_t(vertex)))
        .join('\n');
  }
  if (const int edge = m_placed.edgeAt(point); edge >= 0) return picture().edgeText(std::size_t(edge));
  const int index = m_placed.frameAt(point);
  if (index < 0) return {};
  const StrategyPicture::Frame& frame = picture().frames[std::size_t(index)];
  QStringList lines{frame.title + QStringLiteral(" · ") + frame.share};
  if (!frame.variants.isEmpty()) lines << frame.variants + ':' << frame.differences;
  lines << tr("Double click, or F: show each by itself");
  return lines.join('\n');
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
  const QPointF point = toDrawing(event->position());
  if (const int vertex = m_layout.nodeAt(point); vertex >= 0) {
    emit vertexActivated(vertex);
  } else if (const int frame = m_placed.frameAt(point); frame >= 0) {
    emit unfoldWanted(frame);
  }
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
  } else if (event->key() == Qt::Key_F && m_selected >= 0) {
    emit foldToggled(m_selected);
  } else {
    Canvas::keyPressEvent(event);
  }
}

void GraphView::contextMenuEvent(QContextMenuEvent* event) {
  const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
  if (byKey && m_selected < 0) return;
  const QPointF at = byKey ? rectOf(m_selected).center() : QPointF(event->pos());
  const int vertex = byKey ? m_selected : m_layout.nodeAt(toDrawing(at));
  if (vertex >= 0 && vertex != m_selected) select(vertex);
  emit menuWanted(vertex, m_placed.frameAt(toDrawing(at)), mapToGlobal(at.toPoint()));
}

}  // namespace p2::views
