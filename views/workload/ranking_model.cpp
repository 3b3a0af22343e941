// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/ranking_model.h"

#include <QStringList>
#include <algorithm>

#include "placement/realisation.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/workload/ranking_bars.h"

namespace p2::views {
namespace {

QString reasonText(const Realisation& way) {
  const QString name = qs(way.name);
  return way.reason.empty() ? name : QObject::tr("%1: %2").arg(name, qs(way.reason));
}

// A mark on every row says nothing.
bool marksFront(const StepRanking& ranking, std::size_t placement) {
  return ranking.placements[placement].front && !std::all_of(ranking.placements.begin(), ranking.placements.end(),
                                                             [](const PlacementStep& each) { return each.front; });
}

}  // namespace

QString placementMarks(const StepRanking& ranking, std::size_t placement) {
  return QString(placement == 0 ? QStringLiteral("★") : QString()) +
         (marksFront(ranking, placement) ? QStringLiteral("◆") : QString());
}

void RankingModel::setRanking(std::shared_ptr<const StepRanking> ranking, std::optional<ReductionWinner> winner) {
  if (ranking == m_ranking && winner == m_winner) return;
  reset([&] {
    m_ranking = std::move(ranking);
    m_winner = std::move(winner);
    m_longest = m_ranking ? longestBar(*m_ranking) : 0;
  });
}

std::vector<TableColumn> RankingModel::columns() const {
  const QString model = m_ranking ? qs(m_ranking->question.options.cost.model) : QString();
  const QString named = m_ranking ? qs(stepTimeName(m_ranking->question)) : QStringLiteral("communication per step");
  const QString step = named == QLatin1String("step") ? tr("Step") : tr("Comm./step");
  return {{QString(), tr("★ the best placement, ◆ on the Pareto front of exposed and overlappable time")},
          {tr("Matrix"), tr("The parallelism matrix: a row per axis, a column per level of the system")},
          {tr("Where the axes are"), tr("Levels over which every axis is spread")},
          {model.isEmpty() ? step : tr("%1 (%2)").arg(step, model),
           (model.isEmpty() ? tr("Predicted %1").arg(named) : tr("Predicted %1, %2 model").arg(named, model)) +
               tr(": solid is exposed, hatched may overlap with computation")},
          {tr("× best"), tr("Ratio to the best placement"), true},
          {tr("Busiest"), tr("Bytes per step through the busiest link between nodes, mostly a NIC"), true},
          {tr("Orders that give it"),
           tr("Axis orders of frameworks that give this placement, and the choice of a single reduction")},
          {tr("Given by the order of"), tr("Tools that can set this placement up, simplest first")}};
}

QVariant RankingModel::special(int row, int column, int role) const {
  if (role == Qt::UserRole && column == Matrix) return text(row, Matrix);
  if (role == Qt::FontRole && column == Step) return Theme::tabularFont();
  return role == Qt::AccessibleDescriptionRole ? QVariant(placementText(*m_ranking, std::size_t(row), m_winner))
                                               : QVariant();
}

QString RankingModel::text(int number, int column) const {
  const auto row = std::size_t(number);
  const PlacementStep& placement = m_ranking->placements[row];
  switch (column) {
    case Mark:
      return placementMarks(*m_ranking, row);
    case Matrix:
      return qs(placement.matrix.text());
    case Where:
      return whereText(m_ranking->question.system, m_ranking->question.axes, placement.matrix)
          .replace(QStringLiteral(" · "), QStringLiteral("\n"));
    case Step:
      return secondsText(placement.stepSeconds);
    case Factor: {
      const double best = m_ranking->placements[0].stepSeconds;
      return best > 0 ? factorText(placement.stepSeconds / best) : QString();
    }
    case Nic: {
      const auto nic = busiestBetweenNodes(*m_ranking, placement);
      return nic ? tr("%1 · %2").arg(bytesText(Bytes(nic->bytes)), qs(nic->interconnect)) : QStringLiteral("–");
    }
    case Orders:
      return leadersOf(*m_ranking, row, m_winner).join(QStringLiteral(" · "));
    default:
      return realisedText(placement);
  }
}

QString RankingModel::toolTip(int number, int column) const {
  const auto row = std::size_t(number);
  if (column == Orders) return ordersTip(row);
  if (column == Realised) return realisedTip(m_ranking->placements[row]);
  QStringList marks;
  if (row == 0) marks += tr("★ the best placement");
  if (marksFront(*m_ranking, row)) {
    marks += tr("◆ on the Pareto front of exposed and overlappable time");
  }
  marks += placementText(*m_ranking, row, m_winner).replace(QStringLiteral(" · "), QStringLiteral("\n"));
  return marks.join('\n');
}

QString RankingModel::ordersTip(std::size_t row) const {
  QStringList lines;
  if (m_winner && m_winner->placement == row) lines += tr("%1 alone would choose it").arg(m_winner->reduction);
  for (const std::size_t number : m_ranking->placements[row].orders) {
    const FrameworkOrder& order = m_ranking->orders[number].order;
    QStringList axes;
    for (const std::string& axis : order.axes) axes += qs(axis);
    lines += tr("%1: %2 (%3)").arg(qs(order.name), axes.join(QStringLiteral(", ")), qs(order.source));
  }
  return lines.join('\n');
}

// The ways differ by placement in the first ones alone: lists of devices or ranks serve any.
QString RankingModel::realisedText(const PlacementStep& placement) const {
  const auto ways = realisableBy(m_ranking->question.system, m_ranking->question.axes, placement.matrix);
  if (ways.empty()) return {};
  const QString first = qs(ways.front().name);
  const QString more = ways.size() > 1 ? tr(" +%1").arg(ways.size() - 1) : QString();
  return first + more;
}

QString RankingModel::realisedTip(const PlacementStep& placement) const {
  QStringList lines;
  for (const Realisation& way : realisableBy(m_ranking->question.system, m_ranking->question.axes, placement.matrix)) {
    lines += reasonText(way);
  }
  return lines.join('\n');
}

}  // namespace p2::views
