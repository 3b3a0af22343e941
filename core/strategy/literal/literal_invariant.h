// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "strategy/literal/literal_trace.h"

namespace p2::inline strategy {

/// Watches Theorem 1's invariant over a run: VALIDSTRATEGIES(G), made once by enumerating all strategies and thinned
/// out as tables lose rows.
class InvariantWatch {
 public:
  /// Largest number of strategies that are checked, since every step checks each of them.
  static constexpr double kMostStrategies = 100'000;
  [[nodiscard]] static bool canWatch(const LiteralCosts& costs);

  /// All strategies are valid. O(strategies).
  explicit InvariantWatch(const LiteralCosts& costs);
  /// Drops the strategies whose row in the table is gone. O(valid strategies).
  void tableChanged(const LiteralTable& table, const std::vector<RowFate>& fates);
  /// The invariant at present, by the problem's own costs.
  [[nodiscard]] LiteralInvariant now(const StrategyProblem& problem) const;
  [[nodiscard]] double optimum(const StrategyProblem& problem) const;

 private:
  struct Candidate {
    std::int64_t cost = 0;
    std::vector<std::size_t> choice;
  };
  std::vector<Candidate> m_valid;  // cheapest first, among equals the lexicographically smallest first
  Candidate m_optimum;
};

}  // namespace p2::inline strategy
