// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: the seconds of schedules that a search has played.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "training/detail/pipeline_orders.h"

namespace p2::inline training {

/// Plays of one search, by their kind, microbatches and work: configurations that differ in choices that no schedule
/// sees (ZeRO stages, replicas, microbatches beyond the steady state) ask for the same ones again. Without delay.
class PlayedSchedules {
 public:
  /// Seconds of a play, or a lower bound of them above `most`. `play()` finds either.
  template <class Play>
  [[nodiscard]] double seconds(ScheduleKind kind, const std::vector<std::vector<StageWork>>& work,
                               std::int64_t microbatches, double most, const Play& play) {
    Known& known = m_known[keyOf(kind, work, microbatches)];
    if (known.isWhole || known.seconds > most) return known.seconds;
    known.seconds = play();
    known.isWhole = known.seconds <= most;
    return known.seconds;
  }

  /// publishedOrders(), until the next call with other numbers.
  [[nodiscard]] const std::vector<std::vector<PipelinePass>>& published(ScheduleKind kind, std::int64_t stages,
                                                                        std::int64_t chunks, std::int64_t microbatches);

 private:
  struct Known {
    double seconds = 0;  ///< or a lower bound
    bool isWhole = false;
  };
  struct Published {
    ScheduleKind kind = ScheduleKind::OneF1B;
    std::int64_t stages = 0;
    std::int64_t chunks = 0;
    std::int64_t microbatches = 0;
    friend bool operator==(const Published&, const Published&) = default;
  };
  [[nodiscard]] const std::string& keyOf(ScheduleKind kind, const std::vector<std::vector<StageWork>>& work,
                                         std::int64_t microbatches);

  std::unordered_map<std::string, Known> m_known;
  std::string m_key;
  std::vector<StageWork> m_different;
  Published m_published;
  std::vector<std::vector<PipelinePass>> m_orders;
};

}  // namespace p2::inline training
