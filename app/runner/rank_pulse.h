// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace p2::runner {

/// Detects silent ranks. Every rank prints a sign of life to standard error once a second, as in "p2-runner alive 3":
/// neither a launcher nor MPI notices a process that is stopped, or killed early, and the others would wait for ever.
class RankPulse {
 public:
  using Clock = std::chrono::steady_clock;

  explicit RankPulse(std::int64_t ranks) : m_ranks(ranks) {}

  /// Records a sign of life; false for other lines of standard error.
  bool hear(std::string_view line, Clock::time_point now);
  /// Whether any rank has given a sign of life.
  [[nodiscard]] bool hasBegun() const { return !m_heard.empty(); }
  /// The fault, in one sentence: a rank, or all of them, silent for kSilence, or never heard half a minute after
  /// the first. Nothing as long as no rank has said anything: a launcher may wait for its nodes.
  [[nodiscard]] std::optional<std::string> failure(Clock::time_point now, const std::string& launcher) const;

 private:
  std::int64_t m_ranks;
  std::map<std::int64_t, Clock::time_point> m_heard;  // of each rank, the last time
  Clock::time_point m_first;
};

/// Gives signs of life while it exists, from before MPI starts. The rank's number is the one given by its launcher;
/// without one it stays silent.
class SignsOfLife {
 public:
  SignsOfLife();

 private:
  std::jthread m_thread;
};

}  // namespace p2::runner
