// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_view.h"

#include <QApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "base/counted.h"
#include "views/common/focus_ring.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/timeline/slice_look.h"

namespace p2::views {
namespace {

constexpr double kZoomStep = 1.25;
constexpr double kPanShare = 0.1;    // share of the visible time
constexpr double kLeastSpan = 1e-8;  // seconds across the widget
constexpr int kMostItems = 500;      // that assistive technology is offered

}  // namespace

TimelineView::TimelineView(QWidget* parent) : QAbstractScrollArea(parent) {
  setObjectName(QStringLiteral("timelineView"));
  setAccessibleName(tr("Timeline"));
  setToolTip(tr("The wheel and W, S zoom; dragging and A, D pan; 0 shows all. Arrows go from slice to slice"));
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setMouseTracking(true);
  exposeAccessibleItems();
  showFocusRing(*this);
  setMinimumHeight(90);
}

QSize TimelineView::sizeHint() const { return {640, 260}; }

void TimelineView::show(std::shared_ptr<const p2::Timeline> timeline) {
  const double before = m_rows.timeline() ? m_rows.timeline()->seconds : -1;
  const bool isAlike = timeline && before == timeline->seconds;
  m_rows = TimelineRows(std::move(timeline));
  m_chosen.reset();
  m_hovered.reset();
  if (!isAlike) showAll();
  arrange();
  if (const p2::Timeline* shown = m_rows.timeline()) {
    setAccessibleDescription(
        tr("%1: %2 in %3")
            .arg(qs(shown->title), qs(countedText(shown->slices.size(), "slice")), secondsText(shown->seconds)));
  }
}

void TimelineView::setStale(bool stale) {
  m_stale = stale;
  viewport()->update();
}

double TimelineView::rowHeight() const { return fontMetrics().height() + 4; }
double TimelineView::legendHeight() const { return paintLegend(nullptr, 0) + rowHeight(); }
QRectF TimelineView::axisRect() const {
  const double label = window().label;
  return {label, 0, viewport()->width() - label, rowHeight()};
}

TimelineWindow TimelineView::window() const {
  TimelineWindow window;
  window.from = m_from;
  window.to = m_to;
  window.row = m_row;
  double widest = 0;
  if (const p2::Timeline* timeline = m_rows.timeline()) {
    const std::size_t step = std::max<std::size_t>(1, timeline->tracks.size() / 64);
    for (std::size_t i = 0; i < timeline->tracks.size(); i += step) {
      widest = std::max(widest, double(fontMetrics().horizontalAdvance(qs(timeline->tracks[i].name))));
    }
    for (const auto& counter : timeline->counters) {
      widest = std::max(widest, double(fontMetrics().horizontalAdvance(qs(counter.name))));
    }
  }
  window.label = std::min(widest + 2 * Theme::kGrid, viewport()->width() / 4.0);
  const double top = rowHeight();
  window.area = QRectF(window.label, top, std::max(1.0, viewport()->width() - window.label),
                       std::max(1.0, viewport()->height() - top - legendHeight()));
  window.top = verticalScrollBar()->value();
  return window;
}

void TimelineView::arrange() {
  // Few rows share the height.
  constexpr double kTallest = 2.5;
  const double room = window().area.height();
  const double least = rowHeight();
  const double needed = TimelineLayout(m_rows, least).height;
  m_row = needed > 0 && needed < room ? std::floor(std::min(kTallest, room / needed * 0.97) * least) : least;
  m_layout = TimelineLayout(m_rows, m_row);
  verticalScrollBar()->setRange(0, std::max(0, int(std::ceil(m_layout.height - room))));
  verticalScrollBar()->setPageStep(int(room));
  verticalScrollBar()->setSingleStep(int(m_row));
  viewport()->update();
}

void TimelineView::showAll() {
  m_from = 0;
  m_to = m_rows.timeline() && m_rows.timeline()->seconds > 0 ? m_rows.timeline()->seconds : 1;
  m_whole = true;
  viewport()->update();
}

void TimelineView::showTime(double from, double to) {
  const double end = m_rows.timeline() ? m_rows.timeline()->seconds : 1;
  double span = std::clamp(to - from, std::min(kLeastSpan, end), end);
  m_from = std::clamp(from, 0.0, end - span);
  m_to = m_from + span;
  m_whole = span >= end;
  viewport()->update();
}

void TimelineView::zoomAt(double time, double factor) {
  const double span = (m_to - m_from) / factor;
  const double share = (time - m_from) / (m_to - m_from);
  showTime(time - share * span, time + (1 - share) * span);
}

void TimelineView::pan(double seconds) { showTime(m_from + seconds, m_to + seconds); }

std::optional<std::uint32_t> TimelineView::sliceAt(QPointF point) const {
  const TimelineWindow seen = window();
  if (!seen.area.contains(point)) return std::nullopt;
  const double y = point.y() - seen.area.top() + seen.top;
  const auto above = std::upper_bound(m_layout.rowTops.begin(), m_layout.rowTops.end(), y);
  if (above == m_layout.rowTops.begin()) return std::nullopt;
  const auto row = static_cast<std::size_t>(above - m_layout.rowTops.begin() - 1);
  if (y > m_layout.rowTops[row] + seen.row) return std::nullopt;
  return m_rows.at(row, seen.timeAt(point.x()));
}

std::optional<std::size_t> TimelineView::rowOf(std::uint32_t slice) const {
  const TimelineSlice& wanted = m_rows.timeline()->slices[slice];
  const auto& rows = m_rows.rows();
  const auto first = std::partition_point(rows.begin(), rows.end(), [&](const TimelineRow& row) {
    return row.track < wanted.track || (row.track == wanted.track && row.depth < wanted.depth);
  });
  if (first == rows.end()) return std::nullopt;
  return static_cast<std::size_t>(first - rows.begin());
}

QRectF TimelineView::rectOf(std::uint32_t slice) const {
  const TimelineWindow seen = window();
  const TimelineSlice& shown = m_rows.timeline()->slices[slice];
  const auto row = rowOf(slice);
  if (!row) return {};
  const double top = seen.area.top() + m_layout.rowTops[*row] - seen.top;
  return QRectF(QPointF(seen.xOf(shown.start), top), QPointF(seen.xOf(shown.end()), top + seen.row));
}

void TimelineView::choose(std::optional<std::uint32_t> slice) {
  if (m_chosen == slice) return;
  m_chosen = slice;
  if (slice) {
    reveal(*slice);
    announce(*this, statusText());
    tellFocusedItem(*this);
  }
  viewport()->update();
  emit chosenChanged();
}

void TimelineView::reveal(std::uint32_t slice) {
  const TimelineSlice& shown = m_rows.timeline()->slices[slice];
  const double span = m_to - m_from;
  if (shown.start > m_to || shown.end() < m_from) showTime(shown.start - span / 4, shown.start + span * 3 / 4);
  const QRectF rect = rectOf(slice);
  const QRectF area = window().area;
  if (rect.top() < area.top())
    verticalScrollBar()->setValue(int(verticalScrollBar()->value() - area.top() + rect.top()));
  if (rect.bottom() > area.bottom()) {
    verticalScrollBar()->setValue(int(verticalScrollBar()->value() + rect.bottom() - area.bottom()));
  }
}

QString TimelineView::statusText() const {
  const auto about = m_hovered ? m_hovered : m_chosen;
  const p2::Timeline* timeline = m_rows.timeline();
  if (!timeline) return {};
  if (!about) return tr("%1, %2 in all").arg(qs(timeline->title), secondsText(timeline->seconds));
  const TimelineSlice& slice = timeline->slices[*about];
  return qs(timeline->tracks[slice.track].name) + QStringLiteral(" · ") + qs(describe(*timeline, slice)) +
         tr(", from %1").arg(secondsText(slice.start));
}

void TimelineView::hover(std::optional<std::uint32_t> slice) {
  if (m_hovered == slice) return;
  m_hovered = slice;
  viewport()->update();
}

double TimelineView::paintLegend(QPainter* painter, double top) const {
  double x = Theme::kGrid;
  double y = top;
  const double height = rowHeight();
  for (const SliceKind kind : m_rows.kinds()) {
    const QString text = titleOf(kind);
    const double width = 2.0 * Theme::kGrid + 4 + fontMetrics().horizontalAdvance(text) + 2.0 * Theme::kGrid;
    if (x + width > viewport()->width() && x > Theme::kGrid) {
      x = Theme::kGrid;
      y += height;
    }
    if (painter != nullptr) {
      const QRectF swatch(x, y + 3, 2.0 * Theme::kGrid, height - 6);
      fillSlice(*painter, swatch, kind, m_stale);
      painter->setPen(Theme::line());
      painter->setBrush(Qt::NoBrush);
      painter->drawRect(swatch);
      painter->setPen(Theme::mutedText());
      painter->drawText(QRectF(x + 2.0 * Theme::kGrid + 4, y, width, height), Qt::AlignVCenter, text);
    }
    x += width;
  }
  return y - top + height;
}

void TimelineView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), Theme::surface());
  if (!m_rows.timeline()) return;
  painter.setFont(Theme::tabularFont());
  const TimelineWindow seen = window();
  TimelinePainter drawing(painter, m_rows, m_layout, seen);
  drawing.paintAxis(axisRect());
  drawing.paint(m_stale);
  m_painted = drawing.painted();
  for (const auto& marked : {m_hovered, m_chosen}) {
    if (!marked) continue;
    if (const auto row = rowOf(*marked)) drawing.mark(*row, *marked);
  }
  const double top = viewport()->height() - legendHeight();
  painter.fillRect(QRectF(0, top, viewport()->width(), viewport()->height() - top), Theme::surface());
  const double status = top + paintLegend(&painter, top);
  painter.setPen(Theme::text());
  const QRectF line(Theme::kGrid, status, viewport()->width() - 2.0 * Theme::kGrid, rowHeight());
  painter.drawText(line, Qt::AlignVCenter, fontMetrics().elidedText(statusText(), Qt::ElideRight, int(line.width())));
}

