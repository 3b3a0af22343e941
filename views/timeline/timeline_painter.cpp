// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_painter.h"

#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/near.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/timeline/slice_look.h"

namespace p2::views {
namespace {

constexpr double kRowGap = 1;
constexpr double kTrackGap = 6;
constexpr double kLeastLetter = 12;
constexpr double kLeastPattern = 7;  // pixels of a slice that shows its pattern
constexpr double kLeastWhole = 4;    // pixels of a slice that is drawn by itself; narrower ones are mixed

double counterHeight(double row) { return 2 * row; }

/// The longest name of a slice that fits: "forward 3", "F3", "3". None where only a sign would, since the pattern tells
/// as much.
template <class Fits>
QString labelOf(const TimelineSlice& slice, const SliceDetail& detail, const Fits& fits) {
  const bool numbered = slice.number >= 0;
  const QString number = numbered ? QString::number(slice.number) : QString();
  const QString letter = lookOf(detail.kind).letter;
  const QString name = qs(detail.name) + (numbered ? ' ' + number : QString());
  for (const QString& label : {name, letter + number, number}) {
    const bool sign = label == letter && !letter.isEmpty() && !letter.front().isLetter();
    if (!sign && fits(label)) return label;
  }
  return {};
}

}  // namespace

double roundStep(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (!definitelyLess(factor * power, least)) return factor * power;
  }
  return 10 * power;
}

QString tickText(double seconds, double step, double last) {
  if (std::abs(seconds) < step / 2) return QStringLiteral("0");
  constexpr std::array<std::pair<double, const char*>, 4> kUnits{{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}};
  const auto unit = std::find_if(kUnits.begin(), kUnits.end() - 1,
                                 [&](const auto& each) { return !definitelyLess(last, each.first); });
  const int decimals = std::max(0, int(std::ceil(-std::log10(step / unit->first) - kArithmeticTolerance)));
  return QStringLiteral("%1 %2").arg(seconds / unit->first, 0, 'f', decimals).arg(QString::fromUtf8(unit->second));
}

TimelineLayout::TimelineLayout(const TimelineRows& rows, double rowHeight) {
  const p2::Timeline* timeline = rows.timeline();
  if (timeline == nullptr) return;
  const auto& tracks = timeline->tracks;
  const bool several = std::any_of(tracks.begin(), tracks.end(),
                                   [&](const TimelineTrack& track) { return track.process != tracks[0].process; });
  double y = 0;
  for (std::size_t i = 0; i < rows.rows().size(); ++i) {
    const TimelineRow& row = rows.rows()[i];
    if (row.depth == 0) {
      if (i > 0) y += kTrackGap;
      const bool isNew = row.track == 0 || tracks[row.track].process != tracks[row.track - 1].process;
      if (several && isNew) {
        heads.push_back({y, tracks[row.track].process});
        y += rowHeight + kRowGap;
      }
    }
    rowTops.push_back(y);
    y += rowHeight + kRowGap;
  }
  for (std::size_t i = 0; i < timeline->counters.size(); ++i) {
    y += kTrackGap;
    counterTops.push_back(y);
    y += counterHeight(rowHeight);
  }
  height = y;
}

TimelinePainter::TimelinePainter(QPainter& painter, const TimelineRows& rows, const TimelineLayout& layout,
                                 const TimelineWindow& window)
    : m_painter(painter), m_rows(rows), m_layout(layout), m_window(window) {}

bool TimelinePainter::isSeen(double top, double height) const {
  const double y = top - m_window.top;
  return y + height > 0 && y < m_window.area.height();
}

QRectF TimelinePainter::rectOf(std::size_t row, double left, double right) const {
  return {m_window.area.left() + left, m_window.area.top() + m_layout.rowTops[row] - m_window.top, right - left,
          m_window.row};
}

void TimelinePainter::paintRow(std::size_t row, bool stale) {
  const double ratio = m_painter.device()->devicePixelRatioF();
  const auto columns = int(m_window.area.width() * ratio);
  std::vector<MixedColor> narrow;  // neighbouring columns
  double first = 0;
  const auto flush = [&] {
    paintColumns(row, narrow, first, ratio);
    narrow.clear();
  };
  m_rows.forEachRun(row, m_window.from, m_window.to, columns, kLeastWhole * ratio, [&](const TimelineRows::Run& run) {
    if (!run.slice) {
      if (first + double(narrow.size()) != run.from) flush();
      if (narrow.empty()) first = run.from;
      narrow.push_back(mixedColor(run.shares));
      return;
    }
    flush();
    paintSlice(row, run, ratio, stale);
  });
  flush();
}

