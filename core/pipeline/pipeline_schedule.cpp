// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/detail/pipeline_schedule.h"

#include <algorithm>

namespace p2::inline pipeline {
namespace {

constexpr double kNotYet = -1;

/// Plays one forward, one backward, stage by stage as far as each gets.
class Play {
 public:
  Play(const std::vector<StageTimes>& times, std::int64_t microbatches)
      : m_times(times), m_microbatches(microbatches), m_next(times.size()), m_free(times.size(), 0) {
    const auto count = static_cast<std::size_t>(microbatches);
    m_forward.assign(times.size(), std::vector<double>(count, kNotYet));
    m_backward = m_forward;
    m_schedule.stages.resize(times.size());
  }

  PipelineSchedule run() {
    for (bool more = true; more;) {
      more = false;
      for (std::size_t stage = 0; stage < m_times.size(); ++stage) {
        while (step(stage)) more = true;
      }
    }
    for (std::size_t stage = 0; stage < m_times.size(); ++stage) {
      add(stage, PipelineCell::Kind::Once, m_microbatches - 1, m_free[stage], m_times[stage].once);
      m_schedule.seconds = std::max(m_schedule.seconds, m_free[stage]);
    }
    return std::move(m_schedule);
  }

 private:
  struct Next {
    std::int64_t forward = 0;
    std::int64_t backward = 0;
  };

  void add(std::size_t stage, PipelineCell::Kind kind, std::int64_t microbatch, double start, double seconds) {
    m_schedule.stages[stage].push_back({kind, microbatch, start, seconds});
    m_free[stage] = start + seconds;
  }

  /// Runs the next pass of the stage, if its input has arrived.
  bool step(std::size_t stage) {
    Next& next = m_next[stage];
    if (next.backward == m_microbatches) return false;
    const std::int64_t ahead =
        inFlight(static_cast<std::int64_t>(stage), static_cast<std::int64_t>(m_times.size()), m_microbatches);
    const bool forward = next.forward < m_microbatches && next.forward - next.backward < ahead;
    const auto microbatch = static_cast<std::size_t>(forward ? next.forward : next.backward);
    const double needed =
        forward ? (stage == 0 ? 0 : m_forward[stage - 1][microbatch])
                : (stage + 1 == m_times.size() ? m_forward[stage][microbatch] : m_backward[stage + 1][microbatch]);
    if (needed == kNotYet) return false;
    const StageTimes& times = m_times[stage];
    add(stage, forward ? PipelineCell::Kind::Forward : PipelineCell::Kind::Backward,
        static_cast<std::int64_t>(microbatch), std::max(needed, m_free[stage]),
        forward ? times.forward : times.backward);
    (forward ? m_forward : m_backward)[stage][microbatch] = m_free[stage];
    ++(forward ? next.forward : next.backward);
    return true;
  }

  const std::vector<StageTimes>& m_times;
  std::int64_t m_microbatches;
  std::vector<Next> m_next;
  std::vector<double> m_free;
  std::vector<std::vector<double>> m_forward;  // by stage and microbatch when it was done
  std::vector<std::vector<double>> m_backward;
  PipelineSchedule m_schedule;
};

}  // namespace

std::int64_t inFlight(std::int64_t stage, std::int64_t stages, std::int64_t microbatches) {
  return std::min(stages - stage, microbatches);
}

std::int64_t microbatchSlots(std::int64_t stages, std::int64_t microbatches) { return microbatches + stages - 1; }

double PipelineSchedule::idleSeconds(std::size_t stage) const {
  double busy = 0;
  for (const PipelineCell& cell : stages[stage]) busy += cell.seconds;
  return seconds - busy;
}

std::optional<PipelineSchedule> scheduleOf(const std::vector<StageTimes>& stages, std::int64_t microbatches) {
  const auto count = static_cast<std::int64_t>(stages.size());
  if (count == 0 || microbatches < 1 || microbatches > kMostScheduledCells / (2 * count)) return std::nullopt;
  return Play(stages, microbatches).run();
}

double playedSeconds(const std::vector<StageTimes>& stages, std::int64_t microbatches) {
  if (const auto played = scheduleOf(stages, microbatches)) return played->seconds;
  double slot = 0;
  double once = 0;
  for (const StageTimes& each : stages) {
    slot = std::max(slot, each.slot());
    once = std::max(once, each.once);
  }
  return static_cast<double>(microbatchSlots(static_cast<std::int64_t>(stages.size()), microbatches)) * slot + once;
}

double leastPlayed(double seconds, std::int64_t stages, std::int64_t microbatches) {
  return seconds * static_cast<double>(microbatches) / static_cast<double>(microbatchSlots(stages, microbatches));
}

double leastPlayed(double slot, double sum, std::int64_t stage, std::int64_t stages, std::int64_t microbatches) {
  // The shorter of a slot's two passes takes half of it at most.
  const double hidden = static_cast<double>(inFlight(stage, stages, microbatches) - 1) / 2;
  return sum + (static_cast<double>(microbatches - 1) - hidden) * slot;
}

}  // namespace p2::inline pipeline
