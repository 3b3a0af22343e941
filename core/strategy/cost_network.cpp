// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/detail/cost_network.h"

#include <bit>
#include <cstdint>
#include <map>
#include <numeric>
#include <unordered_map>

namespace p2::inline strategy {
namespace {

/// Gives equal tables one number.
class TablePool {
 public:
  explicit TablePool(std::vector<CostTable>& tables) : m_tables(tables) {}

  std::size_t add(CostTable table) {
    std::vector<std::size_t>& same = m_byHash[hashOf(table)];
    for (const std::size_t known : same) {
      if (m_tables[known].sizes == table.sizes && m_tables[known].cells == table.cells) return known;
    }
    same.push_back(m_tables.size());
    m_tables.push_back(std::move(table));
    return m_tables.size() - 1;
  }

 private:
  /// Of some of the cells: equal hashes are followed by a comparison anyway.
  static std::uint64_t hashOf(const CostTable& table) {
    constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
    constexpr std::size_t kSamples = 256;
    std::uint64_t hash = table.cells.size();
    for (const std::size_t size : table.sizes) hash = (std::rotl(hash, 5) ^ size) * kFactor;
    const std::size_t step = table.cells.size() / kSamples + 1;
    for (std::size_t i = 0; i < table.cells.size(); i += step) {
      hash = (std::rotl(hash, 5) ^ std::bit_cast<std::uint64_t>(table.cells[i])) * kFactor;
    }
    return hash;
  }

  std::vector<CostTable>& m_tables;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> m_byHash;
};

std::vector<double> inSteps(const std::vector<double>& costs, double step) {
  if (step == 1) return costs;
  // Between 2^52 and 2^53 a double is whole, and adding 2^52 rounds smaller numbers to the nearest whole number.
  constexpr double kWholeFrom = 0x1p52;
  std::vector<double> whole(costs.size());
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const double steps = costs[i] / step;
    whole[i] = steps < kWholeFrom ? (steps + kWholeFrom) - kWholeFrom : steps;
  }
  return whole;
}

/// The cells at the kept positions of every axis; axes that are left with one value are dropped.
CostTable sliced(const CostTable& table, const std::vector<const std::vector<std::size_t>*>& kept) {
  if (kept.empty()) return table;
  CostTable result;
  for (const auto* positions : kept) {
    if (positions->size() > 1) result.sizes.push_back(positions->size());
  }
  const std::vector<std::size_t>& columns = *kept.back();
  if (kept.size() == 1) {
    for (const std::size_t c : columns) result.cells.push_back(table.cells[c]);
    return result;
  }
  result.cells.reserve(kept[0]->size() * columns.size());
  for (const std::size_t r : *kept[0]) {
    const double* row = table.cells.data() + r * table.sizes[1];
    for (const std::size_t c : columns) result.cells.push_back(row[c]);
  }
  return result;
}

}  // namespace

CostNetwork costNetwork(const StrategyProblem& problem, const std::stop_token& stop) {
  const double step = costStep(problem, stop);
  CostNetwork network;
  TablePool pool(network.tables);
  std::vector<std::size_t> domains;
  std::vector<std::size_t> tables;
  for (const ConfigurationDomain& domain : problem.domains) {
    domains.push_back(pool.add({{domain.costs.size()}, inSteps(domain.costs, step)}));
  }
  for (const EdgeCosts& table : problem.tables) {
    if (stop.stop_requested()) return network;
    tables.push_back(pool.add({{table.rows, table.columns}, inSteps(table.costs, step)}));
  }
  for (std::size_t v = 0; v < problem.vertices.size(); ++v) {
    network.factors.push_back({domains[problem.vertices[v].domain], {v}});
    network.values.emplace_back(problem.domainOf(v).costs.size());
    std::iota(network.values.back().begin(), network.values.back().end(), 0);
  }
  for (const StrategyProblem::Edge& edge : problem.edges) {
    network.factors.push_back({tables[edge.table], {edge.from, edge.to}});
  }
  return network;
}

CostNetwork restricted(const CostNetwork& network, const std::vector<std::vector<std::size_t>>& kept) {
  CostNetwork result;
  TablePool pool(result.tables);
  // Table and kept axes; equal lists of positions have one number.
  std::map<std::vector<std::size_t>, std::size_t> lists;
  std::map<std::vector<std::size_t>, std::size_t> done;
  std::vector<std::size_t> listOf;
  for (std::size_t v = 0; v < kept.size(); ++v) {
    listOf.push_back(lists.try_emplace(kept[v], lists.size()).first->second);
    std::vector<std::size_t>& values = result.values.emplace_back();
    for (const std::size_t position : kept[v]) values.push_back(network.values[v][position]);
  }
  for (const Factor& factor : network.factors) {
    std::vector<std::size_t> key{factor.table};
    std::vector<const std::vector<std::size_t>*> positions;
    Factor smaller;
    for (const std::size_t v : factor.scope) {
      key.push_back(listOf[v]);
      positions.push_back(&kept[v]);
      if (kept[v].size() > 1) smaller.scope.push_back(v);
    }
    auto known = done.find(key);
    if (known == done.end()) {
      known = done.emplace(key, pool.add(sliced(network.tables[factor.table], positions))).first;
    }
    smaller.table = known->second;
    result.factors.push_back(std::move(smaller));
  }
  return result;
}

}  // namespace p2::inline strategy
