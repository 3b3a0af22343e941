// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/strategy.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "strategy/detail/soft_costs.h"

namespace p2::inline strategy {

/// The remaining effort of a search: cells of tables that it may look at, which is the same on every machine, and a
/// time limit, if any.
class SearchEffort {
 public:
  using Clock = std::chrono::steady_clock;
  SearchEffort(double cells, std::optional<Clock::time_point> end) : m_cells(cells), m_end(end) {}

  void spend(double cells) { m_spent += cells; }
  [[nodiscard]] bool isSpent() const { return m_spent >= m_cells || (m_end && Clock::now() >= *m_end); }
  [[nodiscard]] double left() const { return m_cells - m_spent; }
  [[nodiscard]] double spent() const { return m_spent; }
  /// Number of cells that an elimination, whose result is proven, may have instead of the remaining effort.
  [[nodiscard]] double eliminationCells() const {
    constexpr double kProofs = 10;  // times as many: its cells are quicker, and a proof is worth waiting for
    constexpr double kCellsASecond = 1e9;
    if (!m_end) return kProofs * left();
    return kCellsASecond * std::chrono::duration<double>(*m_end - Clock::now()).count();
  }
  /// 0 to 1.
  [[nodiscard]] double share() const { return m_spent >= m_cells ? 1 : m_spent / m_cells; }

 private:
  double m_cells;
  double m_spent = 0;
  std::optional<Clock::time_point> m_end;
};

/// Bounds of the cheapest choice of a network.
struct Bracket {
  std::vector<std::size_t> choice;  ///< the cheapest that was found, as positions in network.values
  double cost = 0;                  ///< of it
  double bound = 0;                 ///< no choice costs less
};

/// A network's bound raised by passes of SoftCosts, and the kept values: any other value makes every choice
/// more expensive than the cheapest one met.
struct Tightened {
  Bracket bracket;
  std::vector<std::vector<std::size_t>> kept;  ///< as SoftCosts::kept()
};
[[nodiscard]] Tightened tightened(const CostNetwork& network, SearchEffort& effort, const std::stop_token& stop);

struct SearchResult {
  Bracket bracket;
  std::uint64_t nodes = 0;
};

/// Divides the values of one vertex after the other until bounds or eliminations settle the rest: the part with the
/// lowest bound first, from there on straight down to a choice. Every part has passes of SoftCosts, whose bound is
/// at least the whole's; a part that has become narrow is eliminated. Ends when the bound meets the cheapest choice
/// or the effort is spent: the bracket says which. Deterministic unless time ran out. Errors: cancelled.
[[nodiscard]] Result<SearchResult> branchAndBound(const CostNetwork& network, Bracket known, SearchEffort& effort,
                                                  const std::stop_token& stop, const Progress& progress);

}  // namespace p2::inline strategy
