// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace p2::views {

/// Edits a cell as text, or by choosing when its kChoicesRole holds a list. The editor is named "cellEditor". Check
/// boxes are drawn in the theme's colours, so that empty ones are seen on dark, too.
class CellDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  static constexpr int kChoicesRole = Qt::UserRole + 100;

  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void setEditorData(QWidget* editor, const QModelIndex& index) const override;
  void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;
};

}  // namespace p2::views