/// Columns are mixed with their neighbours: slices of about a pixel would beat with the pixels, and make stripes that
/// are not in the timeline and run about while one zooms. Equal ones are one rectangle.
void TimelinePainter::paintColumns(std::size_t row, const std::vector<MixedColor>& columns, double first,
                                   double ratio) {
  const auto colorAt = [&](std::size_t i) {
    const MixedColor& before = columns[i == 0 ? 0 : i - 1];
    const MixedColor& after = columns[std::min(i + 1, columns.size() - 1)];
    const auto channel = [&](std::size_t c) {
      return int(std::lround((before[c] + 2 * columns[i][c] + after[c]) / 4));
    };
    return qRgb(channel(0), channel(1), channel(2));
  };
  for (std::size_t from = 0, to = 0; from < columns.size(); from = to) {
    const QRgb color = colorAt(from);
    for (to = from + 1; to < columns.size() && colorAt(to) == color;) ++to;
    const QRectF rect = rectOf(row, (first + double(from)) / ratio, (first + double(to)) / ratio);
    m_painter.fillRect(rect, QColor::fromRgb(color));
    ++m_painted;
  }
}

/// The colour of a column from afar.
TimelinePainter::MixedColor TimelinePainter::mixedColor(const ByKind& shares) const {
  MixedColor sum{};
  float left = 1;
  const auto add = [&](const QColor& color, float share) {
    sum[0] += share * float(color.red());
    sum[1] += share * float(color.green());
    sum[2] += share * float(color.blue());
    left -= share;
  };
  for (std::size_t kind = 0; kind < shares.size(); ++kind) {
    if (shares[kind] > 0) add(m_flat[kind], std::min(left, shares[kind]));
  }
  add(Theme::surface(), left);
  return sum;
}

/// In whole pixels, since an edge between two would be in one of them in this frame and in the other in the next.
/// Pattern and words go by the exact width, so that equal slices have the same wherever they begin.
void TimelinePainter::paintSlice(std::size_t row, const TimelineRows::Run& run, double ratio, bool stale) {
  const TimelineSlice& slice = m_rows.timeline()->slices[*run.slice];
  const SliceDetail& detail = m_rows.timeline()->detailOf(slice);
  const double exact = (run.to - run.from) / ratio;
  QRectF rect = rectOf(row, std::round(run.from) / ratio, std::round(run.to) / ratio);
  // A thin gap tells neighbours of one kind apart.
  rect.setWidth(rect.width() - 1);
  if (exact < kLeastPattern) {
    m_painter.fillRect(rect, m_flat[std::size_t(detail.kind)]);
  } else {
    fillSlice(m_painter, rect, detail.kind, stale);
  }
  ++m_painted;
  if (exact < kLeastLetter) return;
  const QFontMetricsF metrics = QFontMetricsF(m_painter.font());
  const QString text =
      labelOf(slice, detail, [&](const QString& label) { return metrics.horizontalAdvance(label) + 6 <= exact; });
  if (text.isEmpty()) return;
  paintPlate(m_painter, rect, metrics.horizontalAdvance(text) + 4, detail.kind, stale);
  m_painter.setPen(inkOn(detail.kind, stale));
  m_painter.drawText(rect, Qt::AlignCenter, text);
}

void TimelinePainter::paintCounter(std::size_t number) {
  const TimelineCounter& counter = m_rows.timeline()->counters[number];
  double most = 0;
  for (const auto& point : counter.points) most = std::max(most, point.value);
  const double height = counterHeight(m_window.row);
  const double bottom = m_window.area.top() + m_layout.counterTops[number] - m_window.top + height;
  m_painter.fillRect(QRectF(m_window.area.left(), bottom - height, m_window.area.width(), height), Theme::box(0));
  for (std::size_t i = 0; most > 0 && i < counter.points.size(); ++i) {
    const double end = i + 1 < counter.points.size() ? counter.points[i + 1].time : m_rows.timeline()->seconds;
    const double left = std::max(m_window.area.left(), m_window.xOf(counter.points[i].time));
    const double right = std::min(m_window.area.right(), m_window.xOf(end));
    if (right <= left) continue;
    const double share = counter.points[i].value / most;
    m_painter.fillRect(QRectF(left, bottom - share * height, right - left, share * height), Theme::load(share));
    ++m_painted;
  }
}

