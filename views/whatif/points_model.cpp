// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/whatif/points_model.h"

#include "views/common/text.h"
#include "views/shell/training_text.h"

namespace p2::views {

QString amountText(double value) { return QString::number(value, 'g', 3); }

void PointsModel::setPoints(std::shared_ptr<const std::vector<WhatIfPoint>> points) {
  if (m_points != points) reset([&] { m_points = std::move(points); });
}

void PointsModel::setCost(const RunningCost& cost) {
  if (m_cost == cost) return;
  m_cost = cost;
  tellChanged(Price, Energy);
}

std::vector<TableColumn> PointsModel::columns() const {
  return {
      {tr("change"), tr("The change, on top of the changes at the left")},
      {tr("devices"), tr("Devices of the changed machine"), true},
      {tr("this plan"), tr("Step of this plan after the change"), true},
      {tr("best there"), tr("Step of the best plan after the change"), true},
      {tr("which plan is best"),
       tr("The best plan where it is faster than this one by more than the prediction can be wrong about the "
          "difference; ± is that error")},
      {tr("price/M tokens"), tr("Price of a million tokens with this plan, where it runs"), true},
      {tr("J/token"), tr("Energy of a token with this plan, where it runs"), true},
  };
}

QString PointsModel::text(int row, int column) const {
  const WhatIfPoint& point = (*m_points)[std::size_t(row)];
  const bool awaitsBest = !point.best && point.bestProblem.empty();
  const auto amount = [&](const auto& of) {
    if (!point.kept) return QStringLiteral("–");
    const auto value = of(costAt(point, m_cost), point.kept->estimate, point.devices);
    return value ? amountText(*value) : QString();
  };
  switch (column) {
    case Change:
      return qs(describe(point.change, point.node));
    case Devices:
      return QString::number(point.devices);
    case Kept:
      return point.kept ? secondsText(point.kept->estimate.seconds) : QStringLiteral("–");
    case Best:
      if (awaitsBest) return QStringLiteral("…");
      return point.best ? secondsText(point.best->estimate.seconds) : QStringLiteral("–");
    case BestThere:
      if (awaitsBest) return tr("searching …");
      if (!point.best) return qs(point.bestProblem);
      if (point.bestChanges()) {
        return tr("%1 · microbatch %2")
            .arg(degreesText(point.best->configuration), batchText(point.best->configuration));
      }
      return qs(describeBest(*point.kept, *point.best));
    case Price:
      return amount(pricePerMillionTokens);
    case Energy:
      return amount(joulesPerToken);
    default:
      return {};
  }
}

QString PointsModel::toolTip(int row, int column) const {
  const std::string& problem = (*m_points)[std::size_t(row)].keptProblem;
  return problem.empty() ? text(row, column) : qs(problem);
}

}  // namespace p2::views
