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

/// Ranks say on standard error once a second that they live, as in "p2-runner alive 3". Neither a launcher nor MPI
/// notices a process that is stopped, or that was killed before they knew it; the others wait for it for ever.
class RankPulse {
 public:
  using Clock = std::chrono::steady_clock;

  explicit RankPulse(std::int64_t ranks) : m_ranks(ranks) {}

  /// Whether a line of standard error is a sign of life, which it takes note of.
  bool hear(std::string_view line, Clock::time_point now);
  /// Whether any rank has said anything.
  [[nodiscard]] bool hasBegun() const { return !m_heard.empty(); }
  /// What is wrong, in one sentence: a rank, or all of them, silent for kSilence, or never heard half a minute after
  /// the first. Nothing as long as no rank has said anything: a launcher may wait for its nodes.
  [[nodiscard]] std::optional<std::string> failure(Clock::time_point now, const std::string& launcher) const;

 private:
  std::int64_t m_ranks;
  std::map<std::int64_t, Clock::time_point> m_heard;  // of each rank, the last time
  Clock::time_point m_first;
};

/// Says so as long as it lives, from before MPI is started: the rank's number is the one that its launcher gave it.
/// Without such a number it says nothing.
class SignsOfLife {
 public:
  SignsOfLife();

 private:
  std::jthread m_thread;
};

}  // namespace p2::runner
