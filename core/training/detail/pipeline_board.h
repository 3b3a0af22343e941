// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: passes of a pipeline as they are played, one after the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "training/detail/pipeline_orders.h"

namespace p2::inline training {

/// Work by stage and chunk.
using PipelineWork = std::vector<std::vector<StageWork>>;

/// Whether gradients of inputs and of weights are passes of their own.
[[nodiscard]] inline bool splitsWeights(ScheduleKind kind) {
  return kind != ScheduleKind::GPipe && kind != ScheduleKind::OneF1B;
}
/// Microbatches that go through a chunk of a stage.
[[nodiscard]] std::int64_t microbatchesOf(ScheduleKind kind, std::size_t chunk, std::int64_t microbatches);

/// Where a microbatch goes: its positions in order, each a chunk of a stage.
class Route {
 public:
  Route(ScheduleKind kind, const PipelineWork& work);

  [[nodiscard]] std::int64_t length() const { return m_length; }
  [[nodiscard]] std::int64_t position(std::int64_t stage, std::int64_t chunk) const {
    if (m_kind == ScheduleKind::DualPipe) return chunk == 0 ? stage : m_stages - 1 - stage;
    const bool returns = m_kind == ScheduleKind::ZeroBubbleV && chunk % 2 == 1;
    return chunk * m_stages + (returns ? m_stages - 1 - stage : stage);
  }
  [[nodiscard]] std::int64_t stage(std::int64_t position, bool fromTheEnd) const {
    return m_stageAt[static_cast<std::size_t>(fromTheEnd ? m_length - 1 - position : position)];
  }

 private:
  ScheduleKind m_kind;
  std::int64_t m_stages;
  std::int64_t m_length;
  std::vector<std::int64_t> m_stageAt;  ///< by position
};

/// End times of passes, and their predecessors.
class PipelineBoard {
 public:
  /// `records`: keeps the passes, not their end alone. The work outlives it.
  PipelineBoard(ScheduleKind kind, const PipelineWork& work, std::int64_t microbatches, double delay, bool records);

  [[nodiscard]] const Route& route() const { return m_route; }
  [[nodiscard]] double delay() const { return m_delay; }
  [[nodiscard]] bool isFromTheEnd(std::int64_t microbatch) const {
    return m_kind == ScheduleKind::DualPipe && microbatch % 2 == 1;
  }
  [[nodiscard]] std::int64_t held(std::int64_t stage) const { return m_held[static_cast<std::size_t>(stage)]; }
  /// A lower bound of the seconds, for any passes from now on: the work of a stage and the time in which it has waited.
  /// It only grows.
  [[nodiscard]] double secondsAtLeast() const { return m_atLeast; }

  /// The earliest moment at which a stage can begin a pass; below 0 while its predecessors' end is not known.
  [[nodiscard]] double ready(std::int64_t stage, const PipelinePass& pass) const;
  /// Plays it from `start` on; when it is done.
  double play(std::int64_t stage, const PipelinePass& pass, double start);
  /// With zero-bubble schedules stages begin the next step when they are done, without waiting for one another
  /// (post-validation, §4 of the paper): a step takes as long as its longest stage.
  [[nodiscard]] PlayedPipeline take();

 private:
  [[nodiscard]] bool endsAlone() const { return splitsWeights(m_kind) && m_kind != ScheduleKind::DualPipe; }
  [[nodiscard]] std::size_t index(std::int64_t position, std::int64_t microbatch) const {
    return static_cast<std::size_t>(position * m_microbatches + microbatch);
  }

  Route m_route;
  ScheduleKind m_kind;
  const PipelineWork& m_work;
  std::int64_t m_microbatches;
  double m_delay;
  bool m_records;
  std::vector<double> m_begin;    // start of a stage's first pass
  std::vector<double> m_end;      // end of its last pass
  std::vector<double> m_least;    // its work, and the time in which it has waited
  std::vector<double> m_forward;  // when it is done, by position and microbatch; −1 for not yet
  std::vector<double> m_backward;
  std::vector<std::int64_t> m_held;
  double m_atLeast = 0;
  PlayedPipeline m_played;
};

// Called for every pass of every play.
inline double PipelineBoard::ready(std::int64_t stage, const PipelinePass& pass) const {
  const std::int64_t at = m_route.position(stage, pass.chunk);
  if (pass.kind == PlayedPass::Kind::Weights) return m_backward[index(at, pass.microbatch)];
  const bool forward = pass.kind == PlayedPass::Kind::Forward;
  if (forward && at == 0) return 0;
  if (!forward && at + 1 == m_route.length()) return m_forward[index(at, pass.microbatch)];
  const std::int64_t from = forward ? at - 1 : at + 1;
  const double done = (forward ? m_forward : m_backward)[index(from, pass.microbatch)];
  if (done < 0 || m_delay == 0) return done;
  return done + (m_route.stage(from, isFromTheEnd(pass.microbatch)) == stage ? 0 : m_delay);
}

inline double PipelineBoard::play(std::int64_t stage, const PipelinePass& pass, double start) {
  using Kind = PlayedPass::Kind;
  const auto s = static_cast<std::size_t>(stage);
  const StageWork& work = m_work[s][static_cast<std::size_t>(pass.chunk)];
  const bool splits = splitsWeights(m_kind);
  const double seconds = pass.kind == Kind::Forward    ? work.forward
                         : pass.kind == Kind::Backward ? work.backward + (splits ? 0 : work.weights)
                                                       : work.weights;
  const std::size_t at = index(m_route.position(stage, pass.chunk), pass.microbatch);
  const double done = start + seconds;
  if (pass.kind == Kind::Forward) {
    m_forward[at] = done;
    m_played.inFlight[s] = std::max(m_played.inFlight[s], ++m_held[s]);
  } else {
    if (pass.kind == Kind::Backward) m_backward[at] = done;
    if (pass.kind == Kind::Weights || !splits) --m_held[s];
  }
  if (m_records) m_played.stages[s].push_back({pass.kind, pass.chunk, pass.microbatch, start, seconds});
  const bool isFirst = m_begin[s] < 0;
  if (isFirst) m_begin[s] = start;
  // Before its first pass a stage waits only where all of them end together.
  m_least[s] += isFirst && endsAlone() ? 0 : start - m_end[s];
  m_atLeast = std::max(m_atLeast, m_least[s]);
  m_end[s] = done;
  m_played.seconds = std::max(m_played.seconds, done);
  return done;
}

}  // namespace p2::inline training
