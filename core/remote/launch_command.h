// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/child_process.h"
#include "remote/run_request.h"

namespace p2::inline remote {

/// The argument of a worker whose threads all call MPI.
inline constexpr std::string_view kThreads = "--threads";

/// The program of every rank, and its launcher.
struct RunnerProgram {
  std::string path;
  bool threads = false;  ///< whether its threads all call MPI, as a program in several pieces may need
  bool asRoot = false;   ///< whether root starts it, which mpirun needs as an option
};

/// The command that starts this many ranks of a run on a target. Errors: more ranks than it has slots.
[[nodiscard]] Result<Command> launchCommand(const Launch& launch, std::int64_t ranks, const RunnerProgram& runner);

/// A command as typed into a shell: variables first, every word quoted that needs it.
[[nodiscard]] std::string shellText(const Command& command);
/// One word of it.
[[nodiscard]] std::string shellWord(const std::string& word);

}  // namespace p2::inline remote
