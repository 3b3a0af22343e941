// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/text_rows_model.h"

#include "views/common/theme.h"

namespace p2::views {

TextRowsModel::TextRowsModel(std::vector<Column> columns, QObject* parent)
    : QAbstractTableModel(parent), m_columns(std::move(columns)) {}

void TextRowsModel::setRows(std::vector<QStringList> rows) {
  beginResetModel();
  m_rows = std::move(rows);
  endResetModel();
}

int TextRowsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_rows.size()); }

int TextRowsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_columns.size()); }

QVariant TextRowsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const Column& column = m_columns[std::size_t(section)];
  if (role == Qt::TextAlignmentRole) return int((column.isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  if (role == Qt::DisplayRole) return column.title;
  return role == Qt::ToolTipRole ? QVariant(column.toolTip) : QVariant();
}

QVariant TextRowsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  switch (role) {
    case Qt::DisplayRole:
      return m_rows[std::size_t(index.row())][index.column()];
    case Qt::TextAlignmentRole:
      return headerData(index.column(), Qt::Horizontal, role);
    case Qt::FontRole:
      return Theme::tabularFont();
    default:
      return {};
  }
}

}  // namespace p2::views
