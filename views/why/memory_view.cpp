// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/why/memory_view.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <array>

#include "base/numbers.h"
#include "views/common/hatching.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/training_text.h"

namespace p2::views {
namespace {

/// A part that is there all the time: its name, bytes and look.
struct State {
  QString name;
  double bytes = 0;
  int category = 0;
  Qt::BrushStyle pattern = Qt::SolidPattern;
};

std::array<State, 4> statesOf(const TrainingMemory& peak) {
  return {{{QObject::tr("parameters"), peak.parameters, 0, Qt::SolidPattern},
           {QObject::tr("gradients"), peak.gradients, 0, Qt::BDiagPattern},
           {QObject::tr("optimizer"), peak.optimizer, 7, Qt::SolidPattern},
           {QObject::tr("buffers"), peak.buffers, 7, Qt::BDiagPattern}}};
}

constexpr int kActivations = 2;   // category
constexpr int kFigureLegend = 3;  // lines below a figure: the axis, and two of the legend at 85 mm

std::string memoryCsv(const MemoryCurve& curve) {
  std::string csv = "seconds,bytes,activations\n";
  const double base = curve.peak.total() - curve.peak.activations;
  for (const MemoryCurve::Point& point : curve.points) {
    csv += exactNumber(point.time) + ',' + exactNumber(base + point.activations) + ',' +
           exactNumber(point.activations) + '\n';
  }
  return csv;
}

}  // namespace

MemoryView::MemoryView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("whyMemory"));
  setAccessibleName(tr("Memory of the fullest device over the step"));
  setToolTip(tr("Memory of the fullest device over the step"));
  setMouseTracking(true);
}

void MemoryView::setCurve(std::optional<MemoryCurve> curve) {
  m_curve = std::move(curve);
  describeCurve();
  update();
}

void MemoryView::setStale(bool stale) {
  m_stale = stale;
  update();
}

void MemoryView::describeCurve() {
  if (!m_curve) return setAccessibleDescription({});
  setAccessibleDescription(tr("stage %1: at most %2 of %3, %4 of it activations")
                               .arg(m_curve->peak.stage)
                               .arg(bytesText(Bytes(m_curve->peak.total())), bytesText(Bytes(m_curve->deviceMemory)),
                                    bytesText(Bytes(m_curve->peak.activations))));
}

QRectF MemoryView::area() const {
  const double line = fontMetrics().height() + 4;
  const double figures =
      QFontMetricsF(Theme::tabularFont()).horizontalAdvance(QStringLiteral("000 GB ")) + Theme::kGrid;
  // A figure keeps two lines for its legend below the axis of time, also where one is enough.
  const int below = m_isFigure && m_hasLegend ? kFigureLegend : 1;
  return QRectF(rect()).adjusted(figures, line, -Theme::kGrid, -below * line);
}

double MemoryView::yOf(double bytes) const {
  const double most = std::max(m_curve->deviceMemory, m_curve->peak.total() + m_curve->reserve);
  return area().bottom() - bytes / most * area().height();
}

double MemoryView::activationsAt(double time) const {
  const auto& points = m_curve->points;
  const auto after = std::upper_bound(points.begin(), points.end(), time,
                                      [](double t, const MemoryCurve::Point& point) { return t < point.time; });
  return after == points.begin() ? 0 : std::prev(after)->activations;
}

/// The most in a span of time: the one that a column of pixels shows.
double MemoryView::mostActivations(double from, double to) const {
  const auto& points = m_curve->points;
  double most = activationsAt(from);
  auto next = std::upper_bound(points.begin(), points.end(), from,
                               [](double t, const MemoryCurve::Point& point) { return t < point.time; });
  for (; next != points.end() && next->time < to; ++next) most = std::max(most, next->activations);
  return most;
}

/// Bytes at the left in quarters of the device's memory, and when the step ends.
void MemoryView::paintAxis(QPainter& painter) const {
  constexpr int kParts = 4;
  const QRectF room = area();
  const double line = painter.fontMetrics().height();
  for (int part = 0; part <= kParts; ++part) {
    const double bytes = m_curve->deviceMemory * part / kParts;
    const double y = yOf(bytes);
    painter.setPen(Theme::line());
    painter.drawLine(QPointF(room.left() - Theme::kGrid / 2.0, y), QPointF(room.left(), y));
    painter.setPen(Theme::mutedText());
    const QString text = part == 0 ? QStringLiteral("0") : memoryText(bytes);
    painter.drawText(QRectF(0, y - line / 2, room.left() - Theme::kGrid, line), Qt::AlignRight | Qt::AlignVCenter,
                     text);
  }
  painter.drawText(QRectF(room.left(), room.bottom() + 2, room.width(), line), Qt::AlignRight | Qt::AlignTop,
                   secondsText(m_curve->seconds));
}

