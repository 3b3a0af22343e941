// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/configurations_model.h"

#include <QFont>
#include <algorithm>

#include "base/near.h"
#include "views/common/theme.h"
#include "views/strategy/strategy_costs.h"

namespace p2::views {

bool ConfigurationsModel::State::isBest(std::size_t configuration) const {
  if (totals.empty()) return false;
  return nearlyEqual(totals[configuration], *std::min_element(totals.begin(), totals.end()));
}

std::size_t ConfigurationsModel::State::ties() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < totals.size(); ++i) count += isBest(i) ? 1 : 0;
  return count;
}

const ConfigurationDomain& ConfigurationsModel::domain() const {
  return m_state.instance->problem.domainOf(std::size_t(m_state.vertex));
}

void ConfigurationsModel::show(State state) {
  const bool sameRows = state.instance == m_state.instance && state.vertex == m_state.vertex;
  if (!sameRows) beginResetModel();
  m_state = std::move(state);
  if (!sameRows) {
    endResetModel();
  } else if (rowCount() > 0) {
    emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
  }
}

bool ConfigurationsModel::devicesDiffer() const {
  if (rowCount() == 0) return false;
  const auto& configurations = domain().configurations;
  return std::any_of(configurations.begin(), configurations.end(),
                     [&](const Configuration& parts) { return devicesOf(parts) != devicesOf(configurations.front()); });
}

void ConfigurationsModel::setStale(bool stale) {
  if (std::exchange(m_stale, stale) == stale || rowCount() == 0) return;
  emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::ForegroundRole});
}

int ConfigurationsModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid() || !m_state.instance || m_state.vertex < 0) return 0;
  return int(domain().configurations.size());
}

int ConfigurationsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant ConfigurationsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto row = std::size_t(index.row());
  const bool pin = index.column() == PinColumn;
  const bool right = !pin && index.column() != SplitColumn;
  switch (role) {
    case Qt::DisplayRole:
      return cellText(row, index.column());
    case Qt::CheckStateRole:
      return pin ? QVariant(m_state.pinned == row ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::ForegroundRole:
      return m_stale ? QVariant(Theme::mutedText()) : QVariant();
    case Qt::FontRole:
      return right ? QVariant(Theme::tabularFont()) : QVariant();
    case Qt::TextAlignmentRole:
      return right ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::ToolTipRole:
      return toolTip(row);
    case kSortRole:
      return number(row, index.column());
    default:
      return {};
  }
}

bool ConfigurationsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::CheckStateRole || !index.isValid()) return false;
  if (index.column() != PinColumn) return false;
  const bool pin = value.value<Qt::CheckState>() == Qt::Checked;
  emit pinWanted(m_state.vertex, pin ? std::optional(std::size_t(index.row())) : std::nullopt);
  return true;
}

Qt::ItemFlags ConfigurationsModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  return index.isValid() && index.column() == PinColumn ? flags | Qt::ItemIsUserCheckable : flags;
}

QVariant ConfigurationsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return QAbstractTableModel::headerData(section, orientation, role);
  if (role == Qt::TextAlignmentRole) {
    return QVariant((section <= SplitColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  }
  if (role == Qt::ToolTipRole && section == CostColumn) return tr("Cost of the vertex by itself");
  if (role == Qt::ToolTipRole && section == TotalColumn) {
    return tr("The best cost of the whole graph when the vertex has this configuration, without a limit on memory");
  }
  if (role == Qt::ToolTipRole && section == SplitColumn) return tr("Split: how many ways every dimension is cut");
  if (role == Qt::ToolTipRole && section == DevicesColumn) return tr("Devices that a configuration uses");
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case SplitColumn:
      return tr("Split");
    case DevicesColumn:
      return tr("Devices");
    case CostColumn:
      return tr("Own cost");
    case TotalColumn:
      return tr("Best total");
    default:
      return {};
  }
}

QString ConfigurationsModel::toolTip(std::size_t row) const {
  const QString marks = marksOf(*m_state.instance, std::size_t(m_state.vertex), row);
  if (row == m_state.chosen) return tr("%1 ★ choice of the strategy; check a row to pin the vertex to it").arg(marks);
  if (m_state.isBest(row)) return tr("%1 = the best total is the same with it").arg(marks);
  return tr("%1: check to pin the operator to this configuration and solve again").arg(marks);
}

QString ConfigurationsModel::signOf(std::size_t row) const {
  if (row == m_state.chosen) return QStringLiteral("★ ");
  return m_state.isBest(row) ? QStringLiteral("= ") : QString();
}

QString ConfigurationsModel::cellText(std::size_t row, int column) const {
  switch (column) {
    case SplitColumn:
      return signOf(row) + marksOf(*m_state.instance, std::size_t(m_state.vertex), row);
    case DevicesColumn:
      return QString::number(devicesOf(domain().configurations[row]), 'f', 0);
    case CostColumn:
      return costText(*m_state.instance, domain().costs[row]);
    case TotalColumn:
      return m_state.totals.empty() ? QStringLiteral("–") : costText(*m_state.instance, m_state.totals[row]);
    default:
      return {};
  }
}

double ConfigurationsModel::number(std::size_t row, int column) const {
  switch (column) {
    case DevicesColumn:
      return devicesOf(domain().configurations[row]);
    case CostColumn:
      return domain().costs[row];
    case TotalColumn:
      return m_state.totals.empty() ? 0 : m_state.totals[row];
    default:
      return double(row);
  }
}

}  // namespace p2::views
