// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/pipeline_timeline.h"

#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "views/common/focus_ring.h"
#include "views/common/hatching.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr double kSlotWidth = 48;    // width of the slowest stage's slot if not all fit
constexpr double kLeastText = 16;    // width of a cell that has its number
constexpr double kLeastHatched = 5;  // and of one whose hatching is seen
constexpr int kGap = 3;              // between rows
constexpr double kMostPixels = 1e6;

/// The kinds as they are drawn and said.
constexpr std::array kKinds{PipelineCell::Kind::Forward, PipelineCell::Kind::Backward, PipelineCell::Kind::Once};

QString nameOf(PipelineCell::Kind kind) {
  switch (kind) {
    case PipelineCell::Kind::Forward:
      return QObject::tr("forward");
    case PipelineCell::Kind::Backward:
      return QObject::tr("back");
    case PipelineCell::Kind::Once:
      return QObject::tr("Σ once a step");
  }
  return {};
}

}  // namespace

PipelineTimeline::PipelineTimeline(QWidget* parent) : QAbstractScrollArea(parent) {
  setObjectName(QStringLiteral("strategyTimeline"));
  setAccessibleName(tr("A step of the pipeline, stage by stage"));
  setToolTip(
      tr("Forward and backward passes of every stage over time; gaps are pipeline bubbles. The arrow keys scroll"));
  setFocusPolicy(Qt::StrongFocus);
  showFocusRing(*this);
  setMinimumHeight(120);
}

const PipelineSchedule* PipelineTimeline::schedule() const {
  return m_answer && m_answer->schedule ? &*m_answer->schedule : nullptr;
}

void PipelineTimeline::show(std::shared_ptr<const PipelineAnswer> answer) {
  if (m_answer == answer) return;
  m_answer = std::move(answer);
  horizontalScrollBar()->setValue(0);
  adjust();
  describe();
}

void PipelineTimeline::setStale(bool stale) {
  m_stale = stale;
  viewport()->update();
}

void PipelineTimeline::setWhole(bool whole) {
  m_whole = whole;
  adjust();
}

int PipelineTimeline::rowHeight() const { return fontMetrics().height() + 4; }

int PipelineTimeline::labelWidth() const {
  const QString widest = QString::number(schedule() ? schedule()->stages.size() : 1);
  return fontMetrics().horizontalAdvance(tr("stage %1").arg(widest)) + Theme::kGrid;
}

QSize PipelineTimeline::sizeHint() const { return {480, 220}; }

/// The scale and the scroll range.
void PipelineTimeline::adjust() {
  const int room = std::max(1, viewport()->width() - labelWidth() - Theme::kGrid);
  int length = 0;
  int height = 0;
  if (const PipelineSchedule* played = schedule(); played && played->seconds > 0) {
    const double slot = m_answer->pipeline.stages[m_answer->pipeline.slowest()].times.slot();
    const double fitting = room / played->seconds;
    const double readable = slot > 0 ? kSlotWidth / slot : fitting;
    m_scale = m_whole ? fitting : std::min(std::max(fitting, readable), kMostPixels / played->seconds);
    length = int(std::ceil(m_scale * played->seconds)) - room;
    // With a line for the legend.
    const int all = (rowHeight() + kGap) * int(played->stages.size() + 1);
    height = all - viewport()->height();
    setMaximumHeight(std::max(minimumHeight(), all + horizontalScrollBar()->sizeHint().height() + Theme::kGrid));
  }
  horizontalScrollBar()->setRange(0, std::max(0, length));
  horizontalScrollBar()->setPageStep(room);
  horizontalScrollBar()->setSingleStep(int(kSlotWidth));
  verticalScrollBar()->setRange(0, std::max(0, height));
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setSingleStep(rowHeight());
  viewport()->update();
}

void PipelineTimeline::describe() {
  setAccessibleDescription(m_answer ? pipelineWords(*m_answer).join(' ') : QString());
}

double PipelineTimeline::xOf(double seconds) const {
  return labelWidth() + m_scale * seconds - horizontalScrollBar()->value();
}

QRectF PipelineTimeline::rectOf(std::size_t stage, const PipelineCell& cell) const {
  const double top = (rowHeight() + kGap) * double(stage + 1) - verticalScrollBar()->value();
  return {xOf(cell.start), top, m_scale * cell.seconds, double(rowHeight())};
}

