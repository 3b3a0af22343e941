// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cost/best_bars.h"

#include <QPainter>
#include <algorithm>

#include "views/common/styled_cell.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/cost/best_model.h"
#include "views/cost/cost_bars.h"

namespace p2::views {
namespace {

constexpr int kBestHeight = 18;
constexpr int kSingleHeight = 12;
constexpr int kBetween = 2;
constexpr double kLeastLength = 2;

}  // namespace

BestBars bestBarsIn(const QRectF& room, const BestRow& row, double longest) {
  // The longest label behind the longest bar.
  const int figures =
      QFontMetrics(Theme::tabularFont()).horizontalAdvance("◇ AllReduce 10.4 ms, 10.4× slower") + 2 * Theme::kGrid;
  const double width = std::max(room.width() / 4, room.width() - figures);
  const double scale = longest > 0 ? width / longest : 0;
  const double top = room.center().y() - (kBestHeight + kBetween + kSingleHeight) / 2.0;
  const auto length = [&](double seconds) { return std::max(kLeastLength, seconds * scale); };
  return {{room.left(), top, length(row.best), kBestHeight},
          {room.left(), top + kBestHeight + kBetween, length(row.single), kSingleHeight},
          row.limit > 0 ? room.left() + row.limit * scale : 0};
}

void paintBestBars(QPainter& painter, const QRectF& room, const Exploration& exploration, const BestRow& row,
                   double longest, bool stale) {
  const BestBars bars = bestBarsIn(room, row, longest);
  painter.save();
  painter.setOpacity(stale ? 0.4 : 1);
  fillLikePlacement(painter, bars.best, row.category, false);
  fillLikePlacement(painter, bars.single, row.category, true);
  if (bars.limit > 0) {
    painter.setPen(QPen(Theme::text(), 1, Qt::DotLine));
    painter.drawLine(QPointF(bars.limit, bars.best.top() - 3), QPointF(bars.limit, bars.single.bottom() + 3));
  }
  painter.restore();
  const auto write = [&](const QRectF& bar, const QString& text, const QColor& ink) {
    const QRectF behind(bar.right() + Theme::kGrid, bar.top() - 3, room.right() - bar.right() - Theme::kGrid,
                        bar.height() + 6);
    painter.setPen(stale ? Theme::mutedText() : ink);
    painter.drawText(behind, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(text, Qt::ElideRight, int(behind.width())));
  };
  painter.setFont(Theme::tabularFont());
  write(bars.best, secondsText(row.best), Theme::text());
  write(bars.single, singleText(exploration, row), Theme::mutedText());
}

BestBarsDelegate::BestBarsDelegate(const BestModel& model, QObject* parent)
    : QStyledItemDelegate(parent), m_model(model) {}

void BestBarsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  cell.text.clear();
  paintStyledCell(*painter, cell);
  painter->save();
  painter->setClipRect(option.rect);
  const QRectF room = QRectF(option.rect).adjusted(Theme::kGrid / 2.0, 0, -Theme::kGrid, 0);
  paintBestBars(*painter, room, m_model.exploration(), m_model.rows()[std::size_t(index.row())], m_model.longest(),
                m_model.isStale());
  painter->restore();
}

QSize BestBarsDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
  return {40 * Theme::kGrid, kBestBarsHeight + Theme::kGrid};
}

}  // namespace p2::views
