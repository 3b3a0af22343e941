// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/configurations_model.h"

#include <algorithm>

#include "base/near.h"

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
  if (!sameRows) return reset([&] { m_state = std::move(state); });
  m_state = std::move(state);
  tellChanged();
}

bool ConfigurationsModel::devicesDiffer() const {
  if (rowCount() == 0) return false;
  const auto& configurations = domain().configurations;
  return std::any_of(configurations.begin(), configurations.end(),
                     [&](const Configuration& parts) { return devicesOf(parts) != devicesOf(configurations.front()); });
}

int ConfigurationsModel::count() const {
  return m_state.instance && m_state.vertex >= 0 ? int(domain().configurations.size()) : 0;
}

QVariant ConfigurationsModel::special(int row, int column, int role) const {
  if (role == kSortRole) return number(std::size_t(row), column);
  if (role != Qt::CheckStateRole || column != PinColumn) return {};
  return m_state.pinned == std::size_t(row) ? Qt::Checked : Qt::Unchecked;
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

std::vector<TableColumn> ConfigurationsModel::columns() const {
  return {
      {QString()},
      {tr("Split"), tr("Split: how many ways every dimension is cut")},
      {tr("Devices"), tr("Devices that a configuration uses"), true},
      {tr("Own cost"), tr("Cost of the vertex by itself"), true},
      {tr("Best total"),
       tr("The best cost of the whole graph when the vertex has this configuration, without a limit on memory"), true}};
}

QString ConfigurationsModel::toolTip(int number, int) const {
  const auto row = std::size_t(number);
  const QString marks = marksOf(*m_state.instance, std::size_t(m_state.vertex), row);
  if (row == m_state.chosen) return tr("%1 ★ choice of the strategy; check a row to pin the vertex to it").arg(marks);
  if (m_state.isBest(row)) return tr("%1 = the same best total").arg(marks);
  return tr("%1: check to pin the operator to this configuration and solve again").arg(marks);
}

QString ConfigurationsModel::signOf(std::size_t row) const {
  if (row == m_state.chosen) return QStringLiteral("★ ");
  return m_state.isBest(row) ? QStringLiteral("= ") : QString();
}

QString ConfigurationsModel::text(int number, int column) const {
  const auto row = std::size_t(number);
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
