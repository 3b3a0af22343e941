// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/strategies_model.h"

#include <algorithm>

#include "base/near.h"
#include "views/common/text.h"
#include "views/strategy/strategy_costs.h"

namespace p2::views {
namespace {

constexpr int kMostLines = 8;

}  // namespace

bool StrategiesModel::show(std::shared_ptr<const StrategyAnswer> answer) {
  if (answer == m_answer) return false;
  reset([&] {
    m_answer = std::move(answer);
    m_open.clear();
    makeRows();
  });
  return true;
}

void StrategiesModel::makeRows() {
  m_rows.clear();
  if (!m_answer) return;
  const auto& strategies = m_answer->solution.strategies;
  for (std::size_t first = 0; first < strategies.size();) {
    std::size_t last = first;
    while (last + 1 < strategies.size() && nearlyEqual(strategies[last + 1].cost, strategies[first].cost)) ++last;
    if (m_open.contains(first)) {
      for (std::size_t each = first; each <= last; ++each) m_rows.push_back({each, each, first, true});
    } else {
      m_rows.push_back({first, last, first, last > first});
    }
    first = last + 1;
  }
}

void StrategiesModel::toggle(int row) {
  const Row at = m_rows[std::size_t(row)];
  if (!at.tied) return;
  reset([&] {
    if (m_open.erase(at.tie) == 0) m_open.insert(at.tie);
    makeRows();
  });
}

std::vector<TableColumn> StrategiesModel::columns() const {
  return {{tr("Rank"), {}, true},
          {tr("Cost"), {}, true},
          {tr("Costs more"), {}, true},
          {tr("Different"), tr("Operators whose configuration differs from the best strategy"), true},
          {tr("Memory"), tr("Of each device"), true}};
}

std::size_t StrategiesModel::differences(std::size_t strategy) const {
  const auto& best = m_answer->solution.strategies.front().choice;
  const auto& choice = m_answer->solution.strategies[strategy].choice;
  std::size_t count = 0;
  for (std::size_t v = 0; v < choice.size(); ++v) count += choice[v] != best[v] ? 1 : 0;
  return count;
}

QString StrategiesModel::rankText(const Row& row) const {
  QString text = row.first == 0 ? QStringLiteral("★ ") : QString();
  if (row.last > row.first) return text + QStringLiteral("▸ %1–%2").arg(row.first + 1).arg(row.last + 1);
  if (row.tied && row.first == row.tie) text += QStringLiteral("▾ ");
  return text + QString::number(row.first + 1);
}

QString StrategiesModel::text(int number, int column) const {
  const Row& row = m_rows[std::size_t(number)];
  const double best = m_answer->solution.strategies.front().cost;
  const double cost = m_answer->solution.strategies[row.first].cost;
  switch (column) {
    case RankColumn:
      return rankText(row);
    case CostColumn:
      return costText(*m_answer->instance, cost);
    case ExtraCostColumn:
      if (row.first == 0 || best <= 0) return QStringLiteral("–");
      return nearlyEqual(cost, best) ? QStringLiteral("=") : QStringLiteral("+") + qs(formatPercent(cost / best - 1));
    case DifferentColumn: {
      std::size_t least = differences(row.first);
      std::size_t most = least;
      for (std::size_t each = row.first; each <= row.last; ++each) {
        least = std::min(least, differences(each));
        most = std::max(most, differences(each));
      }
      return least == most ? QString::number(least) : QStringLiteral("%1–%2").arg(least).arg(most);
    }
    case MemoryColumn:
      return memoryText(*m_answer->instance, m_answer->solution.strategies[row.first]).section(' ', 0, 1);
    default:
      return {};
  }
}

QString StrategiesModel::toolTip(int number, int) const {
  const Row& row = m_rows[std::size_t(number)];
  if (row.last > row.first) {
    return tr("%1 strategies of the same cost; Enter or a double click lists them one by one")
        .arg(row.last - row.first + 1);
  }
  if (row.first == 0) return tr("★ the best strategy");
  const StrategyInstance& instance = *m_answer->instance;
  const auto& best = m_answer->solution.strategies.front().choice;
  const auto& choice = m_answer->solution.strategies[row.first].choice;
  QStringList lines;
  for (std::size_t v = 0; v < choice.size() && lines.size() < kMostLines; ++v) {
    if (choice[v] == best[v]) continue;
    lines << tr("%1: %2 instead of %3")
                 .arg(qs(instance.problem.vertices[v].name), marksOf(instance, v, choice[v]),
                      marksOf(instance, v, best[v]));
  }
  const auto rest = differences(row.first) - std::size_t(lines.size());
  if (rest > 0) lines << tr("and %1 more").arg(rest);
  return lines.join('\n');
}

}  // namespace p2::views
