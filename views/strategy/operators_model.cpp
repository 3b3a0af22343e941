// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/operators_model.h"

#include <algorithm>

#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {

void OperatorsModel::show(std::shared_ptr<const StrategyInstance> instance, StrategyPicture picture) {
  const bool sameRows = picture.vertices.size() == m_picture.vertices.size() && m_instance != nullptr;
  if (!sameRows) beginResetModel();
  m_instance = std::move(instance);
  m_picture = std::move(picture);
  m_most = 0;
  for (const StrategyPicture::Vertex& vertex : m_picture.vertices) m_most = std::max(m_most, vertex.costs.total());
  if (!sameRows) {
    endResetModel();
  } else if (rowCount() > 0) {
    emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
  }
}

void OperatorsModel::setStale(bool stale) {
  if (std::exchange(m_stale, stale) == stale || rowCount() == 0) return;
  emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::ForegroundRole});
}

QString OperatorsModel::headings() const {
  QStringList cells;
  for (int column = 0; column < ColumnCount; ++column) {
    cells << headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
  }
  return cells.join('\t');
}

QString OperatorsModel::rowText(int row) const {
  QStringList cells;
  for (int column = 0; column < ColumnCount; ++column) cells << cellText(row, column);
  return cells.join('\t');
}

int OperatorsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(m_picture.vertices.size());
}

int OperatorsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

double OperatorsModel::shareOf(int row) const {
  return m_picture.total > 0 ? m_picture.vertices[std::size_t(row)].costs.total() / m_picture.total : 0;
}

QVariant OperatorsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const int row = index.row();
  const int column = index.column();
  const bool right = column != OperatorColumn && column != SplitColumn;
  const StrategyPicture::Vertex& vertex = m_picture.vertices[std::size_t(row)];
  switch (role) {
    case Qt::DisplayRole:
      return cellText(row, column);
    case Qt::ToolTipRole:
      return (QStringList{m_picture.textOf(std::size_t(row))} + m_picture.reshardingsInto(std::size_t(row))).join('\n');
    case Qt::ForegroundRole:
      return m_stale ? QVariant(Theme::mutedText()) : QVariant();
    case Qt::FontRole:
      return right ? QVariant(Theme::tabularDigits()) : QVariant();
    case Qt::TextAlignmentRole:
      return right ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case kSortRole:
      return number(row, column);
    case kPartsRole:
      if (column != ShareColumn || m_most <= 0) return {};
      return QVariantList{vertex.costs.compute / m_most, vertex.costs.reduce / m_most,
                          vertex.costs.resharding / m_most};
    default:
      return {};
  }
}

QVariant OperatorsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return QAbstractTableModel::headerData(section, orientation, role);
  if (role == Qt::TextAlignmentRole) {
    const bool left = section == OperatorColumn || section == SplitColumn || section == ShareColumn;
    return QVariant((left ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  }
  if (role == Qt::ToolTipRole) {
    switch (section) {
      case ShareColumn:
        return tr("Share of the step; the bar shows computation, reduction and resharding");
      case ReduceColumn:
        return tr("Sums among the devices: of gradients, partial sums and statistics, and what ZeRO gathers");
      case ReshardingColumn:
        return tr("Resharding of its inputs from the layouts of other operators, and of their gradients back");
      default:
        return {};
    }
  }
  if (role != Qt::DisplayRole) return {};
  const bool tables = m_instance && !m_instance->graph;
  switch (section) {
    case OperatorColumn:
      return tr("Operator");
    case ShareColumn:
      return tr("Share");
    case SplitColumn:
      return tr("Split");
    case ComputeColumn:
      return tables ? tr("Own cost") : tr("Compute");
    case ReduceColumn:
      return tr("Reduce");
    case ReshardingColumn:
      return tr("Resharding");
    default:
      return {};
  }
}

QString OperatorsModel::cellText(int row, int column) const {
  const StrategyPicture::Vertex& vertex = m_picture.vertices[std::size_t(row)];
  const auto cost = [&](double value) { return value == 0 ? QStringLiteral("–") : costText(*m_instance, value); };
  switch (column) {
    case OperatorColumn: {
      QString name = vertex.name;
      // Outside their frames, the names of repeated parts distinguish their operators.
      if (vertex.vertices.size() > 1 && m_instance->repeats.size() > 1 && vertex.repeat) {
        name.prepend(QString::fromStdString(m_instance->repeats[*vertex.repeat].stem) + ' ');
        name = name.trimmed();
      }
      if (vertex.vertices.size() > 1) name += tr(" ×%1").arg(vertex.vertices.size());
      return name;
    }
    case ShareColumn:
      return qs(formatPercent(shareOf(row)));
    case SplitColumn: {
      QString marks = vertex.marks;
      if (!vertex.others.isEmpty()) marks += QStringLiteral(" · ") + vertex.others;
      return vertex.pinned ? tr("%1 · pinned").arg(marks) : marks;
    }
    case ComputeColumn:
      return cost(vertex.costs.compute);
    case ReduceColumn:
      return cost(vertex.costs.reduce);
    case ReshardingColumn:
      return cost(vertex.costs.resharding);
    default:
      return {};
  }
}

QVariant OperatorsModel::number(int row, int column) const {
  const StrategyPicture::Vertex& vertex = m_picture.vertices[std::size_t(row)];
  switch (column) {
    case ShareColumn:
      return vertex.costs.total();
    case ComputeColumn:
      return vertex.costs.compute;
    case ReduceColumn:
      return vertex.costs.reduce;
    case ReshardingColumn:
      return vertex.costs.resharding;
    case SplitColumn:
      return vertex.marks;
    default:
      return row;
  }
}

}  // namespace p2::views