void MemoryView::paintStates(QPainter& painter) const {
  const QRectF room = area();
  double below = 0;
  const double line = fontMetrics().height() + 4;
  double left = m_isFigure ? Theme::kGrid : room.left();
  double legend = room.bottom() + 2 + (m_isFigure ? line : 0);
  const auto key = [&](const QString& name, const auto& fill) {
    if (!m_hasLegend) return;
    const double wide = 2 * Theme::kGrid + 8.0 + fontMetrics().horizontalAdvance(name);
    if (m_isFigure && left + wide > width() && left > Theme::kGrid) {
      left = Theme::kGrid;
      legend += line;
    }
    const QRectF swatch(left, legend + 4, Theme::kGrid + 4.0, fontMetrics().height() - 6);
    fill(swatch);
    painter.setPen(Theme::mutedText());
    painter.drawText(QPointF(swatch.right() + 4, legend + fontMetrics().ascent()), name);
    left = swatch.right() + 4 + fontMetrics().horizontalAdvance(name) + Theme::kGrid;
  };
  for (const State& state : statesOf(m_curve->peak)) {
    const auto fill = [&](const QRectF& part) {
      const QColor color = m_stale ? Theme::line() : Theme::category(state.category);
      painter.fillRect(part, state.pattern == Qt::SolidPattern ? color : Theme::surface());
      if (state.pattern != Qt::SolidPattern) hatch(painter, part, state.pattern, color);
    };
    const double top = yOf(below + state.bytes);
    fill(QRectF(room.left(), top, room.width(), yOf(below) - top));
    below += state.bytes;
    key(state.name, fill);
  }
  key(tr("activations"),
      [&](const QRectF& part) { painter.fillRect(part, m_stale ? Theme::line() : Theme::category(kActivations)); });
}

void MemoryView::paintActivations(QPainter& painter) const {
  const QRectF room = area();
  const double base = m_curve->peak.total() - m_curve->peak.activations;
  const QColor color = m_stale ? Theme::line() : Theme::category(kActivations);
  const auto columns = int(room.width());
  for (int column = 0; column < columns; ++column) {
    const double from = column * m_curve->seconds / columns;
    const double most = mostActivations(from, from + m_curve->seconds / columns);
    const double top = yOf(base + most);
    painter.fillRect(QRectF(room.left() + column, top, 1, yOf(base) - top), color);
  }
}

void MemoryView::paintLimit(QPainter& painter) const {
  const QRectF room = area();
  const double limit = m_curve->deviceMemory - m_curve->reserve;
  painter.setPen(QPen(Theme::bad(), 1, Qt::DashLine));
  painter.drawLine(QPointF(room.left(), yOf(limit)), QPointF(room.right(), yOf(limit)));
  painter.setPen(Theme::text());
  const QString text = m_pointer ? textAt(*m_pointer)
                       : m_isFigure
                           ? tr("at most %1 of %2 usable").arg(memoryText(m_curve->peak.total()), memoryText(limit))
                           : tr("Stage %1 needs at most %2 of the %3 usable; %4 of a device stay free")
                                 .arg(m_curve->peak.stage)
                                 .arg(bytesText(Bytes(m_curve->peak.total())), bytesText(Bytes(limit)),
                                      bytesText(Bytes(m_curve->reserve)));
  const QRectF line(room.left(), 0, room.width(), room.top());
  painter.drawText(line, Qt::AlignVCenter, fontMetrics().elidedText(text, Qt::ElideRight, int(line.width())));
  if (!m_pointer) return;
  painter.setPen(Theme::accent());
  painter.drawLine(QPointF(*m_pointer, room.top()), QPointF(*m_pointer, room.bottom()));
}

void MemoryView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint(painter);
}

ViewPicture MemoryView::picture() const {
  constexpr double kFigureAspect = 0.6;
  return {tr("Memory of the fullest device"), [](int width, bool) { return QSize(width, int(width * kFigureAspect)); },
          [curve = m_curve](QPainter& painter, QSize size, bool legend) {
            MemoryView figure;
            figure.m_isFigure = true;
            figure.m_hasLegend = legend;
            figure.setCurve(curve);
            figure.resize(size);
            figure.paint(painter);
          },
          [curve = m_curve] { return curve ? memoryCsv(*curve) : std::string(); }};
}

void MemoryView::paint(QPainter& painter) const {
  painter.fillRect(rect(), Theme::surface());
  if (!m_curve) return;
  painter.setFont(font());
  painter.fillRect(area(), Theme::box(0));
  paintAxis(painter);
  paintStates(painter);
  paintActivations(painter);
  paintLimit(painter);
}

QString MemoryView::textAt(double x) const {
  if (!m_curve) return {};
  const double time = std::clamp((x - area().left()) / area().width(), 0.0, 1.0) * m_curve->seconds;
  const double activations = activationsAt(time);
  return tr("at %1: %2 of %3, %4 of it activations")
      .arg(secondsText(time), bytesText(Bytes(m_curve->peak.total() - m_curve->peak.activations + activations)),
           bytesText(Bytes(m_curve->deviceMemory)), bytesText(Bytes(activations)));
}

bool MemoryView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && m_curve) {
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), textAt(help->pos().x()), this);
    return true;
  }
  return QWidget::event(event);
}

void MemoryView::mouseMoveEvent(QMouseEvent* event) {
  m_pointer = std::clamp(event->position().x(), area().left(), area().right());
  update();
}

void MemoryView::leaveEvent(QEvent*) {
  m_pointer.reset();
  update();
}

}  // namespace p2::views
