// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cost/best_model.h"

#include <algorithm>

#include "base/units.h"
#include "views/common/theme.h"
#include "views/shell/summary.h"

namespace p2::views {

void BestModel::setExploration(std::shared_ptr<const Exploration> exploration) {
  if (exploration == m_exploration) return;
  beginResetModel();
  m_exploration = std::move(exploration);
  m_rows = m_exploration ? bestRows(*m_exploration) : std::vector<BestRow>();
  m_longest = longestOf(m_rows);
  endResetModel();
}

void BestModel::setStale(bool stale) {
  if (stale == m_stale) return;
  m_stale = stale;
  if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::ForegroundRole});
}

int BestModel::rowOf(int placement) const {
  const auto found = std::find_if(m_rows.begin(), m_rows.end(),
                                  [placement](const BestRow& row) { return row.placement == placement; });
  return found == m_rows.end() ? -1 : int(found - m_rows.begin());
}

int BestModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_rows.size()); }
int BestModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant BestModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
  const QString single = m_exploration ? singleName(m_exploration->workspace) : QStringLiteral("AllReduce");
  if (role == Qt::DisplayRole) {
    return QStringList{QString(), tr("Placement"), tr("Best program"),
                       tr("Predicted time (hatched: one %1)").arg(single)}
        .at(section);
  }
  if (role == Qt::ToolTipRole) {
    return QStringList{
        tr("★ the best placement, ◇ the default of the frameworks"),
        tr("The parallelism matrix: a row per axis, a column per level of the system"),
        tr("The program with the least predicted time, step by step"),
        tr("Solid: the best program. Hatched: one %1 over the whole group. Dotted: no program is faster").arg(single)}
        .at(section);
  }
  return {};
}

QString BestModel::text(const BestRow& row, int column) const {
  switch (column) {
    case Name:
      return markedLetter(row);
    case Matrix:
      return QString::fromStdString(m_exploration->placements[std::size_t(row.placement)].matrix.text());
    case Program:
      return programOf(*m_exploration, row);
    default:
      return QString::fromStdString(formatSeconds(row.best));
  }
}

QVariant BestModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const BestRow& row = m_rows[std::size_t(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return text(row, index.column());
    case Qt::UserRole:
      return index.column() == Matrix ? QVariant(text(row, Matrix)) : QVariant();
    case Qt::ForegroundRole:
      return m_stale ? QVariant(Theme::mutedText()) : QVariant();
    case Qt::ToolTipRole:
    case Qt::AccessibleDescriptionRole:
      return QStringList{text(row, Matrix), text(row, Program), text(row, Times), singleText(*m_exploration, row)}.join(
          '\n');
    default:
      return {};
  }
}

}  // namespace p2::views
