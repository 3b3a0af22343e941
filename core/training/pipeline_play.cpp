// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/pipeline_play.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <queue>

#include "base/near.h"
#include "training/detail/fixed_order_seconds.h"

namespace p2::inline training {
namespace {

using PassKind = PlayedPass::Kind;
using Work = PipelineWork;

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// Orders that are written down, by stage.
class ListedOrders {
 public:
  explicit ListedOrders(std::vector<std::vector<PipelinePass>> orders) : m_orders(std::move(orders)) {}
  [[nodiscard]] bool empty() const { return m_orders.empty(); }
  [[nodiscard]] std::size_t size(std::size_t stage) const { return m_orders[stage].size(); }
  [[nodiscard]] const PipelinePass& at(std::size_t stage, std::size_t number) const { return m_orders[stage][number]; }

 private:
  std::vector<std::vector<PipelinePass>> m_orders;
};

/// Whether all of them could be played within `most` seconds: an order can ask for a pass before another that it waits
/// for.
template <class Orders>
bool playInOrder(PipelineBoard& board, const Orders& orders, std::size_t stages, double most) {
  std::vector<std::size_t> next(stages, 0);
  std::vector<double> free(stages, 0);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t s = 0; s < stages; ++s) {
      if (board.secondsAtLeast() > most) return false;
      while (next[s] < orders.size(s)) {
        const PipelinePass& pass = orders.at(s, next[s]);
        const double ready = board.ready(static_cast<std::int64_t>(s), pass);
        if (ready < 0) break;
        free[s] = board.play(static_cast<std::int64_t>(s), pass, std::max(ready, free[s]));
        ++next[s];
        moved = true;
      }
    }
  }
  for (std::size_t s = 0; s < stages; ++s) {
    if (next[s] < orders.size(s)) return false;
  }
  return true;
}

