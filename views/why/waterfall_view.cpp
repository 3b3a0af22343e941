// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/why/waterfall_view.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "base/numbers.h"
#include "text/csv.h"
#include "views/common/focus_ring.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/timeline/slice_look.h"
#include "views/why/why_words.h"

namespace p2::views {
namespace {

constexpr double kMostLines = 4.2;  // of text, in the height of a bar

std::string waterfallCsv(const std::vector<WaterfallBar>& bars) {
  std::string csv = "part,seconds,sum,hidden\n";
  for (const WaterfallBar& bar : bars) {
    csv += csvCell(bar.name) + ',' + exactNumber(bar.to - bar.from) + ',' + exactNumber(bar.to) + ',' +
           exactNumber(bar.hidden) + '\n';
  }
  return csv;
}

}  // namespace

WaterfallView::WaterfallView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("whyWaterfall"));
  setAccessibleName(tr("From the peak to the predicted step"));
  setToolTip(
      tr("Each bar begins where the one above ends: its time → the sum so far. Click exposed communication to see "
         "its collectives"));
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
  exposeAccessibleItems(*this);
  showFocusRing(*this);
}

void WaterfallView::setBars(std::vector<WaterfallBar> bars) {
  m_bars = std::move(bars);
  m_chosen = std::min(m_chosen, int(m_bars.size()) - 1);
  updateGeometry();
  update();
}

void WaterfallView::setStale(bool stale) {
  m_stale = stale;
  update();
}

double WaterfallView::lineHeight() const { return fontMetrics().height() + 2; }

QSize WaterfallView::minimumSizeHint() const {
  const int rows = std::max(8, int(m_bars.size()));
  return {200, int(rows * leastRowHeight()) + Theme::kGrid};
}
/// The longest name of a bar stands next to its figures.
QSize WaterfallView::sizeHint() const {
  const int name = fontMetrics().horizontalAdvance(tr("%1, exposed").arg(tr("context parallel")));
  const int figures = QFontMetrics(Theme::tabularFont()).horizontalAdvance(QStringLiteral("+99.9 ms → 99.9 s"));
  return {std::max(300, name + figures + 4 * Theme::kGrid), minimumSizeHint().height()};
}

double WaterfallView::leastRowHeight() const { return lineHeight() * 1.6 + 2; }

/// The bars share the height, but keep together in a window that is much higher.
QRectF WaterfallView::rectOf(int bar) const {
  const double share = (this->height() - Theme::kGrid) / std::max(1.0, double(m_bars.size()));
  const double height = std::clamp(share, leastRowHeight(), kMostLines * lineHeight());
  return {0, Theme::kGrid / 2.0 + bar * height, double(width()), height};
}

int WaterfallView::barAt(QPointF point) const {
  for (int bar = 0; bar < itemCount(); ++bar) {
    if (rectOf(bar).contains(point)) return bar;
  }
  return -1;
}

QString WaterfallView::textOf(int bar) const {
  const WaterfallBar& shown = m_bars[std::size_t(bar)];
  const QString text =
      tr("%1: %2 of the step; %3")
          .arg(qs(shown.name), secondsAndShareText(shown.to - shown.from, m_bars.back().to), qs(shown.meaning));
  if (shown.hidden == 0) return text;
  return text + tr(". Another %1 is hidden behind computation (the dashed part)").arg(secondsText(shown.hidden));
}

AccessibleItem WaterfallView::itemAt(int index) const {
  return {qs(m_bars[std::size_t(index)].name), textOf(index), rectOf(index).toAlignedRect()};
}

void WaterfallView::choose(int bar) {
  if (bar == m_chosen || bar >= itemCount()) return;
  m_chosen = bar;
  if (bar >= 0) {
    announce(*this, textOf(bar));
    tellFocusedItem(*this);
  }
  update();
  emit chosenChanged();
}

void WaterfallView::paintBar(QPainter& painter, int bar) const {
  const WaterfallBar& shown = m_bars[std::size_t(bar)];
  const QRectF row = rectOf(bar);
  if (bar == m_chosen) painter.fillRect(row, Theme::tint());
  const QRectF line = row.adjusted(Theme::kGrid, 1, -Theme::kGrid, 0);
  QRectF words = line;
  words.setHeight(lineHeight());
  const QString sum = secondsText(shown.to);
  const QString figure = bar > 0 ? QStringLiteral("+%1 → %2").arg(secondsText(shown.to - shown.from), sum) : sum;
  painter.setPen(m_stale ? Theme::mutedText() : Theme::text());
  painter.setFont(Theme::tabularFont());
  const int figureWidth = painter.fontMetrics().horizontalAdvance(figure) + Theme::kGrid;
  // The line from the bar above ends behind the words.
  painter.fillRect(words, bar == m_chosen ? Theme::tint() : Theme::surface());
  painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, figure);
  words.setWidth(words.width() - figureWidth);
  QString name = shown.axis ? tr("%1, exposed").arg(qs(shown.name)) : qs(shown.name);
  painter.setFont(font());
  if (painter.fontMetrics().horizontalAdvance(name) > words.width()) name = qs(shown.name);
  painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(name, Qt::ElideRight, int(words.width())));
  const double scale = line.width() / m_bars.back().to;
  const double top = line.top() + lineHeight() + 1;
  const double height = row.bottom() - top - 3;
  painter.fillRect(QRectF(line.left(), top, line.width(), height), Theme::box(0));
  const double wide = std::max(2.0, (shown.to - shown.from) * scale);
  fillSlice(painter, QRectF(line.left() + shown.from * scale, top, wide, height), shown.kind, m_stale);
  // Below the computation that hides it.
  if (shown.hidden > 0) {
    const double before = std::min(shown.hidden, shown.from) * scale;
    painter.setPen(QPen(m_stale ? Theme::line() : Theme::mutedText(), 1, Qt::DashLine));
    painter.drawRect(QRectF(line.left() + shown.from * scale - before, top, before, height).adjusted(.5, .5, -.5, -.5));
  }
  if (bar + 1 < itemCount()) {
    painter.setPen(Theme::line());
    const double x = line.left() + shown.to * scale;
    painter.drawLine(QPointF(x, top), QPointF(x, rectOf(bar + 1).bottom() - 3));
  }
}

void WaterfallView::paint(QPainter& painter) const {
  painter.fillRect(rect(), Theme::surface());
  for (int bar = 0; bar < itemCount(); ++bar) paintBar(painter, bar);
}

void WaterfallView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint(painter);
}

ViewPicture WaterfallView::picture() const {
  return {
      tr("From the peak to the predicted step"),
      [this](int width, bool) { return QSize(width, int(double(m_bars.size()) * leastRowHeight()) + Theme::kGrid); },
      [bars = m_bars](QPainter& painter, QSize size, bool) {
        WaterfallView figure;
        figure.setBars(bars);
        figure.resize(size);
        figure.paint(painter);
      },
      [bars = m_bars] { return waterfallCsv(bars); }};
}

bool WaterfallView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int bar = barAt(help->pos());
    QToolTip::showText(help->globalPos(), bar < 0 ? toolTip() : textOf(bar), this);
    return true;
  }
  return QWidget::event(event);
}

void WaterfallView::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) choose(barAt(event->position()));
}

void WaterfallView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Down && m_chosen + 1 < itemCount()) return choose(m_chosen + 1);
  if (event->key() == Qt::Key_Up && m_chosen > 0) return choose(m_chosen - 1);
  QWidget::keyPressEvent(event);
}

}  // namespace p2::views
