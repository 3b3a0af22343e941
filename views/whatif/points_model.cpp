// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/whatif/points_model.h"

#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/training_text.h"

namespace p2::views {

QString amountText(double value) { return QString::number(value, 'g', 3); }

void PointsModel::setPoints(std::shared_ptr<const std::vector<WhatIfPoint>> points) {
  if (m_points == points) return;
  beginResetModel();
  m_points = std::move(points);
  endResetModel();
}

void PointsModel::setCost(const RunningCost& cost) {
  if (m_cost == cost) return;
  m_cost = cost;
  if (rowCount() > 0) emit dataChanged(index(0, Price), index(rowCount() - 1, Energy));
}

void PointsModel::setStale(bool stale) {
  if (m_stale == stale) return;
  m_stale = stale;
  if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::ForegroundRole});
}

int PointsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !m_points ? 0 : int(m_points->size());
}
int PointsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant PointsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const bool left = section == Change || section == BestThere;
  if (role == Qt::TextAlignmentRole) return int((left ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole) {
    const QString tips[] = {tr("The change, on top of the changes at the left"),
                            tr("Devices of the changed machine"),
                            tr("Step of the kept configuration"),
                            tr("Step of the best configuration"),
                            tr("The best configuration, where another one is faster beyond the intervals"),
                            tr("Price of a million tokens"),
                            tr("Energy of a token")};
    return tips[section];
  }
  if (role != Qt::DisplayRole) return {};
  const QString titles[] = {tr("change"),    tr("devices"),        tr("kept"),   tr("best there"),
                            tr("best plan"), tr("price/M tokens"), tr("J/token")};
  return titles[section];
}

QString PointsModel::text(const WhatIfPoint& point, int column) const {
  const auto* shown = point.kept ? &*point.kept : point.best ? &*point.best : nullptr;
  const auto amount = [&](const auto& of) {
    if (shown == nullptr) return QString();
    const auto value = of(costAt(point, m_cost), shown->estimate, point.devices);
    return value ? amountText(*value) : QString();
  };
  switch (column) {
    case Change:
      return qs(describe(point.change));
    case Devices:
      return QString::number(point.devices);
    case Kept:
      return point.kept ? secondsText(point.kept->estimate.seconds) : QStringLiteral("–");
    case Best:
      return point.best ? secondsText(point.best->estimate.seconds) : QStringLiteral("–");
    case BestThere:
      if (!point.best) return qs(point.bestProblem);
      if (point.bestChanges()) {
        return tr("%1 · microbatch %2")
            .arg(degreesText(point.best->configuration), batchText(point.best->configuration));
      }
      return point.kept ? tr("kept or tied: microbatch %1").arg(batchText(point.kept->configuration))
                        : degreesText(point.best->configuration);
    case Price:
      return amount(pricePerMillionTokens);
    case Energy:
      return amount(joulesPerToken);
    default:
      return {};
  }
}

QVariant PointsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const WhatIfPoint& point = (*m_points)[std::size_t(index.row())];
  const bool left = index.column() == Change || index.column() == BestThere;
  switch (role) {
    case Qt::DisplayRole:
      return text(point, index.column());
    case Qt::TextAlignmentRole:
      return int((left ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
      return m_stale ? QVariant(Theme::mutedText()) : QVariant();
    case Qt::ToolTipRole:
      return point.keptProblem.empty() ? text(point, index.column()) : qs(point.keptProblem);
    default:
      return {};
  }
}

}  // namespace p2::views
