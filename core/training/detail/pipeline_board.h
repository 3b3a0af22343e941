// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: passes of a pipeline as they are played, one after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "training/detail/pipeline_orders.h"

namespace p2::inline training {

/// Work by stage and chunk.
using PipelineWork = std::vector<std::vector<StageWork>>;

/// Whether gradients of inputs and of weights are passes of their own.
[[nodiscard]] bool splitsWeights(ScheduleKind kind);
/// Microbatches that go through a chunk of a stage.
[[nodiscard]] std::int64_t microbatchesOf(ScheduleKind kind, std::size_t chunk, std::int64_t microbatches);

/// Where a microbatch goes: its positions in order, each a chunk of a stage.
class Route {
 public:
  Route(ScheduleKind kind, const PipelineWork& work)
      : m_kind(kind),
        m_stages(static_cast<std::int64_t>(work.size())),
        m_length(m_stages * (kind == ScheduleKind::DualPipe ? 1 : static_cast<std::int64_t>(work[0].size()))) {}

  [[nodiscard]] std::int64_t length() const { return m_length; }
  [[nodiscard]] std::int64_t position(std::int64_t stage, std::int64_t chunk) const {
    if (m_kind == ScheduleKind::DualPipe) return chunk == 0 ? stage : m_stages - 1 - stage;
    const bool returns = m_kind == ScheduleKind::ZeroBubbleV && chunk % 2 == 1;
    return chunk * m_stages + (returns ? m_stages - 1 - stage : stage);
  }
  [[nodiscard]] std::int64_t stage(std::int64_t position, bool fromTheEnd) const {
    const std::int64_t within = position % m_stages;
    const bool returns = m_kind == ScheduleKind::ZeroBubbleV && position / m_stages % 2 == 1;
    return returns || fromTheEnd ? m_stages - 1 - within : within;
  }

 private:
  ScheduleKind m_kind;
  std::int64_t m_stages;
  std::int64_t m_length;
};

/// End times of passes, and their predecessors.
class PipelineBoard {
 public:
  /// `records`: keeps the passes, not their end alone. The work outlives it.
  PipelineBoard(ScheduleKind kind, const PipelineWork& work, std::int64_t microbatches, double delay, bool records);

  [[nodiscard]] const Route& route() const { return m_route; }
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

}  // namespace p2::inline training
