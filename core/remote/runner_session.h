// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "base/child_process.h"
#include "remote/channel.h"

namespace p2::inline remote {

/// Callbacks for the progress of a run, called on the thread that waits for it. Members may be empty.
struct RunObserver {
  std::function<void(const RunProgress&)> progress;
  std::function<void(const std::string&)> log;
};

/// Timeouts for the other side, in seconds.
struct Patience {
  double greeting = 20;  ///< ssh may have to look up a name and pass a jump host
  double silence = kSilence;
  double cancelling = 8;  ///< for the runner to end its workers
};

/// A conversation with the runner of a target: a child process here, or one reached by the user's own ssh. Ends with
/// its owner, together with all runs there. Not for two threads at once.
class RunnerSession {
 public:
  /// Starts the runner and waits for its greeting. Errors say in one sentence what stood in the way: no such program,
  /// no such host, a refused key, a changed host key, another version, something else than a runner, silence; or
  /// cancelled.
  [[nodiscard]] static Result<RunnerSession> open(const Target& target, std::stop_token stop = {},
                                                  const Patience& patience = {});
  RunnerSession(RunnerSession&&) noexcept = default;
  RunnerSession& operator=(RunnerSession&&) = delete;
  ~RunnerSession();

  [[nodiscard]] const Hello& hello() const { return m_hello; }
  [[nodiscard]] const Capabilities& capabilities() const { return m_capabilities; }

  /// Runs one plan to its end with the target's launch settings. Errors: the runner's error, or why it no
  /// longer answers; cancelled. After an error of the second kind isOpen() is false.
  [[nodiscard]] Result<RunResult> run(RunRequest request, const RunObserver& observer = {}, std::stop_token stop = {});
  [[nodiscard]] bool isOpen() const { return m_open; }

 private:
  using Clock = std::chrono::steady_clock;

  RunnerSession(Target target, const Patience& patience, ChildProcess child);
  [[nodiscard]] Result<void> greet(const std::stop_token& stop);
  [[nodiscard]] Result<std::optional<Message>> receive();
  [[nodiscard]] Result<std::optional<Message>> decode(const std::string& line);
  void wait();
  void readErrors();
  [[nodiscard]] Error broken(const std::string& what);
  [[nodiscard]] Error ended();
  [[nodiscard]] std::string place() const { return m_target.host.empty() ? "this machine" : m_target.host; }

  Target m_target;
  Patience m_patience;
  ChildProcess m_child;
  Channel m_channel;
  Hello m_hello;
  Capabilities m_capabilities;
  std::string m_errors;  // the end of what came on standard error
  std::size_t m_strayBytes = 0;
  Clock::time_point m_heard;
  Clock::time_point m_spoke;
  int m_lastRun = 0;
  bool m_greeted = false;
  bool m_open = true;
};

/// The command that starts the runner of a target.
[[nodiscard]] std::vector<std::string> runnerCommand(const Target& target);

}  // namespace p2::inline remote
