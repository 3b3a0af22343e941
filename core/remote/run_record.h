// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace p2 {

/// How a target's launcher starts one process per device. Only ever the target's own settings: nothing of it comes out
/// of a plan.
struct Launch {
  std::string launcher = "mpirun";  ///< one of kLaunchers
  std::string hostfile;             ///< of mpirun, on the target; empty for its own machine
  int mostRanks = 64;               ///< most processes the target takes
  bool byNode = false;              ///< deal ranks to the nodes in turn instead of filling node by node
  std::vector<std::pair<std::string, std::string>> environment;
  std::vector<std::string> arguments;  ///< for the launcher, before the program
  friend bool operator==(const Launch&, const Launch&) = default;
};

inline constexpr std::string_view kLaunchers[] = {"mpirun", "srun"};
inline constexpr std::string_view kBackends[] = {"mpi", "nccl"};

/// Where programs are run: this machine, or one reached by the user's own ssh.
struct Target {
  std::string name = "local";
  std::string host;                       ///< for ssh; empty for this machine
  std::string runner = "p2-runner";       ///< the runner's name or path there
  std::vector<std::string> sshArguments;  ///< before the host, as in {"-F", "config"}
  Launch launch;
  friend bool operator==(const Target&, const Target&) = default;
};

/// A target that can be used, or what is wrong with it: launcher, slots, a host that ssh would take for an option,
/// names of environment variables.
[[nodiscard]] Result<Target> validated(Target target);

/// What to run.
struct RunRequest {
  int id = 1;
  std::string plan;             ///< the text of a plan file
  std::string backend = "mpi";  ///< one of kBackends
  double bytes = 0;             ///< per device; filled up to a whole number of elements in every chunk
  int repeat = 10;              ///< timed repetitions
  int warmup = 2;               ///< repetitions before them
  double timeLimit = 600;       ///< seconds for all of it
  Launch launch;
  friend bool operator==(const RunRequest&, const RunRequest&) = default;
};

inline constexpr int kMostRuns = 100'000;  ///< repetitions

/// Smallest, median and largest of the repetitions, in seconds; in each the slowest rank counts.
struct Spread {
  double min = 0;
  double median = 0;
  double max = 0;
  friend bool operator==(const Spread&, const Spread&) = default;
};

/// Of the values, which must not be empty. The median of an even number is the mean of the middle two.
[[nodiscard]] Spread spreadOf(std::vector<double> values);

struct StepRun {
  std::string collective;
  std::int64_t members = 1;  ///< of a group
  double bytes = 0;          ///< the vector a group works on, per device
  Spread seconds;
  double algorithmBandwidth = 0;  ///< bytes / median, bytes/s, as nccl-tests defines it
  double busBandwidth = 0;        ///< the same times the collective's share, bytes/s
  friend bool operator==(const StepRun&, const StepRun&) = default;
};

/// What was measured.
struct RunResult {
  std::string backend;
  std::string library;             ///< "Open MPI 4.1.4": what moved the bytes
  std::string version;             ///< of the runner
  std::string planHash;            ///< of the plan's text, see planHash()
  std::vector<std::string> hosts;  ///< of each rank
  double bytes = 0;                ///< per device, as run
  int repeat = 0;
  std::int64_t wrongElements = 0;  ///< over all devices, in both number formats; more than 0 is a failed run
  Spread seconds;                  ///< one repetition of the whole program
  std::vector<StepRun> steps;
  friend bool operator==(const RunResult&, const RunResult&) = default;
};

/// What a run was asked for.
struct RunIdentity {
  std::string planHash;
  std::size_t steps = 0;  ///< of the plan
  std::int64_t ranks = 0;
};

/// Whether a result answers what was asked for; otherwise a Failed error that says how they differ. Everything that
/// compares a result with its plan step by step may do so after this only.
[[nodiscard]] Result<void> checkAnswer(const RunResult& result, const RunIdentity& asked);

/// 16 hexadecimal digits that tell plans apart (FNV-1a).
[[nodiscard]] std::string planHash(std::string_view plan);

}  // namespace p2
