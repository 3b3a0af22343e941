// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/strategies_model.h"

#include <QFont>

#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kMostLines = 8;

}  // namespace

bool StrategiesModel::show(std::shared_ptr<const StrategyAnswer> answer) {
  if (answer == m_answer) return false;
  beginResetModel();
  m_answer = std::move(answer);
  endResetModel();
  return true;
}

void StrategiesModel::setStale(bool stale) {
  if (std::exchange(m_stale, stale) == stale || rowCount() == 0) return;
  emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::ForegroundRole});
}

int StrategiesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !m_answer ? 0 : int(m_answer->solution.strategies.size());
}

int StrategiesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant StrategiesModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const auto row = std::size_t(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return cellText(row, index.column());
    case Qt::ToolTipRole:
      return toolTip(row);
    case Qt::ForegroundRole:
      return m_stale ? QVariant(Theme::mutedText()) : QVariant();
    case Qt::FontRole:
      return Theme::tabularFont();
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    default:
      return {};
  }
}

QVariant StrategiesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return QAbstractTableModel::headerData(section, orientation, role);
  if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && section == DifferentColumn)
    return tr("Vertices that choose differently from the best");
  if (role == Qt::ToolTipRole && section == MemoryColumn) return tr("Of each device");
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case RankColumn:
      return tr("Rank");
    case CostColumn:
      return tr("Cost");
    case DearerColumn:
      return tr("Dearer");
    case DifferentColumn:
      return tr("Different");
    case MemoryColumn:
      return tr("Memory");
    default:
      return {};
  }
}

std::size_t StrategiesModel::differences(std::size_t row) const {
  const auto& best = m_answer->solution.strategies.front().choice;
  const auto& choice = m_answer->solution.strategies[row].choice;
  std::size_t count = 0;
  for (std::size_t v = 0; v < choice.size(); ++v) count += choice[v] != best[v] ? 1 : 0;
  return count;
}

QString StrategiesModel::cellText(std::size_t row, int column) const {
  const double best = m_answer->solution.strategies.front().cost;
  const double cost = m_answer->solution.strategies[row].cost;
  switch (column) {
    case RankColumn:
      return (row == 0 ? QStringLiteral("★ ") : QString()) + QString::number(row + 1);
    case CostColumn:
      return costText(*m_answer->instance, cost);
    case DearerColumn:
      return row == 0 || best <= 0 ? QStringLiteral("–") : QStringLiteral("+") + percentText(cost / best - 1);
    case DifferentColumn:
      return QString::number(differences(row));
    case MemoryColumn:
      return memoryText(*m_answer->instance, m_answer->solution.strategies[row]).section(' ', 0, 1);
    default:
      return {};
  }
}

QString StrategiesModel::toolTip(std::size_t row) const {
  if (row == 0) return tr("★ the best strategy");
  const StrategyInstance& instance = *m_answer->instance;
  const auto& best = m_answer->solution.strategies.front().choice;
  const auto& choice = m_answer->solution.strategies[row].choice;
  QStringList lines;
  for (std::size_t v = 0; v < choice.size() && lines.size() < kMostLines; ++v) {
    if (choice[v] == best[v]) continue;
    lines << tr("%1: %2 instead of %3")
                 .arg(QString::fromStdString(instance.problem.vertices[v].name), marksOf(instance, v, choice[v]),
                      marksOf(instance, v, best[v]));
  }
  const auto rest = differences(row) - std::size_t(lines.size());
  if (rest > 0) lines << tr("and %1 more").arg(rest);
  return lines.join('\n');
}

}  // namespace p2::views
