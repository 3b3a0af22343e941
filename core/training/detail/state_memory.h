// SPDX-License-Identifier: GPL-3.0-or-later
// Part of core/training/memory.cpp: parameters, gradients and optimizer states of a device.
#pragma once

#include "training/detail/memory_stages.h"
#include "training/memory.h"

namespace p2::inline training {

/// Parameters of one device, of those that experts share out and of the others, which other devices shard.
struct OwnParameters {
  double dense = 0;  ///< embedding and head among them
  double experts = 0;
  double ends = 0;  ///< embedding and head
  [[nodiscard]] double all() const { return dense + experts; }
};

/// Rows of the embedding on one tensor rank, padded so that every rank has as many, a multiple of 128.
[[nodiscard]] double vocabularyShare(const ModelShape& model, const TrainingPlan& plan);

/// Parameters of one layer on one device.
struct LayerParameters {
  LayerParameters(const ModelShape& model, const TrainingPlan& plan);
  double dense;        ///< parameters of a dense layer
  double shared = 0;   ///< parameters of an expert layer outside its routed experts
  double experts = 0;  ///< parameters of routed experts
};

[[nodiscard]] OwnParameters parametersOf(const ModelShape& model, const TrainingConfiguration& configuration,
                                         const LayerParameters& layer, const MemoryStage& stage);

/// Whether a step begins without gradients, as PyTorch's optimizers leave them (zero_grad(set_to_none=True)), and makes
/// them in a single backward pass.
[[nodiscard]] bool makesGradients(const TrainingConfiguration& configuration);

/// Fills in parameters, gradients and optimizer states, as ZeRO shards them.
void addStates(const TrainingConfiguration& configuration, const OwnParameters& own, TrainingMemory& memory);

/// A lower bound in bytes of peakMemory() under any layout of the stages and any recomputation: the states of the mean
/// stage, with embedding and head only where there is one stage. O(1).
[[nodiscard]] double leastStates(const ModelShape& model, const TrainingConfiguration& configuration);

}  // namespace p2::inline training
