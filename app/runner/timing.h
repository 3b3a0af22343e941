// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mpi.h>

#include <functional>

#include "app/runner/piece_flow.h"

namespace p2::runner {

/// The settings with which one rank times a run.
struct TimingTask {
  MPI_Comm world = MPI_COMM_WORLD;
  std::size_t chunk = 1;  ///< elements of a chunk's piece
  int repeat = 1;
  int warmup = 0;
  int pieces = 1;  ///< that the vector is cut into; with more than one, steps overlap
  GiveUp giveUp;   ///< needed with more than one
};

/// Called on every rank with its progress: repetitions done (negative while warming up) and the last finished step.
using StepObserver = std::function<void(int repetition, StepId step)>;

struct Timings {
  std::vector<double> whole;               ///< per repetition; the slowest rank's
  std::vector<std::vector<double>> steps;  ///< [step][repetition]; the slowest rank's; none where steps overlap
};

/// Runs the program `warmup` + `repeat` times on float32 vectors, all ranks together, and times it; only rank 0 gets
/// the timings. The working vectors are left as the last repetition made them.
[[nodiscard]] Result<Timings> measure(Executor& executor, Transport& transport, const TimingTask& what,
                                      const StepObserver& observer);

/// Runs the program once on vectors of that format and compares every element of the result with the sum over the
/// rank's reduction group: the number of wrong elements on all ranks.
[[nodiscard]] Result<std::int64_t> countWrongElements(Executor& executor, Transport& transport, const TimingTask& what,
                                                      Element element);

}  // namespace p2::runner
