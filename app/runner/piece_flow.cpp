// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/piece_flow.h"

#include <atomic>
#include <latch>
#include <thread>

namespace p2::runner {

Result<void> PieceFlow::run(const std::function<Result<void>()>& begin) {
  if (m_executor.calls() == Calls::Block) return runInThreads(begin);
  P2_TRY(begin());
  return queue();
}

Result<void> PieceFlow::runInThreads(const std::function<Result<void>()>& begin) {
  const std::size_t steps = m_executor.schedule().steps.size();
  std::vector<std::atomic<int>> done(steps);  // pieces that have been through a step
  std::latch begun(1);
  const auto work = [&](std::size_t step) {
    begun.wait();
    for (int piece = 0; piece < m_pieces; ++piece) {
      for (int before = 0; step > 0 && (before = done[step - 1].load()) <= piece;) done[step - 1].wait(before);
      const auto called = m_executor.run(StepId(std::int64_t(step)), piece, m_chunk);
      if (!called.ok()) m_giveUp(called.error());
      ++done[step];
      done[step].notify_one();
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t step = 0; step < steps; ++step) threads.emplace_back(work, step);
  const auto ready = begin();
  if (!ready.ok()) m_giveUp(ready.error());
  begun.count_down();
  return {};
}

Result<void> PieceFlow::queue() {
  // All ranks go through steps and pieces in this order, and none waits for a later one.
  const int steps = static_cast<int>(m_executor.schedule().steps.size());
  for (int round = 0; round < steps + m_pieces - 1; ++round) {
    for (int step = 0; step < steps; ++step) {
      const int piece = round - step;
      if (piece < 0 || piece >= m_pieces) continue;
      P2_TRY(m_executor.run(StepId(step), piece, m_chunk));
    }
  }
  return {};
}

}  // namespace p2::runner
