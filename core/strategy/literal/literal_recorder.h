// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "strategy/literal/literal_invariant.h"
#include "strategy/literal/literal_table.h"

namespace p2::inline strategy {

/// A table of Algorithm 1 with the rows it still has, ascending.
struct LiveTable {
  LiteralTable shape;
  std::vector<std::uint64_t> rows;
};

/// Algorithm 3, lines 8–18: every union of a sub-strategy so far and a row of the table that agree on the vertices both
/// have. O(strategies + rows + unions), times the vertices. Empty when asked to stop.
[[nodiscard]] std::optional<PartialStrategies> joined(const PartialStrategies& strategies, const LiveTable& table,
                                                      const std::stop_token& stop);

/// The start of Algorithm 3: the one strategy for no vertex at all. Unlike the printed ∅ it differs from an empty list
/// of strategies.
[[nodiscard]] PartialStrategies emptyStrategy();

/// Number of sub-strategies that Algorithm 3 holds.
struct JoinCount {
  double most = 0;      ///< after any table
  double complete = 0;  ///< after the last one
  bool finished = false;
};

/// Counts the join without making it: sub-strategies that agree on all vertices that tables to come still mention are
/// counted as one class. Needing more than `mostClasses` of these, or asked to stop, the count is not finished and
/// `most` is the count so far.
[[nodiscard]] JoinCount countJoin(const std::vector<LiveTable>& tables, std::size_t mostClasses,
                                  const std::stop_token& stop);

/// Records the steps of a run of the literal algorithm, or nothing at all where no trace is wanted.
class LiteralRecorder {
 public:
  /// `problem` must outlive the recorder.
  LiteralRecorder(const StrategyProblem& problem, const LiteralCosts& costs, const std::vector<LiveTable>& tables,
                  bool wanted);

  /// A row goes in the moment that is added next.
  void remove(std::size_t vertex, std::uint64_t row, RowFate::Cause cause, std::uint64_t kept = 0);
  void add(const LiteralIteration& iteration);
  /// `changed`: the vertex whose table lost rows, if any did.
  void add(LiteralMoment moment, std::optional<std::size_t> changed = {});
  void add(const PartialStrategies& joined);
  /// Line 37's pick.
  void pick(std::optional<std::size_t> best);
  /// Null where no trace is wanted. Nothing may be added afterwards.
  [[nodiscard]] std::shared_ptr<const LiteralTrace> finished() const { return m_trace; }

 private:
  const StrategyProblem& m_problem;
  std::shared_ptr<LiteralTrace> m_trace;
  std::optional<InvariantWatch> m_watch;
};

}  // namespace p2::inline strategy
