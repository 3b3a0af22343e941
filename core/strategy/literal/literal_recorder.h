// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "strategy/literal/literal_invariant.h"
#include "strategy/literal/literal_join.h"

namespace p2::inline strategy {

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
