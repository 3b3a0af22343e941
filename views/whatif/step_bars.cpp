// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/whatif/step_bars.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/timeline/slice_look.h"

namespace p2::views {

StepBars::StepBars(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("whatIfBars"));
  setAccessibleName(tr("The step before and after"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize StepBars::minimumSizeHint() const { return {240, int(3 * stepHeight()) + Theme::kGrid}; }
QSize StepBars::sizeHint() const { return {640, minimumSizeHint().height()}; }

void StepBars::setSteps(std::vector<Step> steps) {
  m_steps = std::move(steps);
  QStringList words;
  for (const Step& step : m_steps) {
    words << QStringLiteral("%1: %2. %3").arg(step.name, step.figures, step.details);
  }
  setAccessibleDescription(words.join(' '));
  update();
}

double StepBars::longest() const {
  double most = 0;
  for (const Step& step : m_steps) {
    if (!step.parts.empty()) most = std::max(most, step.parts.back().to);
  }
  return most;
}

QRectF StepBars::barOf(std::size_t step) const {
  const double top = Theme::kGrid / 2.0 + double(step) * stepHeight() + lineHeight();
  return {Theme::kGrid, top, width() - 2.0 * Theme::kGrid, lineHeight() * 1.3};
}

void StepBars::paintStep(QPainter& painter, std::size_t number) const {
  const Step& step = m_steps[number];
  const QRectF bar = barOf(number);
  QRectF words = bar;
  words.moveTop(bar.top() - lineHeight());
  words.setHeight(lineHeight());
  painter.setPen(step.stale ? Theme::mutedText() : Theme::text());
  QFont bold = painter.font();
  bold.setBold(true);
  painter.save();
  painter.setFont(bold);
  painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, step.name);
  const double wide = painter.fontMetrics().horizontalAdvance(step.name) + 2.0 * Theme::kGrid;
  painter.restore();
  words.setLeft(words.left() + wide);
  painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(step.figures, Qt::ElideRight, int(words.width())));
  painter.fillRect(bar, Theme::box(0));
  const double scale = longest() > 0 ? bar.width() / longest() : 0;
  for (const WaterfallBar& part : step.parts) {
    const QRectF rect(bar.left() + part.from * scale, bar.top(), (part.to - part.from) * scale, bar.height());
    fillSlice(painter, rect, part.kind, step.stale);
    const QString name = qs(part.name);
    if (painter.fontMetrics().horizontalAdvance(name) + 6 > rect.width()) continue;
    if (lookOf(part.kind).pattern != Qt::SolidPattern) {
      QRectF plate(0, 0, painter.fontMetrics().horizontalAdvance(name) + 4, rect.height() - 4);
      plate.moveCenter(rect.center());
      painter.fillRect(plate, Theme::surface());
    }
    painter.setPen(inkOn(part.kind, step.stale));
    painter.drawText(rect, Qt::AlignCenter, name);
  }
  painter.setPen(Theme::mutedText());
  const QRectF below(bar.left(), bar.bottom() + 1, bar.width(), lineHeight());
  painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(step.details, Qt::ElideRight, int(below.width())));
}

void StepBars::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), Theme::surface());
  painter.setFont(Theme::tabularFont());
  for (std::size_t step = 0; step < m_steps.size(); ++step) paintStep(painter, step);
}

bool StepBars::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QString text;
  for (std::size_t number = 0; number < m_steps.size(); ++number) {
    const QRectF bar = barOf(number);
    if (!bar.adjusted(0, -lineHeight(), 0, lineHeight()).contains(help->pos())) continue;
    text = m_steps[number].details;
    const double at = (help->pos().x() - bar.left()) / bar.width() * longest();
    for (const WaterfallBar& part : m_steps[number].parts) {
      if (at < part.from || at >= part.to || !bar.contains(help->pos())) continue;
      text = tr("%1: %2; %3").arg(qs(part.name), secondsText(part.to - part.from), qs(part.meaning));
    }
  }
  QToolTip::showText(help->globalPos(), text, this);
  return true;
}

}  // namespace p2::views
