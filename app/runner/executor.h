// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/runner/schedule.h"
#include "app/runner/transport.h"

namespace p2::runner {

/// Runs one rank's schedule over a transport.
class Executor {
 public:
  /// Joins the communicators of all steps; called by all ranks together.
  [[nodiscard]] static Result<Executor> prepare(Schedule schedule, Transport& transport);

  [[nodiscard]] const Schedule& schedule() const { return m_schedule; }
  /// Elements of a piece whose part of a chunk has this many.
  [[nodiscard]] std::size_t pieceSize(std::size_t chunk) const { return chunk * std::size_t(m_schedule.chunks); }
  [[nodiscard]] Calls calls() const { return m_transport.calls(); }
  /// Issues the calls of one step on a piece; none for a rank that takes no part.
  [[nodiscard]] Result<void> run(StepId step, int piece, std::size_t chunk);

 private:
  Executor(Schedule schedule, Transport& transport) : m_schedule(std::move(schedule)), m_transport(transport) {}
  [[nodiscard]] Result<void> start(const RankStep& step, const Communicator& group, int piece, std::size_t chunk);

  Schedule m_schedule;
  Transport& m_transport;
  std::vector<Communicator> m_groups;  // one per step
};

}  // namespace p2::runner
