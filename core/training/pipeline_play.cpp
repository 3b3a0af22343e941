// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/pipeline_play.h"

#include <algorithm>
#include <array>
#include <functional>
#include <queue>

#include "training/detail/pipeline_orders.h"

namespace p2::inline training {
namespace {

using PassKind = PlayedPass::Kind;
using Work = std::vector<std::vector<StageWork>>;

bool splitsWeights(ScheduleKind kind) { return kind != ScheduleKind::GPipe && kind != ScheduleKind::OneF1B; }

/// Where a microbatch goes: its positions in order, each a chunk of a stage.
class Route {
 public:
  Route(ScheduleKind kind, const Work& work)
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
class Board {
 public:
  /// `records`: keeps the passes, not their end alone.
  Board(ScheduleKind kind, const Work& work, std::int64_t microbatches, double delay, bool records)
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
  }

  [[nodiscard]] const Route& route() const { return m_route; }
  [[nodiscard]] bool isFromTheEnd(std::int64_t microbatch) const {
    return m_kind == ScheduleKind::DualPipe && microbatch % 2 == 1;
  }
  [[nodiscard]] std::int64_t held(std::int64_t stage) const { return m_held[static_cast<std::size_t>(stage)]; }

  /// The earliest moment at which a stage can begin a pass; below 0 while its predecessors' end is not known.
  [[nodiscard]] double ready(std::int64_t stage, const PipelinePass& pass) const {
    const std::int64_t at = m_route.position(stage, pass.chunk);
    if (pass.kind == PassKind::Weights) return m_backward[index(at, pass.microbatch)];
    const bool forward = pass.kind == PassKind::Forward;
    if (forward && at == 0) return 0;
    if (!forward && at + 1 == m_route.length()) return m_forward[index(at, pass.microbatch)];
    const std::int64_t from = forward ? at - 1 : at + 1;
    const double done = (forward ? m_forward : m_backward)[index(from, pass.microbatch)];
    if (done < 0) return done;
    return done + (m_route.stage(from, isFromTheEnd(pass.microbatch)) == stage ? 0 : m_delay);
  }

  /// Plays it from `start` on; when it is done.
  double play(std::int64_t stage, const PipelinePass& pass, double start) {
    const auto s = static_cast<std::size_t>(stage);
    const StageWork& work = m_work[s][static_cast<std::size_t>(pass.chunk)];
    const bool splits = splitsWeights(m_kind);
    const double seconds = pass.kind == PassKind::Forward    ? work.forward
                           : pass.kind == PassKind::Backward ? work.backward + (splits ? 0 : work.weights)
                                                             : work.weights;
    const std::size_t at = index(m_route.position(stage, pass.chunk), pass.microbatch);
    const double done = start + seconds;
    if (pass.kind == PassKind::Forward) {
      m_forward[at] = done;
      m_played.inFlight[s] = std::max(m_played.inFlight[s], ++m_held[s]);
    } else {
      if (pass.kind == PassKind::Backward) m_backward[at] = done;
      if (pass.kind == PassKind::Weights || !splits) --m_held[s];
    }
    if (m_records) m_played.stages[s].push_back({pass.kind, pass.chunk, pass.microbatch, start, seconds});
    if (m_begin[s] < 0) m_begin[s] = start;
    m_end[s] = done;
    m_played.seconds = std::max(m_played.seconds, done);
    return done;
  }

  /// With zero-bubble schedules stages begin the next step when they are done, without waiting for one another
  /// (post-validation, §4 of the paper): a step takes as long as its longest stage.
  [[nodiscard]] PlayedPipeline take() {
    if (!splitsWeights(m_kind) || m_kind == ScheduleKind::DualPipe) return std::move(m_played);
    m_played.seconds = 0;
    for (std::size_t s = 0; s < m_end.size(); ++s) {
      m_played.seconds = std::max(m_played.seconds, m_end[s] - m_begin[s]);
    }
    return std::move(m_played);
  }

 private:
  [[nodiscard]] std::size_t index(std::int64_t position, std::int64_t microbatch) const {
    return static_cast<std::size_t>(position * m_microbatches + microbatch);
  }

  Route m_route;
  ScheduleKind m_kind;
  const Work& m_work;
  std::int64_t m_microbatches;
  double m_delay;
  bool m_records;
  std::vector<double> m_begin;    // start of a stage's first pass
  std::vector<double> m_end;      // end of its last pass
  std::vector<double> m_forward;  // when it is done, by position and microbatch; −1 for not yet
  std::vector<double> m_backward;
  std::vector<std::int64_t> m_held;
  PlayedPipeline m_played;
};

/// Whether all of them could be played: an order can ask for a pass before another that it waits for.
bool playInOrder(Board& board, const std::vector<std::vector<PipelinePass>>& orders) {
  std::vector<std::size_t> next(orders.size(), 0);
  std::vector<double> free(orders.size(), 0);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t s = 0; s < orders.size(); ++s) {
      while (next[s] < orders[s].size()) {
        const PipelinePass& pass = orders[s][next[s]];
        const double ready = board.ready(static_cast<std::int64_t>(s), pass);
        if (ready < 0) break;
        free[s] = board.play(static_cast<std::int64_t>(s), pass, std::max(ready, free[s]));
        ++next[s];
        moved = true;
      }
    }
  }
  for (std::size_t s = 0; s < orders.size(); ++s) {
    if (next[s] < orders[s].size()) return false;
  }
  return true;
}

