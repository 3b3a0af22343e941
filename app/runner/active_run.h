// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "app/runner/rank_pulse.h"
#include "app/runner/request_feed.h"
#include "base/child_process.h"
#include "remote/channel.h"

namespace p2::runner {

/// One run: its launcher and the messages of its ranks.
class ActiveRun {
 public:
  /// Checks the request and starts its workers. Errors: an invalid request, or no such launcher.
  [[nodiscard]] static Result<ActiveRun> start(RunRequest request);

  [[nodiscard]] int id() const { return m_request.id; }
  [[nodiscard]] int output() const { return m_launcher.output(); }
  [[nodiscard]] int errors() const { return m_launcher.errors(); }
  /// Forwards the workers' messages. True when the run is over and its last message is sent.
  bool advance(Channel& channel);
  /// Ends the workers and reports it.
  void cancel(Channel& channel);

 private:
  using Clock = std::chrono::steady_clock;

  ActiveRun(RunRequest request, ChildProcess launcher, std::int64_t ranks);
  void pass(const std::string& line, Channel& channel);
  void passErrors(Channel& channel);
  /// Handles a line that is for the runner alone: a sign of life, or a request for the next block. False for others.
  bool hear(const std::string& line);
  void note(const std::string& line, Channel& channel);
  [[nodiscard]] std::optional<std::string> failure();

  RunRequest m_request;
  ChildProcess m_launcher;
  LineBuffer m_lines;
  LineBuffer m_errorLines;
  std::string m_said;  // other output, on either stream: the beginning
  std::string m_lastSaid;
  std::size_t m_logged = 0;
  RequestFeed m_feed;
  bool m_asked = false;  // a rank, for the request
  RankPulse m_pulse;
  std::optional<RunFinished> m_finished;
  Clock::time_point m_started;
};

}  // namespace p2::runner