void TimelinePainter::paintNames() {
  const p2::Timeline& timeline = *m_rows.timeline();
  const double left = m_window.area.left() - m_window.label;
  const auto name = [&](double top, double height, const QString& text, const QColor& color) {
    const QRectF rect(left + 4, m_window.area.top() + top - m_window.top, m_window.label - 8, height);
    m_painter.setPen(color);
    const QString shown = m_painter.fontMetrics().elidedText(text, Qt::ElideRight, int(rect.width()));
    m_painter.drawText(rect, Qt::AlignVCenter | Qt::AlignLeft, shown);
  };
  for (std::size_t i = 0; i < m_layout.rowTops.size(); ++i) {
    const TimelineRow& row = m_rows.rows()[i];
    if (row.depth > 0 || !isSeen(m_layout.rowTops[i], m_window.row)) continue;
    name(m_layout.rowTops[i], m_window.row, qs(timeline.tracks[row.track].name), Theme::text());
  }
  for (const auto& head : m_layout.heads) {
    if (isSeen(head.y, m_window.row)) name(head.y, m_window.row, qs(head.text), Theme::accent());
  }
  for (std::size_t i = 0; i < m_layout.counterTops.size(); ++i) {
    const double top = m_layout.counterTops[i];
    if (!isSeen(top, counterHeight(m_window.row))) continue;
    const TimelineCounter& counter = timeline.counters[i];
    name(top, m_window.row, qs(counter.name), Theme::text());
    double most = 0;
    for (const auto& point : counter.points) most = std::max(most, point.value);
    name(top + m_window.row, m_window.row, QStringLiteral("≤ %1 %2").arg(most, 0, 'g', 3).arg(qs(counter.unit)),
         Theme::mutedText());
  }
}

void TimelinePainter::paint(bool stale) {
  if (m_rows.timeline() == nullptr) return;
  for (std::size_t kind = 0; kind < m_flat.size(); ++kind) m_flat[kind] = flatColor(SliceKind(kind), stale);
  m_painter.save();
  m_painter.setClipRect(m_window.area);
  for (std::size_t i = 0; i < m_layout.rowTops.size(); ++i) {
    if (isSeen(m_layout.rowTops[i], m_window.row)) paintRow(i, stale);
  }
  for (std::size_t i = 0; i < m_layout.counterTops.size(); ++i) {
    if (isSeen(m_layout.counterTops[i], counterHeight(m_window.row))) paintCounter(i);
  }
  m_painter.setClipRect(m_window.area.adjusted(-m_window.label, 0, 0, 0));
  paintNames();
  m_painter.restore();
}

void TimelinePainter::paintAxis(const QRectF& strip) {
  const double span = m_window.to - m_window.from;
  const QFontMetricsF metrics(m_painter.font());
  const auto stepOf = [&](const QString& widest) {
    return roundStep(span * metrics.horizontalAdvance(widest + QStringLiteral("  ")) / strip.width());
  };
  const double least = stepOf(QStringLiteral("000.0 ms"));
  // Deep inside a step its ticks need more digits, and so more room.
  const double step = std::max(least, stepOf(tickText(m_window.to, least, m_window.to)));
  m_painter.setPen(Theme::line());
  m_painter.drawLine(strip.bottomLeft(), strip.bottomRight());
  for (double at = std::ceil(m_window.from / step) * step; at <= m_window.to; at += step) {
    const double x = m_window.xOf(at);
    m_painter.setPen(Theme::line());
    m_painter.drawLine(QPointF(x, strip.bottom() - 4), QPointF(x, m_window.area.bottom()));
    const QString text = tickText(at, step, m_window.to);
    if (x + metrics.horizontalAdvance(text) > strip.right()) continue;
    m_painter.setPen(Theme::mutedText());
    m_painter.drawText(QRectF(x + 2, strip.top(), strip.width(), strip.height() - 4), Qt::AlignLeft | Qt::AlignVCenter,
                       text);
  }
}

void TimelinePainter::mark(std::size_t row, std::uint32_t number) {
  const TimelineSlice& slice = m_rows.timeline()->slices[number];
  const double left = std::max(0.0, m_window.xOf(slice.start) - m_window.area.left());
  const double right = std::min(m_window.area.width(), m_window.xOf(slice.end()) - m_window.area.left());
  if (right < left) return;
  m_painter.save();
  m_painter.setClipRect(m_window.area);
  m_painter.setBrush(Qt::NoBrush);
  m_painter.setPen(QPen(Theme::accent(), 2));
  m_painter.drawRect(rectOf(row, left, std::max(right, left + 2)));
  m_painter.restore();
}

}  // namespace p2::views
