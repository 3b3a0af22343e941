// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/literal/literal_reduction.h"

#include <algorithm>
#include <numeric>

namespace p2::inline strategy {

LiteralReduction::LiteralReduction(const LiteralCosts& costs, LiteralOptions::Ties ties, std::uint64_t seed)
    : m_costs(costs), m_ties(ties), m_random(seed), m_processed(costs.vertexCount(), false) {
  for (std::size_t vertex = 0; vertex < costs.vertexCount(); ++vertex) {
    LiveTable table{tableOf(costs, vertex), {}};
    table.rows.resize(table.shape.rows);
    std::iota(table.rows.begin(), table.rows.end(), std::uint64_t{0});
    m_tables.push_back(std::move(table));
  }
}

LiteralIteration LiteralReduction::choose() const {
  LiteralIteration choice{0, std::vector<std::optional<std::size_t>>(m_tables.size())};
  std::size_t fewest = m_tables.size();
  for (std::size_t vertex = 0; vertex < m_tables.size(); ++vertex) {
    if (m_processed[vertex]) continue;
    const auto& neighbours = m_costs.neighboursOf(vertex);
    const auto unprocessed = static_cast<std::size_t>(
        std::count_if(neighbours.begin(), neighbours.end(), [this](std::size_t u) { return !m_processed[u]; }));
    choice.unprocessed[vertex] = unprocessed;
    if (unprocessed >= fewest) continue;
    fewest = unprocessed;
    choice.vertex = vertex;
  }
  return choice;
}

std::uint64_t LiteralReduction::setsOf(std::size_t vertex) const {
  const LiveTable& table = m_tables[vertex];
  std::uint64_t sets = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (i == 0 || table.shape.setOf(table.rows[i]) != table.shape.setOf(table.rows[i - 1])) ++sets;
  }
  return sets;
}

void LiteralReduction::keepBest(std::size_t vertex, LiteralRecorder& recorder) {
  LiveTable& table = m_tables[vertex];
  const std::vector<std::int64_t> costs = changingCosts(table);
  std::vector<std::uint64_t> kept;
  std::size_t end = 0;
  for (std::size_t begin = 0; begin < table.rows.size(); begin = end) {
    const std::uint64_t set = table.shape.setOf(table.rows[begin]);
    while (end < table.rows.size() && table.shape.setOf(table.rows[end]) == set) ++end;
    const std::size_t best = pickBest(costs, begin, end);
    kept.push_back(table.rows[best]);
    for (std::size_t i = begin; i < end; ++i) {
      if (i == best) continue;
      const auto cause = costs[i] == costs[best] ? RowFate::Cause::Tied : RowFate::Cause::MoreExpensive;
      recorder.remove(vertex, table.rows[i], cause, table.rows[best]);
    }
  }
  table.rows = std::move(kept);
}

void LiteralReduction::restrict(std::size_t neighbour, std::size_t vertex, LiteralRecorder& recorder) {
  LiveTable& table = m_tables[neighbour];
  const LiveTable& chosen = m_tables[vertex];
  const std::vector<std::size_t> common = commonOf(neighbour, vertex);
  const RowProjection code(table.shape, common);
  const RowProjection chosenCode(chosen.shape, common);
  std::vector<bool> present(code.range(), false);
  for (const std::uint64_t row : chosen.rows) present[chosenCode(row)] = true;
  std::erase_if(table.rows, [&](std::uint64_t row) {
    if (present[code(row)]) return false;
    recorder.remove(neighbour, row, RowFate::Cause::Unmatched);
    return true;
  });
}

/// Of each row what depends on the vertex's own configuration; the rest is the same throughout a set.
std::vector<std::int64_t> LiteralReduction::changingCosts(const LiveTable& table) const {
  const LiteralTable& shape = table.shape;
  const std::size_t own = shape.scope.size() - 1;
  std::vector<std::int64_t> costs;
  costs.reserve(table.rows.size());
  for (const std::uint64_t row : table.rows) costs.push_back(m_costs.own(shape.vertex, shape.choice(row, own)));
  for (std::size_t place = 0; place < own; ++place) {
    const std::vector<std::int64_t> between = m_costs.between(shape.vertex, shape.scope[place]);
    for (std::size_t i = 0; i < costs.size(); ++i) {
      const std::uint64_t row = table.rows[i];
      costs[i] += between[shape.choice(row, own) * shape.sizes[place] + shape.choice(row, place)];
    }
  }
  return costs;
}

/// Line 23: of equal ones the first, whose configuration is the lowest; or, as printed, any.
std::size_t LiteralReduction::pickBest(const std::vector<std::int64_t>& costs, std::size_t begin, std::size_t end) {
  const auto first = costs.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto last = costs.begin() + static_cast<std::ptrdiff_t>(end);
  const std::int64_t least = *std::min_element(first, last);
  auto pick = std::find(first, last, least);
  if (m_ties == LiteralOptions::Ties::Arbitrary) {
    const auto tied = static_cast<std::uint64_t>(std::count(first, last, least));
    for (std::uint64_t skipped = m_random() % tied; skipped > 0; --skipped) pick = std::find(pick + 1, last, least);
  }
  return static_cast<std::size_t>(pick - costs.begin());
}

std::vector<std::size_t> LiteralReduction::commonOf(std::size_t a, std::size_t b) const {
  const auto& ofA = m_costs.neighboursOf(a);
  const auto& ofB = m_costs.neighboursOf(b);
  std::vector<std::size_t> common{a, b};
  std::set_intersection(ofA.begin(), ofA.end(), ofB.begin(), ofB.end(), std::back_inserter(common));
  return common;
}

}  // namespace p2::inline strategy