void TimelineView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  arrange();
}

void TimelineView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange) arrange();
  QAbstractScrollArea::changeEvent(event);
}

bool TimelineView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto slice = sliceAt(help->pos());
    QToolTip::showText(help->globalPos(),
                       slice ? qs(describe(*m_rows.timeline(), m_rows.timeline()->slices[*slice])) : toolTip(), this);
    return true;
  }
  if (event->type() == QEvent::Leave) hover({});
  return QAbstractScrollArea::viewportEvent(event);
}

void TimelineView::wheelEvent(QWheelEvent* event) {
  const QPoint turned = event->angleDelta();
  const int delta = turned.y() != 0 ? turned.y() : turned.x();
  if (event->modifiers().testFlag(Qt::ShiftModifier) || turned.y() == 0) {
    pan(-delta / 120.0 * kPanShare * (m_to - m_from));
  } else {
    zoomAt(window().timeAt(event->position().x()), std::pow(kZoomStep, delta / 120.0));
  }
  event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
  m_pressed = event->position();
  m_dragged = event->position();
  m_moved = false;
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
  if (!m_dragged) return hover(sliceAt(event->position()));
  const QPointF way = event->position() - *m_dragged;
  if (!m_moved && (event->position() - m_pressed).manhattanLength() < QApplication::startDragDistance()) return;
  m_moved = true;
  m_dragged = event->position();
  pan(-way.x() / window().area.width() * (m_to - m_from));
  verticalScrollBar()->setValue(int(verticalScrollBar()->value() - way.y()));
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
  if (m_dragged && !m_moved && event->button() == Qt::LeftButton) choose(sliceAt(event->position()));
  m_dragged.reset();
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (const auto slice = sliceAt(event->position())) emit followed(*slice);
}

