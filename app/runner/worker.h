// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mpi.h>

namespace p2::runner {

/// One rank of a run, started by an MPI launcher. Rank 0 reads the request, one message, from standard input and writes
/// progress and result as messages to standard output. An error is one line on standard error that begins with
/// kWorkerSays, and ends all ranks. `threads` is the thread level requested from MPI; a request in several pieces may
/// need MPI_THREAD_MULTIPLE.
int runWorker(int argc, char** argv, int threads);

inline constexpr const char* kWorkerSays = "p2-runner: ";

}  // namespace p2::runner
