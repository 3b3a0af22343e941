// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/literal/literal_strip.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "views/common/theme.h"
#include "views/literal/literal_text.h"

namespace p2::views {
namespace {

constexpr int kGap = 2;
constexpr double kPale = 0.55;

}  // namespace

std::optional<std::size_t> lostMoment(const LiteralTrace& trace) {
  for (std::size_t moment = 0; moment < trace.moments.size(); ++moment) {
    const auto& invariant = trace.moments[moment].invariant;
    if (invariant && !invariant->holds) return moment;
  }
  return std::nullopt;
}

LiteralStrip::LiteralStrip(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("literalStrip"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize LiteralStrip::sizeHint() const { return {320, fontMetrics().height() + kGap}; }

void LiteralStrip::setRun(std::shared_ptr<const LiteralRun> run) {
  m_run = std::move(run);
  m_moment = 0;
  m_last = m_run ? m_run->trace().moments.size() - 1 : 0;
  name();
  update();
}

void LiteralStrip::setMoment(std::size_t moment, std::size_t last) {
  m_moment = moment;
  m_last = last;
  name();
  update();
}

void LiteralStrip::name() {
  if (!m_run) return;
  const auto& moments = m_run->trace().moments;
  const auto lost = lostMoment(m_run->trace());
  setAccessibleName(lost && *lost <= m_last
                        ? tr("The optimum is lost in step %1 of %2").arg(*lost + 1).arg(moments.size())
                    : m_last + 1 == moments.size() ? tr("The optimum is never lost")
                                                   : tr("The optimum is there so far"));
}

QRectF LiteralStrip::rectOf(std::size_t moment) const {
  if (!m_run) return {};
  const double wide = double(width()) / double(m_run->trace().moments.size());
  return {double(moment) * wide, 1, wide - kGap, double(height()) - 2};
}

std::optional<std::size_t> LiteralStrip::momentAt(QPointF point) const {
  if (!m_run || point.x() < 0 || point.x() >= width()) return std::nullopt;
  const auto count = m_run->trace().moments.size();
  return std::min(count - 1, std::size_t(point.x() / width() * double(count)));
}

void LiteralStrip::paintEvent(QPaintEvent*) {
  if (!m_run) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const LiteralTrace& trace = m_run->trace();
  const auto lost = lostMoment(trace);
  for (std::size_t moment = 0; moment < trace.moments.size(); ++moment) {
    const QRectF rect = rectOf(moment);
    const bool reported = moment <= m_last && trace.moments[moment].invariant;
    QColor color = !reported ? Theme::line() : lost && moment >= *lost ? Theme::bad() : Theme::good();
    if (reported && moment > m_moment) color.setAlphaF(float(kPale));
    painter.setPen(moment == m_moment ? QPen(Theme::text(), 2) : QPen(Qt::NoPen));
    painter.setBrush(color);
    painter.drawRoundedRect(rect, 2, 2);
    if (!lost || moment != *lost || !reported) continue;
    // The cross tells it without colour.
    painter.setPen(QPen(Theme::surface(), 2));
    const double arm = std::min(rect.width(), rect.height()) / 4;
    painter.drawLine(rect.center() + QPointF(-arm, -arm), rect.center() + QPointF(arm, arm));
    painter.drawLine(rect.center() + QPointF(-arm, arm), rect.center() + QPointF(arm, -arm));
  }
}

void LiteralStrip::mousePressEvent(QMouseEvent* event) {
  const auto moment = momentAt(event->position());
  if (moment && *moment <= m_last) emit momentWanted(*moment);
}

bool LiteralStrip::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  auto* help = static_cast<QHelpEvent*>(event);
  const auto moment = momentAt(help->pos());
  if (!moment || *moment > m_last) {
    QToolTip::hideText();
    return true;
  }
  QToolTip::showText(
      help->globalPos(),
      tr("Step %1, %2\n%3").arg(*moment + 1).arg(linesText(*m_run, *moment), invariantText(*m_run, *moment).sentence),
      this);
  return true;
}

}  // namespace p2::views
