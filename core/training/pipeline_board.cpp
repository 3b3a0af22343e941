// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/pipeline_board.h"

#include <algorithm>

namespace p2::inline training {

bool splitsWeights(ScheduleKind kind) { return kind != ScheduleKind::GPipe && kind != ScheduleKind::OneF1B; }

std::int64_t microbatchesOf(ScheduleKind kind, std::size_t chunk, std::int64_t microbatches) {
  if (kind != ScheduleKind::DualPipe) return microbatches;
  return (microbatches + (chunk == 0 ? 1 : 0)) / 2;
}

PipelineBoard::PipelineBoard(ScheduleKind kind, const PipelineWork& work, std::int64_t microbatches, double delay,
                             bool records)
    : m_route(kind, work),
      m_kind(kind),
      m_work(work),
      m_microbatches(microbatches),
      m_delay(delay),
      m_records(records),
      m_begin(work.size(), -1),
      m_end(work.size(), 0) {
  const auto size = static_cast<std::size_t>(m_route.length() * microbatches);
  m_forward.assign(size, -1);
  m_backward.assign(size, -1);
  m_played.stages.resize(work.size());
  m_held.assign(work.size(), 0);
  m_played.inFlight.assign(work.size(), 0);
  for (const auto& stage : work) {
    double seconds = 0;
    for (std::size_t chunk = 0; chunk < stage.size(); ++chunk) {
      seconds += stage[chunk].slot() * static_cast<double>(microbatchesOf(kind, chunk, microbatches));
    }
    m_least.push_back(seconds);
    m_atLeast = std::max(m_atLeast, seconds);
  }
}

double PipelineBoard::ready(std::int64_t stage, const PipelinePass& pass) const {
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

double PipelineBoard::play(std::int64_t stage, const PipelinePass& pass, double start) {
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

PlayedPipeline PipelineBoard::take() {
  if (!endsAlone()) return std::move(m_played);
  m_played.seconds = 0;
  for (std::size_t s = 0; s < m_end.size(); ++s) {
    m_played.seconds = std::max(m_played.seconds, m_end[s] - m_begin[s]);
  }
  return std::move(m_played);
}

}  // namespace p2::inline training
