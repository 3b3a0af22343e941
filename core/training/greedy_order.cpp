// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/greedy_order.h"

#include <algorithm>
#include <limits>

#include "base/near.h"

namespace p2::inline training {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Whether a moment has come, where the sums behind `moment` and `now` may be rounded differently.
bool hasCome(double moment, double now) { return moment <= now * (1 + kArithmeticTolerance); }

}  // namespace

GreedyOrder::GreedyOrder(ScheduleKind kind, Policy policy, PipelineBoard& board, std::int64_t stages,
                         std::int64_t chunks, std::int64_t microbatches)
    : m_kind(kind),
      m_policy(policy),
      m_board(board),
      m_stages(stages),
      m_chunks(chunks),
      m_microbatches(microbatches),
      m_stride(kind == ScheduleKind::DualPipe ? 2 : 1),
      m_free(static_cast<std::size_t>(stages), 0),
      m_ends(static_cast<std::size_t>(stages), kNever),
      m_waiting(static_cast<std::size_t>(stages), -1),
      m_awake(stages),
      m_ended(stages) {
  for (std::int64_t stage = 0; stage < stages; ++stage) {
    m_awake.add(static_cast<std::size_t>(stage));
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
      const std::int64_t first = kind == ScheduleKind::DualPipe ? chunk % 2 : 0;
      m_next.push_back({first, first, first});
      m_mostHeld.push_back(mostHeld(stage, chunk));
    }
  }
}

/// Microbatches whose activations a stage has room for: no stage holds more than the first one of 1F1B does, or about
/// twice that. With ZB-V they are of half a stage each; with DualPipe either direction has 1F1B's.
std::int64_t GreedyOrder::mostHeld(std::int64_t stage, std::int64_t chunk) const {
  const std::int64_t fromHere = m_policy == Policy::Staggered ? m_stages - stage : m_stages;
  switch (m_kind) {
    case ScheduleKind::ZeroBubble1:
      return fromHere;
    case ScheduleKind::ZeroBubble2:
      return 2 * fromHere - 1;
    case ScheduleKind::ZeroBubbleV:
      return 2 * m_stages;
    default:
      return m_stages - m_board.route().position(stage, chunk);
  }
}

bool GreedyOrder::hasRoom(std::int64_t stage, std::size_t slot) const {
  const bool dual = m_kind == ScheduleKind::DualPipe;
  const std::int64_t held = dual ? (next(Kind::Forward, slot) - next(Kind::Weights, slot)) / 2 : m_board.held(stage);
  return held < m_mostHeld[slot];
}

/// Whether a stage that holds as much as 1F1B would first makes room.
bool GreedyOrder::makesRoomFirst(std::int64_t stage) const {
  return m_policy == Policy::RoomFirst && m_board.held(stage) >= m_stages - stage;
}

bool GreedyOrder::hasPendingReturn(std::int64_t stage) const {
  return next(Kind::Forward, slot(stage, 1)) < next(Kind::Forward, slot(stage, 0));
}

bool GreedyOrder::play(double most) {
  for (double now = 0; now < kNever; now = nextMoment()) {
    wakeAt(now);
    for (std::int64_t stage = m_awake.takeFirst(); stage >= 0; stage = m_awake.takeFirst()) {
      if (hasCome(m_free[static_cast<std::size_t>(stage)], now)) step(stage, now);
    }
    if (m_board.secondsAtLeast() > most) return false;
  }
  return true;
}

/// The next moment at which a stage may have something to do; infinite after the last one.
double GreedyOrder::nextMoment() const {
  double moment = m_wakes.empty() ? kNever : m_wakes.top().first;
  for (const double end : m_ends) moment = std::min(moment, end);
  return moment;
}

void GreedyOrder::wakeAt(double now) {
  // Few stages end at the same moment, and no processor guesses which ones: without a branch for each.
  for (std::size_t stage = 0; stage < m_ends.size(); ++stage) m_ended.add(stage, m_ends[stage] == now);
  for (std::int64_t stage = m_ended.takeFirst(); stage >= 0; stage = m_ended.takeFirst()) {
    const auto s = static_cast<std::size_t>(stage);
    m_ends[s] = kNever;
    m_awake.add(s);
    if (m_waiting[s] >= 0) m_awake.add(static_cast<std::size_t>(m_waiting[s]));
  }
  for (; !m_wakes.empty() && m_wakes.top().first == now; m_wakes.pop())
    m_awake.add(static_cast<std::size_t>(m_wakes.top().second));
}

bool GreedyOrder::canPlay(std::int64_t stage, const PipelinePass& pass, double now) {
  if (pass.microbatch >= m_microbatches) return false;
  const double ready = m_board.ready(stage, pass);
  if (ready < 0) return false;
  if (hasCome(ready, now)) return true;
  // What arrives with the end of a pass wakes its stage then.
  if (m_board.delay() > 0) m_wakes.emplace(ready, stage);
  return false;
}

void GreedyOrder::step(std::int64_t stage, double now) {
  std::array<Kind, 3> order{Kind::Backward, Kind::Forward, Kind::Weights};
  if (makesRoomFirst(stage)) std::swap(order[1], order[2]);
  for (const Kind kind : order) {
    for (std::int64_t chunk = m_chunks; chunk-- > 0;) {
      const std::size_t at = slot(stage, chunk);
      const PipelinePass pass{kind, chunk, next(kind, at)};
      if (kind == Kind::Forward && !hasRoom(stage, at)) continue;
      if (!canPlay(stage, pass, now)) continue;
      // Room that is left for the last chunk: a microbatch on its way back must not wait for one that sets out.
      if (kind == Kind::Forward && m_kind == ScheduleKind::ZeroBubbleV && chunk == 0 &&
          m_board.held(stage) + 1 >= 2 * m_stages && hasPendingReturn(stage)) {
        continue;
      }
      next(kind, at) += m_stride;
      return start(stage, pass, now);
    }
  }
}

void GreedyOrder::start(std::int64_t stage, const PipelinePass& pass, double now) {
  const auto s = static_cast<std::size_t>(stage);
  if (m_ends[s] < kNever) {
    // The end of the pass before is later by rounding alone.
    m_wakes.emplace(m_ends[s], stage);
    if (m_waiting[s] >= 0) m_wakes.emplace(m_ends[s], m_waiting[s]);
  }
  const double begin = std::max({now, m_free[s], m_board.ready(stage, pass)});
  m_ends[s] = m_free[s] = m_board.play(stage, pass, begin);
  m_waiting[s] = -1;
  if (pass.kind != Kind::Weights) {
    const std::int64_t to = m_board.route().position(stage, pass.chunk) + (pass.kind == Kind::Forward ? 1 : -1);
    if (to >= 0 && to < m_board.route().length()) {
      m_waiting[s] = m_board.route().stage(to, m_board.isFromTheEnd(pass.microbatch));
    }
  }
  if (m_ends[s] <= now) wakeAt(m_ends[s]);
}

}  // namespace p2::inline training
