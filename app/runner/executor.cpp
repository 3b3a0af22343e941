// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/executor.h"

namespace p2::runner {

Result<Executor> Executor::prepare(Schedule schedule, Transport& transport) {
  Executor executor(std::move(schedule), transport);
  for (const RankStep& step : executor.m_schedule.steps) {
    P2_TRY_ASSIGN(auto group, transport.join(step.group, step.key));
    group.root = step.root;
    executor.m_groups.push_back(group);
  }
  return executor;
}

Result<void> Executor::start(const RankStep& step, const Communicator& group, int piece, std::size_t chunk) {
  const std::size_t before = chunk * std::size_t(step.chunksBefore);
  const std::size_t after = chunk * std::size_t(step.chunksAfter);
  switch (step.collective) {
    case Collective::AllReduce:
      return m_transport.allReduce(group, piece, before);
    case Collective::ReduceScatter:
      return m_transport.reduceScatter(group, piece, after);
    case Collective::Reduce:
      return m_transport.reduce(group, piece, before);
    case Collective::Broadcast:
      return m_transport.broadcast(group, piece, after);
    case Collective::Scatter:
      return m_transport.scatter(group, piece, after);
    case Collective::AllToAll:
      P2_TRY(m_transport.allToAll(group, piece, before / std::size_t(group.members)));
      break;
    case Collective::AllGather:
      P2_TRY(m_transport.allGather(group, piece, before));
      break;
  }
  return step.places.empty() ? Result<void>() : m_transport.rearrange(group, piece, step.places, chunk);
}

Result<void> Executor::run(StepId step, int piece, std::size_t chunk) {
  const Communicator& group = m_groups[step.index()];
  return group.index < 0 ? Result<void>() : start(m_schedule.steps[step.index()], group, piece, chunk);
}

}  // namespace p2::runner
