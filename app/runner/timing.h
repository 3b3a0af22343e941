// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mpi.h>

#include <functional>

#include "app/runner/executor.h"

namespace p2::runner {

/// What one rank has to know to time a run.
struct TimingTask {
  MPI_Comm world = MPI_COMM_WORLD;
  std::size_t chunk = 1;  ///< elements
  int repeat = 1;
  int warmup = 0;
};

/// Told how far the run is, on every rank: repetitions done (negative while warming up) and the step done last.
using StepObserver = std::function<void(int repetition, StepId step)>;

struct Timings {
  std::vector<double> whole;               ///< per repetition; of the slowest rank
  std::vector<std::vector<double>> steps;  ///< [step][repetition]; of the slowest rank
};

/// Runs the program `warmup` + `repeat` times on float32 vectors, all ranks together, and times it; only rank 0 gets
/// the timings. The working vector is left as the last repetition made it.
[[nodiscard]] Result<Timings> measure(Executor& executor, Transport& transport, const TimingTask& what,
                                      const StepObserver& observer);

/// Runs the program once on vectors of that format and compares every element of the result with the sum over the
/// rank's reduction group: the number of wrong elements on all ranks.
[[nodiscard]] Result<std::int64_t> countWrongElements(Executor& executor, Transport& transport, const TimingTask& what,
                                                      Element element);

}  // namespace p2::runner
