// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_view.h"

#include <QFontInfo>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "base/counted.h"
#include "base/numbers.h"
#include "text/csv.h"
#include "views/common/focus_ring.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/timeline/slice_look.h"

namespace p2::views {
namespace {

constexpr double kLeastSpan = 1e-8;   // seconds across the widget
constexpr double kLegendsOfRows = 3;  // heights of the legend that the rows have at least next to it
constexpr int kMostItems = 500;       // that assistive technology is offered

std::string timelineCsv(const p2::Timeline& timeline) {
  std::string csv = "track,kind,name,start,seconds,bytes\n";
  for (const TimelineSlice& slice : timeline.slices) {
    const SliceDetail& detail = timeline.detailOf(slice);
    csv += csvCell(timeline.tracks[slice.track].name) + ',' + std::string(nameOf(detail.kind)) + ',' +
           csvCell(detail.name) + ',' + exactNumber(slice.start) + ',' + exactNumber(slice.seconds) + ',' +
           exactNumber(detail.bytes) + '\n';
  }
  return csv;
}

}  // namespace

TimelineView::TimelineView(QWidget* parent) : QAbstractScrollArea(parent) {
  setObjectName(QStringLiteral("timelineView"));
  setAccessibleName(tr("Timeline"));
  setToolTip(tr("The wheel and W, S zoom; dragging and A, D pan; 0 shows all. Arrows go from slice to slice"));
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setMouseTracking(true);
  exposeAccessibleItems(*this);
  showFocusRing(*this);
  setMinimumHeight(90);
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &TimelineView::hoverAgain);
}

QSize TimelineView::sizeHint() const { return {640, 260}; }

void TimelineView::show(std::shared_ptr<const p2::Timeline> timeline) {
  const double before = m_rows.timeline() ? m_rows.timeline()->seconds : -1;
  const bool isEqual = timeline && before == timeline->seconds;
  m_rows = TimelineRows(std::move(timeline));
  m_chosen.reset();
  m_hovered.reset();
  if (!isEqual) showAll();
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
double TimelineView::legendHeight() const {
  return (showsLegend() ? paintLegend(nullptr, 0) : 0) + (m_isFigure ? 0 : rowHeight());
}

bool TimelineView::showsLegend() const {
  if (m_isFigure || !m_hasLegend) return m_hasLegend;
  const double legend = paintLegend(nullptr, 0);
  return viewport()->height() - 2 * rowHeight() - legend >= kLegendsOfRows * legend;
}

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
  window.label = std::min(std::ceil(widest) + 2 * Theme::kGrid, std::floor(viewport()->width() / 4.0));
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
  hoverAgain();
  viewport()->update();
}

void TimelineView::showTime(double from, double to) {
  const double end = m_rows.timeline() ? m_rows.timeline()->seconds : 1;
  double span = std::clamp(to - from, std::min(kLeastSpan, end), end);
  m_from = std::clamp(from, 0.0, end - span);
  m_to = m_from + span;
  m_whole = span >= end;
  hoverAgain();
  viewport()->update();
}

void TimelineView::zoomAt(double time, double factor) {
  // A span that showTime() has to correct would move the point.
  const double end = m_rows.timeline() ? m_rows.timeline()->seconds : 1;
  const double span = std::clamp((m_to - m_from) / factor, std::min(kLeastSpan, end), end);
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
  if (!about) return tr("%1 in all · %2").arg(secondsText(timeline->seconds), qs(timeline->title));
  const TimelineSlice& slice = timeline->slices[*about];
  return tr("%1, from %2 · %3")
      .arg(qs(timeline->tracks[slice.track].name), secondsText(slice.start), qs(describe(*timeline, slice)));
}

void TimelineView::hoverAgain() {
  if (m_pointer && m_rows.timeline()) hover(sliceAt(*m_pointer));
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
      paintSwatch(*painter, swatch, kind, m_stale);
      painter->setPen(Theme::mutedText());
      painter->drawText(QRectF(x + 2.0 * Theme::kGrid + 4, y, width, height), Qt::AlignVCenter, text);
    }
    x += width;
  }
  return y - top + height;
}

void TimelineView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  m_painted = paint(painter);
}

int TimelineView::paint(QPainter& painter) const {
  painter.fillRect(viewport()->rect(), Theme::surface());
  if (!m_rows.timeline()) return 0;
  // Sizes are the widget's own: a presentation sets them.
  QFont letters = Theme::tabularFont();
  letters.setPixelSize(QFontInfo(font()).pixelSize());
  painter.setFont(letters);
  const TimelineWindow seen = window();
  TimelinePainter drawing(painter, m_rows, m_layout, seen);
  drawing.paintAxis(axisRect());
  painter.setFont(font());  // the room for names was measured with it
  drawing.paint(m_stale);
  for (const auto& marked : {m_hovered, m_chosen}) {
    if (!marked) continue;
    if (const auto row = rowOf(*marked)) drawing.mark(*row, *marked);
  }
  paintBelow(painter);
  return drawing.painted();
}

void TimelineView::paintBelow(QPainter& painter) const {
  const double top = viewport()->height() - legendHeight();
  if (m_isFigure && !m_hasLegend) return;
  painter.fillRect(QRectF(0, top, viewport()->width(), viewport()->height() - top), Theme::surface());
  const double status = showsLegend() ? top + paintLegend(&painter, top) : top;
  if (m_isFigure) return;
  painter.setPen(Theme::text());
  const QRectF line(Theme::kGrid, status, viewport()->width() - 2.0 * Theme::kGrid, rowHeight());
  const bool fits = fontMetrics().horizontalAdvance(statusText()) <= line.width();
  // A long title is on the page already.
  const QString text = fits || m_hovered || m_chosen
                           ? statusText()
                           : tr("%1 in all · point at a slice for its bytes, devices and link")
                                 .arg(secondsText(m_rows.timeline()->seconds));
  painter.drawText(line, Qt::AlignVCenter, fontMetrics().elidedText(text, Qt::ElideRight, int(line.width())));
}

ViewPicture TimelineView::picture() const {
  // A hidden scroll area lays out nothing, so its viewport gets the size.
  const auto prepare = [](TimelineView& figure, const TimelineRows& rows, QSize size, bool legend) {
    figure.m_isFigure = true;
    figure.m_hasLegend = legend;
    figure.m_rows = rows;
    figure.viewport()->resize(size);
    figure.arrange();
  };
  const auto rows = std::make_shared<const TimelineRows>(m_rows);
  return {tr("Timeline"),
          [prepare, rows](int width, bool legend) {
            TimelineView figure;
            prepare(figure, *rows, {width, 1}, legend);
            const double needed = TimelineLayout(*rows, figure.rowHeight()).height;
            return QSize(width, int(std::ceil(figure.rowHeight() + needed + figure.legendHeight())));
          },
          [prepare, rows, from = m_from, to = m_to](QPainter& painter, QSize size, bool legend) {
            TimelineView figure;
            prepare(figure, *rows, size, legend);
            figure.showTime(from, to);
            figure.paint(painter);
          },
          [rows] { return rows->timeline() ? timelineCsv(*rows->timeline()) : std::string(); }};
}

void TimelineView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  arrange();
}

void TimelineView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange) arrange();
  QAbstractScrollArea::changeEvent(event);
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
