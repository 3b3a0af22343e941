// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/placement/share_delegate.h"

#include <QPainter>
#include <algorithm>

#include "views/common/theme.h"
#include "views/placement/placements_model.h"

namespace p2::views {
namespace {

constexpr double kBarHeight = 5;
constexpr double kLeastBar = 2;
constexpr double kBarMargin = 4;

}  // namespace

QRectF ShareDelegate::barIn(const QRect& cell, const QFontMetrics& metrics, double share) {
  const double width = std::max(kLeastBar, (cell.width() - 2 * kBarMargin) * std::clamp(share, 0.0, 1.0));
  const double below = cell.center().y() + metrics.height() / 2.0;
  return {cell.left() + kBarMargin, std::min(below, cell.bottom() - kBarHeight - 1), width, kBarHeight};
}

void ShareDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  const QVariant share = index.data(PlacementsModel::kShareRole);
  QStyledItemDelegate::paint(painter, option, index);
  if (!share.isValid()) return;
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(Qt::NoPen);
  // Pale while stale, like the text.
  painter->setOpacity(index.data(Qt::ForegroundRole).isValid() ? 0.4 : 1);
  painter->setBrush(Theme::accent());
  painter->drawRoundedRect(barIn(option.rect, cell.fontMetrics, share.toDouble()), 1.5, 1.5);
  painter->restore();
}

}  // namespace p2::views
