// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace p2::views {

/// Draws a bar under a cell's text, from the left edge, with the share of PlacementsModel::kShareRole as its length;
/// none without a share.
class ShareDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  /// Rectangle of the bar of a cell that holds this share.
  [[nodiscard]] static QRectF barIn(const QRect& cell, const QFontMetrics& metrics, double share);
};

}  // namespace p2::views
