// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/operators_model.h"

#include <algorithm>

#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {

void OperatorsModel::show(std::shared_ptr<const StrategyInstance> instance, StrategyPicture picture) {
  const bool sameRows = picture.vertices.size() == m_picture.vertices.size() && m_instance != nullptr;
  const auto replace = [&] {
    m_instance = std::move(instance);
    m_picture = std::move(picture);
    m_most = 0;
    for (const StrategyPicture::Vertex& vertex : m_picture.vertices) m_most = std::max(m_most, vertex.costs.total());
  };
  if (!sameRows) return reset(replace);
  replace();
  renewColumns();
  tellChanged();
}

QString OperatorsModel::headings() const {
  QStringList cells;
  for (int column = 0; column < columnCount(); ++column) {
    cells << headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
  }
  return cells.join('\t');
}

double OperatorsModel::shareOf(int row) const {
  return m_picture.total > 0 ? m_picture.vertices[std::size_t(row)].costs.total() / m_picture.total : 0;
}

QString OperatorsModel::toolTip(int row, int) const {
  return (QStringList{m_picture.textOf(std::size_t(row))} + m_picture.reshardingsInto(std::size_t(row))).join('\n');
}

QVariant OperatorsModel::special(int row, int column, int role) const {
  if (role == kSortRole) return number(row, column);
  if (column != ShareColumn) return {};
  // The heading is above the bar, the share next to it.
  if (role == Qt::FontRole) return Theme::tabularDigits();
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignRight | Qt::AlignVCenter);
  if (role != kPartsRole || m_most <= 0) return {};
  const auto& costs = m_picture.vertices[std::size_t(row)].costs;
  return QVariantList{costs.compute / m_most, costs.reduce / m_most, costs.resharding / m_most};
}

std::vector<TableColumn> OperatorsModel::columns() const {
  const bool tables = m_instance && !m_instance->graph;
  return {{tr("Operator")},
          {tr("Share"), tr("Share of the step; the bar shows computation, reduction and resharding")},
          {tr("Split")},
          {tables ? tr("Own cost") : tr("Compute"), {}, true},
          {tr("Reduce"), tr("Sums among the devices: of gradients, partial sums and statistics, and what ZeRO gathers"),
           true},
          {tr("Resharding"),
           tr("Resharding of its inputs from the layouts of other operators, and of their gradients back"), true}};
}

QString OperatorsModel::text(int row, int column) const {
  const StrategyPicture::Vertex& vertex = m_picture.vertices[std::size_t(row)];
  const auto cost = [&](double value) { return value == 0 ? QStringLiteral("–") : costText(*m_instance, value); };
  switch (column) {
    case OperatorColumn: {
      QString name = vertex.name;
      // Outside their frames, the names of repeated parts distinguish their operators.
      if (vertex.vertices.size() > 1 && m_instance->repeats.size() > 1 && vertex.repeat) {
        name.prepend(qs(m_instance->repeats[*vertex.repeat].stem) + ' ');
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
