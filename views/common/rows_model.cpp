// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/rows_model.h"

#include <QIcon>
#include <QPixmap>
#include <QStringList>
#include <utility>

#include "views/common/theme.h"

namespace p2::views {
namespace {

/// `value`, which a chosen row does not tint if it is a picture: the letters of swatches stay legible.
QVariant untinted(QVariant value) {
  if (value.typeId() != QMetaType::QPixmap) return value;
  const auto picture = value.value<QPixmap>();
  QIcon icon(picture);
  icon.addPixmap(picture, QIcon::Selected);
  return icon;
}

}  // namespace

const TableColumn& RowsModel::column(int number) const {
  if (m_columns.empty()) m_columns = columns();
  return m_columns[std::size_t(number)];
}

void RowsModel::setStale(bool stale) {
  if (std::exchange(m_stale, stale) != stale) tellChanged(0, -1, {Qt::ForegroundRole});
}

QString RowsModel::cellText(int row, int column) const {
  const QVariant spoken = special(row, column, Qt::AccessibleTextRole);
  return spoken.isValid() ? spoken.toString() : text(row, column);
}

QString RowsModel::lineOf(int row) const {
  QStringList cells;
  for (int column = 0; column < columnCount(); ++column) cells << cellText(row, column);
  return cells.join('\t');
}

void RowsModel::reset(const std::function<void()>& change) {
  beginResetModel();
  change();
  m_columns.clear();
  endResetModel();
}

void RowsModel::renewColumns() {
  m_columns.clear();
  emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

void RowsModel::tellChanged(int first, int last, const QList<int>& roles) {
  if (rowCount() == 0) return;
  emit dataChanged(index(0, first), index(rowCount() - 1, last < 0 ? columnCount() - 1 : last), roles);
}

int RowsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : count(); }

int RowsModel::columnCount(const QModelIndex& parent) const {
  if (m_columns.empty()) m_columns = columns();
  return parent.isValid() ? 0 : int(m_columns.size());
}

QVariant RowsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const TableColumn& head = column(section);
  if (role == Qt::DisplayRole) return head.title;
  if (role == Qt::ToolTipRole) return head.toolTip;
  if (role == Qt::TextAlignmentRole) return int((head.isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  return {};
}

QVariant RowsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const int row = index.row();
  if (role == Qt::ForegroundRole && isGrey(index.column())) return Theme::mutedText();
  if (QVariant value = special(row, index.column(), role); value.isValid()) return untinted(value);
  switch (role) {
    case Qt::DisplayRole:
      return text(row, index.column());
    case Qt::ToolTipRole:
      return toolTip(row, index.column());
    case Qt::TextAlignmentRole:
      return headerData(index.column(), Qt::Horizontal, role);
    case Qt::FontRole:
      return column(index.column()).isFigure ? QVariant(Theme::tabularDigits()) : QVariant();
    default:
      return {};
  }
}

}  // namespace p2::views
