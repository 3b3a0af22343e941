// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/styled_cell.h"

#include <QApplication>
#include <QStyle>
#include <QStyleOptionViewItem>

namespace p2::views {

void paintStyledCell(QPainter& painter, const QStyleOptionViewItem& cell) {
  const QStyle* style = cell.widget != nullptr ? cell.widget->style() : QApplication::style();
  style->drawControl(QStyle::CE_ItemViewItem, &cell, &painter, cell.widget);
}

}  // namespace p2::views
