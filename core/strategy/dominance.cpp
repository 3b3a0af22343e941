// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/detail/dominance.h"

#include <algorithm>
#include <array>
#include <map>

#include "strategy/detail/min_plus.h"

namespace p2::inline strategy {
namespace {

/// Costs that an edge adds to a vertex: row by row its values, column by column the neighbour's.
struct Side {
  std::size_t table = 0;
  bool transposed = false;
  friend auto operator<=>(const Side&, const Side&) = default;
};

/// All that decides which values of a vertex are dominated.
struct Surroundings {
  std::vector<std::size_t> own;  ///< tables of the vertex alone
  std::vector<Side> sides;
  friend auto operator<=>(const Surroundings&, const Surroundings&) = default;
};

struct SideCosts {
  std::size_t columns = 0;
  std::vector<double> cells;
  [[nodiscard]] const double* row(std::size_t value) const { return cells.data() + value * columns; }
};

SideCosts costsOf(const CostTable& table, bool transposed) {
  if (!transposed) return {table.sizes[1], table.cells};
  SideCosts result{table.sizes[0], std::vector<double>(table.cells.size())};
  for (std::size_t r = 0; r < table.sizes[0]; ++r) {
    for (std::size_t c = 0; c < table.sizes[1]; ++c) {
      result.cells[c * result.columns + r] = table.cells[r * table.sizes[1] + c];
    }
  }
  return result;
}

class Dominance {
 public:
  Dominance(const CostNetwork& network, const Surroundings& surroundings, std::size_t size)
      : m_own(size), m_samples(size) {
    for (const std::size_t table : surroundings.own) {
      for (std::size_t value = 0; value < size; ++value) m_own[value] += network.tables[table].cells[value];
    }
    for (const Side& side : surroundings.sides) {
      m_sides.push_back(costsOf(network.tables[side.table], side.transposed));
    }
    for (std::size_t value = 0; value < size; ++value) {
      for (std::size_t s = 0; s < kSamples; ++s) m_samples[value][s] = sampleOf(value, s);
    }
  }

  /// The values that fewer than `most` others dominate; not all of them when stopped.
  [[nodiscard]] std::vector<std::size_t> undominated(std::size_t most, const std::stop_token& stop) const {
    std::vector<std::size_t> kept;
    for (std::size_t value = 0; value < m_own.size() && !stop.stop_requested(); ++value) {
      std::size_t dominating = 0;
      for (std::size_t other = 0; other < m_own.size() && dominating < most; ++other) {
        if (other != value && dominates(other, value)) ++dominating;
      }
      if (dominating < most) kept.push_back(value);
    }
    return kept;
  }

 private:
  static constexpr std::size_t kSamples = 8;

  /// The cost in one of a few contexts, which tells most pairs apart.
  [[nodiscard]] double sampleOf(std::size_t value, std::size_t sample) const {
    double cost = m_own[value];
    for (const SideCosts& side : m_sides) cost += side.row(value)[side.columns * sample / kSamples];
    return cost;
  }

  [[nodiscard]] bool dominates(std::size_t better, std::size_t worse) const {
    for (std::size_t s = 0; s < kSamples; ++s) {
      if (m_samples[better][s] > m_samples[worse][s]) return false;
    }
    double most = m_own[better] - m_own[worse];
    for (const SideCosts& side : m_sides) {
      most += largestDifference(side.row(better), side.row(worse), side.columns);
    }
    return most < 0 || (most == 0 && better < worse);
  }

  std::vector<double> m_own;
  std::vector<SideCosts> m_sides;
  std::vector<std::array<double, kSamples>> m_samples;
};

std::vector<Surroundings> surroundingsOf(const CostNetwork& network) {
  std::vector<Surroundings> result(network.values.size());
  for (const Factor& factor : network.factors) {
    if (factor.scope.size() == 1) result[factor.scope[0]].own.push_back(factor.table);
    if (factor.scope.size() != 2) continue;
    result[factor.scope[0]].sides.push_back({factor.table, false});
    result[factor.scope[1]].sides.push_back({factor.table, true});
  }
  for (Surroundings& each : result) {
    std::sort(each.own.begin(), each.own.end());
    std::sort(each.sides.begin(), each.sides.end());
  }
  return result;
}

}  // namespace

CostNetwork withoutDominated(CostNetwork network, std::size_t best, std::stop_token stop) {
  // All that is dominated is removed at once: the best strategies avoid each of these values, so they avoid them all.
  for (bool smaller = true; smaller;) {
    smaller = false;
    const std::vector<Surroundings> surroundings = surroundingsOf(network);
    std::map<Surroundings, std::vector<std::size_t>> known;
    std::vector<std::vector<std::size_t>> kept;
    for (std::size_t v = 0; v < surroundings.size(); ++v) {
      if (stop.stop_requested()) return network;
      auto found = known.find(surroundings[v]);
      if (found == known.end()) {
        const Dominance dominance(network, surroundings[v], network.sizeOf(v));
        found = known.emplace(surroundings[v], dominance.undominated(best, stop)).first;
        if (stop.stop_requested()) return network;
      }
      kept.push_back(found->second);
      smaller = smaller || kept[v].size() < network.sizeOf(v);
    }
    if (smaller) network = restricted(network, kept);
  }
  return network;
}

}  // namespace p2::inline strategy
