// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/literal/literal_invariant.h"

#include <algorithm>

namespace p2::inline strategy {
namespace {

/// Counts on to the lexicographically next choice; false after the last.
bool countOn(std::vector<std::size_t>& choice, const LiteralCosts& costs) {
  for (std::size_t vertex = choice.size(); vertex-- > 0;) {
    if (++choice[vertex] < costs.configurationsOf(vertex)) return true;
    choice[vertex] = 0;
  }
  return false;
}

}  // namespace

bool InvariantWatch::canWatch(const LiteralCosts& costs) {
  double strategies = 1;
  for (std::size_t vertex = 0; vertex < costs.vertexCount(); ++vertex) {
    strategies *= static_cast<double>(costs.configurationsOf(vertex));
  }
  return strategies <= kMostStrategies;
}

InvariantWatch::InvariantWatch(const LiteralCosts& costs) {
  std::vector<std::size_t> choice(costs.vertexCount(), 0);
  do {
    m_valid.push_back({costs.costOf(choice), choice});
  } while (countOn(choice, costs));
  std::stable_sort(m_valid.begin(), m_valid.end(),
                   [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
  m_optimum = m_valid.front();
}

void InvariantWatch::tableChanged(const LiteralTable& table, const std::vector<RowFate>& fates) {
  std::erase_if(m_valid, [&](const Candidate& candidate) {
    std::uint64_t row = 0;
    for (std::size_t place = 0; place < table.scope.size(); ++place) {
      row += candidate.choice[table.scope[place]] * table.strides[place];
    }
    return fates[row].moment != RowFate::kNever;
  });
}

LiteralInvariant InvariantWatch::now(const StrategyProblem& problem) const {
  if (m_valid.empty()) return {};
  return {m_valid.size(), costOf(problem, m_valid.front().choice), m_valid.front().cost <= m_optimum.cost};
}

double InvariantWatch::optimum(const StrategyProblem& problem) const { return costOf(problem, m_optimum.choice); }

}  // namespace p2::inline strategy
