// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: passes of zero-bubble pipelines by priorities.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "training/detail/pipeline_board.h"

namespace p2::inline training {

/// A set of stages that gives back the first one first.
class StageSet {
 public:
  explicit StageSet(std::int64_t stages) : m_words(static_cast<std::size_t>(stages + 63) / 64, 0) {}
  void add(std::size_t stage, bool adds = true) {
    m_words[stage / 64] |= static_cast<std::uint64_t>(adds) << (stage % 64);
  }
  /// −1 from an empty set.
  [[nodiscard]] std::int64_t takeFirst() {
    for (std::size_t i = 0; i < m_words.size(); ++i) {
      if (m_words[i] == 0) continue;
      const int bit = std::countr_zero(m_words[i]);
      m_words[i] &= m_words[i] - 1;
      return static_cast<std::int64_t>(i) * 64 + bit;
    }
    return -1;
  }

 private:
  std::vector<std::uint64_t> m_words;
};

/// Takes the first ready pass: backward before forward, which is before the weights' gradients; these as soon as
/// there is nothing else, or no room for further activations.
class GreedyOrder {
 public:
  enum class Policy { Equal, Staggered, RoomFirst };
  /// The board outlives it.
  GreedyOrder(ScheduleKind kind, Policy policy, PipelineBoard& board, std::int64_t stages, std::int64_t chunks,
              std::int64_t microbatches);

  /// Plays the step. Whether it takes no more than `most` seconds; else it is left off.
  [[nodiscard]] bool play(double most);

 private:
  using Kind = PlayedPass::Kind;
  [[nodiscard]] std::size_t slot(std::int64_t stage, std::int64_t chunk) const {
    return static_cast<std::size_t>(stage * m_chunks + chunk);
  }
  std::int64_t& next(Kind kind, std::size_t slot) { return m_next[slot][static_cast<std::size_t>(kind)]; }
  [[nodiscard]] std::int64_t next(Kind kind, std::size_t slot) const {
    return m_next[slot][static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] std::int64_t mostHeld(std::int64_t stage, std::int64_t chunk) const;
  [[nodiscard]] bool hasRoom(std::int64_t stage, std::size_t slot) const;
  [[nodiscard]] bool makesRoomFirst(std::int64_t stage) const;
  [[nodiscard]] bool hasPendingReturn(std::int64_t stage) const;
  [[nodiscard]] bool canPlay(std::int64_t stage, const PipelinePass& pass, double now);
  void step(std::int64_t stage, double now);
  void start(std::int64_t stage, const PipelinePass& pass, double now);
  [[nodiscard]] double nextMoment() const;
  void wakeAt(double now);

  ScheduleKind m_kind;
  Policy m_policy;
  PipelineBoard& m_board;
  std::int64_t m_stages;
  std::int64_t m_chunks;
  std::int64_t m_microbatches;
  std::int64_t m_stride;                            ///< between the microbatches of a chunk
  std::vector<std::array<std::int64_t, 3>> m_next;  ///< microbatches, by stage and chunk, and by kind of the pass
  std::vector<std::int64_t> m_mostHeld;             ///< by stage and chunk
  std::vector<double> m_free;                       ///< by stage, when its pass is done
  // The ends of passes that are under way wake their stage and the one that waits for them.
  std::vector<double> m_ends;           ///< by stage; infinite for none
  std::vector<std::int64_t> m_waiting;  ///< by stage, the stage that waits for that end; −1 for none
  using Wake = std::pair<double, std::int64_t>;
  std::priority_queue<Wake, std::vector<Wake>, std::greater<>> m_wakes;  ///< at other moments
  StageSet m_awake;
  StageSet m_ended;  ///< at this moment
};

}  // namespace p2::inline training
