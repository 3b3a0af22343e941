// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/literal/literal_recorder.h"

namespace p2::inline strategy {

LiteralRecorder::LiteralRecorder(const StrategyProblem& problem, const LiteralCosts& costs,
                                 const std::vector<LiveTable>& tables, bool wanted)
    : m_problem(problem) {
  if (!wanted) return;
  m_trace = std::make_shared<LiteralTrace>();
  for (const LiveTable& table : tables) {
    m_trace->tables.push_back(table.shape);
    m_trace->fates.emplace_back(table.shape.rows);
  }
  if (!InvariantWatch::canWatch(costs)) return;
  m_watch.emplace(costs);
  m_trace->optimum = m_watch->optimum(problem);
}

void LiteralRecorder::remove(std::size_t vertex, std::uint64_t row, RowFate::Cause cause, std::uint64_t kept) {
  if (m_trace) m_trace->fates[vertex][row] = {m_trace->moments.size(), cause, kept};
}

void LiteralRecorder::add(const LiteralIteration& iteration) {
  if (m_trace) m_trace->iterations.push_back(iteration);
}

void LiteralRecorder::add(LiteralMoment moment, std::optional<std::size_t> changed) {
  if (!m_trace) return;
  if (m_watch) {
    if (changed) m_watch->tableChanged(m_trace->tables[*changed], m_trace->fates[*changed]);
    moment.invariant = m_watch->now(m_problem);
  }
  m_trace->moments.push_back(moment);
}

void LiteralRecorder::add(const PartialStrategies& joined) {
  if (m_trace) m_trace->joins.push_back(joined);
}

void LiteralRecorder::pick(std::optional<std::size_t> best) {
  if (m_trace) m_trace->best = best;
}

}  // namespace p2::inline strategy
