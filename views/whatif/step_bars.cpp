// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/whatif/step_bars.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <optional>
#include <utility>

#include "base/numbers.h"
#include "text/csv.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/timeline/slice_look.h"

namespace p2::views {
namespace {

constexpr int kLeastWidth = 240;
constexpr int kWidth = 640;

struct LegendName {
  SliceKind kind = SliceKind::Computation;
  QString name;
  QRectF place;  ///< of swatch and name, from the top left of the legend
};

/// Every kind of part that a step can have, in the order of the bars.
std::vector<LegendName> allNames() {
  StepEstimate every;
  every.parts = {1, 1, 1, {}, 1, 1, 1, 1};
  every.parts.exposed.fill(1);
  std::vector<LegendName> names;
  for (const WaterfallBar& part : waterfallOf(every)) {
    if (part.kind == SliceKind::Computation) {
      if (names.empty()) names.push_back({part.kind, qs(nameOf(part.kind)), {}});
      continue;
    }
    // All communication in the bars is exposed.
    names.push_back({part.kind, qs(part.name).section(',', 0, 0), {}});
  }
  return names;
}

/// Sets the places, left to right in lines of this width. The height.
double flow(std::vector<LegendName>& names, double width, const QFontMetrics& metrics) {
  const double line = metrics.height() + 2;
  QPointF at(0, 0);
  for (LegendName& each : names) {
    const double wide = line + metrics.horizontalAdvance(each.name) + 2.0 * Theme::kGrid;
    if (at.x() > 0 && at.x() + wide > width) at = {0, at.y() + line};
    each.place = {at, QSizeF(wide, line)};
    at.rx() += wide;
  }
  return at.y() + line;
}

}  // namespace

StepBars::StepBars(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("whatIfBars"));
  setAccessibleName(tr("The step before and after"));
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

QSize StepBars::minimumSizeHint() const { return {kLeastWidth, heightForWidth(std::max(width(), kLeastWidth))}; }
QSize StepBars::sizeHint() const { return {kWidth, heightForWidth(std::max(width(), kWidth))}; }

/// With room for all names of the legend, since bars that move when a part comes or goes are hard to compare. Where
/// room is short there is none to keep.
int StepBars::heightForWidth(int width) const {
  std::vector<LegendName> names = allNames();
  if (m_brief) std::erase_if(names, [this](const LegendName& each) { return !has(each.kind); });
  const double legend = flow(names, width - 2.0 * Theme::kGrid, QFontMetrics(Theme::tabularFont()));
  return int(3 * stepHeight() + legend) + Theme::kGrid;
}

bool StepBars::has(SliceKind kind) const {
  return std::any_of(m_steps.begin(), m_steps.end(), [kind](const Step& step) {
    return std::any_of(step.parts.begin(), step.parts.end(),
                       [kind](const WaterfallBar& part) { return part.kind == kind; });
  });
}

QStringList StepBars::legend() const {
  QStringList names;
  for (const LegendName& each : allNames()) {
    if (has(each.kind)) names << each.name;
  }
  return names;
}

void StepBars::paintLegend(QPainter& painter, double width) const {
  std::vector<LegendName> names = allNames();
  std::erase_if(names, [this](const LegendName& each) { return !has(each.kind); });
  flow(names, width - 2.0 * Theme::kGrid, painter.fontMetrics());
  const QPointF origin(Theme::kGrid, Theme::kGrid / 2.0 + 3 * stepHeight());
  for (const LegendName& each : names) {
    const QRectF place = each.place.translated(origin);
    const double side = place.height() - 6;
    fillSlice(painter, {place.left(), place.top() + 3, side, side}, each.kind);
    painter.setPen(Theme::text());
    painter.drawText(place.adjusted(side + 4, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, each.name);
  }
}

void StepBars::setSteps(std::vector<Step> steps) {
  m_steps = std::move(steps);
  QStringList words;
  for (const Step& step : m_steps) {
    words << QStringLiteral("%1: %2. %3").arg(step.name, step.figures, step.details);
  }
  setAccessibleDescription(words.join(' '));
  if (m_brief) updateGeometry();
  update();
}

void StepBars::setBrief(bool brief) {
  if (std::exchange(m_brief, brief) == brief) return;
  updateGeometry();
  update();
}

double StepBars::longest() const {
  double most = 0;
  for (const Step& step : m_steps) {
    if (!step.parts.empty()) most = std::max(most, step.parts.back().to);
  }
  return most;
}

QRectF StepBars::barOf(std::size_t step, double width) const {
  const double top = Theme::kGrid / 2.0 + double(step) * stepHeight() + lineHeight();
  return {Theme::kGrid, top, width - 2.0 * Theme::kGrid, lineHeight() * (m_brief ? 1 : 1.3)};
}

void StepBars::paintStep(QPainter& painter, std::size_t number, double width) const {
  const Step& step = m_steps[number];
  const QRectF bar = barOf(number, width);
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
  std::optional<SliceKind> before;
  for (const WaterfallBar& part : step.parts) {
    const QRectF rect(bar.left() + part.from * scale, bar.top(), (part.to - part.from) * scale, bar.height());
    fillSlice(painter, rect, part.kind, step.stale);
    if (std::exchange(before, part.kind) == part.kind) {
      painter.fillRect(QRectF(rect.left(), rect.top(), 1, rect.height()), Theme::surface());
    }
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
  if (m_brief) return;
  painter.setPen(Theme::mutedText());
  const QRectF below(bar.left(), bar.bottom() + 1, bar.width(), lineHeight());
  painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(step.details, Qt::ElideRight, int(below.width())));
}

void StepBars::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), Theme::surface());
  painter.setFont(Theme::tabularFont());
  for (std::size_t step = 0; step < m_steps.size(); ++step) paintStep(painter, step, width());
  paintLegend(painter, width());
}

std::string StepBars::csv() const {
  std::string text = "step,part,seconds_from,seconds_to\n";
  for (const Step& step : m_steps) {
    for (const WaterfallBar& part : step.parts) {
      text += csvCell(step.name.toStdString()) + ',' + csvCell(part.name) + ',' + exactNumber(part.from) + ',' +
              exactNumber(part.to) + '\n';
    }
  }
  return text;
}

ViewPicture StepBars::picture() const {
  const auto size = [this](int width, bool legend) {
    const int whole = heightForWidth(width);
    return QSize(width, legend ? whole : int(3 * stepHeight()) + Theme::kGrid);
  };
  const auto paint = [this](QPainter& painter, QSize room, bool legend) {
    painter.setFont(Theme::tabularFont());
    for (std::size_t step = 0; step < m_steps.size(); ++step) paintStep(painter, step, room.width());
    if (legend) paintLegend(painter, room.width());
  };
  return {tr("The step before and after"), size, paint, [this] { return csv(); }};
}

bool StepBars::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QString text;
  for (std::size_t number = 0; number < m_steps.size(); ++number) {
    const QRectF bar = barOf(number, width());
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
