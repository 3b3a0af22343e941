// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/fixed_order_seconds.h"

#include <algorithm>

namespace p2::inline training {
namespace {

/// Seconds of the passes of a stage by chunk, and how far it has come.
struct Stage {
  std::vector<double> forward;
  std::vector<double> backward;
  std::size_t warmUp = 0;
  std::size_t forwards = 0;   ///< that are done
  std::size_t backwards = 0;  ///< that are done
  double end = 0;             ///< moment at which its last pass is done
  double least = 0;           ///< its work, and the time in which it has waited
  [[nodiscard]] bool goesForward(std::size_t all) const {
    return forwards < all && (forwards < warmUp || forwards - warmUp == backwards);
  }
};

/// Place of a pass of the first stage in a table by chunk, stage and microbatch.
struct Turn {
  std::size_t chunk = 0;
  std::size_t at = 0;
};

std::vector<Turn> turnsOf(const std::vector<PipelinePass>& passes, std::size_t stages, std::size_t microbatches) {
  std::vector<Turn> turns;
  turns.reserve(passes.size());
  for (const PipelinePass& pass : passes) {
    const auto chunk = static_cast<std::size_t>(pass.chunk);
    turns.push_back({chunk, chunk * stages * microbatches + static_cast<std::size_t>(pass.microbatch)});
  }
  return turns;
}

/// Ends of passes; the stages take turns until none can go on.
class Player {
 public:
  Player(ScheduleKind kind, const PipelineWork& work, std::int64_t microbatches)
      : m_microbatches(static_cast<std::size_t>(microbatches)), m_stages(work.size()) {
    const auto stages = static_cast<std::int64_t>(work.size());
    const FixedOrders orders(kind, stages, static_cast<std::int64_t>(work[0].size()), microbatches);
    m_forward = turnsOf(orders.forward(), work.size(), m_microbatches);
    m_backward = turnsOf(orders.backward(), work.size(), m_microbatches);
    m_forwardEnd.assign(m_forward.size() * work.size(), -1);
    m_backwardEnd.assign(m_forward.size() * work.size(), -1);
    for (std::size_t s = 0; s < work.size(); ++s) {
      Stage& stage = m_stages[s];
      stage.warmUp = orders.warmUp(s);
      for (const StageWork& chunk : work[s]) {
        stage.forward.push_back(chunk.forward);
        stage.backward.push_back(chunk.backward + chunk.weights);
        stage.least += chunk.slot() * static_cast<double>(microbatches);
      }
      m_atLeast = std::max(m_atLeast, stage.least);
    }
  }

  double seconds(double most) {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t s = 0; s < m_stages.size(); ++s) {
        if (m_atLeast > most) return m_atLeast;
        moved = playStage(s) || moved;
      }
    }
    return m_seconds;
  }

 private:
  /// Plays the passes of a stage until one waits for another stage. Whether there were any.
  bool playStage(std::size_t s) {
    Stage& stage = m_stages[s];
    const std::size_t all = m_forward.size();
    const std::size_t offset = s * m_microbatches;
    const std::size_t before = stage.forwards + stage.backwards;
    while (stage.backwards < all) {
      const bool forward = stage.goesForward(all);
      const Turn& turn = forward ? m_forward[stage.forwards] : m_backward[stage.backwards];
      const std::size_t at = turn.at + offset;
      const double ready = forward ? forwardReady(at) : backwardReady(at);
      if (ready < 0) break;
      const double start = std::max(ready, stage.end);
      stage.least += start - stage.end;
      stage.end = start + (forward ? stage.forward : stage.backward)[turn.chunk];
      (forward ? m_forwardEnd : m_backwardEnd)[at] = stage.end;
      ++(forward ? stage.forwards : stage.backwards);
    }
    m_atLeast = std::max(m_atLeast, stage.least);
    m_seconds = std::max(m_seconds, stage.end);
    return stage.forwards + stage.backwards > before;
  }
  [[nodiscard]] double forwardReady(std::size_t at) const {
    return at < m_microbatches ? 0 : m_forwardEnd[at - m_microbatches];
  }
  [[nodiscard]] double backwardReady(std::size_t at) const {
    const std::size_t next = at + m_microbatches;
    return next < m_backwardEnd.size() ? m_backwardEnd[next] : m_forwardEnd[at];
  }

  std::size_t m_microbatches;
  std::vector<Stage> m_stages;
  std::vector<Turn> m_forward;
  std::vector<Turn> m_backward;
  std::vector<double> m_forwardEnd;  // −1 for not yet
  std::vector<double> m_backwardEnd;
  double m_atLeast = 0;
  double m_seconds = 0;
};

}  // namespace

double fixedOrderSeconds(ScheduleKind kind, const PipelineWork& work, std::int64_t microbatches, double most) {
  return Player(kind, work, microbatches).seconds(most);
}

}  // namespace p2::inline training
