// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/draft_table_model.h"

#include <QApplication>
#include <QStyle>
#include <utility>

#include "views/common/theme.h"

namespace p2::views {

QVariant DraftTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto draft = m_drafts.find({index.row(), index.column()});
  if (draft == m_drafts.end()) return value(index, role);
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
      return draft->second.text;
    case Qt::DecorationRole:
      return QApplication::style()->standardIcon(QStyle::SP_MessageBoxWarning);
    case Qt::ForegroundRole:
      return Theme::bad();
    case Qt::ToolTipRole:
    case Qt::AccessibleDescriptionRole:
      return draft->second.reason;
    default:
      return value(index, role);
  }
}

bool DraftTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || role != Qt::EditRole) return false;
  const QString text = value.toString().trimmed();
  const auto old = m_drafts.find({index.row(), index.column()});
  const bool again = old != m_drafts.end() && old->second.doubted && old->second.text == text;
  if (!again && text == data(index, Qt::EditRole).toString()) return true;
  if (const QString question = again ? QString() : doubt(index, text); !question.isEmpty()) {
    keepDraft(index, {text, tr("%1 Enter it again to keep it.").arg(question), true});
    return true;
  }
  if (const std::optional<QString> reason = take(index, text)) {
    keepDraft(index, {text, *reason});
    return true;
  }
  m_drafts.erase({index.row(), index.column()});
  retryDrafts();
  emit dataChanged(this->index(0, 0), this->index(rowCount({}) - 1, columnCount({}) - 1));
  emit draftsChanged();
  emit edited(tr("Change %1 %2").arg(noun()).arg(index.row() + 1));
  return true;
}

void DraftTableModel::keepDraft(const QModelIndex& index, Draft draft) {
  m_drafts[{index.row(), index.column()}] = std::move(draft);
  emit dataChanged(index, index);
  emit draftsChanged();
}

Qt::ItemFlags DraftTableModel::flags(const QModelIndex& index) const {
  return QAbstractTableModel::flags(index) | (index.isValid() ? Qt::ItemIsEditable : Qt::NoItemFlags);
}

void DraftTableModel::retryDrafts() {
  // A valid cell can make another valid: a name is free once the row that had it is renamed.
  for (auto draft = m_drafts.begin(); draft != m_drafts.end();) {
    if (draft->second.doubted) {
      ++draft;
      continue;
    }
    const std::optional<QString> reason = take(index(draft->first.first, draft->first.second), draft->second.text);
    if (reason) draft->second.reason = *reason;
    draft = reason ? std::next(draft) : m_drafts.erase(draft);
  }
}

QString DraftTableModel::firstProblem() const { return m_drafts.empty() ? QString() : m_drafts.begin()->second.reason; }

void DraftTableModel::renumber(const std::function<std::optional<int>(int)>& newRow) {
  std::map<Cell, Draft> moved;
  for (auto& [cell, draft] : m_drafts) {
    if (const auto row = newRow(cell.first)) moved[{*row, cell.second}] = std::move(draft);
  }
  m_drafts = std::move(moved);
}

int DraftTableModel::addBelow(int row) {
  const int added = row + 1;
  beginInsertRows({}, added, added);
  insertDefault(added);
  renumber([added](int old) { return old < added ? old : old + 1; });
  endInsertRows();
  emit edited(tr("Add %1").arg(noun()));
  return added;
}

void DraftTableModel::removeAt(int row) {
  beginRemoveRows({}, row, row);
  erase(row);
  renumber([row](int old) { return old == row ? std::nullopt : std::optional(old < row ? old : old - 1); });
  endRemoveRows();
  emit draftsChanged();
  emit edited(tr("Remove %1 %2").arg(noun()).arg(row + 1));
}

void DraftTableModel::shift(int row, int by) {
  const int other = row + by;
  beginMoveRows({}, row, row, {}, by > 0 ? other + 1 : other);
  exchange(row, other);
  renumber([row, other](int old) { return old == row ? other : old == other ? row : old; });
  endMoveRows();
  emit edited(tr("Move %1 %2").arg(noun()).arg(row + 1));
}

void DraftTableModel::dropDrafts() {
  m_drafts.clear();
  emit draftsChanged();
}

}  // namespace p2::views
