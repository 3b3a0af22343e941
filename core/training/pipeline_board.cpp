// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/pipeline_board.h"

#include <algorithm>

namespace p2::inline training {

std::int64_t microbatchesOf(ScheduleKind kind, std::size_t chunk, std::int64_t microbatches) {
  if (kind != ScheduleKind::DualPipe) return microbatches;
  return (microbatches + (chunk == 0 ? 1 : 0)) / 2;
}

Route::Route(ScheduleKind kind, const PipelineWork& work)
    : m_kind(kind),
      m_stages(static_cast<std::int64_t>(work.size())),
      m_length(m_stages * (kind == ScheduleKind::DualPipe ? 1 : static_cast<std::int64_t>(work[0].size()))) {
  for (std::int64_t position = 0; position < m_length; ++position) {
    const bool returns = kind == ScheduleKind::ZeroBubbleV && position / m_stages % 2 == 1;
    const std::int64_t within = position % m_stages;
    m_stageAt.push_back(returns ? m_stages - 1 - within : within);
  }
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

PlayedPipeline PipelineBoard::take() {
  if (!endsAlone()) return std::move(m_played);
  m_played.seconds = 0;
  for (std::size_t s = 0; s < m_end.size(); ++s) {
    m_played.seconds = std::max(m_played.seconds, m_end[s] - m_begin[s]);
  }
  return std::move(m_played);
}

}  // namespace p2::inline training
