// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "remote/run_request.h"
#include "runs/run_result.h"

namespace p2::inline remote {

/// Version of the protocol. If the other side has another one, the connection ends with an error that says so.
inline constexpr int kProtocol = 1;
/// Longest message, in bytes; a plan is the largest thing in one.
inline constexpr std::size_t kMostMessage = std::size_t{64} << 20;
/// Seconds between signs of life that both sides send during a run. Silence of kSilence seconds counts as a lost
/// connection; between runs a runner waits for kIdleSilence.
inline constexpr double kHeartbeat = 1;
inline constexpr double kSilence = 10;
inline constexpr double kIdleSilence = 600;

/// The first message of either side.
struct Hello {
  int protocol = kProtocol;
  std::string version;  ///< version of the program
  std::string host;
  friend bool operator==(const Hello&, const Hello&) = default;
};

/// Whether a library that programs run on is there.
struct BackendState {
  std::string name;
  std::string library;  ///< "Open MPI 4.1.4"; empty when it is not there
  std::string why;      ///< why it is not there; empty when it is
  friend bool operator==(const BackendState&, const BackendState&) = default;
};

/// The hardware of the runner's machine; follows its Hello.
struct Capabilities {
  std::vector<BackendState> backends;
  std::vector<std::string> launchers;  ///< the installed ones of kLaunchers
  std::vector<std::string> devices;    ///< names of its GPUs
  int cores = 0;
  friend bool operator==(const Capabilities&, const Capabilities&) = default;
};

/// Progress of a run.
struct RunProgress {
  int id = 0;
  std::string phase;   ///< "starting", "warming up", "running", "checking"
  int repetition = 0;  ///< done
  int repetitions = 0;
  int step = 0;  ///< the one that was finished last, from 1
  int steps = 0;
  friend bool operator==(const RunProgress&, const RunProgress&) = default;
};

/// A run that has a result.
struct RunFinished {
  int id = 0;
  RunResult result;
  friend bool operator==(const RunFinished&, const RunFinished&) = default;
};

/// A run that has no result, in one sentence. Under the id 0, which no run has: a request was not understood, and
/// no answer to it will come.
struct RunFailed {
  int id = 0;
  std::string message;
  bool cancelled = false;
  friend bool operator==(const RunFailed&, const RunFailed&) = default;
};

/// A line of output of the launcher or a rank.
struct RunLog {
  int id = 0;
  std::string text;
  friend bool operator==(const RunLog&, const RunLog&) = default;
};

/// Asks the other side to end a run.
struct CancelRun {
  int id = 0;
  friend bool operator==(const CancelRun&, const CancelRun&) = default;
};

/// A sign of life, see kHeartbeat.
struct Alive {
  friend bool operator==(const Alive&, const Alive&) = default;
};

/// A message of either side.
using Message =
    std::variant<Hello, Capabilities, RunRequest, RunProgress, RunFinished, RunFailed, RunLog, CancelRun, Alive>;

/// One line of JSON with its newline. Text that is not UTF-8 gets U+FFFD in its place.
[[nodiscard]] std::string messageLine(const Message& message);
/// The message of one line. Errors: not JSON, no known type, a member missing, of the wrong type or out of range.
[[nodiscard]] Result<Message> messageFrom(std::string_view line);

}  // namespace p2::inline remote
