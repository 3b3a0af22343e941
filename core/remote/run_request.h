// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "runs/run_result.h"

namespace p2::inline remote {}
namespace p2::inline plan {
class Plan;
}
namespace p2::inline remote {

/// The command with which a target's launcher starts one process per device. It comes from the target's own settings
/// alone, never from a plan.
struct Launch {
  std::string launcher = "mpirun";  ///< one of kLaunchers
  std::string hostfile;             ///< of mpirun, on the target; empty for its own machine
  int mostRanks = 64;               ///< most processes the target takes
  bool byNode = false;              ///< deal ranks to the nodes in turn instead of filling node by node
  std::vector<std::pair<std::string, std::string>> environment;
  std::vector<std::string> arguments;  ///< for the launcher, before the program
  friend bool operator==(const Launch&, const Launch&) = default;
};

/// Launchers of ranks, and backends of programs.
inline constexpr std::string_view kLaunchers[] = {"mpirun", "srun"};
inline constexpr std::string_view kBackends[] = {"mpi", "nccl"};

/// The machine on which programs run: this one, or one that the user's own ssh reaches.
struct Target {
  std::string name = "local";
  std::string host;                       ///< for ssh; empty for this machine
  std::string runner = "p2-runner";       ///< the runner's name or path there
  std::vector<std::string> sshArguments;  ///< before the host, as in {"-F", "config"}
  Launch launch;
  friend bool operator==(const Target&, const Target&) = default;
};

/// A target that can be used, or its mistake: launcher, slots, a host that ssh would take for an option,
/// names of environment variables.
[[nodiscard]] Result<Target> validated(Target target);

/// What to run.
struct RunRequest {
  int id = 1;
  std::string plan;             ///< the text of a plan file
  std::string backend = "mpi";  ///< one of kBackends
  Bytes bytes;                  ///< per device; filled up to a whole number of elements in every chunk's piece
  int repeat = 10;              ///< timed repetitions
  int warmup = 2;               ///< repetitions before them
  double timeLimit = 600;       ///< seconds for all of it
  Launch launch;
  int pieces = 1;  ///< that follow each other through the steps, up to kMostChunks; 1 for one step after the other
  friend bool operator==(const RunRequest&, const RunRequest&) = default;
};

inline constexpr int kMostRuns = 100'000;  ///< repetitions

/// The request of a run.
struct RunIdentity {
  struct Step {
    std::string collective;
    std::int64_t members = 1;  ///< ranks of a group
  };
  std::string planHash;
  std::vector<Step> steps;  ///< steps of the plan
  std::int64_t ranks = 0;
  int pieces = 1;
  std::string backend = "mpi";
  Bytes bytes;  ///< per device, before it is filled up
  int repeat = 0;
  std::int64_t chunks = 1;  ///< that the vector is cut into, each filled up by less than an element for every piece
  double timeLimit = 1e9;   ///< seconds for all of it
};
/// `plan` is the plan in the request's text. O(text).
[[nodiscard]] RunIdentity identityOf(const RunRequest& request, const Plan& plan);

/// Whether a result answers the request, with possible times; otherwise a Failed error that says how they
/// differ. Everything that compares a result with its plan step by step may do so after this only.
[[nodiscard]] Result<void> checkAnswer(const RunResult& result, const RunIdentity& asked);

}  // namespace p2::inline remote
