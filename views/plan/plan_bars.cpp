// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/plan_bars.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QBuffer>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <array>

#include "views/common/category_stroke.h"
#include "views/common/hatching.h"
#include "views/common/styled_cell.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/plan/plan_model.h"

namespace p2::views {
namespace {

constexpr int kBarHeight = 18;
constexpr double kStaleOpacity = 0.4;

QRectF barRoom(const QRect& cell) {
  return {cell.left() + Theme::kGrid / 2.0, cell.center().y() - kBarHeight / 2.0, double(cell.width() - Theme::kGrid),
          double(kBarHeight)};
}

Qt::BrushStyle waitingPattern(int kind) {
  constexpr std::array kPatterns{Qt::BDiagPattern, Qt::FDiagPattern, Qt::DiagCrossPattern};
  return kPatterns[std::size_t(kind) % kPatterns.size()];
}

}  // namespace

void paintTimePart(QPainter& painter, const QRectF& rect, const TimePart& part, bool stale) {
  using Look = TimePart::Look;
  painter.save();
  painter.setOpacity(stale ? kStaleOpacity : 1);
  const QColor fill = part.look == Look::Category      ? Theme::category(part.category)
                      : part.look == Look::Computation ? Theme::line()
                                                       : Theme::surface();
  painter.fillRect(rect, fill);
  if (part.look == Look::Waiting) hatch(painter, rect, waitingPattern(part.category), Theme::mutedText());
  if (part.look != Look::Computation && rect.width() >= 2) {
    painter.setPen(QPen(part.look == Look::Category ? categoryStroke(part.category) : Theme::mutedText(), 1));
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
  }
  painter.setPen(QPen(Theme::surface(), 1));
  painter.drawLine(rect.topRight(), rect.bottomRight());
  const QFontMetricsF metrics(painter.font());
  const double needed = metrics.horizontalAdvance(part.name) + 4;
  if (rect.width() >= needed) {
    QRectF box(0, 0, needed, metrics.height());
    box.moveCenter(rect.center());
    if (part.look == Look::Waiting) painter.fillRect(box & rect, fill);
    painter.setPen(part.look == Look::Category ? Theme::onCategory(part.category) : Theme::text());
    painter.drawText(rect, Qt::AlignCenter, part.name);
  }
  painter.restore();
}

QPixmap timePartSwatch(const TimePart& part, int size) {
  const double ratio = qApp->devicePixelRatio();
  QPixmap pixmap(QSize(size, size) * ratio);
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  TimePart unnamed = part;
  unnamed.name.clear();
  paintTimePart(painter, QRectF(0, 0, size, size), unnamed, false);
  return pixmap;
}

QString timePartLegend(int size) {
  StepEstimate every;
  every.parts = {1, 1, 1, {}, 1, 1, 1, 1};
  every.parts.exposed.fill(1);
  QStringList parts;
  for (const TimePart& part : timePartsOf(every)) {
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    timePartSwatch(part, size).save(&buffer, "PNG");
    parts << QStringLiteral("<img src=\"data:image/png;base64,%1\" width=\"%2\" height=\"%2\">&nbsp;%3")
                 .arg(QString::fromLatin1(png.toBase64()))
                 .arg(size)
                 .arg(part.name.toHtmlEscaped());
  }
  return parts.join(QStringLiteral(" &nbsp; "));
}

PlanBarDelegate::PlanBarDelegate(const PlanModel& model, QObject* parent)
    : QStyledItemDelegate(parent), m_model(model) {}

std::vector<QRectF> PlanBarDelegate::rectsOf(const QRect& cell, int row) const {
  const QRectF room = barRoom(cell);
  const double scale = m_model.longest() > 0 ? room.width() / m_model.longest() : 0;
  std::vector<QRectF> rects;
  double left = room.left();
  for (const TimePart& part : timePartsOf(m_model.at(row).estimate)) {
    rects.emplace_back(left, room.top(), part.seconds * scale, room.height());
    left += part.seconds * scale;
  }
  return rects;
}

void PlanBarDelegate::paintTime(QPainter& painter, const QRect& cell, int row) const {
  const auto parts = timePartsOf(m_model.at(row).estimate);
  const auto rects = rectsOf(cell, row);
  for (std::size_t i = 0; i < parts.size(); ++i) paintTimePart(painter, rects[i], parts[i], m_model.isStale());
}

void PlanBarDelegate::paintMemory(QPainter& painter, const QRect& cell, int row, const QString& text) const {
  const TrainingAnswer& answer = m_model.found()->answer;
  const int digits = painter.fontMetrics().horizontalAdvance(QStringLiteral("88.8 GB")) + Theme::kGrid / 2;
  QRectF room = barRoom(cell);
  room.setRight(room.right() - digits);
  if (room.width() > Theme::kGrid && answer.memory > 0) {
    painter.setOpacity(m_model.isStale() ? kStaleOpacity : 1);
    const double need = std::min(1.0, m_model.at(row).memory.total() / answer.memory);
    const double kept = std::min(1.0 - need, answer.reserve / answer.memory);
    painter.fillRect(QRectF(room.left(), room.top(), room.width() * need, room.height()), Theme::line());
    const QRectF reserve(room.left() + room.width() * need, room.top(), room.width() * kept, room.height());
    hatch(painter, reserve, Qt::BDiagPattern, Theme::mutedText());
    painter.setPen(QPen(Theme::mutedText(), 1));
    painter.drawRect(room.adjusted(0.5, 0.5, -0.5, -0.5));
    painter.setOpacity(1);
  }
  painter.setPen(m_model.isStale() ? Theme::mutedText() : Theme::text());
  painter.drawText(cell.adjusted(0, 0, -Theme::kGrid / 2, 0), Qt::AlignRight | Qt::AlignVCenter, text);
}

void PlanBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  const QString text = cell.text;
  cell.text.clear();
  paintStyledCell(*painter, cell);
  painter->save();
  painter->setClipRect(option.rect);
  painter->setFont(Theme::tabularFont());
  if (index.column() == PlanModel::Time) {
    paintTime(*painter, option.rect, index.row());
  } else {
    paintMemory(*painter, option.rect, index.row(), text);
  }
  painter->restore();
}

QSize PlanBarDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const int characters = index.column() == PlanModel::Time ? 30 : 16;
  return {option.fontMetrics.averageCharWidth() * characters, kBarHeight + Theme::kGrid};
}

bool PlanBarDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                                const QModelIndex& index) {
  const bool ofTime = event->type() == QEvent::ToolTip && index.isValid() && index.column() == PlanModel::Time;
  if (!ofTime) return QStyledItemDelegate::helpEvent(event, view, option, index);
  const auto parts = timePartsOf(m_model.at(index.row()).estimate);
  const auto rects = rectsOf(option.rect, index.row());
  for (std::size_t i = 0; i < rects.size(); ++i) {
    if (!rects[i].contains(event->pos())) continue;
    const QString text =
        QStringLiteral("%1: %2. %3.").arg(parts[i].name, secondsText(parts[i].seconds), parts[i].about);
    QToolTip::showText(event->globalPos(), text, view);
    return true;
  }
  return QStyledItemDelegate::helpEvent(event, view, option, index);
}

}  // namespace p2::views
