// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <random>
#include <vector>

#include "strategy/literal/literal_recorder.h"
#include "strategy/literal/literal_solver.h"

namespace p2::inline strategy {

/// The tables of Algorithm 1 and the changes by the loop of lines 16–34, one line at a time.
class LiteralReduction {
 public:
  /// Fills all tables (lines 5–15). `costs` must outlive it. O(rows).
  LiteralReduction(const LiteralCosts& costs, LiteralOptions::Ties ties, std::uint64_t seed);

  [[nodiscard]] const std::vector<LiveTable>& tables() const { return m_tables; }
  [[nodiscard]] std::uint64_t rowsOf(std::size_t vertex) const { return m_tables[vertex].rows.size(); }
  /// Line 18; of several vertices the first.
  [[nodiscard]] LiteralIteration choose() const;
  /// Sets of the partition of line 20.
  [[nodiscard]] std::uint64_t setsOf(std::size_t vertex) const;
  /// Lines 22–26. O(rows · neighbours).
  void keepBest(std::size_t vertex, LiteralRecorder& recorder);
  /// Lines 29–30: the neighbour's rows against the chosen vertex's. O(rows of both).
  void restrict(std::size_t neighbour, std::size_t vertex, LiteralRecorder& recorder);
  /// Lines 31 and 33.
  void setProcessed(std::size_t vertex) { m_processed[vertex] = true; }

 private:
  [[nodiscard]] std::vector<std::int64_t> changingCosts(const LiveTable& table) const;
  [[nodiscard]] std::size_t pickBest(const std::vector<std::int64_t>& costs, std::size_t begin, std::size_t end);
  [[nodiscard]] std::vector<std::size_t> commonOf(std::size_t a, std::size_t b) const;

  const LiteralCosts& m_costs;
  LiteralOptions::Ties m_ties;
  std::mt19937_64 m_random;
  std::vector<LiveTable> m_tables;
  std::vector<bool> m_processed;
};

}  // namespace p2::inline strategy