bool TimelineView::panByKey(int key) {
  const double span = m_to - m_from;
  const double middle = m_hovered ? m_rows.timeline()->slices[*m_hovered].start : (m_from + m_to) / 2;
  switch (key) {
    case Qt::Key_W:
    case Qt::Key_Plus:
      return zoomAt(middle, kZoomStep), true;
    case Qt::Key_S:
    case Qt::Key_Minus:
      return zoomAt(middle, 1 / kZoomStep), true;
    case Qt::Key_A:
      return pan(-kPanShare * span), true;
    case Qt::Key_D:
      return pan(kPanShare * span), true;
    case Qt::Key_0:
      return showAll(), true;
    default:
      return false;
  }
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
  const bool isPlain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier));
  if (!m_rows.timeline() || !isPlain) return QAbstractScrollArea::keyPressEvent(event);
  if (panByKey(event->key())) return;
  switch (event->key()) {
    case Qt::Key_Left:
      return step(0, -1);
    case Qt::Key_Right:
      return step(0, 1);
    case Qt::Key_Up:
      return step(-1, 0);
    case Qt::Key_Down:
      return step(1, 0);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (m_chosen) emit followed(*m_chosen);
      return;
    default:
      QAbstractScrollArea::keyPressEvent(event);
  }
}

/// Chooses a neighbour of the chosen slice: in its row, or at its time in another row.
void TimelineView::step(int rows, int slices) {
  if (m_rows.timeline()->slices.empty()) return;
  if (!m_chosen) return choose(0);
  const auto row = rowOf(*m_chosen);
  if (!row) return;
  if (slices != 0) {
    const auto& all = m_rows.rows()[*row].slices;
    const auto place = std::lower_bound(all.begin(), all.end(), *m_chosen) - all.begin() + slices;
    if (place >= 0 && place < std::ssize(all)) choose(all[std::size_t(place)]);
    return;
  }
  const TimelineSlice& from = m_rows.timeline()->slices[*m_chosen];
  for (auto next = std::ptrdiff_t(*row) + rows; next >= 0 && next < std::ssize(m_rows.rows()); next += rows) {
    const auto& all = m_rows.rows()[std::size_t(next)].slices;
    if (all.empty()) continue;
    const auto found = m_rows.at(std::size_t(next), from.start + from.seconds / 2);
    return choose(found ? *found : all.front());
  }
}

int TimelineView::itemCount() const {
  return m_rows.timeline() ? int(std::min<std::size_t>(kMostItems, m_rows.timeline()->slices.size())) : 0;
}

AccessibleItem TimelineView::itemAt(int index) const {
  const TimelineSlice& slice = m_rows.timeline()->slices[std::size_t(index)];
  return {qs(m_rows.timeline()->detailOf(slice).name), qs(describe(*m_rows.timeline(), slice)),
          rectOf(std::uint32_t(index)).toAlignedRect()};
}

int TimelineView::focusedItem() const { return m_chosen && int(*m_chosen) < itemCount() ? int(*m_chosen) : -1; }

}  // namespace p2::views