/// Takes the first ready pass: backward before forward, which is before the weights' gradients; these as soon as
/// there is nothing else, or no room for further activations.
class Greedy {
 public:
  enum class Policy { Equal, Staggered, RoomFirst };
  Greedy(ScheduleKind kind, Policy policy, Board& board, std::int64_t stages, std::int64_t chunks,
         std::int64_t microbatches)
      : m_kind(kind),
        m_policy(policy),
        m_board(board),
        m_stages(stages),
        m_chunks(chunks),
        m_microbatches(microbatches) {
    const auto size = static_cast<std::size_t>(stages * chunks);
    m_nextForward.assign(size, 0);
    m_nextBackward.assign(size, 0);
    m_nextWeights.assign(size, 0);
    if (kind == ScheduleKind::DualPipe) {
      for (std::size_t i = 0; i < size; ++i) m_nextForward[i] = m_nextBackward[i] = m_nextWeights[i] = i % 2;
    }
    m_free.assign(static_cast<std::size_t>(stages), 0);
  }

  void run() {
    for (std::int64_t s = 0; s < m_stages; ++s) m_wakes.emplace(0.0, s);
    while (!m_wakes.empty()) {
      const auto [now, stage] = m_wakes.top();
      m_wakes.pop();
      if (now + 1e-15 >= m_free[static_cast<std::size_t>(stage)]) step(stage, now);
    }
  }

 private:
  [[nodiscard]] std::size_t slot(std::int64_t stage, std::int64_t chunk) const {
    return static_cast<std::size_t>(stage * m_chunks + chunk);
  }
  [[nodiscard]] std::int64_t stride() const { return m_kind == ScheduleKind::DualPipe ? 2 : 1; }

  /// Whether a stage has room for the activations of one more forward pass: no stage holds more than the first one of
  /// 1F1B does, or about twice that. With ZB-V they are of half a stage each; with DualPipe either direction has
  /// 1F1B's.
  [[nodiscard]] bool hasRoom(std::int64_t stage, std::int64_t chunk) const {
    const std::int64_t fromHere = m_policy == Policy::Staggered ? m_stages - stage : m_stages;
    switch (m_kind) {
      case ScheduleKind::ZeroBubble1:
        return m_board.held(stage) < fromHere;
      case ScheduleKind::ZeroBubble2:
        return m_board.held(stage) < 2 * fromHere - 1;
      case ScheduleKind::ZeroBubbleV:
        return m_board.held(stage) < 2 * m_stages;
      default: {
        const std::size_t at = slot(stage, chunk);
        const std::int64_t mine = (m_nextForward[at] - m_nextWeights[at]) / 2;
        return mine < m_stages - m_board.route().position(stage, chunk);
      }
    }
  }
  /// Whether a stage that holds as much as 1F1B would first makes room.
  [[nodiscard]] bool makesRoomFirst(std::int64_t stage) const {
    return m_policy == Policy::RoomFirst && m_board.held(stage) >= m_stages - stage;
  }

  [[nodiscard]] bool canPlay(std::int64_t stage, const PipelinePass& pass, double now) {
    if (pass.microbatch >= m_microbatches) return false;
    const double ready = m_board.ready(stage, pass);
    if (ready < 0) return false;
    if (ready > now + 1e-15) {
      m_wakes.emplace(ready, stage);
      return false;
    }
    return true;
  }

  void step(std::int64_t stage, double now) {
    std::array<PassKind, 3> order{PassKind::Backward, PassKind::Forward, PassKind::Weights};
    if (makesRoomFirst(stage)) std::swap(order[1], order[2]);
    for (const PassKind kind : order) {
      for (std::int64_t chunk = m_chunks; chunk-- > 0;) {
        auto& next = (kind == PassKind::Forward    ? m_nextForward
                      : kind == PassKind::Backward ? m_nextBackward
                                                   : m_nextWeights)[slot(stage, chunk)];
        const PipelinePass pass{kind, chunk, next};
        if (kind == PassKind::Forward && !hasRoom(stage, chunk)) continue;
        if (!canPlay(stage, pass, now)) continue;
        // Room that is left for the last chunk: a microbatch on its way back must not wait for one that sets out.
        if (kind == PassKind::Forward && m_kind == ScheduleKind::ZeroBubbleV && chunk == 0 &&
            m_board.held(stage) + 1 >= 2 * m_stages && hasPendingReturn(stage)) {
          continue;
        }
        next += stride();
        return done(stage, m_board.play(stage, pass, now), pass);
      }
    }
  }

