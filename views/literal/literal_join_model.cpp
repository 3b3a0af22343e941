// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/literal/literal_join_model.h"

#include <QBrush>
#include <optional>

#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/literal/literal_text.h"

namespace p2::views {

using Kind = LiteralMoment::Kind;

void LiteralJoinModel::show(std::shared_ptr<const LiteralRun> run, std::size_t moment) {
  if (run == m_run && moment == m_moment) return;
  beginResetModel();
  m_run = std::move(run);
  m_moment = moment;
  resetRows();
  endResetModel();
}

QString LiteralJoinModel::title() const {
  if (strategies() == nullptr) return {};
  const auto rows = strategies()->rows;
  if (isResult()) return rows == 1 ? tr("1 valid strategy") : tr("%1 valid strategies").arg(rows);
  return rows == 1 ? tr("S: 1 sub-strategy") : tr("S: %1 sub-strategies").arg(rows);
}

int LiteralJoinModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || strategies() == nullptr ? 0 : int(strategies()->vertices.size()) + 1;
}

QVariant LiteralJoinModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto row = std::size_t(index.row());
  const auto place = std::size_t(index.column());
  const bool cost = place == strategies()->vertices.size();
  switch (role) {
    case Qt::DisplayRole:
      if (!cost) return configurationText(*m_run->problem, strategies()->vertices[place], strategies()->at(row, place));
      return (index.row() == bestRow() ? QStringLiteral("★ ") : QString()) + literalCostText(costOf(row));
    case Qt::BackgroundRole:
      return index.row() == bestRow() ? QVariant(QBrush(Theme::tint())) : QVariant();
    case Qt::FontRole:
      return Theme::tabularDigits();
    case Qt::TextAlignmentRole:
      return cost ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::ToolTipRole:
      return index.row() == bestRow() ? QVariant(tr("★ the strategy that is returned")) : QVariant();
    default:
      return {};
  }
}

QVariant LiteralJoinModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || strategies() == nullptr) {
    return PiecewiseModel::headerData(section, orientation, role);
  }
  const auto place = std::size_t(section);
  const bool cost = place == strategies()->vertices.size();
  if (role == Qt::TextAlignmentRole) return QVariant((cost ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && cost) return tr("t_V of these vertices and t_E of the edges between them");
  if (role != Qt::DisplayRole) return {};
  if (!cost) return qs(m_run->problem->vertices[strategies()->vertices[place]].name);
  return strategies()->vertices.size() == m_run->problem->vertices.size() ? tr("Cost") : tr("Cost so far");
}

std::size_t LiteralJoinModel::allRows() const { return strategies() != nullptr ? strategies()->rows : 0; }

const PartialStrategies* LiteralJoinModel::strategies() const {
  if (!m_run) return nullptr;
  const LiteralTrace& trace = m_run->trace();
  const LiteralMoment& moment = trace.moments[m_moment];
  if (moment.kind == Kind::Join) return &trace.joins[moment.vertex];
  return moment.kind == Kind::Result && !trace.joins.empty() ? &trace.joins.back() : nullptr;
}

bool LiteralJoinModel::isResult() const { return m_run->trace().moments[m_moment].kind == Kind::Result; }

int LiteralJoinModel::bestRow() const {
  return m_run && isResult() && m_run->trace().best ? int(*m_run->trace().best) : -1;
}

double LiteralJoinModel::costOf(std::size_t row) const {
  const StrategyProblem& problem = *m_run->problem;
  std::vector<std::optional<std::size_t>> choice(problem.vertices.size());
  double cost = 0;
  for (std::size_t place = 0; place < strategies()->vertices.size(); ++place) {
    const std::size_t vertex = strategies()->vertices[place];
    choice[vertex] = strategies()->at(row, place);
    cost += problem.domainOf(vertex).costs[*choice[vertex]];
  }
  for (const StrategyProblem::Edge& edge : problem.edges) {
    if (choice[edge.from] && choice[edge.to])
      cost += problem.tables[edge.table].at(*choice[edge.from], *choice[edge.to]);
  }
  return cost;
}

}  // namespace p2::views