/// Takes the first ready pass: backward before forward, which is before the weights' gradients; these as soon as
/// there is nothing else, or no room for further activations.
class Greedy {
 public:
  enum class Policy { Equal, Staggered, RoomFirst };
  Greedy(ScheduleKind kind, Policy policy, PipelineBoard& board, std::int64_t stages, std::int64_t chunks,
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

  /// Whether the step takes no more than `most` seconds.
  bool run(double most) {
    for (std::int64_t s = 0; s < m_stages; ++s) m_wakes.emplace(0.0, s);
    while (!m_wakes.empty()) {
      if (m_board.secondsAtLeast() > most) return false;
      const auto [now, stage] = m_wakes.top();
      m_wakes.pop();
      if (now + 1e-15 >= m_free[static_cast<std::size_t>(stage)]) step(stage, now);
    }
    return true;
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
  PipelineBoard& m_board;
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

/// The best of several orders of one pipeline's step, which are left off once they cannot be the best.
class BestOrder {
 public:
  BestOrder(ScheduleKind kind, const Work& work, std::int64_t microbatches, double delay, bool records, double most)
      : m_kind(kind),
        m_work(work),
        m_microbatches(microbatches),
        m_delay(delay),
        m_records(records),
        m_most(most * (1 + kArithmeticTolerance)) {}

  /// `play(board, most)`: whether an order ends within `most` seconds.
  template <class Play>
  void tryOne(const Play& play) {
    PipelineBoard board(m_kind, m_work, m_microbatches, m_delay, m_records);
    // No order is faster than the stage with the most work.
    if (m_best && nearlyEqual(m_best->seconds, board.secondsAtLeast())) return;
    const double most = m_best ? std::min(m_most, m_best->seconds * (1 - kArithmeticTolerance)) : m_most;
    if (!play(board, most)) {
      if (board.secondsAtLeast() > most) m_left = std::min(m_left, board.secondsAtLeast());
      return;
    }
    PlayedPipeline mine = board.take();
    if (!m_best || mine.seconds < m_best->seconds) m_best = std::move(mine);
  }

  /// If all orders were left off, a lower bound of their seconds, without a pass.
  [[nodiscard]] PlayedPipeline take() {
    if (m_best) return std::move(*m_best);
    PlayedPipeline none;
    none.seconds = m_left;
    none.stages.resize(m_work.size());
    none.inFlight.assign(m_work.size(), 0);
    return none;
  }

 private:
  ScheduleKind m_kind;
  const Work& m_work;
  std::int64_t m_microbatches;
  double m_delay;
  bool m_records;
  double m_most;
  double m_left = kNoLimit;
  std::optional<PlayedPipeline> m_best;
};

PlayedPipeline played(ScheduleKind kind, const Work& work, std::int64_t microbatches, double delay, bool records,
                      double most = kNoLimit) {
  const auto stages = static_cast<std::int64_t>(work.size());
  const auto chunks = static_cast<std::int64_t>(work[0].size());
  BestOrder best(kind, work, microbatches, delay, records, most);
  const auto inOrder = [&](const auto& orders) {
    best.tryOne([&](PipelineBoard& board, double limit) { return playInOrder(board, orders, work.size(), limit); });
  };
  if (!splitsWeights(kind)) {
    inOrder(FixedOrders(kind, stages, chunks, microbatches));
    return best.take();
  }
  const ListedOrders published(publishedOrders(kind, stages, chunks, microbatches));
  if (!published.empty()) inOrder(published);
  using Policy = Greedy::Policy;
  for (const Policy policy : {Policy::Equal, Policy::Staggered, Policy::RoomFirst}) {
    best.tryOne([&](PipelineBoard& board, double limit) {
      return Greedy(kind, policy, board, stages, chunks, microbatches).run(limit);
    });
  }
  return best.take();
}

}  // namespace

PlayedPipeline playPipeline(ScheduleKind kind, const Work& work, std::int64_t microbatches, double delay) {
  return played(kind, work, microbatches, delay, true);
}

namespace {

/// Seconds of played().
double secondsOf(ScheduleKind kind, const Work& work, std::int64_t microbatches, double delay, double most = kNoLimit) {
  if (delay != 0 || splitsWeights(kind)) return played(kind, work, microbatches, delay, false, most).seconds;
  return fixedOrderSeconds(kind, work, microbatches, most * (1 + kArithmeticTolerance));
}

/// Seconds that the stage with most work takes for a microbatch.
double slowestSlot(ScheduleKind kind, const Work& work) {
  double slowest = 0;
  for (const auto& stage : work) {
    double slot = 0;
    for (const StageWork& chunk : stage) slot += chunk.slot();
    slowest = std::max(slowest, kind == ScheduleKind::DualPipe ? slot / 2 : slot);
  }
  return slowest;
}

/// Plays more and more microbatches of a fixed order until a round of as many as there are stages takes as long as the
/// round before it, or as its slowest stage is at work. Uneven chunks of stages reach that state late.
double carriedOn(ScheduleKind kind, const Work& work, std::int64_t microbatches, double delay, std::int64_t first) {
  constexpr double kSame = 1e-9;
  const auto stages = static_cast<std::int64_t>(work.size());
  const double least = slowestSlot(kind, work) * static_cast<double>(stages);
  for (std::int64_t count = first; count + 2 * stages < microbatches; count += 2 * (count / stages) * stages) {
    const double before = secondsOf(kind, work, count, delay);
    const double after = secondsOf(kind, work, count + stages, delay);
    const double round = after - before;
    bool repeats = std::abs(round - least) <= kSame * after;
    if (!repeats) {
      const double next = secondsOf(kind, work, count + 2 * stages, delay);
      repeats = std::abs(next - after - round) <= kSame * after;
    }
    if (repeats) return before + round / static_cast<double>(stages) * static_cast<double>(microbatches - count);
  }
  return secondsOf(kind, work, microbatches, delay);
}

}  // namespace

double pipelineSeconds(ScheduleKind kind, const Work& work, std::int64_t microbatches, double delay, double most) {
  const auto stages = static_cast<std::int64_t>(work.size());
  const bool isGreedy = splitsWeights(kind);
  const std::int64_t first = (isGreedy ? 12 : 4) * stages + microbatches % stages;
  // The size of interleaved groups depends on all microbatches where these do not divide by the stages.
  const bool hasOwnGroups = !isGreedy && work[0].size() > 1 && microbatches % stages != 0;
  if (hasOwnGroups || microbatches <= first + stages) return secondsOf(kind, work, microbatches, delay, most);
  if (!isGreedy) return carriedOn(kind, work, microbatches, delay, first);
  // A greedy order does not repeat exactly; once it is under way its slowest stage is always at work.
  const auto rest = static_cast<double>(microbatches - first);
  const double slowest = slowestSlot(kind, work);
  return secondsOf(kind, work, first, delay, most - slowest * rest) + slowest * rest;
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
