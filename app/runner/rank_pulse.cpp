// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/rank_pulse.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <mutex>

#include "base/numbers.h"
#include "remote/messages.h"

namespace p2::runner {
namespace {

constexpr std::string_view kSign = "p2-runner alive ";
constexpr double kStart = 30;  // seconds between the first rank's first sign and the last one's
constexpr double kApart = 4 * kHeartbeat;
constexpr const char* kRankVariables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};

double secondsBetween(RankPulse::Clock::time_point from, RankPulse::Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

std::string secondsText(double seconds) { return std::to_string(static_cast<int>(seconds)) + " s"; }

const char* ownRank() {
  for (const char* variable : kRankVariables) {
    if (const char* rank = std::getenv(variable)) return rank;
  }
  return nullptr;
}

void sayUntilStopped(const std::stop_token& stop, const std::string& line) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    // A closed pipe means that the run has ended.
    [[maybe_unused]] const ssize_t reported = ::write(STDERR_FILENO, line.data(), line.size());
    stopped.wait_for(lock, stop, std::chrono::duration<double>(kHeartbeat), [] { return false; });
  }
}

}  // namespace

bool RankPulse::hear(std::string_view line, Clock::time_point now) {
  const std::size_t at = line.find(kSign);
  if (at == std::string_view::npos) return false;
  line.remove_prefix(at + kSign.size());
  const auto rank = parseInteger(line.substr(0, line.find_first_not_of("0123456789")));
  if (!rank || *rank < 0 || *rank >= m_ranks) return true;
  if (m_heard.empty()) m_first = now;
  m_heard[*rank] = now;
  return true;
}

std::optional<std::string> RankPulse::failure(Clock::time_point now, const std::string& launcher) const {
  if (m_heard.empty()) return std::nullopt;
  const auto silence = [now](const auto& heard) { return secondsBetween(heard.second, now); };
  const auto quieter = [&](const auto& a, const auto& b) { return silence(a) < silence(b); };
  const auto [loudest, quietest] = std::minmax_element(m_heard.begin(), m_heard.end(), quieter);
  const std::string ended = "; the run was ended";
  if (silence(*quietest) > kSilence) {
    // Signs come through the launcher, a little apart from each other.
    if (m_heard.size() > 1 && silence(*loudest) > kApart) {
      return launcher + " and its ranks have said nothing for " + secondsText(kSilence) +
             ": it is stopped, or its connections are lost" + ended;
    }
    return "rank " + std::to_string(quietest->first) + " has said nothing for " + secondsText(kSilence) +
           ": it is stopped, or was killed, or its host is lost" + ended;
  }
  if (std::int64_t(m_heard.size()) == m_ranks || secondsBetween(m_first, now) <= kStart) return std::nullopt;
  std::int64_t missing = 0;
  while (m_heard.contains(missing)) ++missing;
  return "rank " + std::to_string(missing) + " has not started within " + secondsText(kStart) + " of the first one" +
         ended;
}

SignsOfLife::SignsOfLife() {
  const char* rank = ownRank();
  if (rank == nullptr) return;
  m_thread = std::jthread(
      [line = std::string(kSign) + rank + "\n"](const std::stop_token& stop) { sayUntilStopped(stop, line); });
}

}  // namespace p2::runner
