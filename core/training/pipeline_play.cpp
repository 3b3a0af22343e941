// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/pipeline_play.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/near.h"
#include "training/detail/fixed_order_seconds.h"
#include "training/detail/greedy_order.h"
#include "training/detail/played_schedules.h"

namespace p2::inline training {
namespace {

using Work = PipelineWork;

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// Orders that are written down, by stage. They outlive it.
class ListedOrders {
 public:
  explicit ListedOrders(const std::vector<std::vector<PipelinePass>>& orders) : m_orders(orders) {}
  [[nodiscard]] std::size_t size(std::size_t stage) const { return m_orders[stage].size(); }
  [[nodiscard]] const PipelinePass& at(std::size_t stage, std::size_t number) const { return m_orders[stage][number]; }

 private:
  const std::vector<std::vector<PipelinePass>>& m_orders;
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
                      PlayedSchedules& known, double most = kNoLimit) {
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
  const auto& published = known.published(kind, stages, chunks, microbatches);
  if (!published.empty()) inOrder(ListedOrders(published));
  using Policy = GreedyOrder::Policy;
  for (const Policy policy : {Policy::Equal, Policy::Staggered, Policy::RoomFirst}) {
    best.tryOne([&](PipelineBoard& board, double limit) {
      return GreedyOrder(kind, policy, board, stages, chunks, microbatches).play(limit);
    });
  }
  return best.take();
}

}  // namespace

PlayedPipeline playPipeline(ScheduleKind kind, const Work& work, std::int64_t microbatches, double delay) {
  PlayedSchedules none;
  return played(kind, work, microbatches, delay, true, none);
}

namespace {

/// A play of one schedule for some microbatches.
struct Schedule {
  ScheduleKind kind;
  const Work& work;
  double delay;
  PlayedSchedules& known;
  [[nodiscard]] std::int64_t stages() const { return static_cast<std::int64_t>(work.size()); }
  /// Of played().
  [[nodiscard]] double seconds(std::int64_t microbatches, double most = kNoLimit) const {
    if (delay != 0) return played(kind, work, microbatches, delay, false, known, most).seconds;
    return known.seconds(kind, work, microbatches, most, [&] {
      if (splitsWeights(kind)) return played(kind, work, microbatches, delay, false, known, most).seconds;
      return fixedOrderSeconds(kind, work, microbatches, most * (1 + kArithmeticTolerance));
    });
  }
};

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
double carriedOn(const Schedule& schedule, std::int64_t microbatches, std::int64_t first) {
  const std::int64_t stages = schedule.stages();
  const double least = slowestSlot(schedule.kind, schedule.work) * static_cast<double>(stages);
  for (std::int64_t count = first; count + 2 * stages < microbatches; count += 2 * (count / stages) * stages) {
    const double before = schedule.seconds(count);
    const double after = schedule.seconds(count + stages);
    const double round = after - before;
    bool repeats = std::abs(round - least) <= kArithmeticTolerance * after;
    if (!repeats) {
      const double next = schedule.seconds(count + 2 * stages);
      repeats = std::abs(next - after - round) <= kArithmeticTolerance * after;
    }
    if (repeats) return before + round / static_cast<double>(stages) * static_cast<double>(microbatches - count);
  }
  return schedule.seconds(microbatches);
}

}  // namespace

double pipelineSeconds(ScheduleKind kind, const Work& work, std::int64_t microbatches, double delay, double most,
                       PlayedSchedules* known) {
  PlayedSchedules none;
  const Schedule schedule{kind, work, delay, known != nullptr ? *known : none};
  const std::int64_t stages = schedule.stages();
  const bool isGreedy = splitsWeights(kind);
  const std::int64_t first = (isGreedy ? 12 : 4) * stages + microbatches % stages;
  // The size of interleaved groups depends on all microbatches where these do not divide by the stages.
  const bool hasOwnGroups = !isGreedy && work[0].size() > 1 && microbatches % stages != 0;
  if (hasOwnGroups || microbatches <= first + stages) return schedule.seconds(microbatches, most);
  if (!isGreedy) return carriedOn(schedule, microbatches, first);
  // A greedy order does not repeat exactly; once it is under way its slowest stage is always at work.
  const auto rest = static_cast<double>(microbatches - first);
  const double slowest = slowestSlot(kind, work);
  return schedule.seconds(first, most - slowest * rest) + slowest * rest;
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