  [[nodiscard]] bool hasPendingReturn(std::int64_t stage) const {
    return m_nextForward[slot(stage, 1)] < m_nextForward[slot(stage, 0)];
  }

  void done(std::int64_t stage, double at, const PipelinePass& pass) {
    m_free[static_cast<std::size_t>(stage)] = at;
    m_wakes.emplace(at, stage);
    if (pass.kind == PassKind::Weights) return;
    const std::int64_t to = m_board.route().position(stage, pass.chunk) + (pass.kind == PassKind::Forward ? 1 : -1);
    if (to < 0 || to >= m_board.route().length()) return;
    const std::int64_t other = m_board.route().stage(to, m_board.isFromTheEnd(pass.microbatch));
    m_wakes.emplace(at, other);
  }

  ScheduleKind m_kind;
  Policy m_policy;
  Board& m_board;
  std::int64_t m_stages;
  std::int64_t m_chunks;
  std::int64_t m_microbatches;
  std::vector<std::int64_t> m_nextForward;
  std::vector<std::int64_t> m_nextBackward;
  std::vector<std::int64_t> m_nextWeights;
  std::vector<double> m_free;
  using Wake = std::pair<double, std::int64_t>;
  std::priority_queue<Wake, std::vector<Wake>, std::greater<>> m_wakes;
};

PlayedPipeline played(ScheduleKind kind, const Work& work, std::int64_t microbatches, double delay, bool records) {
  const auto stages = static_cast<std::int64_t>(work.size());
  const auto chunks = static_cast<std::int64_t>(work[0].size());
  if (!splitsWeights(kind)) {
    Board board(kind, work, microbatches, delay, records);
    std::vector<std::vector<PipelinePass>> orders;
    for (std::int64_t s = 0; s < stages; ++s) orders.push_back(fixedOrder(kind, s, stages, chunks, microbatches));
    (void)playInOrder(board, orders);
    return board.take();
  }
  PlayedPipeline best;
  using Policy = Greedy::Policy;
  for (const Policy policy : {Policy::Equal, Policy::Staggered, Policy::RoomFirst}) {
    Board board(kind, work, microbatches, delay, records);
    Greedy(kind, policy, board, stages, chunks, microbatches).run();
    PlayedPipeline mine = board.take();
    if (best.inFlight.empty() || mine.seconds < best.seconds) best = std::move(mine);
  }
  if (const auto orders = publishedOrders(kind, stages, chunks, microbatches); !orders.empty()) {
    Board board(kind, work, microbatches, delay, records);
    const bool complete = playInOrder(board, orders);
    PlayedPipeline mine = board.take();
    if (complete && mine.seconds < best.seconds) best = std::move(mine);
  }
  return best;
}

}  // namespace

PlayedPipeline playPipeline(ScheduleKind kind, const Work& work, std::int64_t microbatches, double delay) {
  return played(kind, work, microbatches, delay, true);
}

double pipelineSeconds(ScheduleKind kind, const Work& work, std::int64_t microbatches, double delay) {
  const auto stages = static_cast<std::int64_t>(work.size());
  const bool isGreedy = splitsWeights(kind);
  const std::int64_t first = (isGreedy ? 12 : 4) * stages + microbatches % stages;
  if (microbatches <= first + stages) return played(kind, work, microbatches, delay, false).seconds;
  const double shorter = played(kind, work, first, delay, false).seconds;
  const auto rest = static_cast<double>(microbatches - first);
  if (!isGreedy) {
    const double longer = played(kind, work, first + stages, delay, false).seconds;
    return shorter + (longer - shorter) / static_cast<double>(stages) * rest;
  }
  // A greedy order does not repeat exactly; once it is under way its slowest stage is always at work.
  double slowest = 0;
  for (const auto& stage : work) {
    double slot = 0;
    for (const StageWork& chunk : stage) slot += chunk.slot();
    slowest = std::max(slowest, kind == ScheduleKind::DualPipe ? slot / 2 : slot);
  }
  return shorter + slowest * rest;
}

double pipelineLowerBound(ScheduleKind kind, const Work& work, std::int64_t microbatches) {
  const bool isGreedy = splitsWeights(kind);
  const auto count = static_cast<double>(microbatches) / (kind == ScheduleKind::DualPipe ? 2 : 1);
  double most = 0;
  double before = 0;  // one microbatch in the first chunks of earlier stages, forward and back
  for (const auto& stage : work) {
    double slot = 0;
    for (const StageWork& chunk : stage) slot += chunk.slot();
    most = std::max(most, count * slot + (isGreedy ? 0 : before));
    before += stage[0].slot();
  }
  return most;
}

}  // namespace p2::inline training
