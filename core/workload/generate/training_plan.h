// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "workload/generate/model_shape.h"

namespace p2::inline workload {

/// The format in which the numbers of a tensor are sent.
enum class NumberFormat {
  Fp32,
  Bf16,
  Fp16,
  Fp8,
  Fp8Blocks,  ///< fp8 with a scale of four bytes for every 128 elements
};
/// Whether tensor parallelism also splits the sequence where it splits no heads, and the resulting collectives.
enum class SequenceParallelism {
  None,
  Megatron,  ///< the backward pass gathers the input again for the gradient of the weights
  Torch,     ///< the gathered input is kept (TorchTitan)
};
/// The way attention gets the keys and values of the other parts of a sequence.
enum class ContextCollective {
  Ring,       ///< keys and values go round
  AllGather,  ///< keys and values are gathered (Llama 3)
  AllToAll,   ///< heads instead of the sequence are split during attention (Ulysses)
  Hierarchy,  ///< AllToAll inside groups of TrainingPlan::contextInner, a ring between them
};

/// Its name in files and on the command line.
[[nodiscard]] constexpr std::string_view nameOf(ContextCollective kind) {
  constexpr std::array<std::string_view, 4> kNames{"ring", "allgather", "a2a", "a2a+p2p"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// A training: degrees of parallelism, sizes of a step, and the times of its communication. 0 means that the value
/// follows from the others.
struct TrainingPlan {
  std::int64_t devices = 0;       ///< that the degrees must multiply to; 0 for as many as they do
  std::int64_t data = 0;          ///< d, replicas included; 0 for the remaining devices, else 1
  std::int64_t replicas = 1;      ///< HSDP: number of copies of the shards over d / replicas
  std::int64_t tensor = 1;        ///< t
  std::int64_t context = 1;       ///< c
  std::int64_t contextInner = 0;  ///< of ContextCollective::Hierarchy: devices of a group, a divisor of c
  std::int64_t pipeline = 1;      ///< p
  std::int64_t chunks = 1;        ///< v, of layers on every stage (interleaved schedule)
  std::int64_t expert = 1;        ///< e
  std::int64_t expertTensor = 1;  ///< t_e

  std::int64_t sequence = 4096;   ///< s
  std::int64_t microbatch = 1;    ///< b, sequences of one microbatch of one replica of the model
  std::int64_t microbatches = 0;  ///< m, of a step; 0 to derive it from the global batch, else 1
  std::int64_t globalBatch = 0;   ///< B = b·m·d, sequences of a step; 0 to derive it from the microbatches

  NumberFormat activations = NumberFormat::Bf16;  ///< β
  NumberFormat parameters = NumberFormat::Bf16;   ///< β_p, as they are gathered
  NumberFormat gradients = NumberFormat::Fp32;    ///< β_g, as they are reduced
  NumberFormat dispatch = NumberFormat::Bf16;     ///< of tokens on their way to the experts; back they come as β

  std::int64_t zero = 1;    ///< 0 none, 1 optimizer states, 2 and gradients, 3 and parameters (FSDP) are sharded
  bool reshard = true;      ///< of ZeRO-3: whether parameters are let go after the forward pass, and gathered again
  bool accumulate = false;  ///< of ZeRO-2 and 3: whether gradients are reduced once a step, not every microbatch
  SequenceParallelism sequenceParallel = SequenceParallelism::Megatron;
  ContextCollective contextCollective = ContextCollective::Ring;
  bool tensorOverlap = false;  ///< whether tensor parallelism overlaps with computation (--tp-comm-overlap, AsyncTP)
  bool expertOverlap = false;  ///< whether dispatch and combine do (DualPipe, batch-level overlap)
  bool recompute = false;      ///< whether the backward pass recomputes layers, with their communication
  std::string order = "tp-cp-ep-dp-pp";  ///< order of the axes, innermost first, as Megatron-LM writes it
  bool layersOnly = false;               ///< leaves out embeddings, head, loss, norms
  double computeSeconds = 0;             ///< per step; 0 for unknown

  friend bool operator==(const TrainingPlan&, const TrainingPlan&) = default;
};

/// A model and the plan of its training, as a workload was generated from them; both resolved.
struct TrainedStep {
  ModelShape model;
  TrainingPlan plan;
  friend bool operator==(const TrainedStep&, const TrainedStep&) = default;
};

/// Bytes of `elements` in a format: 1 to 4 each, and the scales.
struct FormatSize {
  std::int64_t bytes;        ///< of every element
  std::int64_t scaledBlock;  ///< elements that share a scale of four bytes; 0 for none
};
[[nodiscard]] FormatSize sizeOf(NumberFormat format);

/// The default plan for a model: sequences no longer than its learned positions.
[[nodiscard]] TrainingPlan unsaidPlan(const ModelShape& model);
/// Whether sequences of this many tokens have positions; computed positions have no limit.
[[nodiscard]] Result<void> checkSequence(const ModelShape& model, std::int64_t tokens);
/// The plan with every 0 written out.
[[nodiscard]] TrainingPlan resolved(TrainingPlan plan);
/// Whether the plan can train the model: degrees that multiply to the devices (the error names the factor that would),
/// expert degrees that divide the same devices, batches, sequences, heads and layers that divide. The error's position
/// is the field's key, as in planFields(). Both resolved.
[[nodiscard]] Result<void> checkPlan(const ModelShape& model, const TrainingPlan& plan);

// Of plans that are resolved and checked.

/// ∏ of the degrees: the devices of a step.
[[nodiscard]] inline std::int64_t devicesOf(const TrainingPlan& plan) {
  return plan.data * plan.context * plan.tensor * plan.pipeline;
}
/// Copies of an expert, edp = t·c·d / (t_e·e).
[[nodiscard]] inline std::int64_t expertCopies(const TrainingPlan& plan) {
  return plan.tensor * plan.context * plan.data / (plan.expert * plan.expertTensor);
}

}  // namespace p2::inline workload
