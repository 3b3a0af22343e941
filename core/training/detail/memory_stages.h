// SPDX-License-Identifier: GPL-3.0-or-later
// Part of core/training/memory.cpp: the layers and activations that stages of a pipeline hold.
#pragma once

#include <array>
#include <tuple>
#include <vector>

#include "training/detail/configuration.h"

namespace p2::inline training {

/// One pipeline stage: its layers, and whether it has the embedding or the head.
struct MemoryStage {
  std::int64_t number = 0;
  double dense = 0;    ///< layers without experts
  double experts = 0;  ///< layers with experts
  bool first = false;
  bool last = false;
  double denseInFlight = 0;  ///< layers times microbatches whose activations are held at once
  double expertsInFlight = 0;
};

/// The stages of a configuration, the first one first. O(virtual stages).
[[nodiscard]] std::vector<MemoryStage> memoryStages(const ModelShape& model,
                                                    const TrainingConfiguration& configuration);

/// The stages of one model that may hold most, under each layout: of those with the same layers in a row only the first
/// one, where the others hold fewer microbatches. Kept from call to call, because configurations that differ in their
/// microbatch, ZeRO stage or recomputation have the same.
class FullestStages {
 public:
  explicit FullestStages(const ModelShape& model) : m_model(model) {}
  /// By layout, valid until the next call.
  [[nodiscard]] const std::vector<std::vector<MemoryStage>>& of(const TrainingConfiguration& configuration,
                                                                const std::vector<StageLayout>& layouts);

 private:
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, ScheduleKind, bool, std::int64_t>;
  struct Known {
    Key key{0, 0, 0, ScheduleKind::OneF1B, false, 0};
    std::vector<StageLayout> layouts;
    std::vector<std::vector<MemoryStage>> stages;
  };
  const ModelShape& m_model;
  std::array<Known, 2> m_known;  ///< with overlap of experts and without it, which a search visits by turns
};

}  // namespace p2::inline training
