// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "app/runner/executor.h"

namespace p2::runner {

/// Ends all ranks; called on a thread whose peers wait in calls that never return.
using GiveUp = std::function<void(const Error&)>;

/// Takes pieces through all steps of a program so that steps overlap. A step works on one piece at a time, in their
/// order, and begins with a piece as soon as the step before has finished it; every step has communicators of its
/// own, so the order of calls in each of them is the same on all ranks. Where calls block, every step has a thread.
class PieceFlow {
 public:
  PieceFlow(Executor& executor, int pieces, std::size_t chunk, GiveUp giveUp)
      : m_executor(executor), m_pieces(pieces), m_chunk(chunk), m_giveUp(std::move(giveUp)) {}

  /// Calls `begin` when everything is ready, and then all steps. Where calls block, all is done when it returns.
  [[nodiscard]] Result<void> run(const std::function<Result<void>()>& begin);

 private:
  [[nodiscard]] Result<void> runInThreads(const std::function<Result<void>()>& begin);
  [[nodiscard]] Result<void> queue();

  Executor& m_executor;
  int m_pieces;
  std::size_t m_chunk;  // elements of a chunk's piece
  GiveUp m_giveUp;
};

}  // namespace p2::runner
