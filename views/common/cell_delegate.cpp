// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/cell_delegate.h"

#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QPainter>

#include "views/common/panel.h"
#include "views/common/styled_cell.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

void paintCheckBox(QPainter& painter, const QRectF& rect, bool checked) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(checked ? Theme::accent() : Theme::mutedText(), 1));
  painter.setBrush(checked ? Theme::accent() : Theme::surface());
  painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
  if (checked) {
    const auto at = [&rect](double x, double y) {
      return rect.topLeft() + QPointF(x * rect.width(), y * rect.height());
    };
    const QPointF hook[] = {at(0.25, 0.52), at(0.43, 0.72), at(0.76, 0.3)};
    painter.setPen(QPen(Theme::onAccent(), 2));
    painter.drawPolyline(hook, 3);
  }
  painter.restore();
}

}  // namespace

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QVariant checked = index.data(Qt::CheckStateRole);
  if (!checked.isValid()) {
    QStyledItemDelegate::paint(painter, option, index);
    return;
  }
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  const QStyle* style = cell.widget != nullptr ? cell.widget->style() : QApplication::style();
  const QRect box = style->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &cell, cell.widget);
  cell.features.setFlag(QStyleOptionViewItem::HasCheckIndicator, false);
  paintStyledCell(*painter, cell);
  paintCheckBox(*painter, box, checked.toInt() == Qt::Checked);
}

QWidget* CellDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const {
  const QStringList choices = index.data(kChoicesRole).toStringList();
  QWidget* editor = nullptr;
  if (choices.isEmpty()) {
    auto* line = new QLineEdit(parent);
    line->setFrame(false);
    editor = line;
  } else {
    auto* box = new QComboBox(parent);
    box->addItems(choices);
    auto* self = const_cast<CellDelegate*>(this);  // signals of a delegate are emitted from const factories
    connect(box, &QComboBox::activated, self, [self, box] {
      emit self->commitData(box);
      emit self->closeEditor(box);
    });
    editor = box;
  }
  named(editor, "cellEditor", index.model()->headerData(index.column(), Qt::Horizontal).toString(),
        index.model()->headerData(index.column(), Qt::Horizontal, Qt::ToolTipRole).toString());
  return editor;
}

void CellDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
  const QString text = index.data(Qt::EditRole).toString();
  if (auto* box = qobject_cast<QComboBox*>(editor)) {
    box->setCurrentText(text);
  } else if (auto* line = qobject_cast<QLineEdit*>(editor)) {
    line->setText(text);
  }
}

void CellDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const {
  if (auto* box = qobject_cast<QComboBox*>(editor)) {
    model->setData(index, box->currentText(), Qt::EditRole);
  } else if (auto* line = qobject_cast<QLineEdit*>(editor)) {
    model->setData(index, line->text(), Qt::EditRole);
  }
}

}  // namespace p2::views
