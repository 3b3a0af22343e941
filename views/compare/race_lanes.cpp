// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/race_lanes.h"

#include <QPainter>
#include <algorithm>
#include <numeric>

#include "base/near.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

double totalOf(const RaceLanes::Lane& lane) { return std::accumulate(lane.seconds.begin(), lane.seconds.end(), 0.0); }

QString timeText(double seconds) { return seconds > 0 ? secondsText(seconds) : QStringLiteral("0 s"); }

}  // namespace

RaceLanes::RaceLanes(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setAccessibleName(tr("Time of both programs"));
  setToolTip(tr("The width of a step is its time; a flag marks the end of a program"));
}

void RaceLanes::setLanes(Lane a, Lane b) {
  m_lanes = {std::move(a), std::move(b)};
  setSeconds(0, 0);
}

void RaceLanes::setSeconds(double a, double b) {
  m_seconds = {a, b};
  QStringList texts;
  for (std::size_t i = 0; i < 2; ++i) {
    texts << tr("%1 has run %2 of %3").arg(m_lanes[i].name, timeText(m_seconds[i]), timeText(totalOf(m_lanes[i])));
  }
  setAccessibleDescription(texts.join(QStringLiteral("; ")));
  update();
}

int RaceLanes::laneHeight() const { return fontMetrics().height() + Theme::kGrid; }

QSize RaceLanes::sizeHint() const { return {320, 2 * laneHeight()}; }

void RaceLanes::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const double whole = std::max(totalOf(m_lanes[0]), totalOf(m_lanes[1]));
  if (whole <= 0) return;
  const double name = fontMetrics().horizontalAdvance(QStringLiteral("A")) + 2 * Theme::kGrid;
  const double flag = fontMetrics().horizontalAdvance(QStringLiteral(" ⚑ 00.00 ms"));
  for (std::size_t i = 0; i < 2; ++i) {
    const QRectF rect(name, double(i) * laneHeight() + 2, width() - name - flag, laneHeight() - 4);
    painter.setPen(Theme::text());
    painter.drawText(QRectF(0, rect.top(), name, rect.height()), Qt::AlignHCenter | Qt::AlignVCenter, m_lanes[i].name);
    paintLane(painter, m_lanes[i], m_seconds[i], rect, whole);
  }
}

void RaceLanes::paintLane(QPainter& painter, const Lane& lane, double seconds, const QRectF& rect, double whole) const {
  const auto x = [&](double at) { return rect.left() + rect.width() * at / whole; };
  double begun = 0;
  for (std::size_t step = 0; step < lane.seconds.size(); ++step) {
    const double ended = begun + lane.seconds[step];
    const QRectF box(x(begun), rect.top(), x(ended) - x(begun), rect.height());
    painter.setPen(QPen(Theme::line(), 1));
    painter.setBrush(!definitelyLess(seconds, ended) ? Theme::tint() : Theme::surface());
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
    if (seconds > begun && seconds < ended) {
      painter.fillRect(QRectF(box.left() + 1, box.top() + 1, x(seconds) - box.left() - 1, box.height() - 2),
                       Theme::tint());
    }
    const QString full = QStringLiteral("%1 %2").arg(lane.steps.value(qsizetype(step)), timeText(lane.seconds[step]));
    const QString brief = lane.steps.value(qsizetype(step));
    const auto fits = [&](const QString& text) { return fontMetrics().horizontalAdvance(text) + 6 < box.width(); };
    painter.setPen(Theme::text());
    if (fits(full) || fits(brief)) painter.drawText(box, Qt::AlignCenter, fits(full) ? full : brief);
    begun = ended;
  }
  painter.setPen(lane.arrives ? Theme::text() : Theme::bad());
  const QString end = (lane.arrives ? QStringLiteral("⚑ ") : QStringLiteral("✗ ")) + timeText(begun);
  painter.drawText(QRectF(x(begun) + 2, rect.top(), fontMetrics().horizontalAdvance(end) + 4, rect.height()),
                   Qt::AlignLeft | Qt::AlignVCenter, end);
  painter.fillRect(QRectF(x(std::min(seconds, begun)) - 1, rect.top() - 2, 2, rect.height() + 4), Theme::accent());
}

}  // namespace p2::views
