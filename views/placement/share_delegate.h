// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace p2::views {

/// Draws a bar under what stands in a cell, from its left edge, whose length is the share that the model gives under
/// PlacementsModel::kShareRole; nothing where it gives none.
class ShareDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  /// Where the bar of a cell is drawn that holds this share.
  [[nodiscard]] static QRectF barIn(const QRect& cell, const QFontMetrics& metrics, double share);
};

}  // namespace p2::views
