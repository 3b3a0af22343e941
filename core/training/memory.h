// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "training/detail/configuration.h"

namespace p2::inline training {

class FullestStages;

/// The memory of one device in a training step, in bytes, at the moment when it holds most. All devices of a pipeline
/// stage hold the same.
struct TrainingMemory {
  std::int64_t stage = 0;  ///< pipeline stage, 0 is the first
  double parameters = 0;   ///< in the precision of products, and the sharded copy that FSDP keeps
  double gradients = 0;
  double optimizer = 0;    ///< moments, and parameters in fp32 where products use fewer bits
  double activations = 0;  ///< kept for the backward pass, of all microbatches in flight
  double buffers = 0;      ///< gathered parameters, logits, gradients of one operator, receive buffers
  [[nodiscard]] double total() const { return parameters + gradients + optimizer + activations + buffers; }
};

/// Bytes of a parameter, its gradient and its optimizer state before sharding.
struct StateBytes {
  double parameter = 0;
  double gradient = 0;
  double optimizer = 0;  ///< moments of Adam, and the parameter in fp32 where products use fewer bits
};
/// As the framework family keeps them: Megatron-Core 2, 4 and 12.
[[nodiscard]] StateBytes stateBytesOf(const TrainingConfiguration& configuration);
/// Bytes that Transformer Engine keeps of a parameter of a layer from one microbatch to the next, besides StateBytes:
/// copies in the type of the products, one by rows and one by columns (quantize_weight() of
/// transformer_engine/pytorch/module/base.py; megatron/core/extensions/transformer_engine.py, is_first_microbatch).
/// Parameters that are kept in 8 bits are these copies.
[[nodiscard]] double quantizedCopyBytes(const TrainingConfiguration& configuration);

/// Bytes that one layer keeps for the backward pass of one microbatch on one device: Korthikanti et al. (arXiv
/// 2205.05198, table 2) for GPT, the same count for gated MLPs, latent attention and experts. Excludes attention scores
/// where attention is fused. With full recomputation only the layer's input.
/// `expertLayer`: whether the layer has routed experts, with tokens spread evenly over them.
[[nodiscard]] double layerActivations(const ModelShape& model, const TrainingConfiguration& configuration,
                                      bool expertLayer);

/// The peak memory of a device of every stage, without the CUDA context and gaps of the allocator: a caller compares
/// total() with the memory of the accelerator minus a reserve. `model` and the plan are resolved and checked
/// (checkConfiguration()). O(stages).
[[nodiscard]] std::vector<TrainingMemory> stageMemory(const ModelShape& model,
                                                      const TrainingConfiguration& configuration);
/// The stage whose devices hold most.
[[nodiscard]] TrainingMemory peakMemory(const ModelShape& model, const TrainingConfiguration& configuration);
/// peakMemory() under each layout of the stages, or for a layout with a stage of `enough` bytes or more the memory of
/// that stage; `stages` is of the same model. O(layouts · stages).
[[nodiscard]] std::vector<TrainingMemory> peakMemories(const ModelShape& model,
                                                       const TrainingConfiguration& configuration,
                                                       const std::vector<StageLayout>& layouts, FullestStages& stages,
                                                       double enough);

/// Bytes of a device that the CUDA context, communication libraries and the allocator's gaps need: 6 GB of devices with
/// 60 GB or more, a tenth of smaller ones.
[[nodiscard]] double defaultMemoryReserve(double deviceMemory);

}  // namespace p2::inline training
