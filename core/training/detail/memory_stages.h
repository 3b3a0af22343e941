// SPDX-License-Identifier: GPL-3.0-or-later
// Part of core/training/memory.cpp: the layers and activations that stages of a pipeline hold.
#pragma once

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

}  // namespace p2::inline training