void PipelineTimeline::paintCell(QPainter& painter, const QRectF& rect, const PipelineCell& cell) const {
  const QColor color = m_stale ? Theme::line() : Theme::category(int(cell.kind));
  const bool filled = cell.kind == PipelineCell::Kind::Forward || rect.width() < kLeastHatched;
  painter.fillRect(rect, filled ? color : Theme::surface());
  if (!filled) {
    hatch(painter, rect, cell.kind == PipelineCell::Kind::Backward ? Qt::BDiagPattern : Qt::DiagCrossPattern, color);
  }
  if (rect.width() >= kLeastHatched) {
    painter.setPen(QPen(m_stale ? Theme::mutedText() : color, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
  }
  const bool once = cell.kind == PipelineCell::Kind::Once;
  const QString text = once ? QStringLiteral("Σ") : QString::number(cell.microbatch + 1);
  const double wanted = painter.fontMetrics().horizontalAdvance(text) + 4;
  if (rect.width() < std::max(kLeastText, wanted)) return;
  if (!filled) {
    QRectF plate(0, 0, wanted, rect.height() - 4);
    plate.moveCenter(rect.center());
    painter.fillRect(plate, Theme::surface());
  }
  painter.setPen(m_stale ? Theme::mutedText() : filled ? Theme::onCategory(int(cell.kind)) : Theme::text());
  painter.drawText(rect, Qt::AlignCenter, text);
}

void PipelineTimeline::paintRow(QPainter& painter, std::size_t stage) const {
  const auto& cells = schedule()->stages[stage];
  const QRectF row = rectOf(stage, {PipelineCell::Kind::Forward, 0, 0, schedule()->seconds});
  painter.fillRect(row, Theme::box(0));
  const double from = (horizontalScrollBar()->value() - 1) / m_scale;
  const double to = from + (viewport()->width() + 2) / m_scale;
  auto cell = std::lower_bound(cells.begin(), cells.end(), from, [](const PipelineCell& each, double start) {
    return each.start + each.seconds < start;
  });
  for (; cell != cells.end() && cell->start <= to; ++cell) {
    if (cell->seconds > 0) paintCell(painter, rectOf(stage, *cell), *cell);
  }
}

/// The legend of fillings.
void PipelineTimeline::paintLegend(QPainter& painter) const {
  double left = labelWidth();
  const double top = -verticalScrollBar()->value();
  for (const PipelineCell::Kind kind : kKinds) {
    const double width = 2.0 * Theme::kGrid;
    const QRectF swatch(left, top + 3, width, rowHeight() - 6);
    paintCell(painter, swatch.adjusted(0, 0, -1, 0), {kind, 0, 0, 0});
    painter.setPen(Theme::mutedText());
    const QString text = nameOf(kind);
    painter.drawText(QRectF(left + width + 4, top, viewport()->width(), rowHeight()), Qt::AlignVCenter, text);
    left += width + 4 + painter.fontMetrics().horizontalAdvance(text) + 2 * Theme::kGrid;
  }
  painter.setPen(Theme::mutedText());
  const QString step = tr("%1 in all").arg(secondsText(schedule()->seconds));
  painter.drawText(QRectF(left, top, viewport()->width() - left - Theme::kGrid, rowHeight()),
                   Qt::AlignRight | Qt::AlignVCenter, step);
}

void PipelineTimeline::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), Theme::surface());
  if (!schedule()) return;
  painter.setFont(Theme::tabularFont());
  for (std::size_t stage = 0; stage < schedule()->stages.size(); ++stage) paintRow(painter, stage);
  // Above the scrolled cells.
  painter.fillRect(QRectF(0, 0, labelWidth() - 1, viewport()->height()), Theme::surface());
  for (std::size_t stage = 0; stage < schedule()->stages.size(); ++stage) {
    QRectF label = rectOf(stage, {});
    label.setLeft(Theme::kGrid / 2.0);
    label.setRight(labelWidth());
    painter.setPen(m_stale ? Theme::mutedText() : Theme::text());
    painter.drawText(label, Qt::AlignVCenter, tr("stage %1").arg(stage + 1));
  }
  paintLegend(painter);
}

QString PipelineTimeline::textAt(QPoint point) const {
  if (!schedule() || point.x() < labelWidth()) return {};
  const int row = (point.y() + verticalScrollBar()->value()) / (rowHeight() + kGap) - 1;
  if (row < 0 || std::size_t(row) >= schedule()->stages.size()) return {};
  const double at = (point.x() - labelWidth() + horizontalScrollBar()->value()) / m_scale;
  if (at > schedule()->seconds) return {};
  for (const PipelineCell& cell : schedule()->stages[std::size_t(row)]) {
    if (at >= cell.start && at < cell.start + cell.seconds) return cellText(*m_answer, std::size_t(row), cell);
  }
  return tr("stage %1 waits, %2 of the step in all")
      .arg(row + 1)
      .arg(secondsText(schedule()->idleSeconds(std::size_t(row))));
}

bool PipelineTimeline::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), textAt(help->pos()), this);
    return true;
  }
  return QAbstractScrollArea::viewportEvent(event);
}

void PipelineTimeline::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  adjust();
}

void PipelineTimeline::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange) adjust();
  QAbstractScrollArea::changeEvent(event);
}

}  // namespace p2::views
